//! Wins, draws and losses, counted in the ways that statistics need them.

use std::collections::HashMap;

use super::{Pairing, Scored};
use crate::game::{BySide, Outcome, Side};

/// Wins, draws and losses of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// All games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points per game, a draw being half a point; a half if nothing was played.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.wins as f64 + 0.5 * self.draws as f64) / games as f64,
        }
    }

    /// Adds one result, seen by the player on `side`.
    pub fn add(&mut self, outcome: Outcome, side: Side) {
        match outcome {
            Outcome::Win(winner) if winner == side => self.wins += 1,
            Outcome::Win(_) => self.losses += 1,
            Outcome::Draw => self.draws += 1,
        }
    }
}

impl std::ops::Add for Tally {
    type Output = Tally;
    fn add(self, other: Tally) -> Tally {
        Tally {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

/// How many pairs of games (sides swapped) gave 0, ½, 1, 1½ and 2 points: [LL, LD, LW or DD, WD, WW].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PairCounts(pub [u64; 5]);

impl PairCounts {
    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean and variance of the points per game of a pair (0 to 1).
    pub fn moments(&self) -> (f64, f64) {
        moments(&self.0.map(|count| count as f64))
    }

    /// Counts one more pair by its half points, 0 to 4.
    pub fn add(&mut self, half_points: u32) {
        self.0[half_points as usize] += 1;
    }
}

/// Mean and variance of 0, ¼, ½, ¾ and 1 with these weights.
pub(super) fn moments(weights: &[f64; 5]) -> (f64, f64) {
    let total: f64 = weights.iter().sum();
    let points = |i: usize| i as f64 / 4.0;
    let mean = (0..5).map(|i| points(i) * weights[i]).sum::<f64>() / total;
    let variance = (0..5).map(|i| (points(i) - mean).powi(2) * weights[i]).sum::<f64>() / total;
    (mean, variance)
}

/// The results of a list of pairings.
#[derive(Clone, Debug)]
pub struct Standings {
    /// For each player, the results on each side of the board.
    pub players: Vec<BySide<Tally>>,
    /// For each pairing, the results of its first player on each side of the board.
    pub pairings: Vec<BySide<Tally>>,
    /// For each pairing that swaps sides, its pairs of games seen by its first player.
    pub pairs: Vec<PairCounts>,
}

impl Standings {
    /// Counts the games.
    pub fn new(players: usize, pairings: &[Pairing], games: &[Scored]) -> Standings {
        let mut standings = Standings {
            players: vec![BySide::default(); players],
            pairings: vec![BySide::default(); pairings.len()],
            pairs: vec![PairCounts::default(); pairings.len()],
        };
        // The half points of games whose partner, with sides swapped, has not come yet.
        let mut waiting: HashMap<(usize, usize), u32> = HashMap::new();
        for played in games {
            let outcome = played.verdict.outcome;
            standings.players[played.first][Side::First].add(outcome, Side::First);
            standings.players[played.second][Side::Second].add(outcome, Side::Second);
            let pairing = played.pairing;
            let side = if played.first == pairings[pairing].first { Side::First } else { Side::Second };
            standings.pairings[pairing][side].add(outcome, side);
            let points = match side {
                Side::First => played.half_points_of_first(),
                Side::Second => 2 - played.half_points_of_first(),
            };
            if !pairings[pairing].swap {
                continue;
            }
            // An even game and the next odd one are a pair, in whatever order games come.
            match waiting.remove(&(pairing, played.game ^ 1)) {
                Some(earlier) => standings.pairs[pairing].add(earlier + points),
                None => {
                    waiting.insert((pairing, played.game), points);
                }
            }
        }
        standings
    }

    /// A player's results on both sides together.
    pub fn total(&self, player: usize) -> Tally {
        self.players[player].first + self.players[player].second
    }
}
