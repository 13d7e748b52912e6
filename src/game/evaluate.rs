//! What is a position worth?

use crate::game::{Game, Side};

/// Points are counted in thousandths, as whole numbers: the same pieces have the same value however they were reached.
pub const POINT: i32 = 1000;

/// Values a position of some game, in thousandths of a point, as seen by one side.
///
/// Only [`value`](Evaluator::value) is required; the rest is for speed and must agree with it.
pub trait Evaluator<G: Game>: Sync {
    /// The value of a position for `side`, whichever side is to move, whether the game is over or not.
    fn value(&self, position: &G, side: Side) -> i32;

    /// The part of the value that a search updates from move to move, because that is cheap and tells good moves from bad ones: all of it,
    /// unless the evaluator has a part that only the position itself shows.
    fn partial(&self, position: &G, side: Side) -> i32 {
        self.value(position, side)
    }

    /// The partial value after a legal move, where `before` is the one before it.
    fn partial_after(&self, position: &G, before: i32, m: G::Move, side: Side) -> i32 {
        let _ = before;
        self.partial(&position.play(m), side)
    }

    /// The value of a position whose partial value is known.
    fn complete(&self, position: &G, partial: i32, side: Side) -> i32 {
        let _ = (position, side);
        partial
    }

    /// The value for `side` after the best move of the side to move, in a game that is not over, if the evaluator can tell without trying all
    /// moves: exact inside the window (which is `side`'s too), else a bound on its side of it. `partial` is the partial value for `side`.
    fn best_reply(&self, position: &G, partial: i32, side: Side, window: (i32, i32)) -> Option<i32> {
        let _ = (position, partial, side, window);
        None
    }

    /// The least that any move can gain for the side that makes it (negative: a loss), if
    /// [`best_reply`](Evaluator::best_reply) tells exactly.
    fn least_gain(&self) -> Option<i32> {
        None
    }
}
