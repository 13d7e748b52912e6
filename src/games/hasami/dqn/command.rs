//! `dobutsu-ga learn dqn`: a network that learns Hasami Shogi by playing.

use std::io::Write;
use std::path::PathBuf;

use super::experiment::meeting;
use super::report::{learning_csv, learning_picture};
use super::run::{DqnEnd, DqnJobError, END, learn_dqn};
use super::settings::game;
use super::{Dqn, DqnSettings};
use crate::arena::Conditions;
use crate::command::{
    CliError, FormatArg, Given, Progress, Resumed, Task, input, on_threads, results, stop_flag, stopped,
    thread_count,
};
use crate::experiment::{DuelPair, DuelResult, DuelsWork, run_duel};
use crate::game::Game;
use crate::games::GameName;
use crate::games::hasami::{Position, network_player};
use crate::nets::processor;
use crate::players::SpecError;
use crate::report::{Language, duels_markdown, layout};
use crate::run::Watch;

/// Train a network for Hasami Shogi by deep Q-learning (DQN), soundly or as in the Hasami report's listing
///
/// Writes network.safetensors, which every command takes as the player net=FILE (it has the outputs of playable moves only), learning.csv
/// and a picture of it over the games, and a summary with fresh games against other players. A run that was stopped or killed goes on
/// with `dobutsu-ga resume FOLDER`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  dobutsu-ga learn dqn --game hasami\n  \
    dobutsu-ga learn dqn --preset paper --episodes 1000 --out results/hasami/listing\n  \
    dobutsu-ga learn dqn --opponent random --opponent report:depth=1 --opponent self --seed 7 --out results/hasami/wish\n  \
    dobutsu-ga match --game hasami net=results/hasami/wish/network.safetensors report:depth=1 --opening-plies 4")]
pub(crate) struct Args {
    /// The game: only hasami has this network
    #[arg(long, value_name = "GAME", default_value_t = GameName::Hasami)]
    game: GameName,
    #[command(flatten)]
    given: Given<DqnSettings>,
    /// Save the run after every N games; it is also saved every half minute
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    checkpoint_every: u32,
    /// Games of the final evaluation against each of random and report at depths 1 and 2
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    validation_games: u32,
    /// Language of the picture
    #[arg(long, value_enum, value_name = "LANG", default_value_t)]
    lang: Language,
    #[command(flatten)]
    format: FormatArg,
    /// Folder for the results [default: results/hasami/dqn]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Overwrite results of other settings
    #[arg(long)]
    force: bool,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    if args.game != GameName::Hasami {
        return Err(input(format!("{} has no such network: learn dqn is for --game hasami", args.game)));
    }
    let task = Task {
        settings: args.given.settings(&game())?,
        validation_games: args.validation_games / 2 * 2,
        path: args.out.clone().unwrap_or_else(|| results::<Position>().join("dqn")),
        force: args.force,
        extends: None,
        lang: args.lang,
        format: args.format.get(),
        threads: args.threads,
        checkpoint_every: args.checkpoint_every,
    };
    carry_out(&task, out)
}

/// What `run.toml` calls the command.
pub(crate) const COMMAND: &str = "learn dqn";

/// Takes up the run of a folder.
pub(crate) fn resume(resumed: &Resumed<'_>, out: &mut dyn Write) -> Result<(), CliError> {
    carry_out(&resumed.task(&game(), END)?, out)
}

fn carry_out(task: &Task<DqnSettings>, out: &mut dyn Write) -> Result<(), CliError> {
    let Task { settings, path, validation_games, .. } = task;
    let notes = settings.describe_opponents();
    let run = task.run_toml(Position::NAME, COMMAND, &notes, Some(processor()), None);
    let names = [layout::LEARNER, layout::NETWORK, layout::LEARNING, layout::SUMMARY].map(String::from);
    let folder = task.folder(run.clone(), names, &[layout::LEARNING_PICTURE])?;
    let stop = stop_flag();
    let progress = Progress::new("learning", u64::from(settings.episodes), "games");
    let learn = || learn_dqn(settings, path, task.checkpoint_every, &progress, stop);
    let end = on_threads(task.threads, learn)?;
    drop(progress);
    let learner = match end? {
        DqnEnd::Finished(learner) => learner,
        DqnEnd::Stopped(episodes) => return Err(stopped(&format!("Stopped after {episodes} games"), path)),
    };
    folder.overwrite(&[
        (layout::NETWORK, learner.network.for_play().to_bytes(&run)),
        (layout::LEARNING, learning_csv(&learner.rows).into_bytes()),
    ])?;
    folder.overwrite(&learning_picture(&learner.rows, task.lang).files(task.format))?;
    let text = on_threads(task.threads, || summary(&learner, *validation_games as usize))??;
    folder.overwrite(&[(layout::SUMMARY, text.clone().into_bytes())])?;
    folder.write_checksums([layout::NETWORK, layout::LEARNING, layout::SUMMARY])?;
    writeln!(out, "{text}\nWritten to {}", path.display())?;
    Ok(())
}

/// What was learned, and fresh games against others.
fn summary(learner: &Dqn, games: usize) -> Result<String, CliError> {
    let DqnSettings { preset, seed, episodes, opponents, .. } = &learner.settings;
    let pair = |against: &str| DuelPair::new(&format!("network v {against}"), "network", against);
    let pairs = ["random", "report:depth=1", "report:depth=2"].map(pair).to_vec();
    let conditions = meeting(*seed, 4);
    let Conditions { seed: fresh, rules, opening_plies, .. } = conditions;
    let work: DuelsWork<Position> = DuelsWork::new(games, fresh, rules, opening_plies, pairs);
    let progress = Progress::new("validating", work.all_games() as u64, "games");
    let network = network_player(&learner.network);
    let duel = |pair: &DuelPair| {
        let players = [network.clone(), pair.against.parse()?];
        Ok(run_duel(&players, games, &conditions, &|| Watch::step(&progress)))
    };
    let results: Result<Vec<DuelResult>, SpecError> = work.pairs.iter().map(duel).collect();
    let plies: usize = learner.rows.iter().map(|row| row.plies).sum();
    Ok(format!(
        "# Deep Q-learning, {preset}\n\n{episodes} games against {}, seed {seed}: {plies} plies, {} remembered, {} batches learned.\n\n{}",
        opponents.join(", then "),
        learner.plies,
        learner.updates,
        duels_markdown(&work, &results?)
    ))
}

impl From<DqnJobError> for CliError {
    fn from(error: DqnJobError) -> CliError {
        match error {
            DqnJobError::File(error) => CliError::File(error),
            error => input(error),
        }
    }
}
