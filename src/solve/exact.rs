//! What may be asked of a solved game, and what is said of one that is not.

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{Solved, Table, TableError, Tables};
use crate::games::Game;
use crate::games::dobutsu;

/// Any game: solved, or not.
pub trait Exact: Game {
    /// Where its solutions are found, or [`Unsolved`].
    type Solutions: Solutions<Self>;
}

/// The solutions of a game, one for each of its rules, each read when it is first needed and then kept.
pub trait Solutions<G: Game>: Clone + Debug + Send + Sync + 'static {
    /// Whether the game is solved at all.
    const SOLVED: bool;

    /// Those at this place, or at the usual one.
    fn at(given: Option<&Path>) -> Self;

    /// Whether somebody has said where they are.
    fn is_given(&self) -> bool;

    /// Whether there is one for these rules, by a first look.
    fn is_there(&self, rules: G::Rules) -> bool;

    /// The one for these rules.
    fn get(&self, rules: G::Rules) -> Result<Arc<dyn Solution<G>>, SolutionError>;
}

/// A solution under certain rules.
pub trait Solution<G>: Send + Sync {
    /// What a position is worth for the side to move.
    fn probe(&self, position: &G) -> Solved;

    /// Any position that can be reached and is not decided, all equally likely.
    fn any_position(&self, random: &mut ChaCha8Rng) -> G;
}

/// Why there is no solution to ask.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum SolutionError {
    #[error("{0} is not solved (dobutsu is)")]
    Unsolved(&'static str),
    #[error(transparent)]
    Table(#[from] TableError),
}

/// The solutions of a game that nobody has solved.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unsolved;

impl<G: Game> Solutions<G> for Unsolved {
    const SOLVED: bool = false;

    fn at(_: Option<&Path>) -> Unsolved {
        Unsolved
    }

    fn is_given(&self) -> bool {
        false
    }

    fn is_there(&self, _: G::Rules) -> bool {
        false
    }

    fn get(&self, _: G::Rules) -> Result<Arc<dyn Solution<G>>, SolutionError> {
        Err(SolutionError::Unsolved(G::NAME))
    }
}

impl Exact for dobutsu::Position {
    type Solutions = Tables;
}

impl Solutions<dobutsu::Position> for Tables {
    const SOLVED: bool = true;

    fn at(given: Option<&Path>) -> Tables {
        Tables::at(given)
    }

    fn is_given(&self) -> bool {
        self.is_given()
    }

    fn is_there(&self, rules: dobutsu::Rules) -> bool {
        self.is_there(rules)
    }

    fn get(&self, rules: dobutsu::Rules) -> Result<Arc<dyn Solution<dobutsu::Position>>, SolutionError> {
        Ok(self.get(rules)?)
    }
}

impl Solution<dobutsu::Position> for Table {
    fn probe(&self, position: &dobutsu::Position) -> Solved {
        self.probe(position)
    }

    fn any_position(&self, random: &mut ChaCha8Rng) -> dobutsu::Position {
        self.any_position(random)
    }
}
