//! How games begin: with random moves that leave the game open.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Conditions;
use crate::game::{Referee, SolutionError, Solutions, Solved, legal_moves};
use crate::players::Playable;
use crate::random::{pick, stream};

/// Streams of openings stand apart from those of games.
const OPENINGS: u64 = 1 << 63;

/// Which positions a random opening may lead to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    fn check<G: Playable>(self, rules: G::Rules) -> Result<(), SolutionError> {
        match self {
            Openings::Calm => Ok(()),
            _ => G::Solutions::at(None).get(rules).map(|_| ()),
        }
    }

    fn accepts<G: Playable>(self, position: &G) -> bool {
        // Whoever begins games has checked that the solution is there.
        let value = || G::Solutions::at(None).get(position.rules()).map(|solution| solution.probe(position));
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
fn open<G: Playable>(conditions: &Conditions<G>, pairing: u64, opening: u64) -> Option<Referee<G>> {
    let mut random = stream(conditions.seed, OPENINGS | pairing, opening);
    let start = conditions.start();
    for _ in 0..MOST_TRIES {
        let mut game = Referee::within(start, conditions.limits);
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

/// A game begun as the conditions say, or without an opening where none can be found.
pub fn opened<G: Playable>(conditions: &Conditions<G>, pairing: u64, opening: u64) -> Referee<G> {
    open(conditions, pairing, opening)
        .unwrap_or_else(|| Referee::within(conditions.start(), conditions.limits))
}

/// Why games cannot begin as asked.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum OpeningsError {
    #[error("openings={openings}: {error}")]
    Solution { openings: Openings, error: SolutionError },
    #[error(
        "hardly any {plies} random moves lead to an opening that is {openings}: choose more moves or other openings"
    )]
    Rare { plies: usize, openings: Openings },
}

impl<G: Playable> Conditions<G> {
    /// Makes sure before any game that games can begin like this.
    pub fn check(&self) -> Result<(), OpeningsError> {
        let (plies, openings) = (self.opening_plies, self.openings);
        if plies == 0 {
            return Ok(());
        }
        openings.check::<G>(self.rules).map_err(|error| OpeningsError::Solution { openings, error })?;
        // Some openings are hard to find; where fifty were found, others will be.
        match (0..50).any(|opening| open(self, 0, opening).is_none()) {
            true => Err(OpeningsError::Rare { plies, openings }),
            false => Ok(()),
        }
    }
}
