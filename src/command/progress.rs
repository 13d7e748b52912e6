//! How far long work has come: a bar on a terminal, a plain line now and again elsewhere.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::tell;
use crate::run::Watch;

const EVERY: Duration = Duration::from_secs(10);

/// Shown on standard error; may be told of progress from any thread.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    what: String,
    unit: &'static str,
    total: u64,
    done: AtomicU64,
    /// How many of those were done before.
    before: AtomicU64,
    begun: Instant,
    last: Mutex<Instant>,
}

impl Progress {
    /// `what` names the work, `total` counts its steps, each a `unit`.
    pub(crate) fn new(what: &str, total: u64, unit: &'static str) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template(&format!(
                "{{msg}} {{bar:30}} {{human_pos}}/{{human_len}} {unit}, {{per_sec}}, {{eta}} left"
            ));
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(total).with_style(style).with_message(what.to_string())
        });
        let now = Instant::now();
        Progress {
            bar,
            what: what.to_string(),
            unit,
            total,
            done: AtomicU64::new(0),
            before: AtomicU64::new(0),
            begun: now,
            last: Mutex::new(now),
        }
    }

    /// So many steps are done.
    pub(crate) fn set(&self, done: u64) {
        // Most of the time of long loops nothing has changed that could be seen.
        if self.done.fetch_max(done, Ordering::Relaxed) < done {
            self.show(done);
        }
    }

    fn show(&self, done: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            return;
        }
        // Somebody else is writing a line just now: then there is no need for another one.
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.elapsed() >= EVERY {
            *last = Instant::now();
            self.tell(done, "");
        }
    }

    fn tell(&self, done: u64, note: &str) {
        let spent = self.begun.elapsed().as_secs_f64();
        let now = done.saturating_sub(self.before.load(Ordering::Relaxed)).max(1);
        let left = spent / now as f64 * (self.total - done.min(self.total)) as f64;
        let Progress { what, total, unit, .. } = self;
        let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
        tell(format_args!("{what}: {done} of {total} {unit}, about {left:.0} s left{note}"));
    }
}

impl Watch for Progress {
    fn step(&self) {
        self.show(self.done.fetch_add(1, Ordering::Relaxed) + 1);
    }

    fn resume(&self, done: u64) {
        self.before.store(done, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.reset_eta();
        }
    }

    fn set(&self, done: u64, note: &dyn Fn() -> String) {
        self.done.store(done, Ordering::Relaxed);
        let due = match &self.bar {
            Some(_) => Duration::from_millis(100),
            None => EVERY,
        };
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.elapsed() < due {
            return;
        }
        *last = Instant::now();
        match &self.bar {
            Some(bar) => {
                bar.set_position(done);
                bar.set_message(format!("{}, {}", self.what, note()));
            }
            None => self.tell(done, &note()),
        }
    }
}

/// All is done, or nothing more will be.
impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
