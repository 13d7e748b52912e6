//! `dobutsu-ga` itself: one run of the tuner, from its beginning or from where it was left.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use super::{CliError, FormatArg, grouped, input, thread_count};
use crate::command::{Given, finish};
use crate::games::GameName;
use crate::learn::{Fitness, GeneSet, Preset, Settings};
use crate::players::{GameInfo, Playable};
use crate::report::Language;
use crate::run::{Options, Training, TunerTraining, check_oracle};

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

impl From<&How> for Options {
    fn from(how: &How) -> Options {
        Options {
            language: how.lang,
            format: how.format.get(),
            validate: !how.no_validate,
            checkpoint_every: how.checkpoint_every,
            keep_every: None,
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
    let begun = Instant::now();
    let options = Options::from(&args.how);
    let mut run = TunerTraining::<G>::begin(&folder, settings, options, args.force)?;
    let summary = finish(&mut run, &folder, &options, args.how.threads)?;
    let (trials, unit, time) = run.speed();
    let playing = time.as_secs_f64();
    writeln!(
        out,
        "{summary}\n{} generations, {} {unit} in {playing:.2} s ({} {unit}/s), {:.2} s with reports; written to {}",
        run.done(),
        grouped(trials),
        grouped((trials as f64 / playing.max(1e-9)) as u64),
        begun.elapsed().as_secs_f64(),
        folder.display()
    )?;
    Ok(())
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
