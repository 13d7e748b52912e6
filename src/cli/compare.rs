//! `dobutsu-ga compare`: several ways to set up the tuner, each with the same seeds.

use std::io::Write;
use std::path::PathBuf;

use super::reproduce::Written;
use super::tune::Flags;
use super::{CliError, FormatArg, input, reproduce, thread_count};
use crate::experiment::SeedRange;
use crate::files;
use crate::learn::{Declared, Setting, Settings, set_at, table_of};
use crate::players::{GameInfo, Playable};
use crate::run::Lab;
use crate::values::shown;

/// Compare settings of the tuner: every combination of the varied values with the same seeds
///
/// Each champion plays the untrained values from openings that are drawn with perfect play, and its moves are graded by the solved game.
/// Writes the comparison as an experiment file beside the folder of its results; `dobutsu-ga reproduce FILE` repeats it.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  dobutsu-ga compare --vary population=5,10,20 --seeds 1..10 --generations 200\n  \
    dobutsu-ga compare --vary mutation=0.01,0.03 --vary elite=1,2 --seeds 1..5 --generations 100"
)]
pub(super) struct Args {
    /// Setting and its values; may be given several times
    #[arg(long, value_name = "SETTING=A,B,…", required = true)]
    vary: Vec<String>,
    /// Seeds, both ends included
    #[arg(long, value_name = "A..B", default_value = "1..10")]
    seeds: SeedRange,
    /// Games of each champion against the untrained values (an even number)
    #[arg(long, value_name = "N", default_value_t = 2000)]
    games: usize,
    /// Positions of its own games in which each champion's moves are graded
    #[arg(long, value_name = "N", default_value_t = 1000)]
    positions: usize,
    #[command(flatten)]
    flags: Flags,
    /// Folder for the file and the folder of the comparison
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    out: PathBuf,
    /// Overwrite results of other settings
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    format: FormatArg,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

/// The random moves before the games of champions.
const OPENING_PLIES: i64 = 4;

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    with_game!(args.flags.game()?, G => run_for::<G>(args, out))
}

fn run_for<G: Lab>(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    super::needs_solution::<G>("compare")?;
    if args.flags.given.has("seed") {
        return Err(input("a comparison takes its seeds from --seeds: --seed has no meaning here"));
    }
    let game = GameInfo::of::<G>();
    let base = table_of(&args.flags.settings::<G>()?);
    let mut arms = vec![(Vec::new(), base)];
    for varied in &args.vary {
        let (key, values) = values(varied)?;
        let with = |(names, table): &(Vec<String>, toml::Table), value: &toml::Value| {
            let (mut names, mut table) = (names.clone(), table.clone());
            names.push(format!("{key}={}", shown(value)));
            set_at(&mut table, key, value.clone());
            (names, table)
        };
        arms = arms.iter().flat_map(|arm| values.iter().map(move |value| with(arm, value))).collect();
    }
    for (names, table) in &arms {
        let settings = Settings::from_table(&game, table.clone());
        let checked = settings.and_then(|settings| settings.check(&game));
        checked.map_err(|why| input(format!("{}: {why}", names.join(", "))))?;
    }
    let title = args.vary.join(", ");
    let name = format!("compare-{}", title.replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "-"));
    let text = definition::<G>(args, &title, &arms);
    files::create_folder(&args.out)?;
    let file = args.out.join(format!("{name}.toml"));
    if files::read_if_there(&file)?.is_some_and(|there| there != text.as_bytes()) && !args.force {
        return Err(input(format!(
            "'{}' is a comparison with other settings: --force overwrites it, --out FOLDER writes elsewhere",
            file.display()
        )));
    }
    files::write(&file, text.as_bytes())?;
    let (force, format, threads) = (args.force, args.format.get(), args.threads);
    reproduce::run_written::<G>(Written { file: &file, name, text, force, format, threads }, out)
}

/// A setting and the values that it takes.
fn values(varied: &str) -> Result<(&'static str, Vec<toml::Value>), CliError> {
    let (name, values) = varied
        .split_once('=')
        .ok_or_else(|| input(format!("--vary {varied}: write SETTING=A,B, as in population=5,10,20")))?;
    let declared = Settings::declared();
    let Some(Setting { key, values: allowed, .. }) =
        declared.into_iter().find(|setting| setting.option == name)
    else {
        return Err(input(format!(
            "--vary {varied}: the tuner has no setting '{name}' (see `dobutsu-ga --help`)"
        )));
    };
    let read = |text: &str| {
        let value = allowed.read(text).ok().filter(|value| allowed.holds(value));
        value.ok_or_else(|| input(format!("--vary {varied}: '{text}' is no {name}, it must be {allowed}")))
    };
    Ok((key, values.split(',').map(read).collect::<Result<_, _>>()?))
}

/// The experiment file.
fn definition<G: Playable>(args: &Args, title: &str, arms: &[(Vec<String>, toml::Table)]) -> String {
    let arm = |(names, table): &(Vec<String>, toml::Table)| {
        let mut settings = table.clone();
        for key in ["version", "seed"] {
            settings.remove(key);
        }
        let mut arm = toml::Table::new();
        arm.insert("name".to_string(), names.join(", ").into());
        arm.insert("settings".to_string(), settings.into());
        toml::Value::Table(arm)
    };
    let mut work = toml::Table::new();
    work.insert("seeds".to_string(), String::from(args.seeds.clone()).into());
    work.insert("games".to_string(), (args.games as i64).into());
    work.insert("opening-plies".to_string(), OPENING_PLIES.into());
    work.insert("positions".to_string(), (args.positions as i64).into());
    work.insert("arms".to_string(), arms.iter().map(arm).collect::<Vec<_>>().into());
    let mut file = toml::Table::new();
    file.insert("game".to_string(), G::NAME.into());
    file.insert("title".to_string(), format!("Comparison: {title}").into());
    file.insert(
        "question".to_string(),
        format!("Which of these settings of the tuner finds better values: {title}?").into(),
    );
    file.insert("analysis".to_string(), String::new().into());
    file.insert("minutes".to_string(), 1.into());
    file.insert("arms".to_string(), work.into());
    let text = toml::to_string(&file).expect("numbers and texts can be written");
    format!("# Written by `dobutsu-ga compare`.\n{text}")
}
