//! Dense layers one after the other, with ReLU between them.

use rand_chacha::ChaCha8Rng;

use super::{Dense, Dropout, Layout, Order};

/// A network of dense layers. All but the last, the head, are followed by ReLU.
#[derive(Clone, Debug, PartialEq)]
pub struct Mlp {
    /// From the inputs to the outputs.
    pub layers: Vec<Dense>,
    /// How the numbers lie: `fc1`, `fc2` and so on, then `head`.
    pub layout: Layout,
    /// Weights and biases of all layers.
    pub numbers: Vec<f32>,
}

/// What a batch was on its way through the layers before the head: what the way back needs.
#[derive(Clone, Debug)]
pub struct Pass {
    /// What goes into each layer, the head included.
    inputs: Vec<Vec<f32>>,
    /// What the outputs of a layer were multiplied by.
    mask: Option<(usize, Vec<f32>)>,
}

impl Pass {
    /// What goes into the head: a row for each input.
    pub fn last(&self) -> &[f32] {
        self.inputs.last().expect("there is a head")
    }
}

impl Mlp {
    /// All weights zero; `sizes` are those of the inputs, of the hidden layers and of the outputs.
    pub fn zero(sizes: &[usize]) -> Mlp {
        let mut layout = Layout::default();
        let layer = |(number, pair): (usize, &[usize])| {
            let name =
                if number + 2 == sizes.len() { "head".to_string() } else { format!("fc{}", number + 1) };
            Dense::add(&mut layout, &name, [pair[0], pair[1]], Order::OutputsFirst)
        };
        let layers = sizes.windows(2).enumerate().map(layer).collect();
        Mlp { layers, numbers: vec![0.0; layout.total()], layout }
    }

    /// Random weights.
    pub fn random(sizes: &[usize], random: &mut ChaCha8Rng) -> Mlp {
        let mut mlp = Mlp::zero(sizes);
        mlp.layers.iter().for_each(|layer| layer.draw(&mut mlp.numbers, random));
        mlp
    }

    /// The last layer.
    pub fn head(&self) -> &Dense {
        self.layers.last().expect("a network has a layer")
    }

    /// The layers before it; their numbers come first.
    pub fn body(&self) -> &[Dense] {
        &self.layers[..self.layers.len() - 1]
    }

    /// A batch through all layers but the head; with dropout if a generator for it is given.
    pub fn through_body(&self, inputs: Vec<f32>, dropout: Option<(Dropout, &mut ChaCha8Rng)>) -> Pass {
        let mut pass = Pass { inputs: vec![inputs], mask: None };
        let mut dropout = dropout;
        for (number, layer) in self.body().iter().enumerate() {
            let mut out = layer.forward(&self.numbers, pass.last());
            for x in &mut out {
                *x = x.max(0.0);
            }
            if let Some((dropout, random)) = dropout.as_mut().filter(|(dropout, _)| dropout.layer == number) {
                let mask = dropout.mask(out.len(), random);
                multiply_each(&mut out, &mask);
                pass.mask = Some((number, mask));
            }
            pass.inputs.push(out);
        }
        pass
    }

    /// All outputs, from what goes into the head.
    pub fn through_head(&self, last: &[f32]) -> Vec<f32> {
        self.head().forward(&self.numbers, last)
    }

    /// Gradient of the layers before the head, from the gradient of what went into the head.
    pub fn back_from_head(&self, pass: &Pass, mut back: Vec<f32>) -> Vec<f32> {
        let mut gradient = vec![0.0; self.head().range().start];
        for (number, layer) in self.body().iter().enumerate().rev() {
            if let Some((_, mask)) = pass.mask.as_ref().filter(|(masked, _)| *masked == number) {
                multiply_each(&mut back, mask);
            }
            // Where ReLU gave zero it lets nothing back. (Where dropout did, nothing comes back anyway.)
            for (back, out) in back.iter_mut().zip(&pass.inputs[number + 1]) {
                if *out <= 0.0 {
                    *back = 0.0;
                }
            }
            layer.add_gradient(&pass.inputs[number], &back, &mut gradient[layer.range()]);
            if number > 0 {
                back = layer.back_to_inputs(&self.numbers, &back);
            }
        }
        gradient
    }

    /// Gradient of all layers, from the gradient of the outputs.
    pub fn backward(&self, pass: &Pass, outputs: &[f32]) -> Vec<f32> {
        let head = self.head();
        let mut gradient = self.back_from_head(pass, head.back_to_inputs(&self.numbers, outputs));
        gradient.resize(self.numbers.len(), 0.0);
        head.add_gradient(pass.last(), outputs, &mut gradient[head.range()]);
        gradient
    }
}

fn multiply_each(numbers: &mut [f32], by: &[f32]) {
    for (number, by) in numbers.iter_mut().zip(by) {
        *number *= by;
    }
}
