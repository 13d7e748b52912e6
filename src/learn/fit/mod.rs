//! Weights from the solved game: logistic regression of who wins on the features of a position (Texel's way).
//!
//! The model says that the side to move wins with probability `1 / (1 + exp(-(tempo + sum of weight * difference)))`, where a
//! difference is the side's own count of a feature minus the opponent's. A draw counts as half a win.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::arena::Estimate;
use crate::eval::{DobutsuEvaluator, Evaluator, Gene, Genome, POINT};
use crate::games::dobutsu::{Move, Position};
use crate::games::legal_moves;
use crate::solve::Table;

/// The genes that a fit can tell anything about: both lions are always on the board.
pub const FITTED: [Gene; 10] = [
    Gene::BoardChick,
    Gene::BoardGiraffe,
    Gene::BoardElephant,
    Gene::BoardHen,
    Gene::HandChick,
    Gene::HandGiraffe,
    Gene::HandElephant,
    Gene::Mobility,
    Gene::Check,
    Gene::Try,
];

/// At which position the features are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Leaf {
    /// At the position itself: depth 0.
    Position,
    /// Where the best line of captures ends.
    Quiet,
}

impl Leaf {
    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Leaf::Position => "depth 0",
            Leaf::Quiet => "quiet leaves",
        }
    }
}

/// What came out of a fit.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The genes in the order of the weights.
    pub genes: Vec<Gene>,
    /// The weight of each gene, in units of log odds, with its 95 % interval.
    pub weights: Vec<Estimate>,
    /// What it is worth to be on the move.
    pub tempo: Estimate,
    /// How many positions it rests on.
    pub positions: usize,
    /// Mean log loss, in bits: 1 is knowing nothing.
    pub loss: f64,
    /// The share of decided positions whose winner the model tells.
    pub accuracy: f64,
}

impl Fitted {
    /// The weights as a genome in which a giraffe on the board is worth 100 points, or less if the largest weight would
    /// then be more than 3,000. Weights below 0 become 0; a lion is worth 5,000 on the board and in hand.
    pub fn genome(&self) -> Genome {
        let of = |gene: Gene| {
            self.genes.iter().position(|fitted| *fitted == gene).map_or(0.0, |at| self.weights[at].value)
        };
        let largest = self.weights.iter().map(|weight| weight.value).fold(1e-9, f64::max);
        let unit = (of(Gene::BoardGiraffe) / 100.0).max(largest / 3_000.0);
        let lion = 5_000 * POINT;
        let lions =
            Genome::ZERO.with(Gene::BoardLion, lion).and_then(|genome| genome.with(Gene::HandLion, lion));
        self.genes.iter().fold(lions.unwrap_or(Genome::ZERO), |genome, gene| {
            let tenths = (of(*gene).max(0.0) / unit * 10.0).round() as i32;
            genome.with(*gene, tenths * POINT / 10).unwrap_or(genome)
        })
    }
}

/// Positions with the same features: the differences, then 1 for being on the move; and how they end.
struct Group {
    features: Vec<f64>,
    count: f64,
    /// Wins, and half of the draws.
    points: f64,
    draws: f64,
}

/// How many of the positions with the same features are there, are won, are drawn.
type Tallies = HashMap<Vec<i32>, [u64; 3]>;

/// Fits weights of these genes to what the table says of these positions.
///
/// Positions with the same features are counted together, in whole numbers: the result is the same on any number of threads,
/// and all positions there are take no more memory than a few.
pub fn fit(
    table: &Table,
    positions: impl ParallelIterator<Item = Position>,
    genes: &[Gene],
    leaf: Leaf,
) -> Fitted {
    let unit = |gene: &Gene| DobutsuEvaluator::new(Genome::ZERO.with(*gene, POINT).unwrap_or(Genome::ZERO));
    let counters: Vec<DobutsuEvaluator> = genes.iter().map(unit).collect();
    let add = |mut tallies: Tallies, position: Position| {
        let at = match leaf {
            Leaf::Position => position,
            Leaf::Quiet => quiet_leaf(&position),
        };
        let features = counters.iter().map(|counter| counter.value(&at, position.turn()) / POINT).collect();
        let tally = tallies.entry(features).or_default();
        let sign = table.probe(&position).sign();
        *tally = [tally[0] + 1, tally[1] + u64::from(sign > 0), tally[2] + u64::from(sign == 0)];
        tallies
    };
    let merge = |mut all: Tallies, other: Tallies| {
        for (features, more) in other {
            let tally = all.entry(features).or_default();
            (0..3).for_each(|i| tally[i] += more[i]);
        }
        all
    };
    let mut tallies: Vec<_> =
        positions.fold(Tallies::new, add).reduce(Tallies::new, merge).into_iter().collect();
    tallies.sort_unstable();
    let group = |(features, [count, won, drawn]): (Vec<i32>, [u64; 3])| Group {
        features: features.into_iter().map(f64::from).chain([1.0]).collect(),
        count: count as f64,
        points: won as f64 + drawn as f64 / 2.0,
        draws: drawn as f64,
    };
    regress(&tallies.into_iter().map(group).collect::<Vec<_>>(), genes)
}

/// Newton's method.
fn regress(groups: &[Group], genes: &[Gene]) -> Fitted {
    let size = genes.len() + 1;
    let mut weights = vec![0.0; size];
    let mut covariance = Vec::new();
    for _ in 0..25 {
        let mut slope = vec![0.0; size];
        let mut curvature = vec![vec![0.0; size]; size];
        let mut spread = vec![vec![0.0; size]; size];
        for Group { features, count, points, draws } in groups {
            let wins = logistic(&weights, features);
            // The squares of a win, a draw and a loss minus what was expected.
            let squares = (points - draws / 2.0) + draws / 4.0 - 2.0 * wins * points + count * wins * wins;
            for i in 0..size {
                slope[i] += (points - count * wins) * features[i];
                for j in 0..size {
                    curvature[i][j] += count * wins * (1.0 - wins) * features[i] * features[j];
                    spread[i][j] += squares * features[i] * features[j];
                }
            }
        }
        // A trace of a ridge keeps features that never differ from making the matrix singular.
        (0..size).for_each(|i| curvature[i][i] += 1e-6);
        let inverse = inverse(curvature);
        let step: Vec<f64> = (0..size).map(|i| (0..size).map(|j| inverse[i][j] * slope[j]).sum()).collect();
        weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight += step);
        // The sandwich: right also where the model is not, as it never quite is.
        covariance = product(&product(&inverse, &spread), &inverse);
        if step.iter().all(|step: &f64| step.abs() < 1e-9) {
            break;
        }
    }
    let estimate = |i: usize| {
        let margin = 1.96 * covariance[i][i].max(0.0).sqrt();
        Estimate { value: weights[i], low: weights[i] - margin, high: weights[i] + margin }
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
    Fitted {
        genes: genes.to_vec(),
        weights: (0..genes.len()).map(estimate).collect(),
        tempo: estimate(genes.len()),
        positions: positions as usize,
        loss: loss / positions.max(1.0),
        accuracy: right / decided.max(1.0),
    }
}

fn logistic(weights: &[f64], features: &[f64]) -> f64 {
    let sum: f64 = weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum();
    1.0 / (1.0 + (-sum).exp())
}

fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let size = a.len();
    let cell = |i: usize, j: usize| (0..size).map(|k| a[i][k] * b[k][j]).sum();
    (0..size).map(|i| (0..size).map(|j| cell(i, j)).collect()).collect()
}

/// Gauss and Jordan, with pivots.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..size).map(|i| (0..size).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for column in 0..size {
        let pivot =
            (column..size).max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()));
        let pivot = pivot.unwrap_or(column);
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let scale = matrix[column][column];
        for j in 0..size {
            matrix[column][j] /= scale;
            inverse[column][j] /= scale;
        }
        for row in (0..size).filter(|row| *row != column) {
            let factor = matrix[row][column];
            for j in 0..size {
                matrix[row][j] -= factor * matrix[column][j];
                inverse[row][j] -= factor * inverse[column][j];
            }
        }
    }
    inverse
}

/// How many captures a quiet search follows.
const CAPTURES: u32 = 6;

/// Where the best line of captures and of standing still ends, judged by the untrained piece values.
fn quiet_leaf(position: &Position) -> Position {
    let evaluator = DobutsuEvaluator::new(Genome::BASE);
    let bound = 1_000_000_000;
    quiet(position, &evaluator, -bound, bound, CAPTURES).1
}

fn quiet(
    position: &Position,
    evaluator: &DobutsuEvaluator,
    alpha: i32,
    beta: i32,
    captures: u32,
) -> (i32, Position) {
    let standing = evaluator.value(position, position.turn());
    let mut best = (standing, *position);
    if position.is_over() || captures == 0 || standing >= beta {
        return best;
    }
    let enemies = position.pieces(!position.turn());
    for m in legal_moves(position) {
        // Catching the lion ends the game and tells nothing about pieces.
        let is_capture = matches!(m, Move::Step { to, .. } if enemies.meets(to.bit()) && position.lion(!position.turn()) != Some(to));
        if !is_capture {
            continue;
        }
        let (value, leaf) = quiet(&position.play(m), evaluator, -beta, -alpha.max(best.0), captures - 1);
        if -value > best.0 {
            best = (-value, leaf);
        }
        if best.0 >= beta {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_weights_are_found_again() {
        // Outcomes that follow the model exactly.
        let truth = [0.8, -0.3, 0.2];
        let mut groups = Vec::new();
        for a in -3..=3 {
            for b in -3..=3 {
                let features = vec![f64::from(a), f64::from(b), 1.0];
                groups.push(Group {
                    points: 10.0 * logistic(&truth, &features),
                    features,
                    count: 10.0,
                    draws: 0.0,
                });
            }
        }
        let fitted = regress(&groups, &[Gene::BoardChick, Gene::BoardHen]);
        let found = [fitted.weights[0].value, fitted.weights[1].value, fitted.tempo.value];
        assert!(found.iter().zip(truth).all(|(found, truth)| (found - truth).abs() < 1e-5), "{found:?}");
    }
}
