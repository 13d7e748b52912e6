//! Supervised baseline: the same network learns from the solution of the game instead of its own games.

use rand_chacha::rand_core::Rng;

use super::settings::Learnable;
use super::{AlphaZeroSettings, Cycles, Example};
use crate::game::{Solution, legal_moves};
use crate::nets::dual::{StepHow, Training};
use crate::parallel;
use crate::random::{pick, stream};

/// Streams of these games stand apart from all others.
const BASELINE: u64 = 7 << 48;
/// Positions come from so many games.
const GAMES: u64 = 20_000;
/// No game is longer.
const LONGEST: usize = 100;

/// What is learned from, and how much of it.
pub struct SupervisedBaseline<G> {
    examples: Vec<Example<G>>,
    settings: AlphaZeroSettings,
    batches: u64,
}

impl<G: Learnable> SupervisedBaseline<G> {
    /// Positions of games in which every move is random: half of them among all, half among those that keep the game's value, which
    /// are equally good. `batches` batches are learned.
    pub fn new(
        settings: &AlphaZeroSettings,
        solution: &dyn Solution<G>,
        batches: u64,
    ) -> SupervisedBaseline<G> {
        let game = |number: u64| {
            let mut random = stream(settings.seed, BASELINE, number);
            let mut position = G::start(settings.rules());
            let mut examples = Vec::new();
            while position.outcome().is_none() && examples.len() < LONGEST {
                let moves = legal_moves(&position);
                let worth = solution.probe(&position).sign();
                let keeps = |m: &G::Move| solution.probe(&position.play(*m)).before().sign() == worth;
                let kept: Vec<bool> = moves.iter().map(keeps).collect();
                let share = 1.0 / kept.iter().filter(|kept| **kept).count().max(1) as f32;
                let policy = kept.iter().map(|kept| if *kept { share } else { 0.0 }).collect();
                examples.push(Example { position, policy, value: worth as f32 });
                let good: Vec<G::Move> =
                    moves.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(m, _)| *m).collect();
                let any = random.next_u32() & 1 == 1 || good.is_empty();
                position = position.play(pick(&mut random, if any { &moves } else { &good }));
            }
            examples
        };
        let examples =
            parallel::map_range(GAMES as usize, |number| game(number as u64)).into_iter().flatten().collect();
        SupervisedBaseline { examples, settings: settings.clone(), batches }
    }

    /// How many batches there are.
    pub fn batches(&self) -> u64 {
        self.batches
    }

    /// A network that knows nothing yet.
    pub fn training(&self) -> Training {
        Cycles::new::<G>(&self.settings).training
    }

    /// One batch; `done` were learned before.
    pub fn learn(&self, training: &mut Training, done: u64) {
        let settings = &self.settings;
        let rate = settings.rate_at(done as f64 / self.batches as f64) as f32;
        let how = StepHow { rate, l2: settings.l2 as f32, over: settings.over };
        // Cycles of self-play begin with 1.
        training.step(&super::cycle::batch(settings, 0, &self.examples, done), &how);
    }
}
