//! What `dobutsu-ga bench` measures of a game.

use crate::game::Weighted;
use crate::search::{ByValue, Config, Deepening, SearchLimits, Terminal, alphabeta, minimax};

/// A fixed set of searches.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// The positions, by the game's first rules.
    pub positions: &'static [&'static str],
    /// What is searched, with which genome, how deep, and how often for a speed.
    pub searches: &'static [(BenchSearch, &'static str, u32, u32)],
}

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub enum BenchSearch {
    /// Minimax without pruning.
    Minimax,
    /// Alpha-beta at a fixed depth.
    AlphaBeta,
    /// Iterative deepening with a table, exact values.
    Strong,
}

impl BenchSearch {
    /// What tables call it.
    pub const fn name(self) -> &'static str {
        match self {
            BenchSearch::Minimax => "minimax",
            BenchSearch::AlphaBeta => "alpha-beta",
            BenchSearch::Strong => "strong",
        }
    }

    /// How many nodes it visits.
    pub fn nodes<G: Weighted>(self, position: &G, evaluator: &G::Evaluator, depth: u32) -> u64 {
        match self {
            BenchSearch::Minimax => minimax(position, depth, evaluator, Terminal::Paper).leaves,
            BenchSearch::AlphaBeta => alphabeta(position, depth, evaluator, Terminal::Paper).leaves,
            BenchSearch::Strong => {
                let mut search = Deepening::new(evaluator.clone(), ByValue(evaluator.clone()), Config::EXACT);
                search.search(position, &SearchLimits::depth(depth), &mut |_| ()).map_or(0, |info| info.nodes)
            }
        }
    }
}
