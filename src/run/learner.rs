//! A run of a learner: what its `run.toml` says, begun by its own command or taken up from its folder.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Manifest, Options, RunDir, RunError};
use crate::files::{self, FileError};
use crate::learn::Declared;
use crate::players::GameInfo;

/// A learner's settings, and how its run is carried out.
pub struct LearnerRun<S> {
    /// How it learns.
    pub settings: S,
    /// Fresh games at the end, against each opponent.
    pub validation_games: u32,
    /// The network that it starts from, if not from random weights.
    pub init: Option<Init>,
    /// The folder of its results.
    pub path: PathBuf,
    /// Whether results of other settings are overwritten.
    pub force: bool,
    /// The setting that is the end of the run, if it goes on beyond the one it was begun with.
    pub extends: Option<&'static str>,
    /// What does not change the results.
    pub options: Options,
}

/// A file with the network that a run starts from.
#[derive(Clone, Debug)]
pub struct Init {
    path: PathBuf,
    fingerprint: String,
}

impl Init {
    /// This file as it is now.
    pub fn new(path: &Path) -> Result<Init, FileError> {
        let bytes = content(path)?;
        Ok(Init { path: path.to_path_buf(), fingerprint: files::fingerprint(&bytes) })
    }

    /// Its content, if it is still the same, as `take` reads it.
    fn read<T>(&self, take: impl FnOnce(&[u8]) -> Result<T, String>) -> Result<T, RunError> {
        let bytes = content(&self.path)?;
        let unusable = |why: String| RunError::Input(format!("--init '{}': {why}", self.path.display()));
        if files::fingerprint(&bytes) != self.fingerprint {
            return Err(unusable("the file has changed since the run was begun".to_string()));
        }
        take(&bytes).map_err(unusable)
    }
}

fn content(path: &Path) -> Result<Vec<u8>, FileError> {
    let missing = || FileError::new("read", path, std::io::ErrorKind::NotFound.into());
    files::read_if_there(path)?.ok_or_else(missing)
}

/// What `run.toml` says.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Made<'a, S> {
    version: &'a str,
    game: &'a str,
    command: &'a str,
    /// What a network learned is promised for this kind of processor alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    processor: Option<String>,
    validation_games: u32,
    /// Whether there was a solution of the game to judge by.
    #[serde(skip_serializing_if = "Option::is_none")]
    judged: Option<bool>,
    /// The file of the first network, and its fingerprint.
    #[serde(skip_serializing_if = "Option::is_none")]
    init: Option<&'a Path>,
    #[serde(skip_serializing_if = "Option::is_none")]
    init_fingerprint: Option<&'a str>,
    learner: &'a S,
}

/// What `run.toml` says beside the settings.
#[derive(Default)]
pub struct Notes<'a> {
    /// Comments.
    pub comments: &'a str,
    /// The kind of processor, where results depend on it.
    pub processor: Option<String>,
    /// Whether the solution of the game judges it.
    pub judged: Option<bool>,
}

/// A folder that is taken up.
#[derive(Clone, Copy)]
pub struct Resumed<'a> {
    /// What its `run.toml` says.
    pub manifest: &'a Manifest,
    /// The folder.
    pub folder: &'a Path,
    /// The setting that ends the run, and its new value.
    pub end: Option<(&'static str, u32)>,
    /// What does not change the results.
    pub options: Options,
}

impl<S: Declared> LearnerRun<S> {
    /// The run of a folder; `end` is the setting by which runs of this learner may be extended.
    pub fn resumed(resumed: &Resumed<'_>, game: &GameInfo, end: &str) -> Result<LearnerRun<S>, RunError> {
        let Resumed { manifest, folder, end: extended, options } = *resumed;
        if let Some((other, _)) = extended.filter(|(key, _)| *key != end) {
            let command = manifest.command();
            return Err(RunError::Input(format!(
                "--{other} is not for `{command}`: its runs end after --{end}"
            )));
        }
        let wrong =
            |why: String| RunError::Input(format!("'{}' cannot be taken up: {why}", folder.display()));
        let mut table = manifest.settings();
        if let Some((key, end)) = extended {
            let begun = table.get(key).and_then(toml::Value::as_integer).unwrap_or_default();
            if i64::from(end) < begun {
                return Err(wrong(format!("--{key} {end} would shorten it, its end is {begun}")));
            }
            table.insert(key.to_string(), i64::from(end).into());
        }
        let settings = S::from_written(table).map_err(wrong)?;
        settings.check(game).map_err(wrong)?;
        let validation_games = manifest.table.get("validation-games").and_then(toml::Value::as_integer);
        let text = |key: &str| manifest.table.get(key).and_then(toml::Value::as_str);
        Ok(LearnerRun {
            settings,
            validation_games: validation_games.unwrap_or_default() as u32,
            init: text("init")
                .zip(text("init-fingerprint"))
                .map(|(path, fingerprint)| Init { path: path.into(), fingerprint: fingerprint.to_string() }),
            path: folder.to_path_buf(),
            force: false,
            extends: extended.map(|(key, _)| key),
            options,
        })
    }

    /// The text of `run.toml`.
    pub fn run_toml(&self, game: &str, command: &str, notes: Notes<'_>) -> String {
        let Notes { comments, processor, judged } = notes;
        let made = Made {
            version: env!("CARGO_PKG_VERSION"),
            game,
            command,
            processor,
            validation_games: self.validation_games,
            judged,
            init: self.init.as_ref().map(|init| init.path.as_path()),
            init_fingerprint: self.init.as_ref().map(|init| init.fingerprint.as_str()),
            learner: &self.settings,
        };
        let made = toml::to_string(&made).expect("numbers and texts can be written");
        format!("# Made by: dobutsu-ga {command} (all settings below)\n{comments}{made}")
    }

    /// The network that a new run starts from, as `take` reads it: before anything is written, so that a wrong one leaves nothing behind.
    pub fn first<T>(
        &self,
        checkpoint: &str,
        take: impl FnOnce(&[u8]) -> Result<T, String>,
    ) -> Result<Option<T>, RunError> {
        let is_new = self.force || !self.path.join(checkpoint).exists();
        self.init.as_ref().filter(|_| is_new).map(|init| init.read(take)).transpose()
    }

    /// The folder, ready for the work.
    pub fn dir(&self, run: String) -> Result<RunDir, RunError> {
        let mut dir = match self.extends {
            Some(end) => RunDir::extend(&self.path, run, &format!("learner.{end}"))?,
            None => RunDir::prepare(&self.path, run, self.force)?,
        };
        dir.open()?;
        dir.begin()?;
        Ok(dir)
    }
}
