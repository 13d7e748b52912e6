//! `dobutsu-ga learn`: learners other than the tuner. Those of one game are in its folder.

mod alphazero;

use std::io::Write;

use clap::Subcommand;

use super::{CliError, input};
use crate::command::Resumed;
use crate::games::{self, GameName};

/// Learn by other means than the tuner
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    learner: Learner,
}

#[derive(Subcommand)]
enum Learner {
    #[command(flatten)]
    OfGame(games::Learner),
    #[command(name = "alphazero")]
    AlphaZero(Box<alphazero::Args>),
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    match &args.learner {
        Learner::OfGame(learner) => learner.run(out),
        Learner::AlphaZero(args) => alphazero::run(args, out),
    }
}

/// Takes up the run of a folder that this command has made.
pub(super) fn resume(
    command: &str,
    game: GameName,
    resumed: &Resumed<'_>,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    if command == alphazero::COMMAND {
        return alphazero::resume(game, resumed, out);
    }
    match games::learner_of(command) {
        Some(resume) => resume(resumed, out),
        None => Err(input(format!("there is no learner '{command}' in this version"))),
    }
}
