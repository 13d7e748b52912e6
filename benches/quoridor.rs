//! How fast Quoridor is played: first the ratios to OpenSpiel, all measured in this one run on one thread, then divan's table.
//!
//! With `pip install open_spiel`, the same counted and played by that library is the yardstick (see tests/openspiel).

use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use dobutsu_ga::game::perft::perft;
use dobutsu_ga::game::{Game, Limits, Referee, Usual};
use dobutsu_ga::games::quoridor::Position;
use dobutsu_ga::random::stream;

const ROUNDS: usize = 5;
const DEPTH: u32 = 4;
const GAMES: u64 = 20_000;

/// OpenSpiel calls a game a draw after this many plies, and knows no rule about repetition.
const LIMITS: Limits = Limits { ply_cap: 324, repetition: false };

/// Leaves of perft 4 a second, and random games a second.
#[derive(Clone, Copy)]
struct Speeds {
    perft: f64,
    games: f64,
}

fn main() {
    ratios();
    divan::main();
}

#[divan::bench(sample_count = 10)]
fn perft_three() -> u64 {
    perft(black_box(&Position::start(Usual::Usual)), 3)
}

#[divan::bench(sample_count = 10)]
fn hundred_random_games() -> usize {
    (0..100).map(random_game).sum()
}

#[divan::bench(sample_count = 10)]
fn hundred_refereed_random_games() -> usize {
    (0..100).map(refereed_random_game).sum()
}

fn ratios() {
    // Taken in turn, so that a noisy moment of the machine hits all alike.
    let mut ours = Vec::new();
    let mut refereed = Vec::new();
    let mut theirs = Vec::new();
    for _ in 0..ROUNDS {
        ours.push(Speeds { perft: leaves_per_second(), games: games_per_second(random_game) });
        refereed.push(games_per_second(refereed_random_game));
        theirs.push(open_spiel());
    }
    println!("perft {DEPTH}: {:.1} million leaves/s", median(ours.iter().map(|ours| ours.perft)) / 1e6);
    println!("random games: {:.0}/s", median(ours.iter().map(|ours| ours.games)));
    println!("random games with a referee: {:.0}/s", median(refereed.iter().copied()));
    let theirs: Vec<Speeds> = match theirs.into_iter().collect() {
        Ok(theirs) => theirs,
        Err(reason) => return println!("no comparison with OpenSpiel: {reason}"),
    };
    let both = || ours.iter().zip(&theirs);
    println!(
        "OpenSpiel perft {DEPTH}: {:.1} million leaves/s; ours is {:.1} times that",
        median(theirs.iter().map(|theirs| theirs.perft)) / 1e6,
        median(both().map(|(ours, theirs)| ours.perft / theirs.perft))
    );
    println!(
        "OpenSpiel random games: {:.0}/s; ours is {:.1} times that, with a referee {:.1} times",
        median(theirs.iter().map(|theirs| theirs.games)),
        median(both().map(|(ours, theirs)| ours.games / theirs.games)),
        median(refereed.iter().zip(&theirs).map(|(refereed, theirs)| refereed / theirs.games))
    );
}

fn leaves_per_second() -> f64 {
    let begin = Instant::now();
    let leaves = perft(black_box(&Position::start(Usual::Usual)), DEPTH);
    leaves as f64 / begin.elapsed().as_secs_f64()
}

fn games_per_second(play: fn(u64) -> usize) -> f64 {
    let begin = Instant::now();
    black_box((0..GAMES).map(play).sum::<usize>());
    GAMES as f64 / begin.elapsed().as_secs_f64()
}

/// The number of plies of this game.
fn random_game(game: u64) -> usize {
    let mut random = stream(1, 0, game);
    let mut position = Position::start(Usual::Usual);
    let mut plies = 0;
    while position.outcome().is_none() && plies < LIMITS.ply_cap {
        position = position.play(position.random_move(&mut random));
        plies += 1;
    }
    plies
}

/// The same game with its history, as the arena plays it.
fn refereed_random_game(game: u64) -> usize {
    let mut random = stream(1, 0, game);
    let mut referee = Referee::within(Position::start(Usual::Usual), LIMITS);
    while referee.verdict().is_none() {
        referee.play(referee.position().random_move(&mut random));
    }
    referee.moves().len()
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// What OpenSpiel manages, or why that cannot be told.
fn open_spiel() -> Result<Speeds, String> {
    // Nothing is left behind in the checkout.
    let output = Command::new("python3").args(["-B", "tests/openspiel/speed.py"]).output();
    let output = output.map_err(|error| format!("python3 does not start ({error})"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_string());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let speed = |name: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
        value.ok_or_else(|| format!("tests/openspiel/speed.py does not tell {name} in '{text}'"))
    };
    Ok(Speeds { perft: speed("perft4 ")?, games: speed("games ")? })
}
