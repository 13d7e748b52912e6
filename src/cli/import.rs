//! `dobutsu-ga import`: records from elsewhere, checked and written in our formats.

use std::io::Write;
use std::path::PathBuf;

use super::census::Census;
use super::recorder::{Recorder, game_of_records, recorded_games};
use super::{CliError, RulesArg, input};
use crate::files::quoted;
use crate::games::GameName;
use crate::players::Playable;

/// Check recorded games move by move and write them as lines of JSON, PGN, UCI or CSA
///
/// Reads PGN and UCI (.pgn, .uci, and files that begin with a tag), CSA (.csa), and lines of JSON. Nothing is written if anything
/// is wrong with any game.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  dobutsu-ga import theirs.csa --out games.jsonl\n  \
                        dobutsu-ga import theirs.csa --rules legal --out games.jsonl\n  \
                        dobutsu-ga import games.jsonl --out games.pgn\n  \
                        dobutsu-ga import theirs.pgn --out games.jsonl")]
pub(super) struct Args {
    /// A file of records
    file: PathBuf,
    /// Where to: one line of JSON a game, or as the name ends: .pgn, .uci, .csa (kyoto)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Make sure that the games are of this name [default: what the file says]
    #[arg(long, value_name = "GAME")]
    game: Option<GameName>,
    #[command(flatten)]
    rules: RulesArg,
    /// Overwrite the file of records
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    with_game!(game_of_records(&args.file, args.game)?, G => run_for::<G>(args, out))
}

fn run_for<G: Playable>(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let games = recorded_games::<G>(&args.file, args.rules.rules.as_deref())?;
    let mut recorder = Recorder::new(&args.out, args.force)?;
    let mut census = Census::default();
    for game in games {
        let game = game.map_err(input)?;
        census.add(&game);
        recorder.write(&game)?;
    }
    if census.games == 0 {
        return Err(input(format!("'{}' holds no games", args.file.display())));
    }
    recorder.finish()?;
    writeln!(
        out,
        "{} of {}, every move checked, is in {}\n",
        quoted(&args.file),
        G::NAME,
        quoted(&args.out)
    )?;
    census.write(out)
}
