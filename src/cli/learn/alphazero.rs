//! `dobutsu-ga learn alphazero`: a network that learns by playing itself.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use crate::arena::Conditions;
use crate::cli::{CliError, FormatArg, input, on_threads, results, seed, stop_flag, tell, thread_count};
use crate::command::Progress;
use crate::experiment::{DuelPair, DuelResult, DuelsWork, run_duel};
use crate::files;
use crate::files::FileError;
use crate::game::Solutions;
use crate::games::GameName;
use crate::learn::alphazero::{AlphaZeroPreset, AlphaZeroSettings, Cycles, Learnable, RateOver, ValueLabels};
use crate::nets::dual::{Heads, Over};
use crate::nets::processor;
use crate::players::{PLAYING, PlayerSpec, dual_player};
use crate::report::{Folder, Format, cycles_files, cycles_markdown, duels_markdown, layout};
use crate::run::{
    AlphaZeroEnd, AlphaZeroHooks, AlphaZeroJobError, Watch, is_judged, learn_alphazero, solution,
};
use crate::search::{Fpu, TreePolicy};

/// A network learns by playing itself (AlphaZero), as the Kyoto Shogi paper does it or small enough for two cores
///
/// In every cycle the best network plays itself with its tree of moves, a network learns from the games, and is measured: against
/// other players, and where the game is solved by perfect play. Writes network.safetensors, which every command takes as the player
/// net=FILE:simulations=100, cycles.csv and a picture of it. Stopped or killed, the same command goes on where it was.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  dobutsu-ga learn alphazero --game dobutsu\n  \
    dobutsu-ga learn alphazero --game kyoto --cycles 20 --out results/kyoto/twenty\n  \
    dobutsu-ga learn alphazero --game kyoto --preset paper --cycles 1 --games 10 --epochs 5 --out results/kyoto/taste\n  \
    dobutsu-ga match --game kyoto net=results/kyoto/twenty/network.safetensors:simulations=100 B:depth=3 --opening-plies 4")]
pub(super) struct Args {
    /// Which game: dobutsu or kyoto
    #[arg(long, value_name = "GAME", default_value_t = GameName::Kyoto)]
    game: GameName,
    /// Where to begin: small (what learns well on two cores) or paper (sizes and rules in the text of the Kyoto AlphaZero paper)
    #[arg(long, value_name = "NAME", default_value_t)]
    preset: AlphaZeroPreset,
    /// With --preset paper: 250 games and 900 epochs a cycle, as in the paper's listing, instead of the text's 500 and 300
    #[arg(long)]
    listing: bool,
    /// By which rules [default: the game's own]
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
    /// Where all chance comes from: the same seed gives the same bytes [default: 1]
    #[arg(long, value_name = "S", value_parser = seed)]
    seed: Option<u64>,
    /// How many cycles [small: 80, paper: 60]
    #[arg(long, value_name = "N")]
    cycles: Option<u32>,
    /// How many games the best network plays against itself in a cycle [small: 256, paper: 500, with --listing 250]
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// How many numbers a square has inside the network [small: 64, paper: 128]
    #[arg(long, value_name = "N")]
    filters: Option<usize>,
    /// How many residual blocks [small: 4, paper: 16]
    #[arg(long, value_name = "N")]
    blocks: Option<usize>,
    /// What policy and value are read from: squares or pooled (means over all squares) [small: squares, paper: pooled]
    #[arg(long, value_name = "KIND")]
    heads: Option<Heads>,
    /// How the tree of moves grows: puct or gumbel [small: gumbel, paper: puct]
    #[arg(long, value_name = "WAY")]
    search: Option<TreePolicy>,
    /// How often moves are tried before one is made [small: 32, paper: 100]
    #[arg(long, value_name = "N")]
    simulations: Option<u32>,
    /// How much the policy counts beside the values (puct) [small: 1.5, paper: 1]
    #[arg(long, value_name = "X")]
    c: Option<f64>,
    /// What a move counts as before it is tried (puct): parent (the position's value) or zero [small: parent, paper: zero]
    #[arg(long = "unvisited", value_name = "WHAT")]
    fpu: Option<Fpu>,
    /// Whether a position is known to be won or lost as soon as the tree shows it [small: on, paper: off]
    #[arg(long = "proofs", value_name = "on|off", value_parser = crate::cli::on_or_off)]
    solver: Option<bool>,
    /// How many moves of the root are candidates at first (gumbel) [default: 16]
    #[arg(long, value_name = "N")]
    candidates: Option<u32>,
    /// How many positions of one tree may wait for their value at once; each counts as lost meanwhile (virtual loss) [default: 1]
    #[arg(long = "waiting", value_name = "N")]
    leaf_batch: Option<u32>,
    /// Whether what a tree has found is kept for the next move (puct) [default: off]
    #[arg(long, value_name = "on|off", value_parser = crate::cli::on_or_off)]
    reuse: Option<bool>,
    /// Which share of the root's policy is noise; with gumbel anything but 0 switches its noise on [small: 0.25, paper: 0]
    #[arg(long, value_name = "SHARE")]
    noise: Option<f64>,
    /// The smaller, the fewer moves get most of the noise (puct) [default: 0.3]
    #[arg(long, value_name = "A")]
    noise_alpha: Option<f64>,
    /// Moves are drawn by how often they were tried, to the power of one over this (puct) [default: 1]
    #[arg(long, value_name = "T")]
    temperature: Option<f64>,
    /// From this ply on the most tried move is made (puct) [default: never]
    #[arg(long, value_name = "N")]
    temperature_plies: Option<usize>,
    /// Each game begins with up to this many random moves, as many as the lot says [small: 6, paper: 0]
    #[arg(long, value_name = "N")]
    opening_plies: Option<usize>,
    /// Call a game a draw after this many plies [small: 200, paper: 800]
    #[arg(long, value_name = "N")]
    ply_cap: Option<usize>,
    /// Whether the game's rule about repeated positions holds [small: on, paper: off]
    #[arg(long, value_name = "on|off", value_parser = crate::cli::on_or_off)]
    repetition: Option<bool>,
    /// From the games of how many cycles it learns [small: 24, paper: 1]
    #[arg(long, value_name = "N")]
    window: Option<u32>,
    /// How often each position of a cycle is learned from, on average [small: 5, paper: 300, with --listing 900]
    #[arg(long, value_name = "X")]
    epochs: Option<f64>,
    /// From how many positions it learns at once [default: 128]
    #[arg(long, value_name = "N")]
    batch: Option<usize>,
    /// How long the steps of Adam are at first; half from the middle on, a quarter in the last fifth [default: 0.001]
    #[arg(long, value_name = "R")]
    learning_rate: Option<f64>,
    /// Of what that is the middle: run (all cycles) or cycle [small: run, paper: cycle]
    #[arg(long, value_name = "SPAN")]
    rate_over: Option<RateOver>,
    /// How much the squares of all weights count beside the losses [small: 0.0001, paper: 0.0005]
    #[arg(long, value_name = "X")]
    l2: Option<f64>,
    /// Among which moves the policy learns to choose: legal or all outputs [small: legal, paper: all]
    #[arg(long, value_name = "WHICH")]
    over: Option<Over>,
    /// Whether half of what is learned from, by lot, is mirrored left to right, which is the same game [small: on, paper: off]
    #[arg(long, value_name = "on|off", value_parser = crate::cli::on_or_off)]
    mirror: Option<bool>,
    /// What the tree said of a position counts so much beside who won [small: 0.5, paper: 0]
    #[arg(long, value_name = "SHARE")]
    value_mix: Option<f64>,
    /// What the value learns from a game: winner (1 for the winner's positions) or inverted (-1, as the paper's listing has it) [default: winner]
    #[arg(long, value_name = "SIGN")]
    value_labels: Option<ValueLabels>,
    /// In how many games a new network must score more than half to become the best; 0 takes every one [small: 0, paper: 20]
    #[arg(long, value_name = "N")]
    gate_games: Option<u32>,
    /// How many games it plays after every cycle against each opponent [default: 10]
    #[arg(long, value_name = "N")]
    measure_games: Option<u32>,
    /// With how many simulations it is measured [default: 100]
    #[arg(long, value_name = "N")]
    measure_simulations: Option<u32>,
    /// Against whom it is measured; may be given several times [dobutsu: random, strong:depth=6; kyoto: random, B:depth=3]
    #[arg(long, value_name = "PLAYER")]
    opponent: Vec<String>,
    /// Whether weak moves are counted in those games (kyoto): checks not answered, moves into check, pieces given away [default: off]
    #[arg(long, value_name = "on|off", value_parser = crate::cli::on_or_off)]
    weaknesses: Option<bool>,
    /// How many fresh games the network plays in the end against each opponent; 0 for none
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    validation_games: u32,
    /// The folder for the results [default: alphazero-PRESET in results, or in results/kyoto]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Overwrite results of other settings
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    format: FormatArg,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

impl Args {
    fn settings<G: Learnable>(&self) -> Result<AlphaZeroSettings, CliError> {
        let mut settings = AlphaZeroSettings::preset::<G>(self.preset);
        if self.listing {
            settings = settings.as_listed();
        }
        macro_rules! take {
            ($place:expr; $($name:ident)*) => {$(
                if let Some(value) = self.$name {
                    $place.$name = value;
                }
            )*};
        }
        take!(settings; seed cycles games blocks heads reuse noise noise_alpha temperature temperature_plies);
        take!(settings; opening_plies ply_cap repetition window epochs batch learning_rate rate_over l2 over mirror);
        take!(settings; value_mix value_labels gate_games measure_games measure_simulations weaknesses);
        take!(settings.mcts; simulations c fpu solver candidates leaf_batch);
        if let Some(channels) = self.filters {
            settings.channels = channels;
        }
        if let Some(tree_policy) = self.search {
            settings.mcts.tree_policy = tree_policy;
        }
        if let Some(rules) = &self.rules {
            settings.rules.clone_from(rules);
        }
        if !self.opponent.is_empty() {
            settings.opponents.clone_from(&self.opponent);
        }
        self.refuse_idle(&settings)?;
        settings.check::<G>().map_err(input)?;
        Ok(settings)
    }

    /// Options that would have no effect with the others.
    fn refuse_idle(&self, settings: &AlphaZeroSettings) -> Result<(), CliError> {
        let gumbel = settings.mcts.tree_policy == TreePolicy::Gumbel;
        let quiet = settings.noise == 0.0;
        let idle = [
            ("--c", self.c.is_some() && gumbel, "--search gumbel"),
            ("--unvisited", self.fpu.is_some() && gumbel, "--search gumbel"),
            ("--temperature", self.temperature.is_some() && gumbel, "--search gumbel"),
            ("--temperature-plies", self.temperature_plies.is_some() && gumbel, "--search gumbel"),
            ("--noise-alpha", self.noise_alpha.is_some() && gumbel, "--search gumbel"),
            ("--noise-alpha", self.noise_alpha.is_some() && quiet, "--noise 0"),
            ("--candidates", self.candidates.is_some() && !gumbel, "--search puct"),
            ("--value-labels", self.value_labels.is_some() && settings.value_mix == 1.0, "--value-mix 1"),
        ];
        match idle.into_iter().find(|(_, is_idle, _)| *is_idle) {
            Some((option, _, other)) => {
                Err(input(format!("{option} has no effect with {other}: leave one out")))
            }
            None => Ok(()),
        }
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
    /// Whether there was a solution of the game to judge by.
    judged: bool,
    learner: &'a AlphaZeroSettings,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    with_planar_game!(args.game, G => run_for::<G>(args, out), other => {
        Err(input(format!("{other} has no such network: learn alphazero is for --game dobutsu or kyoto")))
    })
}

fn run_for<G: Learnable>(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let settings = args.settings::<G>()?;
    let path = args.out.clone().unwrap_or_else(|| results::<G>().join(format!("alphazero-{}", args.preset)));
    let validation_games = args.validation_games / 2 * 2;
    let begun = if args.force { None } else { is_judged(&path)? };
    let solution = match (solution::<G>(&settings), begun) {
        // The run began before there was a solution, and goes on as it began.
        (_, Some(false)) => None,
        (None, Some(true)) => {
            return Err(input(format!(
                "the run in '{}' is judged by the solution of the game, which is no longer there: `dobutsu-ga solve --rules {}` makes it again",
                path.display(),
                settings.rules
            )));
        }
        (solution, _) => solution,
    };
    if G::Solutions::SOLVED && solution.is_none() && begun.is_none() {
        tell(format_args!(
            "There is no solution of the game by {} rules: networks are not judged by perfect play (`dobutsu-ga solve` makes one).",
            settings.rules
        ));
    }
    let made = Made {
        version: env!("CARGO_PKG_VERSION"),
        game: G::NAME,
        command: "learn alphazero",
        processor: processor(),
        validation_games,
        judged: solution.is_some(),
        learner: &settings,
    };
    let run = format!(
        "# Made by: dobutsu-ga learn alphazero (all settings below)\n{}{}",
        settings.describe_opponents::<G>(),
        toml::to_string(&made).expect("numbers and texts can be written")
    );
    let mut folder = Folder::prepare(&path, run.clone(), args.force)?;
    folder.open()?;
    if args.force {
        // Before run.toml says anything else, so that nothing of other settings can ever be taken up.
        let games = path.join(layout::GAMES);
        for name in files::entries(&games)?.iter().filter(|name| name.to_string_lossy().ends_with(".games")) {
            files::remove(&games.join(name))?;
        }
        let names = [layout::LEARNER, layout::NETWORK, layout::CYCLES, layout::WEAKNESSES, layout::SUMMARY]
            .map(String::from);
        let pictures = [layout::CYCLES_PICTURE, layout::WEAKNESSES_PICTURE];
        for name in names.into_iter().chain(pictures.into_iter().flat_map(|name| Format::Both.names(name))) {
            files::remove(&path.join(name))?;
        }
    }
    folder.begin()?;
    let after = |cycles: &Cycles| -> Result<(), FileError> {
        files::write(&path.join(layout::NETWORK), &cycles.best.to_bytes(G::NAME, &run))?;
        let written = cycles_files(&settings, &cycles.rows, args.format.get());
        written.iter().try_for_each(|(name, bytes)| files::write(&path.join(name), bytes))
    };
    let begin = |what: &str, total: u64, unit: &'static str| -> Box<dyn Watch> {
        Box::new(Progress::new(&format!("{what} (of {} cycles)", settings.cycles), total, unit))
    };
    let hooks = AlphaZeroHooks { begin: &begin, after: &after, stop: stop_flag() };
    match on_threads(args.threads, || learn_alphazero(&settings, solution, &path, hooks))?? {
        AlphaZeroEnd::Finished(cycles) => {
            let text = on_threads(args.threads, || summary::<G>(&cycles, validation_games as usize))??;
            folder.overwrite(&[(layout::SUMMARY, text.clone().into_bytes())])?;
            folder.write_checksums([layout::NETWORK, layout::CYCLES, layout::WEAKNESSES, layout::SUMMARY])?;
            writeln!(out, "{text}\nWritten to {}", path.display())?;
            Ok(())
        }
        AlphaZeroEnd::Stopped(cycle) => {
            tell(format_args!("Stopped in cycle {cycle}; the same command goes on from there."));
            Err(CliError::Stopped)
        }
    }
}

/// How the cycles went, and fresh games of the network against others.
fn summary<G: Learnable>(cycles: &Cycles, games: usize) -> Result<String, CliError> {
    let settings = &cycles.settings;
    let mut text = format!("# AlphaZero, {}\n\n{}", G::NAME, cycles_markdown(settings, &cycles.rows));
    if games == 0 || settings.opponents.is_empty() {
        return Ok(text);
    }
    let pair = |against: &String| DuelPair::new(&format!("network v {against}"), "network", against);
    // Apart from the seeds of learning.
    let seed = settings.seed ^ 1 << 40;
    let pairs = settings.opponents.iter().map(pair).collect();
    let work: DuelsWork<G> = DuelsWork::new(games, seed, settings.rules(), 4, pairs);
    let conditions = Conditions { opening_plies: 4, ..Conditions::new(work.rules, seed) };
    let network = dual_player::<G>(&cycles.best, PLAYING);
    let progress = Progress::new("validating", work.all_games() as u64, "games");
    let duel = |opponent: PlayerSpec<G>| {
        run_duel(&[network.clone(), opponent], games, &conditions, &|| Watch::step(&progress))
    };
    let results: Vec<DuelResult> = settings.opponents::<G>().map_err(input)?.into_iter().map(duel).collect();
    text += &format!(
        "\nFresh games of the network as a player ({} simulations, puct):\n\n{}",
        PLAYING.simulations,
        duels_markdown(&work, &results)
    );
    Ok(text)
}

impl From<AlphaZeroJobError> for CliError {
    fn from(error: AlphaZeroJobError) -> CliError {
        match error {
            AlphaZeroJobError::File(error) => CliError::File(error),
            error => input(error),
        }
    }
}
