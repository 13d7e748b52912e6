//! A learner to be carried out, from its own command or taken up by `resume`.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{CliError, at_signal, end_at_once, input, tell};
use crate::files;
use crate::learn::Declared;
use crate::players::GameInfo;
use crate::report::{Folder, Format, Language};
use crate::run::Manifest;

/// What a learner is to do, and where.
pub(crate) struct Task<S> {
    pub(crate) settings: S,
    pub(crate) validation_games: u32,
    /// The folder of its results.
    pub(crate) path: PathBuf,
    pub(crate) force: bool,
    /// The setting that is the end of the run, if it is to go on beyond the one it was begun with.
    pub(crate) extends: Option<&'static str>,
    pub(crate) lang: Language,
    pub(crate) format: Format,
    pub(crate) threads: Option<usize>,
    /// Games between two saves of the run.
    pub(crate) checkpoint_every: u32,
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
    learner: &'a S,
}

/// A run of a learner that `resume` takes up.
pub(crate) struct Resumed<'a> {
    pub(crate) manifest: &'a Manifest,
    pub(crate) folder: &'a Path,
    /// The setting that ends the run, and its new value.
    pub(crate) end: Option<(&'static str, u32)>,
    pub(crate) lang: Language,
    pub(crate) format: Format,
    pub(crate) threads: Option<usize>,
    pub(crate) checkpoint_every: u32,
}

impl Resumed<'_> {
    /// What is to be done; `end` is the setting by which a run of this learner may be extended.
    pub(crate) fn task<S: Declared>(&self, game: &GameInfo, end: &str) -> Result<Task<S>, CliError> {
        if let Some((other, _)) = self.end.filter(|(key, _)| *key != end) {
            let command = self.manifest.command();
            return Err(input(format!("--{other} is not for `{command}`: its runs end after --{end}")));
        }
        Task::of(self, game)
    }
}

impl<S: Declared> Task<S> {
    /// The task that a folder was made by, with the end of the run set anew if that is asked for.
    fn of(resumed: &Resumed<'_>, game: &GameInfo) -> Result<Task<S>, CliError> {
        let Resumed { manifest, folder, end, lang, format, threads, checkpoint_every } = *resumed;
        let wrong = |why: String| input(format!("'{}' cannot be taken up: {why}", folder.display()));
        let mut table = manifest.settings();
        if let Some((key, end)) = end {
            let begun = table.get(key).and_then(toml::Value::as_integer).unwrap_or_default();
            if i64::from(end) < begun {
                return Err(wrong(format!("--{key} {end} would shorten it, its end is {begun}")));
            }
            table.insert(key.to_string(), i64::from(end).into());
        }
        let settings = S::from_written(table).map_err(wrong)?;
        settings.check(game).map_err(wrong)?;
        let validation_games = manifest.table.get("validation-games").and_then(toml::Value::as_integer);
        Ok(Task {
            settings,
            validation_games: validation_games.unwrap_or_default() as u32,
            path: folder.to_path_buf(),
            force: false,
            extends: end.map(|(key, _)| key),
            lang,
            format,
            threads,
            checkpoint_every,
        })
    }

    /// The text of `run.toml`. `notes` are comments.
    pub(crate) fn run_toml(
        &self,
        game: &str,
        command: &str,
        notes: &str,
        processor: Option<String>,
        judged: Option<bool>,
    ) -> String {
        let made = Made {
            version: env!("CARGO_PKG_VERSION"),
            game,
            command,
            processor,
            validation_games: self.validation_games,
            judged,
            learner: &self.settings,
        };
        let made = toml::to_string(&made).expect("numbers and texts can be written");
        format!("# Made by: dobutsu-ga {command} (all settings below)\n{notes}{made}")
    }

    /// The folder, ready to take the results; with `force`, all files of an earlier run are removed from it.
    pub(crate) fn folder(
        &self,
        run: String,
        files: impl IntoIterator<Item = String>,
        pictures: &[&str],
    ) -> Result<Folder, CliError> {
        let mut folder = match self.extends {
            Some(end) => Folder::extend(&self.path, run, end)?,
            None => Folder::prepare(&self.path, run, self.force)?,
        };
        folder.open()?;
        if self.force {
            let pictures = pictures.iter().flat_map(|picture| Format::Both.names(picture));
            folder.clear(files.into_iter().chain(pictures))?;
        }
        folder.begin()?;
        Ok(folder)
    }
}

/// The end of a command that was stopped: says how to go on.
pub(crate) fn stopped(what: &str, folder: &Path) -> CliError {
    tell(format_args!("{what}. To go on: dobutsu-ga resume {}", files::quoted(folder)));
    CliError::Stopped
}

/// From now on Ctrl-C says how to go on and ends at once: what is done is kept as it is done.
pub(crate) fn say_how_to_go_on(folder: &Path) {
    let folder = files::quoted(folder);
    at_signal(move || {
        tell(format_args!("Stopped. To go on: dobutsu-ga resume {folder}"));
        end_at_once();
    });
}
