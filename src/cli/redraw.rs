//! `dobutsu-ga redraw`: the pictures of results, drawn again from their tables.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::{CliError, FormatArg, input};
use crate::experiment::read_experiment;
use crate::files;
use crate::games::GameName;
use crate::report::Language;
use crate::run::{Definition, Lab, Manifest, ManifestError, RedrawError, redraw};

/// Draw the pictures of finished results again from their tables, without playing: in another format or language
///
/// Takes the folders of runs, sweeps, learners, grades and experiments, and overwrites their pictures.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  dobutsu-ga redraw results/table5 --format svg\n  \
                        dobutsu-ga redraw results/paper-first-seed1 --lang ja")]
pub(super) struct Args {
    /// The folders of the results
    #[arg(value_name = "FOLDER", required = true)]
    folders: Vec<PathBuf>,
    /// The file of an experiment that is none of the program's own, if the folders hold results of it
    #[arg(long, value_name = "FILE")]
    experiment: Option<String>,
    #[command(flatten)]
    format: FormatArg,
    /// The language of the pictures, en or ja: of runs and sweeps and of learn pa and learn dqn; others are in English
    #[arg(long, value_enum, default_value_t, value_name = "LANG", hide_possible_values = true)]
    lang: Language,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    for folder in &args.folders {
        let game = match Manifest::read(folder)? {
            None => GameName::default(),
            Some(manifest) => manifest.game.parse().map_err(|error| {
                input(format!("the pictures in '{}' cannot be drawn again: {error}", folder.display()))
            })?,
        };
        let names = with_game!(game, G => redraw_one::<G>(args, folder))?;
        writeln!(out, "{}: {}", folder.display(), names.join(", "))?;
    }
    Ok(())
}

fn redraw_one<G: Lab>(args: &Args, folder: &Path) -> Result<Vec<String>, CliError> {
    let read =
        |path: &String| read_experiment(path).and_then(|(name, text)| Definition::<G>::parse(&name, &text));
    let own = args.experiment.as_ref().map(read).transpose().map_err(input)?;
    let pictures = redraw::<G>(folder, args.lang, own.as_ref())?;
    let _lock = files::lock(folder)?;
    let mut names = Vec::new();
    for (name, bytes) in pictures.iter().flat_map(|picture| picture.files(args.format.get())) {
        files::write(&folder.join(&name), &bytes)?;
        names.push(name);
    }
    Ok(names)
}

impl From<RedrawError> for CliError {
    fn from(error: RedrawError) -> CliError {
        match error {
            RedrawError::File(error) | RedrawError::Manifest(ManifestError::File(error)) => {
                CliError::File(error)
            }
            error => input(error),
        }
    }
}
