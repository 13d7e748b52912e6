//! `dobutsu-ga learn pa`: weights of Quoridor's evaluator from games against oneself.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use super::report::pa_picture;
use super::run::{END, PaError, learn_pa};
use super::{PaSettings, PaState};
use crate::arena::{Conditions, Estimate, Pairing, Standings, elo, play_all, score_interval};
use crate::command::{
    CliError, FormatArg, Given, Progress, Resumed, Task, input, on_threads, results, stop_flag, stopped,
    thread_count,
};
use crate::game::{Game, GeneInfo, Genome, Usual, Weighted};
use crate::games::GameName;
use crate::games::quoridor::Position;
use crate::players::{GameInfo, PlayerSpec};
use crate::report::{Language, layout};

/// Passive-aggressive learning (PA-I) from games against oneself, as the Quoridor report does it
///
/// After every round all positions of its games update the weights: where the side to move won, the weighted sum should be
/// small. Writes weights.csv and a picture of it over the rounds, champion.toml and a summary with fresh games against plain and
/// report. Stopped or killed, `dobutsu-ga resume FOLDER` goes on.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  dobutsu-ga learn pa\n  \
                        dobutsu-ga learn pa --rounds 500 --starts files --seed 7 --out results/quoridor/pa-7\n  \
                        dobutsu-ga learn pa --start-weights ones --out results/quoridor/pa-from-ones")]
pub(crate) struct Args {
    /// Which game: the report's features are quoridor's
    #[arg(long, value_name = "GAME", default_value_t = GameName::Quoridor)]
    game: GameName,
    #[command(flatten)]
    given: Given<PaSettings>,
    /// How many fresh games the champion plays against plain and against report
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    validation_games: u32,
    /// The language of the picture
    #[arg(long, value_enum, value_name = "LANG", default_value_t)]
    lang: Language,
    #[command(flatten)]
    format: FormatArg,
    /// The folder for the results [default: results/quoridor/pa]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Overwrite results of other settings
    #[arg(long)]
    force: bool,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    if args.game != GameName::Quoridor {
        return Err(input(format!(
            "{} has none of the report's features: learn pa is for --game quoridor",
            args.game
        )));
    }
    let task = Task {
        settings: args.given.settings(&GameInfo::of::<Position>())?,
        validation_games: args.validation_games,
        path: args.out.clone().unwrap_or_else(|| results::<Position>().join("pa")),
        force: args.force,
        extends: None,
        lang: args.lang,
        format: args.format.get(),
        threads: args.threads,
        checkpoint_every: 1,
    };
    carry_out(&task, out)
}

/// What `run.toml` calls the command.
pub(crate) const COMMAND: &str = "learn pa";

/// Takes up the run of a folder.
pub(crate) fn resume(resumed: &Resumed<'_>, out: &mut dyn Write) -> Result<(), CliError> {
    carry_out(&resumed.task(&GameInfo::of::<Position>(), END)?, out)
}

fn carry_out(task: &Task<PaSettings>, out: &mut dyn Write) -> Result<(), CliError> {
    let Task { settings, path, validation_games, .. } = task;
    let PaSettings { seed, rounds, games, .. } = *settings;
    let run = task.run_toml(Position::NAME, COMMAND, "", None, None);
    let names = [layout::WEIGHTS_LEARNER, layout::WEIGHTS, layout::CHAMPION, layout::SUMMARY];
    let folder = task.folder(run, names.map(String::from), &[layout::WEIGHTS_PICTURE])?;
    let progress = Progress::new("learning", u64::from(rounds), "rounds");
    let stop = stop_flag();
    let states = on_threads(task.threads, || learn_pa(settings, path, &progress, stop))??;
    drop(progress);
    let done = states.last().map_or(0, |state| state.round);
    if done < rounds {
        return Err(stopped(&format!("Stopped after {done} rounds"), path));
    }
    let champion = states.last().map_or_else(Genome::untrained, |state| state.genome(settings));
    let duels = on_threads(task.threads, || validate(settings, champion, *validation_games))?;
    let text = summary(settings, &states, &duels, *validation_games);
    let genome = format!(
        "# Learned by `dobutsu-ga learn pa` in {rounds} rounds of {games} games with seed {seed} (see run.toml).\n# {}\n{}",
        settings.origin(),
        champion.to_toml()
    );
    folder.overwrite(&[
        (layout::CHAMPION, genome.into_bytes()),
        (layout::SUMMARY, text.clone().into_bytes()),
    ])?;
    folder.overwrite(&pa_picture(&states, task.lang).files(task.format))?;
    folder.write_checksums([layout::WEIGHTS, layout::CHAMPION, layout::SUMMARY])?;
    writeln!(out, "{text}\nWritten to {}", path.display())?;
    Ok(())
}

/// The champion in fresh games against `plain` and `report`, with random openings and sides swapped.
fn validate(settings: &PaSettings, champion: Genome<Position>, games: u32) -> Vec<(&'static str, Estimate)> {
    let conditions = Conditions {
        opening_plies: Position::WEIGHTS.tuner_opening,
        // Apart from the seeds of learning.
        ..Conditions::new(Usual::Usual, settings.seed ^ 1 << 40)
    };
    let duel = |name: &'static str| {
        let genome = Genome::named(name).unwrap_or_else(Genome::untrained);
        let players = [("champion", champion), (name, genome)]
            .map(|(name, genome)| PlayerSpec::searching(name, genome, settings.depth));
        let pairings = [Pairing { first: 0, second: 1, games: games as usize / 2 * 2, swap: true }];
        let played = play_all(&players, &pairings, &conditions, &|| ());
        let scored: Vec<_> = played.iter().map(|game| game.scored).collect();
        let standings = Standings::new(2, &pairings, &scored);
        (name, score_interval(&standings.total(0), &standings.pairs[0]))
    };
    ["plain", "report"].map(duel).to_vec()
}

fn summary(
    settings: &PaSettings,
    states: &[PaState],
    duels: &[(&'static str, Estimate)],
    games: u32,
) -> String {
    let PaSettings { seed, rounds, games: per_round, c, step, starts, label, depth, .. } = settings;
    let mut text = format!(
        "# Passive-aggressive learning\n\n{rounds} rounds of {per_round} games, seed {seed}, C {c}, step {step}, starts {starts}, label {label}, {depth} plies.\n\n{}\n\n\
         | weight | before | learned | report |\n|---|---|---|---|\n",
        settings.origin()
    );
    let published = Genome::<Position>::named("report").unwrap_or_else(Genome::untrained);
    if let (Some(first), Some(last)) = (states.first(), states.last()) {
        for (i, gene) in Position::WEIGHTS.genes[..first.weights.len()].iter().enumerate() {
            let report = f64::from(published.values()[i]) / 1000.0;
            let GeneInfo { english, .. } = gene;
            let _ = writeln!(
                text,
                "| {gene} ({english}) | {:.3} | {:.6} | {report:.3} |",
                first.weights[i], last.weights[i]
            );
        }
        let examples: u64 = states.iter().map(|state| u64::from(state.last.examples)).sum();
        let _ = writeln!(text, "\n{examples} positions were learned from.");
    }
    let _ = writeln!(
        text,
        "\nThe champion in {games} fresh games each, sides swapped, four random moves at the beginning (95 % intervals):\n"
    );
    text += "| against | score % | Elo |\n|---|---|---|\n";
    for (name, Estimate { value, low, high }) in duels {
        let [elo, elo_low, elo_high] = [*value, *low, *high].map(elo);
        let _ = writeln!(
            text,
            "| {name} | {:.1} [{:.1}, {:.1}] | {elo:+.0} [{elo_low:+.0}, {elo_high:+.0}] |",
            100.0 * value,
            100.0 * low,
            100.0 * high
        );
    }
    text
}

impl From<PaError> for CliError {
    fn from(error: PaError) -> CliError {
        match error {
            PaError::File(error) => CliError::File(error),
            error => input(error),
        }
    }
}
