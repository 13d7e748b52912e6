//! The player that any other should beat.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{Entry, Forfeit, Playable, Player, Recipe};
use crate::game::{Game, Referee};
use crate::search::{SearchInfo, SearchLimits};

/// Plays any legal move.
#[derive(Clone, Copy, Debug)]
pub struct RandomPlayer;

pub(super) fn entry<G: Playable>() -> Entry<G> {
    Entry {
        name: "random",
        group: "random",
        help: "any legal move",
        options: Vec::new(),
        make: |_| Ok(Arc::new(RandomPlayer)),
    }
}

impl<G: Playable> Recipe<G> for RandomPlayer {
    fn player(&self) -> Box<dyn Player<G>> {
        Box::new(RandomPlayer)
    }

    fn describe(&self) -> String {
        "any legal move".to_string()
    }
}

impl<G: Game> Player<G> for RandomPlayer {
    fn choose(
        &mut self,
        game: &Referee<G>,
        random: &mut ChaCha8Rng,
        _: &SearchLimits,
        _: &mut dyn FnMut(&SearchInfo<G::Move>),
    ) -> Result<G::Move, Forfeit> {
        Ok(game.position().random_move(random))
    }
}
