//! Walls: two squares long, lying across or standing upright, named by the square at their lower left.

use std::fmt;
use std::str::FromStr;

use super::{Bitboard, Square};
use crate::game::Symmetry;

/// Which way a wall lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lie {
    /// Between two ranks, written `h`.
    Across,
    /// Between two files, written `v`.
    Upright,
}

impl Lie {
    /// Both.
    pub const BOTH: [Lie; 2] = [Lie::Across, Lie::Upright];

    /// The letter that names it.
    pub const fn letter(self) -> char {
        match self {
            Lie::Across => 'h',
            Lie::Upright => 'v',
        }
    }
}

/// A wall. `e3h` lies between ranks 3 and 4 over files e and f; `e3v` stands between files e and f along ranks 3 and 4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wall {
    lie: Lie,
    /// The square at the lower left of the wall's middle: a1 to h8.
    corner: Square,
}

impl Wall {
    /// The wall whose middle is the upper right corner of this square; none on rank 9 and file i.
    pub fn new(corner: Square, lie: Lie) -> Option<Wall> {
        Walls::SLOTS.meets(corner.bit()).then_some(Wall { lie, corner })
    }

    /// All 128 places where a wall could be.
    pub fn all() -> impl Iterator<Item = Wall> {
        Lie::BOTH.into_iter().flat_map(|lie| Walls::SLOTS.map(move |corner| Wall { lie, corner }))
    }

    /// The wall of this number, below twice [`Walls::PLACES`].
    pub(super) fn of_number(number: usize) -> Wall {
        let lie = Lie::BOTH[number / Walls::PLACES % 2];
        let (file, rank) = (number % 8, number / 8 % 8);
        Wall { lie, corner: Square::ALL[rank * 9 + file] }
    }

    /// The square at the lower left of its middle.
    pub const fn corner(self) -> Square {
        self.corner
    }

    /// Which way it lies.
    pub const fn lie(self) -> Lie {
        self.lie
    }

    /// Where the wall comes to lie.
    pub fn transform(self, symmetry: Symmetry) -> Wall {
        let (file, rank) = (7 - self.corner.file(), self.corner.rank());
        let corner = match symmetry {
            Symmetry::Mirror => Square::new(file, rank),
            Symmetry::Turn => Square::new(file, 7 - rank),
        };
        Wall { corner: corner.expect("corners lie on files a to h and ranks 1 to 8"), ..self }
    }
}

impl fmt::Display for Wall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", self.corner, self.lie.letter()))
    }
}

impl fmt::Debug for Wall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Wall {
    type Err = ();
    fn from_str(text: &str) -> Result<Wall, ()> {
        let &[_, _, letter] = text.as_bytes() else { return Err(()) };
        let lie = Lie::BOTH.into_iter().find(|lie| lie.letter() == letter.to_ascii_lowercase() as char);
        let corner = text.get(..2).ok_or(())?.parse()?;
        Wall::new(corner, lie.ok_or(())?).ok_or(())
    }
}

/// A set of walls or of places for walls, each way they lie by the squares at their lower left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Walls {
    /// Those that lie across.
    pub(super) across: Bitboard,
    /// Those that stand upright.
    pub(super) upright: Bitboard,
}

impl Walls {
    /// The squares that name walls: a1 to h8.
    pub(super) const SLOTS: Bitboard = {
        let edge = Bitboard::LAST_FILE.union(Bitboard::LAST_RANK).bits();
        Bitboard::of(Bitboard::FULL.bits() & !edge)
    };

    /// How many walls that lie the same way have a name.
    pub(super) const PLACES: usize = 64;

    /// Those that lie one way.
    pub const fn lying(&self, lie: Lie) -> Bitboard {
        match lie {
            Lie::Across => self.across,
            Lie::Upright => self.upright,
        }
    }

    /// How many.
    pub const fn len(&self) -> usize {
        self.across.len() + self.upright.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.across.is_empty() && self.upright.is_empty()
    }

    /// Whether this one is among them.
    pub fn has(&self, wall: Wall) -> bool {
        self.lying(wall.lie).meets(wall.corner.bit())
    }

    /// All of these and one more.
    pub(super) fn with(mut self, wall: Wall) -> Walls {
        match wall.lie {
            Lie::Across => self.across |= wall.corner.bit(),
            Lie::Upright => self.upright |= wall.corner.bit(),
        }
        self
    }

    /// All of these but one.
    pub(super) fn without(mut self, wall: Wall) -> Walls {
        match wall.lie {
            Lie::Across => self.across = self.across - wall.corner.bit(),
            Lie::Upright => self.upright = self.upright - wall.corner.bit(),
        }
        self
    }

    /// Those that are in both sets.
    pub(super) fn and(self, other: Walls) -> Walls {
        Walls { across: self.across & other.across, upright: self.upright & other.upright }
    }

    /// Those that are in either set.
    pub(super) fn or(self, other: Walls) -> Walls {
        Walls { across: self.across | other.across, upright: self.upright | other.upright }
    }

    /// One after the other: those that lie across first, each from a1 on.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Wall> {
        let Walls { mut across, mut upright } = self;
        let across = std::iter::from_fn(move || Some(Wall { lie: Lie::Across, corner: across.next()? }));
        across.chain(std::iter::from_fn(move || Some(Wall { lie: Lie::Upright, corner: upright.next()? })))
    }

    /// The places where another wall would neither overlap nor cross one of these.
    pub fn free(&self) -> Walls {
        let Walls { across, upright } = *self;
        // What is pushed over the edge lands on file i or beyond rank 8, where no wall has its name.
        Walls {
            across: Self::SLOTS - (across | across.east() | across.west() | upright),
            upright: Self::SLOTS - (upright | upright.north() | upright.south() | across),
        }
    }

    /// The places where another wall would touch these or the edge with at least two of its ends and its middle: only such a
    /// wall can close a ring, and only a ring shuts anybody in.
    pub(super) fn closing(&self) -> Walls {
        let touched = self.touched();
        let (low, high) = (touched.south() | TOP_SLOTS, touched.north() | Bitboard::FIRST_RANK);
        let (left, right) = ((touched.east() | Bitboard::FIRST_FILE), touched.west() | RIGHT_SLOTS);
        let two = |a: Bitboard, b: Bitboard, c: Bitboard| (a & b) | (a & c) | (b & c);
        Walls { across: two(left, touched, right), upright: two(low, touched, high) }
    }

    /// The inner crossings of the board, by the square at their lower left, that a wall touches with an end or its middle.
    pub(super) fn touched(&self) -> Bitboard {
        let Walls { across, upright } = *self;
        let all = across | across.east() | across.west() | upright | upright.north() | upright.south();
        all & Self::SLOTS
    }

    /// The places where a wall would touch one of these crossings with an end or its middle.
    pub(super) fn around(crossings: Bitboard) -> Walls {
        let at = crossings & Self::SLOTS;
        Walls {
            across: (at | at.east() | at.west()) & Self::SLOTS,
            upright: (at | at.north() | at.south()) & Self::SLOTS,
        }
    }
}

const RIGHT_SLOTS: Bitboard = Bitboard::of(Bitboard::LAST_FILE.bits() >> 1);
const TOP_SLOTS: Bitboard = Bitboard::of(Bitboard::LAST_RANK.bits() >> 9);
