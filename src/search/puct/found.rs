//! What a tree has found: values, shares, the best move and the best line.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use super::choice::{best_of, softmax};
use super::{Edge, Known, NONE, Tree};
use crate::game::Game;
use crate::search::TreePolicy;

/// What is known of one move of the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tried<M> {
    /// The move.
    pub m: M,
    /// What the policy makes of it at first.
    pub prior: f32,
    /// How often it was tried.
    pub visits: u32,
    /// Its mean value for the side that makes it, if it was tried.
    pub value: Option<f32>,
    /// Whether that is known for sure.
    pub proven: bool,
}

impl<G: Game> Tree<G> {
    /// What is known of each move of the root, in the game's order.
    pub fn tried(&self) -> Vec<Tried<G::Move>> {
        let tried = |edge: &Edge<G::Move>| Tried {
            m: edge.m,
            prior: edge.prior,
            visits: edge.visits,
            value: edge.value(),
            proven: matches!(edge.known, Known::Wins | Known::Loses),
        };
        self.root().iter().map(tried).collect()
    }

    /// The value of the root for the side to move, by all that was found.
    pub fn value(&self) -> f32 {
        if let Some(value) = self.known(0).value() {
            return value;
        }
        match self.settings.tree_policy {
            // What the improved policy would get.
            TreePolicy::Gumbel => {
                let mixed = self.mixed(0);
                let values = self.root().iter().map(|edge| edge.value().unwrap_or(mixed));
                self.policy().iter().zip(values).map(|(share, value)| share * value).sum()
            }
            TreePolicy::Puct => {
                let visits: u32 = self.root().iter().map(|edge| edge.visits).sum();
                let total: f32 = self.root().iter().map(|edge| edge.total).sum();
                if visits > 0 { total / visits as f32 } else { self.mixed(0) }
            }
        }
    }

    /// How likely each move of the root should be, in the game's order: what a policy should learn.
    pub fn policy(&self) -> Vec<f32> {
        let edges = self.root();
        match self.settings.tree_policy {
            TreePolicy::Gumbel => softmax(&self.improved(0)),
            TreePolicy::Puct => {
                let weights = self.weights();
                let sum: f32 = weights.iter().sum();
                weights
                    .iter()
                    .map(|weight| if sum > 0.0 { weight / sum } else { 1.0 / edges.len() as f32 })
                    .collect()
            }
        }
    }

    /// How often each move of the root was tried; if some are known to win only those count, and none that is known to lose if there
    /// is another.
    fn weights(&self) -> Vec<f32> {
        let edges = self.root();
        let known = self.known(0);
        let counts = |edge: &Edge<G::Move>| match known {
            Known::Wins => edge.known == Known::Wins,
            _ if self.settings.solver => edge.known != Known::Loses || known == Known::Loses,
            _ => true,
        };
        // A move that wins at once was perhaps never tried.
        let known_to_win = u32::from(known == Known::Wins);
        edges
            .iter()
            .map(|edge| if counts(edge) { (edge.visits + known_to_win) as f32 } else { 0.0 })
            .collect()
    }

    /// The best move: the most tried, or what is known to win; among equals the likelier one, then the first.
    pub fn best(&self) -> G::Move {
        let edges = self.root();
        let number = match (self.settings.tree_policy, self.known(0)) {
            (TreePolicy::Gumbel, Known::Nothing) => {
                let scores = self.improved(0);
                let open = edges.iter().filter(|edge| edge.known != Known::Loses);
                let most = open.map(|edge| edge.visits).max().unwrap_or(0);
                best_of(edges, |number, edge| {
                    let tried = if edge.visits == most { 0.0 } else { -1e6 };
                    scores[number] + self.gumbel(number) + tried
                })
            }
            // A lost position: the move that held out longest.
            (_, Known::Loses) => {
                let hardest = |a: &Edge<G::Move>, b: &Edge<G::Move>| {
                    a.visits.cmp(&b.visits).then(a.prior.total_cmp(&b.prior))
                };
                let last = (0..edges.len()).max_by(|a, b| hardest(&edges[*a], &edges[*b]));
                last.unwrap_or(0)
            }
            _ => {
                let weights = self.weights();
                best_of(edges, |number, _| weights[number])
            }
        };
        edges[number].m
    }

    /// A random move, as likely as it was often tried, to the power of 1 / `temperature`; the best one at temperature 0.
    pub fn draw(&self, temperature: f64, random: &mut ChaCha8Rng) -> G::Move {
        let weights: Vec<f64> = match temperature > 0.0 && self.known(0) != Known::Loses {
            true => self.weights().iter().map(|weight| f64::from(*weight).powf(1.0 / temperature)).collect(),
            false => Vec::new(),
        };
        let sum: f64 = weights.iter().sum();
        if sum <= 0.0 || !sum.is_finite() {
            return self.best();
        }
        let mut left = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 * sum;
        for (edge, weight) in self.root().iter().zip(&weights) {
            left -= weight;
            if left < 0.0 {
                return edge.m;
            }
        }
        self.best()
    }

    /// The line that was tried most, from the root.
    pub fn line(&self) -> Vec<G::Move> {
        let mut line = vec![self.best()];
        let mut node = self.root().iter().find(|edge| edge.m == line[0]).map_or(NONE, |edge| edge.child);
        while node != NONE && self.nodes[node as usize].value.is_some() {
            let edges = &self.edges[self.range(node)];
            let edge = &edges[best_of(edges, |_, edge| edge.visits as f32)];
            if edge.visits == 0 {
                break;
            }
            line.push(edge.m);
            node = edge.child;
        }
        line
    }
}
