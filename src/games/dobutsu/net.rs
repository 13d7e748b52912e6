//! The board as planes, and moves as outputs.

use crate::game::Side;
use crate::games::dobutsu::{HandPiece, Kind, Move, Position};
use crate::nets::dual::Board;
use crate::nets::{Planar, direction};

impl Planar for Position {
    const BOARD: Board = Board { width: 3, height: 4 };
    /// For each side five kinds of pieces, and for each kind in hand whether there is one and whether there are two.
    const PLANES: usize = 22;
    /// Eight steps and three kinds of pieces to drop.
    const WAYS: usize = 11;

    fn planes(&self, set: &mut dyn FnMut(usize, usize)) {
        for (side, first) in [(Side::First, 0), (Side::Second, 11)] {
            for (kind, plane) in Kind::ALL.into_iter().zip(first..) {
                (self.kind(kind) & self.pieces(side)).for_each(|square| set(square.index(), plane));
            }
            for (piece, plane) in HandPiece::ALL.into_iter().zip((first + 5..).step_by(2)) {
                for held in 0..self.hand(side).count(piece) {
                    (0..Self::BOARD.squares()).for_each(|square| set(square, plane + held));
                }
            }
        }
    }

    fn target_and_way(m: Move) -> (usize, usize) {
        match m {
            Move::Step { from, to } => {
                let columns = to.column() as isize - from.column() as isize;
                let rows = to.row() as isize - from.row() as isize;
                (to.index(), direction(columns, rows))
            }
            Move::Drop { piece, to } => (to.index(), 8 + piece as usize),
        }
    }
}
