//! The paper's warm-up: follow a curve.

use rand_chacha::ChaCha8Rng;

use super::ga::{Chromosome, Individual, Problem, Trials};
use crate::random::below;

/// sin t at t = 0.1, 0.2 … 2.0, in thousandths: twenty genes from −20 to 20 are to come as near as they can.
pub struct Curve;

impl Curve {
    const RANGE: i32 = 20_000;

    fn target(gene: usize) -> i32 {
        ((gene + 1) as f64 * 100.0 / 1000.0).sin().mul_add(1000.0, 0.5).floor() as i32
    }

    /// The sum of the absolute differences, in thousandths.
    pub fn error(genes: &[i32]) -> i64 {
        (0..).zip(genes).map(|(gene, value)| i64::from((value - Self::target(gene)).abs())).sum()
    }
}

impl Problem for Curve {
    fn genes(&self) -> usize {
        20
    }

    fn first_gene(&self, _: usize, random: &mut ChaCha8Rng) -> i32 {
        below(random, 2 * Self::RANGE as usize + 1) as i32 - Self::RANGE
    }

    fn mutated_gene(&self, gene: usize, _: i32, random: &mut ChaCha8Rng) -> i32 {
        self.first_gene(gene, random)
    }

    fn measure(&self, population: &mut [Individual], _: &[Chromosome], _: u32) -> Trials {
        for individual in population.iter_mut() {
            individual.points = -Self::error(&individual.genes);
            individual.games = 1;
        }
        Trials { games: population.len() as u64, draws: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_itself_has_no_error() {
        let targets: Vec<i32> = (0..20).map(Curve::target).collect();
        assert_eq!(Curve::error(&targets), 0);
        assert_eq!((targets[0], targets[15], targets[19]), (100, 1000, 909));
        assert_eq!(Curve::error(&[0; 20]), targets.iter().map(|value| i64::from(*value)).sum::<i64>());
    }
}
