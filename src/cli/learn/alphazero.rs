//! `dobutsu-ga learn alphazero`: a network that learns by playing itself.

use std::io::Write;
use std::path::PathBuf;

use crate::cli::{CliError, FormatArg, input, results, tell, thread_count};
use crate::command::{Given, train};
use crate::game::{Solutions, or_list};
use crate::games::{GameName, info};
use crate::learn::alphazero::{AlphaZeroSettings, Learnable};
use crate::players::GameInfo;
use crate::report::Language;
use crate::run::{AlphaZeroTraining, Init, LearnerRun, Manifest, Options, solution};

/// A network learns by playing itself (AlphaZero), as the Kyoto Shogi paper does it or small enough for two cores
///
/// In every cycle the best network plays itself with its tree of moves, a network learns from the games, and is measured: against
/// other players, and where the game is solved by perfect play. Writes network.safetensors, which every command takes as the player
/// net=FILE:simulations=100, cycles.csv and a picture of it. Stopped or killed, `dobutsu-ga resume FOLDER` goes on.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  dobutsu-ga learn alphazero --game dobutsu\n  \
    dobutsu-ga learn alphazero --game kyoto --cycles 20 --out results/kyoto/twenty\n  \
    dobutsu-ga learn alphazero --game kyoto --preset paper --cycles 1 --games 10 --epochs 5 --out results/kyoto/taste\n  \
    dobutsu-ga match --game kyoto net=results/kyoto/twenty/network.safetensors:simulations=100 B:depth=3 --opening-plies 4")]
pub(super) struct Args {
    /// Game with such networks (dobutsu, kyoto)
    #[arg(long, value_name = "GAME", default_value_t = GameName::Kyoto)]
    game: GameName,
    #[command(flatten)]
    given: Given<AlphaZeroSettings>,
    /// Start from the network in FILE instead of random weights
    #[arg(long, value_name = "FILE")]
    init: Option<PathBuf>,
    /// Keep a numbered copy of the network after every N cycles
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    keep_every: Option<u32>,
    /// How many fresh games the network plays in the end against each opponent; 0 for none
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    validation_games: u32,
    /// The folder for the results [default: alphazero-PRESET in results, or in results/kyoto]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Overwrite results of other settings
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    format: FormatArg,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    with_planar_game!(args.game, G => run_for::<G>(args, out), other => {
        let learned: Vec<&str> = GameName::ALL
            .into_iter()
            .filter(|name| info(*name).has_network)
            .map(GameName::name)
            .collect();
        let games = or_list(&learned);
        Err(input(format!("{other} has no such network: learn alphazero is for --game {games}")))
    })
}

fn run_for<G: Learnable>(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let settings: AlphaZeroSettings = args.given.settings(&GameInfo::of::<G>())?;
    let path = results::<G>().join(format!("alphazero-{}", settings.preset));
    let run = LearnerRun {
        settings,
        validation_games: args.validation_games / 2 * 2,
        init: args.init.as_deref().map(Init::new).transpose()?,
        path: args.out.clone().unwrap_or(path),
        force: args.force,
        extends: None,
        options: Options {
            language: Language::default(),
            format: args.format.get(),
            validate: true,
            checkpoint_every: 1,
            keep_every: args.keep_every,
        },
    };
    let judged = match Manifest::read(&run.path)? {
        Some(manifest) if !args.force => manifest.table.get("judged").and_then(toml::Value::as_bool),
        _ => None,
    };
    if G::Solutions::SOLVED && judged.is_none() && solution::<G>(&run.settings).is_none() {
        tell(format_args!(
            "There is no solution of the game by {} rules: networks are not judged by perfect play (`dobutsu-ga solve` makes one).",
            run.settings.rules
        ));
    }
    train(&mut AlphaZeroTraining::<G>::open(&run, judged)?, &run.path, &run.options, args.threads, out)
}
