//! What is a position worth, by a network? Layers, forward and backward for batches, and weights on disk.
//!
//! Numbers are `f32`. A batch is worked on in shards of a fixed size, one thread each, and what shards give is added up in their
//! order: the same seed and data give the same bytes on any number of threads of one kind of processor (see [`processor`]).

mod adam;
mod dense;
mod dropout;
pub mod dual;
pub mod hasami;
mod loss;
mod mlp;
mod planar;
mod product;
mod weights;

pub use adam::{Adam, FlatAdam};
pub use dense::Dense;
pub use dropout::Dropout;
pub(crate) use dual::{MOST_BLOCKS, MOST_FILTERS};
pub use loss::{cross_entropy, squared_error};
pub use mlp::{Mlp, Pass};
pub use planar::{Planar, encoded};
pub use product::{dot, processor};
pub use weights::{NetError, Tensors};
