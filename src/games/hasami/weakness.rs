//! What the Hasami report calls weaknesses of its network, so that they can be counted: it "leaves pieces hanging" and "waits for
//! mistakes" (sections 6.4 and 7).

use super::{Move, Position};
use crate::game::{Weakness, legal_moves};

/// Both weaknesses.
pub const WEAKNESSES: &[Weakness<Position>] = &[
    Weakness {
        name: "en prise",
        meaning: "after the move, the opponent has a legal move that takes at least one piece",
        is_one: |before, m, _| leaves_en_prise(before, m),
    },
    Weakness {
        name: "idle",
        meaning: "the move puts the piece of the player's previous move straight back where it came from, although another legal move \
                  would do more: take where this one takes nothing, or threaten to take where this one neither takes nor threatens",
        is_one: is_idle,
    },
];

/// Whether the opponent's next move can take something, along a line or by shutting a group in. After the last move of a game there
/// is no next one.
fn leaves_en_prise(before: &Position, m: Move) -> bool {
    let after = before.play(m);
    after.outcome().is_none() && after.could_take(after.turn())
}

/// Whether a move goes straight back although another would do more.
fn is_idle(before: &Position, m: Move, previous: Option<Move>) -> bool {
    let back = previous.is_some_and(|previous| previous.from == m.to && previous.to == m.from);
    back && {
        let done = deed(before, m);
        legal_moves(before).into_iter().any(|other| deed(before, other) > done)
    }
}

/// What a move does, from the least to the most.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Deed {
    Nothing,
    /// The mover could take something now if it were its turn again.
    Threatens,
    Takes,
}

fn deed(before: &Position, m: Move) -> Deed {
    let (mover, after) = (before.turn(), before.play(m));
    match () {
        () if after.left(!mover) < before.left(!mover) => Deed::Takes,
        () if after.outcome().is_none() && after.could_take(mover) => Deed::Threatens,
        () => Deed::Nothing,
    }
}
