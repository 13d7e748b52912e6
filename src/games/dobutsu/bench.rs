//! The fixed set of searches of `dobutsu-ga bench`.

use crate::players::{Bench, BenchSearch};

pub(super) const BENCH: Bench = Bench {
    positions: &[
        "gle/1c1/1C1/ELG[-] w 0 1",
        "g1e/1l1/3/ELG[Cc] w 0 1",
        "gl1/1e1/3/ELG[Cc] b 0 1",
        "1l1/3/3/1L1[CGEcge] w 0 1",
        "1l1/1+C1/1+c1/1L1[GEge] b 0 1",
        "g1e/1l1/1L1/E1G[Cc] w 0 1",
        "C1l/g1e/E1G/L1c[-] w 0 1",
        "1le/g2/1C1/L1G[Ec] b 0 1",
    ],
    searches: &[
        (BenchSearch::Minimax, "material", 2, 20_000),
        (BenchSearch::Minimax, "full", 2, 4_000),
        (BenchSearch::Minimax, "material", 4, 100),
        (BenchSearch::AlphaBeta, "material", 2, 20_000),
        (BenchSearch::AlphaBeta, "material", 5, 100),
        (BenchSearch::Strong, "mobility", 7, 2),
    ],
};
