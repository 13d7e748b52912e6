//! A run of the deep Q-learner, kept so that it can be taken up at any moment.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::Watch;
use crate::files::{self, FileError};
use crate::learn::dqn::{Dqn, DqnError, DqnSettings, Replay};
use crate::nets::hasami::QNetwork;
use crate::nets::{Adam, Dense, NetError, Tensors};
use crate::report::{layout, learning_csv, read_learning};

/// A run is saved at least this often, after the game that is under way.
const SAVE_AFTER: Duration = Duration::from_secs(30);

/// How the work on a run ended.
pub enum DqnEnd {
    /// All games are played.
    Finished(Box<Dqn>),
    /// It was asked to stop after this many games, and can be taken up there.
    Stopped(u32),
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum DqnJobError {
    #[error("'{}' is damaged or was edited ({why}): --force begins anew", path.display())]
    Damaged { path: PathBuf, why: String },
    #[error("{error}. '{}' keeps what was learned up to episode {saved}", path.display())]
    Learning { error: DqnError, path: PathBuf, saved: u32 },
    #[error(transparent)]
    Beginning(#[from] DqnError),
    #[error(transparent)]
    File(#[from] FileError),
}

/// Learns on all threads of the current rayon pool until all games are played or `stop` is set, beginning with what the folder
/// holds already. The run is saved after every so many games, and now and then in between.
pub fn learn_dqn(
    settings: &DqnSettings,
    folder: &Path,
    checkpoint_every: u32,
    watch: &dyn Watch,
    stop: &AtomicBool,
) -> Result<DqnEnd, DqnJobError> {
    let path = folder.join(layout::LEARNER);
    let mut learner = match Tensors::load_if_there(&path) {
        Ok(None) => Dqn::new(settings)?,
        Ok(Some(tensors)) => {
            restored(settings, &tensors).map_err(|why| DqnJobError::Damaged { path: path.clone(), why })?
        }
        Err(NetError::Unusable { path, why }) => return Err(DqnJobError::Damaged { path, why }),
        Err(NetError::File(error)) => return Err(error.into()),
    };
    let save = |learner: &Dqn| {
        files::write(&path, &kept(learner).to_bytes())?;
        files::write(&folder.join(layout::LEARNING), learning_csv(&learner.rows).as_bytes())
    };
    watch.resume(u64::from(learner.episodes()));
    save(&learner)?;
    let (mut saved, mut saved_at) = (learner.episodes(), Instant::now());
    while !learner.is_finished() {
        learner.episode().map_err(|error| DqnJobError::Learning { error, path: path.clone(), saved })?;
        watch.step();
        let stopped = stop.load(Ordering::Relaxed) && !learner.is_finished();
        let due = learner.episodes().is_multiple_of(checkpoint_every) || saved_at.elapsed() >= SAVE_AFTER;
        if stopped || due {
            save(&learner)?;
            (saved, saved_at) = (learner.episodes(), Instant::now());
        }
        if stopped {
            return Ok(DqnEnd::Stopped(learner.episodes()));
        }
    }
    // What was remembered is of no use any more, and large.
    learner.replay = Replay::new(settings.replay);
    save(&learner)?;
    Ok(DqnEnd::Finished(Box::new(learner)))
}

/// What a checkpoint says of itself.
#[derive(Serialize, Deserialize)]
struct About {
    settings: String,
    plies: u64,
    updates: u64,
    adam_steps: u64,
    /// Of everything else.
    check: String,
}

const REPLAY: &str = "replay";
const ROWS: &str = "rows";

/// A number that tells whether anything has changed.
fn check(about: &About, learner: &Dqn, replay: &[u8], rows: &[u8]) -> String {
    let mut hasher = crc32fast::Hasher::new();
    let About { settings, plies, updates, adam_steps, .. } = about;
    hasher.update(format!("{settings}{plies} {updates} {adam_steps}").as_bytes());
    hasher.update(replay);
    hasher.update(rows);
    let networks = learner.network.mlp.layers.iter().chain(&learner.target.mlp.layers);
    for layer in networks.chain(&learner.adam.means).chain(&learner.adam.squares) {
        for number in layer.weights.iter().chain(&layer.bias) {
            hasher.update(&number.to_le_bytes());
        }
    }
    format!("{:08x}", hasher.finalize())
}

/// By what a learner learns; another opponent of the same name is another one.
fn described(settings: &DqnSettings) -> String {
    let text = toml::to_string(settings).expect("settings can be written");
    format!("{}\n{}{text}", env!("CARGO_PKG_VERSION"), settings.describe_opponents())
}

/// Everything that a later continuation needs.
fn kept(learner: &Dqn) -> Tensors {
    let (replay, rows) = (learner.replay.to_bytes(), learning_csv(&learner.rows).into_bytes());
    let mut about = About {
        settings: described(&learner.settings),
        plies: learner.plies,
        updates: learner.updates,
        adam_steps: learner.adam.steps,
        check: String::new(),
    };
    about.check = check(&about, learner, &replay, &rows);
    let mut tensors = Tensors::about(serde_json::to_string(&about).expect("texts can be written"));
    learner.network.put("network.", &mut tensors);
    learner.target.put("target.", &mut tensors);
    for (number, (means, squares)) in learner.adam.means.iter().zip(&learner.adam.squares).enumerate() {
        tensors.put_layer(&format!("means.{number}"), means);
        tensors.put_layer(&format!("squares.{number}"), squares);
    }
    tensors.put_bytes(REPLAY, replay);
    tensors.put_bytes(ROWS, rows);
    tensors
}

/// The learner as it was, or what is wrong with what was kept.
fn restored(settings: &DqnSettings, tensors: &Tensors) -> Result<Dqn, String> {
    let about: About =
        serde_json::from_str(&tensors.about).map_err(|_| "it does not say what it is".to_string())?;
    let missing = |name: &str| format!("it has no '{name}'");
    let replay = tensors.bytes(REPLAY).ok_or_else(|| missing(REPLAY))?;
    let rows = tensors.bytes(ROWS).ok_or_else(|| missing(ROWS))?;
    if about.settings != described(settings) {
        return Err("it belongs to other settings".to_string());
    }
    let network = QNetwork::take("network.", settings.outputs(), tensors)?;
    let target = QNetwork::take("target.", settings.outputs(), tensors)?;
    let layers = |name: &str| -> Result<Vec<Dense>, String> {
        (0..=settings.hidden.len()).map(|number| tensors.layer(&format!("{name}.{number}"))).collect()
    };
    let adam = Adam { steps: about.adam_steps, means: layers("means")?, squares: layers("squares")? };
    let shape = |layers: &[Dense]| -> Vec<(usize, usize)> {
        layers.iter().map(|layer| (layer.inputs, layer.outputs())).collect()
    };
    let sizes = network.mlp.body().iter().map(Dense::outputs);
    let alike = [&target.mlp.layers, &adam.means, &adam.squares]
        .into_iter()
        .all(|layers| shape(layers) == shape(&network.mlp.layers));
    if !alike || !sizes.eq(settings.hidden.iter().copied()) {
        return Err("its layers have other sizes".to_string());
    }
    let kept = Replay::from_bytes(replay, settings.replay).ok_or("what it remembers is not whole")?;
    let games = std::str::from_utf8(rows).ok().and_then(read_learning).ok_or("its games are not whole")?;
    let mut learner = Dqn::with(settings, network, target, adam, kept).map_err(|error| error.to_string())?;
    (learner.plies, learner.updates, learner.rows) = (about.plies, about.updates, games);
    match about.check == check(&about, &learner, replay, rows) {
        true => Ok(learner),
        false => Err("its checksum is wrong".to_string()),
    }
}
