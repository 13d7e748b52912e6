//! How does it get better? Learners; so far the genetic algorithm of the paper and the problems it is put to.

mod curve;
mod fit;
pub mod ga;
mod oracle;
mod settings;
mod tuner;

pub use curve::Curve;
pub use fit::{FITTED, Fitted, Known, Leaf, Weight, fit, fit_games};
pub use settings::{
    Evaluate, Fitness, GeneSet, MutationKind, PointRange, Preset, Settings, SettingsError, Watch,
};
pub use tuner::Tuner;
