//! The fixed set of searches of `dobutsu-ga bench`.

use crate::players::{Bench, BenchSearch};

pub(super) const BENCH: Bench = Bench {
    positions: &[
        "ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP w -",
        "p1pp1p1pp/9/1p2P4/4p4/2P6/9/6p2/3P5/PP1P1P1PP b -",
        "3p4p/1P2p4/p3P4/3p1P3/4P4/1p1P1p3/9/2P5p/P4P3 w -",
        "9/2pPP4/2p2p3/3P5/5p3/6P2/p1P6/9/P6p1 b -",
    ],
    searches: &[
        (BenchSearch::Minimax, "report", 2, 10),
        (BenchSearch::AlphaBeta, "report", 2, 100),
        (BenchSearch::AlphaBeta, "report", 3, 5),
        (BenchSearch::Strong, "balance", 3, 5),
    ],
};
