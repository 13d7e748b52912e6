//! Several ways to set up the tuner, each with the same seeds: which finds the better values in as many games?

use serde::{Deserialize, Serialize};

use super::{Grader, SeedRange, Source, Tuning, run_duel};
use crate::arena::{Conditions, Openings, Tally};
use crate::game::{Genome, Solution};
use crate::learn::{Declared, Settings};
use crate::players::{GameInfo, Playable, PlayerSpec};

/// Ways to be compared, and how.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ArmsWork {
    /// With which seeds each of them is run.
    pub seeds: SeedRange,
    /// How many games every champion plays against the untrained values.
    pub games: usize,
    /// From how many random moves on; what is reached is drawn with perfect play.
    pub opening_plies: usize,
    /// In how many positions of its own games a champion's moves are judged.
    pub positions: usize,
    /// The ways.
    pub arms: Vec<Arm>,
}

/// One way to set up the tuner.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// What the table calls it.
    pub name: String,
    /// Everything but the seed.
    pub settings: Settings,
}

/// How one way fared with one seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArmResult {
    /// The number of the way.
    pub arm: usize,
    /// The seed.
    pub seed: u64,
    /// How many generations there were.
    pub generations: u32,
    /// How many games were played, those included in which the champion was chosen.
    pub games: u64,
    /// Wins, draws and losses against the untrained values.
    pub strength: [u64; 3],
    /// In how many won or drawn positions the champion kept what there was.
    pub kept: u64,
    /// Out of how many.
    pub kept_of: u64,
}

impl ArmResult {
    /// The champion's score against the untrained values.
    pub fn score(&self) -> f64 {
        let [wins, draws, losses] = self.strength;
        Tally { wins, draws, losses }.score()
    }

    /// How often the champion kept what there was.
    pub fn keeps(&self) -> f64 {
        self.kept as f64 / self.kept_of.max(1) as f64
    }
}

impl ArmsWork {
    /// Every way with every seed.
    pub fn all(&self) -> Vec<(usize, u64)> {
        let seeds = |arm| self.seeds.seeds().map(move |seed| (arm, seed));
        (0..self.arms.len()).flat_map(seeds).collect()
    }

    /// By whose rules: all ways must have the same.
    pub fn rules<G: Playable>(&self) -> G::Rules {
        self.arms.first().map_or(G::Rules::default(), |arm| arm.settings.rules::<G>())
    }

    /// Runs one way with one seed to its end, and measures its champion.
    pub fn run<G: Playable>(&self, arm: usize, seed: u64, solution: &dyn Solution<G>) -> ArmResult {
        let settings = Settings { seed, ..self.arms[arm].settings.clone() };
        let mut tuning = Tuning::<G>::new(&settings);
        let mut games = 0;
        while !tuning.is_finished() {
            games += tuning.advance().iter().map(|generation| generation.trials.games).sum::<u64>();
        }
        let player = |name: &str, genome: Genome<G>| PlayerSpec::searching(name, genome, settings.depth);
        let champion = player("champion", tuning.champion());
        let conditions = Conditions {
            opening_plies: self.opening_plies,
            openings: Openings::Drawn,
            ..Conditions::new(settings.rules::<G>(), seed)
        };
        let pair = [champion.clone(), player("untrained", Genome::untrained())];
        let Tally { wins, draws, losses } = run_duel(&pair, self.games, &conditions, &|| ()).tally();
        let grader = Grader { solution, seed, positions: self.positions, seeds: 1 };
        let grade = grader.grade(&champion, Source::OwnGames).expect("our own players do not fail");
        ArmResult {
            arm,
            seed,
            generations: tuning.generations(),
            games: games + tuning.choosing_games(),
            strength: [wins, draws, losses],
            kept: grade.kept.count(),
            kept_of: grade.kept.out_of(),
        }
    }

    /// Says what makes no sense, if anything.
    pub fn check(&self, game: &GameInfo) -> Result<(), String> {
        let even = self.games.is_multiple_of(2) && (2..=1_000_000).contains(&self.games);
        let positions = (1..=1_000_000).contains(&self.positions);
        if !even || !positions || !(1..=20).contains(&self.opening_plies) || self.arms.is_empty() {
            return Err(
                "it needs an even number of games, 1 to 20 random moves, positions, and an arm".to_string()
            );
        }
        if self.arms.iter().any(|arm| arm.settings.rules != self.arms[0].settings.rules) {
            return Err("all arms must have the same rules".to_string());
        }
        self.arms
            .iter()
            .try_for_each(|arm| arm.settings.check(game).map_err(|error| format!("{}: {error}", arm.name)))
    }
}
