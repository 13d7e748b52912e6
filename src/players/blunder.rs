//! Deliberate blunders: how any player is made weaker, a little or a lot.

use std::fmt;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{Effort, Forfeit, Options, Playable, Player, PlayerOption, Recipe, SpecError};
use crate::game::{Evaluator, Game, Outcome, Referee, legal_moves};
use crate::random::{chance, pick};
use crate::search::{SearchInfo, SearchLimits, Tree, Value};
use crate::values::Values;

/// How a player blunders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlunderRate {
    /// How likely each of its moves is made without a search (`slips`).
    pub rate: f64,
    /// How likely it is then to see each legal move (`sees`).
    pub visibility: f64,
}

impl BlunderRate {
    /// Never.
    pub const NONE: BlunderRate = BlunderRate { rate: 0.0, visibility: 0.5 };
}

impl fmt::Display for BlunderRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "slips={} sees={}", self.rate, self.visibility)
    }
}

/// The options of players that can blunder.
pub(super) fn options() -> Vec<PlayerOption> {
    let rate =
        "how likely each move is made at a glance, without a thought of the answer: 0 to 1 (default 0)";
    let visibility = BlunderRate::NONE.visibility;
    let visibility = format!("how likely a glance is to see each move: 0 to 1 (default {visibility})");
    vec![
        PlayerOption::new("slips=P", Values::Number(0.0..=1.0), rate),
        PlayerOption::new("sees=P", Values::Number(0.0..=1.0), visibility),
    ]
}

/// Plays like the recipe inside, but some moves, drawn at random, are made at a glance.
///
/// Beginners do not lose because they throw dice. They look at some of their moves and not at all of them, take what they see
/// can be taken, and forget to ask what the answer will be. A glance does just that: each move is seen or overlooked at random, one
/// that wins at once is always seen, and of those seen one is played after which the evaluator likes the board best.
#[derive(Debug)]
pub(super) struct Blundering<G: Playable> {
    inner: Arc<dyn Recipe<G>>,
    evaluator: G::Evaluator,
    rate: BlunderRate,
}

impl<G: Playable> Blundering<G> {
    /// The player of these options around one that never blunders: that one itself, if nothing asks for blunders.
    pub(super) fn around(
        inner: Arc<dyn Recipe<G>>,
        options: &Options<'_>,
    ) -> Result<Arc<dyn Recipe<G>>, SpecError> {
        let rate = options.number("slips").unwrap_or(BlunderRate::NONE.rate);
        if rate == 0.0 && options.get("sees").is_some() {
            return Err(options.wrong("sees", "left out where slips is 0: who never slips sees all moves"));
        }
        let visibility = options.number("sees").unwrap_or(BlunderRate::NONE.visibility);
        match inner.glance().filter(|_| rate > 0.0) {
            Some(evaluator) => {
                Ok(Arc::new(Blundering { inner, evaluator, rate: BlunderRate { rate, visibility } }))
            }
            None => Ok(inner),
        }
    }

    fn same_around(&self, inner: Arc<dyn Recipe<G>>) -> Arc<dyn Recipe<G>> {
        Arc::new(Blundering { inner, evaluator: self.evaluator.clone(), rate: self.rate })
    }
}

impl<G: Playable> Recipe<G> for Blundering<G> {
    fn player(&self) -> Box<dyn Player<G>> {
        let (player, evaluator, rate) = (self.inner.player(), self.evaluator.clone(), self.rate);
        Box::new(BlunderingPlayer { player, evaluator, rate })
    }

    fn describe(&self) -> String {
        format!("{} {}", self.rate, self.inner.describe())
    }

    fn check(&self, text: &str, rules: G::Rules) -> Result<(), SpecError> {
        self.inner.check(text, rules)
    }

    fn effort(&self) -> Effort {
        self.inner.effort()
    }

    fn knows(&self, position: &G) -> bool {
        self.inner.knows(position)
    }

    fn tree(&self, game: &Referee<G>) -> Option<Tree<G>> {
        self.inner.tree(game)
    }

    fn at_depth(&self, depth: u32) -> Option<Arc<dyn Recipe<G>>> {
        Some(self.same_around(self.inner.at_depth(depth)?))
    }

    fn with_solutions(&self, solutions: &G::Solutions) -> Option<Arc<dyn Recipe<G>>> {
        Some(self.same_around(self.inner.with_solutions(solutions)?))
    }

    fn blunders(&self) -> BlunderRate {
        self.rate
    }
}

struct BlunderingPlayer<G: Game, E> {
    player: Box<dyn Player<G>>,
    evaluator: E,
    rate: BlunderRate,
}

impl<G: Game, E: Evaluator<G>> BlunderingPlayer<G, E> {
    fn glance(&self, position: &G, random: &mut ChaCha8Rng) -> SearchInfo<G::Move> {
        let side = position.side_to_move();
        let moves = legal_moves(position);
        let mut best = Vec::new();
        let mut value = Value::MIN;
        for m in &moves {
            let after = position.play(*m);
            let look = match after.outcome() {
                Some(Outcome::Win(winner)) if winner == side => Value::win_in(1),
                _ if !chance(random, self.rate.visibility) => continue,
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
        // A player that has seen nothing at all still moves.
        let (best, value) = match best[..] {
            [] => (pick(random, &moves), Value::DRAW),
            _ => (pick(random, &best), value),
        };
        SearchInfo { best, value, depth: 1, nodes: moves.len() as u64, line: vec![best] }
    }
}

impl<G: Game, E: Evaluator<G>> Player<G> for BlunderingPlayer<G, E> {
    fn choose(
        &mut self,
        game: &Referee<G>,
        random: &mut ChaCha8Rng,
        limits: &SearchLimits,
        on_info: &mut dyn FnMut(&SearchInfo<G::Move>),
    ) -> Result<G::Move, Forfeit> {
        if !chance(random, self.rate.rate) {
            return self.player.choose(game, random, limits, on_info);
        }
        let info = self.glance(game.position(), random);
        on_info(&info);
        Ok(info.best)
    }
}
