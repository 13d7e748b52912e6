//! Alpha-beta: the same value and the same set of best moves as minimax, without looking at all leaves.

use std::ops::Range;

use super::limits::Clock;
use super::{Found, SearchInfo, SearchLimits, Terminal, Value, decided};
use crate::game::{Evaluator, Game, Side};

/// What [`minimax`](super::minimax()) returns, sooner. `leaves` counts what was looked at, which is less.
pub fn alphabeta<G: Game>(
    position: &G,
    depth: u32,
    evaluator: &impl Evaluator<G>,
    terminal: Terminal,
) -> Found<G::Move> {
    let mut search = AlphaBeta::new(depth, terminal);
    let value = search.search(position, evaluator);
    Found { value, best: search.best.clone(), leaves: search.leaves }
}

/// A search that keeps its memory from move to move: after the first few nothing is allocated any more.
pub struct AlphaBeta<G: Game> {
    terminal: Terminal,
    depth: u32,
    root: Side,
    /// Moves still to be tried on the way from the root to here.
    candidates: Vec<Candidate<G>>,
    scratch: Vec<G::Move>,
    /// For each depth left, the last reply that showed a move to be no good: likely to do so for the next one too.
    refutations: Vec<Option<G::Move>>,
    /// Value and place in the list of legal moves of each root move that was the best when it was tried.
    record: Vec<(Value, usize, G::Move)>,
    best: Vec<G::Move>,
    leaves: u64,
    /// How often moves were tried, so that the clock is looked at now and again.
    visits: u64,
    /// The leaves of shallower iterations, and when to stop.
    before: u64,
    clock: Clock,
}

/// The clock is looked at once in so many visits.
const VISITS: u64 = 256;

/// A move to try, with the value of the position after it for the root's side: complete at the leaves, else partial.
#[derive(Clone, Copy)]
struct Candidate<G: Game> {
    value: i32,
    place: usize,
    m: G::Move,
}

impl<G: Game> AlphaBeta<G> {
    /// A search that looks `depth` plies ahead.
    pub fn new(depth: u32, terminal: Terminal) -> Self {
        AlphaBeta {
            terminal,
            depth,
            root: Side::First,
            candidates: Vec::new(),
            scratch: Vec::new(),
            refutations: Vec::new(),
            record: Vec::new(),
            best: Vec::new(),
            leaves: 0,
            visits: 0,
            before: 0,
            clock: Clock::default(),
        }
    }

    /// The value for the side to move; [`best`](AlphaBeta::best) then holds every move that reaches it.
    pub fn search(&mut self, position: &G, evaluator: &impl Evaluator<G>) -> Value {
        self.root = position.side_to_move();
        self.leaves = 0;
        self.record.clear();
        self.refutations.clear();
        let before = evaluator.partial(position, self.root);
        let mut best = Value::MIN;
        for i in self.generate(position, before, self.depth, false, evaluator) {
            let Candidate { value: after, place, m } = self.candidates[i];
            // From just below the best: a move that only equals it must be told from one that is worse.
            let floor = if best == Value::MIN { best } else { best.just_below() };
            let child = self.terminal.play(position, m);
            let value = -self.value(&child, after, self.depth - 1, Value::MIN, -floor, evaluator);
            if value >= best {
                best = value;
                self.record.push((value, place, m));
            }
        }
        self.candidates.clear();
        if self.clock.has_stopped() {
            return best;
        }
        self.record.sort_unstable_by_key(|(_, place, _)| *place);
        self.best.clear();
        for (value, _, m) in &self.record {
            if *value == best {
                self.best.push(*m);
            }
        }
        best
    }

    /// Deepens up to the search's own depth, or as the limits say. When it is interrupted, [`best`](AlphaBeta::best) is what the last
    /// complete iteration found.
    pub fn deepen(
        &mut self,
        position: &G,
        evaluator: &impl Evaluator<G>,
        limits: &SearchLimits,
        on_info: &mut dyn FnMut(&SearchInfo<G::Move>),
    ) {
        let own = self.depth;
        self.before = 0;
        deepen_full_width(&limits.or(&SearchLimits::depth(own)), on_info, |depth, clock| {
            (self.depth, self.clock) = (depth, clock);
            let value = self.search(position, evaluator);
            if self.clock.has_stopped() {
                return None;
            }
            self.before += self.leaves;
            Some((value, self.best[0], self.before))
        });
        self.depth = own;
        self.clock = Clock::default();
    }

    /// The best moves that the last search found, in the order in which the game lists its moves.
    pub fn best(&self) -> &[G::Move] {
        &self.best
    }

    /// The value for the side to move: exact if it lies between `low` and `high`, else a bound on its side of them.
    /// `partial` is the partial value of what the evaluator says of the position, for the root's side.
    ///
    /// Here is what can be told without trying moves, which is all there is to do at most positions.
    #[inline]
    fn value(
        &mut self,
        position: &G,
        partial: i32,
        depth: u32,
        low: Value,
        high: Value,
        evaluator: &impl Evaluator<G>,
    ) -> Value {
        let outcome = position.outcome();
        let mut only_points_change = true;
        if self.terminal == Terminal::Exact {
            let plies = self.depth - depth;
            if let Some(outcome) = outcome {
                self.leaves += 1;
                return decided(outcome, position.side_to_move(), plies);
            }
            // Earliest possible loss: the opponent's reply, or the own move where a move can lose.
            let soonest_loss = Value::loss_in(plies + if position.own_move_may_lose() { 1 } else { 2 });
            if depth > 0 && soonest_loss >= high {
                self.leaves += 1;
                return soonest_loss;
            }
            if depth > 0 {
                let wins = position.next_move_wins();
                if wins == Some(true) {
                    self.leaves += 1;
                    return Value::win_in(plies + 1);
                }
                only_points_change = wins == Some(false);
            }
        }
        if depth == 0 || outcome.is_some() {
            self.leaves += 1;
            return self.seen(position, evaluator.complete(position, partial, self.root));
        }
        if depth == 1
            && only_points_change
            && let Some(value) = self.best_reply(position, partial, low, high, evaluator)
        {
            self.leaves += 1;
            return value;
        }
        self.best_of_moves(position, partial, depth, low, high, only_points_change, evaluator)
    }

    /// The value by the last move before the leaves, if the evaluator can tell without trying them.
    fn best_reply(
        &self,
        position: &G,
        partial: i32,
        low: Value,
        high: Value,
        evaluator: &impl Evaluator<G>,
    ) -> Option<Value> {
        let (low, high) = (low.nearest_points(), high.nearest_points());
        let window = if position.side_to_move() == self.root { (low, high) } else { (-high, -low) };
        Some(self.seen(position, evaluator.best_reply(position, partial, self.root, window)?))
    }

    /// What the evaluator says, which always speaks for the root's side, as the side to move sees it.
    fn seen(&self, position: &G, points: i32) -> Value {
        Value::points(if position.side_to_move() == self.root { points } else { -points })
    }

    /// As [`value`](AlphaBeta::value), by trying moves. `only_points_change`: none of them is scored as a win.
    #[allow(clippy::too_many_arguments)]
    #[inline(never)]
    fn best_of_moves(
        &mut self,
        position: &G,
        partial: i32,
        depth: u32,
        low: Value,
        high: Value,
        only_points_change: bool,
        evaluator: &impl Evaluator<G>,
    ) -> Value {
        self.visits += 1;
        if self.visits.is_multiple_of(VISITS) {
            self.clock.check(self.before + self.leaves);
        }
        if self.clock.has_stopped() {
            return Value::DRAW;
        }
        // With one reply to come, a move is worth no more than if that reply were the worst there is.
        let least_reply = if depth == 2 && only_points_change { evaluator.least_gain() } else { None };
        let at_leaves = depth == 1 && only_points_change;
        let mut best = Value::MIN;
        // Before any others are even listed: nearly always nothing else is needed.
        let tries_replies = depth > 1 && evaluator.least_gain().is_none();
        let refutation = if tries_replies { self.refutation(position, depth) } else { None };
        if let Some(m) = refutation {
            let after = evaluator.partial_after(position, partial, m, self.root);
            let child = self.terminal.play(position, m);
            best = -self.value(&child, after, depth - 1, -high, -low, evaluator);
            if best >= high {
                return best;
            }
        }
        let candidates = self.generate(position, partial, depth, at_leaves, evaluator);
        let start = candidates.start;
        for i in candidates {
            let Candidate { value: after, m, .. } = self.candidates[i];
            if Some(m) == refutation {
                continue;
            }
            let floor = low.max(best);
            let seen = self.seen(position, after);
            let value = match least_reply.map(|gain| seen.plus(-i64::from(gain))) {
                Some(at_most) if at_most <= floor => {
                    self.leaves += 1;
                    at_most
                }
                _ if at_leaves => {
                    self.leaves += 1;
                    seen
                }
                _ => {
                    let child = self.terminal.play(position, m);
                    -self.value(&child, after, depth - 1, -high, -floor, evaluator)
                }
            };
            best = best.max(value);
            if best >= high {
                if tries_replies {
                    self.remember_refutation(depth, m);
                }
                break;
            }
        }
        self.candidates.truncate(start);
        best
    }

    /// The reply to try before the others are listed, if it is legal here.
    fn refutation(&self, position: &G, depth: u32) -> Option<G::Move> {
        let last = self.refutations.get(depth as usize).copied().flatten();
        last.filter(|m| position.is_legal(*m))
    }

    fn remember_refutation(&mut self, depth: u32, m: G::Move) {
        let depth = depth as usize;
        if self.refutations.len() <= depth {
            self.refutations.resize(depth + 1, None);
        }
        self.refutations[depth] = Some(m);
    }

    /// Puts the moves of `position` on the stack, the promising ones first where that can save work. `at_leaves`: their
    /// complete values are wanted, as none of them will be played.
    fn generate(
        &mut self,
        position: &G,
        partial: i32,
        depth: u32,
        at_leaves: bool,
        evaluator: &impl Evaluator<G>,
    ) -> Range<usize> {
        let start = self.candidates.len();
        position.moves(&mut self.scratch);
        for (place, m) in self.scratch.drain(..).enumerate() {
            let value = if at_leaves {
                evaluator.value(&position.play(m), self.root)
            } else {
                evaluator.partial_after(position, partial, m, self.root)
            };
            self.candidates.push(Candidate { value, place, m });
        }
        // Where replies need not be tried one by one, their order saves nothing.
        if depth > 2 || depth == 2 && evaluator.least_gain().is_none() {
            let own = position.side_to_move() == self.root;
            // Equal ones in the order of the game's list.
            let promise =
                |Candidate { value, place, .. }: &Candidate<G>| (if own { -*value } else { *value }, *place);
            self.candidates[start..].sort_unstable_by_key(promise);
        }
        start..self.candidates.len()
    }
}

/// Iterative deepening for a search that looks at all lines: `search` does one iteration and returns the value, the first of the best moves
/// and the nodes so far, or `None` when the clock has stopped it.
pub(super) fn deepen_full_width<M: Copy>(
    limits: &SearchLimits,
    on_info: &mut dyn FnMut(&SearchInfo<M>),
    mut search: impl FnMut(u32, Clock) -> Option<(Value, M, u64)>,
) {
    let clock = limits.clock();
    for depth in 1..=limits.max_depth() {
        // The first iteration is never interrupted: there is always a move to play.
        let clock = if depth == 1 { Clock::default() } else { clock.clone() };
        let Some((value, best, nodes)) = search(depth, clock) else { return };
        on_info(&SearchInfo { best, value, depth, nodes, line: vec![best] });
        // A forced end within the horizon does not change any more.
        if value.decided_in().is_some_and(|plies| plies <= depth) {
            return;
        }
    }
}
