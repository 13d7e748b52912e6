//! Records of games in the CSA standard 2.2, with five files and ranks instead of nine.

use std::io::BufRead;

use super::notation::{Setup, csa_code, csa_kind};
use super::{HandPiece, Kind, Move, Position, Rules, Square};
use crate::game::record::{NextGame, OUTCOMES, RecordLines, until_error};
use crate::game::{BySide, Ending, Game, GameRecord, GameRecords, MoveError, legal_moves};
use crate::game::{Outcome, RecordFormat, Side, Verdict};
use crate::games::shogi::shorten;

/// CSA records as a format.
pub(super) const FORMAT: RecordFormat<Position> =
    RecordFormat { ending: "csa", write: write_csa, read: read_csa };

/// The first line of a file.
const VERSION: &str = "V2.2";

/// More of a name or of a line of a comment is not written: what is written can be read back.
const MOST_LETTERS: usize = 2_000;

/// No line of a record is longer; what is longer is no record, and is not taken into memory.
const LONGEST_LINE: usize = 10_000;

/// No record of a game is longer, comments and all, so that no file can fill the memory.
const LONGEST_GAME: usize = 1_000_000;

/// A ply cap that was reached is no end that the standard knows: it is `%CHUDAN` with a comment.
const CAPPED: &str = "ply cap";

/// The words of the standard for the end of a game, all but `%MATTA`, which takes moves back. What the moves show has no word: the
/// side whose king was captured resigns.
const ENDS: [(&str, Option<Ending>); 13] = [
    ("%TORYO", Some(Ending::Resignation)),
    ("%SENNICHITE", Some(Ending::Repetition)),
    (STOPPED, None),
    ("%TIME_UP", Some(Ending::Time)),
    ("%ILLEGAL_MOVE", Some(Ending::IllegalMove)),
    (ILLEGAL_ACTIONS.first, Some(Ending::IllegalAction)),
    (ILLEGAL_ACTIONS.second, Some(Ending::IllegalAction)),
    ("%JISHOGI", Some(Ending::Impasse)),
    ("%KACHI", Some(Ending::Declaration)),
    ("%HIKIWAKE", Some(Ending::DeclaredDraw)),
    ("%TSUMI", Some(Ending::Mate)),
    ("%FUZUMI", None),
    ("%ERROR", None),
];

const STOPPED: &str = "%CHUDAN";
/// This side did what is not allowed, whosever turn it is.
const ILLEGAL_ACTIONS: BySide<&str> = BySide { first: "%+ILLEGAL_ACTION", second: "%-ILLEGAL_ACTION" };

const SIGNS: BySide<char> = BySide { first: '+', second: '-' };

/// How a game may have ended with this word, the likeliest first.
fn said(word: &str, capped: bool) -> Vec<Verdict> {
    let meant = ENDS.iter().find(|(end, _)| *end == word).and_then(|(_, ending)| *ending);
    let all = |by| OUTCOMES.map(|outcome| Verdict { outcome, by }).to_vec();
    match Side::BOTH.into_iter().find(|side| ILLEGAL_ACTIONS[*side] == word) {
        // Perpetual check is an illegal action.
        Some(side) => [Ending::Repetition, Ending::IllegalAction]
            .map(|by| Verdict { outcome: Outcome::Win(!side), by })
            .to_vec(),
        None if word == STOPPED && capped => all(Ending::PlyCap),
        None => meant.map_or(Vec::new(), all),
    }
}

/// The word of the standard for the end of a game.
fn end_word(Verdict { outcome, by }: Verdict) -> &'static str {
    let by = if let Ending::Decided(_) = by { Ending::Resignation } else { by };
    match (ENDS.iter().find(|(_, ending)| *ending == Some(by)), by, outcome) {
        (None, _, Outcome::Win(winner))
        | (_, Ending::IllegalAction | Ending::Repetition, Outcome::Win(winner)) => ILLEGAL_ACTIONS[!winner],
        (word, ..) => word.map_or(STOPPED, |(word, _)| word),
    }
}

/// The game as text. The standard has the version only once, at the top of a file.
///
/// What a line cannot hold is left out of names and comments: a comment of several lines becomes several comments, other control
/// characters become blanks, and what is longer than 2,000 letters is cut off.
pub fn write_csa(game: &GameRecord<Position>, is_first: bool) -> String {
    let mut lines = vec![if is_first { VERSION.to_string() } else { "/".to_string() }];
    for side in Side::BOTH.into_iter().filter(|side| !game.names[*side].is_empty()) {
        lines.push(format!("N{}{}", SIGNS[side], one_line(&game.names[side])));
    }
    let mut remarks = game.remarks();
    remarks.extend(game.verdict.filter(|end| end.by == Ending::PlyCap).map(|_| CAPPED.to_string()));
    let remarks = remarks.iter().flat_map(|remark| remark.split('\n'));
    lines.extend(remarks.map(|line| format!("'{}", one_line(line))));
    lines.extend(board_lines(&game.start));
    lines.extend(Side::BOTH.into_iter().filter_map(|side| hand_line(&game.start, side)));
    lines.push(SIGNS[game.start.turn()].to_string());
    lines.extend(game.texts(Position::csa));
    lines.push(game.verdict.map_or(STOPPED, end_word).to_string());
    lines.join("\n") + "\n"
}

fn board_lines(position: &Position) -> Vec<String> {
    let cell = |square: &Square| match position.piece_at(*square) {
        Some((side, kind)) => format!("{}{}", SIGNS[side], csa_code(kind)),
        None => " * ".to_string(),
    };
    let rank = |(number, rank): (usize, &[Square])| {
        format!("P{number}{}", rank.iter().map(cell).collect::<String>())
    };
    (1..).zip(Square::ALL.chunks(5)).map(rank).collect()
}

/// Nothing for an empty hand. The standard has no captured kings; one is written like any other piece in hand.
fn hand_line(position: &Position, side: Side) -> Option<String> {
    let held = |piece: HandPiece| vec![piece.kind(false); position.hand(side).count(piece)];
    let king = Some(Kind::King).filter(|_| position.king(!side).is_none());
    let kinds = HandPiece::ALL.into_iter().flat_map(held).chain(king);
    let pieces: String = kinds.map(|kind| format!("00{}", csa_code(kind))).collect();
    (!pieces.is_empty()).then(|| format!("P{}{pieces}", SIGNS[side]))
}

fn one_line(text: &str) -> String {
    text.chars().take(MOST_LETTERS).map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// The games of a file of CSA records, played by these rules, which a record does not name; no more than one is in memory.
///
/// Games are separated by a line `/`. A version also begins a new game, so files can simply be put together. Without a position a
/// game begins from the usual one, and without a line `+` or `-` with the first player. Times, event and place are read over. Names
/// and comments that are not UTF-8 are read as well as they can be. After an error there are no more games.
pub fn read_csa<'a>(file: Box<dyn BufRead + 'a>, rules: Rules) -> GameRecords<'a, Position> {
    let mut lines = RecordLines::new(file, LONGEST_LINE, "CSA record");
    let mut any = false;
    until_error(move || {
        let game = next_game(&mut lines, rules)?;
        let missing = !std::mem::replace(&mut any, true) && game.is_none();
        if missing { Err(NO_GAME.to_string()) } else { Ok(game) }
    })
}

const NO_GAME: &str =
    "there is no game in the file: a CSA record has a position, a line + or -, and moves like +1514HI";
const SPLIT: &str = "put a line / between two games";
const AFTER_START: &str =
    "stands after the side to move: names and position come before it, and a line / between two games";
const NO_END: &str = "is no end of a game: use";
const NO_NAME: &str = "names neither player: it needs N+ (first player) or N- (second player) and the name";
const NO_LINE: &str =
    "is no line of a CSA record: one begins with V, N, $, P, +, -, T, % or ', and is / between two games";
const NO_POSITION: &str =
    "is no part of a position: it needs PI, P1 to P5 for a rank, or P+ or P- and pieces like 00FU";
const NO_HANDICAP: &str = "PI takes no pieces away in Kyoto Shogi: write the ranks P1 to P5 instead of";

/// The sentence about a text, which may be long.
fn wrong(text: &str, why: &str) -> String {
    format!("'{}' {why}", shorten(text))
}

/// Reads on to the end of the next game; `None` at the end of the file.
fn next_game(lines: &mut RecordLines<impl BufRead>, rules: Rules) -> NextGame<Position> {
    let mut draft = Draft { rules, ..Draft::default() };
    loop {
        let line = lines.next_line()?;
        let text = line.as_deref().unwrap_or("/");
        // The version of the next file, where several were put together.
        let next_file = draft.open.is_some() && text.starts_with('V');
        let read = if next_file || text.trim_end() == "/" {
            draft.finish()
        } else {
            draft.number = lines.number();
            draft.read_line(text).map(|()| None)
        };
        let game = read.map_err(|error| format!("line {}: {error}", draft.number))?;
        if next_file {
            lines.put_back(text.to_string());
        }
        if game.is_some() || line.is_none() {
            return Ok(game);
        }
    }
}

/// A game of which not all lines are read.
#[derive(Default)]
struct Draft {
    rules: Rules,
    /// The line that is being read.
    number: usize,
    /// The first line that is not empty.
    line: Option<usize>,
    bytes: usize,
    names: BySide<String>,
    comments: Vec<String>,
    setup: Setup,
    /// Where the position begins, if the record has one.
    setup_line: Option<usize>,
    /// The side that holds all pieces that are not given.
    rest: Option<Side>,
    /// Where the game began and where it is, once the position is complete.
    open: Option<(Position, Position)>,
    moves: Vec<Move>,
    end: String,
}

impl Draft {
    fn read_line(&mut self, line: &str) -> Result<(), String> {
        self.bytes += line.len() + 1;
        if self.bytes > LONGEST_GAME {
            return Err(format!("the game is longer than {LONGEST_GAME} bytes: {SPLIT}"));
        }
        // Editors of some systems put an invisible mark at the beginning of a file.
        let mut rest = if self.number == 1 { line.trim_start_matches('\u{feff}') } else { line };
        while !rest.trim_start().is_empty() {
            rest = rest.trim_start();
            self.line.get_or_insert(self.number);
            let statement;
            // A comma may separate two statements, but is a comma in a text.
            let split = rest.split_once(',').filter(|_| !rest.starts_with(['\'', 'N', '$']));
            (statement, rest) = split.unwrap_or((rest, ""));
            self.read(statement)?;
        }
        Ok(())
    }

    /// Reads one statement; an empty one, as between two commas, says nothing.
    fn read(&mut self, text: &str) -> Result<(), String> {
        // Blanks mean something at the end of a name or a comment only.
        let bare = text.trim_end();
        let refuse = |why: &str| Err(wrong(bare, why));
        match text.as_bytes().first() {
            None | Some(b'$') => {}
            Some(b'\'') => self.comments.push(text[1..].to_string()),
            Some(b'T') if bare.len() > 1 && bare[1..].chars().all(|c| c.is_ascii_digit() || c == '.') => {}
            Some(b'T') => return refuse("is no time: it needs T and seconds, like T12"),
            _ if !self.end.is_empty() => {
                return refuse(&format!("stands after the end of the game: {SPLIT}"));
            }
            // Where the line with the side to move is missing, the first player begins.
            Some(b'+' | b'-') if bare.len() > 1 => {
                let (start, position) = self.opened(Side::First)?;
                let m = parse_move(&position, bare)?;
                self.open = Some((start, position.play(m)));
                self.moves.push(m);
            }
            Some(b'%') if ENDS.iter().any(|(end, _)| *end == bare) => {
                self.end = bare.to_string();
                self.opened(Side::First)?;
            }
            Some(b'%') => return refuse(&format!("{NO_END} {}", ENDS.map(|(end, _)| end).join(" "))),
            _ if self.open.is_some() => return refuse(AFTER_START),
            Some(b'+') => return self.opened(Side::First).map(drop),
            Some(b'-') => return self.opened(Side::Second).map(drop),
            Some(b'V') if ["V1", "V1.0", "V2", "V2.0", "V2.1", VERSION].contains(&bare) => {}
            Some(b'V') => return refuse("is no version that can be read: V2.2 can, and what came before it"),
            Some(b'N') => {
                let (side, name) = split_sign(&text[1..]).ok_or_else(|| wrong(text, NO_NAME))?;
                self.names[side] = name.to_string();
            }
            Some(b'P') => {
                self.setup_line.get_or_insert(self.number);
                return self.read_setup(bare);
            }
            Some(_) => return refuse(NO_LINE),
        }
        Ok(())
    }

    /// Reads a line that begins with P.
    fn read_setup(&mut self, text: &str) -> Result<(), String> {
        let mut letters = text[1..].chars();
        match (letters.next(), letters.as_str()) {
            (Some('I'), "") => {
                let start = Position::start(self.rules);
                board_lines(&start).iter().try_for_each(|line| self.read_setup(line))
            }
            (Some('I'), _) => Err(format!("{NO_HANDICAP} '{}'", shorten(text))),
            (Some(rank @ '1'..='5'), rest) => self.read_rank(rank as usize - '1' as usize, rest),
            (Some('+'), rest) => self.read_pieces(Side::First, text, rest),
            (Some('-'), rest) => self.read_pieces(Side::Second, text, rest),
            _ => Err(wrong(text, NO_POSITION)),
        }
    }

    /// Five squares of a rank, three characters each, from the left.
    fn read_rank(&mut self, row: usize, cells: &str) -> Result<(), String> {
        // A blank at the end of a line is easily lost.
        let cells = if cells.ends_with(" *") { format!("{cells} ") } else { cells.to_string() };
        let (rank, found) = (row + 1, cells.len());
        if found != 15 {
            return Err(format!(
                "rank {rank} of the board has {found} characters after P{rank}, it needs 15: three for each square, like '+OU' or ' * '"
            ));
        }
        for (column, cell) in cells.as_bytes().chunks(3).enumerate() {
            let Some(square) = Square::new(column, row).filter(|_| cell != b" * ") else { continue };
            let cell = String::from_utf8_lossy(cell);
            let piece = split_sign(&cell).and_then(|(side, code)| Some((side, csa_kind(code)?)));
            let (side, kind) = piece.ok_or_else(|| {
                let needs = format!("write ' * ', or + or - and one of {}", codes());
                format!("'{cell}' in rank {rank} of the board is no square: {needs}")
            })?;
            self.put(side, kind, square)?;
        }
        Ok(())
    }

    /// Single pieces of a side: `00FU` in hand, `15FU` on the board, and `00AL` for all that are left.
    fn read_pieces(&mut self, side: Side, text: &str, pieces: &str) -> Result<(), String> {
        if !pieces.is_ascii() || !pieces.len().is_multiple_of(4) {
            return Err(wrong(text, NO_POSITION));
        }
        for at in (0..pieces.len()).step_by(4) {
            let (square, code) = pieces[at..at + 4].split_at(2);
            match (read_place(square, text)?, code) {
                (None, "AL") => self.rest = Some(side),
                (None, code) => self.setup.give(side, read_kind(code, text)?),
                (Some(square), code) => self.put(side, read_kind(code, text)?, square)?,
            }
        }
        Ok(())
    }

    fn put(&mut self, side: Side, kind: Kind, square: Square) -> Result<(), String> {
        if !self.setup.is_free(square) {
            return Err(format!("square {} has two pieces: give it only one", square.csa()));
        }
        self.setup.put(side, kind, square);
        Ok(())
    }

    /// Where the game began and where it is. The first call completes the position: nothing of it can come any more.
    fn opened(&mut self, turn: Side) -> Result<(Position, Position), String> {
        if let Some(open) = self.open {
            return Ok(open);
        }
        if self.setup_line.is_none() {
            self.read_setup("PI")?;
        }
        if let Some(side) = self.rest {
            for piece in HandPiece::ALL {
                (self.setup.count(piece)..2).for_each(|_| self.setup.give(side, piece.kind(false)));
            }
        }
        let start = self.setup.position(self.rules, turn).map_err(|error| {
            // It is wrong as a whole, which shows only now.
            self.number = self.setup_line.unwrap_or(self.number);
            format!("the position cannot be: {error}")
        })?;
        Ok(*self.open.insert((start, start)))
    }

    /// The game, if the lines had anything of one: a version, comments and events alone are none. The next one can be read then.
    fn finish(&mut self) -> NextGame<Position> {
        let is_empty = self.open.is_none() && self.setup_line.is_none() && self.names == BySide::default();
        self.number = self.line.unwrap_or(1);
        let start = if is_empty { None } else { Some(self.opened(Side::First)?.0) };
        let next = Draft { rules: self.rules, ..Draft::default() };
        let Draft { number: line, names, mut comments, moves, end, .. } = std::mem::replace(self, next);
        let capped = end == STOPPED && comments.iter().any(|comment| comment == CAPPED);
        comments.retain(|comment| !capped || comment != CAPPED);
        Ok(start.map(|start| {
            let mut game = GameRecord { line, names, comments, moves, ..GameRecord::new(start) };
            game.settle_leniently(&said(&end, capped));
            game
        }))
    }
}

/// The legal move that a text means, or what is wrong with it.
fn parse_move(position: &Position, text: &str) -> Result<Move, String> {
    let (turn, legal) = (position.turn(), legal_moves(position));
    let ours = text.replace("HU", csa_code(Kind::Pawn));
    if let Some(m) = legal.iter().find(|m| position.csa(**m) == ours) {
        return Ok(*m);
    }
    let Some((side, rest)) = split_sign(text).filter(|(_, rest)| rest.len() == 6 && rest.is_ascii()) else {
        return Err(wrong(text, "is no move: one is like +1514HI, and a drop like -0033KI"));
    };
    if position.is_over() {
        return Err(MoveError::new(position, text).to_string());
    }
    if side != turn {
        return Err(format!("'{text}' is a move of the {side} player, but it is the {turn} player's turn"));
    }
    let code = csa_code(read_kind(&rest[4..], text)?);
    read_place(&rest[2..4], text)?.ok_or_else(|| no_square(&rest[2..4], text))?;
    let piece = read_place(&rest[..2], text)?.and_then(|from| position.kind_at(from));
    if let Some(shows) = piece.map(|piece| csa_code(piece.turned_over())).filter(|shows| *shows != code) {
        let why = "at its end: this is what the piece shows when it has been turned over";
        return Err(format!("'{text}' needs {shows} {why}"));
    }
    let legal = legal.into_iter().map(|m| position.csa(m)).collect();
    Err(MoveError::Illegal { text: text.to_string(), position: position.to_string(), legal }.to_string())
}

/// A square by its two digits; `None` for `00`, the hand. The text is what they are a part of.
fn read_place(digits: &str, text: &str) -> Result<Option<Square>, String> {
    match *digits.as_bytes() {
        [b'0', b'0'] => Ok(None),
        [file @ b'1'..=b'5', rank @ b'1'..=b'5'] => {
            Ok(Square::new(usize::from(b'5' - file), usize::from(rank - b'1')))
        }
        _ => Err(no_square(digits, text)),
    }
}

fn read_kind(code: &str, text: &str) -> Result<Kind, String> {
    csa_kind(code).ok_or_else(|| format!("'{code}' in '{}' is no piece: use {}", shorten(text), codes()))
}

fn no_square(digits: &str, text: &str) -> String {
    format!("'{digits}' in '{}' is no square: files and ranks go from 1 to 5", shorten(text))
}

fn codes() -> String {
    Kind::ALL.map(csa_code).join(" ")
}

/// Whose sign a text begins with, and what follows it.
fn split_sign(text: &str) -> Option<(Side, &str)> {
    Side::BOTH.into_iter().find_map(|side| Some((side, text.strip_prefix(SIGNS[side])?)))
}
