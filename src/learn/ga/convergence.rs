//! When a gene counts as settled.

use serde::{Deserialize, Serialize};

use super::{Chromosome, Individual};

/// Every `window` generations, a gene whose watched value has a standard deviation of at most `deviation` over them is
/// frozen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convergence {
    /// How many generations are looked at.
    pub window: usize,
    /// The largest standard deviation, in thousandths.
    pub deviation: i64,
    /// Whether to watch the mean of the population rather than the winner.
    pub watch_mean: bool,
}

/// A gene that is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frozen {
    /// Since which generation.
    pub generation: u32,
    /// At which value.
    pub value: i32,
}

impl Convergence {
    /// What is watched of a ranked population.
    pub(super) fn watch(&self, ranked: &[Individual]) -> Chromosome {
        if !self.watch_mean {
            return ranked[0].genes.clone();
        }
        let mean = |gene: usize| {
            let sum: i64 = ranked.iter().map(|individual| i64::from(individual.genes[gene])).sum();
            (sum / ranked.len() as i64) as i32
        };
        (0..ranked[0].genes.len()).map(mean).collect()
    }

    /// The genes that have hardly moved.
    pub(super) fn settled(&self, watched: &[Chromosome]) -> Vec<usize> {
        let genes = watched.first().map_or(0, Vec::len);
        (0..genes).filter(|gene| self.is_settled(watched.iter().map(|values| values[*gene]))).collect()
    }

    /// Whether n Σx² − (Σx)² ≤ n² · deviation², in whole numbers.
    fn is_settled(&self, values: impl Iterator<Item = i32>) -> bool {
        let (mut n, mut sum, mut squares) = (0, 0, 0);
        for value in values.map(i128::from) {
            n += 1;
            sum += value;
            squares += value * value;
        }
        n * squares - sum * sum <= n * n * i128::from(self.deviation).pow(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_itself_counts_as_settled() {
        let convergence = Convergence { window: 4, deviation: 30_000, watch_mean: false };
        // ±30 points around 100: a standard deviation of exactly 30.
        assert!(convergence.is_settled([70_000, 130_000, 70_000, 130_000].into_iter()));
        assert!(!convergence.is_settled([69_999, 130_000, 70_000, 130_000].into_iter()));
        let watched = vec![vec![0, 5], vec![100_000, 5], vec![0, 5], vec![100_000, 5]];
        assert_eq!(convergence.settled(&watched), [1]);
    }

    #[test]
    fn the_winner_or_the_mean_is_watched() {
        let individual = |genes: &[i32]| Individual { genes: genes.to_vec(), ..Individual::default() };
        let ranked = [individual(&[10, 20]), individual(&[30, 40])];
        let mut convergence = Convergence { window: 1, deviation: 0, watch_mean: false };
        assert_eq!(convergence.watch(&ranked), [10, 20]);
        convergence.watch_mean = true;
        assert_eq!(convergence.watch(&ranked), [20, 30]);
    }
}
