//! Reads CSA records: a file of any size, game by game and line by line.

use std::io::{self, BufRead, Read};

use super::super::notation::{FenError, Setup, csa_code, csa_kind, shorten};
use super::super::{HandPiece, Kind, Move, Position, Rules, Square};
use super::{CsaEnd, CsaGame};
use crate::games::{BySide, Game, MoveError, Side, legal_moves};

/// No line of a record is longer; what is longer is no record, and is not taken into memory.
const LONGEST_LINE: usize = 10_000;

/// No record of a game is longer, comments and all, so that no file can fill the memory.
const LONGEST_GAME: usize = 1_000_000;

/// Why a file of CSA records cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CsaError {
    /// A line is not as it must be.
    #[error("line {line}: {problem}")]
    Line {
        /// The line of the file; the first one is 1.
        line: usize,
        /// What is wrong with it.
        problem: CsaProblem,
    },
    /// There is nothing but comments, if anything.
    #[error(
        "there is no game in the file: a CSA record has a position, a line + or -, and moves like +1514HI"
    )]
    NoGame,
    /// The system gives no more of the file.
    #[error("the file cannot be read after line {line}: {error}")]
    Read {
        /// How many lines could be read.
        line: usize,
        /// What the system says.
        error: io::Error,
    },
}

/// What is wrong with a line of a CSA record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum CsaProblem {
    #[error("the line is longer than {LONGEST_LINE} bytes: this is no CSA record")]
    LongLine,
    #[error("the game is longer than {LONGEST_GAME} bytes: put a line / between two games")]
    LongGame,
    #[error(
        "'{0}' is no line of a CSA record: one begins with V, N, $, P, +, -, T, % or ', and is / between two games"
    )]
    Unknown(String),
    #[error("'{0}' is no version that can be read: V2.2 can, and what came before it")]
    Version(String),
    #[error("'{0}' names neither player: it needs N+ (first player) or N- (second player) and the name")]
    Name(String),
    #[error("'{0}' is no time: it needs T and seconds, like T12")]
    Time(String),
    #[error("'{0}' is no end of a game: use {words}", words = end_words())]
    End(String),
    #[error("'{0}' stands after the end of the game: put a line / between two games")]
    AfterEnd(String),
    #[error(
        "'{0}' stands after the side to move: names and position come before it, and a line / between two games"
    )]
    AfterStart(String),
    #[error(
        "'{0}' is no part of a position: it needs PI, P1 to P5 for a rank, or P+ or P- and pieces like 00FU"
    )]
    Position(String),
    #[error("PI takes no pieces away in Kyoto Shogi: write the ranks P1 to P5 instead of '{0}'")]
    Handicap(String),
    #[error(
        "rank {rank} of the board has {found} characters after P{rank}, it needs 15: three for each square, like '+OU' or ' * '"
    )]
    Rank { rank: usize, found: usize },
    #[error("'{found}' in rank {rank} of the board is no square: write ' * ', or + or - and one of {codes}", codes = codes())]
    Cell { found: String, rank: usize },
    #[error("'{code}' in '{text}' is no piece: use {codes}", codes = codes())]
    Piece { code: String, text: String },
    #[error("'{square}' in '{text}' is no square: files and ranks go from 1 to 5")]
    Square { square: String, text: String },
    #[error("square {} has two pieces: give it only one", .0.csa())]
    Taken(Square),
    #[error("the position cannot be: {0}")]
    Start(FenError),
    #[error("'{0}' is no move: one is like +1514HI, and a drop like -0033KI")]
    Move(String),
    #[error("'{text}' is a move of the {} player, but it is the {turn} player's turn", !*turn)]
    Turn { text: String, turn: Side },
    #[error("'{text}' needs {shows} at its end: this is what the piece shows when it has been turned over")]
    Face { text: String, shows: &'static str },
    #[error(transparent)]
    Illegal(MoveError),
}

fn codes() -> String {
    Kind::ALL.map(csa_code).join(" ")
}

fn end_words() -> String {
    CsaEnd::ALL.map(CsaEnd::word).join(" ")
}

/// The games of a file of CSA records, one after another; there is never more than one in memory.
///
/// Games are separated by a line `/`. A version also begins a new game, so files can simply be put together. Without
/// a position a game begins from the usual one, and without a line `+` or `-` with the first player. Names and
/// comments that are not UTF-8 are read as well as they can be; in all else only ASCII means anything. After an error
/// there are no more games.
#[derive(Debug)]
pub struct CsaGames<R> {
    lines: Lines<R>,
    rules: Rules,
    draft: Draft,
    any: bool,
    done: bool,
}

impl<R: BufRead> CsaGames<R> {
    /// Reads games that are played by these rules, which a record does not name.
    pub fn new(reader: R, rules: Rules) -> CsaGames<R> {
        let lines = Lines { reader, buffer: Vec::new(), number: 0, again: false };
        CsaGames { lines, rules, draft: Draft::default(), any: false, done: false }
    }

    /// Reads on to the end of the next game; `None` at the end of the file.
    fn next_game(&mut self) -> Result<Option<CsaGame>, CsaError> {
        while self.lines.advance()? {
            let text = String::from_utf8_lossy(&self.lines.buffer);
            let separator = text.trim_end() == "/";
            // The version of the next file, where several were put together.
            let next_file = self.draft.open.is_some() && text.starts_with('V');
            if separator || next_file {
                self.lines.again = next_file;
                let game = std::mem::take(&mut self.draft).finish(self.rules)?;
                if game.is_some() {
                    return Ok(game);
                }
            } else {
                let line = self.lines.number;
                let read = self.draft.read_line(&text, line, self.rules);
                read.map_err(|problem| self.draft.place(line, problem))?;
            }
        }
        std::mem::take(&mut self.draft).finish(self.rules)
    }
}

impl<R: BufRead> Iterator for CsaGames<R> {
    type Item = Result<CsaGame, CsaError>;

    fn next(&mut self) -> Option<Result<CsaGame, CsaError>> {
        if self.done {
            return None;
        }
        let game = match self.next_game() {
            Ok(None) if !self.any => Some(Err(CsaError::NoGame)),
            game => game.transpose(),
        };
        self.any = true;
        self.done = !matches!(game, Some(Ok(_)));
        game
    }
}

/// The lines of a file, one at a time, none of them longer than a record has.
#[derive(Debug)]
struct Lines<R> {
    reader: R,
    /// The line, without its end.
    buffer: Vec<u8>,
    number: usize,
    /// Whether the same line comes once more.
    again: bool,
}

impl<R: BufRead> Lines<R> {
    /// Goes to the next line; false if there is none.
    fn advance(&mut self) -> Result<bool, CsaError> {
        if std::mem::take(&mut self.again) {
            return Ok(true);
        }
        self.buffer.clear();
        let limit = LONGEST_LINE as u64 + 2; // Two for the end of the line.
        let mut reader = self.reader.by_ref().take(limit);
        let read = reader.read_until(b'\n', &mut self.buffer);
        if read.map_err(|error| CsaError::Read { line: self.number, error })? == 0 {
            return Ok(false);
        }
        self.number += 1;
        for end in [b'\n', b'\r'] {
            self.buffer.pop_if(|last| *last == end);
        }
        match self.buffer.len() > LONGEST_LINE {
            true => Err(CsaError::Line { line: self.number, problem: CsaProblem::LongLine }),
            false => Ok(true),
        }
    }
}

/// A game of which not all lines are read.
#[derive(Debug, Default)]
struct Draft {
    /// The first line that is not empty.
    line: Option<usize>,
    bytes: usize,
    names: BySide<String>,
    comments: Vec<String>,
    setup: Setup,
    /// Where the position begins, if the record has one.
    setup_line: Option<usize>,
    /// Who has all pieces in hand that are not given.
    rest: Option<Side>,
    /// What is known once the position is complete.
    open: Option<Open>,
    moves: Vec<Move>,
    end: Option<CsaEnd>,
}

/// Where the game began and where it is.
#[derive(Clone, Copy, Debug)]
struct Open {
    start: Position,
    position: Position,
}

impl Draft {
    fn read_line(&mut self, line: &str, number: usize, rules: Rules) -> Result<(), CsaProblem> {
        self.bytes += line.len() + 1;
        if self.bytes > LONGEST_GAME {
            return Err(CsaProblem::LongGame);
        }
        // Editors of some systems put an invisible mark at the beginning of a file.
        let mut rest = if number == 1 { line.trim_start_matches('\u{feff}') } else { line };
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                return Ok(());
            }
            self.line.get_or_insert(number);
            let statement;
            // A comma may separate two statements, but is a comma in a text.
            (statement, rest) = match rest.split_once(',') {
                Some(split) if !rest.starts_with(['\'', 'N', '$']) => split,
                _ => (rest, ""),
            };
            self.read(statement, number, rules)?;
        }
    }

    /// Reads one statement; an empty one, as between two commas, says nothing.
    fn read(&mut self, text: &str, number: usize, rules: Rules) -> Result<(), CsaProblem> {
        // Blanks mean something at the end of a name or a comment only.
        let bare = text.trim_end();
        match text.as_bytes().first() {
            None => Ok(()),
            Some(b'\'') => {
                self.comments.push(text[1..].to_string());
                Ok(())
            }
            Some(b'$') => Ok(()),
            Some(b'T') => check_time(bare),
            _ if self.end.is_some() => Err(CsaProblem::AfterEnd(shorten(bare))),
            Some(b'+' | b'-') if bare.len() > 1 => self.read_move(bare, rules),
            Some(b'%') => self.read_end(bare, rules),
            _ if self.open.is_some() => Err(CsaProblem::AfterStart(shorten(bare))),
            Some(b'+') => self.open(rules, Side::First).map(drop),
            Some(b'-') => self.open(rules, Side::Second).map(drop),
            Some(b'V') => check_version(bare),
            Some(b'N') => self.read_name(text),
            Some(b'P') => {
                self.setup_line.get_or_insert(number);
                self.read_setup(bare)
            }
            Some(_) => Err(CsaProblem::Unknown(shorten(bare))),
        }
    }

    fn read_name(&mut self, text: &str) -> Result<(), CsaProblem> {
        let side = text[1..].chars().next().and_then(side_of);
        let side = side.ok_or_else(|| CsaProblem::Name(shorten(text)))?;
        self.names[side] = text[2..].to_string();
        Ok(())
    }

    /// Reads a line that begins with P.
    fn read_setup(&mut self, text: &str) -> Result<(), CsaProblem> {
        let mut letters = text[1..].chars();
        let (first, rest) = (letters.next(), letters.as_str());
        match first {
            Some('I') if rest.is_empty() => self.put_usual(),
            Some('I') => Err(CsaProblem::Handicap(shorten(text))),
            Some(rank @ '1'..='5') => self.read_rank(rank as usize - '1' as usize, rest),
            Some('+') => self.read_pieces(Side::First, text, rest),
            Some('-') => self.read_pieces(Side::Second, text, rest),
            _ => Err(CsaProblem::Position(shorten(text))),
        }
    }

    /// The usual position, square by square.
    fn put_usual(&mut self) -> Result<(), CsaProblem> {
        let start = Position::start(Rules::Capture); // The same by all rules.
        for square in Square::ALL {
            if let Some((side, kind)) = start.piece_at(square) {
                self.put(side, kind, square)?;
            }
        }
        Ok(())
    }

    /// Five squares of a rank, three characters each, from the left.
    fn read_rank(&mut self, row: usize, cells: &str) -> Result<(), CsaProblem> {
        // A blank at the end of a line is easily lost.
        let cells = if cells.ends_with(" *") { format!("{cells} ") } else { cells.to_string() };
        let found = cells.len();
        if found != 15 {
            return Err(CsaProblem::Rank { rank: row + 1, found });
        }
        for (column, cell) in cells.as_bytes().chunks(3).enumerate() {
            let Some(square) = Square::new(column, row).filter(|_| cell != b" * ") else { continue };
            let cell = String::from_utf8_lossy(cell);
            let (side, code) = split_sign(&cell);
            match side.zip(csa_kind(code)) {
                Some((side, kind)) => self.put(side, kind, square)?,
                None => return Err(CsaProblem::Cell { found: cell.into_owned(), rank: row + 1 }),
            }
        }
        Ok(())
    }

    /// Single pieces of a side: `00FU` in hand, `15FU` on the board, and `00AL` for all that are left.
    fn read_pieces(&mut self, side: Side, text: &str, pieces: &str) -> Result<(), CsaProblem> {
        if !pieces.is_ascii() || !pieces.len().is_multiple_of(4) {
            return Err(CsaProblem::Position(shorten(text)));
        }
        for start in (0..pieces.len()).step_by(4) {
            let (square, code) = pieces[start..start + 4].split_at(2);
            match (read_place(square, text)?, code) {
                (None, "AL") => self.rest = Some(side),
                (None, code) => self.setup.give(side, read_kind(code, text)?),
                (Some(square), code) => self.put(side, read_kind(code, text)?, square)?,
            }
        }
        Ok(())
    }

    fn put(&mut self, side: Side, kind: Kind, square: Square) -> Result<(), CsaProblem> {
        if !self.setup.is_free(square) {
            return Err(CsaProblem::Taken(square));
        }
        self.setup.put(side, kind, square);
        Ok(())
    }

    /// Completes the position: nothing of it can come any more.
    fn open(&mut self, rules: Rules, turn: Side) -> Result<Open, CsaProblem> {
        if self.setup_line.is_none() {
            self.put_usual()?;
        }
        if let Some(side) = self.rest {
            for piece in HandPiece::ALL {
                (self.setup.count(piece)..2).for_each(|_| self.setup.give(side, piece.kind(false)));
            }
        }
        let start = self.setup.position(rules, turn).map_err(CsaProblem::Start)?;
        Ok(*self.open.insert(Open { start, position: start }))
    }

    /// The game so far; where the line with the side to move is missing, the first player begins.
    fn opened(&mut self, rules: Rules) -> Result<Open, CsaProblem> {
        self.open.map_or_else(|| self.open(rules, Side::First), Ok)
    }

    fn read_move(&mut self, text: &str, rules: Rules) -> Result<(), CsaProblem> {
        let Open { start, position } = self.opened(rules)?;
        let m = parse_move(&position, text)?;
        if !position.is_legal(m) {
            return Err(CsaProblem::Illegal(illegal(&position, text)));
        }
        self.open = Some(Open { start, position: position.play(m) });
        self.moves.push(m);
        Ok(())
    }

    fn read_end(&mut self, word: &str, rules: Rules) -> Result<(), CsaProblem> {
        let end = CsaEnd::ALL.into_iter().find(|end| end.word() == word);
        self.end = Some(end.ok_or_else(|| CsaProblem::End(shorten(word)))?);
        self.opened(rules).map(drop)
    }

    /// Where to look for what is wrong: a position is wrong as a whole, and found to be so only when it is complete.
    fn place(&self, line: usize, problem: CsaProblem) -> CsaError {
        let line = match problem {
            CsaProblem::Start(_) => self.setup_line.unwrap_or(line),
            _ => line,
        };
        CsaError::Line { line, problem }
    }

    /// The game, if the lines had anything of one: a version, comments and events alone are none.
    fn finish(mut self, rules: Rules) -> Result<Option<CsaGame>, CsaError> {
        let named = Side::BOTH.into_iter().any(|side| !self.names[side].is_empty());
        if self.open.is_none() && self.setup_line.is_none() && !named {
            return Ok(None);
        }
        let line = self.line.unwrap_or(1);
        let opened = self.opened(rules).map(|open| open.start);
        let start = opened.map_err(|problem| self.place(line, problem))?;
        let Draft { names, comments, moves, end, .. } = self;
        Ok(Some(CsaGame { line, names, comments, start, moves, end }))
    }
}

/// The move that a text means, whether or not the rules allow it.
fn parse_move(position: &Position, text: &str) -> Result<Move, CsaProblem> {
    let turn = position.turn();
    let (side, rest) = split_sign(text);
    if rest.len() != 6 || !rest.is_ascii() {
        return Err(CsaProblem::Move(shorten(text)));
    }
    if position.is_over() {
        return Err(CsaProblem::Illegal(illegal(position, text)));
    }
    if side != Some(turn) {
        return Err(CsaProblem::Turn { text: text.to_string(), turn });
    }
    let kind = read_kind(&rest[4..], text)?;
    let off_board = |square: &str| CsaProblem::Square { square: square.to_string(), text: text.to_string() };
    let to = read_place(&rest[2..4], text)?.ok_or_else(|| off_board(&rest[2..4]))?;
    match (read_place(&rest[..2], text)?, kind.piece()) {
        (Some(from), _) => {
            let shows = position.kind_at(from).map_or(kind, Kind::turned_over);
            match shows == kind {
                true => Ok(Move::Step { from, to }),
                false => Err(CsaProblem::Face { text: text.to_string(), shows: csa_code(shows) }),
            }
        }
        (None, Some(piece)) => Ok(Move::Drop { piece, promoted: kind.is_promoted(), to }),
        (None, None) => Err(CsaProblem::Illegal(illegal(position, text))),
    }
}

/// Why a move that can be understood cannot be played, in the notation of the file.
fn illegal(position: &Position, text: &str) -> MoveError {
    let (text, fen) = (text.to_string(), position.to_string());
    match position.is_over() {
        true => MoveError::GameOver { text, position: fen },
        false => {
            let legal = legal_moves(position).into_iter().map(|m| position.csa(m)).collect();
            MoveError::Illegal { text, position: fen, legal }
        }
    }
}

/// A square by its two digits; `None` for `00`, the hand. The text is what they are a part of.
fn read_place(digits: &str, text: &str) -> Result<Option<Square>, CsaProblem> {
    match *digits.as_bytes() {
        [b'0', b'0'] => Ok(None),
        [file @ b'1'..=b'5', rank @ b'1'..=b'5'] => {
            Ok(Square::new(usize::from(b'5' - file), usize::from(rank - b'1')))
        }
        _ => Err(CsaProblem::Square { square: digits.to_string(), text: shorten(text) }),
    }
}

fn read_kind(code: &str, text: &str) -> Result<Kind, CsaProblem> {
    csa_kind(code).ok_or_else(|| CsaProblem::Piece { code: code.to_string(), text: shorten(text) })
}

/// Whose sign a text begins with, and what follows it.
fn split_sign(text: &str) -> (Option<Side>, &str) {
    let mut letters = text.chars();
    let side = letters.next().and_then(side_of);
    (side, letters.as_str())
}

const fn side_of(sign: char) -> Option<Side> {
    match sign {
        '+' => Some(Side::First),
        '-' => Some(Side::Second),
        _ => None,
    }
}

fn check_version(text: &str) -> Result<(), CsaProblem> {
    match text {
        "V1" | "V1.0" | "V2" | "V2.0" | "V2.1" | super::VERSION => Ok(()),
        other => Err(CsaProblem::Version(shorten(other))),
    }
}

/// Times are not kept, but what is no time may be a slip in something that is.
fn check_time(text: &str) -> Result<(), CsaProblem> {
    let seconds = &text[1..];
    let number = |letter: char| letter.is_ascii_digit() || letter == '.';
    match !seconds.is_empty() && seconds.chars().all(number) {
        true => Ok(()),
        false => Err(CsaProblem::Time(shorten(text))),
    }
}
