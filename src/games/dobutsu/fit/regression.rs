//! Logistic regression with intervals that do not trust the model, and with an answer where there is no finite one.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::linear::{Matrix, inverse, product};

/// Positions with the same features, the last of which is 1 for being on the move; and how they end.
pub(super) struct Group {
    pub(super) features: Vec<f64>,
    pub(super) count: f64,
    /// Wins, and half of the draws.
    pub(super) points: f64,
    pub(super) draws: f64,
}

/// One position of a game: the group it is in, and its own result (1, ½ or 0).
pub(super) struct Score {
    pub(super) group: usize,
    pub(super) points: f64,
}

/// What is known of a weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Known {
    /// Its 95 % interval.
    Between(f64, f64),
    /// The larger the better: the feature never goes against the result, so no finite weight fits best. The value is where
    /// Jeffreys' prior holds it.
    Unbounded,
    /// Nothing: the feature is the same in all positions.
    Nothing,
}

/// A weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// Its value.
    pub value: f64,
    /// How sure it is.
    pub known: Known,
}

impl Weight {
    /// The weight in another unit.
    pub fn in_units_of(self, unit: f64) -> Weight {
        let known = match self.known {
            Known::Between(low, high) => {
                Known::Between((low / unit).min(high / unit), (low / unit).max(high / unit))
            }
            other => other,
        };
        Weight { value: self.value / unit, known }
    }
}

/// What came out.
pub(super) struct Regression {
    pub(super) weights: Vec<Weight>,
    pub(super) positions: usize,
    /// Mean log loss in bits.
    pub(super) loss: f64,
    /// The share of decided positions whose winner the weights tell.
    pub(super) accuracy: f64,
}

/// A fit that has a finite answer has found it long before.
const MOST_STEPS: usize = 50;

/// Steps smaller than this change nothing that is printed.
const SMALL_STEP: f64 = 1e-9;

impl Regression {
    /// Fits weights to groups. If it is known which positions belong to one game, the game is the unit of the intervals.
    ///
    /// Where a feature never goes against the result, the likelihood grows with its weight for ever. All weights are then those of
    /// Firth's method: the likelihood times Jeffreys' prior, which is finite always, asks for no scale to be chosen, and counts for
    /// as little as half a position on either side.
    pub(super) fn new(groups: &[Group], games: Option<&[Vec<Score>]>) -> Regression {
        let size = groups.first().map_or(0, |group| group.features.len());
        let constant: Vec<bool> =
            (0..size).map(|i| groups.iter().all(|group| group.features[i] == 0.0)).collect();
        let (mut weights, last_step) = climb(groups, size, false);
        let mut unbounded = vec![false; size];
        if let Some(features) = separating(groups, &last_step) {
            unbounded = features;
            weights = climb(groups, size, true).0;
        }
        let (_, information) = slope_and_information(groups, &weights, false);
        let inverse = inverse(information);
        let (spread, quantile) = match games {
            None => (spread_of_positions(groups, &weights), 1.959_964),
            Some(games) => spread_of_games(groups, games, &weights),
        };
        // The sandwich: right also where the model is not, as it never quite is.
        let covariance = product(&product(&inverse, &spread), &inverse);
        let weight = |i: usize| {
            let margin = quantile * covariance[i][i].max(0.0).sqrt();
            let known = match (constant[i], unbounded[i]) {
                (true, _) => Known::Nothing,
                (_, true) => Known::Unbounded,
                _ => Known::Between(weights[i] - margin, weights[i] + margin),
            };
            Weight { value: weights[i], known }
        };
        let (mut loss, mut right, mut decided, mut positions) = (0.0, 0.0, 0.0, 0.0);
        for Group { features, count, points, draws } in groups {
            let wins = logistic(&weights, features).clamp(1e-12, 1.0 - 1e-12);
            loss -= points * wins.log2() + (count - points) * (1.0 - wins).log2();
            let won = points - draws / 2.0;
            right += if wins > 0.5 { won } else { count - draws - won };
            decided += count - draws;
            positions += count;
        }
        Regression {
            weights: (0..size).map(weight).collect(),
            positions: positions as usize,
            loss: loss / positions.max(1.0),
            accuracy: right / f64::max(decided, 1.0),
        }
    }
}

/// Newton's method: the weights, and the last step, which is not small if it led nowhere.
fn climb(groups: &[Group], size: usize, firth: bool) -> (Vec<f64>, Vec<f64>) {
    let mut weights = vec![0.0; size];
    let mut step = vec![0.0; size];
    for _ in 0..MOST_STEPS {
        let (slope, information) = slope_and_information(groups, &weights, firth);
        let inverse = inverse(information);
        let found = |i: usize| (0..size).map(|j| inverse[i][j] * slope[j]).sum::<f64>();
        step = (0..size).map(found).collect();
        // No weight runs away in a single step; near the end steps are far smaller.
        let longest = step.iter().fold(0.0, |longest: f64, step| longest.max(step.abs()));
        let shorter = if longest > 2.0 { 2.0 / longest } else { 1.0 };
        step.iter_mut().for_each(|step| *step *= shorter);
        weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight += step);
        if longest < SMALL_STEP {
            break;
        }
    }
    (weights, step)
}

/// The slope of the log likelihood, with Firth's correction if wanted, and the information about the weights.
fn slope_and_information(groups: &[Group], weights: &[f64], firth: bool) -> (Vec<f64>, Matrix) {
    let size = weights.len();
    let mut slope = vec![0.0; size];
    let mut information = vec![vec![0.0; size]; size];
    for Group { features, count, points, .. } in groups {
        let wins = logistic(weights, features);
        for i in 0..size {
            slope[i] += (points - count * wins) * features[i];
            for j in 0..size {
                information[i][j] += count * wins * (1.0 - wins) * features[i] * features[j];
            }
        }
    }
    // A trace of a ridge keeps features that never differ from making the matrix singular.
    (0..size).for_each(|i| information[i][i] += 1e-6);
    if firth {
        let inverse = inverse(information.clone());
        for Group { features, count, .. } in groups {
            let wins = logistic(weights, features);
            let reach: f64 = (0..size)
                .map(|i| (0..size).map(|j| features[i] * inverse[i][j] * features[j]).sum::<f64>())
                .sum();
            // What the group itself has to say about its own probability.
            let leverage = count * wins * (1.0 - wins) * reach;
            (0..size).for_each(|i| slope[i] += leverage * (0.5 - wins) * features[i]);
        }
    }
    (slope, information)
}

/// Whether the step with which the climb was stopped leads on for ever, and by which features.
///
/// A finite best fit is found in a few steps. Otherwise the last step is a direction in which every result that is not foregone
/// stays as likely as it is and the foregone ones become ever more likely. That is checked here with every group, so a fit
/// that is merely slow is not mistaken for one without an end.
fn separating(groups: &[Group], step: &[f64]) -> Option<Vec<bool>> {
    let longest = step.iter().fold(0.0, |longest: f64, step| longest.max(step.abs()));
    if longest < SMALL_STEP {
        return None;
    }
    // Of the other weights only a trace of their own convergence is left.
    let direction: Vec<f64> =
        step.iter().map(|step| if step.abs() < 1e-3 * longest { 0.0 } else { step / longest }).collect();
    let mut moved = false;
    for Group { features, count, points, .. } in groups {
        let change: f64 = direction.iter().zip(features).map(|(step, feature)| step * feature).sum();
        let still = change.abs() < 1e-2;
        let fits = still || (change > 0.0 && points == count) || (change < 0.0 && *points == 0.0);
        if !fits {
            return None;
        }
        moved |= !still;
    }
    moved.then(|| direction.iter().map(|step| *step != 0.0).collect())
}

/// How much the slope would vary if each position stood for itself.
fn spread_of_positions(groups: &[Group], weights: &[f64]) -> Matrix {
    let size = weights.len();
    let mut spread = vec![vec![0.0; size]; size];
    for Group { features, count, points, draws } in groups {
        let wins = logistic(weights, features);
        // The squares of a win, a draw and a loss minus what was expected.
        let squares = (points - draws / 2.0) + draws / 4.0 - 2.0 * wins * points + count * wins * wins;
        for i in 0..size {
            for j in 0..size {
                spread[i][j] += squares * features[i] * features[j];
            }
        }
    }
    spread
}

/// How much the slope varies from game to game, and by how many standard errors the intervals reach.
fn spread_of_games(groups: &[Group], games: &[Vec<Score>], weights: &[f64]) -> (Matrix, f64) {
    let size = weights.len();
    let expected: Vec<f64> = groups.iter().map(|group| logistic(weights, &group.features)).collect();
    let mut spread = vec![vec![0.0; size]; size];
    let mut count = 0.0;
    for game in games.iter().filter(|game| !game.is_empty()) {
        let mut sum = vec![0.0; size];
        for Score { group, points } in game {
            for (sum, feature) in sum.iter_mut().zip(&groups[*group].features) {
                *sum += (points - expected[*group]) * feature;
            }
        }
        for i in 0..size {
            for j in 0..size {
                spread[i][j] += sum[i] * sum[j];
            }
        }
        count += 1.0;
    }
    let freedom = f64::max(count - 1.0, 1.0);
    spread.iter_mut().flatten().for_each(|cell| *cell *= f64::max(count, 1.0) / freedom);
    (spread, StudentsT::new(0.0, 1.0, freedom).expect("positive").inverse_cdf(0.975))
}

fn logistic(weights: &[f64], features: &[f64]) -> f64 {
    let sum: f64 = weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum();
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(features: [f64; 2], count: f64, points: f64, draws: f64) -> Group {
        Group { features: features.into_iter().chain([1.0]).collect(), count, points, draws }
    }

    fn close(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() < within, "{found} is not {expected}");
    }

    #[test]
    fn known_weights_are_found_again() {
        // Outcomes that follow the model exactly.
        let truth = [0.8, -0.3, 0.2];
        let mut groups = Vec::new();
        for a in -3..=3 {
            for b in -3..=3 {
                let mut group = group([f64::from(a), f64::from(b)], 10.0, 0.0, 0.0);
                group.points = 10.0 * logistic(&truth, &group.features);
                groups.push(group);
            }
        }
        let found = Regression::new(&groups, None);
        assert!(found.weights.iter().zip(truth).all(|(weight, truth)| (weight.value - truth).abs() < 1e-9));
        // A right step is quadratic; a wrong sign in it leads away.
        assert!(climb(&groups, 3, false).1.iter().all(|step| step.abs() < SMALL_STEP));
        assert_eq!(found.positions, 490);
    }

    /// Twelve games of four positions: two features, and the result.
    const GAMES: [[(f64, f64, f64); 4]; 12] = [
        [(1.0, -2.0, 1.0), (-1.0, 2.0, 1.0), (-1.0, -2.0, 1.0), (0.0, 0.0, 1.0)],
        [(1.0, 1.0, 0.0), (-1.0, 0.0, 0.5), (1.0, 0.0, 0.5), (0.0, 1.0, 0.5)],
        [(-1.0, 1.0, 1.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.5), (1.0, 2.0, 0.0)],
        [(1.0, -2.0, 0.0), (1.0, -1.0, 1.0), (-1.0, 2.0, 1.0), (-1.0, 0.0, 0.0)],
        [(0.0, -2.0, 0.0), (1.0, 0.0, 0.5), (-1.0, -2.0, 0.5), (0.0, 0.0, 1.0)],
        [(1.0, -1.0, 0.5), (0.0, -1.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.0)],
        [(0.0, 2.0, 0.0), (-1.0, 1.0, 0.0), (1.0, 0.0, 0.0), (-1.0, 2.0, 1.0)],
        [(0.0, 2.0, 0.5), (0.0, 2.0, 0.5), (0.0, -2.0, 0.0), (1.0, 1.0, 0.0)],
        [(0.0, 2.0, 0.0), (-1.0, 0.0, 0.5), (0.0, -1.0, 0.0), (0.0, 2.0, 0.0)],
        [(1.0, -2.0, 0.0), (-1.0, 1.0, 1.0), (1.0, 2.0, 1.0), (-1.0, 2.0, 1.0)],
        [(1.0, 2.0, 1.0), (0.0, 2.0, 0.5), (0.0, 2.0, 0.5), (1.0, -1.0, 1.0)],
        [(1.0, -2.0, 0.5), (0.0, -2.0, 0.0), (-1.0, -2.0, 1.0), (-1.0, 1.0, 1.0)],
    ];

    /// statsmodels: `GLM(y, X, family=Binomial()).fit(cov_type="HC0")`, and `cov_type="cluster"` by game without its factor of
    /// (n - 1) / (n - k); half widths are `bse` times 1.959964, or times `scipy.stats.t.ppf(.975, 11)`.
    #[test]
    fn intervals_are_those_of_statsmodels() {
        let mut groups: Vec<Group> = Vec::new();
        let mut games = Vec::new();
        for game in GAMES {
            let mut scores = Vec::new();
            for (a, b, points) in game {
                let at = groups.iter().position(|group| group.features[..2] == [a, b]);
                let at = at.unwrap_or_else(|| {
                    groups.push(group([a, b], 0.0, 0.0, 0.0));
                    groups.len() - 1
                });
                groups[at].count += 1.0;
                groups[at].points += points;
                groups[at].draws += f64::from(u8::from(points == 0.5));
                scores.push(Score { group: at, points });
            }
            games.push(scores);
        }
        let values = [-0.62568946, 0.0653546, -0.12659854];
        for (games, widths) in [
            (None, [0.63168588, 0.33464317, 0.51141611]),
            (Some(&games[..]), [0.63451687, 0.36996284, 0.73750096]),
        ] {
            let found = Regression::new(&groups, games);
            for (weight, (value, width)) in found.weights.iter().zip(values.iter().zip(widths)) {
                close(weight.value, *value, 1e-7);
                let Known::Between(low, high) = weight.known else { panic!("{weight:?}") };
                close(high - weight.value, width, 1e-5);
                close(weight.value - low, width, 1e-5);
            }
        }
    }

    /// With the first feature everything is won. The weights maximise the likelihood times the root of the information's determinant:
    /// `scipy.optimize.minimize` of just that gives these.
    #[test]
    fn what_always_wins_has_no_largest_weight() {
        let rows = |wins: f64| {
            vec![
                group([0.0, -1.0], 10.0, 3.0, 0.0),
                group([0.0, 0.0], 12.0, 6.5, 1.0),
                group([0.0, 1.0], 8.0, 5.0, 2.0),
                group([1.0, -1.0], 5.0, 5.0, 0.0),
                group([1.0, 0.0], 6.0, wins, 0.0),
                group([1.0, 1.0], 4.0, 4.0, 0.0),
            ]
        };
        let found = Regression::new(&rows(6.0), None);
        for (weight, expected) in found.weights.iter().zip([3.5671631, 0.62636891, -0.02519413]) {
            close(weight.value, expected, 1e-5);
        }
        assert_eq!(found.weights[0].known, Known::Unbounded);
        assert!(found.weights[1..].iter().all(|weight| matches!(weight.known, Known::Between(..))));
        // One lost position among them, and there is a largest weight.
        let found = Regression::new(&rows(5.0), None);
        assert!(
            found.weights.iter().all(|weight| matches!(weight.known, Known::Between(..))),
            "{:?}",
            found.weights
        );
    }

    /// Neither feature decides alone; both together do.
    #[test]
    fn features_that_decide_together_are_both_named() {
        let groups = [
            group([1.0, 1.0], 5.0, 5.0, 0.0),
            group([1.0, -1.0], 5.0, 2.0, 0.0),
            group([-1.0, 1.0], 5.0, 3.0, 0.0),
            group([-1.0, -1.0], 5.0, 0.0, 0.0),
        ];
        let found = Regression::new(&groups, None);
        let known: Vec<bool> = found.weights.iter().map(|weight| weight.known == Known::Unbounded).collect();
        assert_eq!(known, [true, true, false], "{:?}", found.weights);
    }

    #[test]
    fn a_feature_that_never_differs_says_nothing() {
        let groups = [group([0.0, 1.0], 5.0, 3.0, 0.0), group([0.0, -1.0], 5.0, 2.0, 0.0)];
        let found = Regression::new(&groups, None);
        assert_eq!(found.weights[0], Weight { value: 0.0, known: Known::Nothing });
        assert!(matches!(found.weights[1].known, Known::Between(..)));
    }
}
