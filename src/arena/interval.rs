//! How sure a result is: 95 % intervals for scores and rates, Elo, likelihood of superiority.

use statrs::distribution::{Beta, ContinuousCDF, Normal, StudentsT};

use super::{PairCounts, Tally};

/// From this many games on, the spread of the results themselves tells how sure the score is.
const MANY_GAMES: u64 = 100;

/// With this many games that all ended alike, the interval is narrower than anything that is printed.
const ALIKE_FOR_SURE: u64 = 100_000;

/// A number with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// What was measured.
    pub value: f64,
    /// 2.5 % lie below this.
    pub low: f64,
    /// 2.5 % lie above this.
    pub high: f64,
}

impl Estimate {
    /// The estimate on another scale; `scale` must not decrease.
    pub fn map(self, scale: impl Fn(f64) -> f64) -> Estimate {
        Estimate { value: scale(self.value), low: scale(self.low), high: scale(self.high) }
    }
}

/// Points per game with their interval.
///
/// From 100 games on: Student's t over pairs of games with swapped sides, or over single games where there are no pairs.
/// Below that, or if all results are alike: the posterior of a Dirichlet(½, ½, ½) prior over win, draw, loss, which stays
/// honest with few games and with none lost.
pub fn score_interval(tally: &Tally, pairs: &PairCounts) -> Estimate {
    let paired = 2 * pairs.pairs() == tally.games();
    let (units, mean, variance) = if paired {
        let (mean, variance) = pairs.moments();
        (pairs.pairs() as f64, mean, variance)
    } else {
        let games = tally.games() as f64;
        let mean = tally.score();
        let second = (tally.wins as f64 + 0.25 * tally.draws as f64) / games;
        (games, mean, second - mean * mean)
    };
    if tally.games() < MANY_GAMES || (variance < 1e-12 && tally.games() < ALIKE_FOR_SURE) {
        return dirichlet_interval(tally);
    }
    let t = StudentsT::new(0.0, 1.0, units - 1.0).expect("many games").inverse_cdf(0.975);
    // The variance of the sample, made unbiased, over the number of units.
    let half_width = t * (variance / (units - 1.0)).sqrt();
    Estimate { value: mean, low: (mean - half_width).max(0.0), high: (mean + half_width).min(1.0) }
}

fn dirichlet_interval(tally: &Tally) -> Estimate {
    let [wins, draws, losses] = [tally.wins, tally.draws, tally.losses].map(|count| count as f64 + 0.5);
    // The share of draws is a beta; what remains is split between wins and losses by another one.
    let draw_share = Beta::new(draws, wins + losses).expect("positive");
    let win_share = Beta::new(wins, losses).expect("positive");
    const SLICES: usize = 200;
    let slices: Vec<f64> =
        (0..SLICES).map(|i| draw_share.inverse_cdf((i as f64 + 0.5) / SLICES as f64)).collect();
    let below = |score: f64| {
        let one = |draw: &f64| win_share.cdf(((score - draw / 2.0) / (1.0 - draw)).clamp(0.0, 1.0));
        slices.iter().map(one).sum::<f64>() / SLICES as f64
    };
    // One who has lost (or won) every game may go on like that: the interval includes what was seen.
    let low = if tally.losses == tally.games() { 0.0 } else { solve(&below, 0.025) };
    let high = if tally.wins == tally.games() { 1.0 } else { solve(&below, 0.975) };
    Estimate { value: tally.score(), low, high }
}

/// Where a rising function on [0, 1] reaches `target`.
fn solve(rising: &dyn Fn(f64) -> f64, target: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if rising(middle) < target { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// A rate, `count` of `of`, with its interval (Beta(½, ½) prior).
pub fn rate_interval(count: u64, of: u64) -> Estimate {
    let posterior = Beta::new(count as f64 + 0.5, (of - count) as f64 + 0.5).expect("positive");
    let value = if of == 0 { 0.5 } else { count as f64 / of as f64 };
    Estimate {
        value,
        low: if count == 0 { 0.0 } else { posterior.inverse_cdf(0.025) },
        high: if count == of { 1.0 } else { posterior.inverse_cdf(0.975) },
    }
}

/// Between which counts another sample of `trials` should lie in 95 % of all cases, having seen `count` of `of`.
///
/// This is what sampling explains: both samples are finite, ours and the other one.
pub fn predictive_interval(count: u64, of: u64, trials: u64) -> (u64, u64) {
    use statrs::function::beta::ln_beta;
    use statrs::function::factorial::ln_binomial;
    let (a, b) = (count as f64 + 0.5, (of - count) as f64 + 0.5);
    let probability = |k: u64| {
        (ln_binomial(trials, k) + ln_beta(k as f64 + a, (trials - k) as f64 + b) - ln_beta(a, b)).exp()
    };
    let mut below = 0.0;
    let mut low = 0;
    for k in 0..=trials {
        let up_to = below + probability(k);
        if up_to > 0.975 {
            return (low, k);
        }
        if up_to <= 0.025 {
            low = k + 1;
        }
        below = up_to;
    }
    (low, trials)
}

/// The Elo difference that a score means; infinite for 0 and 1.
pub fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10()
}

/// How likely it is that the player is the better one, judged by wins and losses alone.
pub fn likelihood_of_superiority(tally: &Tally) -> f64 {
    let decided = tally.wins + tally.losses;
    if decided == 0 {
        return 0.5;
    }
    let lead = tally.wins as f64 - tally.losses as f64;
    Normal::standard().cdf(lead / (decided as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { wins, draws, losses }
    }

    fn close(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} is not {b}");
    }

    #[test]
    fn without_draws_the_dirichlet_interval_is_nearly_the_beta_interval() {
        // Beta(7.5, 3.5) of 7 wins and 3 losses; half a draw in the prior pulls a little to the middle.
        let estimate = score_interval(&tally(7, 0, 3), &PairCounts::default());
        let rate = rate_interval(7, 10);
        close(rate.low, 0.39418, 0.00001);
        close(rate.high, 0.90731, 0.00001);
        close(estimate.low, rate.low, 0.02);
        close(estimate.high, rate.high, 0.02);
        assert!(estimate.low > rate.low && estimate.high < rate.high);
    }

    #[test]
    fn few_games_interval_agrees_with_sampling() {
        use rand::{RngExt, SeedableRng};
        // Gamma(k + ½) variates as sums of squares of normals, normalised: the Dirichlet itself.
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let mut normal = || {
            let (u, v): (f64, f64) = (random.random(), random.random());
            (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
        };
        let mut gamma = |halves: u32| (0..halves).map(|_| normal().powi(2)).sum::<f64>();
        let mut scores: Vec<f64> = (0..100_000)
            .map(|_| {
                let (wins, draws, losses) = (gamma(2 * 5 + 1), gamma(2 * 3 + 1), gamma(2 * 2 + 1));
                (wins + draws / 2.0) / (wins + draws + losses)
            })
            .collect();
        scores.sort_by(f64::total_cmp);
        let estimate = score_interval(&tally(5, 3, 2), &PairCounts::default());
        close(estimate.low, scores[2_500], 0.005);
        close(estimate.high, scores[97_500], 0.005);
    }

    #[test]
    fn pairs_decide_from_a_hundred_games_on() {
        let pairs = PairCounts([379, 10170, 21828, 10640, 343]);
        let games = tally(0, 0, 0);
        // Any wins, draws and losses with that many games will do: the pairs are what counts.
        let games = Tally { draws: 2 * pairs.pairs(), ..games };
        let estimate = score_interval(&games, &pairs).map(elo);
        close(estimate.value, 1.59, 0.005);
        close(estimate.low, 0.39, 0.005);
        close(estimate.high, 2.80, 0.005);
    }

    #[test]
    fn winning_everything_is_no_catastrophe() {
        for wins in [10, 1000] {
            let estimate = score_interval(&tally(wins, 0, 0), &PairCounts([0, 0, 0, 0, wins / 2]));
            assert_eq!(estimate.value, 1.0, "{estimate:?}");
            assert!(estimate.low > 0.7 && estimate.low < 1.0 && estimate.high == 1.0);
            assert_eq!(elo(estimate.value), f64::INFINITY);
            assert!(elo(estimate.low).is_finite());
            close(likelihood_of_superiority(&tally(wins, 0, 0)), 1.0, 0.001);
        }
        assert_eq!(likelihood_of_superiority(&tally(0, 5, 0)), 0.5);
    }

    #[test]
    fn prediction_covers_another_sample() {
        // With 50 of 100 seen, another 100 lie within 50 ± 14: twice the variance of one sample.
        assert_eq!(predictive_interval(50, 100, 100), (36, 64));
        // With very many seen it is the binomial interval.
        assert_eq!(predictive_interval(500_000, 1_000_000, 100), (40, 60));
        assert_eq!(predictive_interval(0, 1000, 10), (0, 0));
    }
}
