//! A game as a record tells it, whatever the file looks like.

use super::{BySide, Ending, Game, Outcome, Side, Verdict};

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

impl<G: Game> Told<G> {
    /// The position after the last move.
    ///
    /// # Panics
    /// May panic if a move is not legal, which cannot be in a game that was read.
    pub fn last_position(&self) -> G {
        self.moves.iter().fold(self.start, |position, m| position.play(*m))
    }
}

/// The games of a file, one at a time; an error is a sentence with the line.
pub type ToldGames<'a, G> = Box<dyn Iterator<Item = Result<Told<G>, String>> + 'a>;

/// Whether a game can end so when it is that side's turn.
type CanBe = fn(Outcome, Side) -> bool;

/// By what a game can end without its moves showing it.
const ONLY_TOLD: [(&str, CanBe); 10] = [
    ("resignation", other_wins),
    ("time", other_wins),
    ("illegal move", other_wins),
    ("no move", other_wins),
    ("crash", other_wins),
    ("mate", other_wins),
    ("illegal action", |outcome, _| outcome != Outcome::Draw),
    ("declaration", |outcome, turn| outcome == Outcome::Win(turn)),
    ("declared draw", |outcome, _| outcome == Outcome::Draw),
    ("impasse", |outcome, _| outcome == Outcome::Draw),
];

fn other_wins(outcome: Outcome, turn: Side) -> bool {
    outcome == Outcome::Win(!turn)
}

/// The end of an undecided game that only its record tells of, a resignation, say. `None` if a game cannot end so when it is
/// that side's turn.
///
/// ```
/// use dobutsu_ga::games::{Outcome, Side, only_told};
/// assert!(only_told("resignation", Outcome::Win(Side::First), Side::Second).is_some());
/// assert!(only_told("resignation", Outcome::Win(Side::First), Side::First).is_none());
/// assert!(only_told("boredom", Outcome::Draw, Side::First).is_none());
/// ```
pub fn only_told(by: &str, outcome: Outcome, turn: Side) -> Option<Verdict> {
    let (word, _) = ONLY_TOLD.iter().find(|(word, can_be)| *word == by && can_be(outcome, turn))?;
    Some(Verdict { outcome, by: Ending::Decided(word) })
}
