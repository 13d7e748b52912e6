//! Alpha-beta over the few moves that look best: what the Quoridor report plays with.

use std::ops::RangeInclusive;

use super::clock::{Clock, DEEPEST};
use super::rounds::{First, Round, deepen};
use super::{Candidates, Limit, Order, Report, Terminal, Value, leaf};
use crate::eval::Evaluator;
use crate::games::{Game, Side};

/// A search that values leaves for the side that asked, and looks at no more moves than its candidates.
pub struct Beam<G: Game, E, C> {
    evaluator: E,
    candidates: C,
    root: Side,
    nodes: u64,
    clock: Clock,
    /// Moves still to be tried on the way from the root to here.
    moves: Vec<G::Move>,
}

impl<G: Game, E: Evaluator<G>, C: Candidates<G>> Beam<G, E, C> {
    /// A search over these candidates.
    pub fn new(evaluator: E, candidates: C) -> Self {
        Beam {
            evaluator,
            candidates,
            root: Side::First,
            nodes: 0,
            clock: Clock::start(None),
            moves: Vec::new(),
        }
    }

    /// The best move, or `None` if there is none because the game is over: of equal ones the first candidate. With a depth it
    /// looks just that deep; with a time deeper and deeper, and plays the best of a round that was cut short.
    pub fn search(&mut self, position: &G, limit: Limit) -> Option<Report<G::Move>> {
        let (from, to, time) = match limit {
            Limit::Depth(depth) => (depth, depth, None),
            Limit::Time(time) => (1, DEEPEST, Some(time)),
        };
        self.rounds(position, from..=to, First::Best, Clock::start(time), &mut |_| ())
    }

    /// The same for somebody with this limit, as far as an order allows: always deeper and deeper, so that there is a move to play
    /// when it must end.
    pub fn search_ordered(
        &mut self,
        position: &G,
        limit: Limit,
        order: &Order,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Option<Report<G::Move>> {
        let (depth, clock) = order.bounds(limit, Clock::start);
        let first = if matches!(limit, Limit::Depth(_)) { First::Same } else { First::Best };
        self.rounds(position, 1..=depth, first, clock, tell)
    }

    fn rounds(
        &mut self,
        position: &G,
        depths: RangeInclusive<u32>,
        first: First,
        clock: Clock,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Option<Report<G::Move>> {
        self.root = position.side_to_move();
        self.nodes = 0;
        self.clock = clock;
        let mut moves = Vec::new();
        self.candidates.list(position, &mut moves);
        let round = |depth: u32, moves: &[G::Move]| {
            let best = self.round(position, depth, moves);
            Round { best, nodes: self.nodes, stopped: self.clock.has_stopped() }
        };
        deepen(depths, moves, first, round, tell)
    }

    /// The best of these moves as far as the clock allows; `None` if it allows nothing.
    fn round(&mut self, position: &G, depth: u32, moves: &[G::Move]) -> Option<(G::Move, Value)> {
        let mut best = None;
        for m in moves {
            let floor = best.map_or(Value::MIN, |(_, value)| value);
            let value = -self.value(&position.play(*m), depth - 1, 1, Value::MIN, -floor);
            if self.clock.has_stopped() {
                break;
            }
            if best.is_none() || value > floor {
                best = Some((*m, value));
            }
        }
        best
    }

    fn value(&mut self, position: &G, depth: u32, plies: u32, low: Value, high: Value) -> Value {
        self.nodes += 1;
        if self.nodes.is_multiple_of(32) {
            self.clock.look(self.nodes);
        }
        if depth == 0 || position.outcome().is_some() {
            let value = leaf(&self.evaluator, Terminal::Exact, position, self.root, plies);
            return if position.side_to_move() == self.root { value } else { -value };
        }
        let start = self.moves.len();
        self.candidates.list(position, &mut self.moves);
        let mut best = Value::MIN;
        for i in start..self.moves.len() {
            let child = position.play(self.moves[i]);
            best = best.max(-self.value(&child, depth - 1, plies + 1, -high, -low.max(best)));
            if best >= high || self.clock.has_stopped() {
                break;
            }
        }
        self.moves.truncate(start);
        best
    }
}
