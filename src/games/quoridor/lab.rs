//! Kinds of experiments that not every game has.

use super::Position;
use super::pa::report::{pa_picture, read_pa_rows};
use super::pa::{PaWork, complete_tuner};
use crate::report::{Language, Picture, TableError, TableFiles, layout};
use crate::run::{Kind, Lab};

impl Lab for Position {
    fn kinds() -> Vec<Kind<Position>> {
        vec![Kind::of::<PaWork>("pa").completed(complete_tuner)]
    }

    fn command_pictures(
        command: &str,
        tables: &TableFiles,
        language: Language,
    ) -> Result<Option<Vec<Picture>>, TableError> {
        if command != "learn pa" {
            return Ok(None);
        }
        let states = read_pa_rows(tables.text(layout::WEIGHTS)?);
        let states = states.ok_or_else(|| TableError::not_whole(layout::WEIGHTS))?;
        Ok(Some(vec![pa_picture(&states, language)]))
    }
}
