//! Minimax to a fixed depth: the reference that every faster search is checked against.

use super::{Found, Terminal, Value, leaf};
use crate::game::{Evaluator, Game, Side};

/// Looks `depth` plies ahead and returns every best move.
///
/// The value of a line is that of its last position, seen by the side to move at the root:
///
/// ```text
/// minimax(position, depth):
///     if depth = 0 or the game is over: the evaluator's value
///     own turn:      the highest minimax(child, depth - 1)
///     other's turn:  the lowest minimax(child, depth - 1)
/// ```
///
/// In [`Terminal::Through`] mode the game is over only where the side to move has nothing left to move.
pub fn minimax<G: Game>(
    position: &G,
    depth: u32,
    evaluator: &impl Evaluator<G>,
    terminal: Terminal,
) -> Found<G::Move> {
    let mut search =
        Minimax { evaluator, terminal, root: position.side_to_move(), depth, buffer: Vec::new(), leaves: 0 };
    let mut found = Found { value: Value::MIN, best: Vec::new(), leaves: 0 };
    for m in crate::game::legal_moves(position) {
        let value = search.value(&terminal.play(position, m), depth - 1);
        if value > found.value {
            found.value = value;
            found.best.clear();
        }
        if value == found.value {
            found.best.push(m);
        }
    }
    Found { leaves: search.leaves, ..found }
}

struct Minimax<'a, G: Game, E> {
    evaluator: &'a E,
    terminal: Terminal,
    root: Side,
    depth: u32,
    buffer: Vec<G::Move>,
    leaves: u64,
}

impl<G: Game, E: Evaluator<G>> Minimax<'_, G, E> {
    fn value(&mut self, position: &G, depth: u32) -> Value {
        if depth == 0 || position.outcome().is_some() {
            self.leaves += 1;
            return leaf(self.evaluator, self.terminal, position, self.root, self.depth - depth);
        }
        let better = if position.side_to_move() == self.root { Value::max } else { Value::min };
        let worst = if position.side_to_move() == self.root { Value::MIN } else { Value::MAX };
        let start = self.buffer.len();
        position.moves(&mut self.buffer);
        let end = self.buffer.len();
        let mut best = worst;
        for i in start..end {
            let child = self.terminal.play(position, self.buffer[i]);
            best = better(best, self.value(&child, depth - 1));
        }
        self.buffer.truncate(start);
        best
    }
}
