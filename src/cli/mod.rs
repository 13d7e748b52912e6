//! What a person types: one file a command, and the one place that prints errors.

mod bench;
mod census;
mod convert_network;
mod engine;
mod fit;
mod grade;
mod guideline;
mod import;
mod ladder;
mod learn;
mod lists;
mod perft;
mod play;
mod probe;
mod progress;
mod recorder;
mod records;
mod redraw;
mod replay;
mod reproduce;
#[cfg(feature = "web")]
mod serve;
mod setting;
mod show;
mod solve;
mod sweep;
mod tune;
mod versus;
#[cfg(feature = "mpi")]
mod worker;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::{Parser, Subcommand};

use crate::experiment::DuelsError;
use crate::files::FileError;
use crate::game::{Game, GameTag, Side, SolutionError, Variant, Verdict, is_only};
use crate::games::GameName;
use crate::games::dobutsu::Rules;
use crate::games::dobutsu::solve::Table;
use crate::parallel;
use crate::players::{Playable, PlayerSpec, SpecError};
use crate::protocol::Protocol;
use crate::random::MOST_SEED;
use crate::report::Format;
use crate::session::{Session, Start, TextGame};
use crate::{files, program};

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
    Resume(tune::ResumeArgs),
    Sweep(Box<sweep::Args>),
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
    Solve(solve::Args),
    Probe(probe::Args),
    Grade(grade::Args),
    Fit(fit::Args),
    Guideline(guideline::Args),
    Bench(bench::Args),
    Perft(perft::Args),
    Show(show::Args),
    Games(lists::GamesArgs),
    Players(lists::PlayersArgs),
}

/// Which game a command is about.
#[derive(clap::Args)]
struct GameArg {
    /// Which game (see `dobutsu-ga games`)
    #[arg(long, value_name = "GAME", default_value_t)]
    game: GameName,
}

/// As which files a command writes pictures.
#[derive(clap::Args)]
struct FormatArg {
    /// As which files pictures are written: png, svg or both [default: both]
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    format: Option<Format>,
}

impl FormatArg {
    fn get(&self) -> Format {
        self.format.unwrap_or_default()
    }
}

/// By which rules a command plays.
#[derive(clap::Args)]
struct RulesArg {
    /// By which rules (see `dobutsu-ga games`) [default: the game's first]
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
}

impl RulesArg {
    /// The name of the rules.
    fn of(&self, game: &dyn TextGame) -> Result<&'static str, CliError> {
        game.rules(self.rules.as_deref()).map_err(input)
    }
}

/// The choice of this name, or the usual one.
fn variant<V: Variant>(text: Option<&str>) -> Result<V, CliError> {
    text.map_or(Ok(V::default()), |text| text.parse().map_err(input))
}

/// The array of this name, or the game's own.
fn array<G: Game>(text: Option<&str>) -> Result<G::Array, CliError> {
    match text {
        Some(_) if is_only(&G::Array::default()) => {
            Err(input(format!("{} has one array only: leave --array out", G::NAME)))
        }
        text => variant(text),
    }
}

/// The players of these names.
fn players<G: Playable>(texts: &[String]) -> Result<Vec<PlayerSpec<G>>, CliError> {
    Ok(texts.iter().map(|text| text.parse()).collect::<Result<_, SpecError>>()?)
}

/// What is done at Ctrl-C, SIGTERM and SIGHUP, where a command has something of its own to do.
static AT_SIGNAL: Mutex<Option<Box<dyn Fn() + Send>>> = Mutex::new(None);

/// From now on a command does this at Ctrl-C, SIGTERM and SIGHUP instead of ending at once.
fn at_signal(action: impl Fn() + Send + 'static) {
    *AT_SIGNAL.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(action));
}

/// Kills external engines, removes temporary files and locks, and exits. Engines run in process groups of their own, so the terminal does not signal them.
fn end_at_once() -> ! {
    program::kill_all();
    files::remove_hidden();
    std::process::exit(130);
}

/// Every command listens: any of them may start programs.
fn listen_for_signals() {
    // Under `nohup` the end of a terminal is nothing to us; where it is blocked, it never reaches the listener.
    #[cfg(unix)]
    if ignores_hangup() {
        use nix::sys::signal::{SigSet, Signal};
        let _ = SigSet::from(Signal::SIGHUP).thread_block();
    }
    // With several processes the first one listens already, and does the same.
    let _ = ctrlc::set_handler(|| match &*AT_SIGNAL.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(action) => action(),
        None => end_at_once(),
    });
}

/// Whether SIGHUP was ignored when this process started, as under `nohup`. Read from /proc, so known on Linux only.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & 1 << (nix::sys::signal::Signal::SIGHUP as i32 - 1) != 0)
}

/// Where results of a game go unless told otherwise.
fn results<G: Game>() -> PathBuf {
    let home = PathBuf::from("results");
    if GameTag::<G>::default().is_unsaid() { home } else { home.join(G::NAME) }
}

/// A command that asks the solution of a game.
fn needs_solution(command: &str, game: GameName) -> Result<(), CliError> {
    match game {
        GameName::Dobutsu => Ok(()),
        other => Err(input(format!("{other} is not solved: {command} needs a solved game (dobutsu)"))),
    }
}

/// A command that talks with other programs.
fn needs_protocol(protocol: Protocol, game: GameName) -> Result<(), CliError> {
    match (protocol, game) {
        (Protocol::Uci, _) | (Protocol::Course, GameName::Quoridor) => Ok(()),
        (_, other) => Err(input(format!("{other} has no {protocol} protocol: choose --game quoridor"))),
    }
}

/// Which solution of the game a command asks.
#[derive(clap::Args)]
struct Solution {
    #[command(flatten)]
    game: GameArg,
    /// Rules for a try: paper (always wins) or official (wins if the lion cannot be captured at once)
    #[arg(long, default_value_t, value_name = "RULES")]
    rules: Rules,
    /// The table, or the folder it is in [default: $DOBUTSU_GA_TABLE or the user's cache folder]
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
}

impl Solution {
    fn open(&self) -> Result<Table, CliError> {
        Ok(Table::open(self.table.as_deref(), self.rules)?)
    }
}

/// Why a command stopped.
#[derive(Debug, thiserror::Error)]
enum CliError {
    /// What was typed cannot be done; the sentence says what and why.
    #[error("{0}")]
    Input(String),
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    /// A file cannot be read or written: a wrong path, no permission, a full disk.
    #[error(transparent)]
    File(#[from] FileError),
    /// Ctrl-C: everything is saved, and it has been said how to go on.
    #[error("stopped")]
    Stopped,
}

/// Turns any error about what was typed into one, so that commands can use `?`.
fn input(error: impl std::fmt::Display) -> CliError {
    CliError::Input(error.to_string())
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
        Some(Command::Resume(args)) => tune::resume(&args, &mut out),
        Some(Command::Sweep(args)) => sweep::run(&args, &mut out),
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
        Some(Command::Solve(args)) => solve::run(&args, &mut out),
        Some(Command::Probe(args)) => probe::run(&args, &mut out),
        Some(Command::Grade(args)) => grade::run(&args, &mut out),
        Some(Command::Fit(args)) => fit::run(&args, &mut out),
        Some(Command::Guideline(args)) => guideline::run(&args, &mut out),
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

/// Says something on standard error. Nobody may be listening there, and that is no reason to stop.
fn tell(sentence: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{sentence}");
}

/// A text from elsewhere without characters that a terminal would obey.
fn visible(text: &str) -> String {
    let show = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.split('\n').map(|line| line.chars().map(show).collect::<String>()).collect::<Vec<_>>().join("\n")
}

/// Standard output for work that leaves files: the first error is kept until all is written.
struct Patient<'a> {
    out: &'a mut dyn Write,
    failed: Option<io::Error>,
}

impl<'a> Patient<'a> {
    fn new(out: &'a mut dyn Write) -> Patient<'a> {
        Patient { out, failed: None }
    }

    /// Everything is safe: what went wrong with the output may be told now.
    fn finish(mut self) -> Result<(), CliError> {
        let _ = self.flush();
        self.failed.map_or(Ok(()), |error| Err(error.into()))
    }
}

impl Write for Patient<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed.is_none() {
            self.failed = self.out.write_all(bytes).err();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed.is_none() {
            self.failed = self.out.flush().err();
        }
        Ok(())
    }
}

/// Reads a seed: the same range everywhere, so that what one command wrote every other can read.
fn seed(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(seed @ 0..=MOST_SEED) => Ok(seed),
        _ => Err(format!("the seed must be from 0 to {MOST_SEED}")),
    }
}

/// A new game from the position a FEN names; nothing or `startpos` is the start, and the name of an array (`figure12`) its own.
fn session(game: &dyn TextGame, fen: Option<&str>, rules: &str) -> Result<Box<dyn Session>, CliError> {
    let start = match fen {
        None | Some("startpos") => Start::Usual,
        Some(text) if game.facts().arrays.names.contains(&text) => Start::Array(text),
        Some(text) => Start::Fen(text),
    };
    let wrong = |error| input(format!("bad FEN '{}': {error}", fen.unwrap_or_default()));
    game.session(rules, start, None).map_err(wrong)
}

/// A finished game in words.
fn describe(verdict: Verdict) -> String {
    use crate::game::Outcome;
    match verdict.outcome {
        Outcome::Win(Side::First) => format!("The first player has won by {}.", verdict.by),
        Outcome::Win(Side::Second) => format!("The second player has won by {}.", verdict.by),
        Outcome::Draw => format!("The game is drawn by {}.", verdict.by),
    }
}

/// Runs `work` on this many threads, or on all cores.
fn on_threads<T: Send>(threads: Option<usize>, work: impl FnOnce() -> T + Send) -> Result<T, CliError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    Ok(parallel::install(&pool.map_err(|error| input(format!("cannot start the threads: {error}")))?, work))
}

/// Set by the first Ctrl-C; the second ends the program at once.
fn stop_flag() -> &'static AtomicBool {
    static STOP: AtomicBool = AtomicBool::new(false);
    if crate::crew::is_many() {
        // Nobody can stop one of many processes by hand.
        return &STOP;
    }
    at_signal(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            end_at_once();
        }
        // Their games are given up, so their moves are not needed.
        program::kill_all();
        tell(format_args!("Finishing what is under way; Ctrl-C again stops at once."));
    });
    &STOP
}

/// Reads `--threads`.
fn thread_count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("the number of threads must be from 1 to 1024".to_string()),
    }
}

/// Reads a switch.
fn on_or_off(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("choose on or off".to_string()),
    }
}

/// A whole number with its thousands set apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl From<SpecError> for CliError {
    fn from(error: SpecError) -> CliError {
        input(error)
    }
}

impl From<DuelsError> for CliError {
    fn from(error: DuelsError) -> CliError {
        match error {
            DuelsError::Player(error) => input(error),
            DuelsError::File(error) => CliError::File(error),
        }
    }
}

impl From<SolutionError> for CliError {
    fn from(error: SolutionError) -> CliError {
        input(error)
    }
}
