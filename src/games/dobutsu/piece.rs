//! The pieces, where each can step, and which can be in hand.

use std::fmt;

use super::{Bitboard, Square};
use crate::game::{BySide, Side};
use crate::games::shogi::Held;

/// What a piece on the board can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// One step forward; becomes a hen on the far rank.
    Chick,
    /// One step orthogonally.
    Giraffe,
    /// One step diagonally.
    Elephant,
    /// One step in any direction; the piece to catch.
    Lion,
    /// A promoted chick: one step orthogonally or diagonally forward.
    Hen,
}

impl Kind {
    /// Every kind, in the order of the paper's tables.
    pub const ALL: [Kind; 5] = [Kind::Chick, Kind::Giraffe, Kind::Elephant, Kind::Lion, Kind::Hen];

    /// The English name.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Chick => "chick",
            Kind::Giraffe => "giraffe",
            Kind::Elephant => "elephant",
            Kind::Lion => "lion",
            Kind::Hen => "hen",
        }
    }

    /// The squares that a piece of this kind and side attacks from `from`, own pieces or not.
    pub fn targets(self, side: Side, from: Square) -> Bitboard {
        // Sixteen entries and a mask: the compiler then knows that the index is in range.
        TARGETS[side][self as usize][from.index() & 15]
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A piece that can be held in hand and dropped. There is no lion and no hen among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum HandPiece {
    /// A chick, also what a captured hen turns into.
    Chick,
    /// A giraffe.
    Giraffe,
    /// An elephant.
    Elephant,
}

impl HandPiece {
    /// Every piece that can be held.
    pub const ALL: [HandPiece; 3] = [HandPiece::Chick, HandPiece::Giraffe, HandPiece::Elephant];

    /// What it is once dropped.
    pub const fn kind(self) -> Kind {
        match self {
            HandPiece::Chick => Kind::Chick,
            HandPiece::Giraffe => Kind::Giraffe,
            HandPiece::Elephant => Kind::Elephant,
        }
    }
}

impl Held for HandPiece {
    const PIECES: &'static [HandPiece] = &HandPiece::ALL;

    fn number(self) -> u8 {
        self as u8
    }
}

type TargetTable = [[Bitboard; 16]; 5];

/// For each side, kind and square: where the piece can step on an empty board.
static TARGETS: BySide<TargetTable> =
    BySide { first: target_table(Side::First), second: target_table(Side::Second) };

const fn target_table(side: Side) -> TargetTable {
    let mut table = [[Bitboard::EMPTY; 16]; 5];
    let mut kind = 0;
    while kind < 5 {
        let mut from = 0;
        while from < 12 {
            table[kind][from] = steps(Kind::ALL[kind], side, Square::ALL[from]);
            from += 1;
        }
        kind += 1;
    }
    table
}

/// Column and row offsets for the first player, for whom forward is one row less.
const fn offsets(kind: Kind) -> &'static [(isize, isize)] {
    match kind {
        Kind::Chick => &[(0, -1)],
        Kind::Giraffe => &[(0, -1), (-1, 0), (1, 0), (0, 1)],
        Kind::Elephant => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        Kind::Lion => &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)],
        Kind::Hen => &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)],
    }
}

const fn steps(kind: Kind, side: Side, from: Square) -> Bitboard {
    let forward = match side {
        Side::First => 1,
        Side::Second => -1,
    };
    let offsets = offsets(kind);
    let mut reached = Bitboard::EMPTY;
    let mut i = 0;
    while i < offsets.len() {
        let column = from.column() as isize + offsets[i].0;
        let row = from.row() as isize + offsets[i].1 * forward;
        // A step over the edge wraps round to a number far too large for a square.
        if let Some(to) = Square::new(column as usize, row as usize) {
            reached = reached.union(to.bit());
        }
        i += 1;
    }
    reached
}
