//! Leaves of many trees, evaluated by one network in batches.

use std::collections::HashMap;

use super::{Leaf, Tree};
use crate::nets::dual::InferenceNetwork;
use crate::nets::{Planar, encoded};

/// A network with a cache: games begin alike, and a tree comes to positions that the tree of the move before has evaluated.
pub struct BatchedEvaluator<'a, G> {
    network: &'a InferenceNetwork,
    /// For each position the logits of its moves, in the game's order, and its value.
    cache: HashMap<G, (Vec<f32>, f32)>,
    /// How many positions were evaluated.
    pub positions: u64,
    /// In how many batches.
    pub batches: u64,
}

/// When the cache has this many positions it is cleared.
const MAX_CACHED: usize = 1 << 17;

impl<'a, G: Planar> BatchedEvaluator<'a, G> {
    /// With this network.
    pub fn new(network: &'a InferenceNetwork) -> BatchedEvaluator<'a, G> {
        BatchedEvaluator { network, cache: HashMap::new(), positions: 0, batches: 0 }
    }

    /// Takes leaves of every tree until it must wait, and evaluates them together. Says whether there were any.
    pub fn round(&mut self, trees: &mut [&mut Tree<G>]) -> bool {
        let mut positions: Vec<G> = Vec::new();
        // Trees may come to the same position.
        let mut rows: HashMap<G, usize> = HashMap::new();
        let mut leaves: Vec<(usize, Leaf<G>, usize)> = Vec::new();
        let mut any = false;
        for (number, tree) in trees.iter_mut().enumerate() {
            while let Some(leaf) = tree.select() {
                any = true;
                if let Some((logits, value)) = self.cache.get(&leaf.position) {
                    tree.expand(&leaf, logits, *value);
                    // Noise at the root is added before anything is tried.
                    if leaf.is_root() {
                        break;
                    }
                    continue;
                }
                let row = *rows.entry(leaf.position).or_insert_with(|| {
                    positions.push(leaf.position);
                    positions.len() - 1
                });
                leaves.push((number, leaf, row));
            }
        }
        if positions.is_empty() {
            return any;
        }
        let evaluations = self.network.evaluate(&encoded(self.network.shape(), &positions));
        self.positions += positions.len() as u64;
        self.batches += 1;
        if self.cache.len() + positions.len() > MAX_CACHED {
            self.cache.clear();
        }
        for (number, leaf, row) in leaves {
            let tree = &mut trees[number];
            let logits: Vec<f32> =
                tree.moves(&leaf).map(|m| evaluations.logit(row, leaf.position.action(m))).collect();
            tree.expand(&leaf, &logits, evaluations.value(row));
            self.cache.insert(leaf.position, (logits, evaluations.value(row)));
        }
        true
    }
}
