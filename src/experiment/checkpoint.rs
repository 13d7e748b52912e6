//! What a run needs to go on after it was stopped, killed or unplugged.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files::{self, FileError};
use crate::learn::ga::State;

const FORMAT: u32 = 2;

/// How far a growing file went when a run was saved, and a checksum of it up to there (CRC-32).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extent {
    /// In bytes.
    pub length: u64,
    /// Of those bytes.
    pub checksum: u32,
}

/// A moment of a run, with what its growing files were then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// Where the genetic algorithm is, on the only island or the first.
    pub state: State,
    /// Where it is on the other islands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<State>,
    /// How far each growing file went.
    pub extents: Vec<Extent>,
    /// Whether the reports were written too.
    pub complete: bool,
}

/// The file: what is saved, and fingerprints of it and of the settings.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    format: u32,
    settings: String,
    /// Of the settings that replace them, while a run is being extended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    extended: Option<String>,
    fingerprint: String,
    checkpoint: String,
}

/// Why a run cannot be taken up.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum CheckpointError {
    #[error("'{0}' holds no run that could be taken up: there is no {NAME} in it")]
    Missing(String),
    #[error("'{0}/{NAME}' is damaged or was edited: the run must begin anew (--force)")]
    Damaged(String),
    #[error("'{0}/{NAME}' belongs to other settings than run.toml says: the run must begin anew (--force)")]
    OtherSettings(String),
    #[error(
        "'{path}/{NAME}' was written by another version (format {format}): the run must begin anew (--force)"
    )]
    Format { path: String, format: u32 },
    #[error(transparent)]
    File(#[from] FileError),
}

const NAME: &str = Checkpoint::NAME;

impl Checkpoint {
    /// The name of the file.
    pub const NAME: &'static str = "checkpoint.json";

    /// Saves the checkpoint of a run with these settings (the text of its `run.toml`) so that at any moment there is a whole one.
    pub fn save(&self, folder: &Path, settings: &str) -> Result<(), FileError> {
        self.write(folder, settings, None)
    }

    /// The same, belonging to other settings too.
    pub fn save_for_both(&self, folder: &Path, settings: &str, extended: &str) -> Result<(), FileError> {
        self.write(folder, settings, Some(extended))
    }

    fn write(&self, folder: &Path, settings: &str, extended: Option<&str>) -> Result<(), FileError> {
        let checkpoint = serde_json::to_string(self).expect("numbers and texts can be written");
        let envelope = Envelope {
            format: FORMAT,
            settings: files::fingerprint(settings.as_bytes()),
            extended: extended.map(|settings| files::fingerprint(settings.as_bytes())),
            fingerprint: files::fingerprint(checkpoint.as_bytes()),
            checkpoint,
        };
        let text = serde_json::to_string(&envelope).expect("texts can be written");
        files::write(&folder.join(NAME), text.as_bytes())
    }

    /// The checkpoint of a run with these settings.
    pub fn load(folder: &Path, settings: &str) -> Result<Checkpoint, CheckpointError> {
        match files::read_if_there(&folder.join(NAME))? {
            Some(bytes) => Checkpoint::parse(&bytes, folder, settings),
            None => Err(CheckpointError::Missing(folder.display().to_string())),
        }
    }

    /// The checkpoint in the content of its file. The folder is only named in complaints, nothing is read from it.
    pub fn parse(bytes: &[u8], folder: &Path, settings: &str) -> Result<Checkpoint, CheckpointError> {
        let path = folder.display().to_string();
        let Ok(envelope) = serde_json::from_slice::<Envelope>(bytes) else {
            return Err(CheckpointError::Damaged(path));
        };
        if envelope.format != FORMAT {
            return Err(CheckpointError::Format { path, format: envelope.format });
        }
        if envelope.fingerprint != files::fingerprint(envelope.checkpoint.as_bytes()) {
            return Err(CheckpointError::Damaged(path));
        }
        let settings = files::fingerprint(settings.as_bytes());
        if envelope.settings != settings && envelope.extended != Some(settings) {
            return Err(CheckpointError::OtherSettings(path));
        }
        serde_json::from_str(&envelope.checkpoint).map_err(|_| CheckpointError::Damaged(path))
    }
}
