//! The levels of each game: whom one can choose without knowing players.
//!
//! Each step up is measured, by `dobutsu-ga ladder`, to score about three quarters against the step below; results/ladder and
//! its like hold the tables. All go by depth, never by the clock, so that a table comes out again from its seed.

use std::fmt;
use std::ops::RangeInclusive;

use serde::Serialize;

/// An opponent of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Level {
    /// How hard it is, in a word: the page has a name for each.
    pub key: &'static str,
    /// The piece whose picture it wears.
    pub piece: &'static str,
    /// Who plays.
    pub player: &'static str,
}

/// As in `Hen · Easy`.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} · {}", capitalized(self.piece), capitalized(self.key))
    }
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).map(|letter| if letter == '-' { ' ' } else { letter }).collect()
}

/// What each level should score against the one below.
pub const WITHIN: RangeInclusive<f64> = 0.7..=0.8;

/// A level.
pub const fn level(key: &'static str, piece: &'static str, player: &'static str) -> Level {
    Level { key, piece, player }
}
