//! The twelve squares, and sets of them.

use std::fmt;

use crate::game::{Side, Symmetry};

/// One of the twelve squares, written `A1` (top left) to `C4` (bottom right) as in the paper.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Every square, row by row from the top left.
    pub const ALL: [Square; 12] = {
        let mut all = [Square(0); 12];
        let mut i = 0;
        while i < 12 {
            all[i] = Square(i as u8);
            i += 1;
        }
        all
    };

    /// The square in this column (0 = A) and row (0 = top), if there is one.
    pub const fn new(column: usize, row: usize) -> Option<Square> {
        if column < 3 && row < 4 { Some(Square((row * 3 + column) as u8)) } else { None }
    }

    /// The square of this index, if there is one.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < 12 { Some(Square(index as u8)) } else { None }
    }

    /// 0 for A1, 1 for B1 … 11 for C4.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for A, 1 for B, 2 for C.
    pub const fn column(self) -> usize {
        self.index() % 3
    }

    /// 0 for the top row, 3 for the bottom row.
    pub const fn row(self) -> usize {
        self.index() / 3
    }

    /// The set of just this square.
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.0)
    }

    /// Where the square comes to lie.
    pub fn transform(self, symmetry: Symmetry) -> Square {
        match symmetry {
            Symmetry::Mirror => Square((self.row() * 3 + 2 - self.column()) as u8),
            Symmetry::Turn => Square(11 - self.0),
        }
    }

    /// The name in UCI, where rank 1 is at the bottom: `a4` for A1.
    pub fn uci(self) -> String {
        format!("{}{}", ['a', 'b', 'c'][self.column()], 4 - self.row())
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", ['A', 'B', 'C'][self.column()], self.row() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

const FILE_A: u16 = 0b001_001_001_001;
const FILE_B: u16 = FILE_A << 1;
const FILE_C: u16 = FILE_A << 2;

/// A set of squares: bit `n` stands for the square of index `n`; the upper four bits are always 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(u16);

impl Bitboard {
    /// All twelve squares.
    pub const FULL: Bitboard = Bitboard(0xFFF);

    /// The rank where this side's chicks become hens and its lion wins by a try.
    pub const fn far_rank(side: Side) -> Bitboard {
        match side {
            Side::First => Bitboard(0b111),
            Side::Second => Bitboard(0b111 << 9),
        }
    }

    /// The squares whose bits are set; the upper four bits are left out.
    pub const fn from_bits(bits: u16) -> Bitboard {
        Bitboard(bits & 0xFFF)
    }

    /// Every square one step up; what leaves the board is gone. Likewise the three below.
    pub(super) const fn up(self) -> Bitboard {
        Bitboard(self.0 >> 3)
    }

    pub(super) const fn down(self) -> Bitboard {
        Bitboard(self.0 << 3 & 0xFFF)
    }

    pub(super) const fn left(self) -> Bitboard {
        Bitboard((self.0 & !FILE_A) >> 1)
    }

    pub(super) const fn right(self) -> Bitboard {
        Bitboard((self.0 & !FILE_C) << 1)
    }

    /// Where the squares come to lie.
    pub fn transform(self, symmetry: Symmetry) -> Bitboard {
        match symmetry {
            Symmetry::Mirror => Bitboard((self.0 & FILE_A) << 2 | self.0 & FILE_B | (self.0 & FILE_C) >> 2),
            Symmetry::Turn => Bitboard(self.0.reverse_bits() >> 4),
        }
    }
}

square_set!(u16);
