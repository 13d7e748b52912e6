//! How does it get better? Learners; the genetic algorithm of the paper and the problems it is put to, and passive-aggressive learning.

pub mod alphazero;
mod curve;
pub mod dqn;
mod fit;
pub mod ga;
mod oracle;
pub mod pa;
mod settings;
mod tuner;

pub use curve::Curve;
pub use fit::{FITTED, Fitted, Known, Leaf, Weight, fit, fit_games};
pub use settings::{
    Evaluate, Fitness, GeneSet, MutationKind, PointRange, Preset, Settings, SettingsError, Watch,
};
pub use tuner::Tuner;
