//! Which moves of Quoridor are worth a look.

use crate::game::Game;
use crate::games::quoridor::{Move, Position, Walls};
use crate::search::Candidates;

crate::variants! {
    /// Where walls are considered.
    pub enum WallChoice, "choice of walls" {
        /// Around both pawns and around walls that stand already, as in the report.
        Near = "near", "around pawns and walls";
        /// Everywhere.
        All = "all", "everywhere";
    }
}

/// Steps and walls in the order of what they do to the ways: the own one shorter, the other's longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proposals {
    /// Where walls are considered.
    pub walls: WallChoice,
    /// How many moves are proposed at most; `None` for all.
    pub beam: Option<usize>,
    /// Whether they are sorted at all; else they come as the game lists them.
    pub sorted: bool,
}

impl Proposals {
    fn places(&self, position: &Position) -> Walls {
        match self.walls {
            _ if position.walls_left(position.turn()) == 0 => Walls::default(),
            WallChoice::Near => position.near_walls(),
            WallChoice::All => position.walls().free(),
        }
    }
}

impl Candidates<Position> for Proposals {
    fn width(&self, depth: u32) -> usize {
        match depth {
            0..=2 => 24,
            _ => 40,
        }
    }

    fn list(&self, position: &Position, _: u32, moves: &mut Vec<Move>) {
        if position.outcome().is_some() {
            return;
        }
        let start = moves.len();
        let mut found: Vec<(i32, Move)> = Vec::with_capacity(140);
        position.after_each(self.places(position), |m, own, other| {
            found.push((own as i32 - other as i32, m));
        });
        if self.sorted {
            found.sort_by_key(|(difference, _)| *difference);
        }
        moves.extend(found.into_iter().map(|(_, m)| m).take(self.beam.unwrap_or(usize::MAX)));
        debug_assert!(moves[start..].iter().all(|m| position.is_legal(*m)));
    }
}
