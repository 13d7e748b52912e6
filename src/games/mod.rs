//! What are the rules? One folder a game; everything else here serves all of them.

#[macro_use]
mod square_set;

pub mod dobutsu;
mod game;
pub mod hasami;
pub mod kyoto;
mod nine;
pub mod perft;
pub mod pgn;
pub mod quoridor;
mod referee;
mod shown;
mod side;
mod spoken;
mod tactics;
mod tag;
mod told;
mod variant;
mod weakness;

pub use game::{Game, MoveError, Outcome, Symmetry, legal_moves};
pub use referee::{Ending, Limits, Referee, RefereeError, Verdict};
pub use shown::{BoardView, HeldView, MoveView, PieceView, Shown, WallView};
pub use side::{BySide, Side};
pub use spoken::Spoken;
pub use tactics::{Blunder, Tactics};
pub use tag::{GameTag, OtherGame, UNSAID_GAME};
pub use told::{Told, ToldGames, only_told};
pub use variant::{UnknownVariant, Usual, Variant, is_only, or_list};
pub use weakness::Weakness;
