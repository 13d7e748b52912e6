//! How does it get better? Learners; the genetic algorithm of the paper and the problems it is put to, and passive-aggressive learning.

pub mod alphazero;
mod choices;
mod curve;
mod declared;
pub mod ga;
mod oracle;
mod own_players;
mod settings;
mod tuner;

pub use choices::{Evaluate, Fitness, GeneSet, MutationKind, PointRange, Preset, Watch};
pub use curve::Curve;
pub use declared::{
    Declared, Setting, differences, overlay, preset_table, set_at, table_of, value_at, without_end,
};
pub use own_players::OwnPlayers;
pub use settings::Settings;
pub use tuner::Tuner;
