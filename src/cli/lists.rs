//! `dobutsu-ga games` and `dobutsu-ga players`: what there is.

use std::io::Write;

use super::{CliError, GameArg};
use crate::games::GameName;
use crate::session::{Facts, text_game};

/// List the games: their rules, arrays, notations, and what there is of each
#[derive(clap::Args)]
pub(super) struct GamesArgs {}

/// List the players of a game and their options
#[derive(clap::Args)]
pub(super) struct PlayersArgs {
    #[command(flatten)]
    game: GameArg,
}

pub(super) fn games(_: &GamesArgs, out: &mut dyn Write) -> Result<(), CliError> {
    for (i, game) in GameName::ALL.into_iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        describe(text_game(game, None).facts(), out)?;
    }
    Ok(())
}

fn describe(game: &Facts, out: &mut dyn Write) -> Result<(), CliError> {
    writeln!(out, "{}: {}", game.name, game.title)?;
    writeln!(out, "  rules        {}", game.rules.help)?;
    if game.arrays.names.len() > 1 {
        writeln!(out, "  arrays       {}", game.arrays.help)?;
    }
    writeln!(out, "  notations    {}", game.notations.join(", "))?;
    writeln!(out, "  diagrams     {}", game.styles.help)?;
    let genes = format!("{} piece values, {} in all", game.weights.material, game.weights.genes.len());
    let genomes: Vec<&str> = game.weights.genomes.iter().map(|known| known.name).collect();
    writeln!(out, "  weights      {genes}; genomes {}", genomes.join(", "))?;
    if !game.experiments.is_empty() {
        writeln!(out, "  experiments  {}", game.experiments.join(", "))?;
    }
    writeln!(out, "  solved       {}", if game.solved { "yes" } else { "no" })?;
    Ok(())
}

pub(super) fn players(args: &PlayersArgs, out: &mut dyn Write) -> Result<(), CliError> {
    Ok(write!(out, "{}", text_game(args.game.game, None).players_help())?)
}
