//! The player that knows.

use rand_chacha::ChaCha8Rng;

use super::{Forfeit, Playable, Player};
use crate::games::{Game, Outcome, Referee, legal_moves};
use crate::random::pick;
use crate::search::{Order, Report, Value};
use crate::solve::{Solution, Solutions, Solved};

/// Plays the shortest win, else a draw, else the longest loss; chance decides among equals.
pub struct PerfectPlayer<G: Playable> {
    pub(super) solutions: G::Solutions,
}

impl<G: Playable> PerfectPlayer<G> {
    /// One of the best moves, what it is worth, and how many there were to choose from.
    fn best(&self, game: &Referee<G>, random: &mut ChaCha8Rng) -> (G::Move, Solved, usize) {
        let solution = self
            .solutions
            .get(game.position().rules())
            .expect("whoever built this player has checked that there is a solution");
        let worths = worth_of_moves(game, &*solution);
        let best =
            worths.iter().map(|(_, worth)| *worth).max().expect("a game that goes on has a legal move");
        let moves: Vec<G::Move> =
            worths.iter().filter(|(_, worth)| *worth == best).map(|(m, _)| *m).collect();
        (pick(random, &moves), best, worths.len())
    }
}

impl<G: Playable> Player<G> for PerfectPlayer<G> {
    fn choose(&mut self, game: &Referee<G>, random: &mut ChaCha8Rng) -> Result<G::Move, Forfeit> {
        Ok(self.best(game, random).0)
    }

    fn think(
        &mut self,
        game: &Referee<G>,
        random: &mut ChaCha8Rng,
        _: &Order,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<G::Move, Forfeit> {
        let (best, worth, moves) = self.best(game, random);
        let value = match worth {
            Solved::Win(plies) => Value::win_in(plies.into()),
            Solved::Draw => Value::DRAW,
            Solved::Loss(plies) => Value::loss_in(plies.into()),
        };
        // It sees to the end of the game.
        let depth = worth.plies().map_or(1, u32::from);
        tell(&Report { best, value, depth, nodes: moves as u64, line: vec![best] });
        Ok(best)
    }
}

/// Every legal move and what it is worth by perfect play, for the side that moves. A move that ends the game is worth what it
/// ends in: only history knows of repetitions.
pub fn worth_of_moves<G: Game>(game: &Referee<G>, solution: &dyn Solution<G>) -> Vec<(G::Move, Solved)> {
    let worth = |m: G::Move| {
        let mut after = game.clone();
        after.play(m);
        let worth = match after.verdict().map(|verdict| verdict.outcome) {
            Some(Outcome::Win(side)) if side == game.position().side_to_move() => Solved::Win(1),
            Some(Outcome::Win(_)) => Solved::Loss(1),
            Some(Outcome::Draw) => Solved::Draw,
            // The solution speaks for the side that moves next.
            None => solution.probe(after.position()).before(),
        };
        (m, worth)
    };
    legal_moves(game.position()).into_iter().map(worth).collect()
}
