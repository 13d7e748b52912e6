//! Hasami Shogi: 9 files by 9 ranks, nine pieces each that move like rooks. Pieces between two of the other side are taken.

mod diagram;
mod line;
mod movegen;
mod moves;
mod notation;
mod position;
mod threat;
mod weakness;

pub use super::nine::{Bitboard, Square};
pub use diagram::Style;
pub use movegen::targets;
pub use moves::Move;
pub use notation::FenError;
pub use position::{PIECES_EACH, Position, Rules};
pub use weakness::WEAKNESSES;
