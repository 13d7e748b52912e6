//! A rank or a file as nine bits, and how far a piece on it can go.

use super::{Bitboard, Square};
use crate::games::board9::SIZE;

const FULL_LINE: u128 = (1 << SIZE) - 1;

/// Brings the bits of file a together: bit 9 i times bit 8 (8 - i) is bit 64 + i, and no two others meet.
const GATHER: u128 = {
    let mut gather = 0;
    let mut i = 0;
    while i < SIZE {
        gather |= 1 << (8 * (8 - i));
        i += 1;
    }
    gather
};

/// Which squares of the square's rank are in the set, file a first.
#[inline]
fn rank_of(set: Bitboard, square: Square) -> u32 {
    (set.bits() >> (SIZE * square.rank()) & FULL_LINE) as u32
}

/// Which squares of the square's file are in the set, rank 1 first.
#[inline]
fn file_of(set: Bitboard, square: Square) -> u32 {
    let lowest = set.bits() >> square.file() & Bitboard::FIRST_FILE.bits();
    (lowest.wrapping_mul(GATHER) >> 64 & FULL_LINE) as u32
}

/// How many empty squares there are on either side of a place of a line before the next piece or the edge.
#[inline]
fn room(line: u32, place: usize) -> [usize; 2] {
    let before = line & ((1 << place) - 1);
    let after = line >> (place + 1) | 1 << (SIZE - 1 - place);
    [place - (u32::BITS - before.leading_zeros()) as usize, after.trailing_zeros() as usize]
}

/// How far a piece can go to the left, to the right, up and down.
#[derive(Clone, Copy)]
pub(super) struct Room {
    square: Square,
    steps: [usize; 4],
}

/// What one step to the left, to the right, up and down adds to a square's number.
const STEPS: [isize; 4] = [-1, 1, SIZE as isize, -(SIZE as isize)];

impl Room {
    /// Of a square among these pieces.
    #[inline]
    pub(super) fn new(occupied: Bitboard, square: Square) -> Room {
        let [left, right] = room(rank_of(occupied, square), square.file());
        let [down, up] = room(file_of(occupied, square), square.rank());
        Room { square, steps: [left, right, up, down] }
    }

    /// How many squares can be reached.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.steps.iter().sum()
    }

    /// The `n`-th of them: from near to far to the left, then to the right, up and down.
    #[inline]
    pub(super) fn target(&self, mut n: usize) -> Square {
        for (step, room) in STEPS.into_iter().zip(self.steps) {
            if n < room {
                let index = self.square.index() as isize + step * (n as isize + 1);
                return Square::ALL[index as usize];
            }
            n -= room;
        }
        unreachable!("only squares that can be reached are asked for")
    }

    /// All of them, in that order.
    pub(super) fn targets(self) -> impl Iterator<Item = Square> {
        let along = move |(step, room): (isize, usize)| {
            (1..=room as isize).map(move |n| Square::ALL[(self.square.index() as isize + step * n) as usize])
        };
        STEPS.into_iter().zip(self.steps).flat_map(along)
    }
}
