//! How fast moves are generated: first the ratios that the README claims, all measured in this one run, then divan's table.
//!
//! With Debian's `fairy-stockfish` installed, the same count by that program is the yardstick.

use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use dobutsu_ga::game::Game;
use dobutsu_ga::game::perft::{perft, perft_parallel};
use dobutsu_ga::games::{dobutsu, kyoto};

const ROUNDS: usize = 7;

/// What is counted from the start, and by what name and how deep Fairy-Stockfish counts the same.
struct Yardstick<G: Game> {
    name: &'static str,
    rules: G::Rules,
    depth: u32,
    theirs: &'static str,
    their_depth: u32,
}

fn main() {
    ratios(Yardstick::<dobutsu::Position> {
        name: "dobutsu",
        rules: dobutsu::Rules::Paper,
        depth: 9,
        theirs: "dobutsu",
        their_depth: 10,
    });
    // With the safety of the king in both: Fairy-Stockfish knows no other rules.
    ratios(Yardstick::<kyoto::Position> {
        name: "kyoto",
        rules: kyoto::Rules::Legal,
        depth: 7,
        theirs: "kyotoshogi",
        their_depth: 7,
    });
    divan::main();
}

#[divan::bench(args = dobutsu::Rules::ALL, sample_count = 10)]
fn dobutsu_one_thread(rules: dobutsu::Rules) -> u64 {
    perft(black_box(&dobutsu::Position::start(rules)), 8)
}

#[divan::bench(args = dobutsu::Rules::ALL, sample_count = 10)]
fn dobutsu_all_threads(rules: dobutsu::Rules) -> u64 {
    perft_parallel(black_box(&dobutsu::Position::start(rules)), 8)
}

#[divan::bench(args = kyoto::Rules::ALL, sample_count = 10)]
fn kyoto_one_thread(rules: kyoto::Rules) -> u64 {
    perft(black_box(&kyoto::Position::start(rules)), 6)
}

fn ratios<G: Game>(yardstick: Yardstick<G>) {
    let Yardstick { name, rules, depth, theirs, their_depth } = yardstick;
    let start = G::start(rules);
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
    let (one, two) = (pool(1), pool(2));
    let speed = |pool: &rayon::ThreadPool| {
        let begin = Instant::now();
        let leaves = pool.install(|| perft_parallel(black_box(&start), depth));
        leaves as f64 / begin.elapsed().as_secs_f64()
    };
    // Taken in turn, so that a noisy moment of the machine hits all alike.
    let rounds: Vec<[f64; 2]> = (0..ROUNDS).map(|_| [speed(&one), speed(&two)]).collect();
    let single = median(rounds.iter().map(|round| round[0]));
    println!("{name} perft {depth}, one thread: {:.0} million leaves/s", single / 1e6);
    let ratio = median(rounds.iter().map(|round| round[1] / round[0]));
    println!("{name} perft {depth}, two threads: {ratio:.2} times one");
    match fairy_stockfish(theirs, their_depth) {
        Some(speed) => println!(
            "fairy-stockfish {theirs} perft {their_depth}: {:.1} million leaves/s; ours is {:.0} times that",
            speed / 1e6,
            single / speed
        ),
        None => println!("fairy-stockfish is not installed: no comparison"),
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Leaves a second of `go perft DEPTH`, the start-up of the program not counted.
fn fairy_stockfish(variant: &str, depth: u32) -> Option<f64> {
    let count = |depth: u32| {
        let path = Path::new("/usr/games/fairy-stockfish");
        let program = if path.exists() { path } else { Path::new("fairy-stockfish") };
        let begin = Instant::now();
        let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let script = format!(
            "setoption name UCI_Variant value {variant}\nposition startpos\ngo perft {depth}\nquit\n"
        );
        child.stdin.take()?.write_all(script.as_bytes()).ok()?;
        let output = String::from_utf8(child.wait_with_output().ok()?.stdout).ok()?;
        let seconds = begin.elapsed().as_secs_f64();
        let leaves: f64 = output.split("Nodes searched: ").nth(1)?.trim().parse().ok()?;
        Some((leaves, seconds))
    };
    let (_, start_up) = count(1)?;
    // The best of three: on a busy machine a single count would flatter ours.
    let speeds = (0..3).filter_map(|_| count(depth)).map(|(leaves, seconds)| leaves / (seconds - start_up));
    speeds.max_by(f64::total_cmp)
}
