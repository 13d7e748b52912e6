//! Games as text that other programs read: PGN, and positions with their moves as an engine is told them (`.uci`).
//!
//! Both begin with tags, one a line, and a blank line. A PGN file then has the moves as Fairy-Stockfish's tools write them, a UCI
//! file has one line that any engine understands:
//!
//! ```text
//! [White "material"]
//! [Black "strong"]
//! [Result "0-1"]
//! [Variant "dobutsu"]
//! [Rules "official"]
//! [Termination "catch"]
//!
//! position startpos moves b2b3 c4b3 …
//! ```

use std::io::{BufRead, Read};

use super::{
    BySide, Ending, Game, Limits, Outcome, Referee, Side, Spoken, Told, ToldGames, Verdict, only_told,
};

/// A line of moves in a PGN file has at most so many letters, if each move has fewer.
const COLUMNS: usize = 80;

/// Nothing that is read of one game is longer: what is longer is no game, and is not taken into memory.
const LONGEST_GAME: usize = 10_000_000;

/// A game as PGN, with a blank line after it.
pub fn write_pgn<G: Spoken>(game: &Told<G>) -> String {
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
    let mut text = tags(game) + "\n";
    let mut column = 0;
    for word in words {
        match column {
            0 => {}
            _ if column + 1 + word.len() > COLUMNS => {
                text.push('\n');
                column = 0;
            }
            _ => {
                text.push(' ');
                column += 1;
            }
        }
        column += word.len();
        text += &word;
    }
    text + "\n\n"
}

/// A game as a line that an engine understands, with its tags before it and a blank line after it.
pub fn write_uci<G: Spoken>(game: &Told<G>) -> String {
    let place = match is_usual(game.start) {
        true => "startpos".to_string(),
        false => format!("fen {}", game.start),
    };
    let mut text = format!("{}\nposition {place}", tags(game));
    if !game.moves.is_empty() {
        text += " moves";
    }
    let mut position = game.start;
    for m in &game.moves {
        text += &format!(" {}", position.move_text(*m));
        position = position.play(*m);
    }
    text + "\n\n"
}

fn is_usual<G: Spoken>(start: G) -> bool {
    start == G::start(start.rules())
}

fn result(verdict: Option<Verdict>) -> &'static str {
    match verdict.map(|verdict| verdict.outcome) {
        Some(Outcome::Win(Side::First)) => "1-0",
        Some(Outcome::Win(Side::Second)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => "*",
    }
}

fn tags<G: Spoken>(game: &Told<G>) -> String {
    let or_unknown = |text: String| if text.is_empty() { "?".to_string() } else { text };
    let mut tags = vec![
        ("Event", or_unknown(game.comments.join("; "))),
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

/// What a file says of a game before its moves are looked at.
#[derive(Default)]
struct Draft {
    line: usize,
    tags: Vec<(String, String)>,
    moves: String,
}

impl Draft {
    fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str()).filter(|value| !["", "?"].contains(value))
    }
}

/// What a file of games calls the game that its first record is about.
pub fn variant_of_file(mut file: impl BufRead) -> Option<String> {
    let mut begin = Vec::new();
    file.by_ref().take(100_000).read_to_end(&mut begin).ok()?;
    let text = String::from_utf8_lossy(&begin).into_owned();
    text.lines()
        .filter_map(read_tag)
        .find(|(name, _)| name.eq_ignore_ascii_case("Variant"))
        .map(|(_, value)| value)
}

/// The games of a file, of either kind. Where a game does not say by which rules it was played, it was by these.
pub fn read_pgn<'a, G: Spoken>(file: Box<dyn BufRead + 'a>, rules: G::Rules) -> ToldGames<'a, G> {
    let mut drafts = Drafts { lines: file, number: 0, ahead: None, broken: false };
    let games = std::iter::from_fn(move || {
        let draft = match drafts.next()? {
            Ok(draft) => draft,
            Err(error) => {
                drafts.broken = true;
                return Some(Err(error));
            }
        };
        Some(read_game::<G>(&draft, rules).map_err(|error| format!("line {}: {error}", draft.line)))
    });
    Box::new(games)
}

/// Splits a file into games.
struct Drafts<R> {
    lines: R,
    /// Of the last line that was read.
    number: usize,
    /// A line that begins the next game.
    ahead: Option<String>,
    broken: bool,
}

impl<R: BufRead> Drafts<R> {
    fn line(&mut self) -> Option<Result<String, String>> {
        if let Some(line) = self.ahead.take() {
            return Some(Ok(line));
        }
        let mut bytes = Vec::new();
        self.number += 1;
        match self.lines.by_ref().take(LONGEST_GAME as u64 + 1).read_until(b'\n', &mut bytes) {
            Ok(0) => None,
            Ok(length) if length > LONGEST_GAME => Some(Err(self.too_long())),
            Ok(_) => Some(Ok(String::from_utf8_lossy(&bytes).trim_end().to_string())),
            Err(error) => Some(Err(format!("line {}: {error}", self.number))),
        }
    }

    fn too_long(&self) -> String {
        format!("line {}: this is longer than any game", self.number)
    }

    fn next(&mut self) -> Option<Result<Draft, String>> {
        if self.broken {
            return None;
        }
        let mut draft = Draft::default();
        let mut depth = 0;
        while let Some(line) = self.line() {
            let line = match line {
                Ok(line) => line,
                Err(error) => return Some(Err(error)),
            };
            if depth == 0 && line.starts_with('%') {
                continue;
            }
            match read_tag(&line).filter(|_| depth == 0) {
                Some(_) if !draft.moves.is_empty() => {
                    self.ahead = Some(line);
                    return Some(Ok(draft));
                }
                Some(tag) => {
                    if draft.tags.is_empty() {
                        draft.line = self.number;
                    }
                    draft.tags.push(tag);
                }
                None if line.trim().is_empty() => {}
                None if draft.tags.is_empty() => {
                    return Some(Err(format!(
                        "line {}: a game begins with tags, as in [Variant \"dobutsu\"]",
                        self.number
                    )));
                }
                None => {
                    depth = braces(&line, depth);
                    draft.moves += &line;
                    draft.moves.push('\n');
                    if draft.moves.len() > LONGEST_GAME {
                        return Some(Err(self.too_long()));
                    }
                }
            }
        }
        (!draft.tags.is_empty()).then_some(Ok(draft))
    }
}

/// Whether a comment is open after this line: 1 if so.
fn braces(line: &str, depth: usize) -> usize {
    line.chars().fold(depth, |depth, c| match c {
        '{' => 1,
        '}' => 0,
        _ => depth,
    })
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

fn read_game<G: Spoken>(draft: &Draft, rules: G::Rules) -> Result<Told<G>, String> {
    if let Some(variant) = draft.tag("Variant").filter(|name| !name.eq_ignore_ascii_case(G::VARIANT)) {
        return Err(format!("this is a game of '{variant}', not of {}", G::VARIANT));
    }
    let rules = match draft.tag("Rules") {
        Some(text) => text.parse().map_err(|error: super::UnknownVariant| error.to_string())?,
        None => rules,
    };
    let (place, words) = match draft.moves.trim().strip_prefix("position ") {
        Some(line) => uci_words(line),
        None => (draft.tag("FEN").map(String::from), san_words(&draft.moves)),
    };
    let start = match place {
        Some(fen) => G::parse(&fen, rules).map_err(|error| format!("bad FEN '{fen}': {error}"))?,
        None => G::start(rules),
    };
    let mut game = Referee::within(start, Limits { ply_cap: usize::MAX, repetition: true });
    for (ply, word) in (1..).zip(&words) {
        let position = game.position();
        // A comment after a move that could be another one says which it is.
        let told = word.comment.as_ref().and_then(|text| position.parse_move(text).ok());
        let told = told.filter(|m| position.is_san_ambiguous(*m) && position.san(*m) == word.text);
        let heard = told.map_or_else(|| position.heard_move(&word.text), Ok);
        let m = heard.map_err(|error| format!("move {ply}: {error}"))?;
        game.play(m);
    }
    let verdict = verdict(&game, draft.tag("Result").unwrap_or("*"), draft.tag("Termination"))?;
    let name = |tag: &str| draft.tag(tag).unwrap_or_default().to_string();
    Ok(Told {
        line: draft.line,
        names: BySide { first: name("White"), second: name("Black") },
        comments: draft.tag("Event").map(String::from).into_iter().collect(),
        start,
        moves: game.moves().to_vec(),
        verdict,
    })
}

/// Where a game begins, if not as usual, and its moves, as an engine is told them.
fn uci_words(line: &str) -> (Option<String>, Vec<Word>) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let place = match &words[..at] {
        ["fen", text @ ..] => Some(text.join(" ")),
        _ => None,
    };
    let word = |text: &&str| Word { text: text.to_string(), comment: None };
    (place, words.get(at + 1..).unwrap_or_default().iter().map(word).collect())
}

/// A move as it is written, and the comment after it.
#[derive(Debug, PartialEq, Eq)]
struct Word {
    text: String,
    comment: Option<String>,
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
    let is_move = !word.is_empty() && !word.starts_with('$') && !RESULTS.contains(&word);
    is_move.then(|| word.to_string())
}

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// How a game ended: as its moves show, else as the file says.
fn verdict<G: Game>(game: &Referee<G>, result: &str, by: Option<&str>) -> Result<Option<Verdict>, String> {
    let outcome = match result {
        "1-0" => Outcome::Win(Side::First),
        "0-1" => Outcome::Win(Side::Second),
        "1/2-1/2" => Outcome::Draw,
        "*" => return Ok(None),
        other => return Err(format!("'{other}' is no result: choose {}", super::or_list(&RESULTS))),
    };
    let decided = game.position().outcome().is_some();
    let by = by.unwrap_or_default();
    if let Some(shown) = game.verdict().filter(|shown| decided || shown.outcome == outcome) {
        return match shown.outcome == outcome {
            true => Ok(Some(shown)),
            false => {
                Err(format!("the result is {result}, its moves end with {} by {}", shown.outcome, shown.by))
            }
        };
    }
    let turn = game.position().side_to_move();
    let draw = |by| Verdict { outcome: Outcome::Draw, by };
    Ok(Some(match (by, outcome) {
        ("ply cap", Outcome::Draw) => draw(Ending::PlyCap),
        ("repetition", Outcome::Draw) => draw(Ending::Repetition),
        (by, outcome) => {
            let usual = if outcome == Outcome::Draw { "declared draw" } else { "resignation" };
            let told = [by, standard(by), usual, "illegal action"].into_iter();
            let mut told = told.filter_map(|by| only_told(by, outcome, turn));
            told.next().ok_or_else(|| format!("a game cannot end with {result} by {by} here"))?
        }
    }))
}

/// Our word for what the standard says in the tag `Termination`.
fn standard(by: &str) -> &'static str {
    match by {
        "time forfeit" => "time",
        "rules infraction" => "illegal move",
        _ => "resignation",
    }
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
