//! What a look one exchange ahead says about a move, in games that can tell.

/// What a move left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blunder {
    /// The king was in check and can still be captured, although another move would have prevented it.
    CheckNotAnswered,
    /// The king was not in check and can be captured now, although another move would have kept it safe.
    IntoCheck,
    /// A piece can be captured for nothing, although another move would have left none so.
    PieceGivenAway,
}

/// A move, judged by a look one exchange ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tactics {
    /// Whether the side to move was in check and had a move that answers it.
    pub answerable_check: bool,
    /// What the move left open: at most one thing, the king before other pieces.
    pub weakness: Option<Blunder>,
}
