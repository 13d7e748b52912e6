//! A move: a step of a piece on the board, or a drop from the hand.

use super::{HandPiece, Square};
use crate::game::Symmetry;

/// A move. Promotion needs no mark: a chick that steps onto the far rank always becomes a hen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A piece on the board goes from one square to another and captures what stands there.
    Step {
        /// Where it stands.
        from: Square,
        /// Where it goes.
        to: Square,
    },
    /// A piece in hand is put on an empty square.
    Drop {
        /// What is dropped.
        piece: HandPiece,
        /// Where it goes.
        to: Square,
    },
}

impl Move {
    /// Every move that could be written down, legal somewhere or not.
    pub fn conceivable() -> impl Iterator<Item = Move> {
        let steps =
            Square::ALL.into_iter().flat_map(|from| Square::ALL.map(move |to| Move::Step { from, to }));
        let drops =
            HandPiece::ALL.into_iter().flat_map(|piece| Square::ALL.map(move |to| Move::Drop { piece, to }));
        steps.chain(drops)
    }

    /// The same move seen in another way.
    pub fn transform(self, symmetry: Symmetry) -> Move {
        match self {
            Move::Step { from, to } => {
                Move::Step { from: from.transform(symmetry), to: to.transform(symmetry) }
            }
            Move::Drop { piece, to } => Move::Drop { piece, to: to.transform(symmetry) },
        }
    }
}
