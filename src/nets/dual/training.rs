//! How the numbers of a network change: forward, backward and a step of Adam for a batch.
//!
//! A batch comes in shards, one thread each. Norms need means over the whole batch, so all shards go through one layer before any
//! goes through the next; what shards give is always added in their order.

use rayon::prelude::*;

use super::board::Sizes;
use super::inference::{Inputs, place, pooled, through_hidden};
use super::network::{DualNetwork, HIDDEN, Places, SMALL, Shape};
use crate::nets::dense::add;
use crate::nets::product::{Matrix, dot, multiply};
use crate::nets::{Adam, Dense, Tensors, cross_entropy, squared_error};

crate::variants! {
    /// Among which moves the policy chooses while it learns.
    pub enum Over, "choice of moves" {
        /// Those of the position.
        Legal = "legal", "the legal moves";
        /// All that there are, as in the paper.
        All = "all", "all outputs, legal or not";
    }
}

/// A part of a batch: boards, and what the network should say of them.
#[derive(Clone, Debug)]
pub struct Shard {
    /// The boards.
    pub inputs: Inputs,
    /// For each board the legal moves and how likely each should be.
    pub policies: Vec<Vec<(u32, f32)>>,
    /// For each board who won, for the side to move.
    pub values: Vec<f32>,
}

/// How wrong the network was, on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Cross-entropy of the moves.
    pub policy: f64,
    /// Squared error of the value.
    pub value: f64,
    /// The penalty on large weights.
    pub weights: f64,
}

/// What a batch says: how wrong the network is, which way its numbers should change, and what its norms have seen.
struct BatchGradients {
    losses: Losses,
    gradient: Vec<f32>,
    /// Means, then variances.
    seen: Vec<f32>,
}

/// So much of what norms have seen before stays, batch by batch.
const KEPT: f32 = 0.95;

/// A network that learns.
#[derive(Clone, Debug, PartialEq)]
pub struct Training {
    /// What it has learned.
    pub network: DualNetwork,
    adam: Adam,
}

/// How one step is made.
#[derive(Clone, Copy, Debug)]
pub struct StepHow {
    /// The learning rate of Adam.
    pub rate: f32,
    /// How much of the squares of all weights is added to the loss.
    pub l2: f32,
    /// Among which moves the policy chooses.
    pub over: Over,
}

/// The numbers of one layer for every shard.
type Shards = Vec<Vec<f32>>;

/// What a layer of convolution and norm has done with a batch.
struct Done {
    /// What came out of the convolution, less the mean, over the deviation.
    normed: Shards,
    /// After scale, shift, what goes round the block, and ReLU.
    out: Shards,
    /// One over the deviation of each channel.
    inverse: Vec<f32>,
}

impl Training {
    /// Begins with this network.
    pub fn new(network: DualNetwork) -> Training {
        let adam = Adam::new(network.numbers.len());
        Training { network, adam }
    }

    /// One step of Adam for this batch; returns how wrong the network was before.
    pub fn step(&mut self, batch: &[Shard], how: &StepHow) -> Losses {
        let gradients = self.gradients(batch, how);
        let all = 0..gradients.gradient.len();
        self.adam.step(&mut self.network.numbers, &gradients.gradient, &[all], how.rate);
        for (running, seen) in self.network.running.iter_mut().zip(&gradients.seen) {
            *running = KEPT * *running + (1.0 - KEPT) * seen;
        }
        gradients.losses
    }

    /// How wrong the network is, and the gradient of that, number by number.
    pub fn gradient(&self, batch: &[Shard], how: &StepHow) -> (Losses, Vec<f32>) {
        let gradients = self.gradients(batch, how);
        (gradients.losses, gradients.gradient)
    }

    fn gradients(&self, batch: &[Shard], how: &StepHow) -> BatchGradients {
        let network = &self.network;
        let places = network.shape.places();
        let pass = Backprop { network, places: &places, batch };
        let (done, seen) = pass.forward();
        let last = &done.last().expect("there is a layer").out;
        let all: usize = batch.iter().map(|shard| shard.values.len()).sum();
        let heads: Vec<HeadGradients> =
            batch.par_iter().zip(last).map(|(shard, seen)| pass.heads(shard, seen, all, how.over)).collect();
        let mut gradient = vec![0.0; network.numbers.len()];
        let mut losses = Losses::default();
        let first = places.policy.range().start;
        let mut back = Vec::with_capacity(heads.len());
        for head in heads {
            losses.policy += head.losses.policy / all as f64;
            losses.value += head.losses.value / all as f64;
            add(&mut gradient[first..], &head.gradient);
            back.push(head.back);
        }
        pass.backward(&done, back, &mut gradient);
        for weights in weights(&places) {
            let numbers = &network.numbers[weights.clone()];
            losses.weights += f64::from(how.l2 * dot(numbers, numbers));
            let part = gradient[weights].iter_mut().zip(numbers);
            part.for_each(|(gradient, number)| *gradient += 2.0 * how.l2 * number);
        }
        BatchGradients { losses, gradient, seen }
    }

    /// Adds everything that a later continuation needs to what a file will hold.
    pub fn put(&self, prefix: &str, tensors: &mut Tensors) {
        self.network.put(prefix, tensors);
        self.adam.put(prefix, &self.network.shape.places().layout, tensors);
    }

    /// Reads it back, or says what is missing or misshapen.
    pub fn take(prefix: &str, shape: Shape, tensors: &Tensors) -> Result<Training, String> {
        let network = DualNetwork::take(prefix, shape, tensors)?;
        let adam = Adam::take(prefix, &shape.places().layout, tensors)?;
        Ok(Training { network, adam })
    }
}

/// Where the weights lie that should not grow: neither biases nor the numbers of norms.
fn weights(places: &Places) -> impl Iterator<Item = std::ops::Range<usize>> {
    let layers = places.convolutions.iter().map(|layer| layer.weights.clone());
    layers.chain(places.heads().map(Dense::weights))
}

/// What the heads make of a shard.
struct HeadGradients {
    losses: Losses,
    /// Of all numbers from the policy's on.
    gradient: Vec<f32>,
    /// Of what came from the last convolution.
    back: Vec<f32>,
}

/// The way of a batch through a network.
struct Backprop<'a> {
    network: &'a DualNetwork,
    places: &'a Places,
    batch: &'a [Shard],
}

impl Backprop<'_> {
    fn numbers(&self, range: &std::ops::Range<usize>) -> &[f32] {
        &self.network.numbers[range.clone()]
    }

    fn sizes(&self, layer: usize, shard: usize) -> Sizes {
        let Shape { channels, .. } = self.network.shape;
        let rows = self.batch[shard].inputs.rows();
        Sizes { rows, inputs: self.places.convolutions[layer].inputs, outputs: channels }
    }

    /// What goes into a layer.
    fn input<'b>(&'b self, done: &'b [Done], layer: usize, shard: usize) -> &'b [f32] {
        match layer {
            0 => self.batch[shard].inputs.numbers(),
            _ => &done[layer - 1].out[shard],
        }
    }

    /// All convolutions, and what their norms have seen.
    fn forward(&self) -> (Vec<Done>, Vec<f32>) {
        let Shape { board, channels, .. } = self.network.shape;
        let squares: usize = self.batch.iter().map(|shard| shard.inputs.rows() * board.squares()).sum();
        let (mut all_means, mut all_variances) = (Vec::new(), Vec::new());
        let mut done: Vec<Done> = Vec::new();
        for (number, layer) in self.places.convolutions.iter().enumerate() {
            let weights = self.numbers(&layer.weights);
            let convolved: Vec<(Vec<f32>, [Vec<f64>; 2])> = (0..self.batch.len())
                .into_par_iter()
                .map(|shard| {
                    let sizes = self.sizes(number, shard);
                    let mut out = vec![0.0; board.squares() * sizes.rows * channels];
                    board.convolve(weights, self.input(&done, number, shard), sizes, &mut out);
                    let sums = sums(&out, None, sizes.rows * channels, channels);
                    (out, sums)
                })
                .collect();
            let (mut normed, parts): (Shards, Vec<[Vec<f64>; 2]>) = convolved.into_iter().unzip();
            let [sums, squared] = in_order(&parts, channels);
            let means: Vec<f64> = sums.iter().map(|sum| sum / squares as f64).collect();
            let variance = |(squared, mean): (&f64, &f64)| (squared / squares as f64 - mean * mean).max(0.0);
            let variances: Vec<f64> = squared.iter().zip(&means).map(variance).collect();
            // What is kept for play is an estimate for all boards, not just these.
            let unbiased = squares as f64 / (squares as f64 - 1.0).max(1.0);
            all_means.extend(means.iter().map(|mean| *mean as f32));
            all_variances.extend(variances.iter().map(|variance| (variance * unbiased) as f32));
            let inverse: Vec<f32> = variances
                .iter()
                .map(|variance| (1.0 / (variance + f64::from(SMALL)).sqrt()) as f32)
                .collect();
            let means: Vec<f32> = means.iter().map(|mean| *mean as f32).collect();
            let (scale, shift) = (self.numbers(&layer.scale), self.numbers(&layer.shift));
            let round = number >= 2 && number.is_multiple_of(2);
            let out: Shards = normed
                .par_iter_mut()
                .enumerate()
                .map(|(shard, normed)| {
                    let mut out = match round {
                        true => done[number - 2].out[shard].clone(),
                        false => vec![0.0; normed.len()],
                    };
                    for (normed, out) in normed.chunks_exact_mut(channels).zip(out.chunks_exact_mut(channels))
                    {
                        for channel in 0..channels {
                            let number = (normed[channel] - means[channel]) * inverse[channel];
                            normed[channel] = number;
                            out[channel] = (out[channel] + number * scale[channel] + shift[channel]).max(0.0);
                        }
                    }
                    out
                })
                .collect();
            done.push(Done { normed, out, inverse });
        }
        all_means.extend(all_variances);
        (done, all_means)
    }

    /// Losses of a shard, and gradients of the heads and of what they saw.
    fn heads(&self, shard: &Shard, seen: &[f32], all: usize, over: Over) -> HeadGradients {
        let numbers = &self.network.numbers;
        let Places { policy, hidden, value, layout, .. } = self.places;
        let sizes = [shard.inputs.rows(), self.network.shape.channels];
        let square = sizes[0] * sizes[1];
        let first = policy.range().start;
        let mut gradient = vec![0.0; layout.total() - first];
        let of = |head: &Dense| head.range().start - first..head.range().end - first;
        let pooled = if hidden.is_none() { Some(pooled(seen, square)) } else { None };
        let policy_saw = pooled.as_deref().unwrap_or(seen);
        let logits = policy.forward(numbers, policy_saw);
        let (policy_loss, back) = self.policy_loss(shard, &logits, all, over);
        policy.add_gradient(policy_saw, &back, &mut gradient[of(policy)]);
        let mut policy_back = policy.back_to_inputs(numbers, &back);
        let through = hidden.as_ref().map(|hidden| through_hidden(hidden, numbers, seen, sizes));
        let value_saw = through.as_deref().unwrap_or(policy_saw);
        let mut value_loss = 0.0;
        let mut back = Vec::with_capacity(sizes[0]);
        for (seen, target) in value_saw.chunks_exact(value.inputs).zip(&shard.values) {
            let output = value.output(numbers, 0, seen).tanh();
            let (error, by_output) = squared_error(output, *target);
            value_loss += f64::from(error);
            back.push(by_output * (1.0 - output * output) / all as f32);
        }
        value.add_gradient(value_saw, &back, &mut gradient[of(value)]);
        let weights = &numbers[value.weights()];
        let mut value_back: Vec<f32> =
            back.iter().flat_map(|back| weights.iter().map(move |weight| back * weight)).collect();
        let back = match hidden {
            Some(hidden) => {
                for (back, out) in value_back.iter_mut().zip(value_saw) {
                    *back = if *out > 0.0 { *back } else { 0.0 };
                }
                self.back_through_hidden(
                    hidden,
                    seen,
                    &value_back,
                    &mut gradient[of(hidden)],
                    &mut policy_back,
                );
                policy_back
            }
            None => {
                add(&mut policy_back, &value_back);
                let share = square as f32 / seen.len() as f32;
                policy_back.iter_mut().for_each(|back| *back *= share);
                policy_back.repeat(seen.len() / square)
            }
        };
        let losses = Losses { policy: policy_loss, value: value_loss, weights: 0.0 };
        HeadGradients { losses, gradient, back }
    }

    /// The loss of the policy in a shard, and its gradient by the logits.
    fn policy_loss(&self, shard: &Shard, logits: &[f32], all: usize, over: Over) -> (f64, Vec<f32>) {
        let Shape { heads, ways, .. } = self.network.shape;
        let rows = shard.inputs.rows();
        let mut back = vec![0.0; logits.len()];
        let mut target_of = vec![0.0; self.network.shape.actions()];
        let mut sum = 0.0;
        for (row, targets) in shard.policies.iter().enumerate() {
            let at = |action: u32| place(heads, rows, ways, logits.len(), row, action as usize);
            let mut choose = |moves: &[(u32, f32)]| {
                let outputs: Vec<f32> = moves.iter().map(|(action, _)| logits[at(*action)]).collect();
                let shares: Vec<f32> = moves.iter().map(|(_, share)| *share).collect();
                let (loss, gradient) = cross_entropy(&outputs, &shares);
                sum += f64::from(loss);
                for ((action, _), gradient) in moves.iter().zip(gradient) {
                    back[at(*action)] = gradient / all as f32;
                }
            };
            match over {
                Over::Legal => choose(targets),
                Over::All => {
                    targets.iter().for_each(|(action, share)| target_of[*action as usize] = *share);
                    let moves: Vec<(u32, f32)> = (0..).zip(target_of.iter().copied()).collect();
                    choose(&moves);
                    target_of.fill(0.0);
                }
            }
        }
        (sum, back)
    }

    /// Adds to the gradients of the hidden layer and of the squares that it sees, from that of its outputs.
    fn back_through_hidden(
        &self,
        hidden: &Dense,
        seen: &[f32],
        by_output: &[f32],
        gradient: &mut [f32],
        back: &mut [f32],
    ) {
        let channels = self.network.shape.channels;
        let square = by_output.len() / HIDDEN * channels;
        let weights = self.network.numbers[hidden.weights()].chunks_exact(channels * HIDDEN);
        let (by_weights, by_bias) = gradient.split_at_mut(hidden.weights().len());
        let squares = seen.chunks_exact(square).zip(back.chunks_exact_mut(square));
        let parts = weights.zip(by_weights.chunks_exact_mut(channels * HIDDEN));
        let by_row = Matrix::new(by_output, HIDDEN);
        for ((seen, back), (weights, gradient)) in squares.zip(parts) {
            multiply(Matrix::new(seen, channels).transposed(), by_row, 1.0, gradient);
            multiply(by_row, Matrix::new(weights, HIDDEN).transposed(), 1.0, back);
        }
        by_output.chunks_exact(HIDDEN).for_each(|row| add(by_bias, row));
    }

    /// Gradients of all convolutions and norms, from that of what came from the last of them.
    fn backward(&self, done: &[Done], mut back: Shards, gradient: &mut [f32]) {
        let Shape { board, channels, .. } = self.network.shape;
        let squares: usize = back.iter().map(|shard| shard.len() / channels).sum();
        // What goes round a block on the way back.
        let mut round: Option<Shards> = None;
        for (number, layer) in self.places.convolutions.iter().enumerate().rev() {
            let Done { normed, out, inverse } = &done[number];
            let parts: Vec<[Vec<f64>; 2]> = back
                .par_iter_mut()
                .enumerate()
                .map(|(shard, back)| {
                    for (back, out) in back.iter_mut().zip(&out[shard]) {
                        *back = if *out > 0.0 { *back } else { 0.0 };
                    }
                    let rows = self.batch[shard].inputs.rows();
                    sums(back, Some(&normed[shard]), rows * channels, channels)
                })
                .collect();
            let [by_shift, by_scale] = in_order(&parts, channels);
            let narrow = |sums: &[f64]| -> Vec<f32> { sums.iter().map(|sum| *sum as f32).collect() };
            gradient[layer.shift.clone()].copy_from_slice(&narrow(&by_shift));
            gradient[layer.scale.clone()].copy_from_slice(&narrow(&by_scale));
            let mean =
                |sums: &[f64]| -> Vec<f32> { sums.iter().map(|sum| (sum / squares as f64) as f32).collect() };
            let (mean_back, mean_normed) = (mean(&by_shift), mean(&by_scale));
            let scale: Vec<f32> = self
                .numbers(&layer.scale)
                .iter()
                .zip(inverse)
                .map(|(scale, inverse)| scale * inverse)
                .collect();
            let weights = self.numbers(&layer.weights);
            let closes_block = number >= 2 && number.is_multiple_of(2);
            let kept_round = closes_block.then(|| back.clone());
            let parts: Vec<(Vec<f32>, Vec<f32>)> = back
                .par_iter_mut()
                .enumerate()
                .map(|(shard, back)| {
                    let rows = back.chunks_exact_mut(channels).zip(normed[shard].chunks_exact(channels));
                    for (back, normed) in rows {
                        for channel in 0..channels {
                            let less = mean_back[channel] + normed[channel] * mean_normed[channel];
                            back[channel] = scale[channel] * (back[channel] - less);
                        }
                    }
                    let sizes = self.sizes(number, shard);
                    let mut by_weights = vec![0.0; weights.len()];
                    board.back_to_weights(self.input(done, number, shard), back, sizes, &mut by_weights);
                    if number == 0 {
                        return (by_weights, Vec::new());
                    }
                    let mut by_inputs = match (closes_block, &round) {
                        (false, Some(round)) => round[shard].clone(),
                        _ => vec![0.0; board.squares() * sizes.rows * sizes.inputs],
                    };
                    board.back_to_inputs(weights, back, sizes, &mut by_inputs);
                    (by_weights, by_inputs)
                })
                .collect();
            let sum = &mut gradient[layer.weights.clone()];
            parts.iter().for_each(|(by_weights, _)| add(sum, by_weights));
            back = parts.into_iter().map(|(_, by_inputs)| by_inputs).collect();
            round = kept_round;
        }
    }
}

/// For each channel the sum of some numbers, and the sum of their products with others (with themselves, if there are none).
///
/// A block of numbers is summed up quickly, blocks exactly enough for any batch.
fn sums(numbers: &[f32], others: Option<&[f32]>, block: usize, channels: usize) -> [Vec<f64>; 2] {
    let mut sums = [vec![0.0_f64; channels], vec![0.0_f64; channels]];
    let (mut plain, mut products) = (vec![0.0_f32; channels], vec![0.0_f32; channels]);
    for (numbers, others) in numbers.chunks(block).zip(others.unwrap_or(numbers).chunks(block)) {
        plain.fill(0.0);
        products.fill(0.0);
        for row in 0..numbers.len() / channels {
            let (numbers, others) =
                (&numbers[row * channels..][..channels], &others[row * channels..][..channels]);
            for channel in 0..channels {
                plain[channel] += numbers[channel];
                products[channel] += numbers[channel] * others[channel];
            }
        }
        for (sums, part) in sums.iter_mut().zip([&plain, &products]) {
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += f64::from(*part));
        }
    }
    sums
}

/// The sums of all shards, added in their order.
fn in_order(parts: &[[Vec<f64>; 2]], channels: usize) -> [Vec<f64>; 2] {
    let mut sums = [vec![0.0; channels], vec![0.0; channels]];
    for part in parts {
        for (sums, part) in sums.iter_mut().zip(part) {
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
    }
    sums
}
