//! The network that plays: norms folded into the convolutions, only what is asked for computed.

use super::board::Sizes;
use super::network::{DualNetwork, Heads, SMALL, Shape};
use crate::nets::product::{Matrix, dot, multiply};

/// A batch of boards, ready to be valued.
#[derive(Clone, Debug)]
pub struct Inputs {
    rows: usize,
    planes: usize,
    numbers: Vec<f32>,
}

impl Inputs {
    /// So many boards with nothing on them.
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

/// What a network thinks of a batch.
#[derive(Clone, Debug)]
pub struct Valued {
    rows: usize,
    ways: usize,
    heads: Heads,
    logits: Vec<f32>,
    values: Vec<f32>,
}

impl Valued {
    /// How much it likes a move on one of the boards: a logit.
    pub fn logit(&self, row: usize, action: usize) -> f32 {
        self.logits[place(self.heads, self.rows, self.ways, self.logits.len(), row, action)]
    }

    /// Who will win, for the side to move: from -1 to 1.
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
pub struct Valuer {
    shape: Shape,
    /// For each convolution its weights and what is added.
    layers: Vec<(Vec<f32>, Vec<f32>)>,
    policy: (Vec<f32>, Vec<f32>),
    hidden: Option<(Vec<f32>, Vec<f32>)>,
    value: (Vec<f32>, f32),
}

impl Valuer {
    /// From what was learned.
    pub fn new(network: &DualNetwork) -> Valuer {
        let places = network.shape.places();
        let numbers = &network.numbers;
        let fold = |(number, layer): (usize, &super::network::Layer)| {
            let (means, variances) = network.seen(number);
            let scales: Vec<f32> = numbers[layer.scale.clone()]
                .iter()
                .zip(variances)
                .map(|(scale, variance)| scale / (variance + SMALL).sqrt())
                .collect();
            let mut weights = numbers[layer.weights.clone()].to_vec();
            for row in weights.chunks_exact_mut(scales.len()) {
                row.iter_mut().zip(&scales).for_each(|(weight, scale)| *weight *= scale);
            }
            let shifts = numbers[layer.shift.clone()].iter().zip(means).zip(&scales);
            (weights, shifts.map(|((shift, mean), scale)| shift - mean * scale).collect())
        };
        let head = |head: &super::network::Head| {
            (numbers[head.weights.clone()].to_vec(), numbers[head.bias.clone()].to_vec())
        };
        let (value, bias) = head(&places.value);
        Valuer {
            shape: network.shape,
            layers: places.layers.iter().enumerate().map(fold).collect(),
            policy: head(&places.policy),
            hidden: places.hidden.as_ref().map(head),
            value: (value, bias[0]),
        }
    }

    /// The sizes of the network.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// What it thinks of some boards, on this thread.
    pub fn value(&self, inputs: &Inputs) -> Valued {
        let Shape { board, planes, filters, heads, ways, .. } = self.shape;
        let rows = inputs.rows;
        let convolve = |number: usize, seen: &[f32]| {
            let (weights, shifts) = &self.layers[number];
            let mut out = shifts.repeat(board.squares() * rows);
            let wide = if number == 0 { planes } else { filters };
            board.convolve(weights, seen, Sizes { rows, inputs: wide, outputs: filters }, &mut out);
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
        let dense = |(weights, bias): &(Vec<f32>, Vec<f32>), seen: &[f32]| {
            let inputs = weights.len() / bias.len();
            let mut out = bias.repeat(seen.len() / inputs);
            multiply(Matrix::new(seen, inputs), Matrix::new(weights, bias.len()), 1.0, &mut out);
            out
        };
        let (logits, seen) = match &self.hidden {
            Some(hidden) => {
                let hidden = squares_to_hidden(hidden, &now, rows, filters);
                (dense(&self.policy, &now), hidden)
            }
            None => {
                let pooled = pooled(&now, rows * filters);
                (dense(&self.policy, &pooled), pooled)
            }
        };
        let (weights, bias) = &self.value;
        let values = seen.chunks_exact(weights.len()).map(|row| (dot(row, weights) + bias).tanh()).collect();
        Valued { rows, ways, heads, logits, values }
    }
}

fn relu(numbers: &mut [f32]) {
    numbers.iter_mut().for_each(|number| *number = number.max(0.0));
}

/// The hidden layer before the value, which sees all squares.
pub(super) fn squares_to_hidden(
    (weights, bias): &(Vec<f32>, Vec<f32>),
    seen: &[f32],
    rows: usize,
    filters: usize,
) -> Vec<f32> {
    let mut out = bias.repeat(rows);
    for (square, weights) in seen.chunks_exact(rows * filters).zip(weights.chunks_exact(filters * bias.len()))
    {
        multiply(Matrix::new(square, filters), Matrix::new(weights, bias.len()), 1.0, &mut out);
    }
    relu(&mut out);
    out
}

/// Means over all squares.
pub(super) fn pooled(seen: &[f32], size: usize) -> Vec<f32> {
    let mut sums = vec![0.0; size];
    for square in seen.chunks_exact(size) {
        super::training::add(&mut sums, square);
    }
    let share = size as f32 / seen.len() as f32;
    sums.iter_mut().for_each(|sum| *sum *= share);
    sums
}
