//! Dobutsu Shogi (animal shogi): 3 files by 4 ranks, eight pieces, catch the lion or bring yours home.

mod array;
mod diagram;
mod hand;
mod movegen;
mod moves;
mod notation;
mod piece;
mod position;
mod spoken;
mod square;

pub use array::Array;
pub use diagram::Style;
pub use hand::Hand;
pub use moves::Move;
pub use notation::FenError;
pub use piece::{HandPiece, Kind};
pub use position::{Position, Rules};
pub use square::{Bitboard, Square};
