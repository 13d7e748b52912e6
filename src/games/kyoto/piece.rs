//! The pieces with their two faces, where each can go, and which can be in hand.

use std::fmt;

use super::square::{DIRECTIONS, line};
use super::{Bitboard, Square};
use crate::game::{BySide, Side};
use crate::games::shogi::Held;

/// The face that a piece on the board shows. Each but the king's is one of a pair, and a move turns it over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// One step forward; a rook on the other side.
    Pawn,
    /// Slides orthogonally; a pawn on the other side.
    Rook,
    /// One step diagonally or forward; a bishop on the other side.
    Silver,
    /// Slides diagonally; a silver on the other side.
    Bishop,
    /// Jumps two forward and one aside; a gold on the other side.
    Knight,
    /// One step orthogonally or diagonally forward; a knight on the other side.
    Gold,
    /// Slides forward; a tokin on the other side.
    Lance,
    /// Moves as the gold does; a lance on the other side.
    Tokin,
    /// One step in any direction; the piece to catch, and the only one that is never turned over.
    King,
}

impl Kind {
    /// Every kind, the two faces of a piece side by side.
    pub const ALL: [Kind; 9] = [
        Kind::Pawn,
        Kind::Rook,
        Kind::Silver,
        Kind::Bishop,
        Kind::Knight,
        Kind::Gold,
        Kind::Lance,
        Kind::Tokin,
        Kind::King,
    ];

    /// The English name.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Pawn => "pawn",
            Kind::Rook => "rook",
            Kind::Silver => "silver",
            Kind::Bishop => "bishop",
            Kind::Knight => "knight",
            Kind::Gold => "gold",
            Kind::Lance => "lance",
            Kind::Tokin => "tokin",
            Kind::King => "king",
        }
    }

    /// The piece that has this face; the king is not one that can be held.
    pub const fn piece(self) -> Option<HandPiece> {
        match self {
            Kind::Pawn | Kind::Rook => Some(HandPiece::Pawn),
            Kind::Silver | Kind::Bishop => Some(HandPiece::Silver),
            Kind::Knight | Kind::Gold => Some(HandPiece::Knight),
            Kind::Lance | Kind::Tokin => Some(HandPiece::Lance),
            Kind::King => None,
        }
    }

    /// Whether it is the face that FEN writes with a plus: rook, bishop, gold, tokin.
    pub const fn is_promoted(self) -> bool {
        matches!(self, Kind::Rook | Kind::Bishop | Kind::Gold | Kind::Tokin)
    }

    /// What it is after a move.
    ///
    /// ```
    /// use dobutsu_ga::games::kyoto::Kind;
    /// assert_eq!(Kind::Pawn.turned_over(), Kind::Rook);
    /// assert_eq!(Kind::King.turned_over(), Kind::King);
    /// ```
    pub const fn turned_over(self) -> Kind {
        match self.piece() {
            Some(piece) => piece.kind(!self.is_promoted()),
            None => self,
        }
    }

    /// The squares that a piece of this kind and side attacks from `from`, own pieces or not, if `occupied` squares
    /// stop what slides.
    pub fn targets(self, side: Side, from: Square, occupied: Bitboard) -> Bitboard {
        let lines = self.lines(side, from);
        if !self.slides() {
            return lines;
        }
        (lines & occupied).fold(lines, |seen, blocker| seen - from.behind(blocker))
    }

    /// Whether it goes any number of squares, as far as nothing stands in its way.
    pub(crate) const fn slides(self) -> bool {
        matches!(self, Kind::Rook | Kind::Bishop | Kind::Lance)
    }

    /// The squares that it attacks from `from` on an empty board.
    pub(crate) fn lines(self, side: Side, from: Square) -> Bitboard {
        // Thirty-two entries and a mask: the compiler then knows that the index is in range.
        LINES[side][from.index() & 31][self as usize]
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A piece that can be held in hand and dropped with either face up, named after the face without a plus in FEN.
/// There is no king among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum HandPiece {
    /// Pawn and rook.
    Pawn,
    /// Silver and bishop.
    Silver,
    /// Knight and gold.
    Knight,
    /// Lance and tokin.
    Lance,
}

impl HandPiece {
    /// Every piece that can be held.
    pub const ALL: [HandPiece; 4] = [HandPiece::Pawn, HandPiece::Silver, HandPiece::Knight, HandPiece::Lance];

    /// What it is with this face up.
    pub const fn kind(self, promoted: bool) -> Kind {
        match (self, promoted) {
            (HandPiece::Pawn, false) => Kind::Pawn,
            (HandPiece::Pawn, true) => Kind::Rook,
            (HandPiece::Silver, false) => Kind::Silver,
            (HandPiece::Silver, true) => Kind::Bishop,
            (HandPiece::Knight, false) => Kind::Knight,
            (HandPiece::Knight, true) => Kind::Gold,
            (HandPiece::Lance, false) => Kind::Lance,
            (HandPiece::Lance, true) => Kind::Tokin,
        }
    }
}

impl Held for HandPiece {
    const PIECES: &'static [HandPiece] = &HandPiece::ALL;

    fn number(self) -> u8 {
        self as u8
    }
}

/// Both faces: `knight/gold`.
impl fmt::Display for HandPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.kind(false), self.kind(true))
    }
}

/// For each square and kind; what is asked of one square lies together.
type LineTable = [[Bitboard; 9]; 32];

static LINES: BySide<LineTable> = BySide { first: line_table(Side::First), second: line_table(Side::Second) };

const fn line_table(side: Side) -> LineTable {
    let mut table = [[Bitboard::EMPTY; 9]; 32];
    let mut from = 0;
    while from < Square::ALL.len() {
        let mut kind = 0;
        while kind < Kind::ALL.len() {
            table[from][kind] = lines(Kind::ALL[kind], side, Square::ALL[from]);
            kind += 1;
        }
        from += 1;
    }
    table
}

/// Column and row offsets for the first player, for whom forward is one row less, and how often one can be repeated.
const fn steps(kind: Kind) -> (&'static [(isize, isize)], usize) {
    match kind {
        Kind::Pawn => (&[(0, -1)], 1),
        Kind::Rook => (&[(0, -1), (-1, 0), (1, 0), (0, 1)], 4),
        Kind::Silver => (&[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)], 1),
        Kind::Bishop => (&[(-1, -1), (1, -1), (-1, 1), (1, 1)], 4),
        Kind::Knight => (&[(-1, -2), (1, -2)], 1),
        Kind::Gold | Kind::Tokin => (&[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)], 1),
        Kind::Lance => (&[(0, -1)], 4),
        Kind::King => (&DIRECTIONS, 1),
    }
}

const fn lines(kind: Kind, side: Side, from: Square) -> Bitboard {
    let (offsets, length) = steps(kind);
    let mut reached = Bitboard::EMPTY;
    let mut i = 0;
    while i < offsets.len() {
        let (column, forward) = offsets[i];
        let row = match side {
            Side::First => forward,
            Side::Second => -forward,
        };
        reached = reached.union(line(from, (column, row), length));
        i += 1;
    }
    reached
}
