//! The numbers of a network, and where each lies.

use std::ops::Range;

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::Board;
use super::board::STEPS;
use crate::files::fingerprint;
use crate::nets::Tensors;
use crate::random::normal;

crate::variants! {
    /// What policy and value are read from.
    pub enum Heads, "kind of heads" {
        /// The policy square by square from the square where a move ends, the value from all squares through a hidden layer.
        Squares = "squares", "a move from the square where it ends, the value from all squares";
        /// Both from the means over all squares, as in the paper.
        Pooled = "pooled", "both from the means over all squares, as in the paper";
    }
}

/// The sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// On which board.
    pub board: Board,
    /// How many numbers of a square go in.
    pub planes: usize,
    /// How many ways there are to come to a square: there is a move for each way to each square.
    pub ways: usize,
    /// How many numbers a square has inside.
    pub filters: usize,
    /// How many residual blocks of two convolutions.
    pub blocks: usize,
    /// What policy and value are read from.
    pub heads: Heads,
}

/// How many numbers the hidden layer of the value has.
pub(super) const HIDDEN: usize = 64;
/// Added to a variance before it divides, as Keras does it.
pub(super) const SMALL: f32 = 1e-3;

/// Where the numbers of a convolution and its norm lie.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub inputs: usize,
    pub weights: Range<usize>,
    pub scale: Range<usize>,
    pub shift: Range<usize>,
}

/// Where the numbers of a dense layer lie: for each input a row of outputs, then the biases.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub outputs: usize,
    pub weights: Range<usize>,
    pub bias: Range<usize>,
}

/// Where everything lies.
#[derive(Clone, Debug)]
pub(super) struct Places {
    pub layers: Vec<Layer>,
    pub policy: Head,
    /// Between the squares and the value, where there is one.
    pub hidden: Option<Head>,
    pub value: Head,
    pub total: usize,
}

impl Shape {
    /// How many moves there are.
    pub const fn actions(&self) -> usize {
        self.board.squares() * self.ways
    }

    /// How many convolutions there are.
    pub(super) const fn layers(&self) -> usize {
        1 + 2 * self.blocks
    }

    pub(super) fn places(&self) -> Places {
        let mut end = 0;
        let mut next = |count: usize| {
            let start = end;
            end += count;
            start..end
        };
        let filters = self.filters;
        let layers = (0..self.layers())
            .map(|number| {
                let inputs = if number == 0 { self.planes } else { filters };
                let weights = next(STEPS * inputs * filters);
                Layer { inputs, weights, scale: next(filters), shift: next(filters) }
            })
            .collect();
        let mut head = |inputs: usize, outputs: usize| Head {
            outputs,
            weights: next(inputs * outputs),
            bias: next(outputs),
        };
        let (policy, hidden, value) = match self.heads {
            Heads::Squares => {
                let policy = head(filters, self.ways);
                let hidden = head(self.board.squares() * filters, HIDDEN);
                (policy, Some(hidden), head(HIDDEN, 1))
            }
            Heads::Pooled => (head(filters, self.actions()), None, head(filters, 1)),
        };
        Places { layers, policy, hidden, value, total: end }
    }
}

/// A network: what is learned, and what its norms have seen.
#[derive(Clone, Debug, PartialEq)]
pub struct DualNetwork {
    /// Its sizes.
    pub shape: Shape,
    /// What is learned: convolution by convolution its weights (step by step, for each input a row of outputs), scales and shifts,
    /// then policy and value.
    pub numbers: Vec<f32>,
    /// The running means of what comes out of each convolution, then the running variances.
    pub running: Vec<f32>,
}

/// What a file says of its network.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct About {
    version: u32,
    kind: String,
    game: String,
    filters: usize,
    blocks: usize,
    heads: Heads,
    /// How it was made.
    run: String,
}

const VERSION: u32 = 1;
const KIND: &str = "dual";

impl DualNetwork {
    /// Weights by chance, as He and others begin: so that numbers stay about as large from layer to layer.
    pub fn random(shape: Shape, random: &mut ChaCha8Rng) -> DualNetwork {
        let places = shape.places();
        let mut network = DualNetwork::blank(shape);
        let mut fill = |range: &Range<usize>, inputs: usize, share: f64| {
            let width = share * (2.0 / inputs as f64).sqrt();
            network.numbers[range.clone()].fill_with(|| (normal(random) * width) as f32);
        };
        for layer in &places.layers {
            fill(&layer.weights, STEPS * layer.inputs, 1.0);
        }
        // What residual blocks add up to is large: a value that begins near -1 or 1 would hardly ever change.
        let outputs = match shape.heads {
            Heads::Squares => 0.1,
            Heads::Pooled => 1.0,
        };
        let heads =
            [(Some(&places.policy), outputs), (places.hidden.as_ref(), 1.0), (Some(&places.value), outputs)];
        for (head, share) in heads {
            let Some(head) = head else { continue };
            fill(&head.weights, head.weights.len() / head.outputs, share);
        }
        network
    }

    /// Norms that change nothing, and all weights nought.
    fn blank(shape: Shape) -> DualNetwork {
        let places = shape.places();
        let mut numbers = vec![0.0; places.total];
        for layer in &places.layers {
            numbers[layer.scale.clone()].fill(1.0);
        }
        let norms = shape.layers() * shape.filters;
        let running = [vec![0.0; norms], vec![1.0; norms]].concat();
        DualNetwork { shape, numbers, running }
    }

    /// Mean and variance that the norm of a convolution has seen.
    pub(super) fn seen(&self, layer: usize) -> (&[f32], &[f32]) {
        let filters = self.shape.filters;
        let (means, variances) = self.running.split_at(self.running.len() / 2);
        (&means[layer * filters..][..filters], &variances[layer * filters..][..filters])
    }

    /// Under which name and in which shape each part is kept: PyTorch's names, our order of numbers.
    fn parts(&self) -> Vec<(String, Vec<usize>, Range<usize>)> {
        let places = self.shape.places();
        let filters = self.shape.filters;
        let mut parts = Vec::new();
        for (number, layer) in places.layers.iter().enumerate() {
            parts.push((
                format!("conv.{number}.weight"),
                vec![3, 3, layer.inputs, filters],
                layer.weights.clone(),
            ));
            parts.push((format!("norm.{number}.weight"), vec![filters], layer.scale.clone()));
            parts.push((format!("norm.{number}.bias"), vec![filters], layer.shift.clone()));
        }
        let heads = [
            ("policy", Some(&places.policy)),
            ("hidden", places.hidden.as_ref()),
            ("value", Some(&places.value)),
        ];
        for (name, head) in heads {
            let Some(head) = head else { continue };
            let inputs = head.weights.len() / head.outputs;
            parts.push((format!("{name}.weight"), vec![inputs, head.outputs], head.weights.clone()));
            parts.push((format!("{name}.bias"), vec![head.outputs], head.bias.clone()));
        }
        parts
    }

    /// Adds everything to what a file will hold, each name after this prefix.
    pub fn put(&self, prefix: &str, tensors: &mut Tensors) {
        for (name, shape, range) in self.parts() {
            tensors.put_numbers(&format!("{prefix}{name}"), shape, self.numbers[range].to_vec());
        }
        let shape = vec![2, self.shape.layers(), self.shape.filters];
        tensors.put_numbers(&format!("{prefix}running"), shape, self.running.clone());
    }

    /// The network of this shape that a file holds under a prefix, or what is missing or misshapen.
    pub fn take(prefix: &str, shape: Shape, tensors: &Tensors) -> Result<DualNetwork, String> {
        let mut network = DualNetwork::blank(shape);
        for (name, shape, range) in network.parts() {
            network.numbers[range].copy_from_slice(tensors.numbers(&format!("{prefix}{name}"), &shape)?);
        }
        let shape = [2, shape.layers(), shape.filters];
        network.running.copy_from_slice(tensors.numbers(&format!("{prefix}running"), &shape)?);
        let (_, variances) = network.running.split_at(network.running.len() / 2);
        match variances.iter().all(|variance| *variance >= 0.0) {
            true => Ok(network),
            false => Err("it has a variance below nought".to_string()),
        }
    }

    /// The content of a file: a network of this game, and how it was made.
    pub fn to_bytes(&self, game: &str, run: &str) -> Vec<u8> {
        self.tensors(game, run).to_checked_bytes()
    }

    /// A short text that tells networks apart.
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.tensors("", "").to_bytes())
    }

    fn tensors(&self, game: &str, run: &str) -> Tensors {
        let Shape { filters, blocks, heads, .. } = self.shape;
        let (kind, game, run) = (KIND.to_string(), game.to_string(), run.to_string());
        let about = About { version: VERSION, kind, game, filters, blocks, heads, run };
        let mut tensors = Tensors::about(serde_json::to_string(&about).expect("texts can be written"));
        self.put("", &mut tensors);
        tensors
    }

    /// Reads the content of a file. `shape` is that of the game's networks whatever their sizes.
    pub fn from_bytes(bytes: &[u8], game: &str, shape: Shape) -> Result<DualNetwork, String> {
        let tensors = Tensors::from_bytes(bytes)?;
        let about: About = serde_json::from_str(&tensors.about)
            .map_err(|_| "it is no network of `dobutsu-ga learn alphazero`".to_string())?;
        if about.kind != KIND || about.version != VERSION {
            let (kind, version) = (about.kind, about.version);
            return Err(format!(
                "it is a '{kind}' of version {version}: this program reads '{KIND}' of version {VERSION}"
            ));
        }
        if about.game != game {
            return Err(format!("it is a network of {}, not of {game}", about.game));
        }
        if !(1..=MOST_FILTERS).contains(&about.filters) || about.blocks > MOST_BLOCKS {
            let About { filters, blocks, .. } = about;
            return Err(format!(
                "{filters} filters in {blocks} blocks are more than {MOST_FILTERS} in {MOST_BLOCKS}, or none"
            ));
        }
        let shape = Shape { filters: about.filters, blocks: about.blocks, heads: about.heads, ..shape };
        let network = DualNetwork::take("", shape, &tensors)?;
        // Another part would be left out silently.
        if tensors.count() != network.parts().len() + 1 {
            return Err("it holds more than its layers".to_string());
        }
        tensors.verified()?;
        Ok(network)
    }
}

/// The largest network that can be asked for.
pub(crate) const MOST_FILTERS: usize = 512;
/// See above.
pub(crate) const MOST_BLOCKS: usize = 40;
