//! The tables of all rules, each read when it is first needed and then kept.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::{Table, TableError};
use crate::games::dobutsu::Rules;

/// Tables at one place. Several copies of it share what has been read.
#[derive(Clone, Default)]
pub struct Tables {
    given: Option<PathBuf>,
    read: Arc<Mutex<[Option<Arc<Table>>; 2]>>,
}

impl Tables {
    /// The tables at this place, or at the usual one: see [`Table::place`]. Those at the usual place are read once for the
    /// whole program.
    pub fn at(given: Option<&Path>) -> Tables {
        static USUAL: LazyLock<Tables> = LazyLock::new(Tables::default);
        match given {
            None => USUAL.clone(),
            Some(path) => Tables { given: Some(path.to_path_buf()), ..Tables::default() },
        }
    }

    /// Whether somebody has said where they are.
    pub fn is_given(&self) -> bool {
        self.given.is_some()
    }

    /// Whether there is a table of these rules, by its first bytes: the whole is read when it is needed.
    pub fn is_there(&self, rules: Rules) -> bool {
        Table::is_there(self.given.as_deref(), rules)
    }

    /// The table of these rules.
    pub fn get(&self, rules: Rules) -> Result<Arc<Table>, TableError> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = &mut read[rules as usize];
        match slot {
            Some(table) => Ok(table.clone()),
            None => Ok(slot.insert(Arc::new(Table::open(self.given.as_deref(), rules)?)).clone()),
        }
    }
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tables({:?})", self.given)
    }
}
