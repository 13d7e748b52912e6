//! Long work in steps: one loop for the tuner, islands, sweeps and learners.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{BeginWatch, Metrics, Options, RunError};
use crate::files::{self, FileError};

/// Long work in steps. It can be stopped and saved between any two of them, and goes on from there to the same bytes.
///
/// ```text
/// until it is finished
///     do a step
///     save it now and then, and when it is asked to stop
/// write the reports
/// ```
pub trait Training: Send {
    /// What a step is, as in `generations`.
    fn unit(&self) -> &'static str;

    /// Whether a step is long and shows its own progress.
    fn has_long_steps(&self) -> bool {
        false
    }

    /// Steps done so far.
    fn done(&self) -> u64;

    /// Steps in all.
    fn total(&self) -> u64;

    /// Whether all is done.
    fn is_finished(&self) -> bool {
        self.done() >= self.total()
    }

    /// Does a step, or a part of it, on all threads of the current rayon pool.
    fn step(&mut self, monitor: &Monitor<'_>) -> Result<Step, RunError>;

    /// Writes all that a later continuation needs.
    fn save(&mut self) -> Result<(), RunError>;

    /// The longest time between two saves.
    fn save_after(&self) -> Duration {
        Duration::from_secs(30)
    }

    /// Measures and writes what has come out, and returns the summary; nothing if it was stopped meanwhile.
    fn report(&mut self, monitor: &Monitor<'_>) -> Result<Option<String>, RunError>;

    /// The points of its curve after this step, for `metrics.jsonl`.
    fn metrics(&self, after: u64) -> Vec<Point> {
        let _ = after;
        Vec::new()
    }

    /// The network as it is now, as the content of a file, if it trains one.
    fn network(&self) -> Option<Vec<u8>> {
        None
    }

    /// How it is going, to be shown beside the progress.
    fn note(&self) -> String {
        String::new()
    }
}

/// A point of the curve of a learner.
pub struct Point {
    /// The step.
    pub step: u64,
    /// Names and numbers.
    pub values: Vec<(String, f64)>,
}

/// What a call of [`Training::step`] has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It may be saved.
    Done,
    /// It must be saved before the next one.
    Save,
    /// It was stopped: what is done is kept.
    Stopped,
}

/// What watches work, and asks it to stop.
#[derive(Clone, Copy)]
pub struct Monitor<'a> {
    /// Begins to watch a part of the work.
    pub begin: &'a BeginWatch<'a>,
    /// Set to stop.
    pub stop: &'a AtomicBool,
}

impl Monitor<'_> {
    /// Whether the work is asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// How the work on a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum End {
    /// The run is over and its reports are written; this is the summary.
    Finished(String),
    /// It was asked to stop, and can be taken up.
    Stopped,
}

/// The curve, and numbered networks.
struct Beside<'a> {
    metrics: Metrics,
    folder: &'a Path,
    keep_every: Option<u32>,
}

impl Beside<'_> {
    fn after_step(&mut self, training: &dyn Training, before: u64) -> Result<(), RunError> {
        self.metrics.append(&training.metrics(before))?;
        let (done, Some(every)) = (training.done(), self.keep_every) else { return Ok(()) };
        match training.network().filter(|_| done.is_multiple_of(every.into())) {
            Some(network) => Ok(files::write(&self.folder.join(network_name(done)), &network)?),
            None => Ok(()),
        }
    }
}

/// The file of the network after `done` steps.
fn network_name(done: u64) -> String {
    format!("network-{done:06}.safetensors")
}

/// Trains to the end and writes the reports, or until it is asked to stop.
pub fn run_to_end(
    training: &mut dyn Training,
    folder: &Path,
    options: &Options,
    monitor: &Monitor<'_>,
) -> Result<End, RunError> {
    let metrics = Metrics::open(folder, training.done())?;
    let beside = Beside { metrics, folder, keep_every: options.keep_every };
    if !go_on(training, monitor, Some(beside))? {
        return Ok(End::Stopped);
    }
    Ok(training.report(monitor)?.map_or(End::Stopped, End::Finished))
}

/// Trains until all is done, or until it is asked to stop: whether it was finished.
pub fn train(training: &mut dyn Training, monitor: &Monitor<'_>) -> Result<bool, RunError> {
    go_on(training, monitor, None)
}

fn go_on(
    training: &mut dyn Training,
    monitor: &Monitor<'_>,
    mut beside: Option<Beside<'_>>,
) -> Result<bool, RunError> {
    training.save()?;
    let shown = !training.is_finished() && !training.has_long_steps();
    let watch = shown.then(|| (monitor.begin)("training", training.total(), training.unit()));
    if let Some(watch) = &watch {
        watch.resume(training.done());
    }
    let mut saved = Instant::now();
    while !training.is_finished() {
        let before = training.done();
        let step = training.step(monitor)?;
        if let Some(watch) = &watch {
            watch.set(training.done(), &|| training.note());
        }
        if let Some(beside) = beside.as_mut().filter(|_| training.done() > before) {
            beside.after_step(training, before)?;
        }
        let stopped = step == Step::Stopped || monitor.is_stopped() && !training.is_finished();
        if stopped || step == Step::Save || saved.elapsed() >= training.save_after() {
            if let Some(beside) = &mut beside {
                beside.metrics.sync()?;
            }
            training.save()?;
            saved = Instant::now();
        }
        if stopped {
            return Ok(false);
        }
    }
    if let Some(beside) = &mut beside {
        beside.metrics.sync()?;
    }
    training.save()?;
    Ok(true)
}

/// Why work on many items ends before all are done.
pub(super) enum Halt {
    Stopped,
    File(FileError),
}

impl From<FileError> for Halt {
    fn from(error: FileError) -> Halt {
        Halt::File(error)
    }
}
