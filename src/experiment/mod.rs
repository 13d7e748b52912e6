//! Which question of the paper is answered? Experiments are data: a TOML file with the question, the parameters, the
//! paper's numbers and the analysis; running one gives rows, and nothing here draws or prints.

mod alphazero;
mod alphazero_arms;
mod arms;
mod checkpoint;
mod curve;
mod definition;
mod duels;
mod grade;
mod grid;
mod islands;
mod mistakes;
mod store;
mod sweep;
mod tuning;

pub use alphazero::{AlphaZeroResult, AlphaZeroWork, JudgeError, JudgedWork, TAUGHT};
pub use alphazero_arms::{AlphaZeroArm, AlphaZeroArmResult, AlphaZeroArmsWork};
pub use arms::{Arm, ArmResult, ArmsWork};
pub use checkpoint::{Checkpoint, CheckpointError, Extent};
pub use curve::{CurveBest, CurveResult, curve_bests, run_curve};
pub use definition::{
    CurveWork, DefinitionError, Grid, Measure, PaperRun, PaperStrength, Prose, SeedRange, TunerWork,
    built_in, built_in_names, built_in_prose, built_in_settings, read_experiment,
};
#[cfg(feature = "pictures")]
pub(crate) use definition::{complete_settings, must};
pub use duels::{DuelPair, DuelResult, DuelsError, DuelsWork, PaperWins, PublishedDuel, run_duel, run_duels};
pub use grade::{Grade, Grader, Sample, Share, Source, game_positions};
pub use grid::{Cell, Fit, GridResult, Reading, play_grid, run_grid};
pub use islands::Apart;
pub use mistakes::{FirstMistakes, first_mistakes};
pub use store::{Store, kept};
pub use sweep::{CHICK_EVERY, FiveNumbers, Rivals, SeedResult, share_below};
pub use tuning::{AfterGames, GenerationRow, Measured, Meeting, Tuning};
