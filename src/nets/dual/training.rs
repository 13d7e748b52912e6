//! How the numbers of a network change: forward, backward and a step of Adam for a batch.
//!
//! A batch comes in shards, one thread each. Norms need means over the whole batch, so all shards go through one layer before any
//! goes through the next; what shards give is always added in their order.

use rayon::prelude::*;

use super::board::Sizes;
use super::network::{DualNetwork, HIDDEN, Head, Places, SMALL, Shape};
use super::valuer::{Inputs, place, pooled, squares_to_hidden};
pub(super) use crate::nets::dense::add;
use crate::nets::product::{Matrix, dot, multiply};
use crate::nets::{FlatAdam, Tensors, squared_error};

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
struct Lesson {
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
    adam: FlatAdam,
}

/// How one step is made.
#[derive(Clone, Copy, Debug)]
pub struct StepHow {
    /// How long the steps of Adam are.
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
        let adam = FlatAdam::new(network.numbers.len());
        Training { network, adam }
    }

    /// One step of Adam for this batch; returns how wrong the network was before.
    pub fn step(&mut self, batch: &[Shard], how: &StepHow) -> Losses {
        let lesson = self.lesson(batch, how);
        self.adam.step(&mut self.network.numbers, &lesson.gradient, how.rate);
        for (running, seen) in self.network.running.iter_mut().zip(&lesson.seen) {
            *running = KEPT * *running + (1.0 - KEPT) * seen;
        }
        lesson.losses
    }

    /// How wrong the network is, and the gradient of that, number by number.
    pub fn gradient(&self, batch: &[Shard], how: &StepHow) -> (Losses, Vec<f32>) {
        let lesson = self.lesson(batch, how);
        (lesson.losses, lesson.gradient)
    }

    fn lesson(&self, batch: &[Shard], how: &StepHow) -> Lesson {
        let network = &self.network;
        let places = network.shape.places();
        let way = Way { network, places: &places, batch };
        let (done, seen) = way.forward();
        let last = &done.last().expect("there is a layer").out;
        let all: usize = batch.iter().map(|shard| shard.values.len()).sum();
        let heads: Vec<HeadLesson> =
            batch.par_iter().zip(last).map(|(shard, seen)| way.heads(shard, seen, all, how.over)).collect();
        let mut gradient = vec![0.0; network.numbers.len()];
        let mut losses = Losses::default();
        let first = places.policy.weights.start;
        let mut back = Vec::with_capacity(heads.len());
        for head in heads {
            losses.policy += head.losses.policy / all as f64;
            losses.value += head.losses.value / all as f64;
            add(&mut gradient[first..], &head.gradient);
            back.push(head.back);
        }
        way.backward(&done, back, &mut gradient);
        for weights in weights(&places) {
            let numbers = &network.numbers[weights.clone()];
            losses.weights += f64::from(how.l2 * dot(numbers, numbers));
            let part = gradient[weights].iter_mut().zip(numbers);
            part.for_each(|(gradient, number)| *gradient += 2.0 * how.l2 * number);
        }
        Lesson { losses, gradient, seen }
    }

    /// Adds everything that a later continuation needs to what a file will hold.
    pub fn put(&self, prefix: &str, tensors: &mut Tensors) {
        self.network.put(prefix, tensors);
        self.adam.put(prefix, tensors);
    }

    /// Reads it back, or says what is missing or misshapen.
    pub fn take(prefix: &str, shape: Shape, tensors: &Tensors) -> Result<Training, String> {
        let network = DualNetwork::take(prefix, shape, tensors)?;
        let adam = FlatAdam::take(prefix, network.numbers.len(), tensors)?;
        Ok(Training { network, adam })
    }
}

/// Where the weights lie that should not grow: neither biases nor the numbers of norms.
fn weights(places: &Places) -> impl Iterator<Item = std::ops::Range<usize>> {
    let heads = [Some(&places.policy), places.hidden.as_ref(), Some(&places.value)].into_iter().flatten();
    let layers = places.layers.iter().map(|layer| layer.weights.clone());
    layers.chain(heads.map(|head| head.weights.clone()))
}

/// What the heads make of a shard.
struct HeadLesson {
    losses: Losses,
    /// Of all numbers from the policy's on.
    gradient: Vec<f32>,
    /// Of what came from the last convolution.
    back: Vec<f32>,
}

/// The way of a batch through a network.
struct Way<'a> {
    network: &'a DualNetwork,
    places: &'a Places,
    batch: &'a [Shard],
}

impl Way<'_> {
    fn numbers(&self, range: &std::ops::Range<usize>) -> &[f32] {
        &self.network.numbers[range.clone()]
    }

    fn sizes(&self, layer: usize, shard: usize) -> Sizes {
        let Shape { filters, .. } = self.network.shape;
        let rows = self.batch[shard].inputs.rows();
        Sizes { rows, inputs: self.places.layers[layer].inputs, outputs: filters }
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
        let Shape { board, filters, .. } = self.network.shape;
        let squares: usize = self.batch.iter().map(|shard| shard.inputs.rows() * board.squares()).sum();
        let (mut all_means, mut all_variances) = (Vec::new(), Vec::new());
        let mut done: Vec<Done> = Vec::new();
        for (number, layer) in self.places.layers.iter().enumerate() {
            let weights = self.numbers(&layer.weights);
            let convolved: Vec<(Vec<f32>, [Vec<f64>; 2])> = (0..self.batch.len())
                .into_par_iter()
                .map(|shard| {
                    let sizes = self.sizes(number, shard);
                    let mut out = vec![0.0; board.squares() * sizes.rows * filters];
                    board.convolve(weights, self.input(&done, number, shard), sizes, &mut out);
                    let sums = sums(&out, None, sizes.rows * filters, filters);
                    (out, sums)
                })
                .collect();
            let (mut normed, parts): (Shards, Vec<[Vec<f64>; 2]>) = convolved.into_iter().unzip();
            let [sums, squared] = in_order(&parts, filters);
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
                    for (normed, out) in normed.chunks_exact_mut(filters).zip(out.chunks_exact_mut(filters)) {
                        for channel in 0..filters {
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
    fn heads(&self, shard: &Shard, seen: &[f32], all: usize, over: Over) -> HeadLesson {
        let Shape { heads, ways, filters, .. } = self.network.shape;
        let Places { policy, hidden, value, total, .. } = self.places;
        let rows = shard.inputs.rows();
        let first = policy.weights.start;
        let mut gradient = vec![0.0; total - first];
        let (policy_saw, value_saw) = match hidden {
            Some(hidden) => {
                let layer = (self.numbers(&hidden.weights).to_vec(), self.numbers(&hidden.bias).to_vec());
                (None, squares_to_hidden(&layer, seen, rows, filters))
            }
            None => {
                let pooled = pooled(seen, rows * filters);
                (Some(pooled.clone()), pooled)
            }
        };
        let policy_saw: &[f32] = policy_saw.as_deref().unwrap_or(seen);
        let mut losses = Losses::default();
        // The policy.
        let mut logits = self.numbers(&policy.bias).repeat(policy_saw.len() / filters);
        let weights = Matrix::new(self.numbers(&policy.weights), policy.outputs);
        multiply(Matrix::new(policy_saw, filters), weights, 1.0, &mut logits);
        let mut back = vec![0.0; logits.len()];
        let count = logits.len();
        let mut target_of = vec![0.0; self.network.shape.actions()];
        for (row, targets) in shard.policies.iter().enumerate() {
            let at = |action: u32| place(heads, rows, ways, count, row, action as usize);
            let mut choose = |moves: &[(u32, f32)]| {
                let outputs: Vec<f32> = moves.iter().map(|(action, _)| logits[at(*action)]).collect();
                let shares: Vec<f32> = moves.iter().map(|(_, share)| *share).collect();
                let (loss, gradient) = crate::nets::cross_entropy(&outputs, &shares);
                losses.policy += f64::from(loss);
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
        let mut policy_back = vec![0.0; policy_saw.len()];
        dense_back(policy, first, policy_saw, &back, &mut gradient);
        multiply(Matrix::new(&back, policy.outputs), weights.transposed(), 0.0, &mut policy_back);
        // The value.
        let weights = self.numbers(&value.weights);
        let bias = self.numbers(&value.bias)[0];
        let mut back = Vec::with_capacity(rows);
        for (seen, target) in value_saw.chunks_exact(weights.len()).zip(&shard.values) {
            let output = (dot(seen, weights) + bias).tanh();
            let (error, by_output) = squared_error(output, *target);
            losses.value += f64::from(error);
            back.push(by_output * (1.0 - output * output) / all as f32);
        }
        dense_back(value, first, &value_saw, &back, &mut gradient);
        let mut value_back: Vec<f32> =
            back.iter().flat_map(|back| weights.iter().map(move |weight| back * weight)).collect();
        let back = match hidden {
            Some(hidden) => {
                for (back, out) in value_back.iter_mut().zip(&value_saw) {
                    *back = if *out > 0.0 { *back } else { 0.0 };
                }
                let weights = self.numbers(&hidden.weights).chunks_exact(filters * HIDDEN);
                let squares =
                    seen.chunks_exact(rows * filters).zip(policy_back.chunks_exact_mut(rows * filters));
                let by_output = Matrix::new(&value_back, HIDDEN);
                let parts = gradient[hidden.weights.start - first..].chunks_exact_mut(filters * HIDDEN);
                for (((seen, back), weights), gradient) in squares.zip(weights).zip(parts) {
                    multiply(Matrix::new(seen, filters).transposed(), by_output, 1.0, gradient);
                    multiply(by_output, Matrix::new(weights, HIDDEN).transposed(), 1.0, back);
                }
                let bias = &mut gradient[hidden.bias.start - first..][..HIDDEN];
                value_back.chunks_exact(HIDDEN).for_each(|row| add(bias, row));
                policy_back
            }
            None => {
                add(&mut policy_back, &value_back);
                let share = (rows * filters) as f32 / seen.len() as f32;
                policy_back.iter_mut().for_each(|back| *back *= share);
                policy_back.repeat(seen.len() / (rows * filters))
            }
        };
        HeadLesson { losses, gradient, back }
    }

    /// Gradients of all convolutions and norms, from that of what came from the last of them.
    fn backward(&self, done: &[Done], mut back: Shards, gradient: &mut [f32]) {
        let Shape { board, filters, .. } = self.network.shape;
        let squares: usize = back.iter().map(|shard| shard.len() / filters).sum();
        // What goes round a block on the way back.
        let mut round: Option<Shards> = None;
        for (number, layer) in self.places.layers.iter().enumerate().rev() {
            let Done { normed, out, inverse } = &done[number];
            let parts: Vec<[Vec<f64>; 2]> = back
                .par_iter_mut()
                .enumerate()
                .map(|(shard, back)| {
                    for (back, out) in back.iter_mut().zip(&out[shard]) {
                        *back = if *out > 0.0 { *back } else { 0.0 };
                    }
                    let rows = self.batch[shard].inputs.rows();
                    sums(back, Some(&normed[shard]), rows * filters, filters)
                })
                .collect();
            let [by_shift, by_scale] = in_order(&parts, filters);
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
                    let rows = back.chunks_exact_mut(filters).zip(normed[shard].chunks_exact(filters));
                    for (back, normed) in rows {
                        for channel in 0..filters {
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

/// Adds to the gradients of a dense layer; the gradient begins with the number `first` of the network.
fn dense_back(head: &Head, first: usize, seen: &[f32], back: &[f32], gradient: &mut [f32]) {
    let inputs = head.weights.len() / head.outputs;
    let (seen, by_output) = (Matrix::new(seen, inputs), Matrix::new(back, head.outputs));
    multiply(
        seen.transposed(),
        by_output,
        1.0,
        &mut gradient[head.weights.start - first..head.weights.end - first],
    );
    let bias = &mut gradient[head.bias.start - first..head.bias.end - first];
    back.chunks_exact(head.outputs).for_each(|row| add(bias, row));
}

/// For each channel the sum of some numbers, and the sum of their products with others (with themselves, if there are none).
///
/// A block of numbers is summed up quickly, blocks exactly enough for any batch.
fn sums(numbers: &[f32], others: Option<&[f32]>, block: usize, filters: usize) -> [Vec<f64>; 2] {
    let mut sums = [vec![0.0_f64; filters], vec![0.0_f64; filters]];
    let (mut plain, mut products) = (vec![0.0_f32; filters], vec![0.0_f32; filters]);
    for (numbers, others) in numbers.chunks(block).zip(others.unwrap_or(numbers).chunks(block)) {
        plain.fill(0.0);
        products.fill(0.0);
        for (numbers, others) in numbers.chunks_exact(filters).zip(others.chunks_exact(filters)) {
            for channel in 0..filters {
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
fn in_order(parts: &[[Vec<f64>; 2]], filters: usize) -> [Vec<f64>; 2] {
    let mut sums = [vec![0.0; filters], vec![0.0; filters]];
    for part in parts {
        for (sums, part) in sums.iter_mut().zip(part) {
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
    }
    sums
}
