//! The Adam optimiser.

use std::ops::Range;

use rayon::prelude::*;

use super::{Layout, Tensors};

const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;
const SMALL: f32 = 1e-8;

/// Numbers that one thread works on at a time.
const PART: usize = 1 << 14;

/// The moments of the gradients of all numbers of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    steps: u64,
    means: Vec<f32>,
    squares: Vec<f32>,
}

/// What a step needs to know beside the gradients.
#[derive(Clone, Copy)]
struct Step {
    rate: f32,
    root: f32,
}

impl Adam {
    /// For so many numbers.
    pub fn new(count: usize) -> Adam {
        Adam { steps: 0, means: vec![0.0; count], squares: vec![0.0; count] }
    }

    /// One step of these parts against their gradients. Numbers outside them must never have had a gradient: a step would leave
    /// them as they are.
    pub fn step(&mut self, numbers: &mut [f32], gradients: &[f32], parts: &[Range<usize>], rate: f32) {
        self.steps += 1;
        let step = Step::number(self.steps, rate);
        for part in parts.iter().cloned() {
            let gradients = &gradients[part.clone()];
            let numbers = &mut numbers[part.clone()];
            let (means, squares) = (&mut self.means[part.clone()], &mut self.squares[part]);
            if numbers.len() <= PART {
                step.apply(numbers, gradients, means, squares);
                continue;
            }
            let memory = means.par_chunks_mut(PART).zip(squares.par_chunks_mut(PART));
            let pieces = numbers.par_chunks_mut(PART).zip(gradients.par_chunks(PART)).zip(memory);
            pieces.for_each(|((numbers, gradients), (means, squares))| {
                step.apply(numbers, gradients, means, squares);
            });
        }
    }

    /// Whether no moment is NaN or infinite.
    pub fn is_finite(&self) -> bool {
        self.means.iter().chain(&self.squares).all(|number| number.is_finite())
    }

    /// Adds everything to what a file will hold.
    pub fn put(&self, prefix: &str, layout: &Layout, tensors: &mut Tensors) {
        tensors.put_bytes(&format!("{prefix}adam.steps"), self.steps.to_le_bytes().to_vec());
        layout.put(&format!("{prefix}adam.exp_avg."), &self.means, tensors);
        layout.put(&format!("{prefix}adam.exp_avg_sq."), &self.squares, tensors);
    }

    /// Reads it back.
    pub fn take(prefix: &str, layout: &Layout, tensors: &Tensors) -> Result<Adam, String> {
        let name = format!("{prefix}adam.steps");
        let steps = tensors.bytes(&name)?.try_into().map_err(|_| format!("'{name}' has another length"))?;
        Ok(Adam {
            steps: u64::from_le_bytes(steps),
            means: layout.take(&format!("{prefix}adam.exp_avg."), tensors)?,
            squares: layout.take(&format!("{prefix}adam.exp_avg_sq."), tensors)?,
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
