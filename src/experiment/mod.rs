//! Which question of the paper is answered? Experiments are data: a TOML file with the question, the parameters, the
//! paper's numbers and the analysis; running one gives rows, and nothing here draws or prints.

mod definition;
mod grid;

pub use definition::{Definition, DefinitionError, Grid, Measure};
pub use grid::{Cell, Fit, GridResult, Reading, run_grid};
