//! Players that are external programs. Each protocol is a small implementation of one thing: `uci` has UCI and USI, `course` the
//! one of a course on Quoridor.

mod course;
mod uci;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;

use super::{Effort, Entry, Forfeit, Options, Playable, Player, PlayerOption, Recipe, SpecError};
use crate::game::{Coordinates, Ending, Game, Referee, Side};
use crate::program::{Heard, Program};
use crate::search::{SearchInfo, SearchLimits};
use crate::values::Values;

/// What stands before the command.
pub(super) const PREFIX: &str = "engine=";

/// An external engine.
pub(super) fn entry<G: Playable>() -> Entry<G> {
    let nodes = Values::Integer(1..=1_000_000_000_000);
    let depth = Values::Integer(1..=MAX_DEPTH.into());
    let option =
        |form: &str, values: Values, help: &str| PlayerOption::new(format!("engine=…:{form}"), values, help);
    let time = "instead: how long it thinks about a move (default 200ms; course: may think, 5s)";
    let protocol = "how it is talked to: uci, usi, or course (quoridor) (default uci)";
    let timeout = "so long after its time it has lost; course: to answer its side (default 10s)";
    let coordinates = "course: file-rank or rank-file (default file-rank)";
    Entry {
        name: "engine=COMMAND",
        group: "engine",
        help: "an external engine that speaks UCI or USI, as in engine=fairy-stockfish:depth=6",
        options: vec![
            option("depth=N", depth, "how many plies an external engine looks ahead, 1 to 100"),
            option("nodes=N", nodes, "instead: how many positions it looks at"),
            option("time=100ms", Values::Time, time),
            option("variant=NAME", Values::Text, "what it calls the game (default: as Fairy-Stockfish does)"),
            option("protocol=usi", Values::Text, protocol),
            option("timeout=10s", Values::Time, timeout),
            option("coordinates=ORDER", Values::Text, coordinates),
            option("option.NAME=VALUE", Values::Text, "an option of its own, as in option.Hash=64"),
        ],
        make: |options| match options.programs_forbidden() {
            Some(why) => Err(options.file_error(why.to_string())),
            None => {
                let settings = Settings::read::<G>(options)?;
                let protocol = settings.protocol();
                let (idle, name) = (Mutex::new(Vec::new()), OnceLock::new());
                Ok(Arc::new(EngineRecipe(Arc::new(Engine { settings, protocol, idle, name }))))
            }
        },
    }
}

/// What stands before the name of one of the program's own options.
const OWN_OPTION: &str = "option.";

/// What the options of UCI and USI must be in the course's protocol.
const NOT_IN_COURSE: &str = "left out: protocol=course takes time, timeout and coordinates";

/// The deepest search that can be asked for.
const MAX_DEPTH: u32 = 100;

crate::variants! {
    /// How a program is talked to.
    pub enum Dialect, "protocol of an engine" {
        /// The universal chess interface.
        Uci = "uci", "as chess programs are";
        /// The universal shogi interface.
        Usi = "usi", "as shogi programs are";
        /// The protocol of a course on Quoridor.
        Course = "course", "in lists of whole numbers";
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
    coordinates: Coordinates,
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

impl Settings {
    fn read<G: Playable>(options: &Options<'_>) -> Result<Settings, SpecError> {
        if options.argument.trim().is_empty() {
            return Err(options.file_error("after engine= comes the command that starts it".to_string()));
        }
        let dialect = options.get("protocol").map(str::parse).transpose()?.unwrap_or_default();
        Settings::check_dialect::<G>(options, dialect)?;
        let usual = Duration::from_millis(if dialect == Dialect::Course { 5_000 } else { 200 });
        let allowance = match (options.number("depth"), options.number("nodes"), options.time("time")) {
            (Some(depth), None, None) => Allowance::Depth(depth),
            (None, Some(nodes), None) => Allowance::Nodes(nodes),
            (None, None, time) => Allowance::Time(time.unwrap_or(usual)),
            _ => return Err(options.wrong("time", "the only one of depth, nodes and time")),
        };
        let own = options.with_prefix(OWN_OPTION);
        if let Some((name, _)) = own.first().filter(|_| dialect == Dialect::Course) {
            return Err(options.wrong(&format!("{OWN_OPTION}{name}"), NOT_IN_COURSE));
        }
        Ok(Settings {
            command: options.argument.to_string(),
            dialect,
            allowance,
            variant: options.get("variant").map(String::from),
            timeout: options.time("timeout").unwrap_or(Duration::from_secs(10)),
            coordinates: options.get("coordinates").map(str::parse).transpose()?.unwrap_or_default(),
            options: own,
        })
    }

    /// Whether the game has this protocol, and that the options.
    fn check_dialect<G: Playable>(options: &Options<'_>, dialect: Dialect) -> Result<(), SpecError> {
        if dialect != Dialect::Course {
            let must = "left out: only protocol=course has an order of coordinates";
            return if options.get("coordinates").is_some() {
                Err(options.wrong("coordinates", must))
            } else {
                Ok(())
            };
        }
        if G::COURSE.is_none() {
            return Err(options.wrong("protocol", format!("uci or usi: {} has no course protocol", G::NAME)));
        }
        match ["depth", "nodes", "variant"].into_iter().find(|key| options.get(key).is_some()) {
            Some(key) => Err(options.wrong(key, NOT_IN_COURSE)),
            None => Ok(()),
        }
    }

    fn protocol<G: Playable>(&self) -> Box<dyn Protocol<G>> {
        match (self.dialect, G::COURSE) {
            (Dialect::Uci, _) => Box::new(uci::uci()),
            (Dialect::Course, Some(text)) => Box::new(text),
            (Dialect::Usi, _) | (Dialect::Course, None) => Box::new(uci::usi()),
        }
    }

    /// How long the answer to a position may take.
    fn patience(&self) -> Duration {
        match self.allowance {
            Allowance::Time(time) if self.dialect == Dialect::Course => time,
            Allowance::Time(time) => time + self.timeout,
            _ => self.timeout,
        }
    }
}

/// How programs are talked to.
trait Protocol<G: Game>: Send + Sync {
    /// How many bytes a line may have that a program writes.
    fn longest_line(&self) -> usize;

    /// Makes a process ready that has just been started. Returns what it calls itself.
    fn hello(&self, process: &mut Process, settings: &Settings) -> Result<String, Forfeit>;

    /// A game begins in which it has this side.
    fn new_game(&self, process: &mut Process, settings: &Settings, side: Side) -> Result<(), Forfeit>;

    /// Its move in a game in which it is to move.
    fn choose(
        &self,
        process: &mut Process,
        settings: &Settings,
        game: &Referee<G>,
    ) -> Result<G::Move, Forfeit>;

    /// The line after which it ends.
    fn farewell(&self) -> &'static str;

    /// Whether a process plays one game after another.
    fn plays_on(&self) -> bool;
}

/// A process that has said hello.
#[derive(Debug)]
struct Process {
    program: Program,
    longest: usize,
    /// What it calls itself.
    name: String,
}

impl Process {
    fn tell(&self, line: &str) {
        self.program.tell(line);
    }

    /// The next line that it writes; `missing` is what to say if there is none in time.
    fn line(&mut self, deadline: Instant, missing: impl FnOnce() -> String) -> Result<String, Forfeit> {
        let forfeit = |by, why| Err(Forfeit { by, why });
        // Who talks without end has no more time than others.
        if Instant::now() >= deadline {
            return forfeit(Ending::Time, missing());
        }
        match self.program.hear(deadline) {
            Heard::Line(line) => Ok(line),
            Heard::Endless => {
                forfeit(Ending::IllegalMove, format!("it wrote a line of more than {} bytes", self.longest))
            }
            Heard::Gone(ended) if ended.is_not_found() => {
                forfeit(Ending::Crash, "the shell does not find the program: is it installed?".to_string())
            }
            Heard::Gone(ended) => forfeit(Ending::Crash, format!("a crash: {ended}")),
            Heard::Nothing => forfeit(Ending::Time, missing()),
        }
    }
}

/// No program writes an answer of such a length: the begin says what it was.
fn short(answer: &str) -> String {
    answer.trim().chars().take(40).collect()
}

/// The sentence about a move that the rules do not allow.
fn illegal<G: Game>(answer: &str, position: &G, hint: &str) -> Forfeit {
    let why = format!("it answered '{}', which is no legal move in {position}{hint}", short(answer));
    Forfeit { by: Ending::IllegalMove, why }
}

/// A program that plays: one process for each game that is being played. Those that play on are kept for the next one.
struct Engine<G: Playable> {
    settings: Settings,
    protocol: Box<dyn Protocol<G>>,
    idle: Mutex<Vec<Process>>,
    name: OnceLock<String>,
}

impl<G: Playable> Engine<G> {
    fn idle(&self) -> MutexGuard<'_, Vec<Process>> {
        self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A process that waits for a game, a new one if there is none.
    fn process(&self) -> Result<Process, Forfeit> {
        let idle = self.idle().pop();
        let process = idle.map_or_else(|| self.start(), Ok)?;
        let _ = self.name.set(process.name.clone());
        Ok(process)
    }

    fn start(&self) -> Result<Process, Forfeit> {
        let longest = self.protocol.longest_line();
        let program = Program::start(&self.settings.command, longest).map_err(|error| {
            let why = format!("cannot start 'sh', which runs the command: {error}");
            Forfeit { by: Ending::Crash, why }
        })?;
        let mut process = Process { program, longest, name: String::new() };
        process.name = self.protocol.hello(&mut process, &self.settings)?;
        Ok(process)
    }

    /// The process has played its game.
    fn put_back(&self, process: Process) {
        if self.protocol.plays_on() {
            self.idle().push(process);
        } else {
            Program::end(vec![process.program], self.protocol.farewell());
        }
    }
}

impl<G: Playable> fmt::Debug for Engine<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.settings.fmt(f)
    }
}

impl<G: Playable> Drop for Engine<G> {
    fn drop(&mut self) {
        let idle = self.idle.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        let programs = idle.drain(..).map(|process| process.program).collect();
        Program::end(programs, self.protocol.farewell());
    }
}

/// What is needed to let a program play.
#[derive(Clone, Debug)]
struct EngineRecipe<G: Playable>(Arc<Engine<G>>);

impl<G: Playable> Recipe<G> for EngineRecipe<G> {
    fn player(&self) -> Box<dyn Player<G>> {
        Box::new(EnginePlayer { engine: self.0.clone(), process: None })
    }

    fn describe(&self) -> String {
        let Settings { command, dialect, allowance, variant, coordinates, options, .. } = &self.0.settings;
        let variant = match dialect {
            Dialect::Course => format!("coordinates={coordinates}"),
            _ => format!("variant={}", variant.as_deref().unwrap_or(G::VARIANT)),
        };
        let options: String =
            options.iter().map(|(name, value)| format!(" {OWN_OPTION}{name}={value}")).collect();
        format!("{dialect} engine '{command}' {variant} {allowance}{options}")
    }

    fn check(&self, text: &str, _: G::Rules) -> Result<(), SpecError> {
        let engine = &self.0;
        let checked = engine.process().and_then(|mut process| {
            if !engine.protocol.plays_on() {
                engine.protocol.new_game(&mut process, &engine.settings, Side::First)?;
            }
            engine.put_back(process);
            Ok(())
        });
        checked.map_err(|forfeit| SpecError::File { player: text.to_string(), why: forfeit.why })
    }

    fn effort(&self) -> Effort {
        match self.0.settings.allowance {
            Allowance::Depth(depth) => Effort::Depth(depth),
            Allowance::Time(time) => Effort::Time(time),
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

impl<G: Playable> Player<G> for EnginePlayer<G> {
    fn choose(
        &mut self,
        game: &Referee<G>,
        _: &mut ChaCha8Rng,
        _: &SearchLimits,
        _: &mut dyn FnMut(&SearchInfo<G::Move>),
    ) -> Result<G::Move, Forfeit> {
        let position = game.position();
        if let Some(m) = position.catch() {
            return Ok(m);
        }
        let Engine { settings, protocol, .. } = &*self.engine;
        // Taken out: a process that goes wrong does not play on.
        let (mut process, is_new) = match self.process.take() {
            Some(process) => (process, false),
            None => (self.engine.process()?, true),
        };
        let begun = match is_new {
            true => protocol.new_game(&mut process, settings, position.side_to_move()),
            false => Ok(()),
        };
        let chosen = begun.and_then(|()| protocol.choose(&mut process, settings, game));
        match &chosen {
            // Who answers nonsense has lost track of the game.
            Err(forfeit) if forfeit.is_fault() => Program::end(vec![process.program], protocol.farewell()),
            _ => self.process = Some(process),
        }
        chosen
    }
}

impl<G: Playable> Drop for EnginePlayer<G> {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            self.engine.put_back(process);
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
