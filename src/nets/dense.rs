//! A dense layer: every output sees every input.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use super::product::{Matrix, dot, multiply};

/// Weights and biases; also what changes them, since gradients have the same shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// How many numbers go in.
    pub inputs: usize,
    /// A row of `inputs` numbers for each output.
    pub weights: Vec<f32>,
    /// One for each output.
    pub bias: Vec<f32>,
}

impl Dense {
    /// All weights nought.
    pub fn zero(inputs: usize, outputs: usize) -> Dense {
        Dense { inputs, weights: vec![0.0; inputs * outputs], bias: vec![0.0; outputs] }
    }

    /// Weights and biases drawn evenly from within 1 / √inputs of nought, as PyTorch begins.
    pub fn random(inputs: usize, outputs: usize, random: &mut ChaCha8Rng) -> Dense {
        let bound = 1.0 / (inputs as f32).sqrt();
        // 24 bits are what an f32 between 0 and 1 can hold.
        let mut draw = |_| ((random.next_u32() >> 8) as f32 / (1 << 23) as f32 - 1.0) * bound;
        let weights = (0..inputs * outputs).map(&mut draw).collect();
        Dense { inputs, weights, bias: (0..outputs).map(&mut draw).collect() }
    }

    /// How many numbers come out.
    pub fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// The weights of one output.
    pub fn row(&self, output: usize) -> &[f32] {
        &self.weights[output * self.inputs..][..self.inputs]
    }

    /// One output for one input.
    pub fn output(&self, output: usize, input: &[f32]) -> f32 {
        dot(self.row(output), input) + self.bias[output]
    }

    /// All outputs for a batch of inputs, row by row.
    pub fn forward(&self, inputs: &[f32]) -> Vec<f32> {
        let rows = inputs.len() / self.inputs;
        if rows == 1 {
            return (0..self.outputs()).map(|output| self.output(output, inputs)).collect();
        }
        let mut out = self.bias.repeat(rows);
        let weights = Matrix::new(&self.weights, self.inputs).transposed();
        multiply(Matrix::new(inputs, self.inputs), weights, 1.0, &mut out);
        out
    }

    /// From the gradient of the outputs of a batch: adds to the gradient of the weights, and returns that of the inputs.
    pub fn backward(&self, inputs: &[f32], outputs: &[f32], gradient: &mut Dense) -> Vec<f32> {
        let by_output = Matrix::new(outputs, self.outputs());
        multiply(by_output.transposed(), Matrix::new(inputs, self.inputs), 1.0, &mut gradient.weights);
        for row in outputs.chunks_exact(self.outputs()) {
            add(&mut gradient.bias, row);
        }
        let mut by_input = vec![0.0; inputs.len()];
        multiply(by_output, Matrix::new(&self.weights, self.inputs), 0.0, &mut by_input);
        by_input
    }

    /// Adds another layer of the same shape, number by number.
    pub fn add(&mut self, other: &Dense) {
        add(&mut self.weights, &other.weights);
        add(&mut self.bias, &other.bias);
    }

    /// Makes the numbers of one output nought.
    pub fn clear_row(&mut self, output: usize) {
        self.weights[output * self.inputs..][..self.inputs].fill(0.0);
        self.bias[output] = 0.0;
    }

    /// Makes all numbers nought.
    pub fn clear(&mut self) {
        self.weights.fill(0.0);
        self.bias.fill(0.0);
    }
}

/// Adds numbers to others.
pub(super) fn add(to: &mut [f32], numbers: &[f32]) {
    for (to, number) in to.iter_mut().zip(numbers) {
        *to += number;
    }
}
