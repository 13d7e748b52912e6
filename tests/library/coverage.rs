//! Whether the 95 % intervals that are printed hold the truth in 95 % of all cases: samples are drawn from known truths, thousands of
//! times, in the ways in which the program meets them.

use dobutsu_ga::arena::{
    Cluster, ClusterSums, Estimate, PairCounts, Scored, Tally, cluster_interval, mean_interval,
    normalized_elo, rate_interval, ratings, round_robin, score_interval,
};
use dobutsu_ga::game::{Ending, Outcome, Side, Verdict};
use dobutsu_ga::random::{below, stream};
use rand_chacha::ChaCha8Rng;

const REPETITIONS: u64 = 4_000;

fn uniform(random: &mut ChaCha8Rng) -> f64 {
    (below(random, 1 << 31) as f64 + 0.5) / f64::from(1_u32 << 31)
}

fn normal(random: &mut ChaCha8Rng) -> f64 {
    let (u, v) = (uniform(random), uniform(random));
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The share of repetitions in which the interval holds the truth.
fn coverage(case: u64, truth: f64, interval: impl Fn(&mut ChaCha8Rng) -> Option<Estimate>) -> f64 {
    let (mut inside, mut all) = (0, 0);
    for repetition in 0..REPETITIONS {
        if let Some(Estimate { low, high, .. }) = interval(&mut stream(case, 0, repetition)) {
            inside += usize::from(low <= truth && truth <= high);
            all += 1;
        }
    }
    f64::from(inside as u32) / f64::from(all)
}

fn covers(what: &str, share: f64) {
    println!("{what}: {:.1} %", 100.0 * share);
    assert!((0.93..=0.97).contains(&share), "{what}: {share}");
}

/// Champions differ from seed to seed, and each plays its games: the score of a method is the mean of its champions.
#[test]
fn seeds_are_the_unit_of_what_is_said_of_a_method() {
    let champion = |random: &mut ChaCha8Rng| {
        let strength = 0.48 + 0.04 * normal(random);
        let wins = (0..600).filter(|_| uniform(random) < strength).count();
        Tally { wins: wins as u64, draws: 0, losses: 600 - wins as u64 }
    };
    for (case, seeds) in [(1, 5), (2, 30)] {
        let share = coverage(case, 0.48, |random| {
            let scores: Vec<f64> = (0..seeds).map(|_| champion(random).score()).collect();
            mean_interval(&scores)
        });
        covers(&format!("{seeds} seeds"), share);
    }
    // All games in one pot, which is what this replaces.
    let pooled = coverage(3, 0.48, |random| {
        let all = (0..30).map(|_| champion(random)).fold(Tally::default(), |all, one| all + one);
        Some(score_interval(&all, &PairCounts::default()))
    });
    assert!(pooled < 0.8, "{pooled}");
}

/// Some games go better than others; a few positions are taken from each.
#[test]
fn positions_of_one_game_are_alike() {
    let sample = |random: &mut ChaCha8Rng, games: usize, good: f64, bad: f64| {
        let mut sums = ClusterSums::default();
        for _ in 0..games {
            let rate = if uniform(random) < 0.5 { good } else { bad };
            let of = 1 + below(random, 19) as u64;
            let count = (0..of).filter(|_| uniform(random) < rate).count() as u64;
            sums.add(Cluster { count, of });
        }
        sums
    };
    for (case, games, good, bad) in
        [(11, 10, 0.9, 0.5), (12, 50, 0.9, 0.5), (13, 250, 0.9, 0.5), (14, 50, 1.0, 0.9), (15, 50, 0.6, 0.4)]
    {
        let share =
            coverage(case, (good + bad) / 2.0, |random| cluster_interval(&sample(random, games, good, bad)));
        covers(&format!("{games} games, {good} or {bad}"), share);
    }
    // Each position for itself, which is what this replaces.
    let single = coverage(16, 0.7, |random| {
        let sums = sample(random, 50, 0.9, 0.5);
        Some(rate_interval(sums.count, sums.of))
    });
    assert!(single < 0.88, "{single}");
}

/// From even to one-sided matches.
#[test]
fn normalized_elo_knows_that_the_deviation_is_measured() {
    for (case, pairs, shares) in [
        (21, 100, [0.05, 0.2, 0.5, 0.2, 0.05]),
        (22, 200, [0.02, 0.08, 0.3, 0.35, 0.25]),
        (23, 200, [0.1, 0.0, 0.4, 0.0, 0.5]),
        (24, 500, [0.002, 0.01, 0.08, 0.2, 0.708]),
        (25, 500, [0.0, 0.0, 0.02, 0.0, 0.98]),
    ] {
        let moment = |power: i32, around: f64| -> f64 {
            shares.iter().enumerate().map(|(i, share)| share * (i as f64 / 4.0 - around).powi(power)).sum()
        };
        let mean = moment(1, 0.0);
        let truth = (mean - 0.5) / (2.0 * moment(2, mean)).sqrt() * 800.0 / std::f64::consts::LN_10;
        let share = coverage(case, truth, |random| {
            let mut counts = PairCounts::default();
            for _ in 0..pairs {
                let mut left = uniform(random);
                let class = shares.iter().position(|share| {
                    left -= share;
                    left < 0.0
                });
                counts.add(class.unwrap_or(4) as u32);
            }
            normalized_elo(&counts)
        });
        covers(&format!("normalized Elo {truth:.0} in {pairs} pairs"), share);
    }
}

/// Four players with many draws, and openings that favour one side in both games of a pair.
#[test]
fn ratings_know_about_draws_and_openings() {
    const STRENGTHS: [f64; 4] = [0.6, 0.1, -0.1, -0.6];
    const ADVANTAGE: f64 = 0.15;
    let elo = |x: f64| x * 400.0 / std::f64::consts::LN_10;
    let pairings = round_robin(4, 60);
    let (mut inside, mut all) = ([0; 5], 0);
    for repetition in 0..REPETITIONS / 2 {
        let mut random = stream(31, 0, repetition);
        let mut games = Vec::new();
        for (number, pairing) in pairings.iter().enumerate() {
            let mut luck = 0.0;
            for game in 0..pairing.games {
                let (first, second) = pairing.sides(game);
                let expected = logistic(STRENGTHS[first] - STRENGTHS[second] + ADVANTAGE);
                let draws = 1.2 * expected.min(1.0 - expected);
                if game % 2 == 0 || uniform(&mut random) > 0.4 {
                    luck = uniform(&mut random);
                }
                let outcome = match luck {
                    luck if luck < expected - draws / 2.0 => Outcome::Win(Side::First),
                    luck if luck < expected + draws / 2.0 => Outcome::Draw,
                    _ => Outcome::Win(Side::Second),
                };
                let verdict = Verdict { outcome, by: Ending::Repetition };
                games.push(Scored {
                    pairing: number,
                    game,
                    first,
                    second,
                    verdict,
                    plies: 0,
                    fingerprint: 0,
                });
            }
        }
        let found = ratings(4, &games);
        let truths = STRENGTHS.into_iter().chain([ADVANTAGE]).map(elo);
        let estimates = found.players.iter().map(|rating| rating.elo).chain([found.first_mover]);
        for (inside, (truth, Estimate { low, high, .. })) in inside.iter_mut().zip(truths.zip(estimates)) {
            *inside += usize::from(low <= truth && truth <= high);
        }
        all += 1;
    }
    for (i, inside) in inside.into_iter().enumerate() {
        covers(&format!("rating {i} (4: moving first)"), f64::from(inside as u32) / f64::from(all));
    }
}
