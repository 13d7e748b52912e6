//! Where the parts of a long experiment are kept, so that it can be killed and taken up again.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::files::FileError;

/// Keeps parts of the results under names of their own.
pub trait Store: Sync {
    /// What was kept under this key.
    fn load(&self, key: &str) -> Option<String>;
    /// Keeps it.
    fn save(&self, key: &str, text: &str) -> Result<(), FileError>;
    /// One more step is done.
    fn step(&self);
}

/// What was kept under this key, or what `make` makes, which is then kept.
pub fn kept<T: Serialize + DeserializeOwned, E: From<FileError>>(
    store: &dyn Store,
    key: &str,
    make: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    let part = match load(store, key) {
        Some(part) => part,
        None => {
            let part = make()?;
            save(store, key, &part)?;
            part
        }
    };
    store.step();
    Ok(part)
}

/// What was kept under this key.
pub(super) fn load<T: DeserializeOwned>(store: &dyn Store, key: &str) -> Option<T> {
    store.load(key).and_then(|text| serde_json::from_str(&text).ok())
}

/// Keeps a part.
pub(super) fn save<T: Serialize>(store: &dyn Store, key: &str, part: &T) -> Result<(), FileError> {
    store.save(key, &serde_json::to_string(part).expect("numbers and texts can be written"))
}
