//! Positions as text: both pawns, the walls each side has left, the walls that stand, and whose turn it is.
//!
//! `e1 e9 10 10 h:- v:- w` is the start; `e3 e7 9 9 h:d2 v:e6 w` has a wall across at d2 and an upright one at e6.

use std::fmt;

use super::position::WALLS_EACH;
use super::{Bitboard, Lie, Position, Square, Wall, Walls};
use crate::game::{BySide, Side};

const START_TEXT: &str = "e1 e9 10 10 h:- v:- w";

pub(super) const START: Position = Position {
    walls: Walls { across: Bitboard::EMPTY, upright: Bitboard::EMPTY },
    pawns: BySide { first: Square::ALL[4], second: Square::ALL[76] },
    left: BySide { first: WALLS_EACH, second: WALLS_EACH },
    turn: Side::First,
};

/// What is wrong with a position written as text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum TextError {
    #[error(
        "the position has {0} parts, it needs 7: both pawns, the walls each side has left, the walls that stand and the side to move, as in {START_TEXT}"
    )]
    Parts(usize),
    #[error("'{0}' is no square: squares are a1 to i9")]
    Square(String),
    #[error("both pawns stand on {0}: each needs a square of its own")]
    SameSquare(Square),
    #[error("the {side} player cannot have '{text}' walls left: it needs a number from 0 to 10")]
    Left { side: Side, text: String },
    #[error("'{text}' needs to begin with {letter}: and list walls as in {letter}:e3,a4 or {letter}:-")]
    List { letter: char, text: String },
    #[error("'{0}' is no place for a wall: walls are named a1 to h8, by the square at their lower left")]
    Corner(String),
    #[error("the wall {0} is there twice")]
    Twice(Wall),
    #[error("the walls {0} and {1} cross or overlap")]
    Crossing(Wall, Wall),
    #[error("{standing} walls stand and {left} are left: together they must be 20")]
    Count { standing: usize, left: usize },
    #[error("the {0} player is shut in: walls must leave a way to the other side")]
    ShutIn(Side),
    #[error("both pawns have arrived: the game ends when one does")]
    BothArrived,
    #[error("the {0} player has arrived, so it cannot be that player's turn")]
    ArrivedTurn(Side),
    #[error("'{0}' is no side to move: it needs w (first player) or b (second player)")]
    Side(String),
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BySide { first, second } = self.pawns;
        write!(f, "{first} {second} {} {}", self.left.first, self.left.second)?;
        for lie in Lie::BOTH {
            let corners: Vec<String> = self.walls.lying(lie).map(|corner| corner.to_string()).collect();
            let list = if corners.is_empty() { "-".to_string() } else { corners.join(",") };
            write!(f, " {}:{list}", lie.letter())?;
        }
        write!(f, " {}", if self.turn == Side::First { 'w' } else { 'b' })
    }
}

pub(super) fn parse(text: &str) -> Result<Position, TextError> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let &[first, second, first_left, second_left, across, upright, turn] = parts.as_slice() else {
        return Err(TextError::Parts(parts.len()));
    };
    let pawns = BySide { first: square(first)?, second: square(second)? };
    let left = BySide {
        first: walls_left(Side::First, first_left)?,
        second: walls_left(Side::Second, second_left)?,
    };
    let walls = add_walls(add_walls(Vec::new(), Lie::Across, across)?, Lie::Upright, upright)?;
    let turn = match turn {
        "w" | "W" => Side::First,
        "b" | "B" => Side::Second,
        other => return Err(TextError::Side(short(other))),
    };
    checked(pawns, left, &walls, turn)
}

/// The position with these pawns and walls, or what is wrong with it.
pub(super) fn checked(
    pawns: BySide<Square>,
    left: BySide<u8>,
    list: &[Wall],
    turn: Side,
) -> Result<Position, TextError> {
    if pawns.first == pawns.second {
        return Err(TextError::SameSquare(pawns.first));
    }
    let mut walls = Walls::default();
    for wall in list {
        if walls.has(*wall) {
            return Err(TextError::Twice(*wall));
        }
        if !walls.free().has(*wall) {
            let crosses = |other: &Wall| !Walls::default().with(*other).free().has(*wall);
            let other = walls.iter().find(crosses).expect("one of them is in the way");
            return Err(TextError::Crossing(other, *wall));
        }
        walls = walls.with(*wall);
    }
    let sum = usize::from(left.first) + usize::from(left.second);
    if walls.len() + sum != 2 * usize::from(WALLS_EACH) {
        return Err(TextError::Count { standing: walls.len(), left: sum });
    }
    let position = Position { walls, pawns, left, turn };
    let shut = |side: &Side| position.passages().distance(pawns[*side], Bitboard::goal(*side)).is_none();
    if let Some(side) = Side::BOTH.into_iter().find(shut) {
        return Err(TextError::ShutIn(side));
    }
    match Side::BOTH.map(|side| position.has_arrived(side)) {
        [true, true] => Err(TextError::BothArrived),
        _ if position.has_arrived(turn) => Err(TextError::ArrivedTurn(turn)),
        _ => Ok(position),
    }
}

fn square(text: &str) -> Result<Square, TextError> {
    text.parse().map_err(|()| TextError::Square(short(text)))
}

fn walls_left(side: Side, text: &str) -> Result<u8, TextError> {
    let number = text.parse().ok().filter(|number| *number <= WALLS_EACH);
    number.ok_or_else(|| TextError::Left { side, text: short(text) })
}

fn add_walls(mut walls: Vec<Wall>, lie: Lie, text: &str) -> Result<Vec<Wall>, TextError> {
    let letter = lie.letter();
    let list = text.strip_prefix(letter).and_then(|rest| rest.strip_prefix(':'));
    let list = list.ok_or_else(|| TextError::List { letter, text: short(text) })?;
    for corner in list.split(',').filter(|_| list != "-") {
        let wall = corner.parse().ok().and_then(|corner| Wall::new(corner, lie));
        walls.push(wall.ok_or_else(|| TextError::Corner(short(corner)))?);
    }
    Ok(walls)
}

/// A slip of the keyboard may be long: sentences stay readable.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}
