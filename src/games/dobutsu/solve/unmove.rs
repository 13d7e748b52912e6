//! Moves taken back: every position from which a given one can come about.

use super::view::{View, on};
use crate::game::Side;
use crate::games::dobutsu::{Bitboard, HandPiece, Kind, Rules, Square};

/// Calls `each` with every numbered position from which a legal move leads to this one, as its player to move sees it.
///
/// Positions in which that player could have caught the lion are not numbered, so nothing leads back to them.
#[inline]
pub(super) fn predecessors(view: &View, rules: Rules, mut each: impl FnMut(View)) {
    // The player who has just moved is to move there.
    let now = view.turned();
    let lion = now.kind(Kind::Lion) & !now.mine;
    let Some(lion) = Square::from_index(lion.trailing_zeros() as usize) else { return };
    let catches = |kind: Kind| kind.targets(Side::Second, lion).bits();
    let attackers = Kind::ALL.iter().fold(0, |all, kind| all | catches(*kind) & now.kind(*kind)) & now.mine;
    // All attacks on the lion must have come about by this move.
    let movable = match attackers.count_ones() {
        0 => now.mine,
        1 => attackers,
        _ => return,
    };
    let empty = !now.occupied() & Bitboard::FULL.bits();
    let far = Bitboard::far_rank(Side::First).bits();
    let mut take_back = |kind: Kind, as_kind: Kind, from: u16, to: u16| {
        // Squares from which it would have caught the lion.
        let mut from = from & empty & !catches(as_kind);
        while from != 0 {
            let square = from & from.wrapping_neg();
            from &= from - 1;
            let before = View {
                boards: (now.boards & !on(kind, to)) | on(as_kind, square),
                mine: (now.mine & !to) | square,
                ..now
            };
            each(before);
            for piece in HandPiece::ALL {
                if before.held(piece) > 0 {
                    let my_hand = before.my_hand - (1 << (2 * piece as u8));
                    let boards = before.boards | on(piece.kind(), to);
                    each(View { boards, my_hand, ..before });
                    if piece == HandPiece::Chick {
                        each(View { boards: before.boards | on(Kind::Hen, to), my_hand, ..before });
                    }
                }
            }
        }
    };
    for kind in Kind::ALL {
        let mut squares = now.kind(kind) & movable;
        while squares != 0 {
            let to = squares & squares.wrapping_neg();
            squares &= squares - 1;
            let Some(square) = Square::from_index(to.trailing_zeros() as usize) else { return };
            let from = kind.targets(Side::Second, square).bits();
            match kind {
                // A chick that steps onto the far rank is a hen; a lion there has won, or was caught, or has not just come.
                Kind::Chick | Kind::Lion if to & far != 0 => (),
                Kind::Lion if rules == Rules::Paper => take_back(kind, kind, from & !far, to),
                _ => take_back(kind, kind, from, to),
            }
            if kind == Kind::Hen && to & far != 0 {
                take_back(Kind::Hen, Kind::Chick, Kind::Chick.targets(Side::Second, square).bits(), to);
            }
        }
    }
    for piece in HandPiece::ALL {
        let mut squares = now.kind(piece.kind()) & movable;
        while squares != 0 {
            let to = squares & squares.wrapping_neg();
            squares &= squares - 1;
            each(View {
                boards: now.boards & !on(piece.kind(), to),
                mine: now.mine & !to,
                my_hand: now.my_hand + (1 << (2 * piece as u8)),
                ..now
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::dobutsu::solve::index::{Domain, Index};
    use crate::games::dobutsu::solve::near::can_catch;

    /// Playing moves and taking them back find the same pairs of positions.
    #[test]
    fn moves_taken_back_are_the_moves() {
        for rules in Rules::ALL {
            let index = Index::new(Domain::Quiet(rules));
            let mut cursor = index.cursor();
            for number in (0..index.len()).step_by(100_003) {
                let view = cursor.position(number);
                predecessors(&view, rules, |before| {
                    let position = before.to_position(rules);
                    assert!(!can_catch(&position), "{position}");
                    let leads_here = |m| View::of(&position.play(m)) == view;
                    assert_eq!(
                        crate::game::legal_moves(&position).into_iter().filter(|m| leads_here(*m)).count(),
                        1,
                        "{position}"
                    );
                });
                // And forward: each position after a move has this one among those before it.
                let position = view.to_position(rules);
                for m in crate::game::legal_moves(&position) {
                    let next = position.play(m);
                    if next.is_over() || can_catch(&next) {
                        continue;
                    }
                    let mut found = 0;
                    predecessors(&View::of(&next), rules, |before| found += usize::from(before == view));
                    assert_eq!(found, 1, "{position} {}", position.move_text(m));
                }
            }
        }
    }
}
