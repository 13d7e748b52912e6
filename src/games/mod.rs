//! What are the rules? One folder a game; everything else here serves all of them.

pub mod dobutsu;
mod game;
pub mod kyoto;
pub mod perft;
mod referee;
mod side;

pub use game::{Game, MoveError, Outcome, Symmetry, legal_moves};
pub use referee::{DEFAULT_PLY_CAP, Ending, Referee, RefereeError, Verdict};
pub use side::{BySide, Side};
