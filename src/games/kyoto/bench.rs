//! The fixed set of searches of `dobutsu-ga bench`.

use crate::players::{Bench, BenchSearch};

pub(super) const BENCH: Bench = Bench {
    positions: &[
        "p+nks+l/5/5/5/+LSK+NP[-] w 0 1",
        "p+nk1+l/3+s1/5/1+S3/+L1K+NP[-] w 0 1",
        "2k2/1+n1s1/5/1S1+N1/2K2[PPLL] b 0 1",
        "1+p1k1/5/2+l2/5/1K3[PSSNNl] w 0 1",
        "k4/1s3/2+L2/3N1/4K[PSNpl] b 0 1",
    ],
    searches: &[
        (BenchSearch::Minimax, "S", 2, 200),
        (BenchSearch::AlphaBeta, "S", 3, 1_000),
        (BenchSearch::AlphaBeta, "B", 3, 1_000),
        (BenchSearch::AlphaBeta, "B", 4, 50),
        (BenchSearch::Strong, "B", 4, 10),
    ],
};
