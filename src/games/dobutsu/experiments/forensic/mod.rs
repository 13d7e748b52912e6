//! Which program could have made the paper's tables? Everything that the paper leaves open is crossed, every combination is
//! played, and one likelihood tells how well it explains what was published.
//!
//! Readings are chosen on Tables 1 to 3 alone. Tables 5, 7 and 8 (the paper's evolved values against the untrained ones) are
//! kept apart to test the choice.

mod deal;
mod published;
mod report;
mod scan;

pub use published::{Published, TestNumber, Way};
pub use scan::{Finalist, Forensic, Plain, Test, run as run_forensic, steps as forensic_steps};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::experiment::must;
use crate::game::{Outcome, Referee, Side};
use crate::games::dobutsu::eval::{DobutsuEvaluator, Gene, Genome, Readings};
use crate::games::dobutsu::{Array, Position, Rules};
use crate::players::FullWidthPlayer;
use crate::random::stream;
use crate::report::{Language, Picture, TableError, TableFiles};
use crate::run::{self, Context, Experiment, ReproduceError, Text, toml_of};
use crate::search::Terminal;

/// How much is played.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ForensicWork {
    /// Where all chance comes from.
    pub seed: u64,
    /// How many of the ways to read mobility are scanned: all, but for a quick try.
    #[serde(default = "all_mobilities", skip_serializing_if = "is_all_mobilities")]
    pub mobilities: usize,
    /// Games a cell of Table 1, and of Table 2 for evaluator 1 against itself.
    pub table1_games: u32,
    /// Games a cell with evaluator 2 and without 3.
    pub mobility_games: u32,
    /// Games a cell with evaluator 3, for each of all readings.
    pub scan_games: u32,
    /// How many readings, of all arrays and endings together, are played again.
    pub finalists: usize,
    /// Games a cell for those.
    pub final_games: u32,
    /// Games for each number of Tables 5, 7 and 8.
    pub test_games: u32,
    /// How often the published numbers are dealt out anew for the null.
    pub permutations: u32,
}

impl ForensicWork {
    /// Says what makes no sense, if anything.
    fn check(&self) -> Result<(), String> {
        let games =
            [self.table1_games, self.mobility_games, self.scan_games, self.final_games, self.test_games];
        must(games.iter().all(|games| (1..=1_000_000).contains(games)), "games must be from 1 to 1000000")?;
        must((1..=36).contains(&self.mobilities), "mobilities must be from 1 to 36")?;
        must((1..=1000).contains(&self.finalists), "there must be 1 to 1000 finalists")?;
        must((1..=100_000).contains(&self.permutations), "permutations must be from 1 to 100000")
    }
}

impl Experiment<Position> for ForensicWork {
    fn check(&self) -> Result<(), String> {
        ForensicWork::check(self)
    }

    fn run(&self, context: &mut Context<'_, Position>) -> Result<run::Outcome, ReproduceError> {
        let watch = context.watch(forensic_steps(self) as u64, "steps");
        let result = context.with_store(&toml_of(self), watch, |store| run_forensic(self, store))?;
        let (files, tables) = (report::forensic_files(&result), report::forensic_markdown(&result));
        Ok(run::Outcome { files, text: Text::Tables(tables), overview: Vec::new() })
    }

    fn pictures(&self, _: &str, tables: &TableFiles, _: Language) -> Result<Vec<Picture>, TableError> {
        Ok(vec![report::forensic_picture(tables)?])
    }

    fn to_toml(&self) -> String {
        toml_of(self)
    }
}

fn all_mobilities() -> usize {
    scan::MOBILITIES
}

fn is_all_mobilities(count: &usize) -> bool {
    *count == scan::MOBILITIES
}

/// What does not depend on how the features are read: from which array, how the search treats the end of a game, and whether a
/// caught lion counts in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct World {
    /// The array.
    pub array: Array,
    /// The end of a game in the search.
    pub terminal: Terminal,
    /// Whether the untrained players count 100 for a lion in hand.
    pub lion: bool,
}

impl World {
    /// All of them. If the search knows that a catch wins, nobody asks what the lion in hand is worth.
    pub fn all() -> Vec<World> {
        let endings = [
            (Terminal::Paper, true),
            (Terminal::Paper, false),
            (Terminal::Exact, true),
            (Terminal::Through, true),
            (Terminal::Through, false),
        ];
        let with =
            |array: Array| endings.into_iter().map(move |(terminal, lion)| World { array, terminal, lion });
        Array::ALL.into_iter().flat_map(with).collect()
    }

    /// What is played today by default.
    pub fn is_default(&self) -> bool {
        *self == World { array: Array::Official, terminal: Terminal::Paper, lion: true }
    }

    fn genome(&self, genome: Genome) -> Genome {
        if self.lion { genome } else { genome.with(Gene::HandLion, 0).unwrap_or(genome) }
    }

    /// The paper's evaluator of this number (1, 2 or 3) with these readings.
    pub fn evaluator(&self, number: usize, readings: Readings) -> DobutsuEvaluator {
        let mut genome = self.genome(match number {
            1 => Genome::BASE,
            2 => Genome::MOBILITY,
            _ => Genome::FULL,
        });
        genome.readings = readings;
        DobutsuEvaluator::new(genome)
    }

    /// Plays games between two evaluators; what the first player made of them.
    pub fn play(
        &self,
        players: [(DobutsuEvaluator, u32); 2],
        games: std::ops::Range<u32>,
        seed: u64,
        group: u64,
    ) -> Counts {
        let mut counts = Counts::default();
        for game in games {
            let (outcome, _) = self.play_one(players, seed, group, game);
            counts.add(outcome);
        }
        counts
    }

    fn play_one(
        &self,
        [first, second]: [(DobutsuEvaluator, u32); 2],
        seed: u64,
        group: u64,
        game: u32,
    ) -> (Outcome, Referee<Position>) {
        let mut random = stream(seed, group, u64::from(game));
        let mut referee = Referee::new(self.array.start(Rules::Paper));
        let player = |(evaluator, depth)| FullWidthPlayer::new(evaluator, depth, self.terminal);
        let (mut first, mut second) = (player(first), player(second));
        let (verdict, _) = crate::arena::play_one(&mut referee, &mut first, &mut second, &mut random);
        (verdict.outcome, referee)
    }

    /// The same on all threads, for one pair of players with many games.
    pub fn play_many(
        &self,
        players: [(DobutsuEvaluator, u32); 2],
        games: u32,
        seed: u64,
        group: u64,
    ) -> Counts {
        let outcomes: Vec<Outcome> =
            (0..games).into_par_iter().map(|game| self.play_one(players, seed, group, game).0).collect();
        let mut counts = Counts::default();
        outcomes.into_iter().for_each(|outcome| counts.add(outcome));
        counts
    }

    /// How many different games there are among a hundred.
    pub fn distinct(&self, players: [(DobutsuEvaluator, u32); 2], seed: u64, group: u64) -> usize {
        let games: std::collections::HashSet<_> =
            (0..100).map(|game| self.play_one(players, seed, group, game).1.moves().to_vec()).collect();
        games.len()
    }
}

/// The first player's wins and losses, and draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Won by the first player.
    pub first: u32,
    /// Won by the second player.
    pub second: u32,
    /// Drawn.
    pub draws: u32,
}

impl Counts {
    fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win(Side::First) => self.first += 1,
            Outcome::Win(Side::Second) => self.second += 1,
            Outcome::Draw => self.draws += 1,
        }
    }

    /// All games.
    pub fn games(&self) -> u32 {
        self.first + self.second + self.draws
    }

    /// How likely the published wins, losses and draws are, seen these: the logarithm of the predictive probability
    /// (Dirichlet prior of a half each).
    pub fn log_likelihood(&self, published: &Counts) -> f64 {
        use statrs::function::gamma::ln_gamma;
        let classes =
            [(self.first, published.first), (self.second, published.second), (self.draws, published.draws)];
        let all = f64::from(self.games()) + 1.5;
        let count = f64::from(published.games());
        let arrangements = ln_gamma(count + 1.0)
            - classes.iter().map(|(_, theirs)| ln_gamma(f64::from(*theirs) + 1.0)).sum::<f64>();
        let classes: f64 = classes
            .iter()
            .map(|(ours, theirs)| {
                let prior = f64::from(*ours) + 0.5;
                ln_gamma(prior + f64::from(*theirs)) - ln_gamma(prior)
            })
            .sum();
        arrangements + ln_gamma(all) - ln_gamma(all + count) + classes
    }

    /// The same where only one share was published: `wins` of `games`.
    pub fn log_likelihood_of_wins(&self, wins: u32, games: u32) -> f64 {
        let ours = Counts { first: self.first, second: self.second + self.draws, draws: 0 };
        // Two classes: the third has neither games nor prior.
        use statrs::function::beta::ln_beta;
        use statrs::function::factorial::ln_binomial;
        let (a, b) = (f64::from(ours.first) + 0.5, f64::from(ours.second) + 0.5);
        ln_binomial(u64::from(games), u64::from(wins))
            + ln_beta(a + f64::from(wins), b + f64::from(games - wins))
            - ln_beta(a, b)
    }

    /// The counts with the players' roles exchanged.
    pub fn swapped(&self) -> Counts {
        Counts { first: self.second, second: self.first, draws: self.draws }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_predictive_probability_sums_to_one() {
        let ours = Counts { first: 30, second: 50, draws: 20 };
        let (mut three, mut two) = (0.0, 0.0);
        for first in 0..=20 {
            for second in 0..=20 - first {
                let published = Counts { first, second, draws: 20 - first - second };
                three += ours.log_likelihood(&published).exp();
            }
            two += ours.log_likelihood_of_wins(first, 20).exp();
        }
        assert!((three - 1.0).abs() < 1e-9 && (two - 1.0).abs() < 1e-9, "{three} {two}");
    }

    #[test]
    fn what_is_near_is_more_likely() {
        let near = Counts { first: 350, second: 500, draws: 150 };
        let far = Counts { first: 500, second: 350, draws: 150 };
        let published = Counts { first: 36, second: 49, draws: 15 };
        assert!(near.log_likelihood(&published) > far.log_likelihood(&published) + 3.0);
        assert_eq!(far.swapped(), near);
    }
}
