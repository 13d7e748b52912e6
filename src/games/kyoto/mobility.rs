//! How freely the pieces of both sides move, counted for all of them in one go.

use super::movegen::advance;
use super::square::{LEFT_FILE, RIGHT_FILE};
use super::{Bitboard, Kind, Position, Rules};
use crate::game::Side;

/// A set of squares for each side, the first player's in the lower half: what is done to both is done once.
type Pair = u64;

const fn both(bits: u32) -> Pair {
    pair(bits, bits)
}

const fn pair(first: u32, second: u32) -> Pair {
    (second as u64) << 32 | first as u64
}

const FIRST: Pair = pair(u32::MAX, 0);
const SECOND: Pair = !FIRST;
const BOARD: Pair = both(Bitboard::FULL.bits());
const NOT_LEFT: Pair = both(!LEFT_FILE);
const NOT_RIGHT: Pair = both(!RIGHT_FILE);

impl Position {
    /// To how many more squares the pieces of `side` can go than the other side's, each piece counted by itself. Kings
    /// may go into attack, and drops are not counted.
    #[inline]
    pub(crate) fn mobility_lead(&self, side: Side) -> i32 {
        match side {
            Side::First => self.first_mobility_lead(),
            Side::Second => -self.first_mobility_lead(),
        }
    }

    fn first_mobility_lead(&self) -> i32 {
        let own = pair(self.pieces(Side::First).bits(), self.pieces(Side::Second).bits());
        let pieces = self.pieces_on(Bitboard::FULL);
        let paired = |kind: Bitboard| both(kind.bits()) & own;
        let (rooks, bishops, golds) = (paired(pieces.rooks), paired(pieces.bishops), paired(pieces.golds));
        let (silvers, kings) = (paired(pieces.silvers), paired(pieces.kings));
        let orthogonal = golds | kings;
        let ahead = orthogonal | silvers | paired(pieces.pawns);
        let diagonal = silvers | kings;
        let slant_ahead = diagonal | golds;
        let slides_ahead = rooks | paired(pieces.lances);
        let knights = paired(pieces.knights);
        let jumps = (knights & FIRST) >> 10 | (knights & SECOND) << 10 & BOARD;
        let empty = !both(self.occupied().bits());
        let reached = [
            left(jumps),
            right(jumps),
            advance(up, going_up(ahead, orthogonal), going_up(slides_ahead, rooks), empty),
            advance(down, going_up(orthogonal, ahead), going_up(rooks, slides_ahead), empty),
            advance(left, orthogonal, rooks, empty),
            advance(right, orthogonal, rooks, empty),
            advance(|squares| up(left(squares)), going_up(slant_ahead, diagonal), bishops, empty),
            advance(|squares| up(right(squares)), going_up(slant_ahead, diagonal), bishops, empty),
            advance(|squares| down(left(squares)), going_up(diagonal, slant_ahead), bishops, empty),
            advance(|squares| down(right(squares)), going_up(diagonal, slant_ahead), bishops, empty),
        ];
        lead(reached, own)
    }

    /// Whether some move may leave the other side without any, so that the game ends though both kings stand.
    ///
    /// Only trying the moves tells for certain; that none can is known, if it is, at a glance.
    pub(crate) fn may_end_without_catch(&self) -> bool {
        let them = !self.turn();
        // A piece to drop stays in hand, and room beside the king stays room: it may capture what comes there.
        let has_room = |king| !(Kind::King.lines(them, king) - self.pieces(them)).is_empty();
        self.rules() == Rules::Legal || self.hand(them).is_empty() && !self.king(them).is_some_and(has_room)
    }
}

/// What goes up the board, given what goes forward and what goes back; the other way round, what goes down.
#[inline]
const fn going_up(forward: Pair, back: Pair) -> Pair {
    forward & FIRST | back & SECOND
}

#[inline]
const fn up(squares: Pair) -> Pair {
    squares >> 5 & BOARD
}

#[inline]
const fn down(squares: Pair) -> Pair {
    squares << 5 & BOARD
}

#[inline]
const fn left(squares: Pair) -> Pair {
    (squares & NOT_LEFT) >> 1
}

#[inline]
const fn right(squares: Pair) -> Pair {
    (squares & NOT_RIGHT) << 1
}

/// How many more squares the first player has in these sets than the second, a square in two sets counted twice.
#[inline]
fn lead(sets: [Pair; 10], own: Pair) -> i32 {
    let mut lead = 0;
    for set in sets {
        // Squares that the second player does not have, less all thirty-two bits, are those it has with the sign changed.
        lead += ((set & !own) ^ SECOND).count_ones() as i32 - 32;
    }
    lead
}
