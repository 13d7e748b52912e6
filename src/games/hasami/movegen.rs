//! Which moves are legal.

use rand_chacha::ChaCha8Rng;

use super::line::Room;
use super::{Bitboard, FenError, Move, PIECES_EACH, Position, Rules, Square};
use crate::game::{Game, Outcome, Side, Symmetric, Symmetry, Usual};
use crate::games::board9::SIZE;
use crate::random::below;

/// Where a piece can go from a square among these pieces: to the left, to the right, up, down, from near to far.
pub fn targets(occupied: Bitboard, from: Square) -> impl Iterator<Item = Square> {
    Room::new(occupied, from).targets()
}

impl Position {
    /// A side's pieces in board order as the report has it: from the second player's side, files from left to right.
    pub fn in_board_order(&self, side: Side) -> impl Iterator<Item = Square> + use<> {
        let pieces = self.pieces(side);
        (0..SIZE).rev().flat_map(move |rank| pieces & Bitboard::rank(rank))
    }

    /// How many squares the piece on a square can reach.
    pub fn reach(&self, square: Square) -> usize {
        Room::new(self.occupied(), square).len()
    }
}

impl Game for Position {
    const NAME: &'static str = "hasami";
    const TITLE: &'static str = "Hasami Shogi (9x9, pieces between two others are taken)";
    const NOTATIONS: &'static [&'static str] = &["squares", "digits"];
    /// Random games take 383 plies on average, and one in a hundred more than 1,100.
    const PLY_CAP: usize = 2000;

    type Rules = Rules;
    type Array = Usual;
    type Move = Move;
    /// Both sides' squares, and whose turn it is, in three words: they are compared with all positions of a long game.
    type Key = [u64; 3];
    type ParseError = FenError;

    /// No rule about repetition is published, and pieces could go to and fro for ever.
    fn repetitions(_: Rules) -> Option<usize> {
        Some(4)
    }

    fn start(rules: Rules) -> Position {
        Position::start(rules)
    }

    fn rules(&self) -> Rules {
        self.rules()
    }

    fn side_to_move(&self) -> Side {
        self.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn decided_by(&self) -> Option<&'static str> {
        self.decided().map(|(_, by)| by)
    }

    /// Piece by piece in board order; each goes to the left, to the right, up, down, from near to far.
    fn moves(&self, buffer: &mut Vec<Move>) {
        if self.outcome().is_some() {
            return;
        }
        let occupied = self.occupied();
        for from in self.in_board_order(self.turn()) {
            for to in targets(occupied, from) {
                buffer.push(Move { from, to });
            }
        }
    }

    fn count_moves(&self, _: &mut Vec<Move>) -> usize {
        match self.outcome() {
            Some(_) => 0,
            None => self.pieces(self.turn()).map(|square| self.reach(square)).sum(),
        }
    }

    fn is_legal(&self, m: Move) -> bool {
        self.pieces(self.turn()).meets(m.from.bit())
            && self.outcome().is_none()
            && targets(self.occupied(), m.from).any(|to| to == m.to)
    }

    fn play(&self, m: Move) -> Position {
        self.play(m)
    }

    fn key(&self) -> [u64; 3] {
        let [first, second] = [self.pieces(Side::First).bits(), self.pieces(Side::Second).bits()];
        // Eighty-one bits each: what does not fit into a word comes together in the third.
        let rest = (first >> 64) | (second >> 64) << 20 | (self.turn() as u128) << 40;
        [first as u64, second as u64, rest as u64]
    }

    fn parse(text: &str, rules: Rules) -> Result<Position, FenError> {
        super::notation::parse(text, rules)
    }

    fn move_texts(&self, m: Move) -> Vec<String> {
        vec![m.to_string(), m.digits()]
    }

    /// A move that does not reduce a lead of three loses at once.
    fn own_move_may_lose(&self) -> bool {
        self.is_lead_pending()
    }

    /// Counts what each piece can reach and draws a number: nothing is listed.
    fn random_move(&self, random: &mut ChaCha8Rng) -> Move {
        let occupied = self.occupied();
        let mut pieces = [None; PIECES_EACH as usize];
        let mut total = 0;
        for (place, from) in pieces.iter_mut().zip(self.pieces(self.turn())) {
            let room = Room::new(occupied, from);
            total += room.len();
            *place = Some((from, room));
        }
        let mut n = below(random, total);
        for (from, room) in pieces.into_iter().flatten() {
            if n < room.len() {
                return Move { from, to: room.target(n) };
            }
            n -= room.len();
        }
        unreachable!("the number is less than the sum")
    }
}

impl Symmetric for Position {
    fn transform(&self, symmetry: Symmetry) -> Position {
        self.transform(symmetry)
    }

    fn transform_move(m: Move, symmetry: Symmetry) -> Move {
        m.transform(symmetry)
    }
}
