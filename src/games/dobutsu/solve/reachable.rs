//! How many positions can come about in a game, counted by playing every move from the start.
//!
//! Counted are positions, not games, with both lions on the board, and the same position seen by the other side or in a mirror
//! counts once. For this count a game ends when the player to move can catch the lion, and would: nothing is played from
//! there. A try ends it when it has been made, or already when the player to move can make one that wins: both counts have
//! been published.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU64};

use std::fmt;

use rayon::prelude::*;

use super::index::{Domain, Index};
use super::near::{can_catch, can_try};
use super::retrograde::BLOCK;
use super::view::View;
use crate::game::Game;
use crate::games::dobutsu::{Move, Position, Rules};

/// When a try ends the game for the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TryEnds {
    /// When it has been made: the position after it is counted.
    WhenMade,
    /// When it can be made and would win: nothing is played from there.
    WhenPossible,
}

/// Positions that can come about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reachable {
    /// Those in which the player to move can catch the lion.
    pub catch: u64,
    /// Those in which the other player has just won by a try.
    pub tried: u64,
    /// Those that go on: won, lost and drawn for the player to move.
    pub won: u64,
    /// See `won`.
    pub lost: u64,
    /// See `won`.
    pub drawn: u64,
}

const UNSEEN: u8 = 0;
const SEEN: u8 = 1;
const PLAYED: u8 = 2;

pub(super) struct Walk<'a> {
    rules: Rules,
    ends_when: TryEnds,
    index: &'a Index,
    all: Index,
    /// By number of the positions that go on.
    state: Vec<AtomicU8>,
    fresh: Vec<AtomicU8>,
    /// One bit for each position that does not.
    ends: Vec<AtomicU64>,
    catch: AtomicU64,
    tried: AtomicU64,
}

impl<'a> Walk<'a> {
    pub(super) fn new(rules: Rules, index: &'a Index, ends_when: TryEnds) -> Walk<'a> {
        let all = Index::new(Domain::All);
        Walk {
            rules,
            ends_when,
            index,
            state: (0..index.len()).map(|_| AtomicU8::new(UNSEEN)).collect(),
            fresh: (0..index.len().div_ceil(BLOCK)).map(|_| AtomicU8::new(0)).collect(),
            ends: (0..all.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect(),
            all,
            catch: AtomicU64::new(0),
            tried: AtomicU64::new(0),
        }
    }

    /// Plays every move from the start until nothing new comes about.
    pub(super) fn walk(&self) {
        self.meet(&Position::start(self.rules));
        while self.round() {}
    }

    fn meet(&self, position: &Position) {
        let view = View::of(position).folded().0;
        let tried = position.outcome().is_some_and(|_| position.decided_by() == Some("try"));
        if tried || can_catch(position) {
            let number = self.all.number(&view);
            let bit = 1 << (number % 64);
            if self.ends[number / 64].fetch_or(bit, Relaxed) & bit == 0 {
                if tried { &self.tried } else { &self.catch }.fetch_add(1, Relaxed);
            }
            return;
        }
        let number = self.index.number(&view);
        if self.state[number].load(Relaxed) == UNSEEN {
            self.state[number].store(SEEN, Relaxed);
            self.fresh[number / BLOCK].store(1, Relaxed);
        }
    }

    fn round(&self) -> bool {
        let play = |moves: &mut Vec<Move>, (block, states): (usize, &[AtomicU8])| {
            if self.fresh[block].swap(0, Relaxed) == 0 {
                return false;
            }
            let mut cursor = self.index.cursor();
            for (i, state) in states.iter().enumerate() {
                if state.load(Relaxed) == SEEN {
                    state.store(PLAYED, Relaxed);
                    let position = cursor.position(block * BLOCK + i).to_position(self.rules);
                    if self.ends_when == TryEnds::WhenPossible && can_try(&position) {
                        continue;
                    }
                    moves.clear();
                    position.moves(moves);
                    moves.iter().for_each(|m| self.meet(&position.play(*m)));
                }
            }
            true
        };
        self.state
            .par_chunks(BLOCK)
            .enumerate()
            .with_min_len(16)
            .map_init(Vec::new, play)
            .filter(|played| *played)
            .count()
            > 0
    }

    pub(super) fn count(&self, values: &[u8]) -> Reachable {
        let mut count = Reachable {
            catch: self.catch.load(Relaxed),
            tried: self.tried.load(Relaxed),
            ..Reachable::default()
        };
        for (state, value) in self.state.iter().zip(values) {
            if state.load(Relaxed) != UNSEEN {
                match *value {
                    0 => count.drawn += 1,
                    value if value % 2 == 0 => count.won += 1,
                    _ => count.lost += 1,
                }
            }
        }
        count
    }
}

impl fmt::Display for Reachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reachable { catch, tried, won, lost, drawn } = *self;
        let go_on = won + lost + drawn;
        for (what, count) in [
            ("the lion cannot be caught", go_on),
            ("  won", won),
            ("  lost", lost),
            ("  drawn", drawn),
            ("the lion can be caught", catch),
            ("a try has won", tried),
            ("all", go_on + catch + tried),
        ] {
            writeln!(f, "  {what:<25} {count:>11}")?;
        }
        Ok(())
    }
}
