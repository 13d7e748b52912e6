//! Dobutsu Shogi (animal shogi): 3 files by 4 ranks, eight pieces, catch the lion or bring yours home.

mod array;
mod bench;
mod diagram;
pub mod eval;
#[cfg(feature = "pictures")]
pub mod experiments;
pub mod fit;
#[cfg(feature = "pictures")]
mod lab;
mod levels;
mod movegen;
mod moves;
mod net;
mod notation;
mod piece;
mod position;
pub mod solve;
mod spoken;
mod square;

pub use array::Array;
pub use diagram::Style;

/// The pieces that a player may drop.
pub type Hand = super::shogi::Hand<HandPiece>;

pub use moves::Move;
pub use notation::FenError;
pub use piece::{HandPiece, Kind};
pub use position::{Position, Rules};
pub use square::{Bitboard, Square};

use crate::game::Side;
use crate::players::{FullWidth, Networked, Offer, Playable, network_players, selective_player};

impl Networked for Position {
    const CHAMPION: &'static [u8] = include_bytes!("../../../assets/networks/dobutsu.safetensors");
}

impl Playable for Position {
    type Method = FullWidth;
    type Solutions = solve::Tables;

    const OFFER: Offer<Self> = Offer {
        players: network_players::<Self>,
        strong: selective_player::<Self, _>,
        levels: levels::LEVELS,
        ladder_rules: Some(Rules::Official),
        has_network: true,
        baselines: &["random", "strong:depth=6"],
        bench: bench::BENCH,
        experiments: EXPERIMENTS,
        published: &[(None, "table5"), (Some(Side::First), "table7"), (Some(Side::Second), "table8")],
        ..Offer::DEFAULT
    };
}

/// The experiments that come with the program.
const EXPERIMENTS: &[(&str, &str)] = &[
    ("table1", include_str!("../../../experiments/table1.toml")),
    ("table2", include_str!("../../../experiments/table2.toml")),
    ("table3", include_str!("../../../experiments/table3.toml")),
    ("table5", include_str!("../../../experiments/table5.toml")),
    ("table7", include_str!("../../../experiments/table7.toml")),
    ("table8", include_str!("../../../experiments/table8.toml")),
    ("table5-exact", include_str!("../../../experiments/table5-exact.toml")),
    ("table7-exact", include_str!("../../../experiments/table7-exact.toml")),
    ("table8-exact", include_str!("../../../experiments/table8-exact.toml")),
    ("table5-3ply", include_str!("../../../experiments/table5-3ply.toml")),
    ("table5-3ply-figure12", include_str!("../../../experiments/table5-3ply-figure12.toml")),
    ("table7-3ply", include_str!("../../../experiments/table7-3ply.toml")),
    ("table7-3ply-figure12", include_str!("../../../experiments/table7-3ply-figure12.toml")),
    ("table8-3ply", include_str!("../../../experiments/table8-3ply.toml")),
    ("table8-3ply-figure12", include_str!("../../../experiments/table8-3ply-figure12.toml")),
    ("path", include_str!("../../../experiments/path.toml")),
    ("figure2", include_str!("../../../experiments/figure2.toml")),
    ("figure3", include_str!("../../../experiments/figure3.toml")),
    ("figure15", include_str!("../../../experiments/figure15.toml")),
    ("robust", include_str!("../../../experiments/robust.toml")),
    ("robust-full", include_str!("../../../experiments/robust-full.toml")),
    ("oracle", include_str!("../../../experiments/oracle.toml")),
    ("forensic", include_str!("../../../experiments/forensic.toml")),
    ("fairy", include_str!("../../../experiments/fairy.toml")),
    ("fairy-start", include_str!("../../../experiments/fairy-start.toml")),
    ("fairy-time", include_str!("../../../experiments/fairy-time.toml")),
    ("alphazero", include_str!("../../../experiments/alphazero.toml")),
    ("islands", include_str!("../../../experiments/islands.toml")),
];
