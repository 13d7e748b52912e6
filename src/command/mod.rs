//! What commands share: options, errors, signals, and how they talk. A command of one game is in that game's folder, all others are in
//! [`cli`](crate::cli).

mod progress;
mod settings;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

pub(crate) use progress::Progress;
pub(crate) use settings::Given;

use crate::experiment::DuelsError;
use crate::files::FileError;
use crate::game::{Game, GameTag, Side, SolutionError, Variant, Verdict, is_only};
use crate::games::GameName;
use crate::players::{Playable, PlayerSpec, SpecError};
use crate::random::MOST_SEED;
use crate::report::{Format, Language};
use crate::run::{
    End, ManifestError, Monitor, Options, RunDirError, RunError, SeedsFileError, Training, TunerError, Watch,
    run_to_end,
};
use crate::session::{Session, Start, TextGame, text_game};
use crate::{files, parallel, program};

/// Which game a command is about.
#[derive(clap::Args)]
pub(crate) struct GameArg {
    /// Which game (see `dobutsu-ga games`)
    #[arg(long, value_name = "GAME", default_value_t)]
    pub(crate) game: GameName,
}

impl GameArg {
    /// Refuses all games but this one.
    pub(crate) fn must_be(&self, game: GameName, refusal: impl Fn(&str) -> CliError) -> Result<(), CliError> {
        if self.game == game { Ok(()) } else { Err(refusal(self.game.name())) }
    }
}

/// As which files a command writes pictures.
#[derive(clap::Args)]
pub(crate) struct FormatArg {
    /// As which files pictures are written: png, svg or both [default: both]
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) format: Option<Format>,
}

impl FormatArg {
    pub(crate) fn get(&self) -> Format {
        self.format.unwrap_or_default()
    }
}

/// By which rules a command plays.
#[derive(clap::Args)]
pub(crate) struct RulesArg {
    /// By which rules (see `dobutsu-ga games`) [default: the game's first]
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Option<String>,
}

impl RulesArg {
    /// The name of the rules.
    pub(crate) fn of(&self, game: &dyn TextGame) -> Result<&'static str, CliError> {
        game.rules(self.rules.as_deref()).map_err(input)
    }
}

/// The choice of this name, or the usual one.
pub(crate) fn variant<V: Variant>(text: Option<&str>) -> Result<V, CliError> {
    text.map_or(Ok(V::default()), |text| text.parse().map_err(input))
}

/// The array of this name, or the game's own.
pub(crate) fn array<G: Game>(text: Option<&str>) -> Result<G::Array, CliError> {
    match text {
        Some(_) if is_only(&G::Array::default()) => {
            Err(input(format!("{} has one array only: leave --array out", G::NAME)))
        }
        text => variant(text),
    }
}

/// The players of these names.
pub(crate) fn players<G: Playable>(texts: &[String]) -> Result<Vec<PlayerSpec<G>>, CliError> {
    Ok(texts.iter().map(|text| text.parse()).collect::<Result<_, SpecError>>()?)
}

/// What is done at Ctrl-C, SIGTERM and SIGHUP, where a command has something of its own to do.
static AT_SIGNAL: Mutex<Option<Box<dyn Fn() + Send>>> = Mutex::new(None);

/// From now on a command does this at Ctrl-C, SIGTERM and SIGHUP instead of ending at once.
pub(crate) fn at_signal(action: impl Fn() + Send + 'static) {
    *AT_SIGNAL.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(action));
}

/// Kills external engines, removes temporary files and locks, and exits. Engines run in process groups of their own, so the terminal does not signal them.
pub(crate) fn end_at_once() -> ! {
    program::kill_all();
    files::remove_hidden();
    std::process::exit(130);
}

/// Every command listens: any of them may start programs.
pub(crate) fn listen_for_signals() {
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
pub(crate) fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & 1 << (nix::sys::signal::Signal::SIGHUP as i32 - 1) != 0)
}

/// Where results of a game go unless told otherwise.
pub(crate) fn results<G: Game>() -> PathBuf {
    let home = PathBuf::from("results");
    if GameTag::<G>::default().is_unsaid() { home } else { home.join(G::NAME) }
}

/// Which solution of a game a command asks.
#[derive(clap::Args)]
pub(crate) struct SolutionArgs {
    #[command(flatten)]
    pub(crate) game: GameArg,
    /// By which rules (see `dobutsu-ga games`) [default: the game's first]
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Option<String>,
    /// The table, or the folder it is in [default: $DOBUTSU_GA_TABLE or the user's cache folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
}

/// The refusal of a command that asks the solution of a game.
pub(crate) fn not_solved(command: &str, game: &str) -> CliError {
    let solved = |name: &GameName| text_game(*name, None).facts().solved;
    let games: Vec<&str> = GameName::ALL.into_iter().filter(solved).map(GameName::name).collect();
    input(format!("{game} is not solved: {command} needs a solved game ({})", games.join(", ")))
}

/// Why a command stopped.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
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
pub(crate) fn input(error: impl std::fmt::Display) -> CliError {
    CliError::Input(error.to_string())
}

/// Writes to standard error; a closed standard error is no reason to stop.
pub(crate) fn tell(sentence: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{sentence}");
}

/// A text from elsewhere without characters that a terminal would obey.
pub(crate) fn visible(text: &str) -> String {
    let show = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.split('\n').map(|line| line.chars().map(show).collect::<String>()).collect::<Vec<_>>().join("\n")
}

/// Standard output for work that leaves files: the first error is kept until all is written.
pub(crate) struct Patient<'a> {
    out: &'a mut dyn Write,
    pub(crate) failed: Option<io::Error>,
}

impl<'a> Patient<'a> {
    pub(crate) fn new(out: &'a mut dyn Write) -> Patient<'a> {
        Patient { out, failed: None }
    }

    /// Everything is safe: what went wrong with the output may be told now.
    pub(crate) fn finish(mut self) -> Result<(), CliError> {
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
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(seed @ 0..=MOST_SEED) => Ok(seed),
        _ => Err(format!("the seed must be from 0 to {MOST_SEED}")),
    }
}

/// A new game from the position a FEN names; nothing or `startpos` is the start, and the name of an array (`figure12`) its own.
pub(crate) fn session(
    game: &dyn TextGame,
    fen: Option<&str>,
    rules: &str,
) -> Result<Box<dyn Session>, CliError> {
    let start = match fen {
        None | Some("startpos") => Start::Usual,
        Some(text) if game.facts().arrays.names.contains(&text) => Start::Array(text),
        Some(text) => Start::Fen(text),
    };
    let wrong = |error| input(format!("bad FEN '{}': {error}", fen.unwrap_or_default()));
    game.session(rules, start, None).map_err(wrong)
}

/// A finished game in words.
pub(crate) fn describe(verdict: Verdict) -> String {
    use crate::game::Outcome;
    match verdict.outcome {
        Outcome::Win(Side::First) => format!("The first player has won by {}.", verdict.by),
        Outcome::Win(Side::Second) => format!("The second player has won by {}.", verdict.by),
        Outcome::Draw => format!("The game is drawn by {}.", verdict.by),
    }
}

/// Runs `work` on this many threads, or on all cores.
pub(crate) fn on_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, CliError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    Ok(parallel::install(&pool.map_err(|error| input(format!("cannot start the threads: {error}")))?, work))
}

/// Set by the first Ctrl-C; the second ends the program at once.
pub(crate) fn stop_flag() -> &'static AtomicBool {
    static STOP: AtomicBool = AtomicBool::new(false);
    if crate::crew::is_many() {
        // One of many processes cannot be stopped by hand.
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
pub(crate) fn thread_count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("the number of threads must be from 1 to 1024".to_string()),
    }
}

/// Reads a switch.
pub(crate) fn on_or_off(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("choose on or off".to_string()),
    }
}

/// A whole number with its thousands set apart.
pub(crate) fn grouped(number: u64) -> String {
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

impl From<ManifestError> for CliError {
    fn from(error: ManifestError) -> CliError {
        match error {
            ManifestError::File(error) => CliError::File(error),
            error => input(error),
        }
    }
}

impl From<RunDirError> for CliError {
    fn from(error: RunDirError) -> CliError {
        match error {
            RunDirError::File(error) => CliError::File(error),
            error => input(error),
        }
    }
}

impl From<TunerError> for CliError {
    fn from(error: TunerError) -> CliError {
        match error {
            TunerError::File(error) => CliError::File(error),
            error => input(error),
        }
    }
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> CliError {
        match error {
            RunError::File(error) => CliError::File(error),
            RunError::Tuner(error) => error.into(),
            RunError::Dir(error) => error.into(),
            RunError::Seeds(SeedsFileError::File(error)) => CliError::File(error),
            error => input(error),
        }
    }
}

/// Carries a run out and prints its summary; stopped, it prints what goes on with it.
pub(crate) fn train(
    training: &mut dyn Training,
    folder: &Path,
    options: &Options,
    threads: Option<usize>,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let text = finish(training, folder, options, threads)?;
    Ok(writeln!(out, "{text}\nWritten to {}", folder.display())?)
}

/// The same, which returns the summary.
pub(crate) fn finish(
    training: &mut dyn Training,
    folder: &Path,
    options: &Options,
    threads: Option<usize>,
) -> Result<String, CliError> {
    let begin = |what: &str, total: u64, unit: &'static str| -> Box<dyn Watch> {
        Box::new(Progress::new(what, total, unit))
    };
    let monitor = Monitor { begin: &begin, stop: stop_flag() };
    match on_threads(threads, || run_to_end(training, folder, options, &monitor))?? {
        End::Finished(text) => Ok(text),
        End::Stopped => {
            let (done, total, unit) = (training.done(), training.total(), training.unit());
            let command = resume_command(folder, options);
            tell(format_args!("Stopped after {done} of {total} {unit}. To go on: {command}"));
            Err(CliError::Stopped)
        }
    }
}

/// What to type to go on as before.
fn resume_command(folder: &Path, options: &Options) -> String {
    let lang = if options.language == Language::Ja { " --lang ja" } else { "" };
    let format = match options.format {
        Format::Png => " --format png",
        Format::Svg => " --format svg",
        Format::Both => "",
    };
    let validate = if options.validate { "" } else { " --no-validate" };
    format!("dobutsu-ga resume {}{lang}{format}{validate}", files::quoted(folder))
}

/// From now on Ctrl-C says how to go on and ends at once: what is done is kept as it is done.
pub(crate) fn say_how_to_go_on(folder: &Path) {
    let folder = files::quoted(folder);
    at_signal(move || {
        tell(format_args!("Stopped. To go on: dobutsu-ga resume {folder}"));
        end_at_once();
    });
}
