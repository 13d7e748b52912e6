//! Runs that are going on: started, stopped and taken up again from the page.

use std::collections::HashMap;
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::App;
use super::error::{ApiError, Input, blocking};
use super::guard::OwnPage;
use super::results::{Kind, OF_THE_PAGE};
use crate::game::{GameTag, Side};
use crate::games::GameName;
use crate::learn::{Declared, GeneSet, Preset, Settings};
use crate::parallel;
use crate::players::{GameInfo, Playable};
use crate::random::MOST_SEED;
use crate::report::{Format, Language};
use crate::run::{
    Made, Manifest, Monitor, Options, Resumed, RunError, Training, TunerTraining, Unwatched,
    resume as take_up, run_to_end,
};

/// How many runs may be going on at a time.
const MOST_RUNS: usize = 1;
/// The longest run that can be started from the page.
const MOST_GENERATIONS: u64 = 2_000;
/// The same for the robust settings, of which a generation plays many more games.
const MOST_ROBUST_GENERATIONS: u64 = 200;
/// No run that can be started from the page fills more than this.
const LARGEST_RUN: u64 = 3_000_000;
/// So many failures are remembered.
const MOST_FAILURES: usize = 100;

/// The runs that were started here and are going on, or have failed.
#[derive(Default)]
pub(super) struct Live {
    /// By id: set to stop.
    runs: Mutex<HashMap<String, Arc<AtomicBool>>>,
    ended: Condvar,
    /// Id and sentence, the latest last.
    failures: Mutex<Vec<(String, String)>>,
}

impl Live {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<AtomicBool>>> {
        self.runs.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub(super) fn running(&self) -> Vec<String> {
        self.lock().keys().cloned().collect()
    }

    pub(super) fn is_running(&self, id: &str) -> bool {
        self.lock().contains_key(id)
    }

    fn failures(&self) -> MutexGuard<'_, Vec<(String, String)>> {
        self.failures.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Why the run that was last started here under this id has failed, if it has.
    pub(super) fn failure(&self, id: &str) -> Option<String> {
        let failures = self.failures();
        failures.iter().rev().find(|(failed, _)| failed == id).map(|(_, sentence)| sentence.clone())
    }

    fn fail(&self, id: &str, sentence: String) {
        let mut failures = self.failures();
        if failures.len() >= MOST_FAILURES {
            failures.remove(0);
        }
        failures.push((id.to_string(), sentence));
    }

    /// Asks all runs to save and stop, and waits until they have.
    pub(super) fn stop_all(&self) {
        let mut runs = self.lock();
        while !runs.is_empty() {
            runs.values().for_each(|stop| stop.store(true, Ordering::Relaxed));
            runs = self.ended.wait(runs).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }
}

/// Takes a run from those that are going on when its thread ends, however that happens.
struct Registered {
    app: Arc<App>,
    id: String,
}

impl Drop for Registered {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.app.live.fail(&self.id, "the run failed inside the program: that is a bug".to_string());
        }
        self.app.live.lock().remove(&self.id);
        self.app.live.ended.notify_all();
    }
}

/// What can be chosen about a run on the page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    #[serde(default)]
    game: GameName,
    #[serde(default)]
    preset: Preset,
    #[serde(default)]
    genes: GeneSet,
    // Whatever was typed there: what is no whole number is refused in our own words.
    #[serde(default)]
    seed: Value,
    #[serde(default)]
    side: Option<Side>,
    #[serde(default)]
    generations: Value,
    /// That of the pictures.
    #[serde(default)]
    language: PageLanguage,
}

/// The languages of the page.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PageLanguage {
    #[default]
    En,
    Ja,
}

impl From<PageLanguage> for Language {
    fn from(language: PageLanguage) -> Language {
        match language {
            PageLanguage::En => Language::En,
            PageLanguage::Ja => Language::Ja,
        }
    }
}

/// A field that must be a whole number.
pub(super) fn whole(name: &str, given: &Value, least: u64, most: u64) -> Result<u64, ApiError> {
    let number = given.as_u64().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| {
        let shown: String = match given {
            Value::Null => "missing".to_string(),
            given => given.to_string().chars().take(60).collect(),
        };
        let sentence = format!("{name} is {shown}: it must be a whole number from {least} to {most}");
        ApiError::unusable(sentence)
            .called("number", [name.to_string(), shown, least.to_string(), most.to_string()])
    })
}

impl Wanted {
    fn settings<G: Playable>(&self) -> Result<Settings, ApiError> {
        let most = match self.preset {
            Preset::Paper => MOST_GENERATIONS,
            Preset::Robust => MOST_ROBUST_GENERATIONS,
        };
        if let Some(generations) = self.generations.as_u64().filter(|generations| *generations > most) {
            return Err(ApiError::unusable(format!(
                "generations is {generations}: a run of the page has at most {most}, the command line has no such limit"
            ))
            .called("number", ["generations".to_string(), generations.to_string(), "1".to_string(), most.to_string()]));
        }
        let generations = whole("generations", &self.generations, 1, most)?;
        let mut given = toml::Table::new();
        given.insert("game".to_string(), G::NAME.into());
        given.insert("preset".to_string(), self.preset.name().into());
        given.insert("genes".to_string(), self.genes.name().into());
        given.insert("seed".to_string(), (whole("seed", &self.seed, 0, MOST_SEED)? as i64).into());
        given.insert("generations".to_string(), (generations as i64).into());
        if let Some(side) = self.side {
            given.insert("fix-side".to_string(), side.to_string().into());
        }
        let game = GameInfo::of::<G>();
        let settings = Settings::from_table(&game, given).map_err(ApiError::unusable)?;
        settings.check(&game).map_err(ApiError::unusable)?;
        Ok(settings)
    }

    fn name<G: Playable>(&self) -> String {
        let preset = match self.preset {
            Preset::Paper => "paper",
            Preset::Robust => "robust",
        };
        let genes = if self.genes == GeneSet::Full { "-full" } else { "" };
        let side = self.side.map_or(String::new(), |side| format!("-{side}"));
        let game = if GameTag::<G>::default().is_unsaid() { String::new() } else { format!("{}-", G::NAME) };
        format!("{OF_THE_PAGE}{game}{preset}{genes}{side}-seed{}", self.seed)
    }
}

/// `POST /api/runs`: starts a run in a folder of its own.
pub(super) async fn start(
    State(app): State<Arc<App>>,
    _: OwnPage,
    Input(wanted): Input<Wanted>,
) -> Result<Response, ApiError> {
    blocking(move || with_game!(wanted.game, G => start_in::<G>(&app, &wanted))).await
}

fn start_in<G: Playable>(app: &Arc<App>, wanted: &Wanted) -> Result<Response, ApiError> {
    let settings = wanted.settings::<G>()?;
    check_space(app)?;
    let mut runs = app.live.lock();
    check_free(&runs)?;
    let (id, folder) = free_folder(app, &wanted.name::<G>())?;
    let options = options(wanted.preset, wanted.language);
    let training =
        TunerTraining::<G>::begin(&folder, settings, options, false).map_err(ApiError::internal)?;
    let (registered, stop) = register(app, &mut runs, &id);
    drop(runs);
    set_out(LiveRun { training: Box::new(training), folder, options, stop, registered })
}

/// What can be chosen about a run that is taken up again.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TakenUp {
    /// That of the pictures.
    #[serde(default)]
    language: PageLanguage,
}

/// `POST /api/runs/{id}`: goes on with a run that was stopped, wherever it was started.
pub(super) async fn resume(
    State(app): State<Arc<App>>,
    _: OwnPage,
    path: Result<Path<String>, PathRejection>,
    Input(wanted): Input<TakenUp>,
) -> Result<Response, ApiError> {
    let Path(id) = path?;
    blocking(move || {
        let folder = app.results.folder(&id)?;
        let preset = match app.results.kind(&folder) {
            Some(Kind::Run(info)) => info.preset,
            _ if is_resumable(&folder) => Preset::Robust,
            _ => return Err(ApiError::not_found(format!("'{id}' is not a run that can be taken up here"))),
        };
        if id.starts_with(OF_THE_PAGE) {
            check_space(&app)?;
        }
        let (registered, stop) = {
            let mut runs = app.live.lock();
            check_free(&runs)?;
            register(&app, &mut runs, &id)
        };
        let options = options(preset, wanted.language);
        let cannot = |error: &dyn Display| match app.results.is_worked_on(&folder) {
            true => ApiError::conflict(error).called("folder_in_use", [id.clone()]),
            false => ApiError::conflict(error).called("no_resume", [id.clone(), error.to_string()]),
        };
        let manifest = Manifest::read(&folder).map_err(|error| cannot(&error))?;
        let manifest = manifest.ok_or_else(|| cannot(&"there is no run.toml in it"))?;
        let resumed = Resumed { manifest: &manifest, folder: &folder, end: None, options };
        match take_up(&resumed).map_err(|error: RunError| cannot(&error))? {
            Some(training) => {
                set_out(LiveRun { training, folder: folder.clone(), options, stop, registered })
            }
            None => Err(ApiError::conflict(format!("the run '{id}' is over: there is nothing left to do"))
                .called("run_over", [id.clone()])),
        }
    })
    .await
}

/// Whether a folder holds a sweep or a run of a learner.
fn is_resumable(folder: &std::path::Path) -> bool {
    let manifest = Manifest::read(folder).ok().flatten();
    manifest.is_some_and(|manifest| matches!(manifest.made, Made::Sweep | Made::Learner(_)))
}

fn options(preset: Preset, language: PageLanguage) -> Options {
    Options {
        language: language.into(),
        format: Format::Both,
        validate: true,
        // Each time it is saved, those who follow it see more: about ten times a second.
        checkpoint_every: if preset == Preset::Paper { 25 } else { 1 },
        keep_every: None,
    }
}

/// Whether another run may begin.
fn check_free(runs: &HashMap<String, Arc<AtomicBool>>) -> Result<(), ApiError> {
    match runs.keys().next() {
        Some(id) if runs.len() >= MOST_RUNS => Err(ApiError::conflict(format!(
            "the run '{id}' is going on: stop it or wait for its end before starting another"
        ))
        .called("run_busy", [id.clone()])),
        _ => Ok(()),
    }
}

/// Takes a run among those that are going on.
fn register(
    app: &Arc<App>,
    runs: &mut HashMap<String, Arc<AtomicBool>>,
    id: &str,
) -> (Registered, Arc<AtomicBool>) {
    let stop = Arc::new(AtomicBool::new(false));
    runs.insert(id.to_string(), stop.clone());
    (Registered { app: app.clone(), id: id.to_string() }, stop)
}

/// A run with all that its thread needs.
struct LiveRun {
    training: Box<dyn Training>,
    folder: PathBuf,
    options: Options,
    stop: Arc<AtomicBool>,
    registered: Registered,
}

/// Lets a run go on by itself.
fn set_out(run: LiveRun) -> Result<Response, ApiError> {
    let id = run.registered.id.clone();
    // The folder of a run that failed may have been removed to try again.
    run.registered.app.live.failures().retain(|(failed, _)| *failed != id);
    let thread = std::thread::Builder::new().name("run".to_string());
    thread.spawn(move || carry_out(run)).map_err(ApiError::internal)?;
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))).into_response())
}

/// Whether another run would still fit into the space that the page's runs may fill.
fn check_space(app: &App) -> Result<(), ApiError> {
    let (filled, most) = (app.results.space(), app.runs_space);
    if filled + LARGEST_RUN <= most {
        return Ok(());
    }
    let [filled, most] = [filled, most].map(|bytes| bytes.div_ceil(1_000_000).to_string());
    let folders = app.results.shown(OF_THE_PAGE);
    let sentence = format!(
        "the runs started on this page fill {filled} MB of the {most} MB they may, which leaves no room for another: \
         remove some of the folders '{folders}*', or start the server with a larger --runs-space"
    );
    let error = ApiError::new(StatusCode::INSUFFICIENT_STORAGE, sentence);
    Err(error.called("space", [filled, most, folders]))
}

/// A folder that holds nothing yet, and its name.
fn free_folder(app: &App, name: &str) -> Result<(String, PathBuf), ApiError> {
    let named = |number: u32| if number == 1 { name.to_string() } else { format!("{name}-{number}") };
    let free = (1..1000)
        .map(|number| (named(number), app.results.fresh(&named(number))))
        .find(|(_, folder)| folder.symlink_metadata().is_err());
    free.ok_or_else(|| ApiError::conflict(format!("there are too many runs named '{name}': remove some")))
}

fn carry_out(run: LiveRun) {
    let LiveRun { mut training, folder, options, stop, registered } = run;
    // Half of the cores: those who play meanwhile want to be answered.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(cores.div_ceil(2)).build();
    let monitor = Monitor { begin: &|_, _, _| Box::new(Unwatched), stop: &stop };
    let failure = match pool {
        Ok(pool) => parallel::install(&pool, || run_to_end(&mut *training, &folder, &options, &monitor))
            .err()
            .map(|error| error.to_string()),
        Err(error) => Some(error.to_string()),
    };
    if let Some(sentence) = failure {
        let folder = folder.display();
        let _ = writeln!(std::io::stderr(), "the run in '{folder}' has failed: {sentence}");
        registered.app.live.fail(&registered.id, sentence);
    }
}

/// `DELETE /api/runs/{id}`: stops a run that was started here. It is saved and can be taken up again.
pub(super) async fn stop(
    State(app): State<Arc<App>>,
    _: OwnPage,
    path: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    let Path(id) = path?;
    if let Some(stop) = app.live.lock().get(&id) {
        stop.store(true, Ordering::Relaxed);
        return Ok((StatusCode::ACCEPTED, Json(json!({ "id": id }))).into_response());
    }
    blocking(move || {
        app.results.folder(&id)?;
        Err(ApiError::conflict(format!("the run '{id}' was not started from this page, or is over"))
            .called("run_not_ours", [id]))
    })
    .await
}
