//! What could be taken by the next move: by the rules, and as the report's rewards ask.

use super::movegen::targets;
use super::position::DIRECTIONS;
use super::{Bitboard, Move, Position, Square};
use crate::game::{BySide, Side};

impl Position {
    /// Whether a side could take something with one move if it were its turn, along a line or by shutting a group in.
    pub fn could_take(&self, side: Side) -> bool {
        let [first, second] = Side::BOTH.map(|side| self.pieces(side));
        let position = Position::of(BySide { first, second }, side, self.rules());
        let takes = |from, to| position.play(Move { from, to }).left(!side) < self.left(!side);
        let mut pieces = self.pieces(side);
        pieces.any(|from| targets(self.occupied(), from).any(|to| takes(from, to)))
    }

    /// Every square that a side could move a piece to if it were its turn.
    pub fn reachable(&self, side: Side) -> Bitboard {
        let occupied = self.occupied();
        self.pieces(side)
            .flat_map(|from| targets(occupied, from))
            .fold(Bitboard::EMPTY, |set, square| set | square.bit())
    }

    /// How many pieces of a side the other could take with one move along a line that the piece on `square` stands in; the other
    /// can move to the squares of `reachable`.
    pub fn at_risk(&self, square: Square, side: Side, reachable: Bitboard) -> usize {
        // Left is opposite to right, up to down.
        let [left, right, up, down] = [0, 1, 2, 3].map(|direction| self.run(square, side, direction));
        let taken = |(one, beyond): (usize, Bitboard), (other, landing): (usize, Bitboard)| {
            let held = beyond.meets(self.pieces(!side)) && landing.meets(reachable);
            if held { one + other + 1 } else { 0 }
        };
        [taken(left, right), taken(right, left), taken(up, down), taken(down, up)]
            .into_iter()
            .max()
            .unwrap_or(0)
    }

    /// How many pieces of a side stand in a row beside a square, and the square after the last of them (none beyond the edge).
    fn run(&self, square: Square, side: Side, direction: usize) -> (usize, Bitboard) {
        let step = DIRECTIONS[direction];
        let mut at = step(square.bit());
        let mut count = 0;
        while at.meets(self.pieces(side)) {
            count += 1;
            at = step(at);
        }
        (count, at)
    }

    /// Whether a piece of the other side stands beside a square.
    pub fn has_neighbour(&self, square: Square, side: Side) -> bool {
        DIRECTIONS.iter().any(|step| step(square.bit()).meets(self.pieces(!side)))
    }
}
