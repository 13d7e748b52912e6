//! Players that look ahead.

use rand_chacha::ChaCha8Rng;

use super::{Forfeit, Player};
use crate::game::{Evaluator, Game, Referee};
use crate::random::pick;
use crate::search::{
    AlphaBeta, Candidates, Deepening, SearchInfo, SearchLimits, Terminal, path_alphabeta, path_deepen,
};

crate::variants! {
    /// Which of equally good moves is played.
    pub enum Ties, "way to choose among equals" {
        /// The first, in the order in which the game lists its moves.
        First = "first", "the first in board order, as in the report";
        /// Any.
        Random = "random", "any of them";
    }
}

/// Looks at all lines to a fixed depth and plays one of the best moves: the papers' player.
pub struct FullWidthPlayer<G: Game, E> {
    evaluator: E,
    depth: u32,
    terminal: Terminal,
    search: AlphaBeta<G>,
    /// Whether the values of all positions on the way are added up.
    pub path: bool,
    /// Which of the best moves is played.
    pub ties: Ties,
}

impl<G: Game, E: Evaluator<G>> FullWidthPlayer<G, E> {
    /// A player that looks `depth` plies ahead and draws one of the best moves.
    pub fn new(evaluator: E, depth: u32, terminal: Terminal) -> Self {
        let search = AlphaBeta::new(depth, terminal);
        FullWidthPlayer { evaluator, depth, terminal, search, path: false, ties: Ties::Random }
    }

    fn pick(&self, best: &[G::Move], random: &mut ChaCha8Rng) -> G::Move {
        match self.ties {
            Ties::First => best[0],
            Ties::Random => pick(random, best),
        }
    }
}

impl<G: Game, E: Evaluator<G>> Player<G> for FullWidthPlayer<G, E> {
    fn choose(
        &mut self,
        game: &Referee<G>,
        random: &mut ChaCha8Rng,
        limits: &SearchLimits,
        on_info: &mut dyn FnMut(&SearchInfo<G::Move>),
    ) -> Result<G::Move, Forfeit> {
        let FullWidthPlayer { ref evaluator, depth, terminal, path, .. } = *self;
        let position = game.position();
        if limits.is_unset() {
            // Nothing can interrupt it: no need to deepen.
            if path {
                let found = path_alphabeta(position, depth, evaluator, terminal);
                return Ok(self.pick(&found.best, random));
            }
            self.search.search(position, evaluator);
            return Ok(self.pick(self.search.best(), random));
        }
        let mut last = None;
        let mut on_iteration = |info: &SearchInfo<G::Move>| {
            on_info(info);
            last = Some(info.clone());
        };
        let chosen = if path {
            let found = path_deepen(position, depth, evaluator, terminal, limits, &mut on_iteration);
            self.pick(&found.best, random)
        } else {
            self.search.deepen(position, evaluator, limits, &mut on_iteration);
            self.pick(self.search.best(), random)
        };
        // The random tie-break may choose another move than the last info named.
        if let Some(last) = last.filter(|last| last.best != chosen) {
            on_info(&SearchInfo { best: chosen, line: vec![chosen], ..last });
        }
        Ok(chosen)
    }
}

/// Plays what a deepening search finds best; keeps its table through the game.
pub struct DeepeningPlayer<G: Game, E, C> {
    /// The search.
    pub search: Deepening<G, E, C>,
    /// The player's own limits.
    pub limits: SearchLimits,
}

impl<G: Game, E: Evaluator<G>, C: Candidates<G>> Player<G> for DeepeningPlayer<G, E, C> {
    fn choose(
        &mut self,
        game: &Referee<G>,
        _: &mut ChaCha8Rng,
        limits: &SearchLimits,
        on_info: &mut dyn FnMut(&SearchInfo<G::Move>),
    ) -> Result<G::Move, Forfeit> {
        let found = self.search.search_game(game, &limits.or(&self.limits), on_info);
        Ok(found.expect("a game that goes on has a legal move").best)
    }
}
