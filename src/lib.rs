//! A lab for small-game evaluators around Dobutsu Shogi (animal shogi, 3x4).
//!
//! Folders answer one question each and only use what stands before them: [`games`] knows the rules,
//! [`cli`] is what a person types.

pub mod cli;
pub mod games;
