//! Kyoto Shogi: 5 files by 5 ranks, ten pieces; every piece but the king turns over whenever it moves.

mod bench;
mod csa;
mod diagram;
pub mod eval;
#[cfg(feature = "pictures")]
mod lab;
mod levels;
#[cfg(feature = "pictures")]
pub mod listing;
mod mobility;
mod movegen;
mod moves;
mod net;
mod notation;
mod piece;
mod position;
mod spoken;
mod square;
mod tactics;

pub use csa::{read_csa, write_csa};
pub use diagram::Style;

/// The pieces that a player may drop.
pub type Hand = super::shogi::Hand<HandPiece>;

pub use moves::Move;
pub use notation::FenError;
pub use piece::{HandPiece, Kind};
pub use position::{Position, Rules};
pub use square::{Bitboard, Square};

use crate::game::Unsolved;
use crate::players::{FullWidth, Networked, Offer, Playable, network_players, selective_player};

impl Networked for Position {
    const CHAMPION: &'static [u8] = include_bytes!("../../../assets/networks/kyoto.safetensors");
}

impl Playable for Position {
    type Method = FullWidth;
    type Solutions = Unsolved;

    const OFFER: Offer<Self> = Offer {
        players: network_players::<Self>,
        strong: selective_player::<Self, _>,
        levels: levels::LEVELS,
        has_network: true,
        baselines: &["random", "B:depth=3"],
        tactics: Some(Position::tactics),
        bench: bench::BENCH,
        experiments: EXPERIMENTS,
        ..Offer::DEFAULT
    };
}

/// The experiments that come with the program.
const EXPERIMENTS: &[(&str, &str)] = &[
    ("table6", include_str!("../../../experiments/kyoto/table6.toml")),
    ("listing", include_str!("../../../experiments/kyoto/listing.toml")),
    ("robust", include_str!("../../../experiments/kyoto/robust.toml")),
    ("fairy", include_str!("../../../experiments/kyoto/fairy.toml")),
    ("fairy-time", include_str!("../../../experiments/kyoto/fairy-time.toml")),
    ("alphazero", include_str!("../../../experiments/kyoto/alphazero.toml")),
    ("table10", include_str!("../../../experiments/kyoto/table10.toml")),
    ("table11", include_str!("../../../experiments/kyoto/table11.toml")),
    ("labels", include_str!("../../../experiments/kyoto/labels.toml")),
    ("simulations", include_str!("../../../experiments/kyoto/simulations.toml")),
];
