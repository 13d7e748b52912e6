//! What a player's text stands for, ready to make players.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use super::{BlunderRate, Playable, Player, SpecError};
use crate::game::Referee;
use crate::search::Tree;

/// A kind of player with all its options: makes a player for each game.
pub trait Recipe<G: Playable>: Debug + Send + Sync {
    /// A player for one game.
    fn player(&self) -> Box<dyn Player<G>>;

    /// Everything that decides how it plays, whatever the defaults are today.
    fn describe(&self) -> String;

    /// Makes sure that everything is there for games under these rules; `text` is how the player was named.
    fn check(&self, text: &str, rules: G::Rules) -> Result<(), SpecError> {
        let _ = (text, rules);
        Ok(())
    }

    /// How much work a move is.
    fn effort(&self) -> Effort {
        Effort::None
    }

    /// Whether it can be asked for a move in this position, which is not over.
    fn knows(&self, position: &G) -> bool {
        let _ = position;
        true
    }

    /// Its search tree in a game that goes on, if it grows one.
    fn tree(&self, game: &Referee<G>) -> Option<Tree<G>> {
        let _ = game;
        None
    }

    /// For an external engine: its name, as far as it is known.
    fn program(&self) -> Option<String> {
        None
    }

    /// The same looking this many plies ahead, if it looks ahead and was not told how far.
    fn at_depth(&self, depth: u32) -> Option<Arc<dyn Recipe<G>>> {
        let _ = depth;
        None
    }

    /// The same going by these solutions, if it goes by the solution of the game and was not told where that is.
    fn with_solutions(&self, solutions: &G::Solutions) -> Option<Arc<dyn Recipe<G>>> {
        let _ = solutions;
        None
    }

    /// By what it values a board at a glance, if it can be told to blunder.
    fn glance(&self) -> Option<G::Evaluator> {
        None
    }

    /// How often it blunders on purpose.
    fn blunders(&self) -> BlunderRate {
        BlunderRate::NONE
    }
}

/// How much work a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// No search.
    None,
    /// A search this many plies deep.
    Depth(u32),
    /// A search for this long.
    Time(Duration),
    /// Every line this many plies deep.
    EveryLine(u32),
    /// A tree of this many simulations.
    Simulations(u32),
}
