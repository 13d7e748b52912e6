//! The network that plays: norms folded into the convolutions, only what is asked for computed.

use super::board::Sizes;
use super::network::{DualNetwork, Heads, Places, SMALL, Shape};
use crate::nets::Dense;
use crate::nets::dense::add;
use crate::nets::product::{Matrix, multiply};

/// A batch of boards, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct Inputs {
    rows: usize,
    planes: usize,
    numbers: Vec<f32>,
}

impl Inputs {
    /// Empty boards, this many.
    pub fn new(shape: &Shape, rows: usize) -> Inputs {
        let numbers = vec![0.0; shape.board.squares() * rows * shape.planes];
        Inputs { rows, planes: shape.planes, numbers }
    }

    /// Sets a plane of a square of one of the boards.
    pub fn set(&mut self, row: usize, square: usize, plane: usize, number: f32) {
        self.numbers[(square * self.rows + row) * self.planes + plane] = number;
    }

    /// How many boards.
    pub fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn numbers(&self) -> &[f32] {
        &self.numbers
    }
}

/// Policy and value of a batch.
#[derive(Clone, Debug)]
pub struct Evaluations {
    rows: usize,
    ways: usize,
    heads: Heads,
    logits: Vec<f32>,
    values: Vec<f32>,
}

impl Evaluations {
    /// The logit of a move on one of the boards.
    pub fn logit(&self, row: usize, action: usize) -> f32 {
        self.logits[place(self.heads, self.rows, self.ways, self.logits.len(), row, action)]
    }

    /// The expected result for the side to move: from -1 to 1.
    pub fn value(&self, row: usize) -> f32 {
        self.values[row]
    }
}

/// Where the logit of a move lies.
pub(super) fn place(
    heads: Heads,
    rows: usize,
    ways: usize,
    count: usize,
    row: usize,
    action: usize,
) -> usize {
    match heads {
        Heads::Squares => (action / ways * rows + row) * ways + action % ways,
        Heads::Pooled => row * (count / rows) + action,
    }
}

/// A network ready to play.
#[derive(Clone, Debug)]
pub struct InferenceNetwork {
    shape: Shape,
    places: Places,
    /// As they were learned, but with the norms folded into weights and shifts.
    numbers: Vec<f32>,
}

impl InferenceNetwork {
    /// From what was learned.
    pub fn new(network: &DualNetwork) -> InferenceNetwork {
        let (places, mut numbers) = (network.shape.places(), network.numbers.clone());
        for (number, layer) in places.convolutions.iter().enumerate() {
            let (means, variances) = network.seen(number);
            let scales: Vec<f32> = numbers[layer.scale.clone()]
                .iter()
                .zip(variances)
                .map(|(scale, variance)| scale / (variance + SMALL).sqrt())
                .collect();
            for row in numbers[layer.weights.clone()].chunks_exact_mut(scales.len()) {
                row.iter_mut().zip(&scales).for_each(|(weight, scale)| *weight *= scale);
            }
            let shifts = numbers[layer.shift.clone()].iter_mut().zip(means).zip(&scales);
            shifts.for_each(|((shift, mean), scale)| *shift -= mean * scale);
        }
        InferenceNetwork { shape: network.shape, places, numbers }
    }

    /// The sizes of the network.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Policy and value of some boards, on this thread.
    pub fn evaluate(&self, inputs: &Inputs) -> Evaluations {
        let Shape { board, channels, heads, ways, .. } = self.shape;
        let Places { convolutions, policy, hidden, value, .. } = &self.places;
        let rows = inputs.rows;
        let convolve = |number: usize, seen: &[f32]| {
            let layer = &convolutions[number];
            let mut out = self.numbers[layer.shift.clone()].repeat(board.squares() * rows);
            let sizes = Sizes { rows, inputs: layer.inputs, outputs: channels };
            board.convolve(&self.numbers[layer.weights.clone()], seen, sizes, &mut out);
            out
        };
        let mut now = convolve(0, &inputs.numbers);
        relu(&mut now);
        for block in 0..self.shape.blocks {
            let mut inner = convolve(2 * block + 1, &now);
            relu(&mut inner);
            let inner = convolve(2 * block + 2, &inner);
            now.iter_mut().zip(&inner).for_each(|(now, inner)| *now = (*now + inner).max(0.0));
        }
        let (logits, seen) = match hidden {
            Some(hidden) => {
                let seen = through_hidden(hidden, &self.numbers, &now, [rows, channels]);
                (policy.forward(&self.numbers, &now), seen)
            }
            None => {
                let pooled = pooled(&now, rows * channels);
                (policy.forward(&self.numbers, &pooled), pooled)
            }
        };
        let value = |row: &[f32]| value.output(&self.numbers, 0, row).tanh();
        let values = seen.chunks_exact(seen.len() / rows).map(value).collect();
        Evaluations { rows, ways, heads, logits, values }
    }
}

fn relu(numbers: &mut [f32]) {
    numbers.iter_mut().for_each(|number| *number = number.max(0.0));
}

/// The hidden layer before the value, which sees all squares.
pub(super) fn through_hidden(
    hidden: &Dense,
    numbers: &[f32],
    seen: &[f32],
    [rows, channels]: [usize; 2],
) -> Vec<f32> {
    let mut out = numbers[hidden.bias()].repeat(rows);
    let weights = numbers[hidden.weights()].chunks_exact(channels * hidden.outputs);
    for (square, weights) in seen.chunks_exact(rows * channels).zip(weights) {
        multiply(Matrix::new(square, channels), Matrix::new(weights, hidden.outputs), 1.0, &mut out);
    }
    relu(&mut out);
    out
}

/// Means over all squares.
pub(super) fn pooled(seen: &[f32], size: usize) -> Vec<f32> {
    let mut sums = vec![0.0; size];
    for square in seen.chunks_exact(size) {
        add(&mut sums, square);
    }
    let share = size as f32 / seen.len() as f32;
    sums.iter_mut().for_each(|sum| *sum *= share);
    sums
}
