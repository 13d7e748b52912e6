//! Files of records: games go there as they are played, and are never all in memory.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::{CliError, input, variant};
use crate::arena::{Conditions, Played, Record};
use crate::files::{Claim, Growing};
use crate::games::{BySide, Ending, Outcome, Shown, Told, UNSAID_GAME, Verdict};
use crate::lab::{GameName, Lab};
use crate::players::PlayerSpec;

/// Whether a file has the game's own format of records (`.csa`) rather than ours (`.jsonl`), by how its name ends.
pub(super) fn has_own_format<G: Shown>(path: &Path) -> Result<bool, CliError> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        ending if Some(ending) == G::RECORD_FORMAT => Ok(true),
        "csa" => Err(input(format!(
            "'{}': {} has no CSA records: use a name that ends in .jsonl",
            path.display(),
            G::NAME
        ))),
        _ => Ok(false),
    }
}

/// Where records are to go, if anywhere.
pub(super) struct Recorder {
    file: Growing,
    own_format: bool,
    written: usize,
}

impl Recorder {
    /// Claims the file before any work, so that nothing is overwritten unasked.
    pub(super) fn new<G: Shown>(path: &Path, force: bool) -> Result<Recorder, CliError> {
        let own_format = has_own_format::<G>(path)?;
        Ok(Recorder { file: Claim::new(path, force)?.grow()?, own_format, written: 0 })
    }

    /// The same, if a file is wanted at all.
    pub(super) fn wanted<G: Shown>(
        path: &Option<PathBuf>,
        force: bool,
    ) -> Result<Option<Recorder>, CliError> {
        path.as_ref().map(|path| Recorder::new::<G>(path, force)).transpose()
    }

    /// Writes a game that was played under these conditions.
    pub(super) fn write<G: Lab>(
        &mut self,
        played: &Played<G>,
        players: &[PlayerSpec<G>],
        conditions: &Conditions<G>,
    ) -> Result<(), CliError> {
        let record = Record::new(played, players, conditions);
        if !self.own_format {
            return self.write_record(&record);
        }
        let told = Told {
            line: 1,
            names: BySide { first: record.first, second: record.second },
            comments: vec![format!(
                "{} rules, seed {}, game {} of pairing {}",
                conditions.rules, conditions.seed, played.scored.game, played.scored.pairing
            )],
            start: conditions.start(),
            moves: played.moves.clone(),
            verdict: Some(played.scored.verdict),
        };
        self.write_told(&told)
    }

    /// Writes a line of our own format.
    pub(super) fn write_record(&mut self, record: &Record) -> Result<(), CliError> {
        let line = serde_json::to_string(record).map_err(input)? + "\n";
        self.written += 1;
        Ok(self.file.append(line.as_bytes())?)
    }

    /// Writes a game in the game's own format.
    pub(super) fn write_told<G: Shown>(&mut self, told: &Told<G>) -> Result<(), CliError> {
        let text = G::write_told(told, self.written == 0);
        self.written += 1;
        Ok(self.file.append(text.as_bytes())?)
    }

    /// All is there.
    pub(super) fn finish(self) -> Result<(), CliError> {
        Ok(self.file.finish()?)
    }
}

/// A game read from a file, and what is known about how it came about.
pub(super) struct Recorded<G: Shown> {
    pub(super) told: Told<G>,
    /// Rules and seed, in words.
    pub(super) about: String,
    /// How many of its moves are a random opening.
    pub(super) opening_plies: usize,
}

type RecordedGames<G> = Box<dyn Iterator<Item = Result<Recorded<G>, String>>>;

fn open(path: &Path) -> Result<BufReader<File>, CliError> {
    let file =
        File::open(path).map_err(|error| input(format!("cannot read '{}': {error}", path.display())))?;
    Ok(BufReader::new(file))
}

/// Which game a file of records is about: by how its name ends, else by what its first line says.
pub(super) fn game_of_records(path: &Path) -> Result<GameName, CliError> {
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    for game in GameName::ALL {
        if ending.is_some() && ending.as_deref() == with_game!(game, G => G::RECORD_FORMAT) {
            return Ok(game);
        }
    }
    let mut line = String::new();
    // A line that is no record is told of later, with its number.
    let _ = open(path)?.read_line(&mut line);
    let record: Option<serde_json::Value> = serde_json::from_str(&line).ok();
    let said = record.as_ref().and_then(|record| record.get("game_name")?.as_str()).unwrap_or(UNSAID_GAME);
    said.parse().map_err(|error| input(format!("'{}', game 1: {error}", path.display())))
}

/// The games of a file, one at a time. An error names the game or the line.
pub(super) fn recorded_games<G: Lab>(path: &Path, rules: Option<&str>) -> Result<RecordedGames<G>, CliError> {
    let file = open(path)?;
    if has_own_format::<G>(path)? {
        let rules: G::Rules = variant(rules)?;
        let recorded = move |told| Recorded { told, about: format!("{rules} rules"), opening_plies: 0 };
        return Ok(Box::new(G::read_told(Box::new(file), rules).map(move |game| game.map(recorded))));
    }
    if let Some(rules) = rules {
        return Err(input(format!("records say their rules themselves: --rules {rules} has no effect")));
    }
    let lines = file.lines().filter(|line| line.as_ref().map_or(true, |line| !line.trim().is_empty()));
    let parse = |(i, line): (usize, std::io::Result<String>)| {
        let wrong = |error: &dyn std::fmt::Display| format!("game {}: {error}", i + 1);
        let line = line.map_err(|error| wrong(&error))?;
        let record: Record = serde_json::from_str(&line).map_err(|error| wrong(&error))?;
        from_record(&record).map_err(|error| wrong(&error))
    };
    Ok(Box::new(lines.enumerate().map(parse)))
}

fn from_record<G: Lab>(record: &Record) -> Result<Recorded<G>, String> {
    let game = record.replay::<G>().map_err(|error| error.to_string())?;
    // The ply cap is the one end that the moves do not show.
    let capped = Verdict { outcome: Outcome::Draw, by: Ending::PlyCap };
    let verdict = game.verdict().or((record.by == capped.by.to_string()).then_some(capped));
    let ended = verdict.filter(|verdict| {
        verdict.outcome.to_string() == record.winner && verdict.by.to_string() == record.by
    });
    let Some(verdict) = ended else {
        let Record { winner, by, .. } = record;
        return Err(format!("the record says {winner} by {by}, its moves do not end like that"));
    };
    let told = Told {
        line: 1,
        names: BySide { first: record.first.clone(), second: record.second.clone() },
        comments: Vec::new(),
        start: game.positions()[0],
        moves: game.moves().to_vec(),
        verdict: Some(verdict),
    };
    let about = format!("{} rules, seed {}", record.rules, record.seed);
    Ok(Recorded { told, about, opening_plies: record.opening_plies })
}
