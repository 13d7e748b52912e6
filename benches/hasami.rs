//! Hasami Shogi: perft and random play beside the plain rules, and what a training step of the deep Q-learner takes, by part.
//!
//! `cargo bench --bench hasami`

#[path = "../tests/slow/hasami.rs"]
#[allow(dead_code)]
mod slow;

use std::time::{Duration, Instant};

use dobutsu_ga::game::perft::perft;
use dobutsu_ga::game::{Game, Referee};
use dobutsu_ga::games::hasami::dqn::{Dqn, DqnPreset, DqnSettings, Episode};
use dobutsu_ga::games::hasami::{Position, Rules};
use dobutsu_ga::nets::processor;
use dobutsu_ga::random::stream;
use rayon::prelude::*;
use slow::Slow;

/// How long a piece of work takes: the median of several rounds.
fn median(rounds: usize, mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..rounds)
        .map(|_| {
            let begin = Instant::now();
            work();
            begin.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[rounds / 2]
}

fn main() {
    println!("processor: {}, {} threads", processor(), rayon::current_num_threads());
    rules();
    random_play();
    step();
    profile();
}

fn rules() {
    let start = Position::start(Rules::Report);
    let slow = Slow::new(&start.to_string(), Rules::Report);
    let ours = median(9, || assert_eq!(perft(&start, 3), 254_219));
    let theirs = median(3, || assert_eq!(slow::perft(&slow, 3), 254_219));
    let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
    println!("perft 3, one thread: {ours:?}, by the plain rules {theirs:?}: {ratio:.0} times");
    // As moves are played, not only counted.
    let played = median(5, || {
        let mut random = stream(1, 1, 1);
        let mut position = start;
        for _ in 0..20_000 {
            position = if position.outcome().is_some() { start } else { position };
            position = position.play(position.random_move(&mut random));
        }
    });
    let slowly = median(3, || {
        let mut random = stream(1, 1, 1);
        let mut position = slow.clone();
        for _ in 0..20_000 {
            position = if position.winner().is_some() { slow.clone() } else { position };
            let moves = position.moves();
            position = position.play(moves[dobutsu_ga::random::below(&mut random, moves.len())]);
        }
    });
    println!(
        "20,000 random plies: {played:?}, by the plain rules {slowly:?}: {:.0} times",
        slowly.as_secs_f64() / played.as_secs_f64()
    );
}

fn random_play() {
    let games = 4000;
    let game = |number: u64| {
        let mut random = stream(1, 0, number);
        let mut referee = Referee::new(Position::start(Rules::Report));
        while referee.verdict().is_none() {
            referee.play(referee.position().random_move(&mut random));
        }
        referee.moves().len()
    };
    let mut plies = 0;
    let time = median(5, || plies = (0..games).into_par_iter().map(game).sum::<usize>());
    println!("random play with a referee: {:.2} million plies/s", plies as f64 / time.as_secs_f64() / 1e6);
}

/// A learner that remembers enough to learn from.
fn learner(preset: DqnPreset) -> Dqn {
    let settings =
        DqnSettings { episodes: 100_000, update_interval: 1_000_000, ..DqnSettings::preset(preset) };
    let mut learner = Dqn::new(&settings).expect("random is known");
    while learner.replay.len() < 5000 {
        learner.episode().expect("nothing is learned yet");
    }
    learner
}

fn step() {
    for preset in [DqnPreset::Sound, DqnPreset::Paper] {
        let mut learner = learner(preset);
        let batch: Vec<_> = (0..256).map(|i| *learner.replay.get(i * 17)).collect();
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
            let time = pool.install(|| {
                median(41, || {
                    learner.learn(&batch);
                })
            });
            println!(
                "training step, {preset}, batch 256, {threads} threads: {:.2} ms",
                time.as_secs_f64() * 1e3
            );
        }
    }
}

/// Where the time of learning goes: games with and without their updates.
fn profile() {
    let settings = DqnSettings { epsilon: 0.1, ..DqnSettings::preset(DqnPreset::Sound) };
    let mut whole = Dqn::new(&settings).expect("random is known");
    let begin = Instant::now();
    let mut plies = 0;
    while plies < 3000 {
        whole.episode().expect("it has just begun");
        plies = whole.plies;
    }
    let whole_time = begin.elapsed().as_secs_f64() / plies as f64;
    let network = whole.network.clone();
    let (mut played, mut remembered) = (0, Vec::new());
    let begin = Instant::now();
    for number in 0..whole.episodes() {
        let opponent = settings.opponents().expect("they are known")[0].clone();
        let mut episode = Episode::new(&settings, number, opponent.as_ref(), stream(1, 2, u64::from(number)));
        while episode.score().is_none() {
            episode.ply(&network, &mut remembered);
        }
        played += remembered.len();
        remembered.clear();
    }
    let game_time = begin.elapsed().as_secs_f64() / played as f64;
    println!(
        "a remembered ply with its update: {:.3} ms; playing and choosing alone: {:.3} ms, {:.1} %",
        1e3 * whole_time,
        1e3 * game_time,
        100.0 * game_time / whole_time
    );
    let experience = std::mem::size_of::<dobutsu_ga::games::hasami::dqn::Experience>();
    println!("memory of 500,000 plies: {} MB", experience * 500_000 / 1_000_000);
}
