//! Experiments about this game alone: what the thesis leaves open, crossed and judged (forensic), and a page on what the pieces are
//! worth by the solved game (guideline).

pub mod forensic;
mod guideline;
#[cfg(feature = "cli")]
pub(crate) mod guideline_command;
mod guideline_report;

pub use guideline::{Duel, FitColumn, Guideline, Judged, guideline};
pub use guideline_report::{guideline_files, guideline_pictures};
