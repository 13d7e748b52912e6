//! 3x3 convolutions over a small board as matrix products.
//!
//! Numbers of a batch lie square by square, for each square row by row of the batch, for each row channel by channel. So the
//! squares of a line of the board that a step in one direction leads to are one matrix, whatever the direction: nothing is copied
//! or multiplied by the zeros around the board.

use crate::nets::product::{Matrix, multiply};

/// How many squares a board has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// From left to right.
    pub width: usize,
    /// From top to bottom.
    pub height: usize,
}

/// Neighbouring squares that see neighbouring squares one step away.
#[derive(Clone, Copy)]
struct Run {
    /// The number of the step: 0 to 8, row by row from the top left.
    step: usize,
    /// The first square that sees, and the first that is seen.
    to: usize,
    from: usize,
    /// How many squares.
    squares: usize,
}

/// The number of steps.
pub(super) const STEPS: usize = 9;

impl Board {
    /// How many there are.
    pub const fn squares(self) -> usize {
        self.width * self.height
    }

    fn runs(self) -> impl Iterator<Item = Run> {
        (0..STEPS).flat_map(move |step| {
            let (dx, dy) = (step % 3, step / 3);
            // The lines and columns of the squares that see something in this direction.
            let lines = 1_usize.saturating_sub(dy)..(self.height + 1 - dy).min(self.height);
            let columns = 1_usize.saturating_sub(dx)..(self.width + 1 - dx).min(self.width);
            let run = move |line: usize, squares: usize| {
                let to = line * self.width + columns.start;
                Run { step, to, from: (line + dy - 1) * self.width + columns.start + dx - 1, squares }
            };
            // Straight up and down all lines are one matrix.
            let (lines, length) = match dx {
                1 => (lines.start..(lines.start + 1).min(lines.end), lines.len() * self.width),
                _ => (lines, self.width - 1),
            };
            lines.filter(move |_| length > 0).map(move |line| run(line, length))
        })
    }

    /// Adds to `out` what a convolution with these weights (for each step a row of outputs for each input) makes of the inputs.
    pub(super) fn convolve(self, weights: &[f32], inputs: &[f32], sizes: Sizes, out: &mut [f32]) {
        let Sizes { rows, inputs: wide, outputs } = sizes;
        for Run { step, to, from, squares } in self.runs() {
            let seen = &inputs[from * rows * wide..][..squares * rows * wide];
            let out = &mut out[to * rows * outputs..][..squares * rows * outputs];
            let weights = Matrix::new(&weights[step * wide * outputs..][..wide * outputs], outputs);
            multiply(Matrix::new(seen, wide), weights, 1.0, out);
        }
    }

    /// Adds to the gradient of the weights, from the gradient of what came out.
    pub(super) fn back_to_weights(self, inputs: &[f32], back: &[f32], sizes: Sizes, gradient: &mut [f32]) {
        let Sizes { rows, inputs: wide, outputs } = sizes;
        for Run { step, to, from, squares } in self.runs() {
            let seen = Matrix::new(&inputs[from * rows * wide..][..squares * rows * wide], wide);
            let back = Matrix::new(&back[to * rows * outputs..][..squares * rows * outputs], outputs);
            let gradient = &mut gradient[step * wide * outputs..][..wide * outputs];
            multiply(seen.transposed(), back, 1.0, gradient);
        }
    }

    /// Adds to the gradient of the inputs, from the gradient of what came out.
    pub(super) fn back_to_inputs(self, weights: &[f32], back: &[f32], sizes: Sizes, gradient: &mut [f32]) {
        let Sizes { rows, inputs: wide, outputs } = sizes;
        for Run { step, to, from, squares } in self.runs() {
            let back = Matrix::new(&back[to * rows * outputs..][..squares * rows * outputs], outputs);
            let weights = Matrix::new(&weights[step * wide * outputs..][..wide * outputs], outputs);
            let gradient = &mut gradient[from * rows * wide..][..squares * rows * wide];
            multiply(back, weights.transposed(), 1.0, gradient);
        }
    }
}

/// The sizes of a convolution.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    /// How many boards.
    pub rows: usize,
    /// How many numbers a square has before.
    pub inputs: usize,
    /// And after.
    pub outputs: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The convolution as a textbook writes it.
    fn plainly(board: Board, weights: &[f32], inputs: &[f32], sizes: Sizes) -> Vec<f32> {
        let Sizes { rows, inputs: wide, outputs } = sizes;
        let mut out = vec![0.0; board.squares() * rows * outputs];
        for y in 0..board.height {
            for x in 0..board.width {
                for step in 0..STEPS {
                    let (from_x, from_y) = ((x + step % 3).wrapping_sub(1), (y + step / 3).wrapping_sub(1));
                    if from_x >= board.width || from_y >= board.height {
                        continue;
                    }
                    for row in 0..rows {
                        for (input, output) in (0..wide).flat_map(|i| (0..outputs).map(move |o| (i, o))) {
                            let seen = inputs[((from_y * board.width + from_x) * rows + row) * wide + input];
                            out[((y * board.width + x) * rows + row) * outputs + output] +=
                                weights[(step * wide + input) * outputs + output] * seen;
                        }
                    }
                }
            }
        }
        out
    }

    #[test]
    fn a_convolution_is_the_one_of_textbooks_on_boards_of_any_size() {
        for (width, height) in [(5, 5), (3, 4), (1, 1), (1, 3), (4, 1), (2, 2)] {
            let board = Board { width, height };
            let sizes = Sizes { rows: 3, inputs: 4, outputs: 5 };
            // Whole numbers: sums are exact in any order.
            let numbers = |count: usize, by: usize| -> Vec<f32> {
                (0..count).map(|i| ((i * by) % 7) as f32 - 3.0).collect()
            };
            let weights = numbers(STEPS * 4 * 5, 5);
            let inputs = numbers(board.squares() * 3 * 4, 3);
            let mut out = vec![0.0; board.squares() * 3 * 5];
            board.convolve(&weights, &inputs, sizes, &mut out);
            assert_eq!(out, plainly(board, &weights, &inputs, sizes), "{board:?}");
        }
    }
}
