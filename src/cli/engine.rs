//! `dobutsu-ga engine`: a player of ours as a program that another one talks to.

use std::io::{self, BufReader, Write};

use super::setting::players_help;
use super::{CliError, GameArg, input, seed};
use crate::game::Coordinates;
use crate::games::serve_course;
use crate::protocol::{Protocol, UciSetup, serve};

/// Let a player answer another program on standard input and output
///
/// Graphical front ends and tournament programs speak UCI or USI: give them this command as an engine. The client can choose the
/// game (UCI_Variant), the player and its options itself. Nothing that is sent ends the engine but `quit` and the end of the input.
#[derive(clap::Args)]
#[command(after_help = engine_help())]
pub(super) struct Args {
    /// The player [default: strong]
    player: Option<String>,
    /// How client and player talk: uci (UCI or USI, whichever the client begins with), or course (lists of whole numbers; quoridor)
    #[arg(long, value_name = "PROTOCOL", default_value_t)]
    protocol: Protocol,
    /// Which number of a square comes first in the course's protocol: file-rank (5 1 is e1) or rank-file (1 5 is e1)
    /// [default: file-rank]
    #[arg(long, value_name = "ORDER")]
    coordinates: Option<Coordinates>,
    #[command(flatten)]
    game: GameArg,
    /// By which rules (see `dobutsu-ga games`) [default: as other programs play: dobutsu official, kyoto legal, elsewhere the game's first]
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
    /// Where the player's chance comes from: the same seed and the same lines give the same moves
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = seed)]
    seed: u64,
}

fn engine_help() -> String {
    let examples = "Without --rules the game is played as other programs play it: dobutsu official, kyoto legal.\n\n\
                    Examples:\n  dobutsu-ga engine\n  dobutsu-ga engine --game kyoto strong:time=1s\n  \
                    printf 'position startpos moves b2b3\\ngo depth 6\\n' | dobutsu-ga engine\n  \
                    dobutsu-ga engine --protocol course --game quoridor strong:time=4.9s\n";
    format!("{examples}\n{}", players_help())
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    if args.protocol == Protocol::Uci && args.coordinates.is_some() {
        return Err(input("--coordinates is for --protocol course: UCI and USI name squares by letters"));
    }
    match args.protocol {
        Protocol::Uci => talk(args, out),
        Protocol::Course => {
            let order = args.coordinates.unwrap_or_default();
            serve_course(args.game.game, &player(args), args.rules.as_deref(), args.seed, order, out)
        }
    }
}

fn player(args: &Args) -> String {
    args.player.clone().unwrap_or_else(|| "strong".to_string())
}

fn talk(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let rules = args.rules.clone();
    let setup = UciSetup { game: args.game.game, player: player(args), rules, seed: args.seed };
    setup.check().map_err(input)?;
    Ok(serve(&setup, BufReader::new(io::stdin()), out)?)
}
