//! Files of records: games go there as they are played, and are never all in memory.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::{CliError, input, variant, visible};
use crate::arena::{Conditions, Played, Record};
use crate::files::{Claim, Growing};
use crate::games::pgn::{read_pgn, variant_of_file, write_pgn, write_uci};
use crate::games::{BySide, Shown, Spoken, Told, UNSAID_GAME};
use crate::lab::{GameName, Lab};
use crate::players::PlayerSpec;

/// How records are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    /// A line of JSON a game.
    Json,
    /// In a way that only this game has.
    Own,
    Pgn,
    Uci,
}

/// How a file is written, by how its name ends.
fn format_of<G: Shown>(path: &Path) -> Result<Format, CliError> {
    match ending(path).as_str() {
        ending if Some(ending) == G::RECORD_FORMAT => Ok(Format::Own),
        "csa" => Err(input(format!(
            "'{}': {} has no CSA records: use a name that ends in .jsonl, .pgn or .uci",
            path.display(),
            G::NAME
        ))),
        "pgn" => Ok(Format::Pgn),
        "uci" => Ok(Format::Uci),
        _ => Ok(Format::Json),
    }
}

/// How the name of a file ends, in small letters.
fn ending(path: &Path) -> String {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase()
}

/// Where records are to go, if anywhere.
pub(super) struct Recorder {
    file: Growing,
    format: Format,
    written: usize,
}

impl Recorder {
    /// Claims the file before any work, so that nothing is overwritten unasked.
    pub(super) fn new<G: Shown>(path: &Path, force: bool) -> Result<Recorder, CliError> {
        let format = format_of::<G>(path)?;
        Ok(Recorder { file: Claim::new(path, force)?.grow()?, format, written: 0 })
    }

    /// Writes a game that was played under these conditions.
    pub(super) fn write<G: Lab>(
        &mut self,
        played: &Played<G>,
        players: &[PlayerSpec<G>],
        conditions: &Conditions<G>,
    ) -> Result<(), CliError> {
        let record = Record::new(played, players, conditions);
        if self.format == Format::Json {
            return self.write_record(&record);
        }
        let told = Told {
            line: 1,
            comments: std::iter::once(comment(&record)).chain(record.note).collect(),
            names: BySide { first: record.first, second: record.second },
            start: conditions.start(),
            moves: played.moves.clone(),
            verdict: Some(played.scored.verdict),
        };
        self.write_told(&told)
    }

    /// Writes a game that was read or told.
    pub(super) fn write_recorded<G: Shown + Spoken>(&mut self, game: &Recorded<G>) -> Result<(), CliError> {
        match self.format {
            Format::Json => self.write_record(&game.record),
            _ => self.write_told(&game.told),
        }
    }

    /// Writes a line of our own format.
    fn write_record(&mut self, record: &Record) -> Result<(), CliError> {
        let line = serde_json::to_string(record).map_err(input)? + "\n";
        self.written += 1;
        Ok(self.file.append(line.as_bytes())?)
    }

    /// Writes a game in another format than ours.
    fn write_told<G: Shown + Spoken>(&mut self, told: &Told<G>) -> Result<(), CliError> {
        let text = match self.format {
            Format::Pgn => write_pgn(told),
            Format::Uci => write_uci(told),
            Format::Own | Format::Json => G::write_told(told, self.written == 0),
        };
        self.written += 1;
        Ok(self.file.append(text.as_bytes())?)
    }

    /// All is there.
    pub(super) fn finish(self) -> Result<(), CliError> {
        Ok(self.file.finish()?)
    }
}

/// What a file of another format says about a game beside its moves.
fn comment(record: &Record) -> String {
    let Record { rules, seed, game, pairing, .. } = record;
    format!("{rules} rules, seed {seed}, game {game} of pairing {pairing}")
}

/// A game read from a file or told in another way, as either format has it.
pub(super) struct Recorded<G: Shown> {
    pub(super) told: Told<G>,
    pub(super) record: Record,
    /// Rules and seed, in words.
    pub(super) about: String,
}

type RecordedGames<G> = Box<dyn Iterator<Item = Result<Recorded<G>, String>>>;

fn open(path: &Path) -> Result<BufReader<File>, CliError> {
    let file =
        File::open(path).map_err(|error| input(format!("cannot read '{}': {error}", path.display())))?;
    Ok(BufReader::new(file))
}

/// No line of our own format is longer; what is longer is no record, and is not taken into memory.
const LONGEST_LINE: u64 = 10_000_000;

/// The next line; `None` at the end of the file.
fn read_line(file: &mut impl BufRead) -> Result<Option<String>, String> {
    let mut line = Vec::new();
    let length =
        file.take(LONGEST_LINE + 1).read_until(b'\n', &mut line).map_err(|error| error.to_string())?;
    match length as u64 {
        0 => Ok(None),
        LONGEST_LINE.. => Err(format!("the line is longer than {LONGEST_LINE} bytes: this is no record")),
        _ => String::from_utf8(line)
            .map(Some)
            .map_err(|_| "the line is not UTF-8: this is no record".to_string()),
    }
}

/// How a file is to be read: by how its name ends, else by how it begins.
fn format_found(path: &Path) -> Result<Format, CliError> {
    match ending(path).as_str() {
        "csa" => Ok(Format::Own),
        "jsonl" => Ok(Format::Json),
        "pgn" | "uci" => Ok(Format::Pgn),
        _ => {
            let mut begin = Vec::new();
            // What cannot be read is told of later.
            let _ = open(path)?.take(1_000).read_to_end(&mut begin);
            Ok(match begin.trim_ascii_start().first() {
                None | Some(b'{') => Format::Json,
                Some(b'[') => Format::Pgn,
                Some(_) => Format::Own,
            })
        }
    }
}

/// Which game a file of records is about. It must be the named one, if one is named.
pub(super) fn game_of_records(path: &Path, named: Option<GameName>) -> Result<GameName, CliError> {
    let has_format = |game: &GameName| with_game!(*game, G => G::RECORD_FORMAT.is_some());
    let of_format = || GameName::ALL.into_iter().find(has_format);
    let game = match format_found(path)? {
        Format::Json => game_of_first_line(path)?,
        Format::Own => of_format().map_or_else(|| game_of_first_line(path), Ok)?,
        Format::Pgn | Format::Uci => game_of_tags(path, named)?,
    };
    match named {
        Some(named) if named != game => {
            Err(input(format!("'{}' holds games of {game}, not of {named}", path.display())))
        }
        _ => Ok(game),
    }
}

/// The game that the tags of a file name, else the one that somebody has named.
fn game_of_tags(path: &Path, named: Option<GameName>) -> Result<GameName, CliError> {
    let said = variant_of_file(open(path)?);
    let called = |game: &GameName| {
        let variant = with_game!(*game, G => G::VARIANT);
        said.as_deref().is_some_and(|said| variant.eq_ignore_ascii_case(said) || game.name() == said)
    };
    let found = GameName::ALL.into_iter().find(called);
    let known = if said.is_none() { named } else { None };
    found.or(known).ok_or_else(|| {
        let path = path.display();
        match &said {
            Some(said) => {
                input(format!("'{path}' holds games of '{}', which is not among ours", visible(said)))
            }
            None => input(format!("'{path}' does not say which game it is about: --game GAME says it")),
        }
    })
}

fn game_of_first_line(path: &Path) -> Result<GameName, CliError> {
    // A line that is no record is told of later, with its number.
    let line = read_line(&mut open(path)?).ok().flatten().unwrap_or_default();
    let record: Option<serde_json::Value> = serde_json::from_str(&line).ok();
    let said = record.as_ref().and_then(|record| record.get("game_name")?.as_str()).unwrap_or(UNSAID_GAME);
    said.parse().map_err(|error| input(format!("'{}', game 1: {error}", path.display())))
}

/// The games of a file, one at a time. An error names the file, and the game or the line.
pub(super) fn recorded_games<G: Lab>(path: &Path, rules: Option<&str>) -> Result<RecordedGames<G>, CliError> {
    let file = open(path)?;
    let place = format!("'{}'", path.display());
    let recorded = |(i, told): (usize, Result<Told<G>, String>)| told.map(|told| Recorded::told(told, i, 0));
    let games: RecordedGames<G> = match (format_found(path)?, rules) {
        (Format::Own, _) => Box::new(G::read_told(Box::new(file), variant(rules)?).enumerate().map(recorded)),
        (Format::Pgn | Format::Uci, rules) => {
            let rules = rules.map_or(Ok(G::common_rules()), |text| variant(Some(text)))?;
            Box::new(read_pgn(Box::new(file), rules).enumerate().map(recorded))
        }
        (Format::Json, None) => Box::new(games_of_lines(file)),
        (Format::Json, Some(rules)) => {
            return Err(input(format!("records say their rules themselves: --rules {rules} has no effect")));
        }
    };
    Ok(Box::new(games.map(move |game| game.map_err(|error| format!("{place}, {error}")))))
}

/// The games of a file of our own format; none after a line that cannot be read.
fn games_of_lines<G: Lab>(mut file: impl BufRead) -> impl Iterator<Item = Result<Recorded<G>, String>> {
    let mut broken = false;
    let lines = std::iter::from_fn(move || {
        let line = if broken { None } else { read_line(&mut file).transpose() };
        broken = !matches!(line, Some(Ok(_)));
        line
    });
    let lines = lines.filter(|line| line.as_ref().map_or(true, |line| !line.trim().is_empty()));
    (1..).zip(lines).map(|(number, line): (usize, Result<String, String>)| {
        line.and_then(|line| parse(&line)).map_err(|error| format!("game {number}: {error}"))
    })
}

fn parse<G: Lab>(line: &str) -> Result<Recorded<G>, String> {
    let record: Record = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let mut told = record.tell::<G>().map_err(|error| error.to_string())?;
    told.comments.push(comment(&record));
    told.comments.extend(record.note.clone());
    let about = format!("{} rules, seed {}", record.rules, record.seed);
    Ok(Recorded { told, record, about })
}

impl<G: Shown> Recorded<G> {
    /// A game that our own format has not told: number `game` of its file, with this seed.
    pub(super) fn told(told: Told<G>, game: usize, seed: u64) -> Recorded<G> {
        let record = Record::told(&told, game, seed);
        let about = format!("{} rules", record.rules);
        Recorded { told, record, about }
    }
}
