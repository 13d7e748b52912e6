//! Experiment files.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::games::dobutsu::Rules;
use crate::players::{PlayerSpec, SpecError};

/// The experiments that come with the program.
const BUILT_IN: [(&str, &str); 3] = [
    ("table1", include_str!("../../experiments/table1.toml")),
    ("table2", include_str!("../../experiments/table2.toml")),
    ("table3", include_str!("../../experiments/table3.toml")),
];

/// A question of the paper and how it is answered.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
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
    /// The games to play.
    pub grid: Grid,
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
    /// `paper` or `official`.
    pub rules: String,
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
    #[error("in the experiment '{name}': {error}")]
    Player { name: String, error: SpecError },
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
            error: error.to_string().lines().collect::<Vec<_>>().join(" "),
        };
        let mut definition: Definition = toml::from_str(text).map_err(syntax)?;
        definition.name = name.to_string();
        let nonsense = |why: String| Err(DefinitionError::Nonsense { name: name.to_string(), why });
        let grid = &definition.grid;
        let size = grid.players.len();
        if grid.labels.len() != size
            || grid.paper.len() != size
            || grid.paper.iter().any(|row| row.len() != size)
        {
            return nonsense(format!(
                "{size} players need {size} labels and {size} rows of {size} paper values"
            ));
        }
        if grid.paper.iter().flatten().any(|percent| !percent.is_nan() && !(0.0..=100.0).contains(percent)) {
            return nonsense("a paper value is no percentage".to_string());
        }
        if grid.games == 0 || grid.paper_games == 0 || grid.ply_cap == 0 || size == 0 {
            return nonsense("games, paper_games, ply_cap and players must not be 0".to_string());
        }
        if let Err(error) = grid.rules.parse::<Rules>() {
            return nonsense(error.to_string());
        }
        definition.players()?;
        Ok(definition)
    }

    /// The players, ready to play.
    pub fn players(&self) -> Result<Vec<PlayerSpec>, DefinitionError> {
        let wrong = |error| DefinitionError::Player { name: self.name.clone(), error };
        self.grid.players.iter().map(|text| text.parse().map_err(wrong)).collect()
    }
}
