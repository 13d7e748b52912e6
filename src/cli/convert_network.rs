//! `dobutsu-ga convert-network`: networks of earlier versions in the format of today.

use std::io::Write;
use std::path::PathBuf;

use super::{CliError, input};
use crate::files;
use crate::games::GameName;
use crate::nets::format1;
use crate::run::Lab;

/// Rewrite networks of an earlier version in the format of today: PyTorch's names and order, and one header for all
///
/// Players and learners refuse files of version 1 of the format. A converted network plays as before, to the bit.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  dobutsu-ga convert-network old.safetensors --out network.safetensors\n  \
                        dobutsu-ga convert-network results/*/network.safetensors --in-place"
)]
pub(super) struct Args {
    /// Files of networks (network.safetensors)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write the network of the one FILE here, where no file may be
    #[arg(long, value_name = "FILE", conflicts_with = "in_place")]
    out: Option<PathBuf>,
    /// Overwrite the files
    #[arg(long)]
    in_place: bool,
}

/// What files of version 1 of all kinds say of themselves.
#[derive(serde::Deserialize)]
struct About {
    version: u32,
    game: String,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    if args.out.is_none() && !args.in_place {
        return Err(input("say where to write: --in-place overwrites each FILE, --out writes another file"));
    }
    if args.out.is_some() && args.files.len() > 1 {
        return Err(input("--out takes one FILE: convert several with --in-place, or one by one"));
    }
    for path in &args.files {
        let bytes = files::read_if_there(path)?
            .ok_or_else(|| input(format!("there is no file '{}'", path.display())))?;
        let wrong = |why: String| input(format!("'{}' cannot be converted: {why}", path.display()));
        let bytes = converted(&bytes).map_err(wrong)?;
        let to = args.out.as_ref().unwrap_or(path);
        if !args.in_place && to.exists() {
            return Err(input(format!("'{}' exists already: choose another --out", to.display())));
        }
        files::Claim::new(to, args.in_place)?.write(&bytes)?;
        writeln!(out, "{}", to.display())?;
    }
    Ok(())
}

fn converted(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let About { version, game } = format1::about(bytes)?;
    if version != 1 {
        return Err(format!("it has version {version} of the format already"));
    }
    let known: GameName = game.parse().map_err(|_| format!("no network of {game} is known"))?;
    with_game!(known, G => G::convert_network(bytes))
}
