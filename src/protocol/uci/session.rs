//! One game's side of the conversation: the client talks, the player thinks in a thread of its own.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::Event;
use super::command::{Command, Go, Place, read};
use super::options::{Options, Set, variant_of, visible};
use crate::games::{Limits, Referee};
use crate::lab::{GameName, Lab};
use crate::players::PlayerSpec;
use crate::random::stream;
use crate::search::{Order, Report, Value};

/// At the end of its input a search with a bound may still take so long: who pipes lines wants their answer.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// No more searches than this wait for another one.
const MOST_WAITING: usize = 1_000;

/// How often somebody who must not answer before `stop` looks whether it has come.
const LOOK: Duration = Duration::from_millis(1);

/// What does not change with the game.
pub(super) struct Desk {
    pub events: Sender<Event>,
    pub inbox: Receiver<Event>,
    pub options: Options,
    /// Whether the client speaks USI.
    pub usi: bool,
    /// How many searches there were: what one of another game still says is not for this one.
    pub searches: u64,
}

/// How a session ends.
pub(super) enum Next {
    /// The client wants to play this.
    Game(GameName),
    /// Altogether.
    End,
}

/// A conversation about one game.
pub(super) struct Session<'a, G: Lab> {
    desk: &'a mut Desk,
    rules: G::Rules,
    /// The game so far, or what was wrong with it.
    game: Result<Referee<G>, String>,
    thinker: Thinker<G>,
    /// How to stop the player, while it thinks.
    thinking: Option<Thinking>,
    /// What is to be thought about after that: who pipes lines does not wait for answers.
    waiting: VecDeque<(Go, Result<Referee<G>, String>)>,
}

struct Thinking {
    search: u64,
    stop: Arc<AtomicBool>,
    endless: bool,
}

impl<'a, G: Lab> Session<'a, G> {
    pub(super) fn new(desk: &'a mut Desk, out: &mut dyn Write) -> io::Result<Self> {
        let usual = desk.options.clone();
        let (rules, spec) = loop {
            let rules = desk.options.rules::<G>();
            match rules
                .and_then(|rules| Ok((rules, desk.options.player::<G>(rules).map_err(|e| e.to_string())?.0)))
            {
                Ok(ready) => break ready,
                // Who changes the game may have options that only the other one has.
                Err(error) => {
                    writeln!(out, "info string {}: the usual player and rules are taken", visible(&error))?;
                    out.flush()?;
                    desk.options = Options {
                        player: "strong".to_string(),
                        rules: None,
                        genome: String::new(),
                        network: String::new(),
                        table: String::new(),
                        ..usual.clone()
                    };
                }
            }
        };
        let thinker = Thinker::new(spec, desk.options.seed, desk.events.clone());
        let game = Ok(new_game(G::start(rules)));
        Ok(Session { desk, rules, game, thinker, thinking: None, waiting: VecDeque::new() })
    }

    pub(super) fn run(mut self, out: &mut dyn Write) -> io::Result<Next> {
        loop {
            let next = match self.desk.inbox.recv() {
                Ok(Event::Line(line)) => self.answer(&line, out)?,
                Ok(Event::Said(search, line)) => {
                    self.pass_on(search, &line, out)?;
                    None
                }
                Ok(Event::Answered(search, line)) => {
                    self.answered(search, &line, out)?;
                    None
                }
                Ok(Event::End) | Err(_) => {
                    self.last_words(out)?;
                    Some(Next::End)
                }
            };
            if let Some(next) = next {
                self.stop();
                return Ok(next);
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

    fn answer(&mut self, line: &str, out: &mut dyn Write) -> io::Result<Option<Next>> {
        match read(line) {
            Command::Uci => self.introduce(false, out)?,
            Command::Usi => self.introduce(true, out)?,
            Command::IsReady => self.say("readyok", out)?,
            Command::NewGame => {
                self.game = Ok(new_game(G::start(self.rules)));
                if let Err(error) = self.refresh(out)? {
                    self.complain(&error, out)?;
                }
            }
            Command::SetOption { name, value } => return self.set_option(&name, &value, out),
            Command::Position { place, moves } => {
                self.game = self.follow(&place, &moves);
                if let Err(error) = &self.game {
                    self.complain(error, out)?;
                }
            }
            Command::Go(go) => self.go(&go, out)?,
            Command::Stop => self.stop(),
            Command::Quit => return Ok(Some(Next::End)),
            Command::Nothing => {}
            Command::Unknown => {
                let words: String = line.trim().chars().take(40).collect();
                self.complain(&format!("'{words}' is not understood"), out)?;
            }
        }
        Ok(None)
    }

    fn introduce(&mut self, usi: bool, out: &mut dyn Write) -> io::Result<()> {
        self.desk.usi = usi;
        self.say(&format!("id name dobutsu-ga {}", env!("CARGO_PKG_VERSION")), out)?;
        self.say("id author the authors of dobutsu-ga", out)?;
        for line in self.desk.options.lines::<G>(self.rules) {
            self.say(&line, out)?;
        }
        self.say(if usi { "usiok" } else { "uciok" }, out)
    }

    fn set_option(&mut self, name: &str, value: &str, out: &mut dyn Write) -> io::Result<Option<Next>> {
        let before = self.desk.options.clone();
        let error = match self.desk.options.set(name, value) {
            Ok(Set::Ignored) => return Ok(None),
            Ok(Set::Game(game)) if with_game!(game, H => variant_of::<H>()) == variant_of::<G>() => {
                return Ok(None);
            }
            Ok(Set::Game(game)) => return Ok(Some(Next::Game(game))),
            Ok(Set::Changed) => self.refresh(out).map(|refreshed| refreshed.err())?,
            Err(error) => Some(error),
        };
        if let Some(error) = error {
            self.desk.options = before;
            self.complain(&error, out)?;
        }
        Ok(None)
    }

    /// A fresh player, as the options say; or why they make none.
    fn refresh(&mut self, out: &mut dyn Write) -> io::Result<Result<(), String>> {
        let options = &self.desk.options;
        let made = options.rules::<G>().and_then(|rules| {
            let (spec, idle) = options.player::<G>(rules).map_err(|error| error.to_string())?;
            Ok((rules, spec, idle))
        });
        let (rules, spec, idle) = match made {
            Ok(made) => made,
            Err(error) => return Ok(Err(error)),
        };
        for option in idle {
            self.complain(&format!("the option {option} has no effect on the player {spec}"), out)?;
        }
        if rules != self.rules {
            self.rules = rules;
            self.game = Ok(new_game(G::start(rules)));
        }
        self.thinker.send(Job::Player(spec, self.desk.options.seed));
        Ok(Ok(()))
    }

    /// The game that a client tells.
    fn follow(&self, place: &Place, moves: &[String]) -> Result<Referee<G>, String> {
        let start = match place {
            Place::Start => Ok(G::start(self.rules)),
            Place::Fen(text) => G::parse(text, self.rules),
            Place::Sfen(text) => G::parse_sfen(text, self.rules),
        };
        let mut game = new_game(start.map_err(|error| format!("the position is not understood: {error}"))?);
        for text in moves {
            let m = game.position().heard_move(text).map_err(|error| error.to_string())?;
            game.play(m);
        }
        Ok(game)
    }

    fn go(&mut self, go: &Go, out: &mut dyn Write) -> io::Result<()> {
        match &self.thinking {
            Some(thinking) if thinking.endless || self.waiting.len() >= MOST_WAITING => {
                self.complain("go came while the player thinks: send stop first", out)
            }
            Some(_) => {
                self.waiting.push_back((go.clone(), self.game.clone()));
                Ok(())
            }
            None => self.think(go, self.game.clone(), out),
        }
    }

    /// Lets the player find a move in a game.
    fn think(&mut self, go: &Go, game: Result<Referee<G>, String>, out: &mut dyn Write) -> io::Result<()> {
        let game = match game {
            Ok(game) if game.position().outcome().is_none() => game,
            Ok(_) => return self.no_move("the game is over", out),
            Err(_) => return self.no_move("there is no position to move in", out),
        };
        let time = go.time_for(game.position().side_to_move(), self.desk.usi).filter(|_| !go.infinite);
        let order = Order {
            depth: go.depth.map(|depth| depth.max(1)),
            deadline: time.map(|time| Instant::now() + time),
            nodes: go.nodes,
            endless: go.infinite,
            stop: Arc::default(),
        };
        self.desk.searches += 1;
        let search = self.desk.searches;
        self.thinking = Some(Thinking { search, stop: order.stop.clone(), endless: order.endless });
        self.thinker.send(Job::Think { search, game, order, usi: self.desk.usi });
        Ok(())
    }

    fn no_move(&self, why: &str, out: &mut dyn Write) -> io::Result<()> {
        self.complain(why, out)?;
        self.say(&format!("bestmove {}", nothing(self.desk.usi)), out)
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
            match self.desk.inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Event::Said(search, line)) => self.pass_on(search, &line, out)?,
                Ok(Event::Answered(search, line)) => self.answered(search, &line, out)?,
                Err(RecvTimeoutError::Disconnected) => self.thinking = None,
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            }
        }
        Ok(())
    }
}

/// No limits: whether a game goes on is the client's to say. Repetitions are known of.
fn new_game<G: Lab>(start: G) -> Referee<G> {
    Referee::within(start, Limits { ply_cap: usize::MAX, repetition: true })
}

/// What stands for no move.
const fn nothing(usi: bool) -> &'static str {
    if usi { "resign" } else { "(none)" }
}

/// What the player is to do.
enum Job<G: Lab> {
    /// Be this one, with this seed.
    Player(PlayerSpec<G>, u64),
    /// Find a move.
    Think { search: u64, game: Referee<G>, order: Order, usi: bool },
}

/// The player in its thread.
struct Thinker<G: Lab> {
    jobs: Option<Sender<Job<G>>>,
    thread: Option<JoinHandle<()>>,
}

impl<G: Lab> Thinker<G> {
    fn new(spec: PlayerSpec<G>, seed: u64, events: Sender<Event>) -> Thinker<G> {
        let (jobs, orders) = channel();
        let thread = thread::spawn(move || work(spec, seed, &orders, &events));
        Thinker { jobs: Some(jobs), thread: Some(thread) }
    }

    fn send(&self, job: Job<G>) {
        if let Some(jobs) = &self.jobs {
            // Its thread ends only after this is dropped.
            let _ = jobs.send(job);
        }
    }
}

impl<G: Lab> Drop for Thinker<G> {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work<G: Lab>(spec: PlayerSpec<G>, seed: u64, jobs: &Receiver<Job<G>>, events: &Sender<Event>) {
    let (mut player, mut random) = (spec.build(), stream(seed, 0, 0));
    for job in jobs {
        let (search, game, order, usi) = match job {
            Job::Player(spec, seed) => {
                (player, random) = (spec.build(), stream(seed, 0, 0));
                continue;
            }
            Job::Think { search, game, order, usi } => (search, game, order, usi),
        };
        let begin = Instant::now();
        let position = game.position();
        let say = |line: String| {
            // Who has left hears nothing.
            let _ = events.send(Event::Said(search, line));
        };
        let mut tell = |report: &Report<G::Move>| say(info(position, report, begin.elapsed(), usi));
        let answer = match player.think(&game, &mut random, &order, &mut tell) {
            Ok(m) => move_text(position, m, usi),
            Err(forfeit) => {
                say(format!("info string {}", visible(&forfeit.why)));
                nothing(usi).to_string()
            }
        };
        while order.endless && !order.stop.load(Ordering::Relaxed) {
            thread::sleep(LOOK);
        }
        let _ = events.send(Event::Answered(search, format!("bestmove {answer}")));
    }
}

fn move_text<G: Lab>(position: &G, m: G::Move, usi: bool) -> String {
    if usi { position.usi(m) } else { position.move_text(m) }
}

/// How far the player has come.
fn info<G: Lab>(position: &G, report: &Report<G::Move>, took: Duration, usi: bool) -> String {
    let Report { value, depth, nodes, line, .. } = report;
    let mut place = *position;
    let text = |m: &G::Move| {
        let text = format!(" {}", move_text(&place, *m, usi));
        place = place.play(*m);
        text
    };
    let line: String = line.iter().map(text).collect();
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
