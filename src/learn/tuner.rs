//! The tuner's problem: weights that win games.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use super::ga::{Chromosome, Individual, Problem, Trials};
use super::oracle::{Exam, POSITIONS};
use super::{Evaluate, Fitness, MutationKind, Settings};
use crate::arena::{Conditions, opened, play_one};
use crate::game::{GeneInfo, Genome, Outcome, POINT, Referee, Side, Solutions};
use crate::parallel;
use crate::players::{Method, Playable, Player};
use crate::random::{below, stream};

/// Measures chromosomes by playing with them.
pub struct Tuner<G: Playable> {
    settings: Settings,
    genes: &'static [GeneInfo],
    untrained: Genome<G>,
}

/// A game to be played: who moves first and who second. Opponents from the hall have no number.
struct Fixture<G: Playable> {
    first: (Option<usize>, Genome<G>),
    second: (Option<usize>, Genome<G>),
}

impl<G: Playable> Tuner<G> {
    /// The problem that these settings pose.
    pub fn new(settings: &Settings) -> Tuner<G> {
        let (genes, untrained) = (settings.genes.genes(&G::WEIGHTS), Genome::untrained());
        Tuner { settings: settings.clone(), genes, untrained }
    }

    /// The genes that evolve.
    pub fn genes(&self) -> &'static [GeneInfo] {
        self.genes
    }

    /// The genome of a chromosome; genes that do not evolve are the untrained ones.
    pub fn genome(&self, chromosome: &[i32]) -> Genome<G> {
        chromosome.iter().take(self.genes.len()).enumerate().fold(self.untrained, |genome, (gene, value)| {
            genome.with_value(gene, self.bounded(*value)).expect("bounded to what a gene can be")
        })
    }

    /// The chromosome of a genome.
    pub fn chromosome(&self, genome: &Genome<G>) -> Chromosome {
        genome.values()[..self.genes.len()].to_vec()
    }

    /// Plays one game with the settings' depth and rules. `opening` are the group and the number of its opening, if games
    /// have one: two games of a pair share it.
    pub fn play(
        &self,
        first: &Genome<G>,
        second: &Genome<G>,
        opening: (u64, u64),
        random: &mut ChaCha8Rng,
    ) -> Outcome {
        let mut game = self.begin(opening);
        let (mut first, mut second) = (self.player(first), self.player(second));
        play_one(&mut game, &mut *first, &mut *second, random).0.outcome
    }

    fn begin(&self, (group, number): (u64, u64)) -> Referee<G> {
        let Settings { seed, opening_plies, .. } = self.settings;
        let (rules, array) = (self.settings.rules::<G>(), self.settings.array::<G>());
        match opening_plies {
            0 => Referee::new(G::start_from(array, rules)),
            _ => opened(&Conditions { array, opening_plies, ..Conditions::new(rules, seed) }, group, number),
        }
    }

    /// Everybody against everybody, or everybody against the hall if there is one.
    fn fixtures(&self, population: &[Individual], hall: &[Chromosome]) -> Vec<Fixture<G>> {
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

    fn player(&self, genome: &Genome<G>) -> Box<dyn Player<G>> {
        let settings = &self.settings;
        G::Method::plain(settings.depth, settings.terminal(), settings.evaluate() == Evaluate::Path)
            .player(G::evaluator(genome))
    }

    /// A point for each position in which the candidate's move keeps what the solved game says.
    ///
    /// # Panics
    /// If there is no table of the settings' rules; whoever begins a run makes sure of that.
    fn examine(&self, population: &mut [Individual], generation: u32) -> Trials {
        let Settings { fix_side, seed, .. } = self.settings;
        let solution = G::Solutions::at(None)
            .get(self.settings.rules::<G>())
            .expect("the table was there when the run began");
        let exam = Exam::new(solution, fix_side, seed, generation);
        let mark = |individual: &Individual| {
            exam.mark(&mut *self.player(&self.genome(&individual.genes)), seed, generation)
        };
        let marks = parallel::map(population, |_, individual| mark(individual));
        for (individual, mark) in population.iter_mut().zip(marks) {
            individual.points += mark * i64::from(POINT);
            individual.games += POSITIONS as u32;
        }
        Trials { games: (population.len() * POSITIONS) as u64, draws: 0 }
    }

    fn outcome(&self, fixture: &Fixture<G>, generation: u32, game: usize) -> Outcome {
        let mut random = stream(self.settings.seed, u64::from(generation), game as u64);
        match self.settings.fitness {
            Fitness::Tournament | Fitness::Oracle => {
                // Games are listed pair by pair, the two of a pair side by side.
                let opening = (u64::from(generation), game as u64 / 2);
                self.play(&fixture.first.1, &fixture.second.1, opening, &mut random)
            }
            Fitness::Random => Outcome::Win(Side::BOTH[below(&mut random, 2)]),
        }
    }
}

impl<G: Playable> Problem for Tuner<G> {
    fn genes(&self) -> usize {
        self.genes.len()
    }

    /// A random share of the untrained value; where that is nothing, a random share of one point. Of either sign where weights
    /// have one.
    fn first_gene(&self, gene: usize, random: &mut ChaCha8Rng) -> i32 {
        let base = i32::from(self.genes[gene].first.max(1)) * POINT;
        let share = ((u64::from(random.next_u32()) * (base as u64 + 1)) >> 32) as i32;
        match G::WEIGHTS.scale.least < 0 && below(random, 2) == 0 {
            true => -share,
            false => share,
        }
    }

    fn mutated_gene(&self, _: usize, old: i32, random: &mut ChaCha8Rng) -> i32 {
        let range = self.settings.mutation_range;
        let anything = |random: &mut ChaCha8Rng| {
            range.low * POINT + below(random, ((range.high - range.low) * POINT + 1) as usize) as i32
        };
        match self.settings.mutation_kind {
            MutationKind::Uniform => anything(random),
            MutationKind::Step if below(random, 10) == 0 => anything(random),
            // Half to double, so that small and large genes move alike, and a nudge so that nought can be left.
            MutationKind::Step => {
                let scaled = i64::from(old) * (500 + below(random, 1500) as i64) / 1000;
                let nudge = i64::from(G::WEIGHTS.scale.nudge);
                let shifted = scaled + below(random, 2 * nudge as usize + 1) as i64 - nudge;
                shifted.clamp(i64::from(range.low * POINT), i64::from(range.high * POINT)) as i32
            }
        }
    }

    fn bounded(&self, value: i32) -> i32 {
        value.clamp(Genome::<G>::MIN, Genome::<G>::MAX)
    }

    fn measure(&self, population: &mut [Individual], hall: &[Chromosome], generation: u32) -> Trials {
        let settings = &self.settings;
        if settings.fitness == Fitness::Oracle {
            return self.examine(population, generation);
        }
        let fixtures = self.fixtures(population, hall);
        let outcomes = parallel::map(&fixtures, |game, fixture| self.outcome(fixture, generation, game));
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
