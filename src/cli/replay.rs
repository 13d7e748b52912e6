//! `dobutsu-ga replay`: recorded games, move by move.

use std::io::Write;
use std::path::PathBuf;

use super::show::StyleName;
use super::{CliError, describe, input, visible};
use crate::arena::Record;
use crate::games::dobutsu::diagram;
use crate::games::{Ending, Game, Outcome, Verdict};

/// Show recorded games move by move
#[derive(clap::Args)]
pub(super) struct Args {
    /// A file of records, as written by `match --records` or `tournament --records`
    file: PathBuf,
    /// Show only this game (1 is the first in the file)
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Draw the pieces as letters, or as kana as in the paper
    #[arg(long, value_enum, default_value_t = StyleName::Letters)]
    style: StyleName,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let path = args.file.display();
    let text = std::fs::read_to_string(&args.file)
        .map_err(|error| input(format!("cannot read '{path}': {error}")))?;
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if lines.is_empty() {
        return Err(input(format!("'{path}' holds no games")));
    }
    let chosen: Vec<usize> = match args.game {
        Some(game) if game == 0 || game > lines.len() => {
            return Err(input(format!("'{path}' has {} games: there is no game {game}", lines.len())));
        }
        Some(game) => vec![game],
        None => (1..=lines.len()).collect(),
    };
    for number in chosen {
        let wrong = |error: &dyn std::fmt::Display| input(format!("'{path}', game {number}: {error}"));
        let record: Record = serde_json::from_str(lines[number - 1]).map_err(|error| wrong(&error))?;
        show(&record, number, args.style, out).map_err(|error| match error {
            CliError::Input(sentence) => wrong(&sentence),
            other => other,
        })?;
    }
    Ok(())
}

fn show(record: &Record, number: usize, style: StyleName, out: &mut dyn Write) -> Result<(), CliError> {
    let game = record.replay().map_err(input)?;
    // The ply cap is the one end that the moves do not show.
    let capped = Verdict { outcome: Outcome::Draw, by: Ending::PlyCap };
    let verdict = game.verdict().or((record.by == capped.by.to_string()).then_some(capped));
    let ended = verdict.filter(|verdict| {
        verdict.outcome.to_string() == record.winner && verdict.by.to_string() == record.by
    });
    let Some(verdict) = ended else {
        let Record { winner, by, .. } = record;
        return Err(input(format!("the record says {winner} by {by}, its moves do not end like that")));
    };
    writeln!(
        out,
        "Game {number}: {} (first) against {} (second), {} rules, seed {}\n",
        visible(&record.first),
        visible(&record.second),
        record.rules,
        record.seed
    )?;
    writeln!(out, "{}", diagram(&game.positions()[0], style.into()))?;
    for (i, m) in game.moves().iter().enumerate() {
        let (before, after) = (&game.positions()[i], &game.positions()[i + 1]);
        let opening = if i < record.opening_plies { " (random opening)" } else { "" };
        let [uci, paper] = &before.move_texts(*m)[..] else { continue };
        writeln!(out, "{}. {} player: {uci} ({paper}){opening}", i + 1, before.side_to_move())?;
        writeln!(out, "{}", diagram(after, style.into()))?;
    }
    Ok(writeln!(out, "{}\n", describe(verdict))?)
}
