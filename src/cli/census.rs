//! What is in a set of games: results, positions, and how many of them differ.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::io::Write;

use super::{CliError, grouped};
use crate::game::{Game, GameRecord, Outcome, Side};

/// Fingerprints, 64 bits each: among a hundred million positions, two that differ and have the same one are not likely.
pub(super) type Fingerprints = HashSet<u64, BuildHasherDefault<AsItIs>>;

/// A fingerprint needs no further hashing.
#[derive(Default)]
pub(super) struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Counts games as they come; of the positions only fingerprints are kept.
#[derive(Default)]
pub(super) struct Census {
    pub(super) games: usize,
    first_wins: u64,
    draws: u64,
    second_wins: u64,
    unfinished: u64,
    positions: u64,
    distinct: Fingerprints,
}

impl Census {
    /// One more game. Its positions are those in which a move was made.
    pub(super) fn add<G: Game>(&mut self, game: &GameRecord<G>) {
        self.games += 1;
        *match game.verdict.map(|verdict| verdict.outcome) {
            Some(Outcome::Win(Side::First)) => &mut self.first_wins,
            Some(Outcome::Win(Side::Second)) => &mut self.second_wins,
            Some(Outcome::Draw) => &mut self.draws,
            None => &mut self.unfinished,
        } += 1;
        let mut position = game.start;
        for m in &game.moves {
            self.positions += 1;
            let mut hasher = DefaultHasher::new();
            position.key().hash(&mut hasher);
            self.distinct.insert(hasher.finish());
            position = position.play(*m);
        }
    }

    /// The counts, a line each.
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), CliError> {
        let mut line = |what: &str, number: u64| writeln!(out, "  {what:<20} {:>12}", grouped(number));
        line("games", self.games as u64)?;
        line("first player's wins", self.first_wins)?;
        line("draws", self.draws)?;
        line("second player's wins", self.second_wins)?;
        if self.unfinished > 0 {
            line("unfinished", self.unfinished)?;
        }
        line("positions", self.positions)?;
        line("distinct positions", self.distinct.len() as u64)?;
        Ok(())
    }
}
