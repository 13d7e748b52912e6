//! Who chooses a move? And the text that names a player, the same in every command.

mod perfect;
mod random;
mod searching;
mod spec;
mod table;

pub use perfect::{PerfectPlayer, worth_of_moves};
pub use random::RandomPlayer;
pub use searching::{PathPlayer, SearchingPlayer, StrongPlayer};
pub use spec::{Effort, FindGenome, PlayerSpec, SpecError};
pub use table::{Entry, entries, help};

use rand_chacha::ChaCha8Rng;

use crate::eval::Weighted;
use crate::games::{Game, Referee};
use crate::solve::Exact;

/// Somebody who plays one game.
pub trait Player<G: Game> {
    /// A legal move in a game that is not over. All chance comes from `random`.
    fn choose(&mut self, game: &Referee<G>, random: &mut ChaCha8Rng) -> G::Move;
}

/// A game that players can be named for: it has an evaluator, and is solved or not.
pub trait Playable: Weighted + Exact {}

impl<G: Weighted + Exact> Playable for G {}
