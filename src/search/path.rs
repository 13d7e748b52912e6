//! Minimax that also values the positions on the way: the paper's other wish for a better evaluator.

use super::clock::Clock;
use super::{Found, Order, Report, Terminal, Value, leaf};
use crate::eval::Evaluator;
use crate::games::{Game, Side, legal_moves};

/// Like [`minimax`](super::minimax()), but the value of a line is the sum over all positions after the root, not that of
/// the last one alone. In exact mode a won or lost game outweighs every sum.
pub fn path_minimax<G: Game>(
    position: &G,
    depth: u32,
    evaluator: &impl Evaluator<G>,
    terminal: Terminal,
) -> Found<G::Move> {
    PathMinimax::new(position, evaluator, terminal, Clock::default()).search(position, depth)
}

/// The same deeper and deeper, to this depth or as an order says, with a word about each round: what the last whole one has found.
pub fn path_minimax_ordered<G: Game>(
    position: &G,
    own_depth: u32,
    evaluator: &impl Evaluator<G>,
    terminal: Terminal,
    order: &Order,
    tell: &mut dyn FnMut(&Report<G::Move>),
) -> Found<G::Move> {
    let mut found = path_minimax(position, 1, evaluator, terminal);
    for depth in 1..=order.depth_or(own_depth) {
        if depth > 1 {
            let mut search = PathMinimax::new(position, evaluator, terminal, order.clock());
            search.leaves = found.leaves;
            let deeper = search.search(position, depth);
            if search.clock.has_stopped() {
                break;
            }
            found = deeper;
        }
        let best = found.best[0];
        tell(&Report { best, value: found.value, depth, nodes: found.leaves, line: vec![best] });
    }
    found
}

struct PathMinimax<'a, E> {
    evaluator: &'a E,
    terminal: Terminal,
    root: Side,
    leaves: u64,
    clock: Clock,
}

impl<'a, E> PathMinimax<'a, E> {
    fn new<G: Game>(position: &G, evaluator: &'a E, terminal: Terminal, clock: Clock) -> Self {
        PathMinimax { evaluator, terminal, root: position.side_to_move(), leaves: 0, clock }
    }

    fn search<G: Game>(&mut self, position: &G, depth: u32) -> Found<G::Move>
    where
        E: Evaluator<G>,
    {
        let mut found = Found { value: Value::MIN, best: Vec::new(), leaves: 0 };
        for m in legal_moves(position) {
            let value = self.sum(&self.terminal.play(position, m), depth - 1, 1);
            if value > found.value {
                found.value = value;
                found.best.clear();
            }
            if value == found.value {
                found.best.push(m);
            }
        }
        Found { leaves: self.leaves, ..found }
    }

    fn sum<G: Game>(&mut self, position: &G, depth: u32, plies: u32) -> Value
    where
        E: Evaluator<G>,
    {
        let here = leaf(self.evaluator, self.terminal, position, self.root, plies);
        if depth == 0 || position.outcome().is_some() {
            self.leaves += 1;
            if self.leaves.is_multiple_of(1024) {
                self.clock.look(self.leaves);
            }
            return here;
        }
        if self.clock.has_stopped() {
            return here;
        }
        let own = position.side_to_move() == self.root;
        let moves = legal_moves(position).into_iter();
        let values = moves.map(|m| self.sum(&self.terminal.play(position, m), depth - 1, plies + 1));
        let best = if own { values.max() } else { values.min() };
        match best.unwrap_or(Value::DRAW) {
            decided if decided.decided_in().is_some() => decided,
            points => here.plus(points.thousandths()),
        }
    }
}
