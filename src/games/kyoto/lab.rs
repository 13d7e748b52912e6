//! Kinds of experiments that not every game has.

use super::Position;
use super::listing::ListingWork;
use crate::experiment::{AlphaZeroArmsWork, AlphaZeroWork};
use crate::nets::dual::convert_dual;
use crate::run::{Kind, Lab};

impl Lab for Position {
    fn kinds() -> Vec<Kind<Position>> {
        vec![
            Kind::of::<AlphaZeroWork>("alphazero"),
            Kind::of::<AlphaZeroArmsWork>("alphazero-arms"),
            Kind::of::<ListingWork>("listing"),
        ]
    }

    fn convert_network(bytes: &[u8]) -> Result<Vec<u8>, String> {
        convert_dual::<Position>(bytes)
    }
}
