//! What is in the results folder, as data for the page: one run with its generations, or an experiment beside the paper's.

use std::collections::{HashMap, HashSet};
use std::io::{Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::{Value, json};

use super::App;
use super::cycles::{self, LearnerDetail, LearnerLine};
use super::download::{self, FileInfo};
use super::error::{ApiError, queued};
use super::results::{Kind, Lines, RunInfo};
use super::strength;
use crate::experiment::{Checkpoint, GenerationRow, PaperRun};
use crate::game::{GeneInfo, Side};
use crate::games::{GameName, dobutsu};
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
        let read = |id: &str| summary(&app, id).and_then(|line| serde_json::to_value(line).ok()).ok_or(());
        let line = |id: &String| app.summaries.of(&app, id, || read(id)).ok();
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
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Line {
    Experiment(ArticleLine),
    Learner(LearnerLine),
    Run(RunLine),
    Sweep(SweepLine),
}

/// An experiment, or another page to read.
#[derive(Serialize)]
struct ArticleLine {
    game: GameName,
    id: String,
    /// The file of a picture.
    picture: Option<String>,
    title: String,
}

/// A run of the tuner.
#[derive(Serialize)]
struct RunLine {
    /// Why it has failed, if it has.
    failure: Option<String>,
    game: GameName,
    id: String,
    /// The last generation there can be.
    last: u32,
    /// In how many seconds it should be over, if that is known.
    left: Option<f64>,
    preset: Preset,
    /// The last generation so far.
    reached: u32,
    seed: u64,
    side: Option<Side>,
    /// `running`, `finished`, `stopped` or `failed`.
    state: &'static str,
}

/// The same with many seeds.
#[derive(Serialize)]
struct SweepLine {
    game: GameName,
    id: String,
    preset: Preset,
}

/// Everything about one run.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Detail {
    Experiment(Article),
    Learner(LearnerDetail),
    Run(Box<RunDetail>),
    Sweep(Article),
}

/// What there is to read of an experiment or a sweep.
#[derive(Serialize)]
struct Article {
    chart: Option<ChartInfo>,
    files: Vec<FileInfo>,
    id: String,
    markdown: Option<String>,
}

/// Lines over the generations.
#[derive(Serialize)]
struct ChartInfo {
    /// What the paper has, if it is one value.
    level: Option<f64>,
    series: Vec<ChartLine>,
    /// What is measured.
    y: &'static str,
}

#[derive(Serialize)]
struct ChartLine {
    name: String,
    points: Vec<[f64; 2]>,
}

/// A run of the tuner with its generations.
#[derive(Serialize)]
struct RunDetail {
    /// The values of its champion.
    champion: Option<Vec<f64>>,
    failure: Option<String>,
    files: Vec<FileInfo>,
    game: GameName,
    genes: Vec<String>,
    id: String,
    /// What the genes are called.
    labels: Labels,
    last: u32,
    left: Option<f64>,
    markdown: Option<String>,
    paper: Option<PaperRun>,
    /// The command that goes on with it, if it was stopped.
    resume: Option<String>,
    rows: Vec<Row>,
    settings: Value,
    state: &'static str,
    /// Generation, score and the interval of the score, of the winners against the untrained values.
    strength: Vec<[f64; 4]>,
    /// How many games a side that took, if it was measured here.
    strength_games: Option<u32>,
    untrained: Vec<f64>,
}

#[derive(Serialize)]
struct Labels {
    en: Vec<&'static str>,
    ja: Vec<&'static str>,
}

/// A generation: its number, the winner's points, the mean of all, the winner's values, the means, and which genes are frozen.
#[derive(Serialize)]
pub(super) struct Row(u32, f64, f64, Vec<f64>, Vec<f64>, Vec<String>);

fn summary(app: &App, id: &str) -> Option<Line> {
    let folder = app.results.folder(id).ok()?;
    let kind = app.results.kind(&folder)?;
    Some(match kind {
        Kind::Experiment { game, .. } | Kind::Page(game) => {
            let picture = download::names(app, &folder).into_iter().find(|name| name.ends_with(".png"));
            let text = text(app, &folder)?;
            Line::Experiment(ArticleLine { game, id: id.to_string(), picture, title: title(&text) })
        }
        Kind::Learner(info) => Line::Learner(cycles::summary(app, id, &folder, &info)),
        Kind::Sweep(info) => {
            Line::Sweep(SweepLine { game: info.game, id: id.to_string(), preset: info.preset })
        }
        Kind::Run(info) => {
            let state = state(app, id, &folder, &info);
            let reached = reached(app, &folder, info.genes);
            Line::Run(RunLine {
                failure: failure(app, id, state),
                game: info.game,
                id: id.to_string(),
                last: info.last,
                left: left(app, id, &folder, &info, state, reached),
                preset: info.preset,
                reached,
                seed: info.seed,
                side: info.side,
                state,
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
    let read = || serde_json::to_value(read_detail(app, id)?).map_err(ApiError::internal);
    app.details.of(app, id, read)
}

fn read_detail(app: &App, id: &str) -> Result<Detail, ApiError> {
    let folder = app.results.folder(id)?;
    let article = |markdown, chart| Article {
        chart,
        files: download::list(app, &folder),
        id: id.to_string(),
        markdown,
    };
    match app.results.kind(&folder) {
        Some(Kind::Run(info)) => Ok(Detail::Run(Box::new(run(app, id, &folder, &info)))),
        Some(Kind::Learner(info)) => Ok(Detail::Learner(cycles::detail(app, id, &folder, &info))),
        Some(Kind::Sweep(_)) => Ok(Detail::Sweep(article(app.results.text(&folder, layout::SUMMARY), None))),
        Some(Kind::Experiment { .. } | Kind::Page(_)) => {
            Ok(Detail::Experiment(article(text(app, &folder), chart(app, &folder))))
        }
        None => Err(ApiError::not_found(format!("the folder '{id}' holds no run that can be read"))),
    }
}

fn run(app: &App, id: &str, folder: &Path, info: &RunInfo) -> RunDetail {
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
    let labels = |label: fn(&GeneInfo) -> &'static str| info.genes.iter().map(label).collect();
    RunDetail {
        champion,
        failure: failure(app, id, state),
        files: download::list(app, folder),
        game: info.game,
        genes: info.genes.iter().map(GeneInfo::to_string).collect(),
        id: id.to_string(),
        labels: Labels { en: labels(|gene| gene.english), ja: labels(|gene| gene.japanese) },
        last: info.last,
        left: left(app, id, folder, info, state, reached),
        markdown: app.results.text(folder, layout::SUMMARY),
        paper: has_paper.then(|| info.paper.clone()),
        resume: matches!(state, "stopped" | "failed")
            .then(|| format!("dobutsu-ga resume {}", app.results.shown(id))),
        rows: rows.iter().map(row).collect(),
        settings: info.settings.clone(),
        state,
        strength,
        strength_games: games,
        untrained: info.untrained.clone(),
    }
}

/// A generation as the page takes it.
pub(super) fn row(row: &GenerationRow) -> Row {
    let (winner, mean, frozen) = (row.winner.clone(), row.mean.clone(), row.frozen.clone());
    Row(row.generation, row.winner_score, row.mean_score, winner, mean, frozen)
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
fn text(app: &App, folder: &Path) -> Option<String> {
    [layout::SUMMARY, layout::TABLE, layout::GUIDELINE, layout::GRADE_PAGE]
        .iter()
        .find_map(|name| app.results.text(folder, name))
}

fn title(markdown: &str) -> String {
    markdown.lines().next().unwrap_or_default().trim_start_matches("# ").to_string()
}

/// What an experiment has over the generations, as lines of a chart.
fn chart(app: &App, folder: &Path) -> Option<ChartInfo> {
    if let Some(text) = app.results.text(folder, layout::CHICK) {
        let paper = PaperRun::of::<dobutsu::Position>(None).gene(0);
        let series = ["q1", "median", "q3"].map(|name| ChartLine {
            name: name.to_string(),
            points: columns(&text, "generation", name, &|_| true),
        });
        return Some(ChartInfo { level: paper, series: series.into(), y: "value" });
    }
    let text = app.results.text(folder, layout::ERRORS)?;
    let mut rates: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    rates.dedup();
    let line = |rate: &&str| {
        let points = columns(&text, "generation", "median", &|line| line.split(',').next() == Some(rate));
        let percent = rate.parse::<f64>().map_or(0.0, |rate| 100.0 * rate);
        ChartLine { name: format!("{percent} %"), points }
    };
    Some(ChartInfo { level: None, series: rates.iter().take(20).map(line).collect(), y: "error" })
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
