//! `dobutsu-ga` itself: one run of the tuner, from its beginning or from where it was left.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::{CliError, FormatArg, array, grouped, input, on_threads, seed, stop_flag, tell, thread_count};
use crate::command::Progress;
use crate::experiment::Tuning;
use crate::game::Side;
use crate::games::GameName;
use crate::learn::ga::{Crossover, Generation, Topology};
use crate::learn::{Evaluate, Fitness, GeneSet, MutationKind, PointRange, Preset, Settings, Watch};
use crate::players::Playable;
use crate::report::{Format, Language};
use crate::run::{End, Job, JobError, check_oracle};
use crate::search::Terminal;
use crate::{files, run};

/// How a run is set up. What is not given comes from --config, then from --preset.
#[derive(clap::Args)]
pub(super) struct Flags {
    /// Which game (see `dobutsu-ga games`) [default: dobutsu, or what --config says]
    #[arg(long, value_name = "GAME")]
    game: Option<GameName>,
    /// Where to begin: paper (what the Dobutsu thesis did) or robust (what selects by strength rather than by luck)
    #[arg(long, value_enum, value_name = "NAME")]
    preset: Option<Preset>,
    /// A TOML file of settings, such as the run.toml of an earlier run; flags win over it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Where all chance comes from: the same seed gives the same bytes [default: 1]
    #[arg(long, value_name = "S", value_parser = seed)]
    seed: Option<u64>,
    /// How many generations [default: until all genes are frozen, at most 5000; paper: that, or 1600 with a fixed side]
    #[arg(long, value_name = "N")]
    generations: Option<u32>,
    /// Count only wins as this player, freeze nothing [default: both count; paper: both, then each]
    #[arg(long, value_name = "first|second")]
    fix_side: Option<Side>,
    /// How many candidates a generation has [paper: 5]
    #[arg(long, value_name = "N")]
    population: Option<usize>,
    /// How many of the best are parents [paper: 2]
    #[arg(long, value_name = "N")]
    elite: Option<usize>,
    /// How many of the best live on with their points, instead of only their children [paper: 0]
    #[arg(long, value_name = "N")]
    survivors: Option<usize>,
    /// How often a gene mutates [paper: 0.03]
    #[arg(long, value_name = "SHARE")]
    mutation: Option<f64>,
    /// What a mutated gene becomes: anything (uniform) or mostly something near (step) [paper: not said; uniform]
    #[arg(long, value_enum, value_name = "KIND")]
    mutation_kind: Option<MutationKind>,
    /// Between which points a mutated gene lies [paper: not said; 0..500]
    #[arg(long, value_name = "A..B")]
    mutation_range: Option<PointRange>,
    /// How two parents are combined [paper: one-point]
    #[arg(long, value_enum, value_name = "KIND")]
    crossover: Option<Crossover>,
    /// How many plies the players look ahead [paper: 2; kyoto: 3; quoridor: 2]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// How many games each pair plays, sides swapped [paper: 2]
    #[arg(long, value_name = "N")]
    games_per_pair: Option<usize>,
    /// What a draw is worth in points [paper: not said; 0]
    #[arg(long, value_name = "POINTS")]
    draw_points: Option<f64>,
    /// After how many generations genes are tested for convergence [paper: 100]
    #[arg(long, value_name = "N")]
    converge_window: Option<usize>,
    /// A gene freezes if its standard deviation over those is at most this [paper: 30]
    #[arg(long, value_name = "POINTS")]
    converge_sd: Option<f64>,
    /// Whose value that test watches: the winner's or the mean of all [paper: not said; winner]
    #[arg(long, value_enum, value_name = "WHOSE")]
    watch: Option<Watch>,
    /// By which rules (see `dobutsu-ga games`) [paper: the game's first]
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
    /// How the pieces stand at first, where a game has more than one array: dobutsu official or figure12
    #[arg(long, value_name = "ARRAY")]
    array: Option<String>,
    /// With how many random moves each pair of games begins [paper: 0; kyoto and quoridor: 4]
    #[arg(long, value_name = "N")]
    opening_plies: Option<usize>,
    /// How the search scores the end of the game: paper (by the evaluator), exact (won or lost) or through (not at all: it goes on with what is left) [paper: paper]
    #[arg(long, value_name = "MODE")]
    terminal: Option<Terminal>,
    /// Which weights evolve: piece values, or also those of features (mobility, check, try) [paper: material]
    #[arg(long, value_enum, value_name = "SET")]
    genes: Option<GeneSet>,
    /// Which positions of a line are valued: the last, or all on the path added up [paper: leaf]
    #[arg(long, value_enum, value_name = "WHERE")]
    evaluate: Option<Evaluate>,
    /// What fitness is: points in games, coin tosses to see what drift does, or agreement with the solved game [paper: tournament]
    #[arg(long, value_enum, value_name = "KIND")]
    fitness: Option<Fitness>,
    /// How many opponents are kept (the untrained values and former winners) instead of playing each other [paper: 0]
    #[arg(long, value_name = "N")]
    hall: Option<usize>,
    /// A candidate is judged as if it had played this many more games and scored a half [paper: 0]
    #[arg(long, value_name = "GAMES")]
    doubt: Option<u32>,
    /// How many games each side the champion plays against the untrained values [paper: 300, or 100 with a fixed side]
    #[arg(long, value_name = "N")]
    validation_games: Option<u32>,
    /// How many populations evolve apart and send each other their best [paper: 1]
    #[arg(long, value_name = "N")]
    islands: Option<usize>,
    /// After how many generations they do [default: 100]
    #[arg(long, value_name = "N")]
    migrate_every: Option<u32>,
    /// How many each island receives then [default: 1]
    #[arg(long, value_name = "N")]
    migrants: Option<usize>,
    /// From where they come: the island before (ring), or any other, drawn by lot (full) [default: ring]
    #[arg(long, value_enum, value_name = "ring|full", hide_possible_values = true)]
    topology: Option<Topology>,
}

impl Flags {
    /// Whether a seed was asked for.
    pub(super) fn has_seed(&self) -> bool {
        self.seed.is_some()
    }

    /// Which game the run is of.
    pub(super) fn game(&self) -> Result<GameName, CliError> {
        let (table, from) = self.config()?;
        match (self.game, table.get("game").and_then(toml::Value::as_str)) {
            (Some(game), _) => Ok(game),
            (None, Some(said)) => said.parse().map_err(|error| input(format!("{from}{error}"))),
            (None, None) => Ok(GameName::default()),
        }
    }

    /// What the config file says, and how a complaint about it begins.
    fn config(&self) -> Result<(toml::Table, String), CliError> {
        let Some(path) = &self.config else { return Ok(Default::default()) };
        let from = format!("the config file '{}' cannot be used: ", path.display());
        let text = files::read_text(path).map_err(|error| input(format!("{from}{error}")))?;
        let table =
            text.parse().map_err(|error: toml::de::Error| input(format!("{from}{}", error.message())))?;
        Ok((table, from))
    }

    /// The settings: preset, then config file, then flags.
    pub(super) fn settings<G: Playable>(&self) -> Result<Settings<G>, CliError> {
        let (mut table, from) = self.config()?;
        if self.config.is_none() {
            table.insert("game".to_string(), G::NAME.into());
        }
        if let (Some(asked), Some(there)) = (self.preset, table.get("preset"))
            && toml::Value::try_from(asked).ok().as_ref() != Some(there)
        {
            let path = self.config.as_ref().map_or(String::new(), |path| path.display().to_string());
            return Err(input(format!(
                "the config file '{path}' has preset = {there}, and --preset asks for another one: leave one of them out"
            )));
        }
        // These two decide what the others are by default, so they come first.
        let mut first =
            |name: &str, value: Option<toml::Value>| value.map(|value| table.insert(name.to_string(), value));
        first("preset", self.preset.and_then(|preset| toml::Value::try_from(preset).ok()));
        first("genes", self.genes.and_then(|genes| toml::Value::try_from(genes).ok()));
        let has_games = table.contains_key("validation-games");
        let one_line =
            |error: toml::de::Error| input(format!("{from}{}", error.message().replace('\n', " ")));
        let mut settings = Settings::<G>::from_table(table).map_err(one_line)?;
        self.apply(&mut settings)?;
        // The paper measured fewer games with a fixed side.
        let asked = has_games || self.validation_games.is_some();
        if settings.fix_side.is_some() && settings.preset == Preset::Paper && !asked {
            settings.validation_games = 100;
        }
        for (name, given) in self.given() {
            if let (true, Some(reason)) = (given, settings.idle(name)) {
                return Err(input(format!("--{name} has no effect with {reason}: leave one of them out")));
            }
        }
        let settings = settings.settled();
        settings.check().map_err(input)?;
        check_oracle(&settings).map_err(|error| input(format!("--fitness oracle: {error}")))?;
        Ok(settings)
    }

    /// Which of the options that can be without effect were given.
    fn given(&self) -> [(&'static str, bool); 14] {
        [
            ("terminal", self.terminal.is_some()),
            ("evaluate", self.evaluate.is_some()),
            ("migrate-every", self.migrate_every.is_some()),
            ("migrants", self.migrants.is_some()),
            ("topology", self.topology.is_some()),
            ("converge-window", self.converge_window.is_some()),
            ("converge-sd", self.converge_sd.is_some()),
            ("watch", self.watch.is_some()),
            ("hall", self.hall.is_some()),
            ("games-per-pair", self.games_per_pair.is_some()),
            ("draw-points", self.draw_points.is_some()),
            ("mutation-kind", self.mutation_kind.is_some()),
            ("mutation-range", self.mutation_range.is_some()),
            ("doubt", self.doubt.is_some()),
        ]
    }

    fn apply<G: Playable>(&self, settings: &mut Settings<G>) -> Result<(), CliError> {
        macro_rules! take {
            ($($name:ident),*) => { $(if let Some(value) = self.$name { settings.$name = value; })* };
        }
        take!(
            seed,
            population,
            elite,
            survivors,
            mutation,
            mutation_kind,
            mutation_range,
            crossover,
            depth,
            games_per_pair,
            draw_points,
            converge_window,
            converge_sd,
            watch,
            opening_plies,
            genes,
            fitness,
            hall,
            doubt,
            validation_games,
            islands
        );
        settings.terminal = self.terminal.or(settings.terminal);
        settings.evaluate = self.evaluate.or(settings.evaluate);
        settings.migrate_every = self.migrate_every.or(settings.migrate_every);
        settings.migrants = self.migrants.or(settings.migrants);
        settings.topology = self.topology.or(settings.topology);
        settings.generations = self.generations.or(settings.generations);
        settings.fix_side = self.fix_side.or(settings.fix_side);
        if let Some(rules) = &self.rules {
            settings.rules = rules.parse().map_err(input)?;
        }
        if let Some(text) = &self.array {
            settings.array = array::<G>(Some(text))?;
        }
        Ok(())
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

/// Take up a run that was stopped or killed
#[derive(clap::Args)]
pub(super) struct ResumeArgs {
    /// The folder of the run
    folder: PathBuf,
    #[command(flatten)]
    how: How,
}

/// What does not change the evolution.
#[derive(clap::Args)]
struct How {
    /// The language of the pictures: en or ja
    #[arg(long, value_enum, default_value_t, value_name = "LANG", hide_possible_values = true)]
    lang: Language,
    #[command(flatten)]
    format: FormatArg,
    /// Do not measure the champion against the untrained values
    #[arg(long)]
    no_validate: bool,
    /// Save the run after every so many generations, and every five seconds
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    checkpoint_every: u32,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
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
    if args.how.no_validate && args.flags.validation_games.is_some() {
        return Err(input("--validation-games has no effect with --no-validate: leave one of them out"));
    }
    with_game!(args.flags.game()?, G => run_for::<G>(args, out))
}

fn run_for<G: Playable>(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let settings = args.flags.settings::<G>()?;
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&settings));
    work(Job::begin(&folder, settings, (&args.how).into(), args.force)?, &args.how, out)
}

pub(super) fn resume(args: &ResumeArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let game = match run::game_of(&args.folder)? {
        None => GameName::default(),
        Some(name) => name.parse().map_err(|error| {
            input(format!("the run in '{}' cannot be taken up: {error}", args.folder.display()))
        })?,
    };
    with_game!(game, G => resume_for::<G>(args, out))
}

fn resume_for<G: Playable>(args: &ResumeArgs, out: &mut dyn Write) -> Result<(), CliError> {
    match Job::<G>::resume(&args.folder, (&args.how).into())? {
        Some(job) => work(job, &args.how, out),
        None => {
            let name = args.folder.display();
            Ok(writeln!(out, "The run in {name} is complete: there is nothing to do.")?)
        }
    }
}

fn default_folder<G: Playable>(settings: &Settings<G>) -> PathBuf {
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
