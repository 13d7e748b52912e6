//! `dobutsu-ga perft`: counts the move sequences of a given length.

use std::io::Write;
use std::time::Instant;

use super::{CliError, GameArg, RulesArg, grouped, on_threads, session, thread_count};
use crate::session::text_game;

/// At several hundred million sequences a second, depth 15 takes most of a day; beyond that nothing finishes.
const DEEPEST: u32 = 15;

/// Count the sequences of exactly N legal moves (a check of the rules, and of speed)
///
/// A game that ends sooner adds none. The last ply is counted without being played.
#[derive(clap::Args)]
pub(super) struct Args {
    /// How many moves each sequence has (1 to 15)
    #[arg(long, value_name = "N", value_parser = depth)]
    depth: u32,
    /// Start from this position instead of the first one
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    rules: RulesArg,
    /// Show the count for each first move
    #[arg(long)]
    divide: bool,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

fn depth(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(depth @ 1..=DEEPEST) => Ok(depth),
        _ => Err(format!("the depth must be from 1 to {DEEPEST}")),
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let game = text_game(args.game.game, None);
    let rules = args.rules.of(&*game)?;
    let session = session(&*game, args.fen.as_deref(), rules)?;
    let begin = Instant::now();
    let leaves = if args.divide {
        let counts = on_threads(args.threads, || session.divide(args.depth))?;
        for (m, leaves) in &counts {
            writeln!(out, "{:<6} {:>20}", m, grouped(*leaves))?;
        }
        counts.iter().map(|(_, leaves)| leaves).sum()
    } else {
        on_threads(args.threads, || session.perft(args.depth))?
    };
    let seconds = begin.elapsed().as_secs_f64();
    writeln!(out, "position {}", session.fen())?;
    writeln!(out, "rules    {rules}")?;
    writeln!(out, "depth    {}", args.depth)?;
    writeln!(out, "leaves   {leaves}")?;
    writeln!(out, "time     {seconds:.3} s")?;
    writeln!(out, "speed    {} leaves/s", grouped((leaves as f64 / seconds.max(1e-9)) as u64))?;
    Ok(())
}
