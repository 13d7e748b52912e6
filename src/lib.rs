//! A lab for evaluators of small games: Dobutsu Shogi (animal shogi, 3x4), Kyoto Shogi (5x5), Quoridor and Hasami Shogi (9x9).
//!
//! Folders answer one question each, and each uses only those before it: [`games`] (what are the rules?), [`eval`] (what is a
//! position worth?), [`nets`] (and by a network?), [`solve`] (what is it really worth?), [`search`] (what happens if we look ahead?), [`players`] (who chooses a move?), [`arena`] (who beat whom?),
//! [`learn`] (how does it get better?), [`experiment`] (which question of the paper is answered?), [`report`] (how does a person see it?), [`job`] (how is
//! a run carried out and kept?), [`lab`] (which games are there?), [`protocol`] (how do other programs play with us?), [`web`] (how does one play and watch in a browser?), [`cli`] (what can be typed?).
//! [`random`], [`linear`], [`bounds`], [`files`], [`program`] and [`crew`] (who does the work?) serve them all.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

// First, for the macro that the others choose a game with.
#[macro_use]
pub mod lab;

pub mod arena;
pub mod bounds;
#[cfg(feature = "cli")]
pub mod cli;
pub mod crew;
pub mod eval;
pub mod experiment;
pub mod files;
pub mod games;
#[cfg(feature = "pictures")]
pub mod job;
pub mod learn;
pub mod linear;
pub mod nets;
pub mod players;
pub mod program;
pub mod protocol;
pub mod random;
#[cfg(feature = "pictures")]
pub mod report;
pub mod search;
pub mod solve;
#[cfg(feature = "web")]
pub mod web;
