//! Records of games in the CSA standard 2.2, with five files and ranks instead of nine: what a record holds, and how
//! it is written. `read` has the other way.

mod read;

use std::fmt::{self, Write};

use super::notation::csa_code;
use super::{HandPiece, Kind, Move, Position, Square};
use crate::games::{BySide, Ending, Limits, Outcome, Referee, Side, Told, Verdict, only_told};

pub use read::{CsaError, CsaGames, CsaProblem};

/// The first line of a file.
const VERSION: &str = "V2.2";

/// More of a name or of a line of a comment is not written: what is written can be read back.
const MOST_LETTERS: usize = 2_000;

/// One game as a CSA record tells it.
///
/// Times, event and place are read over. Repetition is not checked: only the end of the record tells of it.
///
/// ```
/// use dobutsu_ga::games::{Game, Outcome, Side};
/// use dobutsu_ga::games::kyoto::{CsaGame, CsaGames, Position, Rules, write_csa};
/// let file = "V2.2\nN+Ann\nN-Bob\nPI\n+\n+1514HI\nT3\n-4142KE\n%TORYO\n";
/// for game in CsaGames::new(file.as_bytes(), Rules::Capture) {
///     let game = game?;
///     assert_eq!((game.names.second.as_str(), game.moves.len()), ("Bob", 2));
///     assert_eq!(game.outcome(), Some(Outcome::Win(Side::Second)));
/// }
/// let empty = write_csa(&CsaGame::new(Position::start(Rules::Capture)));
/// assert!(empty.starts_with("V2.2\nP1-FU-KI-OU-GI-TO\nP2 *  *  *  *  * \n"));
/// # Ok::<(), dobutsu_ga::games::kyoto::CsaError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsaGame {
    /// The line of the file in which the record begins, so that what is said of the game can be found; 1 in a game
    /// that was not read.
    pub line: usize,
    /// What the players are called; empty if the record does not say.
    pub names: BySide<String>,
    /// The comments, in their order. Between which moves they stood is not kept: all are written before the moves.
    pub comments: Vec<String>,
    /// Where the game begins, and by which rules it is played.
    pub start: Position,
    /// The moves, all of them legal.
    pub moves: Vec<Move>,
    /// What the record says about the end, if it says anything.
    pub end: Option<CsaEnd>,
}

impl CsaGame {
    /// A game without names, comments, moves or an end.
    pub fn new(start: Position) -> CsaGame {
        let names = BySide::default();
        CsaGame { line: 1, names, comments: Vec::new(), start, moves: Vec::new(), end: None }
    }

    /// The position after the last move.
    ///
    /// # Panics
    /// In debug builds, if a move is not legal, which cannot be in a game that was read.
    pub fn last_position(&self) -> Position {
        self.moves.iter().fold(self.start, |position, m| position.play(*m))
    }

    /// Who won: what the position says after the last move, otherwise what the end of the record says. `None` if
    /// neither tells, as after `%CHUDAN`; whether a game that was stopped counts as a draw is for the caller to know.
    ///
    /// # Panics
    /// As [`last_position`](CsaGame::last_position) does.
    pub fn outcome(&self) -> Option<Outcome> {
        let last = self.last_position();
        last.outcome().or_else(|| self.end.and_then(|end| end.outcome(last.turn())))
    }
}

/// How a record says that the game ended: the words of the standard, all but `%MATTA`, which takes moves back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CsaEnd {
    /// `%TORYO`: the side to move gives up, in our records also because its king was captured.
    Resigned,
    /// `%SENNICHITE`: the same position for the fourth time.
    Repetition,
    /// `%CHUDAN`: broken off, in our records by the ply cap.
    Stopped,
    /// `%TIME_UP`: the side to move has no time left.
    TimeUp,
    /// `%ILLEGAL_MOVE`: the side to move made an illegal move, which is not among the moves.
    IllegalMove,
    /// `%+ILLEGAL_ACTION`, `%-ILLEGAL_ACTION`: this side did what is not allowed.
    IllegalAction(Side),
    /// `%JISHOGI`: a draw because neither king can be caught.
    Impasse,
    /// `%KACHI`: the side to move declares that it has won.
    Declared,
    /// `%HIKIWAKE`: the side to move declares a draw.
    DeclaredDraw,
    /// `%TSUMI`: the side to move is mated.
    Mate,
    /// `%FUZUMI`: there is no mate (the answer to a problem).
    NoMate,
    /// `%ERROR`: something went wrong.
    Error,
}

impl CsaEnd {
    /// Every end.
    pub const ALL: [CsaEnd; 13] = [
        CsaEnd::Resigned,
        CsaEnd::Repetition,
        CsaEnd::Stopped,
        CsaEnd::TimeUp,
        CsaEnd::IllegalMove,
        CsaEnd::IllegalAction(Side::First),
        CsaEnd::IllegalAction(Side::Second),
        CsaEnd::Impasse,
        CsaEnd::Declared,
        CsaEnd::DeclaredDraw,
        CsaEnd::Mate,
        CsaEnd::NoMate,
        CsaEnd::Error,
    ];

    /// The word of the standard, with its `%`.
    pub const fn word(self) -> &'static str {
        match self {
            CsaEnd::Resigned => "%TORYO",
            CsaEnd::Repetition => "%SENNICHITE",
            CsaEnd::Stopped => "%CHUDAN",
            CsaEnd::TimeUp => "%TIME_UP",
            CsaEnd::IllegalMove => "%ILLEGAL_MOVE",
            CsaEnd::IllegalAction(Side::First) => "%+ILLEGAL_ACTION",
            CsaEnd::IllegalAction(Side::Second) => "%-ILLEGAL_ACTION",
            CsaEnd::Impasse => "%JISHOGI",
            CsaEnd::Declared => "%KACHI",
            CsaEnd::DeclaredDraw => "%HIKIWAKE",
            CsaEnd::Mate => "%TSUMI",
            CsaEnd::NoMate => "%FUZUMI",
            CsaEnd::Error => "%ERROR",
        }
    }

    /// By what a game has ended that ends so, in the words of [`only_told`]; `None` if that is for its moves to show.
    const fn told(self) -> Option<&'static str> {
        match self {
            CsaEnd::Resigned => Some("resignation"),
            CsaEnd::TimeUp => Some("time"),
            CsaEnd::IllegalMove => Some("illegal move"),
            CsaEnd::IllegalAction(_) => Some("illegal action"),
            CsaEnd::Impasse => Some("impasse"),
            CsaEnd::Declared => Some("declaration"),
            CsaEnd::DeclaredDraw => Some("declared draw"),
            CsaEnd::Mate => Some("mate"),
            CsaEnd::Repetition | CsaEnd::Stopped | CsaEnd::NoMate | CsaEnd::Error => None,
        }
    }

    /// Who has won if it is this side's turn; `None` if the end does not tell.
    pub fn outcome(self, turn: Side) -> Option<Outcome> {
        match self {
            CsaEnd::Resigned | CsaEnd::TimeUp | CsaEnd::IllegalMove | CsaEnd::Mate => {
                Some(Outcome::Win(!turn))
            }
            CsaEnd::IllegalAction(side) => Some(Outcome::Win(!side)),
            CsaEnd::Declared => Some(Outcome::Win(turn)),
            CsaEnd::Repetition | CsaEnd::Impasse | CsaEnd::DeclaredDraw => Some(Outcome::Draw),
            CsaEnd::Stopped | CsaEnd::NoMate | CsaEnd::Error => None,
        }
    }
}

impl fmt::Display for CsaEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The game as a file of its own.
///
/// What a line cannot hold is left out of names and comments: a comment of several lines becomes several comments,
/// other control characters become blanks, and what is longer than 2,000 letters is cut off.
///
/// # Panics
/// In debug builds, if a move is not legal, which cannot be in a game that was read.
pub fn write_csa(game: &CsaGame) -> String {
    format!("{VERSION}\n{}", Record(game))
}

/// The game as it follows others at the end of a file: the standard has the version only once, at the top.
///
/// # Panics
/// As [`write_csa`] does.
pub fn append_csa(game: &CsaGame) -> String {
    format!("/\n{}", Record(game))
}

/// What a game is in a file, between the version and the next game.
struct Record<'a>(&'a CsaGame);

impl fmt::Display for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = self.0;
        for side in Side::BOTH.into_iter().filter(|side| !game.names[*side].is_empty()) {
            writeln!(f, "N{}{}", sign(side), one_line(&game.names[side]))?;
        }
        for line in game.comments.iter().flat_map(|comment| comment.split('\n')) {
            writeln!(f, "'{}", one_line(line))?;
        }
        write_board(f, &game.start)?;
        for side in Side::BOTH {
            write_hand(f, &game.start, side)?;
        }
        writeln!(f, "{}", sign(game.start.turn()))?;
        let mut position = game.start;
        for m in &game.moves {
            writeln!(f, "{}", position.csa(*m))?;
            position = position.play(*m);
        }
        game.end.map_or(Ok(()), |end| writeln!(f, "{end}"))
    }
}

fn write_board(f: &mut fmt::Formatter<'_>, position: &Position) -> fmt::Result {
    for square in Square::ALL {
        if square.column() == 0 {
            write!(f, "P{}", square.row() + 1)?;
        }
        match position.piece_at(square) {
            Some((side, kind)) => write!(f, "{}{}", sign(side), csa_code(kind))?,
            None => f.write_str(" * ")?,
        }
        if square.column() == 4 {
            f.write_char('\n')?;
        }
    }
    Ok(())
}

/// Nothing for an empty hand. The standard has no captured kings; one is written like any other piece in hand.
fn write_hand(f: &mut fmt::Formatter<'_>, position: &Position, side: Side) -> fmt::Result {
    let hand = position.hand(side);
    let king_caught = position.king(!side).is_none();
    if hand.is_empty() && !king_caught {
        return Ok(());
    }
    write!(f, "P{}", sign(side))?;
    for piece in HandPiece::ALL {
        for _ in 0..hand.count(piece) {
            write!(f, "00{}", csa_code(piece.kind(false)))?;
        }
    }
    if king_caught {
        write!(f, "00{}", csa_code(Kind::King))?;
    }
    writeln!(f)
}

const fn sign(side: Side) -> char {
    match side {
        Side::First => '+',
        Side::Second => '-',
    }
}

/// Any text as a part of a line.
fn one_line(text: &str) -> String {
    text.chars().take(MOST_LETTERS).map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// A ply cap that was reached is no end that the standard knows: it is a stop with a comment.
const CAPPED: &str = "ply cap";

impl From<&Told<Position>> for CsaGame {
    fn from(told: &Told<Position>) -> CsaGame {
        let capped = told.verdict.is_some_and(|verdict| verdict.by == Ending::PlyCap);
        let comments = told.comments.iter().cloned().chain(capped.then(|| CAPPED.to_string())).collect();
        let (names, start, moves) = (told.names.clone(), told.start, told.moves.clone());
        CsaGame { line: told.line, names, comments, start, moves, end: Some(end(told)) }
    }
}

/// The word of the standard for the end of a game.
fn end(told: &Told<Position>) -> CsaEnd {
    let Some(Verdict { outcome, by }) = told.verdict else { return CsaEnd::Stopped };
    let last = told.last_position();
    match (outcome, by) {
        (_, Ending::PlyCap) => CsaEnd::Stopped,
        (Outcome::Draw, Ending::Repetition) => CsaEnd::Repetition,
        // Perpetual check: this is how the standard says it.
        (Outcome::Win(side), Ending::Repetition) => CsaEnd::IllegalAction(!side),
        (_, Ending::Decided(_)) if last.is_over() => CsaEnd::Resigned,
        (_, Ending::Decided(word)) => {
            let said = |end: &CsaEnd| end.told() == Some(word) && end.outcome(last.turn()) == Some(outcome);
            let other = match outcome {
                Outcome::Win(side) => CsaEnd::IllegalAction(!side),
                Outcome::Draw => CsaEnd::Stopped,
            };
            CsaEnd::ALL.into_iter().find(said).unwrap_or(other)
        }
    }
}

impl From<CsaGame> for Told<Position> {
    fn from(mut game: CsaGame) -> Told<Position> {
        let capped = game.end == Some(CsaEnd::Stopped) && game.comments.iter().any(|line| line == CAPPED);
        game.comments.retain(|line| !capped || line != CAPPED);
        let verdict = verdict(&game, capped);
        let CsaGame { line, names, comments, start, moves, .. } = game;
        Told { line, names, comments, start, moves, verdict }
    }
}

/// How the game ended: by its moves if they show it, else by what the record says.
fn verdict(game: &CsaGame, capped: bool) -> Option<Verdict> {
    let last = game.last_position();
    let outcome = game.outcome();
    if let Some(word) = last.decided_by() {
        return outcome.map(|outcome| Verdict { outcome, by: Ending::Decided(word) });
    }
    match game.end? {
        CsaEnd::Stopped => capped.then_some(Verdict { outcome: Outcome::Draw, by: Ending::PlyCap }),
        CsaEnd::Repetition => {
            let outcome = repeated(game).or(outcome)?;
            Some(Verdict { outcome, by: Ending::Repetition })
        }
        // Perpetual check is an illegal action.
        CsaEnd::IllegalAction(_) if outcome.is_some() && repeated(game) == outcome => {
            outcome.map(|outcome| Verdict { outcome, by: Ending::Repetition })
        }
        end => only_told(end.told()?, outcome?, last.turn()),
    }
}

/// What the rule about repeated positions makes of the last position.
fn repeated(game: &CsaGame) -> Option<Outcome> {
    let mut referee = Referee::within(game.start, Limits { ply_cap: usize::MAX, ..Limits::of::<Position>() });
    game.moves.iter().for_each(|m| referee.play(*m));
    referee.verdict().filter(|verdict| verdict.by == Ending::Repetition).map(|verdict| verdict.outcome)
}
