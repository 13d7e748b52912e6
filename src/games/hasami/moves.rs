//! A move: a piece goes along its file or rank.

use std::fmt;

use super::Square;
use crate::game::Symmetry;

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl Move {
    /// Every move that could be written down, legal somewhere or not.
    pub fn conceivable() -> impl Iterator<Item = Move> {
        let from = |from: Square| Square::ALL.into_iter().map(move |to| Move { from, to });
        Square::ALL.into_iter().flat_map(from)
    }

    /// The same move seen in another way.
    pub fn transform(self, symmetry: Symmetry) -> Move {
        Move { from: self.from.transform(symmetry), to: self.to.transform(symmetry) }
    }

    /// As shogi writes squares: files 9 to 1 from left to right, ranks 1 to 9 downwards.
    pub(super) fn digits(self) -> String {
        let square = |square: Square| format!("{}{}", 9 - square.file(), 9 - square.rank());
        square(self.from) + &square(self.to)
    }
}

/// `a1a5`: the same in every position.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", self.from, self.to))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
