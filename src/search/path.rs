//! Minimax over the sum of all values on the way: the wish of the Dobutsu thesis (chapter 8) for a better evaluator.

use super::alphabeta::deepen_full_width;
use super::limits::Clock;
use super::{Found, SearchInfo, SearchLimits, Terminal, Value, leaf};
use crate::game::{Evaluator, Game, Side, legal_moves};

/// Like [`minimax`](super::minimax()), but the value of a line is the sum over all positions after the root, not that of
/// the last one alone. In exact mode a won or lost game outweighs every sum. This is the readable reference; players use
/// [`path_alphabeta`].
pub fn path_minimax<G: Game>(
    position: &G,
    depth: u32,
    evaluator: &impl Evaluator<G>,
    terminal: Terminal,
) -> Found<G::Move> {
    let root = position.side_to_move();
    let mut found = Found { value: Value::MIN, best: Vec::new(), leaves: 0 };
    for m in legal_moves(position) {
        let child = terminal.play(position, m);
        let value = sum(&child, depth - 1, 1, root, evaluator, terminal, &mut found.leaves);
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
    depth: u32,
    plies: u32,
    root: Side,
    evaluator: &impl Evaluator<G>,
    terminal: Terminal,
    leaves: &mut u64,
) -> Value {
    let here = leaf(evaluator, terminal, position, root, plies);
    if depth == 0 || position.outcome().is_some() {
        *leaves += 1;
        return here;
    }
    let moves = legal_moves(position).into_iter();
    let values = moves
        .map(|m| sum(&terminal.play(position, m), depth - 1, plies + 1, root, evaluator, terminal, leaves));
    let best = if position.side_to_move() == root { values.max() } else { values.min() };
    add(here, best.unwrap_or(Value::DRAW))
}

/// A decided game outweighs the points on the way to it.
fn add(points: Value, rest: Value) -> Value {
    if rest.decided_in().is_some() { rest } else { points.plus(rest.thousandths()) }
}

/// The value and the best moves of [`path_minimax`], found by alpha-beta: what lies on the way to a position counts alike for
/// every line through it, so the sums so far go down with the window.
pub fn path_alphabeta<G: Game>(
    position: &G,
    depth: u32,
    evaluator: &impl Evaluator<G>,
    terminal: Terminal,
) -> Found<G::Move> {
    PathAlphaBeta::new(position, evaluator, terminal, Clock::default()).search(position, depth)
}

/// The same by iterative deepening up to a depth of its own, or as the limits say.
pub fn path_deepen<G: Game>(
    position: &G,
    own_depth: u32,
    evaluator: &impl Evaluator<G>,
    terminal: Terminal,
    limits: &SearchLimits,
    on_info: &mut dyn FnMut(&SearchInfo<G::Move>),
) -> Found<G::Move> {
    let mut found = Found { value: Value::DRAW, best: Vec::new(), leaves: 0 };
    deepen_full_width(&limits.or(&SearchLimits::depth(own_depth)), on_info, |depth, clock| {
        let mut search = PathAlphaBeta::new(position, evaluator, terminal, clock);
        search.leaves = found.leaves;
        let deeper = search.search(position, depth);
        if search.clock.has_stopped() {
            return None;
        }
        found = deeper;
        Some((found.value, found.best[0], found.leaves))
    });
    found
}

struct PathAlphaBeta<'a, E> {
    evaluator: &'a E,
    terminal: Terminal,
    root: Side,
    leaves: u64,
    clock: Clock,
}

/// A position after a move, valued.
struct Child<G> {
    /// The number of the move that leads there.
    number: usize,
    position: G,
    here: Value,
}

impl<'a, E> PathAlphaBeta<'a, E> {
    fn new<G: Game>(position: &G, evaluator: &'a E, terminal: Terminal, clock: Clock) -> Self {
        PathAlphaBeta { evaluator, terminal, root: position.side_to_move(), leaves: 0, clock }
    }

    fn search<G: Game>(&mut self, position: &G, depth: u32) -> Found<G::Move>
    where
        E: Evaluator<G>,
    {
        let moves = legal_moves(position);
        let mut best: Vec<usize> = Vec::new();
        let mut value = Value::MIN;
        for child in self.children(position, &moves, 1) {
            // Just below the best: an equal move is seen as equal.
            let low = if best.is_empty() { Value::MIN } else { value.just_below() };
            let total = self.total(&child, Value::DRAW, depth - 1, 1, (low, Value::MAX));
            if total > value {
                value = total;
                best.clear();
            }
            if total == value {
                best.push(child.number);
            }
        }
        best.sort_unstable();
        Found { value, best: best.into_iter().map(|number| moves[number]).collect(), leaves: self.leaves }
    }

    /// The most promising first, for the side to move.
    fn children<G: Game>(&self, position: &G, moves: &[G::Move], plies: u32) -> Vec<Child<G>>
    where
        E: Evaluator<G>,
    {
        let valued = |(number, m): (usize, &G::Move)| {
            let position = self.terminal.play(position, *m);
            let here = leaf(self.evaluator, self.terminal, &position, self.root, plies);
            Child { number, position, here }
        };
        let mut children: Vec<Child<G>> = moves.iter().enumerate().map(valued).collect();
        let own = position.side_to_move() == self.root;
        children.sort_by_key(|child| if own { -child.here } else { child.here });
        children
    }

    /// The sum over the whole line through a position, `before` of it already there; exact between `low` and `high`, else a bound on
    /// its side of them.
    fn total<G: Game>(
        &mut self,
        child: &Child<G>,
        before: Value,
        depth: u32,
        plies: u32,
        (mut low, mut high): (Value, Value),
    ) -> Value
    where
        E: Evaluator<G>,
    {
        let so_far = add(before, child.here);
        let position = &child.position;
        if depth == 0 || position.outcome().is_some() {
            self.leaves += 1;
            if self.leaves.is_multiple_of(1024) {
                self.clock.check(self.leaves);
            }
            return so_far;
        }
        if self.clock.has_stopped() {
            return so_far;
        }
        let own = position.side_to_move() == self.root;
        let mut best = None;
        for next in self.children(position, &legal_moves(position), plies + 1) {
            let total = self.total(&next, so_far, depth - 1, plies + 1, (low, high));
            let better = best.is_none_or(|best| if own { total > best } else { total < best });
            if better {
                best = Some(total);
                if own {
                    low = low.max(total);
                } else {
                    high = high.min(total);
                }
            }
            if low >= high {
                break;
            }
        }
        best.unwrap_or(so_far)
    }
}
