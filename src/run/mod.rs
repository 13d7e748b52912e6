//! How is a run carried out and kept? A run of the tuner with its folder: settings, growing tables, checkpoints, reports;
//! sweeps over seeds, grades, experiments. The command line and the web page both run this, so that what one began the other
//! can take up.

mod alphazero;
mod alphazero_experiments;
mod alphazero_learner;
mod dir;
mod experiment;
mod grade;
mod kinds;
mod learner;
mod manifest;
mod metrics;
mod redraw;
mod reproduce;
mod seeds;
mod sweep;
mod training;
mod tuner;

pub use alphazero::{AlphaZeroRun, Gating, Playing, solution};
pub(crate) use alphazero_experiments::processor_line;
pub use alphazero_learner::AlphaZeroTraining;
pub use dir::{RunDir, RunDirError};
pub use experiment::{Complete, Definition, Experiment, Kind, Lab, kinds};
pub(crate) use experiment::{complete_arms, complete_at};
pub use grade::grade_all;
pub(crate) use kinds::toml_of;
pub use learner::{Init, LearnerRun, Notes, Resumed};
pub use manifest::{Made, Manifest, ManifestError};
pub use metrics::Metrics;
pub use redraw::{RedrawError, redraw};
pub use reproduce::{Before, Context, Outcome, Performed, ReproduceError, Text, perform};
pub use seeds::{Seed, Seeds, SeedsFile, SeedsFileError, run_seeds, run_some};
pub use sweep::{Shard, Sweep, SweepTraining};
use training::Halt;
pub use training::{End, Monitor, Point, Step, Training, run_to_end, train};
pub use tuner::{TunerError, TunerTraining, check_oracle, is_unsaved};

use std::path::PathBuf;

use crate::files::FileError;
use crate::games::{GameName, learner_of};
use crate::nets::NetError;
use crate::report::{Format, Language};

/// Told how far long work has come, from any thread.
pub trait Watch: Sync {
    /// One more step is done.
    fn step(&self);

    /// `done` steps were done before this work began.
    fn resume(&self, done: u64) {
        (0..done).for_each(|_| self.step());
    }

    /// `done` steps are done by now; `note` describes the current state.
    fn set(&self, done: u64, note: &dyn Fn() -> String) {
        let _ = (done, note);
    }
}

/// A watch that does nothing.
pub struct Unwatched;

impl Watch for Unwatched {
    fn step(&self) {}
}

/// Begins to watch work, given its name, its number of steps and their unit.
pub type BeginWatch<'a> = dyn Fn(&str, u64, &'static str) -> Box<dyn Watch> + Sync + 'a;

/// What does not change the results of a run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Language of the pictures.
    pub language: Language,
    /// File formats of the pictures.
    pub format: Format,
    /// Whether the champion of the tuner is measured against the untrained values.
    pub validate: bool,
    /// Steps between two saves.
    pub checkpoint_every: u32,
    /// Steps between two numbered networks, if those are kept.
    pub keep_every: Option<u32>,
}

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum RunError {
    #[error("'{}' cannot be taken up: {why} (--force begins anew)", path.display())]
    Unusable { path: PathBuf, why: String },
    #[error("{0}")]
    Learning(String),
    /// What was asked for cannot be done.
    #[error("{0}")]
    Input(String),
    #[error("there is no learner '{0}' in this version")]
    UnknownLearner(String),
    #[error(transparent)]
    Tuner(#[from] TunerError),
    #[error(transparent)]
    Dir(#[from] RunDirError),
    #[error(transparent)]
    Seeds(#[from] SeedsFileError),
    #[error(transparent)]
    File(#[from] FileError),
}

impl From<NetError> for RunError {
    fn from(error: NetError) -> RunError {
        match error {
            NetError::Unusable { path, why } => RunError::Unusable { path, why },
            NetError::File(error) => error.into(),
        }
    }
}

/// Takes up the run of a folder, of whatever kind it is; nothing if there is nothing left to do.
pub fn resume(resumed: &Resumed<'_>) -> Result<Option<Box<dyn Training>>, RunError> {
    let Resumed { manifest, folder, end, options } = *resumed;
    let shown = folder.display();
    let game: GameName = manifest
        .game
        .parse()
        .map_err(|error| RunError::Input(format!("the run in '{shown}' cannot be taken up: {error}")))?;
    match (&manifest.made, end) {
        (Made::Tuner, None | Some(("generations", _))) => {
            let generations = end.map(|(_, generations)| generations);
            with_game!(game, G => match TunerTraining::<G>::resume(folder, options, generations)? {
                Some(training) => Ok(Some(Box::new(training) as Box<dyn Training>)),
                None => Ok(None),
            })
        }
        (Made::Learner(command), _) if command == alphazero_learner::COMMAND => {
            with_planar_game!(game, G => AlphaZeroTraining::<G>::resume(resumed).map(Some), other => {
                Err(RunError::Input(format!("{other} has no network that learns by playing itself")))
            })
        }
        (Made::Learner(command), _) => match learner_of(command) {
            Some(open) => open(resumed).map(Some),
            None => Err(RunError::UnknownLearner(command.clone())),
        },
        (Made::Sweep, None) => with_game!(game, G => SweepTraining::<G>::resume(resumed).map(Some)),
        (Made::Tuner, Some((key, _))) => {
            Err(RunError::Input(format!("--{key} is not for a run of the tuner: its end is --generations")))
        }
        (Made::Sweep | Made::Experiment(_) | Made::Report(_), Some((key, _))) => {
            Err(RunError::Input(format!("--{key} is not for `{}`", manifest.command())))
        }
        (Made::Experiment(name), None) => Err(RunError::Input(format!(
            "'{shown}' holds an experiment: `dobutsu-ga resume` or `dobutsu-ga reproduce {name}` goes on with it"
        ))),
        (Made::Report(command), None) => Err(RunError::Input(format!(
            "'{shown}' holds the results of `dobutsu-ga {command}`, which is not resumed: the same command checks them"
        ))),
    }
}
