//! What a results folder is, by its `run.toml`.

use std::path::{Path, PathBuf};

use crate::files::{self, FileError};
use crate::game::UNSAID_GAME;
use crate::report::layout::RUN;

/// By what a results folder was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    /// One run of the tuner.
    Tuner,
    /// The tuner with many seeds.
    Sweep,
    /// A learner, by its command: `learn dqn`.
    Learner(String),
    /// An experiment, by its name.
    Experiment(String),
    /// Another command, which leaves a report: `grade`.
    Report(String),
}

/// A `run.toml`.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// By what the folder was made.
    pub made: Made,
    /// The name of the game.
    pub game: String,
    /// All that it says.
    pub table: toml::Table,
    /// The same as it is written.
    pub text: String,
}

/// Why a folder's `run.toml` cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum ManifestError {
    #[error("'{}' is damaged or was edited: {why}", path.display())]
    Damaged { path: PathBuf, why: String },
    #[error(transparent)]
    File(#[from] FileError),
}

impl Manifest {
    /// What a folder holds; nothing if there is no `run.toml` in it.
    pub fn read(folder: &Path) -> Result<Option<Manifest>, ManifestError> {
        let path = folder.join(RUN);
        let Some(bytes) = files::read_if_there(&path)? else { return Ok(None) };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Manifest::parse(text).map(Some).map_err(|why| ManifestError::Damaged { path, why })
    }

    /// What the text of a `run.toml` says.
    pub fn parse(text: String) -> Result<Manifest, String> {
        let table: toml::Table =
            text.parse().map_err(|error: toml::de::Error| error.message().to_string())?;
        let name = |key: &str| table.get(key).and_then(toml::Value::as_str).map(String::from);
        let made = match (name("experiment"), name("command")) {
            (Some(experiment), _) => Made::Experiment(experiment),
            (None, Some(command)) if table.contains_key("learner") => Made::Learner(command),
            (None, Some(command)) => Made::Report(command),
            (None, None) if table.contains_key("settings") => Made::Sweep,
            (None, None) => Made::Tuner,
        };
        // A sweep names its game among its settings.
        let inner = || Some(table.get("settings")?.get("game")?.as_str()?.to_string());
        let game = name("game").or_else(inner).unwrap_or_else(|| UNSAID_GAME.to_string());
        Ok(Manifest { made, game, table, text })
    }

    /// The settings of its learner: a table of their own, or all of it.
    pub fn settings(&self) -> toml::Table {
        let inner = ["settings", "learner"].iter().find_map(|key| self.table.get(*key)?.as_table());
        inner.unwrap_or(&self.table).clone()
    }

    /// What to type to make it again.
    pub fn command(&self) -> String {
        match &self.made {
            Made::Tuner => "resume".to_string(),
            Made::Sweep => "sweep".to_string(),
            Made::Learner(command) | Made::Report(command) => command.clone(),
            Made::Experiment(name) => format!("reproduce {name}"),
        }
    }
}
