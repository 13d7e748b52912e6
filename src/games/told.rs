//! A game as a record tells it, whatever the file looks like.

use super::{BySide, Game, Verdict};

/// A whole game, every move checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told<G: Game> {
    /// The line of the file in which it begins, or 1.
    pub line: usize,
    /// Who played.
    pub names: BySide<String>,
    /// Whatever else is said about it.
    pub comments: Vec<String>,
    /// Where it began.
    pub start: G,
    /// What was played.
    pub moves: Vec<G::Move>,
    /// How it ended, if it is known.
    pub verdict: Option<Verdict>,
}

/// The games of a file, one at a time; an error is a sentence with the line.
pub type ToldGames<'a, G> = Box<dyn Iterator<Item = Result<Told<G>, String>> + 'a>;
