//! Monte Carlo tree search with a network's policy and value: PUCT, or Gumbel AlphaZero for few simulations.
//!
//! The tree does not know any network. [`Tree::select`] goes down to a leaf, [`Tree::expand`] takes its evaluation and backs it up: so
//! leaves of many trees can be evaluated together (see [`BatchedEvaluator`](super::BatchedEvaluator)).
//! All values are those of the side to move, from -1 (lost) to 1 (won).

mod choice;
mod found;

use choice::{halving, softmax};
pub use found::Tried;

use super::{MctsSettings, TreePolicy};
use crate::game::{Game, Outcome, Referee};
use crate::random::{gamma, gumbel};
use rand_chacha::ChaCha8Rng;

const NONE: u32 = u32::MAX;

/// A move of a position in the tree.
#[derive(Clone, Debug)]
struct Edge<M> {
    m: M,
    logit: f32,
    prior: f32,
    visits: u32,
    /// Leaves below that are being evaluated.
    pending: u32,
    /// The sum of the values backed up, for the side that makes the move.
    total: f32,
    /// What the solver knows, for the side that makes the move.
    known: Known,
    /// The node after it, if it was tried.
    child: u32,
}

/// What the solver knows of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Nothing,
    /// It wins or loses, whatever comes after.
    Wins,
    Loses,
    /// It ends the game so.
    Drawn,
}

impl Known {
    fn value(self) -> Option<f32> {
        match self {
            Known::Nothing => None,
            Known::Wins => Some(1.0),
            Known::Loses => Some(-1.0),
            Known::Drawn => Some(0.0),
        }
    }
}

impl<M> Edge<M> {
    /// The mean value for the side that makes the move; what is being evaluated counts as lost (virtual loss).
    fn value(&self) -> Option<f32> {
        let tried = self.visits + self.pending;
        self.known.value().or((tried > 0).then(|| (self.total - self.pending as f32) / tried as f32))
    }
}

/// A position in the tree.
#[derive(Clone, Debug)]
struct Node {
    /// Its moves: the first, and how many.
    first: u32,
    count: u32,
    /// Its evaluation by the network; nothing until then.
    value: Option<f32>,
}

/// A position to be evaluated.
#[derive(Clone, Debug)]
pub struct Leaf<G> {
    /// Which.
    pub position: G,
    node: u32,
    /// The moves from the root.
    path: Vec<u32>,
}

impl<G> Leaf<G> {
    /// Whether it is the root itself.
    pub fn is_root(&self) -> bool {
        self.path.is_empty()
    }
}

/// A tree of moves from a position of a game.
#[derive(Clone)]
pub struct Tree<G: Game> {
    game: Referee<G>,
    /// How many moves the game has at the root.
    plies: usize,
    settings: MctsSettings,
    nodes: Vec<Node>,
    edges: Vec<Edge<G::Move>>,
    /// How often a move of the root may be tried in all; grows when the tree goes on.
    most: u32,
    /// For each move of the root a number of Gumbel's distribution, if there is noise.
    noise: Vec<f32>,
    /// When a move of the root may be tried: after so many times (Gumbel).
    plan: Vec<u32>,
    /// How many of the root's moves are being tried.
    pending: u32,
}

impl<G: Game> Tree<G> {
    /// A tree that knows nothing yet of a game that goes on.
    pub fn new(game: &Referee<G>, settings: MctsSettings) -> Tree<G> {
        let mut tree = Tree {
            game: game.clone(),
            plies: game.moves().len(),
            settings,
            nodes: Vec::new(),
            edges: Vec::new(),
            most: settings.simulations,
            noise: Vec::new(),
            plan: Vec::new(),
            pending: 0,
        };
        tree.add_node();
        tree
    }

    /// The game that the root is the present position of.
    pub fn game(&self) -> &Referee<G> {
        &self.game
    }

    /// Adds the position that the game is in now, still without a value.
    fn add_node(&mut self) -> u32 {
        let mut moves = Vec::new();
        self.game.position().moves(&mut moves);
        let (first, count) = (self.edges.len() as u32, moves.len() as u32);
        let edge = |m| Edge {
            m,
            logit: 0.0,
            prior: 0.0,
            visits: 0,
            pending: 0,
            total: 0.0,
            known: Known::Nothing,
            child: NONE,
        };
        self.edges.extend(moves.into_iter().map(edge));
        self.nodes.push(Node { first, count, value: None });
        self.nodes.len() as u32 - 1
    }

    fn range(&self, node: u32) -> std::ops::Range<usize> {
        let Node { first, count, .. } = self.nodes[node as usize];
        first as usize..(first + count) as usize
    }

    fn root(&self) -> &[Edge<G::Move>] {
        &self.edges[self.range(0)]
    }

    /// The moves of a leaf, in the game's order.
    pub fn moves(&self, leaf: &Leaf<G>) -> impl Iterator<Item = G::Move> + '_ {
        self.edges[self.range(leaf.node)].iter().map(|edge| edge.m)
    }

    /// Selection: goes down to a leaf. Nothing if all simulations are done, or if leaves must be expanded first.
    pub fn select(&mut self) -> Option<Leaf<G>> {
        if !self.is_evaluated() {
            // Only once, until it is expanded.
            let first = self.pending == 0;
            self.pending = 1;
            return first.then(|| Leaf { position: *self.game.position(), node: 0, path: Vec::new() });
        }
        loop {
            if self.is_done() || self.pending >= self.settings.leaf_batch {
                return None;
            }
            match self.descend() {
                Descent::Leaf(leaf) => return Some(leaf),
                Descent::Known(path, value) => self.back_up(&path, value),
                Descent::Pending => return None,
            }
        }
    }

    /// Whether the root has been evaluated.
    pub fn is_evaluated(&self) -> bool {
        self.nodes[0].value.is_some()
    }

    /// The network's value of the root.
    pub fn own_value(&self) -> f32 {
        self.nodes[0].value.unwrap_or(0.0)
    }

    /// The number of the move that the policy alone would make.
    pub fn at_once(&self) -> usize {
        let edges = self.root();
        (0..edges.len()).fold(0, |best, next| if edges[next].logit > edges[best].logit { next } else { best })
    }

    /// From now on moves of the root are tried so often in all.
    pub fn grow_to(&mut self, tries: u32) {
        self.most = tries;
    }

    /// Whether nothing more is to be found out.
    pub fn is_done(&self) -> bool {
        let tried: u32 = self.root().iter().map(|edge| edge.visits + edge.pending).sum();
        tried >= self.most || self.is_settled()
    }

    /// Whether there is no choice, or all is known.
    pub fn is_settled(&self) -> bool {
        self.root().len() == 1 || self.known(0) != Known::Nothing
    }

    /// What the solver knows of a position, for the side to move there.
    fn known(&self, node: u32) -> Known {
        if !self.settings.solver {
            return Known::Nothing;
        }
        let edges = &self.edges[self.range(node)];
        match () {
            () if edges.iter().any(|edge| edge.known == Known::Wins) => Known::Wins,
            () if edges.iter().all(|edge| edge.known == Known::Loses) => Known::Loses,
            () => Known::Nothing,
        }
    }

    fn descend(&mut self) -> Descent<G> {
        let mut path: Vec<u32> = Vec::new();
        let mut node = 0;
        let descent = loop {
            let edge = self.choose(node);
            path.push(edge as u32);
            if let Some(value) = self.edges[edge].known.value() {
                break Descent::Known(path, value);
            }
            self.game.play(self.edges[edge].m);
            let child = self.edges[edge].child;
            if child == NONE {
                if let Some(verdict) = self.game.verdict() {
                    let mover = !self.game.position().side_to_move();
                    let known = match verdict.outcome {
                        Outcome::Draw => Known::Drawn,
                        Outcome::Win(side) if side == mover => Known::Wins,
                        Outcome::Win(_) => Known::Loses,
                    };
                    self.edges[edge].known = known;
                    break Descent::Known(path, known.value().unwrap_or(0.0));
                }
                // A position lost at once needs no evaluation.
                if self.settings.solver && self.game.position().next_move_wins() == Some(true) {
                    self.edges[edge].known = Known::Loses;
                    break Descent::Known(path, -1.0);
                }
                let child = self.add_node();
                self.edges[edge].child = child;
                let position = *self.game.position();
                break Descent::Leaf(Leaf { position, node: child, path });
            }
            if self.nodes[child as usize].value.is_none() {
                break Descent::Pending;
            }
            node = child;
        };
        while self.game.moves().len() > self.plies {
            self.game.undo();
        }
        if let Descent::Leaf(leaf) = &descent {
            leaf.path.iter().for_each(|edge| self.edges[*edge as usize].pending += 1);
            self.pending += 1;
        }
        descent
    }

    /// Expansion and backup: a logit for each move of the leaf, and its value for the side to move.
    pub fn expand(&mut self, leaf: &Leaf<G>, logits: &[f32], value: f32) {
        let range = self.range(leaf.node);
        for ((edge, logit), prior) in self.edges[range].iter_mut().zip(logits).zip(softmax(logits)) {
            (edge.logit, edge.prior) = (*logit, prior);
        }
        self.nodes[leaf.node as usize].value = Some(value);
        self.pending -= 1;
        leaf.path.iter().for_each(|edge| self.edges[*edge as usize].pending -= 1);
        // The value is that of the side to move after the last move of the path.
        self.back_up(&leaf.path, -value);
        if leaf.node == 0 {
            self.begin();
        }
    }

    /// What must be known before the first move of the root is tried.
    fn begin(&mut self) {
        if self.settings.solver {
            self.look_at_root();
        }
        let open = self.root().iter().filter(|edge| edge.known != Known::Loses).count() as u32;
        if self.settings.tree_policy == TreePolicy::Gumbel {
            self.plan = halving(open.min(self.settings.candidates), self.settings.simulations);
        }
    }

    /// Finds out which moves of the root end the game, and which lose to the next move.
    fn look_at_root(&mut self) {
        let mover = self.game.position().side_to_move();
        for edge in self.range(0) {
            self.game.play(self.edges[edge].m);
            let verdict = self.game.verdict();
            let hangs = || self.game.position().next_move_wins() == Some(true);
            self.edges[edge].known = match verdict.map(|verdict| verdict.outcome) {
                Some(Outcome::Win(side)) if side == mover => Known::Wins,
                Some(Outcome::Win(_)) => Known::Loses,
                Some(Outcome::Draw) => Known::Drawn,
                None if hangs() => Known::Loses,
                None => self.edges[edge].known,
            };
            self.game.undo();
        }
    }

    /// Adds noise at the root, which must have been evaluated: Gumbel's for candidates, else Dirichlet's, of which this share is
    /// mixed into the prior. The smaller `alpha`, the fewer moves get most of it.
    pub fn add_noise(&mut self, share: f32, alpha: f64, random: &mut ChaCha8Rng) {
        let range = self.range(0);
        match self.settings.tree_policy {
            TreePolicy::Gumbel => self.noise = range.map(|_| gumbel(random)).collect(),
            TreePolicy::Puct if share > 0.0 => {
                let drawn: Vec<f64> = range.clone().map(|_| gamma(alpha, random)).collect();
                let sum: f64 = drawn.iter().sum::<f64>().max(f64::MIN_POSITIVE);
                for (edge, drawn) in self.edges[range].iter_mut().zip(drawn) {
                    edge.prior = (1.0 - share) * edge.prior + share * (drawn / sum) as f32;
                }
            }
            TreePolicy::Puct => {}
        }
    }

    /// Backup: adds a value for the side that made the last move of a path, with its sign changing from ply to ply.
    fn back_up(&mut self, path: &[u32], mut value: f32) {
        let mut above: Option<u32> = None;
        for (place, number) in path.iter().enumerate().rev() {
            // A position that is decided decides the move that led to it.
            if let Some(node) = above {
                let known = match self.known(node) {
                    Known::Wins => Known::Loses,
                    Known::Loses => Known::Wins,
                    other => other,
                };
                if known != Known::Nothing {
                    self.edges[*number as usize].known = known;
                    value = known.value().unwrap_or(value);
                }
            }
            let edge = &mut self.edges[*number as usize];
            edge.visits += 1;
            edge.total += value;
            value = -value;
            above = Some(match place {
                0 => 0,
                _ => self.edges[path[place - 1] as usize].child,
            });
        }
    }

    /// Plays a move and keeps what was found below it; `simulations` more may be made from there.
    pub fn advance(&mut self, m: G::Move) {
        let child = self.root().iter().find(|edge| edge.m == m).map_or(NONE, |edge| edge.child);
        self.game.play(m);
        self.plies = self.game.moves().len();
        let old_nodes = std::mem::take(&mut self.nodes);
        let old_edges = std::mem::take(&mut self.edges);
        self.noise.clear();
        (self.pending, self.most) = (0, self.settings.simulations);
        let is_valued = |node: u32| node != NONE && old_nodes[node as usize].value.is_some();
        if !is_valued(child) {
            self.add_node();
            return;
        }
        // Breadth first: a node's number is known before its own moves are copied.
        let mut queue = vec![child];
        let mut next = 0;
        while next < queue.len() {
            let Node { first, count, value } = old_nodes[queue[next] as usize].clone();
            let start = self.edges.len() as u32;
            for edge in &old_edges[first as usize..(first + count) as usize] {
                let mut edge = edge.clone();
                edge.pending = 0;
                edge.child = if is_valued(edge.child) {
                    queue.push(edge.child);
                    queue.len() as u32 - 1
                } else {
                    NONE
                };
                self.edges.push(edge);
            }
            self.nodes.push(Node { first: start, count, value });
            next += 1;
        }
        self.most += self.root().iter().map(|edge| edge.visits).sum::<u32>();
        self.begin();
    }
}

/// Where a simulation ended.
enum Descent<G> {
    /// In a position without a value.
    Leaf(Leaf<G>),
    /// With a move whose value is known, for the side that makes it.
    Known(Vec<u32>, f32),
    /// In a position that is being evaluated already.
    Pending,
}
