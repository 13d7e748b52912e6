//! `dobutsu-ga learn alphazero`: a network that learns by playing itself.

use std::io::Write;
use std::path::PathBuf;

use crate::arena::Conditions;
use crate::cli::{CliError, FormatArg, input, on_threads, results, stop_flag, tell, thread_count};
use crate::command::{Given, Progress, Resumed, Task, stopped};
use crate::experiment::{DuelPair, DuelResult, DuelsWork, run_duel};
use crate::files;
use crate::files::FileError;
use crate::game::{Solutions, or_list};
use crate::games::{GameName, info};
use crate::learn::alphazero::{AlphaZeroSettings, Cycles, Learnable};
use crate::nets::processor;
use crate::players::{GameInfo, PLAYING, PlayerSpec, dual_player};
use crate::report::{Language, cycles_files, cycles_markdown, duels_markdown, layout};
use crate::run::{
    AlphaZeroEnd, AlphaZeroHooks, AlphaZeroJobError, END, Manifest, Watch, learn_alphazero, solution,
};

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
    let task = Task {
        settings,
        validation_games: args.validation_games / 2 * 2,
        path: args.out.clone().unwrap_or(path),
        force: args.force,
        extends: None,
        lang: Language::default(),
        format: args.format.get(),
        threads: args.threads,
        checkpoint_every: 1,
    };
    carry_out::<G>(&task, out)
}

/// What `run.toml` calls the command.
pub(super) const COMMAND: &str = "learn alphazero";

/// Takes up the run of a folder.
pub(super) fn resume(game: GameName, resumed: &Resumed<'_>, out: &mut dyn Write) -> Result<(), CliError> {
    with_planar_game!(game, G => carry_out::<G>(&resumed.task(&GameInfo::of::<G>(), END)?, out), other => {
        Err(input(format!("{other} has no network that learns by playing itself")))
    })
}

fn carry_out<G: Learnable>(task: &Task<AlphaZeroSettings>, out: &mut dyn Write) -> Result<(), CliError> {
    let Task { settings, path, validation_games, .. } = task;
    settings.opponents::<G>().map_err(input)?;
    let begun = match Manifest::read(path)? {
        Some(manifest) if !task.force => manifest.table.get("judged").and_then(toml::Value::as_bool),
        _ => None,
    };
    let solution = match (solution::<G>(settings), begun) {
        // The run began before there was a solution, and goes on as it began.
        (_, Some(false)) => None,
        (None, Some(true)) => {
            return Err(input(format!(
                "the run in '{}' is judged by the solution of the game, which is no longer there: `dobutsu-ga solve --rules {}` makes it again",
                path.display(),
                settings.rules
            )));
        }
        (solution, _) => solution,
    };
    if G::Solutions::SOLVED && solution.is_none() && begun.is_none() {
        tell(format_args!(
            "There is no solution of the game by {} rules: networks are not judged by perfect play (`dobutsu-ga solve` makes one).",
            settings.rules
        ));
    }
    let notes = settings.describe_opponents::<G>();
    let run = task.run_toml(G::NAME, COMMAND, &notes, Some(processor()), Some(solution.is_some()));
    let games = files::entries(&path.join(layout::GAMES))?;
    let games = games.iter().map(|name| format!("{}/{}", layout::GAMES, name.to_string_lossy()));
    let names = [layout::LEARNER, layout::NETWORK, layout::CYCLES, layout::WEAKNESSES, layout::SUMMARY];
    let names = games.filter(|name| name.ends_with(".games")).chain(names.map(String::from));
    let pictures = [layout::CYCLES_PICTURE, layout::WEAKNESSES_PICTURE];
    let folder = task.folder(run.clone(), names, &pictures)?;
    let after = |cycles: &Cycles| -> Result<(), FileError> {
        files::write(&path.join(layout::NETWORK), &cycles.best.to_bytes(G::NAME, &run))?;
        let written = cycles_files(settings, &cycles.rows, task.format);
        written.iter().try_for_each(|(name, bytes)| files::write(&path.join(name), bytes))
    };
    let begin = |what: &str, total: u64, unit: &'static str| -> Box<dyn Watch> {
        Box::new(Progress::new(&format!("{what} (of {} cycles)", settings.cycles), total, unit))
    };
    let hooks = AlphaZeroHooks { begin: &begin, after: &after, stop: stop_flag() };
    match on_threads(task.threads, || learn_alphazero(settings, solution, path, hooks))?? {
        AlphaZeroEnd::Finished(cycles) => {
            let text = on_threads(task.threads, || summary::<G>(&cycles, *validation_games as usize))??;
            folder.overwrite(&[(layout::SUMMARY, text.clone().into_bytes())])?;
            folder.write_checksums([layout::NETWORK, layout::CYCLES, layout::WEAKNESSES, layout::SUMMARY])?;
            writeln!(out, "{text}\nWritten to {}", path.display())?;
            Ok(())
        }
        AlphaZeroEnd::Stopped(cycle) => Err(stopped(&format!("Stopped in cycle {cycle}"), path)),
    }
}

/// How the cycles went, and fresh games of the network against others.
fn summary<G: Learnable>(cycles: &Cycles, games: usize) -> Result<String, CliError> {
    let settings = &cycles.settings;
    let mut text = format!("# AlphaZero, {}\n\n{}", G::NAME, cycles_markdown(settings, &cycles.rows));
    if games == 0 || settings.opponents.is_empty() {
        return Ok(text);
    }
    let pair = |against: &String| DuelPair::new(&format!("network v {against}"), "network", against);
    // Apart from the seeds of learning.
    let seed = settings.seed ^ 1 << 40;
    let pairs = settings.opponents.iter().map(pair).collect();
    let work: DuelsWork<G> = DuelsWork::new(games, seed, settings.rules(), 4, pairs);
    let conditions = Conditions { opening_plies: 4, ..Conditions::new(work.rules, seed) };
    let network = dual_player::<G>(&cycles.best, PLAYING);
    let progress = Progress::new("validating", work.all_games() as u64, "games");
    let duel = |opponent: PlayerSpec<G>| {
        run_duel(&[network.clone(), opponent], games, &conditions, &|| Watch::step(&progress))
    };
    let results: Vec<DuelResult> = settings.opponents::<G>().map_err(input)?.into_iter().map(duel).collect();
    text += &format!(
        "\nFresh games of the network as a player ({} simulations, puct):\n\n{}",
        PLAYING.simulations,
        duels_markdown(&work, &results)
    );
    Ok(text)
}

impl From<AlphaZeroJobError> for CliError {
    fn from(error: AlphaZeroJobError) -> CliError {
        match error {
            AlphaZeroJobError::File(error) => CliError::File(error),
            error => input(error),
        }
    }
}
