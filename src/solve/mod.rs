//! What is a position *really* worth? The whole game, solved: an index of all positions, retrograde analysis, the table on
//! disk, and what it says.

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
mod value;
mod verify;
mod view;

pub use exact::{Exact, Solution, SolutionError, Solutions, Unsolved};
pub use reachable::{Reachable, TryEnds};
pub use retrograde::Watch;
pub use table::{Counts, Table, TableError};
pub use tables::Tables;
pub use value::Solved;
pub use verify::{Flaw, forward_value};
