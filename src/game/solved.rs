//! The result of perfect play.

use std::cmp::Ordering;
use std::fmt;

use serde::Serialize;

/// What perfect play makes of a position, seen by the side to move. Better is greater: a shorter win, a longer loss.
///
/// ```
/// use dobutsu_ga::game::Solved;
/// assert!(Solved::Win(3) > Solved::Win(5) && Solved::Win(5) > Solved::Draw && Solved::Draw > Solved::Loss(4));
/// assert_eq!(Solved::Loss(2).before(), Solved::Win(3));
/// assert_eq!(Solved::Win(3).to_string(), "win in 3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase", tag = "value", content = "plies")]
pub enum Solved {
    /// Wins in so many plies, with the opponent holding out as long as possible.
    Win(u8),
    /// Neither can force a win.
    Draw,
    /// Loses in so many plies.
    Loss(u8),
}

impl Solved {
    /// The worth, for the player who moves to a position of this worth.
    pub fn before(self) -> Solved {
        match self {
            Solved::Win(plies) => Solved::Loss(plies + 1),
            Solved::Draw => Solved::Draw,
            Solved::Loss(plies) => Solved::Win(plies + 1),
        }
    }

    /// 1 for a win, 0 for a draw, -1 for a loss, whatever the distance.
    pub fn sign(self) -> i32 {
        match self {
            Solved::Win(_) => 1,
            Solved::Draw => 0,
            Solved::Loss(_) => -1,
        }
    }

    /// `win`, `draw` or `loss`.
    pub const fn word(self) -> &'static str {
        match self {
            Solved::Win(_) => "win",
            Solved::Draw => "draw",
            Solved::Loss(_) => "loss",
        }
    }

    /// How many plies until the end, if there is one.
    pub fn plies(self) -> Option<u8> {
        match self {
            Solved::Win(plies) | Solved::Loss(plies) => Some(plies),
            Solved::Draw => None,
        }
    }

    /// Orders by worth.
    fn rank(self) -> i32 {
        match self {
            Solved::Win(plies) => 1000 - i32::from(plies),
            Solved::Draw => 0,
            Solved::Loss(plies) => i32::from(plies) - 1000,
        }
    }
}

impl PartialOrd for Solved {
    fn partial_cmp(&self, other: &Solved) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Solved {
    fn cmp(&self, other: &Solved) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl fmt::Display for Solved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Solved::Win(plies) => f.pad(&format!("win in {plies}")),
            Solved::Draw => f.pad("draw"),
            Solved::Loss(plies) => f.pad(&format!("loss in {plies}")),
        }
    }
}
