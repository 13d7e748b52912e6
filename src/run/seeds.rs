//! Many runs that differ only in their seed, side by side, and the file that keeps those that are done.

use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::Watch;
use crate::crew;
use crate::experiment::{Rivals, SeedResult};
use crate::files::{self, FileError};
use crate::learn::{Fitness, Settings};
use crate::players::Playable;

/// Runs every seed that is not among `done`, side by side; `save` is told of each. All results, in the order of the seeds. Champions
/// also meet the rivals, which are genomes that come with the program.
pub fn run_seeds<G: Playable>(
    settings: &Settings,
    seeds: RangeInclusive<u64>,
    null: bool,
    rivals: &[String],
    done: &[SeedResult],
    save: &(dyn Fn(&SeedResult) -> Result<(), FileError> + Sync),
    watch: &dyn Watch,
) -> Result<Vec<SeedResult>, FileError> {
    run_some::<G, FileError>(settings, &Seed::all(seeds, null), rivals, done, save, watch)
}

/// The same for some runs of a sweep.
pub fn run_some<G: Playable, E: Send>(
    settings: &Settings,
    wanted: &[Seed],
    rivals: &[String],
    done: &[SeedResult],
    save: &(dyn Fn(&SeedResult) -> Result<(), E> + Sync),
    watch: &dyn Watch,
) -> Result<Vec<SeedResult>, E> {
    let known = |seed: &Seed| done.iter().find(|result| seed.is_of(result)).cloned();
    let missing: Vec<Seed> = wanted.iter().filter(|seed| known(seed).is_none()).copied().collect();
    watch.resume((wanted.len() - missing.len()) as u64);
    let work = Seeds::<G> { settings: settings.clone(), rivals: rivals.to_vec(), game: PhantomData };
    let new = crew::run(&work, &missing, &|| watch.step(), &|_, result| save(result))?;
    let mut new = new.into_iter();
    let result = |seed: &Seed| known(seed).or_else(|| new.next()).expect("what was not known has been run");
    Ok(wanted.iter().map(result).collect())
}

/// One run of a sweep: its seed, and whether its fitness is coin tosses instead of what the settings say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seed {
    seed: u64,
    null: bool,
}

impl Seed {
    /// Every run of a sweep: all seeds, then all seeds again with coin tosses if the null is wanted.
    pub fn all(seeds: RangeInclusive<u64>, null: bool) -> Vec<Seed> {
        let nulls: &[bool] = if null { &[false, true] } else { &[false] };
        nulls.iter().flat_map(|null| seeds.clone().map(|seed| Seed { seed, null: *null })).collect()
    }

    /// Whether this came of it.
    pub fn is_of(&self, result: &SeedResult) -> bool {
        result.seed == self.seed && result.null == self.null
    }
}

/// Runs that differ only in their seed.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Seeds<G: Playable> {
    settings: Settings,
    rivals: Vec<String>,
    #[serde(skip)]
    game: PhantomData<fn() -> G>,
}

impl<G: Playable> crew::Work for Seeds<G> {
    const KIND: &'static str = "seeds";
    const GAME: &'static str = G::NAME;
    type Item = Seed;
    type Output = SeedResult;

    fn run(&self, Seed { seed, null }: &Seed, step: &(dyn Fn() + Sync)) -> SeedResult {
        let fitness = if *null { Fitness::Random } else { self.settings.fitness };
        let settings = Settings { seed: *seed, fitness, ..self.settings.clone() };
        let result = SeedResult::run::<G>(&settings, *null, &Rivals::named(&self.rivals));
        step();
        result
    }
}

/// Finished seeds as lines of a file: each is the result, and a fingerprint of it and of the settings, which tells whether a
/// byte of it was changed since.
pub struct SeedsFile {
    path: PathBuf,
    settings: String,
    /// What the file holds by now.
    text: Mutex<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    fingerprint: String,
    result: SeedResult,
}

/// Why finished seeds cannot be read back.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum SeedsFileError {
    #[error("'{}' is damaged or was edited (line {line}): --force begins anew", path.display())]
    Damaged { path: PathBuf, line: usize },
    #[error(transparent)]
    File(#[from] FileError),
}

impl SeedsFile {
    /// The name of the file.
    pub const NAME: &'static str = "seeds.jsonl";

    /// The file of a folder whose runs have these settings, and the seeds that are done already.
    pub fn open(folder: &Path, settings: &str) -> Result<(SeedsFile, Vec<SeedResult>), SeedsFileError> {
        let path = folder.join(Self::NAME);
        let settings = files::fingerprint(settings.as_bytes());
        let bytes = files::read_if_there(&path)?.unwrap_or_default();
        let kept = SeedsFile { path, settings, text: Mutex::default() };
        let parse = |(number, text): (usize, &str)| {
            let line: Option<Line> = serde_json::from_str(text).ok();
            let whole = |line: &Line| kept.line(&line.result).trim_end() == text;
            let damaged = || SeedsFileError::Damaged { path: kept.path.clone(), line: number + 1 };
            line.filter(whole).map(|line| line.result).ok_or_else(damaged)
        };
        let done: Vec<SeedResult> =
            String::from_utf8_lossy(&bytes).lines().enumerate().map(parse).collect::<Result<_, _>>()?;
        *kept.text.lock().unwrap_or_else(PoisonError::into_inner) = kept.lines(&done);
        Ok((kept, done))
    }

    /// Adds a seed that is done.
    pub fn save(&self, result: &SeedResult) -> Result<(), FileError> {
        let mut text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        *text += &self.line(result);
        files::write(&self.path, text.as_bytes())
    }

    /// The file with these results, in this order.
    pub fn lines(&self, results: &[SeedResult]) -> String {
        results.iter().map(|result| self.line(result)).collect()
    }

    fn fingerprint(&self, result: &SeedResult) -> String {
        let text = serde_json::to_string(result).expect("numbers can be written");
        files::fingerprint((text + &self.settings).as_bytes())
    }

    fn line(&self, result: &SeedResult) -> String {
        let line = Line { fingerprint: self.fingerprint(result), result: result.clone() };
        serde_json::to_string(&line).expect("numbers can be written") + "\n"
    }
}
