//! The server of the page, among friends and among hostile users.

mod api_types;
mod coach;
#[path = "../common/mod.rs"]
mod common;
mod hostile;
mod play;
mod results;
mod runs;
