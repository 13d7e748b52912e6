//! What is a position worth? Features of a position, and the weights that a learner may change.

mod dobutsu;
mod genome;

pub use dobutsu::{
    CheckReading, CountedFor, DobutsuEvaluator, MobilityReading, Readings, TryReading, UnknownReading,
};
pub(crate) use genome::has_three_decimals;
pub use genome::{Gene, Genome, GenomeError};

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

    /// The least that any move can gain for the side that makes it (less than 0: a loss); known exactly if
    /// [`best_after`](Evaluator::best_after) tells.
    fn least_gain(&self) -> Option<i32> {
        None
    }
}
