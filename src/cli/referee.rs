//! `dobutsu-ga referee`: two programs play each other, whoever has written them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::recorder::{Recorded, Recorder};
use super::setting::MOST_GAMES;
use super::versus::write_tallies;
use super::{CliError, GameArg, Patient, at_signal, input, needs_protocol, position, seed, tell, visible};
use crate::arena::{Conditions, Pairing, Record, Scored, Standings, match_pairing, opened};
use crate::files::quoted;
use crate::games::quoridor::Position;
use crate::games::{BySide, Game, Limits, Outcome, Referee, Side, Told, Usual};
use crate::players::read_time;
use crate::protocol::{Clock, Coordinates, End, Protocol, RefereeError, Refereed, referee};

/// Let two programs play each other, with a clock
///
/// Each command is started by the shell for every game anew, and talks on standard input and output. Who answers too late,
/// makes an illegal move, answers no move or ends has lost; what it was is said after every game. Who wins does not change
/// the exit code: it is 0 if all games were refereed.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    dobutsu-ga referee --game quoridor 'python3 mine.py' 'dobutsu-ga engine --protocol course --game quoridor report:time=4.9s'\n  \
    dobutsu-ga referee --game quoridor ./mine ./yours --games 20 --opening-plies 4 --time 1s --records games.jsonl")]
pub(super) struct Args {
    /// The first program: it has the first move in the first game
    #[arg(value_name = "CMD1")]
    a: String,
    /// The second program
    #[arg(value_name = "CMD2")]
    b: String,
    #[command(flatten)]
    game: GameArg,
    /// How referee and programs talk: course (lists of whole numbers; quoridor), see docs/quoridor-protocol.md
    #[arg(long, value_name = "PROTOCOL", default_value_t = Protocol::Course)]
    protocol: Protocol,
    /// Which number of a square comes first in what both programs read and write: file-rank (5 1 is e1) or rank-file (1 5 is e1)
    #[arg(long, value_name = "ORDER", default_value_t)]
    coordinates: Coordinates,
    /// How long an answer may take, as in 5s or 300ms
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = time)]
    time: Duration,
    /// How many games; the programs swap sides after each
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = game_count)]
    games: usize,
    /// Where random openings come from: the same seed gives the same openings
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = seed)]
    seed: u64,
    /// Begin with this many random moves, after which neither side can win at once; two games each begin alike
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=20))]
    opening_plies: u16,
    /// Begin from this position, as in 'e4 e6 10 10 h:- v:- w'
    #[arg(long, value_name = "POSITION", conflicts_with = "opening_plies")]
    start: Option<String>,
    /// Call a game a draw after this many plies
    #[arg(long, value_name = "N", default_value_t = Position::PLY_CAP as u16, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    ply_cap: u16,
    /// Write every game to this file: one line of JSON each
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Overwrite the file of records
    #[arg(long, requires = "records")]
    force: bool,
    /// Drop what the programs write on standard error, which is passed on otherwise
    #[arg(long)]
    quiet: bool,
}

fn time(text: &str) -> Result<Duration, String> {
    read_time(text).ok_or_else(|| "the time must be from 1ms to 3600s, as in 5s or 300ms".to_string())
}

fn game_count(text: &str) -> Result<usize, String> {
    let games = text.parse().ok().filter(|games| (1..=MOST_GAMES).contains(games));
    games.ok_or_else(|| format!("the number of games must be from 1 to {MOST_GAMES}"))
}

/// What the programs are called, by their number.
const NAMES: [&str; 2] = ["A", "B"];

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    if args.protocol == Protocol::Uci {
        return Err(input("programs that speak uci are players: dobutsu-ga match engine=CMD1 engine=CMD2"));
    }
    needs_protocol(args.protocol, args.game.game)?;
    let beginnings = Beginnings::new(args)?;
    let recorder =
        args.records.as_ref().map(|path| Recorder::new::<Position>(path, args.force)).transpose()?;
    let stop = stop_flag();
    let mut out = Patient::new(out);
    writeln!(out, "A: {}\nB: {}\n", visible(&args.a), visible(&args.b))?;
    let mut hall = Hall { args, beginnings, pairing: match_pairing(args.games)[0], recorder };
    let mut games = Vec::new();
    let mut slowest = [Duration::ZERO; 2];
    for number in 0..args.games {
        let played = match hall.play(number, stop) {
            Ok(played) => played,
            Err(RefereeError::Stopped) => break,
            Err(error) => return Err(input(error)),
        };
        let scored = hall.scored(number, &played);
        writeln!(out, "{}", visible(&sentence(&scored, &played)))?;
        out.flush()?;
        hall.record(number, &played)?;
        for (side, player) in [(Side::First, scored.first), (Side::Second, scored.second)] {
            slowest[player] = slowest[player].max(played.slowest[side]);
        }
        games.push(scored);
    }
    hall.recorder.take().map_or(Ok(()), Recorder::finish)?;
    let standings = Standings::new(2, &[hall.pairing], &games);
    writeln!(out)?;
    write_tallies(&mut out, &NAMES.map(str::to_string), &standings)?;
    let [a, b] = slowest.map(|time| time.as_secs_f64());
    writeln!(out, "\nSlowest moves: A {a:.3} s, B {b:.3} s; each may take {} s.", args.time.as_secs_f64())?;
    if let Some(path) = args.records.as_deref().map(quoted) {
        writeln!(out, "The games are in {path}: `dobutsu-ga replay {path}` shows them.")?;
    }
    out.finish()?;
    if games.len() < args.games {
        tell(format_args!("Stopped after {} of {} games.", games.len(), args.games));
        return Err(CliError::Stopped);
    }
    Ok(())
}

/// Set by Ctrl-C: the game under way is given up at once, but not the records.
fn stop_flag() -> &'static AtomicBool {
    static STOP: AtomicBool = AtomicBool::new(false);
    at_signal(|| STOP.store(true, Ordering::Relaxed));
    &STOP
}

/// How games begin.
enum Beginnings {
    From(Position, Limits),
    Random(Conditions<Position>),
}

impl Beginnings {
    fn new(args: &Args) -> Result<Beginnings, CliError> {
        let limits = Limits { ply_cap: usize::from(args.ply_cap), ..Limits::of::<Position>() };
        if args.opening_plies >= args.ply_cap {
            return Err(input("--opening-plies must be less than --ply-cap: no game would be played"));
        }
        if args.opening_plies == 0 {
            let start: Position = position(args.start.as_deref(), Usual::Usual)?;
            return match start.outcome() {
                Some(_) => Err(input(format!("the game is over in {start}: begin from another position"))),
                None => Ok(Beginnings::From(start, limits)),
            };
        }
        let opening_plies = usize::from(args.opening_plies);
        let conditions = Conditions { opening_plies, limits, ..Conditions::new(Usual::Usual, args.seed) };
        conditions.check().map_err(input)?;
        Ok(Beginnings::Random(conditions))
    }

    /// Both games of a pair begin alike.
    fn game(&self, number: usize) -> Referee<Position> {
        match self {
            Beginnings::From(start, limits) => Referee::within(*start, *limits),
            Beginnings::Random(conditions) => opened(conditions, 0, number as u64 / 2),
        }
    }
}

/// Where the games are played.
struct Hall<'a> {
    args: &'a Args,
    beginnings: Beginnings,
    pairing: Pairing,
    recorder: Option<Recorder>,
}

impl Hall<'_> {
    /// The commands by the side they have in a game.
    fn commands(&self, number: usize) -> BySide<&str> {
        let (first, second) = self.pairing.sides(number);
        let commands = [self.args.a.as_str(), self.args.b.as_str()];
        BySide { first: commands[first], second: commands[second] }
    }

    fn play(&self, number: usize, stop: &AtomicBool) -> Result<Refereed, RefereeError> {
        let clock =
            Clock { limit: self.args.time, order: self.args.coordinates, quiet: self.args.quiet, stop };
        referee(&self.commands(number), self.beginnings.game(number), &clock)
    }

    fn scored(&self, game: usize, played: &Refereed) -> Scored {
        let (first, second) = self.pairing.sides(game);
        let moves = played.game.moves();
        let mut hasher = DefaultHasher::new();
        moves.hash(&mut hasher);
        let (verdict, fingerprint) = (played.verdict(), hasher.finish());
        Scored { pairing: 0, game, first, second, verdict, plies: moves.len(), fingerprint }
    }

    fn record(&mut self, number: usize, played: &Refereed) -> Result<(), CliError> {
        let BySide { first, second } = self.commands(number);
        let told = Told {
            line: 1,
            names: BySide { first: first.to_string(), second: second.to_string() },
            comments: Vec::new(),
            start: played.game.positions()[0],
            moves: played.game.moves().to_vec(),
            verdict: Some(played.verdict()),
        };
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        let mut recorded = Recorded::told(told, number, self.args.seed);
        let opening_plies = usize::from(self.args.opening_plies);
        recorded.record = Record { opening_plies, repetition: true, ..recorded.record };
        recorder.write_recorded(&recorded)
    }
}

/// Who won a game, and why.
fn sentence(scored: &Scored, played: &Refereed) -> String {
    let name = |side: Side| NAMES[if side == Side::First { scored.first } else { scored.second }];
    let plies = match scored.plies {
        1 => "1 ply".to_string(),
        plies => format!("{plies} plies"),
    };
    let how = match &played.end {
        End::Ruled(verdict) => match verdict.outcome {
            Outcome::Draw => format!("drawn by {} after {plies}.", verdict.by),
            Outcome::Win(side) => {
                format!("{} has won as the {side} player, by {}, after {plies}.", name(side), verdict.by)
            }
        },
        End::Lost(side, fault) => {
            let (loser, winner) = (name(*side), name(!*side));
            let place = played.game.position();
            format!(
                "{winner} has won as the {} player after {plies}. {loser} has lost by {fault}, in {place}.",
                !*side
            )
        }
    };
    format!("game {}: {how}", scored.game + 1)
}
