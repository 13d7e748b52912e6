//! The board as planes, and moves as outputs.

use crate::game::Side;
use crate::games::kyoto::{Kind, Move, Position};
use crate::nets::dual::Board;
use crate::nets::{Planar, direction};

/// The faces in the paper's order; the king is last.
const FACES: [Kind; 9] = {
    use Kind::*;
    [Pawn, Silver, Gold, Lance, Tokin, Rook, Bishop, Knight, King]
};

impl Planar for Position {
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

    fn target_and_way(m: Move) -> (usize, usize) {
        match m {
            Move::Step { from, to } => {
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
            Move::Drop { piece, promoted, to } => {
                let face = piece.kind(promoted);
                let number = FACES.iter().position(|other| *other == face).expect("every face has a plane");
                (to.index(), 34 + number)
            }
        }
    }
}
