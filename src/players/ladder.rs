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

const fn level(key: &'static str, piece: &'static str, player: &'static str) -> Level {
    Level { key, piece, player }
}

/// The upper two know the solution of the game, without which those below still play.
pub(crate) const DOBUTSU_LEVELS: &[Level] = &[
    level("very-easy", "chick", "material:depth=1:slips=1:sees=0.25"),
    level("easy", "hen", "material:depth=2:terminal=exact:slips=0.38:sees=0.25"),
    level("fairly-easy", "giraffe", "material:depth=3:terminal=exact:slips=0.18:sees=0.25"),
    level("medium", "giraffe", "material:depth=4:terminal=exact:slips=0.095:sees=0.25"),
    level("hard", "elephant", "strong:depth=5:slips=0.105"),
    level("very-hard", "elephant", "strong:depth=8"),
    level("master", "lion", "perfect:slips=0.027"),
    level("perfect", "lion", "perfect"),
];

/// From the value sets of the Kyoto Shogi report to the strong search.
pub(crate) const KYOTO_LEVELS: &[Level] = &[
    level("very-easy", "pawn", "A:depth=1:slips=1:sees=0.25"),
    level("easy", "lance", "S:depth=2:terminal=exact:slips=0.44:sees=0.25"),
    level("fairly-easy", "knight", "S:depth=3:terminal=exact:slips=0.32:sees=0.25"),
    level("medium", "silver", "B:depth=3:terminal=exact:slips=0.08:sees=0.25"),
    level("fairly-hard", "gold", "strong:depth=3:slips=0.1"),
    level("hard", "bishop", "strong:depth=4:slips=0.07"),
    level("very-hard", "rook", "strong:depth=5:slips=0.034"),
    level("strongest", "king", "strong:depth=6"),
];

/// A slip costs little here: the lower ones slip often.
pub(crate) const QUORIDOR_LEVELS: &[Level] = &[
    level("very-easy", "pawn", "plain:depth=1:slips=1:sees=0.25"),
    level("easy", "pawn", "plain:depth=1:slips=0.53:sees=0.25"),
    level("fairly-easy", "low", "plain:depth=1:slips=0.37:sees=0.25"),
    level("medium", "low", "swift:depth=2:slips=0.5"),
    level("fairly-hard", "middle", "swift:depth=2:slips=0.22"),
    level("hard", "high", "swift:depth=3:slips=0.12"),
    level("very-hard", "high", "strong:depth=5:slips=0.11"),
    level("strongest", "crown", "strong:depth=6"),
];

/// There are many moves to overlook: the lower two differ by how many they see.
pub(crate) const HASAMI_LEVELS: &[Level] = &[
    level("very-easy", "piece", "pieces:depth=1:slips=1:sees=0.2"),
    level("easy", "piece", "pieces:depth=1:slips=1:sees=0.43"),
    level("fairly-easy", "one", "balance:depth=2:ties=random:slips=0.7"),
    level("medium", "one", "balance:depth=2:ties=random:slips=0.47"),
    level("fairly-hard", "two", "balance:depth=3:ties=random:slips=0.47"),
    level("hard", "two", "balance:depth=3:ties=random:slips=0.28"),
    level("very-hard", "three", "strong:depth=3:slips=0.16"),
    level("expert", "three", "strong:depth=4:slips=0.157"),
    level("master", "three", "strong:depth=4:slips=0.079"),
    level("strongest", "crown", "strong:depth=4"),
];
