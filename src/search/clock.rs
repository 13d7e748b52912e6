//! When to stop: what somebody who asks for a move allows, and the clock that a search looks at.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Limit;

/// What is allowed to somebody who is asked for a move: whatever comes first ends the search. What is not said is left to the
/// player.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// How many plies to look ahead.
    pub depth: Option<u32>,
    /// Until when.
    pub deadline: Option<Instant>,
    /// How many positions may be looked at.
    pub nodes: Option<u64>,
    /// Whether to go on for as long as there is something to find, whatever the player would do by itself.
    pub endless: bool,
    /// Set by whoever wants an answer now.
    pub stop: Arc<AtomicBool>,
}

/// No line is searched deeper than this, whatever the time.
pub(super) const DEEPEST: u32 = 64;

impl Order {
    /// What somebody with this limit does who is left alone: its time is used up to the end.
    pub fn within(self, limit: Limit) -> Order {
        match limit {
            Limit::Time(time) if !self.is_bounded() => {
                Order { deadline: Some(Instant::now() + time), ..self }
            }
            _ => self,
        }
    }

    /// How deep somebody looks who would look so deep by itself.
    pub(super) fn depth_or(&self, own: u32) -> u32 {
        self.depth.unwrap_or(if self.endless { DEEPEST } else { own }).clamp(1, DEEPEST)
    }

    /// How deep somebody with this limit looks, and when to stop. `alone` is the clock of somebody who has only a time to go by.
    pub(super) fn bounds(&self, limit: Limit, alone: fn(Option<Duration>) -> Clock) -> (u32, Clock) {
        match limit {
            Limit::Depth(own) => (self.depth_or(own), self.clock()),
            Limit::Time(_) if self.is_bounded() => (self.depth_or(DEEPEST), self.clock()),
            Limit::Time(time) => (DEEPEST, Clock { asked: Some(self.stop.clone()), ..alone(Some(time)) }),
        }
    }

    /// Whether it says how long to think.
    fn is_bounded(&self) -> bool {
        self.depth.is_some() || self.deadline.is_some() || self.nodes.is_some() || self.endless
    }

    /// The clock of somebody who has only this to go by.
    pub(crate) fn clock(&self) -> Clock {
        Clock { deadline: self.deadline, nodes: self.nodes, asked: Some(self.stop.clone()), stopped: false }
    }
}

/// Says when to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    deadline: Option<Instant>,
    nodes: Option<u64>,
    /// Set by somebody who wants an answer now.
    asked: Option<Arc<AtomicBool>>,
    stopped: bool,
}

/// The answer has to be brought home too, on a machine that does other things besides: a fifth of the time is kept for that, but
/// no more than this.
const MOST_MARGIN: Duration = Duration::from_millis(25);

impl Clock {
    /// Runs from now; without a time it never stops.
    pub(super) fn start(time: Option<Duration>) -> Clock {
        let margin = |time: Duration| (time / 5).min(MOST_MARGIN);
        Clock { deadline: time.map(|time| Instant::now() + time - margin(time)), ..Clock::default() }
    }

    /// Stops when so much time has passed from now, and not sooner.
    pub(super) fn whole(time: Option<Duration>) -> Clock {
        Clock { deadline: time.map(|time| Instant::now() + time), ..Clock::default() }
    }

    /// Whether the time is up, as of the last look.
    pub(crate) fn has_stopped(&self) -> bool {
        self.stopped
    }

    /// Looks at the clock, with so many positions looked at.
    pub(crate) fn look(&mut self, nodes: u64) {
        let late = |deadline| Instant::now() >= deadline;
        self.stopped = self.stopped
            || self.nodes.is_some_and(|most| nodes >= most)
            || self.asked.as_ref().is_some_and(|asked| asked.load(Ordering::Relaxed))
            || self.deadline.is_some_and(late);
    }
}
