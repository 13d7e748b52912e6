//! `dobutsu-ga bench`: a fixed set of searches. The node counts tell whether anything behaves differently; the speeds tell
//! how fast it is.

use std::io::Write;
use std::time::Instant;

use super::{CliError, grouped};
use crate::eval::{DobutsuEvaluator, Genome};
use crate::games::Game;
use crate::games::dobutsu::{Position, Rules};
use crate::search::{Limit, Strong, Terminal, alphabeta, minimax};

/// Run a fixed set of searches: a node count that is a checksum of behaviour, and speeds
#[derive(clap::Args)]
pub(super) struct Args {
    /// Only the node counts, which are the same on every machine
    #[arg(long)]
    counts: bool,
}

const POSITIONS: [&str; 8] = [
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
    let positions: Vec<Position> =
        POSITIONS.iter().map(|fen| Position::parse(fen, Rules::Paper).expect("a legal position")).collect();
    let material = DobutsuEvaluator::new(Genome::BASE);
    let full = DobutsuEvaluator::new(Genome::FULL);
    let paper = Terminal::Paper;
    type Work<'a> = Box<dyn Fn(&Position) -> u64 + 'a>;
    let works: [(&str, u32, Work); 6] = [
        ("minimax, material, depth 2", 20_000, Box::new(|p| minimax(p, 2, &material, paper).leaves)),
        ("minimax, full, depth 2", 4_000, Box::new(|p| minimax(p, 2, &full, paper).leaves)),
        ("minimax, material, depth 4", 100, Box::new(|p| minimax(p, 4, &material, paper).leaves)),
        ("alpha-beta, material, depth 2", 20_000, Box::new(|p| alphabeta(p, 2, &material, paper).leaves)),
        ("alpha-beta, material, depth 5", 100, Box::new(|p| alphabeta(p, 5, &material, paper).leaves)),
        ("strong, mobility, depth 7", 2, Box::new(strong_nodes)),
    ];
    let mut total = 0;
    writeln!(
        out,
        "{:<32} {:>14} {:>20}",
        "search",
        "nodes",
        if args.counts { "" } else { "nodes/s, one thread" }
    )?;
    for (name, rounds, work) in works {
        let count = |_| positions.iter().map(&work).sum::<u64>();
        let nodes = count(0);
        total += nodes;
        let speed = if args.counts {
            String::new()
        } else {
            let begin = Instant::now();
            let visited: u64 = (0..rounds).map(count).sum();
            grouped((visited as f64 / begin.elapsed().as_secs_f64()) as u64)
        };
        writeln!(out, "{name:<32} {:>14} {speed:>20}", grouped(nodes))?;
    }
    writeln!(out, "{:<32} {:>14}", "checksum (all nodes)", grouped(total))?;
    Ok(())
}

fn strong_nodes(position: &Position) -> u64 {
    let mut search = Strong::new(DobutsuEvaluator::new(Genome::MOBILITY));
    search.search(position, Limit::Depth(7)).map_or(0, |report| report.nodes)
}
