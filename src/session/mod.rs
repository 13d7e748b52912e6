//! Games as text. Commands, the page and the protocols that our players speak name moves, rules and players by text, so they need no type of
//! a game: they ask a [`TextGame`] for a [`Session`] (one game in progress), for players, and for solutions. These traits are object-safe, and
//! implemented once, for every [`Playable`] game: whatever stands on them is compiled once, not once a game. Search, evaluators, matches and
//! learners stay generic below: a whole search runs inside one call.

mod of;

use std::any::Any;
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::game::{
    BoardView, BySide, GenomeError, Limits, MoveError, MoveView, Referee, Side, SolutionError, Solved,
    UnknownVariant, Variant, Verdict, Weights,
};
use crate::games::GameName;
use crate::players::{BlunderRate, Effort, Forfeit, Level, Playable, PlayerKind, Shelf, SpecError};
use crate::search::{SearchInfo, SearchLimits, Tried};

/// The game of this name, with its solutions at this place or at the usual one.
pub fn text_game(name: GameName, table: Option<&Path>) -> Arc<dyn TextGame> {
    with_game!(name, G => Arc::new(of::Of::<G>::new(name, table)))
}

/// A game as a whole. Rules and diagram styles are named: a method that takes such a name returns the error of a wrong one.
pub trait TextGame: Send + Sync {
    /// What does not change.
    fn facts(&self) -> &Facts;

    /// The rules of this name, or the usual ones.
    fn rules(&self, text: Option<&str>) -> Result<&'static str, UnknownVariant>;

    /// The diagram style of this name, or the usual one.
    fn style(&self, text: Option<&str>) -> Result<&'static str, UnknownVariant>;

    /// A new game, within the game's own limits unless others are given. The error says what is wrong with the text of the start.
    fn session(
        &self,
        rules: &str,
        start: Start<'_>,
        limits: Option<Limits>,
    ) -> Result<Box<dyn Session>, String>;

    /// The values of the genome of this text, in thousandths.
    fn genome(&self, text: &str) -> Result<Vec<i32>, GenomeError>;

    /// The registry of players.
    fn players(&self) -> Vec<PlayerKind>;

    /// The same as a help text.
    fn players_help(&self) -> String;

    /// The player of this text; `perfect` goes by the solutions of this game unless it names others.
    fn player(&self, text: &str, shelf: &dyn Shelf) -> Result<Arc<dyn TextSpec>, SpecError>;

    /// Whether there is a solution under these rules, by a first look.
    fn is_solved(&self, rules: &str) -> bool;

    /// The solution under these rules.
    fn solution(&self, rules: &str) -> Result<Worths, SolutionError>;

    /// The strong player's search with exact values. What it finds it remembers for the next position.
    fn search(&self) -> TextSearch;
}

/// What does not change about a game.
pub struct Facts {
    /// Its name.
    pub name: GameName,
    /// What it is, in a line.
    pub title: &'static str,
    /// What other programs call it.
    pub variant: &'static str,
    /// By which rules other programs play it.
    pub common_rules: String,
    /// The rules.
    pub rules: Choices,
    /// The start positions.
    pub arrays: Choices,
    /// How diagrams are drawn.
    pub styles: Choices,
    /// The notations of a move, the usual one first.
    pub notations: &'static [&'static str],
    /// By what the pieces of each side are told apart in a diagram.
    pub sides: BySide<&'static str>,
    /// A game is drawn after this many plies.
    pub ply_cap: usize,
    /// The weights of its evaluator.
    pub weights: Weights,
    /// The experiments that it comes with.
    pub experiments: Vec<String>,
    /// Whether it is solved.
    pub solved: bool,
    /// Its opponents from the easiest to the strongest.
    pub levels: &'static [Level],
}

/// What can be chosen by name.
pub struct Choices {
    /// The names, the usual one first.
    pub names: Vec<&'static str>,
    /// The names with their meanings, as a help text lists them.
    pub help: String,
}

impl Choices {
    fn of<V: Variant>() -> Choices {
        Choices { names: V::names(), help: V::choices() }
    }
}

/// Where a game begins.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a> {
    /// At the start position.
    Usual,
    /// At the start position of this name.
    Array(&'a str),
    /// At the position that this FEN says.
    Fen(&'a str),
    /// The same as SFEN.
    Sfen(&'a str),
}

/// A game in progress. Moves are texts: what this gives out is the usual text, what it takes may be written in any notation.
pub trait Session: Any + Send + Sync {
    /// The same game once more.
    fn copy(&self) -> Box<dyn Session>;

    /// By which rules it is played.
    fn rules(&self) -> String;

    /// The FEN of the position in which it began.
    fn start(&self) -> String;

    /// The FEN of the position now.
    fn fen(&self) -> String;

    /// Whose turn it is.
    fn turn(&self) -> Side;

    /// The board as a page draws it.
    fn board(&self) -> BoardView;

    /// The board as text.
    fn diagram(&self, style: &str) -> String;

    /// Every legal move, in the game's order.
    fn moves(&self) -> Vec<MoveInfo>;

    /// The moves so far.
    fn history(&self) -> Vec<MoveInfo>;

    /// How many moves were played.
    fn plies(&self) -> usize;

    /// How the game ended, or `None` while it goes on.
    fn verdict(&self) -> Option<Verdict>;

    /// Whether the position itself decides the game.
    fn is_decided(&self) -> bool;

    /// How often the present position has occurred, now included.
    fn occurrences(&self) -> usize;

    /// After how many occurrences the rules end a game.
    fn repetitions(&self) -> Option<usize>;

    /// Plays a move in any notation of the game. Whether the game is over is for the caller to ask.
    fn play(&mut self, text: &str) -> Result<(), MoveError>;

    /// The same for a move that another program means, in whichever notation.
    fn hear(&mut self, text: &str) -> Result<(), MoveError>;

    /// Takes the last move back; `false` if there is none.
    fn undo(&mut self) -> bool;

    /// The number of sequences of `depth` legal moves, on all threads.
    fn perft(&self, depth: u32) -> u64;

    /// The same for each legal move.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;
}

/// The referee of a session: for what stays generic, as writing records does.
///
/// # Panics
/// Panics if the session is one of another game.
pub fn referee<G: Playable>(game: &dyn Session) -> &Referee<G> {
    (game as &dyn Any).downcast_ref().expect("a session and what looks at it are of one game")
}

/// A move, with all that is needed to show it without knowing the rules.
#[derive(Clone, Debug, Serialize)]
pub struct MoveInfo {
    /// The usual text.
    pub text: String,
    /// The same in the game's other notations.
    pub others: Vec<String>,
    /// Who makes it.
    pub side: Side,
    /// Whether it ends the game because a position has come up too often; known of legal moves only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub repeats: bool,
    /// What it does to the board.
    #[serde(flatten)]
    pub view: MoveView,
}

/// In all notations: `b2b3 (B3-B2)`.
impl Display for MoveInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.text, self.others.join(", "))
    }
}

impl MoveInfo {
    /// All notations side by side, each this wide.
    pub fn columns(&self, width: usize) -> String {
        let texts = [&self.text].into_iter().chain(&self.others);
        let columns: Vec<String> = texts.map(|text| format!("{text:<width$}")).collect();
        columns.join(" ").trim_end().to_string()
    }
}

/// How a player's moves are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// As the game writes them.
    Usual,
    /// As in USI.
    Usi,
}

/// A player by its text, ready to play.
pub trait TextSpec: Display + Send + Sync {
    /// Makes sure that everything is there for games under these rules.
    fn check(&self, rules: &str) -> Result<(), SpecError>;

    /// How much work a move is.
    fn effort(&self) -> Effort;

    /// How often it blunders on purpose.
    fn blunders(&self) -> BlunderRate;

    /// A player for one game.
    fn build(&self) -> Box<dyn TextPlayer>;

    /// Its search tree in a game that goes on, if it grows one.
    fn tree(&self, game: &dyn Session) -> Option<TextTree>;
}

/// A player in one game.
pub trait TextPlayer {
    /// A legal move in a game that is not over, or why there is none: see [`Player::choose`](crate::players::Player::choose).
    fn choose(
        &mut self,
        game: &dyn Session,
        random: &mut ChaCha8Rng,
        limits: &SearchLimits,
        notation: Notation,
        on_info: &mut dyn FnMut(&SearchInfo<String>),
    ) -> Result<String, Forfeit>;
}

/// What a tree of moves has found.
pub struct TextTree {
    /// The best move.
    pub best: String,
    /// What is known of each legal move, in the game's order.
    pub tried: Vec<Tried<String>>,
    /// The value for the side to move, by all that was found.
    pub value: f32,
    /// The same before anything was tried.
    pub own_value: f32,
}

/// Every legal move and what it is worth by perfect play, for the side that moves.
pub type Worths = Arc<dyn Fn(&dyn Session) -> Vec<(String, Solved)> + Send + Sync>;

/// Searches the present position within limits.
pub type TextSearch = Box<dyn FnMut(&dyn Session, &SearchLimits) -> Option<SearchInfo<String>>>;
