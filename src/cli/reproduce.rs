//! `dobutsu-ga reproduce`: the paper's tables, run again and set beside what it published.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use super::progress::Progress;
use super::{CliError, input, on_threads, thread_count};
use crate::experiment::{Definition, run_grid};
use crate::report::{Folder, FolderError, grid_files};

/// Run an experiment of the paper and set the result beside the published one
///
/// Each experiment writes table.csv, table.md, table.png and run.toml into a folder of its own name. If the folder holds
/// results of the same settings already, the run checks that they come out again, byte for byte.
#[derive(clap::Args)]
pub(super) struct Args {
    /// table1, table2, table3, all, or the path of an experiment file
    #[arg(required_unless_present = "list")]
    experiment: Option<String>,
    /// Show what there is, and run nothing
    #[arg(long)]
    list: bool,
    /// How many games each cell stands for [default: as many as in the paper]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: Option<u64>,
    /// Where all chance comes from [default: the experiment's own]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// The folder in which each experiment gets its own
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    out: PathBuf,
    /// Overwrite results of other settings
    #[arg(long)]
    force: bool,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    if args.list {
        for name in Definition::names() {
            writeln!(out, "{name:<10} {}", Definition::find(name).map_err(input)?.title)?;
        }
        return Ok(());
    }
    let wanted = args.experiment.as_deref().unwrap_or("all");
    let names = if wanted == "all" { Definition::names() } else { vec![wanted] };
    // Everything that can be refused is refused before the first game.
    let mut prepared = Vec::new();
    for name in names {
        let mut definition = Definition::find(name).map_err(input)?;
        if let Some(games) = args.games {
            definition.grid.games = games as usize;
        }
        definition.grid.seed = args.seed.unwrap_or(definition.grid.seed);
        let folder = Folder::prepare(&args.out.join(&definition.name), run_toml(&definition), args.force)?;
        prepared.push((definition, folder));
    }
    for (definition, folder) in prepared {
        let begin = Instant::now();
        let games = definition.grid.games * definition.grid.players.len().pow(2);
        let progress = Progress::new(&definition.name, games as u64);
        let result =
            on_threads(args.threads, || run_grid(&definition, &|| progress.step()))?.map_err(input)?;
        progress.finish();
        let seconds = begin.elapsed().as_secs_f64();
        let same = folder.write(&grid_files(&result))?;
        write!(out, "{}", crate::report::grid_markdown(&result))?;
        let what = if same { "came out again, byte for byte, in" } else { "written to" };
        writeln!(out, "\n{games} games in {seconds:.1} s; {what} {}\n", folder.path().display())?;
    }
    Ok(())
}

/// By what the results were made: enough to make them again.
fn run_toml(definition: &Definition) -> String {
    let settings = toml::to_string(&definition.grid).expect("numbers and texts can be written");
    format!(
        "# Made by: dobutsu-ga reproduce {name} --games {games} --seed {seed}\nversion = \"{version}\"\nexperiment = \"{name}\"\n{settings}",
        name = definition.name,
        games = definition.grid.games,
        seed = definition.grid.seed,
        version = env!("CARGO_PKG_VERSION"),
    )
}

impl From<FolderError> for CliError {
    fn from(error: FolderError) -> CliError {
        match error {
            FolderError::File(error) => CliError::File(error),
            error => input(error),
        }
    }
}
