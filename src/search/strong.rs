//! The search for playing people: deeper and deeper until the time is up, remembering what it has seen.
//!
//! At a given depth it returns the value that plain alpha-beta returns in [`Terminal::Exact`](super::Terminal) mode:
//! an entry of the table is used only if it was searched to exactly the depth that is asked for.

use std::time::Duration;

use super::clock::{Clock, DEEPEST};
use super::memory::Memory;
use super::{Order, Terminal, Value, leaf};
use crate::eval::Evaluator;
use crate::games::{Game, Side, legal_moves};

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// After looking this many plies ahead.
    Depth(u32),
    /// When this much time has passed.
    Time(Duration),
}

/// What the search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// The best move.
    pub best: M,
    /// Its value for the side to move.
    pub value: Value,
    /// How many plies ahead the last completed round looked.
    pub depth: u32,
    /// How many positions were visited in all rounds.
    pub nodes: u64,
    /// The expected line, the best move first.
    pub line: Vec<M>,
}

/// A search with its memory. One is good for many moves of one game; a fresh one always finds the same.
pub struct Strong<G: Game, E> {
    evaluator: E,
    memory: Memory<G>,
    root: Side,
    nodes: u64,
    clock: Clock,
}

impl<G: Game, E: Evaluator<G>> Strong<G, E> {
    /// A search with room for 2^16 positions, about 2 MB.
    pub fn new(evaluator: E) -> Self {
        Strong {
            evaluator,
            memory: Memory::new(1 << 16),
            root: Side::First,
            nodes: 0,
            clock: Clock::default(),
        }
    }

    /// The best move, or `None` if there is none because the game is over.
    pub fn search(&mut self, position: &G, limit: Limit) -> Option<Report<G::Move>> {
        let (deepest, time) = match limit {
            Limit::Depth(depth) => (depth.clamp(1, DEEPEST), None),
            Limit::Time(time) => (DEEPEST, Some(time)),
        };
        self.rounds(position, deepest, Clock::whole(time), &mut |_| ())
    }

    /// The same for somebody with this limit, as far as an order allows.
    pub fn search_ordered(
        &mut self,
        position: &G,
        limit: Limit,
        order: &Order,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Option<Report<G::Move>> {
        let (deepest, clock) = order.bounds(limit, Clock::whole);
        self.rounds(position, deepest, clock, tell)
    }

    fn rounds(
        &mut self,
        position: &G,
        deepest: u32,
        clock: Clock,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Option<Report<G::Move>> {
        let moves = legal_moves(position);
        let mut report =
            Report { best: *moves.first()?, value: Value::MIN, depth: 0, nodes: 0, line: Vec::new() };
        // The evaluator speaks for the root's side: what was remembered for the other side may not hold.
        if self.root != position.side_to_move() {
            self.root = position.side_to_move();
            self.memory.clear();
        }
        self.nodes = 0;
        // The first round is never cut short: there is always a move to play.
        self.clock = Clock::default();
        for depth in 1..=deepest {
            if depth == 2 {
                self.clock = clock.clone();
            }
            let value = self.value(position, depth, 0, Value::MIN, Value::MAX);
            if self.clock.has_stopped() {
                break;
            }
            let best = self.memory.recall(position).map_or(report.best, |entry| entry.best);
            report = Report { best, value, depth, nodes: self.nodes, line: self.line(position, best, depth) };
            tell(&report);
            // A forced end within the horizon does not change any more.
            if value.decided_in().is_some_and(|plies| plies <= depth) {
                break;
            }
        }
        report.nodes = self.nodes;
        Some(report)
    }

    fn value(&mut self, position: &G, depth: u32, plies: u32, low: Value, high: Value) -> Value {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) {
            self.clock.look(self.nodes);
        }
        if depth == 0 || position.outcome().is_some() {
            let value = leaf(&self.evaluator, Terminal::Exact, position, self.root, plies);
            return if position.side_to_move() == self.root { value } else { -value };
        }
        let remembered = self.memory.recall(position);
        let as_deep = remembered.filter(|entry| entry.depth() == depth && plies > 0);
        if let Some(value) = as_deep.and_then(|entry| entry.settles(plies, low, high)) {
            return value;
        }
        let mut best = Value::MIN;
        let mut best_move = None;
        for m in self.ordered(position, depth, remembered.map(|entry| entry.best)) {
            let floor = low.max(best);
            let child = position.play(m);
            let mut value = match best_move {
                None => -self.value(&child, depth - 1, plies + 1, -high, -floor),
                // All others are expected to be no better: a glance between two neighbouring values tells.
                Some(_) => -self.value(&child, depth - 1, plies + 1, -floor.just_above(), -floor),
            };
            if best_move.is_some() && value > floor && value < high {
                value = -self.value(&child, depth - 1, plies + 1, -high, -floor);
            }
            if self.clock.has_stopped() {
                return Value::DRAW;
            }
            if value > best || best_move.is_none() {
                best = value;
                best_move = Some(m);
            }
            if best >= high {
                break;
            }
        }
        if let Some(best_move) = best_move {
            self.memory.remember(position, depth, plies, best_move, best, low, high);
        }
        best
    }

    /// The legal moves: the remembered best first, then by what they gain at once.
    fn ordered(&self, position: &G, depth: u32, remembered: Option<G::Move>) -> Vec<G::Move> {
        let mut moves = legal_moves(position);
        if depth > 1 {
            let side = position.side_to_move();
            let before = self.evaluator.value(position, side);
            moves.sort_by_cached_key(|m| -self.evaluator.value_after(position, before, *m, side));
        }
        if let Some(at) = remembered.and_then(|best| moves.iter().position(|m| *m == best)) {
            moves[..=at].rotate_right(1);
        }
        moves
    }

    /// The best move and what the memory expects to follow.
    fn line(&self, position: &G, best: G::Move, depth: u32) -> Vec<G::Move> {
        let mut line = vec![best];
        let mut position = position.play(best);
        while line.len() < depth as usize {
            match self.memory.recall(&position) {
                Some(entry) if position.is_legal(entry.best) => {
                    line.push(entry.best);
                    position = position.play(entry.best);
                }
                _ => break,
            }
        }
        line
    }
}
