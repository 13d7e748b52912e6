//! Rules, search, evaluators, networks and statistics, asked as a user of the library would.

#[path = "../perft/runner.rs"]
mod perft_files;

mod alphabeta;
mod arena;
mod contract;
mod coverage;
mod dobutsu;
mod dual;
mod hasami;
mod kyoto;
mod nets;
mod notation;
mod own;
mod path;
mod players;
mod puct;
mod pytorch;
mod quoridor;
mod search;
mod toy;
