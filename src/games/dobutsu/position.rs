//! The position: sixteen bytes that say where every piece is, whose turn it is and whether the game is over.

use std::fmt;

use super::{Bitboard, Hand, HandPiece, Kind, Move, Square};
use crate::game::{BySide, Outcome, Side, Symmetry};

crate::variants! {
    /// Which rule decides a try, the lion's step onto the far rank.
    pub enum Rules, "rule set" {
        /// A try wins at once, even if the lion could be captured there.
        Paper = "paper", "a try always wins";
        /// A try wins only if the lion cannot be captured by the very next move; else the game goes on, and that lion
        /// is not judged again while it stays on the far rank without moving.
        Official = "official", "it wins if the lion cannot be captured at once";
    }
}

/// Whether the game goes on or how the last move won it. The winner is always the side that is not to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Status {
    Open,
    Catch,
    Try,
    Stuck,
}

/// A position of Dobutsu Shogi, without history.
///
/// Two positions are equal if rules, pieces on the board, hands, side to move and result are all equal. The result
/// is a part of its own because under [`Rules::Official`] the pieces alone do not tell it: a lion that
/// arrived on the far rank under attack does not win, and still does not when the attack is gone later.
///
/// ```
/// use dobutsu_ga::game::{Game, Outcome, Side};
/// use dobutsu_ga::games::dobutsu::{Position, Rules};
/// let mut position = Position::start(Rules::Paper);
/// for text in ["b2b3", "a4a3", "b3b4+"] {
///     position = position.play(position.parse_move(text)?);
/// }
/// assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
/// assert_eq!(position.decided_by(), Some("catch"));
/// # Ok::<(), dobutsu_ga::game::MoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The squares of each kind, both sides together, in the order of [`Kind::ALL`].
    pub(super) kinds: [Bitboard; 5],
    /// The squares of the first player's pieces; every other piece is the second player's.
    pub(super) first: Bitboard,
    pub(super) hands: BySide<Hand>,
    pub(super) turn: Side,
    pub(super) flags: Flags,
}

/// Rules and status in one byte, so that a position is sixteen.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Flags(u8);

impl Flags {
    pub(super) const fn new(rules: Rules, status: Status) -> Flags {
        Flags((rules as u8) << 2 | status as u8)
    }

    const fn rules(self) -> Rules {
        if self.0 & 0b100 == 0 { Rules::Paper } else { Rules::Official }
    }

    const fn status(self) -> Status {
        match self.0 & 0b11 {
            0 => Status::Open,
            1 => Status::Catch,
            2 => Status::Try,
            _ => Status::Stuck,
        }
    }
}

impl Position {
    /// A position in which nobody has won by catch or try, from parts that the caller knows to fit together.
    pub(crate) fn assemble(
        kinds: [Bitboard; 5],
        first: Bitboard,
        hands: BySide<Hand>,
        turn: Side,
        rules: Rules,
    ) -> Position {
        // Handed over by the other side, so that it is known whether the one to move can.
        let open = Flags::new(rules, Status::Open);
        Position { kinds, first, hands, turn: !turn, flags: open }.hand_over(Status::Open)
    }

    /// The rules by which it is played.
    pub const fn rules(&self) -> Rules {
        self.flags.rules()
    }

    /// Whose turn it is.
    pub const fn turn(&self) -> Side {
        self.turn
    }

    pub(super) const fn status(&self) -> Status {
        self.flags.status()
    }

    /// Whether the game is over.
    pub const fn is_over(&self) -> bool {
        self.flags.0 & 0b11 != 0
    }

    /// The result, if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.is_over().then_some(Outcome::Win(!self.turn))
    }

    /// By what the game was won: `catch`, `try`, or `stuck` (the loser had no legal move).
    pub const fn decided_by(&self) -> Option<&'static str> {
        match self.status() {
            Status::Open => None,
            Status::Catch => Some("catch"),
            Status::Try => Some("try"),
            Status::Stuck => Some("stuck"),
        }
    }

    /// Every square with a piece on it.
    pub fn occupied(&self) -> Bitboard {
        let [chicks, giraffes, elephants, lions, hens] = self.kinds;
        chicks | giraffes | elephants | lions | hens
    }

    /// The squares of one side's pieces.
    pub fn pieces(&self, side: Side) -> Bitboard {
        match side {
            Side::First => self.first,
            Side::Second => self.occupied() - self.first,
        }
    }

    /// The squares of the pieces of one kind, both sides together.
    pub const fn kind(&self, kind: Kind) -> Bitboard {
        self.kinds[kind as usize]
    }

    /// Where a side's lion stands, or `None` if it was caught.
    pub fn lion(&self, side: Side) -> Option<Square> {
        (self.kind(Kind::Lion) & self.pieces(side)).next()
    }

    /// The pieces that a side may drop. A caught lion is not among them: it shows in [`lion`](Position::lion).
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

    /// Whether a piece of `side` could capture on `square` with its next step.
    pub fn attacks(&self, side: Side, square: Square) -> bool {
        // A piece reaches the square exactly if the same piece of the other side, put there, would reach it.
        let reaching = |kind: Kind| kind.targets(!side, square) & self.kind(kind);
        let from = Kind::ALL.into_iter().fold(Bitboard::EMPTY, |from, kind| from | reaching(kind));
        from.meets(self.pieces(side))
    }

    /// The position after a legal move.
    ///
    /// # Panics
    /// In debug builds, if the move is not legal; otherwise the result then means nothing.
    pub fn play(&self, m: Move) -> Position {
        debug_assert!(self.is_legal(m), "{m:?} is not legal in {self}");
        match m {
            Move::Step { from, to } => self.step(from, to),
            Move::Drop { piece, to } => self.drop_piece(piece, to),
        }
    }

    /// A legal step. Which piece moves and what it captures is hard to foresee for a processor, so there are no
    /// branches on it: every kind is treated alike, most of them for nothing.
    fn step(&self, from: Square, to: Square) -> Position {
        let us = self.turn;
        let (target, touched) = (to.bit(), from.bit() | to.bit());
        let mut next = *self;
        for squares in &mut next.kinds {
            *squares = (*squares - touched) | target.only_if(squares.meets(from.bit()));
        }
        let promoted = next.kind(Kind::Chick) & target & Bitboard::far_rank(us);
        next.kinds[Kind::Chick as usize] = next.kind(Kind::Chick) - promoted;
        next.kinds[Kind::Hen as usize] |= promoted;
        next.first = (self.first - touched) | target.only_if(us == Side::First);
        next.hands[us] = self.hands[us].with_captured(|piece| {
            let hens = if piece == HandPiece::Chick { self.kind(Kind::Hen) } else { Bitboard::EMPTY };
            (self.kind(piece.kind()) | hens).meets(target)
        });
        if !self.kind(Kind::Lion).meets(touched) {
            next.hand_over(Status::Open)
        } else if self.kind(Kind::Lion).meets(target) {
            next.hand_over(Status::Catch)
        } else {
            let won = next.is_winning_try(us, to);
            next.hand_over(if won { Status::Try } else { Status::Open })
        }
    }

    /// A legal drop.
    fn drop_piece(&self, piece: HandPiece, to: Square) -> Position {
        let us = self.turn;
        let mut next = *self;
        next.kinds[piece.kind() as usize] |= to.bit();
        next.first |= to.bit().only_if(us == Side::First);
        next.hands[us] = self.hands[us].without(piece).unwrap_or_default();
        next.hand_over(Status::Open)
    }

    /// Whether the lion of `us` that has just arrived on `square` wins by that.
    pub(super) fn is_winning_try(&self, us: Side, square: Square) -> bool {
        Bitboard::far_rank(us).meets(square.bit())
            && (self.rules() == Rules::Paper || !self.attacks(!us, square))
    }

    /// Ends the turn of the side to move.
    fn hand_over(mut self, status: Status) -> Position {
        self.turn = !self.turn;
        let stuck = status == Status::Open && self.is_stuck();
        self.flags = Flags::new(self.rules(), if stuck { Status::Stuck } else { status });
        self
    }

    /// Whether the side to move has no legal move, and so has lost.
    ///
    /// It takes five pieces or more to wall oneself in (a test tries them all), so the count is seldom needed.
    pub(super) fn is_stuck(&self) -> bool {
        self.hands[self.turn].is_empty() && self.pieces(self.turn).len() >= 5 && self.count_open_moves() == 0
    }

    /// Whether the side to move can win with its next move; `None` if it cannot by catch or try, but perhaps by leaving
    /// the other side without a move.
    pub fn next_move_wins(&self) -> Option<bool> {
        let (us, them) = (self.turn, !self.turn);
        if self.lion(them).is_some_and(|lion| self.attacks(us, lion)) || self.can_win_by_try(us) {
            return Some(true);
        }
        // A move only ever takes from what the other side has, so `is_stuck` asks the same of it afterwards.
        let may_be_stuck = self.hands[them].is_empty() && self.pieces(them).len() >= 5;
        (!may_be_stuck).then_some(false)
    }

    /// Whether neither side could win at once by a catch or a try, were it its turn.
    pub fn is_calm(&self) -> bool {
        let threatens =
            |us: Side| self.lion(!us).is_some_and(|lion| self.attacks(us, lion)) || self.can_win_by_try(us);
        !Side::BOTH.into_iter().any(threatens)
    }

    /// Whether the lion of `us` has a step that wins by a try.
    fn can_win_by_try(&self, us: Side) -> bool {
        let Some(lion) = self.lion(us) else { return false };
        let goals = (Kind::Lion.targets(us, lion) & Bitboard::far_rank(us)) - self.pieces(us);
        if goals.is_empty() || self.rules() == Rules::Paper {
            return !goals.is_empty();
        }
        // Whoever stands on a goal and is captured there does not attack that square.
        let (steps, promotions) = self.steps(!us);
        !(goals - (steps | promotions)).is_empty()
    }

    /// The position as if the game went on. A caught lion stays caught and is never dropped; whoever lost it moves the
    /// other pieces. Only a side without any move still ends the game.
    pub fn reopened(&self) -> Position {
        // Without a lion fewer pieces are walled in than `is_stuck` reckons with: a chick dropped on the far rank is.
        let stuck = self.hands[self.turn].is_empty() && self.count_open_moves() == 0;
        let status = if stuck { Status::Stuck } else { Status::Open };
        Position { flags: Flags::new(self.rules(), status), ..*self }
    }

    /// The position seen in another way.
    pub fn transform(&self, symmetry: Symmetry) -> Position {
        let mut seen = *self;
        seen.kinds = self.kinds.map(|squares| squares.transform(symmetry));
        seen.first = self.first.transform(symmetry);
        if symmetry == Symmetry::Turn {
            seen.first = seen.occupied() - seen.first;
            seen.hands = BySide { first: self.hands.second, second: self.hands.first };
            seen.turn = !self.turn;
        }
        seen
    }

    /// The position as one number, different for different positions.
    pub fn key(&self) -> u128 {
        let board = self.kinds.iter().fold(0, |key, squares| key << 12 | squares.bits() as u128);
        let hands = (self.hands.first.bits() as u128) << 6 | self.hands.second.bits() as u128;
        ((board << 12 | self.first.bits() as u128) << 12 | hands) << 4
            | (self.flags.0 as u128) << 1
            | self.turn as u128
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
    fn a_position_is_sixteen_bytes() {
        assert_eq!(size_of::<Position>(), 16);
    }

    #[test]
    fn walling_oneself_in_takes_five_pieces() {
        let own_kinds = [Kind::Lion, Kind::Giraffe, Kind::Elephant, Kind::Chick, Kind::Hen];
        // Whether every piece of some army on exactly these squares is blocked by its own side.
        fn stuck(squares: &[Square], all: Bitboard, left: [u8; 4], kinds: &[Kind; 5]) -> bool {
            let Some((square, rest)) = squares.split_first() else { return left[0] == 0 };
            kinds.iter().any(|kind| {
                let slot = match kind {
                    Kind::Lion => 0,
                    Kind::Giraffe => 1,
                    Kind::Elephant => 2,
                    Kind::Chick | Kind::Hen => 3,
                };
                let mut left = left;
                left[slot] = match left[slot].checked_sub(1) {
                    Some(fewer) => fewer,
                    None => return false,
                };
                (kind.targets(Side::First, *square) - all).is_empty() && stuck(rest, all, left, kinds)
            })
        }
        let mut smallest = usize::MAX;
        for bits in 1..1u16 << 12 {
            let squares: Vec<Square> =
                Square::ALL.into_iter().filter(|s| bits & s.bit().bits() != 0).collect();
            let all = squares.iter().fold(Bitboard::EMPTY, |all, square| all | square.bit());
            if squares.len() <= 7 && stuck(&squares, all, [1, 2, 2, 2], &own_kinds) {
                smallest = smallest.min(squares.len());
            }
        }
        assert_eq!(smallest, 5);
    }
}
