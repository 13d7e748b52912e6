//! `dobutsu-ga records`: a set of games to train on.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::census::{Census, Fingerprints};
use super::recorder::Recorder;
use super::setting::{MOST_GAMES, Setting, about, players_help};
use super::{CliError, grouped, input, on_threads, players, stop_flag, tell};
use crate::arena::{Conditions, Pairing, play_until, round_robin};
use crate::command::Progress;
use crate::files::quoted;
use crate::players::Playable;
use crate::players::PlayerSpec;

/// Make a set of games to train on: everybody plays everybody, random openings, no game twice
///
/// A single player plays itself. Games with the same moves are written once, and others are played instead. The same seed
/// gives the same file on any number of threads (without players that think by the clock).
#[derive(clap::Args)]
#[command(after_help = records_help())]
pub(super) struct Args {
    /// The players
    #[arg(value_name = "PLAYER", required = true)]
    players: Vec<String>,
    /// How many different games to write
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = game_count)]
    games: usize,
    /// Where to: one line of JSON a game, or as the name ends: .pgn, .uci, .csa (kyoto)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    setting: Setting,
}

fn records_help() -> String {
    let examples = "Examples:\n  dobutsu-ga records material mobility --games 10000 --out games.jsonl\n  \
                    dobutsu-ga records B A --game kyoto --games 1000 --out games.csa\n";
    format!("{examples}\n{}", players_help())
}

fn game_count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(games @ 1..=MOST_GAMES) => Ok(games),
        _ => Err(format!("the number of games must be from 1 to {MOST_GAMES}")),
    }
}

/// How many random moves begin a game unless told otherwise: few players would differ without any.
const USUAL_PLIES: u16 = 6;

/// So many games are played for each one that is wanted, at most.
const MOST_TRIES: usize = 10;

/// No more games than this are held at once. What is written does not depend on it.
const PORTION: usize = 4_000;

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    with_game!(args.setting.game.game, G => run_for::<G>(args, out))
}

fn run_for<G: Playable>(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let players = players::<G>(&args.players)?;
    let conditions = args.setting.conditions(&players, USUAL_PLIES)?;
    let recorder = Recorder::new(&args.out, args.setting.force)?;
    let begun = Instant::now();
    let made = on_threads(args.setting.threads, || make(args.games, &players, &conditions, recorder))??;
    let speed = made.played as f64 / begun.elapsed().as_secs_f64().max(1e-9);
    let (path, names) = (quoted(&args.out), args.players.join(", "));
    writeln!(out, "Written to {path}, {names}: {}\n", about(&conditions, made.census.games))?;
    made.census.write(out)?;
    writeln!(
        out,
        "  {:<20} {:>12}",
        "duplicates left out",
        grouped((made.played - made.census.games) as u64)
    )?;
    writeln!(out, "\n{} games/s", grouped(speed.round() as u64))?;
    made.stopped.map_or(Ok(()), Err)
}

struct Made {
    census: Census,
    /// How many games were played until there were enough different ones.
    played: usize,
    /// Whether Ctrl-C kept others from being played.
    stopped: Option<CliError>,
}

/// Plays until so many different games are written.
fn make<G: Playable>(
    wanted: usize,
    players: &[PlayerSpec<G>],
    conditions: &Conditions<G>,
    mut recorder: Recorder<G>,
) -> Result<Made, CliError> {
    let pairings = meetings(players.len());
    let progress = Progress::new("playing", wanted as u64, "games");
    let mut known = Fingerprints::default();
    let mut made = Made { census: Census::default(), played: 0, stopped: None };
    let stop = stop_flag();
    while made.census.games < wanted {
        let missing = wanted - made.census.games;
        let left = wanted * MOST_TRIES - made.played;
        if left == 0 {
            return Err(too_few(&made, wanted));
        }
        let portion = missing.max(rayon::current_num_threads()).min(PORTION).min(left);
        let slots: Vec<_> = (made.played..made.played + portion).map(|n| slot(n, pairings.len())).collect();
        let (written, done) = (made.census.games, AtomicUsize::new(0));
        let step = || progress.set((written + 1 + done.fetch_add(1, Ordering::Relaxed)).min(wanted) as u64);
        for game in play_until(stop, players, &pairings, &slots, conditions, &step) {
            if made.census.games == wanted {
                break;
            }
            made.played += 1;
            if known.insert(game.scored.fingerprint) {
                let record = game.record(players, conditions);
                recorder.write(&record)?;
                made.census.add(&record);
            }
        }
        if stop.load(Ordering::Relaxed) && made.census.games < wanted {
            tell(format_args!("Stopped after {} of {wanted} games.", made.census.games));
            made.stopped = Some(CliError::Stopped);
            break;
        }
    }
    match made.stopped {
        Some(stopped) if made.census.games == 0 => Err(stopped),
        _ => {
            recorder.finish()?;
            Ok(made)
        }
    }
}

/// Who meets whom. A player that plays itself has no sides to change: every game has its own opening.
fn meetings(players: usize) -> Vec<Pairing> {
    match players {
        1 => vec![Pairing { first: 0, second: 0, games: 0, swap: false }],
        _ => round_robin(players, 0),
    }
}

/// The pairing and the number within it of the `n`th game: all pairings play two games in turn, so that each has its share.
fn slot(n: usize, pairings: usize) -> (usize, usize) {
    (n / 2 % pairings, n / (2 * pairings) * 2 + n % 2)
}

fn too_few(made: &Made, wanted: usize) -> CliError {
    let found = made.census.games;
    input(format!(
        "{} games were played and only {found} of them differ, {wanted} are wanted: take more --opening-plies, other \
         players, or --games {found}",
        made.played
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pairing_has_its_share() {
        let slots: Vec<_> = (0..10).map(|n| slot(n, 2)).collect();
        let expected = [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (0, 3), (1, 2), (1, 3), (0, 4), (0, 5)];
        assert_eq!(slots, expected);
        assert_eq!((0..4).map(|n| slot(n, 1)).collect::<Vec<_>>(), [(0, 0), (0, 1), (0, 2), (0, 3)]);
    }
}
