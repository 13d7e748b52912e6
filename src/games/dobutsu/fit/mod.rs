//! Weights from the solved game: logistic regression of who wins on the features of a position (Texel's way).
//!
//! The model says that the side to move wins with probability `1 / (1 + exp(-(tempo + sum of weight * difference)))`, where a
//! difference is the side's own count of a feature minus the opponent's. A draw counts as half a win.

#[cfg(feature = "cli")]
pub(crate) mod command;
mod quiet;
mod regression;

use std::collections::HashMap;

use rayon::prelude::*;

use crate::game::{Evaluator, POINT};
use crate::games::dobutsu::Position;
use crate::games::dobutsu::eval::{DobutsuEvaluator, Gene, Genome};
use crate::games::dobutsu::solve::Table;
use quiet::quiet_leaf;
use regression::{Group, Regression, Score};
pub use regression::{Known, Weight};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
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
    /// The weight of each gene, in units of log odds.
    pub weights: Vec<Weight>,
    /// What it is worth to be on the move.
    pub tempo: Weight,
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

/// How many of the positions with the same features are there, are won, are drawn.
type Tallies = HashMap<Vec<i32>, [u64; 3]>;

/// Counts the features of a position.
struct Features {
    counters: Vec<DobutsuEvaluator>,
    leaf: Leaf,
}

impl Features {
    fn new(genes: &[Gene], leaf: Leaf) -> Features {
        let unit =
            |gene: &Gene| DobutsuEvaluator::new(Genome::ZERO.with(*gene, POINT).unwrap_or(Genome::ZERO));
        Features { counters: genes.iter().map(unit).collect(), leaf }
    }

    fn of(&self, position: &Position) -> Vec<i32> {
        let at = match self.leaf {
            Leaf::Position => *position,
            Leaf::Quiet => quiet_leaf(position),
        };
        self.counters.iter().map(|counter| counter.value(&at, position.turn()) / POINT).collect()
    }
}

fn count(tallies: &mut Tallies, features: Vec<i32>, sign: i32) {
    let [all, won, drawn] = tallies.entry(features).or_default();
    *all += 1;
    *won += u64::from(sign > 0);
    *drawn += u64::from(sign == 0);
}

/// Groups in a fixed order, each with its features as they were counted.
fn groups(tallies: Tallies) -> Vec<(Vec<i32>, Group)> {
    let mut tallies: Vec<_> = tallies.into_iter().collect();
    tallies.sort_unstable();
    let group = |(features, [count, won, drawn]): (Vec<i32>, [u64; 3])| {
        let group = Group {
            features: features.iter().copied().map(f64::from).chain([1.0]).collect(),
            count: count as f64,
            points: won as f64 + drawn as f64 / 2.0,
            draws: drawn as f64,
        };
        (features, group)
    };
    tallies.into_iter().map(group).collect()
}

/// Fits weights of these genes to what the table says of these positions, each of which stands for itself.
///
/// Positions with the same features are counted together, in whole numbers: the result is the same on any number of threads,
/// and all positions there are take no more memory than a few.
pub fn fit(
    table: &Table,
    positions: impl ParallelIterator<Item = Position>,
    genes: &[Gene],
    leaf: Leaf,
) -> Fitted {
    let features = Features::new(genes, leaf);
    let add = |mut tallies: Tallies, position: Position| {
        count(&mut tallies, features.of(&position), table.probe(&position).sign());
        tallies
    };
    let merge = |mut all: Tallies, other: Tallies| {
        for (features, more) in other {
            let tally = all.entry(features).or_default();
            (0..3).for_each(|i| tally[i] += more[i]);
        }
        all
    };
    let groups = groups(positions.fold(Tallies::new, add).reduce(Tallies::new, merge));
    let groups: Vec<Group> = groups.into_iter().map(|(_, group)| group).collect();
    fitted(&Regression::new(&groups, None), genes)
}

/// Fits weights of these genes to what the table says of the positions of these games.
///
/// Positions of one game are alike, and so are their results: the game is the unit of the intervals.
pub fn fit_games(table: &Table, games: &[Vec<Position>], genes: &[Gene], leaf: Leaf) -> Fitted {
    let features = Features::new(genes, leaf);
    let look = |game: &Vec<Position>| -> Vec<(Vec<i32>, i32)> {
        game.iter().map(|position| (features.of(position), table.probe(position).sign())).collect()
    };
    let games: Vec<Vec<(Vec<i32>, i32)>> = games.par_iter().map(look).collect();
    let mut tallies = Tallies::new();
    games.iter().flatten().for_each(|(features, sign)| count(&mut tallies, features.clone(), *sign));
    let (keys, groups): (Vec<Vec<i32>>, Vec<Group>) = groups(tallies).into_iter().unzip();
    let number: HashMap<&[i32], usize> =
        keys.iter().enumerate().map(|(i, key)| (key.as_slice(), i)).collect();
    let scores = |game: &Vec<(Vec<i32>, i32)>| -> Vec<Score> {
        game.iter()
            .map(|(features, sign)| Score {
                group: number[features.as_slice()],
                points: f64::from(1 + sign) / 2.0,
            })
            .collect()
    };
    let games: Vec<Vec<Score>> = games.iter().map(scores).collect();
    fitted(&Regression::new(&groups, Some(&games)), genes)
}

fn fitted(regression: &Regression, genes: &[Gene]) -> Fitted {
    let (weights, tempo) = regression.weights.split_at(genes.len());
    Fitted {
        genes: genes.to_vec(),
        weights: weights.to_vec(),
        tempo: tempo[0],
        positions: regression.positions,
        loss: regression.loss,
        accuracy: regression.accuracy,
    }
}
