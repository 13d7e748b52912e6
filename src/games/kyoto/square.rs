//! The twenty-five squares, sets of them, and the straight lines between them.

use std::fmt;

use crate::game::{Side, Symmetry};

const SQUARES: usize = 25;

/// One of the twenty-five squares. Printed as in UCI: `a5` (top left) to `e1` (bottom right).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Every square, row by row from the top left.
    pub const ALL: [Square; SQUARES] = {
        let mut all = [Square(0); SQUARES];
        let mut i = 0;
        while i < SQUARES {
            all[i] = Square(i as u8);
            i += 1;
        }
        all
    };

    /// The square in this column (0 = the left one) and row (0 = the top one), if there is one.
    pub const fn new(column: usize, row: usize) -> Option<Square> {
        if column < 5 && row < 5 { Some(Square((row * 5 + column) as u8)) } else { None }
    }

    /// The square of this index, if there is one.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < SQUARES { Some(Square(index as u8)) } else { None }
    }

    /// 0 for the top left square, 4 for the top right one … 24 for the bottom right one.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for the left column (file 5 of shogi, `a` of UCI), 4 for the right one.
    pub const fn column(self) -> usize {
        self.index() % 5
    }

    /// 0 for the top row (rank 1 of shogi, 5 of UCI), 4 for the bottom one.
    pub const fn row(self) -> usize {
        self.index() / 5
    }

    /// The set of just this square.
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.0)
    }

    /// Where the square comes to lie.
    pub fn transform(self, symmetry: Symmetry) -> Square {
        match symmetry {
            Symmetry::Mirror => Square((self.row() * 5 + 4 - self.column()) as u8),
            Symmetry::Turn => Square(24 - self.0),
        }
    }

    /// The name in UCI, where rank 1 is at the bottom: `a5` for the top left square.
    pub fn uci(self) -> String {
        format!("{}{}", ['a', 'b', 'c', 'd', 'e'][self.column()], 5 - self.row())
    }

    /// The name in CSA records, file before rank: `51` for the top left square.
    pub fn csa(self) -> String {
        format!("{}{}", 5 - self.column(), self.row() + 1)
    }

    /// The name in USI, file before rank: `5a` for the top left square.
    pub fn usi(self) -> String {
        format!("{}{}", 5 - self.column(), ['a', 'b', 'c', 'd', 'e'][self.row()])
    }

    /// The squares strictly between two squares of a row, column or diagonal; none for any other two.
    pub(super) fn between(self, other: Square) -> Bitboard {
        self.ray(other) & other.ray(self)
    }

    /// The squares that `blocker` hides from a piece that slides from here towards it.
    pub(super) fn behind(self, blocker: Square) -> Bitboard {
        self.ray(blocker) - blocker.ray(self) - blocker.bit()
    }

    /// The squares from here (left out) towards `other` and on to the edge, if a straight line leads there.
    pub(super) fn ray(self, other: Square) -> Bitboard {
        // Thirty-two entries and a mask: the compiler then knows that the index is in range.
        RAYS[self.index() & 31][other.index() & 31]
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.uci())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

pub(super) const LEFT_FILE: u32 = 0b00001_00001_00001_00001_00001;
pub(super) const RIGHT_FILE: u32 = LEFT_FILE << 4;
const ALL_SQUARES: u32 = (1 << SQUARES) - 1;

/// A set of squares: bit `n` stands for the square of index `n`; the upper seven bits are always 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(u32);

impl Bitboard {
    /// All twenty-five squares.
    pub const FULL: Bitboard = Bitboard(ALL_SQUARES);

    /// The squares whose bits are set; the upper seven bits are left out.
    pub const fn from_bits(bits: u32) -> Bitboard {
        Bitboard(bits & ALL_SQUARES)
    }

    /// The only square of the set; `None` if there are more or fewer.
    pub(super) fn single(mut self) -> Option<Square> {
        self.next().filter(|_| self.is_empty())
    }

    /// Every square one step up; what leaves the board is gone. Likewise the three below.
    pub(super) const fn up(self) -> Bitboard {
        Bitboard(self.0 >> 5)
    }

    pub(super) const fn down(self) -> Bitboard {
        Bitboard(self.0 << 5 & ALL_SQUARES)
    }

    pub(super) const fn left(self) -> Bitboard {
        Bitboard((self.0 & !LEFT_FILE) >> 1)
    }

    pub(super) const fn right(self) -> Bitboard {
        Bitboard((self.0 & !RIGHT_FILE) << 1)
    }

    /// Every square one step forward for this side.
    pub(super) const fn ahead(self, side: Side) -> Bitboard {
        match side {
            Side::First => self.up(),
            Side::Second => self.down(),
        }
    }

    /// Where the squares come to lie.
    pub fn transform(self, symmetry: Symmetry) -> Bitboard {
        match symmetry {
            Symmetry::Mirror => {
                let file = |column: u32| self.0 >> column & LEFT_FILE;
                Bitboard((0..5).fold(0, |mirrored, column| mirrored << 1 | file(column)))
            }
            Symmetry::Turn => Bitboard(self.0.reverse_bits() >> (u32::BITS - SQUARES as u32)),
        }
    }
}

square_set!(u32);

/// One step in every direction, as columns to the right and rows down.
pub(super) const DIRECTIONS: [(isize, isize); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// See [`Square::ray`].
static RAYS: [[Bitboard; 32]; 32] = {
    let mut rays = [[Bitboard::EMPTY; 32]; 32];
    let mut from = 0;
    while from < SQUARES {
        let mut direction = 0;
        while direction < DIRECTIONS.len() {
            let squares = line(Square(from as u8), DIRECTIONS[direction], 4);
            let mut other = 0;
            while other < SQUARES {
                if squares.meets(Square(other as u8).bit()) {
                    rays[from][other] = squares;
                }
                other += 1;
            }
            direction += 1;
        }
        from += 1;
    }
    rays
};

/// The squares reached from `from` by up to `length` times the same step.
pub(super) const fn line(from: Square, step: (isize, isize), length: usize) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    let (mut column, mut row) = (from.column() as isize, from.row() as isize);
    let mut steps = 0;
    while steps < length {
        column += step.0;
        row += step.1;
        // A step over the edge to the left or top wraps round to a number far too large for a square.
        match Square::new(column as usize, row as usize) {
            Some(square) => squares = squares.union(square.bit()),
            None => return squares,
        }
        steps += 1;
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        Square::ALL.into_iter().find(|square| square.to_string() == name).unwrap()
    }

    fn squares(names: &str) -> Bitboard {
        names.split_whitespace().fold(Bitboard::EMPTY, |all, name| all | square(name).bit())
    }

    #[test]
    fn lines_between_squares() {
        assert_eq!(square("a1").between(square("d4")), squares("b2 c3"));
        assert_eq!(square("d4").behind(square("c4")), squares("b4 a4"));
        assert_eq!(square("e1").ray(square("e2")), squares("e2 e3 e4 e5"));
        assert_eq!(square("a1").between(square("a2")), Bitboard::EMPTY);
        assert_eq!(square("a1").ray(square("b3")), Bitboard::EMPTY);
        assert_eq!(square("c3").ray(square("c3")), Bitboard::EMPTY);
    }

    #[test]
    fn sets_are_seen_in_another_way_as_their_squares_are() {
        for symmetry in Symmetry::ALL {
            for square in Square::ALL {
                assert_eq!(square.bit().transform(symmetry), square.transform(symmetry).bit());
            }
        }
    }
}
