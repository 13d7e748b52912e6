//! Kyoto Shogi: 5 files by 5 ranks, ten pieces; every piece but the king turns over whenever it moves.

mod diagram;
mod hand;
mod movegen;
mod moves;
mod notation;
mod piece;
mod position;
mod square;

pub use diagram::{Style, diagram};
pub use hand::Hand;
pub use moves::Move;
pub use notation::FenError;
pub use piece::{HandPiece, Kind};
pub use position::{Position, Rules, UnknownRules};
pub use square::{Bitboard, Square};
