//! The numbers of a network, and where each lies.

use std::ops::Range;

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::Board;
use super::board::STEPS;
use crate::nets::{Dense, Header, Layout, Order, Tensors, format1};
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
    pub channels: usize,
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
pub(super) struct Convolution {
    pub inputs: usize,
    pub weights: Range<usize>,
    pub scale: Range<usize>,
    pub shift: Range<usize>,
}

/// Where everything lies.
#[derive(Clone, Debug)]
pub(super) struct Places {
    pub convolutions: Vec<Convolution>,
    pub policy: Dense,
    /// Between the squares and the value, where there is one.
    pub hidden: Option<Dense>,
    pub value: Dense,
    /// What is learned.
    pub layout: Layout,
    /// What norms have seen: all means, then all variances.
    pub running: Layout,
}

impl Places {
    /// Policy, hidden layer and value.
    pub(super) fn heads(&self) -> impl Iterator<Item = &Dense> {
        [Some(&self.policy), self.hidden.as_ref(), Some(&self.value)].into_iter().flatten()
    }
}

impl Shape {
    /// How many moves there are.
    pub const fn actions(&self) -> usize {
        self.board.squares() * self.ways
    }

    /// How many convolutions there are.
    pub(super) const fn convolutions(&self) -> usize {
        1 + 2 * self.blocks
    }

    pub(super) fn places(&self) -> Places {
        let Shape { board, planes, ways, channels, heads, .. } = *self;
        let (mut layout, mut running) = (Layout::default(), Layout::default());
        let vector = |layout: &mut Layout, name: String| layout.add(name, &[channels], Order::OutputsFirst);
        let convolution = |number: usize| {
            let inputs = if number == 0 { planes } else { channels };
            let weights =
                layout.add(format!("conv.{number}.weight"), &[channels, inputs, 3, 3], Order::OutputsLast);
            let scale = vector(&mut layout, format!("norm.{number}.weight"));
            Convolution { inputs, weights, scale, shift: vector(&mut layout, format!("norm.{number}.bias")) }
        };
        let convolutions = (0..self.convolutions()).map(convolution).collect();
        for part in ["mean", "var"] {
            for number in 0..self.convolutions() {
                vector(&mut running, format!("norm.{number}.running_{part}"));
            }
        }
        let mut head =
            |name, inputs, outputs| Dense::add(&mut layout, name, [inputs, outputs], Order::OutputsLast);
        let (policy, hidden, value) = match heads {
            Heads::Squares => {
                let policy = head("policy", channels, ways);
                let hidden = head("hidden", board.squares() * channels, HIDDEN);
                (policy, Some(hidden), head("value", HIDDEN, 1))
            }
            Heads::Pooled => (head("policy", channels, self.actions()), None, head("value", channels, 1)),
        };
        Places { convolutions, policy, hidden, value, layout, running }
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

/// The sizes that a file tells of its network; the others are the game's.
#[derive(Serialize, Deserialize)]
struct Sizes {
    channels: usize,
    blocks: usize,
    heads: Heads,
}

/// The kind of file.
const KIND: &str = "alphazero";

impl DualNetwork {
    /// Random weights, as He and others begin: so that numbers stay about as large from layer to layer.
    pub fn random(shape: Shape, random: &mut ChaCha8Rng) -> DualNetwork {
        let places = shape.places();
        let mut numbers = vec![0.0; places.layout.total()];
        let mut fill = |range: Range<usize>, inputs: usize, share: f64| {
            let width = share * (2.0 / inputs as f64).sqrt();
            numbers[range].fill_with(|| (normal(random) * width) as f32);
        };
        for layer in &places.convolutions {
            fill(layer.weights.clone(), STEPS * layer.inputs, 1.0);
        }
        // What residual blocks add up to is large: a value that begins near -1 or 1 would hardly ever change.
        let outputs = match shape.heads {
            Heads::Squares => 0.1,
            Heads::Pooled => 1.0,
        };
        for head in places.heads() {
            fill(
                head.weights(),
                head.inputs,
                if Some(head) == places.hidden.as_ref() { 1.0 } else { outputs },
            );
        }
        for layer in &places.convolutions {
            numbers[layer.scale.clone()].fill(1.0);
        }
        let norms = shape.convolutions() * shape.channels;
        DualNetwork { shape, numbers, running: [vec![0.0; norms], vec![1.0; norms]].concat() }
    }

    /// Mean and variance that the norm of a convolution has seen.
    pub(super) fn seen(&self, layer: usize) -> (&[f32], &[f32]) {
        let channels = self.shape.channels;
        let (means, variances) = self.running.split_at(self.running.len() / 2);
        (&means[layer * channels..][..channels], &variances[layer * channels..][..channels])
    }

    /// Adds everything to what a file will hold, each name after this prefix.
    pub fn put(&self, prefix: &str, tensors: &mut Tensors) {
        let Places { layout, running, .. } = self.shape.places();
        layout.put(prefix, &self.numbers, tensors);
        running.put(prefix, &self.running, tensors);
    }

    /// The network of this shape that a file holds under a prefix, or what is missing or misshapen.
    pub fn take(prefix: &str, shape: Shape, tensors: &Tensors) -> Result<DualNetwork, String> {
        let Places { layout, running, .. } = shape.places();
        let (numbers, running) = (layout.take(prefix, tensors)?, running.take(prefix, tensors)?);
        DualNetwork { shape, numbers, running }.checked()
    }

    fn checked(self) -> Result<DualNetwork, String> {
        let (_, variances) = self.running.split_at(self.running.len() / 2);
        if variances.iter().all(|variance| *variance >= 0.0) {
            Ok(self)
        } else {
            Err("it has a variance below zero".to_string())
        }
    }

    /// The content of a file: a network of this game, and how it was made.
    pub fn to_bytes(&self, game: &str, made_by: &str) -> Vec<u8> {
        let Shape { channels, blocks, heads, .. } = self.shape;
        let mut tensors = Tensors::default();
        self.put("", &mut tensors);
        Header::new(KIND, game, Sizes { channels, blocks, heads }, made_by).to_bytes(&tensors)
    }

    /// Reads the content of a file. `shape` is that of the game's networks whatever their sizes.
    pub fn from_bytes(bytes: &[u8], game: &str, shape: Shape) -> Result<DualNetwork, String> {
        Header::read(bytes, KIND, game, |header: &Header<Sizes>, tensors| {
            let Sizes { channels, blocks, heads } = header.details;
            let shape = Shape { channels, blocks, heads, ..shape }.checked()?;
            let Places { layout, running, .. } = shape.places();
            let network = DualNetwork::take("", shape, tensors)?;
            tensors.check_count(layout.count() + running.count())?;
            Ok(network)
        })
    }
}

impl Shape {
    fn checked(self) -> Result<Shape, String> {
        let Shape { channels, blocks, .. } = self;
        if (1..=MAX_CHANNELS).contains(&channels) && blocks <= MAX_BLOCKS {
            return Ok(self);
        }
        Err(format!(
            "{channels} filters in {blocks} blocks are more than {MAX_CHANNELS} in {MAX_BLOCKS}, or none"
        ))
    }

    /// The shape of all running numbers, which were one tensor in version 1.
    fn running1(&self) -> [usize; 3] {
        [2, self.convolutions(), self.channels]
    }
}

/// The largest network that can be asked for.
pub(crate) const MAX_CHANNELS: usize = 512;
/// See above.
pub(crate) const MAX_BLOCKS: usize = 40;

/// What a file of version 1 says of its network.
#[derive(Serialize, Deserialize)]
struct About1 {
    version: u32,
    kind: String,
    game: String,
    filters: usize,
    blocks: usize,
    heads: Heads,
    /// How it was made.
    run: String,
}

/// Version 1 had the order of memory on disk.
impl DualNetwork {
    /// A short text that tells networks apart.
    pub fn fingerprint(&self) -> String {
        let Shape { channels, blocks, heads, .. } = self.shape;
        let (kind, game, run) = ("dual".to_string(), String::new(), String::new());
        let about = About1 { version: 1, kind, game, filters: channels, blocks, heads, run };
        let mut tensors = Tensors::default();
        for (name, shape, range) in self.shape.places().layout.in_memory() {
            tensors.put(&name, shape, self.numbers[range].to_vec());
        }
        tensors.put("running", self.shape.running1().to_vec(), self.running.clone());
        format1::fingerprint(&about, &tensors)
    }

    /// The content of a file of version 1 as one of today. `shape` is that of the game's networks whatever their sizes.
    pub fn converted(bytes: &[u8], shape: Shape) -> Result<Vec<u8>, String> {
        let About1 { game, filters, blocks, heads, run, .. } = format1::about(bytes)?;
        let tensors = format1::tensors(bytes)?;
        let shape = Shape { channels: filters, blocks, heads, ..shape }.checked()?;
        let (mut numbers, parts) = (Vec::new(), shape.places().layout.in_memory());
        for (name, shape, _) in &parts {
            numbers.extend_from_slice(tensors.numbers(name, shape)?);
        }
        let running = tensors.numbers("running", &shape.running1())?.to_vec();
        tensors.check_count(parts.len() + 1)?;
        Ok(DualNetwork { shape, numbers, running }.checked()?.to_bytes(&game, &run))
    }
}
