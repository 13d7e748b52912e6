//! Files of records: games go there as they are played, and are never all in memory.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use super::{CliError, input, variant, visible};
use crate::files::{Claim, Growing};
use crate::game::record::{json, pgn, uci};
use crate::game::{GameRecord, GameRecords, RecordFormat, Shown, Spoken};
use crate::games::GameName;
use crate::players::Playable;
use crate::session::text_game;

/// How a file is written, by how its name ends.
fn format_of<G: Shown + Spoken>(path: &Path) -> Result<RecordFormat<G>, CliError> {
    let ending = ending(path);
    let formats = [json::format(), pgn::format(), uci::format()].into_iter().chain(G::RECORD_FORMAT);
    match formats.into_iter().find(|format| format.ending == ending) {
        None if ending == "csa" => Err(input(format!(
            "'{}': {} has no CSA records: use a name that ends in .jsonl, .pgn or .uci",
            path.display(),
            G::NAME
        ))),
        format => Ok(format.unwrap_or_else(json::format)),
    }
}

/// How the name of a file ends, in small letters.
fn ending(path: &Path) -> String {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase()
}

/// Where records are to go, if anywhere.
pub(super) struct Recorder<G: Playable> {
    file: Growing,
    format: RecordFormat<G>,
    is_first: bool,
}

impl<G: Playable> Recorder<G> {
    /// Claims the file before any work, so that nothing is overwritten unasked.
    pub(super) fn new(path: &Path, force: bool) -> Result<Recorder<G>, CliError> {
        let format = format_of(path)?;
        Ok(Recorder { file: Claim::new(path, force)?.grow()?, format, is_first: true })
    }

    /// Writes a game.
    pub(super) fn write(&mut self, game: &GameRecord<G>) -> Result<(), CliError> {
        let text = (self.format.write)(game, std::mem::take(&mut self.is_first));
        Ok(self.file.append(text.as_bytes())?)
    }

    /// All is there.
    pub(super) fn finish(self) -> Result<(), CliError> {
        Ok(self.file.finish()?)
    }
}

fn open(path: &Path) -> Result<BufReader<File>, CliError> {
    let file =
        File::open(path).map_err(|error| input(format!("cannot read '{}': {error}", path.display())))?;
    Ok(BufReader::new(file))
}

/// What a file of records can be read as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Json,
    /// Tags first: PGN or UCI.
    Tags,
    /// In a way that only one game has.
    Own,
}

/// How a file is to be read: by how its name ends, else by how it begins.
fn format_found(path: &Path) -> Result<Found, CliError> {
    match ending(path).as_str() {
        "csa" => Ok(Found::Own),
        "jsonl" => Ok(Found::Json),
        "pgn" | "uci" => Ok(Found::Tags),
        _ => {
            let mut begin = Vec::new();
            // What cannot be read is told of later.
            let _ = open(path)?.take(1_000).read_to_end(&mut begin);
            Ok(match begin.trim_ascii_start().first() {
                None | Some(b'{') => Found::Json,
                Some(b'[') => Found::Tags,
                Some(_) => Found::Own,
            })
        }
    }
}

/// Which game a file of records is about. It must be the named one, if one is named.
pub(super) fn game_of_records(path: &Path, named: Option<GameName>) -> Result<GameName, CliError> {
    let has_format = |game: &GameName| with_game!(*game, G => G::RECORD_FORMAT.is_some());
    let game = match (format_found(path)?, GameName::ALL.into_iter().find(has_format)) {
        (Found::Own, Some(game)) => game,
        (Found::Tags, _) => game_of_tags(path, named)?,
        (Found::Json | Found::Own, _) => {
            let said = json::game_of_file(open(path)?);
            said.parse().map_err(|error| input(format!("'{}', game 1: {error}", path.display())))?
        }
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
    let said = pgn::variant_of_file(open(path)?);
    let called = |game: &GameName| {
        let variant = text_game(*game, None).facts().variant;
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

/// The games of a file, one at a time. An error names the file, and the game or the line.
pub(super) fn recorded_games<G: Playable>(
    path: &Path,
    rules: Option<&str>,
) -> Result<GameRecords<'static, G>, CliError> {
    let found = format_found(path)?;
    let (format, usual) = match (found, G::RECORD_FORMAT) {
        (Found::Own, Some(format)) => (format, G::Rules::default()),
        (Found::Tags, _) => (pgn::format(), G::common_rules()),
        (Found::Json | Found::Own, _) => (json::format(), G::Rules::default()),
    };
    if let Some(rules) = rules.filter(|_| found == Found::Json) {
        return Err(input(format!("records say their rules themselves: --rules {rules} has no effect")));
    }
    let rules = rules.map_or(Ok(usual), |text| variant(Some(text)))?;
    let place = format!("'{}'", path.display());
    let games = (format.read)(Box::new(open(path)?), rules);
    Ok(Box::new((0..).zip(games).map(move |(number, game)| match game {
        // Only our own format says which game of the file it is.
        Ok(game) if game.seed.is_none() => Ok(GameRecord { game: number, ..game }),
        game => game.map_err(|error| format!("{place}, {error}")),
    })))
}
