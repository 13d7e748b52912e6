//! How is a run carried out and kept? A run of the tuner with its folder: settings, growing tables, checkpoints, reports;
//! sweeps over seeds, grades, experiments. The command line and the web page both run this, so that what one began the other
//! can take up.

mod alphazero;
mod alphazero_experiments;
mod experiment;
mod grade;
mod kinds;
mod manifest;
mod redraw;
mod reproduce;
mod seeds;

pub(crate) use alphazero::END;
pub use alphazero::{
    AlphaZeroEnd, AlphaZeroHooks, AlphaZeroJobError, Gating, Playing, learn_alphazero, solution,
};
pub(crate) use alphazero_experiments::processor_line;
pub use experiment::{Complete, Definition, Experiment, Kind, Lab, kinds};
pub(crate) use experiment::{complete_arms, complete_at};
pub use grade::grade_all;
pub(crate) use kinds::toml_of;
pub use manifest::{Made, Manifest, ManifestError};
pub use redraw::{RedrawError, redraw};
pub use reproduce::{Before, Context, Outcome, Performed, ReproduceError, Text, perform};
pub use seeds::{Seed, Seeds, SeedsFile, SeedsFileError, run_seeds, run_some};

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::experiment::{Checkpoint, CheckpointError, GenerationRow, PaperRun, Tuning};
use crate::files;
use crate::files::{FileError, Lock};
use crate::game::{SolutionError, Solutions};
use crate::learn::ga::{Chromosome, Generation};
use crate::learn::{Declared, Fitness, Settings};
use crate::players::{GameInfo, Playable};
use crate::report::layout::RUN;
use crate::report::{
    ChecksumError, Format, Language, RunLog, RunPictures, RunReport, remove_checksums, verify_checksums,
    write_checksums,
};

/// Told how far long work has come, from any thread.
pub trait Watch: Sync {
    /// One more step is done.
    fn step(&self);

    /// So many steps were done before this work began.
    fn resume(&self, done: u64) {
        (0..done).for_each(|_| self.step());
    }
}

/// A watch that does nothing.
pub struct Unwatched;

impl Watch for Unwatched {
    fn step(&self) {}
}

/// Begins to watch a work of this name that has so many steps of this unit.
pub type BeginWatch<'a> = dyn Fn(&str, u64, &'static str) -> Box<dyn Watch> + Sync + 'a;

/// A run is saved at least this often.
const SAVE_AFTER: Duration = Duration::from_secs(5);

/// What does not change the evolution.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// The language of the pictures.
    pub language: Language,
    /// As which files they are written.
    pub format: Format,
    /// Whether the champion is measured against the untrained values.
    pub validate: bool,
    /// The run is saved after every so many generations.
    pub checkpoint_every: u32,
}

/// A run with its folder, which nobody else can use meanwhile.
pub struct Job<G: Playable> {
    folder: PathBuf,
    settings: Settings,
    how: How,
    tuning: Tuning<G>,
    log: RunLog,
    /// Held until the run is over.
    _lock: Lock,
}

/// How the work on a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The run is over and its reports are written; this is the summary.
    Finished(String),
    /// It was asked to stop after this generation, and can be taken up there.
    Stopped(u32),
}

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum JobError {
    #[error("'{}' is not empty: `dobutsu-ga resume {}` goes on with a run, --force overwrites it, --out FOLDER writes elsewhere", .0.display(), files::quoted(.0))]
    Taken(PathBuf),
    #[error("'{0}' holds no run that could be taken up: there is no {RUN} in it")]
    NoRun(String),
    #[error(
        "'{0}' holds no single run but a sweep: the `dobutsu-ga sweep` command that began it goes on with it"
    )]
    Sweep(String),
    #[error("'{path}' holds no run but the results of `dobutsu-ga {command}`: the same command checks them")]
    Results { path: String, command: String },
    #[error("'{path}' is damaged or was edited: {error}")]
    Damaged { path: String, error: String },
    #[error(
        "the run in '{path}' was begun by version {version}, this is {}: use that version, or begin anew (--force)",
        env!("CARGO_PKG_VERSION")
    )]
    OtherVersion { path: String, version: String },
    #[error("{0}: the run must begin anew (--force)")]
    Changed(ChecksumError),
    #[error("{0}")]
    Settings(String),
    #[error(
        "the run in '{path}' has done {done} generations already: --generations {wanted} would shorten it"
    )]
    Shorter { path: String, done: u32, wanted: u32 },
    #[error("the run goes by the solved game: {0}")]
    Solution(#[from] SolutionError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    File(#[from] FileError),
}

impl From<ChecksumError> for JobError {
    fn from(error: ChecksumError) -> JobError {
        match error {
            ChecksumError::File(error) => error.into(),
            changed => JobError::Changed(changed),
        }
    }
}

impl<G: Playable> Job<G> {
    /// A run from its beginning, in a folder that holds nothing of value, or whatever it holds with `force`.
    pub fn begin(folder: &Path, settings: Settings, how: How, force: bool) -> Result<Job<G>, JobError> {
        check_oracle::<G>(&settings)?;
        let look = || match force || is_unsaved(folder)? {
            true => Ok(()),
            false => Err(JobError::Taken(folder.to_path_buf())),
        };
        look()?;
        files::create_folder(folder)?;
        let lock = files::lock(folder)?;
        // Somebody may have worked there since.
        look()?;
        let tuning = Tuning::new(&settings);
        // Everything of an earlier run goes before the first line of this one: no mixture can ever be taken up.
        let reports = report_names::<G>(Format::Both);
        remove_checksums(folder)?;
        for name in [RUN].into_iter().chain(reports.iter().map(String::as_str)).chain([Checkpoint::NAME]) {
            files::remove(&folder.join(name))?;
        }
        let log = RunLog::create(folder, tuning.genes(), settings.islands)?;
        files::write(&folder.join(RUN), settings.to_toml().as_bytes())?;
        let mut job = Job { folder: folder.to_path_buf(), settings, how, tuning, log, _lock: lock };
        job.save(false)?;
        Ok(job)
    }

    /// A run from where it was left, or `None` if it is complete and all its reports are there.
    ///
    /// With `generations`, up to that generation instead of the one it was begun with: also if it is complete.
    pub fn resume(folder: &Path, how: How, generations: Option<u32>) -> Result<Option<Job<G>>, JobError> {
        let begun = Job::<G>::settings(folder)?;
        let settings = Settings { generations: generations.or(begun.generations), ..begun.clone() };
        settings.check(&GameInfo::of::<G>()).map_err(JobError::Settings)?;
        let is_extended = settings != begun;
        check_oracle::<G>(&settings)?;
        // Killed before it was first saved: nothing is lost by beginning again.
        if is_unsaved(folder)? {
            return Job::begin(folder, settings, how, false).map(Some);
        }
        let lock = files::lock(folder)?;
        let checkpoint = Checkpoint::load(folder, &begun.to_toml())?;
        verify_checksums(folder)?;
        if checkpoint.complete
            && !is_extended
            && report_names::<G>(how.format).iter().all(|name| folder.join(name).exists())
        {
            return Ok(None);
        }
        let Checkpoint { state, others, extents, .. } = checkpoint.clone();
        let tuning = Tuning::resume(&settings, std::iter::once(state).chain(others).collect());
        if is_extended {
            let (done, wanted) = (tuning.generations(), settings.last_generation());
            if wanted < done {
                return Err(JobError::Shorter { path: folder.display().to_string(), done, wanted });
            }
            remove_checksums(folder)?;
            let checkpoint = Checkpoint { complete: false, ..checkpoint };
            // Killed before or after run.toml is written, the checkpoint belongs to it.
            checkpoint.save_for_both(folder, &begun.to_toml(), &settings.to_toml())?;
            files::write(&folder.join(RUN), settings.to_toml().as_bytes())?;
        }
        let log = RunLog::resume(folder, tuning.genes(), settings.islands, &extents)?;
        Ok(Some(Job { folder: folder.to_path_buf(), settings, how, tuning, log, _lock: lock }))
    }

    /// The settings of the run that a folder holds.
    fn settings(folder: &Path) -> Result<Settings, JobError> {
        let name = || folder.display().to_string();
        let damaged =
            |error: String| JobError::Damaged { path: folder.join(RUN).display().to_string(), error };
        let manifest = match Manifest::read(folder) {
            Ok(manifest) => manifest.ok_or_else(|| JobError::NoRun(name()))?,
            Err(ManifestError::Damaged { why, .. }) => return Err(damaged(why)),
            Err(ManifestError::File(error)) => return Err(error.into()),
        };
        match manifest.made {
            Made::Tuner => {}
            Made::Sweep => return Err(JobError::Sweep(name())),
            _ => return Err(JobError::Results { path: name(), command: manifest.command() }),
        }
        // Another version may have other settings: what it wrote is not damaged.
        match manifest.table.get("version").and_then(toml::Value::as_str) {
            Some(version) if version != env!("CARGO_PKG_VERSION") => {
                return Err(JobError::OtherVersion { path: name(), version: version.to_string() });
            }
            _ => {}
        }
        let settings = Settings::from_written(manifest.table).map_err(damaged)?;
        settings.check(&GameInfo::of::<G>()).map_err(JobError::Settings)?;
        Ok(settings)
    }

    /// The run itself.
    pub fn tuning(&self) -> &Tuning<G> {
        &self.tuning
    }

    /// Where it is kept.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Plays generation after generation on all threads of the current rayon pool, then writes the reports.
    ///
    /// `after` is told of each generation and says whether to go on; at the last one its answer does not matter.
    ///
    /// `begin` begins to watch the games by which the champion is measured; `stop` ends those too.
    pub fn work(
        &mut self,
        after: &mut dyn FnMut(&Generation, &Tuning<G>) -> bool,
        begin: &BeginWatch<'_>,
        stop: &AtomicBool,
    ) -> Result<End, JobError> {
        let mut saved = Instant::now();
        while !self.tuning.is_finished() {
            let generations = self.tuning.advance();
            let mut go_on = true;
            for generation in &generations {
                self.log.append(generation)?;
                go_on &= after(generation, &self.tuning);
            }
            let number = self.tuning.generations();
            let stopped = !go_on && !self.tuning.is_finished();
            // With several islands this is where they have sent each other their best.
            let due = self.settings.islands > 1
                || number.is_multiple_of(self.how.checkpoint_every)
                || saved.elapsed() >= SAVE_AFTER;
            if due || stopped {
                self.save(false)?;
                saved = Instant::now();
            }
            if stopped {
                return Ok(End::Stopped(number));
            }
        }
        self.save(false)?;
        match self.report(begin, stop)? {
            Some(summary) => {
                self.save(true)?;
                Ok(End::Finished(summary))
            }
            None => Ok(End::Stopped(self.tuning.generations())),
        }
    }

    fn save(&mut self, complete: bool) -> Result<(), FileError> {
        let [state, others @ ..] = self.tuning.islands() else { unreachable!("there is an island") };
        let (state, others) = (state.clone(), others.to_vec());
        let checkpoint = Checkpoint { state, others, extents: self.log.sync()?, complete };
        checkpoint.save(&self.folder, &self.settings.to_toml())
    }

    /// Measures and writes what has come out; nothing if it was stopped meanwhile.
    fn report(&mut self, begin: &BeginWatch<'_>, stop: &AtomicBool) -> Result<Option<String>, FileError> {
        let rows = self.log.generations()?;
        let (tuning, validate) = (&self.tuning, self.how.validate);
        let winners = some_winners(&rows);
        let watch = begin("measuring", tuning.measuring_games(validate, winners.len()), "games");
        let after = |games: u64| {
            (0..games).for_each(|_| watch.step());
            if stop.load(Ordering::Relaxed) { Err(()) } else { Ok(()) }
        };
        let Ok(measured) = tuning.measure(validate, &winners, &after) else { return Ok(None) };
        drop(watch);
        let frozen = tuning.frozen();
        let report = RunReport {
            game: GameInfo::of::<G>(),
            settings: &self.settings,
            rows: &rows,
            champion: (measured.champion.values().to_vec(), measured.champion.to_toml()),
            frozen: &frozen,
            validation: measured.validation,
            strength: &measured.strength,
            paper: &PaperRun::of::<G>(self.settings.fix_side),
            par: measured.par,
        };
        let pictures = report.pictures(self.how.language);
        let drawn = pictures.iter().flat_map(|picture| picture.files(self.how.format));
        remove_checksums(&self.folder)?;
        for (name, bytes) in report.files().into_iter().chain(drawn) {
            files::write(&self.folder.join(name), &bytes)?;
        }
        write_checksums(&self.folder, [RUN].into_iter().chain(RunLog::NAMES).chain(RunReport::NAMES))?;
        Ok(Some(report.summary()))
    }
}

/// The names of all files that a run leaves when it is over, with pictures in this format.
fn report_names<G: Playable>(format: Format) -> Vec<String> {
    let pictures =
        RunPictures::names(&GameInfo::of::<G>()).into_iter().flat_map(|picture| format.names(picture));
    RunReport::NAMES.into_iter().map(String::from).chain(pictures).collect()
}

/// Whether a folder holds nothing but what a run leaves that was killed before it was first saved: to begin there loses
/// nothing.
pub fn is_unsaved(folder: &Path) -> Result<bool, FileError> {
    let first = RunLog::NAMES.into_iter().chain([RUN]).collect::<Vec<_>>();
    Ok(files::entries(folder)?.iter().all(|name| first.iter().any(|ours| name == ours)))
}

/// A run against the truth needs to have it.
pub fn check_oracle<G: Playable>(settings: &Settings) -> Result<(), SolutionError> {
    match settings.fitness {
        Fitness::Oracle => G::Solutions::at(None).get(settings.rules::<G>()).map(|_| ()),
        _ => Ok(()),
    }
}

/// The winners of about twenty generations, spread over the run.
fn some_winners(rows: &[GenerationRow]) -> Vec<(u32, Chromosome)> {
    const POINTS: usize = 20;
    let step = rows.len().div_ceil(POINTS).max(1);
    let genes =
        |row: &GenerationRow| row.winner.iter().map(|points| (points * 1000.0).round() as i32).collect();
    let chosen = rows.iter().enumerate().filter(|(i, _)| i % step == 0 || i + 1 == rows.len());
    chosen.map(|(_, row)| (row.generation, genes(row))).collect()
}
