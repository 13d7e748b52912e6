//! How children differ from what crossing made of them.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use super::Problem;

/// How often something happens, compared exactly with a random number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probability(u64);

impl Probability {
    /// A share from 0 to 1; what lies outside is cut off.
    pub fn new(share: f64) -> Probability {
        Probability((share.clamp(0.0, 1.0) * 4_294_967_296.0).round() as u64)
    }

    fn happens(self, random: &mut ChaCha8Rng) -> bool {
        u64::from(random.next_u32()) < self.0
    }
}

/// Gives each gene its chance to mutate.
pub(super) fn mutate(
    genes: &mut [i32],
    probability: Probability,
    problem: &impl Problem,
    random: &mut ChaCha8Rng,
) {
    for (gene, value) in genes.iter_mut().enumerate() {
        if probability.happens(random) {
            *value = problem.mutated_gene(gene, *value, random);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    #[test]
    fn probabilities_are_kept() {
        let mut random = stream(1, 0, 0);
        let mut count = |share: f64| {
            let probability = Probability::new(share);
            (0..100_000).filter(|_| probability.happens(&mut random)).count()
        };
        assert_eq!((count(0.0), count(1.0)), (0, 100_000));
        assert!((2_800..3_200).contains(&count(0.03)));
    }
}
