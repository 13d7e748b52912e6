//! `dobutsu-ga learn dqn`: a network that learns Hasami Shogi by playing.

use std::io::Write;
use std::path::PathBuf;

use super::DqnSettings;
use super::run::DqnTraining;
use super::settings::game;
use crate::command::{CliError, FormatArg, Given, input, results, thread_count, train};
use crate::games::GameName;
use crate::games::hasami::Position;
use crate::report::Language;
use crate::run::{Init, LearnerRun, Options};

/// Train a network for Hasami Shogi by deep Q-learning (DQN), soundly or as in the Hasami report's listing
///
/// Writes network.safetensors, which every command takes as the player net=FILE (it has the outputs of playable moves only), learning.csv
/// and a picture of it over the games, and a summary with fresh games against other players. A run that was stopped or killed goes on
/// with `dobutsu-ga resume FOLDER`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  dobutsu-ga learn dqn --game hasami\n  \
    dobutsu-ga learn dqn --preset paper --episodes 1000 --out results/hasami/listing\n  \
    dobutsu-ga learn dqn --opponent random --opponent report:depth=1 --opponent self --seed 7 --out results/hasami/wish\n  \
    dobutsu-ga match --game hasami net=results/hasami/wish/network.safetensors report:depth=1 --opening-plies 4")]
pub(crate) struct Args {
    /// The game: only hasami has this network
    #[arg(long, value_name = "GAME", default_value_t = GameName::Hasami)]
    game: GameName,
    #[command(flatten)]
    given: Given<DqnSettings>,
    /// Save the run after every N games; it is also saved every half minute
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    checkpoint_every: u32,
    /// Start from the network in FILE instead of random weights
    #[arg(long, value_name = "FILE")]
    init: Option<PathBuf>,
    /// Keep a numbered copy of the network after every N games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    keep_every: Option<u32>,
    /// Games of the final evaluation against each of random and report at depths 1 and 2
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    validation_games: u32,
    /// Language of the picture
    #[arg(long, value_enum, value_name = "LANG", default_value_t)]
    lang: Language,
    #[command(flatten)]
    format: FormatArg,
    /// Folder for the results [default: results/hasami/dqn]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Overwrite results of other settings
    #[arg(long)]
    force: bool,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    if args.game != GameName::Hasami {
        return Err(input(format!("{} has no such network: learn dqn is for --game hasami", args.game)));
    }
    let run = LearnerRun {
        settings: args.given.settings(&game())?,
        validation_games: args.validation_games / 2 * 2,
        init: args.init.as_deref().map(Init::new).transpose()?,
        path: args.out.clone().unwrap_or_else(|| results::<Position>().join("dqn")),
        force: args.force,
        extends: None,
        options: Options {
            language: args.lang,
            format: args.format.get(),
            validate: true,
            checkpoint_every: args.checkpoint_every,
            keep_every: args.keep_every,
        },
    };
    train(&mut DqnTraining::open(&run)?, &run.path, &run.options, args.threads, out)
}
