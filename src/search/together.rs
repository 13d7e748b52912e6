//! Many trees grow at once, and one network values what they ask for together.

use super::{Leaf, Tree};
use crate::nets::dual::Valuer;
use crate::nets::{Planar, encoded};

/// A network with its trees: counts what it does.
#[derive(Clone, Debug)]
pub struct Thinker<'a> {
    valuer: &'a Valuer,
    /// How many positions were valued.
    pub positions: u64,
    /// In how many batches.
    pub batches: u64,
}

impl<'a> Thinker<'a> {
    /// With this network.
    pub fn new(valuer: &'a Valuer) -> Thinker<'a> {
        Thinker { valuer, positions: 0, batches: 0 }
    }

    /// Every tree asks as often as it may without an answer, and all are answered together. Says whether anybody asked.
    pub fn round<G: Planar>(&mut self, trees: &mut [&mut Tree<G>]) -> bool {
        let mut asked: Vec<(usize, Leaf<G>)> = Vec::new();
        for (number, tree) in trees.iter_mut().enumerate() {
            asked.extend(std::iter::from_fn(|| tree.ask()).map(|leaf| (number, leaf)));
        }
        if asked.is_empty() {
            return false;
        }
        let positions: Vec<G> = asked.iter().map(|(_, leaf)| leaf.position).collect();
        let valued = self.valuer.value(&encoded(self.valuer.shape(), &positions));
        self.positions += positions.len() as u64;
        self.batches += 1;
        let mut logits = Vec::new();
        for (row, (number, leaf)) in asked.iter().enumerate() {
            let tree = &mut trees[*number];
            logits.clear();
            logits.extend(tree.moves(leaf).map(|m| valued.logit(row, leaf.position.action(m))));
            tree.tell(leaf, &logits, valued.value(row));
        }
        true
    }
}

/// Grows all trees as far as they may, all positions that wait valued by one network together.
pub fn think_together<G: Planar>(trees: &mut [&mut Tree<G>], valuer: &Valuer) {
    let mut thinker = Thinker::new(valuer);
    while thinker.round(trees) {}
}
