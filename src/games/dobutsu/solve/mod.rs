//! What is a position *really* worth? The whole game, solved: an index of all positions, retrograde analysis, the table on
//! disk, and what it says.

#[cfg(feature = "cli")]
pub(crate) mod command;
mod exact;
mod index;
mod lookup;
mod memory;
mod near;
mod pair;
mod reachable;
mod retrograde;
mod table;
mod tables;
mod unmove;
mod verify;
mod view;

pub use reachable::{Reachable, TryEnds};
pub use retrograde::Watch;
pub use table::{Counts, Table, TableError};
pub use tables::Tables;
pub use verify::{Flaw, forward_value};
