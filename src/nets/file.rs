//! Networks on disk: `safetensors` with PyTorch's names and order, and a header that says what a file is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::files::{self, FileError};

/// What a file says of itself: one JSON text in the metadata, since several would be written in any order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header<D> {
    version: u32,
    /// The learner whose network it is, or whose checkpoint.
    kind: String,
    /// Whose game.
    game: String,
    /// What else is to be known of this kind: of a network its shape, of a checkpoint how far the run is.
    pub details: D,
    /// How it came about.
    pub made_by: String,
    /// Of everything else (CRC-32).
    checksum: String,
}

/// The version of the format that this program writes and reads.
const VERSION: u32 = 2;
/// The key of the header in the metadata.
const KEY: &str = "dobutsu-ga";
/// With what the kind of a checkpoint ends.
const CHECKPOINT: &str = "checkpoint";
/// How files of version 1 are brought up to date.
pub const CONVERT: &str = "dobutsu-ga convert-network FILE --in-place";

/// Why weights cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum NetError {
    #[error("the network '{}' cannot be used: {why}", path.display())]
    Unusable { path: PathBuf, why: String },
    #[error(transparent)]
    File(#[from] FileError),
}

/// What a file holds beside its header: numbers by name, as in PyTorch, and anything else as bytes by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tensors {
    /// Shape and numbers.
    numbers: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
    bytes: BTreeMap<String, Vec<u8>>,
}

impl<D: Serialize + DeserializeOwned> Header<D> {
    /// Of a file that is to be written.
    pub fn new(kind: &str, game: &str, details: D, made_by: &str) -> Header<D> {
        let [kind, game, made_by] = [kind, game, made_by].map(String::from);
        Header { version: VERSION, kind, game, details, made_by, checksum: String::new() }
    }

    fn text(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers can be written")
    }

    /// The content of a file.
    pub fn to_bytes(mut self, tensors: &Tensors) -> Vec<u8> {
        self.checksum = self.checksum_with(tensors);
        tensors.serialized(self.text())
    }

    fn checksum_with(&mut self, tensors: &Tensors) -> String {
        self.checksum.clear();
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(self.text().as_bytes());
        tensors.update(&mut hasher);
        format!("{:08x}", hasher.finalize())
    }

    /// Reads the content of a file of this kind: `take` gets what it holds.
    pub fn read<T>(
        bytes: &[u8],
        kind: &str,
        game: &str,
        take: impl FnOnce(&Header<D>, &Tensors) -> Result<T, String>,
    ) -> Result<T, String> {
        let (text, tensors) = Tensors::parse(bytes)?;
        check(&text, kind, game)?;
        let mut header: Header<D> = serde_json::from_str(&text)
            .map_err(|error| format!("what it says of itself is not whole: {error}"))?;
        let taken = take(&header, &tensors)?;
        let written = std::mem::take(&mut header.checksum);
        if header.checksum_with(&tensors) == written { Ok(taken) } else { Err(DAMAGED.to_string()) }
    }
}

pub(super) const DAMAGED: &str = "it is damaged or was edited: its checksum is another";

/// Refuses what is not a file of this kind.
fn check(text: &str, kind: &str, game: &str) -> Result<(), String> {
    let about: serde_json::Value = serde_json::from_str(text)
        .map_err(|_| "it does not say what it is: it was not written by dobutsu-ga".to_string())?;
    let said = |key: &str| about.get(key).and_then(serde_json::Value::as_str).unwrap_or("nothing");
    match about.get("version").and_then(serde_json::Value::as_u64) {
        Some(version) if version == u64::from(VERSION) => {}
        Some(1) => {
            return Err(format!("it has version 1 of the format: `{CONVERT}` makes it version {VERSION}"));
        }
        Some(version) => {
            return Err(format!("it has version {version} of the format, this program reads {VERSION}"));
        }
        // Checkpoints had no version.
        None => return Err("it belongs to another version of this program".to_string()),
    }
    if said("kind") != kind {
        return Err(match (said("kind").ends_with(CHECKPOINT), kind.ends_with(CHECKPOINT)) {
            (true, false) => {
                "it is what a run needs to go on: the network is in network.safetensors beside it".to_string()
            }
            (_, false) => format!("it is no network of `dobutsu-ga learn {kind}`"),
            (_, true) => format!("it is no {kind} of a run"),
        });
    }
    if said("game") != game {
        return Err(format!("it is a network of {}, not of {game}", said("game")));
    }
    Ok(())
}

impl Tensors {
    /// Adds numbers under a name.
    pub fn put(&mut self, name: &str, shape: Vec<usize>, numbers: Vec<f32>) {
        self.numbers.insert(name.to_string(), (shape, numbers));
    }

    /// The shape of the numbers of a name.
    pub fn shape(&self, name: &str) -> Option<&[usize]> {
        self.numbers.get(name).map(|(shape, _)| shape.as_slice())
    }

    /// The numbers of a name, which must have this shape.
    pub fn numbers(&self, name: &str, shape: &[usize]) -> Result<&[f32], String> {
        let (has, numbers) = self.numbers.get(name).ok_or_else(|| format!("it has no '{name}'"))?;
        if has != shape {
            return Err(format!("'{name}' has the shape {has:?}, not {shape:?}"));
        }
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(format!("'{name}' contains NaN or infinity"));
        }
        Ok(numbers)
    }

    /// Refuses more tensors than these: another would be left out silently.
    pub fn check_count(&self, count: usize) -> Result<(), String> {
        if self.numbers.len() == count { Ok(()) } else { Err("it holds more than its layers".to_string()) }
    }

    /// Adds bytes under a name.
    pub fn put_bytes(&mut self, name: &str, bytes: Vec<u8>) {
        self.bytes.insert(name.to_string(), bytes);
    }

    /// The bytes of a name.
    pub fn bytes(&self, name: &str) -> Result<&[u8], String> {
        self.bytes.get(name).map(Vec::as_slice).ok_or_else(|| format!("it has no '{name}'"))
    }

    /// Names, shapes and content for a checksum.
    fn update(&self, hasher: &mut crc32fast::Hasher) {
        for (name, (shape, numbers)) in &self.numbers {
            hasher.update(format!("{name}{shape:?}").as_bytes());
            hasher.update(&little_endian(numbers));
        }
        for (name, bytes) in &self.bytes {
            hasher.update(name.as_bytes());
            hasher.update(bytes);
        }
    }

    /// The content of a file with this header.
    pub(super) fn serialized(&self, header: String) -> Vec<u8> {
        let numbers: Vec<(&String, &Vec<usize>, Vec<u8>)> = self
            .numbers
            .iter()
            .map(|(name, (shape, numbers))| (name, shape, little_endian(numbers)))
            .collect();
        let view =
            |dtype, shape, bytes| TensorView::new(dtype, shape, bytes).expect("shape and numbers agree");
        let numbers = numbers
            .iter()
            .map(|(name, shape, bytes)| (name.as_str(), view(Dtype::F32, shape.to_vec(), bytes)));
        let bytes =
            self.bytes.iter().map(|(name, bytes)| (name.as_str(), view(Dtype::U8, vec![bytes.len()], bytes)));
        let header = [(KEY.to_string(), header)].into_iter().collect();
        safetensors::serialize(numbers.chain(bytes), Some(header))
            .expect("a file of named numbers can be written")
    }

    /// The header of a file, and what else it holds.
    pub(super) fn parse(bytes: &[u8]) -> Result<(String, Tensors), String> {
        let damaged = |error| format!("it is no whole safetensors file ({error})");
        let file = SafeTensors::deserialize(bytes).map_err(|error| damaged(error.to_string()))?;
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| damaged(error.to_string()))?;
        let header = metadata.metadata().as_ref().and_then(|about| about.get(KEY).cloned());
        let mut tensors = Tensors::default();
        for (name, view) in file.iter() {
            match view.dtype() {
                Dtype::F32 => {
                    let (words, _) = view.data().as_chunks::<4>();
                    let numbers = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
                    tensors.put(name, view.shape().to_vec(), numbers);
                }
                Dtype::U8 => tensors.put_bytes(name, view.data().to_vec()),
                other => return Err(format!("'{name}' holds {other:?}: networks here are F32")),
            }
        }
        Ok((header.unwrap_or_default(), tensors))
    }
}

fn little_endian(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Reads a checkpoint, if there is one.
pub fn load_if_there<D: Serialize + DeserializeOwned, T>(
    path: &Path,
    [kind, game]: [&str; 2],
    take: impl FnOnce(&Header<D>, &Tensors) -> Result<T, String>,
) -> Result<Option<T>, NetError> {
    let wrong = |why: String| NetError::Unusable { path: path.to_path_buf(), why };
    let bytes = files::read_if_there(path)?;
    bytes.map(|bytes| Header::read(&bytes, kind, game, take).map_err(wrong)).transpose()
}
