//! What two plies of looking ahead tell: who wins at once, and which moves do not lose at once.

use super::view::View;
use crate::game::{Side, legal_moves};
use crate::games::dobutsu::{Bitboard, HandPiece, Kind, Position, Rules, Square};

/// What is known of a position without looking further than two plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Near {
    /// The player to move has no legal move.
    Over,
    /// Some move wins the game.
    Win,
    /// So many moves leave the opponent without a move that wins the game at once; none: the game is lost in two plies.
    Hopes(u8),
}

/// The plain way: play every move and look.
pub(super) fn near_by_moves(position: &Position) -> Near {
    if position.is_over() {
        return Near::Over;
    }
    if wins_at_once(position) {
        return Near::Win;
    }
    let moves = legal_moves(position);
    Near::Hopes(moves.iter().filter(|m| !wins_at_once(&position.play(**m))).count() as u8)
}

/// Whether the player to move has a move that wins the game.
fn wins_at_once(position: &Position) -> bool {
    can_catch(position)
        || can_try(position)
        || nearly_stuck(position, !position.turn())
            && legal_moves(position).iter().any(|m| position.play(*m).is_over())
}

/// Whether a side may be without a move once one of its pieces is gone: nothing in hand, and at most one piece that is
/// not hemmed in by its own side.
fn nearly_stuck(position: &Position, side: Side) -> bool {
    let own = position.pieces(side);
    let can_move = |kind: Kind, from: &Square| !(kind.targets(side, *from) - own).is_empty();
    let movable = |kind: Kind| (position.kind(kind) & own).filter(|from| can_move(kind, from)).count();
    position.hand(side).is_empty() && own.len() >= 5 && Kind::ALL.into_iter().map(movable).sum::<usize>() < 2
}

/// Whether the player to move can catch the lion.
pub(super) fn can_catch(position: &Position) -> bool {
    let them = !position.turn();
    attacked(position, !them).meets(position.kind(Kind::Lion) & position.pieces(them))
}

/// Whether the player to move can win by a try.
pub(super) fn can_try(position: &Position) -> bool {
    let us = position.turn();
    let Some(lion) = position.lion(us) else { return false };
    let tries = (Kind::Lion.targets(us, lion) & Bitboard::far_rank(us)) - position.pieces(us);
    match position.rules() {
        Rules::Paper => !tries.is_empty(),
        Rules::Official => !tries.is_empty() && !(tries - attacked(position, !us)).is_empty(),
    }
}

fn attacked(position: &Position, side: Side) -> Bitboard {
    let (steps, promotions) = position.steps(side);
    steps | promotions
}

/// The same as [`near_by_moves`] for a position in which the lion cannot be caught, found for all moves of a piece at once.
pub(super) fn near(view: &View, rules: Rules) -> Near {
    let board = Board { view, mine: view.mine, theirs: view.occupied() & !view.mine, rules };
    if board.can_try() {
        Near::Win
    } else if board.may_run_out_of_moves() {
        near_by_moves(&view.to_position(rules))
    } else {
        Near::Hopes(board.hopes())
    }
}

struct Board<'a> {
    view: &'a View,
    mine: u16,
    theirs: u16,
    rules: Rules,
}

/// The squares that a piece of the player to move attacks, and those from which it attacks.
fn to(kind: Kind, square: usize) -> u16 {
    Square::from_index(square).map_or(0, |square| kind.targets(Side::First, square).bits())
}

fn from(kind: Kind, square: usize) -> u16 {
    Square::from_index(square).map_or(0, |square| kind.targets(Side::Second, square).bits())
}

fn squares(set: u16) -> impl Iterator<Item = usize> {
    Bitboard::from_bits(set).map(Square::index)
}

const MY_FAR_RANK: u16 = Bitboard::far_rank(Side::First).bits();
const THEIR_FAR_RANK: u16 = Bitboard::far_rank(Side::Second).bits();

impl Board<'_> {
    /// My pieces that attack a square.
    fn my_attackers(&self, square: usize) -> u16 {
        Kind::ALL.iter().fold(0, |all, kind| all | from(*kind, square) & self.view.kind(*kind)) & self.mine
    }

    /// Their pieces that attack a square.
    fn their_attackers(&self, square: usize) -> u16 {
        Kind::ALL.iter().fold(0, |all, kind| all | to(*kind, square) & self.view.kind(*kind)) & self.theirs
    }

    /// Whether somebody may be left without a move after two plies. Seldom, so the test may err on the side of yes.
    fn may_run_out_of_moves(&self) -> bool {
        let crowded =
            |hand: u8, pieces: u16| hand.count_ones() <= 1 && hand.count_ones() + pieces.count_ones() >= 5;
        // My move can take one of their pieces, but not an exit of the others.
        let they = || self.mobile(self.theirs, from).0 < 2;
        // My move can take a mover and an exit from the others, and then they may take a piece.
        let me = || {
            let (mobile, most_with_one_exit) = self.mobile(self.mine, to);
            mobile < 3 + most_with_one_exit
        };
        self.view.their_hand == 0 && crowded(0, self.theirs) && they()
            || crowded(self.view.my_hand, self.mine) && me()
    }

    /// How many of these pieces can move, and how many of them at most would be blocked by one more piece of their own.
    fn mobile(&self, pieces: u16, targets: fn(Kind, usize) -> u16) -> (u32, u32) {
        let mut mobile = 0;
        let mut only_exit_of = [0; 12];
        for kind in Kind::ALL {
            for square in squares(self.view.kind(kind) & pieces) {
                let exits = targets(kind, square) & !pieces;
                mobile += u32::from(exits != 0);
                if exits.count_ones() == 1 {
                    only_exit_of[exits.trailing_zeros() as usize] += 1;
                }
            }
        }
        (mobile, only_exit_of.into_iter().max().unwrap_or(0))
    }

    fn can_try(&self) -> bool {
        let tries = to(Kind::Lion, self.view.lions().0) & MY_FAR_RANK & !self.mine;
        match self.rules {
            Rules::Paper => tries != 0,
            Rules::Official => squares(tries).any(|square| self.their_attackers(square) == 0),
        }
    }

    /// How many moves leave the opponent without a catch or a try.
    fn hopes(&self) -> u8 {
        let (my_lion, their_lion) = self.view.lions();
        let attackers = self.their_attackers(my_lion);
        // Where a piece may go so that the lion is not caught: only onto the one attacker, if there is one.
        let saving = match attackers.count_ones() {
            0 => Bitboard::FULL.bits(),
            1 => attackers,
            _ => 0,
        };
        let goals = to(Kind::Lion, their_lion) & THEIR_FAR_RANK;
        let open = goals & !self.theirs;
        if self.rules == Rules::Paper && open != 0 {
            return 0;
        }
        // Each square of their next try must be guarded after the move; one guard may be the piece that moves.
        let guards: [(usize, u16); 3] = {
            let mut at = squares(open);
            [(); 3].map(|()| at.next().map_or((0, u16::MAX), |square| (square, self.my_attackers(square))))
        };
        let guarding = |kind: Kind, mover: u16| {
            guards.iter().fold(Bitboard::FULL.bits(), |all, (square, guards)| {
                if guards & !mover == 0 { all & from(kind, *square) } else { all }
            })
        };
        // Taking their piece on such a square opens it for their lion, which would take back.
        let opens = |mover: u16| match self.rules {
            Rules::Paper => goals & self.theirs,
            Rules::Official => squares(goals & self.theirs)
                .filter(|square| self.my_attackers(*square) & !mover == 0)
                .fold(0, |all, square| all | 1 << square),
        };
        let mut count = 0;
        for kind in Kind::ALL {
            for square in squares(self.view.kind(kind) & self.mine) {
                let mover = 1 << square;
                let steps = to(kind, square) & !self.mine & guarding(kind, mover) & !opens(mover);
                let steps = match kind {
                    Kind::Lion => squares(steps).filter(|to| self.their_attackers(*to) == 0).count() as u32,
                    _ => (steps & saving).count_ones(),
                };
                count += steps;
            }
        }
        let empty = !(self.mine | self.theirs) & Bitboard::FULL.bits();
        for piece in HandPiece::ALL {
            if self.view.held(piece) > 0 && attackers == 0 {
                count += (empty & guarding(piece.kind(), 0)).count_ones();
            }
        }
        count as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::dobutsu::solve::index::{Domain, Index};

    #[test]
    fn all_moves_at_once_and_one_by_one_agree() {
        for rules in Rules::ALL {
            let index = Index::new(Domain::Quiet(rules));
            let mut cursor = index.cursor();
            for number in (0..index.len()).step_by(997) {
                let view = cursor.position(number);
                let position = view.to_position(rules);
                assert_eq!(near(&view, rules), near_by_moves(&position), "{position}");
            }
        }
    }
}
