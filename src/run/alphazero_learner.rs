//! The command `learn alphazero`: a run in its own results folder, with tables after every cycle.

use super::{
    AlphaZeroRun, LearnerRun, Monitor, Notes, Options, Point, Resumed, RunDir, RunError, Step, Training,
    solution,
};
use crate::arena::Conditions;
use crate::experiment::{DuelPair, DuelResult, DuelsWork, run_duel};
use crate::files;
use crate::learn::alphazero::{AlphaZeroSettings, Learnable};
use crate::nets::dual::DualNetwork;
use crate::nets::processor;
use crate::players::{GameInfo, PLAYING, PlayerSpec, dual_player};
use crate::report::{cycles_files, cycles_markdown, duels_markdown, layout};

/// What `run.toml` calls the command.
pub(crate) const COMMAND: &str = "learn alphazero";
/// The setting by which a run may be extended.
pub(super) const END: &str = "cycles";

/// A run that is open.
pub struct AlphaZeroTraining<G: Learnable> {
    run: AlphaZeroRun<G>,
    settings: AlphaZeroSettings,
    validation_games: u32,
    options: Options,
    dir: RunDir,
    /// What `run.toml` says: the network remembers it.
    text: String,
    /// Cycles whose results are in the tables.
    written: Option<u64>,
}

impl<G: Learnable> AlphaZeroTraining<G> {
    /// Opens its folder and continues with what it holds. `judged` says whether the run began with a solution to judge by, if it did.
    pub fn open(
        run: &LearnerRun<AlphaZeroSettings>,
        judged: Option<bool>,
    ) -> Result<AlphaZeroTraining<G>, RunError> {
        let LearnerRun { settings, path, validation_games, options, .. } = run;
        settings.opponents::<G>().map_err(RunError::Input)?;
        let solution = match (solution::<G>(settings), judged) {
            // The run began before there was a solution, and goes on as it began.
            (_, Some(false)) => None,
            (None, Some(true)) => {
                return Err(RunError::Input(format!(
                    "the run in '{}' is judged by the solution of the game, which is no longer there: `dobutsu-ga solve --rules {}` makes it again",
                    path.display(),
                    settings.rules
                )));
            }
            (solution, _) => solution,
        };
        let comments = settings.describe_opponents::<G>();
        let notes =
            Notes { comments: &comments, processor: Some(processor()), judged: Some(solution.is_some()) };
        let text = run.run_toml(G::NAME, COMMAND, notes);
        let shape = settings.shape::<G>();
        let first = run.first(layout::LEARNER, |bytes| {
            let network = DualNetwork::from_bytes(bytes, G::NAME, shape)?;
            if network.shape == shape {
                return Ok(network);
            }
            let [there, here] = [network.shape, shape].map(|shape| {
                format!("{} filters, {} blocks and {} heads", shape.channels, shape.blocks, shape.heads)
            });
            Err(format!("the network has {there}, the settings ask for {here}"))
        })?;
        let dir = run.dir(text.clone())?;
        let opened = AlphaZeroRun::open(settings, solution, path, first)?;
        let (settings, options) = (settings.clone(), *options);
        let validation_games = *validation_games;
        Ok(AlphaZeroTraining { run: opened, settings, validation_games, options, dir, text, written: None })
    }

    /// Takes up the run of a folder.
    pub(super) fn resume(resumed: &Resumed<'_>) -> Result<Box<dyn Training>, RunError> {
        let judged = resumed.manifest.table.get("judged").and_then(toml::Value::as_bool);
        let run = LearnerRun::resumed(resumed, &GameInfo::of::<G>(), END)?;
        Ok(Box::new(AlphaZeroTraining::<G>::open(&run, judged)?))
    }

    /// How the cycles went, and fresh games of the network against others.
    fn summary(&self, monitor: &Monitor<'_>) -> Result<String, RunError> {
        let (cycles, settings, games) = (&self.run.cycles, &self.settings, self.validation_games as usize);
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
        let watch = (monitor.begin)("validating", work.all_games() as u64, "games");
        let duel = |opponent: PlayerSpec<G>| {
            run_duel(&[network.clone(), opponent], games, &conditions, &|| watch.step())
        };
        let opponents = settings.opponents::<G>().map_err(RunError::Input)?;
        let results: Vec<DuelResult> = opponents.into_iter().map(duel).collect();
        text += &format!(
            "\nFresh games of the network as a player ({} simulations, puct):\n\n{}",
            PLAYING.simulations,
            duels_markdown(&work, &results)
        );
        Ok(text)
    }
}

impl<G: Learnable> Training for AlphaZeroTraining<G> {
    fn unit(&self) -> &'static str {
        self.run.unit()
    }

    fn has_long_steps(&self) -> bool {
        self.run.has_long_steps()
    }

    fn done(&self) -> u64 {
        self.run.done()
    }

    fn total(&self) -> u64 {
        self.run.total()
    }

    fn is_finished(&self) -> bool {
        self.run.is_finished()
    }

    fn step(&mut self, monitor: &Monitor<'_>) -> Result<Step, RunError> {
        let begin = |what: &str, total: u64, unit: &'static str| {
            (monitor.begin)(&format!("{what} (of {} cycles)", self.settings.cycles), total, unit)
        };
        self.run.step(&Monitor { begin: &begin, stop: monitor.stop })
    }

    fn save(&mut self) -> Result<(), RunError> {
        self.run.save()?;
        if self.written == Some(self.done()) {
            return Ok(());
        }
        let (cycles, path) = (&self.run.cycles, self.dir.path());
        files::write(&path.join(layout::NETWORK), &cycles.best.to_bytes(G::NAME, &self.text))?;
        for (name, bytes) in cycles_files(&self.settings, &cycles.rows, self.options.format) {
            files::write(&path.join(name), &bytes)?;
        }
        self.written = Some(self.done());
        Ok(())
    }

    fn report(&mut self, monitor: &Monitor<'_>) -> Result<Option<String>, RunError> {
        let text = self.summary(monitor)?;
        self.dir.overwrite(&[(layout::SUMMARY, text.clone().into_bytes())])?;
        let names = [layout::NETWORK, layout::CYCLES, layout::WEAKNESSES, layout::SUMMARY];
        self.dir.write_checksums(names)?;
        Ok(Some(text))
    }

    fn metrics(&self, after: u64) -> Vec<Point> {
        self.run.metrics(after)
    }

    fn network(&self) -> Option<Vec<u8>> {
        Some(self.run.cycles.best.to_bytes(G::NAME, &self.text))
    }
}
