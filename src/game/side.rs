//! The two players, and a pair of anything they each have one of.

use std::fmt;
use std::ops::{Index, IndexMut, Not};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One of the two players. The first player moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Side {
    /// Moves first; sits at the bottom of the board (white in UCI, sente in shogi).
    First,
    /// Moves second; sits at the top of the board (black in UCI, gote in shogi).
    Second,
}

impl Side {
    /// Both players, in the order in which they move.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];
}

/// The opponent.
impl Not for Side {
    type Output = Side;
    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::First => "first",
            Side::Second => "second",
        })
    }
}

impl FromStr for Side {
    type Err = String;
    fn from_str(text: &str) -> Result<Side, String> {
        let named = |side: &Side| side.to_string() == text;
        Side::BOTH
            .into_iter()
            .find(named)
            .ok_or_else(|| format!("there is no side '{text}': choose first or second"))
    }
}

/// One `T` for each player, indexed by [`Side`] and by nothing else.
///
/// ```
/// use dobutsu_ga::game::{BySide, Side};
/// let mut wins = BySide { first: 0, second: 0 };
/// wins[Side::Second] += 1;
/// assert_eq!(wins, BySide { first: 0, second: 1 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct BySide<T> {
    /// What belongs to the first player.
    pub first: T,
    /// What belongs to the second player.
    pub second: T,
}

impl<T> BySide<T> {
    /// What `make` makes for each player.
    pub fn of(make: impl Fn(Side) -> T) -> BySide<T> {
        BySide { first: make(Side::First), second: make(Side::Second) }
    }

    /// What `change` makes of each.
    pub fn map<U>(self, change: impl Fn(T) -> U) -> BySide<U> {
        BySide { first: change(self.first), second: change(self.second) }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;
    fn index(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }
}
