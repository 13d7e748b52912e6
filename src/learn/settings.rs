//! Everything that can be set about a run of the tuner. The defaults are the paper's.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::ga::{Convergence, Crossover, Plan, Probability, Topology};
use crate::game::{Game, GameTag, GeneInfo, POINT, Side, Weighted, has_three_decimals, is_only, or_list};
use crate::random::MOST_SEED;
use crate::search::Terminal;

/// How many generations a run has at most if it may stop by itself.
const MOST_GENERATIONS: u32 = 5_000;
/// How many generations the paper ran with a fixed side.
const FIXED_SIDE_GENERATIONS: u32 = 1_600;

/// What a run is, apart from its folder and its threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default, bound = "G: Weighted")]
#[allow(missing_docs)] // Explained to users by the options of the same names.
pub struct Settings<G: Game> {
    /// By which version of the program the run was made.
    pub version: String,
    #[serde(skip_serializing_if = "GameTag::is_unsaid")]
    pub game: GameTag<G>,
    pub preset: Preset,
    pub seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generations: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix_side: Option<Side>,
    pub population: usize,
    pub elite: usize,
    pub survivors: usize,
    pub mutation: f64,
    pub mutation_kind: MutationKind,
    pub mutation_range: PointRange,
    pub crossover: Crossover,
    pub depth: u32,
    pub games_per_pair: usize,
    pub draw_points: f64,
    pub converge_window: usize,
    pub converge_sd: f64,
    pub watch: Watch,
    pub rules: G::Rules,
    #[serde(skip_serializing_if = "is_only")]
    pub array: G::Array,
    #[serde(skip_serializing_if = "is_nought")]
    pub opening_plies: usize,
    /// This and `evaluate` are said of games in which they can be chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminal: Option<Terminal>,
    pub genes: GeneSet,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluate: Option<Evaluate>,
    pub fitness: Fitness,
    pub hall: usize,
    pub doubt: u32,
    pub validation_games: u32,
    #[serde(skip_serializing_if = "is_one")]
    pub islands: usize,
    /// This and the next two are said where there are several islands, and only there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub migrate_every: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub migrants: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topology: Option<Topology>,
}

/// After how many generations islands send each other their best, and how many, unless asked otherwise.
const MIGRATE_EVERY: u32 = 100;
const MIGRANTS: usize = 1;

fn is_one(number: &usize) -> bool {
    *number == 1
}

fn is_nought(number: &usize) -> bool {
    *number == 0
}

/// A set of values for all settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// What the paper of the game did.
    #[default]
    Paper,
    /// What selects by strength rather than by luck.
    Robust,
}

/// What a mutated gene becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum MutationKind {
    /// Anything in the mutation range.
    #[default]
    Uniform,
    /// Mostly something near the old value, now and then anything.
    Step,
}

/// Whose value the convergence test watches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Watch {
    /// The generation's winner's.
    #[default]
    Winner,
    /// The mean of the population.
    Mean,
}

/// Which weights evolve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum GeneSet {
    /// The piece values.
    #[default]
    Material,
    /// Those and the weights of all features.
    Full,
}

impl GeneSet {
    /// The genes.
    pub fn genes<G: Weighted>(self) -> &'static [GeneInfo] {
        match self {
            GeneSet::Material => &G::WEIGHTS.genes[..G::WEIGHTS.material],
            GeneSet::Full => G::WEIGHTS.genes,
        }
    }
}

/// Which positions of a line the evaluator is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Evaluate {
    /// The last one.
    #[default]
    Leaf,
    /// All of them, added up.
    Path,
}

/// What fitness is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Fitness {
    /// Points in games.
    #[default]
    Tournament,
    /// Points from coin tosses: what comes out is drift alone.
    Random,
    /// Agreement with the solved game, over a fresh sample of all its positions in each generation.
    Oracle,
}

impl fmt::Display for Fitness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Fitness::Tournament => "tournament",
            Fitness::Random => "random",
            Fitness::Oracle => "oracle",
        })
    }
}

/// From so many points to so many, written `0..500`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PointRange {
    /// The lowest, in whole points.
    pub low: i32,
    /// The highest, in whole points.
    pub high: i32,
}

impl fmt::Display for PointRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.low, self.high)
    }
}

impl From<PointRange> for String {
    fn from(range: PointRange) -> String {
        range.to_string()
    }
}

impl TryFrom<String> for PointRange {
    type Error = String;
    fn try_from(text: String) -> Result<PointRange, String> {
        text.parse()
    }
}

impl FromStr for PointRange {
    type Err = String;
    fn from_str(text: &str) -> Result<PointRange, String> {
        let wrong = || format!("'{text}' is no range of whole points, as in 0..500");
        let (low, high) = text.split_once("..").ok_or_else(wrong)?;
        let (low, high) = (low.parse().map_err(|_| wrong())?, high.parse().map_err(|_| wrong())?);
        if low >= high { Err(wrong()) } else { Ok(PointRange { low, high }) }
    }
}

impl<G: Weighted> Default for Settings<G> {
    fn default() -> Settings<G> {
        Settings::preset(Preset::Paper, GeneSet::Material)
    }
}

/// Settings that make no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum SettingsError {
    #[error("{name} is {value}: it must be {must}")]
    Value { name: &'static str, value: String, must: String },
    #[error("{name} is {value}, which has no effect with {reason}: leave one of them out")]
    Idle { name: &'static str, value: String, reason: String },
}

impl<G: Weighted> Settings<G> {
    /// All values of a preset for these genes.
    pub fn preset(preset: Preset, genes: GeneSet) -> Settings<G> {
        let paper = Settings {
            version: env!("CARGO_PKG_VERSION").to_string(),
            game: GameTag::default(),
            preset: Preset::Paper,
            seed: 1,
            generations: None,
            fix_side: None,
            population: 5,
            elite: 2,
            survivors: 0,
            mutation: 0.03,
            mutation_kind: MutationKind::Uniform,
            mutation_range: PointRange {
                low: G::WEIGHTS.scale.mutation.0,
                high: G::WEIGHTS.scale.mutation.1,
            },
            crossover: Crossover::OnePoint,
            depth: G::WEIGHTS.depth,
            games_per_pair: 2,
            draw_points: 0.0,
            converge_window: 100,
            converge_sd: G::WEIGHTS.scale.settled,
            watch: Watch::Winner,
            rules: G::Rules::default(),
            array: G::Array::default(),
            opening_plies: G::WEIGHTS.tuner_opening,
            terminal: G::WEIGHTS.full_width.then_some(Terminal::Paper),
            genes,
            evaluate: G::WEIGHTS.full_width.then_some(Evaluate::Leaf),
            fitness: Fitness::Tournament,
            hall: 0,
            doubt: 0,
            validation_games: 300,
            islands: 1,
            migrate_every: None,
            migrants: None,
            topology: None,
        };
        match preset {
            Preset::Paper => paper,
            Preset::Robust => Settings {
                preset,
                generations: Some(60),
                population: 24,
                elite: 8,
                survivors: 8,
                mutation: 0.3,
                mutation_kind: MutationKind::Step,
                crossover: Crossover::Uniform,
                games_per_pair: G::WEIGHTS.robust_games[genes as usize],
                draw_points: 0.5,
                hall: 4,
                doubt: 400,
                validation_games: 5_000,
                ..paper
            },
        }
    }

    /// What a config file says; what it does not say comes from its preset.
    pub fn from_table(mut given: toml::Table) -> Result<Settings<G>, toml::de::Error> {
        // Earlier versions wrote these for every game.
        if !G::WEIGHTS.full_width {
            for (name, only) in [("terminal", "paper"), ("evaluate", "leaf")] {
                if given.get(name).and_then(toml::Value::as_str) == Some(only) {
                    given.remove(name);
                }
            }
        }
        GameTag::<G>::check(given.get("game").and_then(toml::Value::as_str))
            .map_err(serde::de::Error::custom)?;
        // Read once as it is: for the preset, and so that an error speaks of what was written.
        let Settings::<G> { preset, genes, .. } = given.clone().try_into()?;
        let preset = Settings::<G>::preset(preset, genes);
        let mut table = toml::Table::try_from(preset).expect("settings can be written");
        table.extend(given);
        let settings: Settings<G> = table.try_into()?;
        Ok(Settings { version: env!("CARGO_PKG_VERSION").to_string(), ..settings }.settled())
    }

    /// With everything said that matters where there are several islands.
    pub fn settled(self) -> Settings<G> {
        match self.islands {
            0 | 1 => self,
            _ => Settings {
                migrate_every: Some(self.migrate_every()),
                migrants: Some(self.migrants()),
                topology: Some(self.topology()),
                ..self
            },
        }
    }

    /// How the players score the end of a game.
    pub fn terminal(&self) -> Terminal {
        self.terminal.unwrap_or_default()
    }

    /// Which positions of a line they value.
    pub fn evaluate(&self) -> Evaluate {
        self.evaluate.unwrap_or_default()
    }

    /// After how many generations islands send each other their best.
    pub fn migrate_every(&self) -> u32 {
        self.migrate_every.unwrap_or(MIGRATE_EVERY)
    }

    /// How many each island receives.
    pub fn migrants(&self) -> usize {
        self.migrants.unwrap_or(MIGRANTS)
    }

    /// From where they come.
    pub fn topology(&self) -> Topology {
        self.topology.unwrap_or_default()
    }

    /// Says what makes no sense, if anything.
    pub fn check(&self) -> Result<(), SettingsError> {
        let must = |name, value: &dyn fmt::Display, holds: bool, must: &str| match holds {
            true => Ok(()),
            false => Err(SettingsError::Value { name, value: value.to_string(), must: must.to_string() }),
        };
        let range = |name, value: usize, low: usize, high: usize| {
            must(name, &value, (low..=high).contains(&value), &format!("from {low} to {high}"))
        };
        range("population", self.population, 2, 1_000)?;
        range("elite", self.elite, 1, self.population)?;
        range("survivors", self.survivors, 0, self.elite)?;
        must(
            "mutation",
            &self.mutation,
            (0.0..=1.0).contains(&self.mutation),
            "a share from 0 to 1, as in 0.03",
        )?;
        let (least, most) = (G::WEIGHTS.scale.least, G::WEIGHTS.scale.most);
        let inside = self.mutation_range.low >= least && self.mutation_range.high <= most;
        must("mutation-range", &self.mutation_range, inside, &format!("from {least} to {most} points"))?;
        range("depth", self.depth as usize, 1, 6)?;
        let reopens = G::GOES_ON || self.terminal() != Terminal::Through;
        must(
            "terminal",
            &self.terminal(),
            reopens,
            &format!("{}: {} ends for good", or_list(&Terminal::names::<G>()), G::NAME),
        )?;
        range("games-per-pair", self.games_per_pair, 2, 10_000)?;
        let even = self.games_per_pair.is_multiple_of(2);
        must("games-per-pair", &self.games_per_pair, even, "even, because sides are swapped")?;
        let thousandths = |value: f64, most: f64| (0.0..=most).contains(&value) && has_three_decimals(value);
        must(
            "draw-points",
            &self.draw_points,
            thousandths(self.draw_points, 1.0),
            "from 0 to 1 with at most three decimals",
        )?;
        range("converge-window", self.converge_window, 2, 100_000)?;
        must(
            "converge-sd",
            &self.converge_sd,
            thousandths(self.converge_sd, 10_000.0),
            "from 0 to 10000 with at most three decimals",
        )?;
        range("opening-plies", self.opening_plies, 0, 20)?;
        range("hall", self.hall, 0, 100)?;
        let opponents = if self.hall > 0 { self.hall } else { self.population - 1 };
        let games = self.population * opponents * self.games_per_pair;
        must(
            "population times opponents times games-per-pair",
            &games,
            games <= 2_000_000,
            "at most 2000000",
        )?;
        must("seed", &self.seed, self.seed <= MOST_SEED, &format!("at most {MOST_SEED}"))?;
        range("validation-games", self.validation_games as usize, 2, 1_000_000)?;
        if let Some(generations) = self.generations {
            range("generations", generations as usize, 1, 1_000_000)?;
        }
        range("islands", self.islands, 1, 10_000)?;
        if self.islands > 1 {
            range("migrate-every", self.migrate_every() as usize, 1, 1_000_000)?;
            // Survivors keep their places, and somebody must be born on the island itself.
            let places = self.population - self.survivors;
            let why = format!("from 1 to {}: fewer than the children of a generation", places.max(2) - 1);
            must("migrants", &self.migrants(), (1..places).contains(&self.migrants()), &why)?;
        }
        self.check_effects()
    }

    /// Whatever differs from the preset must have an effect.
    fn check_effects(&self) -> Result<(), SettingsError> {
        let table =
            |settings: &Settings<G>| toml::Table::try_from(settings).expect("settings can be written");
        let (ours, preset) = (table(self), table(&Settings::preset(self.preset, self.genes)));
        for name in Self::CAN_BE_IDLE {
            if let (Some(reason), Some(value), true) =
                (self.idle(name), ours.get(name), ours.get(name) != preset.get(name))
            {
                return Err(SettingsError::Idle { name, value: value.to_string(), reason });
            }
        }
        Ok(())
    }

    /// The settings that others can make meaningless.
    const CAN_BE_IDLE: [&'static str; 14] = [
        "terminal",
        "evaluate",
        "migrate-every",
        "migrants",
        "topology",
        "converge-window",
        "converge-sd",
        "watch",
        "hall",
        "games-per-pair",
        "draw-points",
        "mutation-kind",
        "mutation-range",
        "doubt",
    ];

    /// With which other setting this one has no effect, if that is so.
    pub fn idle(&self, name: &str) -> Option<String> {
        let fitness = || match self.fitness {
            Fitness::Tournament => None,
            other => Some(format!("--fitness {other}")),
        };
        match name {
            "converge-window" | "converge-sd" | "watch" => match self.fix_side {
                Some(side) => Some(format!("--fix-side {side}")),
                None if self.survivors == 0 => None,
                None if self.preset == Preset::Robust => Some("--preset robust".to_string()),
                None => Some(format!("--survivors {}", self.survivors)),
            },
            "hall" | "games-per-pair" | "draw-points" => fitness(),
            "mutation-kind" | "mutation-range" => (self.mutation == 0.0).then(|| "--mutation 0".to_string()),
            "migrate-every" | "migrants" | "topology" => {
                (self.islands == 1).then(|| "--islands 1".to_string())
            }
            "terminal" | "evaluate" => (!G::WEIGHTS.full_width).then(|| format!("--game {}", G::NAME)),
            // Without survivors all have played the same number of games.
            "doubt" => (self.survivors == 0).then(|| "--survivors 0".to_string()),
            _ => None,
        }
    }

    /// How many generations at most.
    pub fn last_generation(&self) -> u32 {
        let unasked = if self.freezes() { MOST_GENERATIONS } else { FIXED_SIDE_GENERATIONS };
        self.generations.unwrap_or(unasked)
    }

    /// Whether genes freeze: with a fixed side or survivors they do not.
    pub fn freezes(&self) -> bool {
        self.fix_side.is_none() && self.survivors == 0
    }

    /// The settings as the genetic algorithm takes them.
    pub fn plan(&self) -> Plan {
        Plan {
            seed: self.seed,
            population: self.population,
            elite: self.elite,
            survivors: self.survivors,
            crossover: self.crossover,
            mutation: Probability::new(self.mutation),
            convergence: self.freezes().then(|| Convergence {
                window: self.converge_window,
                deviation: (self.converge_sd * f64::from(POINT)).round() as i64,
                watch_mean: self.watch == Watch::Mean,
            }),
            hall: self.hall,
            hall_every: 5,
            doubt: self.doubt,
            generations: self.last_generation(),
        }
    }

    /// The text of `run.toml`, which is also a config file.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("numbers and texts can be written")
    }
}
