//! Deep Q-learning in several ways, each with many seeds: what does a difference contribute?

use serde::{Deserialize, Serialize};

use super::report::{DqnReport, dqn_pictures};
use super::settings::game;
use super::{Block, Dqn, DqnSettings, EpisodeRow, blocks};
use crate::arena::{Conditions, Tally};
use crate::experiment::{DuelPair, DuelsWork, SeedRange, run_duel};
use crate::game::BySide;
use crate::games::hasami::{Position, Rules, network_player};
use crate::learn::Declared;
use crate::players::{PlayerSpec, SpecError};
use crate::report::{Language, Picture, TableError, TableFiles};
use crate::run::{Context, Experiment, Outcome, ReproduceError, Text, processor_line, toml_of};

/// Many runs of the learner.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DqnWork {
    /// Which seeds.
    pub seeds: SeedRange,
    /// How many games each network plays afterwards against each of the others.
    pub validation_games: usize,
    /// With how many random moves those begin.
    pub opening_plies: usize,
    /// Whom the networks meet.
    pub against: Vec<String>,
    /// In which ways they learn.
    pub runs: Vec<DqnRun>,
}

/// One way to learn.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DqnRun {
    /// In a few words.
    pub name: String,
    /// The settings, of which only what differs from the preset is given.
    #[serde(deserialize_with = "settings")]
    pub settings: DqnSettings,
}

fn settings<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<DqnSettings, D::Error> {
    DqnSettings::from_table(&game(), toml::Table::deserialize(deserializer)?)
        .map_err(serde::de::Error::custom)
}

/// How one run with one seed went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DqnResult {
    /// The number of the run.
    pub run: usize,
    /// Its seed.
    pub seed: u64,
    /// How many batches were learned.
    pub updates: u64,
    /// Why there is no network, if there is none.
    pub failed: Option<String>,
    /// Score, reward and error, means over blocks of games.
    pub curve: Vec<[f64; 4]>,
    /// Against each opponent: wins, draws and losses moving first, then moving second. None if it failed.
    pub met: Vec<[[u64; 3]; 2]>,
}

/// A curve has at most so many points.
const POINTS: usize = 50;

impl DqnWork {
    fn check(&self) -> Result<(), String> {
        if self.runs.is_empty() || self.against.is_empty() {
            return Err("it needs runs, and players whom the networks meet".to_string());
        }
        self.runs.iter().try_for_each(|run| run.settings.check(&game()))?;
        // The same bounds as for duels.
        let pair = |against: &String| DuelPair::new("", "random", against);
        let pairs = self.against.iter().map(pair).collect();
        let (games, opening_plies) = (self.validation_games, self.opening_plies);
        DuelsWork::<Position>::new(games, 0, Rules::Report, opening_plies, pairs).check()
    }

    /// Every run with every seed.
    pub fn all(&self) -> Vec<(usize, u64)> {
        let seeds = |run: usize| self.seeds.seeds().map(move |seed| (run, seed));
        (0..self.runs.len()).flat_map(seeds).collect()
    }

    /// Learns, and meets the others, on all threads of the current rayon pool.
    pub fn run(&self, run: usize, seed: u64) -> DqnResult {
        let settings = DqnSettings { seed, ..self.runs[run].settings.clone() };
        let mut result = DqnResult { run, seed, ..DqnResult::default() };
        result.failed = self.learn_and_meet(&settings, &mut result).err();
        result
    }

    fn learn_and_meet(&self, settings: &DqnSettings, result: &mut DqnResult) -> Result<(), String> {
        let against: Result<Vec<PlayerSpec<Position>>, SpecError> =
            self.against.iter().map(|text| text.parse()).collect();
        let against = against.map_err(|error| error.to_string())?;
        let mut learner = Dqn::new(settings).map_err(|error| error.to_string())?;
        while !learner.is_finished() {
            let learned = learner.episode();
            (result.updates, result.curve) = (learner.updates, curve(&learner.rows));
            learned.map_err(|error| error.to_string())?;
        }
        let conditions = meeting(settings.seed, self.opening_plies);
        let network = network_player(&learner.network);
        let meet = |other: PlayerSpec<Position>| {
            let players = [network.clone(), other];
            let BySide { first, second } =
                run_duel(&players, self.validation_games, &conditions, &|| ()).sides;
            [first, second].map(|Tally { wins, draws, losses }| [wins, draws, losses])
        };
        result.met = against.into_iter().map(meet).collect();
        Ok(())
    }
}

impl Experiment<Position> for DqnWork {
    fn check(&self) -> Result<(), String> {
        DqnWork::check(self)
    }

    fn run(&self, context: &mut Context<'_, Position>) -> Result<Outcome, ReproduceError> {
        let key = |(run, seed): &(usize, u64)| format!("run-{run}-seed-{seed}");
        let run = |(run, seed): &(usize, u64)| Ok(DqnWork::run(self, *run, *seed));
        let results = context.run_kept(&toml_of(self), &self.all(), key, run)?;
        let report = DqnReport { work: self, results: &results };
        let (files, overview) = (report.files(), report.overview());
        Ok(Outcome { files, text: Text::Tables(report.markdown()), overview })
    }

    fn pictures(&self, title: &str, tables: &TableFiles, _: Language) -> Result<Vec<Picture>, TableError> {
        dqn_pictures(title, self, tables)
    }

    fn to_toml(&self) -> String {
        toml_of(self)
    }

    fn notes(&self) -> String {
        let mut lines: Vec<String> = self.runs.iter().map(|run| run.settings.describe_opponents()).collect();
        lines.dedup();
        lines.concat() + &processor_line()
    }
}

/// Under what conditions a network that was trained with a seed meets others.
pub fn meeting(seed: u64, opening_plies: usize) -> Conditions<Position> {
    // Apart from the seeds of learning.
    Conditions { opening_plies, ..Conditions::new(Rules::Report, seed ^ 1 << 40) }
}

/// The last game of each block, and means over the block: score, reward, error.
fn curve(rows: &[EpisodeRow]) -> Vec<[f64; 4]> {
    let point = |block: Block| [f64::from(block.episode), block.score, block.reward, block.loss];
    blocks(rows, POINTS).into_iter().map(point).collect()
}
