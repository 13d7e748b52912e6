//! Our own format: one line of JSON a game.

use std::io::BufRead;

use serde::{Deserialize, Serialize};

use super::{GameRecord, GameRecords, OUTCOMES, RecordFormat, RecordLines, ended};
use crate::game::{BySide, Ending, Game, GameTag, Limits, Referee, UNSAID_GAME, Verdict};

/// No line is longer; what is longer is no record, and is not taken into memory.
const LONGEST_LINE: usize = 10_000_000;

/// A game as its line has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonRecord {
    #[serde(default = "unsaid_game", skip_serializing_if = "is_unsaid")]
    game_name: String,
    pairing: usize,
    game: usize,
    seed: u64,
    first: String,
    second: String,
    rules: String,
    /// Whether the game's rule about repeated positions held.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    repetition: bool,
    opening_plies: usize,
    start: String,
    moves: Vec<String>,
    winner: String,
    by: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

fn unsaid_game() -> String {
    UNSAID_GAME.to_string()
}

fn is_unsaid(game: &str) -> bool {
    game == UNSAID_GAME
}

fn yes() -> bool {
    true
}

/// Lines of JSON as a format.
pub fn format<G: Game>() -> RecordFormat<G> {
    RecordFormat { ending: "jsonl", write: |game, _| write(game) + "\n", read: |file, _| games(file) }
}

/// A game as a line, without its end.
///
/// # Panics
/// May panic if a move is not legal, which cannot be in a game that was read or played.
pub fn write<G: Game>(game: &GameRecord<G>) -> String {
    let (winner, by) = words(game.verdict);
    let record = JsonRecord {
        game_name: G::NAME.to_string(),
        pairing: game.pairing,
        game: game.game,
        seed: game.seed.unwrap_or(0),
        first: game.names.first.clone(),
        second: game.names.second.clone(),
        rules: game.start.rules().to_string(),
        repetition: game.limits.repetition,
        opening_plies: game.opening_plies,
        start: game.start.to_string(),
        moves: game.texts(G::move_text),
        winner,
        by,
        note: game.note.clone(),
    };
    serde_json::to_string(&record).expect("texts and numbers can be written")
}

/// The winner, and by what the game ended.
fn words(verdict: Option<Verdict>) -> (String, String) {
    verdict.map_or(("none".to_string(), "unfinished".to_string()), |Verdict { outcome, by }| {
        (outcome.to_string(), by.to_string())
    })
}

/// Reads a line. Every move must be legal, and the end be what the moves show, or what they cannot show.
pub fn read<G: Game>(line: &str) -> Result<GameRecord<G>, String> {
    let record: JsonRecord = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let game = record.replay::<G>()?;
    let JsonRecord { pairing, game: number, seed, first, second, opening_plies, winner, by, note, .. } =
        record;
    let said =
        Ending::named(&by).map_or(Vec::new(), |by| OUTCOMES.map(|outcome| Verdict { outcome, by }).to_vec());
    let said: Vec<Verdict> = said.into_iter().filter(|said| said.outcome.to_string() == winner).collect();
    let agrees = |verdict: &Option<Verdict>| words(*verdict) == (winner.clone(), by.clone());
    let verdict = ended(&game, &said).ok().filter(agrees);
    let error = || format!("the record says {winner} by {by}, its moves do not end like that");
    let verdict = verdict.ok_or_else(error)?;
    Ok(GameRecord {
        names: BySide { first, second },
        seed: Some(seed),
        pairing,
        game: number,
        opening_plies,
        limits: game.limits(),
        moves: game.moves().to_vec(),
        verdict,
        note,
        ..GameRecord::new(game.positions()[0])
    })
}

impl JsonRecord {
    /// The game with every move checked by the rules. The record must be one of this game.
    fn replay<G: Game>(&self) -> Result<Referee<G>, String> {
        GameTag::<G>::check(Some(&self.game_name)).map_err(|error| error.to_string())?;
        let rules: G::Rules =
            self.rules.parse().map_err(|error: crate::game::UnknownVariant| error.to_string())?;
        let start = G::parse(&self.start, rules).map_err(|error| error.to_string())?;
        let mut game = Referee::within(start, Limits { ply_cap: usize::MAX, repetition: self.repetition });
        for (ply, text) in (1..).zip(&self.moves) {
            let m = game.position().parse_move(text).map_err(|error| format!("move {ply}: {error}"))?;
            game.try_play(m).map_err(|error| format!("move {ply}: {error}"))?;
        }
        Ok(game)
    }
}

/// The games of a file; none after a line that cannot be read.
fn games<'a, G: Game>(file: Box<dyn BufRead + 'a>) -> GameRecords<'a, G> {
    let mut lines = RecordLines::new(file, LONGEST_LINE, "record");
    let mut broken = false;
    let lines = std::iter::from_fn(move || {
        let line = if broken { None } else { lines.next_line().transpose() };
        broken = !matches!(line, Some(Ok(_)));
        line
    });
    let lines = lines.filter(|line| line.as_ref().map_or(true, |line| !line.trim().is_empty()));
    let game = |(number, line): (usize, Result<String, String>)| {
        line.and_then(|line| read(&line)).map_err(|error| format!("game {number}: {error}"))
    };
    Box::new((1..).zip(lines).map(game))
}

/// Which game the first line of a file is about. A line that is no record is told of later, with its number.
pub fn game_of_file(file: impl BufRead) -> String {
    let line = RecordLines::new(file, LONGEST_LINE, "record").next_line().ok().flatten().unwrap_or_default();
    let record: Option<serde_json::Value> = serde_json::from_str(&line).ok();
    record.as_ref().and_then(|record| record.get("game_name")?.as_str()).unwrap_or(UNSAID_GAME).to_string()
}
