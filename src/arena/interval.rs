//! How sure a result is: 95 % intervals for scores and rates, Elo, likelihood of superiority.

use statrs::distribution::{Beta, ContinuousCDF, Normal, StudentsT};
use statrs::function::factorial::ln_factorial;

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

/// The mean of some independent values with its interval (Student's t); `None` for fewer than two, which say nothing of how much
/// they vary.
///
/// The values are the unit: what is said of a method rests on its runs, however many games each of them played.
pub fn mean_interval(values: &[f64]) -> Option<Estimate> {
    let (value, variance, freedom) = mean_and_variance(values)?;
    let t = StudentsT::new(0.0, 1.0, freedom).expect("some freedom").inverse_cdf(0.975);
    let half_width = t * variance.sqrt();
    Some(Estimate { value, low: value - half_width, high: value + half_width })
}

/// How much larger the mean of `ours` is than that of `others`, with Welch's interval; `None` of fewer than two values on a side.
pub fn difference_interval(ours: &[f64], others: &[f64]) -> Option<Estimate> {
    let [(mean, variance, freedom), (other_mean, other_variance, other_freedom)] =
        [mean_and_variance(ours)?, mean_and_variance(others)?];
    let value = mean - other_mean;
    let sum = variance + other_variance;
    if sum == 0.0 {
        return Some(Estimate { value, low: value, high: value });
    }
    let freedom = sum.powi(2) / (variance.powi(2) / freedom + other_variance.powi(2) / other_freedom);
    let t = StudentsT::new(0.0, 1.0, freedom).expect("some freedom").inverse_cdf(0.975);
    Some(Estimate { value, low: value - t * sum.sqrt(), high: value + t * sum.sqrt() })
}

/// The mean of at least two values, its variance and the degrees of freedom.
fn mean_and_variance(values: &[f64]) -> Option<(f64, f64, f64)> {
    if values.len() < 2 {
        return None;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let spread = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    Some((mean, spread / (count - 1.0) / count, count - 1.0))
}

/// How often something happened in one cluster of observations that belong together (the positions of one game, say), and out of how
/// many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cluster {
    /// How often.
    pub count: u64,
    /// Out of how many.
    pub of: u64,
}

/// What clusters add up to, in whole numbers: all that a share and its interval need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClusterSums {
    /// How often it happened in all clusters together.
    pub count: u64,
    /// Out of how many.
    pub of: u64,
    /// How many clusters there are in which it could have happened.
    pub clusters: u64,
    /// The squares of the counts, the counts times out of how many, and the squares of out of how many.
    squares: [u64; 3],
}

impl ClusterSums {
    /// Adds one more cluster.
    pub fn add(&mut self, Cluster { count, of }: Cluster) {
        self.count += count;
        self.of += of;
        self.clusters += u64::from(of > 0);
        let terms = [count * count, count * of, of * of];
        self.squares.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
    }
}

/// A share with an interval that knows that observations of one cluster are alike; `None` of none.
///
/// The spread of the clusters around the common share (the ratio estimator) tells how many independent observations would be as
/// sure, with Student's t for the number of clusters, were they of one size; so many then go into the interval of a rate (Korn and Graubard's way), which
/// stays inside 0 and 1. It covers better than a bootstrap over few clusters. Where all observations are alike there is no spread
/// to see, and each cluster counts as one observation.
pub fn cluster_interval(sums: &ClusterSums) -> Option<Estimate> {
    let ClusterSums { count, of, clusters, squares } = *sums;
    if of == 0 {
        return None;
    }
    let (count, of, clusters) = (count as f64, of as f64, clusters as f64);
    let share = count / of;
    if clusters == of {
        return Some(rate_interval(sums.count, sums.of));
    }
    let [counts, products, sizes] = squares.map(|sum| sum as f64);
    let spread = counts - 2.0 * share * products + share * share * sizes;
    let variance = clusters / (clusters - 1.0) * spread / (of * of);
    let alike = share * (1.0 - share);
    let independent = if clusters < 2.0 || alike == 0.0 || variance <= 0.0 {
        clusters
    } else {
        let t = |freedom: f64| StudentsT::new(0.0, 1.0, freedom).expect("positive").inverse_cdf(0.975);
        // A few large clusters and many small ones are hardly more than the few.
        let equal_clusters = of * of / sizes;
        (alike / variance * (t(of - 1.0) / t((equal_clusters - 1.0).max(1.0))).powi(2)).min(of)
    };
    Some(beta_interval(share, share * independent, (1.0 - share) * independent))
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
    let value = if of == 0 { 0.5 } else { count as f64 / of as f64 };
    beta_interval(value, count as f64, (of - count) as f64)
}

/// A share with the interval of so many independent observations for and against it.
fn beta_interval(value: f64, for_it: f64, against: f64) -> Estimate {
    let posterior = Beta::new(for_it + 0.5, against + 0.5).expect("positive");
    Estimate {
        value,
        low: if value == 0.0 { 0.0 } else { posterior.inverse_cdf(0.025) },
        high: if value == 1.0 { 1.0 } else { posterior.inverse_cdf(0.975) },
    }
}

/// How likely two samples differ at least as much as these if the chance is the same in both (Fisher's exact test, two-sided).
///
/// ```
/// use dobutsu_ga::arena::same_chance;
/// assert!((same_chance((3, 4), (1, 4)) - 34.0 / 70.0).abs() < 1e-12);
/// assert!(same_chance((50, 100), (500, 1000)) > 0.999);
/// ```
pub fn same_chance(one: (u64, u64), other: (u64, u64)) -> f64 {
    let (hits, all) = (one.0 + other.0, one.1 + other.1);
    let ln_choose = |n: u64, k: u64| ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k);
    let ln_chance =
        |count: u64| ln_choose(one.1, count) + ln_choose(other.1, hits - count) - ln_choose(all, hits);
    let seen = ln_chance(one.0);
    let possible = hits.saturating_sub(other.1)..=one.1.min(hits);
    // A little room: chances that are equal may come out different in the last digits.
    let sum: f64 = possible.map(ln_chance).filter(|chance| *chance <= seen + 1e-9).map(f64::exp).sum();
    sum.min(1.0)
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

    /// `x = numpy.repeat([1, .5, 0], [70, 50, 30])`, `scipy.stats.t.interval(.95, 149, x.mean(), scipy.stats.sem(x))`.
    #[test]
    fn without_pairs_games_decide_from_a_hundred_on() {
        // Some pairs, but not all of the games are in them.
        for pairs in [PairCounts::default(), PairCounts([0, 0, 10, 0, 0])] {
            let estimate = score_interval(&tally(70, 50, 30), &pairs);
            close(estimate.value, 0.6333333, 1e-7);
            close(estimate.low, 0.5708696, 1e-7);
            close(estimate.high, 0.6957971, 1e-7);
        }
        // One game less than a hundred is judged by the posterior, which is not even around the score.
        let few = score_interval(&tally(90, 0, 9), &PairCounts::default());
        assert!(few.value - few.low > few.high - few.value + 0.01, "{few:?}");
        let many = score_interval(&tally(91, 0, 9), &PairCounts::default());
        close(many.value - many.low, many.high - many.value, 1e-12);
        // However many games: what has never varied may still vary, until it makes no difference in print.
        let alike = score_interval(&tally(0, 99_999, 0), &PairCounts::default());
        assert!(alike.low < 0.5 && alike.high > 0.5, "{alike:?}");
        let sure = score_interval(&tally(0, 100_000, 0), &PairCounts::default());
        assert_eq!((sure.low, sure.high), (0.5, 0.5));
    }

    /// `scipy.stats.t.interval(.95, 4, numpy.mean(x), scipy.stats.sem(x))`.
    #[test]
    fn a_mean_has_the_interval_of_its_values() {
        let estimate = mean_interval(&[0.455, 0.5358, 0.4617, 0.51, 0.4433]).unwrap();
        close(estimate.value, 0.4811600, 1e-7);
        close(estimate.low, 0.4318295, 1e-7);
        close(estimate.high, 0.5304905, 1e-7);
        assert_eq!(mean_interval(&[0.5]), None);
        assert_eq!(mean_interval(&[]), None);
        assert_eq!(mean_interval(&[0.25; 3]), Some(Estimate { value: 0.25, low: 0.25, high: 0.25 }));
    }

    /// `scipy.stats.ttest_ind(x, y, equal_var=False).confidence_interval(.95)`.
    #[test]
    fn a_difference_of_means_has_welchs_interval() {
        let (ours, others) = ([0.455, 0.5358, 0.4617, 0.51, 0.4433], [0.40, 0.47, 0.38, 0.52]);
        let estimate = difference_interval(&ours, &others).unwrap();
        close(estimate.value, 0.0386600, 1e-7);
        close(estimate.low, -0.0573700, 1e-7);
        close(estimate.high, 0.1346900, 1e-7);
        assert_eq!(difference_interval(&ours, &[0.5]), None);
        let alike = difference_interval(&[0.75; 3], &[0.5; 2]);
        assert_eq!(alike, Some(Estimate { value: 0.25, low: 0.25, high: 0.25 }));
    }

    fn sums(clusters: &[(u64, u64)]) -> ClusterSums {
        let mut sums = ClusterSums::default();
        clusters.iter().for_each(|(count, of)| sums.add(Cluster { count: *count, of: *of }));
        sums
    }

    /// numpy: `v = C/(C-1) * sum((c - p*m)**2) / sum(m)**2`, `n = p*(1-p)/v * (t.ppf(.975, sum(m)-1) / t.ppf(.975, E-1))**2`
    /// with `E = sum(m)**2 / sum(m**2)`,
    /// `scipy.stats.beta.ppf([.025, .975], p*n + .5, (1-p)*n + .5)`.
    #[test]
    fn observations_of_one_cluster_count_for_less() {
        let clustered =
            cluster_interval(&sums(&[(8, 10), (3, 9), (10, 10), (6, 12), (0, 4), (7, 7)])).unwrap();
        close(clustered.value, 34.0 / 52.0, 1e-12);
        close(clustered.low, 0.3110317, 1e-6);
        close(clustered.high, 0.9011653, 1e-6);
        let alone = rate_interval(34, 52);
        assert!(clustered.low < alone.low - 0.1 && clustered.high > alone.high + 0.1, "{alone:?}");
    }

    #[test]
    fn clusters_of_one_and_clusters_without_spread() {
        let ones = [(1, 1), (0, 1), (1, 1), (1, 1), (0, 0)];
        assert_eq!(cluster_interval(&sums(&ones)), Some(rate_interval(3, 4)));
        // Ten games in which nothing was lost are ten observations, however many positions they had.
        assert_eq!(cluster_interval(&sums(&[(20, 20); 10])), Some(rate_interval(10, 10)));
        let none = cluster_interval(&sums(&[(0, 5); 7])).unwrap();
        assert_eq!((none.low, none.high), (0.0, rate_interval(0, 7).high));
        // Clusters that agree exactly, and a single one, are no more than so many observations either.
        assert_eq!(cluster_interval(&sums(&[(2, 4); 6])), Some(rate_interval(3, 6)));
        let single = cluster_interval(&sums(&[(3, 10)])).unwrap();
        assert!(single.low < 0.05 && single.high > 0.8, "{single:?}");
        assert_eq!(cluster_interval(&sums(&[(0, 0)])), None);
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
