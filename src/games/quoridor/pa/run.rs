//! A run of the passive-aggressive learner, kept so that it can be taken up at any moment.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::report::{pa_header, pa_row, read_pa_rows};
use super::{PaSettings, PaState};
use crate::files;
use crate::files::FileError;
use crate::learn::without_end;
use crate::report::layout;
use crate::run::Watch;

/// The setting by which a run may be extended.
pub(super) const END: &str = "rounds";
/// A run is saved at least this often.
const SAVE_AFTER: Duration = Duration::from_secs(1);

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum PaError {
    #[error("'{}' is damaged or was edited: --force begins anew", .0.display())]
    Damaged(PathBuf),
    #[error(transparent)]
    File(#[from] FileError),
}

/// The weights before the first and after every round, beginning with what the folder holds already. Games are played on all
/// threads of the current rayon pool.
///
/// With `stop`, no further round is begun.
pub fn learn_pa(
    settings: &PaSettings,
    folder: &Path,
    watch: &dyn Watch,
    stop: &AtomicBool,
) -> Result<Vec<PaState>, PaError> {
    let path = folder.join(layout::WEIGHTS_LEARNER);
    let mut states = match files::read_if_there(&path)? {
        None => vec![PaState::new(settings)],
        Some(bytes) => restored(settings, &bytes).ok_or(PaError::Damaged(path.clone()))?,
    };
    let save = |states: &[PaState]| {
        let rows: String = states.iter().map(pa_row).collect();
        let table = pa_header() + &rows;
        let kept = Kept { fingerprint: fingerprint(settings, &table), table };
        files::write(&path, &serde_json::to_vec(&kept).expect("texts can be written"))?;
        files::write(&folder.join(layout::WEIGHTS), kept.table.as_bytes())
    };
    watch.resume(states.len() as u64 - 1);
    let mut saved = Instant::now();
    while let Some(mut state) = states.last().copied().filter(|state| state.round < settings.rounds) {
        state.step(settings);
        states.push(state);
        watch.step();
        if saved.elapsed() >= SAVE_AFTER {
            save(&states)?;
            saved = Instant::now();
        }
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    save(&states)?;
    Ok(states)
}

/// What is kept: the table so far, and a fingerprint of it and of the settings. The table that people read is a copy of it,
/// which nothing goes on from.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    fingerprint: String,
    table: String,
}

fn fingerprint(settings: &PaSettings, table: &str) -> String {
    let settings = without_end(settings, END);
    files::fingerprint(format!("{}\n{settings}{table}", env!("CARGO_PKG_VERSION")).as_bytes())
}

/// The weights as they were, unless a byte of what was kept has changed.
fn restored(settings: &PaSettings, bytes: &[u8]) -> Option<Vec<PaState>> {
    let kept: Kept = serde_json::from_slice(bytes).ok()?;
    if kept.fingerprint != fingerprint(settings, &kept.table) {
        return None;
    }
    read_pa_rows(&kept.table).filter(|states| states.first() == Some(&PaState::new(settings)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Unwatched;

    #[test]
    fn a_run_goes_on_from_any_round_to_the_same_weights() {
        let folder = std::env::temp_dir().join(format!("dobutsu-ga-pa-part-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let settings = PaSettings { rounds: 4, depth: 1, ..PaSettings::default() };
        let whole = learn_pa(&settings, &folder, &Unwatched, &AtomicBool::new(false)).unwrap();
        let table: String = whole[..3].iter().map(pa_row).collect();
        let table = pa_header() + &table;
        let kept = Kept { fingerprint: fingerprint(&settings, &table), table };
        std::fs::write(folder.join(layout::WEIGHTS_LEARNER), serde_json::to_vec(&kept).unwrap()).unwrap();
        assert_eq!(restored(&settings, &serde_json::to_vec(&kept).unwrap()).unwrap().len(), 3);
        assert_eq!(learn_pa(&settings, &folder, &Unwatched, &AtomicBool::new(false)).unwrap(), whole);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
