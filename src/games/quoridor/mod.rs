//! Quoridor: 9 files by 9 ranks, two pawns, ten walls each. Who first reaches the other side of the board wins.

mod diagram;
mod movegen;
mod moves;
mod notation;
mod position;
mod wall;
mod ways;

pub use super::nine::{Bitboard, Square};
pub use diagram::Style;
pub use moves::Move;
pub use notation::TextError;
pub use position::{Position, WALLS_EACH};
pub use wall::{Lie, Wall, Walls};
pub use ways::{Passages, Way};
