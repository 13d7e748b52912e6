//! When a search stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What ends a search, whichever comes first. What is not set is left to the player.
#[derive(Clone, Debug, Default)]
pub struct SearchLimits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Time from the beginning of the search.
    pub time: Option<Duration>,
    /// The search ends at this moment.
    pub deadline: Option<Instant>,
    /// Search on whatever the player's own limits are, until something else ends it.
    pub infinite: bool,
    /// Set by another thread to end the search now.
    pub stop: Option<Arc<AtomicBool>>,
}

/// The deepest search.
pub(super) const MAX_DEPTH: u32 = 64;

impl SearchLimits {
    /// Nothing is set.
    pub const NONE: SearchLimits =
        SearchLimits { depth: None, nodes: None, time: None, deadline: None, infinite: false, stop: None };

    /// A depth in plies.
    pub const fn depth(depth: u32) -> SearchLimits {
        SearchLimits { depth: Some(depth), ..SearchLimits::NONE }
    }

    /// So much time.
    pub const fn time(time: Duration) -> SearchLimits {
        SearchLimits { time: Some(time), ..SearchLimits::NONE }
    }

    /// Whether nothing can end the search but the player's own limits.
    pub fn is_unset(&self) -> bool {
        !self.is_bounded() && self.stop.is_none()
    }

    /// Whether the depth is all that ends the search.
    pub(super) fn is_depth_only(&self) -> bool {
        self.depth.is_some() && SearchLimits { depth: None, ..self.clone() }.is_unset()
    }

    /// Whether they say how long to think.
    fn is_bounded(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.time.is_some()
            || self.deadline.is_some()
            || self.infinite
    }

    /// These limits for a player with limits of its own: its depth holds unless another is set, its time and nodes only where nothing is set.
    pub fn or(&self, own: &SearchLimits) -> SearchLimits {
        if self.is_bounded() {
            let own_depth = own.depth.filter(|_| !self.infinite);
            SearchLimits { depth: self.depth.or(own_depth), ..self.clone() }
        } else {
            SearchLimits { stop: self.stop.clone(), ..own.clone() }
        }
    }

    /// How deep to look at most.
    pub(super) fn max_depth(&self) -> u32 {
        self.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
    }

    /// A clock that runs from now.
    pub(crate) fn clock(&self) -> Clock {
        let by_time = self.time.map(|time| Instant::now() + time);
        let deadline = [self.deadline, by_time].into_iter().flatten().min();
        Clock { deadline, nodes: self.nodes, stop: self.stop.clone(), stopped: false }
    }
}

/// Says when a search has reached its limits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    deadline: Option<Instant>,
    nodes: Option<u64>,
    stop: Option<Arc<AtomicBool>>,
    stopped: bool,
}

impl Clock {
    /// Whether a limit was reached, as of the last check.
    pub(crate) fn has_stopped(&self) -> bool {
        self.stopped
    }

    /// Checks the limits; `nodes` positions were visited.
    pub(crate) fn check(&mut self, nodes: u64) {
        let late = |deadline| Instant::now() >= deadline;
        self.stopped = self.stopped
            || self.nodes.is_some_and(|max| nodes >= max)
            || self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.deadline.is_some_and(late);
    }
}
