//! Weak moves that can be counted in finished games.

use super::Game;

/// A kind of weak move.
pub struct Weakness<G: Game> {
    /// What tables call it.
    pub name: &'static str,
    /// What is counted, in a sentence.
    pub meaning: &'static str,
    /// Whether a move is one: the position before it, the move, and the same player's move before that, if it chose one.
    pub is_one: fn(&G, G::Move, Option<G::Move>) -> bool,
}
