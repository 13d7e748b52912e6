//! Dropout: while a network learns, some of its inner numbers are left out at random.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// Which share of the outputs of which layer is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dropout {
    /// The number of the layer, from 0.
    pub layer: usize,
    /// From 0 to less than 1.
    pub share: f32,
}

impl Dropout {
    /// What each number is multiplied by: zero, or so much that the mean stays as it is.
    pub(super) fn mask(&self, count: usize, random: &mut ChaCha8Rng) -> Vec<f32> {
        let (limit, kept) = (f64::from(self.share) * f64::from(u32::MAX), 1.0 / (1.0 - self.share));
        (0..count).map(|_| if f64::from(random.next_u32()) < limit { 0.0 } else { kept }).collect()
    }
}
