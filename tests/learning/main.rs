//! Everything that learns: the tuner, sweeps, passive-aggressive learning, DQN and AlphaZero; killed, resumed, on any number of threads.

mod alphazero;
#[path = "../common/mod.rs"]
mod common;
mod convert;
mod dqn;
mod forensic;
mod islands;
mod learn;
mod runs;
mod tuner;
