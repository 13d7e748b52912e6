//! How long runs still take, by how fast they went since they were first looked at.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// When a run had come how far: generations or cycles.
#[derive(Clone, Copy)]
struct Mark {
    at: Instant,
    reached: u32,
}

/// The paces of the runs that are going on.
#[derive(Default)]
pub(super) struct Paces(Mutex<HashMap<String, (Mark, Mark)>>);

impl Paces {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, (Mark, Mark)>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// In how many seconds a run that is going on should be over, once that can be told. `ago` is when it came this far.
    pub(super) fn left(&self, id: &str, reached: u32, last: u32, ago: Duration) -> Option<f64> {
        let now = Instant::now();
        let here = Mark { at: now.checked_sub(ago).unwrap_or(now), reached };
        let mut paces = self.lock();
        let (first, latest) = paces.entry(id.to_string()).or_insert((here, here));
        // What begins anew has another pace.
        if reached < latest.reached {
            (*first, *latest) = (here, here);
        }
        if reached > latest.reached {
            *latest = here;
        }
        let steps = latest.reached - first.reached;
        let each = (steps > 0)
            .then(|| latest.at.saturating_duration_since(first.at).as_secs_f64() / f64::from(steps))?;
        let whole = each * f64::from(last.saturating_sub(reached));
        Some((whole - now.saturating_duration_since(latest.at).as_secs_f64()).max(0.0))
    }

    /// What is not going on has no pace: when it is taken up again, the pause in between does not count.
    pub(super) fn forget(&self, id: &str) {
        self.lock().remove(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_the_pace() {
        let paces = Paces::default();
        let seconds = Duration::from_secs;
        // Ten steps between 100 s ago and 50 s ago: 5 s each, of which ten are left, and 50 s have gone since.
        assert_eq!(paces.left("run", 10, 60, seconds(100)), None);
        let left = paces.left("run", 20, 60, seconds(50)).unwrap();
        assert!((left - 150.0).abs() < 1.0, "{left}");
        // Nobody has to wait less than nothing.
        assert_eq!(paces.left("run", 60, 60, seconds(0)), Some(0.0));
        assert_eq!(paces.left("run", 3, 60, seconds(0)), None, "it began anew");
        paces.left("run", 4, 60, seconds(0));
        paces.forget("run");
        assert_eq!(paces.left("run", 5, 60, seconds(0)), None, "the pause does not count");
    }
}
