//! What is a position worth? Features of a position, and the weights that a learner may change: one file a game.

pub mod dobutsu;
mod genome;
pub mod hasami;
pub mod kyoto;
pub mod quoridor;
mod weighted;

pub(crate) use genome::has_three_decimals;
pub use genome::{Genome, GenomeError};
pub use weighted::{GeneInfo, KnownGenome, ReadingSet, Scale, Weighted};

use crate::games::{Game, Side};

/// Points are counted in thousandths, as whole numbers: the same pieces have the same value however they were reached.
pub const POINT: i32 = 1000;

/// Values a position of some game, in thousandths of a point, as seen by one side.
pub trait Evaluator<G: Game>: Sync {
    /// The value of a position for `side`, whoever is to move, whether the game is over or not.
    fn value(&self, position: &G, side: Side) -> i32;

    /// The value for `side` after a legal move, where `before` is the value before it.
    ///
    /// Always the same as playing the move and valuing what comes out, only faster where the evaluator knows how.
    fn value_after(&self, position: &G, before: i32, m: G::Move, side: Side) -> i32 {
        let _ = before;
        self.value(&position.play(m), side)
    }

    /// The best value for `side` (the worst, if the other side is to move) over all legal moves of a game that is not
    /// over, if the evaluator can tell without trying them; `before` is the value before the move.
    fn best_after(&self, position: &G, before: i32, side: Side) -> Option<i32> {
        let _ = (position, before, side);
        None
    }

    /// As [`best_after`](Evaluator::best_after), with [`quick`](Evaluator::quick) instead of the value before the move
    /// and all seen by the side to move: exact between `low` and `high`, else any bound on its side of them. Only where what is
    /// good for one side is as bad for the other: a search values every leaf for the side at its root.
    fn best_between(&self, position: &G, quick: i32, low: i32, high: i32) -> Option<i32> {
        let _ = (position, quick, low, high);
        None
    }

    /// The part of the value that a search carries along from move to move, because it is cheap to keep up and tells
    /// good moves from bad ones: all of it, unless the evaluator has a part that only the position itself shows.
    fn quick(&self, position: &G, side: Side) -> i32 {
        self.value(position, side)
    }

    /// The quick part after a legal move, where `before` is the quick part before it.
    fn quick_after(&self, position: &G, before: i32, m: G::Move, side: Side) -> i32 {
        self.value_after(position, before, m, side)
    }

    /// The value of a position whose quick part is known.
    fn whole(&self, position: &G, quick: i32, side: Side) -> i32 {
        let _ = (position, side);
        quick
    }

    /// The least that any move can gain for the side that makes it (less than 0: a loss); known exactly if
    /// [`best_after`](Evaluator::best_after) tells.
    fn least_gain(&self) -> Option<i32> {
        None
    }
}
