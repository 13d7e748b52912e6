//! Dense layers one after the other, with ReLU between them.

use rand_chacha::ChaCha8Rng;

use super::{Dense, Dropout};

/// A network of dense layers. All but the last, the head, are followed by ReLU.
#[derive(Clone, Debug, PartialEq)]
pub struct Mlp {
    /// From the inputs to the outputs.
    pub layers: Vec<Dense>,
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
    /// Random weights; `sizes` are those of the inputs, of the hidden layers and of the outputs.
    pub fn random(sizes: &[usize], random: &mut ChaCha8Rng) -> Mlp {
        Mlp { layers: sizes.windows(2).map(|pair| Dense::random(pair[0], pair[1], random)).collect() }
    }

    /// The last layer.
    pub fn head(&self) -> &Dense {
        self.layers.last().expect("a network has a layer")
    }

    /// The layers before it.
    pub fn body(&self) -> &[Dense] {
        &self.layers[..self.layers.len() - 1]
    }

    /// A batch through all layers but the head; with dropout if a generator for it is given.
    pub fn through_body(&self, inputs: Vec<f32>, dropout: Option<(Dropout, &mut ChaCha8Rng)>) -> Pass {
        let mut pass = Pass { inputs: vec![inputs], mask: None };
        let mut dropout = dropout;
        for (number, layer) in self.body().iter().enumerate() {
            let mut out = layer.forward(pass.last());
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

    /// A batch through all layers.
    pub fn forward(&self, inputs: Vec<f32>) -> Vec<f32> {
        self.head().forward(self.through_body(inputs, None).last())
    }

    /// Gradients of the layers before the head, from the gradient of what went into the head.
    pub fn back_from_head(&self, pass: &Pass, mut gradient: Vec<f32>) -> Vec<Dense> {
        let mut gradients: Vec<Dense> =
            self.body().iter().map(|layer| Dense::zero(layer.inputs, layer.outputs())).collect();
        for (number, layer) in self.body().iter().enumerate().rev() {
            if let Some((_, mask)) = pass.mask.as_ref().filter(|(masked, _)| *masked == number) {
                multiply_each(&mut gradient, mask);
            }
            // Where ReLU gave nought it lets nothing back. (Where dropout did, nothing comes back anyway.)
            for (back, out) in gradient.iter_mut().zip(&pass.inputs[number + 1]) {
                if *out <= 0.0 {
                    *back = 0.0;
                }
            }
            gradient = layer.backward(&pass.inputs[number], &gradient, &mut gradients[number]);
        }
        gradients
    }

    /// Gradients of all layers, from the gradient of the outputs.
    pub fn backward(&self, pass: &Pass, outputs: &[f32]) -> Vec<Dense> {
        let head = self.head();
        let mut gradient = Dense::zero(head.inputs, head.outputs());
        let by_input = head.backward(pass.last(), outputs, &mut gradient);
        let mut gradients = self.back_from_head(pass, by_input);
        gradients.push(gradient);
        gradients
    }
}

fn multiply_each(numbers: &mut [f32], by: &[f32]) {
    for (number, by) in numbers.iter_mut().zip(by) {
        *number *= by;
    }
}
