//! A network that learns by playing itself, as AlphaZero does: games, training on them, and a look at what has become of it.

mod baseline;
mod cycle;
mod examples;
mod measure;
mod self_play;
mod settings;

pub use baseline::SupervisedBaseline;
pub use cycle::{CycleRow, Cycles, GateGames, Phase, SelfPlay};
pub use examples::{Example, GameRecord};
pub use measure::{Measured, Share, Weaknesses, measure, measured_games};
pub use self_play::{Evaluated, Exploration, Opening, PlayedGame, Player, Ply, Root, Worker};
pub use settings::{AlphaZeroPreset, AlphaZeroSettings, Learnable, RateOver, ValueLabels};
