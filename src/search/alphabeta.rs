//! Alpha-beta: the same value and the same set of best moves as minimax, without looking at all leaves.

use super::{Found, Terminal, Value, leaf};
use crate::eval::Evaluator;
use crate::games::{Game, Side, legal_moves};

/// What [`minimax`](super::minimax()) returns, sooner. `leaves` counts what was looked at, which is less.
pub fn alphabeta<G: Game>(
    position: &G,
    depth: u32,
    evaluator: &impl Evaluator<G>,
    terminal: Terminal,
) -> Found<G::Move> {
    let root = position.side_to_move();
    let mut search =
        AlphaBeta { evaluator, terminal, root, depth, moves: Vec::new(), scratch: Vec::new(), leaves: 0 };
    let mut values: Vec<(G::Move, Value)> = Vec::new();
    let mut best = Value::MIN;
    for i in search.generate(position, depth) {
        let m = search.moves[i].1;
        // From just below the best: a move that only equals it must be told from one that is worse.
        let floor = if best == Value::MIN { best } else { best.just_below() };
        let value = -search.value(&position.play(m), depth - 1, Value::MIN, -floor);
        values.push((m, value));
        best = best.max(value);
    }
    let is_best = |m: &G::Move| values.contains(&(*m, best));
    let best_moves = legal_moves(position).into_iter().filter(is_best).collect();
    Found { value: best, best: best_moves, leaves: search.leaves }
}

struct AlphaBeta<'a, G: Game, E> {
    evaluator: &'a E,
    terminal: Terminal,
    root: Side,
    depth: u32,
    /// Moves still to be tried on the way from the root to here, each behind what it promises.
    moves: Vec<(i32, G::Move)>,
    scratch: Vec<G::Move>,
    leaves: u64,
}

impl<G: Game, E: Evaluator<G>> AlphaBeta<'_, G, E> {
    /// The value for the side to move: exact if it lies between `low` and `high`, else a bound on its side of them.
    fn value(&mut self, position: &G, depth: u32, low: Value, high: Value) -> Value {
        let own = position.side_to_move() == self.root;
        // The evaluator always speaks for the root's side.
        let seen = |value: Value| if own { value } else { -value };
        if depth == 0 || position.outcome().is_some() {
            self.leaves += 1;
            return seen(leaf(self.evaluator, self.terminal, position, self.root, self.depth - depth));
        }
        let moves = self.generate(position, depth);
        let start = moves.start;
        let last_ply = depth == 1 && self.terminal == Terminal::Paper;
        let before = if last_ply { self.evaluator.value(position, self.root) } else { 0 };
        let mut best = Value::MIN;
        for i in moves {
            let m = self.moves[i].1;
            let value = if last_ply {
                self.leaves += 1;
                seen(Value::points(self.evaluator.value_after(position, before, m, self.root)))
            } else {
                -self.value(&position.play(m), depth - 1, -high, -low.max(best))
            };
            best = best.max(value);
            if best >= high {
                break;
            }
        }
        self.moves.truncate(start);
        best
    }

    /// Puts the moves of `position` on the stack, the promising ones first where that can save work.
    fn generate(&mut self, position: &G, depth: u32) -> std::ops::Range<usize> {
        let start = self.moves.len();
        position.moves(&mut self.scratch);
        if depth > 1 {
            let side = position.side_to_move();
            let before = self.evaluator.value(position, side);
            let promise = |m| (-self.evaluator.value_after(position, before, m, side), m);
            self.moves.extend(self.scratch.drain(..).map(promise));
            self.moves[start..].sort_by_key(|(promise, _)| *promise);
        } else {
            self.moves.extend(self.scratch.drain(..).map(|m| (0, m)));
        }
        start..self.moves.len()
    }
}
