//! Many runs that differ only in their seed, side by side, and the file that keeps those that are done.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Watch;
use crate::experiment::{Rivals, SeedResult, sweep_settings};
use crate::files::{self, FileError};
use crate::learn::{Fitness, Settings};
use crate::players::Playable;

/// Runs every seed that is not among `done`, side by side; `save` is told of each. All results, in the order of the seeds.
pub fn run_seeds<G: Playable>(
    settings: &Settings<G>,
    seeds: RangeInclusive<u64>,
    null: bool,
    rivals: &Rivals<G>,
    done: &[SeedResult],
    save: &(dyn Fn(&SeedResult) -> Result<(), FileError> + Sync),
    watch: &dyn Watch,
) -> Result<Vec<SeedResult>, FileError> {
    let run = |settings: &Settings<G>| {
        let is_null = settings.fitness == Fitness::Random;
        let known = done.iter().find(|result| result.seed == settings.seed && result.null == is_null);
        let result = match known {
            Some(result) => result.clone(),
            None => {
                let result = SeedResult::run(settings, rivals);
                save(&result)?;
                result
            }
        };
        watch.step();
        Ok(result)
    };
    sweep_settings(settings, seeds, null).par_iter().with_max_len(1).map(run).collect()
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
