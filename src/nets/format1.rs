//! Files of version 1: what converts them, and the fingerprint of a network, which is that of its file of version 1. Results name
//! networks by it, so it may not depend on the format of today.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Tensors;
use super::file::DAMAGED;
use crate::files;

/// What stands before the checksum, the last of what a file says of itself. Older files have none.
const CHECK: &str = r#","check":""#;

/// A short text that tells networks apart.
pub fn fingerprint(about: &impl Serialize, tensors: &Tensors) -> String {
    let about = serde_json::to_string(about).expect("texts and numbers can be written");
    files::fingerprint(&tensors.serialized(about))
}

/// What a file of version 1 says of itself.
pub fn about<A: DeserializeOwned>(bytes: &[u8]) -> Result<A, String> {
    let (about, _) = Tensors::parse(bytes)?;
    serde_json::from_str(&about).map_err(|_| "it is no network of version 1 of the format".to_string())
}

/// What a file of version 1 holds.
pub fn tensors(bytes: &[u8]) -> Result<Tensors, String> {
    let (about, tensors) = Tensors::parse(bytes)?;
    match about.strip_suffix("\"}").and_then(|about| about.rsplit_once(CHECK)) {
        Some((open, check)) => {
            let written = tensors.serialized(format!("{open}}}"));
            if format!("{:08x}", crc32fast::hash(&written)) == check {
                Ok(tensors)
            } else {
                Err(DAMAGED.into())
            }
        }
        None => Ok(tensors),
    }
}
