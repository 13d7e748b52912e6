//! A position as the player to move sees it, packed so that the whole board is mirrored or flipped in a few steps.

use crate::game::{BySide, Side};
use crate::games::dobutsu::{Bitboard, Hand, HandPiece, Kind, Position, Rules};

/// Twelve bits for each kind, in the order of [`Kind::ALL`].
const BOARD_BITS: u32 = 12;
/// The lowest bit of each of the five boards.
const EACH: u64 = 1 | 1 << 12 | 1 << 24 | 1 << 36 | 1 << 48;
const COLUMN_A: u64 = EACH * 0b001_001_001_001;
const COLUMN_B: u64 = COLUMN_A << 1;
const COLUMN_C: u64 = COLUMN_A << 2;
const ROW_1: u64 = EACH * 0b111;
const ROW_2: u64 = ROW_1 << 3;

/// A position seen by the player to move, who always moves upward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct View {
    /// The squares of each kind, both sides together.
    pub(super) boards: u64,
    /// The squares of the player to move.
    pub(super) mine: u16,
    /// Two bits for each piece, as in [`Hand`].
    pub(super) my_hand: u8,
    pub(super) their_hand: u8,
}

impl View {
    /// What the player to move sees.
    pub(super) fn of(position: &Position) -> View {
        let us = position.turn();
        let board = |boards, kind: &Kind| boards | on(*kind, position.kind(*kind).bits());
        let seen = View {
            boards: Kind::ALL.iter().fold(0, board),
            mine: position.pieces(us).bits(),
            my_hand: position.hand(us).bits(),
            their_hand: position.hand(!us).bits(),
        };
        // Upside down and mirrored are the same to the game.
        if us == Side::First {
            seen
        } else {
            View { boards: flip(seen.boards), mine: flip(seen.mine.into()) as u16, ..seen }
        }
    }

    /// The position, with the first player to move. It goes on, unless there is no legal move.
    pub(super) fn to_position(self, rules: Rules) -> Position {
        let board = |kind| Bitboard::from_bits(self.kind(kind));
        let hands = BySide { first: Hand::from_bits(self.my_hand), second: Hand::from_bits(self.their_hand) };
        Position::assemble(Kind::ALL.map(board), Bitboard::from_bits(self.mine), hands, Side::First, rules)
    }

    pub(super) fn kind(&self, kind: Kind) -> u16 {
        (self.boards >> (BOARD_BITS * kind as u32)) as u16 & Bitboard::FULL.bits()
    }

    pub(super) fn occupied(&self) -> u16 {
        Kind::ALL.iter().fold(0, |all, kind| all | self.kind(*kind))
    }

    /// The squares of the two lions: of the player to move, and of the other.
    pub(super) fn lions(&self) -> (usize, usize) {
        let lions = self.kind(Kind::Lion);
        ((lions & self.mine).trailing_zeros() as usize, (lions & !self.mine).trailing_zeros() as usize)
    }

    /// How many of a piece the player to move holds.
    pub(super) fn held(&self, piece: HandPiece) -> usize {
        usize::from(self.my_hand >> (2 * piece as u8) & 0b11)
    }

    /// The same with left and right exchanged.
    pub(super) fn mirrored(&self) -> View {
        View { boards: mirror(self.boards), mine: mirror(self.mine.into()) as u16, ..*self }
    }

    /// What the opponent sees.
    pub(super) fn turned(&self) -> View {
        View {
            boards: flip(self.boards),
            mine: flip((self.occupied() & !self.mine).into()) as u16,
            my_hand: self.their_hand,
            their_hand: self.my_hand,
        }
    }

    /// The one of the two mirror images that stands for both, and whether it is the other one.
    pub(super) fn folded(&self) -> (View, bool) {
        let (mine, theirs) = self.lions();
        let other = match (mine % 3, theirs % 3) {
            (0, _) | (1, 0) => false,
            (2, _) | (1, 2) => true,
            _ => self.mirrored() < *self,
        };
        (if other { self.mirrored() } else { *self }, other)
    }

    pub(super) fn is_symmetric(&self) -> bool {
        mirror(self.boards) == self.boards && mirror(self.mine.into()) as u16 == self.mine
    }
}

/// Squares put on the board of a kind.
pub(super) fn on(kind: Kind, squares: u16) -> u64 {
    u64::from(squares) << (BOARD_BITS * kind as u32)
}

/// Left and right exchanged on every board.
fn mirror(boards: u64) -> u64 {
    (boards & COLUMN_A) << 2 | boards & COLUMN_B | (boards & COLUMN_C) >> 2
}

/// Top and bottom exchanged on every board.
fn flip(boards: u64) -> u64 {
    (boards & ROW_1) << 9 | (boards & ROW_2) << 3 | (boards >> 3) & ROW_2 | (boards >> 9) & ROW_1
}
