//! Where all random numbers come from: one independent stream for each purpose, so that nothing depends on the order
//! in which threads happen to work.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The largest seed: TOML, in which runs say how they were made, has no larger number.
pub const MOST_SEED: u64 = i64::MAX as u64;

/// The generator for one item (a game, say) of one group (a pairing or a generation) of a seeded run.
///
/// The numbers are the same on every machine, with every number of threads, in every version.
pub fn stream(seed: u64, group: u64, item: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&group.to_le_bytes());
    let mut random = ChaCha8Rng::from_seed(key);
    random.set_stream(item);
    random
}

/// A number below `count`, all equally likely (to within one part in four billion).
pub fn below(random: &mut ChaCha8Rng, count: usize) -> usize {
    ((u64::from(random.next_u32()) * count as u64) >> 32) as usize
}

/// One of the items; there must be one.
pub fn pick<T: Copy>(random: &mut ChaCha8Rng, items: &[T]) -> T {
    match items {
        [only] => *only,
        _ => items[below(random, items.len())],
    }
}

/// Whether something happens that has this chance; certain things and impossible ones take a number too.
pub fn chance(random: &mut ChaCha8Rng, chance: f64) -> bool {
    f64::from(random.next_u32()) < chance * 2_f64.powi(32)
}

/// A number of the normal distribution, by Box and Muller.
pub fn normal(random: &mut ChaCha8Rng) -> f64 {
    let mut even = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let (radius, turn) = (1.0 - even(), even());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * turn).cos()
}

/// A number evenly between 0 and 1, never 0.
fn even(random: &mut ChaCha8Rng) -> f64 {
    ((random.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
}

/// A number of Gumbel's distribution.
pub fn gumbel(random: &mut ChaCha8Rng) -> f32 {
    -(-even(random).ln()).ln() as f32
}

/// A number of the gamma distribution, by Marsaglia and Tsang; shapes below 1 by way of the next one.
pub fn gamma(shape: f64, random: &mut ChaCha8Rng) -> f64 {
    if shape < 1.0 {
        let power = even(random).powf(1.0 / shape);
        return gamma(shape + 1.0, random) * power;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(random);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && even(random).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}
