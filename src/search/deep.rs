//! The strongest search for games with more moves than can be looked at: deeper and deeper until the time is up, with a memory,
//! and the less promising a move looks, the less deep.
//!
//! Unlike [`Strong`](super::Strong) it does not promise the value that alpha-beta would find at that depth: what looks bad is
//! looked at less closely.

use super::clock::Clock;
use super::memory::Memory;
use super::rounds::{Round, deepen};
use super::{Candidates, Limit, Report, Terminal, Value, decided, leaf};
use crate::eval::Evaluator;
use crate::games::{Game, Side};

/// No line is searched deeper than this, whatever the time.
const DEEPEST: u32 = 64;
/// How many positions are remembered.
const PLACES: usize = 1 << 17;

/// A search with its memory. One is good for many moves of one game; a fresh one always finds the same.
pub struct Deep<G: Game, E, C> {
    evaluator: E,
    candidates: C,
    memory: Memory<G>,
    root: Side,
    nodes: u64,
    clock: Clock,
    moves: Vec<G::Move>,
}

impl<G: Game, E: Evaluator<G>, C: Candidates<G>> Deep<G, E, C> {
    /// A search over these candidates.
    pub fn new(evaluator: E, candidates: C) -> Self {
        Deep {
            evaluator,
            candidates,
            memory: Memory::new(PLACES),
            root: Side::First,
            nodes: 0,
            clock: Clock::start(None),
            moves: Vec::new(),
        }
    }

    /// The best move, or `None` if there is none because the game is over.
    pub fn search(&mut self, position: &G, limit: Limit) -> Option<Report<G::Move>> {
        let (deepest, time) = match limit {
            Limit::Depth(depth) => (depth.clamp(1, DEEPEST), None),
            Limit::Time(time) => (DEEPEST, Some(time)),
        };
        self.clock = Clock::start(time);
        // The evaluator speaks for the root's side: what was remembered for the other side may not hold.
        if self.root != position.side_to_move() {
            self.root = position.side_to_move();
            self.memory.clear();
        }
        self.nodes = 0;
        let mut moves = Vec::new();
        self.candidates.list(position, &mut moves);
        let mut report = deepen(1..=deepest, moves, |depth, moves| Round {
            best: self.round(position, depth, moves),
            stopped: self.clock.has_stopped(),
        })?;
        report.nodes = self.nodes;
        Some(report)
    }

    /// The best of all moves as far as the clock allows; `None` if it allows nothing.
    fn round(&mut self, position: &G, depth: u32, moves: &[G::Move]) -> Option<(G::Move, Value)> {
        let mut best: Option<(G::Move, Value)> = None;
        for (number, m) in moves.iter().enumerate() {
            let floor = best.map_or(Value::MIN, |(_, value)| value);
            let value = self.move_value(position, *m, number, depth, 0, floor, Value::MAX);
            if self.clock.has_stopped() {
                break;
            }
            if best.is_none() || value > floor {
                best = Some((*m, value));
            }
        }
        best
    }

    /// The value of a move, the `number`-th of its position, looked at as closely as it deserves.
    #[allow(clippy::too_many_arguments)]
    fn move_value(
        &mut self,
        position: &G,
        m: G::Move,
        number: usize,
        depth: u32,
        plies: u32,
        floor: Value,
        high: Value,
    ) -> Value {
        let child = position.play(m);
        if number == 0 {
            return -self.value(&child, depth - 1, plies + 1, -high, -floor);
        }
        // All others are expected to be no better: a glance between two neighbouring values tells, and not so deep.
        let less = reduction(number, depth);
        let glance = (-floor.just_above(), -floor);
        let mut value = -self.value(&child, depth - 1 - less, plies + 1, glance.0, glance.1);
        if value > floor && less > 0 {
            value = -self.value(&child, depth - 1, plies + 1, glance.0, glance.1);
        }
        if value > floor && value < high {
            value = -self.value(&child, depth - 1, plies + 1, -high, -floor);
        }
        value
    }

    fn value(&mut self, position: &G, depth: u32, plies: u32, low: Value, high: Value) -> Value {
        self.nodes += 1;
        if self.nodes.is_multiple_of(32) {
            self.clock.look();
        }
        let to_move = position.side_to_move();
        if let Some(outcome) = position.outcome() {
            return decided(outcome, to_move, plies);
        }
        if position.next_move_wins() == Some(true) {
            return Value::win_in(plies + 1);
        }
        if depth == 0 {
            return self.seen(position, leaf(&self.evaluator, Terminal::Exact, position, self.root, plies));
        }
        let remembered = self.memory.recall(position);
        let deep_enough = remembered.filter(|entry| entry.depth() >= depth);
        if let Some(value) = deep_enough.and_then(|entry| entry.settles(plies, low, high)) {
            return value;
        }
        if depth == 1
            && let Some(points) = self.evaluator.best_after(position, 0, self.root)
        {
            return self.seen(position, Value::points(points));
        }
        self.best_of_moves(position, depth, plies, low, high, remembered.map(|entry| entry.best))
    }

    fn best_of_moves(
        &mut self,
        position: &G,
        depth: u32,
        plies: u32,
        low: Value,
        high: Value,
        remembered: Option<G::Move>,
    ) -> Value {
        let start = self.moves.len();
        self.candidates.list(position, &mut self.moves);
        if let Some(at) = remembered.and_then(|best| self.moves[start..].iter().position(|m| *m == best)) {
            self.moves[start..=start + at].rotate_right(1);
        }
        let most = width(depth).min(self.moves.len() - start);
        let (mut best, mut best_move) = (Value::MIN, self.moves[start]);
        for number in 0..most {
            let m = self.moves[start + number];
            let value = self.move_value(position, m, number, depth, plies, low.max(best), high);
            if self.clock.has_stopped() {
                break;
            }
            if value > best {
                (best, best_move) = (value, m);
            }
            if best >= high {
                break;
            }
        }
        self.moves.truncate(start);
        if self.clock.has_stopped() {
            return Value::DRAW;
        }
        self.memory.remember(position, depth, plies, best_move, best, low, high);
        best
    }

    /// What was found for the root's side, as the side to move sees it.
    fn seen(&self, position: &G, value: Value) -> Value {
        if position.side_to_move() == self.root { value } else { -value }
    }
}

/// How many plies less a move is looked at that comes so late in the list.
fn reduction(number: usize, depth: u32) -> u32 {
    match (depth, number) {
        (0..=2, _) | (_, 0..=3) => 0,
        (3..=4, _) | (_, 4..=11) => 1,
        _ => 2,
    }
}

/// How many moves are looked at with so many plies to go; all at the root.
fn width(depth: u32) -> usize {
    match depth {
        0..=2 => 24,
        _ => 40,
    }
}
