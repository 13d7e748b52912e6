//! `dobutsu-ga learn dqn`: a network that learns Hasami Shogi by playing.

use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

use serde::Serialize;

use super::experiment::meeting;
use super::report::{learning_csv, learning_picture};
use super::run::{DqnEnd, DqnJobError, learn_dqn};
use super::{Dqn, DqnPreset, DqnSettings, DropoutAt, EndReward, Maximum, Plies, Reward, Sides, View};
use crate::arena::Conditions;
use crate::command::{
    CliError, FormatArg, Progress, input, on_or_off, on_threads, results, seed, stop_flag, tell, thread_count,
};
use crate::experiment::{DuelPair, DuelResult, DuelsWork, run_duel};
use crate::files;
use crate::game::Game;
use crate::games::GameName;
use crate::games::hasami::{Position, network_player};
use crate::nets::processor;
use crate::players::SpecError;
use crate::report::{Folder, Format, Language, duels_markdown, layout};
use crate::run::Watch;

/// Train a network for Hasami Shogi by deep Q-learning (DQN), soundly or as in the Hasami report's listing
///
/// Writes network.safetensors, which every command takes as the player net=FILE (it has the outputs of playable moves only), learning.csv
/// and a picture of it over the games, and a summary with fresh games against other players. A run that was stopped or killed continues
/// when the same command is given again.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  dobutsu-ga learn dqn --game hasami\n  \
    dobutsu-ga learn dqn --preset paper --episodes 1000 --out results/hasami/listing\n  \
    dobutsu-ga learn dqn --opponent random --opponent report:depth=1 --opponent self --seed 7 --out results/hasami/wish\n  \
    dobutsu-ga match --game hasami net=results/hasami/wish/network.safetensors report:depth=1 --opening-plies 4")]
pub(crate) struct Args {
    /// The game: only hasami has this network
    #[arg(long, value_name = "GAME", default_value_t = GameName::Hasami)]
    game: GameName,
    /// Settings to start from: sound (learns well) or paper (the Hasami report's listing as printed)
    #[arg(long, value_name = "NAME", default_value_t)]
    preset: DqnPreset,
    /// Random seed; the same seed reproduces identical files [default: 1]
    #[arg(long, value_name = "S", value_parser = seed)]
    seed: Option<u64>,
    /// Training games [sound: 2000, paper: 10000]
    #[arg(long, value_name = "N")]
    episodes: Option<u32>,
    /// Training opponent: any player of the game, or self; if given several times, the opponents get equal shares of the games, one
    /// after the other. random draws any legal move, as the listing's opponent does in training; random-piece draws a piece and then
    /// one of its moves, as the report's opponent in Table 13 does [default: random]
    #[arg(long, value_name = "PLAYER")]
    opponent: Vec<String>,
    /// Size of the replay buffer in plies [default: 500000]
    #[arg(long, value_name = "N")]
    replay: Option<usize>,
    /// Batch size [default: 256]
    #[arg(long, value_name = "N")]
    batch: Option<usize>,
    /// Plies between updates of the target network [sound: 4000, paper: 500]
    #[arg(long, value_name = "N")]
    target_interval: Option<u64>,
    /// Plies between training steps [sound: 4, paper: 1]
    #[arg(long, value_name = "N")]
    update_interval: Option<u64>,
    /// Exploration rate in the first game: the share of moves drawn at random [default: 1]
    #[arg(long, value_name = "SHARE")]
    epsilon: Option<f64>,
    /// Factor of the exploration rate after every game [sound: 0.996, paper: 0.9999]
    #[arg(long, value_name = "F")]
    epsilon_decay: Option<f64>,
    /// Minimum exploration rate [default: 0.01]
    #[arg(long, value_name = "SHARE")]
    epsilon_min: Option<f64>,
    /// Initial Adam learning rate; the text of the Hasami report says 0.01, its listing 0.001 [sound: 0.0001, paper: 0.001]
    #[arg(long, value_name = "R")]
    learning_rate: Option<f64>,
    /// Final Adam learning rate; it changes linearly over the games [sound: 0.00001; paper, or if only --learning-rate is given: the
    /// initial one]
    #[arg(long, value_name = "R")]
    learning_rate_end: Option<f64>,
    /// Discount factor [sound: 0.9, paper: 0.99]
    #[arg(long, value_name = "F")]
    discount: Option<f64>,
    /// Reward terms to change, as in capture=5,exposed=-1: capture, exposed, contact, risk-ahead, risk-level, risk-behind, end, end-lead
    #[arg(long, value_name = "TERMS", value_parser = terms)]
    reward: Option<Terms>,
    /// Side that gets the final reward: winner (the loser pays it) or mover (the side that moved last) [sound: winner, paper: mover]
    #[arg(long, value_name = "WHO")]
    end_reward: Option<EndReward>,
    /// Sides that the learner plays: both (in turn) or first [sound: both, paper: first]
    #[arg(long, value_name = "WHICH")]
    sides: Option<Sides>,
    /// Plies in the replay buffer: own (the learner's; the next state is its next turn) or both (those of both players; the next state
    /// is the next ply) [sound: own, paper: both]
    #[arg(long, value_name = "WHOSE")]
    plies: Option<Plies>,
    /// Outputs over which the target takes its maximum: legal moves, or all 14,641 [sound: legal, paper: all]
    #[arg(long, value_name = "WHICH")]
    maximum: Option<Maximum>,
    /// Boards in the replay buffer: turned (as the learner sees them) or fixed (as the first player sees them) [sound: turned, paper:
    /// fixed]
    #[arg(long, value_name = "HOW")]
    view: Option<View>,
    /// Double DQN: the network chooses the move of the target, the target network values it [sound: on, paper: off]
    #[arg(long, value_name = "on|off", value_parser = on_or_off)]
    double: Option<bool>,
    /// Mirror half of the training positions left to right, chosen at random [sound: on, paper: off]
    #[arg(long, value_name = "on|off", value_parser = on_or_off)]
    mirror: Option<bool>,
    /// Dropout rate after the second hidden layer, or the only one [sound: 0, paper: 0.3]
    #[arg(long, value_name = "SHARE")]
    dropout: Option<f64>,
    /// Passes with dropout: learning (where gradients are computed) or everywhere (also for targets and when moves are chosen) [sound:
    /// learning, paper: everywhere]
    #[arg(long, value_name = "WHERE")]
    dropout_at: Option<DropoutAt>,
    /// Sizes of the hidden layers; the text of the Hasami report describes one of 128, its listing has three [default: 128,128,128]
    #[arg(long, value_name = "SIZES", value_delimiter = ',')]
    hidden: Vec<usize>,
    /// Plies after which a game is a draw [default: 2000]
    #[arg(long, value_name = "N")]
    ply_cap: Option<usize>,
    /// Random moves at the start of each game, which are not learned from [default: 0]
    #[arg(long, value_name = "N")]
    opening_plies: Option<usize>,
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

/// Terms of the reward by name.
#[derive(Clone, Debug)]
struct Terms(Vec<(String, f64)>);

fn terms(text: &str) -> Result<Terms, String> {
    let names: Vec<&str> = Reward::default().terms().map(|(name, _)| name).to_vec();
    let term = |part: &str| {
        let wrong = || {
            format!("'{part}' is no term of the reward: write NAME=NUMBER with one of {}", names.join(", "))
        };
        let (name, number) = part.split_once('=').ok_or_else(wrong)?;
        let number = f64::from_str(number).ok().filter(|number| number.is_finite()).ok_or_else(wrong)?;
        names.contains(&name).then(|| (name.to_string(), number)).ok_or_else(wrong)
    };
    text.split(',').map(term).collect::<Result<_, _>>().map(Terms)
}

impl Args {
    fn settings(&self) -> Result<DqnSettings, CliError> {
        let mut settings = DqnSettings::preset(self.preset);
        macro_rules! take {
            ($($name:ident)*) => {$(
                if let Some(value) = self.$name {
                    settings.$name = value;
                }
            )*};
        }
        take!(seed episodes replay batch target_interval update_interval epsilon epsilon_decay epsilon_min);
        if let Some(rate) = self.learning_rate {
            settings.learning_rate_end = rate;
        }
        take!(learning_rate learning_rate_end discount end_reward sides plies maximum view double mirror dropout dropout_at ply_cap opening_plies);
        if !self.opponent.is_empty() {
            settings.opponents.clone_from(&self.opponent);
        }
        if !self.hidden.is_empty() {
            settings.hidden.clone_from(&self.hidden);
        }
        for (name, number) in self.reward.iter().flat_map(|Terms(terms)| terms) {
            for (term, place) in settings.reward.terms() {
                if term == name {
                    *place = *number;
                }
            }
        }
        settings.check().map_err(input)?;
        Ok(settings)
    }
}

/// What `run.toml` says.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Made<'a> {
    version: &'a str,
    game: &'a str,
    command: &'a str,
    /// What was learned is promised for this kind alone.
    processor: String,
    validation_games: u32,
    learner: &'a DqnSettings,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    if args.game != GameName::Hasami {
        return Err(input(format!("{} has no such network: learn dqn is for --game hasami", args.game)));
    }
    let settings = args.settings()?;
    let path = args.out.clone().unwrap_or_else(|| results::<Position>().join("dqn"));
    let validation_games = args.validation_games / 2 * 2;
    let made = Made {
        version: env!("CARGO_PKG_VERSION"),
        game: Position::NAME,
        command: "learn dqn",
        processor: processor(),
        validation_games,
        learner: &settings,
    };
    let run = format!(
        "# Made by: dobutsu-ga learn dqn (all settings below)\n{}{}",
        settings.describe_opponents(),
        toml::to_string(&made).expect("numbers and texts can be written")
    );
    let mut folder = Folder::prepare(&path, run.clone(), args.force)?;
    folder.open()?;
    if args.force {
        // Before run.toml says anything else, so that nothing of other settings can ever be taken up.
        let names = [layout::LEARNER, layout::NETWORK, layout::LEARNING, layout::SUMMARY].map(String::from);
        for name in names.into_iter().chain(Format::Both.names(layout::LEARNING_PICTURE)) {
            files::remove(&path.join(name))?;
        }
    }
    folder.begin()?;
    let stop = stop_flag();
    let progress = Progress::new("learning", u64::from(settings.episodes), "games");
    let end =
        on_threads(args.threads, || learn_dqn(&settings, &path, args.checkpoint_every, &progress, stop))?;
    drop(progress);
    let learner = match end? {
        DqnEnd::Finished(learner) => learner,
        DqnEnd::Stopped(episodes) => {
            tell(format_args!("Stopped after {episodes} games; the same command goes on from there."));
            return Err(CliError::Stopped);
        }
    };
    folder.overwrite(&[
        (layout::NETWORK, learner.network.for_play().to_bytes(&run)),
        (layout::LEARNING, learning_csv(&learner.rows).into_bytes()),
    ])?;
    folder.overwrite(&learning_picture(&learner.rows, args.lang).files(args.format.get()))?;
    let text = on_threads(args.threads, || summary(&learner, validation_games as usize))??;
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
