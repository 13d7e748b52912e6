//! How does a person see it? CSV, PNG and Markdown from rows; nothing here plays.

mod alphazero;
mod curve;
mod dqn;
mod duels;
mod folder;
mod forensic;
mod grade;
mod grid;
mod guideline;
mod ladder;
pub mod layout;
mod log;
mod pa;
mod picture;
mod run;
mod sweep;
mod words;

pub use alphazero::{alphazero_report, cycles_csv, cycles_markdown, cycles_picture};
pub use curve::{curve_files, curve_markdown, curve_overview};
pub use dqn::{DqnReport, learning_csv, learning_picture, read_learning};
pub use duels::{duels_files, duels_markdown, duels_overview};
pub use folder::{Folder, FolderError};
pub use forensic::{forensic_files, forensic_markdown};
pub use grade::{GradeRow, grade_csv, grade_picture, grade_table, percent};
pub use grid::{grid_files, grid_markdown, grid_overview};
pub use guideline::guideline_files;
pub use ladder::{Step, ladder_csv, ladder_markdown};
pub use log::RunLog;
pub use pa::{PaReport, pa_header, pa_picture, pa_row, read_pa_rows};
pub use run::RunReport;
pub use sweep::SweepReport;
pub use words::Language;
