//! Many runs that differ only in their seed: what is typical, and what was luck.

use serde::{Deserialize, Serialize};

use super::Tuning;
use crate::arena::{PairCounts, Tally, score_interval};
use crate::game::{BySide, Genome};
use crate::learn::Settings;
use crate::players::Playable;

/// How one seed fared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedResult {
    /// The seed.
    pub seed: u64,
    /// Whether fitness was coin tosses, beside runs with the fitness that is asked about.
    pub null: bool,
    /// The last generation.
    pub generations: u32,
    /// The champion's genes, in thousandths.
    pub genes: Vec<i32>,
    /// When each gene was frozen.
    pub frozen: Vec<Option<u32>>,
    /// Wins, draws and losses against the untrained values, moving first and second.
    pub strength: [[u64; 3]; 2],
    /// The winner's value of the first gene (board.chick) in every tenth generation, in thousandths.
    pub chick: Vec<i32>,
    /// Wins, draws and losses against each rival, both sides together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rivals: Vec<[u64; 3]>,
}

/// Whom champions meet beside the untrained values.
#[derive(Clone, Debug)]
pub struct Rivals<G: Playable>(pub Vec<Genome<G>>);

impl<G: Playable> Rivals<G> {
    /// The rivals of these names, which must be genomes that come with the program.
    pub fn named(names: &[String]) -> Rivals<G> {
        Rivals(names.iter().filter_map(|name| Genome::named(name)).collect())
    }
}

/// Every how many generations [`SeedResult::chick`] has a value.
pub const CHICK_EVERY: u32 = 10;

impl SeedResult {
    /// Runs one seed to its end; `null` if coin tosses stand beside the fitness that is asked about.
    pub fn run<G: Playable>(settings: &Settings, null: bool, rivals: &Rivals<G>) -> SeedResult {
        let mut tuning = Tuning::<G>::new(settings);
        let mut chick = Vec::new();
        while !tuning.is_finished() {
            for generation in tuning.advance() {
                if generation.number.is_multiple_of(CHICK_EVERY) {
                    chick.push(generation.ranked[0].genes[0]);
                }
            }
        }
        let champion = tuning.champion();
        let strength = tuning.validate(&champion);
        let counts = |tally: Tally| [tally.wins, tally.draws, tally.losses];
        SeedResult {
            seed: settings.seed,
            null,
            generations: tuning.generations(),
            genes: champion.values()[..tuning.genes().len()].to_vec(),
            frozen: tuning.frozen(),
            strength: [counts(strength.first), counts(strength.second)],
            chick,
            rivals: (0..).zip(&rivals.0).map(|(i, rival)| counts(tuning.meet(&champion, rival, i))).collect(),
        }
    }

    /// The results against the untrained values on each side of the board.
    pub fn tallies(&self) -> BySide<Tally> {
        let [first, second] = self.strength.map(|[wins, draws, losses]| Tally { wins, draws, losses });
        BySide { first, second }
    }

    /// The score against the untrained values, both sides together, with its interval.
    pub fn score(&self) -> crate::arena::Estimate {
        let BySide { first, second } = self.tallies();
        score_interval(&(first + second), &PairCounts::default())
    }
}

/// Smallest, lower quartile, median, upper quartile, largest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiveNumbers(pub [f64; 5]);

impl FiveNumbers {
    /// Of some values; `None` of none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<FiveNumbers> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)? as f64;
        let quantile = |share: f64| {
            let at = share * last;
            let (below, above) = (values[at.floor() as usize], values[at.ceil() as usize]);
            // Between a number and infinity lies nothing that could be named.
            if at.fract() == 0.0 || below == above { below } else { below + (above - below) * at.fract() }
        };
        Some(FiveNumbers([0.0, 0.25, 0.5, 0.75, 1.0].map(quantile)))
    }

    /// The middle one.
    pub fn median(&self) -> f64 {
        self.0[2]
    }
}

/// How many of the values lie below this one, as a share; equals count half.
pub fn share_below(values: &[f64], value: f64) -> f64 {
    let below = values.iter().filter(|other| **other < value).count() as f64;
    let equal = values.iter().filter(|other| **other == value).count() as f64;
    (below + equal / 2.0) / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_numbers_and_shares() {
        let numbers = FiveNumbers::of([3.0, 1.0, 2.0, 5.0, 4.0]).unwrap();
        assert_eq!(numbers, FiveNumbers([1.0, 2.0, 3.0, 4.0, 5.0]));
        assert_eq!(FiveNumbers::of([1.0, 2.0]).unwrap().median(), 1.5);
        assert_eq!(FiveNumbers::of([1.0, f64::INFINITY]).unwrap().median(), f64::INFINITY);
        assert_eq!(FiveNumbers::of([f64::INFINITY; 3]).unwrap().median(), f64::INFINITY);
        assert_eq!(FiveNumbers::of([]), None);
        assert_eq!(share_below(&[1.0, 2.0, 2.0, 3.0], 2.0), 0.5);
    }
}
