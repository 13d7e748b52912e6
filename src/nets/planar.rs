//! Boards as planes of numbers, and moves as outputs: what a convolutional network needs to know of a game.
//!
//! The side to move always sees itself below: whoever it is, the network sees the first player.

use super::dual::{Board, Heads, Inputs, Shape};
use crate::games::{Game, Side, Symmetry, dobutsu, kyoto};

/// A game that a network with two heads can play.
pub trait Planar: Game {
    /// Its board.
    const BOARD: Board;
    /// How many planes show a position.
    const PLANES: usize;
    /// How many ways there are to come to a square.
    const WAYS: usize;

    /// Calls `set` with every square and plane that is not nought. The first player is to move.
    fn planes(&self, set: &mut dyn FnMut(usize, usize));

    /// The square where a move of the first player ends, and the number of the way in which it comes there.
    fn target_and_way(m: Self::Move) -> (usize, usize);

    /// The shape of a network for this game.
    fn shape(filters: usize, blocks: usize, heads: Heads) -> Shape {
        Shape { board: Self::BOARD, planes: Self::PLANES, ways: Self::WAYS, filters, blocks, heads }
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
/// use dobutsu_ga::games::{Game, kyoto::{Position, Rules}};
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
fn direction(columns: isize, rows: isize) -> usize {
    let number = (rows.signum() + 1) * 3 + columns.signum() + 1;
    // The fifth would be no step at all.
    (if number > 4 { number - 1 } else { number }) as usize
}

impl Planar for dobutsu::Position {
    const BOARD: Board = Board { width: 3, height: 4 };
    /// For each side five kinds of pieces, and for each kind in hand whether there is one and whether there are two.
    const PLANES: usize = 22;
    /// Eight steps and three kinds of pieces to drop.
    const WAYS: usize = 11;

    fn planes(&self, set: &mut dyn FnMut(usize, usize)) {
        for (side, first) in [(Side::First, 0), (Side::Second, 11)] {
            for (kind, plane) in dobutsu::Kind::ALL.into_iter().zip(first..) {
                (self.kind(kind) & self.pieces(side)).for_each(|square| set(square.index(), plane));
            }
            for (piece, plane) in dobutsu::HandPiece::ALL.into_iter().zip((first + 5..).step_by(2)) {
                for held in 0..self.hand(side).count(piece) {
                    (0..Self::BOARD.squares()).for_each(|square| set(square, plane + held));
                }
            }
        }
    }

    fn target_and_way(m: dobutsu::Move) -> (usize, usize) {
        match m {
            dobutsu::Move::Step { from, to } => {
                let columns = to.column() as isize - from.column() as isize;
                let rows = to.row() as isize - from.row() as isize;
                (to.index(), direction(columns, rows))
            }
            dobutsu::Move::Drop { piece, to } => (to.index(), 8 + piece as usize),
        }
    }
}

/// The faces in the paper's order; the king is last.
const FACES: [kyoto::Kind; 9] = {
    use kyoto::Kind::*;
    [Pawn, Silver, Gold, Lance, Tokin, Rook, Bishop, Knight, King]
};

impl Planar for kyoto::Position {
    const BOARD: Board = Board { width: 5, height: 5 };
    /// For each side nine faces on the board and eight that can be dropped, as in the paper.
    const PLANES: usize = 34;
    /// Eight steps, two jumps, slides of two, three and four squares in eight directions, and eight faces to drop.
    const WAYS: usize = 42;

    fn planes(&self, set: &mut dyn FnMut(usize, usize)) {
        for (side, first) in [(Side::First, 0), (Side::Second, 17)] {
            for (face, plane) in FACES.into_iter().zip(first..) {
                (self.kind(face) & self.pieces(side)).for_each(|square| set(square.index(), plane));
                if face.piece().is_some_and(|piece| self.hand(side).holds(piece)) {
                    (0..Self::BOARD.squares()).for_each(|square| set(square, plane + FACES.len()));
                }
            }
        }
    }

    fn target_and_way(m: kyoto::Move) -> (usize, usize) {
        match m {
            kyoto::Move::Step { from, to } => {
                let columns = to.column() as isize - from.column() as isize;
                let rows = to.row() as isize - from.row() as isize;
                let way = match (columns.abs(), rows.abs()) {
                    (1, 2) => 8 + usize::from(columns > 0),
                    (across, along) => match across.max(along) as usize {
                        1 => direction(columns, rows),
                        far => 10 + (far - 2) * 8 + direction(columns, rows),
                    },
                };
                (to.index(), way)
            }
            kyoto::Move::Drop { piece, promoted, to } => {
                let face = piece.kind(promoted);
                let number = FACES.iter().position(|other| *other == face).expect("every face has a plane");
                (to.index(), 34 + number)
            }
        }
    }
}
