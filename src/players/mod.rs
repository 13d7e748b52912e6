//! Who chooses a move? And the text that names a player, the same in every command.

mod engine;
mod extra;
mod hasami;
mod ladder;
mod manner;
mod network;
mod perfect;
mod quoridor;
mod random;
mod searching;
mod slipping;
mod spec;
mod table;

pub use extra::{Extra, MakeExtra, OnDisk, Recipe, Shelf};
pub(crate) use hasami::EXTRAS as HASAMI_EXTRAS;
pub use hasami::{FirstOrAny, Ties, network_player};
pub(crate) use ladder::{DOBUTSU_LEVELS, HASAMI_LEVELS, KYOTO_LEVELS, QUORIDOR_LEVELS};
pub use ladder::{Level, WITHIN};
pub use manner::{LookAhead, Manner};
pub use network::{Networked, PLAYING, dual_player, network_players};
pub use perfect::{PerfectPlayer, worth_of_moves};
pub(crate) use quoridor::DeepPlayer;
pub use quoridor::ReportManner;
pub use random::RandomPlayer;
pub use searching::{KeenPlayer, PathPlayer, SearchingPlayer, StrongPlayer};
pub use slipping::Slips;
pub use spec::{Effort, Options, PlayerSpec, SpecError, read_time};
pub use table::{Entry, entries, help};

use rand_chacha::ChaCha8Rng;

use crate::eval::Weighted;
use crate::games::{Ending, Game, Outcome, Referee, Side, Spoken, Tactics, Verdict, Weakness};
use crate::search::{Limit, Order, Report};
use crate::solve::Exact;

/// Somebody who plays one game.
pub trait Player<G: Game> {
    /// A legal move in a game that is not over, or why there is none: then the game is lost. All chance comes from `random`.
    fn choose(&mut self, game: &Referee<G>, random: &mut ChaCha8Rng) -> Result<G::Move, Forfeit>;

    /// The same, but no further than the order allows, and with a word about each round that is done. Who does not look ahead
    /// has nothing to tell, and an answer at once.
    fn think(
        &mut self,
        game: &Referee<G>,
        random: &mut ChaCha8Rng,
        order: &Order,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<G::Move, Forfeit> {
        let _ = (order, tell);
        self.choose(game, random)
    }
}

/// By what a player loses a game that goes on. None of our own ever does: programs of others can.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Forfeit {
    /// In a word that [records](crate::games::only_told) have.
    pub by: &'static str,
    /// In a sentence.
    pub why: String,
}

impl Forfeit {
    /// How a game has ended that this side has given up.
    pub fn verdict(&self, side: Side) -> Verdict {
        Verdict { outcome: Outcome::Win(!side), by: Ending::Decided(self.by) }
    }

    /// Whether it did something wrong. To give up a lost game is no fault.
    pub fn is_fault(&self) -> bool {
        !["resignation", "mate"].contains(&self.by)
    }
}

/// A game that players can be named for: it has an evaluator, and is solved or not.
pub trait Playable: Weighted + Exact + Spoken {
    /// How players with a genome think.
    type Manner: Manner<Self>;

    /// The players that only this game has.
    const EXTRAS: &'static [Extra<Self>] = &[];

    /// Players against which learners are measured.
    const YARDSTICKS: &'static [&'static str] = &["random"];

    /// Judges a move by a look one exchange ahead, in a game that can: learners count weak moves by it.
    const TACTICS: Option<fn(&Self, Self::Move) -> Tactics> = None;

    /// Opponents from the easiest to the strongest: data for who chooses one, and for `dobutsu-ga ladder`, which measures them.
    const LEVELS: &'static [Level] = &[];

    /// Weak moves that experiments can count.
    const WEAKNESSES: &'static [Weakness<Self>] = &[];

    /// The rules by which the steps between them are measured: those that a newcomer learns.
    fn ladder_rules() -> Self::Rules {
        Self::Rules::default()
    }

    /// The player that deepens until its time is up.
    fn strong(evaluator: Self::Evaluator, limit: Limit) -> Box<dyn Player<Self>> {
        Box::new(StrongPlayer::new(evaluator, limit))
    }
}
