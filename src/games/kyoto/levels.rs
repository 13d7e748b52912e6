//! The opponents that the page offers.

use crate::players::{Level, level};

/// From the value sets of the Kyoto Shogi report to the strong search.
pub(super) const LEVELS: &[Level] = &[
    level("very-easy", "pawn", "A:depth=1:slips=1:sees=0.25"),
    level("easy", "lance", "S:depth=2:terminal=exact:slips=0.44:sees=0.25"),
    level("fairly-easy", "knight", "S:depth=3:terminal=exact:slips=0.32:sees=0.25"),
    level("medium", "silver", "B:depth=3:terminal=exact:slips=0.08:sees=0.25"),
    level("fairly-hard", "gold", "strong:depth=3:slips=0.1"),
    level("hard", "bishop", "strong:depth=4:slips=0.07"),
    level("very-hard", "rook", "strong:depth=5:slips=0.034"),
    level("strongest", "king", "strong:depth=6"),
];
