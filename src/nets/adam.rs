//! Adam: steps as long as the mean of the gradients is sure.

use rayon::prelude::*;

use super::{Dense, Tensors};

const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;
const SMALL: f32 = 1e-8;

/// What Adam remembers of the gradients of some layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// How many steps have been made.
    pub steps: u64,
    /// The running means of the gradients.
    pub means: Vec<Dense>,
    /// The running means of their squares.
    pub squares: Vec<Dense>,
}

/// What a step needs to know beside the gradients.
#[derive(Clone, Copy)]
struct Step {
    rate: f32,
    root: f32,
}

impl Adam {
    /// For layers of these shapes.
    pub fn new<'a>(layers: impl Iterator<Item = &'a Dense>) -> Adam {
        let means: Vec<Dense> = layers.map(|layer| Dense::zero(layer.inputs, layer.outputs())).collect();
        Adam { steps: 0, squares: means.clone(), means }
    }

    /// One step of all layers against their gradients. Of the last layer only the outputs of `rows` are looked at: others must
    /// never have had a gradient, and then a step would leave them as they are.
    pub fn step(&mut self, layers: &mut [Dense], gradients: &[Dense], rows: &[u32], rate: f32) {
        self.steps += 1;
        let step = Step::number(self.steps, rate);
        let last = layers.len() - 1;
        let memory = self.means.iter_mut().zip(&mut self.squares);
        for (number, ((layer, gradient), (mean, square))) in
            layers.iter_mut().zip(gradients).zip(memory).enumerate()
        {
            if number < last {
                step.apply(&mut layer.weights, &gradient.weights, &mut mean.weights, &mut square.weights);
                step.apply(&mut layer.bias, &gradient.bias, &mut mean.bias, &mut square.bias);
                continue;
            }
            let width = layer.inputs;
            for row in rows.iter().map(|row| *row as usize) {
                let (whole, one) = (row * width..(row + 1) * width, row..row + 1);
                step.apply(
                    &mut layer.weights[whole.clone()],
                    &gradient.weights[whole.clone()],
                    &mut mean.weights[whole.clone()],
                    &mut square.weights[whole],
                );
                step.apply(
                    &mut layer.bias[one.clone()],
                    &gradient.bias[one.clone()],
                    &mut mean.bias[one.clone()],
                    &mut square.bias[one],
                );
            }
        }
    }
}

/// What Adam remembers of the gradients of one long row of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatAdam {
    steps: u64,
    means: Vec<f32>,
    squares: Vec<f32>,
}

impl FlatAdam {
    /// For so many numbers.
    pub fn new(count: usize) -> FlatAdam {
        FlatAdam { steps: 0, means: vec![0.0; count], squares: vec![0.0; count] }
    }

    /// One step of all numbers against their gradients.
    pub fn step(&mut self, numbers: &mut [f32], gradients: &[f32], rate: f32) {
        const PART: usize = 1 << 14;
        self.steps += 1;
        let step = Step::number(self.steps, rate);
        let memory = self.means.par_chunks_mut(PART).zip(self.squares.par_chunks_mut(PART));
        let parts = numbers.par_chunks_mut(PART).zip(gradients.par_chunks(PART)).zip(memory);
        parts.for_each(|((numbers, gradients), (means, squares))| {
            step.apply(numbers, gradients, means, squares);
        });
    }

    /// Adds everything to what a file will hold.
    pub fn put(&self, prefix: &str, tensors: &mut Tensors) {
        tensors.put_bytes(&format!("{prefix}adam.steps"), self.steps.to_le_bytes().to_vec());
        let shape = vec![self.means.len()];
        tensors.put_numbers(&format!("{prefix}adam.means"), shape.clone(), self.means.clone());
        tensors.put_numbers(&format!("{prefix}adam.squares"), shape, self.squares.clone());
    }

    /// Reads it back, for so many numbers.
    pub fn take(prefix: &str, count: usize, tensors: &Tensors) -> Result<FlatAdam, String> {
        let name = format!("{prefix}adam.steps");
        let steps = tensors.bytes(&name).and_then(|bytes| bytes.try_into().ok());
        Ok(FlatAdam {
            steps: u64::from_le_bytes(steps.ok_or_else(|| format!("it has no '{name}'"))?),
            means: tensors.numbers(&format!("{prefix}adam.means"), &[count])?.to_vec(),
            squares: tensors.numbers(&format!("{prefix}adam.squares"), &[count])?.to_vec(),
        })
    }
}

impl Step {
    /// The step of this number, from 1.
    fn number(steps: u64, rate: f32) -> Step {
        // In f64: after many steps the powers are tiny, but the difference from 1 must be right from the first on.
        let shrink = |base: f32| 1.0 - f64::from(base).powi(steps.min(100_000) as i32);
        Step { rate: (f64::from(rate) / shrink(FIRST)) as f32, root: (1.0 / shrink(SECOND).sqrt()) as f32 }
    }

    fn apply(self, numbers: &mut [f32], gradients: &[f32], means: &mut [f32], squares: &mut [f32]) {
        let memory = means.iter_mut().zip(squares);
        for ((number, gradient), (mean, square)) in numbers.iter_mut().zip(gradients).zip(memory) {
            *mean = FIRST * *mean + (1.0 - FIRST) * gradient;
            *square = SECOND * *square + (1.0 - SECOND) * gradient * gradient;
            *number -= self.rate * *mean / (square.sqrt() * self.root + SMALL);
        }
    }
}
