//! What every game must tell the rest of the library. Nothing here knows a particular game.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;

use rand_chacha::ChaCha8Rng;

use super::{Side, Variant};
use crate::random::pick;

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// Nobody won.
    Draw,
}

/// `first`, `second` or `draw`.
impl Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Win(side) => Display::fmt(side, f),
            Outcome::Draw => f.pad("draw"),
        }
    }
}

/// A change of view under which a two-player board game stays the same game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// Left and right change places.
    Mirror,
    /// The players change places: board turned round, pieces and the turn handed over.
    Turn,
}

impl Symmetry {
    /// Every symmetry that a [`Symmetric`] game offers; each undoes itself.
    pub const ALL: [Symmetry; 2] = [Symmetry::Mirror, Symmetry::Turn];

    /// How an outcome looks from the new point of view.
    pub fn outcome(self, outcome: Outcome) -> Outcome {
        match (self, outcome) {
            (Symmetry::Turn, Outcome::Win(side)) => Outcome::Win(!side),
            (_, outcome) => outcome,
        }
    }
}

/// A position of a two-player game of perfect information, without its history.
///
/// Repetition, the ply cap and the list of moves belong to the [`Referee`](super::Referee) around it.
/// Two positions are equal when they have the same future: the same rules, pieces, hands, side to move and result.
pub trait Game: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static {
    /// The name that a person types, as in `--game kyoto`.
    const NAME: &'static str;
    /// What it is, in a line.
    const TITLE: &'static str;
    /// The names of the notations that [`move_texts`](Game::move_texts) begins with.
    const NOTATIONS: &'static [&'static str] = &["text"];

    /// A game is drawn after this many plies unless asked otherwise.
    const PLY_CAP: usize = 500;

    /// Whether a finished game can go on with what is left: see [`reopened`](Game::reopened).
    const GOES_ON: bool = false;

    /// Which variant of the rules is played.
    type Rules: Variant;
    /// How the pieces stand at first, where there is a choice; else [`Usual`](super::Usual).
    type Array: Variant;
    /// A move; what it means may depend on the position.
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync;
    /// Equal for two positions exactly if they count as a repetition of each other.
    type Key: Copy + Eq + Hash + Send + Sync;
    /// What can be wrong with a position written as text.
    type ParseError: Error + Send + Sync + 'static;

    /// After how many occurrences of a position the game is over; `None` where it never is.
    fn repetitions(rules: Self::Rules) -> Option<usize> {
        let _ = rules;
        None
    }

    /// The position from which a game starts.
    fn start(rules: Self::Rules) -> Self;

    /// The position from which a game with this array starts.
    fn start_from(array: Self::Array, rules: Self::Rules) -> Self {
        let _ = array;
        Self::start(rules)
    }

    /// By which rules it is played.
    fn rules(&self) -> Self::Rules;

    /// Whose turn it is. In a finished game: whose turn it would be.
    fn side_to_move(&self) -> Side;

    /// The result, if the position itself decides the game.
    fn outcome(&self) -> Option<Outcome>;

    /// In a word, by what the game was decided (`catch`, `try`, …).
    fn decided_by(&self) -> Option<&'static str> {
        self.outcome().map(|_| "the rules")
    }

    /// Appends every legal move to `buffer`, each once, always in the same order; none if the game is over.
    fn moves(&self, buffer: &mut Vec<Self::Move>);

    /// Whether [`moves`](Game::moves) would list this move.
    fn is_legal(&self, m: Self::Move) -> bool {
        legal_moves(self).contains(&m)
    }

    /// The position after a legal move.
    ///
    /// # Panics
    /// May panic, or return a meaningless position, if the move is not legal: see [`try_play`](Game::try_play).
    fn play(&self, m: Self::Move) -> Self;

    /// What the repetition rule compares.
    fn key(&self) -> Self::Key;

    /// How a game ends in which a position occurred too often; `since` are all positions from its first time to its last.
    fn repeated(since: &[Self]) -> Outcome {
        let _ = since;
        Outcome::Draw
    }

    /// Reads what `Display` writes.
    fn parse(text: &str, rules: Self::Rules) -> Result<Self, Self::ParseError>;

    /// Every way to write a legal move of this position: first one for each of [`NOTATIONS`](Game::NOTATIONS), the usual
    /// one before the others, then what is only understood.
    fn move_texts(&self, m: Self::Move) -> Vec<String>;

    /// The number of legal moves. `buffer` is room to work in and comes back as it was.
    fn count_moves(&self, buffer: &mut Vec<Self::Move>) -> usize {
        let start = buffer.len();
        self.moves(buffer);
        let count = buffer.len() - start;
        buffer.truncate(start);
        count
    }

    /// Any legal move of a game that is not over, all equally likely.
    fn random_move(&self, random: &mut ChaCha8Rng) -> Self::Move {
        pick(random, &legal_moves(self))
    }

    /// Whether a legal move takes what stands where it goes.
    fn is_capture(&self, m: Self::Move) -> bool {
        let _ = m;
        false
    }

    /// What the next move can do to a game that is not over: `Some(true)` if the side to move can win at once,
    /// `Some(false)` if no move ends the game, `None` if only trying the moves would tell.
    fn next_move_wins(&self) -> Option<bool> {
        None
    }

    /// Whether some move could lose the game at once for the side that makes it. `true` is always safe: a search then looks at more.
    fn own_move_may_lose(&self) -> bool {
        true
    }

    /// The position as if the game went on: a finished one is open again if the side to move still has a move.
    /// As it is in a game that knows no such thing.
    fn reopened(&self) -> Self {
        *self
    }

    /// The position after `m`, if `m` is legal.
    fn try_play(&self, m: Self::Move) -> Result<Self, MoveError> {
        match self.is_legal(m) {
            true => Ok(self.play(m)),
            false => Err(MoveError::new(self, &format!("{m:?}"))),
        }
    }

    /// The usual text of a legal move of this position.
    fn move_text(&self, m: Self::Move) -> String {
        self.move_texts(m).swap_remove(0)
    }

    /// Whether neither side could win at once if it were to move: where a random opening may end.
    fn is_calm(&self) -> bool {
        self.outcome().is_none()
    }

    /// The legal move that `text` names, in any of the ways to write it; capitals do not matter.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        let moves = legal_moves(self);
        // Nearly always it is written as we write it, which is quick to see.
        if let Some(m) = moves.iter().find(|m| self.move_text(**m) == text) {
            return Ok(*m);
        }
        let named = |m: &Self::Move| self.move_texts(*m).iter().any(|form| form.eq_ignore_ascii_case(text));
        moves.into_iter().find(named).ok_or_else(|| MoveError::new(self, text))
    }
}

/// A game that looks the same in the mirror and from the other side of the board.
pub trait Symmetric: Game {
    /// The position seen in another way.
    fn transform(&self, symmetry: Symmetry) -> Self;

    /// The move that corresponds to `m` in the transformed position.
    fn transform_move(m: Self::Move, symmetry: Symmetry) -> Self::Move;
}

/// What is wrong with a text, in a sentence: the parse error of a game that needs no more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TextError(pub String);

/// The legal moves as a fresh list, for places where speed does not matter.
pub fn legal_moves<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}

/// A move that cannot be played here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The move is not among the legal ones, or is no move at all.
    #[error("'{text}' is not a legal move in {position} (legal: {})", legal.join(", "))]
    Illegal {
        /// What was asked for.
        text: String,
        /// Where.
        position: String,
        /// What could have been played instead.
        legal: Vec<String>,
    },
    /// The game is over.
    #[error("'{text}' cannot be played in {position}: the game is over")]
    GameOver {
        /// What was asked for.
        text: String,
        /// Where.
        position: String,
    },
}

impl MoveError {
    /// The sentence about a text that names no legal move of this position.
    pub fn new<G: Game>(position: &G, text: &str) -> MoveError {
        let legal: Vec<String> = legal_moves(position).into_iter().map(|m| position.move_text(m)).collect();
        // A user's slip of the keyboard may be long: the sentence stays readable.
        let text = text.chars().take(40).collect();
        match position.outcome() {
            Some(_) => MoveError::GameOver { text, position: position.to_string() },
            None => MoveError::Illegal { text, position: position.to_string(), legal },
        }
    }
}
