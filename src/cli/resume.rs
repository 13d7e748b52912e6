//! `dobutsu-ga resume`: takes up a run of any kind that was stopped or killed, or extends one that is finished.

use std::io::Write;
use std::path::PathBuf;

use super::{CliError, input, reproduce, tune};
use crate::command::{say_how_to_go_on, train};
use crate::run::{self, Made, Manifest, Options, Resumed};

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
    /// Keep a numbered copy of the network after every N games or cycles
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    keep_every: Option<u32>,
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
    let Args { folder, end, keep_every, how } = args;
    let shown = folder.display();
    let manifest = Manifest::read(folder)?.ok_or_else(|| {
        input(format!("'{shown}' holds no run that could be taken up: there is no run.toml in it"))
    })?;
    let end = end.given();
    if let (Made::Experiment(name), None) = (&manifest.made, end) {
        return reproduce::resume(folder, &manifest, name, how, out);
    }
    let options = Options { keep_every: *keep_every, ..how.into() };
    let resumed = Resumed { manifest: &manifest, folder, end, options };
    if manifest.made == Made::Sweep {
        say_how_to_go_on(folder);
    }
    match run::resume(&resumed)? {
        Some(mut training) => train(&mut *training, folder, &options, how.threads, out),
        None => Ok(writeln!(out, "The run in {shown} is complete: --generations N extends it.")?),
    }
}
