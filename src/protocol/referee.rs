//! The referee's side: two programs play, and who breaks the rules, the protocol or the clock has lost.

use std::fmt;
use std::io;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::course::{
    Coordinates, CourseError, END_LINE, LONGEST_LINE, is_side, position_line, read_move, short, side_line,
};
use crate::games::quoridor::{Move, Position};
use crate::games::{BySide, Game, Outcome, Referee, Side, Verdict, only_told};
use crate::program::{Ended, Heard, Program};

/// How programs are let play.
#[derive(Clone, Copy, Debug)]
pub struct Clock<'a> {
    /// How long an answer may take.
    pub limit: Duration,
    /// In which order squares are told and read.
    pub order: Coordinates,
    /// Whether what programs write on standard error is dropped.
    pub quiet: bool,
    /// Whether to stop at once.
    pub stop: &'a AtomicBool,
}

/// A game that was refereed to its end.
#[derive(Clone, Debug)]
pub struct Refereed {
    /// The game as far as it was played.
    pub game: Referee<Position>,
    /// How it ended.
    pub end: End,
    /// How long each side's slowest move took.
    pub slowest: BySide<Duration>,
}

/// How a game between programs ends.
#[derive(Clone, Debug)]
pub enum End {
    /// As the rules say.
    Ruled(Verdict),
    /// This side has lost by what it did.
    Lost(Side, Fault),
}

/// By what a program loses a game that goes on.
#[derive(Clone, Debug)]
pub enum Fault {
    /// It gave no answer; so long was waited.
    Time(Duration),
    /// The move is against the rules.
    Illegal(IllegalMove),
    /// The answer is no move.
    Garbage(CourseError),
    /// It will never answer.
    Crash(Ended),
    /// It answered something else than its side.
    Side(String),
}

/// A move against the rules.
#[derive(Clone, Debug)]
pub struct IllegalMove {
    /// The move.
    pub played: Move,
    /// What the program wrote.
    pub answer: String,
    /// What the numbers say in the other order of coordinates, where that is a legal move.
    pub swapped: Option<(Coordinates, Move)>,
}

impl IllegalMove {
    fn new(played: Move, answer: &str, position: &Position, order: Coordinates) -> IllegalMove {
        let other = order.other();
        let swapped = read_move(answer, other).ok().filter(|m| position.is_legal(*m));
        IllegalMove { played, answer: short(answer.trim()), swapped: swapped.map(|m| (other, m)) }
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (it answered '{}')", self.played, self.answer)?;
        match self.swapped {
            Some((order, m)) => write!(f, " (with --coordinates {order} that would be {m}, a legal move)"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Time(waited) => write!(f, "time: no answer after {:.3} s", waited.as_secs_f64()),
            Fault::Illegal(illegal) => write!(f, "an illegal move: {illegal}"),
            Fault::Garbage(error) => write!(f, "an answer that is no move: {error}"),
            Fault::Crash(ended) => write!(f, "a crash: {ended}"),
            Fault::Side(answer) => write!(f, "an answer that is not its side: it answered '{answer}'"),
        }
    }
}

impl Fault {
    /// In a word that records have.
    fn word(&self) -> &'static str {
        match self {
            Fault::Time(_) => "time",
            Fault::Illegal(_) | Fault::Garbage(_) => "illegal move",
            Fault::Crash(_) | Fault::Side(_) => ILLEGAL_ACTION,
        }
    }
}

/// What records say of whatever else loses a game, on either side's turn.
const ILLEGAL_ACTION: &str = "illegal action";

impl Refereed {
    /// How the game ended, in the words of records.
    pub fn verdict(&self) -> Verdict {
        match &self.end {
            End::Ruled(verdict) => *verdict,
            End::Lost(side, fault) => {
                let (won, turn) = (Outcome::Win(!*side), self.game.position().turn());
                let told =
                    only_told(fault.word(), won, turn).or_else(|| only_told(ILLEGAL_ACTION, won, turn));
                told.expect("an illegal action can end a game on either side's turn")
            }
        }
    }
}

/// Why a game could not be refereed to its end.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum RefereeError {
    #[error("cannot start 'sh', which runs the commands: {0}")]
    Start(#[from] io::Error),
    #[error("stopped")]
    Stopped,
}

/// Lets two commands play this game to its end. Each is started for this game only, and has ended when this returns.
pub fn referee(
    commands: &BySide<&str>,
    game: Referee<Position>,
    clock: &Clock<'_>,
) -> Result<Refereed, RefereeError> {
    let start = |side: Side| Program::start(commands[side], clock.quiet, LONGEST_LINE);
    let programs = BySide { first: start(Side::First)?, second: start(Side::Second)? };
    let mut table = Table { programs, game, clock, slowest: BySide::default() };
    let end = table.play()?;
    let Table { programs, game, slowest, .. } = table;
    Program::end(vec![programs.first, programs.second], END_LINE);
    Ok(Refereed { game, end, slowest })
}

/// Two programs at a game.
struct Table<'a> {
    programs: BySide<Program>,
    game: Referee<Position>,
    clock: &'a Clock<'a>,
    slowest: BySide<Duration>,
}

/// What a program is asked for: that, or by what it has lost.
type Asked<T> = Result<Result<T, Fault>, RefereeError>;

impl Table<'_> {
    fn play(&mut self) -> Result<End, RefereeError> {
        for side in Side::BOTH {
            if let Err(fault) = self.tell_side(side)? {
                return Ok(End::Lost(side, fault));
            }
        }
        loop {
            if let Some(verdict) = self.game.verdict() {
                return Ok(End::Ruled(verdict));
            }
            let side = self.game.position().turn();
            match self.ask_move(side)? {
                Ok(m) => self.game.play(m),
                Err(fault) => return Ok(End::Lost(side, fault)),
            }
        }
    }

    fn tell_side(&mut self, side: Side) -> Asked<()> {
        let answer = self.ask(side, side_line(side))?;
        Ok(answer.and_then(|(answer, _)| match is_side(&answer, side) {
            true => Ok(()),
            false => Err(Fault::Side(short(answer.trim()))),
        }))
    }

    fn ask_move(&mut self, side: Side) -> Asked<Move> {
        let position = *self.game.position();
        let (answer, took) = match self.ask(side, &position_line(&position, self.clock.order))? {
            Ok(answered) => answered,
            Err(fault) => return Ok(Err(fault)),
        };
        self.slowest[side] = self.slowest[side].max(took);
        let order = self.clock.order;
        Ok(match read_move(&answer, order) {
            Ok(m) if position.is_legal(m) => Ok(m),
            Ok(m) => Err(Fault::Illegal(IllegalMove::new(m, &answer, &position, order))),
            Err(error) => Err(Fault::Garbage(error)),
        })
    }

    /// The answer to a line, and how long it took.
    fn ask(&mut self, side: Side, line: &str) -> Asked<(String, Duration)> {
        let (heard, took) = self.programs[side].ask(line, self.clock.limit, self.clock.stop);
        match heard {
            Heard::Line(answer) => Ok(Ok((answer, took))),
            Heard::Endless => Ok(Err(Fault::Garbage(CourseError::TooLong))),
            Heard::Nothing => Ok(Err(Fault::Time(took))),
            Heard::Gone(ended) => Ok(Err(Fault::Crash(ended))),
            Heard::Stopped => Err(RefereeError::Stopped),
        }
    }
}
