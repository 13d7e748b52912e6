//! Everything that can be set about a run of the tuner. The defaults are the paper's.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::choices::{Evaluate, Fitness, GeneSet, MutationKind, PointRange, Preset, Watch};
use super::declared::{Declared, Setting};
use super::ga::{Convergence, Crossover, Plan, Probability, Topology};
use crate::game::{Game, POINT, Side, UNSAID_GAME, Variant, chosen, or_list};
use crate::players::{GameInfo, Playable};
use crate::random::MOST_SEED;
use crate::search::Terminal;
use crate::values::Values;

/// How many generations a run has at most if it may stop by itself.
const MOST_GENERATIONS: u32 = 5_000;
/// How many generations the paper ran with a fixed side, and how many games it measured then.
const FIXED_SIDE_GENERATIONS: u32 = 1_600;
const FIXED_SIDE_GAMES: i64 = 100;
/// The range of values that the game bounds more narrowly.
const MAX_POINTS: i64 = i32::MAX as i64 / 1000;

/// What a run is, apart from its folder and its threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)] // Explained to users by the help of the same names.
pub struct Settings {
    /// By which version of the program the run was made.
    #[serde(default = "this_version")]
    pub version: String,
    #[serde(default = "unsaid", skip_serializing_if = "is_unsaid")]
    pub game: String,
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
    pub rules: String,
    /// Said of games with more than one array.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array: Option<String>,
    #[serde(default, skip_serializing_if = "is_zero")]
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
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub islands: usize,
    /// This and the next two are said where there are several islands, and only there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub migrate_every: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub migrants: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topology: Option<Topology>,
}

/// Generations between migrations and migrants per island, unless asked otherwise.
const MIGRATE_EVERY: u32 = 100;
const MIGRANTS: usize = 1;

fn this_version() -> String {
    env!("CARGO_PKG_VERSION").to_string()
}

fn unsaid() -> String {
    UNSAID_GAME.to_string()
}

fn is_unsaid(game: &str) -> bool {
    game == UNSAID_GAME
}

fn one() -> usize {
    1
}

fn is_one(number: &usize) -> bool {
    *number == 1
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Declared for Settings {
    const PRESETS: &'static [(&'static str, &'static str)] = &[
        ("paper", include_str!("../../experiments/presets/paper.toml")),
        ("robust", include_str!("../../experiments/presets/robust.toml")),
    ];

    fn declared() -> Vec<Setting> {
        let integer = |low, high| Values::Integer(low..=high);
        vec![
            Setting::new(
                "preset",
                "NAME",
                Values::Choice(Preset::names()),
                "Settings to start from: paper (what the game's paper did) or robust (selects by strength rather than by luck)",
            ),
            Setting::new(
                "seed",
                "S",
                integer(0, MOST_SEED as i64),
                "Random seed; the same seed reproduces identical files",
            ),
            Setting::new(
                "generations",
                "N",
                integer(1, 1_000_000),
                "Maximum number of generations; without it, until all genes are frozen and at most 5000, with a fixed side 1600",
            ),
            Setting::new(
                "fix-side",
                "SIDE",
                Values::Choice(vec!["first", "second", "both"]),
                "Count only wins as this player and freeze no gene; both counts both sides",
            ),
            Setting::new("population", "N", integer(2, 1_000), "Candidates per generation"),
            Setting::new("elite", "N", integer(1, 1_000), "Parents: the best of a generation"),
            Setting::new(
                "survivors",
                "N",
                integer(0, 1_000),
                "Candidates that live on with their points, the best ones",
            ),
            Setting::new("mutation", "RATE", Values::Number(0.0..=1.0), "Mutation probability per gene"),
            Setting::new(
                "mutation-kind",
                "KIND",
                Values::Choice(MutationKind::names()),
                "Mutated value: uniform (anywhere in the mutation range) or step (mostly near the old value)",
            ),
            Setting::new(
                "mutation-range",
                "A..B",
                Values::Range(-MAX_POINTS..=MAX_POINTS),
                "Range of a mutated gene in points",
            ),
            Setting::new(
                "crossover",
                "KIND",
                Values::Choice(Crossover::names()),
                "Crossover of two parents: one-point, uniform or blend",
            ),
            Setting::new("depth", "N", integer(1, 6), "Search depth of the players in plies"),
            Setting::new(
                "games-per-pair",
                "N",
                integer(2, 10_000),
                "Games per pair of candidates, sides swapped (an even number)",
            ),
            Setting::new("draw-points", "POINTS", Values::Thousandths(0.0..=1.0), "Points for a draw"),
            Setting::new(
                "converge-window",
                "N",
                integer(2, 100_000),
                "Generations between convergence tests",
            ),
            Setting::new(
                "converge-sd",
                "POINTS",
                Values::Thousandths(0.0..=10_000.0),
                "Standard deviation over these generations at which a gene freezes",
            ),
            Setting::new(
                "watch",
                "WHOSE",
                Values::Choice(Watch::names()),
                "Value that the convergence test watches: winner or mean of the population",
            ),
            Setting::new("rules", "RULES", Values::Text, "Rules (see `dobutsu-ga games`)"),
            Setting::new(
                "array",
                "ARRAY",
                Values::Text,
                "Start position, in games with more than one (see `dobutsu-ga games`)",
            ),
            Setting::new(
                "opening-plies",
                "N",
                integer(0, 20),
                "Random moves at the start of each pair of games",
            ),
            Setting::new(
                "terminal",
                "MODE",
                Values::Choice(vec!["paper", "exact", "through"]),
                "Score of a finished game in the search: paper (by the evaluator), exact (won or lost) or through (search on with what is left)",
            ),
            Setting::new(
                "genes",
                "SET",
                Values::Choice(GeneSet::names()),
                "Weights that evolve: material (piece values) or full (also those of features)",
            ),
            Setting::new(
                "evaluate",
                "WHERE",
                Values::Choice(Evaluate::names()),
                "Positions of a line that are evaluated: leaf (the last) or path (all, added up)",
            ),
            Setting::new(
                "fitness",
                "KIND",
                Values::Choice(Fitness::names()),
                "Fitness: tournament (points in games), random (coin tosses, as a control) or oracle (agreement with the solved game)",
            ),
            Setting::new(
                "hall",
                "N",
                integer(0, 100),
                "Hall of fame: opponents that are kept (the untrained values and former winners) instead of a round robin",
            ),
            Setting::new(
                "doubt",
                "N",
                integer(0, 4_294_967_295),
                "Shrink scores towards 50 % with N virtual games",
            ),
            Setting::new(
                "validation-games",
                "N",
                integer(2, 1_000_000),
                "Games of the champion against the untrained values on each side",
            ),
            Setting::new(
                "islands",
                "N",
                integer(1, 10_000),
                "Populations that evolve apart and exchange their best",
            ),
            Setting::new("migrate-every", "N", integer(1, 1_000_000), "Generations between migrations"),
            Setting::new("migrants", "N", integer(1, 1_000), "Migrants that each island receives"),
            Setting::new(
                "topology",
                "KIND",
                Values::Choice(Topology::names()),
                "Origin of migrants: ring (the island before) or full (islands drawn at random)",
            ),
        ]
    }

    fn complete(game: &GameInfo, preset: &mut toml::Table, given: &toml::Table) {
        let weights = &game.weights;
        let is_robust = preset.get("preset").and_then(toml::Value::as_str) == Some("robust");
        let is_full = given.get("genes").and_then(toml::Value::as_str) == Some("full");
        let (low, high) = weights.scale.mutation;
        let mut set = |key: &str, value: toml::Value| preset.insert(key.to_string(), value);
        set("version", this_version().into());
        if !game.is_unsaid {
            set("game", game.name.into());
        }
        set("mutation-range", format!("{low}..{high}").into());
        set("depth", i64::from(weights.depth).into());
        set("converge-sd", weights.scale.settled.into());
        set("rules", (game.usual_rules)().into());
        if let Some(array) = (game.usual_array)() {
            set("array", array.into());
        }
        set("opening-plies", (weights.tuner_opening as i64).into());
        if weights.full_width {
            set("terminal", "paper".into());
            set("evaluate", "leaf".into());
        }
        if is_robust {
            set("games-per-pair", (weights.robust_games[usize::from(is_full)] as i64).into());
        } else if given.contains_key("fix-side") {
            set("validation-games", FIXED_SIDE_GAMES.into());
        }
        if given.get("islands").and_then(toml::Value::as_integer).is_some_and(|islands| islands > 1) {
            set("migrate-every", i64::from(MIGRATE_EVERY).into());
            set("migrants", (MIGRANTS as i64).into());
            set("topology", Topology::default().name().into());
        }
    }

    fn begin(game: &GameInfo, given: &mut toml::Table) {
        given.insert("game".to_string(), game.name.into());
    }

    fn from_table(game: &GameInfo, mut given: toml::Table) -> Result<Settings, String> {
        let text =
            |given: &toml::Table, key: &str| given.get(key).and_then(toml::Value::as_str).map(String::from);
        // Earlier versions wrote these for every game.
        if !game.weights.full_width {
            for (name, only) in [("terminal", "paper"), ("evaluate", "leaf")] {
                if text(&given, name).as_deref() == Some(only) {
                    given.remove(name);
                }
            }
        }
        game.check_said(text(&given, "game").as_deref()).map_err(|error| error.to_string())?;
        // A config file's side is taken back.
        if text(&given, "fix-side").as_deref() == Some("both") {
            given.remove("fix-side");
        }
        let mut table = super::declared::preset_table::<Settings>(game, &given)?;
        super::declared::overlay(&mut table, given);
        table.insert("version".to_string(), this_version().into());
        Settings::from_written(table)
    }

    fn idle(&self, game: &GameInfo, key: &str) -> Option<String> {
        let fitness = || match self.fitness {
            Fitness::Tournament => None,
            other => Some(format!("--fitness {other}")),
        };
        match key {
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
            "terminal" | "evaluate" => (!game.weights.full_width).then(|| format!("--game {}", game.name)),
            // Without survivors all have played the same number of games.
            "doubt" => (self.survivors == 0).then(|| "--survivors 0".to_string()),
            _ => None,
        }
    }

    fn check_together(&self, game: &GameInfo) -> Result<(), String> {
        let must = |name: &str, value: &dyn fmt::Display, holds: bool, must: &str| match holds {
            true => Ok(()),
            false => Err(format!("{name} is {value}: it must be {must}")),
        };
        (game.check_rules)(&self.rules).map_err(|error| error.to_string())?;
        if let Some(array) = &self.array {
            (game.check_array)(array).map_err(|error| error.to_string())?;
        }
        must("elite", &self.elite, self.elite <= self.population, &format!("from 1 to {}", self.population))?;
        must(
            "survivors",
            &self.survivors,
            self.survivors <= self.elite,
            &format!("from 0 to {}", self.elite),
        )?;
        let (least, most) = (game.weights.scale.least, game.weights.scale.most);
        let inside = self.mutation_range.low >= least && self.mutation_range.high <= most;
        must("mutation-range", &self.mutation_range, inside, &format!("from {least} to {most} points"))?;
        let reopens = game.goes_on || self.terminal() != Terminal::Through;
        let modes = or_list(Terminal::names(game.goes_on));
        must("terminal", &self.terminal(), reopens, &format!("{modes}: {} ends for good", game.name))?;
        let even = self.games_per_pair.is_multiple_of(2);
        must("games-per-pair", &self.games_per_pair, even, "even, because sides are swapped")?;
        let opponents = if self.hall > 0 { self.hall } else { self.population - 1 };
        let games = self.population * opponents * self.games_per_pair;
        let product = "population times opponents times games-per-pair";
        must(product, &games, games <= 2_000_000, "at most 2000000")?;
        if self.islands > 1 {
            // Survivors keep their places, and at least one child must be born on the island itself.
            let places = self.population - self.survivors;
            let why = format!("from 1 to {}: fewer than the children of a generation", places.max(2) - 1);
            must("migrants", &self.migrants(), (1..places).contains(&self.migrants()), &why)?;
        }
        Ok(())
    }
}

impl Settings {
    /// A preset for these genes of a game.
    pub fn preset<G: Playable>(preset: Preset, genes: GeneSet) -> Settings {
        let given = [("game", G::NAME), ("preset", preset.name()), ("genes", genes.name())];
        let given = given.map(|(key, name)| (key.to_string(), toml::Value::from(name)));
        Settings::from_table(&GameInfo::of::<G>(), given.into_iter().collect()).expect("presets are in order")
    }

    /// The paper's settings of a game.
    pub fn paper<G: Playable>() -> Settings {
        Settings::preset::<G>(Preset::Paper, GeneSet::Material)
    }

    /// The rules, which were checked.
    pub fn rules<G: Game>(&self) -> G::Rules {
        chosen(Some(&self.rules))
    }

    /// The array, which was checked.
    pub fn array<G: Game>(&self) -> G::Array {
        chosen(self.array.as_deref())
    }

    /// With everything said that matters where there are several islands.
    pub fn settled(self) -> Settings {
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
