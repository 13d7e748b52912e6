//! How does a person see it? CSV, PNG and Markdown from rows; nothing here plays.

mod curve;
mod folder;
mod grid;
mod log;
mod picture;
mod run;
mod sweep;
mod words;

pub use curve::{curve_files, curve_markdown, curve_overview};
pub use folder::{Folder, FolderError};
pub use grid::{grid_files, grid_markdown, grid_overview};
pub use log::{RunLog, read_generations};
pub use run::RunReport;
pub use sweep::SweepReport;
pub use words::Language;
