//! The evaluator of Kyoto Shogi: what each face is worth, what each piece in hand is worth, and how freely all move.

mod genes;
mod last_move;

use crate::game::{BySide, Evaluator, POINT, Side};
use crate::games::kyoto::{HandPiece, Kind, Move, Position, Square};
use last_move::LastMove;

/// What a weight belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum KyotoGene {
    /// A pawn on the board.
    BoardPawn,
    /// A rook on the board.
    BoardRook,
    /// A silver on the board.
    BoardSilver,
    /// A bishop on the board.
    BoardBishop,
    /// A gold on the board.
    BoardGold,
    /// A knight on the board.
    BoardKnight,
    /// A tokin on the board.
    BoardTokin,
    /// A lance on the board.
    BoardLance,
    /// A pawn/rook in hand.
    HandPawn,
    /// A silver/bishop in hand.
    HandSilver,
    /// A gold/knight in hand.
    HandGold,
    /// A tokin/lance in hand.
    HandTokin,
    /// A square that a piece can go to.
    Mobility,
}

impl KyotoGene {
    /// Every gene, in the order in which [`KyotoEvaluator::new`] takes the weights.
    pub const ALL: [KyotoGene; 13] = [
        KyotoGene::BoardPawn,
        KyotoGene::BoardRook,
        KyotoGene::BoardSilver,
        KyotoGene::BoardBishop,
        KyotoGene::BoardGold,
        KyotoGene::BoardKnight,
        KyotoGene::BoardTokin,
        KyotoGene::BoardLance,
        KyotoGene::HandPawn,
        KyotoGene::HandSilver,
        KyotoGene::HandGold,
        KyotoGene::HandTokin,
        KyotoGene::Mobility,
    ];

    /// What a face on the board is worth; the king's worth is no weight.
    pub(crate) const fn board(kind: Kind) -> Option<KyotoGene> {
        match kind {
            Kind::Pawn => Some(KyotoGene::BoardPawn),
            Kind::Rook => Some(KyotoGene::BoardRook),
            Kind::Silver => Some(KyotoGene::BoardSilver),
            Kind::Bishop => Some(KyotoGene::BoardBishop),
            Kind::Gold => Some(KyotoGene::BoardGold),
            Kind::Knight => Some(KyotoGene::BoardKnight),
            Kind::Tokin => Some(KyotoGene::BoardTokin),
            Kind::Lance => Some(KyotoGene::BoardLance),
            Kind::King => None,
        }
    }

    pub(crate) const fn hand(piece: HandPiece) -> KyotoGene {
        match piece {
            HandPiece::Pawn => KyotoGene::HandPawn,
            HandPiece::Silver => KyotoGene::HandSilver,
            HandPiece::Knight => KyotoGene::HandGold,
            HandPiece::Lance => KyotoGene::HandTokin,
        }
    }
}

/// What a king is worth, on the board and in the hand of who captured it.
const KING: i32 = 99_999 * POINT;

/// The most squares that the pieces of one side can go to together: king, two rooks, two bishops, four golds or tokins.
const MOST_SQUARES: i32 = 8 + 2 * 8 + 2 * 8 + 4 * 6;
/// The most that one move can change in the number of squares, by the bounds of [`LastMove`]: what is moved or captured,
/// and the lines of the other pieces that it opens or closes.
const MOST_CHANGED: i32 = 8 + 8 + 8 + 3 * 6 + 3 * 6;
// Eight pieces, both kings, and squares: no sum overflows, not even that of a bound.
const _: () = assert!(
    (KyotoEvaluator::MAX as i64) * (8 + 1 + MOST_SQUARES + MOST_CHANGED) as i64 + 2 * (KING as i64)
        < i32::MAX as i64
);

/// Values for each number that [`Kind::number`] gives.
type ByNumber<T> = [T; 16];

/// The kind of each number; those of no kind are never asked for.
const KINDS: ByNumber<Kind> = {
    let mut kinds = [Kind::King; 16];
    let mut i = 0;
    while i < Kind::ALL.len() {
        kinds[Kind::ALL[i].number()] = Kind::ALL[i];
        i += 1;
    }
    kinds
};

/// The number of the other face.
const TURNED_OVER: ByNumber<usize> = {
    let mut turned = [0; 16];
    let mut i = 0;
    while i < Kind::ALL.len() {
        turned[Kind::ALL[i].number()] = Kind::ALL[i].turned_over().number();
        i += 1;
    }
    turned
};

/// Values a position of Kyoto Shogi: faces on the board, pieces in hand, and squares to go to.
///
/// A side that has lost with its king still on the board (mate, or nothing to move) is valued as if the king had been
/// captured: its worth is the winner's. The pieces keep the squares that they could go to.
#[derive(Clone, Debug)]
pub struct KyotoEvaluator {
    weights: [i32; 13],
    /// What a face is worth where it stands: nothing where it can never move again.
    worth: BySide<ByNumber<[i32; 32]>>,
    /// What a captured piece is worth in hand.
    held: ByNumber<i32>,
}

impl KyotoEvaluator {
    /// The largest weight.
    pub const MAX: i32 = 10_000_000;

    /// An evaluator with these weights in thousandths of a point, in the order of [`KyotoGene::ALL`]. A weight that is
    /// not from 0 to [`MAX`](KyotoEvaluator::MAX) is taken as the nearest that is.
    pub fn new(weights: [i32; 13]) -> KyotoEvaluator {
        let weights = weights.map(|weight| weight.clamp(0, Self::MAX));
        let mut evaluator = KyotoEvaluator {
            weights,
            worth: BySide { first: [[0; 32]; 16], second: [[0; 32]; 16] },
            held: [0; 16],
        };
        for kind in Kind::ALL {
            evaluator.held[kind.number()] = kind.piece().map_or(KING, |piece| evaluator.in_hand(piece));
            for side in Side::BOTH {
                for square in Square::ALL {
                    evaluator.worth[side][kind.number()][square.index()] =
                        evaluator.on_board(side, kind, square);
                }
            }
        }
        evaluator
    }

    #[inline]
    fn weight(&self, gene: KyotoGene) -> i32 {
        self.weights[gene as usize]
    }

    #[inline]
    fn in_hand(&self, piece: HandPiece) -> i32 {
        self.weight(KyotoGene::hand(piece))
    }

    /// What a face is worth on a square, if it is not stuck there for ever.
    fn on_board(&self, side: Side, kind: Kind, square: Square) -> i32 {
        match KyotoGene::board(kind) {
            _ if kind.lines(side, square).is_empty() => 0,
            Some(gene) => self.weight(gene),
            None => KING,
        }
    }

    /// What a side has on the board and in hand, its king and a caught one included.
    #[inline]
    fn material_of(&self, position: &Position, side: Side) -> i32 {
        let mut sum = if position.king(!side).is_none() { KING } else { 0 };
        for square in position.pieces(side) {
            sum += self.worth[side][position.number_at(square)][square.index()];
        }
        for piece in HandPiece::ALL {
            sum += self.in_hand(piece) * position.hand(side).count(piece) as i32;
        }
        sum
    }

    /// Faces on the board and pieces in hand, a captured king included.
    fn material(&self, position: &Position, side: Side) -> i32 {
        self.material_of(position, side) - self.material_of(position, !side)
    }

    /// The material that a legal move gains for the side that makes it; less than 0 if it loses some.
    #[inline]
    fn gain(&self, position: &Position, m: Move) -> i32 {
        let us = position.turn();
        match m {
            Move::Step { from, to } => {
                let (moved, captured) = (position.number_at(from), position.number_at(to));
                // An empty square has the number 0, of which both tables say nothing.
                self.worth[us][TURNED_OVER[moved]][to.index()] - self.worth[us][moved][from.index()]
                    + self.worth[!us][captured][to.index()]
                    + self.held[captured]
            }
            Move::Drop { piece, promoted, to } => {
                self.worth[us][piece.kind(promoted).number()][to.index()] - self.in_hand(piece)
            }
        }
    }
}

impl Evaluator<Position> for KyotoEvaluator {
    fn value(&self, position: &Position, side: Side) -> i32 {
        self.complete(position, self.partial(position, side), side)
    }

    /// Mobility is what only the position itself shows.
    fn partial(&self, position: &Position, side: Side) -> i32 {
        self.material(position, side)
    }

    fn partial_after(&self, position: &Position, before: i32, m: Move, side: Side) -> i32 {
        let gain = self.gain(position, m);
        if position.turn() == side { before + gain } else { before - gain }
    }

    fn complete(&self, position: &Position, partial: i32, side: Side) -> i32 {
        let mobility = self.weight(KyotoGene::Mobility) * position.mobility_lead(side);
        let loser = position.turn();
        let king_lost = match position.king(loser) {
            Some(_) if position.is_over() && loser == side => -2 * KING,
            Some(_) if position.is_over() => 2 * KING,
            _ => 0,
        };
        partial + mobility + king_lost
    }

    fn best_reply(
        &self,
        position: &Position,
        partial: i32,
        side: Side,
        (low, high): (i32, i32),
    ) -> Option<i32> {
        // Where a move may end the game without a catch, only playing it tells.
        if position.may_end_without_catch() {
            return None;
        }
        // What is good for one side is as bad for the other.
        Some(if position.turn() == side {
            LastMove::new(self, position, partial).best(low, high)
        } else {
            -LastMove::new(self, position, -partial).best(-high, -low)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Symmetry, legal_moves};
    use crate::games::kyoto::Rules;
    use crate::random::{below, pick, stream};
    use rand_chacha::ChaCha8Rng;

    /// The paper's listing, set B.
    const B: [i32; 13] = [10, 200, 100, 180, 120, 70, 120, 60, 300, 270, 180, 180, 1];

    /// The value as the rules of the paper say it, piece by piece.
    fn reference(weights: &[i32; 13], position: &Position, side: Side) -> i32 {
        let weight = |gene: KyotoGene| weights[gene as usize];
        let mut value = 0;
        for square in Square::ALL {
            let Some((owner, kind)) = position.piece_at(square) else { continue };
            let squares = kind.targets(owner, square, position.occupied()) - position.pieces(owner);
            let ranks_ahead = if owner == Side::First { square.row() } else { 4 - square.row() };
            let stuck = match kind {
                Kind::Pawn | Kind::Lance => ranks_ahead == 0,
                Kind::Knight => ranks_ahead < 2,
                _ => false,
            };
            let face = match KyotoGene::board(kind) {
                _ if stuck => 0,
                Some(gene) => weight(gene),
                None => 99_999_000,
            };
            let worth = face + weight(KyotoGene::Mobility) * squares.len() as i32;
            value += if owner == side { worth } else { -worth };
        }
        for piece in HandPiece::ALL {
            let held = |side| position.hand(side).count(piece) as i32;
            value += weight(KyotoGene::hand(piece)) * (held(side) - held(!side));
        }
        // Who lost, by whatever, is the side to move: its king is the winner's.
        if position.outcome().is_some() {
            let on_board = if position.king(position.turn()).is_some() { 99_999_000 } else { 0 };
            let lost = 99_999_000 + on_board;
            value += if position.turn() == side { -lost } else { lost };
        }
        value
    }

    /// Of any size: small ones make ties, the largest make the largest sums.
    fn random_weights(random: &mut ChaCha8Rng) -> [i32; 13] {
        let most = pick(random, &[3, 100_000, KyotoEvaluator::MAX]);
        KyotoGene::ALL.map(|_| below(random, most as usize + 1) as i32)
    }

    /// Every position of random games by both rules, the finished ones included, each with its evaluator.
    fn visit(games: u64, check: impl Fn(&[i32; 13], &KyotoEvaluator, &Position, &mut ChaCha8Rng)) {
        let mut ends = std::collections::BTreeSet::new();
        for game in 0..games {
            let random = &mut stream(7, 0, game);
            let weights = random_weights(random);
            let evaluator = KyotoEvaluator::new(weights);
            let mut position = Position::start(Rules::ALL[game as usize % 2]);
            for _ in 0..200 {
                check(&weights, &evaluator, &position, random);
                let moves = legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                position = position.play(pick(random, &moves));
            }
            ends.extend(position.decided_by());
        }
        assert!(ends.contains("catch") && ends.contains("mate"), "too few ways to end: {ends:?}");
    }

    #[test]
    fn values_are_the_reference_s_from_either_side_and_in_the_mirror() {
        visit(400, |weights, evaluator, position, _| {
            for side in Side::BOTH {
                let value = evaluator.value(position, side);
                assert_eq!(value, reference(weights, position, side), "{position:?} {weights:?}");
                assert_eq!(evaluator.value(position, !side), -value);
                assert_eq!(evaluator.value(&position.transform(Symmetry::Mirror), side), value);
                assert_eq!(evaluator.value(&position.transform(Symmetry::Turn), !side), value);
            }
        });
    }

    #[test]
    fn values_after_a_move_are_those_of_playing_it() {
        visit(60, |_, evaluator, position, _| {
            for side in Side::BOTH {
                let partial = evaluator.partial(position, side);
                for m in legal_moves(position) {
                    let after = position.play(m);
                    let value = evaluator.value(&after, side);
                    let partial = evaluator.partial_after(position, partial, m, side);
                    assert_eq!(evaluator.complete(&after, partial, side), value);
                }
            }
        });
    }

    #[test]
    fn the_best_move_before_a_leaf_is_found_without_trying_all() {
        visit(300, |weights, evaluator, position, random| {
            let us = position.turn();
            let values: Vec<i32> =
                legal_moves(position).into_iter().map(|m| evaluator.value(&position.play(m), us)).collect();
            let Some(best) = values.iter().copied().max() else { return };
            // A window with the best inside, at an edge, or outside.
            let near = |random: &mut ChaCha8Rng| pick(random, &values) + below(random, 3) as i32 - 1;
            for _ in 0..4 {
                let (one, other) = (near(random), near(random));
                for (low, high) in [(one.min(other), one.max(other) + 1), (-i32::MAX, i32::MAX)] {
                    let Some(found) =
                        evaluator.best_reply(position, evaluator.partial(position, us), us, (low, high))
                    else {
                        assert!(position.may_end_without_catch());
                        continue;
                    };
                    let as_good = match best {
                        _ if best <= low => best <= found && found <= low,
                        _ if best >= high => high <= found && found <= best,
                        _ => found == best,
                    };
                    assert!(as_good, "{position:?} {weights:?}: {found}, not {best} in {low} to {high}");
                }
            }
        });
    }

    fn value_by_b(fen: &str, rules: Rules) -> i32 {
        let evaluator = KyotoEvaluator::new(B.map(|points| points * POINT));
        evaluator.value(&Position::parse(fen, rules).unwrap(), Side::First)
    }

    #[test]
    fn values_counted_by_hand() {
        let value = |fen: &str| value_by_b(fen, Rules::Capture);
        // Both sides have the same pieces and twelve squares each.
        assert_eq!(value("p+nks+l/5/5/5/+LSK+NP[-] w 0 1"), 0);
        // A rook (200) for a pawn (10), and 8 + 2 + 3 + 3 + 3 squares against 12.
        assert_eq!(value("p+nks+l/5/5/4+P/+LSK+N1[-] b 0 1"), (190 + 19 - 12) * POINT);
        // First: a pawn and a knight that can never move, five squares of the king, silver and lance in hand. Second:
        // five squares of the king, a rook with six, silver, knight and lance in hand.
        let first = 5 + 270 + 180;
        let second = 5 + 200 + 6 + 270 + 180 + 180;
        assert_eq!(value("P1k2/1N3/5/5/2K1+p[SLsnl] b 0 1"), (first - second) * POINT);
    }

    #[test]
    fn a_lost_king_is_worth_a_king_on_the_board_and_one_in_hand() {
        let two_kings = 2 * 99_999;
        // The rook of the position above has captured the king and is a pawn that can never move.
        let (first, second) = (270 + 180, 5 + 270 + 180 + 180);
        let caught = value_by_b("P1k2/1N3/5/5/2p2[SLsnlk] w 0 1", Rules::Capture);
        assert_eq!(caught, (first - second - two_kings) * POINT);
        // The second player's pieces wall each other in: it has nothing to move and a pawn and a lance that count.
        let (first, second) = (5 + 2 * 270 + 2 * 180 + 180, 10 + 60);
        let stuck = value_by_b("2K2/5/5/pl3/kp3[SSNNL] b 0 1", Rules::Capture);
        assert_eq!(stuck, (first - second + two_kings) * POINT);
    }

    #[test]
    fn weights_out_of_range_are_taken_as_the_nearest_in_range() {
        let far = KyotoEvaluator::new([i32::MAX, i32::MIN, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(far.weights[..2], [KyotoEvaluator::MAX, 0]);
    }
}
