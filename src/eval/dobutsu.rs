//! The evaluators of Dobutsu Shogi, all made from one genome: pieces, mobility, check, try.

use std::str::FromStr;

use super::{Evaluator, Gene, Genome};
use crate::games::Side;
use crate::games::dobutsu::{Bitboard, HandPiece, Kind, Move, Position};

/// Declares an enumeration whose variants have names that a user can type.
macro_rules! readings {
    ($(#[$doc:meta])* $name:ident, $what:literal, { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $name {
            /// Every reading.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The name that a user types.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }

        impl FromStr for $name {
            type Err = UnknownReading;
            fn from_str(text: &str) -> Result<Self, UnknownReading> {
                let found = Self::ALL.iter().find(|reading| reading.name() == text);
                found.copied().ok_or_else(|| UnknownReading {
                    what: $what,
                    text: text.to_string(),
                    choices: Self::ALL.iter().map(|reading| reading.name()).collect::<Vec<_>>().join(", "),
                })
            }
        }
    };
}

/// A reading that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} reading '{text}': choose one of {choices}")]
pub struct UnknownReading {
    what: &'static str,
    text: String,
    choices: String,
}

readings! {
    /// What "squares own pieces can move to" counts.
    MobilityReading, "mobility", {
        /// Empty squares that each piece, on the board or a kind in hand, can go to. Closest to the paper's tables.
        Empty = "empty",
        /// Legal steps: squares not held by own pieces, counted for each piece on the board.
        Moves = "moves",
        /// Every attacked square, own pieces' squares too, counted for each piece on the board.
        Attacks = "attacks",
        /// Squares that some piece on the board can move to, each counted once.
        Squares = "squares",
        /// Legal moves: steps, and drops of each kind in hand.
        Drops = "drops",
        /// Steps, and drops of each piece in hand, so that two of a kind count twice.
        Held = "held",
        /// As `empty`, without the drops.
        Free = "free",
        /// Attacked squares, each counted once.
        Covered = "covered",
        /// As `moves`, without the lion's.
        WithoutLion = "without-lion",
        /// As `attacks`, and drops of each kind in hand.
        AttacksDrops = "attacks-drops",
        /// As `attacks`, and drops of each piece in hand.
        AttacksHeld = "attacks-held",
        /// As `squares`, and the empty squares if there is anything in hand.
        SquaresDrops = "squares-drops",
    }
}

readings! {
    /// What giving check and being in check mean at a leaf.
    CheckReading, "check", {
        /// An attack by the side to move, which can catch the lion next. Closest to the paper's tables.
        Next = "next",
        /// Any attack on a lion, whoever is to move.
        Attack = "attack",
        /// The attack that the last move leaves standing: a check in the usual sense.
        Given = "given",
    }
}

readings! {
    /// What a try that is possible next move means at a leaf.
    TryReading, "try", {
        /// The lion has a square on the far rank to step onto, whoever is to move. Closest to the paper's tables.
        Reach = "reach",
        /// As `reach`, and the square is not attacked.
        Safe = "safe",
        /// As `reach`, but only for the side to move.
        Next = "next",
        /// As `reach`, but not for a lion that is already there.
        Outside = "outside",
        /// As `safe`, but only for the side to move.
        SafeNext = "safe-next",
        /// As `reach`, but only for the side that has just moved.
        Given = "given",
        /// The lion is there.
        There = "there",
        /// The lion is there, or as `reach`.
        ThereOrReach = "there-or-reach",
    }
}

readings! {
    /// For whom a feature counts.
    CountedFor, "side", {
        /// For the own side, and against it for the other, as the paper says.
        Both = "both",
        /// Only what the own side has.
        Own = "own",
        /// Only what the other side has.
        Enemy = "enemy",
    }
}

impl CountedFor {
    fn difference(self, own: i32, enemy: i32) -> i32 {
        match self {
            CountedFor::Both => own - enemy,
            CountedFor::Own => own,
            CountedFor::Enemy => -enemy,
        }
    }
}

/// How the paper's words for the features are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Readings {
    /// What mobility counts.
    pub mobility: MobilityReading,
    /// For whom mobility counts.
    pub mobility_for: CountedFor,
    /// What a check is.
    pub check: CheckReading,
    /// For whom a check counts.
    pub check_for: CountedFor,
    /// What a possible try is.
    pub try_: TryReading,
    /// For whom a possible try counts.
    pub try_for: CountedFor,
}

impl Default for Readings {
    fn default() -> Readings {
        Readings::DEFAULT
    }
}

impl Readings {
    /// The readings that come closest to the paper's tables, for both sides as its text says.
    pub const DEFAULT: Readings = Readings {
        mobility: MobilityReading::Empty,
        mobility_for: CountedFor::Both,
        check: CheckReading::Next,
        check_for: CountedFor::Both,
        try_: TryReading::Reach,
        try_for: CountedFor::Both,
    };

    /// The names of all readings, in the order in which [`named`](Readings::named) lists them.
    pub const NAMES: [&'static str; 6] = ["mobility", "mobility-for", "check", "check-for", "try", "try-for"];

    /// Sets the reading of this name; whether there is one of this name.
    pub fn set(&mut self, name: &str, text: &str) -> Result<bool, UnknownReading> {
        match name {
            "mobility" => self.mobility = text.parse()?,
            "mobility-for" => self.mobility_for = text.parse()?,
            "check" => self.check = text.parse()?,
            "check-for" => self.check_for = text.parse()?,
            "try" => self.try_ = text.parse()?,
            "try-for" => self.try_for = text.parse()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Every reading with its name.
    pub fn named(&self) -> [(&'static str, &'static str); 6] {
        let [mobility, mobility_for, check, check_for, try_, try_for] = Self::NAMES;
        [
            (mobility, self.mobility.name()),
            (mobility_for, self.mobility_for.name()),
            (check, self.check.name()),
            (check_for, self.check_for.name()),
            (try_, self.try_.name()),
            (try_for, self.try_for.name()),
        ]
    }
}

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

    /// Everything that decides a value, in one line.
    pub fn describe(&self) -> String {
        let readings = self.genome.readings.named().map(|(name, reading)| format!("{name}={reading}"));
        format!("{:?} {}", self.genome, readings.join(" "))
    }

    /// Pieces on the board and in hand, a caught lion included.
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
    fn features(&self, position: &Position, side: Side) -> i32 {
        let readings = self.genome.readings;
        let [own, enemy] = [side, !side].map(|side| {
            let reach = position.reach(side);
            [
                self.mobility(position, side, &reach) as i32,
                self.gives_check(position, side, union(&reach)) as i32,
                self.can_try(position, side) as i32,
            ]
        });
        self.genome.get(Gene::Mobility) * readings.mobility_for.difference(own[0], enemy[0])
            + self.genome.get(Gene::Check) * readings.check_for.difference(own[1], enemy[1])
            + self.genome.get(Gene::Try) * readings.try_for.difference(own[2], enemy[2])
    }

    fn mobility(&self, position: &Position, side: Side, reach: &[Bitboard; 8]) -> usize {
        let own = position.pieces(side);
        let hand = position.hand(side);
        let empty = !position.occupied();
        let count = |allowed: Bitboard| reach.iter().map(|squares| (*squares & allowed).len()).sum::<usize>();
        let by_kind = hand.pieces().count() * empty.len();
        let held: usize = HandPiece::ALL.into_iter().map(|piece| hand.count(piece)).sum();
        let by_piece = held * empty.len();
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

    fn gives_check(&self, position: &Position, side: Side, attacked: Bitboard) -> bool {
        let attacks = attacked.meets(position.kind(Kind::Lion) - position.pieces(side));
        match self.genome.readings.check {
            CheckReading::Attack => attacks,
            CheckReading::Given => attacks && position.turn() != side,
            CheckReading::Next => attacks && position.turn() == side,
        }
    }

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

fn union(reach: &[Bitboard; 8]) -> Bitboard {
    reach.iter().fold(Bitboard::EMPTY, |all, squares| all | *squares)
}

impl Evaluator<Position> for DobutsuEvaluator {
    fn value(&self, position: &Position, side: Side) -> i32 {
        let material = self.material(position, side);
        if self.material_only {
            return material;
        }
        material + self.features(position, side)
    }

    fn value_after(&self, position: &Position, before: i32, m: Move, side: Side) -> i32 {
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

    fn best_after(&self, position: &Position, before: i32, side: Side) -> Option<i32> {
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
