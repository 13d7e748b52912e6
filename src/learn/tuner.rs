//! The tuner's problem: piece values that win games of Dobutsu Shogi.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;
use rayon::prelude::*;

use super::ga::{Chromosome, Individual, Problem, Trials};
use super::oracle::{Exam, POSITIONS};
use super::{Evaluate, Fitness, MutationKind, Settings};
use crate::arena::play_one;
use crate::eval::{DobutsuEvaluator, Gene, Genome, POINT};
use crate::games::dobutsu::Position;
use crate::games::{DEFAULT_PLY_CAP, Outcome, Referee, Side};
use crate::players::{PathPlayer, Player, SearchingPlayer};
use crate::random::{below, stream};
use crate::solve::Tables;

/// Measures chromosomes by playing with them.
pub struct Tuner {
    settings: Settings,
    genes: &'static [Gene],
}

/// A game to be played: who moves first and who second. Opponents from the hall have no number.
struct Fixture {
    first: (Option<usize>, Genome),
    second: (Option<usize>, Genome),
}

impl Tuner {
    /// The problem that these settings pose.
    pub fn new(settings: &Settings) -> Tuner {
        Tuner { settings: settings.clone(), genes: settings.genes.genes() }
    }

    /// The genes that evolve.
    pub fn genes(&self) -> &'static [Gene] {
        self.genes
    }

    /// The genome of a chromosome; genes that do not evolve are 0.
    pub fn genome(&self, chromosome: &[i32]) -> Genome {
        self.genes.iter().zip(chromosome).fold(Genome::ZERO, |genome, (gene, value)| {
            genome.with(*gene, self.bounded(*value)).expect("bounded to what a gene can be")
        })
    }

    /// The chromosome of a genome.
    pub fn chromosome(&self, genome: &Genome) -> Chromosome {
        self.genes.iter().map(|gene| genome.get(*gene)).collect()
    }

    /// Plays one game with the settings' depth and rules.
    pub fn play(&self, first: &Genome, second: &Genome, random: &mut ChaCha8Rng) -> Outcome {
        let mut game = Referee::with_ply_cap(self.settings.array.start(self.settings.rules), DEFAULT_PLY_CAP);
        let (mut first, mut second) = (self.player(first), self.player(second));
        play_one(&mut game, &mut *first, &mut *second, random).outcome
    }

    /// Everybody against everybody, or everybody against the hall if there is one.
    fn fixtures(&self, population: &[Individual], hall: &[Chromosome]) -> Vec<Fixture> {
        let own = |i: usize| (Some(i), self.genome(&population[i].genes));
        let mut pairs = Vec::new();
        for i in 0..population.len() {
            match hall {
                [] => pairs.extend((i + 1..population.len()).map(|j| (own(i), own(j)))),
                hall => pairs.extend(hall.iter().map(|opponent| (own(i), (None, self.genome(opponent))))),
            }
        }
        let games = |(a, b)| {
            (0..self.settings.games_per_pair).map(move |game| match game % 2 {
                0 => Fixture { first: a, second: b },
                _ => Fixture { first: b, second: a },
            })
        };
        pairs.into_iter().flat_map(games).collect()
    }

    fn player(&self, genome: &Genome) -> Box<dyn Player<Position>> {
        let Settings { depth, terminal, evaluate, .. } = self.settings;
        let evaluator = DobutsuEvaluator::new(*genome);
        match evaluate {
            Evaluate::Leaf => Box::new(SearchingPlayer::new(evaluator, depth, terminal)),
            Evaluate::Path => Box::new(PathPlayer { evaluator, depth, terminal }),
        }
    }

    /// A point for each position in which the candidate's move keeps what the solved game says.
    ///
    /// # Panics
    /// If there is no table of the settings' rules; whoever begins a run makes sure of that.
    fn examine(&self, population: &mut [Individual], generation: u32) -> Trials {
        let Settings { rules, fix_side, seed, .. } = self.settings;
        let table = Tables::at(None).get(rules).expect("the table was there when the run began");
        let exam = Exam::new(table, fix_side, seed, generation);
        let mark = |individual: &Individual| {
            exam.mark(&mut *self.player(&self.genome(&individual.genes)), seed, generation)
        };
        let marks: Vec<i64> = population.par_iter().with_max_len(1).map(mark).collect();
        for (individual, mark) in population.iter_mut().zip(marks) {
            individual.points += mark * i64::from(POINT);
            individual.games += POSITIONS as u32;
        }
        Trials { games: (population.len() * POSITIONS) as u64, draws: 0 }
    }

    fn outcome(&self, fixture: &Fixture, generation: u32, game: usize) -> Outcome {
        let mut random = stream(self.settings.seed, u64::from(generation), game as u64);
        match self.settings.fitness {
            Fitness::Tournament | Fitness::Oracle => {
                self.play(&fixture.first.1, &fixture.second.1, &mut random)
            }
            Fitness::Random => Outcome::Win(Side::BOTH[below(&mut random, 2)]),
        }
    }
}

impl Problem for Tuner {
    fn genes(&self) -> usize {
        self.genes.len()
    }

    /// A random share of the untrained value; where that is nothing, a random share of one point.
    fn first_gene(&self, gene: usize, random: &mut ChaCha8Rng) -> i32 {
        let base = match Genome::FULL.get(self.genes[gene]) {
            0 => POINT,
            base => base,
        };
        ((u64::from(random.next_u32()) * (base as u64 + 1)) >> 32) as i32
    }

    fn mutated_gene(&self, _: usize, old: i32, random: &mut ChaCha8Rng) -> i32 {
        let range = self.settings.mutation_range;
        let anything = |random: &mut ChaCha8Rng| {
            range.low * POINT + below(random, ((range.high - range.low) * POINT + 1) as usize) as i32
        };
        match self.settings.mutation_kind {
            MutationKind::Uniform => anything(random),
            MutationKind::Step if below(random, 10) == 0 => anything(random),
            // Half to double, so that small and large genes move alike, and a point so that nought can be left.
            MutationKind::Step => {
                let scaled = i64::from(old) * (500 + below(random, 1500) as i64) / 1000;
                let shifted = scaled + below(random, 2001) as i64 - 1000;
                shifted.clamp(i64::from(range.low * POINT), i64::from(range.high * POINT)) as i32
            }
        }
    }

    fn bounded(&self, value: i32) -> i32 {
        value.clamp(0, Genome::MAX)
    }

    fn measure(&self, population: &mut [Individual], hall: &[Chromosome], generation: u32) -> Trials {
        let settings = &self.settings;
        if settings.fitness == Fitness::Oracle {
            return self.examine(population, generation);
        }
        let fixtures = self.fixtures(population, hall);
        let play = |(game, fixture): (usize, &Fixture)| self.outcome(fixture, generation, game);
        // One game at a time: they differ much in length, and a thread left alone with several would hold up all.
        let outcomes: Vec<Outcome> = fixtures.par_iter().with_max_len(1).enumerate().map(play).collect();
        let draw = (settings.draw_points * f64::from(POINT)).round() as i64;
        let mut trials = Trials { games: outcomes.len() as u64, draws: 0 };
        let mut earned = vec![(0, 0); population.len()];
        for (fixture, outcome) in fixtures.iter().zip(outcomes) {
            trials.draws += u64::from(outcome == Outcome::Draw);
            for (side, player) in [(Side::First, fixture.first.0), (Side::Second, fixture.second.0)] {
                let counts = settings.fix_side.is_none_or(|fixed| fixed == side);
                if let (true, Some(player)) = (counts, player) {
                    earned[player].0 += match outcome {
                        Outcome::Win(winner) if winner == side => i64::from(POINT),
                        Outcome::Win(_) => 0,
                        Outcome::Draw => draw,
                    };
                    earned[player].1 += 1;
                }
            }
        }
        for (individual, (points, games)) in population.iter_mut().zip(earned) {
            individual.points += points;
            individual.games += games;
        }
        trials
    }
}
