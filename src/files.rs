//! Files that are never half written: a temporary name, synced, then renamed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What went wrong with which file.
#[derive(Debug, thiserror::Error)]
#[error("cannot {verb} '{}': {error}", path.display())]
pub struct FileError {
    verb: &'static str,
    path: PathBuf,
    /// What the system said.
    #[source]
    pub error: io::Error,
}

impl FileError {
    pub(crate) fn new(verb: &'static str, path: &Path, error: io::Error) -> FileError {
        FileError { verb, path: path.to_path_buf(), error }
    }
}

/// Writes a whole file so that at any moment there is the old one or the new one, never a part.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let wrong = |error| FileError::new("write", path, error);
    let temporary = temporary(path);
    let written = File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written.map_err(wrong)
}

/// Fails as [`write()`] would at this path, before the work whose result is to be written; leaves nothing behind.
pub fn write_check(path: &Path) -> Result<(), FileError> {
    let temporary = temporary(path);
    let tried = File::create(&temporary).and_then(|_| fs::remove_file(&temporary));
    tried.map_err(|error| FileError::new("write", path, error))
}

fn temporary(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    PathBuf::from(name)
}

/// Makes a folder and those above it.
pub fn create_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(|error| FileError::new("create the folder", path, error))
}

/// The content of a file, or `None` if there is none.
pub fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::new("read", path, error)),
    }
}
