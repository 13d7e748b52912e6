//! `dobutsu-ga guideline`: what the pieces are worth, and who knows it.

use std::io::Write;
use std::path::PathBuf;

use super::{guideline, guideline_files, guideline_pictures};
use crate::command::{CliError, FormatArg, GameArg, input, not_solved, on_threads, tell, thread_count};
use crate::games::GameName;
use crate::games::dobutsu::Rules;
use crate::games::dobutsu::solve::Tables;
use crate::report::TableFiles;
use crate::run::RunDir;

/// Work out what the pieces are worth by the solved game, and compare all evaluators as players and as judges
///
/// Writes a page (guideline.md), tables, pictures and a genome file for each fit. Takes some minutes, and needs the tables of
/// both rules.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// The folder for the results
    #[arg(long, value_name = "FOLDER", default_value = "results/guideline")]
    out: PathBuf,
    /// Overwrite results of another version
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    format: FormatArg,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    args.game.must_be(GameName::Dobutsu, |game| not_solved("guideline", game))?;
    let run = format!("version = {:?}\ncommand = \"guideline\"\n", env!("CARGO_PKG_VERSION"));
    let mut folder = RunDir::prepare(&args.out, run, args.force)?;
    let paper = Tables::at(None).get(Rules::Paper)?;
    let official = Tables::at(None).get(Rules::Official)?;
    folder.open()?;
    let said = |step: &str| tell(format_args!("done: {step}"));
    let guideline = on_threads(args.threads, || guideline(&paper, &said))??;
    let mut files = guideline_files(&guideline, &[&paper, &official]);
    for picture in guideline_pictures(&TableFiles::of(&files)).map_err(input)? {
        files.extend(picture.files(args.format.get()));
    }
    let same = folder.write(&files)?;
    let what = if same { "came out again, byte for byte, in" } else { "is in" };
    writeln!(out, "The page {what} {}", folder.path().join("guideline.md").display())?;
    Ok(())
}
