//! Who chooses a move? And the text that names a player, the same in every command.

mod extra;
mod hasami;
mod manner;
mod perfect;
mod quoridor;
mod random;
mod searching;
mod spec;
mod table;

pub use extra::{Extra, MakeExtra, OnDisk, Recipe, Shelf};
pub(crate) use hasami::EXTRAS as HASAMI_EXTRAS;
pub use hasami::{FirstOrAny, Ties, network_player};
pub use manner::{LookAhead, Manner};
pub use perfect::{PerfectPlayer, worth_of_moves};
pub(crate) use quoridor::DeepPlayer;
pub use quoridor::ReportManner;
pub use random::RandomPlayer;
pub use searching::{PathPlayer, SearchingPlayer, StrongPlayer};
pub use spec::{Effort, Options, PlayerSpec, SpecError, read_time};
pub use table::{Entry, entries, help};

use rand_chacha::ChaCha8Rng;

use crate::eval::Weighted;
use crate::games::{Game, Referee};
use crate::search::Limit;
use crate::solve::Exact;

/// Somebody who plays one game.
pub trait Player<G: Game> {
    /// A legal move in a game that is not over. All chance comes from `random`.
    fn choose(&mut self, game: &Referee<G>, random: &mut ChaCha8Rng) -> G::Move;
}

/// A game that players can be named for: it has an evaluator, and is solved or not.
pub trait Playable: Weighted + Exact {
    /// How players with a genome think.
    type Manner: Manner<Self>;

    /// The players that only this game has.
    const EXTRAS: &'static [Extra<Self>] = &[];

    /// The player that deepens until its time is up.
    fn strong(evaluator: Self::Evaluator, limit: Limit) -> Box<dyn Player<Self>> {
        Box::new(StrongPlayer::new(evaluator, limit))
    }
}
