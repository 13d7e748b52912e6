//! Parameters in one flat row: which named tensor lies where, and how it lies on disk.

use std::ops::Range;

use super::Tensors;

/// How the numbers of a tensor lie in memory. On disk they lie as in PyTorch: outputs, inputs, then steps of a convolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The same.
    OutputsFirst,
    /// Steps, inputs, outputs: each step of a convolution is one matrix for a whole batch of squares.
    OutputsLast,
}

/// A tensor of a network.
#[derive(Clone, Debug, PartialEq)]
struct Tensor {
    name: String,
    /// As in PyTorch.
    shape: Vec<usize>,
    order: Order,
    range: Range<usize>,
}

/// The tensors of a network, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    tensors: Vec<Tensor>,
    total: usize,
}

impl Layout {
    /// Adds a tensor at the end.
    pub fn add(&mut self, name: String, shape: &[usize], order: Order) -> Range<usize> {
        let range = self.total..self.total + shape.iter().product::<usize>();
        self.total = range.end;
        self.tensors.push(Tensor { name, shape: shape.to_vec(), order, range: range.clone() });
        range
    }

    /// How many numbers there are.
    pub fn total(&self) -> usize {
        self.total
    }

    /// How many tensors there are.
    pub fn count(&self) -> usize {
        self.tensors.len()
    }

    /// For each tensor its name, its shape in memory and where it lies.
    pub(super) fn in_memory(self) -> Vec<(String, Vec<usize>, Range<usize>)> {
        let memory = |Tensor { name, mut shape, order, range }| {
            if order == Order::OutputsLast {
                shape[..2].reverse();
                shape.rotate_left(2);
            }
            (name, shape, range)
        };
        self.tensors.into_iter().map(memory).collect()
    }

    /// Adds all tensors to what a file will hold, each name after this prefix.
    pub fn put(&self, prefix: &str, numbers: &[f32], tensors: &mut Tensors) {
        for Tensor { name, shape, order, range } in &self.tensors {
            let numbers = &numbers[range.clone()];
            let numbers = match order {
                Order::OutputsFirst => numbers.to_vec(),
                Order::OutputsLast => {
                    let [outputs, inputs, steps] = axes(shape);
                    reversed(numbers, [steps, inputs, outputs])
                }
            };
            tensors.put(&format!("{prefix}{name}"), shape.clone(), numbers);
        }
    }

    /// The numbers of all tensors of a file whose names have this prefix, or what is missing or misshapen.
    pub fn take(&self, prefix: &str, tensors: &Tensors) -> Result<Vec<f32>, String> {
        let mut all = Vec::with_capacity(self.total);
        for Tensor { name, shape, order, .. } in &self.tensors {
            let numbers = tensors.numbers(&format!("{prefix}{name}"), shape)?;
            match order {
                Order::OutputsFirst => all.extend_from_slice(numbers),
                Order::OutputsLast => all.extend(reversed(numbers, axes(shape))),
            }
        }
        Ok(all)
    }
}

/// Outputs, inputs and steps.
fn axes(shape: &[usize]) -> [usize; 3] {
    [shape[0], shape[1], shape[2..].iter().product()]
}

/// The same numbers with the last axis first.
fn reversed(numbers: &[f32], [a, b, c]: [usize; 3]) -> Vec<f32> {
    let mut out = Vec::with_capacity(numbers.len());
    for z in 0..c {
        for y in 0..b {
            out.extend((0..a).map(|x| numbers[(x * b + y) * c + z]));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_pytorchs_order() {
        let mut layout = Layout::default();
        layout.add("conv".into(), &[2, 3, 1, 2], Order::OutputsLast);
        layout.add("head".into(), &[2, 2], Order::OutputsFirst);
        let numbers: Vec<f32> = (0..16).map(|n| n as f32).collect();
        let mut tensors = Tensors::default();
        layout.put("a.", &numbers, &mut tensors);
        // Of the first output and the first input both steps, then of the next input.
        let first = &tensors.numbers("a.conv", &[2, 3, 1, 2]).unwrap()[..4];
        assert_eq!(first, [0.0, 6.0, 2.0, 8.0]);
        assert_eq!(layout.take("a.", &tensors).unwrap(), numbers);
        assert!(layout.take("", &tensors).unwrap_err().contains("it has no 'conv'"));
    }
}
