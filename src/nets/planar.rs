//! Boards as planes of numbers, and moves as outputs: what a convolutional network needs to know of a game.
//!
//! The side to move always sees itself below, as if it were the first player.

use super::dual::{Board, Heads, Inputs, Shape};
use crate::game::{Side, Symmetric, Symmetry};

/// A game that a network with two heads can play.
pub trait Planar: Symmetric {
    /// Its board.
    const BOARD: Board;
    /// How many planes show a position.
    const PLANES: usize;
    /// How many ways there are to come to a square.
    const WAYS: usize;

    /// Calls `set` with every square and plane that is not zero. The first player is to move.
    fn planes(&self, set: &mut dyn FnMut(usize, usize));

    /// The square where a move of the first player ends, and the number of the way in which it comes there.
    fn target_and_way(m: Self::Move) -> (usize, usize);

    /// The shape of a network for this game.
    fn shape(channels: usize, blocks: usize, heads: Heads) -> Shape {
        Shape { board: Self::BOARD, planes: Self::PLANES, ways: Self::WAYS, channels, blocks, heads }
    }

    /// The number of a move's output.
    fn action(&self, m: Self::Move) -> usize {
        let m = match self.side_to_move() {
            Side::First => m,
            Side::Second => Self::transform_move(m, Symmetry::Turn),
        };
        let (target, way) = Self::target_and_way(m);
        target * Self::WAYS + way
    }
}

/// Positions as a network sees them.
///
/// ```
/// use dobutsu_ga::game::Game;
/// use dobutsu_ga::games::kyoto::{Position, Rules};
/// use dobutsu_ga::nets::{Planar, encoded};
/// use dobutsu_ga::nets::dual::Heads;
/// let shape = Position::shape(128, 16, Heads::Pooled);
/// assert_eq!((shape.planes, shape.actions()), (34, 1050));
/// assert_eq!(encoded(&shape, &[Position::start(Rules::Capture)]).rows(), 1);
/// ```
pub fn encoded<G: Planar>(shape: &Shape, positions: &[G]) -> Inputs {
    let mut inputs = Inputs::new(shape, positions.len());
    for (row, position) in positions.iter().enumerate() {
        let seen = match position.side_to_move() {
            Side::First => *position,
            Side::Second => position.transform(Symmetry::Turn),
        };
        seen.planes(&mut |square, plane| inputs.set(row, square, plane, 1.0));
    }
    inputs
}

/// The number of a step by so many columns and rows among the eight directions.
pub fn direction(columns: isize, rows: isize) -> usize {
    let number = (rows.signum() + 1) * 3 + columns.signum() + 1;
    // The fifth would be no step at all.
    (if number > 4 { number - 1 } else { number }) as usize
}
