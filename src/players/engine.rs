//! Players that are programs of others and speak UCI or USI.

use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;

use super::spec::{Effort, Options, SpecError, read_time};
use super::{Forfeit, Playable, Player, Recipe};
use crate::games::{Referee, Spoken, legal_moves};
use crate::program::{Heard, Program};
use crate::search::Limit;

/// What stands before the command.
pub(super) const PREFIX: &str = "engine=";

/// The options, as a person types them, and what they mean.
pub(super) const OPTIONS: [(&str, &str); 7] = [
    ("engine=…:depth=N", "how many plies a program of others looks ahead, 1 to 100"),
    ("engine=…:nodes=N", "instead: how many positions it looks at"),
    ("engine=…:time=100ms", "instead: how long it thinks about a move (default 200ms)"),
    ("engine=…:variant=NAME", "what it calls the game (default: as Fairy-Stockfish does)"),
    ("engine=…:protocol=usi", "how it is talked to: uci or usi (default uci)"),
    ("engine=…:timeout=10s", "so long after its time it has lost (default 10s)"),
    ("engine=…:option.NAME=VALUE", "an option of its own, as in option.Hash=64"),
];

/// The keys of the options that are always the same.
pub(super) const KEYS: [&str; 6] = ["depth", "nodes", "time", "variant", "protocol", "timeout"];

/// What stands before the name of one of the program's own options.
const OWN_OPTION: &str = "option.";

/// How many bytes a line may have that a program writes: a long line of play has some thousand.
const LONGEST_LINE: usize = 65_536;

/// The deepest search that can be asked for.
const DEEPEST: u32 = 100;

/// Nobody interrupts a game: who ends the match ends its programs with it.
static NEVER: AtomicBool = AtomicBool::new(false);

crate::variants! {
    /// How a program is talked to.
    pub enum Dialect, "protocol of an engine" {
        /// The universal chess interface.
        Uci = "uci", "as chess programs are";
        /// The universal shogi interface.
        Usi = "usi", "as shogi programs are";
    }
}

/// How far a program may look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Allowance {
    Depth(u32),
    Nodes(u64),
    Time(Duration),
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Allowance::Depth(depth) => write!(f, "depth={depth}"),
            Allowance::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Allowance::Time(time) => write!(f, "time={time:?}"),
        }
    }
}

/// Everything about a program but its processes.
#[derive(Clone, Debug)]
struct Settings {
    command: String,
    dialect: Dialect,
    allowance: Allowance,
    /// What it calls the game, if somebody has said so.
    variant: Option<String>,
    timeout: Duration,
    /// Its own options and their values.
    options: Vec<(String, String)>,
}

/// Splits the text after `engine=` into the command and its options: a colon before `word=` begins an option, if it is not in
/// quotes.
pub(super) fn split(text: &str) -> (&str, Vec<&str>) {
    let is_option = |part: &str| {
        let key = part.split_once('=').map(|(key, _)| key);
        let letter = |c: char| c.is_ascii_alphanumeric() || " ._-".contains(c);
        key.is_some_and(|key| key.starts_with(|c: char| c.is_ascii_alphabetic()) && key.chars().all(letter))
    };
    let mut quote = None;
    let first = text.char_indices().find(|(at, c)| {
        match quote {
            None if ['\'', '"'].contains(c) => quote = Some(*c),
            Some(open) if open == *c => quote = None,
            _ => {}
        }
        *c == ':' && quote.is_none() && is_option(text[at + 1..].split(':').next().unwrap_or_default())
    });
    match first {
        Some((at, _)) => (&text[..at], text[at + 1..].split(':').collect()),
        None => (text, Vec::new()),
    }
}

/// Whether the table of players has this option.
pub(super) fn knows_option(key: &str) -> bool {
    KEYS.contains(&key) || key.strip_prefix(OWN_OPTION).is_some_and(|name| !name.is_empty())
}

impl Settings {
    fn read<G: Playable>(options: &mut Options<'_, G>, command: &str) -> Result<Settings, SpecError> {
        if command.trim().is_empty() {
            return Err(options.file_error("after engine= comes the command that starts it".to_string()));
        }
        let nodes = match options.take("nodes").map(str::parse) {
            None => None,
            Some(Ok(nodes @ 1..=1_000_000_000_000)) => Some(nodes),
            Some(_) => return Err(options.wrong("nodes", "from 1 to 1000000000000")),
        };
        let (depth, time) = (options.depth(DEEPEST)?, options.time()?);
        let allowance = match (depth, nodes, time) {
            (Some(depth), None, None) => Allowance::Depth(depth),
            (None, Some(nodes), None) => Allowance::Nodes(nodes),
            (None, None, time) => Allowance::Time(time.unwrap_or(Duration::from_millis(200))),
            _ => return Err(options.wrong("time", "the only one of depth, nodes and time")),
        };
        let timeout = match options.take("timeout").map(read_time) {
            None => Duration::from_secs(10),
            Some(Some(timeout)) => timeout,
            Some(None) => return Err(options.wrong("timeout", "from 1ms to 3600s, as in 10s")),
        };
        let dialect = options.take("protocol").map(str::parse).transpose()?.unwrap_or_default();
        let variant = options.take("variant").map(String::from);
        let own = options.rest().into_iter();
        let own = own.map(|(key, value)| (key.trim_start_matches(OWN_OPTION).to_string(), value.to_string()));
        Ok(Settings {
            command: command.to_string(),
            dialect,
            allowance,
            variant,
            timeout,
            options: own.collect(),
        })
    }

    /// The words of the protocol that differ.
    fn words(&self) -> Words {
        match self.dialect {
            Dialect::Uci => Words { hello: "uci", ok: "uciok", new_game: "ucinewgame", fen: "fen" },
            Dialect::Usi => Words { hello: "usi", ok: "usiok", new_game: "usinewgame", fen: "sfen" },
        }
    }

    fn go_line(&self) -> String {
        match (self.allowance, self.dialect) {
            (Allowance::Depth(depth), _) => format!("go depth {depth}"),
            (Allowance::Nodes(nodes), _) => format!("go nodes {nodes}"),
            (Allowance::Time(time), Dialect::Uci) => format!("go movetime {}", time.as_millis().max(1)),
            (Allowance::Time(time), Dialect::Usi) => {
                format!("go btime 0 wtime 0 byoyomi {}", time.as_millis().max(1))
            }
        }
    }

    /// How long an answer may take.
    fn patience(&self) -> Duration {
        match self.allowance {
            Allowance::Time(time) => time + self.timeout,
            _ => self.timeout,
        }
    }

    /// The game so far, for a program that is to move.
    fn position_line<G: Spoken>(&self, game: &Referee<G>) -> String {
        let (positions, moves) = (game.positions(), game.moves());
        // Who knows only of legal moves cannot follow a game in which a king was left to be taken: for them it begins later.
        let from = positions.iter().rposition(|position| position.catch().is_some()).map_or(0, |ply| ply + 1);
        let start = positions[from];
        let place = match start == G::start(start.rules()) {
            true => "startpos".to_string(),
            false => match self.dialect {
                Dialect::Uci => format!("{} {}", self.words().fen, start.fen()),
                Dialect::Usi => format!("{} {}", self.words().fen, start.sfen()),
            },
        };
        let text = |(position, m): (&G, &G::Move)| match self.dialect {
            Dialect::Uci => format!(" {}", position.move_text(*m)),
            Dialect::Usi => format!(" {}", position.usi(*m)),
        };
        let played: String = positions[from..].iter().zip(&moves[from..]).map(text).collect();
        format!("position {place}{}{played}", if played.is_empty() { "" } else { " moves" })
    }
}

struct Words {
    hello: &'static str,
    ok: &'static str,
    new_game: &'static str,
    fen: &'static str,
}

/// A process that has said hello and knows its options.
#[derive(Debug)]
struct Process {
    program: Program,
    /// What it calls itself.
    name: String,
}

impl Process {
    fn start<G: Spoken>(settings: &Settings) -> Result<Process, Forfeit> {
        let crash = |why: String| Forfeit { by: "crash", why };
        let program = Program::start(&settings.command, true, LONGEST_LINE)
            .map_err(|error| crash(format!("cannot start 'sh', which runs the command: {error}")))?;
        let mut process = Process { program, name: String::new() };
        let words = settings.words();
        process.program.tell(words.hello);
        let mut offered = Vec::new();
        let deadline = Instant::now() + settings.timeout;
        loop {
            let line =
                process.line(deadline, || format!("'{}' was not answered by '{}'", words.hello, words.ok))?;
            match line.trim() {
                line if line == words.ok => break,
                line => match (line.strip_prefix("id name "), line.strip_prefix("option name ")) {
                    (Some(name), _) => process.name = name.trim().to_string(),
                    (_, Some(option)) => offered.push(option.to_string()),
                    _ => {}
                },
            }
        }
        for (name, value) in settings.own_options::<G>(&offered).map_err(crash)? {
            process.program.tell(&format!("setoption name {name} value {value}"));
        }
        process.ready(settings)?;
        Ok(process)
    }

    /// The next line that it writes; `missing` is what to say if there is none in time.
    fn line(&mut self, deadline: Instant, missing: impl FnOnce() -> String) -> Result<String, Forfeit> {
        // Who talks without end has no more time than others.
        if Instant::now() >= deadline {
            return Err(Forfeit { by: "time", why: missing() });
        }
        match self.program.hear(deadline, &NEVER) {
            Heard::Line(line) => Ok(line),
            Heard::Endless => Err(Forfeit {
                by: "illegal move",
                why: format!("it wrote a line of more than {LONGEST_LINE} bytes"),
            }),
            Heard::Gone(ended) if ended.is_not_found() => Err(Forfeit {
                by: "crash",
                why: "the shell does not find the program: is it installed?".to_string(),
            }),
            Heard::Gone(ended) => Err(Forfeit { by: "crash", why: format!("a crash: {ended}") }),
            Heard::Nothing | Heard::Stopped => Err(Forfeit { by: "time", why: missing() }),
        }
    }

    /// Waits until it has done all it was told, whatever else it says.
    fn ready(&mut self, settings: &Settings) -> Result<(), Forfeit> {
        self.program.tell("isready");
        let deadline = Instant::now() + settings.timeout;
        let missing = || format!("time: 'isready' was not answered in {:?}", settings.timeout);
        while self.line(deadline, missing)?.trim() != "readyok" {}
        Ok(())
    }

    /// What it answers to `go`, in its own words.
    fn best_move(&mut self, settings: &Settings, position: &str) -> Result<String, Forfeit> {
        // What it said before, asked or not, is no answer to this.
        self.ready(settings)?;
        self.program.tell(position);
        self.program.tell(&settings.go_line());
        let patience = settings.patience();
        let deadline = Instant::now() + patience;
        loop {
            let line =
                self.line(deadline, || format!("time: no move after {:.1} s", patience.as_secs_f64()))?;
            if let Some(rest) = line.trim().strip_prefix("bestmove") {
                return Ok(rest.split_whitespace().next().unwrap_or_default().to_string());
            }
        }
    }
}

impl Settings {
    /// What a program is to be told that offers these options: which game it is about, and what somebody has asked for.
    fn own_options<G: Spoken>(&self, offered: &[String]) -> Result<Vec<(String, String)>, String> {
        let named = |name: &str| {
            let called = |option: &&String| {
                let option = option.split(" type ").next().unwrap_or_default();
                option.eq_ignore_ascii_case(name)
            };
            offered.iter().find(called)
        };
        let mut told = Vec::new();
        let variant = self.variant.as_deref().unwrap_or(G::VARIANT);
        match named("UCI_Variant").or_else(|| named("USI_Variant")) {
            Some(option) => {
                let mut known = option.split(" var ").skip(1).map(str::trim);
                if !known.any(|name| name == variant) {
                    return Err(format!(
                        "it does not play '{variant}': variant=NAME says what it calls the game"
                    ));
                }
                let name = option.split(" type ").next().unwrap_or_default();
                told.push((name.to_string(), variant.to_string()));
            }
            None if self.variant.is_some() => {
                return Err(format!("it has no option UCI_Variant: leave variant={variant} out"));
            }
            None => {}
        }
        for (name, value) in &self.options {
            match named(name) {
                Some(_) => told.push((name.clone(), value.clone())),
                None => return Err(format!("it has no option '{name}'")),
            }
        }
        Ok(told)
    }
}

/// A program that plays: one process for each game that is being played, kept for the next one.
#[derive(Debug)]
struct Engine<G> {
    settings: Settings,
    idle: Mutex<Vec<Process>>,
    name: OnceLock<String>,
    game: PhantomData<fn() -> G>,
}

impl<G: Playable> Engine<G> {
    fn idle(&self) -> MutexGuard<'_, Vec<Process>> {
        self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A process that waits for a game, a new one if there is none.
    fn process(&self) -> Result<Process, Forfeit> {
        let idle = self.idle().pop();
        let process = idle.map_or_else(|| Process::start::<G>(&self.settings), Ok)?;
        let _ = self.name.set(process.name.clone());
        Ok(process)
    }
}

impl<G> Drop for Engine<G> {
    fn drop(&mut self) {
        let idle = self.idle.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        Program::end(idle.drain(..).map(|process| process.program).collect(), "quit");
    }
}

/// What is needed to let a program play.
#[derive(Clone, Debug)]
struct EngineRecipe<G: Playable>(Arc<Engine<G>>);

/// The program that a text names. It is started when it is first needed.
pub(super) fn read<G: Playable>(
    options: &mut Options<'_, G>,
    command: &str,
) -> Result<Arc<dyn Recipe<G>>, SpecError> {
    let settings = Settings::read(options, command)?;
    let engine = Engine { settings, idle: Mutex::new(Vec::new()), name: OnceLock::new(), game: PhantomData };
    Ok(Arc::new(EngineRecipe(Arc::new(engine))))
}

impl<G: Playable> Recipe<G> for EngineRecipe<G> {
    fn player(&self) -> Box<dyn Player<G>> {
        Box::new(EnginePlayer { engine: self.0.clone(), process: None })
    }

    fn describe(&self) -> String {
        let Settings { command, dialect, allowance, variant, options, .. } = &self.0.settings;
        let variant = variant.as_deref().unwrap_or(G::VARIANT);
        let options: String =
            options.iter().map(|(name, value)| format!(" {OWN_OPTION}{name}={value}")).collect();
        format!("{dialect} engine '{command}' variant={variant} {allowance}{options}")
    }

    fn check(&self) -> Result<(), String> {
        let process = self.0.process().map_err(|forfeit| forfeit.why)?;
        self.0.idle().push(process);
        Ok(())
    }

    fn effort(&self) -> Effort {
        match self.0.settings.allowance {
            Allowance::Depth(depth) => Effort::Search(Limit::Depth(depth)),
            Allowance::Time(time) => Effort::Search(Limit::Time(time)),
            Allowance::Nodes(_) => Effort::None,
        }
    }

    fn knows(&self, position: &G) -> bool {
        position.is_common() || position.catch().is_some()
    }

    fn program(&self) -> Option<String> {
        Some(self.0.name.get().cloned().unwrap_or_default())
    }
}

/// A program at one game.
struct EnginePlayer<G: Playable> {
    engine: Arc<Engine<G>>,
    /// `None` before its first move, and after whatever went wrong.
    process: Option<Process>,
}

impl<G: Playable> EnginePlayer<G> {
    fn best_move(&mut self, game: &Referee<G>) -> Result<String, Forfeit> {
        let settings = &self.engine.settings;
        // Taken out: whoever goes wrong does not play on.
        let mut process = match self.process.take() {
            Some(process) => process,
            None => {
                let process = self.engine.process()?;
                process.program.tell(settings.words().new_game);
                process
            }
        };
        let answer = process.best_move(settings, &settings.position_line(game))?;
        self.process = Some(process);
        Ok(answer)
    }
}

impl<G: Playable> Player<G> for EnginePlayer<G> {
    fn choose(&mut self, game: &Referee<G>, _: &mut ChaCha8Rng) -> Result<G::Move, Forfeit> {
        let position = game.position();
        if let Some(m) = position.catch() {
            return Ok(m);
        }
        let answer = self.best_move(game)?;
        let chosen = match answer.as_str() {
            "resign" => Err(Forfeit { by: "resignation", why: "it resigned".to_string() }),
            "(none)" | "none" | "0000" | "" if is_mate(position) => {
                Err(Forfeit { by: "mate", why: "whatever it does, its king can be taken".to_string() })
            }
            "(none)" | "none" | "0000" | "" => Err(Forfeit {
                by: "no move",
                why: format!("it answered no move ('bestmove {answer}') in {position}"),
            }),
            text => position.heard_move(text).map_err(|_| {
                let short: String = text.chars().take(40).collect();
                Forfeit {
                    by: "illegal move",
                    why: format!("it answered '{short}', which is no legal move in {position}"),
                }
            }),
        };
        // Who answers nonsense has lost track of the game.
        if chosen.as_ref().is_err_and(|forfeit| forfeit.is_fault()) {
            self.process = None;
        }
        chosen
    }
}

/// Whether every move leaves the king, or what the game has for one, to be taken.
fn is_mate<G: Spoken>(position: &G) -> bool {
    legal_moves(position).into_iter().all(|m| position.play(m).catch().is_some())
}

impl<G: Playable> Drop for EnginePlayer<G> {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            self.engine.idle().push(process);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_may_have_colons_and_options_come_after() {
        assert_eq!(split("fairy-stockfish"), ("fairy-stockfish", vec![]));
        assert_eq!(split("fs:variant=dobutsu:depth=6"), ("fs", vec!["variant=dobutsu", "depth=6"]));
        assert_eq!(split("./a b:c/d:nodes=5"), ("./a b:c/d", vec!["nodes=5"]));
        assert_eq!(split("x:option.Skill Level=3"), ("x", vec!["option.Skill Level=3"]));
        assert_eq!(split("x:dpeth=3"), ("x", vec!["dpeth=3"]));
        assert_eq!(split("x 'a:b=c' \"d:e=f\":nodes=5"), ("x 'a:b=c' \"d:e=f\"", vec!["nodes=5"]));
        assert_eq!(split(""), ("", vec![]));
    }
}
