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

    /// Every tree asks as often as it may without an answer, and all are answered together. Says whether anybody had to be.
    pub fn round(&mut self, trees: &mut [&mut Tree<G>]) -> bool {
        let mut asked: Vec<(usize, Leaf<G>)> = Vec::new();
        for (number, tree) in trees.iter_mut().enumerate() {
            while let Some(leaf) = tree.ask() {
                match self.known.get(&leaf.position) {
                    Some((logits, value)) => tree.tell(&leaf, logits, *value),
                    None => asked.push((number, leaf)),
                }
            }
        }
        if asked.is_empty() {
            return false;
        }
        let positions: Vec<G> = asked.iter().map(|(_, leaf)| leaf.position).collect();
        let valued = self.valuer.value(&encoded(self.valuer.shape(), &positions));
        self.positions += positions.len() as u64;
        self.batches += 1;
        if self.known.len() + asked.len() > MOST_KNOWN {
            self.known.clear();
        }
        for (row, (number, leaf)) in asked.iter().enumerate() {
            let tree = &mut trees[*number];
            let logits: Vec<f32> =
                tree.moves(leaf).map(|m| valued.logit(row, leaf.position.action(m))).collect();
            tree.tell(leaf, &logits, valued.value(row));
            self.known.insert(leaf.position, (logits, valued.value(row)));
        }
        true
    }
}

/// Grows all trees as far as they may, all positions that wait valued by one network together.
pub fn think_together<G: Planar>(trees: &mut [&mut Tree<G>], valuer: &Valuer) {
    let mut thinker = Thinker::new(valuer);
    while thinker.round(trees) {}
}
