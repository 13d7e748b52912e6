//! Minimax that also values the positions on the way: the paper's other wish for a better evaluator.

use super::{Found, Terminal, Value, leaf};
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
    let root = position.side_to_move();
    let mut found = Found { value: Value::MIN, best: Vec::new(), leaves: 0 };
    for m in legal_moves(position) {
        let value =
            sum(&terminal.play(position, m), depth, depth - 1, evaluator, terminal, root, &mut found.leaves);
        if value > found.value {
            found.value = value;
            found.best.clear();
        }
        if value == found.value {
            found.best.push(m);
        }
    }
    found
}

fn sum<G: Game>(
    position: &G,
    full_depth: u32,
    depth: u32,
    evaluator: &impl Evaluator<G>,
    terminal: Terminal,
    root: Side,
    leaves: &mut u64,
) -> Value {
    let here = leaf(evaluator, terminal, position, root, full_depth - depth);
    if depth == 0 || position.outcome().is_some() {
        *leaves += 1;
        return here;
    }
    let values = legal_moves(position)
        .into_iter()
        .map(|m| sum(&terminal.play(position, m), full_depth, depth - 1, evaluator, terminal, root, leaves));
    let best = if position.side_to_move() == root { values.max() } else { values.min() };
    match best.unwrap_or(Value::DRAW) {
        decided if decided.decided_in().is_some() => decided,
        points => here.plus(points.thousandths()),
    }
}
