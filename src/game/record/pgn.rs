//! Games as PGN, as Fairy-Stockfish's tools write them: tags, one a line, a blank line, and the moves.

use std::io::{BufRead, Read};

use super::{GameRecord, GameRecords, RecordFormat, RecordLines, uci};
use crate::game::{BySide, Ending, MoveError, Outcome, Side, Spoken, UnknownVariant, Verdict, or_list};

/// The longest line of moves in a PGN file, in letters.
const COLUMNS: usize = 80;

/// Nothing that is read of one game is longer: what is longer is no game, and is not taken into memory.
const LONGEST_GAME: usize = 10_000_000;

/// PGN files as a format.
pub fn format<G: Spoken>() -> RecordFormat<G> {
    RecordFormat { ending: "pgn", write: |game, _| write(game), read }
}

/// A game with a blank line after it.
pub fn write<G: Spoken>(game: &GameRecord<G>) -> String {
    let mut words = Vec::new();
    let mut position = game.start;
    for (ply, m) in game.moves.iter().enumerate() {
        let number = (ply + usize::from(game.start.side_to_move() == Side::Second)) / 2 + 1;
        match (position.side_to_move(), ply) {
            (Side::First, _) => words.push(format!("{number}.")),
            (Side::Second, 0) => words.push(format!("{number}...")),
            (Side::Second, _) => {}
        }
        words.push(position.san(*m));
        if position.is_san_ambiguous(*m) {
            words.push(format!("{{{}}}", position.move_text(*m)));
        }
        position = position.play(*m);
    }
    words.push(result(game.verdict).to_string());
    let mut lines = vec![String::new()];
    for word in words {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(&word),
            Some(line) if line.len() + 1 + word.len() <= COLUMNS => *line += &format!(" {word}"),
            _ => lines.push(word),
        }
    }
    format!("{}\n{}\n\n", tags(game), lines.join("\n"))
}

pub(super) fn is_usual<G: Spoken>(start: G) -> bool {
    start == G::start(start.rules())
}

const RESULTS: [(&str, Option<Outcome>); 4] = [
    ("1-0", Some(Outcome::Win(Side::First))),
    ("0-1", Some(Outcome::Win(Side::Second))),
    ("1/2-1/2", Some(Outcome::Draw)),
    ("*", None),
];

fn result(verdict: Option<Verdict>) -> &'static str {
    let outcome = verdict.map(|verdict| verdict.outcome);
    RESULTS.iter().find(|(_, result)| *result == outcome).map_or("*", |(word, _)| word)
}

pub(super) fn tags<G: Spoken>(game: &GameRecord<G>) -> String {
    let or_unknown = |text: String| if text.is_empty() { "?".to_string() } else { text };
    let mut tags = vec![
        ("Event", or_unknown(game.remarks().join("; "))),
        ("Site", "?".to_string()),
        ("Date", "????.??.??".to_string()),
        ("Round", "?".to_string()),
        ("White", or_unknown(game.names.first.clone())),
        ("Black", or_unknown(game.names.second.clone())),
        ("Result", result(game.verdict).to_string()),
        ("Variant", G::VARIANT.to_string()),
        ("Rules", game.start.rules().to_string()),
    ];
    if !is_usual(game.start) {
        tags.push(("SetUp", "1".to_string()));
        tags.push(("FEN", game.start.to_string()));
    }
    let end = game.verdict.map_or("unterminated".to_string(), |verdict| verdict.by.to_string());
    tags.push(("Termination", end));
    let line = |(name, value): (&str, String)| {
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
    };
    tags.into_iter().map(line).collect()
}

/// What a file of games calls the game that its first record is about.
pub fn variant_of_file(mut file: impl BufRead) -> Option<String> {
    let mut begin = Vec::new();
    file.by_ref().take(100_000).read_to_end(&mut begin).ok()?;
    let text = String::from_utf8_lossy(&begin).into_owned();
    let mut tags = text.lines().filter_map(read_tag);
    tags.find(|(name, _)| name.eq_ignore_ascii_case("Variant")).map(|(_, value)| value)
}

/// The games of a file, PGN or UCI.
pub fn read<'a, G: Spoken>(file: Box<dyn BufRead + 'a>, rules: G::Rules) -> GameRecords<'a, G> {
    let mut lines = RecordLines::new(file, LONGEST_GAME, "game");
    let mut broken = false;
    Box::new(std::iter::from_fn(move || {
        let draft = if broken { None } else { Draft::read(&mut lines).transpose() }?;
        broken = draft.is_err();
        let at_line = |line, error| format!("line {line}: {error}");
        Some(draft.and_then(|draft| draft.game::<G>(rules).map_err(|error| at_line(draft.line, error))))
    }))
}

/// What a file says of a game before its moves are looked at.
#[derive(Default)]
struct Draft {
    line: usize,
    tags: Vec<(String, String)>,
    moves: String,
}

impl Draft {
    /// Reads on to the end of the next game; `None` at the end of the file.
    fn read(lines: &mut RecordLines<impl BufRead>) -> Result<Option<Draft>, String> {
        let mut draft = Draft::default();
        let mut in_comment = false;
        while let Some(line) = lines.next_line()? {
            if !in_comment && line.starts_with('%') {
                continue;
            }
            match read_tag(&line).filter(|_| !in_comment) {
                Some(_) if !draft.moves.is_empty() => {
                    lines.put_back(line);
                    return Ok(Some(draft));
                }
                Some(tag) => {
                    if draft.tags.is_empty() {
                        draft.line = lines.number();
                    }
                    draft.tags.push(tag);
                }
                None if line.trim().is_empty() => {}
                None if draft.tags.is_empty() => {
                    let number = lines.number();
                    return Err(format!(
                        "line {number}: a game begins with tags, as in [Variant \"dobutsu\"]"
                    ));
                }
                None => {
                    // Braces do not nest: the last one of a line tells.
                    in_comment = line.rfind(['{', '}']).map_or(in_comment, |at| line[at..].starts_with('{'));
                    draft.moves += line.trim_end();
                    draft.moves.push('\n');
                    if draft.moves.len() > LONGEST_GAME {
                        return Err(format!("line {}: this is longer than any game", lines.number()));
                    }
                }
            }
        }
        Ok((!draft.tags.is_empty()).then_some(draft))
    }

    fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str()).filter(|value| !["", "?"].contains(value))
    }

    /// The game, its moves and its end checked.
    fn game<G: Spoken>(&self, rules: G::Rules) -> Result<GameRecord<G>, String> {
        if let Some(variant) = self.tag("Variant").filter(|name| !name.eq_ignore_ascii_case(G::VARIANT)) {
            return Err(format!("this is a game of '{variant}', not of {}", G::VARIANT));
        }
        let parsed = self.tag("Rules").map_or(Ok(rules), str::parse);
        let rules = parsed.map_err(|error: UnknownVariant| error.to_string())?;
        let (place, words) = match self.moves.trim().strip_prefix(uci::POSITION) {
            Some(line) => uci::words(line),
            None => (self.tag("FEN").map(String::from), san_words(&self.moves)),
        };
        let start = match place {
            Some(fen) => G::parse(&fen, rules).map_err(|error| format!("bad FEN '{fen}': {error}"))?,
            None => G::start(rules),
        };
        let mut position = start;
        let mut moves = Vec::new();
        for (ply, word) in (1..).zip(&words) {
            let m = word.named(&position).map_err(|error| format!("move {ply}: {error}"))?;
            position = position.play(m);
            moves.push(m);
        }
        let name = |tag: &str| self.tag(tag).unwrap_or_default().to_string();
        let mut game = GameRecord {
            line: self.line,
            names: BySide { first: name("White"), second: name("Black") },
            comments: self.tag("Event").map(String::from).into_iter().collect(),
            moves,
            ..GameRecord::new(start)
        };
        let result = self.tag("Result").unwrap_or("*");
        game.settle(&said(result, self.tag("Termination").unwrap_or_default())?).map_err(|shown| {
            format!("the result is {result}, its moves end with {} by {}", shown.outcome, shown.by)
        })?;
        Ok(game)
    }
}

/// `[Name "value"]`
fn read_tag(line: &str) -> Option<(String, String)> {
    let inner = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inner.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return None;
    }
    let mut text = String::new();
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        text.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    Some((name.to_string(), text))
}

/// A move as it is written, and the comment after it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) comment: Option<String>,
}

/// The moves of a PGN file, without numbers, variations, glyphs and the result.
fn san_words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut variations = 0_usize;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (token, after) = match first {
            '{' => rest[1..].split_once('}').unwrap_or((&rest[1..], "")),
            ';' => rest[1..].split_once('\n').unwrap_or((&rest[1..], "")),
            '(' | ')' => rest.split_at(1),
            c if c.is_whitespace() => rest.split_at(c.len_utf8()),
            _ => rest.split_at(
                rest.find(|c: char| c.is_whitespace() || "{};()".contains(c)).unwrap_or(rest.len()).max(1),
            ),
        };
        rest = after;
        match first {
            '(' => variations += 1,
            ')' => variations = variations.saturating_sub(1),
            _ if variations > 0 => {}
            '{' => {
                if let Some(word) = words.last_mut() {
                    word.comment.get_or_insert_with(|| token.trim().to_string());
                }
            }
            ';' => {}
            _ => words.extend(san_move(token).map(|text| Word { text, comment: None })),
        }
    }
    words
}

/// The move in a word of a PGN file, if there is one.
fn san_move(word: &str) -> Option<String> {
    // A number stands before the move, with or without a blank between.
    let number = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let word = if number.starts_with('.') { number.trim_start_matches('.') } else { word };
    let word = word.trim_end_matches(['!', '?']).trim();
    let is_move =
        !word.is_empty() && !word.starts_with('$') && !RESULTS.iter().any(|(result, _)| *result == word);
    is_move.then(|| word.to_string())
}

impl Word {
    /// The move that it names. A comment after a move that could be another one says which it is.
    fn named<G: Spoken>(&self, position: &G) -> Result<G::Move, MoveError> {
        let comment = self.comment.as_ref().and_then(|text| position.parse_move(text).ok());
        let told = comment.filter(|m| position.is_san_ambiguous(*m) && position.san(*m) == self.text);
        told.map_or_else(|| position.heard_move(&self.text), Ok)
    }
}

/// How a game may have ended of which a file says this, the likeliest first.
fn said(result: &str, termination: &str) -> Result<Vec<Verdict>, String> {
    let found = RESULTS.iter().find(|(word, _)| *word == result);
    let Some((_, outcome)) = found else {
        return Err(format!("'{result}' is no result: choose {}", or_list(&RESULTS.map(|(word, _)| word))));
    };
    let Some(outcome) = *outcome else { return Ok(Vec::new()) };
    // The words of the standard come after our own.
    let standard = match termination {
        "time forfeit" => Ending::Time,
        "rules infraction" => Ending::IllegalMove,
        _ => Ending::Resignation,
    };
    let usual =
        [standard, Ending::DeclaredDraw, Ending::Resignation, Ending::IllegalAction, Ending::Repetition];
    let endings = Ending::named(termination).into_iter().chain(usual);
    Ok(endings.map(|by| Verdict { outcome, by }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_found_among_everything_else() {
        let text = "1. Cxb3 {a comment (with brackets)} Exb3!? 2.Eb2 (2. Gc2 Ga3 (2... Lc3)) 2... C@a2 $14 ; the rest\n3. Lxa2 1-0\n";
        let words = |text: &str| san_words(text).into_iter().map(|word| word.text).collect::<Vec<_>>();
        assert_eq!(words(text), ["Cxb3", "Exb3", "Eb2", "C@a2", "Lxa2"]);
        assert_eq!(words("1. Gab2=L+ K52 *"), ["Gab2=L+", "K52"]);
        assert_eq!(words("{ open"), [""; 0]);
        assert_eq!(words(") } ( a"), ["}"]);
        let comment = san_words("1. G@c2 {+N@c2} {more}")[0].comment.clone();
        assert_eq!(comment.as_deref(), Some("+N@c2"));
    }

    #[test]
    fn tags_are_read_as_they_are_written() {
        assert_eq!(
            read_tag(r#"[White "a \"b\" \\ c"]"#),
            Some(("White".to_string(), r#"a "b" \ c"#.to_string()))
        );
        for line in ["[White]", "White \"a\"", "[White \"a]", "1. e4", "", "[Wh!te \"a\"]"] {
            assert_eq!(read_tag(line), None, "{line}");
        }
    }
}
