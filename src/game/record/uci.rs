//! Games as an engine is told them: the tags of a PGN file, then a line that can be sent to any engine as it is.

use super::pgn::{Word, is_usual, tags};
use super::{GameRecord, RecordFormat, pgn};
use crate::game::Spoken;

/// How the line begins.
pub(super) const POSITION: &str = "position ";

/// Such files as a format. They are read as PGN files are: the line of moves is told apart by how it begins.
pub fn format<G: Spoken>() -> RecordFormat<G> {
    RecordFormat { ending: "uci", write: |game, _| write(game), read: pgn::read }
}

/// A game with a blank line after it.
pub fn write<G: Spoken>(game: &GameRecord<G>) -> String {
    let place = if is_usual(game.start) { "startpos".to_string() } else { format!("fen {}", game.start) };
    let moves: String = game.texts(G::move_text).iter().map(|text| format!(" {text}")).collect();
    let moves = if moves.is_empty() { moves } else { format!(" moves{moves}") };
    format!("{}\n{POSITION}{place}{moves}\n\n", tags(game))
}

/// Where a game begins, if not as usual, and its moves, from what follows [`POSITION`].
pub(super) fn words(line: &str) -> (Option<String>, Vec<Word>) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let place = match &words[..at] {
        ["fen", text @ ..] => Some(text.join(" ")),
        _ => None,
    };
    let word = |text: &&str| Word { text: text.to_string(), comment: None };
    (place, words.get(at + 1..).unwrap_or_default().iter().map(word).collect())
}
