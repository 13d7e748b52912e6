//! Players of a library user as a problem for the genetic algorithm.

use std::ops::RangeInclusive;

use rand_chacha::ChaCha8Rng;

use super::ga::{Chromosome, Individual, Problem, Trials};
use crate::arena::{Conditions, play_all, round_robin};
use crate::game::{Outcome, POINT};
use crate::players::{Playable, PlayerSpec};
use crate::random::below;

/// Tunes whatever `player` makes of a list of numbers, by round-robin matches in every generation.
pub struct OwnPlayers<G: Playable, F> {
    /// How many numbers there are.
    pub genes: usize,
    /// What each of them can be.
    pub range: RangeInclusive<i32>,
    /// How many games each pair plays in a generation.
    pub games_per_pair: usize,
    /// Under which conditions.
    pub conditions: Conditions<G>,
    /// The player of these numbers.
    pub player: F,
}

impl<G: Playable, F: Fn(&[i32]) -> PlayerSpec<G> + Sync> Problem for OwnPlayers<G, F> {
    fn genes(&self) -> usize {
        self.genes
    }

    fn first_gene(&self, _: usize, random: &mut ChaCha8Rng) -> i32 {
        let (low, high) = (i64::from(*self.range.start()), i64::from(*self.range.end()));
        (low + below(random, (high - low + 1) as usize) as i64) as i32
    }

    fn mutated_gene(&self, gene: usize, _: i32, random: &mut ChaCha8Rng) -> i32 {
        self.first_gene(gene, random)
    }

    fn measure(&self, population: &mut [Individual], _: &[Chromosome], generation: u32) -> Trials {
        let players: Vec<PlayerSpec<G>> =
            population.iter().map(|individual| (self.player)(&individual.genes)).collect();
        let pairings = round_robin(players.len(), self.games_per_pair);
        // Each generation plays other openings.
        let seed = self.conditions.seed ^ u64::from(generation) << 32;
        let played = play_all(&players, &pairings, &Conditions { seed, ..self.conditions }, &|| ());
        let mut trials = Trials { games: played.len() as u64, draws: 0 };
        for game in played {
            let first = i64::from(game.scored.half_points_of_first());
            trials.draws += u64::from(game.scored.verdict.outcome == Outcome::Draw);
            for (player, half_points) in [(game.scored.first, first), (game.scored.second, 2 - first)] {
                population[player].points += half_points * i64::from(POINT) / 2;
                population[player].games += 1;
            }
        }
        trials
    }
}
