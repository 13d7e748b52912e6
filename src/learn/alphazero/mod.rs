//! A network that learns by playing itself, as AlphaZero does: games, training on them, and a look at what has become of it.

mod ceiling;
mod cycle;
mod examples;
mod measure;
mod settings;
mod sitting;

pub use ceiling::Ceiling;
pub use cycle::{CycleRow, Cycles, GateGames, Phase, SelfPlay};
pub use examples::{Example, GameRecord};
pub use measure::{Measured, Share, Weaknesses, measure, measured_games};
pub use settings::{AlphaZeroPreset, AlphaZeroSettings, Learnable, RateOver, ValueLabels, overlay};
pub use sitting::{Begun, Exploring, Ply, Sat, Seat, Sitting, Thought, Valuations};
