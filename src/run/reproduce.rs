//! An experiment carried out: played or evolved, and turned into files.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{BeginWatch, Definition, Lab, RunError, SeedsFileError, Watch};
use crate::experiment::{DuelsError, GridResult, JudgeError, SeedResult, Store, kept};
use crate::files;
use crate::files::FileError;
use crate::game::SolutionError;
use crate::parallel;
use crate::players::SpecError;
use crate::report::{Language, Picture, TableError, TableFiles, layout};

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

/// What a kind of experiment gives.
pub struct Outcome {
    /// Names and contents of tables.
    pub files: Vec<(&'static str, Vec<u8>)>,
    /// What there is to read.
    pub text: Text,
    /// What, paper, ours, verdict.
    pub overview: Vec<[String; 4]>,
}

/// What there is to read of an experiment.
pub enum Text {
    /// A page that is complete and among the files.
    Page(String),
    /// Tables for an article with question and analysis.
    Tables(String),
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
    Run(#[from] RunError),
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

/// What experiments before have played: some ask another question of the same games.
pub struct Before<G: Lab> {
    pub(super) grids: Vec<GridResult<G>>,
    /// By what decides them.
    pub(super) sweeps: Vec<(String, Vec<SeedResult>)>,
}

impl<G: Lab> Default for Before<G> {
    fn default() -> Before<G> {
        Before { grids: Vec::new(), sweeps: Vec::new() }
    }
}

/// Where and for what an experiment is carried out.
pub struct Context<'a, G: Lab> {
    /// The experiment.
    pub definition: &'a Definition<G>,
    /// The folder of its results.
    pub folder: &'a Path,
    /// What other experiments have played.
    pub before: &'a mut Before<G>,
    /// Begins to watch work.
    pub begin: &'a BeginWatch<'a>,
}

impl<G: Lab> Context<'_, G> {
    /// Begins to watch `total` steps.
    pub fn watch(&self, total: u64, unit: &'static str) -> Box<dyn Watch> {
        (self.begin)(&self.definition.name, total, unit)
    }

    /// The hidden folder of work that is under way.
    pub fn progress(&self) -> PathBuf {
        self.folder.join(".progress")
    }

    /// Keeps what is done while `work` is under way, and removes it when all is done; it belongs to these settings.
    pub fn with_store<R, E: From<FileError>>(
        &self,
        settings: &str,
        watch: Box<dyn Watch>,
        work: impl FnOnce(&dyn Store) -> Result<R, E>,
    ) -> Result<R, E> {
        let folder = self.progress();
        files::create_folder(&folder)?;
        let settings = format!("{}{settings}", env!("CARGO_PKG_VERSION"));
        let kept = Kept { folder, fingerprint: files::fingerprint(settings.as_bytes()), watch };
        let result = work(&kept)?;
        std::fs::remove_dir_all(&kept.folder)
            .map_err(|error| FileError::new("remove", &kept.folder, error))?;
        Ok(result)
    }

    /// All of these side by side; those that are done are kept.
    pub fn run_kept<T: Sync, R: Serialize + DeserializeOwned + Send>(
        &self,
        settings: &str,
        all: &[T],
        key: impl Fn(&T) -> String + Sync,
        run: impl Fn(&T) -> Result<R, ReproduceError> + Sync,
    ) -> Result<Vec<R>, ReproduceError> {
        self.with_store(settings, self.watch(all.len() as u64, "runs"), |store| {
            parallel::try_map(all, |_, item| kept(store, &key(item), || run(item)))
        })
    }
}

/// What has been played already, in a hidden folder.
struct Kept {
    folder: PathBuf,
    fingerprint: String,
    watch: Box<dyn Watch>,
}

impl Kept {
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

/// Carries an experiment out on all threads of the current rayon pool. What takes hours is kept in the folder as it comes.
pub fn perform<G: Lab>(
    definition: &Definition<G>,
    folder: &Path,
    before: &mut Before<G>,
    begin: &BeginWatch<'_>,
) -> Result<Performed, ReproduceError> {
    let Outcome { mut files, text, overview } =
        definition.work.run(&mut Context { definition, folder, before, begin })?;
    let text = match text {
        Text::Page(text) => text,
        Text::Tables(tables) => {
            let text = definition.article(&tables);
            files.push((layout::SUMMARY, text.clone().into_bytes()));
            text
        }
    };
    let pictures =
        definition.work.pictures(&definition.prose.title, &TableFiles::of(&files), Language::En)?;
    let files = files.into_iter().map(|(name, bytes)| (name.to_string(), bytes)).collect();
    Ok(Performed { files, pictures, text, overview })
}
