//! Positions on which a candidate can be right or wrong, and what the solved game says of its moves there.

use std::sync::Arc;

use crate::game::{Game, Referee, Side, Solution, legal_moves};
use crate::players::Player;
use crate::random::stream;
use crate::search::SearchLimits;

/// How many positions a generation is measured on.
pub(super) const POSITIONS: usize = 300;

/// Streams of positions stand apart from those of games.
const SAMPLES: u64 = 1 << 40;
const _: () = assert!(SAMPLES > POSITIONS as u64);

/// The positions of one generation, the same for all its candidates.
pub(super) struct Exam<G> {
    solution: Arc<dyn Solution<G>>,
    positions: Vec<G>,
}

impl<G: Game> Exam<G> {
    /// Any positions in which some moves keep the value and some do not, with this side to move if one is given.
    pub(super) fn new(
        solution: Arc<dyn Solution<G>>,
        side: Option<Side>,
        seed: u64,
        generation: u32,
    ) -> Exam<G> {
        let one = |i: usize| {
            let mut random = stream(seed, u64::from(generation), SAMPLES + i as u64);
            loop {
                let position = solution.any_position(&mut random);
                if side.is_none_or(|side| position.side_to_move() == side) && matters(&*solution, &position) {
                    return position;
                }
            }
        };
        Exam { positions: (0..POSITIONS).map(one).collect(), solution }
    }

    /// In how many positions the player's move keeps the value.
    pub(super) fn mark(&self, player: &mut dyn Player<G>, seed: u64, generation: u32) -> i64 {
        let keeps = |(i, position): &(usize, &G)| {
            let mut random = stream(seed, u64::from(generation), *i as u64);
            let m = player.choose(&Referee::new(**position), &mut random, &SearchLimits::NONE, &mut |_| ());
            let m = m.expect("players with a genome always have a move");
            self.solution.probe(&position.play(m)).before().sign() == self.solution.probe(position).sign()
        };
        self.positions.iter().enumerate().filter(keeps).count() as i64
    }
}

fn matters<G: Game>(solution: &dyn Solution<G>, position: &G) -> bool {
    let value = solution.probe(position).sign();
    legal_moves(position).into_iter().any(|m| solution.probe(&position.play(m)).before().sign() != value)
}
