//! What is in the results folder, as data for the page: one run with its generations, or an experiment beside the paper's.

use std::collections::{HashMap, HashSet};
use std::io::{Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::error::{ApiError, queued};
use super::results::{Kind, Lines, RunInfo};
use super::{App, cycles, download, strength};
use crate::experiment::{Checkpoint, GenerationRow, PaperRun};
use crate::game::GeneInfo;
use crate::games::dobutsu;
use crate::learn::Preset;
use crate::report::layout;

/// A page draws no more generations or cycles than this: of longer runs every second, fourth, … is left out.
const MOST_ROWS: usize = 4_000;
/// Within so many bytes before the end of a table there is a whole line.
const NEAR_THE_END: u64 = 16 << 10;

/// `GET /api/runs`: what there is.
pub(super) async fn list(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    queued(app.reading.clone(), move || {
        let ids = app.results.ids();
        app.summaries.keep(&ids);
        let line = |id: &String| app.summaries.of(&app, id, || summary(&app, id).ok_or(())).ok();
        let runs: Vec<Arc<Value>> = ids.iter().filter_map(line).collect();
        let runs: Vec<&Value> = runs.iter().map(|line| &**line).collect();
        Ok(Json(json!({
            "runs": runs,
            "overview": app.results.overview(),
            "running": app.live.running(),
        })))
    })
    .await
}

/// A cache of data about finished runs and experiments, valid until their files change.
#[derive(Default)]
pub(super) struct Cache(Mutex<HashMap<String, (Stamp, Arc<Value>)>>);

/// When a folder and its files that data are made of were last changed.
type Stamp = [Option<SystemTime>; 7];

/// The most entries of the cache of details: those of a long run are a megabyte.
const MOST_DETAILS: usize = 32;

impl Cache {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, (Stamp, Arc<Value>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cached data, or what `read` returns.
    fn of<E>(&self, app: &App, id: &str, read: impl FnOnce() -> Result<Value, E>) -> Result<Arc<Value>, E> {
        // Before anything is read: what changes meanwhile is read again the next time.
        let stamp = stamp(app, id);
        if let Some((_, known)) = self.lock().get(id).filter(|(known, _)| Some(known) == stamp.as_ref()) {
            return Ok(known.clone());
        }
        let data = Arc::new(read()?);
        // What goes on, or may go on, changes without a change of its folder.
        let is_settled = data.get("state").is_none_or(|state| state == "finished");
        if let Some(stamp) = stamp.filter(|_| is_settled) {
            self.lock().insert(id.to_string(), (stamp, data.clone()));
        }
        Ok(data)
    }

    /// Removes the entries of other runs.
    fn keep(&self, ids: &[String]) {
        let ids: HashSet<&String> = ids.iter().collect();
        self.lock().retain(|id, _| ids.contains(id));
    }

    /// Clears the cache when it has more entries.
    fn keep_at_most(&self, most: usize) {
        let mut known = self.lock();
        if known.len() > most {
            known.clear();
        }
    }
}

fn stamp(app: &App, id: &str) -> Option<Stamp> {
    let folder = app.results.folder(id).ok()?;
    let names = [
        ".",
        layout::RUN,
        layout::SUMMARY,
        layout::TABLE,
        layout::CYCLES,
        layout::GENERATIONS,
        Checkpoint::NAME,
    ];
    Some(names.map(|name| folder.join(name).metadata().ok()?.modified().ok()))
}

/// One line of the list.
fn summary(app: &App, id: &str) -> Option<Value> {
    let folder = app.results.folder(id).ok()?;
    let kind = app.results.kind(&folder)?;
    Some(match kind {
        Kind::Experiment { game, .. } | Kind::Page(game) => {
            let picture = download::names(app, &folder).into_iter().find(|name| name.ends_with(".png"));
            let text = article(app, &folder)?;
            json!({
                "id": id,
                "game": game,
                "kind": "experiment",
                "title": title(&text),
                "picture": picture,
            })
        }
        Kind::Learner(info) => cycles::summary(app, id, &folder, &info),
        Kind::Sweep(info) => json!({ "id": id, "game": info.game, "kind": "sweep", "preset": info.preset }),
        Kind::Run(info) => {
            let state = state(app, id, &folder, &info);
            let reached = reached(app, &folder, info.genes);
            json!({
                "id": id,
                "game": info.game,
                "kind": "run",
                "preset": info.preset,
                "seed": info.seed,
                "side": info.side,
                "state": state,
                "failure": failure(app, id, state),
                "reached": reached,
                "last": info.last,
                "left": left(app, id, &folder, &info, state, reached),
            })
        }
    })
}

/// Whether a run is `running`, `finished`, `stopped` or `failed`.
pub(super) fn state(app: &App, id: &str, folder: &Path, info: &RunInfo) -> &'static str {
    if app.live.is_running(id) {
        return "running";
    }
    let checkpoint = app.results.bytes(folder, Checkpoint::NAME);
    let complete = checkpoint
        .and_then(|bytes| Checkpoint::parse(&bytes, folder, &info.text).ok())
        .is_some_and(|checkpoint| checkpoint.complete);
    match complete {
        true => "finished",
        // Somebody may have taken up what had failed here.
        _ if app.results.is_worked_on(folder) => "running",
        _ if app.live.failure(id).is_some() => "failed",
        _ => "stopped",
    }
}

/// Why a run has failed, if it has.
fn failure(app: &App, id: &str, state: &str) -> Option<String> {
    app.live.failure(id).filter(|_| state == "failed")
}

/// Everything about one run.
pub(super) fn detail(app: &App, id: &str) -> Result<Arc<Value>, ApiError> {
    app.details.keep_at_most(MOST_DETAILS);
    app.details.of(app, id, || read_detail(app, id))
}

fn read_detail(app: &App, id: &str) -> Result<Value, ApiError> {
    let folder = app.results.folder(id)?;
    match app.results.kind(&folder) {
        Some(Kind::Run(info)) => run(app, id, &folder, &info),
        Some(Kind::Learner(info)) => Ok(cycles::detail(app, id, &folder, &info)),
        Some(Kind::Sweep(_)) => Ok(json!({
            "id": id,
            "kind": "sweep",
            "markdown": app.results.text(&folder, layout::SUMMARY),
            "chart": Value::Null,
            "files": download::list(app, &folder),
        })),
        Some(Kind::Experiment { .. } | Kind::Page(_)) => Ok(json!({
            "id": id,
            "kind": "experiment",
            "markdown": article(app, &folder),
            "chart": chart(app, &folder),
            "files": download::list(app, &folder),
        })),
        None => Err(ApiError::not_found(format!("the folder '{id}' holds no run that can be read"))),
    }
}

fn run(app: &App, id: &str, folder: &Path, info: &RunInfo) -> Result<Value, ApiError> {
    let state = state(app, id, folder, info);
    let rows = rows(app, folder, info.genes);
    let reached = rows.last().map_or(0, |row| row.generation);
    let strength = layout::read_strength(&app.results.text(folder, layout::STRENGTH).unwrap_or_default());
    // What the run has measured itself is better than what was measured here meanwhile.
    let (strength, games) = match strength.is_empty() {
        true => (app.strengths.of(id), Some(strength::GAMES)),
        false => (strength, None),
    };
    let champion = app.results.text(folder, layout::CHAMPION).and_then(|text| info.values(&text));
    // Other settings have another scale: there the paper's values mean nothing.
    let has_paper = info.preset == Preset::Paper && !info.paper.is_none();
    let labels = |label: fn(&GeneInfo) -> &'static str| info.genes.iter().map(label).collect::<Vec<_>>();
    Ok(json!({
        "id": id,
        "game": info.game,
        "kind": "run",
        "state": state,
        "failure": failure(app, id, state),
        "settings": info.settings,
        "last": info.last,
        "genes": info.genes.iter().map(GeneInfo::to_string).collect::<Vec<_>>(),
        "labels": { "en": labels(|gene| gene.english), "ja": labels(|gene| gene.japanese) },
        "untrained": info.untrained,
        "paper": has_paper.then_some(&info.paper),
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
        "left": left(app, id, folder, info, state, reached),
        "strength": strength,
        "strength_games": games,
        "champion": champion,
        "markdown": app.results.text(folder, layout::SUMMARY),
        "files": download::list(app, folder),
        "resume": matches!(state, "stopped" | "failed").then(|| format!("dobutsu-ga resume {}", app.results.shown(id))),
    }))
}

/// A generation as the page takes it.
pub(super) fn row(row: &GenerationRow) -> Value {
    json!([row.generation, row.winner_score, row.mean_score, row.winner, row.mean, row.frozen])
}

/// The generations so far.
fn rows(app: &App, folder: &Path, genes: &[GeneInfo]) -> Vec<GenerationRow> {
    let Some(file) = app.results.file(folder, layout::GENERATIONS) else { return Vec::new() };
    // The last line may be half written by a run that is going on.
    let rows = Lines::of(file).skip(1).map_while(|line| parse(line.trim_end(), genes));
    thinned(rows)
}

/// The last generation so far, which is near the end of the table.
fn reached(app: &App, folder: &Path, genes: &[GeneInfo]) -> u32 {
    let Some(mut file) = app.results.file(folder, layout::GENERATIONS) else { return 0 };
    let length = file.metadata().map_or(0, |data| data.len());
    if file.seek(SeekFrom::Start(length.saturating_sub(NEAR_THE_END))).is_err() {
        return 0;
    }
    let generations = Lines::of(file).filter_map(|line| parse(line.strip_suffix('\n')?, genes));
    generations.last().map_or(0, |row| row.generation)
}

/// In how many seconds a run should be over, if it is going on and that can be told.
pub(super) fn left(
    app: &App,
    id: &str,
    folder: &Path,
    info: &RunInfo,
    state: &str,
    reached: u32,
) -> Option<f64> {
    if state != "running" {
        app.paces.forget(id);
        return None;
    }
    app.paces.left(id, reached, info.last, age(app, folder, layout::GENERATIONS))
}

/// How long ago a file of a run was last written.
pub(super) fn age(app: &App, folder: &Path, name: &str) -> Duration {
    let written = app.results.file(folder, name).and_then(|file| file.metadata().ok()?.modified().ok());
    written.and_then(|written| written.elapsed().ok()).unwrap_or_default()
}

/// The rows of a table, evenly thinned out if there are very many; the last is always there.
pub(super) fn thinned<T>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut rows = Vec::new();
    let mut last = None;
    let mut every = 1;
    for (number, row) in all.enumerate() {
        if number % every == 0 {
            rows.push(row);
            last = None;
        } else {
            last = Some(row);
        }
        if rows.len() > 2 * MOST_ROWS {
            let mut keep = false;
            rows.retain(|_| {
                keep = !keep;
                keep
            });
            every *= 2;
        }
    }
    rows.extend(last);
    rows
}

/// A line of `generations.csv`.
pub(super) fn parse(line: &str, genes: &[GeneInfo]) -> Option<GenerationRow> {
    GenerationRow::parse(&line.split(',').collect::<Vec<_>>(), genes)
}

/// The text of an experiment, with our table beside the paper's.
fn article(app: &App, folder: &Path) -> Option<String> {
    [layout::SUMMARY, layout::TABLE, layout::GUIDELINE, layout::GRADE_PAGE]
        .iter()
        .find_map(|name| app.results.text(folder, name))
}

fn title(markdown: &str) -> String {
    markdown.lines().next().unwrap_or_default().trim_start_matches("# ").to_string()
}

/// What an experiment has over the generations, as lines of a chart.
fn chart(app: &App, folder: &Path) -> Value {
    if let Some(text) = app.results.text(folder, layout::CHICK) {
        let paper = PaperRun::of::<dobutsu::Position>(None).gene(0);
        let series = ["q1", "median", "q3"].map(|name| {
            let points = columns(&text, "generation", name, &|_| true);
            json!({ "name": name, "points": points })
        });
        return json!({ "series": series, "level": paper, "y": "value" });
    }
    let Some(text) = app.results.text(folder, layout::ERRORS) else { return Value::Null };
    let mut rates: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    rates.dedup();
    let series: Vec<Value> = rates
        .iter()
        .take(20)
        .map(|rate| {
            let points = columns(&text, "generation", "median", &|line| line.split(',').next() == Some(rate));
            let percent = rate.parse::<f64>().map_or(0.0, |rate| 100.0 * rate);
            json!({ "name": format!("{percent} %"), "points": points })
        })
        .collect();
    json!({ "series": series, "level": Value::Null, "y": "error" })
}

/// Two columns of a table, of the lines that are wanted.
fn columns(text: &str, x: &str, y: &str, wanted: &dyn Fn(&str) -> bool) -> Vec<[f64; 2]> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let place = |name: &str| header.iter().position(|column| *column == name);
    let (Some(x), Some(y)) = (place(x), place(y)) else { return Vec::new() };
    let point = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |at: usize| cells.get(at)?.parse::<f64>().ok().filter(|number| number.is_finite());
        Some([number(x)?, number(y)?])
    };
    lines.filter(|line| wanted(line)).filter_map(point).collect()
}
