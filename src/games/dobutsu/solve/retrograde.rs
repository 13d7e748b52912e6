//! The solution of the whole game, from its ends backward.
//!
//! ```text
//! for every position:      won in 1 if some move wins at once; else count the moves after which the opponent does not win at once
//!                          lost in 2 if there is none (in 0 if there is no move at all)
//! for each distance d:     for every position lost in d:  each undecided position before it is won in d + 1
//!                          for every position won in d:   each undecided position before it has one move less to hope for;
//!                                                         with none left it is lost in d + 1
//! what is left:            a draw
//! ```
//!
//! One byte a position holds first the count, then the result.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::index::{Domain, Index};
use super::near::{Near, near};
use super::unmove::predecessors;
use super::view::View;
use crate::games::dobutsu::Rules;

/// The byte of a draw.
pub(super) const DRAW: u8 = 0;
/// The byte of a number that stands for no position: a mirror image of another one.
pub(super) const UNUSED: u8 = 255;
/// A byte above this counts moves that may still save the player to move.
const UNDECIDED: u8 = 200;

/// The byte of a result in so many plies: a loss if they are even, a win if they are odd.
pub(super) const fn decided(plies: u8) -> u8 {
    plies + 1
}

/// How many positions are looked through in one go, and skipped if nothing happened to them.
pub(super) const BLOCK: usize = 512;

/// The index takes no more bytes than this, also while it is made.
const MOST_FOR_INDEX: usize = 128 << 20;

/// Told now and again how much of the work is done, and how much there is.
pub type Watch<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// Solves the game under these rules: the value of every number of the index.
pub(super) fn solve(rules: Rules, watch: Watch) -> Result<(Index, Vec<u8>), TryReserveError> {
    // The index asks for memory in many small pieces, of which the first that is missing would end the program.
    Vec::<u8>::new().try_reserve_exact(MOST_FOR_INDEX)?;
    let index = Index::new(Domain::Quiet(rules));
    let unmarked = || filled(index.len().div_ceil(BLOCK), 0);
    let work = Work {
        rules,
        values: filled(index.len(), UNUSED)?,
        fresh: [unmarked()?, unmarked()?],
        index: &index,
        done: AtomicU64::new(0),
        watch,
    };
    work.begin();
    let mut plies = 2;
    // Wins come from losses a ply nearer, and losses from wins: the first distance without any is the last.
    while work.spread(plies) {
        plies += 1;
    }
    let finish = |value: AtomicU8| match value.into_inner() {
        UNUSED => UNUSED,
        value if value > UNDECIDED => DRAW,
        value => value,
    };
    // In the same place: it takes no more memory.
    let values = work.values.into_iter().map(finish).collect();
    Ok((index, values))
}

/// A vector of `count` copies of `value`; an error if memory is short.
fn filled(count: usize, value: u8) -> Result<Vec<AtomicU8>, TryReserveError> {
    let mut values = Vec::new();
    values.try_reserve_exact(count)?;
    values.extend((0..count).map(|_| AtomicU8::new(value)));
    Ok(values)
}

struct Work<'a> {
    rules: Rules,
    index: &'a Index,
    values: Vec<AtomicU8>,
    /// Which blocks hold positions whose result is this distance (even, odd) and has not been spread.
    fresh: [Vec<AtomicU8>; 2],
    /// Positions that were looked at, and then positions that were decided.
    done: AtomicU64,
    watch: Watch<'a>,
}

impl Work<'_> {
    /// Gives every position its count, or its result if that is near.
    fn begin(&self) {
        self.values.par_chunks(BLOCK).enumerate().with_min_len(64).for_each(|(block, values)| {
            let mut cursor = self.index.cursor();
            let mut decided_now = 0;
            for (i, value) in values.iter().enumerate() {
                let view = cursor.position(block * BLOCK + i);
                if !view.folded().1 {
                    let first = first_value(&view, self.rules);
                    value.store(first, Relaxed);
                    if first == decided(2) {
                        self.fresh[0][block].store(1, Relaxed);
                    }
                    decided_now += u64::from(first <= decided(1));
                } else {
                    decided_now += 1;
                }
            }
            self.advance(values.len() as u64 + decided_now);
        });
    }

    /// Tells the positions before all those decided in so many plies. Whether there were any.
    fn spread(&self, plies: u8) -> bool {
        let fresh = &self.fresh[usize::from(plies % 2)];
        let next = &self.fresh[usize::from(1 - plies % 2)];
        let found: u64 = self
            .values
            .par_chunks(BLOCK)
            .enumerate()
            .with_min_len(16)
            .map_init(Vec::new, |numbers, (block, values)| {
                if fresh[block].load(Relaxed) == 0 {
                    return 0;
                }
                fresh[block].store(0, Relaxed);
                let mut cursor = self.index.cursor();
                let mut found = 0;
                for (i, value) in values.iter().enumerate() {
                    if value.load(Relaxed) == decided(plies) {
                        found += 1;
                        self.tell(&cursor.position(block * BLOCK + i), plies, next, numbers);
                    }
                }
                self.advance(found);
                found
            })
            .sum();
        found > 0
    }

    fn advance(&self, by: u64) {
        let done = self.done.fetch_add(by, Relaxed) + by;
        (self.watch)(done, 2 * self.index.len() as u64);
    }

    fn tell(&self, view: &View, plies: u8, next: &[AtomicU8], numbers: &mut Vec<(u32, u8)>) {
        let symmetric = view.is_symmetric();
        // All numbers first, so that the processor can fetch their values at the same time.
        numbers.clear();
        predecessors(view, self.rules, |before| {
            let (before, other) = before.folded();
            // The positions before a symmetric one come in pairs of mirror images, which are one and the same.
            if symmetric && other {
                return;
            }
            // From a symmetric position two moves lead to this one, as mirror images.
            let moves = 1 + u8::from(!symmetric && before.is_symmetric());
            numbers.push((self.index.number(&before) as u32, moves));
        });
        let lost = plies.is_multiple_of(2);
        for (number, moves) in numbers.iter() {
            let number = *number as usize;
            let value = &self.values[number];
            if value.load(Relaxed) <= UNDECIDED {
                continue;
            }
            if lost || value.fetch_sub(*moves, Relaxed) == UNDECIDED + moves {
                value.store(decided(plies + 1), Relaxed);
                next[number / BLOCK].store(1, Relaxed);
            }
        }
    }
}

fn first_value(view: &View, rules: Rules) -> u8 {
    match near(view, rules) {
        Near::Over => decided(0),
        Near::Win => decided(1),
        Near::Hopes(0) => decided(2),
        Near::Hopes(count) => UNDECIDED + count,
    }
}
