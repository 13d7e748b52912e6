//! Kinds of experiments that not every game has.

use super::Position;
use super::dqn::DqnWork;
use super::dqn::report::{learning_picture, read_learning};
use super::net::QNetwork;
use crate::report::{Language, Picture, TableError, TableFiles, layout};
use crate::run::{Kind, Lab};

impl Lab for Position {
    fn kinds() -> Vec<Kind<Position>> {
        vec![Kind::of::<DqnWork>("dqn")]
    }

    fn command_pictures(
        command: &str,
        tables: &TableFiles,
        language: Language,
    ) -> Result<Option<Vec<Picture>>, TableError> {
        if command != "learn dqn" {
            return Ok(None);
        }
        let rows = read_learning(tables.text(layout::LEARNING)?);
        let rows = rows.ok_or_else(|| TableError::not_whole(layout::LEARNING))?;
        Ok(Some(vec![learning_picture(&rows, language)]))
    }

    fn convert_network(bytes: &[u8]) -> Result<Vec<u8>, String> {
        QNetwork::converted(bytes)
    }
}
