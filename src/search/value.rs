//! What a search returns: points, or a win or loss in so many plies.

use std::fmt;
use std::ops::Neg;

use crate::game::POINT;

/// Ordered from the worst to the best: losses (the later the better), points, wins (the sooner the better).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(i64);

impl Value {
    /// Nobody is better.
    pub const DRAW: Value = Value(0);
    /// Better than everything.
    pub const MAX: Value = Value(i64::MAX);
    /// Worse than everything.
    pub const MIN: Value = Value(-i64::MAX);

    /// A win now; points never come near it, not even added up along a line.
    const WIN: i64 = 4_000_000_000_000_000_000;
    /// No search looks further ahead than this.
    const LONGEST: u32 = 1_000_000;

    /// What an evaluator says, in thousandths of a point.
    pub const fn points(thousandths: i32) -> Value {
        Value(thousandths as i64)
    }

    /// Won after so many more plies.
    pub const fn win_in(plies: u32) -> Value {
        Value(Self::WIN - plies as i64)
    }

    /// Lost after so many more plies.
    pub const fn loss_in(plies: u32) -> Value {
        Value(plies as i64 - Self::WIN)
    }

    /// In how many plies the game is decided, if it is.
    #[inline]
    pub fn decided_in(self) -> Option<u32> {
        u32::try_from(Self::WIN.abs_diff(self.0.abs())).ok().filter(|plies| *plies <= Self::LONGEST)
    }

    /// The same among the points that an evaluator can say.
    #[inline]
    pub(super) fn nearest_points(self) -> i32 {
        self.0.clamp(-i64::from(i32::MAX), i64::from(i32::MAX)) as i32
    }

    /// So many thousandths of a point more; the value must be one of points.
    pub(super) const fn plus(self, thousandths: i64) -> Value {
        Value(self.0 + thousandths)
    }

    /// The next lower value.
    pub(super) const fn just_below(self) -> Value {
        Value(self.0 - 1)
    }

    /// The next higher value.
    pub(super) const fn just_above(self) -> Value {
        Value(self.0 + 1)
    }

    /// The value seen `plies` earlier: a win in n becomes a win in n + `plies`. Negative `plies` go the other way.
    #[inline]
    pub(super) fn shifted(self, plies: i32) -> Value {
        match self.decided_in() {
            Some(_) => Value(self.0 - self.0.signum() * i64::from(plies)),
            None => self,
        }
    }

    /// In thousandths of a point; wins and losses are huge.
    pub const fn thousandths(self) -> i64 {
        self.0
    }
}

// The sum over the longest line of the largest points there are is not taken for a win.
const _: () = assert!((i32::MAX as i64) * (Value::LONGEST as i64) < Value::WIN - Value::LONGEST as i64);

impl Neg for Value {
    type Output = Value;
    #[inline]
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.decided_in() {
            Some(plies) if self.0 > 0 => write!(f, "win in {plies}"),
            Some(plies) => write!(f, "loss in {plies}"),
            None => write!(f, "{:+.2}", self.0 as f64 / f64::from(POINT)),
        }
    }
}
