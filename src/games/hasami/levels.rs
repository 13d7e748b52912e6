//! The opponents that the page offers.

use crate::players::{Level, level};

/// There are many moves to overlook: the lower two differ by how many they see.
pub(super) const LEVELS: &[Level] = &[
    level("very-easy", "piece", "pieces:depth=1:slips=1:sees=0.2"),
    level("easy", "piece", "pieces:depth=1:slips=1:sees=0.43"),
    level("fairly-easy", "one", "balance:depth=2:ties=random:slips=0.7"),
    level("medium", "one", "balance:depth=2:ties=random:slips=0.47"),
    level("fairly-hard", "two", "balance:depth=3:ties=random:slips=0.47"),
    level("hard", "two", "balance:depth=3:ties=random:slips=0.28"),
    level("very-hard", "three", "strong:depth=3:slips=0.16"),
    level("expert", "three", "strong:depth=4:slips=0.157"),
    level("master", "three", "strong:depth=4:slips=0.079"),
    level("strongest", "crown", "strong:depth=4"),
];
