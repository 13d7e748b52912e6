//! `dobutsu-ga games` and `dobutsu-ga players`: what there is.

use std::io::Write;

use super::{CliError, GameArg};
use crate::eval::Genome;
use crate::experiment::Definition;
use crate::games::{Variant, is_only};
use crate::lab::{GameName, Lab};
use crate::players;
use crate::solve::Solutions;

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
        with_game!(game, G => describe::<G>(out))?;
    }
    Ok(())
}

fn describe<G: Lab>(out: &mut dyn Write) -> Result<(), CliError> {
    writeln!(out, "{}: {}", G::NAME, G::TITLE)?;
    writeln!(out, "  rules        {}", G::Rules::choices())?;
    if !is_only(&G::Array::default()) {
        writeln!(out, "  arrays       {}", G::Array::choices())?;
    }
    writeln!(out, "  notations    {}", G::NOTATIONS.join(", "))?;
    writeln!(out, "  diagrams     {}", G::Style::choices())?;
    let genes = format!("{} piece values, {} in all", G::MATERIAL, G::GENES.len());
    writeln!(out, "  weights      {genes}; genomes {}", Genome::<G>::names().collect::<Vec<_>>().join(", "))?;
    let experiments = Definition::<G>::names();
    if !experiments.is_empty() {
        writeln!(out, "  experiments  {}", experiments.join(", "))?;
    }
    writeln!(out, "  solved       {}", if G::Solutions::SOLVED { "yes" } else { "no" })?;
    Ok(())
}

pub(super) fn players(args: &PlayersArgs, out: &mut dyn Write) -> Result<(), CliError> {
    Ok(write!(out, "{}", with_game!(args.game.game, G => players::help::<G>()))?)
}
