//! Players that look ahead.

use rand_chacha::ChaCha8Rng;

use super::{Forfeit, Player};
use crate::eval::Evaluator;
use crate::games::{Game, Referee};
use crate::random::pick;
use crate::search::{
    AlphaBeta, Deep, Gains, Limit, Order, Report, Strong, Terminal, path_alphabeta, path_alphabeta_ordered,
};

/// Looks a fixed number of plies ahead and draws one of the best moves: the paper's player.
pub struct SearchingPlayer<G: Game, E> {
    evaluator: E,
    search: AlphaBeta<G>,
}

impl<G: Game, E: Evaluator<G>> SearchingPlayer<G, E> {
    /// A player that looks `depth` plies ahead.
    pub fn new(evaluator: E, depth: u32, terminal: Terminal) -> Self {
        SearchingPlayer { evaluator, search: AlphaBeta::new(depth, terminal) }
    }
}

impl<G: Game, E: Evaluator<G>> Player<G> for SearchingPlayer<G, E> {
    fn choose(&mut self, game: &Referee<G>, random: &mut ChaCha8Rng) -> Result<G::Move, Forfeit> {
        self.search.search(game.position(), &self.evaluator);
        Ok(pick(random, self.search.best()))
    }

    fn think(
        &mut self,
        game: &Referee<G>,
        random: &mut ChaCha8Rng,
        order: &Order,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<G::Move, Forfeit> {
        let mut last = None;
        self.search.deepen(game.position(), &self.evaluator, order, &mut |report| {
            tell(report);
            last = Some(report.clone());
        });
        Ok(told_choice(pick(random, self.search.best()), last, tell))
    }
}

/// The move that the lot has chosen among equals; that is told too if another one was told last.
pub(super) fn told_choice<M: Copy + PartialEq>(
    chosen: M,
    last: Option<Report<M>>,
    tell: &mut dyn FnMut(&Report<M>),
) -> M {
    if let Some(last) = last.filter(|last| last.best != chosen) {
        tell(&Report { best: chosen, line: vec![chosen], ..last });
    }
    chosen
}

/// Looks a fixed number of plies ahead, adds up the values of all positions on the way, and draws one of the best moves.
pub struct PathPlayer<E> {
    /// What a position is worth.
    pub evaluator: E,
    /// How many plies to look ahead.
    pub depth: u32,
    /// How the end of the game is scored.
    pub terminal: Terminal,
}

impl<G: Game, E: Evaluator<G>> Player<G> for PathPlayer<E> {
    fn choose(&mut self, game: &Referee<G>, random: &mut ChaCha8Rng) -> Result<G::Move, Forfeit> {
        let found = path_alphabeta(game.position(), self.depth, &self.evaluator, self.terminal);
        Ok(pick(random, &found.best))
    }

    fn think(
        &mut self,
        game: &Referee<G>,
        random: &mut ChaCha8Rng,
        order: &Order,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<G::Move, Forfeit> {
        let mut last = None;
        let mut hear = |report: &Report<G::Move>| {
            tell(report);
            last = Some(report.clone());
        };
        let PathPlayer { evaluator, depth, terminal } = self;
        let found = path_alphabeta_ordered(game.position(), *depth, evaluator, *terminal, order, &mut hear);
        Ok(told_choice(pick(random, &found.best), last, tell))
    }
}

/// Plays what the strong search finds best; keeps its memory through the game.
pub struct StrongPlayer<G: Game, E> {
    search: Strong<G, E>,
    limit: Limit,
}

impl<G: Game, E: Evaluator<G>> StrongPlayer<G, E> {
    /// A player that searches up to this limit for every move.
    pub fn new(evaluator: E, limit: Limit) -> Self {
        StrongPlayer { search: Strong::new(evaluator), limit }
    }
}

impl<G: Game, E: Evaluator<G>> Player<G> for StrongPlayer<G, E> {
    fn choose(&mut self, game: &Referee<G>, _: &mut ChaCha8Rng) -> Result<G::Move, Forfeit> {
        Ok(best_of(self.search.search(game.position(), self.limit)))
    }

    fn think(
        &mut self,
        game: &Referee<G>,
        _: &mut ChaCha8Rng,
        order: &Order,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<G::Move, Forfeit> {
        Ok(best_of(self.search.search_ordered(game.position(), self.limit, order, tell)))
    }
}

/// Plays what the deep search finds best, over all moves; keeps its memory through the game and knows its past.
pub struct KeenPlayer<G: Game, E> {
    search: Deep<G, E, Gains<E>>,
    limit: Limit,
}

impl<G: Game, E: Evaluator<G> + Clone> KeenPlayer<G, E> {
    /// A player that searches up to this limit for every move.
    pub fn new(evaluator: E, limit: Limit) -> Self {
        KeenPlayer { search: Deep::new(evaluator.clone(), Gains(evaluator), 1 << 19), limit }
    }
}

impl<G: Game, E: Evaluator<G> + Clone> Player<G> for KeenPlayer<G, E> {
    fn choose(&mut self, game: &Referee<G>, random: &mut ChaCha8Rng) -> Result<G::Move, Forfeit> {
        self.think(game, random, &Order::default(), &mut |_| ())
    }

    fn think(
        &mut self,
        game: &Referee<G>,
        _: &mut ChaCha8Rng,
        order: &Order,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<G::Move, Forfeit> {
        self.search.know_past(game);
        let order = order.clone().within(self.limit);
        Ok(best_of(self.search.search_ordered(game.position(), self.limit, &order, tell)))
    }
}

/// The best move that a search has found in a game that goes on.
pub(super) fn best_of<M>(report: Option<Report<M>>) -> M {
    report.expect("a game that goes on has a legal move").best
}
