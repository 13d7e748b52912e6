//! A network with two heads: which move, and who will win. A convolution, residual blocks, and from there a policy and a value.
//!
//! [`DualNetwork`] are the numbers that are learned; [`Training`] changes them; [`Valuer`] is what plays: the same function with the
//! norms folded into the convolutions.

mod board;
mod network;
mod training;
mod valuer;

pub use board::Board;
pub use network::{DualNetwork, Heads, Shape};
pub(crate) use network::{MOST_BLOCKS, MOST_FILTERS};
pub use training::{Losses, Over, Shard, StepHow, Training};
pub use valuer::{Inputs, Valued, Valuer};
