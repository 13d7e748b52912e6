//! A run of the passive-aggressive learner, kept so that it can be taken up at any moment.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::report::{pa_header, pa_picture, pa_row, pa_summary, read_pa_rows};
use super::{PaSettings, PaState};
use crate::arena::{Conditions, Estimate, Pairing, Standings, play_all, score_interval};
use crate::files;
use crate::game::{Game, Genome, Usual, Weighted};
use crate::games::quoridor::Position;
use crate::learn::without_end;
use crate::players::{GameInfo, PlayerSpec};
use crate::report::layout;
use crate::run::{LearnerRun, Monitor, Notes, Options, Point, Resumed, RunDir, RunError, Step, Training};

/// What `run.toml` calls the command.
pub(crate) const COMMAND: &str = "learn pa";
/// The setting by which a run may be extended.
const END: &str = "rounds";

/// A run that is open.
pub struct PaTraining {
    settings: PaSettings,
    validation_games: u32,
    options: Options,
    dir: RunDir,
    /// The weights before the first and after every round.
    states: Vec<PaState>,
}

impl PaTraining {
    /// Opens its folder and continues with what it holds.
    pub fn open(run: &LearnerRun<PaSettings>) -> Result<PaTraining, RunError> {
        let dir = run.dir(run.run_toml(Position::NAME, COMMAND, Notes::default()))?;
        let settings = run.settings;
        let path = dir.path().join(layout::WEIGHTS_LEARNER);
        let states = match files::read_if_there(&path)? {
            None => vec![PaState::new(&settings)],
            Some(bytes) => restored(&settings, &bytes).ok_or_else(|| damaged(path))?,
        };
        Ok(PaTraining { settings, validation_games: run.validation_games, options: run.options, dir, states })
    }

    /// Takes up the run of a folder.
    pub(crate) fn resume(resumed: &Resumed<'_>) -> Result<Box<dyn Training>, RunError> {
        Ok(Box::new(PaTraining::open(&LearnerRun::resumed(resumed, &GameInfo::of::<Position>(), END)?)?))
    }

    /// The weights before the first and after every round.
    pub fn states(&self) -> &[PaState] {
        &self.states
    }
}

fn damaged(path: PathBuf) -> RunError {
    RunError::Unusable { path, why: "it is damaged or was edited".to_string() }
}

impl Training for PaTraining {
    fn unit(&self) -> &'static str {
        "rounds"
    }

    fn done(&self) -> u64 {
        self.states.len() as u64 - 1
    }

    fn total(&self) -> u64 {
        self.settings.rounds.into()
    }

    fn step(&mut self, _: &Monitor<'_>) -> Result<Step, RunError> {
        let mut state = self.states[self.states.len() - 1];
        state.step(&self.settings);
        self.states.push(state);
        Ok(Step::Done)
    }

    fn save(&mut self) -> Result<(), RunError> {
        let rows: String = self.states.iter().map(pa_row).collect();
        let table = pa_header() + &rows;
        let kept = Kept { fingerprint: fingerprint(&self.settings, &table), table };
        let bytes = serde_json::to_vec(&kept).expect("texts can be written");
        files::write(&self.dir.path().join(layout::WEIGHTS_LEARNER), &bytes)?;
        Ok(files::write(&self.dir.path().join(layout::WEIGHTS), kept.table.as_bytes())?)
    }

    fn save_after(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn report(&mut self, monitor: &Monitor<'_>) -> Result<Option<String>, RunError> {
        let PaTraining { settings, validation_games, options, dir, states } = &*self;
        let champion = states.last().map_or_else(Genome::untrained, |state| state.genome(settings));
        let watch = (monitor.begin)("validating", 2 * u64::from(*validation_games / 2 * 2), "games");
        let duels = validate(settings, champion, *validation_games, &|| watch.step());
        let text = pa_summary(settings, states, &duels, *validation_games);
        let PaSettings { seed, rounds, games, .. } = settings;
        let genome = format!(
            "# Learned by `dobutsu-ga learn pa` in {rounds} rounds of {games} games with seed {seed} (see run.toml).\n# {}\n{}",
            settings.origin(),
            champion.to_toml()
        );
        dir.overwrite(&[
            (layout::CHAMPION, genome.into_bytes()),
            (layout::SUMMARY, text.clone().into_bytes()),
        ])?;
        dir.overwrite(&pa_picture(states, options.language).files(options.format))?;
        dir.write_checksums([layout::WEIGHTS, layout::CHAMPION, layout::SUMMARY])?;
        Ok(Some(text))
    }

    fn metrics(&self, after: u64) -> Vec<Point> {
        let point = |state: &PaState| {
            let last = state.last;
            let share = |part: u32, of: u32| f64::from(part) / f64::from(of);
            let own = [
                ("examples".to_string(), last.examples.into()),
                ("accuracy".to_string(), share(last.right, last.examples)),
                ("first_win_rate".to_string(), share(last.first, last.first + last.second + last.draws)),
            ];
            let genes = Position::WEIGHTS.genes.iter().zip(state.weights);
            let weights = genes.map(|(gene, weight)| (format!("weight.{gene}"), weight));
            Point { step: state.round.into(), values: own.into_iter().chain(weights).collect() }
        };
        self.states[after as usize + 1..].iter().map(point).collect()
    }
}

/// The champion in fresh games against `plain` and `report`, with random openings and sides swapped.
fn validate(
    settings: &PaSettings,
    champion: Genome<Position>,
    games: u32,
    done: &(dyn Fn() + Sync),
) -> Vec<(&'static str, Estimate)> {
    let conditions = Conditions {
        opening_plies: Position::WEIGHTS.tuner_opening,
        // Apart from the seeds of learning.
        ..Conditions::new(Usual::Usual, settings.seed ^ 1 << 40)
    };
    let duel = |name: &'static str| {
        let genome = Genome::named(name).unwrap_or_else(Genome::untrained);
        let players = [("champion", champion), (name, genome)]
            .map(|(name, genome)| PlayerSpec::searching(name, genome, settings.depth));
        let pairings = [Pairing { first: 0, second: 1, games: games as usize / 2 * 2, swap: true }];
        let played = play_all(&players, &pairings, &conditions, done);
        let scored: Vec<_> = played.iter().map(|game| game.scored).collect();
        let standings = Standings::new(2, &pairings, &scored);
        (name, score_interval(&standings.total(0), &standings.pairs[0]))
    };
    ["plain", "report"].map(duel).to_vec()
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
