//! Kyoto Shogi: 5 files by 5 ranks, ten pieces; every piece but the king turns over whenever it moves.

mod csa;
mod diagram;
mod hand;
mod mobility;
mod movegen;
mod moves;
mod notation;
mod piece;
mod position;
mod spoken;
mod square;
mod tactics;

pub use csa::{CsaEnd, CsaError, CsaGame, CsaGames, CsaProblem, append_csa, write_csa};
pub use diagram::Style;
pub use hand::Hand;
pub use moves::Move;
pub use notation::FenError;
pub use piece::{HandPiece, Kind};
pub use position::{Position, Rules};
pub use square::{Bitboard, Square};
