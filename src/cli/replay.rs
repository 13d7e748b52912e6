//! `dobutsu-ga replay`: recorded games, move by move.

use std::io::Write;
use std::path::PathBuf;

use super::recorder::{Recorded, game_of_records, recorded_games};
use super::{CliError, RulesArg, describe, input, variant, visible};
use crate::games::Shown;
use crate::lab::{GameName, Lab};

/// Show recorded games move by move
#[derive(clap::Args)]
pub(super) struct Args {
    /// A file of records, as `match --records` writes it: lines of JSON, or a CSA file (kyoto)
    file: PathBuf,
    /// Show only this game (1 is the first in the file), or make sure that the games are of this name
    #[arg(long, value_name = "N|GAME")]
    game: Option<String>,
    #[command(flatten)]
    rules: RulesArg,
    /// How to draw the pieces: letters, or dobutsu kana, kyoto kanji
    #[arg(long, value_name = "STYLE")]
    style: Option<String>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let game = game_of_records(&args.file)?;
    let number = match args.game.as_deref().map(|text| (text, text.parse::<usize>())) {
        Some((_, Ok(number))) => Some(number),
        Some((text, Err(_))) => {
            let named: GameName = text.parse().map_err(input)?;
            if named != game {
                let path = args.file.display();
                return Err(input(format!("'{path}' holds games of {game}, not of {named}")));
            }
            None
        }
        None => None,
    };
    with_game!(game, G => run_for::<G>(args, number, out))
}

fn run_for<G: Lab>(args: &Args, number: Option<usize>, out: &mut dyn Write) -> Result<(), CliError> {
    let path = args.file.display();
    let style = variant(args.style.as_deref())?;
    let mut count = 0;
    for game in recorded_games::<G>(&args.file, args.rules.rules.as_deref())? {
        count += 1;
        if number.is_some_and(|number| number != count) {
            continue;
        }
        let game = game.map_err(|error| input(format!("'{path}', {error}")))?;
        show(&game, count, style, out)?;
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
    Recorded { told, about, opening_plies }: &Recorded<G>,
    number: usize,
    style: G::Style,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let (first, second) = (visible(&told.names.first), visible(&told.names.second));
    writeln!(out, "Game {number}: {first} (first) against {second} (second), {}\n", visible(about))?;
    writeln!(out, "{}", told.start.diagram(style))?;
    let mut position = told.start;
    for (i, m) in told.moves.iter().enumerate() {
        let opening = if i < *opening_plies { " (random opening)" } else { "" };
        let texts = position.move_texts(*m);
        let others = texts[1..G::NOTATIONS.len()].join(", ");
        let side = position.side_to_move();
        writeln!(out, "{}. {side} player: {} ({others}){opening}", i + 1, texts[0])?;
        position = position.play(*m);
        writeln!(out, "{}", position.diagram(style))?;
    }
    match told.verdict {
        Some(verdict) => writeln!(out, "{}\n", describe(verdict))?,
        None => writeln!(out, "The record does not say how the game ended.\n")?,
    }
    Ok(())
}
