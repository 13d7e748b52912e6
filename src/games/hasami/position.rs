//! The position: whose pieces stand where.

use std::fmt;

use super::{Bitboard, Move, Square};
use crate::game::{BySide, Outcome, Side, Symmetry};

/// How many pieces each player has at first.
pub const PIECES_EACH: u8 = 9;

/// Who has no more pieces than this has lost.
const LOST_WITH: u8 = 4;

/// With a lead of this many pieces one wins.
const WINNING_LEAD: u8 = 3;

crate::variants! {
    /// What is taken, and who wins.
    pub enum Rules, "rule set" {
        /// As the report's program plays.
        Report = "report", "groups that are shut in are taken; a lead of three wins once it has survived a move";
        /// Only pieces between two others are taken.
        Lines = "lines", "as report, but groups that are shut in stay";
        /// A lead of three wins as soon as it is there.
        Sudden = "sudden", "as report, but a lead of three wins at once";
        /// Only five captured pieces win.
        Five = "five", "as report, but only five captured pieces win";
    }
}

/// A position of Hasami Shogi, without history.
///
/// Two positions are equal if rules, pieces and side to move are equal. Who leads by three needs no memory: a lead that its owner
/// has at his own turn has survived the other's move, since nobody gains by the other's move.
///
/// ```
/// use dobutsu_ga::game::Game;
/// use dobutsu_ga::games::hasami::{Position, Rules};
/// let position = Position::parse("9/9/9/9/9/9/ppppp4/P1P6/1PP1P4 w", Rules::Report)?;
/// let after = position.play(position.parse_move("e1e2").unwrap());
/// assert_eq!(after.to_string(), "9/9/9/9/9/9/ppppp4/P1P1P4/1PP6 b -");
/// # Ok::<(), dobutsu_ga::games::hasami::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pieces: BySide<Bitboard>,
    /// How many pieces each side has: to count them anew costs more than to remember.
    left: BySide<u8>,
    turn: Side,
    rules: Rules,
}

impl Position {
    /// Nine pieces each on the own back rank.
    pub const fn start(rules: Rules) -> Position {
        let pieces = BySide { first: Bitboard::FIRST_RANK, second: Bitboard::LAST_RANK };
        let left = BySide { first: PIECES_EACH, second: PIECES_EACH };
        Position { pieces, left, turn: Side::First, rules }
    }

    /// These pieces, which must not share a square.
    pub(super) fn of(pieces: BySide<Bitboard>, turn: Side, rules: Rules) -> Position {
        let left = BySide { first: pieces.first.len() as u8, second: pieces.second.len() as u8 };
        Position { pieces, left, turn, rules }
    }

    /// A side's pieces.
    pub fn pieces(&self, side: Side) -> Bitboard {
        self.pieces[side]
    }

    /// How many pieces a side has.
    pub fn left(&self, side: Side) -> u8 {
        self.left[side]
    }

    /// All squares that are taken.
    pub fn occupied(&self) -> Bitboard {
        self.pieces.first | self.pieces.second
    }

    /// Whose turn it is.
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// By which rules it is played.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Whether a side leads by three or more.
    fn leads(&self, side: Side) -> bool {
        self.left[side] >= self.left[!side] + WINNING_LEAD
    }

    /// Whether the side to move has lost unless it takes back at once.
    pub fn is_lead_pending(&self) -> bool {
        matches!(self.rules, Rules::Report | Rules::Lines)
            && self.left[self.turn] > LOST_WITH
            && self.leads(!self.turn)
    }

    /// Who has won, and by what.
    pub(super) fn decided(&self) -> Option<(Side, &'static str)> {
        let (us, them) = (self.turn, !self.turn);
        // Who has just moved is the only one who can have taken anything.
        if self.left[us] <= LOST_WITH {
            return Some((them, "five captured"));
        }
        match self.rules {
            Rules::Report | Rules::Lines if self.leads(us) => Some((us, "lead of three")),
            Rules::Sudden if self.leads(them) => Some((them, "lead of three")),
            _ if !self.can_move() => Some((them, "no move")),
            _ => None,
        }
    }

    /// The result, if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.decided().map(|(winner, _)| Outcome::Win(winner))
    }

    /// Whether the side to move has a piece beside an empty square.
    fn can_move(&self) -> bool {
        !(beside(self.pieces[self.turn]) - self.occupied()).is_empty()
    }

    /// The position after a legal move.
    pub(super) fn play(&self, Move { from, to }: Move) -> Position {
        let mut next = *self;
        next.pieces[self.turn] = (self.pieces[self.turn] - from.bit()) | to.bit();
        next.turn = !self.turn;
        let taken = next.taken_by(to);
        if !taken.is_empty() {
            next.pieces[next.turn] = next.pieces[next.turn] - taken;
            next.left[next.turn] = self.left[next.turn] - taken.len() as u8;
        }
        next
    }

    /// What a piece that has just come to `to` takes of the side to move.
    fn taken_by(&self, to: Square) -> Bitboard {
        let (own, other) = (self.pieces[!self.turn], self.pieces[self.turn]);
        let near = beside(to.bit()) & other;
        if near.is_empty() {
            return near;
        }
        let mut taken = Bitboard::EMPTY;
        for step in DIRECTIONS {
            let mut line = Bitboard::EMPTY;
            let mut at = step(to.bit());
            while at.meets(other) {
                line |= at;
                at = step(at);
            }
            if at.meets(own) {
                taken |= line;
            }
        }
        if self.rules == Rules::Lines {
            return taken;
        }
        // What has just been taken leaves its squares empty: who stands beside them is not shut in.
        let other = other - taken;
        let mut shut_in = Bitboard::EMPTY;
        for piece in near - taken {
            shut_in |= shut_in_group(piece, own, other);
        }
        taken | shut_in
    }

    /// The position seen in another way.
    pub(super) fn transform(&self, symmetry: Symmetry) -> Position {
        let seen = |set: Bitboard| set.transform(symmetry);
        let BySide { first, second } = self.pieces;
        match symmetry {
            Symmetry::Mirror => {
                Position { pieces: BySide { first: seen(first), second: seen(second) }, ..*self }
            }
            Symmetry::Turn => Position {
                pieces: BySide { first: seen(second), second: seen(first) },
                left: BySide { first: self.left.second, second: self.left.first },
                turn: !self.turn,
                rules: self.rules,
            },
        }
    }
}

/// One step to the left, to the right, up and down; what would leave the board is gone.
pub(super) const DIRECTIONS: [fn(Bitboard) -> Bitboard; 4] = [
    |set| (set - Bitboard::FIRST_FILE).west(),
    |set| (set - Bitboard::LAST_FILE).east(),
    Bitboard::north,
    Bitboard::south,
];

/// The group of a piece if it has no empty square beside it, else nothing. Such a group always touches the edge: away from it, the
/// line that the last move looks along ends at a piece of the mover, and was taken before.
fn shut_in_group(piece: Square, own: Bitboard, other: Bitboard) -> Bitboard {
    let mut group = piece.bit();
    loop {
        let around = beside(group);
        if !(around - own - other).is_empty() {
            return Bitboard::EMPTY;
        }
        let larger = group | (around & other);
        if larger == group {
            return group;
        }
        group = larger;
    }
}

/// All squares beside those of a set; the set's own squares too where two of them are neighbours.
#[inline]
pub(super) fn beside(set: Bitboard) -> Bitboard {
    let [left, right, up, down] = DIRECTIONS;
    left(set) | right(set) | up(set) | down(set)
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
