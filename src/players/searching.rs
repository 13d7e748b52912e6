//! Players that look ahead.

use rand_chacha::ChaCha8Rng;

use super::Player;
use crate::eval::Evaluator;
use crate::games::{Game, Referee};
use crate::random::pick;
use crate::search::{AlphaBeta, Limit, Strong, Terminal, path_minimax};

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
    fn choose(&mut self, game: &Referee<G>, random: &mut ChaCha8Rng) -> G::Move {
        self.search.search(game.position(), &self.evaluator);
        pick(random, self.search.best())
    }
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
    fn choose(&mut self, game: &Referee<G>, random: &mut ChaCha8Rng) -> G::Move {
        let found = path_minimax(game.position(), self.depth, &self.evaluator, self.terminal);
        pick(random, &found.best)
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
    fn choose(&mut self, game: &Referee<G>, _: &mut ChaCha8Rng) -> G::Move {
        let report = self.search.search(game.position(), self.limit);
        report.expect("a game that goes on has a legal move").best
    }
}
