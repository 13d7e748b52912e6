//! Experiment files.

use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::files;
use crate::game::{Game, GameTag, Genome, Side, is_only};
use crate::learn::{Declared, Settings, table_of};
use crate::players::{GameInfo, Playable, PlayerSpec, SpecError};
use crate::random::MOST_SEED;

/// What an experiment says of itself.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Prose {
    /// One line.
    pub title: String,
    /// What is asked.
    pub question: String,
    /// What came out, in prose (Markdown).
    pub analysis: String,
    /// The question in one sentence, for overviews.
    #[serde(default)]
    pub asks: String,
    /// What came out in one sentence, for overviews.
    #[serde(default)]
    pub finds: String,
}

/// Every player of a list as first player against every player of the list as second, or against some of them.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, bound = "G: Game")]
pub struct Grid<G: Game> {
    /// What the paper's table shows.
    pub measure: Measure,
    /// How many games in each cell.
    pub games: usize,
    /// Where all chance comes from.
    pub seed: u64,
    /// By which rules.
    pub rules: G::Rules,
    /// From which array.
    #[serde(default, skip_serializing_if = "is_only")]
    pub array: G::Array,
    /// A game is drawn after this many plies.
    pub ply_cap: usize,
    /// Whether the game's rule about repeated positions holds.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub repetition: bool,
    /// The players, in the player grammar.
    pub players: Vec<String>,
    /// Whether the summary names cells in which most games are copies of others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub copies: bool,
    /// How many of them, from the first on, play second: the rows of the table. All, if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<usize>,
    /// What the table calls them.
    pub labels: Vec<String>,
    /// Which of the players are reconstructions of what the paper had: of these no verdict is possible.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reconstructions: Vec<String>,
    /// How many games each of the paper's cells stands for.
    pub paper_games: u64,
    /// The paper's percentages, a list for each row (second player); `nan` where the paper has none.
    pub paper: Vec<Vec<f64>>,
}

fn yes() -> bool {
    true
}

/// Whose wins a table shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// The first player's.
    FirstWins,
    /// The second player's.
    SecondWins,
    /// The first player's, of the games that were not drawn.
    FirstDecided,
}

impl Measure {
    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Measure::FirstWins => "first player wins",
            Measure::SecondWins => "second player wins",
            Measure::FirstDecided => "first player wins of decided games",
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
    pub settings: Settings,
    /// Whom the champions meet afterwards, beside the untrained values, in fresh games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rivals: Vec<String>,
    /// What the paper's single run gave, if it has one.
    #[serde(default, skip_serializing_if = "PaperRun::is_none")]
    pub paper: PaperRun,
}

impl TunerWork {
    /// All that decides what comes out for a seed: the settings, and whom the champions meet.
    pub fn identity(&self) -> String {
        match &self.rivals[..] {
            [] => self.settings.to_toml(),
            rivals => format!("{}rivals = {rivals:?}\n", self.settings.to_toml()),
        }
    }
}

/// Replaces what a file says of the tuner's settings by all of them.
pub fn complete_settings(game: &GameInfo, settings: &mut toml::Value) -> Result<(), String> {
    let mut given = settings.as_table().cloned().unwrap_or_default();
    // The experiment has said which game it is.
    given.entry("game").or_insert_with(|| game.name.into());
    *settings = table_of(&Settings::from_table(game, given)?).into();
    Ok(())
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

/// What the paper says of one run of the tuner; nothing, where there is no such paper.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PaperRun {
    /// Which of its tables.
    pub table: String,
    /// The piece values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub genes: Vec<u32>,
    /// The weights, where they are no whole numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<f64>,
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

/// What an experiment of the kind `tuner` says of the published run.
#[derive(Deserialize)]
struct PublishedRun {
    paper: PaperRun,
}

impl PaperRun {
    /// What the paper's run for this side (or both) gave.
    pub fn of<G: Playable>(fixed: Option<Side>) -> PaperRun {
        let published = G::OFFER.published.iter().find(|(side, _)| *side == fixed);
        let Some((_, name)) = published else { return PaperRun::default() };
        built_in_settings::<G, PublishedRun>(name, "tuner").paper
    }

    /// Whether there is no such run.
    pub fn is_none(&self) -> bool {
        *self == PaperRun::default()
    }

    /// The value of a gene, by its number, if the paper has it.
    pub fn gene(&self, gene: usize) -> Option<f64> {
        let whole = self.genes.get(gene).copied().map(f64::from);
        whole.or_else(|| self.weights.get(gene).copied())
    }

    /// When a gene froze.
    pub fn frozen_at(&self, gene: usize) -> Option<u32> {
        self.frozen.get(gene).copied()
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
    #[error("there is no experiment '{name}': choose {names}, all, or the path of a .toml file")]
    Unknown { name: String, names: String },
    #[error("the experiment file '{path}' cannot be read: {error}")]
    Unreadable { path: String, error: std::io::Error },
    #[error("the experiment '{name}' is not understood: {error}")]
    Syntax { name: String, error: String },
    #[error("the experiment '{name}' makes no sense: {why}")]
    Nonsense { name: String, why: String },
}

/// The names of the experiments that come with a game, as a person types them and as their folders under `results` are called:
/// `table1`, `kyoto/table6`.
pub fn built_in_names<G: Playable>() -> Vec<String> {
    G::OFFER.experiments.iter().map(|(name, _)| full_name::<G>(name)).collect()
}

fn full_name<G: Playable>(name: &str) -> String {
    if GameTag::<G>::default().is_unsaid() { name.to_string() } else { format!("{}/{name}", G::NAME) }
}

/// The full name and the text of an experiment that comes with a game.
pub fn built_in<G: Playable>(name: &str) -> Result<(String, &'static str), DefinitionError> {
    let known = |(known, _): &&(&str, &str)| *known == name || full_name::<G>(known) == name;
    match G::OFFER.experiments.iter().find(known) {
        Some((known, text)) => Ok((full_name::<G>(known), text)),
        None => {
            let names = built_in_names::<G>().join(", ");
            Err(DefinitionError::Unknown { name: name.to_string(), names })
        }
    }
}

/// What an experiment that comes with a game says of itself: without its players and networks it is read in no time.
pub fn built_in_prose<G: Playable>(name: &str) -> Option<Prose> {
    toml::from_str(built_in::<G>(name).ok()?.1).ok()
}

/// The settings of an experiment that comes with a game, which are those of this kind.
///
/// # Panics
/// Panics if there is no such experiment, or if it is of another kind.
pub fn built_in_settings<G: Playable, W: DeserializeOwned>(name: &str, kind: &str) -> W {
    let read = || {
        let mut table: toml::Table = built_in::<G>(name).ok()?.1.parse().ok()?;
        table.remove(kind)?.try_into().ok()
    };
    read().unwrap_or_else(|| panic!("there is no {kind} experiment '{name}'"))
}

/// The text of an experiment file, and the name of its results.
pub fn read_experiment(path: &str) -> Result<(String, String), DefinitionError> {
    let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or("experiment");
    let text = files::read_text(path.as_ref())
        .map_err(|error| DefinitionError::Unreadable { path: path.to_string(), error })?;
    Ok((stem.to_string(), text))
}

pub(crate) fn must(holds: bool, why: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why.to_string()) }
}

impl<G: Playable> Grid<G> {
    /// Says what makes no sense, if anything.
    pub fn check(&self) -> Result<(), String> {
        let (size, rows) = (self.players.len(), self.rows());
        let square = self.paper.len() == rows && self.paper.iter().all(|row| row.len() == size);
        let shape = format!("{size} players need {size} labels and {rows} rows of {size} paper values");
        must(square && self.labels.len() == size, &shape)?;
        must((1..=size).contains(&rows), "seconds must be from 1 to the number of players")?;
        let percent = |value: &f64| value.is_nan() || (0.0..=100.0).contains(value);
        must(self.paper.iter().flatten().all(percent), "a paper value is no percentage")?;
        must((1..=1_000_000).contains(&self.games), "games must be from 1 to 1000000")?;
        must((1..=1_000_000).contains(&self.paper_games), "paper_games must be from 1 to 1000000")?;
        must((1..=10_000).contains(&self.ply_cap), "ply_cap must be from 1 to 10000")?;
        must((1..=20).contains(&size), "there must be 1 to 20 players")?;
        let played = |name: &String| self.players.contains(name);
        must(self.reconstructions.iter().all(played), "a reconstruction must be one of the players")?;
        self.players().map(|_| ()).map_err(|error| error.to_string())
    }

    /// How many players play second: the rows of the table.
    pub fn rows(&self) -> usize {
        self.seconds.unwrap_or(self.players.len())
    }

    /// How many games there are.
    pub fn all_games(&self) -> usize {
        self.games * self.players.len() * self.rows()
    }

    /// Whether this plays the very games of another grid.
    pub fn plays_the_same(&self, other: &Grid<G>) -> bool {
        let games = |grid: &Grid<G>| Grid {
            measure: self.measure,
            labels: self.labels.clone(),
            paper_games: self.paper_games,
            paper: Vec::new(),
            reconstructions: Vec::new(),
            ..grid.clone()
        };
        games(self) == games(other)
    }

    /// The players, ready to play.
    pub fn players(&self) -> Result<Vec<PlayerSpec<G>>, SpecError> {
        self.players.iter().map(|text| text.parse()).collect()
    }
}

impl TunerWork {
    /// Whether it makes a figure again: the paper tells a gene's values there, and no strength.
    pub fn is_figure(&self) -> bool {
        let paper = &self.paper;
        !paper.is_none() && paper.first.is_none() && paper.second.is_none()
    }

    /// Says what makes no sense, if anything.
    pub fn check<G: Playable>(&self) -> Result<(), String> {
        let genes = self.paper.is_none() || self.paper.genes.len() == G::WEIGHTS.material;
        must(genes, &format!("the paper's run has {} genes", G::WEIGHTS.material))?;
        let known = |name: &String| Genome::<G>::names().any(|known| known == name);
        must(self.rivals.iter().all(known), "a rival must be one of the genomes that come with the program")?;
        self.settings.check(&GameInfo::of::<G>())
    }
}

impl CurveWork {
    /// Says what makes no sense, if anything.
    pub fn check(&self) -> Result<(), String> {
        must((2..=1000).contains(&self.population), "the population must be from 2 to 1000")?;
        must((1..=self.population).contains(&self.elite), "the elite must be from 1 to the population")?;
        must((1..=100_000).contains(&self.generations), "the generations must be from 1 to 100000")?;
        must(self.mutations.iter().all(|share| (0.0..=1.0).contains(share)), "a mutation must be from 0 to 1")
    }
}
