//! The position: where pawns and walls are, and how many walls are left.

use std::fmt;

use super::{Bitboard, Move, Passages, Square, Wall, Walls, Way};
use crate::game::{BySide, Outcome, Side, Symmetry};

/// How many walls each player has at first.
pub const WALLS_EACH: u8 = 10;

/// A position of Quoridor, without history.
///
/// Two positions are equal if pawns, walls, walls left and side to move are equal.
///
/// ```
/// use dobutsu_ga::game::{Game, Side, Usual};
/// use dobutsu_ga::games::quoridor::Position;
/// let mut position = Position::start(Usual::Usual);
/// for text in ["e2", "e8", "e3", "e7", "e6v", "d2h"] {
///     position = position.play(position.parse_move(text)?);
/// }
/// assert_eq!(position.to_string(), "e3 e7 9 9 h:d2 v:e6 w");
/// assert_eq!(position.distance(Side::First), 6);
/// # Ok::<(), dobutsu_ga::game::MoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) walls: Walls,
    pub(super) pawns: BySide<Square>,
    pub(super) left: BySide<u8>,
    pub(super) turn: Side,
}

impl Position {
    /// Where a side's pawn stands.
    pub fn pawn(&self, side: Side) -> Square {
        self.pawns[side]
    }

    /// How many walls a side has left.
    pub fn walls_left(&self, side: Side) -> u8 {
        self.left[side]
    }

    /// The walls that stand.
    pub const fn walls(&self) -> &Walls {
        &self.walls
    }

    /// Whose turn it is.
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// Whether a side's pawn has arrived.
    pub(super) fn has_arrived(&self, side: Side) -> bool {
        Bitboard::goal(side).meets(self.pawns[side].bit())
    }

    /// The result, if the game is over: only who has just moved can have arrived.
    pub fn outcome(&self) -> Option<Outcome> {
        self.has_arrived(!self.turn).then_some(Outcome::Win(!self.turn))
    }

    /// Where the walls let pawns go.
    pub fn passages(&self) -> Passages {
        Passages::new(&self.walls)
    }

    /// How many steps a side's pawn is from its goal if the other pawn is not in the way.
    pub fn distance(&self, side: Side) -> u32 {
        self.passages().distance(self.pawns[side], Bitboard::goal(side)).expect("nobody is ever shut in")
    }

    /// One of the shortest ways of a side's pawn to its goal.
    pub fn way(&self, side: Side) -> Way {
        self.passages().way(self.pawns[side], Bitboard::goal(side)).expect("nobody is ever shut in")
    }

    /// The same position with the pawns on other squares, if the game is not over there.
    pub fn with_pawns(mut self, pawns: BySide<Square>) -> Option<Position> {
        self.pawns = pawns;
        let passages = self.passages();
        let arrives =
            |side: Side| passages.distance(pawns[side], Bitboard::goal(side)).is_some_and(|steps| steps > 0);
        (pawns.first != pawns.second && Side::BOTH.into_iter().all(arrives)).then_some(self)
    }

    /// The position after a legal move.
    pub(super) fn play(&self, m: Move) -> Position {
        let mut next = *self;
        match m {
            Move::Step(to) => next.pawns[self.turn] = to,
            Move::Place(wall) => {
                next.walls = self.walls.with(wall);
                next.left[self.turn] -= 1;
            }
        }
        next.turn = !self.turn;
        next
    }

    /// The position seen in another way.
    pub(super) fn transform(&self, symmetry: Symmetry) -> Position {
        let seen = |wall: Wall| wall.transform(symmetry);
        let walls = self.walls.iter().map(seen).fold(Walls::default(), Walls::with);
        let pawn = |side: Side| self.pawns[side].transform(symmetry);
        let (pawns, left) = (BySide { first: pawn(Side::First), second: pawn(Side::Second) }, self.left);
        match symmetry {
            Symmetry::Mirror => Position { walls, pawns, left, turn: self.turn },
            Symmetry::Turn => Position {
                walls,
                pawns: BySide { first: pawns.second, second: pawns.first },
                left: BySide { first: left.second, second: left.first },
                turn: !self.turn,
            },
        }
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
