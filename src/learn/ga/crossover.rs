//! How two parents make a child.

use rand_chacha::ChaCha8Rng;

use super::Chromosome;
use crate::random::below;

crate::variants! {
    /// How the genes of two parents are combined.
    pub enum Crossover, "kind of crossover" {
        /// Up to a random point the one parent's genes, from there on the other's.
        OnePoint = "one-point", "up to a random point one parent's genes, then the other's";
        /// Each gene from either parent.
        Uniform = "uniform", "each gene from either parent";
        /// Each gene anywhere between the parents' values, or up to half their distance beyond.
        Blend = "blend", "each gene between the parents' values, or a little beyond";
    }
}

impl Crossover {
    pub(super) fn cross(self, mother: &[i32], father: &[i32], random: &mut ChaCha8Rng) -> Chromosome {
        let genes = mother.len();
        match self {
            Crossover::OnePoint => {
                // At least one gene of each.
                let cut = 1 + below(random, genes.saturating_sub(1).max(1));
                [&mother[..cut.min(genes)], &father[cut.min(genes)..]].concat()
            }
            Crossover::Uniform => {
                let pairs = mother.iter().zip(father);
                pairs.map(|(a, b)| if below(random, 2) == 0 { *a } else { *b }).collect()
            }
            Crossover::Blend => mother.iter().zip(father).map(|(a, b)| blend(*a, *b, random)).collect(),
        }
    }
}

fn blend(a: i32, b: i32, random: &mut ChaCha8Rng) -> i32 {
    let (low, high) = (a.min(b), a.max(b));
    let margin = (high - low) / 2;
    // It may lie outside of what a gene can be: the problem puts it back.
    low - margin + below(random, (high - low + 2 * margin + 1) as usize) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    #[test]
    fn one_point_takes_a_head_and_a_tail() {
        let mut random = stream(1, 0, 0);
        let mut cuts = std::collections::HashSet::new();
        for _ in 0..200 {
            let child = Crossover::OnePoint.cross(&[1; 9], &[2; 9], &mut random);
            let cut = child.iter().filter(|gene| **gene == 1).count();
            assert!(child[..cut].iter().all(|gene| *gene == 1) && child[cut..].iter().all(|gene| *gene == 2));
            cuts.insert(cut);
        }
        assert_eq!(cuts, (1..9).collect());
    }

    #[test]
    fn uniform_takes_every_gene_from_either_and_blend_stays_near() {
        let mut random = stream(2, 0, 0);
        for _ in 0..200 {
            let child = Crossover::Uniform.cross(&[1, 10, 100], &[2, 20, 200], &mut random);
            assert!(child.iter().zip([1, 10, 100]).all(|(gene, a)| *gene == a || *gene == 2 * a));
            let child = Crossover::Blend.cross(&[100, 0, 7], &[200, 100, 7], &mut random);
            assert!((50..=250).contains(&child[0]) && (-50..=150).contains(&child[1]) && child[2] == 7);
        }
    }
}
