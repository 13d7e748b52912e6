//! Networks with two heads: positions valued and batches learned, and how much of self-play that is.
//!
//! `cargo bench --bench alphazero`

use std::time::{Duration, Instant};

use dobutsu_ga::game::{Game, legal_moves};
use dobutsu_ga::games::{dobutsu, kyoto};
use dobutsu_ga::learn::alphazero::{
    AlphaZeroPreset, AlphaZeroSettings, Cycles, Evaluated, Learnable, SelfPlay,
};
use dobutsu_ga::nets::dual::{DualNetwork, Heads, InferenceNetwork, Over, Shape, Shard, StepHow, Training};
use dobutsu_ga::nets::{Planar, encoded, processor};
use dobutsu_ga::random::stream;
use rayon::prelude::*;

/// How long a piece of work takes: the quickest of several rounds.
fn quickest(rounds: usize, mut work: impl FnMut()) -> Duration {
    let once = |_| {
        let begin = Instant::now();
        work();
        begin.elapsed()
    };
    (0..rounds).map(once).min().unwrap_or_default()
}

fn positions<G: Game>(count: usize) -> Vec<G> {
    let mut random = stream(1, 2, 3);
    let start = G::start(G::Rules::default());
    let mut position = start;
    let mut all = Vec::new();
    while all.len() < count {
        position = if position.outcome().is_some() { start } else { position };
        all.push(position);
        position = position.play(position.random_move(&mut random));
    }
    all
}

fn shards<G: Planar>(shape: &Shape, positions: &[G]) -> Vec<Shard> {
    let policy = |position: &G| {
        let moves = legal_moves(position);
        moves.iter().map(|m| (position.action(*m) as u32, 1.0 / moves.len() as f32)).collect()
    };
    let shard = |part: &[G]| Shard {
        inputs: encoded(shape, part),
        policies: part.iter().map(policy).collect(),
        values: vec![0.5; part.len()],
    };
    positions.chunks(32).map(shard).collect()
}

/// Milliseconds of batches valued (half of the batch on each of two threads) and of a batch learned.
fn network<G: Planar>(filters: usize, blocks: usize, rounds: usize) {
    let shape = G::shape(filters, blocks, Heads::Pooled);
    let network = DualNetwork::random(shape, &mut stream(1, 1, 1));
    let inference = InferenceNetwork::new(&network);
    let all: Vec<G> = positions(128);
    print!("{} {filters}x{blocks}:", G::NAME);
    for batch in [1, 8, 64] {
        let part = encoded(&shape, &all[..batch]);
        let one = quickest(rounds, || _ = std::hint::black_box(inference.evaluate(&part)));
        print!(" valued b{batch} {:.2} ms,", 1e3 * one.as_secs_f64());
    }
    let halves = [encoded(&shape, &all[..32]), encoded(&shape, &all[32..64])];
    let two = quickest(rounds, || {
        halves.par_iter().for_each(|half| _ = std::hint::black_box(inference.evaluate(half)));
    });
    print!(" b64 on two threads {:.2} ms,", 1e3 * two.as_secs_f64());
    let batch = shards(&shape, &all);
    let how = StepHow { rate: 0.001, l2: 0.0001, over: Over::All };
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be had");
        let mut training = Training::new(network.clone());
        let step = pool.install(|| quickest(rounds.div_ceil(3), || _ = training.step(&batch, &how)));
        print!(" learned b128 on {threads}: {:.1} ms", 1e3 * step.as_secs_f64());
    }
    println!();
}

/// Positions valued in self-play, beside the bare network on batches of the same size.
fn self_play<G: Learnable>() {
    let settings = AlphaZeroSettings { games: 64, ..AlphaZeroSettings::preset::<G>(AlphaZeroPreset::Small) };
    let cycles = Cycles::new::<G>(&settings);
    let inference = InferenceNetwork::new(&cycles.best);
    let playing = SelfPlay::new(&settings, 1, &inference);
    let begin = Instant::now();
    let (games, Evaluated { positions: valued, batches }) = playing.play::<G>(0, &|| ());
    let time = begin.elapsed().as_secs_f64();
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    let mean = (valued as f64 / batches as f64).round() as usize;
    let inputs = encoded(inference.shape(), &positions::<G>(mean));
    let bare = quickest(50, || _ = std::hint::black_box(inference.evaluate(&inputs))).as_secs_f64();
    let (ours, bare) = (valued as f64 / time, mean as f64 / bare);
    println!(
        "{} self-play, one thread: {plies} plies, {valued} positions valued in batches of {mean} on average, {ours:.0}/s; the bare network {bare:.0}/s: {:.0} %",
        G::NAME,
        100.0 * ours / bare
    );
}

fn main() {
    println!("processor: {}, {} threads", processor(), rayon::current_num_threads());
    network::<kyoto::Position>(64, 4, 40);
    network::<dobutsu::Position>(64, 4, 40);
    network::<kyoto::Position>(128, 16, 6);
    self_play::<dobutsu::Position>();
    self_play::<kyoto::Position>();
}
