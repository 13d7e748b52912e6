//! Runs that are going on: started and stopped from the page, and followed by whoever looks, wherever they were started.

use std::collections::HashMap;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use axum::Json;
use axum::extract::{Extension, Path, Query, State, rejection::PathRejection, rejection::QueryRejection};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::wrappers::ReceiverStream;

use super::App;
use super::connections::Answering;
use super::error::{ApiError, Input, blocking};
use super::guard::OwnPage;
use super::results::{Kind, Lines, OF_THE_PAGE, RunInfo};
use super::runs;
use crate::games::{GameTag, Side};
use crate::job::{How, Job};
use crate::lab::{GameName, Lab};
use crate::learn::{GeneSet, Preset, Settings};
use crate::report::layout::GENERATIONS;
use crate::report::{Format, Language};

/// How many runs may be going on at a time.
const MOST_RUNS: usize = 1;
/// The longest run that can be started from the page.
const MOST_GENERATIONS: u32 = 2_000;
/// The same for the robust settings, of which a generation plays many more games.
const MOST_ROBUST_GENERATIONS: u32 = 200;
/// No run that can be started from the page fills more than this.
const LARGEST_RUN: u64 = 3_000_000;
/// So many failures are remembered.
const MOST_FAILURES: usize = 100;
/// How often a growing file is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// No message tells of more generations than this.
const MOST_ROWS: usize = 500;

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
    seed: u64,
    #[serde(default)]
    side: Option<Side>,
    generations: u32,
}

impl Wanted {
    fn settings<G: Lab>(&self) -> Result<Settings<G>, ApiError> {
        let most = match self.preset {
            Preset::Paper => MOST_GENERATIONS,
            Preset::Robust => MOST_ROBUST_GENERATIONS,
        };
        if self.generations > most {
            return Err(ApiError::unusable(format!(
                "generations is {}: a run of the page has at most {most}, the command line has no such limit",
                self.generations
            )));
        }
        let mut settings = Settings::preset(self.preset, self.genes);
        settings.seed = self.seed;
        settings.generations = Some(self.generations);
        settings.fix_side = self.side;
        // The paper measured fewer games with a fixed side.
        if self.side.is_some() && self.preset == Preset::Paper {
            settings.validation_games = 100;
        }
        settings.check().map_err(ApiError::unusable)?;
        Ok(settings)
    }

    fn name<G: Lab>(&self) -> String {
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
    with_game!(wanted.game, G => start_in::<G>(app, wanted).await)
}

async fn start_in<G: Lab>(app: Arc<App>, wanted: Wanted) -> Result<Response, ApiError> {
    blocking(move || {
        let settings = wanted.settings::<G>()?;
        check_space(&app)?;
        let mut runs = app.live.lock();
        if let (true, Some(id)) = (runs.len() >= MOST_RUNS, runs.keys().next()) {
            return Err(ApiError::conflict(format!(
                "the run '{id}' is going on: stop it or wait for its end before starting another"
            )));
        }
        let (id, folder) = free_folder(&app, &wanted.name::<G>())?;
        let how = How {
            language: Language::En,
            format: Format::Both,
            validate: true,
            // Each time it is saved, those who follow it see more: about ten times a second.
            checkpoint_every: if wanted.preset == Preset::Paper { 25 } else { 1 },
        };
        let job = Job::begin(&folder, settings, how, false).map_err(ApiError::internal)?;
        let stop = Arc::new(AtomicBool::new(false));
        runs.insert(id.clone(), stop.clone());
        drop(runs);
        // The folder of a run that failed may have been removed to try again.
        app.live.failures().retain(|(failed, _)| *failed != id);
        let registered = Registered { app, id: id.clone() };
        let thread = std::thread::Builder::new().name("run".to_string());
        thread.spawn(move || carry_out(job, &stop, registered)).map_err(ApiError::internal)?;
        Ok((StatusCode::CREATED, Json(json!({ "id": id }))).into_response())
    })
    .await
}

/// Whether another run would still fit into the space that the page's runs may fill.
fn check_space(app: &App) -> Result<(), ApiError> {
    let (filled, most) = (app.results.space(), app.runs_space);
    if filled + LARGEST_RUN <= most {
        return Ok(());
    }
    let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
    Err(ApiError::new(
        StatusCode::INSUFFICIENT_STORAGE,
        format!(
            "the runs started on this page fill {} MB of the {} MB they may, which leaves no room for another: remove some \
             of the folders '{}*', or start the server with a larger --runs-space",
            megabytes(filled),
            megabytes(most),
            app.results.shown(OF_THE_PAGE)
        ),
    ))
}

/// A folder that holds nothing yet, and its name.
fn free_folder(app: &App, name: &str) -> Result<(String, PathBuf), ApiError> {
    let named = |number: u32| if number == 1 { name.to_string() } else { format!("{name}-{number}") };
    let free = (1..1000)
        .map(|number| (named(number), app.results.fresh(&named(number))))
        .find(|(_, folder)| folder.symlink_metadata().is_err());
    free.ok_or_else(|| ApiError::conflict(format!("there are too many runs named '{name}': remove some")))
}

fn carry_out<G: Lab>(mut job: Job<G>, stop: &AtomicBool, registered: Registered) {
    // Half of the cores: those who play meanwhile want to be answered.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(cores.div_ceil(2)).build();
    let failure = match pool {
        Ok(pool) => {
            pool.install(|| job.work(&mut |_, _| !stop.load(Ordering::Relaxed))).err().map(|e| e.to_string())
        }
        Err(error) => Some(error.to_string()),
    };
    if let Some(sentence) = failure {
        let folder = job.folder().display();
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
        Err(ApiError::conflict(format!("the run '{id}' was not started from this page, or is over")))
    })
    .await
}

/// From where a run is followed.
#[derive(Deserialize)]
pub(super) struct After {
    /// The last generation that is known already.
    #[serde(default)]
    after: u32,
}

/// `GET /api/runs/{id}`: all about a run; `GET /api/runs/{id}/events`: what becomes of it.
pub(super) async fn show(
    State(app): State<Arc<App>>,
    Extension(answering): Extension<Arc<Answering>>,
    path: Result<Path<String>, PathRejection>,
    query: Result<Query<After>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Path(id) = path?;
    let Query(After { after }) = query?;
    match id.strip_suffix("/events") {
        Some(id) => follow(app, id.to_string(), after, answering).await,
        None => blocking(move || Ok(Json(runs::detail(&app, &id)?).into_response())).await,
    }
}

async fn follow(
    app: Arc<App>,
    id: String,
    after: u32,
    answering: Arc<Answering>,
) -> Result<Response, ApiError> {
    let permit = app.followers.clone().try_acquire_owned().map_err(|_| {
        let sentence = "too many are following runs: close some of the pages that do";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
    })?;
    let (folder, info) = {
        let (app, id) = (app.clone(), id.clone());
        blocking(move || {
            let folder = app.results.folder(&id)?;
            match app.results.kind(&folder) {
                Some(Kind::Run(info)) => Ok((folder, info)),
                _ => Err(ApiError::not_found(format!("'{id}' is not a run that can be followed"))),
            }
        })
        .await?
    };
    let (sender, receiver) = channel(4);
    let growing = Growing { app, id, folder, info, offset: 0, after };
    tokio::spawn(async move {
        growing.tell(sender).await;
        drop((permit, answering));
    });
    let events = Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::default());
    Ok(events.into_response())
}

/// A run's growing table, and how much of it has been told.
struct Growing {
    app: Arc<App>,
    id: String,
    folder: PathBuf,
    info: Box<RunInfo>,
    offset: u64,
    after: u32,
}

impl Growing {
    /// Tells of every new generation, then how the run ended.
    async fn tell(mut self, sender: Sender<Result<Event, std::convert::Infallible>>) {
        loop {
            // First the state: what is written before the end must be told before the end.
            let looked = tokio::task::spawn_blocking(move || {
                let state = runs::state(&self.app, &self.id, &self.folder, &self.info);
                let rows = self.read();
                (self, state, rows)
            });
            let Ok((growing, state, rows)) = looked.await else { return };
            self = growing;
            let more = rows.len() >= MOST_ROWS;
            if !rows.is_empty() && send(&sender, "rows", &json!(rows)).await.is_err() {
                return;
            }
            if state != "running" && !more {
                let _ = send(&sender, "end", &json!({ "state": state })).await;
                return;
            }
            if !more {
                tokio::time::sleep(LOOK_EVERY).await;
            }
            if sender.is_closed() {
                return;
            }
        }
    }

    /// The generations that have been added since, as far as their lines are whole.
    fn read(&mut self) -> Vec<Value> {
        let genes = self.info.genes;
        let Some(mut file) = self.app.results.file(&self.folder, GENERATIONS) else { return Vec::new() };
        // A run that began anew is told from its beginning.
        if file.metadata().is_ok_and(|data| data.len() < self.offset) {
            (self.offset, self.after) = (0, 0);
        }
        if file.seek(SeekFrom::Start(self.offset)).is_err() {
            return Vec::new();
        }
        let mut lines = Lines::of(file);
        let mut rows = Vec::new();
        while rows.len() < MOST_ROWS {
            let Some(line) = lines.next().filter(|line| line.ends_with('\n')) else { break };
            self.offset += line.len() as u64;
            // The header is no generation.
            let Some(row) = runs::parse(line.trim_end(), genes) else { continue };
            if row.generation > self.after {
                self.after = row.generation;
                rows.push(runs::row(&row));
            }
        }
        rows
    }
}

async fn send(
    sender: &Sender<Result<Event, std::convert::Infallible>>,
    name: &str,
    data: &Value,
) -> Result<(), ()> {
    sender.send(Ok(Event::default().event(name).data(data.to_string()))).await.map_err(|_| ())
}
