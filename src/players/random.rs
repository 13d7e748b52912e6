//! The player that any other should beat.

use rand_chacha::ChaCha8Rng;

use super::{Forfeit, Player};
use crate::games::{Game, Referee};

/// Plays any legal move.
pub struct RandomPlayer;

impl<G: Game> Player<G> for RandomPlayer {
    fn choose(&mut self, game: &Referee<G>, random: &mut ChaCha8Rng) -> Result<G::Move, Forfeit> {
        Ok(game.position().random_move(random))
    }
}
