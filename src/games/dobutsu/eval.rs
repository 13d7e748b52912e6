//! The evaluators of Dobutsu Shogi, all made from one genome: pieces, mobility, check, try.

mod genes;

pub use genes::{CheckReading, CountedFor, Gene, Genome, MobilityReading, Readings, TryReading};

use crate::game::{Evaluator, Side};
use crate::games::dobutsu::{Bitboard, HandPiece, Kind, Move, Position};

/// How many times a weight counts at most, whatever the readings: each of the eight pieces once; for mobility at most
/// eight steps of the lion and, for each other piece, twelve squares to go to; a check and a try.
const MOST_COUNTED: i32 = 8 + (8 + 6 * 12) + 1 + 1;
const _: () = assert!(MOST_COUNTED.checked_mul(Genome::MAX).is_some());

/// Values a position of Dobutsu Shogi with the weights of a genome.
#[derive(Clone, Copy, Debug)]
pub struct DobutsuEvaluator {
    genome: Genome,
    material_only: bool,
    /// What capturing a piece of each kind is worth: it leaves the enemy's board and enters the own hand.
    captures: [i32; 5],
    /// What the worst move can cost if pieces are all that counts.
    least_gain: i32,
}

impl DobutsuEvaluator {
    /// An evaluator with these weights.
    pub fn new(genome: Genome) -> DobutsuEvaluator {
        let captures = Kind::ALL.map(|kind| {
            let held = match kind {
                Kind::Chick | Kind::Hen => Gene::HandChick,
                Kind::Giraffe => Gene::HandGiraffe,
                Kind::Elephant => Gene::HandElephant,
                Kind::Lion => Gene::HandLion,
            };
            genome.board(kind) + genome.get(held)
        });
        // A capture never costs anything: only a promotion or a drop may, where chicks or held pieces are worth more.
        let promotion = genome.board(Kind::Hen) - genome.board(Kind::Chick);
        let drops = HandPiece::ALL.map(|piece| genome.board(piece.kind()) - genome.hand(piece));
        let least_gain = drops.into_iter().fold(promotion.min(0), i32::min);
        DobutsuEvaluator { genome, material_only: genome.is_material_only(), captures, least_gain }
    }

    /// The weights.
    pub fn genome(&self) -> &Genome {
        &self.genome
    }

    /// Pieces on the board and in hand, a caught lion included.
    #[inline]
    fn material(&self, position: &Position, side: Side) -> i32 {
        let own = position.pieces(side);
        let mut value = 0;
        for kind in Kind::ALL {
            let squares = position.kind(kind);
            value += self.genome.board(kind) * (2 * (squares & own).len() as i32 - squares.len() as i32);
        }
        for piece in HandPiece::ALL {
            let held = |side| position.hand(side).count(piece) as i32;
            value += self.genome.hand(piece) * (held(side) - held(!side));
        }
        let caught = |side: Side| (position.kind(Kind::Lion) & position.pieces(!side)).is_empty() as i32;
        value + self.genome.get(Gene::HandLion) * (caught(side) - caught(!side))
    }

    /// Mobility, check and try, weighted.
    #[inline]
    fn features(&self, position: &Position, side: Side) -> i32 {
        let readings = self.genome.readings;
        let (own, enemy) = (self.counts(position, side), self.counts(position, !side));
        self.genome.get(Gene::Mobility) * readings.mobility_for.difference(own[0], enemy[0])
            + self.genome.get(Gene::Check) * readings.check_for.difference(own[1], enemy[1])
            + self.genome.get(Gene::Try) * readings.try_for.difference(own[2], enemy[2])
    }

    /// How often mobility, check and try count for a side.
    #[inline]
    fn counts(&self, position: &Position, side: Side) -> [i32; 3] {
        let reach = position.reach(side);
        [
            self.mobility(position, side, &reach) as i32,
            self.gives_check(position, side, union(&reach)) as i32,
            self.can_try(position, side) as i32,
        ]
    }

    #[inline]
    fn mobility(&self, position: &Position, side: Side, reach: &[Bitboard; 8]) -> usize {
        let own = position.pieces(side);
        let hand = position.hand(side);
        let empty = !position.occupied();
        let count = |allowed: Bitboard| {
            let mut count = 0;
            for squares in reach {
                count += (*squares & allowed).len();
            }
            count
        };
        let by_kind = hand.kinds_held() * empty.len();
        let by_piece = hand.pieces_held() * empty.len();
        match self.genome.readings.mobility {
            MobilityReading::Empty => count(empty) + by_kind,
            MobilityReading::Moves => count(!own),
            MobilityReading::Attacks => count(Bitboard::FULL),
            MobilityReading::Squares => (union(reach) - own).len(),
            MobilityReading::Drops => count(!own) + by_kind,
            MobilityReading::Held => count(!own) + by_piece,
            MobilityReading::Free => count(empty),
            MobilityReading::Covered => union(reach).len(),
            MobilityReading::WithoutLion => {
                let lion = position.lion(side).map_or(Bitboard::EMPTY, |lion| Kind::Lion.targets(side, lion));
                count(!own) - (lion - own).len()
            }
            MobilityReading::AttacksDrops => count(Bitboard::FULL) + by_kind,
            MobilityReading::AttacksHeld => count(Bitboard::FULL) + by_piece,
            MobilityReading::SquaresDrops => {
                let drops = if hand.is_empty() { Bitboard::EMPTY } else { empty };
                ((union(reach) - own) | drops).len()
            }
        }
    }

    #[inline]
    fn gives_check(&self, position: &Position, side: Side, attacked: Bitboard) -> bool {
        let attacks = attacked.meets(position.kind(Kind::Lion) - position.pieces(side));
        match self.genome.readings.check {
            CheckReading::Attack => attacks,
            CheckReading::Given => attacks && position.turn() != side,
            CheckReading::Next => attacks && position.turn() == side,
        }
    }

    #[inline]
    fn can_try(&self, position: &Position, side: Side) -> bool {
        let Some(lion) = position.lion(side) else { return false };
        let far = Bitboard::far_rank(side);
        let goals = (Kind::Lion.targets(side, lion) & far) - position.pieces(side);
        let reach = !goals.is_empty();
        let safe = || !(goals - union(&position.reach(!side))).is_empty();
        let there = far.meets(lion.bit());
        match self.genome.readings.try_ {
            TryReading::Reach => reach,
            TryReading::Safe => safe(),
            TryReading::Next => reach && position.turn() == side,
            TryReading::Outside => reach && !there,
            TryReading::SafeNext => safe() && position.turn() == side,
            TryReading::Given => reach && position.turn() != side,
            TryReading::There => there,
            TryReading::ThereOrReach => there || reach,
        }
    }
}

/// What counting pieces alone makes easy: a move gains only by what it captures, promotes or drops.
impl DobutsuEvaluator {
    /// The most material that the side to move can gain with one move; less than 0 if every move loses some.
    fn best_gain(&self, position: &Position) -> i32 {
        let us = position.turn();
        let (steps, promotions) = position.steps(us);
        let enemies = position.pieces(!us);
        let empty = !position.occupied();
        let promotion = self.genome.board(Kind::Hen) - self.genome.board(Kind::Chick);
        let mut best = i32::MIN;
        let mut offer = |possible: bool, gain: i32| {
            if possible {
                best = best.max(gain);
            }
        };
        offer(steps.meets(empty), 0);
        offer(promotions.meets(empty), promotion);
        for kind in Kind::ALL {
            let victims = position.kind(kind) & enemies;
            offer(steps.meets(victims), self.captures[kind as usize]);
            offer(promotions.meets(victims), self.captures[kind as usize] + promotion);
        }
        let hand = position.hand(us);
        for piece in HandPiece::ALL {
            let possible = hand.holds(piece) && !empty.is_empty();
            offer(possible, self.genome.board(piece.kind()) - self.genome.hand(piece));
        }
        best
    }
}

#[inline]
fn union(reach: &[Bitboard; 8]) -> Bitboard {
    let mut all = Bitboard::EMPTY;
    for squares in reach {
        all |= *squares;
    }
    all
}

impl Evaluator<Position> for DobutsuEvaluator {
    #[inline]
    fn value(&self, position: &Position, side: Side) -> i32 {
        let material = self.material(position, side);
        if self.material_only {
            return material;
        }
        material + self.features(position, side)
    }

    fn partial_after(&self, position: &Position, before: i32, m: Move, side: Side) -> i32 {
        if !self.material_only {
            return self.value(&position.play(m), side);
        }
        let us = position.turn();
        let gain = match m {
            Move::Step { from, to } => {
                let target = to.bit();
                let captured: i32 =
                    (0..5).map(|k| self.captures[k] * position.kind(Kind::ALL[k]).meets(target) as i32).sum();
                let promotes =
                    position.kind(Kind::Chick).meets(from.bit()) & Bitboard::far_rank(us).meets(target);
                captured + promotes as i32 * (self.genome.board(Kind::Hen) - self.genome.board(Kind::Chick))
            }
            Move::Drop { piece, .. } => self.genome.board(piece.kind()) - self.genome.hand(piece),
        };
        if us == side { before + gain } else { before - gain }
    }

    fn best_reply(&self, position: &Position, before: i32, side: Side, _: (i32, i32)) -> Option<i32> {
        if !self.material_only {
            return None;
        }
        let gain = self.best_gain(position);
        Some(if position.turn() == side { before + gain } else { before - gain })
    }

    fn least_gain(&self) -> Option<i32> {
        self.material_only.then_some(self.least_gain)
    }
}
