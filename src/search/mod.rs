//! What happens if we look ahead? `minimax` is the readable reference; the faster ones must agree with it.

mod alphabeta;
mod batched;
mod candidates;
mod deepening;
mod limits;
mod mcts_settings;
mod minimax;
mod path;
mod puct;
mod table;
mod value;

pub use alphabeta::{AlphaBeta, alphabeta};
pub use batched::BatchedEvaluator;
pub use candidates::{ByGain, ByValue, Candidates};
pub use deepening::{Config, Deepening};
pub use limits::SearchLimits;
pub use mcts_settings::{Fpu, MctsSettings, TreePolicy};
pub use minimax::minimax;
pub use path::{path_alphabeta, path_deepen, path_minimax};
pub use puct::{Leaf, Tree, Tried};
pub use value::Value;

use serde::{Deserialize, Serialize};

use crate::game::{Evaluator, Game, Outcome, Side};

/// How a search scores a finished game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Terminal {
    /// Like any other position, by the evaluator (a caught lion is a lion in hand), as the paper does.
    #[default]
    Paper,
    /// As won or lost, whatever the evaluator thinks.
    Exact,
    /// Not at all: the search goes on with what is left, as if nothing had happened, and values where that leads to.
    Through,
}

impl Terminal {
    /// The names of the modes of a game, which may go on after its end.
    pub(crate) fn names(goes_on: bool) -> &'static [&'static str] {
        if goes_on { &["paper", "exact", "through"] } else { &["paper", "exact"] }
    }

    /// The position after a move, as a search in this mode sees it.
    #[inline]
    fn play<G: Game>(self, position: &G, m: G::Move) -> G {
        // Reopen inside `play`: an extra copy of the position costs 10 % of search time.
        match self {
            Terminal::Paper | Terminal::Exact => position.play(m),
            Terminal::Through => position.play(m).reopened(),
        }
    }
}

impl std::fmt::Display for Terminal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Terminal::Paper => "paper",
            Terminal::Exact => "exact",
            Terminal::Through => "through",
        })
    }
}

impl std::str::FromStr for Terminal {
    type Err = String;
    fn from_str(text: &str) -> Result<Terminal, String> {
        match text {
            "paper" => Ok(Terminal::Paper),
            "exact" => Ok(Terminal::Exact),
            "through" => Ok(Terminal::Through),
            _ => Err(format!("there is no terminal mode '{text}': choose paper, exact or through")),
        }
    }
}

/// What a search has found so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchInfo<M> {
    /// The best move.
    pub best: M,
    /// Its value for the side to move.
    pub value: Value,
    /// Depth of the last complete iteration.
    pub depth: u32,
    /// Positions visited in all iterations.
    pub nodes: u64,
    /// The principal variation, the best move first.
    pub line: Vec<M>,
}

/// What a search to a fixed depth found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<M> {
    /// The value of the position for the side to move.
    pub value: Value,
    /// Every move that reaches it, in the order in which the game lists its moves.
    pub best: Vec<M>,
    /// How many leaves were valued.
    pub leaves: u64,
}

/// The value of a leaf for `side`; `plies` is how many moves led there from the root.
#[inline]
fn leaf<G: Game>(
    evaluator: &impl Evaluator<G>,
    terminal: Terminal,
    position: &G,
    side: Side,
    plies: u32,
) -> Value {
    match (terminal, position.outcome()) {
        (Terminal::Exact, Some(outcome)) => decided(outcome, side, plies),
        _ => Value::points(evaluator.value(position, side)),
    }
}

/// The value for `side` of a game that was over after so many plies.
fn decided(outcome: Outcome, side: Side, plies: u32) -> Value {
    match outcome {
        Outcome::Win(winner) if winner == side => Value::win_in(plies),
        Outcome::Win(_) => Value::loss_in(plies),
        Outcome::Draw => Value::DRAW,
    }
}
