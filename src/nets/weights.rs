//! Weights on disk, as `safetensors`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use super::Dense;
use crate::files::{self, FileError};

/// What a file of weights holds: numbers by name, anything else as bytes by name, and a text about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tensors {
    /// What they are, as JSON. One text: several would be written in any order.
    pub about: String,
    /// Shape and numbers.
    numbers: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
    bytes: BTreeMap<String, Vec<u8>>,
}

/// Why weights cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum NetError {
    #[error("the network '{}' cannot be used: {why}", path.display())]
    Unusable { path: PathBuf, why: String },
    #[error(transparent)]
    File(#[from] FileError),
}

/// Under this name the text is kept in the file.
/// What stands before the checksum.
const CHECK: &str = r#","check":""#;

const ABOUT: &str = "dobutsu-ga";

impl Tensors {
    /// Nothing yet, but what it will be.
    pub fn about(about: String) -> Tensors {
        Tensors { about, ..Tensors::default() }
    }

    /// Adds the numbers of a layer under a name, as PyTorch names them.
    pub fn put_layer(&mut self, name: &str, layer: &Dense) {
        let shape = vec![layer.outputs(), layer.inputs];
        self.numbers.insert(format!("{name}.weight"), (shape, layer.weights.clone()));
        self.numbers.insert(format!("{name}.bias"), (vec![layer.outputs()], layer.bias.clone()));
    }

    /// Whether there is a layer of this name, whole or not.
    pub fn has_layer(&self, name: &str) -> bool {
        self.numbers.contains_key(&format!("{name}.weight"))
    }

    /// The layer of a name, or what is missing or misshapen.
    pub fn layer(&self, name: &str) -> Result<Dense, String> {
        let numbers = |part: &str, dimensions: usize| {
            let name = format!("{name}.{part}");
            let (shape, numbers) = self.numbers.get(&name).ok_or_else(|| format!("it has no '{name}'"))?;
            match shape.len() == dimensions && !shape.contains(&0) {
                true => Ok((shape, numbers)),
                false => Err(format!("'{name}' has the shape {shape:?}: it needs {dimensions} dimensions")),
            }
        };
        let (shape, weights) = numbers("weight", 2)?;
        let (rows, bias) = numbers("bias", 1)?;
        if rows[0] != shape[0] {
            return Err(format!("'{name}' has {} rows of weights and {} biases", shape[0], rows[0]));
        }
        match weights.iter().chain(bias).all(|number| number.is_finite()) {
            true => Ok(Dense { inputs: shape[1], weights: weights.clone(), bias: bias.clone() }),
            false => Err(format!("'{name}' has a number that is none (NaN or infinite)")),
        }
    }

    /// Adds numbers under a name.
    pub fn put_numbers(&mut self, name: &str, shape: Vec<usize>, numbers: Vec<f32>) {
        self.numbers.insert(name.to_string(), (shape, numbers));
    }

    /// The numbers of a name, which must have this shape.
    pub fn numbers(&self, name: &str, shape: &[usize]) -> Result<&[f32], String> {
        let (has, numbers) = self.numbers.get(name).ok_or_else(|| format!("it has no '{name}'"))?;
        if has != shape {
            return Err(format!("'{name}' has the shape {has:?}, not {shape:?}"));
        }
        match numbers.iter().all(|number| number.is_finite()) {
            true => Ok(numbers),
            false => Err(format!("'{name}' has a number that is none (NaN or infinite)")),
        }
    }

    /// How many lists of numbers it holds.
    pub fn count(&self) -> usize {
        self.numbers.len()
    }

    /// Adds bytes under a name.
    pub fn put_bytes(&mut self, name: &str, bytes: Vec<u8>) {
        self.bytes.insert(name.to_string(), bytes);
    }

    /// The bytes of a name.
    pub fn bytes(&self, name: &str) -> Option<&[u8]> {
        self.bytes.get(name).map(Vec::as_slice)
    }

    /// The content of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let little = |numbers: &Vec<f32>| numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let numbers: Vec<(&String, &Vec<usize>, Vec<u8>)> =
            self.numbers.iter().map(|(name, (shape, numbers))| (name, shape, little(numbers))).collect();
        let view =
            |dtype, shape, bytes| TensorView::new(dtype, shape, bytes).expect("shape and numbers agree");
        let numbers = numbers
            .iter()
            .map(|(name, shape, bytes)| (name.as_str(), view(Dtype::F32, shape.to_vec(), bytes)));
        let bytes = self
            .bytes
            .iter()
            .filter(|(_, bytes)| !bytes.is_empty())
            .map(|(name, bytes)| (name.as_str(), view(Dtype::U8, vec![bytes.len()], bytes)));
        let about = [(ABOUT.to_string(), self.about.clone())].into_iter().collect();
        safetensors::serialize(numbers.chain(bytes), Some(about))
            .expect("a file of named numbers can be written")
    }

    /// The content of a file whose text about itself, a JSON object, ends with a checksum of everything else.
    pub fn to_checked_bytes(&self) -> Vec<u8> {
        let check = crc32fast::hash(&self.to_bytes());
        let open = self.about.strip_suffix('}').expect("the text is a JSON object");
        Tensors { about: format!("{open}{CHECK}{check:08x}\"}}"), ..self.clone() }.to_bytes()
    }

    /// The same without a checksum. An error if it has one that is not its own; files of older versions have none.
    pub fn verified(mut self) -> Result<Tensors, String> {
        let Some((open, check)) = self.about.strip_suffix("\"}").and_then(|about| about.rsplit_once(CHECK))
        else {
            return Ok(self);
        };
        let check = check.to_string();
        self.about = format!("{open}}}");
        match format!("{:08x}", crc32fast::hash(&self.to_bytes())) == check {
            true => Ok(self),
            false => Err("it is damaged or was edited: its checksum is another".to_string()),
        }
    }

    /// Reads the content of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Tensors, String> {
        let damaged = |error| format!("it is no whole safetensors file ({error})");
        let file = SafeTensors::deserialize(bytes).map_err(|error| damaged(error.to_string()))?;
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| damaged(error.to_string()))?;
        let about = metadata.metadata().as_ref().and_then(|about| about.get(ABOUT).cloned());
        let mut tensors = Tensors { about: about.unwrap_or_default(), ..Tensors::default() };
        for (name, view) in file.iter() {
            match view.dtype() {
                Dtype::F32 => {
                    let (words, _) = view.data().as_chunks::<4>();
                    let numbers = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
                    tensors.numbers.insert(name.to_string(), (view.shape().to_vec(), numbers));
                }
                Dtype::U8 => {
                    tensors.bytes.insert(name.to_string(), view.data().to_vec());
                }
                other => return Err(format!("'{name}' holds {other:?}: networks here are F32")),
            }
        }
        Ok(tensors)
    }

    /// Reads a file, if there is one.
    pub fn load_if_there(path: &Path) -> Result<Option<Tensors>, NetError> {
        let wrong = |why: String| NetError::Unusable { path: path.to_path_buf(), why };
        let bytes = files::read_if_there(path)?;
        bytes.map(|bytes| Tensors::from_bytes(&bytes).map_err(wrong)).transpose()
    }
}
