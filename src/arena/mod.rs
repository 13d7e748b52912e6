//! Who beat whom? One game, pairings as plain data, standings, and what the numbers mean.

mod bradley_terry;
mod game;
mod interval;
mod opening;
mod pairing;
mod spread;
mod sprt;
mod standings;

pub use bradley_terry::{Rating, Ratings, ratings};
pub use game::{Conditions, Played, Scored, play_all, play_games, play_one, play_until, schedule};
pub use interval::{
    Cluster, ClusterSums, Estimate, cluster_interval, difference_interval, elo, likelihood_of_superiority,
    mean_interval, predictive_interval, rate_interval, same_chance, score_interval,
};
pub use opening::{Openings, OpeningsError, opened};
pub use pairing::{Pairing, gauntlet, match_pairing, round_robin};
pub use spread::Games;
pub use sprt::{Decision, Sprt, SprtError, normalized_elo};
pub use standings::{PairCounts, Standings, Tally};
