//! `dobutsu-ga engine`: a player of ours as a program that another one talks to.

use std::io::{self, Write};

use super::{CliError, GameArg, needs_protocol, seed, tell, visible};
use crate::games::{Usual, quoridor};
use crate::players::{PlayerSpec, help};
use crate::protocol::{Engine, Protocol};

/// Let a player answer a server on standard input and output
///
/// It reads lines and answers each at once, until the server ends the game or the input ends. A line that makes no sense gets a
/// sentence on standard error and no answer. How long a move may take is the player's to know, as in strong:time=4.9s.
#[derive(clap::Args)]
#[command(after_help = engine_help())]
pub(super) struct Args {
    /// The player
    player: String,
    /// How server and player talk: course (lists of whole numbers; quoridor), see docs/quoridor-protocol.md
    #[arg(long, value_name = "PROTOCOL")]
    protocol: Protocol,
    #[command(flatten)]
    game: GameArg,
    /// Where the player's chance comes from: the same seed and the same lines give the same moves
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = seed)]
    seed: u64,
}

fn engine_help() -> String {
    let examples = "Examples:\n  dobutsu-ga engine --protocol course --game quoridor strong:time=4.9s\n  \
                    printf '1\\n5 1 5 9 10 10 0\\n-1\\n' | dobutsu-ga engine --protocol course --game quoridor plain:depth=1\n";
    format!("{examples}\n{}", help::<quoridor::Position>())
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    needs_protocol(args.protocol, args.game.game)?;
    let spec: PlayerSpec<quoridor::Position> = args.player.parse()?;
    spec.check(Usual::Usual)?;
    let mut complain = |sentence: &str| tell(format_args!("error: {}", visible(sentence)));
    Ok(Engine::new(spec, args.seed).serve(io::stdin().lock(), out, &mut complain)?)
}
