//! A results folder: locked, checked, cleared and written in one place, and never overwritten unasked.

use std::path::{Path, PathBuf};

use crate::files::{self, FileError, Lock};
use crate::learn::differences;
use crate::report::layout::{self, RUN};
use crate::report::{ChecksumError, remove_checksums, verify_checksums, write_checksums};

/// A folder that is ready to take the results of a run.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    /// What `run.toml` says, or will say.
    run: String,
    repeats: bool,
    force: bool,
    /// The setting by which the run is extended, as in `learner.cycles`.
    end: Option<String>,
    /// Held from the opening on: no other process works there.
    lock: Option<Lock>,
}

/// Why results cannot be written.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum RunDirError {
    #[error("'{}' is not empty and holds no results: --out FOLDER writes elsewhere, --force writes there", .0.display())]
    Foreign(PathBuf),
    #[error("'{}' holds results of other settings{what}: --force overwrites them, --out FOLDER writes elsewhere", path.display())]
    Taken { path: PathBuf, what: String },
    #[error("'{}' of the same settings differs from what came out now: --force overwrites it, --out FOLDER writes elsewhere", path.display())]
    Differs { path: PathBuf },
    #[error("{0}: --force begins anew, --out FOLDER writes elsewhere")]
    Damaged(ChecksumError),
    #[error(transparent)]
    File(#[from] FileError),
}

impl RunDir {
    /// Makes sure before the work that nothing would be overwritten unasked. `run` is what `run.toml` will say.
    ///
    /// A folder with results of the very same settings is fine: the work is then a check that they come out again.
    pub fn prepare(path: &Path, run: String, force: bool) -> Result<RunDir, RunDirError> {
        RunDir::new(path, run, force, None)
    }

    /// The same for a run that is extended: `end` is the setting that says how far it goes, all others must be the same.
    pub fn extend(path: &Path, run: String, end: &str) -> Result<RunDir, RunDirError> {
        RunDir::new(path, run, false, Some(end.to_string()))
    }

    fn new(path: &Path, run: String, force: bool, end: Option<String>) -> Result<RunDir, RunDirError> {
        let mut folder = RunDir { path: path.to_path_buf(), run, repeats: false, force, end, lock: None };
        folder.look()?;
        Ok(folder)
    }

    /// Looks at what is there.
    fn look(&mut self) -> Result<(), RunDirError> {
        let there = files::read_if_there(&self.path.join(RUN))?;
        self.repeats = there.as_deref() == Some(self.run.as_bytes());
        let occupied = !files::entries(&self.path)?.is_empty();
        if !occupied || self.repeats || self.force {
            return Ok(());
        }
        let Some(there) = there else { return Err(RunDirError::Foreign(self.path.to_path_buf())) };
        let table = |text: &str| text.parse::<toml::Table>().unwrap_or_default();
        let found = differences(&table(&String::from_utf8_lossy(&there)), &table(&self.run));
        if self.end.is_some() && found.iter().all(|(key, ..)| Some(key) == self.end.as_ref()) {
            return Ok(());
        }
        let shown = found.iter().map(|(key, there, here)| format!("{key} is {there} there and {here} here"));
        let shown: Vec<String> = shown.take(3).collect();
        let what = if shown.is_empty() { String::new() } else { format!(" ({})", shown.join(", ")) };
        Err(RunDirError::Taken { path: self.path.to_path_buf(), what })
    }

    /// Makes the folder, takes it for this process alone and makes sure that it can be written to.
    pub fn open(&mut self) -> Result<(), RunDirError> {
        files::create_folder(&self.path)?;
        self.lock = Some(files::lock(&self.path)?);
        // Somebody may have worked there since.
        self.look()?;
        if self.force {
            return self.clear();
        }
        verify_checksums(&self.path).map_err(|error| match error {
            ChecksumError::File(error) => error.into(),
            changed => RunDirError::Damaged(changed),
        })?;
        if self.end.is_some() {
            // The summary says that a run is finished: now it is not.
            files::remove(&self.path.join(layout::SUMMARY))?;
        }
        Ok(())
    }

    /// Removes everything that a run or a command may have written, so that nothing of two definitions is ever mixed. Other files
    /// of the user stay.
    fn clear(&self) -> Result<(), RunDirError> {
        for name in files::entries(&self.path)? {
            let path = self.path.join(&name);
            match name.to_string_lossy() {
                name if name == layout::PROGRESS => {
                    std::fs::remove_dir_all(&path).map_err(|error| FileError::new("remove", &path, error))?;
                }
                name if name == layout::GAMES => layout::remove_games(&path, |_| true, true)?,
                name if layout::is_ours(&name) => files::remove(&path)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Writes `run.toml` before the work, for work that can be taken up where it stopped.
    pub fn begin(&self) -> Result<(), RunDirError> {
        if !self.repeats {
            remove_checksums(&self.path)?;
        }
        Ok(files::write(&self.path.join(RUN), self.run.as_bytes())?)
    }

    /// Whether the results of a run are complete: the summary is written last.
    pub fn is_finished(path: &Path) -> bool {
        [layout::SUMMARY, layout::TABLE].iter().any(|page| path.join(page).exists())
    }

    /// Writes the files over what is there.
    pub fn overwrite(&self, results: &[(impl AsRef<str>, Vec<u8>)]) -> Result<(), RunDirError> {
        for (name, bytes) in results {
            files::write(&self.path.join(name.as_ref()), bytes)?;
        }
        Ok(())
    }

    /// Writes the checksums of these finished results.
    pub fn write_checksums<N: AsRef<str>>(
        &self,
        names: impl IntoIterator<Item = N>,
    ) -> Result<(), RunDirError> {
        let names = names.into_iter().map(|name| name.as_ref().to_string());
        Ok(write_checksums(&self.path, [RUN.to_string()].into_iter().chain(names))?)
    }

    /// Writes the files, or finds them there already. Returns whether they were there already, byte for byte.
    pub fn write(&self, results: &[(impl AsRef<str>, Vec<u8>)]) -> Result<bool, RunDirError> {
        let mut new = Vec::new();
        for (name, bytes) in results {
            let path = self.path.join(name.as_ref());
            match files::read_if_there(&path)? {
                Some(there) if there == *bytes => {}
                Some(_) if self.repeats && !self.force => return Err(RunDirError::Differs { path }),
                _ => new.push((path, bytes)),
            }
        }
        let same = new.is_empty() && self.repeats;
        if !same {
            remove_checksums(&self.path)?;
        }
        for (path, bytes) in &new {
            files::write(path, bytes)?;
        }
        files::write(&self.path.join(RUN), self.run.as_bytes())?;
        if !same {
            self.write_checksums(results.iter().map(|(name, _)| name))?;
        }
        Ok(same)
    }

    /// Where the results are.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
