//! Weak moves of Kyoto Shogi that a look one exchange ahead finds: kings left to be captured, and pieces given away.

use super::{Move, Position};
use crate::game::{Blunder, Game, Tactics, legal_moves};

impl Position {
    /// Judges a legal move of this position by a look one exchange ahead.
    ///
    /// - Check not answered: the king was in check and can be captured after the move, although another legal move would have kept
    ///   it safe or captured the other king.
    /// - Into check: the same of a king that was not in check.
    /// - Piece given away: the move captures nothing and leaves the king safe, and the other side can now capture a piece without
    ///   leaving its own king to be captured, while the mover could not recapture on that square with its own king safe; and
    ///   another legal move would have had none of these weaknesses. Nothing is looked at beyond the recapture: a sound sacrifice
    ///   counts as well.
    pub fn tactics(&self, m: Move) -> Tactics {
        let moves = legal_moves(self);
        let has_answer = || moves.iter().any(|other| is_king_safe(&self.play(*other)));
        let has_better = || moves.iter().any(|other| self.weakness(*other).is_none());
        let avoidable = |weakness: &Blunder| match weakness {
            Blunder::CheckNotAnswered | Blunder::IntoCheck => has_answer(),
            Blunder::PieceGivenAway => has_better(),
        };
        Tactics {
            answerable_check: self.in_check() && has_answer(),
            weakness: self.weakness(m).filter(avoidable),
        }
    }

    /// What a move leaves open, whether or not another one would have been better.
    fn weakness(&self, m: Move) -> Option<Blunder> {
        let next = self.play(m);
        if !is_king_safe(&next) {
            return Some(if self.in_check() { Blunder::CheckNotAnswered } else { Blunder::IntoCheck });
        }
        (!self.is_capture(m) && has_free_capture(&next)).then_some(Blunder::PieceGivenAway)
    }
}

/// Whether the side that has just moved has won, or its king cannot be captured.
fn is_king_safe(next: &Position) -> bool {
    let (mover, other) = (!next.turn(), next.turn());
    next.is_over() || next.king(mover).is_some_and(|king| !next.attacks(other, king))
}

/// Whether the side to move can capture a piece that cannot be recaptured. Its own king must be safe afterwards.
fn has_free_capture(position: &Position) -> bool {
    let is_free = |m: &Move| {
        if !position.is_capture(*m) {
            return false;
        }
        let next = position.play(*m);
        let can_recapture = || {
            let mut there = legal_moves(&next).into_iter().filter(|answer| answer.to() == m.to());
            there.any(|answer| is_king_safe(&next.play(answer)))
        };
        is_king_safe(&next) && !can_recapture()
    };
    legal_moves(position).iter().any(is_free)
}
