//! Which moves a search looks at, and in which order.

use crate::game::{Evaluator, Game};

/// Lists moves for a search.
pub trait Candidates<G: Game> {
    /// Whether some moves are so urgent that a search follows them beyond its horizon (quiescence).
    const HAS_URGENT: bool = false;

    /// Appends legal moves, each once, the most promising first, with `depth` plies to go; at least one if the game is not over.
    fn list(&self, position: &G, depth: u32, moves: &mut Vec<G::Move>);

    /// How many of them a selective search looks at with `depth` plies to go.
    fn width(&self, depth: u32) -> usize {
        let _ = depth;
        usize::MAX
    }

    /// Appends the urgent ones, the most promising first.
    fn urgent(&self, position: &G, moves: &mut Vec<G::Move>) {
        let _ = (position, moves);
    }
}

/// All legal moves by the value of the position after them; before a leaf, where the order saves nothing, as the game lists them.
#[derive(Clone, Copy, Debug)]
pub struct ByValue<E>(pub E);

impl<G: Game, E: Evaluator<G>> Candidates<G> for ByValue<E> {
    fn list(&self, position: &G, depth: u32, moves: &mut Vec<G::Move>) {
        let start = moves.len();
        position.moves(moves);
        if depth > 1 {
            let side = position.side_to_move();
            sort_by_once(&mut moves[start..], |m| -self.0.value(&position.play(m), side));
        }
    }
}

/// All legal moves by what they gain at once in the evaluator's incremental part; captures are urgent.
#[derive(Clone, Copy, Debug)]
pub struct ByGain<E>(pub E);

impl<E> ByGain<E> {
    fn sort<G: Game>(&self, position: &G, moves: &mut [G::Move])
    where
        E: Evaluator<G>,
    {
        let side = position.side_to_move();
        let before = self.0.partial(position, side);
        sort_by_once(moves, |m| before - self.0.partial_after(position, before, m, side));
    }
}

impl<G: Game, E: Evaluator<G>> Candidates<G> for ByGain<E> {
    const HAS_URGENT: bool = true;

    fn list(&self, position: &G, _: u32, moves: &mut Vec<G::Move>) {
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

/// Sorts by keys that are computed once a move; equal ones stay in order. (`sort_by_cached_key` does not inline the key.)
#[inline]
fn sort_by_once<M: Copy>(moves: &mut [M], mut key: impl FnMut(M) -> i32) {
    let mut keyed = Vec::with_capacity(moves.len());
    for (place, m) in moves.iter().enumerate() {
        keyed.push((key(*m), place, *m));
    }
    keyed.sort_unstable_by_key(|(key, place, _)| (*key, *place));
    for (slot, (.., m)) in moves.iter_mut().zip(keyed) {
        *slot = m;
    }
}
