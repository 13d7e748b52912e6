//! The opponents that the page offers.

use crate::players::{Level, level};

/// The upper two know the solution of the game, without which those below still play.
pub(super) const LEVELS: &[Level] = &[
    level("very-easy", "chick", "material:depth=1:slips=1:sees=0.25"),
    level("easy", "hen", "material:depth=2:terminal=exact:slips=0.38:sees=0.25"),
    level("fairly-easy", "giraffe", "material:depth=3:terminal=exact:slips=0.18:sees=0.25"),
    level("medium", "giraffe", "material:depth=4:terminal=exact:slips=0.095:sees=0.25"),
    level("hard", "elephant", "strong:depth=5:slips=0.105"),
    level("very-hard", "elephant", "strong:depth=8"),
    level("master", "lion", "perfect:slips=0.027"),
    level("perfect", "lion", "perfect"),
];
