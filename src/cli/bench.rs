//! `dobutsu-ga bench`: a fixed set of searches. The node counts tell whether anything behaves differently; the speeds tell
//! how fast it is.

use std::io::Write;
use std::time::Instant;

use super::{CliError, GameArg, grouped};
use crate::game::Genome;
use crate::players::Playable;

/// Run a fixed set of searches: a node count that is a checksum of behaviour, and speeds
#[derive(clap::Args)]
pub(super) struct Args {
    /// Only the node counts, which are the same on every machine
    #[arg(long)]
    counts: bool,
    #[command(flatten)]
    game: GameArg,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    with_game!(args.game.game, G => run_for::<G>(args.counts, out))
}

fn run_for<G: Playable>(counts: bool, out: &mut dyn Write) -> Result<(), CliError> {
    let parse = |fen: &&str| G::parse(fen, G::Rules::default()).expect("a legal position");
    let bench = G::OFFER.bench;
    let positions: Vec<G> = bench.positions.iter().map(parse).collect();
    let mut total = 0;
    let speeds = if counts { "" } else { "nodes/s, one thread" };
    writeln!(out, "{:<32} {:>14} {speeds:>20}", "search", "nodes")?;
    for (search, genome, depth, rounds) in bench.searches.iter().copied() {
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
