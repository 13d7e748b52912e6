//! `dobutsu-ga bench`: a fixed set of searches. The node counts tell whether anything behaves differently; the speeds tell
//! how fast it is.

use std::io::Write;
use std::time::Instant;

use super::{CliError, GameArg, grouped};
use crate::eval::{Genome, Weighted};
use crate::lab::GameName;
use crate::search::{Limit, Strong, Terminal, alphabeta, minimax};

/// Run a fixed set of searches: a node count that is a checksum of behaviour, and speeds
#[derive(clap::Args)]
pub(super) struct Args {
    /// Only the node counts, which are the same on every machine
    #[arg(long)]
    counts: bool,
    #[command(flatten)]
    game: GameArg,
}

/// What is searched for each game.
struct Bench {
    positions: &'static [&'static str],
    /// What, with which genome, how deep, and how often for a speed.
    works: &'static [(Search, &'static str, u32, u32)],
}

#[derive(Clone, Copy)]
enum Search {
    Minimax,
    AlphaBeta,
    Strong,
}

impl Search {
    const fn name(self) -> &'static str {
        match self {
            Search::Minimax => "minimax",
            Search::AlphaBeta => "alpha-beta",
            Search::Strong => "strong",
        }
    }

    /// How many nodes it visits.
    fn nodes<G: Weighted>(self, position: &G, evaluator: &G::Evaluator, depth: u32) -> u64 {
        match self {
            Search::Minimax => minimax(position, depth, evaluator, Terminal::Paper).leaves,
            Search::AlphaBeta => alphabeta(position, depth, evaluator, Terminal::Paper).leaves,
            Search::Strong => {
                let mut search = Strong::new(evaluator.clone());
                search.search(position, Limit::Depth(depth)).map_or(0, |report| report.nodes)
            }
        }
    }
}

const fn bench(game: GameName) -> Bench {
    match game {
        GameName::Dobutsu => Bench {
            positions: &DOBUTSU,
            works: &[
                (Search::Minimax, "material", 2, 20_000),
                (Search::Minimax, "full", 2, 4_000),
                (Search::Minimax, "material", 4, 100),
                (Search::AlphaBeta, "material", 2, 20_000),
                (Search::AlphaBeta, "material", 5, 100),
                (Search::Strong, "mobility", 7, 2),
            ],
        },
        GameName::Kyoto => Bench {
            positions: &KYOTO,
            works: &[
                (Search::Minimax, "S", 2, 200),
                (Search::AlphaBeta, "S", 3, 1_000),
                (Search::AlphaBeta, "B", 3, 1_000),
                (Search::AlphaBeta, "B", 4, 50),
                (Search::Strong, "B", 4, 10),
            ],
        },
        GameName::Quoridor => Bench {
            positions: &QUORIDOR,
            works: &[
                (Search::Minimax, "plain", 2, 1),
                (Search::AlphaBeta, "report", 2, 10),
                (Search::Strong, "swift", 2, 10),
            ],
        },
        GameName::Hasami => Bench {
            positions: &HASAMI,
            works: &[
                (Search::Minimax, "report", 2, 10),
                (Search::AlphaBeta, "report", 2, 100),
                (Search::AlphaBeta, "report", 3, 5),
                (Search::Strong, "balance", 3, 5),
            ],
        },
    }
}

const HASAMI: [&str; 4] = [
    "ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP w -",
    "p1pp1p1pp/9/1p2P4/4p4/2P6/9/6p2/3P5/PP1P1P1PP b -",
    "3p4p/1P2p4/p3P4/3p1P3/4P4/1p1P1p3/9/2P5p/P4P3 w -",
    "9/2pPP4/2p2p3/3P5/5p3/6P2/p1P6/9/P6p1 b -",
];

const QUORIDOR: [&str; 4] = [
    "e1 e9 10 10 h:- v:- w",
    "e4 e6 8 9 h:e3,c3 v:e6 b",
    "e6 d5 6 5 h:c3,e3,f4,d7,b7 v:h5,d4,c6,e1 w",
    "c6 g4 1 1 h:a1,c1,e1,g2,b4,d4,f5,b7,e7 v:h1,a2,d2,e3,f3,h5,c6,d7,g7 w",
];

const KYOTO: [&str; 5] = [
    "p+nks+l/5/5/5/+LSK+NP[-] w 0 1",
    "p+nk1+l/3+s1/5/1+S3/+L1K+NP[-] w 0 1",
    "2k2/1+n1s1/5/1S1+N1/2K2[PPLL] b 0 1",
    "1+p1k1/5/2+l2/5/1K3[PSSNNl] w 0 1",
    "k4/1s3/2+L2/3N1/4K[PSNpl] b 0 1",
];

const DOBUTSU: [&str; 8] = [
    "gle/1c1/1C1/ELG[-] w 0 1",
    "g1e/1l1/3/ELG[Cc] w 0 1",
    "gl1/1e1/3/ELG[Cc] b 0 1",
    "1l1/3/3/1L1[CGEcge] w 0 1",
    "1l1/1+C1/1+c1/1L1[GEge] b 0 1",
    "g1e/1l1/1L1/E1G[Cc] w 0 1",
    "C1l/g1e/E1G/L1c[-] w 0 1",
    "1le/g2/1C1/L1G[Ec] b 0 1",
];

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    with_game!(args.game.game, G => run_for::<G>(&bench(args.game.game), args.counts, out))
}

fn run_for<G: Weighted>(bench: &Bench, counts: bool, out: &mut dyn Write) -> Result<(), CliError> {
    let parse = |fen: &&str| G::parse(fen, G::Rules::default()).expect("a legal position");
    let positions: Vec<G> = bench.positions.iter().map(parse).collect();
    let mut total = 0;
    let speeds = if counts { "" } else { "nodes/s, one thread" };
    writeln!(out, "{:<32} {:>14} {speeds:>20}", "search", "nodes")?;
    for (search, genome, depth, rounds) in bench.works.iter().copied() {
        let evaluator = G::evaluator(&Genome::named(genome).expect("a genome that comes with the program"));
        let count =
            |_| positions.iter().map(|position| search.nodes(position, &evaluator, depth)).sum::<u64>();
        let nodes = count(0);
        total += nodes;
        let speed = if counts {
            String::new()
        } else {
            let begin = Instant::now();
            let visited: u64 = (0..rounds).map(count).sum();
            grouped((visited as f64 / begin.elapsed().as_secs_f64()) as u64)
        };
        let name = format!("{}, {genome}, depth {depth}", search.name());
        writeln!(out, "{name:<32} {:>14} {speed:>20}", grouped(nodes))?;
    }
    writeln!(out, "{:<32} {:>14}", "checksum (all nodes)", grouped(total))?;
    Ok(())
}
