//! `dobutsu-ga resume`: takes up a run of any kind that was stopped or killed, or extends one that is finished.

use std::io::Write;
use std::path::PathBuf;

use super::{CliError, input, learn, reproduce, sweep, tune};
use crate::command::Resumed;
use crate::games::GameName;
use crate::run::{Made, Manifest};

/// Take up a run that was stopped or killed, or extend one that is finished
///
/// Takes the folder of a run of the tuner, a sweep, a learner or an experiment. The result has the same bytes as that of a run that was
/// never stopped.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  dobutsu-ga resume results/paper-first-seed1 --generations 3000\n  \
    dobutsu-ga resume results/kyoto/alphazero-small --cycles 120")]
pub(super) struct Args {
    /// Folder of the run
    folder: PathBuf,
    #[command(flatten)]
    end: End,
    #[command(flatten)]
    how: tune::How,
}

/// How far the run goes, if further than it was begun with.
#[derive(clap::Args)]
#[group(multiple = false)]
struct End {
    /// Extend a run of the tuner to N generations
    #[arg(long, value_name = "N")]
    generations: Option<u32>,
    /// Extend a run of `learn alphazero` to N cycles; schedules over the whole run stretch, the replay window of a finished run restarts
    #[arg(long, value_name = "N")]
    cycles: Option<u32>,
    /// Extend a run of `learn dqn` to N games; schedules over the whole run stretch, the replay buffer of a finished run restarts
    #[arg(long, value_name = "N")]
    episodes: Option<u32>,
    /// Extend a run of `learn pa` to N rounds
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
}

impl End {
    /// The setting that ends the run, and its new value.
    fn given(&self) -> Option<(&'static str, u32)> {
        let End { generations, cycles, episodes, rounds } = *self;
        let all =
            [("generations", generations), ("cycles", cycles), ("episodes", episodes), ("rounds", rounds)];
        all.into_iter().find_map(|(key, end)| Some((key, end?)))
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let Args { folder, end, how } = args;
    let shown = folder.display();
    let manifest = Manifest::read(folder)?.ok_or_else(|| {
        input(format!("'{shown}' holds no run that could be taken up: there is no run.toml in it"))
    })?;
    let game: GameName = manifest
        .game
        .parse()
        .map_err(|error| input(format!("the run in '{shown}' cannot be taken up: {error}")))?;
    let end = end.given();
    let refused = |key: &str| match manifest.made {
        Made::Tuner => input(format!("--{key} is not for a run of the tuner: its end is --generations")),
        _ => input(format!("--{key} is not for `{}`", manifest.command())),
    };
    match (&manifest.made, end) {
        (Made::Tuner, None | Some(("generations", _))) => {
            let generations = end.map(|(_, generations)| generations);
            with_game!(game, G => tune::resume::<G>(folder, generations, how, out))
        }
        (Made::Learner(command), _) => {
            let resumed = Resumed {
                manifest: &manifest,
                folder,
                end,
                lang: how.lang,
                format: how.format.get(),
                threads: how.threads,
                checkpoint_every: how.checkpoint_every,
            };
            learn::resume(command, game, &resumed, out)
        }
        (Made::Tuner | Made::Sweep | Made::Experiment(_) | Made::Report(_), Some((key, _))) => {
            Err(refused(key))
        }
        (Made::Sweep, None) => with_game!(game, G => sweep::resume::<G>(folder, how, out)),
        (Made::Experiment(name), None) => reproduce::resume(folder, &manifest, name, how, out),
        (Made::Report(command), None) => Err(input(format!(
            "'{shown}' holds the results of `dobutsu-ga {command}`, which is not resumed: the same command checks them"
        ))),
    }
}
