//! By what games end: the words of the rules, and those that only a record can tell.

use std::fmt;

use crate::game::{Outcome, Side};

/// By what a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The table below has the words.
pub enum Ending {
    /// The rules of the game itself, in a word: `catch`, `try`, …
    Decided(&'static str),
    /// The same position came up too often.
    Repetition,
    /// The longest allowed game was reached.
    PlyCap,
    Resignation,
    Time,
    IllegalMove,
    NoMove,
    Crash,
    Mate,
    IllegalAction,
    Declaration,
    DeclaredDraw,
    Impasse,
}

/// Who can win a game by something that its moves do not show.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Winner {
    SideToMove,
    OtherSide,
    EitherSide,
    Draw,
}

/// The words of records, and who can win so where the moves do not show it.
const WORDS: [(Ending, &str, Winner); 12] = [
    (Ending::Repetition, "repetition", Winner::Draw),
    (Ending::PlyCap, "ply cap", Winner::Draw),
    (Ending::Resignation, "resignation", Winner::OtherSide),
    (Ending::Time, "time", Winner::OtherSide),
    (Ending::IllegalMove, "illegal move", Winner::OtherSide),
    (Ending::NoMove, "no move", Winner::OtherSide),
    (Ending::Crash, "crash", Winner::OtherSide),
    (Ending::Mate, "mate", Winner::OtherSide),
    (Ending::IllegalAction, "illegal action", Winner::EitherSide),
    (Ending::Declaration, "declaration", Winner::SideToMove),
    (Ending::DeclaredDraw, "declared draw", Winner::Draw),
    (Ending::Impasse, "impasse", Winner::Draw),
];

impl Ending {
    /// The ending that records call so; `None` for the words of the rules of games.
    pub fn named(word: &str) -> Option<Ending> {
        WORDS.iter().find(|(_, name, _)| *name == word).map(|(ending, ..)| *ending)
    }

    /// Whether an undecided game can end so when it is that side's turn.
    ///
    /// ```
    /// use dobutsu_ga::game::{Ending, Outcome, Side};
    /// assert!(Ending::Resignation.can_end(Outcome::Win(Side::First), Side::Second));
    /// assert!(!Ending::Resignation.can_end(Outcome::Win(Side::First), Side::First));
    /// assert!(Ending::named("boredom").is_none());
    /// ```
    pub fn can_end(self, outcome: Outcome, turn: Side) -> bool {
        let winner = WORDS.iter().find(|(ending, ..)| *ending == self).map(|(.., winner)| *winner);
        winner.is_some_and(|winner| match outcome {
            Outcome::Draw => winner == Winner::Draw,
            Outcome::Win(_) if winner == Winner::EitherSide => true,
            Outcome::Win(side) if side == turn => winner == Winner::SideToMove,
            Outcome::Win(_) => winner == Winner::OtherSide,
        })
    }

    /// Whether a player that loses so did something wrong. To give up a lost game is no fault.
    pub fn is_fault(self) -> bool {
        use Ending::*;
        matches!(self, Time | IllegalMove | NoMove | Crash | IllegalAction)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Ending::Decided(word) = self {
            return f.write_str(word);
        }
        let word = WORDS.iter().find(|(ending, ..)| ending == self).map(|(_, word, _)| *word);
        f.write_str(word.expect("the table has every other ending"))
    }
}

/// How a game ended, and by what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// Who won, if anybody.
    pub outcome: Outcome,
    /// By what.
    pub by: Ending,
}
