//! How does it get better? Learners; so far the genetic algorithm of the paper and the problems it is put to.

mod curve;
pub mod ga;
mod settings;
mod tuner;

pub use curve::Curve;
pub use settings::{
    Evaluate, Fitness, GeneSet, MutationKind, PointRange, Preset, Settings, SettingsError, Watch,
};
pub use tuner::Tuner;
