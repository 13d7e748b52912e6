//! A tree of moves that grows where a network's policy and value point to: PUCT, and Gumbel's way at the root for few simulations.
//!
//! The tree does not know any network. [`Tree::ask`] goes down to a position that nobody has valued yet, [`Tree::tell`] takes what
//! somebody thinks of it back up: so positions of many trees can be valued together (see [`Thinker`](super::Thinker)).
//! All values are those of the side to move, from -1 (lost) to 1 (won).

use super::{Growing, Growth, Unvisited};
use crate::games::{Game, Outcome, Referee};
use crate::random::{gamma, gumbel};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// How Gumbel's way weighs values beside logits: the more often moves were tried, the more values count.
const VISITS_SURE: f32 = 50.0;
/// See above: for values from -1 to 1.
const VALUE_SCALE: f32 = 0.2;

const NONE: u32 = u32::MAX;

/// A move of a position in the tree.
#[derive(Clone, Debug)]
struct Edge<M> {
    m: M,
    logit: f32,
    prior: f32,
    visits: u32,
    /// Positions below that wait for their value.
    waiting: u32,
    /// The sum of the values that came back, for who makes the move.
    total: f32,
    /// What is known for sure, for who makes the move.
    known: Known,
    /// The node after it, if it was tried.
    child: u32,
}

/// What is known for sure of a move.
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
    /// The mean value for who makes the move; what waits counts as lost.
    fn value(&self) -> Option<f32> {
        let tried = self.visits + self.waiting;
        self.known.value().or((tried > 0).then(|| (self.total - self.waiting as f32) / tried as f32))
    }
}

/// A position in the tree.
#[derive(Clone, Debug)]
struct Node {
    /// Its moves: the first, and how many.
    first: u32,
    count: u32,
    /// What somebody thinks of it; nothing while it waits.
    value: Option<f32>,
}

/// A position that waits for its value.
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

/// What is known of one move of the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tried<M> {
    /// The move.
    pub m: M,
    /// What the policy makes of it at first.
    pub prior: f32,
    /// How often it was tried.
    pub visits: u32,
    /// Its mean value for who makes it, if it was tried.
    pub value: Option<f32>,
    /// Whether that is known for sure.
    pub proven: bool,
}

/// A tree of moves from a position of a game.
#[derive(Clone)]
pub struct Tree<G: Game> {
    game: Referee<G>,
    /// How many moves the game has at the root.
    plies: usize,
    growing: Growing,
    nodes: Vec<Node>,
    edges: Vec<Edge<G::Move>>,
    /// How often a move of the root may be tried in all; grows when the tree goes on.
    most: u32,
    /// For each move of the root a number of Gumbel's distribution, if there is noise.
    noise: Vec<f32>,
    /// When a move of the root may be tried: after so many times (Gumbel).
    plan: Vec<u32>,
    /// How many of the root's moves are being tried.
    waiting: u32,
}

impl<G: Game> Tree<G> {
    /// A tree that knows nothing yet of a game that goes on.
    pub fn new(game: &Referee<G>, growing: Growing) -> Tree<G> {
        let mut tree = Tree {
            game: game.clone(),
            plies: game.moves().len(),
            growing,
            nodes: Vec::new(),
            edges: Vec::new(),
            most: growing.simulations,
            noise: Vec::new(),
            plan: Vec::new(),
            waiting: 0,
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
            waiting: 0,
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

    /// The moves of a position that waits for its value, in the game's order.
    pub fn moves(&self, leaf: &Leaf<G>) -> impl Iterator<Item = G::Move> + '_ {
        self.edges[self.range(leaf.node)].iter().map(|edge| edge.m)
    }

    /// Goes down to a position that nobody has valued yet. Nothing if the tree has grown as far as it may, or if it must wait for
    /// what was asked before.
    pub fn ask(&mut self) -> Option<Leaf<G>> {
        if !self.is_valued() {
            // Only once: whoever asks must tell before the next.
            let first = self.waiting == 0;
            self.waiting = 1;
            return first.then(|| Leaf { position: *self.game.position(), node: 0, path: Vec::new() });
        }
        loop {
            if self.is_done() || self.waiting >= self.growing.waiting {
                return None;
            }
            match self.descend() {
                Descent::Leaf(leaf) => return Some(leaf),
                Descent::Known(path, value) => self.back_up(&path, value),
                Descent::Waits => return None,
            }
        }
    }

    /// Whether the root has been valued.
    pub fn is_valued(&self) -> bool {
        self.nodes[0].value.is_some()
    }

    /// What was thought of the root before anything was tried.
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
        let tried: u32 = self.root().iter().map(|edge| edge.visits + edge.waiting).sum();
        tried >= self.most || self.is_settled()
    }

    /// Whether there is no choice, or all is known.
    pub fn is_settled(&self) -> bool {
        self.root().len() == 1 || self.known(0) != Known::Nothing
    }

    /// What is known for sure of a position, for the side to move there.
    fn known(&self, node: u32) -> Known {
        if !self.growing.proofs {
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
                    // Whoever moved is not the side to move any more.
                    let mover = !self.game.position().side_to_move();
                    let known = match verdict.outcome {
                        Outcome::Draw => Known::Drawn,
                        Outcome::Win(side) if side == mover => Known::Wins,
                        Outcome::Win(_) => Known::Loses,
                    };
                    self.edges[edge].known = known;
                    break Descent::Known(path, known.value().unwrap_or(0.0));
                }
                // Whoever can be beaten at once need not be asked about.
                if self.growing.proofs && self.game.position().next_move_wins() == Some(true) {
                    self.edges[edge].known = Known::Loses;
                    break Descent::Known(path, -1.0);
                }
                let child = self.add_node();
                self.edges[edge].child = child;
                let position = *self.game.position();
                break Descent::Leaf(Leaf { position, node: child, path });
            }
            if self.nodes[child as usize].value.is_none() {
                break Descent::Waits;
            }
            node = child;
        };
        while self.game.moves().len() > self.plies {
            self.game.undo();
        }
        if let Descent::Leaf(leaf) = &descent {
            leaf.path.iter().for_each(|edge| self.edges[*edge as usize].waiting += 1);
            self.waiting += 1;
        }
        descent
    }

    /// The move of a position to try next.
    fn choose(&self, node: u32) -> usize {
        let range = self.range(node);
        let edges = &self.edges[range.clone()];
        let best = match (self.growing.growth, node) {
            (Growth::Puct, _) => best_of(edges, self.puct(node)),
            (Growth::Gumbel, 0) => best_of(edges, self.gumbel_root()),
            (Growth::Gumbel, _) => best_of(edges, self.gumbel_below(node)),
        };
        range.start + best
    }

    fn puct(&self, node: u32) -> impl Fn(usize, &Edge<G::Move>) -> f32 {
        let edges = &self.edges[self.range(node)];
        let tried: u32 = edges.iter().map(|edge| edge.visits + edge.waiting).sum();
        let unvisited = match self.growing.unvisited {
            Unvisited::Zero => 0.0,
            Unvisited::Parent => self.mixed(node),
        };
        let explore = self.growing.c as f32 * (tried as f32).sqrt();
        move |_, edge| {
            let tried = (edge.visits + edge.waiting) as f32;
            edge.value().unwrap_or(unvisited) + explore * edge.prior / (1.0 + tried)
        }
    }

    /// At the root: moves that were tried as often as the plan has it now, by noise, logit and value.
    fn gumbel_root(&self) -> impl Fn(usize, &Edge<G::Move>) -> f32 {
        let tried: u32 = self.root().iter().map(|edge| edge.visits + edge.waiting).sum();
        let turn = self.plan.get(tried as usize).copied().unwrap_or(0);
        let most = self.root().iter().map(|edge| edge.visits + edge.waiting).max().unwrap_or(0);
        let scores = self.improved(0);
        move |number, edge| {
            let tried = edge.visits + edge.waiting;
            // If proofs have ended some halves early, whoever was tried most goes on.
            let far = if tried == turn { 0.0 } else { -1e6 - (most - tried) as f32 * 1e3 };
            scores[number] + self.gumbel(number) + far
        }
    }

    /// Below the root: whatever the improved policy has been given too rarely.
    fn gumbel_below(&self, node: u32) -> impl Fn(usize, &Edge<G::Move>) -> f32 {
        let edges = &self.edges[self.range(node)];
        let tried: u32 = edges.iter().map(|edge| edge.visits + edge.waiting).sum();
        let improved = softmax(&self.improved(node));
        move |number, edge| improved[number] - (edge.visits + edge.waiting) as f32 / (1.0 + tried as f32)
    }

    fn gumbel(&self, number: usize) -> f32 {
        self.noise.get(number).copied().unwrap_or(0.0)
    }

    /// Logits of a better policy: the network's with what the values of its moves say.
    fn improved(&self, node: u32) -> Vec<f32> {
        let edges = &self.edges[self.range(node)];
        let mixed = self.mixed(node);
        let most = edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
        let scale = (VISITS_SURE + most as f32) * VALUE_SCALE;
        edges.iter().map(|edge| edge.logit + scale * edge.value().unwrap_or(mixed)).collect()
    }

    /// The value of a position by what is known so far: its own, and those of the moves that were tried by how likely they are.
    fn mixed(&self, node: u32) -> f32 {
        let own = self.nodes[node as usize].value.unwrap_or(0.0);
        let (mut sum, mut shares, mut visits) = (0.0, 0.0, 0);
        for edge in &self.edges[self.range(node)] {
            if let Some(value) = edge.value() {
                sum += edge.prior * value;
                shares += edge.prior;
                visits += edge.visits + edge.waiting;
            }
        }
        match shares > 0.0 {
            true => (own + visits as f32 * sum / shares) / (1 + visits) as f32,
            false => own,
        }
    }

    /// Takes back up what somebody thinks of a position: a logit for each of its moves, and its value for the side to move.
    pub fn tell(&mut self, leaf: &Leaf<G>, logits: &[f32], value: f32) {
        let range = self.range(leaf.node);
        for ((edge, logit), prior) in self.edges[range].iter_mut().zip(logits).zip(softmax(logits)) {
            (edge.logit, edge.prior) = (*logit, prior);
        }
        self.nodes[leaf.node as usize].value = Some(value);
        self.waiting -= 1;
        leaf.path.iter().for_each(|edge| self.edges[*edge as usize].waiting -= 1);
        // The value is that of the side to move after the last move of the path.
        self.back_up(&leaf.path, -value);
        if leaf.node == 0 {
            self.begin();
        }
    }

    /// What must be known before the first move of the root is tried.
    fn begin(&mut self) {
        if self.growing.proofs {
            self.look_at_root();
        }
        let open = self.root().iter().filter(|edge| edge.known != Known::Loses).count() as u32;
        if self.growing.growth == Growth::Gumbel {
            self.plan = halving(open.min(self.growing.candidates), self.growing.simulations);
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

    /// Adds chance at the root, which must have been valued: Gumbel's for candidates, else Dirichlet's, of which this share is mixed
    /// into the policy. The smaller `alpha`, the fewer moves get most of it.
    pub fn add_noise(&mut self, share: f32, alpha: f64, random: &mut ChaCha8Rng) {
        let range = self.range(0);
        match self.growing.growth {
            Growth::Gumbel => self.noise = range.map(|_| gumbel(random)).collect(),
            Growth::Puct if share > 0.0 => {
                let drawn: Vec<f64> = range.clone().map(|_| gamma(alpha, random)).collect();
                let sum: f64 = drawn.iter().sum::<f64>().max(f64::MIN_POSITIVE);
                for (edge, drawn) in self.edges[range].iter_mut().zip(drawn) {
                    edge.prior = (1.0 - share) * edge.prior + share * (drawn / sum) as f32;
                }
            }
            Growth::Puct => {}
        }
    }

    /// Adds a value for who made the last move of a path, and the other way round before.
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
        match self.growing.growth {
            // What the improved policy would get.
            Growth::Gumbel => {
                let mixed = self.mixed(0);
                let values = self.root().iter().map(|edge| edge.value().unwrap_or(mixed));
                self.policy().iter().zip(values).map(|(share, value)| share * value).sum()
            }
            Growth::Puct => {
                let visits: u32 = self.root().iter().map(|edge| edge.visits).sum();
                let total: f32 = self.root().iter().map(|edge| edge.total).sum();
                if visits > 0 { total / visits as f32 } else { self.mixed(0) }
            }
        }
    }

    /// How likely each move of the root should be, in the game's order: what a policy should learn.
    pub fn policy(&self) -> Vec<f32> {
        let edges = self.root();
        match self.growing.growth {
            Growth::Gumbel => softmax(&self.improved(0)),
            Growth::Puct => {
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
            _ if self.growing.proofs => edge.known != Known::Loses || known == Known::Loses,
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
        let number = match (self.growing.growth, self.known(0)) {
            (Growth::Gumbel, Known::Nothing) => {
                let scores = self.improved(0);
                let open = edges.iter().filter(|edge| edge.known != Known::Loses);
                let most = open.map(|edge| edge.visits).max().unwrap_or(0);
                best_of(edges, |number, edge| {
                    let tried = if edge.visits == most { 0.0 } else { -1e6 };
                    scores[number] + self.gumbel(number) + tried
                })
            }
            // Whoever has lost makes it as hard as can be.
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

    /// A move by lot, as likely as it was often tried, to the power of 1 / `temperature`; the best one at temperature 0.
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

    /// Plays a move and keeps what was found below it; `simulations` more may be made from there.
    pub fn advance(&mut self, m: G::Move) {
        let child = self.root().iter().find(|edge| edge.m == m).map_or(NONE, |edge| edge.child);
        self.game.play(m);
        self.plies = self.game.moves().len();
        let old_nodes = std::mem::take(&mut self.nodes);
        let old_edges = std::mem::take(&mut self.edges);
        self.noise.clear();
        (self.waiting, self.most) = (0, self.growing.simulations);
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
                edge.waiting = 0;
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
    /// With a move whose value is known, for who makes it.
    Known(Vec<u32>, f32),
    /// In a position that waits for its value already.
    Waits,
}

/// The number of the edge with the highest score; among equals the likelier one, then the first.
fn best_of<M>(edges: &[Edge<M>], score: impl Fn(usize, &Edge<M>) -> f32) -> usize {
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
fn softmax(logits: &[f32]) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut shares: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
    let sum: f32 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    shares
}

/// After how many tries a move of the root is tried, simulation by simulation: all candidates equally often, then the better half,
/// and so on down to two.
fn halving(candidates: u32, simulations: u32) -> Vec<u32> {
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
