//! A run of the deep Q-learner, kept so that it can be taken up at any moment.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::report::{learning_csv, read_learning};
use super::{Dqn, DqnError, DqnSettings, Replay};
use crate::files;
use crate::files::FileError;
use crate::game::Game;
use crate::games::hasami::Position;
use crate::games::hasami::net::QNetwork;
use crate::learn::without_end;
use crate::nets::{Adam, Header, NetError, Tensors, load_if_there};
use crate::report::layout;
use crate::run::Watch;

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
    #[error("'{}' cannot be taken up: {why} (--force begins anew)", path.display())]
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
    let restored = |header: &Header<Progress>, tensors: &Tensors| restored(settings, header, tensors);
    let mut learner = match load_if_there(&path, [KIND, Position::NAME], restored) {
        Ok(None) => Dqn::new(settings)?,
        Ok(Some(learner)) => learner,
        Err(NetError::Unusable { path, why }) => return Err(DqnJobError::Damaged { path, why }),
        Err(NetError::File(error)) => return Err(error.into()),
    };
    let save = |learner: &Dqn| {
        files::write(&path, &kept(learner))?;
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

/// How far a run is.
#[derive(Serialize, Deserialize)]
struct Progress {
    plies: u64,
    updates: u64,
}

/// The setting by which a run may be extended.
pub(super) const END: &str = "episodes";

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
