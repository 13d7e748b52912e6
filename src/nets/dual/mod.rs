//! A network with two heads: which move, and who will win. A convolution, residual blocks, and from there a policy and a value.
//!
//! [`DualNetwork`] are the numbers that are learned; [`Training`] changes them; [`InferenceNetwork`] is what plays: the same function
//! with the norms folded into the convolutions.

mod board;
mod inference;
mod network;
mod training;

pub use board::Board;
pub use inference::{Evaluations, InferenceNetwork, Inputs};
pub use network::{DualNetwork, Heads, Shape};
pub(crate) use network::{MAX_BLOCKS, MAX_CHANNELS};
pub use training::{Losses, Over, Shard, StepHow, Training};

/// A network of this game in an earlier version's format, in today's.
pub fn convert_dual<G: super::Planar>(bytes: &[u8]) -> Result<Vec<u8>, String> {
    DualNetwork::converted(bytes, G::shape(1, 0, Heads::default()))
}
