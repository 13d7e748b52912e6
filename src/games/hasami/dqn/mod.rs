//! Deep Q-learning, as the Hasami report has it and as it should be: a network learns by playing what each move is worth.
//!
//! ```text
//! for each episode, a game against an opponent
//!     for each ply of the learner
//!         play the move of the highest value, or a random move (ε-greedy)
//!         push to the replay buffer: the board, the move, its reward, the board when it is the learner's turn again
//!         draw a batch of it; for each
//!             the value of the move should be its reward and, a little discounted, the highest value afterwards,
//!             as the target network, an older copy, tells it
//!         shift the weights towards that
//!         now and then update the target network
//! ```
//!
//! The listing of the report (`--preset paper`) remembers the opponent's plies too, takes the board right after a ply for the next
//! one, and the highest value of all outputs, legal or not. Each difference is a setting.

#[cfg(feature = "cli")]
pub(crate) mod command;
mod episode;
#[cfg(feature = "pictures")]
mod experiment;
mod learner;
mod replay;
#[cfg(feature = "pictures")]
pub(crate) mod report;
mod reward;
#[cfg(feature = "pictures")]
mod run;
mod settings;

pub use episode::{Block, Episode, EpisodeRow, blocks};
#[cfg(feature = "pictures")]
pub use experiment::{DqnResult, DqnRun, DqnWork, meeting};
pub use learner::{Dqn, DqnError, SHARD};
pub use replay::{Experience, Replay};
#[cfg(feature = "pictures")]
pub use report::{learning_csv, learning_picture, read_learning};
pub use reward::{EndReward, Reward};
#[cfg(feature = "pictures")]
pub(crate) use run::COMMAND;
#[cfg(feature = "pictures")]
pub use run::DqnTraining;
pub use settings::{DqnPreset, DqnSettings, DropoutAt, Maximum, Plies, Sides, View};
