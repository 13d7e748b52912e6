//! Positions on which a candidate can be right or wrong, and what the solved game says of its moves there.

use std::sync::Arc;

use crate::games::dobutsu::Position;
use crate::games::{Referee, Side, legal_moves};
use crate::players::Player;
use crate::random::stream;
use crate::solve::Table;

/// How many positions a generation is measured on.
pub(super) const POSITIONS: usize = 300;

/// Streams of positions stand apart from those of games.
const SAMPLES: u64 = 1 << 40;

/// The positions of one generation, the same for all its candidates.
pub(super) struct Exam {
    table: Arc<Table>,
    positions: Vec<Position>,
}

impl Exam {
    /// Any positions in which some moves keep the value and some do not, with this side to move if one is given.
    pub(super) fn new(table: Arc<Table>, side: Option<Side>, seed: u64, generation: u32) -> Exam {
        let one = |i: usize| {
            let mut random = stream(seed, u64::from(generation), SAMPLES + i as u64);
            loop {
                let position = table.any_position(&mut random);
                if side.is_none_or(|side| position.turn() == side) && matters(&table, &position) {
                    return position;
                }
            }
        };
        Exam { positions: (0..POSITIONS).map(one).collect(), table }
    }

    /// In how many positions the player's move keeps the value.
    pub(super) fn mark(&self, player: &mut dyn Player<Position>, seed: u64, generation: u32) -> i64 {
        let keeps = |(i, position): &(usize, &Position)| {
            let mut random = stream(seed, u64::from(generation), *i as u64);
            let m = player.choose(&Referee::new(**position), &mut random);
            self.table.probe(&position.play(m)).before().sign() == self.table.probe(position).sign()
        };
        self.positions.iter().enumerate().filter(keeps).count() as i64
    }
}

fn matters(table: &Table, position: &Position) -> bool {
    let value = table.probe(position).sign();
    legal_moves(position).into_iter().any(|m| table.probe(&position.play(m)).before().sign() != value)
}
