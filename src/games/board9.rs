//! A board of nine files by nine ranks: its eighty-one squares, and sets of them.

use std::fmt;
use std::str::FromStr;

use crate::game::{Side, Symmetry};

/// How many files and ranks the board has.
pub(super) const SIZE: usize = 9;
const SQUARES: usize = SIZE * SIZE;

/// One of the eighty-one squares, `a1` to `i9`. The first player sits behind rank 1, the second behind rank 9.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Every square, rank by rank: `a1`, `b1` … `i9`.
    pub const ALL: [Square; SQUARES] = {
        let mut all = [Square(0); SQUARES];
        let mut i = 0;
        while i < SQUARES {
            all[i] = Square(i as u8);
            i += 1;
        }
        all
    };

    /// The square of this file (0 = a) and rank (0 = rank 1), if there is one.
    pub const fn new(file: usize, rank: usize) -> Option<Square> {
        if file < SIZE && rank < SIZE { Some(Square((rank * SIZE + file) as u8)) } else { None }
    }

    /// 0 for `a1`, 8 for `i1`, 80 for `i9`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for file a, 8 for file i.
    pub const fn file(self) -> usize {
        self.index() % SIZE
    }

    /// 0 for rank 1, 8 for rank 9.
    pub const fn rank(self) -> usize {
        self.index() / SIZE
    }

    /// The set of just this square.
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.0)
    }

    /// Where the square comes to lie.
    pub fn transform(self, symmetry: Symmetry) -> Square {
        match symmetry {
            Symmetry::Mirror => Square((self.rank() * SIZE + SIZE - 1 - self.file()) as u8),
            Symmetry::Turn => Square((SQUARES - 1) as u8 - self.0),
        }
    }

    /// Its number when squares are counted row by row from the top left, as a page draws them.
    pub const fn index_from_top(self) -> usize {
        (SIZE - 1 - self.rank()) * SIZE + self.file()
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", (b'a' + self.file() as u8) as char, self.rank() + 1))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ();
    fn from_str(text: &str) -> Result<Square, ()> {
        let &[file, rank] = text.as_bytes() else { return Err(()) };
        let file = file.to_ascii_lowercase().checked_sub(b'a').ok_or(())?;
        let rank = rank.checked_sub(b'1').ok_or(())?;
        Square::new(file.into(), rank.into()).ok_or(())
    }
}

const ALL_SQUARES: u128 = (1 << SQUARES) - 1;
const FIRST_RANK: u128 = (1 << SIZE) - 1;
const FIRST_FILE: u128 = {
    let mut file = 0;
    let mut rank = 0;
    while rank < SIZE {
        file |= 1 << (rank * SIZE);
        rank += 1;
    }
    file
};

/// A set of squares: bit `n` stands for the square of index `n`; the upper 47 bits are always 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bitboard(u128);

square_set!(u128);

impl Bitboard {
    /// All eighty-one squares.
    pub const FULL: Bitboard = Bitboard(ALL_SQUARES);

    /// The squares whose bits are set; `None` if one of them is no square's.
    pub fn from_bits(bits: u128) -> Option<Bitboard> {
        (bits <= ALL_SQUARES).then_some(Bitboard(bits))
    }

    /// The squares whose bits are set, which must be among the lowest 81.
    pub(super) const fn of(bits: u128) -> Bitboard {
        Bitboard(bits)
    }

    /// The squares of file i.
    pub(super) const LAST_FILE: Bitboard = Bitboard(FIRST_FILE << (SIZE - 1));

    /// The squares of file a.
    pub(super) const FIRST_FILE: Bitboard = Bitboard(FIRST_FILE);

    /// The squares of rank 1.
    pub(super) const FIRST_RANK: Bitboard = Bitboard(FIRST_RANK);

    /// The squares of a rank (0 = rank 1).
    pub(super) const fn rank(rank: usize) -> Bitboard {
        Bitboard(FIRST_RANK << (rank * SIZE))
    }

    /// The squares of rank 9.
    pub(super) const LAST_RANK: Bitboard = Bitboard(FIRST_RANK << (SQUARES - SIZE));

    /// The squares of the rank farthest from a side.
    pub const fn goal(side: Side) -> Bitboard {
        match side {
            Side::First => Bitboard::LAST_RANK,
            Side::Second => Bitboard::FIRST_RANK,
        }
    }

    /// Where the squares come to lie.
    pub fn transform(self, symmetry: Symmetry) -> Bitboard {
        match symmetry {
            Symmetry::Mirror => {
                self.map(|square| square.transform(symmetry).bit()).fold(Bitboard::EMPTY, Bitboard::union)
            }
            Symmetry::Turn => Bitboard(self.0.reverse_bits() >> (u128::BITS as usize - SQUARES)),
        }
    }

    /// Every square moved one rank up; those of rank 9 fall off the board.
    pub(super) const fn north(self) -> Bitboard {
        Bitboard(self.0 << SIZE & ALL_SQUARES)
    }

    /// Every square moved one rank down; those of rank 1 fall off the board.
    pub(super) const fn south(self) -> Bitboard {
        Bitboard(self.0 >> SIZE)
    }

    /// Every square moved one file to the right; whoever uses this takes care of file i, which would come out on file a.
    pub(super) const fn east(self) -> Bitboard {
        Bitboard(self.0 << 1)
    }

    /// Every square moved one file to the left; whoever uses this takes care of file a, which would come out on file i.
    pub(super) const fn west(self) -> Bitboard {
        Bitboard(self.0 >> 1)
    }
}
