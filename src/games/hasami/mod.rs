//! Hasami Shogi: 9 files by 9 ranks, nine pieces each that move like rooks. Pieces between two of the other side are taken.

mod bench;
mod diagram;
pub mod dqn;
pub mod eval;
#[cfg(feature = "pictures")]
mod lab;
mod levels;
mod line;
mod movegen;
mod moves;
pub mod net;
mod notation;
mod players;
mod position;
mod threat;
mod weakness;

pub use super::board9::{Bitboard, Square};
pub use diagram::Style;
pub use movegen::targets;
pub use moves::Move;
pub use notation::FenError;
pub use players::network_player;
pub use position::{PIECES_EACH, Position, Rules};
pub use weakness::WEAKNESSES;

use crate::game::{Spoken, Unsolved};
use crate::players::{FullWidth, Offer, Playable};

impl Spoken for Position {}

impl Playable for Position {
    type Method = FullWidth;
    type Solutions = Unsolved;

    const OFFER: Offer<Self> = Offer {
        players: players::players,
        levels: levels::LEVELS,
        weaknesses: weakness::WEAKNESSES,
        bench: bench::BENCH,
        experiments: EXPERIMENTS,
        ..Offer::DEFAULT
    };
}

/// The experiments that come with the program.
const EXPERIMENTS: &[(&str, &str)] = &[
    ("table13", include_str!("../../../experiments/hasami/table13.toml")),
    ("table14", include_str!("../../../experiments/hasami/table14.toml")),
    ("table14-start", include_str!("../../../experiments/hasami/table14-start.toml")),
    ("learning", include_str!("../../../experiments/hasami/learning.toml")),
    ("weaknesses", include_str!("../../../experiments/hasami/weaknesses.toml")),
    ("wish", include_str!("../../../experiments/hasami/wish.toml")),
];
