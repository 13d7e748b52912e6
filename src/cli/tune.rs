//! `dobutsu-ga` itself: one run of the tuner, from its beginning or from where it was left.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::{CliError, FormatArg, grouped, input, on_threads, stop_flag, tell, thread_count};
use crate::command::{Given, Progress};
use crate::experiment::Tuning;
use crate::games::GameName;
use crate::learn::ga::Generation;
use crate::learn::{Fitness, GeneSet, Preset, Settings};
use crate::players::{GameInfo, Playable};
use crate::report::{Format, Language};
use crate::run::{End, Job, JobError, check_oracle};
use crate::{files, run};

/// How a run is set up. What is not given comes from --config, then from --preset.
#[derive(clap::Args)]
pub(super) struct Flags {
    /// Game (see `dobutsu-ga games`) [default: dobutsu, or what --config says]
    #[arg(long, value_name = "GAME")]
    game: Option<GameName>,
    #[command(flatten)]
    pub(super) given: Given<Settings>,
}

impl Flags {
    /// Which game the run is of.
    pub(super) fn game(&self) -> Result<GameName, CliError> {
        let (table, from) = self.given.config()?;
        match (self.game, table.get("game").and_then(toml::Value::as_str)) {
            (Some(game), _) => Ok(game),
            (None, Some(said)) => said.parse().map_err(|error| input(format!("{from}{error}"))),
            (None, None) => Ok(GameName::default()),
        }
    }

    /// The settings, by which a run can begin.
    pub(super) fn settings<G: Playable>(&self) -> Result<Settings, CliError> {
        let game = GameInfo::of::<G>();
        if self.given.has("array") && (game.usual_array)().is_none() {
            return Err(input(format!("{} has one array only: leave --array out", game.name)));
        }
        let settings = self.given.settings(&game)?;
        check_oracle::<G>(&settings).map_err(|error| input(format!("--fitness oracle: {error}")))?;
        Ok(settings)
    }
}

/// The tuner's own options.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    flags: Flags,
    /// The folder for the results [default: results/PRESET[-SIDE]-seedS]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Overwrite an earlier run in that folder
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    how: How,
}

/// What does not change the evolution.
#[derive(clap::Args)]
pub(super) struct How {
    /// The language of the pictures: en or ja
    #[arg(long, value_enum, default_value_t, value_name = "LANG", hide_possible_values = true)]
    pub(super) lang: Language,
    #[command(flatten)]
    pub(super) format: FormatArg,
    /// Do not measure the champion against the untrained values
    #[arg(long)]
    pub(super) no_validate: bool,
    /// Save the run after every so many generations, and every five seconds
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) checkpoint_every: u32,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    pub(super) threads: Option<usize>,
}

impl From<&How> for crate::run::How {
    fn from(how: &How) -> crate::run::How {
        crate::run::How {
            language: how.lang,
            format: how.format.get(),
            validate: !how.no_validate,
            checkpoint_every: how.checkpoint_every,
        }
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    if args.how.no_validate && args.flags.given.has("validation-games") {
        return Err(input("--validation-games has no effect with --no-validate: leave one of them out"));
    }
    with_game!(args.flags.game()?, G => run_for::<G>(args, out))
}

fn run_for<G: Playable>(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let settings = args.flags.settings::<G>()?;
    let folder = args.out.clone().unwrap_or_else(|| default_folder::<G>(&settings));
    work(Job::<G>::begin(&folder, settings, (&args.how).into(), args.force)?, &args.how, out)
}

/// Takes up the run of a folder, up to this generation if one is given.
pub(super) fn resume<G: Playable>(
    folder: &Path,
    generations: Option<u32>,
    how: &How,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    match Job::<G>::resume(folder, how.into(), generations)? {
        Some(job) => work(job, how, out),
        None => {
            let name = folder.display();
            Ok(writeln!(out, "The run in {name} is complete: --generations N extends it.")?)
        }
    }
}

fn default_folder<G: Playable>(settings: &Settings) -> PathBuf {
    let preset = match settings.preset {
        Preset::Paper => "paper",
        Preset::Robust => "robust",
    };
    let genes = if settings.genes == GeneSet::Full { "-full" } else { "" };
    let side = settings.fix_side.map_or(String::new(), |side| format!("-{side}"));
    let fitness = match settings.fitness {
        Fitness::Tournament => "",
        Fitness::Random => "-null",
        Fitness::Oracle => "-oracle",
    };
    let islands = if settings.islands > 1 { format!("-islands{}", settings.islands) } else { String::new() };
    super::results::<G>().join(format!("{preset}{genes}{side}{fitness}{islands}-seed{}", settings.seed))
}

/// Carries a run out and prints its summary.
fn work<G: Playable>(mut job: Job<G>, how: &How, out: &mut dyn Write) -> Result<(), CliError> {
    let begin = Instant::now();
    let mut played = begin.elapsed();
    let mut show = Show::new(job.tuning());
    let stop = stop_flag();
    let mut after = |generation: &Generation, tuning: &Tuning<G>| {
        show.step(generation, tuning);
        played = begin.elapsed();
        let stopped = stop.load(Ordering::Relaxed);
        if stopped || tuning.is_finished() {
            show.finish();
        }
        !stopped
    };
    let measuring = |name: &str, total: u64, unit: &'static str| -> Box<dyn run::Watch> {
        Box::new(Progress::new(name, total, unit))
    };
    let end = on_threads(how.threads, || job.work(&mut after, &measuring, stop))??;
    let summary = match end {
        End::Finished(summary) => summary,
        End::Stopped(generation) => {
            let command = resume_command(job.folder(), how);
            tell(format_args!("Stopped after generation {generation}. To go on: {command}"));
            return Err(CliError::Stopped);
        }
    };
    let (games, playing) = (show.games, played.as_secs_f64());
    let unit = job.tuning().trials();
    writeln!(
        out,
        "{summary}\n{} generations, {} {unit} in {playing:.2} s ({} {unit}/s), {:.2} s with reports; written to {}",
        job.tuning().generations(),
        grouped(games),
        grouped((games as f64 / playing.max(1e-9)) as u64),
        begin.elapsed().as_secs_f64(),
        job.folder().display()
    )?;
    Ok(())
}

/// What to type to go on as before.
fn resume_command(folder: &Path, how: &How) -> String {
    let lang = if how.lang == Language::Ja { " --lang ja" } else { "" };
    let format = match how.format.get() {
        Format::Png => " --format png",
        Format::Svg => " --format svg",
        Format::Both => "",
    };
    let validate = if how.no_validate { " --no-validate" } else { "" };
    format!("dobutsu-ga resume {}{lang}{format}{validate}", files::quoted(folder))
}

/// How far the run is: a bar on a terminal, a plain line now and again elsewhere.
struct Show {
    bar: Option<ProgressBar>,
    begun: Instant,
    last: Instant,
    games: u64,
}

impl Show {
    fn new<G: Playable>(tuning: &Tuning<G>) -> Show {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("generation {pos}/{len} {bar:25} {eta} left, {msg}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(u64::from(tuning.last_generation())).with_style(style);
            bar.with_position(u64::from(tuning.generations()))
        });
        Show { bar, begun: Instant::now(), last: Instant::now(), games: 0 }
    }

    fn step<G: Playable>(&mut self, generation: &Generation, tuning: &Tuning<G>) {
        self.games += generation.trials.games;
        let every = Duration::from_millis(if self.bar.is_some() { 100 } else { 10_000 });
        if self.last.elapsed() < every {
            return;
        }
        self.last = Instant::now();
        let spent = self.begun.elapsed().as_secs_f64();
        let speed = grouped((self.games as f64 / spent) as u64);
        let best: Vec<String> =
            generation.ranked[0].genes.iter().map(|value| (value / 1000).to_string()).collect();
        let best = format!("{speed} {}/s, best {}", tuning.trials(), best.join(" "));
        match &self.bar {
            Some(bar) => {
                bar.set_position(u64::from(generation.number));
                bar.set_message(best);
            }
            None => {
                let (number, last) = (generation.number, tuning.last_generation());
                tell(format_args!("generation {number} of at most {last}, {best}"));
            }
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl From<JobError> for CliError {
    fn from(error: JobError) -> CliError {
        match error {
            JobError::File(error) => CliError::File(error),
            error => input(error),
        }
    }
}
