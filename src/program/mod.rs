//! Another program: started by a shell, told lines, listened to with a clock, and never left behind.

mod line;

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

pub use line::{Line, next_line, skip_line};

/// So many lines that nobody has asked for are kept; who writes more has to wait, and costs no memory.
const MOST_LINES: usize = 16;

/// How often somebody who waits for a program to end looks whether it has.
const LOOK_FOR_END: Duration = Duration::from_millis(2);

/// How long a program that says nothing more may take to end by itself.
const GRACE: Duration = Duration::from_millis(500);

/// Where Debian keeps games, which not everybody's path has.
const GAMES: &str = "/usr/local/games:/usr/games";

/// A running program, in a process group of its own where there is such a thing.
#[derive(Debug)]
pub struct Program {
    child: Child,
    /// Lines on their way to it; `None` when no more will come. A thread writes them, so that a program that does not read
    /// holds nobody up.
    told: Option<Sender<String>>,
    /// Lines that it has written.
    said: Receiver<Line>,
}

/// What a program answers.
#[derive(Debug)]
pub enum Heard {
    /// A line.
    Line(String),
    /// A line without end.
    Endless,
    /// Nothing in the time it had.
    Nothing,
    /// Nothing, and it will never say anything again.
    Gone(Ended),
}

/// How a program that is silent for ever has ended, if it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended(Option<ExitStatus>);

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.map(|status| (status.code(), status)) {
            Some((Some(code), _)) => write!(f, "it ended with exit code {code}"),
            Some((None, status)) => write!(f, "it was ended by {status}"),
            None => f.write_str("it closed its standard output"),
        }
    }
}

impl Ended {
    /// Whether the shell found no such program.
    pub fn is_not_found(&self) -> bool {
        self.0.and_then(|status| status.code()) == Some(127)
    }
}

/// The process groups of all running programs: whoever ends this one at once can end those too.
fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());
    RUNNING.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Set, under the lock of [`running`], when no other program may be started.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Kills every program that is running and lets no other start: for a command that is about to end.
pub fn kill_all() {
    let running = running();
    ENDING.store(true, Ordering::Relaxed);
    running.iter().for_each(|group| kill_group(*group));
}

/// Kills a program with everything it has started, as far as that has stayed in its process group.
fn kill_group(group: u32) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(group) {
        use nix::sys::signal::{Signal, killpg};
        let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = group;
}

impl Program {
    /// Starts a command of the shell. What it writes on standard error is dropped. No line that it writes may have more than
    /// `longest` bytes.
    pub fn start(command: &str, longest: usize) -> io::Result<Program> {
        let mut shell = Command::new("sh");
        let path = std::env::var("PATH").map(|path| format!("{path}:{GAMES}"));
        let command = match path.as_deref().is_ok_and(|path| is_one_program(command, path)) {
            true => format!("exec {command}"),
            false => command.to_string(),
        };
        shell.arg("-c").arg(command).stdin(Stdio::piped()).stdout(Stdio::piped());
        shell.stderr(Stdio::null());
        if let Ok(path) = path {
            shell.env("PATH", path);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let mut child = {
            // Nobody who ends all programs misses one that is being started.
            let mut running = running();
            if ENDING.load(Ordering::Relaxed) {
                return Err(io::Error::other("the command is about to end"));
            }
            let child = shell.spawn()?;
            running.insert(child.id());
            child
        };
        let (told, lines) = channel();
        let (answers, said) = sync_channel(MOST_LINES);
        if let Some(input) = child.stdin.take() {
            thread::spawn(move || pass_on(lines, input));
        }
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || listen(output, answers, longest));
        }
        Ok(Program { child, told: Some(told), said })
    }

    /// Tells it a line.
    pub fn tell(&self, line: &str) {
        if let Some(told) = &self.told {
            // Who has ended hears nothing: that shows when it should answer.
            let _ = told.send(format!("{line}\n"));
        }
    }

    /// Waits for the next line that it writes.
    pub fn hear(&mut self, deadline: Instant) -> Heard {
        match self.said.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Line::Whole(line)) => Heard::Line(line),
            Ok(Line::TooLong) => Heard::Endless,
            Err(RecvTimeoutError::Disconnected) => Heard::Gone(Ended(self.end_by(Instant::now() + GRACE))),
            Err(RecvTimeoutError::Timeout) => self.silence(),
        }
    }

    /// Its time is up. It may have ended, with somebody it has started holding its output open.
    fn silence(&mut self) -> Heard {
        match self.end_by(Instant::now()) {
            None => Heard::Nothing,
            ended => Heard::Gone(Ended(ended)),
        }
    }

    /// Waits until it has ended, but not longer than this.
    fn end_by(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(LOOK_FOR_END),
                _ => return None,
            }
        }
    }

    /// Tells programs that it is over. Those that have not ended a little later are killed.
    pub fn end(mut programs: Vec<Program>, last_line: &str) {
        for program in &mut programs {
            program.tell(last_line);
            program.told = None;
        }
        let deadline = Instant::now() + GRACE;
        for program in &mut programs {
            program.end_by(deadline);
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let mut running = running();
        kill_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
        running.remove(&self.child.id());
    }
}

/// Whether a command is one program with plain arguments. The shell then execs it: a shell that stays holds standard output open
/// and hides that the program has closed it.
fn is_one_program(command: &str, path: &str) -> bool {
    let first = command.split_whitespace().next().unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._+-".contains(c);
    let there = match first.contains('/') {
        true => Path::new(first).is_file(),
        false => std::env::split_paths(path).any(|folder| folder.join(first).is_file()),
    };
    !command.contains([';', '&', '|', '<', '>', '(', ')', '\n']) && first.chars().all(plain) && there
}

/// Writes lines as they come, until no more will or nobody reads them.
fn pass_on(lines: Receiver<String>, mut input: ChildStdin) {
    for line in lines {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines until there are no more, nobody wants them, or one has no end.
fn listen(output: ChildStdout, answers: SyncSender<Line>, longest: usize) {
    let mut output = BufReader::new(output);
    while let Ok(Some(line)) = next_line(&mut output, longest) {
        let endless = line == Line::TooLong;
        if answers.send(line).is_err() || endless {
            return;
        }
    }
}
