//! A move: a step of the pawn, or a wall.

use std::fmt;

use super::{Square, Wall};
use crate::game::Symmetry;

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// The pawn goes to this square.
    Step(Square),
    /// A wall is placed.
    Place(Wall),
}

impl Move {
    /// Every move that could be written down, legal somewhere or not.
    pub fn conceivable() -> impl Iterator<Item = Move> {
        Square::ALL.into_iter().map(Move::Step).chain(Wall::all().map(Move::Place))
    }

    /// The same move seen in another way.
    pub fn transform(self, symmetry: Symmetry) -> Move {
        match self {
            Move::Step(to) => Move::Step(to.transform(symmetry)),
            Move::Place(wall) => Move::Place(wall.transform(symmetry)),
        }
    }
}

/// `e2`, `e3h`, `e3v`: the same in every position.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Step(to) => fmt::Display::fmt(to, f),
            Move::Place(wall) => fmt::Display::fmt(wall, f),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
