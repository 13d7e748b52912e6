//! What more machines can give: how evenly islands take, how long they wait for each other, how large messages are, and where the first
//! process becomes the bottleneck. The table of docs/cluster.md is made from this.

use std::hint::black_box;
use std::time::Instant;

use dobutsu_ga::crew::Work;
use dobutsu_ga::experiment::{Apart, GenerationRow, Tuning};
use dobutsu_ga::game::Game;
use dobutsu_ga::games::{dobutsu, kyoto};
use dobutsu_ga::learn::Settings;
use dobutsu_ga::learn::alphazero::{
    AlphaZeroPreset, AlphaZeroSettings, Cycles, Evaluated, GameRecord, Learnable, SelfPlay,
};
use dobutsu_ga::learn::ga::{Generation, State};
use dobutsu_ga::nets::dual::InferenceNetwork;
use dobutsu_ga::players::Playable;
use dobutsu_ga::random::{below, stream};

/// After how many generations islands meet.
const EVERY: u32 = 100;

fn main() {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread starts");
    one.install(|| {
        islands::<dobutsu::Position>(2_000);
        islands::<kyoto::Position>(60);
        self_play::<dobutsu::Position>();
        self_play::<kyoto::Position>();
    });
}

fn packed<T: serde::Serialize>(value: &T) -> Vec<u8> {
    rmp_serde::to_vec_named(value).expect("numbers can be packed")
}

/// Islands of the paper's five candidates, on one thread.
fn islands<G: Playable>(generations: u32) {
    let settings =
        Settings { generations: Some(generations), converge_window: 100_000, ..Settings::paper::<G>() };
    let mut tuning = Tuning::<G>::new(&settings);
    let (mut seconds, mut games) = (Vec::new(), 0);
    while !tuning.is_finished() {
        let begin = Instant::now();
        games += tuning.advance().iter().map(|generation| generation.trials.games).sum::<u64>();
        seconds.push(begin.elapsed().as_secs_f64());
    }
    let mean = seconds.iter().sum::<f64>() / seconds.len() as f64;
    let spread = (seconds.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / seconds.len() as f64).sqrt();
    println!(
        "{}: {:.0} games/s on a thread; a generation takes {:.3} ms, standard deviation {:.3} ms",
        G::NAME,
        games as f64 / seconds.iter().sum::<f64>(),
        1e3 * mean,
        1e3 * spread
    );
    for count in [8, 64, 1000] {
        println!(
            "  {count} islands on as many cores: {:.0} % of the time is work",
            100.0 * efficiency(&seconds, count)
        );
    }
    let settings = Settings { islands: 2, ..settings }.settled();
    let state = Tuning::<G>::new(&settings).islands()[0].clone();
    let apart: Apart<G> = Apart::new(&settings, EVERY);
    let (item, output) = ((0, state.clone()), apart.run(&(0, state), &|| ()));
    let (out, back) = (packed(&item), packed(&output));
    let genes = settings.genes.genes(&G::WEIGHTS);
    let begin = Instant::now();
    const ROUNDS: u32 = 200;
    for _ in 0..ROUNDS {
        let (_, generations): (State, Vec<Generation>) =
            rmp_serde::from_slice(&back).expect("what was packed");
        for generation in &generations {
            black_box(GenerationRow::new(generation, genes).record());
        }
    }
    let each = begin.elapsed().as_secs_f64() / f64::from(ROUNDS);
    println!(
        "  {EVERY} generations of an island: {} bytes out, {} back, {:.3} ms of the first process: enough for {:.0} islands at a time",
        out.len(),
        back.len(),
        1e3 * each,
        mean * f64::from(EVERY) / each
    );
}

/// How much of the time so many islands work, if all wait for the slowest every [`EVERY`] generations.
fn efficiency(seconds: &[f64], islands: u64) -> f64 {
    const MEETINGS: u64 = 50;
    let (mut work, mut waited) = (0.0, 0.0);
    for meeting in 0..MEETINGS {
        let times: Vec<f64> = (0..islands)
            .map(|island| {
                let mut random = stream(1, meeting, island);
                (0..EVERY).map(|_| seconds[below(&mut random, seconds.len())]).sum()
            })
            .collect();
        work += times.iter().sum::<f64>() / islands as f64;
        waited += times.iter().copied().fold(0.0, f64::max);
    }
    work / waited
}

/// A group of games of a network against itself.
fn self_play<G: Learnable>() {
    let settings = AlphaZeroSettings { games: 64, ..AlphaZeroSettings::preset::<G>(AlphaZeroPreset::Small) };
    let cycles = Cycles::new::<G>(&settings);
    let inference = InferenceNetwork::new(&cycles.best);
    let begin = Instant::now();
    let (games, Evaluated { positions, .. }) = SelfPlay::new(&settings, 1, &inference).play::<G>(0, &|| ());
    let time = begin.elapsed().as_secs_f64();
    println!(
        "{} self-play: a group of 64 games takes {time:.1} s of a thread ({:.0} positions valued a second); {} bytes out, {} back",
        <G as Game>::NAME,
        positions as f64 / time,
        cycles.best.to_bytes(G::NAME, "").len(),
        GameRecord::to_bytes(&games, "").len()
    );
}
