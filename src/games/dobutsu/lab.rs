//! Kinds of experiments that not every game has.

use super::Position;
use super::experiments::forensic::ForensicWork;
use super::experiments::guideline_pictures;
use crate::experiment::{AlphaZeroArmsWork, AlphaZeroWork, ArmsWork};
use crate::nets::dual::convert_dual;
use crate::report::{Language, Picture, TableError, TableFiles};
use crate::run::{Kind, Lab, complete_arms};

impl Lab for Position {
    fn kinds() -> Vec<Kind<Position>> {
        vec![
            Kind::of::<AlphaZeroWork>("alphazero"),
            Kind::of::<AlphaZeroArmsWork>("alphazero-arms"),
            Kind::of::<ArmsWork>("arms").completed(complete_arms),
            Kind::of::<ForensicWork>("forensic"),
        ]
    }

    fn command_pictures(
        command: &str,
        tables: &TableFiles,
        _: Language,
    ) -> Result<Option<Vec<Picture>>, TableError> {
        if command == "guideline" { guideline_pictures(tables).map(Some) } else { Ok(None) }
    }

    fn convert_network(bytes: &[u8]) -> Result<Vec<u8>, String> {
        convert_dual::<Position>(bytes)
    }
}
