//! `dobutsu-ga replay`: recorded games, move by move.

use std::io::Write;
use std::path::PathBuf;

use super::recorder::{game_of_records, recorded_games};
use super::{CliError, RulesArg, describe, input, variant, visible};
use crate::game::{GameRecord, Shown};
use crate::games::GameName;
use crate::players::Playable;

/// Show recorded games move by move
#[derive(clap::Args)]
pub(super) struct Args {
    /// A file of records, as `match --records` or `records` writes it: lines of JSON, PGN, UCI or CSA (kyoto)
    file: PathBuf,
    /// Show only this game (1 is the first in the file), or make sure that the games are of this name
    #[arg(long, value_name = "N|GAME")]
    game: Option<String>,
    #[command(flatten)]
    rules: RulesArg,
    /// How to draw the pieces: letters, or dobutsu kana, kyoto kanji, quoridor lines
    #[arg(long, value_name = "STYLE")]
    style: Option<String>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let number = args.game.as_deref().and_then(|text| text.parse::<usize>().ok());
    let named = args.game.as_deref().filter(|_| number.is_none());
    let named: Option<GameName> = named.map(str::parse).transpose().map_err(input)?;
    let game = game_of_records(&args.file, named)?;
    with_game!(game, G => run_for::<G>(args, number, out))
}

fn run_for<G: Playable>(args: &Args, number: Option<usize>, out: &mut dyn Write) -> Result<(), CliError> {
    let path = args.file.display();
    let style = variant(args.style.as_deref())?;
    let mut count = 0;
    for game in recorded_games::<G>(&args.file, args.rules.rules.as_deref())? {
        count += 1;
        if number.is_some_and(|number| number != count) {
            continue;
        }
        show(&game.map_err(input)?, count, style, out)?;
    }
    match number {
        _ if count == 0 => Err(input(format!("'{path}' holds no games"))),
        Some(number) if number == 0 || number > count => {
            Err(input(format!("'{path}' has {count} games: there is no game {number}")))
        }
        _ => Ok(()),
    }
}

fn show<G: Shown>(
    record: &GameRecord<G>,
    number: usize,
    style: G::Style,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let (first, second) = (visible(&record.names.first), visible(&record.names.second));
    writeln!(out, "Game {number}: {first} (first) against {second} (second), {}\n", record.about())?;
    writeln!(out, "{}", record.start.diagram(style))?;
    let mut position = record.start;
    for (i, m) in record.moves.iter().enumerate() {
        let opening = if i < record.opening_plies { " (random opening)" } else { "" };
        let texts = position.move_texts(*m);
        let others = texts[1..G::NOTATIONS.len()].join(", ");
        let side = position.side_to_move();
        writeln!(out, "{}. {side} player: {} ({others}){opening}", i + 1, texts[0])?;
        position = position.play(*m);
        writeln!(out, "{}", position.diagram(style))?;
    }
    match record.verdict {
        Some(verdict) => writeln!(out, "{}\n", describe(verdict))?,
        None => writeln!(out, "The game was not finished, as far as the record says.\n")?,
    }
    Ok(())
}
