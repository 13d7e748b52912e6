//! `dobutsu-ga reproduce`: the paper's tables and figures, made again and set beside what it published.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::progress::Progress;
use super::sweep::run_seeds;
use super::{CliError, Patient, input, on_threads, seed, thread_count};
use crate::experiment::forensic::{ForensicWork, Store, forensic_steps, run_forensic};
use crate::experiment::{Definition, GridResult, SeedResult, TunerWork, Tuning, Work, run_curve, run_grid};
use crate::files::{self, Claim, FileError};
use crate::job::check_oracle;
use crate::learn::Settings;
use crate::report::{
    Folder, FolderError, SweepReport, curve_files, curve_markdown, curve_overview, forensic_files,
    forensic_markdown, grid_files, grid_markdown, grid_overview,
};

/// Run an experiment of the paper and set the result beside the published one
///
/// Each experiment writes tables, pictures, a summary and run.toml into a folder of its own name. If the folder holds
/// results of the same settings already, the run checks that they come out again, byte for byte.
#[derive(clap::Args)]
pub(super) struct Args {
    /// One of those that --list shows, all, or the path of an experiment file
    #[arg(required_unless_present = "list")]
    experiment: Option<String>,
    /// Show what there is, and run nothing
    #[arg(long)]
    list: bool,
    /// How many games each cell of Tables 1 to 3 stands for [default: as many as in the paper]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: Option<u64>,
    /// Where all chance of Tables 1 to 3 comes from [default: the experiment's own]
    #[arg(long, value_name = "S", value_parser = seed)]
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

/// What an experiment gives: its files, what to print, and lines for the overview.
struct Outcome {
    files: Vec<(&'static str, Vec<u8>)>,
    text: String,
    overview: Vec<[String; 4]>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    if args.list {
        for name in Definition::names() {
            let Definition { title, slow, .. } = Definition::find(name).map_err(input)?;
            writeln!(
                out,
                "{name:<11} {title}{}",
                if slow { " (takes minutes; not part of all)" } else { "" }
            )?;
        }
        return Ok(());
    }
    let wanted = args.experiment.as_deref().unwrap_or("all");
    let all = wanted == "all";
    let names = if all { Definition::names() } else { vec![wanted] };
    // Everything that can be refused is refused before the first game.
    let mut prepared = Vec::new();
    for name in names {
        let mut definition = Definition::find(name).map_err(input)?;
        if all && definition.slow {
            continue;
        }
        match &mut definition.work {
            Work::Grid(grid) => {
                grid.games = args.games.map_or(grid.games, |games| games as usize);
                grid.seed = args.seed.unwrap_or(grid.seed);
            }
            _ if !all && (args.games.is_some() || args.seed.is_some()) => {
                return Err(input(format!(
                    "--games and --seed are for tables of games: '{name}' has seeds of its own"
                )));
            }
            _ => {}
        }
        check_tables(&definition)?;
        let folder =
            Folder::prepare(&args.out.join(&definition.name), run_toml(name, &definition), args.force)?;
        prepared.push((definition, folder));
    }
    let readme = args.out.join("README.md");
    let title = OVERVIEW.lines().next().unwrap_or_default();
    let foreign = files::read_if_there(&readme)?.is_some_and(|text| !text.starts_with(title.as_bytes()));
    if all && foreign && !args.force {
        return Err(input(format!(
            "'{}' is not an overview of ours: --force overwrites it",
            readme.display()
        )));
    }
    let overview_place = if all { Some(Claim::new(&readme, true)?) } else { None };
    for (_, folder) in &mut prepared {
        folder.open()?;
    }
    let mut out = Patient::new(out);
    let mut overview = String::new();
    let mut before = Before::default();
    for (definition, folder) in prepared {
        let begin = Instant::now();
        if let Work::Forensic(_) = definition.work {
            // Hours of games must not be lost: they are kept as they are played, and belong to these settings.
            folder.begin()?;
        }
        let outcome = on_threads(args.threads, || perform(&definition, folder.path(), &mut before))??;
        let seconds = begin.elapsed().as_secs_f64();
        let same = folder.write(&outcome.files)?;
        write!(out, "{}", outcome.text)?;
        for [what, paper, ours, verdict] in &outcome.overview {
            let link = format!("[{}]({})", definition.title, definition.name);
            let _ = writeln!(overview, "| {link} | {what} | {paper} | {ours} | {verdict} |");
        }
        let what = if same { "came out again, byte for byte, in" } else { "written to" };
        writeln!(out, "\n{} took {seconds:.1} s; {what} {}\n", definition.name, folder.path().display())?;
    }
    if let Some(place) = overview_place {
        place.write((OVERVIEW.to_string() + &overview).as_bytes())?;
        writeln!(out, "An overview is in {}", readme.display())?;
    }
    out.finish()
}

/// Whoever goes by the solved game must have it.
fn check_tables(definition: &Definition) -> Result<(), CliError> {
    let missing =
        |error: &dyn std::fmt::Display| input(format!("the experiment '{}': {error}", definition.name));
    match &definition.work {
        Work::Grid(grid) => {
            let players = grid.players().map_err(|error| missing(&error))?;
            players.iter().try_for_each(|player| player.check(grid.rules)).map_err(|error| missing(&error))
        }
        Work::Tuner(work) => check_oracle(&work.settings).map_err(|error| missing(&error)),
        Work::Curve(_) | Work::Forensic(_) => Ok(()),
    }
}

const OVERVIEW: &str = "# The paper's tables and figures, made again

Written by `dobutsu-ga reproduce all`. Each folder holds the rows, a picture, a summary with an analysis, and by what it was made.
Where the paper reports a single run of a random process, ours are thirty runs: the median, the quartiles, and where the paper's falls.

| experiment | what | paper | ours | verdict |
|---|---|---|---|---|
";

/// What experiments before have played: some ask another question of the same games.
#[derive(Default)]
struct Before {
    grids: Vec<GridResult>,
    sweeps: Vec<(Settings, Vec<SeedResult>)>,
}

fn perform(definition: &Definition, folder: &Path, before: &mut Before) -> Result<Outcome, CliError> {
    match &definition.work {
        Work::Grid(grid) => {
            let progress =
                Progress::new(&definition.name, (grid.games * grid.players.len().pow(2)) as u64, "games");
            let same = before.grids.iter().find(|other| other.grid.plays_the_same(grid));
            let result = match same {
                Some(other) => GridResult { grid: grid.clone(), cells: other.cells.clone() },
                None => run_grid(grid, &|| progress.step()).map_err(input)?,
            };
            progress.finish();
            before.grids.push(result.clone());
            Ok(Outcome {
                files: grid_files(definition, &result),
                text: grid_markdown(definition, &result),
                overview: vec![grid_overview(&result)],
            })
        }
        Work::Curve(work) => {
            let results = run_curve(work);
            let text = article(definition, &curve_markdown(work, &results));
            let mut files = curve_files(&definition.title, &results);
            files.push(("summary.md", text.clone().into_bytes()));
            Ok(Outcome { files, text, overview: vec![curve_overview(&results)] })
        }
        Work::Tuner(work) => tune(definition, work, before),
        Work::Forensic(work) => {
            let kept = Kept::new(&definition.name, folder, work)?;
            let result = run_forensic(work, &kept)?;
            kept.finish()?;
            let text = article(definition, &forensic_markdown(&result));
            let mut files = forensic_files(&result);
            files.push(("summary.md", text.clone().into_bytes()));
            Ok(Outcome { files, text, overview: Vec::new() })
        }
    }
}

/// What has been played already, in a hidden folder that is gone when all is done.
struct Kept {
    folder: PathBuf,
    fingerprint: String,
    progress: Progress,
}

impl Kept {
    fn new(name: &str, folder: &Path, work: &ForensicWork) -> Result<Kept, CliError> {
        let folder = folder.join(".progress");
        files::create_folder(&folder)?;
        let settings = format!("{}{}", env!("CARGO_PKG_VERSION"), toml::to_string(work).map_err(input)?);
        let progress = Progress::new(name, forensic_steps(work) as u64, "steps");
        Ok(Kept { folder, fingerprint: files::fingerprint(settings.as_bytes()), progress })
    }

    fn finish(self) -> Result<(), CliError> {
        self.progress.finish();
        std::fs::remove_dir_all(&self.folder).map_err(CliError::from)
    }

    fn check(&self, text: &str) -> String {
        files::fingerprint(format!("{}{text}", self.fingerprint).as_bytes())
    }
}

impl Store for Kept {
    fn load(&self, key: &str) -> Option<String> {
        let bytes = files::read_if_there(&self.folder.join(key)).ok()??;
        let text = String::from_utf8(bytes).ok()?;
        let (check, text) = text.split_once('\n')?;
        (check == self.check(text)).then(|| text.to_string())
    }

    fn save(&self, key: &str, text: &str) -> Result<(), FileError> {
        files::write(&self.folder.join(key), format!("{}\n{text}", self.check(text)).as_bytes())
    }

    fn step(&self) {
        self.progress.step();
    }
}

fn tune(definition: &Definition, work: &TunerWork, before: &mut Before) -> Result<Outcome, CliError> {
    let known = before.sweeps.iter().find(|(settings, _)| *settings == work.settings);
    let done = known.map_or(&[][..], |(_, results)| results);
    let results =
        run_seeds(&definition.name, &work.settings, work.seeds.seeds(), work.null, done, &|_| Ok(()))?;
    before.sweeps.push((work.settings.clone(), results.clone()));
    let par = Tuning::new(&work.settings).par();
    let report = SweepReport { settings: &work.settings, results: &results, paper: &work.paper, par };
    let is_figure = work.paper.first.is_none() && work.paper.second.is_none();
    let text = article(definition, &if is_figure { String::new() } else { report.markdown() });
    let mut files = if is_figure { report.chick_files() } else { report.files() };
    files.push(("summary.md", text.clone().into_bytes()));
    Ok(Outcome { files, text, overview: report.overview() })
}

/// Question, tables, analysis.
fn article(definition: &Definition, tables: &str) -> String {
    let Definition { title, question, analysis, .. } = definition;
    let parts = [&format!("# {title}"), question.trim(), tables.trim(), "## Analysis", analysis.trim()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n") + "\n"
}

/// By what the results were made: enough to make them again.
fn run_toml(asked: &str, definition: &Definition) -> String {
    let mut described = String::new();
    let (settings, more) = match &definition.work {
        Work::Grid(grid) => {
            for player in grid.players().into_iter().flatten() {
                let _ = writeln!(described, "# {player}: {}", player.describe());
            }
            (toml::to_string(grid), format!(" --games {} --seed {}", grid.games, grid.seed))
        }
        Work::Tuner(work) => (toml::to_string(work), String::new()),
        Work::Curve(work) => (toml::to_string(work), String::new()),
        Work::Forensic(work) => (toml::to_string(work), String::new()),
    };
    format!(
        "# Made by: dobutsu-ga reproduce {asked}{more}\n{described}version = \"{version}\"\nexperiment = \"{name}\"\n{}",
        settings.expect("numbers and texts can be written"),
        name = definition.name,
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
