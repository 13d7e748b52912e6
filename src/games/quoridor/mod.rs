//! Quoridor: 9 files by 9 ranks, two pawns, ten walls each. Who first reaches the other side of the board wins.

mod bench;
mod candidates;
pub mod course;
mod diagram;
pub mod eval;
#[cfg(feature = "pictures")]
mod lab;
mod levels;
mod movegen;
mod moves;
mod notation;
pub mod pa;
mod players;
mod position;
mod wall;
mod ways;

pub use super::board9::{Bitboard, Square};
pub use candidates::{Proposals, WallChoice};
pub use diagram::Style;
pub use moves::Move;
pub use notation::TextError;
pub use players::ReportMethod;
pub use position::{Position, WALLS_EACH};
pub use wall::{Lie, Wall, Walls};
pub use ways::{Passages, Way};

use crate::game::{CourseText, Spoken, Unsolved};
use crate::players::{Offer, Playable};

impl Spoken for Position {
    const COURSE: Option<CourseText<Position>> = Some(course::TEXT);
}

impl Playable for Position {
    type Method = ReportMethod;
    type Solutions = Unsolved;

    const OFFER: Offer<Self> = Offer {
        strong: players::strong,
        levels: levels::LEVELS,
        bench: bench::BENCH,
        experiments: EXPERIMENTS,
        ..Offer::DEFAULT
    };
}

/// The experiments that come with the program.
const EXPERIMENTS: &[(&str, &str)] = &[
    ("pa", include_str!("../../../experiments/quoridor/pa.toml")),
    ("pa-ones", include_str!("../../../experiments/quoridor/pa-ones.toml")),
    ("pa-literal", include_str!("../../../experiments/quoridor/pa-literal.toml")),
    ("learners", include_str!("../../../experiments/quoridor/learners.toml")),
    ("weights", include_str!("../../../experiments/quoridor/weights.toml")),
    ("walls", include_str!("../../../experiments/quoridor/walls.toml")),
    ("walls-time", include_str!("../../../experiments/quoridor/walls-time.toml")),
    ("beam", include_str!("../../../experiments/quoridor/beam.toml")),
    ("beam-time", include_str!("../../../experiments/quoridor/beam-time.toml")),
];
