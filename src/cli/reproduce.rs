//! `dobutsu-ga reproduce`: tables and figures of the papers, made again and set beside what was published.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::tune::How;
use super::{CliError, FormatArg, Patient, input, on_threads, seed, thread_count};
use crate::command::{Progress, say_how_to_go_on};
use crate::experiment::{DefinitionError, built_in_names, built_in_prose, read_experiment};
use crate::files;
use crate::files::Claim;
use crate::game::{UNSAID_GAME, Variant};
use crate::games::GameName;
use crate::report::{Format, layout};
use crate::run::{Before, Definition, Lab, Manifest, ReproduceError, RunDir, perform};
use crate::session::text_game;

/// Run an experiment and set the result beside the published one
///
/// Each experiment writes tables, pictures, a summary and run.toml into a folder of its own name. If the folder holds
/// results of the same settings already, the run checks that they come out again, byte for byte.
#[derive(clap::Args)]
pub(super) struct Args {
    /// One of those that --list shows, all (of dobutsu), kyoto/all, quoridor/all, hasami/all, or the path of an experiment file
    #[arg(required_unless_present = "list")]
    experiment: Option<String>,
    /// Show what there is, and run nothing
    #[arg(long)]
    list: bool,
    /// How many games each cell of Tables 1 to 3 stands for [default: as many as the experiment says]
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
    #[command(flatten)]
    format: FormatArg,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

/// What is to be carried out.
enum Wanted {
    /// Every experiment of a game that does not take too long.
    All,
    /// One of the game's own.
    Known(String),
    /// One from a file: what was typed, its name and its text.
    File { asked: String, name: String, text: String },
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    if args.list {
        return list(out);
    }
    let asked = args.experiment.as_deref().unwrap_or("all");
    let (game, wanted) = find(asked)?;
    with_game!(game, G => run_for::<G>(args, wanted, out))
}

fn list(out: &mut dyn Write) -> Result<(), CliError> {
    let names = all_names();
    let width = names.iter().map(String::len).max().unwrap_or(0);
    for game in GameName::ALL {
        with_game!(game, G => list_for::<G>(width, out))?;
    }
    Ok(())
}

fn list_for<G: Lab>(width: usize, out: &mut dyn Write) -> Result<(), CliError> {
    for name in built_in_names::<G>() {
        let Definition { prose, minutes, .. } = Definition::<G>::find(&name).map_err(input)?;
        let note = match minutes {
            Some(minutes) => format!(" (about {minutes} minutes on two cores; not part of all)"),
            None => String::new(),
        };
        writeln!(out, "{name:<width$} {}{note}", prose.title)?;
    }
    Ok(())
}

/// The experiments of all games.
fn all_names() -> Vec<String> {
    GameName::ALL.into_iter().flat_map(|game| text_game(game, None).facts().experiments.clone()).collect()
}

/// Whose experiment this is: `table1`, `kyoto/table6`, `kyoto/all`, or a file that says it itself.
fn find(asked: &str) -> Result<(GameName, Wanted), CliError> {
    if asked.ends_with(".toml") {
        let (name, text) = read_experiment(asked).map_err(input)?;
        let table: Option<toml::Table> = text.parse().ok();
        let said = table.as_ref().and_then(|table| table.get("game")?.as_str());
        let game = said
            .unwrap_or(UNSAID_GAME)
            .parse()
            .map_err(|error| input(format!("the experiment file '{asked}' cannot be used: {error}")))?;
        return Ok((game, Wanted::File { asked: asked.to_string(), name, text }));
    }
    let (game, name) = match asked.split_once('/') {
        Some((game, name)) if GameName::VARIANTS.iter().any(|known| known.name() == game) => {
            (game.parse().map_err(input)?, name)
        }
        _ => (GameName::default(), asked),
    };
    let names = all_names();
    // The experiments of the default game are called without it, and may be called with it too.
    let full_name = if game == GameName::default() { name } else { asked };
    let wanted = match name {
        "all" => Wanted::All,
        name if names.contains(&full_name.to_string()) => Wanted::Known(name.to_string()),
        "table4" if game == GameName::default() => return Err(input(TABLE_4)),
        "table6" if game == GameName::default() => return Err(input(TABLE_6)),
        _ => {
            let error = DefinitionError::Unknown { name: asked.to_string(), names: names.join(", ") };
            return Err(input(error));
        }
    };
    Ok((game, wanted))
}

impl Wanted {
    fn definitions<G: Lab>(&self) -> Result<Vec<(String, Definition<G>)>, DefinitionError> {
        match self {
            Wanted::File { asked, name, text } => Ok(vec![(asked.clone(), Definition::parse(name, text)?)]),
            Wanted::Known(name) => {
                let definition = Definition::find(name)?;
                Ok(vec![(definition.name.clone(), definition)])
            }
            Wanted::All => {
                let found = |name: String| Ok((name.clone(), Definition::find(&name)?));
                let all: Result<Vec<(String, Definition<G>)>, _> =
                    built_in_names::<G>().into_iter().map(found).collect();
                Ok(all?.into_iter().filter(|(_, definition)| definition.minutes.is_none()).collect())
            }
        }
    }
}

impl Args {
    /// What is asked for, in a folder.
    fn new(asked: &str, out: &Path, force: bool, format: Format, threads: Option<usize>) -> Args {
        Args {
            experiment: Some(asked.to_string()),
            list: false,
            games: None,
            seed: None,
            out: out.to_path_buf(),
            force,
            format: FormatArg { format: Some(format) },
            threads,
        }
    }
}

/// An experiment that another command has written to a file.
pub(super) struct Written<'a> {
    pub(super) file: &'a Path,
    pub(super) name: String,
    pub(super) text: String,
    pub(super) force: bool,
    pub(super) format: Format,
    pub(super) threads: Option<usize>,
}

/// Carries it out in the folder of the file.
pub(super) fn run_written<G: Lab>(written: Written<'_>, out: &mut dyn Write) -> Result<(), CliError> {
    let Written { file, name, text, force, format, threads } = written;
    let asked = file.display().to_string();
    let home = file.parent().unwrap_or(Path::new("."));
    run_for::<G>(&Args::new(&asked, home, force, format, threads), Wanted::File { asked, name, text }, out)
}

/// What was typed for an experiment, by the first line of its `run.toml`: a name, or the path of a file.
fn asked(manifest: &Manifest) -> Option<&str> {
    let line = manifest.text.lines().next()?.strip_prefix("# Made by: dobutsu-ga reproduce ")?;
    line.split(" --").next()
}

/// Takes up the experiment of a folder.
pub(super) fn resume(
    folder: &Path,
    manifest: &Manifest,
    name: &str,
    how: &How,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let asked = asked(manifest).unwrap_or(name);
    if [layout::SUMMARY, layout::TABLE].iter().any(|page| folder.join(page).exists()) {
        let folder = folder.display();
        writeln!(
            out,
            "The experiment in {folder} is complete: `dobutsu-ga reproduce {asked}` checks that it comes out again."
        )?;
        return Ok(());
    }
    let (game, wanted) = find(asked)?;
    // The experiment's folder is below the one that is given with --out.
    let depth = Path::new(name).components().count();
    let home =
        folder.canonicalize().ok().and_then(|folder| folder.ancestors().nth(depth).map(Path::to_path_buf));
    let home = home.filter(|home| home.join(name) == folder.canonicalize().unwrap_or_default());
    let out_folder =
        home.ok_or_else(|| input(format!("'{}' was moved: it should be called '{name}'", folder.display())))?;
    let args = Args::new(asked, &out_folder, false, how.format.get(), how.threads);
    with_game!(game, G => run_for::<G>(&args, wanted, out))
}

fn run_for<G: Lab>(args: &Args, wanted: Wanted, out: &mut dyn Write) -> Result<(), CliError> {
    let all = matches!(wanted, Wanted::All);
    // Everything that can be refused is refused before the first game.
    let mut prepared = Vec::new();
    for (asked, mut definition) in wanted.definitions::<G>().map_err(input)? {
        match definition.work.with_games(args.games.map(|games| games as usize), args.seed) {
            Some(work) => definition.work = work,
            None if !all && (args.games.is_some() || args.seed.is_some()) => {
                return Err(input(format!(
                    "--games and --seed are for tables of games: '{asked}' has seeds of its own"
                )));
            }
            None => {}
        }
        let wrong = |error| input(format!("the experiment '{}': {error}", definition.name));
        definition.work.needs().map_err(wrong)?;
        let folder =
            RunDir::prepare(&args.out.join(&definition.name), definition.run_toml(&asked), args.force)?;
        prepared.push((definition, folder));
    }
    let home = if G::NAME == UNSAID_GAME { args.out.clone() } else { args.out.join(G::NAME) };
    let readme = home.join("README.md");
    let title = OVERVIEW.lines().next().unwrap_or_default();
    let foreign = files::read_if_there(&readme)?.is_some_and(|text| !text.starts_with(title.as_bytes()));
    if all && foreign && !args.force {
        return Err(input(format!(
            "'{}' is not an overview of ours: --force overwrites it",
            readme.display()
        )));
    }
    let overview_place = if all {
        files::create_folder(&home)?;
        Some(Claim::new(&readme, true)?)
    } else {
        None
    };
    for (_, folder) in &mut prepared {
        folder.open()?;
    }
    let mut out = Patient::new(out);
    let mut overview = String::new();
    let mut before = Before::default();
    for (definition, folder) in prepared {
        let started = Instant::now();
        if definition.minutes.is_some() {
            // Hours of games must not be lost: they are kept as they are played, and belong to these settings.
            folder.begin()?;
            say_how_to_go_on(folder.path());
        }
        let performed = on_threads(args.threads, || {
            perform(&definition, folder.path(), &mut before, &|name, total, unit| {
                Box::new(Progress::new(name, total, unit))
            })
        })??;
        let seconds = started.elapsed().as_secs_f64();
        let drawn = performed.pictures.iter().flat_map(|picture| picture.files(args.format.get()));
        let files: Vec<_> = performed.files.into_iter().chain(drawn).collect();
        let same = folder.write(&files)?;
        write!(out, "{}", performed.text)?;
        for [what, paper, ours, verdict] in &performed.overview {
            let folder = definition.name.rsplit('/').next().unwrap_or(&definition.name);
            let link = format!("[{}]({folder})", definition.prose.title);
            let _ = writeln!(overview, "| {link} | {what} | {paper} | {ours} | {verdict} |");
        }
        let what = if same { "came out again, byte for byte, in" } else { "written to" };
        writeln!(out, "\n{} took {seconds:.1} s; {what} {}\n", definition.name, folder.path().display())?;
    }
    if let Some(place) = overview_place {
        let made_by = if G::NAME == UNSAID_GAME { "all".to_string() } else { format!("{}/all", G::NAME) };
        let head = OVERVIEW.replace("{made_by}", &made_by) + &findings::<G>(&home)?;
        place.write((head + PUBLISHED + &overview).as_bytes())?;
        writeln!(out, "An overview is in {}", readme.display())?;
    }
    out.finish()
}

/// Tables of the Dobutsu thesis that are no experiments of their own.
const TABLE_4: &str = "Table 4 of the Dobutsu thesis is its input: the untrained piece values, which 'dobutsu-ga players' shows as material; \
     'reproduce table5' sets the evolved values beside them";
const TABLE_6: &str = "Table 6 of the Dobutsu thesis, the generation in which each gene froze, comes from the runs of Table 5: use 'reproduce table5'";

const OVERVIEW: &str = "# Experiments: questions and findings

Written by `dobutsu-ga reproduce {made_by}`. Each folder holds the rows, a picture, a summary with an analysis, and by what it was made.
The findings are those of the committed results.

| experiment | question | finding |
|---|---|---|
";

/// The head of the second half, which is about this very run.
const PUBLISHED: &str = "
## Published numbers beside ours

Where a paper reports a single run of a random process, ours are as many runs as the experiment has seeds: the median, the quartiles, and where the published value falls.

| experiment | what | paper | ours | verdict |
|---|---|---|---|---|
";

/// A line for every experiment of the game, with a link to it if it has been carried out.
fn findings<G: Lab>(home: &Path) -> Result<String, CliError> {
    let mut text = String::new();
    for name in built_in_names::<G>() {
        let prose = built_in_prose::<G>(&name).expect("it comes with the program");
        let folder = name.rsplit('/').next().unwrap_or(&name);
        let made = home.join(folder).join(layout::RUN).exists();
        let name = if made { format!("[{folder}]({folder})") } else { folder.to_string() };
        let _ = writeln!(text, "| {name} | {} | {} |", prose.asks, prose.finds);
    }
    Ok(text)
}

impl From<ReproduceError> for CliError {
    fn from(error: ReproduceError) -> CliError {
        match error {
            ReproduceError::File(error) => CliError::File(error),
            error => input(error),
        }
    }
}
