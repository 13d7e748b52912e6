//! The search of the strong players of the shogi games and of Quoridor: deeper and deeper until the time is up, with a memory, and the
//! less promising a move looks, the less deep. Where captures are urgent moves it follows them, and threats, past its depth.
//!
//! Unlike [`Strong`](super::Strong) it does not promise the value that alpha-beta would find at that depth: what looks bad is
//! looked at less closely.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::clock::{Clock, DEEPEST};
use super::memory::{Memory, Mix};
use super::rounds::{First, Round, deepen};
use super::{Candidates, Limit, Order, Report, Terminal, Value, decided, leaf};
use crate::eval::Evaluator;
use crate::games::{Game, Outcome, Referee, Side};

/// The clock is looked at once in so many positions.
const BETWEEN_LOOKS: u64 = 32;
/// Urgent moves are followed no further than this.
const LONGEST_EXCHANGE: u32 = 6;

/// A search with its memory. One is good for many moves of one game; a fresh one always finds the same.
pub struct Deep<G: Game, E, C> {
    evaluator: E,
    candidates: C,
    memory: Memory<G>,
    root: Side,
    nodes: u64,
    clock: Clock,
    /// When the clock is looked at again.
    next_look: u64,
    moves: Vec<G::Move>,
    /// The positions of the game before this one, if repetitions count; and those on the way from the root to here.
    past: Option<Past<G>>,
    path: Vec<(G::Key, G)>,
    /// How deep this round looks.
    round: u32,
    /// For each ply, the last moves that showed the move before to be no good.
    killers: Vec<[Option<G::Move>; 2]>,
}

/// The positions of a game so far, and where each of them was for the first time.
struct Past<G: Game> {
    positions: Vec<G>,
    first: HashMap<G::Key, usize, BuildHasherDefault<Mix>>,
}

impl<G: Game, E: Evaluator<G>, C: Candidates<G>> Deep<G, E, C> {
    /// A search over these candidates with room for so many positions, some forty bytes each.
    pub fn new(evaluator: E, candidates: C, places: usize) -> Self {
        Deep {
            evaluator,
            candidates,
            memory: Memory::new(places),
            root: Side::First,
            nodes: 0,
            clock: Clock::start(None),
            next_look: BETWEEN_LOOKS,
            moves: Vec::new(),
            past: None,
            path: Vec::new(),
            round: 0,
            killers: Vec::new(),
        }
    }

    /// Scores a position that repeats one of the game or of the current line by the game's repetition rule, if that rule is in
    /// force. The first repetition counts: both sides can repeat the cycle.
    pub fn know_past(&mut self, game: &Referee<G>) {
        self.past = game.counts_repetitions().then(|| {
            let positions = game.positions()[..game.positions().len() - 1].to_vec();
            let mut first = HashMap::default();
            for (at, position) in positions.iter().enumerate() {
                first.entry(position.key()).or_insert(at);
            }
            Past { positions, first }
        });
    }

    /// The best move, or `None` if there is none because the game is over.
    pub fn search(&mut self, position: &G, limit: Limit) -> Option<Report<G::Move>> {
        let (deepest, time) = match limit {
            Limit::Depth(depth) => (depth.clamp(1, DEEPEST), None),
            Limit::Time(time) => (DEEPEST, Some(time)),
        };
        self.rounds(position, deepest, Clock::start(time), &mut |_| ())
    }

    /// The same for somebody with this limit, as far as an order allows.
    pub fn search_ordered(
        &mut self,
        position: &G,
        limit: Limit,
        order: &Order,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Option<Report<G::Move>> {
        let (deepest, clock) = order.bounds(limit, Clock::start);
        self.rounds(position, deepest, clock, tell)
    }

    fn rounds(
        &mut self,
        position: &G,
        deepest: u32,
        clock: Clock,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Option<Report<G::Move>> {
        self.clock = clock;
        // The evaluator speaks for the root's side: what was remembered for the other side may not hold.
        if self.root != position.side_to_move() {
            self.root = position.side_to_move();
            self.memory.clear();
        }
        self.nodes = 0;
        self.next_look = BETWEEN_LOOKS;
        self.path.clear();
        self.path.push((position.key(), *position));
        let mut moves = Vec::new();
        self.candidates.list(position, &mut moves);
        let round = |depth: u32, moves: &[G::Move]| {
            let best = self.round(position, depth, moves);
            Round { best, nodes: self.nodes, stopped: self.clock.has_stopped() }
        };
        deepen(1..=deepest, moves, First::Best, round, tell)
    }

    /// The best of all moves as far as the clock allows; `None` if it allows nothing.
    fn round(&mut self, position: &G, depth: u32, moves: &[G::Move]) -> Option<(G::Move, Value)> {
        self.round = depth;
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
        if self.nodes >= self.next_look {
            self.clock.look(self.nodes);
            self.next_look = self.nodes + BETWEEN_LOOKS;
        }
        let to_move = position.side_to_move();
        if let Some(outcome) = position.outcome() {
            return decided(outcome, to_move, plies);
        }
        if position.next_move_wins() == Some(true) {
            return Value::win_in(plies + 1);
        }
        if let Some(outcome) = self.repetition(position) {
            return decided(outcome, to_move, plies);
        }
        // Who is about to lose looks one ply further.
        let threatened = C::HAS_URGENT && !position.is_calm();
        let depth = if threatened && plies < 2 * self.round { depth + 1 } else { depth };
        if depth == 0 {
            return match C::HAS_URGENT {
                true => self.settled(position, plies, LONGEST_EXCHANGE, low, high),
                false => self.leaf(position, plies),
            };
        }
        let remembered = self.memory.recall(position);
        let deep_enough = remembered.filter(|entry| entry.depth() >= depth);
        if let Some(value) = deep_enough.and_then(|entry| entry.settles(plies, low, high)) {
            return value;
        }
        if depth == 1
            && !C::HAS_URGENT
            && let before = self.evaluator.value(position, self.root)
            && let Some(points) = self.evaluator.best_after(position, before, self.root)
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
        self.path.push((position.key(), *position));
        let mut best = (Value::MIN, None);
        // Nearly always nothing else is needed: where all moves count, the rest is listed only then.
        let hinted = remembered.filter(|m| C::HAS_URGENT && position.is_legal(*m));
        let tried =
            hinted.is_some_and(|m| self.try_move(position, m, 0, depth, plies, (low, high), &mut best));
        if !tried {
            let start = self.moves.len();
            self.candidates.list(position, &mut self.moves);
            if let Some(at) = remembered.and_then(|best| self.moves[start..].iter().position(|m| *m == best))
            {
                self.moves[start..=start + at].rotate_right(1);
            }
            let first = usize::from(hinted.is_some());
            if C::HAS_URGENT {
                self.killers_first(start + first, plies);
            }
            let most = self.candidates.width(depth).min(self.moves.len() - start);
            for number in first..most {
                let m = self.moves[start + number];
                if self.try_move(position, m, number, depth, plies, (low, high), &mut best) {
                    break;
                }
            }
            self.moves.truncate(start);
        }
        self.path.pop();
        match best {
            (value, Some(best)) if !self.clock.has_stopped() => {
                self.memory.remember(position, depth, plies, best, value, low, high);
                value
            }
            _ => Value::DRAW,
        }
    }

    /// Looks at a move and keeps it if it is the best so far; whether nothing else need be looked at.
    #[allow(clippy::too_many_arguments)]
    fn try_move(
        &mut self,
        position: &G,
        m: G::Move,
        number: usize,
        depth: u32,
        plies: u32,
        (low, high): (Value, Value),
        best: &mut (Value, Option<G::Move>),
    ) -> bool {
        let value = self.move_value(position, m, number, depth, plies, low.max(best.0), high);
        if self.clock.has_stopped() {
            return true;
        }
        if value > best.0 || best.1.is_none() {
            *best = (value, Some(m));
        }
        let enough = best.0 >= high;
        if enough && C::HAS_URGENT {
            self.remember_killer(m, plies);
        }
        enough
    }

    fn killers_first(&mut self, from: usize, plies: u32) {
        let Some(killers) = self.killers.get(plies as usize).copied() else { return };
        for killer in killers.into_iter().rev().flatten() {
            let rest = &mut self.moves[from..];
            if let Some(at) = rest.iter().position(|m| *m == killer) {
                rest[..=at].rotate_right(1);
            }
        }
    }

    fn remember_killer(&mut self, m: G::Move, plies: u32) {
        let plies = plies as usize;
        if self.killers.len() <= plies {
            self.killers.resize(plies + 1, [None; 2]);
        }
        let [first, _] = self.killers[plies];
        if first != Some(m) {
            self.killers[plies] = [Some(m), first];
        }
    }

    /// The value of a leaf, as the side to move sees it.
    fn leaf(&self, position: &G, plies: u32) -> Value {
        self.seen(position, leaf(&self.evaluator, Terminal::Exact, position, self.root, plies))
    }

    /// The value when all urgent moves that somebody wants to make have been made.
    fn settled(&mut self, position: &G, plies: u32, left: u32, low: Value, high: Value) -> Value {
        let mut best = self.leaf(position, plies);
        if left == 0 || best >= high {
            return best;
        }
        let start = self.moves.len();
        self.candidates.urgent(position, &mut self.moves);
        for i in start..self.moves.len() {
            let child = position.play(self.moves[i]);
            self.nodes += 1;
            let value = match child.outcome() {
                Some(outcome) => decided(outcome, position.side_to_move(), plies + 1),
                // Who makes an urgent move and loses by the answer has not gained.
                None if child.next_move_wins() == Some(true) => Value::loss_in(plies + 2),
                None => -self.settled(&child, plies + 1, left - 1, -high, -low.max(best)),
            };
            best = best.max(value);
            if best >= high {
                break;
            }
        }
        self.moves.truncate(start);
        best
    }

    /// How the game ends if a position was there before.
    fn repetition(&self, position: &G) -> Option<Outcome> {
        let past = self.past.as_ref()?;
        let key = position.key();
        let (game, path) = match past.first.get(&key) {
            Some(at) => (&past.positions[*at..], &self.path[..]),
            None => {
                let at = self.path.iter().position(|(earlier, _)| *earlier == key)?;
                (&[][..], &self.path[at..])
            }
        };
        let path = path.iter().map(|(_, position)| *position);
        let since: Vec<G> = game.iter().copied().chain(path).chain([*position]).collect();
        Some(G::repeated(&since))
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
