//! Whole commands, as a user would type them, and the formats they read and write.

mod cli;
#[path = "../common/mod.rs"]
mod common;
mod csa;
mod engines;
mod experiments;
mod lab;
mod ladder;
mod pgn;
mod pictures;
mod play;
mod protocol;
mod readme;
mod records;
mod solve;
mod uci;
#[cfg(unix)]
mod unlucky;
