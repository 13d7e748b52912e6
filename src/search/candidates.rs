//! Which moves a search looks at.

use crate::games::Game;

/// Lists moves for a search that does not look at all of them, or knows in which order to look.
pub trait Candidates<G: Game> {
    /// Appends legal moves, each once, the most promising first; at least one if the game is not over.
    fn list(&self, position: &G, moves: &mut Vec<G::Move>);
}
