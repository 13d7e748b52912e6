//! The search of all players that deepen: iterative deepening, principal variation search, a transposition table, and what its
//! [`Config`] turns on.
//!
//! ```text
//! for depth = 1, 2, 3 …                        until a limit is reached or the result is forced
//!     for each move of the root                the best of the last iteration first
//!         first move:  full window
//!         others:      null window, reduced if late; full window if that fails high
//! ```

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::limits::Clock;
use super::table::{Mix, TranspositionTable};
use super::{Candidates, SearchInfo, SearchLimits, Terminal, Value, decided, leaf};
use crate::game::{Evaluator, Game, Outcome, Referee, Side};

/// Nodes between two checks of the limits.
const CHECK_EVERY: u64 = 32;
/// Quiescence follows at most this many urgent moves in a row.
const MAX_QUIESCENCE: u32 = 6;

/// How a deepening search works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Slots of the transposition table; 0 for none.
    pub table_slots: usize,
    /// Whether it may look less closely at what seems bad: late moves are reduced and cut off, wins at the next move are not played out,
    /// threats are looked at deeper, and table entries of deeper searches count. Otherwise its value is that of alpha-beta over the same
    /// candidates at the same depth.
    pub selective: bool,
    /// Whether each iteration begins with the best move of the last one: then what an interrupted iteration found counts. Otherwise the last
    /// iteration finds what it would find by itself: of equal moves the first candidate.
    pub reorder: bool,
    /// Whether a position that repeats one of the game or of the current line is scored by the game's repetition rule, if that rule is in
    /// force. The first repetition counts: both sides can repeat the cycle.
    pub repetitions: bool,
}

impl Config {
    /// The value of alpha-beta, with a table of about 2 MB.
    pub const EXACT: Config =
        Config { table_slots: 1 << 16, selective: false, reorder: true, repetitions: false };
}

/// A search with its table. It serves many moves of one game; a new one always finds the same.
pub struct Deepening<G: Game, E, C> {
    evaluator: E,
    candidates: C,
    config: Config,
    table: TranspositionTable<G>,
    root: Side,
    nodes: u64,
    clock: Clock,
    next_check: u64,
    moves: Vec<G::Move>,
    /// The positions of the game before this one, if repetitions count.
    history: Option<History<G>>,
    /// The positions from the root to here.
    path: Vec<(G::Key, G)>,
    /// The depth of this iteration.
    iteration: u32,
    /// For each ply, the last two moves that refuted the move before.
    killers: Vec<[Option<G::Move>; 2]>,
}

/// The positions of a game so far, and where each of them first occurred.
struct History<G: Game> {
    positions: Vec<G>,
    first: HashMap<G::Key, usize, BuildHasherDefault<Mix>>,
}

impl<G: Game> History<G> {
    fn of(game: &Referee<G>) -> History<G> {
        let positions = game.positions()[..game.positions().len() - 1].to_vec();
        let mut first = HashMap::default();
        for (at, position) in positions.iter().enumerate() {
            first.entry(position.key()).or_insert(at);
        }
        History { positions, first }
    }
}

impl<G: Game, E: Evaluator<G>, C: Candidates<G>> Deepening<G, E, C> {
    /// A search over these candidates.
    pub fn new(evaluator: E, candidates: C, config: Config) -> Self {
        Deepening {
            evaluator,
            candidates,
            config,
            table: TranspositionTable::new(config.table_slots),
            root: Side::First,
            nodes: 0,
            clock: Clock::default(),
            next_check: CHECK_EVERY,
            moves: Vec::new(),
            history: None,
            path: Vec::new(),
            iteration: 0,
            killers: Vec::new(),
        }
    }

    /// The best move in a game, or `None` if it is over; `on_info` is called after each iteration.
    pub fn search_game(
        &mut self,
        game: &Referee<G>,
        limits: &SearchLimits,
        on_info: &mut dyn FnMut(&SearchInfo<G::Move>),
    ) -> Option<SearchInfo<G::Move>> {
        self.history = (self.config.repetitions && game.counts_repetitions()).then(|| History::of(game));
        self.search(game.position(), limits, on_info)
    }

    /// The same in a position without a history.
    pub fn search(
        &mut self,
        position: &G,
        limits: &SearchLimits,
        on_info: &mut dyn FnMut(&SearchInfo<G::Move>),
    ) -> Option<SearchInfo<G::Move>> {
        // The evaluator speaks for the root's side: what was stored for the other side may not hold.
        if self.root != position.side_to_move() {
            self.root = position.side_to_move();
            self.table.clear();
        }
        self.nodes = 0;
        self.path.clear();
        self.path.push((position.key(), *position));
        let (max_depth, clock) = (limits.max_depth(), limits.clock());
        // Where an iteration learns nothing from the one before, only the last one counts.
        let first_depth = if limits.is_depth_only() && !self.config.reorder { max_depth } else { 1 };
        let mut moves = Vec::new();
        self.candidates.list(position, max_depth, &mut moves);
        let mut info =
            SearchInfo { best: *moves.first()?, value: Value::MIN, depth: 0, nodes: 0, line: Vec::new() };
        for depth in first_depth..=max_depth {
            // The first iteration is never interrupted: there is always a move to play.
            self.clock = if depth == 1 { Clock::default() } else { clock.clone() };
            self.next_check = self.nodes + CHECK_EVERY;
            if !self.config.selective && self.config.reorder {
                moves.clear();
                self.candidates.list(position, depth, &mut moves);
                if depth > 1 {
                    to_front(&mut moves, info.best);
                }
            }
            let best = self.iterate(position, depth, &moves);
            let stopped = self.clock.has_stopped();
            info.nodes = self.nodes;
            if let Some((best, value)) = best.filter(|_| !stopped || self.config.reorder) {
                let depth = if stopped { info.depth } else { depth };
                info = SearchInfo {
                    best,
                    value,
                    depth,
                    nodes: self.nodes,
                    line: self.line(position, best, depth),
                };
                on_info(&info);
            }
            // A forced end within the horizon does not change any more.
            if stopped || info.value.decided_in().is_some_and(|plies| plies <= depth) {
                break;
            }
            if self.config.reorder {
                to_front(&mut moves, info.best);
            }
        }
        Some(info)
    }

    /// The best of the root's moves as far as the limits allow; `None` if they allow nothing.
    fn iterate(&mut self, position: &G, depth: u32, moves: &[G::Move]) -> Option<(G::Move, Value)> {
        self.iteration = depth;
        self.nodes += 1;
        let mut best: Option<(G::Move, Value)> = None;
        for (number, m) in moves.iter().enumerate() {
            let floor = best.map_or(Value::MIN, |(_, value)| value);
            let value = self.move_value(position, *m, number, depth, 0, floor, Value::MAX);
            if self.clock.has_stopped() {
                return best;
            }
            if best.is_none() || value > floor {
                best = Some((*m, value));
            }
        }
        if let Some((m, value)) = best.filter(|_| !self.config.selective) {
            self.table.store(position, depth, 0, m, value, Value::MIN, Value::MAX);
        }
        best
    }

    /// The value of a move, the `number`-th of its position, searched as closely as it deserves.
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
        let reduced = if self.config.selective { reduction(number, depth) } else { 0 };
        let null_window = (-floor.just_above(), -floor);
        let mut value = -self.value(&child, depth - 1 - reduced, plies + 1, null_window.0, null_window.1);
        if value > floor && reduced > 0 {
            value = -self.value(&child, depth - 1, plies + 1, null_window.0, null_window.1);
        }
        if value > floor && value < high {
            value = -self.value(&child, depth - 1, plies + 1, -high, -floor);
        }
        value
    }

    fn value(&mut self, position: &G, mut depth: u32, plies: u32, low: Value, high: Value) -> Value {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.clock.check(self.nodes);
            self.next_check = self.nodes + CHECK_EVERY;
        }
        let to_move = position.side_to_move();
        if let Some(outcome) = position.outcome() {
            return decided(outcome, to_move, plies);
        }
        let selective = self.config.selective;
        if selective {
            if position.next_move_wins() == Some(true) {
                return Value::win_in(plies + 1);
            }
            if let Some(outcome) = self.repetition(position) {
                return decided(outcome, to_move, plies);
            }
            let threatened = C::HAS_URGENT && !position.is_calm();
            depth += u32::from(threatened && plies < 2 * self.iteration);
        }
        if depth == 0 {
            let quiescence = selective && C::HAS_URGENT;
            return if quiescence {
                self.quiescence(position, plies, MAX_QUIESCENCE, low, high)
            } else {
                self.leaf(position, plies)
            };
        }
        let entry = self.table.probe(position);
        let usable = entry.filter(|entry| entry.depth() == depth || selective && entry.depth() > depth);
        if let Some(value) = usable.and_then(|entry| entry.cutoff(plies, low, high)) {
            return value;
        }
        if depth == 1
            && selective
            && !C::HAS_URGENT
            && let partial = self.evaluator.partial(position, self.root)
            && let Some(points) =
                self.evaluator.best_reply(position, partial, self.root, (-i32::MAX, i32::MAX))
        {
            return self.seen(position, Value::points(points));
        }
        self.best_of_moves(position, depth, plies, low, high, entry.map(|entry| entry.best))
    }

    fn best_of_moves(
        &mut self,
        position: &G,
        depth: u32,
        plies: u32,
        low: Value,
        high: Value,
        table_move: Option<G::Move>,
    ) -> Value {
        if self.history.is_some() {
            self.path.push((position.key(), *position));
        }
        let urgent = self.config.selective && C::HAS_URGENT;
        let mut best = (Value::MIN, None);
        // Where all moves are candidates the table's move can be tried before the others are listed: nearly always it is enough.
        let tried = table_move.filter(|m| urgent && position.is_legal(*m));
        let enough =
            tried.is_some_and(|m| self.try_move(position, m, 0, depth, plies, (low, high), &mut best));
        if !enough {
            let start = self.moves.len();
            self.candidates.list(position, depth, &mut self.moves);
            if let Some(m) = table_move {
                to_front(&mut self.moves[start..], m);
            }
            let first = usize::from(tried.is_some());
            if urgent {
                self.killers_to_front(start + first, plies);
            }
            let listed = self.moves.len() - start;
            let width = if self.config.selective { self.candidates.width(depth).min(listed) } else { listed };
            for number in first..width {
                let m = self.moves[start + number];
                if self.try_move(position, m, number, depth, plies, (low, high), &mut best) {
                    break;
                }
            }
            self.moves.truncate(start);
        }
        if self.history.is_some() {
            self.path.pop();
        }
        match best {
            (value, Some(best)) if !self.clock.has_stopped() => {
                self.table.store(position, depth, plies, best, value, low, high);
                value
            }
            _ => Value::DRAW,
        }
    }

    /// Searches a move and keeps it if it is the best so far; whether no other need be searched.
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
        let cutoff = best.0 >= high;
        if cutoff && self.config.selective && C::HAS_URGENT {
            self.store_killer(m, plies);
        }
        cutoff
    }

    fn killers_to_front(&mut self, from: usize, plies: u32) {
        let Some(killers) = self.killers.get(plies as usize).copied() else { return };
        for killer in killers.into_iter().rev().flatten() {
            to_front(&mut self.moves[from..], killer);
        }
    }

    fn store_killer(&mut self, m: G::Move, plies: u32) {
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

    /// The value after all urgent moves that a side wants to make.
    fn quiescence(&mut self, position: &G, plies: u32, left: u32, low: Value, high: Value) -> Value {
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
                // An urgent move that loses to the reply has gained nothing.
                None if child.next_move_wins() == Some(true) => Value::loss_in(plies + 2),
                None => -self.quiescence(&child, plies + 1, left - 1, -high, -low.max(best)),
            };
            best = best.max(value);
            if best >= high {
                break;
            }
        }
        self.moves.truncate(start);
        best
    }

    /// How the game ends if this position occurred before.
    fn repetition(&self, position: &G) -> Option<Outcome> {
        let history = self.history.as_ref()?;
        let key = position.key();
        let (game, path) = match history.first.get(&key) {
            Some(at) => (&history.positions[*at..], &self.path[..]),
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

    /// The principal variation: the best move and what the table expects to follow.
    fn line(&self, position: &G, best: G::Move, depth: u32) -> Vec<G::Move> {
        let mut line = vec![best];
        let mut position = position.play(best);
        while line.len() < depth as usize {
            match self.table.probe(&position) {
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

/// Moves `m` to the front, if it is there; the others keep their order.
fn to_front<M: Copy + PartialEq>(moves: &mut [M], m: M) {
    if let Some(at) = moves.iter().position(|other| *other == m) {
        moves[..=at].rotate_right(1);
    }
}

/// By how many plies a move is reduced that comes so late in the list.
fn reduction(number: usize, depth: u32) -> u32 {
    match (depth, number) {
        (0..=2, _) | (_, 0..=3) => 0,
        (3..=4, _) | (_, 4..=11) => 1,
        _ => 2,
    }
}
