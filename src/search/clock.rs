//! Time to think, counted from the moment a search is asked.

use std::time::{Duration, Instant};

/// Says when to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    deadline: Option<Instant>,
    stopped: bool,
}

/// The answer has to be brought home too, on a machine that does other things besides: a fifth of the time is kept for that, but
/// no more than this.
const MOST_MARGIN: Duration = Duration::from_millis(25);

impl Clock {
    /// Runs from now; without a time it never stops.
    pub(super) fn start(time: Option<Duration>) -> Clock {
        let margin = |time: Duration| (time / 5).min(MOST_MARGIN);
        Clock { deadline: time.map(|time| Instant::now() + time - margin(time)), stopped: false }
    }

    /// Whether the time is up, as of the last look.
    pub(super) fn has_stopped(&self) -> bool {
        self.stopped
    }

    /// Looks at the clock.
    pub(super) fn look(&mut self) {
        self.stopped = self.stopped || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    }
}
