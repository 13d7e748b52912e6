//! A move: a step of a piece on the board, or a drop from the hand.

use super::{HandPiece, Square};
use crate::game::Symmetry;

/// A move. Turning over needs no mark: every piece but the king is turned over by every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A piece on the board goes from one square to another and captures what stands there.
    Step {
        /// Where it stands.
        from: Square,
        /// Where it goes.
        to: Square,
    },
    /// A piece in hand is put on an empty square, either face up.
    Drop {
        /// What is dropped.
        piece: HandPiece,
        /// Whether the face up is the one that FEN writes with a plus.
        promoted: bool,
        /// Where it goes.
        to: Square,
    },
}

impl Move {
    /// Every move that could be written down, legal somewhere or not.
    pub fn conceivable() -> impl Iterator<Item = Move> {
        let steps =
            Square::ALL.into_iter().flat_map(|from| Square::ALL.map(move |to| Move::Step { from, to }));
        let faces = HandPiece::ALL.into_iter().flat_map(|piece| [(piece, false), (piece, true)]);
        let drops =
            faces.flat_map(|(piece, promoted)| Square::ALL.map(move |to| Move::Drop { piece, promoted, to }));
        steps.chain(drops)
    }

    /// The square where it ends.
    pub const fn to(self) -> Square {
        match self {
            Move::Step { to, .. } | Move::Drop { to, .. } => to,
        }
    }

    /// The same move seen in another way.
    pub fn transform(self, symmetry: Symmetry) -> Move {
        match self {
            Move::Step { from, to } => {
                Move::Step { from: from.transform(symmetry), to: to.transform(symmetry) }
            }
            Move::Drop { piece, promoted, to } => Move::Drop { piece, promoted, to: to.transform(symmetry) },
        }
    }
}
