//! The solution as the rest of the library asks for it.

use std::path::Path;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{Table, TableError, Tables};
use crate::game::{Solution, SolutionError, Solutions, Solved};
use crate::games::dobutsu::{Position, Rules};

impl From<TableError> for SolutionError {
    fn from(error: TableError) -> SolutionError {
        SolutionError::Table(error.to_string())
    }
}

impl Solutions<Position> for Tables {
    const SOLVED: bool = true;

    fn at(given: Option<&Path>) -> Tables {
        Tables::at(given)
    }

    fn is_given(&self) -> bool {
        self.is_given()
    }

    fn is_there(&self, rules: Rules) -> bool {
        self.is_there(rules)
    }

    fn get(&self, rules: Rules) -> Result<Arc<dyn Solution<Position>>, SolutionError> {
        Ok(self.get(rules)?)
    }
}

impl Solution<Position> for Table {
    fn rules(&self) -> Rules {
        self.rules()
    }

    fn probe(&self, position: &Position) -> Solved {
        self.probe(position)
    }

    fn any_position(&self, random: &mut ChaCha8Rng) -> Position {
        self.any_position(random)
    }
}
