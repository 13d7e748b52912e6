//! The transposition table.

use std::hash::{BuildHasher, BuildHasherDefault, Hasher};

use super::Value;
use crate::game::Game;

/// What a stored value says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// A position that was searched.
#[derive(Clone, Copy)]
pub(super) struct Entry<G: Game> {
    key: G::Key,
    /// A byte, so that an entry is half a cache line where positions are small.
    depth: u8,
    /// As seen from the position itself: a win in n is one in n moves from there.
    value: Value,
    bound: Bound,
    /// The best move that was found.
    pub best: G::Move,
}

impl<G: Game> Entry<G> {
    /// How deep it was searched.
    #[inline]
    pub(super) fn depth(&self) -> u32 {
        self.depth.into()
    }

    /// The value, `plies` from the root, if it answers a search with this window.
    #[inline]
    pub(super) fn cutoff(&self, plies: u32, low: Value, high: Value) -> Option<Value> {
        let value = self.value.shifted(plies as i32);
        let settled = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => value >= high,
            Bound::AtMost => value <= low,
        };
        settled.then_some(value)
    }
}

/// Positions and what a search found there; a new entry replaces the old one in its slot.
pub(super) struct TranspositionTable<G: Game> {
    slots: Vec<Option<Entry<G>>>,
    hasher: BuildHasherDefault<Mix>,
}

impl<G: Game> TranspositionTable<G> {
    /// With this many slots, some forty bytes each; with none it stores nothing.
    pub(super) fn new(slots: usize) -> TranspositionTable<G> {
        TranspositionTable { slots: vec![None; slots], hasher: Default::default() }
    }

    /// Removes all entries.
    pub(super) fn clear(&mut self) {
        self.slots.fill(None);
    }

    #[inline]
    fn slot(&self, position: &G) -> usize {
        self.hasher.hash_one(position.key()) as usize % self.slots.len()
    }

    /// The entry of a position.
    #[inline]
    pub(super) fn probe(&self, position: &G) -> Option<Entry<G>> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot(position)].filter(|entry| entry.key == position.key())
    }

    /// Stores what a search with this window found, `plies` from the root.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn store(
        &mut self,
        position: &G,
        depth: u32,
        plies: u32,
        best: G::Move,
        value: Value,
        low: Value,
        high: Value,
    ) {
        if self.slots.is_empty() {
            return;
        }
        let bound = match value {
            value if value >= high => Bound::AtLeast,
            value if value <= low => Bound::AtMost,
            _ => Bound::Exact,
        };
        let value = value.shifted(-(plies as i32));
        let slot = self.slot(position);
        self.slots[slot] = Some(Entry { key: position.key(), depth: depth as u8, value, bound, best });
    }
}

/// A quick hash that is the same in every version of Rust, so that node counts are too.
#[derive(Clone, Copy, Default)]
pub(super) struct Mix(u64);

impl Hasher for Mix {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.0 = (self.0 ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
    }

    /// The low bits choose a slot, the highest seven tell the keys of a hash map apart: none may be empty.
    #[inline]
    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_right(20)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::legal_moves;
    use crate::games::dobutsu::Position;
    use std::collections::HashSet;

    /// A hash map compares the highest seven bits before it looks at a key.
    #[test]
    fn keys_differ_in_the_bits_that_a_hash_map_compares() {
        let start = Position::start(Default::default());
        let two_plies = legal_moves(&start).into_iter().flat_map(|m| {
            let after = start.play(m);
            legal_moves(&after).into_iter().map(move |m| after.play(m))
        });
        let hasher = BuildHasherDefault::<Mix>::default();
        let tags: HashSet<u64> = two_plies.map(|position| hasher.hash_one(position.key()) >> 57).collect();
        assert!(tags.len() > 8, "{tags:?}");
    }
}
