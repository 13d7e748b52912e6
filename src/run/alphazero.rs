//! A run of the learner that plays itself, kept so that it can be taken up at any moment.
//!
//! Games are kept in files of their own, a group each, as soon as the group is played; training is saved now and then; a gate and
//! what comes after it are done again if they were not finished.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::BeginWatch;
use crate::files::FileError;
use crate::game::{Solution, Solutions};
use crate::learn::alphazero::{
    AlphaZeroSettings, CycleRow, Cycles, Example, GameRecord, GateGames, Learnable, Measured, Phase,
    SelfPlay, measure, measured_games,
};
use crate::learn::without_end;
use crate::nets::dual::{DualNetwork, InferenceNetwork, Training};
use crate::nets::{Header, NetError, Tensors, load_if_there, processor};
use crate::report::layout;
use crate::{crew, files};

/// The setting by which a run may be extended.
pub(crate) const END: &str = "cycles";

/// While it trains, a run is saved at least this often.
pub(super) const SAVE_AFTER: Duration = Duration::from_secs(30);

/// How the work on a run ended.
pub enum AlphaZeroEnd {
    /// All cycles are done.
    Finished(Box<Cycles>),
    /// It was asked to stop in this cycle, and can be taken up there.
    Stopped(u32),
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum AlphaZeroJobError {
    #[error("'{}' cannot be taken up: {why} (--force begins anew)", path.display())]
    Damaged { path: PathBuf, why: String },
    #[error("the losses were no numbers any more in cycle {0}: a smaller learning rate may help")]
    NotANumber(u32),
    #[error(transparent)]
    File(#[from] FileError),
}

/// What happens beside the learning itself.
pub struct AlphaZeroHooks<'a> {
    /// Begins to watch a phase.
    pub begin: &'a BeginWatch<'a>,
    /// Told after every cycle.
    pub after: &'a (dyn Fn(&Cycles) -> Result<(), FileError> + Sync),
    /// Set to stop.
    pub stop: &'a AtomicBool,
}

/// Learns on all threads of the current rayon pool until all cycles are done or `stop` is set, beginning with what the folder holds
/// already. Networks are judged by the solution, if there is one.
pub fn learn_alphazero<'a, G: Learnable>(
    settings: &'a AlphaZeroSettings,
    solution: Option<Arc<dyn Solution<G>>>,
    folder: &'a Path,
    hooks: AlphaZeroHooks<'a>,
) -> Result<AlphaZeroEnd, AlphaZeroJobError> {
    let text = described::<G>(settings, solution.is_some());
    let path = folder.join(layout::LEARNER);
    let mut run = Run::<G> { folder, path, settings, text, solution, hooks, recent: Vec::new() };
    files::sweep(&run.games());
    let mut cycles = run.load()?;
    if !cycles.is_finished() {
        files::create_folder(&run.games())?;
    }
    run.save(&cycles)?;
    (run.hooks.after)(&cycles)?;
    while !cycles.is_finished() {
        let went_on = match cycles.phase {
            Phase::SelfPlay => run.self_play(&mut cycles)?,
            Phase::Training(done) => run.train(&mut cycles, done)?,
            Phase::Gate => run.gate(&mut cycles)?,
        };
        run.save(&cycles)?;
        if !went_on || run.stopped() && !cycles.is_finished() {
            return Ok(AlphaZeroEnd::Stopped(cycles.cycle));
        }
    }
    // Its games go: should the run be extended, the replay window begins anew.
    cycles.games_from = cycles.cycle;
    run.save(&cycles)?;
    run.forget_all()?;
    Ok(AlphaZeroEnd::Finished(Box::new(cycles)))
}

struct Run<'a, G: Learnable> {
    folder: &'a Path,
    path: PathBuf,
    settings: &'a AlphaZeroSettings,
    /// By what it learns: checkpoints and games belong to it.
    text: String,
    /// What the networks are judged by.
    solution: Option<Arc<dyn Solution<G>>>,
    hooks: AlphaZeroHooks<'a>,
    /// The examples of the last cycles: the cycle, and what it taught.
    recent: Vec<(u32, Vec<Example<G>>)>,
}

impl<G: Learnable> Run<'_, G> {
    fn games(&self) -> PathBuf {
        self.folder.join(layout::GAMES)
    }

    fn group(&self, cycle: u32, group: u32) -> PathBuf {
        self.games().join(format!("{cycle:05}-{group:04}.games"))
    }

    fn stopped(&self) -> bool {
        self.hooks.stop.load(Ordering::Relaxed)
    }

    /// The games of a group, if they were played.
    fn played(&self, cycle: u32, group: u32) -> Result<Option<Vec<GameRecord<G>>>, FileError> {
        let bytes = files::read_if_there(&self.group(cycle, group))?;
        // Games that are not whole are played again: they come out the same.
        Ok(bytes.and_then(|bytes| GameRecord::from_bytes(self.settings.rules(), &bytes, &self.text)))
    }

    fn self_play(&mut self, cycles: &mut Cycles) -> Result<bool, AlphaZeroJobError> {
        let (settings, cycle) = (self.settings, cycles.cycle);
        let groups = SelfPlay::groups(settings);
        let watch =
            (self.hooks.begin)(&format!("cycle {cycle}: playing"), u64::from(settings.games), "games");
        let this = &*self;
        let mut games: Vec<Option<Vec<GameRecord<G>>>> =
            (0..groups).map(|group| this.played(cycle, group)).collect::<Result<_, _>>()?;
        watch.resume(games.iter().flatten().map(|games| games.len() as u64).sum());
        let missing: Vec<u32> = (0..groups).filter(|group| games[*group as usize].is_none()).collect();
        let playing: Playing<G> = Playing {
            settings: settings.clone(),
            cycle,
            network: packed::<G>(&cycles.best),
            text: this.text.clone(),
            inference: OnceLock::new(),
            game: PhantomData,
        };
        // Groups under way when it is asked to stop are finished and kept.
        let keep = |i: usize, bytes: &Vec<u8>| -> Result<(), Halt> {
            files::write(&this.group(cycle, missing[i]), bytes)?;
            if this.stopped() { Err(Halt::Stopped) } else { Ok(()) }
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
        let games = games.ok_or_else(|| AlphaZeroJobError::Damaged {
            path: this.games(),
            why: "games that were just written are gone".to_string(),
        })?;
        cycles.take_games(&games.concat());
        Ok(true)
    }

    /// Brings the examples of all cycles in the window together.
    fn remember(&mut self, cycles: &Cycles) -> Result<Vec<Example<G>>, AlphaZeroJobError> {
        let cycle = cycles.cycle;
        let first = cycle.saturating_sub(self.settings.window - 1).max(1).max(cycles.games_from);
        self.recent.retain(|(known, _)| *known >= first);
        for wanted in first..=cycle {
            if self.recent.iter().any(|(known, _)| *known == wanted) {
                continue;
            }
            let mut examples = Vec::new();
            for group in 0..SelfPlay::groups(self.settings) {
                let games = self.played(wanted, group)?.ok_or_else(|| AlphaZeroJobError::Damaged {
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

    fn train(&mut self, cycles: &mut Cycles, done: u64) -> Result<bool, AlphaZeroJobError> {
        let examples = self.remember(cycles)?;
        let batches = cycles.batches();
        let watch = (self.hooks.begin)(&format!("cycle {}: learning", cycles.cycle), batches, "batches");
        watch.resume(done);
        let mut saved = Instant::now();
        for batch in done..batches {
            let losses = cycles.learn(&examples, batch);
            if !(losses.policy + losses.value).is_finite() {
                return Err(AlphaZeroJobError::NotANumber(cycles.cycle));
            }
            watch.step();
            if self.stopped() {
                return Ok(false);
            }
            if saved.elapsed() >= SAVE_AFTER {
                self.save(cycles)?;
                saved = Instant::now();
            }
        }
        cycles.trained();
        Ok(true)
    }

    fn gate(&mut self, cycles: &mut Cycles) -> Result<bool, AlphaZeroJobError> {
        let games =
            u64::from(self.settings.gate_games) + measured_games(self.settings, self.solution.is_some());
        let watch = (self.hooks.begin)(&format!("cycle {}: measuring", cycles.cycle), games, "games");
        let groups: Vec<u32> = (0..GateGames::groups(self.settings)).collect();
        let gating: Gating<G> = Gating {
            settings: self.settings.clone(),
            cycle: cycles.cycle,
            networks: [packed::<G>(&cycles.training.network), packed::<G>(&cycles.best)],
            inference: OnceLock::new(),
            game: PhantomData,
        };
        let points = crew::run(&gating, &groups, &|| watch.step(), &|_, _| Ok::<(), FileError>(()))?;
        cycles.decide(points.into_iter().sum());
        // A network that has not changed is what it was.
        let measured: Measured = match cycles.rows.last().filter(|_| !cycles.row.replaced) {
            Some(before) => before.measured.clone(),
            None => {
                let network = InferenceNetwork::new(&cycles.best);
                measure(self.settings, cycles.cycle, &network, self.solution.as_deref(), &|| watch.step())
            }
        };
        cycles.end(measured);
        self.save(cycles)?;
        (self.hooks.after)(cycles)?;
        self.forget(cycles.cycle)?;
        Ok(true)
    }

    /// Removes games that are not needed in this cycle and later.
    fn forget(&self, cycle: u32) -> Result<(), FileError> {
        let first = cycle.saturating_sub(self.settings.window - 1);
        for name in files::entries(&self.games())? {
            let name = name.to_string_lossy();
            let of = name.split_once('-').and_then(|(cycle, _)| cycle.parse::<u32>().ok());
            if of.is_some_and(|of| of < first) && name.ends_with(".games") {
                files::remove(&self.games().join(&*name))?;
            }
        }
        Ok(())
    }

    /// Removes all games, and their folder if nothing of somebody else's is in it.
    fn forget_all(&self) -> Result<(), FileError> {
        if self.games().exists() {
            self.forget(u32::MAX)?;
            let _ = std::fs::remove_dir(self.games());
        }
        Ok(())
    }

    fn save(&self, cycles: &Cycles) -> Result<(), FileError> {
        files::write(&self.path, &kept::<G>(cycles, &self.text))
    }

    fn load(&self) -> Result<Cycles, AlphaZeroJobError> {
        let restored = |header: &Header<Progress>, tensors: &Tensors| {
            restored::<G>(self.settings, &self.text, header, tensors)
        };
        match load_if_there(&self.path, [KIND, G::NAME], restored) {
            Ok(cycles) => Ok(cycles.unwrap_or_else(|| Cycles::new::<G>(self.settings))),
            Err(NetError::Unusable { path, why }) => Err(AlphaZeroJobError::Damaged { path, why }),
            Err(NetError::File(error)) => Err(error.into()),
        }
    }
}

/// Why no further games are played.
enum Halt {
    Stopped,
    File(FileError),
}

impl From<FileError> for Halt {
    fn from(error: FileError) -> Halt {
        Halt::File(error)
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
    let text = without_end(settings, END);
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
