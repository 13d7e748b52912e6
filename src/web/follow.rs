//! Runs as they grow, told to whoever looks, wherever they were started.

use std::collections::VecDeque;
use std::io::{Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Json;
use axum::extract::{Extension, Path, Query, State, rejection::PathRejection, rejection::QueryRejection};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::wrappers::ReceiverStream;

use super::App;
use super::connections::Answering;
use super::error::{ApiError, blocking, queued};
use super::results::{Kind, Lines, RunInfo};
use super::{download, runs, strength};
use crate::experiment::GenerationRow;
use crate::report::layout::GENERATIONS;

/// How often a growing file is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// A follower that has taken nothing for so long is not followed up any more.
const LONGEST_UNREAD: Duration = Duration::from_secs(30);
/// No message tells of more generations than this.
const MOST_ROWS: usize = 500;

/// How many may follow runs at once.
const MOST_FOLLOWERS: usize = 64;

/// The connections that follow runs, oldest first. When there are too many, the oldest is closed: a page reconnects by itself, and
/// clients that never read cannot lock out others.
#[derive(Default)]
pub(super) struct Followers(Mutex<VecDeque<Arc<AtomicBool>>>);

impl Followers {
    /// Adds a connection. The returned flag is set when the connection must close.
    fn join(&self) -> Arc<AtomicBool> {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A closed connection has dropped its flag.
        places.retain(|place| Arc::strong_count(place) > 1);
        if places.len() >= MOST_FOLLOWERS {
            places.pop_front().inspect(|first| first.store(true, Ordering::Relaxed));
        }
        let place = Arc::new(AtomicBool::new(false));
        places.push_back(place.clone());
        place
    }
}

/// From where a run is followed.
#[derive(Deserialize)]
pub(super) struct After {
    /// The last generation that is known already.
    #[serde(default)]
    after: u32,
}

/// `GET /api/runs/{id}`: all about a run; `…/events`: what becomes of it; `…/files/{name}`: a file of its folder.
pub(super) async fn show(
    State(app): State<Arc<App>>,
    Extension(answering): Extension<Arc<Answering>>,
    path: Result<Path<String>, PathRejection>,
    query: Result<Query<After>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Path(id) = path?;
    let Query(After { after }) = query?;
    if let Some((id, name)) = id.rsplit_once("/files/") {
        return download::send(app, id.to_string(), name.to_string(), answering).await;
    }
    match id.strip_suffix("/events") {
        Some(id) => follow(app, id.to_string(), after, answering).await,
        None => {
            let reading = app.reading.clone();
            queued(reading, move || Ok(Json(&*runs::detail(&app, &id)?).into_response())).await
        }
    }
}

async fn follow(
    app: Arc<App>,
    id: String,
    after: u32,
    answering: Arc<Answering>,
) -> Result<Response, ApiError> {
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
    let give_way = app.followers.join();
    let growing = Growing { app, id, folder, info, offset: 0, after, measured: Vec::new() };
    tokio::spawn(async move {
        growing.tell(sender, &give_way).await;
        drop(answering);
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
    /// What was told of the strength of its winners.
    measured: Vec<[f64; 4]>,
}

impl Growing {
    /// Tells of every new generation, then how the run ended.
    async fn tell(mut self, sender: Sender<Result<Event, std::convert::Infallible>>, give_way: &AtomicBool) {
        loop {
            // First the state: what is written before the end must be told before the end.
            let looked = tokio::task::spawn_blocking(move || {
                let state = runs::state(&self.app, &self.id, &self.folder, &self.info);
                let news = self.news(state);
                (self, state, news)
            });
            let Ok((growing, state, (more, news))) = looked.await else { return };
            self = growing;
            for (name, data) in news {
                if send(&sender, name, &data).await.is_err() {
                    return;
                }
            }
            if state != "running" && !more {
                let _ = send(&sender, "end", &json!({ "state": state })).await;
                return;
            }
            if !more {
                tokio::time::sleep(LOOK_EVERY).await;
            }
            if sender.is_closed() || give_way.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    /// What there is to tell, and whether there is more of it.
    fn news(&mut self, state: &str) -> (bool, Vec<(&'static str, Value)>) {
        let rows = self.read();
        let mut news = Vec::new();
        if let Some(last) = rows.last() {
            news.push(("rows", json!(rows.iter().map(runs::row).collect::<Vec<_>>())));
            let left = runs::left(&self.app, &self.id, &self.folder, &self.info, state, last.generation);
            news.push(("left", json!(left)));
            if state == "running" {
                strength::measure(&self.app, &self.id, &self.info, last);
            }
        }
        let measured = self.app.strengths.of(&self.id);
        if measured != self.measured {
            news.push(("strength", json!(measured)));
            self.measured = measured;
        }
        (rows.len() >= MOST_ROWS, news)
    }

    /// The generations that have been added since, as far as their lines are whole.
    fn read(&mut self) -> Vec<GenerationRow> {
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
                rows.push(row);
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
    let event = Ok(Event::default().event(name).data(data.to_string()));
    // Who takes nothing for so long keeps the place from others.
    sender.send_timeout(event, LONGEST_UNREAD).await.map_err(|_| ())
}
