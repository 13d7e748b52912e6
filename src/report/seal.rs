//! Checksums of a folder of finished results: whoever reads them later learns whether they still are what was written.
//!
//! Pictures are not among them: they are drawn from the tables, and may be drawn again in another format or language.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::layout::SEAL;
use crate::files::{self, FileError};

/// A file and the checksum (CRC-32) of what was written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sealed {
    file: String,
    checksum: String,
}

/// Why finished results cannot be relied on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum SealError {
    #[error("'{}' is damaged or was edited", .0.display())]
    Changed(PathBuf),
    #[error(transparent)]
    File(#[from] FileError),
}

/// Notes the checksums of these files of a folder, those of them that are there.
pub fn seal<N: AsRef<str>>(folder: &Path, names: impl IntoIterator<Item = N>) -> Result<(), FileError> {
    let mut text = String::new();
    for name in names {
        let name = name.as_ref();
        if is_picture(name) {
            continue;
        }
        if let Some(bytes) = files::read_if_there(&folder.join(name))? {
            let line = Sealed { file: name.to_string(), checksum: checksum(&bytes) };
            text += &(serde_json::to_string(&line).expect("texts can be written") + "\n");
        }
    }
    files::write(&folder.join(SEAL), text.as_bytes())
}

/// Forgets the checksums, because the files are about to change.
pub fn unseal(folder: &Path) -> Result<(), FileError> {
    files::remove(&folder.join(SEAL))
}

/// Whether the files of a folder are what was written. A file that is gone is none of this; nor is a folder without checksums:
/// its work is not finished, or an earlier version has finished it.
pub fn check_seal(folder: &Path) -> Result<(), SealError> {
    let path = folder.join(SEAL);
    let Some(bytes) = files::read_if_there(&path)? else { return Ok(()) };
    let text = String::from_utf8(bytes).map_err(|_| SealError::Changed(path.clone()))?;
    for line in text.lines() {
        let Sealed { file, checksum: written } =
            serde_json::from_str(line).map_err(|_| SealError::Changed(path.clone()))?;
        // A damaged name must not lead out of the folder.
        if Path::new(&file).file_name() != Some(file.as_ref()) {
            return Err(SealError::Changed(path));
        }
        let path = folder.join(&file);
        match files::read_if_there(&path)? {
            Some(bytes) if checksum(&bytes) != written => return Err(SealError::Changed(path)),
            _ => {}
        }
    }
    Ok(())
}

/// Whether this content of a file is what its folder says was written; where the folder says nothing, it is taken as it is.
pub fn is_as_sealed(path: &Path, bytes: &[u8]) -> Result<bool, FileError> {
    let Some(text) = files::read_if_there(&path.with_file_name(SEAL))? else { return Ok(true) };
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Sealed>(line).ok());
    let of = lines.into_iter().find(|sealed| path.file_name() == Some(sealed.file.as_ref()));
    Ok(of.is_none_or(|sealed| sealed.checksum == checksum(bytes)))
}

fn checksum(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

fn is_picture(name: &str) -> bool {
    name.ends_with(".png") || name.ends_with(".svg")
}
