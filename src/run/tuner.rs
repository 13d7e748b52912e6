//! A run of the tuner in its folder: growing tables, checkpoints, reports.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{Made, Manifest, ManifestError, Monitor, Options, RunError, Step, Training};
use crate::experiment::{Checkpoint, CheckpointError, GenerationRow, PaperRun, Tuning};
use crate::files::{self, FileError, Lock};
use crate::game::{SolutionError, Solutions};
use crate::learn::ga::Chromosome;
use crate::learn::{Declared, Fitness, Settings};
use crate::players::{GameInfo, Playable};
use crate::report::layout::RUN;
use crate::report::{
    ChecksumError, Format, RunLog, RunPictures, RunReport, remove_checksums, verify_checksums,
    write_checksums,
};

/// A run with its folder, which is locked against other processes.
pub struct TunerTraining<G: Playable> {
    folder: PathBuf,
    settings: Settings,
    options: Options,
    tuning: Tuning<G>,
    log: RunLog,
    /// When this process began, how long it has played by now, how much, and the best genes of the last generation.
    begun: Instant,
    played: Duration,
    trials: u64,
    best: Chromosome,
    /// Held until the run is over.
    _lock: Lock,
}

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum TunerError {
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

impl From<ChecksumError> for TunerError {
    fn from(error: ChecksumError) -> TunerError {
        match error {
            ChecksumError::File(error) => error.into(),
            changed => TunerError::Changed(changed),
        }
    }
}

impl<G: Playable> TunerTraining<G> {
    /// A run from its beginning, in a folder that holds nothing of value, or whatever it holds with `force`.
    pub fn begin(
        folder: &Path,
        settings: Settings,
        options: Options,
        force: bool,
    ) -> Result<TunerTraining<G>, TunerError> {
        check_oracle::<G>(&settings)?;
        let look = || match force || is_unsaved(folder)? {
            true => Ok(()),
            false => Err(TunerError::Taken(folder.to_path_buf())),
        };
        look()?;
        files::create_folder(folder)?;
        let lock = files::lock(folder)?;
        // Another process may have worked there since.
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
        let mut run = TunerTraining::of(folder, settings, options, tuning, log, lock);
        run.write_checkpoint(false)?;
        Ok(run)
    }

    /// A run from where it was left, or `None` if it is complete and all its reports are there.
    ///
    /// With `generations`, up to that generation instead of the one it was begun with: also if it is complete.
    pub fn resume(
        folder: &Path,
        options: Options,
        generations: Option<u32>,
    ) -> Result<Option<TunerTraining<G>>, TunerError> {
        let begun = TunerTraining::<G>::settings(folder)?;
        let settings = Settings { generations: generations.or(begun.generations), ..begun.clone() };
        settings.check(&GameInfo::of::<G>()).map_err(TunerError::Settings)?;
        let is_extended = settings != begun;
        check_oracle::<G>(&settings)?;
        // Killed before it was first saved: nothing is lost by beginning again.
        if is_unsaved(folder)? {
            return TunerTraining::begin(folder, settings, options, false).map(Some);
        }
        let lock = files::lock(folder)?;
        let checkpoint = Checkpoint::load(folder, &begun.to_toml())?;
        verify_checksums(folder)?;
        if checkpoint.complete
            && !is_extended
            && report_names::<G>(options.format).iter().all(|name| folder.join(name).exists())
        {
            return Ok(None);
        }
        let Checkpoint { state, others, extents, .. } = checkpoint.clone();
        let tuning = Tuning::resume(&settings, std::iter::once(state).chain(others).collect());
        if is_extended {
            let (done, wanted) = (tuning.generations(), settings.last_generation());
            if wanted < done {
                return Err(TunerError::Shorter { path: folder.display().to_string(), done, wanted });
            }
            remove_checksums(folder)?;
            let checkpoint = Checkpoint { complete: false, ..checkpoint };
            // Killed before or after run.toml is written, the checkpoint belongs to it.
            checkpoint.save_for_both(folder, &begun.to_toml(), &settings.to_toml())?;
            files::write(&folder.join(RUN), settings.to_toml().as_bytes())?;
        }
        let log = RunLog::resume(folder, tuning.genes(), settings.islands, &extents)?;
        Ok(Some(TunerTraining::of(folder, settings, options, tuning, log, lock)))
    }

    /// The settings of the run that a folder holds.
    pub(super) fn settings(folder: &Path) -> Result<Settings, TunerError> {
        let name = || folder.display().to_string();
        let damaged =
            |error: String| TunerError::Damaged { path: folder.join(RUN).display().to_string(), error };
        let manifest = match Manifest::read(folder) {
            Ok(manifest) => manifest.ok_or_else(|| TunerError::NoRun(name()))?,
            Err(ManifestError::Damaged { why, .. }) => return Err(damaged(why)),
            Err(ManifestError::File(error)) => return Err(error.into()),
        };
        match manifest.made {
            Made::Tuner => {}
            Made::Sweep => return Err(TunerError::Sweep(name())),
            _ => return Err(TunerError::Results { path: name(), command: manifest.command() }),
        }
        // Another version may have other settings: what it wrote is not damaged.
        match manifest.table.get("version").and_then(toml::Value::as_str) {
            Some(version) if version != env!("CARGO_PKG_VERSION") => {
                return Err(TunerError::OtherVersion { path: name(), version: version.to_string() });
            }
            _ => {}
        }
        let settings = Settings::from_written(manifest.table).map_err(damaged)?;
        settings.check(&GameInfo::of::<G>()).map_err(TunerError::Settings)?;
        Ok(settings)
    }

    fn of(
        folder: &Path,
        settings: Settings,
        options: Options,
        tuning: Tuning<G>,
        log: RunLog,
        lock: Lock,
    ) -> TunerTraining<G> {
        let (begun, best) = (Instant::now(), Vec::new());
        let folder = folder.to_path_buf();
        TunerTraining {
            folder,
            settings,
            options,
            tuning,
            log,
            begun,
            played: Duration::ZERO,
            trials: 0,
            best,
            _lock: lock,
        }
    }

    /// The folder of the run.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Games, or positions of the solved game, that took so long in this process.
    pub fn speed(&self) -> (u64, &'static str, Duration) {
        (self.trials, self.tuning.trials(), self.played)
    }

    fn write_checkpoint(&mut self, complete: bool) -> Result<(), FileError> {
        let [state, others @ ..] = self.tuning.islands() else { unreachable!("there is an island") };
        let (state, others) = (state.clone(), others.to_vec());
        let checkpoint = Checkpoint { state, others, extents: self.log.sync()?, complete };
        checkpoint.save(&self.folder, &self.settings.to_toml())
    }
}

impl<G: Playable> Training for TunerTraining<G> {
    fn unit(&self) -> &'static str {
        "generations"
    }

    fn done(&self) -> u64 {
        u64::from(self.tuning.generations())
    }

    fn total(&self) -> u64 {
        u64::from(self.tuning.last_generation())
    }

    fn is_finished(&self) -> bool {
        self.tuning.is_finished()
    }

    fn step(&mut self, _: &Monitor<'_>) -> Result<Step, RunError> {
        for generation in &self.tuning.advance() {
            self.log.append(generation)?;
            self.trials += generation.trials.games;
            self.best.clone_from(&generation.ranked[0].genes);
        }
        self.played = self.begun.elapsed();
        // With several islands this is where they have sent each other their best.
        let due =
            self.settings.islands > 1 || self.done().is_multiple_of(self.options.checkpoint_every.into());
        Ok(if due { Step::Save } else { Step::Done })
    }

    fn save(&mut self) -> Result<(), RunError> {
        Ok(self.write_checkpoint(false)?)
    }

    fn save_after(&self) -> Duration {
        Duration::from_secs(5)
    }

    fn note(&self) -> String {
        let (trials, unit, time) = self.speed();
        let speed = (trials as f64 / time.as_secs_f64().max(1e-9)) as u64;
        let best: Vec<String> = self.best.iter().map(|value| (value / 1000).to_string()).collect();
        format!("{speed} {unit}/s, best {}", best.join(" "))
    }

    fn report(&mut self, monitor: &Monitor<'_>) -> Result<Option<String>, RunError> {
        let rows = self.log.generations()?;
        let (tuning, validate) = (&self.tuning, self.options.validate);
        let winners = some_winners(&rows);
        let watch = (monitor.begin)("measuring", tuning.measuring_games(validate, winners.len()), "games");
        let after = |games: u64| {
            (0..games).for_each(|_| watch.step());
            if monitor.is_stopped() { Err(()) } else { Ok(()) }
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
        let pictures = report.pictures(self.options.language);
        let drawn = pictures.iter().flat_map(|picture| picture.files(self.options.format));
        remove_checksums(&self.folder)?;
        for (name, bytes) in report.files().into_iter().chain(drawn) {
            files::write(&self.folder.join(name), &bytes)?;
        }
        write_checksums(&self.folder, [RUN].into_iter().chain(RunLog::NAMES).chain(RunReport::NAMES))?;
        let summary = report.summary();
        self.write_checkpoint(true)?;
        Ok(Some(summary))
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
