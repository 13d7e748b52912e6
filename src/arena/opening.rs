//! How games begin: with random moves that leave the game open.

use std::fmt;
use std::str::FromStr;

use super::Conditions;
use crate::games::dobutsu::{Position, Rules};
use crate::games::{Referee, legal_moves};
use crate::random::{pick, stream};
use crate::solve::{Solved, TableError, Tables};

/// Streams of openings stand apart from those of games.
const OPENINGS: u64 = 1 << 63;

/// Which positions a random opening may lead to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Openings {
    /// Those in which neither side could win at once: about half of all openings of four random moves are decided by the
    /// fifth, and pull every match towards one half.
    #[default]
    Calm,
    /// Of those, the ones that are drawn with perfect play.
    Drawn,
    /// Of those, the ones that are drawn, or not decided in fewer than so many plies.
    Far(u8),
}

impl Openings {
    /// Makes sure that the solution is there, if it is needed.
    pub fn check(self, rules: Rules) -> Result<(), TableError> {
        match self {
            Openings::Calm => Ok(()),
            _ => Tables::at(None).get(rules).map(|_| ()),
        }
    }

    fn accepts(self, position: &Position) -> bool {
        // Whoever begins games has checked that the table is there.
        let value = || Tables::at(None).get(position.rules()).map(|table| table.probe(position));
        position.is_calm()
            && match self {
                Openings::Calm => true,
                Openings::Drawn => matches!(value(), Ok(Solved::Draw)),
                Openings::Far(plies) => value().is_ok_and(|value| value.plies().is_none_or(|n| n >= plies)),
            }
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Calm => f.write_str("calm"),
            Openings::Drawn => f.write_str("drawn"),
            Openings::Far(plies) => write!(f, "far={plies}"),
        }
    }
}

impl FromStr for Openings {
    type Err = String;
    fn from_str(text: &str) -> Result<Openings, String> {
        let far = |plies: &str| plies.parse().ok().filter(|plies| (2..=200).contains(plies));
        match (text, text.strip_prefix("far=").and_then(far)) {
            ("calm", _) => Ok(Openings::Calm),
            ("drawn", _) => Ok(Openings::Drawn),
            (_, Some(plies)) => Ok(Openings::Far(plies)),
            _ => Err(format!(
                "there are no openings '{text}': choose calm, drawn, or far=N with N from 2 to 200"
            )),
        }
    }
}

/// A random opening that was looked for this often is not to be found.
const MOST_TRIES: usize = 20_000;

/// A game begun with random moves; `None` if none of very many tries led to a position of the wanted kind.
pub(super) fn open(conditions: &Conditions, pairing: u64, opening: u64) -> Option<Referee<Position>> {
    let mut random = stream(conditions.seed, OPENINGS | pairing, opening);
    let start = conditions.array.start(conditions.rules);
    for _ in 0..MOST_TRIES {
        let mut game = Referee::with_ply_cap(start, conditions.ply_cap);
        while game.moves().len() < conditions.opening_plies && game.verdict().is_none() {
            game.play(pick(&mut random, &legal_moves(game.position())));
        }
        let wanted = conditions.opening_plies == 0 || conditions.openings.accepts(game.position());
        if game.verdict().is_none() && wanted {
            return Some(game);
        }
    }
    None
}

impl Conditions {
    /// Makes sure before any game that games can begin like this.
    pub fn check(&self) -> Result<(), String> {
        if self.opening_plies == 0 {
            return Ok(());
        }
        self.openings.check(self.rules).map_err(|error| format!("openings={}: {error}", self.openings))?;
        // Some openings are hard to find; where fifty were found, others will be.
        let missing = (0..50).any(|opening| open(self, 0, opening).is_none());
        match missing {
            true => Err(format!(
                "hardly any {} random moves lead to an opening that is {}: choose more moves or other openings",
                self.opening_plies, self.openings
            )),
            false => Ok(()),
        }
    }
}
