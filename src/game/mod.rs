//! What every game tells the rest of the library, and what can be done with any game. Nothing here knows a particular one.

#[macro_use]
mod square_set;

mod evaluate;
mod foreign;
mod genome;
pub mod perft;
pub mod record;
mod referee;
mod side;
mod solution;
mod solved;
mod tactics;
mod tag;
mod traits;
mod variant;
mod view;
mod weakness;
mod weights;

pub use evaluate::{Evaluator, POINT};
pub use foreign::{Coordinates, CourseText, Spoken};
pub(crate) use genome::has_three_decimals;
pub use genome::{Genome, GenomeError};
pub use record::{Ending, GameRecord, GameRecords, RecordFormat, Verdict};
pub use referee::{Limits, Referee, RefereeError};
pub use side::{BySide, Side};
pub use solution::{Solution, SolutionError, Solutions, Unsolved};
pub use solved::Solved;
pub use tactics::{Blunder, Tactics};
pub use tag::{GameTag, OtherGame, UNSAID_GAME};
pub use traits::{Game, MoveError, Outcome, Symmetric, Symmetry, TextError, legal_moves};
pub use variant::{UnknownVariant, Usual, Variant, chosen, is_only, or_list};
pub use view::{BoardView, HeldView, MoveView, PieceView, Shown, WallView};
pub use weakness::Weakness;
pub use weights::{GeneInfo, KnownGenome, ReadingSet, Scale, Weighted, Weights};
