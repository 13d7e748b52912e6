//! A lab for evaluators of small games: Dobutsu Shogi (animal shogi, 3x4), Kyoto Shogi (5x5), Quoridor and Hasami Shogi (9x9).
//!
//! Each folder uses only those before it. General over games: [`game`] (the traits of a game, referee, records, evaluation), [`search`],
//! [`nets`], [`players`], [`arena`] (matches and statistics), [`learn`] (genetic algorithm, AlphaZero). The games: [`games`], one folder each, with
//! rules, evaluator, network encoding, own players and learners; Dobutsu Shogi also has its solution. On top: [`experiment`] (the papers'
//! tables and figures), [`report`] (CSV, Markdown, pictures), [`run`] (results folders, checkpoints), [`session`] (games as text), [`protocol`] (UCI, USI), [`web`] (the page), [`cli`].
//! [`random`], [`linear`], [`bounds`], [`files`], [`program`] and [`crew`] serve them all.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

// First, for the macros.
#[macro_use]
pub mod game;
#[macro_use]
pub mod games;

pub mod arena;
pub mod bounds;
#[cfg(feature = "cli")]
pub mod cli;
pub mod crew;
pub mod experiment;
pub mod files;
pub mod learn;
pub mod linear;
pub mod nets;
pub mod parallel;
pub mod players;
pub mod program;
pub mod protocol;
pub mod random;
#[cfg(feature = "pictures")]
pub mod report;
#[cfg(feature = "pictures")]
pub mod run;
pub mod search;
pub mod session;
#[cfg(feature = "web")]
pub mod web;
