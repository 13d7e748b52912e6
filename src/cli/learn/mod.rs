//! `dobutsu-ga learn`: learners other than the tuner, one file each.

mod alphazero;
mod dqn;
mod pa;

use std::io::Write;

use clap::Subcommand;

use super::CliError;

/// Learn by other means than the tuner
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    learner: Learner,
}

#[derive(Subcommand)]
enum Learner {
    Pa(pa::Args),
    Dqn(Box<dqn::Args>),
    #[command(name = "alphazero")]
    AlphaZero(Box<alphazero::Args>),
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    match &args.learner {
        Learner::Pa(args) => pa::run(args, out),
        Learner::Dqn(args) => dqn::run(args, out),
        Learner::AlphaZero(args) => alphazero::run(args, out),
    }
}
