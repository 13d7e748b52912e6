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
    write_parts(path, &[bytes])
}

/// The same for a file whose content is in several pieces.
pub fn write_parts(path: &Path, parts: &[&[u8]]) -> Result<(), FileError> {
    let wrong = |error| FileError::new("write", path, error);
    let temporary = temporary(path);
    let written = File::create(&temporary)
        .and_then(|mut file| {
            parts.iter().try_for_each(|part| file.write_all(part)).and_then(|()| file.sync_all())
        })
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

/// A name beside the file that nobody else uses; what a killed run left there is simply written over by the next.
fn temporary(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".dobutsu-ga-tmp");
    path.with_file_name(name)
}

/// Makes a folder and those above it.
pub fn create_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(|error| FileError::new("create the folder", path, error))
}

/// Whether a folder holds anything but a lock.
pub fn is_occupied(folder: &Path) -> bool {
    let is_other = |entry: io::Result<fs::DirEntry>| entry.is_ok_and(|entry| entry.file_name() != LOCK);
    folder.read_dir().is_ok_and(|mut entries| entries.any(is_other))
}

const LOCK: &str = ".lock";

/// Keeps other processes from working in a folder for as long as the returned file is open.
pub fn lock(folder: &Path) -> Result<File, FileError> {
    let path = folder.join(LOCK);
    let locked = File::create(&path).and_then(|file| match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(io::Error::other("another process is working there")),
        Err(fs::TryLockError::Error(error)) => Err(error),
    });
    locked.map_err(|error| FileError::new("use the folder", folder, error))
}

/// Whether some process is working in a folder. (While this looks, which takes an instant, nobody else could begin to.)
pub fn is_locked(folder: &Path) -> bool {
    let file = File::options().read(true).open(folder.join(LOCK));
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
}

/// Removes a file, if it is there.
pub fn remove(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FileError::new("remove", path, error)),
        _ => Ok(()),
    }
}

/// The content of a file, or `None` if there is none.
pub fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::new("read", path, error)),
    }
}

/// A short text that is different for different contents (FNV-1a, 64 bits): good against accidents, not against malice.
pub fn fingerprint(bytes: &[u8]) -> String {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
    format!("{:016x}", bytes.iter().fold(0xCBF2_9CE4_8422_2325, mix))
}
