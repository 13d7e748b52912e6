//! `dobutsu-ga sweep`: the same run with many seeds, side by side on all cores.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::progress::Progress;
use super::tune::Flags;
use super::{CliError, input, on_threads, thread_count};
use crate::experiment::{PaperRun, SeedRange, SeedResult, Tuning, sweep_settings};
use crate::files;
use crate::learn::{Fitness, Settings};
use crate::report::{Folder, SweepReport};

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
    /// The folder for the results [default: results/sweep]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Overwrite results of other settings
    #[arg(long)]
    force: bool,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

/// One line a finished seed, in the order in which they finish; sorted when all are done.
const SEEDS: &str = "seeds.jsonl";

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let settings = args.flags.settings()?;
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
    let path = args.out.clone().unwrap_or_else(|| PathBuf::from("results/sweep"));
    let run = format!(
        "# Made by: dobutsu-ga sweep (all settings below)\nseeds = \"{}\"\nnull = {}\n\n[settings]\n{}",
        String::from(args.seeds.clone()),
        args.null,
        settings.to_toml()
    );
    let mut folder = Folder::prepare(&path, run, args.force)?;
    folder.open()?;
    let file = path.join(SEEDS);
    if args.force {
        // Before run.toml says anything else, so that nothing of other settings can ever be taken up.
        for name in
            [SEEDS, "runs.csv", "distribution.csv", "summary.md", "genes.png", "strength.png", "freeze.png"]
        {
            files::remove(&path.join(name))?;
        }
    }
    folder.begin()?;
    let kept = Kept { settings: files::fingerprint(settings.to_toml().as_bytes()) };
    let done = kept.read(&file)?;
    let saved = Mutex::new(kept.lines(&done));
    let save = |result: &SeedResult| {
        let mut text = saved.lock().map_err(|_| input("another thread has failed"))?;
        *text += &kept.line(result);
        Ok(files::write(&file, text.as_bytes())?)
    };
    let results =
        on_threads(args.threads, || run_seeds("sweep", &settings, seeds, args.null, &done, &save))??;
    let paper = PaperRun::of(settings.fix_side);
    let par = on_threads(args.threads, || Tuning::new(&settings).par())?;
    let report = SweepReport { settings: &settings, results: &results, paper: &paper, par };
    let mut results_files = report.files();
    results_files.push((SEEDS, kept.lines(&results).into_bytes()));
    let text = format!("# {} runs of the tuner\n\n{}", results.len(), report.markdown());
    results_files.push(("summary.md", text.clone().into_bytes()));
    folder.overwrite(&results_files)?;
    writeln!(out, "{text}\nWritten to {}", path.display())?;
    Ok(())
}

/// Finished seeds as lines of a file: each is the result, and a fingerprint of it and of the settings, which tells whether a
/// byte of it was changed since.
struct Kept {
    settings: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    fingerprint: String,
    result: SeedResult,
}

impl Kept {
    fn fingerprint(&self, result: &SeedResult) -> String {
        let text = serde_json::to_string(result).expect("numbers can be written");
        files::fingerprint((text + &self.settings).as_bytes())
    }

    fn line(&self, result: &SeedResult) -> String {
        let line = Line { fingerprint: self.fingerprint(result), result: result.clone() };
        serde_json::to_string(&line).expect("numbers can be written") + "\n"
    }

    fn lines(&self, results: &[SeedResult]) -> String {
        results.iter().map(|result| self.line(result)).collect()
    }

    /// The seeds that are done already.
    fn read(&self, path: &Path) -> Result<Vec<SeedResult>, CliError> {
        let bytes = files::read_if_there(path)?.unwrap_or_default();
        let parse = |(number, text): (usize, &str)| {
            let line: Option<Line> = serde_json::from_str(text).ok();
            let whole = |line: &Line| self.line(&line.result).trim_end() == text;
            let damaged = || {
                input(format!(
                    "'{}' is damaged or was edited (line {}): --force begins anew",
                    path.display(),
                    number + 1
                ))
            };
            line.filter(whole).map(|line| line.result).ok_or_else(damaged)
        };
        String::from_utf8_lossy(&bytes).lines().enumerate().map(parse).collect()
    }
}

/// Runs every seed that is not among `done`, side by side; `save` is told of each. All results, in the order of the seeds.
pub(super) fn run_seeds(
    name: &str,
    settings: &Settings,
    seeds: RangeInclusive<u64>,
    null: bool,
    done: &[SeedResult],
    save: &(dyn Fn(&SeedResult) -> Result<(), CliError> + Sync),
) -> Result<Vec<SeedResult>, CliError> {
    let all = sweep_settings(settings, seeds, null);
    let progress = Progress::new(name, all.len() as u64, "runs");
    let run = |settings: &Settings| {
        let is_null = settings.fitness == Fitness::Random;
        let known = done.iter().find(|result| result.seed == settings.seed && result.null == is_null);
        let result = match known {
            Some(result) => result.clone(),
            None => {
                let result = SeedResult::run(settings);
                save(&result)?;
                result
            }
        };
        progress.step();
        Ok(result)
    };
    let results = all.par_iter().with_max_len(1).map(run).collect();
    progress.finish();
    results
}
