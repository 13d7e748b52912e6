//! `dobutsu-ga sweep`: the same run with many seeds, side by side on all cores.

use std::io::Write;
use std::path::PathBuf;

use super::progress::Progress;
use super::tune::Flags;
use super::{CliError, FormatArg, input, on_threads, thread_count};
use crate::experiment::{PaperRun, Rivals, SeedRange, SeedResult, Tuning, sweep_settings};
use crate::files;
use crate::job::{SeedsFile, SeedsFileError, run_seeds};
use crate::lab::Lab;
use crate::learn::Fitness;
use crate::report::{Folder, Format, Language, SweepReport, layout};

/// Run the tuner with many seeds: how values, freezing and strength are distributed
///
/// Writes runs.csv, distribution.csv, summary.md and pictures. Stopped or killed, the same command goes on where it was.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The seeds, both ends included, as in 1..100
    #[arg(long, value_name = "A..B", default_value = "1..30")]
    seeds: SeedRange,
    /// Run coin tosses beside the tournament, to show what drift alone does
    #[arg(long)]
    null: bool,
    #[command(flatten)]
    flags: Flags,
    /// The folder for the results [default: results/sweep, or results/GAME/sweep]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Overwrite results of other settings
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    format: FormatArg,
    /// The language of the pictures: en or ja
    #[arg(long, value_enum, default_value_t, value_name = "LANG", hide_possible_values = true)]
    lang: Language,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    with_game!(args.flags.game()?, G => run_for::<G>(args, out))
}

fn run_for<G: Lab>(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let settings = args.flags.settings::<G>()?;
    if args.null && settings.fitness == Fitness::Random {
        return Err(input(
            "--null runs coin tosses beside the tournament: it cannot be used with --fitness random",
        ));
    }
    if args.flags.has_seed() {
        return Err(input(
            "a sweep takes its seeds from --seeds, as in --seeds 7..7: --seed has no meaning here",
        ));
    }
    let seeds = args.seeds.seeds();
    let path = args.out.clone().unwrap_or_else(|| super::results::<G>().join("sweep"));
    let run = format!(
        "# Made by: dobutsu-ga sweep (all settings below)\nseeds = \"{}\"\nnull = {}\n\n[settings]\n{}",
        String::from(args.seeds.clone()),
        args.null,
        settings.to_toml()
    );
    let mut folder = Folder::prepare(&path, run, args.force)?;
    folder.open()?;
    if args.force {
        // Before run.toml says anything else, so that nothing of other settings can ever be taken up.
        let pictures = SweepReport::<G>::PICTURES.into_iter().flat_map(|picture| Format::Both.names(picture));
        let tables = SweepReport::<G>::NAMES.into_iter().chain([SeedsFile::NAME]).map(String::from);
        for name in tables.chain(pictures) {
            files::remove(&path.join(name))?;
        }
    }
    folder.begin()?;
    let (kept, done) = SeedsFile::open(&path, &settings.to_toml())?;
    let save = |result: &SeedResult| kept.save(result);
    let total = sweep_settings(&settings, seeds.clone(), args.null).len();
    let progress = Progress::new("sweep", total as u64, "runs");
    let rivals = Rivals::named(&[]);
    let results = on_threads(args.threads, || {
        run_seeds(&settings, seeds, args.null, &rivals, &done, &save, &progress)
    })??;
    drop(progress);
    let paper = PaperRun::of::<G>(settings.fix_side);
    let par = on_threads(args.threads, || Tuning::new(&settings).par())?;
    let report = SweepReport { settings: &settings, results: &results, paper: &paper, par, rivals: &[] };
    let mut results_files = report.files();
    results_files.push((SeedsFile::NAME, kept.lines(&results).into_bytes()));
    let text = format!("# {} runs of the tuner\n\n{}", results.len(), report.markdown());
    results_files.push((layout::SUMMARY, text.clone().into_bytes()));
    folder.overwrite(&results_files)?;
    for picture in report.pictures(args.lang) {
        folder.overwrite(&picture.files(args.format.get()))?;
    }
    writeln!(out, "{text}\nWritten to {}", path.display())?;
    Ok(())
}

impl From<SeedsFileError> for CliError {
    fn from(error: SeedsFileError) -> CliError {
        match error {
            SeedsFileError::File(error) => CliError::File(error),
            error => input(error),
        }
    }
}
