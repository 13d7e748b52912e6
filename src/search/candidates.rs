//! Which moves a search looks at.

use crate::eval::Evaluator;
use crate::games::Game;

/// Lists moves for a search that does not look at all of them, or knows in which order to look.
pub trait Candidates<G: Game> {
    /// Whether some moves are so urgent that a search goes on with them at its horizon.
    const HAS_URGENT: bool = false;

    /// Appends legal moves, each once, the most promising first; at least one if the game is not over.
    fn list(&self, position: &G, moves: &mut Vec<G::Move>);

    /// How many of them a deep search looks at with so many plies to go.
    fn width(&self, depth: u32) -> usize {
        let _ = depth;
        usize::MAX
    }

    /// Appends the urgent ones, the most promising first.
    fn urgent(&self, position: &G, moves: &mut Vec<G::Move>) {
        let _ = (position, moves);
    }
}

/// All legal moves, by what they gain at once; captures are urgent.
#[derive(Clone, Copy, Debug)]
pub struct Gains<E>(pub E);

impl<E> Gains<E> {
    /// Sorts moves by what they gain for the side that makes them, the largest gain first.
    fn sort<G: Game>(&self, position: &G, moves: &mut [G::Move])
    where
        E: Evaluator<G>,
    {
        let side = position.side_to_move();
        let before = self.0.quick(position, side);
        moves.sort_by_cached_key(|m| before - self.0.quick_after(position, before, *m, side));
    }
}

impl<G: Game, E: Evaluator<G>> Candidates<G> for Gains<E> {
    const HAS_URGENT: bool = true;

    fn list(&self, position: &G, moves: &mut Vec<G::Move>) {
        let start = moves.len();
        position.moves(moves);
        self.sort(position, &mut moves[start..]);
    }

    fn urgent(&self, position: &G, moves: &mut Vec<G::Move>) {
        let start = moves.len();
        position.moves(moves);
        let mut captures = start;
        for i in start..moves.len() {
            if position.is_capture(moves[i]) {
                moves.swap(captures, i);
                captures += 1;
            }
        }
        moves.truncate(captures);
        if captures > start + 1 {
            self.sort(position, &mut moves[start..]);
        }
    }
}
