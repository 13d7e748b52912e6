//! The player that knows.

use rand_chacha::ChaCha8Rng;

use super::Player;
use crate::games::Referee;
use crate::games::dobutsu::{Move, Position};
use crate::random::pick;
use crate::solve::Tables;

/// Plays the shortest win, else a draw, else the longest loss; chance decides among equals.
pub struct PerfectPlayer {
    pub(super) tables: Tables,
}

impl Player<Position> for PerfectPlayer {
    fn choose(&mut self, game: &Referee<Position>, random: &mut ChaCha8Rng) -> Move {
        let position = game.position();
        let table = self
            .tables
            .get(position.rules())
            .expect("whoever built this player has checked that there is a table");
        let moves = table.moves(position);
        let best: Vec<Move> =
            moves.iter().take_while(|(_, worth)| *worth == moves[0].1).map(|(m, _)| *m).collect();
        pick(random, &best)
    }
}
