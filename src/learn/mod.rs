//! How does it get better? Learners; the genetic algorithm of the paper and the problems it is put to, and passive-aggressive learning.

pub mod alphazero;
mod curve;
pub mod ga;
mod oracle;
mod own_players;
mod settings;
mod tuner;

pub use curve::Curve;
pub use own_players::OwnPlayers;
pub use settings::{
    Evaluate, Fitness, GeneSet, MutationKind, PointRange, Preset, Settings, SettingsError, Watch,
};
pub use tuner::Tuner;
