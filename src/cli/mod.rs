//! What a person types: one file a command, and the one place that prints errors.

mod bench;
mod census;
mod compare;
mod convert_network;
mod engine;
mod grade;
mod import;
mod ladder;
mod learn;
mod lists;
mod perft;
mod play;
mod probe;
mod recorder;
mod records;
mod redraw;
mod replay;
mod reproduce;
mod resume;
#[cfg(feature = "web")]
mod serve;
mod setting;
mod show;
mod sweep;
mod tune;
mod versus;
#[cfg(feature = "mpi")]
mod worker;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::command::{
    CliError, FormatArg, GameArg, Patient, Progress, RulesArg, SolutionArgs, array, at_signal, describe,
    grouped, input, listen_for_signals, not_solved, on_or_off, on_threads, players, results, seed, session,
    stop_flag, tell, thread_count, variant, visible,
};
use crate::game::Solutions;
use crate::games::GameCommand;
use crate::players::Playable;

/// A lab for evaluators of small games: Dobutsu Shogi (animal shogi, 3x4), Kyoto Shogi (5x5), Quoridor and Hasami Shogi
///
/// Without a command, runs the genetic-algorithm tuner: populations of piece values play round-robin tournaments, the best
/// are crossed and mutated, and tables and pictures in a folder under results show how they converge. The defaults are the
/// paper's run.
#[derive(Parser)]
#[command(name = "dobutsu-ga", version, args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:\n  dobutsu-ga --generations 1600 --fix-side first\n  \
                        dobutsu-ga --preset robust --genes full --seed 7\n  dobutsu-ga reproduce all\n  \
                        dobutsu-ga match --game kyoto B A\n  dobutsu-ga games")]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    tune: Box<tune::Args>,
}

#[derive(Subcommand)]
enum Command {
    Resume(resume::Args),
    Sweep(Box<sweep::Args>),
    Compare(Box<compare::Args>),
    Learn(Box<learn::Args>),
    Reproduce(reproduce::Args),
    Redraw(redraw::Args),
    ConvertNetwork(convert_network::Args),
    Match(Box<versus::MatchArgs>),
    Tournament(Box<versus::TournamentArgs>),
    Ladder(ladder::Args),
    Play(play::Args),
    Engine(engine::Args),
    #[cfg(feature = "web")]
    Serve(serve::Args),
    Records(Box<records::Args>),
    Import(import::Args),
    Replay(replay::Args),
    #[command(flatten)]
    OfGame(GameCommand),
    Probe(probe::Args),
    Grade(grade::Args),
    Bench(bench::Args),
    Perft(perft::Args),
    Show(show::Args),
    Games(lists::GamesArgs),
    Players(lists::PlayersArgs),
}

/// A command that asks the solution of a game.
fn needs_solution<G: Playable>(command: &str) -> Result<(), CliError> {
    if G::Solutions::SOLVED { Ok(()) } else { Err(not_solved(command, G::NAME)) }
}

/// Runs what the command line asks for, in a build with MPI with the help of all processes that were started with this one.
pub fn run() -> ExitCode {
    #[cfg(feature = "mpi")]
    return crate::crew::start(command, worker::find);
    #[cfg(not(feature = "mpi"))]
    command()
}

/// Bad input ends with one sentence on standard error and exit code 2.
fn command() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(said) => {
            // Help, the version, or what cannot be understood.
            let _ = said.print();
            return ExitCode::from(said.exit_code() as u8);
        }
    };
    listen_for_signals();
    let mut out = io::stdout().lock();
    let result = match cli.command {
        None => tune::run(&cli.tune, &mut out),
        Some(Command::Resume(args)) => resume::run(&args, &mut out),
        Some(Command::Sweep(args)) => sweep::run(&args, &mut out),
        Some(Command::Compare(args)) => compare::run(&args, &mut out),
        Some(Command::Learn(args)) => learn::run(&args, &mut out),
        Some(Command::Reproduce(args)) => reproduce::run(&args, &mut out),
        Some(Command::Redraw(args)) => redraw::run(&args, &mut out),
        Some(Command::ConvertNetwork(args)) => convert_network::run(&args, &mut out),
        Some(Command::Match(args)) => versus::run_match(&args, &mut out),
        Some(Command::Tournament(args)) => versus::run_tournament(&args, &mut out),
        Some(Command::Ladder(args)) => ladder::run(&args, &mut out),
        Some(Command::Play(args)) => play::run(&args, &mut out),
        Some(Command::Engine(args)) => engine::run(&args, &mut out),
        #[cfg(feature = "web")]
        Some(Command::Serve(args)) => serve::run(&args, &mut out),
        Some(Command::Records(args)) => records::run(&args, &mut out),
        Some(Command::Import(args)) => import::run(&args, &mut out),
        Some(Command::Replay(args)) => replay::run(&args, &mut out),
        Some(Command::OfGame(command)) => command.run(&mut out),
        Some(Command::Probe(args)) => probe::run(&args, &mut out),
        Some(Command::Grade(args)) => grade::run(&args, &mut out),
        Some(Command::Bench(args)) => bench::run(&args, &mut out),
        Some(Command::Perft(args)) => perft::run(&args, &mut out),
        Some(Command::Show(args)) => show::run(&args, &mut out),
        Some(Command::Games(args)) => lists::games(&args, &mut out),
        Some(Command::Players(args)) => lists::players(&args, &mut out),
    };
    match result.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has seen enough, as in `dobutsu-ga show | head -3`.
        Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(CliError::Stopped) => ExitCode::from(130),
        Err(error) => {
            tell(format_args!("error: {}", visible(&error.to_string())));
            ExitCode::from(if matches!(error, CliError::Output(_)) { 1 } else { 2 })
        }
    }
}
