//! A folder of results: written whole, never overwritten unasked.

use std::path::{Path, PathBuf};

use super::checksums::{ChecksumError, remove_checksums, verify_checksums, write_checksums};
use super::layout::RUN;
use crate::files::{self, FileError, Lock};
use crate::learn::differences;

/// A folder that is ready to take the results of a run.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    run: String,
    repeats: bool,
    force: bool,
    /// The setting of a learner by which its run may be extended.
    end: Option<String>,
    /// Held from the opening on: nobody else works there.
    lock: Option<Lock>,
}

/// Why results cannot be written.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum FolderError {
    #[error("'{}' holds results of other settings{what}: --force overwrites them, --out FOLDER writes elsewhere", path.display())]
    Taken { path: PathBuf, what: String },
    #[error("'{}' of the same settings differs from what came out now: --force overwrites it, --out FOLDER writes elsewhere", path.display())]
    Differs { path: PathBuf },
    #[error("{0}: --force begins anew, --out FOLDER writes elsewhere")]
    Damaged(ChecksumError),
    #[error(transparent)]
    File(#[from] FileError),
}

impl Folder {
    /// Makes sure before the work that nothing would be overwritten unasked. `run` is what `run.toml` will say.
    ///
    /// A folder with results of the very same settings is fine: the work is then a check that they come out again.
    pub fn prepare(path: &Path, run: String, force: bool) -> Result<Folder, FolderError> {
        Folder::new(path, run, force, None)
    }

    /// The same for a run of a learner that goes on beyond its end, which is the setting of this key: all others must be the same.
    pub fn extend(path: &Path, run: String, end: &str) -> Result<Folder, FolderError> {
        Folder::new(path, run, false, Some(end.to_string()))
    }

    fn new(path: &Path, run: String, force: bool, end: Option<String>) -> Result<Folder, FolderError> {
        let mut folder = Folder { path: path.to_path_buf(), run, repeats: false, force, end, lock: None };
        folder.look()?;
        Ok(folder)
    }

    /// Looks at what is there.
    fn look(&mut self) -> Result<(), FolderError> {
        let there = files::read_if_there(&self.path.join(RUN))?;
        self.repeats = there.as_deref() == Some(self.run.as_bytes());
        let occupied = !files::entries(&self.path)?.is_empty();
        if !occupied || self.repeats || self.force {
            return Ok(());
        }
        let table = |text: &str| text.parse::<toml::Table>().unwrap_or_default();
        let there = there.map(|bytes| table(&String::from_utf8_lossy(&bytes)));
        let found = there.map(|there| differences(&there, &table(&self.run))).unwrap_or_default();
        let end = self.end.as_ref().map(|end| format!("learner.{end}"));
        if end.is_some() && found.iter().all(|(key, ..)| Some(key) == end.as_ref()) {
            return Ok(());
        }
        let shown = found.iter().map(|(key, there, here)| format!("{key} is {there} there and {here} here"));
        let shown: Vec<String> = shown.take(3).collect();
        let what = if shown.is_empty() { String::new() } else { format!(" ({})", shown.join(", ")) };
        Err(FolderError::Taken { path: self.path.to_path_buf(), what })
    }

    /// Removes files of an earlier run, so that nothing of other settings can ever be taken up.
    pub fn clear<N: AsRef<str>>(&self, names: impl IntoIterator<Item = N>) -> Result<(), FolderError> {
        for name in names {
            files::remove(&self.path.join(name.as_ref()))?;
        }
        Ok(())
    }

    /// Makes the folder, takes it for this process alone and makes sure that it can be written to.
    pub fn open(&mut self) -> Result<(), FolderError> {
        files::create_folder(&self.path)?;
        self.lock = Some(files::lock(&self.path)?);
        // Somebody may have worked there since.
        self.look()?;
        if self.force {
            return Ok(remove_checksums(&self.path)?);
        }
        verify_checksums(&self.path).map_err(|error| match error {
            ChecksumError::File(error) => error.into(),
            changed => FolderError::Damaged(changed),
        })
    }

    /// Writes `run.toml` before the work, for work that can be taken up where it stopped.
    pub fn begin(&self) -> Result<(), FolderError> {
        if !self.repeats {
            remove_checksums(&self.path)?;
        }
        Ok(files::write(&self.path.join(RUN), self.run.as_bytes())?)
    }

    /// Writes the files over what is there.
    pub fn overwrite(&self, results: &[(impl AsRef<str>, Vec<u8>)]) -> Result<(), FolderError> {
        for (name, bytes) in results {
            files::write(&self.path.join(name.as_ref()), bytes)?;
        }
        Ok(())
    }

    /// Writes the checksums of these finished results.
    pub fn write_checksums<N: AsRef<str>>(
        &self,
        names: impl IntoIterator<Item = N>,
    ) -> Result<(), FolderError> {
        let names = names.into_iter().map(|name| name.as_ref().to_string());
        Ok(write_checksums(&self.path, [RUN.to_string()].into_iter().chain(names))?)
    }

    /// Writes the files, or finds them there already. Returns whether they were there already, byte for byte.
    pub fn write(&self, results: &[(impl AsRef<str>, Vec<u8>)]) -> Result<bool, FolderError> {
        let mut new = Vec::new();
        for (name, bytes) in results {
            let path = self.path.join(name.as_ref());
            match files::read_if_there(&path)? {
                Some(there) if there == *bytes => {}
                Some(_) if self.repeats && !self.force => return Err(FolderError::Differs { path }),
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
