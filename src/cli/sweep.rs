//! `dobutsu-ga sweep`: the same run with many seeds, side by side on all cores, or in shares on many machines.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::tune::Flags;
use super::{CliError, FormatArg, input, on_threads, thread_count};
use crate::command::{say_how_to_go_on, train};
use crate::experiment::{SeedRange, SeedResult};
use crate::games::GameName;
use crate::learn::Fitness;
use crate::players::{GameInfo, Playable};
use crate::report::Language;
use crate::run::{Made, Manifest, Options, Seed, SeedsFile, SeedsFileError, Shard, Sweep, SweepTraining};

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
    let (path, options) = (args.path::<G>(args.shard), args.options());
    let mut training = SweepTraining::<G>::open(sweep, args.shard, &path, args.force, options)?;
    say_how_to_go_on(&path);
    train(&mut training, &path, &options, args.threads, out)
}

impl Args {
    fn path<G: Playable>(&self, shard: Option<Shard>) -> PathBuf {
        let share = shard.map_or(String::new(), |Shard { number, of }| format!("-{number}of{of}"));
        self.out.clone().unwrap_or_else(|| super::results::<G>().join(format!("sweep{share}")))
    }

    fn options(&self) -> Options {
        Options {
            language: self.lang,
            format: self.format.get(),
            validate: true,
            checkpoint_every: 1,
            keep_every: None,
        }
    }
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
    let path = args.path::<G>(None);
    // What a folder of this sweep holds already is part of the same runs.
    let training = SweepTraining::<G>::open(sweep, None, &path, args.force, args.options())?;
    let text = on_threads(args.threads, || training.finish(&results))??;
    Ok(writeln!(out, "{text}\nWritten to {}", path.display())?)
}

impl From<SeedsFileError> for CliError {
    fn from(error: SeedsFileError) -> CliError {
        match error {
            SeedsFileError::File(error) => CliError::File(error),
            error => input(error),
        }
    }
}
