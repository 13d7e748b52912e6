//! The cycle: self-play, training, gate, and a look at what has become of the network.

use rand_chacha::rand_core::Rng;
use serde::{Deserialize, Serialize};

use super::measure::Measured;
use super::settings::Learnable;
use super::{AlphaZeroSettings, Evaluated, Example, GameRecord, PlayedGame, Player, RateOver, Worker};
use crate::arena::opened;
use crate::game::{Outcome, Side};
use crate::nets::dual::{DualNetwork, InferenceNetwork, Losses, Shard, StepHow, Training};
use crate::nets::encoded;
use crate::parallel;
use crate::random::{below, stream};

/// So many examples are worked on together, on one thread: fixed, so that sums do not depend on the number of threads.
const SHARD: usize = 32;
/// So many games are one piece of work for a thread, and are kept together.
pub const GROUP: u32 = 64;

/// What random streams are for; the cycle is added.
const WEIGHTS: u64 = 1 << 48;
const GAMES: u64 = 2 << 48;
const ORDER: u64 = 3 << 48;
const MIRRORS: u64 = 4 << 48;
const GATE: u64 = 6 << 48;

/// What a cycle does one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The best network plays itself.
    SelfPlay,
    /// A network learns from the games; so many batches are done.
    Training(u64),
    /// It meets the best one, and is measured.
    Gate,
}

/// How a cycle went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CycleRow {
    /// The number of the cycle, from 1.
    pub cycle: u32,
    /// The games: how many, how long, and how they ended.
    pub games: u64,
    /// Moves of all games.
    pub plies: u64,
    /// Games won by the side that moved first, drawn, and won by the other.
    pub ended: [u64; 3],
    /// How many batches were learned.
    pub batches: u64,
    /// How wrong the network was, on average over the batches.
    pub policy_loss: f64,
    /// See above.
    pub value_loss: f64,
    /// Points of the new network against the best one, if there is a gate.
    pub gate: Option<f64>,
    /// Whether the new network is the best one now.
    pub replaced: bool,
    /// What was found out about the best network.
    pub measured: Measured,
}

/// The games of a group.
fn part(games: u32, size: u32, group: u32) -> std::ops::Range<u32> {
    group * size..games.min((group + 1) * size)
}

/// The games of a cycle in groups.
pub struct SelfPlay<'a> {
    settings: &'a AlphaZeroSettings,
    cycle: u32,
    network: &'a InferenceNetwork,
}

impl<'a> SelfPlay<'a> {
    /// By this network.
    pub fn new(settings: &'a AlphaZeroSettings, cycle: u32, network: &'a InferenceNetwork) -> SelfPlay<'a> {
        SelfPlay { settings, cycle, network }
    }

    /// How many groups there are.
    pub fn groups(settings: &AlphaZeroSettings) -> u32 {
        settings.games.div_ceil(GROUP)
    }

    /// How many games a group has.
    pub fn group_size(settings: &AlphaZeroSettings, group: u32) -> u32 {
        part(settings.games, GROUP, group).len() as u32
    }

    /// Plays the games of a group on this thread; also says how many positions were evaluated.
    pub fn play<G: Learnable>(
        &self,
        group: u32,
        done: &(dyn Fn() + Sync),
    ) -> (Vec<GameRecord<G>>, Evaluated) {
        let settings = self.settings;
        let purpose = GAMES | u64::from(self.cycle);
        let begin = |game: u32| {
            let mut random = stream(settings.seed, purpose, u64::from(game));
            let opening_plies = below(&mut random, settings.opening_plies + 1);
            (opened(&settings.conditions::<G>(opening_plies), purpose, u64::from(game)), 0, random)
        };
        let worker = Worker {
            players: [Player::Network(self.network); 2],
            mcts: settings.mcts,
            exploration: settings.exploration(settings.noise > 0.0),
            reuse: settings.reuse,
        };
        let games = part(settings.games, GROUP, group).map(begin);
        let (played, evaluated) = worker.play(games.collect(), done);
        (played.iter().map(GameRecord::of).collect(), evaluated)
    }
}

/// The games of a gate: the new network against the best one.
pub struct GateGames<'a> {
    settings: &'a AlphaZeroSettings,
    cycle: u32,
    /// The new one and the best one.
    networks: [&'a InferenceNetwork; 2],
}

/// So many games of a gate are one piece of work for a thread.
const GATE_GROUP: u32 = 10;

impl<'a> GateGames<'a> {
    /// Of the new network and the best one.
    pub fn new(
        settings: &'a AlphaZeroSettings,
        cycle: u32,
        networks: [&'a InferenceNetwork; 2],
    ) -> GateGames<'a> {
        GateGames { settings, cycle, networks }
    }

    /// How many groups there are.
    pub fn groups(settings: &AlphaZeroSettings) -> u32 {
        settings.gate_games.div_ceil(GATE_GROUP)
    }

    /// How many games a group has.
    pub fn group_size(settings: &AlphaZeroSettings, group: u32) -> u32 {
        part(settings.gate_games, GATE_GROUP, group).len() as u32
    }

    /// Plays the games of a group on this thread: the half points of the new network.
    pub fn play<G: Learnable>(&self, group: u32, done: &(dyn Fn() + Sync)) -> u32 {
        let settings = self.settings;
        let worker = Worker {
            players: self.networks.map(Player::Network),
            mcts: settings.mcts,
            exploration: settings.exploration(false),
            reuse: false,
        };
        let conditions = settings.conditions::<G>(settings.opening_plies);
        let purpose = GATE | u64::from(self.cycle);
        let begin = |game: u32| {
            let opening = opened(&conditions, purpose, u64::from(game / 2));
            (opening, (game % 2) as usize, stream(settings.seed, purpose, u64::from(game)))
        };
        let games = part(settings.gate_games, GATE_GROUP, group);
        let half_points = |played: &PlayedGame<G>| match (played.outcome, played.first) {
            (Outcome::Draw, _) => 1,
            (Outcome::Win(Side::First), 0) | (Outcome::Win(Side::Second), 1) => 2,
            _ => 0,
        };
        worker.play(games.map(begin).collect(), done).0.iter().map(half_points).sum()
    }
}

/// The learner and all that a later continuation needs, beside the games.
#[derive(Clone, Debug)]
pub struct Cycles {
    /// How it learns.
    pub settings: AlphaZeroSettings,
    /// The number of the cycle that is under way, from 1.
    pub cycle: u32,
    /// The first cycle whose games are there: those of a finished run are removed, and it may be extended.
    pub games_from: u32,
    /// What it does.
    pub phase: Phase,
    /// The network that plays.
    pub best: DualNetwork,
    /// The network that learns.
    pub training: Training,
    /// How the cycles so far went, and how the present one goes.
    pub rows: Vec<CycleRow>,
    /// See above.
    pub row: CycleRow,
}

impl Cycles {
    /// A learner that knows nothing yet.
    pub fn new<G: Learnable>(settings: &AlphaZeroSettings) -> Cycles {
        Cycles::begin::<G>(settings, None)
    }

    /// A learner that begins with this network, or with random weights.
    pub fn begin<G: Learnable>(settings: &AlphaZeroSettings, first: Option<DualNetwork>) -> Cycles {
        let random = || DualNetwork::random(settings.shape::<G>(), &mut stream(settings.seed, WEIGHTS, 0));
        let best = first.unwrap_or_else(random);
        Cycles {
            settings: settings.clone(),
            cycle: 1,
            games_from: 1,
            phase: Phase::SelfPlay,
            training: Training::new(best.clone()),
            best,
            rows: Vec::new(),
            row: CycleRow { cycle: 1, ..CycleRow::default() },
        }
    }

    /// Whether all cycles are done.
    pub fn is_finished(&self) -> bool {
        self.cycle > self.settings.cycles
    }

    /// Takes the games of this cycle, and goes on to training.
    pub fn take_games<G: Learnable>(&mut self, games: &[GameRecord<G>]) {
        let row = &mut self.row;
        for game in games {
            row.games += 1;
            row.plies += game.plies.len() as u64;
            row.ended[match game.outcome {
                Outcome::Win(Side::First) => 0,
                Outcome::Draw => 1,
                Outcome::Win(Side::Second) => 2,
            }] += 1;
        }
        // With a gate every cycle begins with the best network, and forgets what did not get through.
        if self.settings.gate_games > 0 {
            self.training = Training::new(self.best.clone());
        }
        self.phase = Phase::Training(0);
    }

    /// How many batches this cycle learns: so many that each of its positions is seen as often as asked.
    pub fn batches(&self) -> u64 {
        let AlphaZeroSettings { epochs, batch, .. } = self.settings;
        ((epochs * self.row.plies as f64 / batch as f64).ceil() as u64).max(1)
    }

    /// One batch of the games that are remembered; `done` batches were learned before in this cycle.
    pub fn learn<G: Learnable>(&mut self, examples: &[Example<G>], done: u64) -> Losses {
        let settings = &self.settings;
        let share = done as f64 / self.batches() as f64;
        let share = match settings.rate_over {
            RateOver::Cycle => share,
            RateOver::Run => (f64::from(self.cycle - 1) + share) / f64::from(settings.cycles),
        };
        let how =
            StepHow { rate: settings.rate_at(share) as f32, l2: settings.l2 as f32, over: settings.over };
        let batch = batch(settings, self.cycle, examples, done);
        let losses = self.training.step(&batch, &how);
        self.row.batches += 1;
        self.row.policy_loss += losses.policy;
        self.row.value_loss += losses.value;
        self.phase = Phase::Training(done + 1);
        losses
    }

    /// All batches of this cycle are learned: the gate is next.
    pub fn trained(&mut self) {
        let batches = self.row.batches.max(1) as f64;
        self.row.policy_loss /= batches;
        self.row.value_loss /= batches;
        self.phase = Phase::Gate;
    }

    /// Decides by the half points of the new network against the best one: more than half of all make it the best. Without a gate it
    /// is that anyway.
    pub fn decide(&mut self, half_points: u32) {
        let games = self.settings.gate_games;
        self.row.gate = (games > 0).then(|| f64::from(half_points) / f64::from(2 * games));
        self.row.replaced = games == 0 || half_points > games;
        if self.row.replaced {
            self.best = self.training.network.clone();
        }
    }

    /// Ends the cycle with what was found out about the best network.
    pub fn end(&mut self, measured: Measured) {
        self.row.measured = measured;
        self.cycle += 1;
        let next = CycleRow { cycle: self.cycle, ..CycleRow::default() };
        self.rows.push(std::mem::replace(&mut self.row, next));
        self.phase = Phase::SelfPlay;
    }
}

/// The batch of a cycle before which `done` others were learned.
pub(super) fn batch<G: Learnable>(
    settings: &AlphaZeroSettings,
    cycle: u32,
    examples: &[Example<G>],
    done: u64,
) -> Vec<Shard> {
    let size = settings.batch.min(examples.len());
    let mut drawn = Vec::with_capacity(size);
    let count = examples.len() as u64;
    let first = done * size as u64;
    // Every example once before any comes again: in an order of its own each time.
    let order_of = |next: u64| Order::new(settings.seed, cycle, next / count, examples.len());
    let mut order = order_of(first);
    for next in first..first + size as u64 {
        if next % count == 0 {
            order = order_of(next);
        }
        drawn.push(order.at((next % count) as usize));
    }
    let mut random = stream(settings.seed, MIRRORS | u64::from(cycle), done);
    let mirrored: Vec<bool> = drawn.iter().map(|_| settings.mirror && random.next_u32() & 1 == 1).collect();
    let chosen: Vec<(usize, bool)> = drawn.into_iter().zip(mirrored).collect();
    let shape = settings.shape::<G>();
    let shard = |part: &[(usize, bool)]| {
        let seen = part.iter().map(|(number, mirrored)| examples[*number].targets(*mirrored));
        let (positions, policies): (Vec<G>, Vec<Vec<(u32, f32)>>) = seen.unzip();
        let values = part.iter().map(|(number, _)| examples[*number].value).collect();
        Shard { inputs: encoded(&shape, &positions), policies, values }
    };
    let parts: Vec<&[(usize, bool)]> = chosen.chunks(SHARD).collect();
    parallel::map(&parts, |_, part| shard(part))
}

/// A random order of so many things in which any place can be looked up: a Feistel network over the next power of four, walked
/// until it comes back into range.
struct Order {
    keys: [u64; 4],
    half: u32,
    count: usize,
}

impl Order {
    fn new(seed: u64, cycle: u32, round: u64, count: usize) -> Order {
        let mut random = stream(seed, ORDER | u64::from(cycle), round);
        let keys = std::array::from_fn(|_| random.next_u64());
        let bits = usize::BITS - count.saturating_sub(1).leading_zeros();
        Order { keys, half: bits.div_ceil(2).max(1), count }
    }

    fn at(&self, place: usize) -> usize {
        let mask = (1_u64 << self.half) - 1;
        let mut now = place as u64;
        loop {
            let (mut left, mut right) = (now >> self.half, now & mask);
            for key in self.keys {
                let mixed = (right ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                (left, right) = (right, left ^ (mixed >> 40 & mask));
            }
            now = left << self.half | right;
            if (now as usize) < self.count {
                return now as usize;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_has_everything_once() {
        for count in [1, 2, 3, 10, 64, 1000] {
            let order = Order::new(1, 2, 3, count);
            let mut all: Vec<usize> = (0..count).map(|place| order.at(place)).collect();
            assert!(count <= 3 || !all.is_sorted());
            all.sort_unstable();
            assert!(all.into_iter().eq(0..count), "{count}");
        }
    }
}
