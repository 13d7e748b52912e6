//! A lab for evaluators of small games: Dobutsu Shogi (animal shogi, 3x4), Kyoto Shogi (5x5), Quoridor and Hasami Shogi (9x9).
//!
//! Each folder uses only those before it.
//!
//! | folder | what it is for |
//! |---|---|
//! | [`game`] | the traits of a game; referee, records, genomes |
//! | [`search`], [`nets`] | minimax to MCTS; networks and their training |
//! | [`players`], [`arena`] | the registry of players; matches and their statistics |
//! | [`learn`] | genetic algorithm, AlphaZero |
//! | [`experiment`], [`report`], [`run`] | tables and figures of papers; CSV, Markdown, pictures; results folders and checkpoints |
//! | [`games`] | one folder each: rules, evaluator, network encoding, own players, learners, experiments and commands; the list |
//! | [`session`], [`protocol`], [`web`], [`cli`] | games as text; UCI and USI; the page; the command line |
//!
//! What is general knows no particular game. [`random`], [`linear`], [`values`], [`files`], [`program`], [`parallel`] and [`crew`] serve
//! them all. To add a game, a kind of experiment ([`run::Lab`]) or a player ([`players::Entry`]), see docs/adding-a-game.md.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

// First, for the macros.
#[macro_use]
pub mod game;
#[macro_use]
pub mod games;

pub mod arena;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
mod command;
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
pub mod values;
#[cfg(feature = "web")]
pub mod web;
