//! Who chooses a move? And the text that names a player, the same in every command.

mod perfect;
mod random;
mod searching;
mod spec;

pub use perfect::PerfectPlayer;
pub use random::RandomPlayer;
pub use searching::{PathPlayer, SearchingPlayer, StrongPlayer};
pub use spec::{PlayerSpec, SpecError};

use rand_chacha::ChaCha8Rng;

use crate::games::{Game, Referee};

/// Somebody who plays one game.
pub trait Player<G: Game> {
    /// A legal move in a game that is not over. All chance comes from `random`.
    fn choose(&mut self, game: &Referee<G>, random: &mut ChaCha8Rng) -> G::Move;
}
