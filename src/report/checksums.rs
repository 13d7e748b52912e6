//! Checksums of the files in a finished results folder, to detect later changes.
//!
//! Pictures are not among them: they are drawn from the tables, and may be drawn again in another format or language.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::layout::CHECKSUMS;
use crate::files::{self, FileError};

/// A file and the checksum (CRC-32) of what was written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    file: String,
    checksum: String,
}

/// Why finished results cannot be relied on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum ChecksumError {
    #[error("'{}' is damaged or was edited", .0.display())]
    Changed(PathBuf),
    #[error(transparent)]
    File(#[from] FileError),
}

/// Writes the checksums of the files in `names` that exist in the folder.
pub fn write_checksums<N: AsRef<str>>(
    folder: &Path,
    names: impl IntoIterator<Item = N>,
) -> Result<(), FileError> {
    let mut text = String::new();
    for name in names {
        let name = name.as_ref();
        if is_picture(name) {
            continue;
        }
        if let Some(bytes) = files::read_if_there(&folder.join(name))? {
            let line = Entry { file: name.to_string(), checksum: checksum(&bytes) };
            text += &(serde_json::to_string(&line).expect("texts can be written") + "\n");
        }
    }
    files::write(&folder.join(CHECKSUMS), text.as_bytes())
}

/// Removes the checksums before the files change.
pub fn remove_checksums(folder: &Path) -> Result<(), FileError> {
    files::remove(&folder.join(CHECKSUMS))
}

/// Compares the files of a folder with their checksums. Missing files are accepted, and so are folders without checksums: those of
/// unfinished runs and of earlier versions.
pub fn verify_checksums(folder: &Path) -> Result<(), ChecksumError> {
    let path = folder.join(CHECKSUMS);
    let Some(bytes) = files::read_if_there(&path)? else { return Ok(()) };
    let text = String::from_utf8(bytes).map_err(|_| ChecksumError::Changed(path.clone()))?;
    for line in text.lines() {
        let Entry { file, checksum: written } =
            serde_json::from_str(line).map_err(|_| ChecksumError::Changed(path.clone()))?;
        // A damaged name must not lead out of the folder.
        if Path::new(&file).file_name() != Some(file.as_ref()) {
            return Err(ChecksumError::Changed(path));
        }
        let path = folder.join(&file);
        match files::read_if_there(&path)? {
            Some(bytes) if checksum(&bytes) != written => return Err(ChecksumError::Changed(path)),
            _ => {}
        }
    }
    Ok(())
}

fn checksum(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

fn is_picture(name: &str) -> bool {
    name.ends_with(".png") || name.ends_with(".svg")
}
