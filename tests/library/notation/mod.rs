//! Nothing that a user can type breaks the parsers, and what they refuse they explain.

mod dobutsu;
mod kyoto;
