//! What is a position worth, by a network? Layers, forward and backward for batches, and weights on disk.
//!
//! Numbers are `f32`. A batch is worked on in shards of a fixed size, one thread each, and what shards give is added up in their
//! order: the same seed and data give the same bytes on any number of threads of one kind of processor (see [`processor`]).

mod adam;
pub(crate) mod dense;
mod dropout;
pub mod dual;
mod file;
pub mod format1;
mod loss;
mod mlp;
mod parameters;
mod planar;
mod product;

pub use adam::Adam;
pub use dense::Dense;
pub use dropout::Dropout;
pub(crate) use dual::{MAX_BLOCKS, MAX_CHANNELS};
pub use file::{Header, NetError, Tensors, load_if_there};
pub use loss::{cross_entropy, squared_error};
pub use mlp::{Mlp, Pass};
pub use parameters::{Layout, Order};
pub use planar::{Planar, direction, encoded};
pub use product::{dot, processor};
