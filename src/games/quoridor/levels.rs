//! The opponents that the page offers.

use crate::players::{Level, level};

/// A slip costs little here: the lower ones slip often.
pub(super) const LEVELS: &[Level] = &[
    level("very-easy", "pawn", "plain:depth=1:slips=1:sees=0.25"),
    level("easy", "pawn", "plain:depth=1:slips=0.53:sees=0.25"),
    level("fairly-easy", "low", "plain:depth=1:slips=0.37:sees=0.25"),
    level("medium", "low", "swift:depth=2:slips=0.5"),
    level("fairly-hard", "middle", "swift:depth=2:slips=0.22"),
    level("hard", "high", "swift:depth=3:slips=0.12"),
    level("very-hard", "high", "strong:depth=5:slips=0.11"),
    level("strongest", "crown", "strong:depth=6"),
];
