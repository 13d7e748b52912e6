//! A run of the deep Q-learner, kept so that it can be taken up at any moment.

use serde::{Deserialize, Serialize};

use super::experiment::meeting;
use super::report::{learning_csv, learning_picture, read_learning};
use super::settings::game;
use super::{Dqn, DqnError, DqnSettings, Replay};
use crate::arena::Conditions;
use crate::experiment::{DuelPair, DuelResult, DuelsWork, run_duel};
use crate::files;
use crate::game::Game;
use crate::games::hasami::net::QNetwork;
use crate::games::hasami::{Position, network_player};
use crate::learn::without_end;
use crate::nets::{Adam, Header, Tensors, load_if_there, processor};
use crate::players::SpecError;
use crate::report::{duels_markdown, layout};
use crate::run::{LearnerRun, Monitor, Notes, Options, Point, Resumed, RunDir, RunError, Step, Training};

/// What `run.toml` calls the command.
pub(crate) const COMMAND: &str = "learn dqn";
/// The setting by which a run may be extended.
const END: &str = "episodes";

/// A run that is open.
pub struct DqnTraining {
    learner: Dqn,
    validation_games: u32,
    options: Options,
    dir: RunDir,
    /// What `run.toml` says: the network remembers it.
    run: String,
    /// How many episodes are saved.
    saved: u32,
}

impl DqnTraining {
    /// Opens its folder and continues with what it holds.
    pub fn open(run: &LearnerRun<DqnSettings>) -> Result<DqnTraining, RunError> {
        let LearnerRun { settings, validation_games, options, .. } = run;
        let comments = settings.describe_opponents();
        let notes = Notes { comments: &comments, processor: Some(processor()), judged: None };
        let text = run.run_toml(Position::NAME, COMMAND, notes);
        let first = begun(run)?;
        let dir = run.dir(text.clone())?;
        let kept = |header: &Header<Progress>, tensors: &Tensors| restored(settings, header, tensors);
        let path = dir.path().join(layout::LEARNER);
        let learner = load_if_there(&path, [KIND, Position::NAME], kept)?.unwrap_or(first);
        let saved = learner.episodes();
        Ok(DqnTraining {
            learner,
            validation_games: *validation_games,
            options: *options,
            dir,
            run: text,
            saved,
        })
    }

    /// Takes up the run of a folder.
    pub(crate) fn resume(resumed: &Resumed<'_>) -> Result<Box<dyn Training>, RunError> {
        Ok(Box::new(DqnTraining::open(&LearnerRun::resumed(resumed, &game(), END)?)?))
    }

    fn failed(&self, error: DqnError) -> RunError {
        let path = self.dir.path().join(layout::LEARNER);
        let (path, saved) = (path.display(), self.saved);
        RunError::Learning(format!("{error}. '{path}' keeps what was learned up to episode {saved}"))
    }

    /// What was learned, and fresh games against others.
    fn summary(&self, monitor: &Monitor<'_>) -> Result<String, RunError> {
        let DqnSettings { preset, seed, episodes, opponents, .. } = &self.learner.settings;
        let games = self.validation_games as usize;
        let pair = |against: &str| DuelPair::new(&format!("network v {against}"), "network", against);
        let pairs = ["random", "report:depth=1", "report:depth=2"].map(pair).to_vec();
        let conditions = meeting(*seed, 4);
        let Conditions { seed: fresh, rules, opening_plies, .. } = conditions;
        let work: DuelsWork<Position> = DuelsWork::new(games, fresh, rules, opening_plies, pairs);
        let watch = (monitor.begin)("validating", work.all_games() as u64, "games");
        let network = network_player(&self.learner.network);
        let duel = |pair: &DuelPair| {
            let players = [network.clone(), pair.against.parse()?];
            Ok(run_duel(&players, games, &conditions, &|| watch.step()))
        };
        let results: Result<Vec<DuelResult>, SpecError> = work.pairs.iter().map(duel).collect();
        let results = results.map_err(|error| RunError::Input(error.to_string()))?;
        let plies: usize = self.learner.rows.iter().map(|row| row.plies).sum();
        Ok(format!(
            "# Deep Q-learning, {preset}\n\n{episodes} games against {}, seed {seed}: {plies} plies, {} remembered, {} batches learned.\n\n{}",
            opponents.join(", then "),
            self.learner.plies,
            self.learner.updates,
            duels_markdown(&work, &results)
        ))
    }
}

/// A learner at its beginning: with random weights, or with those of a file.
fn begun(run: &LearnerRun<DqnSettings>) -> Result<Dqn, RunError> {
    let mut learner = Dqn::new(&run.settings).map_err(|error| RunError::Input(error.to_string()))?;
    run.first(layout::LEARNER, |bytes| learner.begin_with(QNetwork::from_bytes(bytes)?))?;
    Ok(learner)
}

impl Training for DqnTraining {
    fn unit(&self) -> &'static str {
        "episodes"
    }

    fn done(&self) -> u64 {
        self.learner.episodes().into()
    }

    fn total(&self) -> u64 {
        self.learner.settings.episodes.into()
    }

    fn step(&mut self, _: &Monitor<'_>) -> Result<Step, RunError> {
        self.learner.episode().map_err(|error| self.failed(error))?;
        if self.learner.is_finished() {
            // It is large, and of no use any more.
            self.learner.replay = Replay::new(self.learner.settings.replay);
        }
        let due = self.learner.episodes().is_multiple_of(self.options.checkpoint_every);
        Ok(if due { Step::Save } else { Step::Done })
    }

    fn save(&mut self) -> Result<(), RunError> {
        files::write(&self.dir.path().join(layout::LEARNER), &kept(&self.learner))?;
        let table = learning_csv(&self.learner.rows);
        files::write(&self.dir.path().join(layout::LEARNING), table.as_bytes())?;
        self.saved = self.learner.episodes();
        Ok(())
    }

    fn report(&mut self, monitor: &Monitor<'_>) -> Result<Option<String>, RunError> {
        let DqnTraining { learner, options, dir, .. } = &*self;
        let network = self.network().unwrap_or_default();
        dir.overwrite(&[
            (layout::NETWORK, network),
            (layout::LEARNING, learning_csv(&learner.rows).into_bytes()),
        ])?;
        dir.overwrite(&learning_picture(&learner.rows, options.language).files(options.format))?;
        let text = self.summary(monitor)?;
        dir.overwrite(&[(layout::SUMMARY, text.clone().into_bytes())])?;
        dir.write_checksums([layout::NETWORK, layout::LEARNING, layout::SUMMARY])?;
        Ok(Some(text))
    }

    fn metrics(&self, after: u64) -> Vec<Point> {
        let rate = |episode: u32| self.learner.settings.learning_rate_at(episode - 1);
        let point = |row: &super::EpisodeRow| {
            let values = [
                ("score", row.score),
                ("reward", row.reward),
                ("loss", row.loss),
                ("epsilon", row.epsilon),
                ("learning_rate", rate(row.episode)),
                ("plies", row.plies as f64),
            ];
            let values = values.map(|(name, value)| (name.to_string(), value)).to_vec();
            Point { step: row.episode.into(), values }
        };
        self.learner.rows[after as usize..].iter().map(point).collect()
    }

    fn network(&self) -> Option<Vec<u8>> {
        Some(self.learner.network.for_play().to_bytes(&self.run))
    }
}

/// How far a run is.
#[derive(Serialize, Deserialize)]
struct Progress {
    plies: u64,
    updates: u64,
}

/// The kind of file.
const KIND: &str = "dqn checkpoint";
const REPLAY: &str = "replay";
const ROWS: &str = "rows";

/// By what a learner learns; another opponent of the same name is another one.
fn described(settings: &DqnSettings) -> String {
    let text = without_end(settings, END);
    format!("{}\n{}{text}", env!("CARGO_PKG_VERSION"), settings.describe_opponents())
}

/// Everything that a later continuation needs, as the content of a file.
fn kept(learner: &Dqn) -> Vec<u8> {
    let Dqn { network, target, adam, plies, updates, .. } = learner;
    let mut tensors = Tensors::default();
    network.mlp.layout.put("network.", &network.mlp.numbers, &mut tensors);
    target.mlp.layout.put("target.", &target.mlp.numbers, &mut tensors);
    adam.put("", &network.mlp.layout, &mut tensors);
    tensors.put_bytes(REPLAY, learner.replay.to_bytes());
    tensors.put_bytes(ROWS, learning_csv(&learner.rows).into_bytes());
    let progress = Progress { plies: *plies, updates: *updates };
    Header::new(KIND, Position::NAME, progress, &described(&learner.settings)).to_bytes(&tensors)
}

/// The learner as it was, or what is wrong with what was kept.
fn restored(settings: &DqnSettings, header: &Header<Progress>, tensors: &Tensors) -> Result<Dqn, String> {
    if header.made_by != described(settings) {
        return Err("it belongs to other settings".to_string());
    }
    let damaged = |what: &str| format!("it is damaged or was edited: {what}");
    let network = QNetwork::take("network.", settings.outputs(), tensors)?;
    let target = QNetwork::take("target.", settings.outputs(), tensors)?;
    let adam = Adam::take("", &network.mlp.layout, tensors)?;
    let sizes = network.sizes();
    if target.sizes() != sizes || sizes[1..sizes.len() - 1] != settings.hidden {
        return Err("its layers have other sizes".to_string());
    }
    let kept = Replay::from_bytes(tensors.bytes(REPLAY)?, settings.replay)
        .ok_or_else(|| damaged("what it remembers is not whole"))?;
    let rows = std::str::from_utf8(tensors.bytes(ROWS)?).ok().and_then(read_learning);
    let mut learner = Dqn::with(settings, network, target, adam, kept).map_err(|error| error.to_string())?;
    (learner.plies, learner.updates) = (header.details.plies, header.details.updates);
    learner.rows = rows.ok_or_else(|| damaged("its games are not whole"))?;
    Ok(learner)
}
