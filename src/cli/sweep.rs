//! `dobutsu-ga sweep`: the same run with many seeds, side by side on all cores, or in shares on many machines.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::tune::{Flags, How};
use super::{CliError, FormatArg, input, on_threads, thread_count};
use crate::command::{Progress, say_how_to_go_on};
use crate::experiment::{PaperRun, SeedRange, SeedResult, Tuning};
use crate::games::GameName;
use crate::learn::{Declared, Fitness, Settings};
use crate::players::{GameInfo, Playable};
use crate::report::{Folder, Format, Language, SweepReport, layout};
use crate::run::{Made, Manifest, Seed, SeedsFile, SeedsFileError, run_some};

/// Run the tuner with many seeds: how values, freezing and strength are distributed
///
/// Writes runs.csv, distribution.csv, summary.md and pictures. Stopped or killed, `dobutsu-ga resume FOLDER` goes on. On a cluster,
/// shares of the seeds can be run by themselves and joined (see docs/cluster.md).
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  dobutsu-ga sweep --seeds 1..100 --null\n  \
    dobutsu-ga sweep --seeds 1..1000 --shard 3/10\n  \
    dobutsu-ga sweep --merge results/sweep-*of10 --out results/thousand")]
pub(super) struct Args {
    /// The seeds, both ends included, as in 1..100 [default: 1..30]
    #[arg(long, value_name = "A..B")]
    seeds: Option<SeedRange>,
    /// Run coin tosses beside the tournament, to show what drift alone does
    #[arg(long)]
    null: bool,
    /// Run only this share of the seeds, as in 3/10: the third of ten
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Join the folders of all shares: what comes out is what one sweep over all seeds gives
    #[arg(long, value_name = "FOLDER", num_args = 1.., conflicts_with_all = ["seeds", "null", "shard", "settings"])]
    merge: Vec<PathBuf>,
    #[command(flatten)]
    flags: Flags,
    /// The folder for the results [default: results/sweep, or results/GAME/sweep; with --shard 3/10 -3of10 is added]
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

/// One of so many shares, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shard {
    number: usize,
    of: usize,
}

impl FromStr for Shard {
    type Err = String;
    fn from_str(text: &str) -> Result<Shard, String> {
        let parsed = text
            .split_once('/')
            .and_then(|(number, of)| Some(Shard { number: number.parse().ok()?, of: of.parse().ok()? }));
        match parsed {
            Some(shard) if (1..=shard.of).contains(&shard.number) => Ok(shard),
            _ => Err(format!("'{text}' is no share: 3/10 is the third of ten")),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// Which runs a sweep has.
#[derive(Clone, PartialEq)]
struct Sweep {
    settings: Settings,
    seeds: SeedRange,
    null: bool,
}

impl Sweep {
    /// All runs, or every so manieth of them: those that take long are then spread evenly.
    fn runs(&self, shard: Option<Shard>) -> Vec<Seed> {
        let all = Seed::all(self.seeds.seeds(), self.null);
        let Shard { number, of } = shard.unwrap_or(Shard { number: 1, of: 1 });
        all.into_iter().skip(number - 1).step_by(of).collect()
    }

    fn run_toml(&self, shard: Option<Shard>) -> String {
        let (option, line) = match shard {
            Some(shard) => (format!(" --shard {shard}"), format!("shard = \"{shard}\"\n")),
            None => Default::default(),
        };
        format!(
            "# Made by: dobutsu-ga sweep{option} (all settings below)\nseeds = \"{}\"\nnull = {}\n{line}\n[settings]\n{}",
            String::from(self.seeds.clone()),
            self.null,
            self.settings.to_toml()
        )
    }

    /// What a `run.toml` says: the sweep, and which share of it.
    fn of(game: &GameInfo, folder: &Path, manifest: &Manifest) -> Result<(Sweep, Option<Shard>), CliError> {
        let damaged = |error: &dyn fmt::Display| {
            input(format!("'{}' is damaged or was edited: {error}", folder.join(layout::RUN).display()))
        };
        let text = |key: &str| manifest.table.get(key).and_then(toml::Value::as_str);
        let shard = text("shard").map(str::parse).transpose().map_err(|error: String| damaged(&error))?;
        let seeds = text("seeds").unwrap_or_default().parse().map_err(|error: String| damaged(&error))?;
        let settings = Settings::from_written(manifest.settings()).map_err(|error| damaged(&error))?;
        settings.check(game).map_err(|error| damaged(&error))?;
        let null = manifest.table.get("null").and_then(toml::Value::as_bool).unwrap_or_default();
        Ok((Sweep { settings, seeds, null }, shard))
    }
}

/// Where a sweep goes, and how.
struct Output {
    path: PathBuf,
    force: bool,
    lang: Language,
    format: Format,
    threads: Option<usize>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let game = match args.merge.first() {
        None => args.flags.game()?,
        Some(folder) => match Manifest::read(folder)? {
            Some(manifest) => manifest.game.parse().map_err(input)?,
            None => GameName::default(),
        },
    };
    with_game!(game, G => match args.merge.is_empty() {
        true => run_for::<G>(args, out),
        false => merge::<G>(args, out),
    })
}

fn run_for<G: Playable>(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let settings = args.flags.settings::<G>()?;
    if args.null && settings.fitness == Fitness::Random {
        return Err(input(
            "--null runs coin tosses beside the tournament: it cannot be used with --fitness random",
        ));
    }
    if args.flags.given.has("seed") {
        return Err(input(
            "a sweep takes its seeds from --seeds, as in --seeds 7..7: --seed has no meaning here",
        ));
    }
    let seeds = args.seeds.clone().unwrap_or_else(|| "1..30".parse().expect("a range"));
    let sweep = Sweep { settings, seeds, null: args.null };
    carry_out::<G>(&sweep, args.shard, &args.output::<G>(args.shard), out)
}

/// Takes up the sweep of a folder.
pub(super) fn resume<G: Playable>(path: &Path, how: &How, out: &mut dyn Write) -> Result<(), CliError> {
    let manifest = Manifest::read(path)?.expect("it was read before");
    let (sweep, shard) = Sweep::of(&GameInfo::of::<G>(), path, &manifest)?;
    let format = how.format.get();
    let output =
        Output { path: path.to_path_buf(), force: false, lang: how.lang, format, threads: how.threads };
    carry_out::<G>(&sweep, shard, &output, out)
}

impl Args {
    fn output<G: Playable>(&self, shard: Option<Shard>) -> Output {
        let share = shard.map_or(String::new(), |Shard { number, of }| format!("-{number}of{of}"));
        Output {
            path: self.out.clone().unwrap_or_else(|| super::results::<G>().join(format!("sweep{share}"))),
            force: self.force,
            lang: self.lang,
            format: self.format.get(),
            threads: self.threads,
        }
    }
}

fn carry_out<G: Playable>(
    sweep: &Sweep,
    shard: Option<Shard>,
    output: &Output,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let (runs, all) = (sweep.runs(shard), sweep.runs(None).len());
    if let (Some(shard), true) = (shard, runs.is_empty()) {
        return Err(input(format!("--shard {shard}: there are only {all} runs, so at most {all} shares")));
    }
    let folder = folder(output, sweep, shard)?;
    folder.begin()?;
    say_how_to_go_on(&output.path);
    let (kept, done) = SeedsFile::open(&output.path, &sweep.settings.to_toml())?;
    let save = |result: &SeedResult| kept.save(result);
    let progress = Progress::new("sweep", runs.len() as u64, "runs");
    let results =
        on_threads(output.threads, || run_some::<G>(&sweep.settings, &runs, &[], &done, &save, &progress))??;
    drop(progress);
    match shard {
        Some(shard) => {
            folder.overwrite(&[(SeedsFile::NAME, kept.lines(&results).into_bytes())])?;
            writeln!(
                out,
                "Share {shard}: {} of {all} runs. `dobutsu-ga sweep --merge FOLDER…` joins all shares. Written to {}",
                runs.len(),
                output.path.display()
            )?;
            Ok(())
        }
        None => finish::<G>(output, sweep, &results, &kept, &folder, out),
    }
}

/// The folder, ready to take the results.
fn folder(output: &Output, sweep: &Sweep, shard: Option<Shard>) -> Result<Folder, CliError> {
    let mut folder = Folder::prepare(&output.path, sweep.run_toml(shard), output.force)?;
    folder.open()?;
    if output.force {
        let pictures = SweepReport::PICTURES.into_iter().flat_map(|picture| Format::Both.names(picture));
        let tables = SweepReport::NAMES.into_iter().chain([SeedsFile::NAME]).map(String::from);
        folder.clear(tables.chain(pictures))?;
    }
    Ok(folder)
}

/// Writes the reports of a whole sweep.
fn finish<G: Playable>(
    output: &Output,
    sweep: &Sweep,
    results: &[SeedResult],
    kept: &SeedsFile,
    folder: &Folder,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let settings = &sweep.settings;
    let paper = PaperRun::of::<G>(settings.fix_side);
    let par = on_threads(output.threads, || Tuning::<G>::new(settings).par())?;
    let report =
        SweepReport { game: GameInfo::of::<G>(), settings, results, paper: &paper, par, rivals: &[] };
    let mut results_files = report.files();
    results_files.push((SeedsFile::NAME, kept.lines(results).into_bytes()));
    let text = format!("# {} runs of the tuner\n\n{}", results.len(), report.markdown());
    results_files.push((layout::SUMMARY, text.clone().into_bytes()));
    folder.overwrite(&results_files)?;
    for picture in report.pictures(output.lang) {
        folder.overwrite(&picture.files(output.format))?;
    }
    folder.write_checksums(results_files.iter().map(|(name, _)| name))?;
    writeln!(out, "{text}\nWritten to {}", folder.path().display())?;
    Ok(())
}

/// Joins the shares of a sweep.
fn merge<G: Playable>(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let mut shares: Vec<(Shard, &Path)> = Vec::new();
    let mut first: Option<(Sweep, usize)> = None;
    for folder in &args.merge {
        let none = |why: &str| input(format!("'{}' holds no share of a sweep: {why}", folder.display()));
        let manifest = Manifest::read(folder)?.ok_or_else(|| none("there is no run.toml in it"))?;
        let (sweep, shard) = match manifest.made {
            Made::Sweep => Sweep::of(&GameInfo::of::<G>(), folder, &manifest)?,
            _ => return Err(none("it was not made by sweep --shard")),
        };
        let shard = shard.ok_or_else(|| none("it was not made by sweep --shard"))?;
        if first.as_ref().is_some_and(|known| *known != (sweep.clone(), shard.of)) {
            let other = args.merge[0].display();
            return Err(input(format!(
                "'{}' and '{other}' are shares of different sweeps: their run.toml differ in more than the share",
                folder.display()
            )));
        }
        if let Some((_, other)) = shares.iter().find(|(known, _)| *known == shard) {
            let (one, two) = (other.display(), folder.display());
            return Err(input(format!("'{one}' and '{two}' are both share {shard}: leave one of them out")));
        }
        shares.push((shard, folder));
        first = Some((sweep, shard.of));
    }
    let Some((sweep, of)) = first else { return Err(input("--merge needs the folders of all shares")) };
    let missing: Vec<String> = (1..=of)
        .map(|number| Shard { number, of })
        .filter(|shard| shares.iter().all(|(known, _)| known != shard))
        .map(|shard| shard.to_string())
        .collect();
    if !missing.is_empty() {
        return Err(input(format!("shares are missing: {}", missing.join(", "))));
    }
    let settings = sweep.settings.to_toml();
    let mut done: Vec<SeedResult> = Vec::new();
    for (shard, folder) in shares {
        let (_, results) = SeedsFile::open(folder, &settings)?;
        let wanted = sweep.runs(Some(shard));
        let there = wanted.iter().filter(|seed| results.iter().any(|result| seed.is_of(result))).count();
        if there < wanted.len() {
            return Err(input(format!(
                "'{}' is not complete: {there} of its {} runs are done; the `sweep --shard {shard}` command that began it goes on",
                folder.display(),
                wanted.len()
            )));
        }
        done.extend(results);
    }
    let result = |seed: &Seed| done.iter().find(|result| seed.is_of(result)).cloned();
    let results: Vec<SeedResult> = sweep.runs(None).iter().filter_map(result).collect();
    let output = args.output::<G>(None);
    let folder = folder(&output, &sweep, None)?;
    folder.begin()?;
    // What a folder of this sweep holds already is part of the same runs.
    let (kept, _) = SeedsFile::open(&output.path, &settings)?;
    finish::<G>(&output, &sweep, &results, &kept, &folder, out)
}

impl From<SeedsFileError> for CliError {
    fn from(error: SeedsFileError) -> CliError {
        match error {
            SeedsFileError::File(error) => CliError::File(error),
            error => input(error),
        }
    }
}
