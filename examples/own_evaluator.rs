//! An evaluator and a player of your own: matched, rated and tuned beside those of the program.
//!
//!     cargo run --release --example own_evaluator

use dobutsu_ga::arena::{Conditions, Standings, match_pairing, play_all};
use dobutsu_ga::game::{Evaluator, Side};
use dobutsu_ga::games::dobutsu::{Kind, Position, Rules};
use dobutsu_ga::learn::OwnPlayers;
use dobutsu_ga::learn::ga::{Crossover, Plan, Probability, State};
use dobutsu_ga::players::PlayerSpec;

/// Pieces on the board, and how far the chicks have come.
#[derive(Clone, Copy, Debug)]
pub struct Chicks(pub [i32; 6]);

impl Evaluator<Position> for Chicks {
    fn value(&self, position: &Position, side: Side) -> i32 {
        let own = |side: Side| {
            let on_board = |kind: Kind| (position.kind(kind) & position.pieces(side)).len() as i32;
            let pieces: i32 =
                Kind::ALL.into_iter().zip(self.0).map(|(kind, worth)| worth * on_board(kind)).sum();
            pieces + self.0[5] * position.hand(side).pieces().count() as i32
        };
        own(side) - own(!side)
    }
}

/// A player two plies ahead with these numbers.
fn player(numbers: &[i32]) -> PlayerSpec<Position> {
    let chicks = Chicks(std::array::from_fn(|i| numbers[i]));
    PlayerSpec::evaluating("mine", chicks, 2)
}

fn conditions(seed: u64) -> Conditions<Position> {
    Conditions { opening_plies: 2, ..Conditions::new(Rules::Official, seed) }
}

/// The share of the points that numbers win against a player of the program, both sides, from random openings.
pub fn score(numbers: &[i32], opponent: &str, games: usize) -> f64 {
    let players = [player(numbers), opponent.parse().expect("a player of the program")];
    let pairings = match_pairing(games);
    let played = play_all(&players, &pairings, &conditions(1), &|| ());
    let scored: Vec<_> = played.iter().map(|game| game.scored).collect();
    Standings::new(2, &pairings, &scored).total(0).score()
}

/// The best numbers after some generations of the genetic algorithm.
pub fn tuned(generations: u32) -> Vec<i32> {
    let problem =
        OwnPlayers { genes: 6, range: 0..=500, games_per_pair: 20, conditions: conditions(2), player };
    let plan = Plan {
        seed: 3,
        population: 8,
        elite: 3,
        survivors: 3,
        crossover: Crossover::Uniform,
        mutation: Probability::new(0.2),
        convergence: None,
        hall: 0,
        hall_every: 1,
        doubt: 40,
        generations,
    };
    let mut state = State::first(&plan, &problem, Vec::new());
    while !state.is_finished(&plan) {
        state.step(&plan, &problem);
    }
    state.winner.expect("a generation was measured").genes
}

#[allow(dead_code)] // A test looks into this file too.
fn main() {
    let numbers = tuned(20);
    println!("tuned: {numbers:?}");
    println!(
        "score against the untrained piece values: {:.3}",
        score(&numbers, "material:depth=2:terminal=exact", 2_000)
    );
    println!("score against random moves: {:.3}", score(&numbers, "random", 2_000));
}
