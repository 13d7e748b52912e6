//! How fast moves are generated: first the ratios that the README claims, all measured in this one run, then divan's table.
//!
//! With Debian's `fairy-stockfish` installed, the same count by that program is the yardstick.

use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use dobutsu_ga::games::Game;
use dobutsu_ga::games::dobutsu::{Position, Rules};
use dobutsu_ga::games::perft::{perft, perft_parallel};

const DEPTH: u32 = 9;
const ROUNDS: usize = 7;

fn main() {
    ratios();
    divan::main();
}

#[divan::bench(args = Rules::ALL, sample_count = 10)]
fn one_thread(rules: Rules) -> u64 {
    perft(black_box(&Position::start(rules)), 8)
}

#[divan::bench(args = Rules::ALL, sample_count = 10)]
fn all_threads(rules: Rules) -> u64 {
    perft_parallel(black_box(&Position::start(rules)), 8)
}

fn ratios() {
    let start = Position::start(Rules::Paper);
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
    let (one, two) = (pool(1), pool(2));
    let speed = |pool: &rayon::ThreadPool| {
        let begin = Instant::now();
        let leaves = pool.install(|| perft_parallel(black_box(&start), DEPTH));
        leaves as f64 / begin.elapsed().as_secs_f64()
    };
    // Taken in turn, so that a noisy moment of the machine hits all alike.
    let rounds: Vec<[f64; 2]> = (0..ROUNDS).map(|_| [speed(&one), speed(&two)]).collect();
    let single = median(rounds.iter().map(|round| round[0]));
    println!("perft {DEPTH}, one thread: {:.0} million leaves/s", single / 1e6);
    let ratio = median(rounds.iter().map(|round| round[1] / round[0]));
    println!("perft {DEPTH}, two threads: {ratio:.2} times one");
    match fairy_stockfish() {
        Some(theirs) => println!(
            "fairy-stockfish perft 10: {:.1} million leaves/s; ours is {:.0} times that",
            theirs / 1e6,
            single / theirs
        ),
        None => println!("fairy-stockfish is not installed: no comparison"),
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Leaves a second of `go perft 10`, the start-up of the program not counted.
fn fairy_stockfish() -> Option<f64> {
    let count = |depth: u32| {
        let path = Path::new("/usr/games/fairy-stockfish");
        let program = if path.exists() { path } else { Path::new("fairy-stockfish") };
        let begin = Instant::now();
        let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let script =
            format!("setoption name UCI_Variant value dobutsu\nposition startpos\ngo perft {depth}\nquit\n");
        child.stdin.take()?.write_all(script.as_bytes()).ok()?;
        let output = String::from_utf8(child.wait_with_output().ok()?.stdout).ok()?;
        let seconds = begin.elapsed().as_secs_f64();
        let leaves: f64 = output.split("Nodes searched: ").nth(1)?.trim().parse().ok()?;
        Some((leaves, seconds))
    };
    let (_, start_up) = count(1)?;
    let (leaves, seconds) = count(10)?;
    Some(leaves / (seconds - start_up))
}
