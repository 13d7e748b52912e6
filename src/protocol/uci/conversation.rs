//! The client talks, the player thinks in a thread of its own.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use std::{io, thread};

use super::Event;
use super::command::{Command, Go, Place, read};
use super::options::{Options, Ready, Set, visible};
use crate::game::Limits;
use crate::games::GameName;
use crate::random::stream;
use crate::search::{SearchInfo, SearchLimits, Value};
use crate::session::{Notation, Session, Start, TextGame, TextSpec, text_game};

/// At the end of its input a search with a bound may still take so long: who pipes lines wants their answer.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// No more searches than this wait for another one.
const MOST_WAITING: usize = 1_000;

/// How often somebody who must not answer before `stop` looks whether it has come.
const LOOK: Duration = Duration::from_millis(1);

/// No limits: whether a game goes on is the client's to say. Repetitions are known of.
const LIMITS: Limits = Limits { ply_cap: usize::MAX, repetition: true };

/// A conversation with one client.
pub(super) struct Conversation {
    inbox: Receiver<Event>,
    options: Options,
    /// Whether the client speaks USI.
    usi: bool,
    game: Arc<dyn TextGame>,
    rules: &'static str,
    /// The game so far, if the client has told one that makes sense.
    session: Option<Box<dyn Session>>,
    thinker: Thinker,
    /// How many searches there were.
    searches: u64,
    /// How to stop the player, while it thinks.
    thinking: Option<Thinking>,
    /// What is to be thought about after that: who pipes lines does not wait for answers.
    waiting: VecDeque<(Go, Option<Box<dyn Session>>)>,
}

struct Thinking {
    search: u64,
    stop: Arc<AtomicBool>,
    endless: bool,
}

/// What the options make of a game. Who changes the game may have options that only the other one has: then the usual player and rules.
fn prepare(game: &dyn TextGame, options: &mut Options, out: &mut dyn Write) -> io::Result<Ready> {
    loop {
        let error = match options.prepare(game) {
            Ok(ready) => return Ok(ready),
            Err(error) => error,
        };
        writeln!(out, "info string {}: the usual player and rules are taken", visible(&error))?;
        out.flush()?;
        *options = Options { depth: options.depth, ..Options::new("strong", None, options.seed) };
    }
}

impl Conversation {
    pub(super) fn new(
        game: GameName,
        mut options: Options,
        events: Sender<Event>,
        inbox: Receiver<Event>,
        out: &mut dyn Write,
    ) -> io::Result<Conversation> {
        let game = text_game(game, None);
        let Ready { rules, spec, .. } = prepare(&*game, &mut options, out)?;
        Ok(Conversation {
            session: start(&*game, rules, Start::Usual).ok(),
            thinker: Thinker::new(spec, options.seed, events),
            inbox,
            options,
            usi: false,
            game,
            rules,
            searches: 0,
            thinking: None,
            waiting: VecDeque::new(),
        })
    }

    /// Goes on with another game.
    fn change_game(&mut self, game: GameName, out: &mut dyn Write) -> io::Result<()> {
        self.stop();
        self.thinking = None;
        self.waiting.clear();
        self.game = text_game(game, None);
        let Ready { rules, spec, .. } = prepare(&*self.game, &mut self.options, out)?;
        self.rules = rules;
        self.session = start(&*self.game, rules, Start::Usual).ok();
        self.thinker.send(Job::Player(spec, self.options.seed));
        Ok(())
    }

    pub(super) fn run(mut self, out: &mut dyn Write) -> io::Result<()> {
        loop {
            let goes_on = match self.inbox.recv() {
                Ok(Event::Line(line)) => self.answer(&line, out)?,
                Ok(Event::Said(search, line)) => {
                    self.pass_on(search, &line, out)?;
                    true
                }
                Ok(Event::Answered(search, line)) => {
                    self.answered(search, &line, out)?;
                    true
                }
                Ok(Event::End) | Err(_) => {
                    self.last_words(out)?;
                    false
                }
            };
            if !goes_on {
                self.stop();
                return Ok(());
            }
        }
    }

    fn say(&self, line: &str, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{line}")?;
        out.flush()
    }

    /// What the player says, if it is still asked.
    fn pass_on(&self, search: u64, line: &str, out: &mut dyn Write) -> io::Result<()> {
        match &self.thinking {
            Some(thinking) if thinking.search == search => self.say(line, out),
            _ => Ok(()),
        }
    }

    /// The player's answer, after which the next question is its to think about.
    fn answered(&mut self, search: u64, line: &str, out: &mut dyn Write) -> io::Result<()> {
        self.pass_on(search, line, out)?;
        if self.thinking.take_if(|thinking| thinking.search == search).is_some() {
            // A question that needs no thought is answered at once.
            while self.thinking.is_none()
                && let Some((go, game)) = self.waiting.pop_front()
            {
                self.think(&go, game, out)?;
            }
        }
        Ok(())
    }

    fn complain(&self, sentence: &str, out: &mut dyn Write) -> io::Result<()> {
        self.say(&format!("info string {}", visible(sentence)), out)
    }

    /// Does what a line says; `false` if it is the last.
    fn answer(&mut self, line: &str, out: &mut dyn Write) -> io::Result<bool> {
        match read(line) {
            Command::Uci => self.introduce(false, out)?,
            Command::Usi => self.introduce(true, out)?,
            Command::IsReady => self.say("readyok", out)?,
            Command::NewGame => {
                self.session = start(&*self.game, self.rules, Start::Usual).ok();
                if let Err(error) = self.refresh(out)? {
                    self.complain(&error, out)?;
                }
            }
            Command::SetOption { name, value } => self.set_option(&name, &value, out)?,
            Command::Position { place, moves } => match self.follow(&place, &moves) {
                Ok(session) => self.session = Some(session),
                Err(error) => {
                    self.session = None;
                    self.complain(&error, out)?;
                }
            },
            Command::Go(go) => self.go(&go, out)?,
            Command::Stop => self.stop(),
            Command::Quit => return Ok(false),
            Command::Nothing => {}
            Command::Unknown => {
                let words: String = line.trim().chars().take(40).collect();
                self.complain(&format!("'{words}' is not understood"), out)?;
            }
        }
        Ok(true)
    }

    fn introduce(&mut self, usi: bool, out: &mut dyn Write) -> io::Result<()> {
        self.usi = usi;
        self.say(&format!("id name dobutsu-ga {}", env!("CARGO_PKG_VERSION")), out)?;
        self.say("id author the authors of dobutsu-ga", out)?;
        for line in self.options.lines(&*self.game, self.rules) {
            self.say(&line, out)?;
        }
        self.say(if usi { "usiok" } else { "uciok" }, out)
    }

    fn set_option(&mut self, name: &str, value: &str, out: &mut dyn Write) -> io::Result<()> {
        let before = self.options.clone();
        let error = match self.options.set(name, value) {
            Ok(Set::Ignored) => None,
            Ok(Set::Game(game)) if game == self.game.facts().name => None,
            Ok(Set::Game(game)) => return self.change_game(game, out),
            Ok(Set::Changed) => self.refresh(out)?.err(),
            Err(error) => Some(error),
        };
        if let Some(error) = error {
            self.options = before;
            self.complain(&error, out)?;
        }
        Ok(())
    }

    /// A fresh player, as the options say; or why they make none.
    fn refresh(&mut self, out: &mut dyn Write) -> io::Result<Result<(), String>> {
        let Ready { rules, spec, idle } = match self.options.prepare(&*self.game) {
            Ok(made) => made,
            Err(error) => return Ok(Err(error)),
        };
        for option in idle {
            self.complain(&format!("the option {option} has no effect on the player {spec}"), out)?;
        }
        if rules != self.rules {
            self.rules = rules;
            self.session = start(&*self.game, rules, Start::Usual).ok();
        }
        self.thinker.send(Job::Player(spec, self.options.seed));
        Ok(Ok(()))
    }

    /// The game that a client tells.
    fn follow(&self, place: &Place, moves: &[String]) -> Result<Box<dyn Session>, String> {
        let place = match place {
            Place::Start => Start::Usual,
            Place::Fen(text) => Start::Fen(text),
            Place::Sfen(text) => Start::Sfen(text),
        };
        let session = start(&*self.game, self.rules, place);
        let mut session = session.map_err(|error| format!("the position is not understood: {error}"))?;
        for text in moves {
            session.hear(text).map_err(|error| error.to_string())?;
        }
        Ok(session)
    }

    fn go(&mut self, go: &Go, out: &mut dyn Write) -> io::Result<()> {
        match &self.thinking {
            Some(thinking) if thinking.endless || self.waiting.len() >= MOST_WAITING => {
                self.complain("go came while the player thinks: send stop first", out)
            }
            Some(_) => {
                self.waiting.push_back((go.clone(), self.present()));
                Ok(())
            }
            None => self.think(go, self.present(), out),
        }
    }

    /// The game as it is now.
    fn present(&self) -> Option<Box<dyn Session>> {
        self.session.as_ref().map(|session| session.copy())
    }

    /// Lets the player find a move in a game.
    fn think(&mut self, go: &Go, game: Option<Box<dyn Session>>, out: &mut dyn Write) -> io::Result<()> {
        let game = match game {
            Some(game) if !game.is_decided() => game,
            Some(_) => return self.no_move("the game is over", out),
            None => return self.no_move("there is no position to move in", out),
        };
        let time = go.time_for(game.turn(), self.usi).filter(|_| !go.infinite);
        let stop: Arc<AtomicBool> = Arc::default();
        let limits = SearchLimits {
            depth: go.depth.map(|depth| depth.max(1)),
            nodes: go.nodes,
            time: None,
            deadline: time.map(|time| Instant::now() + time),
            infinite: go.infinite,
            stop: Some(stop.clone()),
        };
        self.searches += 1;
        let search = self.searches;
        self.thinking = Some(Thinking { search, stop, endless: go.infinite });
        let notation = if self.usi { Notation::Usi } else { Notation::Usual };
        self.thinker.send(Job::Think { search, game, limits, notation });
        Ok(())
    }

    fn no_move(&self, why: &str, out: &mut dyn Write) -> io::Result<()> {
        self.complain(why, out)?;
        self.say(&format!("bestmove {}", nothing(self.usi)), out)
    }

    fn stop(&mut self) {
        if let Some(thinking) = &self.thinking {
            thinking.stop.store(true, Ordering::Relaxed);
        }
    }

    /// The client says nothing more: what it asked for is answered, if that does not take too long.
    fn last_words(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let mut deadline = Instant::now() + LAST_WORDS;
        while let Some(thinking) = &self.thinking {
            if thinking.endless || Instant::now() >= deadline {
                thinking.stop.store(true, Ordering::Relaxed);
                deadline = Instant::now() + LAST_WORDS;
            }
            match self.inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Event::Said(search, line)) => self.pass_on(search, &line, out)?,
                Ok(Event::Answered(search, line)) => self.answered(search, &line, out)?,
                Err(RecvTimeoutError::Disconnected) => self.thinking = None,
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            }
        }
        Ok(())
    }
}

fn start(game: &dyn TextGame, rules: &str, place: Start<'_>) -> Result<Box<dyn Session>, String> {
    game.session(rules, place, Some(LIMITS))
}

/// What stands for no move.
const fn nothing(usi: bool) -> &'static str {
    if usi { "resign" } else { "(none)" }
}

/// What the player is to do.
enum Job {
    /// Be this one, with this seed.
    Player(Arc<dyn TextSpec>, u64),
    /// Find a move.
    Think { search: u64, game: Box<dyn Session>, limits: SearchLimits, notation: Notation },
}

/// The player in its thread.
struct Thinker {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Thinker {
    fn new(spec: Arc<dyn TextSpec>, seed: u64, events: Sender<Event>) -> Thinker {
        let (jobs, orders) = channel();
        let thread = thread::spawn(move || work(&*spec, seed, &orders, &events));
        Thinker { jobs: Some(jobs), thread: Some(thread) }
    }

    fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // Its thread ends only after this is dropped.
            let _ = jobs.send(job);
        }
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work(spec: &dyn TextSpec, seed: u64, jobs: &Receiver<Job>, events: &Sender<Event>) {
    let (mut player, mut random) = (spec.build(), stream(seed, 0, 0));
    for job in jobs {
        let (search, game, limits, notation) = match job {
            Job::Player(spec, seed) => {
                (player, random) = (spec.build(), stream(seed, 0, 0));
                continue;
            }
            Job::Think { search, game, limits, notation } => (search, game, limits, notation),
        };
        let begin = Instant::now();
        let usi = notation == Notation::Usi;
        let say = |line: String| {
            // Who has left hears nothing.
            let _ = events.send(Event::Said(search, line));
        };
        let mut on_info = |found: &SearchInfo<String>| say(info(found, begin.elapsed(), usi));
        let answer =
            player.choose(&*game, &mut random, &limits, notation, &mut on_info).unwrap_or_else(|forfeit| {
                say(format!("info string {}", visible(&forfeit.why)));
                nothing(usi).to_string()
            });
        let stopped = || limits.stop.as_ref().is_none_or(|stop| stop.load(Ordering::Relaxed));
        while limits.infinite && !stopped() {
            thread::sleep(LOOK);
        }
        let _ = events.send(Event::Answered(search, format!("bestmove {answer}")));
    }
}

/// How far the player has come.
fn info(found: &SearchInfo<String>, took: Duration, usi: bool) -> String {
    let SearchInfo { value, depth, nodes, line, .. } = found;
    let line: String = line.iter().map(|text| format!(" {text}")).collect();
    let speed = (*nodes as f64 / took.as_secs_f64().max(1e-6)) as u64;
    let score = score(*value, usi);
    format!("info depth {depth} score {score} nodes {nodes} nps {speed} time {} pv{line}", took.as_millis())
}

/// Hundredths of the evaluator's points, or moves until the game is decided; in USI that is counted in plies.
fn score(value: Value, usi: bool) -> String {
    let wins = value > Value::DRAW;
    match value.decided_in() {
        None => format!("cp {}", value.thousandths() / 10),
        Some(plies) => {
            // Who loses by his own move, as in Hasami, has made a move of his own too.
            let count = if usi { plies } else { plies.div_ceil(2) };
            format!("mate {}{count}", if wins || count == 0 { "" } else { "-" })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In Hasami one can lose by one's own move: that is a move too.
    #[test]
    fn mate_scores_count_moves_and_are_never_minus_zero() {
        let texts = |usi| [0, 1, 2, 3, 4].map(|plies| score(Value::loss_in(plies), usi)).join(", ");
        assert_eq!(texts(false), "mate 0, mate -1, mate -1, mate -2, mate -2");
        assert_eq!(texts(true), "mate 0, mate -1, mate -2, mate -3, mate -4");
        assert_eq!(score(Value::win_in(3), false), "mate 2");
    }
}
