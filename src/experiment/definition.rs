//! Experiment files.

use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::forensic::ForensicWork;
use crate::eval::Gene;
use crate::games::Side;
use crate::games::dobutsu::{Array, Rules};
use crate::learn::Settings;
use crate::players::{PlayerSpec, SpecError};
use crate::random::MOST_SEED;

/// The experiments that come with the program.
const BUILT_IN: [(&str, &str); 16] = [
    ("table1", include_str!("../../experiments/table1.toml")),
    ("table2", include_str!("../../experiments/table2.toml")),
    ("table3", include_str!("../../experiments/table3.toml")),
    ("table5", include_str!("../../experiments/table5.toml")),
    ("table7", include_str!("../../experiments/table7.toml")),
    ("table8", include_str!("../../experiments/table8.toml")),
    ("table5-exact", include_str!("../../experiments/table5-exact.toml")),
    ("table7-exact", include_str!("../../experiments/table7-exact.toml")),
    ("table8-exact", include_str!("../../experiments/table8-exact.toml")),
    ("figure2", include_str!("../../experiments/figure2.toml")),
    ("figure3", include_str!("../../experiments/figure3.toml")),
    ("figure15", include_str!("../../experiments/figure15.toml")),
    ("robust", include_str!("../../experiments/robust.toml")),
    ("robust-full", include_str!("../../experiments/robust-full.toml")),
    ("oracle", include_str!("../../experiments/oracle.toml")),
    ("forensic", include_str!("../../experiments/forensic.toml")),
];

/// What an experiment file can say, and which of that is work to be done.
const KEYS: [&str; 8] = ["title", "question", "analysis", "slow", "grid", "tuner", "curve", "forensic"];
const WORKS: &[&str] = KEYS.split_at(4).1;

/// A question of the paper and how it is answered.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Definition {
    /// The name of its folder under `results`.
    #[serde(skip)]
    pub name: String,
    /// One line.
    pub title: String,
    /// What is asked.
    pub question: String,
    /// What came out, in prose (Markdown).
    pub analysis: String,
    /// Whether it takes so long that `reproduce all` leaves it out.
    #[serde(default)]
    pub slow: bool,
    /// What is done.
    #[serde(flatten)]
    pub work: Work,
}

/// What an experiment does.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(clippy::large_enum_variant)] // There is one at a time.
pub enum Work {
    /// Plays players against each other.
    Grid(Grid),
    /// Runs the tuner with many seeds.
    Tuner(TunerWork),
    /// Lets the genetic algorithm follow a curve, with many seeds.
    Curve(CurveWork),
    /// Crosses everything that the paper leaves open.
    Forensic(ForensicWork),
}

/// Every player of a list as first player against every player of the list as second.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// What the paper's table shows.
    pub measure: Measure,
    /// How many games in each cell.
    pub games: usize,
    /// Where all chance comes from.
    pub seed: u64,
    /// By which rules.
    pub rules: Rules,
    /// From which array.
    #[serde(default)]
    pub array: Array,
    /// A game is drawn after this many plies.
    pub ply_cap: usize,
    /// The players, in the player grammar.
    pub players: Vec<String>,
    /// What the table calls them.
    pub labels: Vec<String>,
    /// How many games each of the paper's cells stands for.
    pub paper_games: u64,
    /// The paper's percentages, a list for each row (second player); `nan` where the paper has none.
    pub paper: Vec<Vec<f64>>,
}

/// Whose wins a table shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// The first player's.
    FirstWins,
    /// The second player's.
    SecondWins,
}

impl Measure {
    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Measure::FirstWins => "first player wins",
            Measure::SecondWins => "second player wins",
        }
    }
}

/// Many runs of the tuner.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TunerWork {
    /// Which seeds.
    pub seeds: SeedRange,
    /// Whether coin tosses are run beside.
    pub null: bool,
    /// Everything else; what is not given is the paper's.
    #[serde(default, deserialize_with = "settings")]
    pub settings: Settings,
    /// What the paper's single run gave.
    pub paper: PaperRun,
}

fn settings<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Settings, D::Error> {
    Settings::from_table(toml::Table::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}

/// Warm-up runs.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CurveWork {
    /// Which seeds.
    pub seeds: SeedRange,
    /// How many candidates there are.
    pub population: usize,
    /// How many of the best live on and are parents.
    pub elite: usize,
    /// One curve for each of these.
    pub mutations: Vec<f64>,
    /// How long.
    pub generations: u32,
}

/// What the paper says of one run of the tuner.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PaperRun {
    /// Which of its tables.
    pub table: String,
    /// The nine values.
    pub genes: Vec<u32>,
    /// The generations at which they froze.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frozen: Vec<u32>,
    /// Against the untrained values, moving first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<PaperStrength>,
    /// Against the untrained values, moving second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second: Option<PaperStrength>,
}

/// How the paper's champion fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PaperStrength {
    /// Games won, in percent.
    pub wins: u32,
    /// Games drawn, in percent.
    pub draws: u32,
    /// How many games.
    pub games: u64,
}

impl PaperRun {
    /// What the paper's run for this side (or both) gave.
    pub fn of(fixed: Option<Side>) -> PaperRun {
        let name = match fixed {
            None => "table5",
            Some(Side::First) => "table7",
            Some(Side::Second) => "table8",
        };
        match Definition::find(name).expect("the built-in experiments are in order").work {
            Work::Tuner(work) => work.paper,
            _ => unreachable!("these tables are runs of the tuner"),
        }
    }

    /// The value of a gene, if it is one of the nine.
    pub fn gene(&self, gene: Gene) -> Option<u32> {
        self.genes.get(gene as usize).copied()
    }

    /// When a gene froze.
    pub fn frozen_at(&self, gene: Gene) -> Option<u32> {
        self.frozen.get(gene as usize).copied()
    }

    /// How the champion fared on a side.
    pub fn strength(&self, side: Side) -> Option<PaperStrength> {
        match side {
            Side::First => self.first,
            Side::Second => self.second,
        }
    }
}

/// Seeds from one to another, both included, written `1..30`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct SeedRange(RangeInclusive<u64>);

impl SeedRange {
    /// The seeds.
    pub fn seeds(&self) -> RangeInclusive<u64> {
        self.0.clone()
    }
}

impl FromStr for SeedRange {
    type Err = String;
    fn from_str(text: &str) -> Result<SeedRange, String> {
        let wrong = || format!("'{text}' is no range of at most 10000 seeds, as in 1..100");
        let (first, last) = text.split_once("..").ok_or_else(wrong)?;
        let (first, last): (u64, u64) =
            (first.parse().map_err(|_| wrong())?, last.parse().map_err(|_| wrong())?);
        if first > last || last > MOST_SEED || last - first >= 10_000 {
            Err(wrong())
        } else {
            Ok(SeedRange(first..=last))
        }
    }
}

impl TryFrom<String> for SeedRange {
    type Error = String;
    fn try_from(text: String) -> Result<SeedRange, String> {
        text.parse()
    }
}

impl From<SeedRange> for String {
    fn from(range: SeedRange) -> String {
        format!("{}..{}", range.0.start(), range.0.end())
    }
}

/// What is wrong with an experiment.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum DefinitionError {
    #[error("there is no experiment '{name}': choose {}, all, or the path of a .toml file", Definition::names().join(", "))]
    Unknown { name: String },
    #[error("the experiment file '{path}' cannot be read: {error}")]
    Unreadable { path: String, error: std::io::Error },
    #[error("the experiment '{name}' is not understood: {error}")]
    Syntax { name: String, error: String },
    #[error("the experiment '{name}' makes no sense: {why}")]
    Nonsense { name: String, why: String },
}

impl Definition {
    /// The names of the built-in experiments.
    pub fn names() -> Vec<&'static str> {
        BUILT_IN.iter().map(|(name, _)| *name).collect()
    }

    /// An experiment by its name, or from a file by its path.
    pub fn find(name: &str) -> Result<Definition, DefinitionError> {
        if let Some((name, text)) = BUILT_IN.iter().find(|(built_in, _)| *built_in == name) {
            return Definition::parse(name, text);
        }
        let path = Path::new(name);
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        match (path.extension().is_some_and(|extension| extension == "toml"), stem) {
            (true, Some(stem)) => {
                let text = std::fs::read_to_string(path)
                    .map_err(|error| DefinitionError::Unreadable { path: name.to_string(), error })?;
                Definition::parse(stem, &text)
            }
            _ => Err(DefinitionError::Unknown { name: name.to_string() }),
        }
    }

    /// Reads and checks the text of an experiment file.
    pub fn parse(name: &str, text: &str) -> Result<Definition, DefinitionError> {
        let syntax = |error: toml::de::Error| DefinitionError::Syntax {
            name: name.to_string(),
            error: error.message().lines().collect::<Vec<_>>().join(" "),
        };
        let table: toml::Table = text.parse().map_err(syntax)?;
        let nonsense = |why: String| DefinitionError::Nonsense { name: name.to_string(), why };
        // The flattened work keeps serde from refusing these itself.
        if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(nonsense(format!("'{key}' is not one of {}", KEYS.join(", "))));
        }
        if WORKS.iter().filter(|work| table.contains_key(**work)).count() != 1 {
            return Err(nonsense(format!("it needs just one of {}", WORKS.join(", "))));
        }
        let mut definition: Definition = table.try_into().map_err(syntax)?;
        definition.name = name.to_string();
        let checked = match &definition.work {
            Work::Grid(grid) => grid.check(),
            Work::Tuner(work) => work.check(),
            Work::Curve(work) => work.check(),
            Work::Forensic(work) => work.check(),
        };
        checked.map_err(nonsense)?;
        Ok(definition)
    }
}

fn must(holds: bool, why: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why.to_string()) }
}

impl Grid {
    fn check(&self) -> Result<(), String> {
        let size = self.players.len();
        let square = self.paper.len() == size && self.paper.iter().all(|row| row.len() == size);
        let shape = format!("{size} players need {size} labels and {size} rows of {size} paper values");
        must(square && self.labels.len() == size, &shape)?;
        let percent = |value: &f64| value.is_nan() || (0.0..=100.0).contains(value);
        must(self.paper.iter().flatten().all(percent), "a paper value is no percentage")?;
        must((1..=1_000_000).contains(&self.games), "games must be from 1 to 1000000")?;
        must((1..=1_000_000).contains(&self.paper_games), "paper_games must be from 1 to 1000000")?;
        must((1..=10_000).contains(&self.ply_cap), "ply_cap must be from 1 to 10000")?;
        must((1..=20).contains(&size), "there must be 1 to 20 players")?;
        self.players().map(|_| ()).map_err(|error| error.to_string())
    }

    /// Whether this plays the very games of another grid.
    pub fn plays_the_same(&self, other: &Grid) -> bool {
        let games = |grid: &Grid| Grid {
            measure: self.measure,
            labels: self.labels.clone(),
            paper_games: self.paper_games,
            paper: Vec::new(),
            ..grid.clone()
        };
        games(self) == games(other)
    }

    /// The players, ready to play.
    pub fn players(&self) -> Result<Vec<PlayerSpec>, SpecError> {
        self.players.iter().map(|text| text.parse()).collect()
    }
}

impl TunerWork {
    fn check(&self) -> Result<(), String> {
        must(self.paper.genes.len() == Gene::MATERIAL.len(), "the paper's run has nine genes")?;
        self.settings.check().map_err(|error| error.to_string())
    }
}

impl ForensicWork {
    fn check(&self) -> Result<(), String> {
        let games =
            [self.table1_games, self.mobility_games, self.scan_games, self.final_games, self.test_games];
        must(games.iter().all(|games| (1..=1_000_000).contains(games)), "games must be from 1 to 1000000")?;
        must((1..=36).contains(&self.mobilities), "mobilities must be from 1 to 36")?;
        must((1..=1000).contains(&self.finalists), "there must be 1 to 1000 finalists")?;
        must((1..=100_000).contains(&self.permutations), "permutations must be from 1 to 100000")
    }
}

impl CurveWork {
    fn check(&self) -> Result<(), String> {
        must((2..=1000).contains(&self.population), "the population must be from 2 to 1000")?;
        must((1..=self.population).contains(&self.elite), "the elite must be from 1 to the population")?;
        must((1..=100_000).contains(&self.generations), "the generations must be from 1 to 100000")?;
        must(self.mutations.iter().all(|share| (0.0..=1.0).contains(share)), "a mutation must be from 0 to 1")
    }
}
