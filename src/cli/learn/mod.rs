//! `dobutsu-ga learn`: learners other than the tuner. Those of one game are in its folder.

mod alphazero;

use std::io::Write;

use clap::Subcommand;

use super::CliError;
use crate::games;

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
