//! The captured pieces that a player may drop.

use super::HandPiece;

/// How many of each piece a player holds: none to two, as there are two of each in the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hand(u8);

impl Hand {
    /// Nothing in hand.
    pub const EMPTY: Hand = Hand(0);

    /// Whether nothing is held.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many of this piece are held.
    pub const fn count(self, piece: HandPiece) -> usize {
        (self.0 >> (2 * piece as u8) & 0b11) as usize
    }

    /// Whether at least one of this piece is held.
    pub const fn holds(self, piece: HandPiece) -> bool {
        self.count(piece) > 0
    }

    /// The pieces of which at least one is held.
    pub fn pieces(self) -> impl Iterator<Item = HandPiece> {
        HandPiece::ALL.into_iter().filter(move |piece| self.holds(*piece))
    }

    /// How many different pieces are held.
    pub(super) const fn kinds_held(self) -> usize {
        ((self.0 | self.0 >> 1) & 0b01_01_01_01).count_ones() as usize
    }

    /// The hand with one more of this piece, or `None` if it holds two already.
    pub const fn with(self, piece: HandPiece) -> Option<Hand> {
        if self.count(piece) < 2 { Some(Hand(self.0 + Self::one(piece))) } else { None }
    }

    /// The hand after a capture; `captured` tells for each piece whether it was the one.
    ///
    /// There are two of each piece in the game, so a legal capture never brings a third.
    pub(super) fn with_captured(self, captured: impl Fn(HandPiece) -> bool) -> Hand {
        let added = HandPiece::ALL.map(|piece| (captured(piece) as u8) << (2 * piece as u8));
        Hand(self.0 + added.into_iter().sum::<u8>())
    }

    /// The hand with one less of this piece, or `None` if it holds none.
    pub const fn without(self, piece: HandPiece) -> Option<Hand> {
        if self.holds(piece) { Some(Hand(self.0 - Self::one(piece))) } else { None }
    }

    /// The eight bits of the hand, two a piece.
    pub const fn bits(self) -> u8 {
        self.0
    }

    const fn one(piece: HandPiece) -> u8 {
        1 << (2 * piece as u8)
    }
}
