//! Which move of a position is tried next: by PUCT, or as Gumbel AlphaZero does.

use super::{Edge, Known, Tree};
use crate::game::Game;
use crate::search::{Fpu, TreePolicy};

/// How Gumbel AlphaZero weighs values beside logits: the more often moves were tried, the more values count.
const VISITS_SURE: f32 = 50.0;
/// See above: for values from -1 to 1.
const VALUE_SCALE: f32 = 0.2;

impl<G: Game> Tree<G> {
    /// The move of a position to try next.
    pub(super) fn choose(&self, node: u32) -> usize {
        let range = self.range(node);
        let edges = &self.edges[range.clone()];
        let best = match (self.settings.tree_policy, node) {
            (TreePolicy::Puct, _) => best_of(edges, self.puct(node)),
            (TreePolicy::Gumbel, 0) => best_of(edges, self.gumbel_root()),
            (TreePolicy::Gumbel, _) => best_of(edges, self.gumbel_below(node)),
        };
        range.start + best
    }

    fn puct(&self, node: u32) -> impl Fn(usize, &Edge<G::Move>) -> f32 {
        let edges = &self.edges[self.range(node)];
        let tried: u32 = edges.iter().map(|edge| edge.visits + edge.pending).sum();
        let fpu = match self.settings.fpu {
            Fpu::Zero => 0.0,
            Fpu::Parent => self.mixed(node),
        };
        let explore = self.settings.c as f32 * (tried as f32).sqrt();
        move |_, edge| {
            let tried = (edge.visits + edge.pending) as f32;
            edge.value().unwrap_or(fpu) + explore * edge.prior / (1.0 + tried)
        }
    }

    /// At the root: moves that were tried as often as the plan has it now, by noise, logit and value.
    fn gumbel_root(&self) -> impl Fn(usize, &Edge<G::Move>) -> f32 {
        let tried: u32 = self.root().iter().map(|edge| edge.visits + edge.pending).sum();
        let turn = self.plan.get(tried as usize).copied().unwrap_or(0);
        let most = self.root().iter().map(|edge| edge.visits + edge.pending).max().unwrap_or(0);
        let scores = self.improved(0);
        move |number, edge| {
            let tried = edge.visits + edge.pending;
            // If the solver has ended some halves early, the most tried move goes on.
            let far = if tried == turn { 0.0 } else { -1e6 - (most - tried) as f32 * 1e3 };
            scores[number] + self.gumbel(number) + far
        }
    }

    /// Below the root: whatever the improved policy has been given too rarely.
    fn gumbel_below(&self, node: u32) -> impl Fn(usize, &Edge<G::Move>) -> f32 {
        let edges = &self.edges[self.range(node)];
        let tried: u32 = edges.iter().map(|edge| edge.visits + edge.pending).sum();
        let improved = softmax(&self.improved(node));
        move |number, edge| improved[number] - (edge.visits + edge.pending) as f32 / (1.0 + tried as f32)
    }

    pub(super) fn gumbel(&self, number: usize) -> f32 {
        self.noise.get(number).copied().unwrap_or(0.0)
    }

    /// Logits of a better policy: the network's with what the values of its moves say.
    pub(super) fn improved(&self, node: u32) -> Vec<f32> {
        let edges = &self.edges[self.range(node)];
        let mixed = self.mixed(node);
        let most = edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
        let scale = (VISITS_SURE + most as f32) * VALUE_SCALE;
        edges.iter().map(|edge| edge.logit + scale * edge.value().unwrap_or(mixed)).collect()
    }

    /// The value of a position by what is known so far: its own, and those of the moves that were tried by how likely they are.
    pub(super) fn mixed(&self, node: u32) -> f32 {
        let own = self.nodes[node as usize].value.unwrap_or(0.0);
        let (mut sum, mut shares, mut visits) = (0.0, 0.0, 0);
        for edge in &self.edges[self.range(node)] {
            if let Some(value) = edge.value() {
                sum += edge.prior * value;
                shares += edge.prior;
                visits += edge.visits + edge.pending;
            }
        }
        match shares > 0.0 {
            true => (own + visits as f32 * sum / shares) / (1 + visits) as f32,
            false => own,
        }
    }
}

/// The number of the edge with the highest score; among equals the likelier one, then the first.
pub(super) fn best_of<M>(edges: &[Edge<M>], score: impl Fn(usize, &Edge<M>) -> f32) -> usize {
    let mut best = (f32::NEG_INFINITY, f32::NEG_INFINITY, 0);
    // A move that is known to lose is tried last.
    let scored = |number: usize, edge: &Edge<M>| match edge.known {
        Known::Loses => score(number, edge) - 1e9,
        _ => score(number, edge),
    };
    for (number, edge) in edges.iter().enumerate() {
        let this = (scored(number, edge), edge.prior, number);
        if (this.0, this.1) > (best.0, best.1) {
            best = this;
        }
    }
    best.2
}

/// Shares that sum up to one.
pub(super) fn softmax(logits: &[f32]) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut shares: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
    let sum: f32 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    shares
}

/// After how many tries a move of the root is tried, simulation by simulation: all candidates equally often, then the better half,
/// and so on down to two.
pub(super) fn halving(candidates: u32, simulations: u32) -> Vec<u32> {
    if candidates <= 1 {
        return (0..simulations).collect();
    }
    let rounds = candidates.next_power_of_two().ilog2();
    let mut tried = vec![0; candidates as usize];
    let (mut plan, mut left) = (Vec::new(), candidates);
    while plan.len() < simulations as usize {
        let times = (simulations / (rounds * left)).max(1);
        for _ in 0..times {
            plan.extend_from_slice(&tried[..left as usize]);
            tried[..left as usize].iter_mut().for_each(|tried| *tried += 1);
        }
        left = (left / 2).max(2);
    }
    plan.truncate(simulations as usize);
    plan
}
