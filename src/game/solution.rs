//! What may be asked of a solved game, and what is said of one that is not.

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{Game, Solved, legal_moves};

/// The solutions of a game, one for each of its rules, each read when it is first needed and then kept.
pub trait Solutions<G: Game>: Clone + Debug + Send + Sync + 'static {
    /// Whether the game is solved at all.
    const SOLVED: bool;

    /// Those at this place, or at the usual one.
    fn at(given: Option<&Path>) -> Self;

    /// Whether somebody has said where they are.
    fn is_given(&self) -> bool;

    /// Whether there is one for these rules, by a first look.
    fn is_there(&self, rules: G::Rules) -> bool;

    /// The one for these rules.
    fn get(&self, rules: G::Rules) -> Result<Arc<dyn Solution<G>>, SolutionError>;
}

/// A solution under certain rules.
pub trait Solution<G: Game>: Send + Sync {
    /// The rules it was made for.
    fn rules(&self) -> G::Rules;

    /// What a position is worth for the side to move.
    fn probe(&self, position: &G) -> Solved;

    /// Any position that can be reached and is not decided, all equally likely.
    fn any_position(&self, random: &mut ChaCha8Rng) -> G;

    /// Every legal move with what it makes of the position for the player to move, best first.
    fn moves(&self, position: &G) -> Vec<(G::Move, Solved)> {
        let worth = |m: G::Move| (m, self.probe(&position.play(m)).before());
        let mut moves: Vec<_> = legal_moves(position).into_iter().map(worth).collect();
        moves.sort_by(|(_, a), (_, b)| b.cmp(a));
        moves
    }

    /// The moves of perfect play by both sides, to the end or until a drawn position comes again; the first in the order of
    /// moves where several are perfect.
    fn line(&self, position: &G) -> Vec<G::Move> {
        let (mut position, mut line, mut seen) = (*position, Vec::new(), vec![position.key()]);
        while let Some((m, _)) = self.moves(&position).first() {
            position = position.play(*m);
            line.push(*m);
            if seen.contains(&position.key()) {
                break;
            }
            seen.push(position.key());
        }
        line
    }
}

/// Why there is no solution to ask.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum SolutionError {
    #[error("{0} is not solved (dobutsu is)")]
    Unsolved(&'static str),
    /// What is wrong with its file, in a sentence.
    #[error("{0}")]
    Table(String),
}

/// The solutions of a game that nobody has solved.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unsolved;

impl<G: Game> Solutions<G> for Unsolved {
    const SOLVED: bool = false;

    fn at(_: Option<&Path>) -> Unsolved {
        Unsolved
    }

    fn is_given(&self) -> bool {
        false
    }

    fn is_there(&self, _: G::Rules) -> bool {
        false
    }

    fn get(&self, _: G::Rules) -> Result<Arc<dyn Solution<G>>, SolutionError> {
        Err(SolutionError::Unsolved(G::NAME))
    }
}
