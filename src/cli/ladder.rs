//! `dobutsu-ga ladder`: how much stronger is each level than the one below?

use std::io::Write;
use std::path::PathBuf;

use super::versus::game_count;
use super::{CliError, GameArg, Patient, input, on_threads, results, seed, tell, thread_count};
use crate::command::Progress;
use crate::experiment::{DuelPair, DuelsWork, run_duels};
use crate::players::Playable;
use crate::players::{Level, PlayerSpec, SpecError};
use crate::report::layout::{LADDER, TABLE};
use crate::report::{Step, ladder_csv, ladder_markdown};
use crate::run::RunDir;
use crate::run::Watch;

/// Measure the levels of a game: each plays the one below, and should score 70 to 80 %
///
/// Sides are swapped in pairs of games. Games begin as on the page where levels draw lots enough to play different ones (dobutsu); elsewhere each
/// pair of games begins with the same few random moves, as in the tuner. The table says how many games differ. Writes table.md, ladder.csv
/// and run.toml; if the folder holds results of the same settings already, the run checks that they come out again, byte for byte.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  dobutsu-ga ladder\n  dobutsu-ga ladder --game kyoto --games 60 --out kyoto-ladder\n\n\
                        The last level of dobutsu needs the solution of the game, which `dobutsu-ga solve --rules official` makes: \
                        without it, that step is left out."
)]
pub(super) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// How many games each level plays against the one below (even: they swap sides)
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = game_count)]
    games: usize,
    /// Where all chance comes from: the same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = seed)]
    seed: u64,
    /// By which rules (see `dobutsu-ga games`) [default: dobutsu official, elsewhere the game's first]
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
    /// Where the table goes [default: results/ladder, or results/GAME/ladder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Overwrite a table of other settings in that folder
    #[arg(long)]
    force: bool,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    with_game!(args.game.game, G => run_for::<G>(args, out))
}

fn run_for<G: Playable>(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let rules = args
        .rules
        .as_deref()
        .map_or(Ok(G::OFFER.ladder_rules.unwrap_or_default()), |text| text.parse().map_err(input))?;
    let levels = playable::<G>(rules)?;
    let Args { games, seed, .. } = *args;
    let work = DuelsWork::<G>::new(games, seed, rules, G::WEIGHTS.tuner_opening, pairs(&levels));
    let path = args.out.clone().unwrap_or_else(|| results::<G>().join("ladder"));
    let mut folder = RunDir::prepare(&path, run_toml(&work, &levels), args.force)?;
    folder.open()?;
    let progress = Progress::new("playing", work.all_games() as u64, "games");
    let results = on_threads(args.threads, || run_duels(&work, &|| progress.step(), None))??;
    drop(progress);
    let steps: Vec<Step<'_>> = (2..)
        .zip(levels.windows(2).zip(results))
        .map(|(number, (pair, result))| Step { number, level: pair[1], below: pair[0], result })
        .collect();
    let begun = match work.opening_plies {
        0 => "from the start".to_string(),
        plies => format!("each pair of games from the same {plies} random moves"),
    };
    let about = format!("{games} games a step, sides swapped, {begun}, {rules} rules, seed {seed}");
    let files =
        [(LADDER, ladder_csv(&steps).into_bytes()), (TABLE, ladder_markdown(&about, &steps).into_bytes())];
    let same = folder.write(&files)?;
    let mut out = Patient::new(out);
    writeln!(out, "Levels of {}: {about}\n", G::NAME)?;
    write_steps(&mut out, &steps)?;
    let what = if same { "came out again, byte for byte, in" } else { "written to" };
    writeln!(out, "\nThe table {what} {}", folder.path().display())?;
    out.finish()
}

/// The levels that can play by these rules here. Those that cannot are named with the reason.
fn playable<G: Playable>(rules: G::Rules) -> Result<Vec<&'static Level>, CliError> {
    let mut levels = Vec::new();
    for level in G::OFFER.levels {
        match level.player.parse::<PlayerSpec<G>>()?.check(rules) {
            Ok(()) => levels.push(level),
            Err(error @ SpecError::Table(_)) => tell(format_args!("{level} is left out: {error}")),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(levels)
}

fn pairs(levels: &[&Level]) -> Vec<DuelPair> {
    let pair = |pair: &[&Level]| DuelPair::new(&pair[1].to_string(), pair[1].player, pair[0].player);
    levels.windows(2).map(pair).collect()
}

/// By what the table was made.
fn run_toml<G: Playable>(work: &DuelsWork<G>, levels: &[&Level]) -> String {
    let players: Vec<&str> = levels.iter().map(|level| level.player).collect();
    format!(
        "version = {:?}\ncommand = \"ladder\"\ngame = {:?}\nplayers = {players:?}\ngames = {}\nseed = {}\nopening-plies = {}\nrules = \"{}\"\n",
        env!("CARGO_PKG_VERSION"),
        G::NAME,
        work.games,
        work.seed,
        work.opening_plies,
        work.rules
    )
}

fn write_steps(out: &mut dyn Write, steps: &[Step<'_>]) -> Result<(), CliError> {
    let width = |of: &dyn Fn(&Step<'_>) -> usize| steps.iter().map(of).max().unwrap_or(0);
    let name =
        width(&|step| step.level.to_string().chars().count().max(step.below.to_string().chars().count()));
    let player = width(&|step| step.level.player.len().max(step.below.player.len()));
    writeln!(
        out,
        "step  {:<name$}  {:<player$}  {:<name$}  {:<player$}  {:>5}  {:>9}  {:>5}  {:<18}  70 to 80 %",
        "level", "player", "against", "player", "games", "different", "draws", "score %"
    )?;
    for step in steps {
        let Step { number, level, below, result } = step;
        let tally = result.tally();
        writeln!(
            out,
            "{number:>4}  {:<name$}  {:<player$}  {:<name$}  {:<player$}  {:>5}  {:>9}  {:>5}  {:<18}  {}",
            level.to_string(),
            level.player,
            below.to_string(),
            below.player,
            tally.games(),
            result.different,
            tally.draws,
            step.score(),
            step.verdict()
        )?;
    }
    Ok(())
}
