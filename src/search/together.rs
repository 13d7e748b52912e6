//! Many trees grow at once, and one network values what they ask for together.

use std::collections::HashMap;

use super::{Leaf, Tree};
use crate::nets::dual::Valuer;
use crate::nets::{Planar, encoded};

/// A network that values what trees ask for, and remembers it: games begin alike, and a tree looks again at what the tree of the
/// move before has looked at.
pub struct Thinker<'a, G> {
    valuer: &'a Valuer,
    /// For each position the logits of its moves, in the game's order, and its value.
    known: HashMap<G, (Vec<f32>, f32)>,
    /// How many positions were valued.
    pub positions: u64,
    /// In how many batches.
    pub batches: u64,
}

/// So many positions are remembered at most; then all are forgotten.
const MOST_KNOWN: usize = 1 << 17;

impl<'a, G: Planar> Thinker<'a, G> {
    /// With this network.
    pub fn new(valuer: &'a Valuer) -> Thinker<'a, G> {
        Thinker { valuer, known: HashMap::new(), positions: 0, batches: 0 }
    }

    /// Every tree asks as often as it may without an answer, and all are answered together. Says whether anybody has asked.
    pub fn round(&mut self, trees: &mut [&mut Tree<G>]) -> bool {
        let mut positions: Vec<G> = Vec::new();
        // Trees may ask about the same position.
        let mut rows: HashMap<G, usize> = HashMap::new();
        let mut asked: Vec<(usize, Leaf<G>, usize)> = Vec::new();
        let mut any = false;
        for (number, tree) in trees.iter_mut().enumerate() {
            while let Some(leaf) = tree.ask() {
                any = true;
                if let Some((logits, value)) = self.known.get(&leaf.position) {
                    tree.tell(&leaf, logits, *value);
                    // Whoever wants noise at the root adds it now.
                    if leaf.is_root() {
                        break;
                    }
                    continue;
                }
                let row = *rows.entry(leaf.position).or_insert_with(|| {
                    positions.push(leaf.position);
                    positions.len() - 1
                });
                asked.push((number, leaf, row));
            }
        }
        if positions.is_empty() {
            return any;
        }
        let valued = self.valuer.value(&encoded(self.valuer.shape(), &positions));
        self.positions += positions.len() as u64;
        self.batches += 1;
        if self.known.len() + positions.len() > MOST_KNOWN {
            self.known.clear();
        }
        for (number, leaf, row) in asked {
            let tree = &mut trees[number];
            let logits: Vec<f32> =
                tree.moves(&leaf).map(|m| valued.logit(row, leaf.position.action(m))).collect();
            tree.tell(&leaf, &logits, valued.value(row));
            self.known.insert(leaf.position, (logits, valued.value(row)));
        }
        true
    }
}
