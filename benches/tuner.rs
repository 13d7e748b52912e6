//! How fast the tuner plays: the paper's 1,600 generations with a fixed side, as ratios measured in one run.

use std::hint::black_box;
use std::time::Instant;

use dobutsu_ga::arena::play_one;
use dobutsu_ga::experiment::Tuning;
use dobutsu_ga::game::{Evaluator, Game, Referee, Side, legal_moves};
use dobutsu_ga::games::dobutsu::eval::{DobutsuEvaluator, Genome};
use dobutsu_ga::games::dobutsu::{Position, Rules};
use dobutsu_ga::learn::Settings;
use dobutsu_ga::players::{Forfeit, FullWidthPlayer, Player};
use dobutsu_ga::random::{pick, stream};
use dobutsu_ga::search::{SearchInfo, SearchLimits, Terminal};
use rand_chacha::ChaCha8Rng;

const ROUNDS: usize = 7;

fn main() {
    ratios();
    terminal_ratios();
    divan::main();
}

fn run(threads: usize) -> f64 {
    tune(threads, &Settings { fix_side: Some(Side::First), ..Settings::paper::<Position>() })
}

/// The seconds that a run takes.
fn tune(threads: usize, settings: &Settings) -> f64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
    let begin = Instant::now();
    pool.install(|| {
        let mut tuning = Tuning::<Position>::new(settings);
        while !tuning.is_finished() {
            black_box(tuning.advance());
        }
    });
    begin.elapsed().as_secs_f64()
}

/// Plain minimax with a fresh list of moves at every node: what a quick program would do.
struct Plain(DobutsuEvaluator);

impl Player<Position> for Plain {
    fn choose(
        &mut self,
        game: &Referee<Position>,
        random: &mut ChaCha8Rng,
        _: &SearchLimits,
        _: &mut dyn FnMut(&SearchInfo<<Position as Game>::Move>),
    ) -> Result<<Position as Game>::Move, Forfeit> {
        let position = game.position();
        let root = position.turn();
        let value = |position: &Position| self.0.value(position, root);
        let worst = |child: &Position| match child.outcome() {
            Some(_) => value(child),
            None => legal_moves(child).into_iter().map(|m| value(&child.play(m))).min().expect("a move"),
        };
        let values: Vec<_> =
            legal_moves(position).into_iter().map(|m| (m, worst(&position.play(m)))).collect();
        let best = values.iter().map(|(_, value)| *value).max().expect("a move");
        let moves: Vec<_> = values.into_iter().filter(|(_, value)| *value == best).map(|(m, _)| m).collect();
        Ok(pick(random, &moves))
    }
}

fn games_per_second(count: u64, player: impl Fn() -> Box<dyn Player<Position>>) -> f64 {
    let begin = Instant::now();
    for game in 0..count {
        let mut referee = Referee::new(Position::start(Rules::Paper));
        let (mut first, mut second) = (player(), player());
        black_box(play_one(&mut referee, &mut *first, &mut *second, &mut stream(1, 0, game)));
    }
    count as f64 / begin.elapsed().as_secs_f64()
}

/// The middle one of what the rounds say.
fn median<R>(rounds: &[R], value: impl Fn(&R) -> f64) -> f64 {
    let mut values: Vec<f64> = rounds.iter().map(value).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn ratios() {
    // Taken in turn, so that a noisy moment of the machine hits all alike.
    let evaluator = DobutsuEvaluator::new(Genome::BASE);
    let rounds: Vec<[f64; 4]> = (0..ROUNDS)
        .map(|_| {
            let fast =
                games_per_second(4_000, || Box::new(FullWidthPlayer::new(evaluator, 2, Terminal::Paper)));
            let plain = games_per_second(1_000, || Box::new(Plain(evaluator)));
            [run(1), run(2), fast, plain]
        })
        .collect();
    println!(
        "1600 generations (32,000 games): one thread {:.2} s, two threads {:.2} s",
        median(&rounds, |r| r[0]),
        median(&rounds, |r| r[1])
    );
    println!("two threads: {:.2} times one", median(&rounds, |r| r[0] / r[1]));
    println!(
        "one thread: {:.0} games/s, plain minimax {:.0} games/s: {:.1} times",
        median(&rounds, |r| r[2]),
        median(&rounds, |r| r[3]),
        median(&rounds, |r| r[2] / r[3])
    );
}

/// What it costs to know a finished game, or to search through it, against the paper's way.
fn terminal_ratios() {
    for (depth, generations, games) in [(2, 400, 1_000), (3, 100, 250)] {
        let modes = [Terminal::Paper, Terminal::Exact, Terminal::Through];
        // Taken in turn, so that a noisy moment of the machine hits all alike.
        let rounds: Vec<[(f64, f64); 3]> = (0..ROUNDS)
            .map(|_| {
                modes.map(|terminal| {
                    let settings = Settings {
                        fix_side: Some(Side::First),
                        generations: Some(generations),
                        depth,
                        terminal: Some(terminal),
                        ..Settings::paper::<Position>()
                    };
                    (tune(1, &settings), seconds_per_move(games, depth, terminal))
                })
            })
            .collect();
        for (i, terminal) in modes.into_iter().enumerate() {
            println!(
                "depth {depth}, terminal {terminal}: {generations} generations {:.2} s, {:.2} times paper; \
                 a move {:.2} µs, {:.2} times paper",
                median(&rounds, |r| r[i].0),
                median(&rounds, |r| r[i].0 / r[0].0),
                median(&rounds, |r| r[i].1) * 1e6,
                median(&rounds, |r| r[i].1 / r[0].1),
            );
        }
    }
}

/// Games differ in length from mode to mode: this is what a single move costs.
fn seconds_per_move(games: u64, depth: u32, terminal: Terminal) -> f64 {
    let evaluator = DobutsuEvaluator::new(Genome::BASE);
    let begin = Instant::now();
    let mut moves = 0;
    for game in 0..games {
        let mut referee = Referee::new(Position::start(Rules::Paper));
        let player = || FullWidthPlayer::new(evaluator, depth, terminal);
        let (mut first, mut second) = (player(), player());
        black_box(play_one(&mut referee, &mut first, &mut second, &mut stream(1, 0, game)));
        moves += referee.moves().len();
    }
    begin.elapsed().as_secs_f64() / moves as f64
}

#[divan::bench(args = [1, 2], sample_count = 5)]
fn fixed_side_run(threads: usize) -> f64 {
    run(threads)
}
