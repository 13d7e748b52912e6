//! The fixed set of searches of `dobutsu-ga bench`.

use crate::players::{Bench, BenchSearch};

pub(super) const BENCH: Bench = Bench {
    positions: &[
        "e1 e9 10 10 h:- v:- w",
        "e4 e6 8 9 h:e3,c3 v:e6 b",
        "e6 d5 6 5 h:c3,e3,f4,d7,b7 v:h5,d4,c6,e1 w",
        "c6 g4 1 1 h:a1,c1,e1,g2,b4,d4,f5,b7,e7 v:h1,a2,d2,e3,f3,h5,c6,d7,g7 w",
    ],
    searches: &[
        (BenchSearch::Minimax, "plain", 2, 1),
        (BenchSearch::AlphaBeta, "report", 2, 10),
        (BenchSearch::Strong, "swift", 2, 10),
    ],
};
