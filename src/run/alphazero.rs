//! A run of the learner that plays itself, kept so that it can be taken up at any moment.
//!
//! Games are kept in files of their own, a group each, as soon as the group is played; training is saved now and then; a gate and
//! what comes after it are done again if they were not finished.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::{Halt, Monitor, Point, RunError, Step, Training as Trains, Watch};
use crate::files::FileError;
use crate::game::{Solution, Solutions};
use crate::learn::alphazero::{
    AlphaZeroSettings, CycleRow, Cycles, Example, GameRecord, GateGames, Learnable, Measured, Phase,
    SelfPlay, measure, measured_games,
};
use crate::learn::without_end;
use crate::nets::dual::{DualNetwork, InferenceNetwork, Training};
use crate::nets::{Header, Tensors, load_if_there, processor};
use crate::report::layout;
use crate::{crew, files};

/// While it trains, a run is saved at least this often.
pub(super) const SAVE_AFTER: Duration = Duration::from_secs(30);

/// A run that is open: its network, and the games that it has played against itself.
pub struct AlphaZeroRun<G: Learnable> {
    folder: PathBuf,
    path: PathBuf,
    settings: AlphaZeroSettings,
    /// By what it learns: checkpoints and games belong to it.
    text: String,
    /// What the networks are judged by.
    solution: Option<Arc<dyn Solution<G>>>,
    /// Where the learner is.
    pub cycles: Cycles,
    /// The examples of the last cycles: the cycle, and what it taught.
    recent: Vec<(u32, Vec<Example<G>>)>,
}

impl<G: Learnable> AlphaZeroRun<G> {
    /// Opens the folder of a run and continues with what it holds. Networks are judged by the solution, if there is one; a new run
    /// begins with the network of `first`.
    pub fn open(
        settings: &AlphaZeroSettings,
        solution: Option<Arc<dyn Solution<G>>>,
        folder: &Path,
        first: Option<DualNetwork>,
    ) -> Result<AlphaZeroRun<G>, RunError> {
        let text = described::<G>(settings, solution.is_some());
        let path = folder.join(layout::LEARNER);
        let kept =
            |header: &Header<Progress>, tensors: &Tensors| restored::<G>(settings, &text, header, tensors);
        let cycles = match load_if_there(&path, [KIND, G::NAME], kept)? {
            Some(cycles) => cycles,
            None => Cycles::begin::<G>(settings, first),
        };
        let (folder, settings) = (folder.to_path_buf(), settings.clone());
        let run = AlphaZeroRun { folder, path, settings, text, solution, cycles, recent: Vec::new() };
        files::sweep(&run.games());
        if !run.cycles.is_finished() {
            files::create_folder(&run.games())?;
        }
        Ok(run)
    }
}

impl<G: Learnable> Trains for AlphaZeroRun<G> {
    fn unit(&self) -> &'static str {
        "cycles"
    }

    fn has_long_steps(&self) -> bool {
        true
    }

    fn done(&self) -> u64 {
        self.cycles.rows.len() as u64
    }

    fn total(&self) -> u64 {
        self.settings.cycles.into()
    }

    fn is_finished(&self) -> bool {
        self.cycles.is_finished()
    }

    /// A phase of a cycle.
    fn step(&mut self, monitor: &Monitor<'_>) -> Result<Step, RunError> {
        let went_on = match self.cycles.phase {
            Phase::SelfPlay => self.self_play(monitor)?,
            Phase::Training(done) => self.train(monitor, done)?,
            Phase::Gate => self.gate(monitor)?,
        };
        if self.cycles.is_finished() {
            // Its games go: should the run be extended, the replay window begins anew.
            self.cycles.games_from = self.cycles.cycle;
        }
        Ok(if went_on { Step::Save } else { Step::Stopped })
    }

    fn save(&mut self) -> Result<(), RunError> {
        files::write(&self.path, &kept::<G>(&self.cycles, &self.text))?;
        let needed = if self.is_finished() { u32::MAX } else { self.first_needed() };
        Ok(layout::remove_games(&self.games(), |cycle| cycle < needed, self.is_finished())?)
    }

    /// Its results are the cycles.
    fn report(&mut self, _: &Monitor<'_>) -> Result<Option<String>, RunError> {
        Ok(Some(String::new()))
    }

    fn metrics(&self, after: u64) -> Vec<Point> {
        self.cycles.rows[after as usize..].iter().map(|row| point(&self.settings, row)).collect()
    }

    fn network(&self) -> Option<Vec<u8>> {
        Some(packed::<G>(&self.cycles.best))
    }
}

/// A cycle as a point of the curve.
fn point(settings: &AlphaZeroSettings, row: &CycleRow) -> Point {
    let mut values = vec![
        ("games".to_string(), row.games as f64),
        ("plies".to_string(), row.plies as f64),
        ("batches".to_string(), row.batches as f64),
        ("policy_loss".to_string(), row.policy_loss),
        ("value_loss".to_string(), row.value_loss),
    ];
    values.extend(row.gate.map(|gate| ("gate_score".to_string(), gate)));
    for (opponent, [wins, draws, losses]) in settings.opponents.iter().zip(&row.measured.against) {
        let score = (2 * wins + draws) as f64 / (2 * (wins + draws + losses)) as f64;
        values.push((format!("score.{opponent}"), score));
    }
    Point { step: row.cycle.into(), values }
}

impl<G: Learnable> AlphaZeroRun<G> {
    fn games(&self) -> PathBuf {
        self.folder.join(layout::GAMES)
    }

    fn group(&self, cycle: u32, group: u32) -> PathBuf {
        self.games().join(format!("{cycle:05}-{group:04}.games"))
    }

    /// The games of a group, if they were played.
    fn played(&self, cycle: u32, group: u32) -> Result<Option<Vec<GameRecord<G>>>, FileError> {
        let bytes = files::read_if_there(&self.group(cycle, group))?;
        // Games that are not whole are played again: they come out the same.
        Ok(bytes.and_then(|bytes| GameRecord::from_bytes(self.settings.rules(), &bytes, &self.text)))
    }

    fn self_play(&mut self, monitor: &Monitor<'_>) -> Result<bool, RunError> {
        let (settings, cycle) = (&self.settings, self.cycles.cycle);
        let groups = SelfPlay::groups(settings);
        let watch = self.watch(monitor, "playing", u64::from(settings.games), "games");
        let this = &*self;
        let mut games: Vec<Option<Vec<GameRecord<G>>>> =
            (0..groups).map(|group| this.played(cycle, group)).collect::<Result<_, _>>()?;
        watch.resume(games.iter().flatten().map(|games| games.len() as u64).sum());
        let missing: Vec<u32> = (0..groups).filter(|group| games[*group as usize].is_none()).collect();
        let playing: Playing<G> = Playing {
            settings: settings.clone(),
            cycle,
            network: packed::<G>(&self.cycles.best),
            text: this.text.clone(),
            inference: OnceLock::new(),
            game: PhantomData,
        };
        // Groups under way when it is asked to stop are finished and kept.
        let keep = |i: usize, bytes: &Vec<u8>| -> Result<(), Halt> {
            files::write(&this.group(cycle, missing[i]), bytes)?;
            if monitor.is_stopped() { Err(Halt::Stopped) } else { Ok(()) }
        };
        match crew::run(&playing, &missing, &|| watch.step(), &keep) {
            Ok(_) => {}
            Err(Halt::Stopped) => return Ok(false),
            Err(Halt::File(error)) => return Err(error.into()),
        }
        for group in missing {
            games[group as usize] = this.played(cycle, group)?;
        }
        let games: Option<Vec<Vec<GameRecord<G>>>> = games.into_iter().collect();
        let games = games.ok_or_else(|| RunError::Unusable {
            path: this.games(),
            why: "games that were just written are gone".to_string(),
        })?;
        self.cycles.take_games(&games.concat());
        Ok(true)
    }

    /// Brings the examples of all cycles in the window together.
    fn remember(&mut self) -> Result<Vec<Example<G>>, RunError> {
        let cycle = self.cycles.cycle;
        let first = self.first_needed().max(1).max(self.cycles.games_from);
        self.recent.retain(|(known, _)| *known >= first);
        for wanted in first..=cycle {
            if self.recent.iter().any(|(known, _)| *known == wanted) {
                continue;
            }
            let mut examples = Vec::new();
            for group in 0..SelfPlay::groups(&self.settings) {
                let games = self.played(wanted, group)?.ok_or_else(|| RunError::Unusable {
                    path: self.group(wanted, group),
                    why: "the games of an earlier cycle are gone".to_string(),
                })?;
                let (mix, labels) = (self.settings.value_mix as f32, self.settings.value_labels);
                examples.extend(games.iter().flat_map(|game| game.examples(mix, labels)));
            }
            self.recent.push((wanted, examples));
        }
        self.recent.sort_by_key(|(cycle, _)| *cycle);
        Ok(self.recent.iter().flat_map(|(_, examples)| examples.iter().cloned()).collect())
    }

    fn train(&mut self, monitor: &Monitor<'_>, done: u64) -> Result<bool, RunError> {
        let examples = self.remember()?;
        let batches = self.cycles.batches();
        let watch = self.watch(monitor, "learning", batches, "batches");
        watch.resume(done);
        let mut saved = Instant::now();
        for batch in done..batches {
            let losses = self.cycles.learn(&examples, batch);
            if !(losses.policy + losses.value).is_finite() {
                let cycle = self.cycles.cycle;
                return Err(RunError::Learning(format!(
                    "the losses were no numbers any more in cycle {cycle}: a smaller learning rate may help"
                )));
            }
            watch.step();
            if monitor.is_stopped() {
                return Ok(false);
            }
            if saved.elapsed() >= SAVE_AFTER {
                self.save()?;
                saved = Instant::now();
            }
        }
        self.cycles.trained();
        Ok(true)
    }

    fn gate(&mut self, monitor: &Monitor<'_>) -> Result<bool, RunError> {
        let settings = &self.settings;
        let games = u64::from(settings.gate_games) + measured_games(settings, self.solution.is_some());
        let watch = self.watch(monitor, "measuring", games, "games");
        let cycles = &self.cycles;
        let groups: Vec<u32> = (0..GateGames::groups(settings)).collect();
        let gating: Gating<G> = Gating {
            settings: settings.clone(),
            cycle: cycles.cycle,
            networks: [packed::<G>(&cycles.training.network), packed::<G>(&cycles.best)],
            inference: OnceLock::new(),
            game: PhantomData,
        };
        let points = crew::run(&gating, &groups, &|| watch.step(), &|_, _| Ok::<(), FileError>(()))?;
        let cycles = &mut self.cycles;
        cycles.decide(points.into_iter().sum());
        // A network that has not changed is what it was.
        let measured: Measured = match cycles.rows.last().filter(|_| !cycles.row.replaced) {
            Some(before) => before.measured.clone(),
            None => {
                let network = InferenceNetwork::new(&cycles.best);
                measure(&self.settings, cycles.cycle, &network, self.solution.as_deref(), &|| watch.step())
            }
        };
        cycles.end(measured);
        Ok(true)
    }

    /// Begins to watch a phase of this cycle.
    fn watch(&self, monitor: &Monitor<'_>, what: &str, total: u64, unit: &'static str) -> Box<dyn Watch> {
        (monitor.begin)(&format!("cycle {}: {what}", self.cycles.cycle), total, unit)
    }

    /// The first cycle whose games this one learns from.
    fn first_needed(&self) -> u32 {
        self.cycles.cycle.saturating_sub(self.settings.window - 1)
    }
}

/// A network as it travels.
fn packed<G: Learnable>(network: &DualNetwork) -> Vec<u8> {
    network.to_bytes(G::NAME, "")
}

fn unpacked<G: Learnable>(settings: &AlphaZeroSettings, bytes: &[u8]) -> InferenceNetwork {
    let network = DualNetwork::from_bytes(bytes, G::NAME, settings.shape::<G>());
    InferenceNetwork::new(&network.expect("a network that this program has packed"))
}

/// The games of a cycle, a group a piece.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Playing<G: Learnable> {
    settings: AlphaZeroSettings,
    cycle: u32,
    network: Vec<u8>,
    text: String,
    #[serde(skip)]
    inference: OnceLock<InferenceNetwork>,
    #[serde(skip)]
    game: PhantomData<G>,
}

impl<G: Learnable> crew::Work for Playing<G> {
    const KIND: &'static str = "self-play";
    const GAME: &'static str = G::NAME;
    type Item = u32;
    type Output = Vec<u8>;

    fn run(&self, group: &u32, step: &(dyn Fn() + Sync)) -> Vec<u8> {
        let network = self.inference.get_or_init(|| unpacked::<G>(&self.settings, &self.network));
        let (games, _) = SelfPlay::new(&self.settings, self.cycle, network).play::<G>(*group, step);
        GameRecord::to_bytes(&games, &self.text)
    }

    fn steps(&self, group: &u32) -> u64 {
        u64::from(SelfPlay::group_size(&self.settings, *group))
    }
}

/// The games of a gate, a group a piece: what comes of it are the half points of the new network.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Gating<G: Learnable> {
    settings: AlphaZeroSettings,
    cycle: u32,
    networks: [Vec<u8>; 2],
    #[serde(skip)]
    inference: OnceLock<[InferenceNetwork; 2]>,
    #[serde(skip)]
    game: PhantomData<G>,
}

impl<G: Learnable> crew::Work for Gating<G> {
    const KIND: &'static str = "gate";
    const GAME: &'static str = G::NAME;
    type Item = u32;
    type Output = u32;

    fn run(&self, group: &u32, step: &(dyn Fn() + Sync)) -> u32 {
        let networks = self.inference.get_or_init(|| {
            [&self.networks[0], &self.networks[1]].map(|bytes| unpacked::<G>(&self.settings, bytes))
        });
        GateGames::new(&self.settings, self.cycle, networks.each_ref()).play::<G>(*group, step)
    }

    fn steps(&self, group: &u32) -> u64 {
        u64::from(GateGames::group_size(&self.settings, *group))
    }
}

/// The solution by which networks of this run are judged, if there is one.
pub fn solution<G: Learnable>(settings: &AlphaZeroSettings) -> Option<Arc<dyn Solution<G>>> {
    G::Solutions::at(None).get(settings.rules()).ok()
}

/// How far a run is.
#[derive(Serialize, Deserialize)]
struct Progress {
    cycle: u32,
    phase: Phase,
    rows: Vec<CycleRow>,
    row: CycleRow,
    #[serde(default)]
    games_from: u32,
}

/// The kind of file.
const KIND: &str = "alphazero checkpoint";

/// By what a learner learns: whatever of it changes, nothing of the run before can be taken up. Another opponent of the same name
/// is another one.
pub(super) fn described<G: Learnable>(settings: &AlphaZeroSettings, judged: bool) -> String {
    let text = without_end(settings, super::alphazero_learner::END);
    let opponents = settings.describe_opponents::<G>();
    format!("{}\n{}\njudged = {judged}\n{opponents}{text}", env!("CARGO_PKG_VERSION"), processor())
}

/// Everything that a later continuation needs, beside the games, as the content of a file.
fn kept<G: Learnable>(cycles: &Cycles, text: &str) -> Vec<u8> {
    let Cycles { cycle, games_from, phase, rows, row, .. } = cycles;
    let progress = Progress {
        cycle: *cycle,
        games_from: *games_from,
        phase: *phase,
        rows: rows.clone(),
        row: row.clone(),
    };
    let mut tensors = Tensors::default();
    cycles.best.put("best.", &mut tensors);
    cycles.training.put("training.", &mut tensors);
    Header::new(KIND, G::NAME, progress, text).to_bytes(&tensors)
}

/// The learner as it was, or what is wrong with what was kept.
fn restored<G: Learnable>(
    settings: &AlphaZeroSettings,
    text: &str,
    header: &Header<Progress>,
    tensors: &Tensors,
) -> Result<Cycles, String> {
    if header.made_by != text {
        return Err("it belongs to other settings, another version or another kind of processor".to_string());
    }
    let Progress { cycle, games_from, phase, rows, row } = &header.details;
    if *cycle as usize != rows.len() + 1 {
        return Err("it is damaged or was edited: its cycles are not whole".to_string());
    }
    let shape = settings.shape::<G>();
    Ok(Cycles {
        settings: settings.clone(),
        cycle: *cycle,
        games_from: *games_from,
        phase: *phase,
        best: DualNetwork::take("best.", shape, tensors)?,
        training: Training::take("training.", shape, tensors)?,
        rows: rows.clone(),
        row: row.clone(),
    })
}
