//! A game as files keep it. Each format is a module that reads and writes it: `json`, `pgn`, `uci`, and one that a game may add.

mod ending;
pub mod json;
pub mod pgn;
pub mod uci;

pub use ending::{Ending, Verdict};

use std::io::BufRead;

use super::{BySide, Game, Limits, Outcome, Referee, Side};
use crate::program::{Line, next_line};

/// A whole game, every move checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord<G: Game> {
    /// The line of the file in which it begins, or 1.
    pub line: usize,
    /// Who played; empty where the file does not say.
    pub names: BySide<String>,
    /// Whatever else is said about it.
    pub comments: Vec<String>,
    /// The seed of the command that played it, if it is known.
    pub seed: Option<u64>,
    /// The number of its pairing.
    pub pairing: usize,
    /// Its number within the pairing; of a file that does not say, within the file.
    pub game: usize,
    /// How many of the moves are a random opening.
    pub opening_plies: usize,
    /// What could have ended it. No file tells the ply cap.
    pub limits: Limits,
    /// Where it began.
    pub start: G,
    /// What was played.
    pub moves: Vec<G::Move>,
    /// How it ended, if it is known.
    pub verdict: Option<Verdict>,
    /// Why, in a sentence, where a word says too little.
    pub note: Option<String>,
}

impl<G: Game> GameRecord<G> {
    /// A game without moves of which nothing else is known.
    pub fn new(start: G) -> GameRecord<G> {
        GameRecord {
            line: 1,
            names: BySide::default(),
            comments: Vec::new(),
            seed: None,
            pairing: 0,
            game: 0,
            opening_plies: 0,
            limits: Limits { ply_cap: usize::MAX, repetition: true },
            start,
            moves: Vec::new(),
            verdict: None,
            note: None,
        }
    }

    /// The position after the last move.
    ///
    /// # Panics
    /// May panic if a move is not legal, which cannot be in a game that was read.
    pub fn last_position(&self) -> G {
        self.moves.iter().fold(self.start, |position, m| position.play(*m))
    }

    /// Plays the moves, as far as the game goes on: a repetition ends it, if it does.
    pub fn replay(&self) -> Referee<G> {
        let mut game = Referee::within(self.start, self.limits);
        for m in &self.moves {
            if game.verdict().is_some() {
                break;
            }
            game.play(*m);
        }
        game
    }

    /// The moves as text, each written by this.
    pub fn texts(&self, text: fn(&G, G::Move) -> String) -> Vec<String> {
        let mut position = self.start;
        let text = |m: &G::Move| {
            let text = text(&position, *m);
            position = position.play(*m);
            text
        };
        self.moves.iter().map(text).collect()
    }

    /// Rules and seed, in words.
    pub fn about(&self) -> String {
        let seed = self.seed.map_or(String::new(), |seed| format!(", seed {seed}"));
        format!("{} rules{seed}", self.start.rules())
    }

    /// What a format with comments has to say: what was said, else where the game comes from.
    pub fn remarks(&self) -> Vec<String> {
        if self.seed.is_none() || !self.comments.is_empty() {
            return self.comments.clone();
        }
        let GameRecord { game, pairing, note, .. } = self;
        let origin = format!("{}, game {game} of pairing {pairing}", self.about());
        std::iter::once(origin).chain(note.clone()).collect()
    }

    /// Settles how the game of a file ended: as its moves show, else as the first of these that is possible. Files that have no
    /// word for it were played by the rule about repeated positions if moves and end agree with that. The error is what the
    /// moves show instead.
    fn settle(&mut self, said: &[Verdict]) -> Result<(), Verdict> {
        self.limits.repetition = true;
        let game = self.replay();
        let whole = game.moves().len() == self.moves.len();
        let strict = ended(&game, said).ok().filter(|end| whole && (end.is_some() || said.is_empty()));
        if let Some(verdict) = strict {
            self.verdict = verdict;
            return Ok(());
        }
        self.limits.repetition = false;
        self.verdict = ended(&self.replay(), said)?;
        Ok(())
    }

    /// The same for a format that says nothing that the position could contradict.
    pub fn settle_leniently(&mut self, said: &[Verdict]) {
        if self.settle(said).is_err() {
            let _ = self.settle(&[]);
        }
    }
}

/// How a game ended: as its moves show, else as the first of these that is possible. The error is what the moves show instead.
fn ended<G: Game>(game: &Referee<G>, said: &[Verdict]) -> Result<Option<Verdict>, Verdict> {
    let position = game.position();
    let possible = |verdict: &&Verdict| {
        let in_force = verdict.by == Ending::Repetition && game.limits().repetition;
        !in_force && verdict.by.can_end(verdict.outcome, position.side_to_move())
    };
    let Some(shown) = game.verdict() else { return Ok(said.iter().find(possible).copied()) };
    let agreed = match position.outcome() {
        Some(outcome) => said.is_empty() || said.iter().any(|said| said.outcome == outcome),
        None => said.contains(&shown),
    };
    if agreed { Ok(Some(shown)) } else { Err(shown) }
}

/// Every outcome of a game.
pub const OUTCOMES: [Outcome; 3] = [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw];

/// The games of a file, one at a time; an error is a sentence with the line.
pub type GameRecords<'a, G> = Box<dyn Iterator<Item = Result<GameRecord<G>, String>> + 'a>;

/// The next game of a file; `None` at its end.
pub type NextGame<G> = Result<Option<GameRecord<G>>, String>;

/// The games that a reader finds one after another, up to the end of the file or the first error.
pub fn until_error<'a, G: Game>(mut next: impl FnMut() -> NextGame<G> + 'a) -> GameRecords<'a, G> {
    let mut done = false;
    Box::new(std::iter::from_fn(move || {
        let game = if done { None } else { next().transpose() };
        done = !matches!(game, Some(Ok(_)));
        game
    }))
}

/// A way to keep games in files.
pub struct RecordFormat<G: Game> {
    /// How names of such files end.
    pub ending: &'static str,
    /// A game as text; the second argument says whether it is the first of its file.
    pub write: fn(&GameRecord<G>, bool) -> String,
    /// The games of a file. Where one does not say by which rules it was played, it was by these.
    pub read: for<'a> fn(Box<dyn BufRead + 'a>, G::Rules) -> GameRecords<'a, G>,
}

/// The lines of a file of records, none of them longer than a record has.
pub struct RecordLines<R> {
    reader: R,
    longest: usize,
    /// What is too long for it.
    format: &'static str,
    /// Of the last line that was read.
    number: usize,
    /// The same line once more.
    again: Option<String>,
}

impl<R: BufRead> RecordLines<R> {
    /// The lines of a file of this format.
    pub fn new(reader: R, longest: usize, format: &'static str) -> RecordLines<R> {
        RecordLines { reader, longest, format, number: 0, again: None }
    }

    /// The number of the last line that was read.
    pub fn number(&self) -> usize {
        self.number
    }

    /// That line is to be read once more.
    pub fn put_back(&mut self, line: String) {
        self.again = Some(line);
    }

    /// The next line without its end; `None` at the end of the file.
    pub fn next_line(&mut self) -> Result<Option<String>, String> {
        if let Some(line) = self.again.take() {
            return Ok(Some(line));
        }
        let read = next_line(&mut self.reader, self.longest + 1);
        let line = match read {
            Ok(line) => line,
            Err(error) => {
                return Err(format!("the file cannot be read after line {}: {error}", self.number));
            }
        };
        self.number += usize::from(line.is_some());
        match line {
            None => Ok(None),
            Some(Line::Whole(mut text)) => {
                text.truncate(text.strip_suffix('\r').map_or(text.len(), str::len));
                if text.chars().count() > self.longest { Err(self.too_long()) } else { Ok(Some(text)) }
            }
            Some(Line::TooLong) => Err(self.too_long()),
        }
    }

    fn too_long(&self) -> String {
        let RecordLines { number, longest, format, .. } = self;
        format!("line {number}: the line is longer than {longest} bytes: this is no {format}")
    }
}
