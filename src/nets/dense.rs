//! A dense layer: every output sees every input.

use std::ops::Range;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use super::product::{Matrix, dot, multiply};
use super::{Layout, Order};

/// Where the weights of a dense layer lie among the numbers of its network, followed by the biases.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// How many numbers go in.
    pub inputs: usize,
    /// How many come out.
    pub outputs: usize,
    order: Order,
    range: Range<usize>,
}

impl Dense {
    /// Adds a layer to a network.
    pub fn add(layout: &mut Layout, name: &str, [inputs, outputs]: [usize; 2], order: Order) -> Dense {
        let weights = layout.add(format!("{name}.weight"), &[outputs, inputs], order);
        let bias = layout.add(format!("{name}.bias"), &[outputs], Order::OutputsFirst);
        Dense { inputs, outputs, order, range: weights.start..bias.end }
    }

    /// Where its weights and biases lie.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Where its weights lie.
    pub fn weights(&self) -> Range<usize> {
        self.range.start..self.range.start + self.inputs * self.outputs
    }

    /// Where its biases lie.
    pub fn bias(&self) -> Range<usize> {
        self.weights().end..self.range.end
    }

    /// Where the weights of one output lie, if they lie together.
    pub fn row(&self, output: usize) -> Range<usize> {
        let start = self.range.start + output * self.inputs;
        start..start + self.inputs
    }

    /// Draws weights and biases evenly from within 1 / √inputs of zero, as PyTorch begins.
    pub fn draw(&self, numbers: &mut [f32], random: &mut ChaCha8Rng) {
        let bound = 1.0 / (self.inputs as f32).sqrt();
        // 24 bits are what an f32 between 0 and 1 can hold.
        let draw = || ((random.next_u32() >> 8) as f32 / (1 << 23) as f32 - 1.0) * bound;
        numbers[self.range()].fill_with(draw);
    }

    /// Its weights, a row for each input.
    fn matrix<'a>(&self, numbers: &'a [f32]) -> Matrix<'a> {
        let weights = &numbers[self.weights()];
        match self.order {
            Order::OutputsFirst => Matrix::new(weights, self.inputs).transposed(),
            Order::OutputsLast => Matrix::new(weights, self.outputs),
        }
    }

    /// One output for one input, where the weights of an output lie together.
    #[inline]
    pub fn output(&self, numbers: &[f32], output: usize, input: &[f32]) -> f32 {
        dot(&numbers[self.row(output)], input) + numbers[self.bias()][output]
    }

    /// All outputs for a batch of inputs, row by row.
    pub fn forward(&self, numbers: &[f32], inputs: &[f32]) -> Vec<f32> {
        let rows = inputs.len() / self.inputs;
        if rows == 1 && self.order == Order::OutputsFirst {
            let mut out = Vec::with_capacity(self.outputs);
            for output in 0..self.outputs {
                out.push(self.output(numbers, output, inputs));
            }
            return out;
        }
        let mut out = numbers[self.bias()].repeat(rows);
        multiply(Matrix::new(inputs, self.inputs), self.matrix(numbers), 1.0, &mut out);
        out
    }

    /// From the gradient of the outputs of a batch: adds to the gradient of this layer.
    pub fn add_gradient(&self, inputs: &[f32], back: &[f32], gradient: &mut [f32]) {
        let (weights, bias) = gradient.split_at_mut(self.inputs * self.outputs);
        let (by_input, by_output) = (Matrix::new(inputs, self.inputs), Matrix::new(back, self.outputs));
        match self.order {
            Order::OutputsFirst => multiply(by_output.transposed(), by_input, 1.0, weights),
            Order::OutputsLast => multiply(by_input.transposed(), by_output, 1.0, weights),
        }
        back.chunks_exact(self.outputs).for_each(|row| add(bias, row));
    }

    /// From the gradient of the outputs of a batch: the gradient of the inputs.
    pub fn back_to_inputs(&self, numbers: &[f32], back: &[f32]) -> Vec<f32> {
        let mut by_input = vec![0.0; back.len() / self.outputs * self.inputs];
        let weights = self.matrix(numbers).transposed();
        multiply(Matrix::new(back, self.outputs), weights, 0.0, &mut by_input);
        by_input
    }
}

/// Adds numbers to others.
pub(crate) fn add(to: &mut [f32], numbers: &[f32]) {
    for (to, number) in to.iter_mut().zip(numbers) {
        *to += number;
    }
}
