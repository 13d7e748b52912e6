//! How strong the winners of a run are while it goes on. The run itself measures that when it is over; until then a few games are
//! played here, for those who look, and nothing in the run's folder changes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use super::App;
use super::results::RunInfo;
use crate::arena::{PairCounts, Tally, score_interval};
use crate::experiment::{GenerationRow, Tuning};
use crate::game::POINT;
use crate::learn::Settings;
use crate::parallel;
use crate::players::Playable;

/// How many games each side a winner plays.
pub(super) const GAMES: u32 = 50;
/// Into so many parts a run is cut, each with one measured winner.
const POINTS: u32 = 20;

/// What was measured here, by run: generation, score and its interval.
#[derive(Default)]
pub(super) struct Strengths {
    measured: Mutex<HashMap<String, Vec<[f64; 4]>>>,
    /// One at a time: others play meanwhile.
    busy: AtomicBool,
}

impl Strengths {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Vec<[f64; 4]>>> {
        self.measured.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// What is known of a run.
    pub(super) fn of(&self, id: &str) -> Vec<[f64; 4]> {
        self.lock().get(id).cloned().unwrap_or_default()
    }

    /// Whether the winner of this generation is wanted, if only somebody had time.
    fn is_due(&self, id: &str, generation: u32, last: u32) -> bool {
        let mut measured = self.lock();
        let before =
            measured.get(id).and_then(|points| points.last()).map_or(0.0, |[generation, ..]| *generation);
        // A run that began anew is measured anew.
        if f64::from(generation) < before {
            measured.remove(id);
            return true;
        }
        before == 0.0 || f64::from(generation) >= before + f64::from(last.div_ceil(POINTS))
    }
}

/// Begins to measure the winner of a run's latest generation, unless that was done lately or something else is being measured.
pub(super) fn measure(app: &Arc<App>, id: &str, info: &RunInfo, latest: &GenerationRow) {
    let strengths = &app.strengths;
    if !strengths.is_due(id, latest.generation, info.last) || strengths.busy.swap(true, Ordering::Relaxed) {
        return;
    }
    let free = Free(app.clone());
    let (id, game, text) = (id.to_string(), info.game, info.text.clone());
    let (generation, winner) = (latest.generation, latest.winner.clone());
    let work = move || {
        let point = with_game!(game, G => against_untrained::<G>(&text, generation, &winner));
        if let Some(point) = point {
            free.0.strengths.lock().entry(id).or_default().push(point);
        }
    };
    // If there is no thread for it, it is measured another time.
    let _ = std::thread::Builder::new().name("strength".to_string()).spawn(work);
}

/// Lets the next one measure, however this one ended.
struct Free(Arc<App>);

impl Drop for Free {
    fn drop(&mut self) {
        self.0.strengths.busy.store(false, Ordering::Relaxed);
    }
}

/// Generation, score and its interval of a winner with these values in points.
fn against_untrained<G: Playable>(settings: &str, generation: u32, winner: &[f64]) -> Option<[f64; 4]> {
    let settings: Settings = toml::from_str(settings).ok()?;
    let genes: Vec<i32> = winner.iter().map(|value| (value * f64::from(POINT)).round() as i32).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().ok()?;
    let sides = parallel::install(&pool, || Tuning::<G>::new(&settings).strength(generation, &genes, GAMES));
    let tally: Tally = sides.first + sides.second;
    let score = score_interval(&tally, &PairCounts::default());
    Some([f64::from(generation), score.value, score.low, score.high])
}
