//! The best move before a leaf, found without trying all.

use super::{KINDS, KING, KyotoEvaluator, KyotoGene, TURNED_OVER};
use crate::game::Side;
use crate::games::kyoto::{Bitboard, HandPiece, Kind, Move, Position, Square};

/// The most squares that a piece can go to from anywhere.
const fn most_squares(kind: Kind) -> i32 {
    match kind {
        Kind::Pawn => 1,
        Kind::Knight => 2,
        Kind::Lance => 4,
        Kind::Silver => 5,
        Kind::Gold | Kind::Tokin => 6,
        Kind::Rook | Kind::Bishop | Kind::King => 8,
    }
}

/// Looks for the best move before a leaf, most of which can be told to be no better than another without playing them.
///
/// Moves of one piece to empty squares, its captures, and drops of one face make a group. A group can be worth no more
/// than its material and a bound on what becomes of the mobility; groups are tried in the order of that.
pub(super) struct LastMove<'a> {
    evaluator: &'a KyotoEvaluator,
    position: &'a Position,
    us: Side,
    own: Bitboard,
    occupied: Bitboard,
    material: i32,
    /// How many squares the side to move is ahead before its move.
    lead: i32,
    /// The most squares that other own pieces can gain where one leaves its square.
    vacated: i32,
    /// The most squares that enemy pieces can lose where one comes to stand in their way.
    blocked: i32,
}

/// Moves that are alike.
#[derive(Clone, Copy)]
struct Group {
    /// No move is worth more.
    most: i32,
    /// What mobility is worth at most after one of the moves.
    mobility: i32,
    source: Source,
    targets: Bitboard,
}

#[derive(Clone, Copy)]
enum Source {
    Board(Square),
    Hand(HandPiece, bool),
}

impl Source {
    fn to(self, to: Square) -> Move {
        match self {
            Source::Board(from) => Move::Step { from, to },
            Source::Hand(piece, promoted) => Move::Drop { piece, promoted, to },
        }
    }
}

/// Two for each of nine pieces on the board, and eight faces to drop.
const MOST_GROUPS: usize = 2 * 9 + 8;

/// The groups that are worth a look.
struct Groups {
    groups: [Group; MOST_GROUPS],
    count: usize,
}

impl Groups {
    const NONE: Groups = {
        let (source, targets) = (Source::Hand(HandPiece::Pawn, false), Bitboard::EMPTY);
        Groups { groups: [Group { most: 0, mobility: 0, source, targets }; MOST_GROUPS], count: 0 }
    };

    #[inline]
    fn push(&mut self, group: Group) {
        self.groups[self.count] = group;
        self.count += 1;
    }

    /// Takes out the most promising group.
    #[inline]
    fn pop(&mut self) -> Option<Group> {
        self.count = self.count.checked_sub(1)?;
        let mut best = 0;
        for i in 1..=self.count {
            if self.groups[i].most >= self.groups[best].most {
                best = i;
            }
        }
        self.groups.swap(best, self.count);
        Some(self.groups[self.count])
    }
}

impl<'a> LastMove<'a> {
    pub(super) fn new(evaluator: &'a KyotoEvaluator, position: &'a Position, material: i32) -> Self {
        let us = position.turn();
        let own = position.pieces(us);
        let sliders = position.kind(Kind::Rook) | position.kind(Kind::Bishop) | position.kind(Kind::Lance);
        LastMove {
            evaluator,
            position,
            us,
            own,
            occupied: position.occupied(),
            material,
            lead: position.mobility_lead(us),
            // What steps gains the square itself; what slides gains up to three behind it too.
            vacated: own.len() as i32 - 1 + 3 * (sliders & own).len() as i32,
            blocked: 3 * (sliders - own).len() as i32,
        }
    }

    /// The value of the best move: exact between `low` and `high`, else a bound on its side of them.
    pub(super) fn best(&self, low: i32, high: i32) -> i32 {
        let mut best = low;
        let mut groups = Groups::NONE;
        self.offer_all(low, &mut groups);
        while let Some(group) = groups.pop().filter(|group| group.most > best) {
            for to in group.targets {
                let m = group.source.to(to);
                let material = self.material + self.evaluator.gain(self.position, m);
                if material + group.mobility <= best {
                    continue;
                }
                best = best.max(material + self.mobility(&self.position.with_move(m)));
                if best >= high {
                    return best;
                }
            }
        }
        best
    }

    #[inline]
    fn mobility(&self, after: &Position) -> i32 {
        self.weighted(after.mobility_lead(self.us))
    }

    #[inline]
    fn weighted(&self, squares: i32) -> i32 {
        self.evaluator.weight(KyotoGene::Mobility) * squares
    }

    /// Adds the groups that may have a move worth more than `low`.
    fn offer_all(&self, low: i32, groups: &mut Groups) {
        let mut offer = |source: Source, targets: Bitboard, gain: i32, more_squares: i32| {
            let mobility = self.weighted(self.lead + more_squares);
            let most = self.material + gain + mobility;
            if most > low && !targets.is_empty() {
                groups.push(Group { most, mobility, source, targets });
            }
        };
        for from in self.own {
            let number = self.position.number_at(from);
            let targets = KINDS[number].targets(self.us, from, self.occupied) - self.own;
            let turned = KINDS[TURNED_OVER[number]];
            let gain = self.face(turned) - self.evaluator.worth[self.us][number][from.index()];
            let squares = most_squares(turned) - targets.len() as i32 + self.vacated;
            let captures = targets & self.occupied;
            offer(Source::Board(from), targets - captures, gain, squares + self.blocked);
            let mut victim = 0;
            for to in captures {
                victim = victim.max(self.captured(to));
            }
            offer(Source::Board(from), captures, gain + victim, squares + most_squares(Kind::King));
        }
        let hand = self.position.hand(self.us);
        for piece in HandPiece::ALL {
            if !hand.holds(piece) {
                continue;
            }
            for promoted in [false, true] {
                let kind = piece.kind(promoted);
                let gain = self.face(kind) - self.evaluator.in_hand(piece);
                offer(Source::Hand(piece, promoted), !self.occupied, gain, most_squares(kind) + self.blocked);
            }
        }
    }

    /// What a face is worth where it can move.
    #[inline]
    fn face(&self, kind: Kind) -> i32 {
        KyotoGene::board(kind).map_or(KING, |gene| self.evaluator.weight(gene))
    }

    #[inline]
    fn captured(&self, square: Square) -> i32 {
        let number = self.position.number_at(square);
        self.evaluator.worth[!self.us][number][square.index()] + self.evaluator.held[number]
    }
}
