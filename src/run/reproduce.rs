//! An experiment carried out: played or evolved, and turned into files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::alphazero::{perform_alphazero, perform_arm, perform_judged};
use super::{AlphaZeroJobError, BeginWatch, Seed, SeedsFile, SeedsFileError, Watch, check_oracle, run_seeds};
use crate::experiment::forensic::{forensic_steps, run_forensic};
use crate::experiment::{
    AlphaZeroArmsWork, AlphaZeroWork, Definition, DuelsError, GridResult, JudgeError, Prose, SeedResult,
    Store, TunerWork, Tuning, Work, kept, run_curve, run_duels, run_grid,
};
use crate::files;
use crate::files::FileError;
use crate::game::{Game, SolutionError, Solutions};
use crate::games::dobutsu::solve::Tables;
use crate::games::{dobutsu, kyoto};
use crate::learn::alphazero::Learnable;
use crate::nets::processor;
use crate::parallel;
use crate::players::{Playable, SpecError};
use crate::report::{
    AlphaZeroArmsReport, DqnReport, Language, PaReport, Picture, SweepReport, TableError, TableFiles,
    alphazero_report, arms_files, arms_markdown, curve_files, curve_markdown, curve_overview, duels_files,
    duels_markdown, duels_overview, experiment_pictures, forensic_files, forensic_markdown, grid_files,
    grid_markdown, grid_overview, layout, listing_files, listing_markdown, listing_overview,
};

/// What an experiment gives: its files, what to print, and lines for the overview.
pub struct Performed {
    /// Names and contents of tables and texts.
    pub files: Vec<(String, Vec<u8>)>,
    /// What is drawn from the tables.
    pub pictures: Vec<Picture>,
    /// What to print.
    pub text: String,
    /// What, paper, ours, verdict.
    pub overview: Vec<[String; 4]>,
}

/// Why an experiment cannot be carried out.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum ReproduceError {
    #[error(transparent)]
    Player(#[from] SpecError),
    #[error(transparent)]
    Solution(#[from] SolutionError),
    #[error(transparent)]
    AlphaZero(#[from] AlphaZeroJobError),
    #[error(transparent)]
    Judge(#[from] JudgeError),
    #[error("the learner of the experiment cannot work: {why}")]
    Nonsense { why: String },
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Seeds(#[from] SeedsFileError),
    #[error(transparent)]
    File(#[from] FileError),
}

impl From<DuelsError> for ReproduceError {
    fn from(error: DuelsError) -> ReproduceError {
        match error {
            DuelsError::Player(error) => error.into(),
            DuelsError::File(error) => error.into(),
        }
    }
}

/// Whoever goes by the solved game must have it.
pub fn check_solutions<G: Playable>(definition: &Definition<G>) -> Result<(), ReproduceError> {
    match &definition.work {
        Work::Grid(grid) => {
            let players = grid.players()?;
            Ok(players.iter().try_for_each(|player| player.check(grid.rules))?)
        }
        Work::Tuner(work) => Ok(check_oracle(&work.settings)?),
        Work::Duels(work) => {
            let players = work.players()?;
            Ok(players.iter().flatten().try_for_each(|player| player.check(work.rules))?)
        }
        Work::AlphaZero(work) => {
            let Some(judged) = &work.judged else { return Ok(()) };
            let settings = work.settings::<G>().map_err(|why| ReproduceError::Nonsense { why })?;
            G::Solutions::at(None).get(settings.rules())?;
            let players = judged.players::<G>()?;
            Ok(players.iter().try_for_each(|player| player.check(settings.rules()))?)
        }
        Work::Arms(work) => {
            Ok(Tables::at(None).get(work.rules()).map(|_| ()).map_err(SolutionError::from)?)
        }
        Work::Curve(_)
        | Work::Forensic(_)
        | Work::Listing(_)
        | Work::Pa(_)
        | Work::Dqn(_)
        | Work::AlphaZeroArms(_) => Ok(()),
    }
}

/// What experiments before have played: some ask another question of the same games.
pub struct Before<G: Playable> {
    grids: Vec<GridResult<G>>,
    /// By what decides them.
    sweeps: Vec<(String, Vec<SeedResult>)>,
}

impl<G: Playable> Default for Before<G> {
    fn default() -> Before<G> {
        Before { grids: Vec::new(), sweeps: Vec::new() }
    }
}

/// Carries an experiment out on all threads of the current rayon pool. What takes hours is kept in the folder as it comes.
pub fn perform<G: Playable>(
    definition: &Definition<G>,
    folder: &Path,
    before: &mut Before<G>,
    begin: &BeginWatch<'_>,
) -> Result<Performed, ReproduceError> {
    match &definition.work {
        Work::Grid(grid) => {
            let watch = begin(&definition.name, grid.all_games() as u64, "games");
            let same = before.grids.iter().find(|other| other.grid.plays_the_same(grid));
            let result = match same {
                Some(other) => GridResult { grid: grid.clone(), cells: other.cells.clone() },
                None => run_grid(grid, &|| watch.step())?,
            };
            before.grids.push(result.clone());
            let (files, text) = (grid_files(definition, &result), grid_markdown(definition, &result));
            performed(definition, files, text, vec![grid_overview(&result)])
        }
        Work::Curve(work) => {
            let results = run_curve(work);
            let files = curve_files(&results);
            told(definition, files, &curve_markdown(work, &results), vec![curve_overview(&results)])
        }
        Work::Duels(work) => {
            let watch = begin(&definition.name, work.all_games() as u64, "games");
            let results = match definition.minutes.is_some() {
                // Minutes must not be lost: games are kept as they are played.
                true => {
                    let settings = toml::to_string(work).expect("numbers and texts can be written");
                    let kept = Kept::new(folder, &settings, watch)?;
                    let results = run_duels(work, &|| kept.step(), Some(&kept))?;
                    kept.finish()?;
                    results
                }
                false => run_duels(work, &|| watch.step(), None)?,
            };
            let files = duels_files(work, &results);
            told(definition, files, &duels_markdown(work, &results), duels_overview(work, &results))
        }
        Work::Pa(work) => {
            let all: Vec<u64> = work.seeds.seeds().collect();
            let key = |seed: &u64| format!("seed-{seed}");
            let run = |seed: &u64| Ok(work.run(*seed));
            let results = run_kept(&definition.name, work, &all, folder, begin, key, run)?;
            let report = PaReport::new(work, &results);
            told(definition, report.files(), &report.markdown(), report.overview())
        }
        Work::Dqn(work) => {
            let key = |(run, seed): &(usize, u64)| format!("run-{run}-seed-{seed}");
            let run = |(run, seed): &(usize, u64)| Ok(work.run(*run, *seed));
            let results = run_kept(&definition.name, work, &work.all(), folder, begin, key, run)?;
            let report = DqnReport { work, results: &results };
            told(definition, report.files(), &report.markdown(), report.overview())
        }
        Work::Arms(work) => {
            let table = Tables::at(None).get(work.rules()).map_err(SolutionError::from)?;
            let key = |(arm, seed): &(usize, u64)| format!("arm-{arm}-seed-{seed}");
            let run = |(arm, seed): &(usize, u64)| Ok(work.run(*arm, *seed, &table));
            let results = run_kept(&definition.name, work, &work.all(), folder, begin, key, run)?;
            told(definition, arms_files(work, &results), &arms_markdown(work, &results), Vec::new())
        }
        Work::AlphaZero(work) => {
            let progress = folder.join(PROGRESS);
            let done = match G::NAME {
                dobutsu::Position::NAME => perform_judged(work, &progress, begin)?,
                _ => perform_alphazero::<kyoto::Position>(work, &progress, begin)?,
            };
            let (files, text) = alphazero_report(&done.result, done.network);
            std::fs::remove_dir_all(&progress).map_err(|error| FileError::new("remove", &progress, error))?;
            told(definition, files, &text, Vec::new())
        }
        Work::Listing(work) => {
            let watch = begin(&definition.name, work.cells().len() as u64, "cells");
            let cells = work.run(&|| watch.step());
            let (files, overview) = (listing_files(work, &cells), listing_overview(work, &cells));
            told(definition, files, &listing_markdown(work, &cells), overview)
        }
        Work::AlphaZeroArms(work) => match G::NAME {
            dobutsu::Position::NAME => compare::<G, dobutsu::Position>(definition, work, folder, begin),
            _ => compare::<G, kyoto::Position>(definition, work, folder, begin),
        },
        Work::Tuner(work) => tune(definition, work, folder, before, begin),
        Work::Forensic(work) => {
            let watch = begin(&definition.name, forensic_steps(work) as u64, "steps");
            let settings = toml::to_string(work).expect("numbers and texts can be written");
            let kept = Kept::new(folder, &settings, watch)?;
            let result = run_forensic(work, &kept)?;
            kept.finish()?;
            told(definition, forensic_files(&result), &forensic_markdown(&result), Vec::new())
        }
    }
}

/// Arms of the self-play learner for the game `L`, which is `G`: only there it is known to have networks.
fn compare<G: Playable, L: Learnable>(
    definition: &Definition<G>,
    work: &AlphaZeroArmsWork,
    folder: &Path,
    begin: &BeginWatch<'_>,
) -> Result<Performed, ReproduceError> {
    let key = |(arm, seed): &(usize, u64)| format!("arm-{arm}-seed-{seed}");
    let run = |item: &(usize, u64)| {
        perform_arm::<L>(work, *item, &folder.join(PROGRESS).join(format!("{}-learner", key(item))))
    };
    let results = run_kept(&definition.name, &work.resolved::<L>(), &work.all(), folder, begin, key, run)?;
    let settings: Result<Vec<_>, String> =
        (0..work.arms.len()).map(|arm| work.settings::<L>(arm, 0)).collect();
    let settings = settings.map_err(|why| ReproduceError::Nonsense { why })?;
    let report = AlphaZeroArmsReport { work, settings: &settings, results: &results };
    told(definition, report.files(), &report.markdown(), report.overview())
}

/// The hidden folder of work that is under way, in that of the results.
const PROGRESS: &str = ".progress";

/// What has been played already, in a hidden folder that is gone when all is done.
struct Kept {
    folder: PathBuf,
    fingerprint: String,
    watch: Box<dyn Watch>,
}

impl Kept {
    fn new(folder: &Path, work: &str, watch: Box<dyn Watch>) -> Result<Kept, FileError> {
        let folder = folder.join(PROGRESS);
        files::create_folder(&folder)?;
        let settings = format!("{}{work}", env!("CARGO_PKG_VERSION"));
        Ok(Kept { folder, fingerprint: files::fingerprint(settings.as_bytes()), watch })
    }

    fn finish(self) -> Result<(), FileError> {
        std::fs::remove_dir_all(&self.folder).map_err(|error| FileError::new("remove", &self.folder, error))
    }

    fn check(&self, text: &str) -> String {
        files::fingerprint(format!("{}{text}", self.fingerprint).as_bytes())
    }
}

impl Store for Kept {
    fn load(&self, key: &str) -> Option<String> {
        let bytes = files::read_if_there(&self.folder.join(key)).ok()??;
        let text = String::from_utf8(bytes).ok()?;
        let (check, text) = text.split_once('\n')?;
        (check == self.check(text)).then(|| text.to_string())
    }

    fn save(&self, key: &str, text: &str) -> Result<(), FileError> {
        files::write(&self.folder.join(key), format!("{}\n{text}", self.check(text)).as_bytes())
    }

    fn step(&self) {
        self.watch.step();
    }
}

/// All of these side by side; those that are done are kept.
fn run_kept<W: Serialize, T: Sync, R: Serialize + DeserializeOwned + Send>(
    name: &str,
    work: &W,
    all: &[T],
    folder: &Path,
    begin: &BeginWatch<'_>,
    key: impl Fn(&T) -> String + Sync,
    run: impl Fn(&T) -> Result<R, ReproduceError> + Sync,
) -> Result<Vec<R>, ReproduceError> {
    let settings = toml::to_string(work).expect("numbers and texts can be written");
    let store = Kept::new(folder, &settings, begin(name, all.len() as u64, "runs"))?;
    let results = parallel::try_map(all, |_, item| kept(&store, &key(item), || run(item)))?;
    store.finish()?;
    Ok(results)
}

/// The files and the article of an experiment.
fn told<G: Playable>(
    definition: &Definition<G>,
    mut files: Vec<(&'static str, Vec<u8>)>,
    tables: &str,
    overview: Vec<[String; 4]>,
) -> Result<Performed, ReproduceError> {
    let text = article(definition, tables);
    files.push((layout::SUMMARY, text.clone().into_bytes()));
    performed(definition, files, text, overview)
}

/// All that comes out, with pictures of the tables.
fn performed<G: Playable>(
    definition: &Definition<G>,
    files: Vec<(&'static str, Vec<u8>)>,
    text: String,
    overview: Vec<[String; 4]>,
) -> Result<Performed, ReproduceError> {
    let pictures = experiment_pictures(definition, &TableFiles::of(&files), Language::En)?;
    let files = files.into_iter().map(|(name, bytes)| (name.to_string(), bytes)).collect();
    Ok(Performed { files, pictures, text, overview })
}

fn tune<G: Playable>(
    definition: &Definition<G>,
    work: &TunerWork<G>,
    folder: &Path,
    before: &mut Before<G>,
    begin: &BeginWatch<'_>,
) -> Result<Performed, ReproduceError> {
    let runs = Seed::all(work.seeds.seeds(), work.null).len();
    let watch = begin(&definition.name, runs as u64, "runs");
    let results = match definition.minutes.is_some() {
        // Hours must not be lost: seeds are kept as they are done.
        true => {
            let (kept, done) = SeedsFile::open(folder, &work.identity())?;
            let save = |result: &SeedResult| kept.save(result);
            run_seeds(&work.settings, work.seeds.seeds(), work.null, &work.rivals, &done, &save, &*watch)?
        }
        false => {
            let known = before.sweeps.iter().find(|(identity, _)| *identity == work.identity());
            let done = known.map_or(&[][..], |(_, results)| results);
            run_seeds(
                &work.settings,
                work.seeds.seeds(),
                work.null,
                &work.rivals,
                done,
                &|_| Ok(()),
                &*watch,
            )?
        }
    };
    before.sweeps.push((work.identity(), results.clone()));
    let par = Tuning::new(&work.settings).par();
    let TunerWork { settings, paper, rivals, .. } = work;
    let report = SweepReport { settings, results: &results, paper, par, rivals };
    let tables = if work.is_figure() { String::new() } else { report.markdown() };
    let files = if work.is_figure() { report.chick_files() } else { report.files() };
    if definition.minutes.is_some() {
        files::remove(&folder.join(SeedsFile::NAME))?;
    }
    told(definition, files, &tables, report.overview())
}

/// Question, tables, analysis.
fn article<G: Playable>(definition: &Definition<G>, tables: &str) -> String {
    let Prose { title, question, analysis, .. } = &definition.prose;
    let parts = [&format!("# {title}"), question.trim(), tables.trim(), "## Analysis", analysis.trim()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n") + "\n"
}

/// By what the results were made: enough to make them again.
pub fn run_toml<G: Playable>(asked: &str, definition: &Definition<G>) -> String {
    let mut described = String::new();
    let (settings, more) = match &definition.work {
        Work::Grid(grid) => {
            for player in grid.players().into_iter().flatten() {
                let _ = writeln!(described, "# {player}: {}", player.describe());
            }
            (toml::to_string(grid), format!(" --games {} --seed {}", grid.games, grid.seed))
        }
        Work::Duels(work) => {
            for player in work.players().into_iter().flatten().flatten() {
                let _ = writeln!(described, "# {player}: {}", player.describe());
            }
            (toml::to_string(work), String::new())
        }
        Work::Pa(work) => (toml::to_string(work), String::new()),
        // What comes out is promised for one kind of processor.
        Work::AlphaZero(work) => {
            let settings = work.settings::<G>().expect("an experiment was checked when it was read");
            described += &settings.describe_opponents::<G>();
            for player in work.judged.iter().flat_map(|judged| judged.players::<G>()).flatten() {
                let _ = writeln!(described, "# {player}: {}", player.describe());
            }
            let _ = writeln!(described, "processor = \"{}\"", processor());
            let learner = toml::Table::try_from(&settings).expect("numbers and texts can be written");
            (toml::to_string(&AlphaZeroWork { learner, ..work.clone() }), String::new())
        }
        Work::AlphaZeroArms(work) => {
            let settings = work.settings::<G>(0, 0).expect("an experiment was checked when it was read");
            described += &settings.describe_opponents::<G>();
            for player in work.players::<G>().into_iter().flatten() {
                let line = format!("# {player}: {}\n", player.describe());
                // Most are opponents of the measuring games as well.
                if !described.contains(&line) {
                    described += &line;
                }
            }
            let _ = writeln!(described, "processor = \"{}\"", processor());
            (toml::to_string(&work.resolved::<G>()), String::new())
        }
        Work::Dqn(work) => {
            let mut lines: Vec<String> =
                work.runs.iter().map(|run| run.settings.describe_opponents()).collect();
            lines.dedup();
            described += &lines.concat();
            let _ = writeln!(described, "processor = \"{}\"", processor());
            (toml::to_string(work), String::new())
        }
        Work::Tuner(work) => (toml::to_string(work), String::new()),
        Work::Arms(work) => (toml::to_string(work), String::new()),
        Work::Curve(work) => (toml::to_string(work), String::new()),
        Work::Forensic(work) => (toml::to_string(work), String::new()),
        Work::Listing(work) => (toml::to_string(work), String::new()),
    };
    format!(
        "# Made by: dobutsu-ga reproduce {asked}{more}\n{described}version = \"{version}\"\n{game}experiment = \"{name}\"\n{}",
        settings.expect("numbers and texts can be written"),
        name = definition.name,
        game = if definition.game.is_unsaid() { String::new() } else { format!("game = \"{}\"\n", G::NAME) },
        version = env!("CARGO_PKG_VERSION"),
    )
}
