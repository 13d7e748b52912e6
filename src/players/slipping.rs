//! A player that slips now and then: how any player is made weaker, a little or a lot.

use std::fmt;

use rand_chacha::ChaCha8Rng;

use super::{Forfeit, Player};
use crate::eval::Evaluator;
use crate::games::{Game, Outcome, Referee, legal_moves};
use crate::random::{chance, pick};
use crate::search::{Order, Report, Value};

/// How a player slips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slips {
    /// How likely each of its moves is one.
    pub chance: f64,
    /// How likely it is then to see each move that it could make.
    pub sees: f64,
}

impl Slips {
    /// Who never slips.
    pub const NONE: Slips = Slips { chance: 0.0, sees: 0.5 };
}

impl fmt::Display for Slips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "slips={} sees={}", self.chance, self.sees)
    }
}

/// Thinks like the player inside, but some moves, drawn by lot, it makes at a glance.
///
/// Beginners do not lose because they throw dice. They look at some of their moves and not at all of them, take what they see
/// can be taken, and forget to ask what the answer will be. A glance does just that: each move is seen or overlooked by lot, one
/// that wins at once is always seen, and of those seen one is played after which the board looks best.
pub(super) struct Slipping<G: Game, E> {
    /// Who thinks the rest of the time.
    pub(super) player: Box<dyn Player<G>>,
    /// How the board looks.
    pub(super) evaluator: E,
    /// How often, and how.
    pub(super) slips: Slips,
}

impl<G: Game, E: Evaluator<G>> Slipping<G, E> {
    fn glance(&self, position: &G, random: &mut ChaCha8Rng) -> Report<G::Move> {
        let side = position.side_to_move();
        let moves = legal_moves(position);
        let mut best = Vec::new();
        let mut value = Value::MIN;
        for m in &moves {
            let after = position.play(*m);
            let look = match after.outcome() {
                Some(Outcome::Win(winner)) if winner == side => Value::win_in(1),
                _ if !chance(random, self.slips.sees) => continue,
                Some(Outcome::Win(_)) => Value::loss_in(1),
                Some(Outcome::Draw) => Value::DRAW,
                None => Value::points(self.evaluator.value(&after, side)),
            };
            if look > value {
                value = look;
                best.clear();
            }
            if look == value {
                best.push(*m);
            }
        }
        // Somebody who has seen nothing at all moves something.
        let (best, value) = match best[..] {
            [] => (pick(random, &moves), Value::DRAW),
            _ => (pick(random, &best), value),
        };
        Report { best, value, depth: 1, nodes: moves.len() as u64, line: vec![best] }
    }
}

impl<G: Game, E: Evaluator<G>> Player<G> for Slipping<G, E> {
    fn choose(&mut self, game: &Referee<G>, random: &mut ChaCha8Rng) -> Result<G::Move, Forfeit> {
        match chance(random, self.slips.chance) {
            true => Ok(self.glance(game.position(), random).best),
            false => self.player.choose(game, random),
        }
    }

    fn think(
        &mut self,
        game: &Referee<G>,
        random: &mut ChaCha8Rng,
        order: &Order,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<G::Move, Forfeit> {
        if !chance(random, self.slips.chance) {
            return self.player.think(game, random, order, tell);
        }
        let report = self.glance(game.position(), random);
        tell(&report);
        Ok(report.best)
    }
}
