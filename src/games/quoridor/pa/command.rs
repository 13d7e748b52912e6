//! `dobutsu-ga learn pa`: weights of Quoridor's evaluator from games against oneself.

use std::io::Write;
use std::path::PathBuf;

use super::PaSettings;
use super::run::PaTraining;
use crate::command::{CliError, FormatArg, Given, input, results, thread_count, train};
use crate::games::GameName;
use crate::games::quoridor::Position;
use crate::players::GameInfo;
use crate::report::Language;
use crate::run::{LearnerRun, Options};

/// Passive-aggressive learning (PA-I) from games against oneself, as the Quoridor report does it
///
/// After every round all positions of its games update the weights: where the side to move won, the weighted sum should be
/// small. Writes weights.csv and a picture of it over the rounds, champion.toml and a summary with fresh games against plain and
/// report. Stopped or killed, `dobutsu-ga resume FOLDER` goes on.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  dobutsu-ga learn pa\n  \
                        dobutsu-ga learn pa --rounds 500 --starts files --seed 7 --out results/quoridor/pa-7\n  \
                        dobutsu-ga learn pa --start-weights ones --out results/quoridor/pa-from-ones")]
pub(crate) struct Args {
    /// Which game: the report's features are quoridor's
    #[arg(long, value_name = "GAME", default_value_t = GameName::Quoridor)]
    game: GameName,
    #[command(flatten)]
    given: Given<PaSettings>,
    /// How many fresh games the champion plays against plain and against report
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    validation_games: u32,
    /// The language of the picture
    #[arg(long, value_enum, value_name = "LANG", default_value_t)]
    lang: Language,
    #[command(flatten)]
    format: FormatArg,
    /// The folder for the results [default: results/quoridor/pa]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Overwrite results of other settings
    #[arg(long)]
    force: bool,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    if args.game != GameName::Quoridor {
        return Err(input(format!(
            "{} has none of the report's features: learn pa is for --game quoridor",
            args.game
        )));
    }
    let run = LearnerRun {
        settings: args.given.settings(&GameInfo::of::<Position>())?,
        validation_games: args.validation_games,
        init: None,
        path: args.out.clone().unwrap_or_else(|| results::<Position>().join("pa")),
        force: args.force,
        extends: None,
        options: Options {
            language: args.lang,
            format: args.format.get(),
            validate: true,
            checkpoint_every: 1,
            keep_every: None,
        },
    };
    train(&mut PaTraining::open(&run)?, &run.path, &run.options, args.threads, out)
}
