//! The position: twenty-four bytes that say where every piece is, whose turn it is and whether the game is over.

use std::fmt;

use super::{Bitboard, Hand, HandPiece, Kind, Move, Square};
use crate::game::{BySide, Outcome, Side, Symmetry};

crate::variants! {
    /// Whether the king may be left in danger. Under both, a player without any move has lost.
    pub enum Rules, "rule set" {
        /// The king may be left or moved into attack; who captures it wins.
        Capture = "capture", "who captures the king wins";
        /// No move may leave the own king attacked, and perpetual check loses.
        Legal = "legal", "no move may leave the own king attacked";
    }
}

/// Whether the game goes on or how the last move won it. The winner is always the side that is not to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Status {
    Open,
    Catch,
    Mate,
    Stuck,
}

/// A position of Kyoto Shogi, without history.
///
/// Two positions are equal if rules, pieces on the board with the faces they show, hands and side to move are all
/// equal. The result follows from these; it is kept because it is asked for far more often than it changes.
///
/// ```
/// use dobutsu_ga::game::{Game, Outcome, Side};
/// use dobutsu_ga::games::kyoto::{Position, Rules};
/// let mut position = Position::start(Rules::Capture);
/// for text in ["e1e2+", "d5e4+", "e2e4-", "b5b4-", "e4e5+", "b4c2+", "e5c5-"] {
///     position = position.play(position.parse_move(text)?);
/// }
/// assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
/// assert_eq!(position.decided_by(), Some("catch"));
/// # Ok::<(), dobutsu_ga::game::MoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// What stands on each square, whichever side's and whichever face up, as a number of three bits: see `code`.
    /// Nine sets, one a kind, would be read with less work but take twice the room.
    codes: [Bitboard; 3],
    /// The squares of the pieces whose face up is the one that FEN writes with a plus.
    promoted: Bitboard,
    /// The squares of the first player's pieces; every other piece is the second player's.
    first: Bitboard,
    hands: BySide<Hand>,
    turn: Side,
    flags: Flags,
}

/// The number of each piece in `Position::codes`, 0 being an empty square; chosen so that few operations find one.
const fn code(kind: Kind) -> u8 {
    match kind {
        Kind::Pawn | Kind::Rook => 0b001,
        Kind::Silver | Kind::Bishop => 0b010,
        Kind::Knight | Kind::Gold => 0b011,
        Kind::Lance | Kind::Tokin => 0b100,
        Kind::King => 0b111,
    }
}

impl Kind {
    /// What [`Position::number_at`] says of a square with a piece of this kind; 0 is an empty square.
    pub(crate) const fn number(self) -> usize {
        (code(self) | (self.is_promoted() as u8) << 3) as usize
    }
}

/// Rules and status in one byte, so that a position is twenty-four.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Flags(u8);

impl Flags {
    const fn new(rules: Rules, status: Status) -> Flags {
        Flags((rules as u8) << 2 | status as u8)
    }

    const fn rules(self) -> Rules {
        if self.0 & 0b100 == 0 { Rules::Capture } else { Rules::Legal }
    }

    const fn status(self) -> Status {
        match self.0 & 0b11 {
            0 => Status::Open,
            1 => Status::Catch,
            2 => Status::Mate,
            _ => Status::Stuck,
        }
    }
}

/// Where the pieces of each kind are: a [`Position`] unpacked, or a part of it.
#[derive(Clone, Copy)]
pub(super) struct Pieces {
    pub pawns: Bitboard,
    pub rooks: Bitboard,
    pub silvers: Bitboard,
    pub bishops: Bitboard,
    pub knights: Bitboard,
    /// Golds and tokins, which move alike.
    pub golds: Bitboard,
    pub lances: Bitboard,
    pub kings: Bitboard,
}

impl Position {
    /// An empty board, for a reader to put pieces on.
    pub(super) fn blank(rules: Rules, turn: Side, hands: BySide<Hand>) -> Position {
        let empty = Bitboard::EMPTY;
        let flags = Flags::new(rules, Status::Open);
        Position { codes: [empty; 3], promoted: empty, first: empty, hands, turn, flags }
    }

    /// Puts a piece on an empty square.
    pub(super) fn put(&mut self, side: Side, kind: Kind, square: Square) {
        for (bit, squares) in self.codes.iter_mut().enumerate() {
            *squares |= square.bit().only_if(code(kind) >> bit & 1 == 1);
        }
        self.promoted |= square.bit().only_if(kind.is_promoted());
        self.first |= square.bit().only_if(side == Side::First);
    }

    /// Finds out whether the side to move has lost already.
    pub(super) fn settled(mut self) -> Position {
        let status = if self.king(self.turn).is_none() {
            Status::Catch
        } else if self.has_move() {
            Status::Open
        } else if self.rules() == Rules::Legal && self.in_check() {
            Status::Mate
        } else {
            Status::Stuck
        };
        self.flags = Flags::new(self.rules(), status);
        self
    }

    /// The rules by which it is played.
    pub const fn rules(&self) -> Rules {
        self.flags.rules()
    }

    /// Whose turn it is.
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// Whether the game is over.
    pub const fn is_over(&self) -> bool {
        self.flags.0 & 0b11 != 0
    }

    /// The result, if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.is_over().then_some(Outcome::Win(!self.turn))
    }

    /// By what the game was won: `catch` (the king was captured), `mate`, or `stuck` (the loser had no move and,
    /// under [`Rules::Legal`], was not in check).
    pub const fn decided_by(&self) -> Option<&'static str> {
        match self.flags.status() {
            Status::Open => None,
            Status::Catch => Some("catch"),
            Status::Mate => Some("mate"),
            Status::Stuck => Some("stuck"),
        }
    }

    /// Every square with a piece on it.
    pub fn occupied(&self) -> Bitboard {
        let [low, middle, high] = self.codes;
        low | middle | high
    }

    /// The squares of one side's pieces.
    #[inline]
    pub fn pieces(&self, side: Side) -> Bitboard {
        match side {
            Side::First => self.first,
            Side::Second => self.occupied() - self.first,
        }
    }

    /// The pieces on these squares, whichever side's.
    #[inline]
    pub(super) fn pieces_on(&self, squares: Bitboard) -> Pieces {
        let [low, middle, high] = self.codes;
        let (low, middle, high) = (low & squares, middle & squares, high & squares);
        let promoted = self.promoted;
        let [pawns, silvers, knights, lances] =
            [low - middle, middle - low, (low & middle) - high, high - middle];
        Pieces {
            pawns: pawns - promoted,
            rooks: pawns & promoted,
            silvers: silvers - promoted,
            bishops: silvers & promoted,
            knights: knights - promoted,
            golds: (knights | lances) & promoted,
            lances: lances - promoted,
            kings: high & middle,
        }
    }

    /// The squares of the pieces of one kind, both sides together.
    #[inline]
    pub fn kind(&self, kind: Kind) -> Bitboard {
        let both_faces = match kind.piece() {
            Some(piece) => self.faces(piece),
            None => return self.kings(),
        };
        if kind.is_promoted() { both_faces & self.promoted } else { both_faces - self.promoted }
    }

    /// The squares of a piece, whichever face is up, both sides together.
    #[inline]
    fn faces(&self, piece: HandPiece) -> Bitboard {
        let [low, middle, high] = self.codes;
        match piece {
            HandPiece::Pawn => low - middle,
            HandPiece::Silver => middle - low,
            HandPiece::Knight => (low & middle) - high,
            HandPiece::Lance => high - middle,
        }
    }

    fn kings(&self) -> Bitboard {
        let [_, middle, high] = self.codes;
        middle & high
    }

    /// Where a side's king stands, or `None` if it was captured.
    #[inline]
    pub fn king(&self, side: Side) -> Option<Square> {
        (self.kings() & self.pieces(side)).next()
    }

    /// The pieces that a side may drop. A captured king is not among them: it shows in [`king`](Position::king).
    pub fn hand(&self, side: Side) -> Hand {
        self.hands[side]
    }

    /// The piece on a square and whose it is.
    pub fn piece_at(&self, square: Square) -> Option<(Side, Kind)> {
        let kind = self.kind_at(square)?;
        let side = if self.first.meets(square.bit()) { Side::First } else { Side::Second };
        Some((side, kind))
    }

    pub(super) fn kind_at(&self, square: Square) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| self.kind(*kind).meets(square.bit()))
    }

    /// What stands on a square as a number below 16 that differs for each kind: what a table is looked up by. See
    /// [`Kind::number`].
    #[inline]
    pub(crate) fn number_at(&self, square: Square) -> usize {
        let bit = |squares: Bitboard| squares.bits() >> square.index() & 1;
        let [low, middle, high] = self.codes;
        (bit(low) | bit(middle) << 1 | bit(high) << 2 | bit(self.promoted) << 3) as usize
    }

    /// Whether a piece of `side` could capture on `square` with its next step.
    pub fn attacks(&self, side: Side, square: Square) -> bool {
        // A piece reaches the square exactly if the same piece of the other side, put there, would reach it.
        let occupied = self.occupied();
        let reaching = |kind: Kind| kind.targets(!side, square, occupied) & self.kind(kind);
        let from = Kind::ALL.into_iter().fold(Bitboard::EMPTY, |from, kind| from | reaching(kind));
        from.meets(self.pieces(side))
    }

    /// Whether the king of the side to move could be captured if that side did nothing.
    ///
    /// ```
    /// use dobutsu_ga::game::Game;
    /// use dobutsu_ga::games::kyoto::{Position, Rules};
    /// let check = Position::parse("2k2/2P2/5/5/2K2[PSSNNLL] b 0 1", Rules::Legal)?;
    /// assert!(check.in_check() && check.outcome().is_none());
    /// # Ok::<(), dobutsu_ga::games::kyoto::FenError>(())
    /// ```
    pub fn in_check(&self) -> bool {
        self.king(self.turn).is_some_and(|king| self.attacks(!self.turn, king))
    }

    /// The position after a legal move.
    ///
    /// # Panics
    /// In debug builds, if the move is not legal; otherwise the result then means nothing.
    pub fn play(&self, m: Move) -> Position {
        debug_assert!(self.is_legal(m), "{m:?} is not legal in {self}");
        let mut next = self.with_move(m);
        next.turn = !self.turn;
        next.settled()
    }

    /// The board and the hands after a move that is legal but for the own king's safety; still the same side's turn.
    pub(crate) fn with_move(&self, m: Move) -> Position {
        match m {
            Move::Step { from, to } => self.step(from, to),
            Move::Drop { piece, promoted, to } => self.drop_piece(piece, promoted, to),
        }
    }

    fn step(&self, from: Square, to: Square) -> Position {
        let us = self.turn;
        let (origin, target) = (from.bit(), to.bit());
        let touched = origin | target;
        let mut next = *self;
        for bits in &mut next.codes {
            *bits = (*bits - touched) | target.only_if(bits.meets(origin));
        }
        let stays_plain = (self.promoted | self.kings()).meets(origin);
        next.promoted = (self.promoted - touched) | target.only_if(!stays_plain);
        next.first = (self.first - touched) | target.only_if(us == Side::First);
        next.hands[us] = self.hands[us].with_captured(|piece| self.faces(piece).meets(target));
        next
    }

    fn drop_piece(&self, piece: HandPiece, promoted: bool, to: Square) -> Position {
        let us = self.turn;
        let mut next = *self;
        next.put(us, piece.kind(promoted), to);
        next.hands[us] = self.hands[us].without(piece).unwrap_or_default();
        next
    }

    /// The position seen in another way.
    pub fn transform(&self, symmetry: Symmetry) -> Position {
        let mut seen = *self;
        seen.codes = self.codes.map(|bits| bits.transform(symmetry));
        seen.promoted = self.promoted.transform(symmetry);
        seen.first = self.first.transform(symmetry);
        if symmetry == Symmetry::Turn {
            seen.first = seen.occupied() - seen.first;
            seen.hands = BySide { first: self.hands.second, second: self.hands.first };
            seen.turn = !self.turn;
        }
        seen
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({} rules)", self.rules())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_twenty_four_bytes() {
        assert_eq!(size_of::<Position>(), 24);
    }

    #[test]
    fn what_is_put_is_found_again() {
        let mut position = Position::blank(Rules::Capture, Side::First, BySide::default());
        let put: Vec<(Square, (Side, Kind))> = Square::ALL
            .into_iter()
            .zip(Side::BOTH.into_iter().flat_map(|side| Kind::ALL.map(|kind| (side, kind))))
            .collect();
        for (square, (side, kind)) in &put {
            position.put(*side, *kind, *square);
        }
        for square in Square::ALL {
            let expected = put.iter().find(|(where_put, _)| *where_put == square).map(|(_, piece)| *piece);
            assert_eq!(position.piece_at(square), expected);
        }
    }
}
