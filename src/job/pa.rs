//! A run of the passive-aggressive learner, kept so that it can be taken up at any moment.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::Watch;
use crate::files::{self, FileError};
use crate::learn::pa::{PaSettings, PaState};
use crate::report::{layout, pa_header, pa_row, read_pa_rows};

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
pub fn learn_pa(settings: &PaSettings, folder: &Path, watch: &dyn Watch) -> Result<Vec<PaState>, PaError> {
    let path = folder.join(layout::WEIGHTS);
    let begin = PaState::new(settings);
    let mut states = match files::read_if_there(&path)? {
        None => vec![begin],
        Some(bytes) => std::str::from_utf8(&bytes)
            .ok()
            .and_then(read_pa_rows)
            .filter(|states| states.first() == Some(&begin))
            .ok_or_else(|| PaError::Damaged(path.clone()))?,
    };
    let save = |states: &[PaState]| {
        let rows: String = states.iter().map(pa_row).collect();
        files::write(&path, (pa_header() + &rows).as_bytes())
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
    }
    save(&states)?;
    Ok(states)
}
