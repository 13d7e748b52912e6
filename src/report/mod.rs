//! How does a person see it? CSV, PNG and Markdown from rows; nothing here plays.

mod folder;
mod grid;
mod picture;

pub use folder::{Folder, FolderError};
pub use grid::{grid_files, grid_markdown};
