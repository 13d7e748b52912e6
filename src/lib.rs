//! A lab for small-game evaluators around Dobutsu Shogi (animal shogi, 3x4).
//!
//! Folders answer one question each, and each uses only those before it: [`games`] (what are the rules?), [`eval`] (what is a
//! position worth?), [`solve`] (what is it really worth?), [`search`] (what happens if we look ahead?), [`players`] (who chooses a move?), [`arena`] (who beat whom?),
//! [`learn`] (how does it get better?), [`experiment`] (which question of the paper is answered?), [`report`] (how does a person see it?), [`job`] (how is
//! a run carried out and kept?), [`web`] (how does one play and watch in a browser?), [`cli`] (what can be typed?).
//! [`random`], [`linear`] and [`files`] serve them all.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod arena;
pub mod cli;
pub mod eval;
pub mod experiment;
pub mod files;
pub mod games;
pub mod job;
pub mod learn;
pub mod linear;
pub mod players;
pub mod random;
pub mod report;
pub mod search;
pub mod solve;
pub mod web;
