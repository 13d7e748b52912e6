//! The evaluators of Dobutsu Shogi, all made from one genome: pieces, mobility, check, try.

use super::{Evaluator, GeneInfo, KnownGenome, POINT, ReadingSet, Weighted};
use crate::games::dobutsu::{Bitboard, HandPiece, Kind, Move, Position};
use crate::games::{Side, UnknownVariant};
use crate::variants;

/// A genome of Dobutsu Shogi.
pub type Genome = super::Genome<Position>;

/// One weight, by its number in a genome. The nine piece values come first, in the order of the paper's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)] // The names say it all.
pub enum Gene {
    BoardChick,
    BoardGiraffe,
    BoardElephant,
    BoardLion,
    BoardHen,
    HandChick,
    HandGiraffe,
    HandElephant,
    HandLion,
    Mobility,
    Check,
    Try,
}

impl Gene {
    /// Every gene.
    pub const ALL: [Gene; 12] = [
        Gene::BoardChick,
        Gene::BoardGiraffe,
        Gene::BoardElephant,
        Gene::BoardLion,
        Gene::BoardHen,
        Gene::HandChick,
        Gene::HandGiraffe,
        Gene::HandElephant,
        Gene::HandLion,
        Gene::Mobility,
        Gene::Check,
        Gene::Try,
    ];

    /// The nine piece values, which are all that the paper evolves.
    pub const MATERIAL: &'static [Gene] = Self::ALL.split_at(9).0;
}

impl std::fmt::Display for Gene {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&Position::GENES[*self as usize], f)
    }
}

const fn gene(
    section: &'static str,
    key: &'static str,
    english: &'static str,
    japanese: &'static str,
    first: u16,
) -> GeneInfo {
    GeneInfo { section, key, english, japanese, first }
}

const fn known(
    name: &'static str,
    group: &'static str,
    help: &'static str,
    text: &'static str,
) -> KnownGenome {
    KnownGenome { name, group, help, text }
}

impl Weighted for Position {
    const GENES: &'static [GeneInfo] = &[
        gene("board", "chick", "chick on board", "ひよこ（盤上）", 4),
        gene("board", "giraffe", "giraffe on board", "きりん（盤上）", 5),
        gene("board", "elephant", "elephant on board", "ぞう（盤上）", 5),
        gene("board", "lion", "lion on board", "らいおん（盤上）", 50),
        gene("board", "hen", "hen on board", "にわとり（盤上）", 8),
        gene("hand", "chick", "chick in hand", "ひよこ（持駒）", 1),
        gene("hand", "giraffe", "giraffe in hand", "きりん（持駒）", 3),
        gene("hand", "elephant", "elephant in hand", "ぞう（持駒）", 3),
        gene("hand", "lion", "lion in hand", "らいおん（持駒）", 100),
        gene("features", "mobility", "mobility", "利きの数", 1),
        gene("features", "check", "check", "王手", 500),
        gene("features", "try", "try", "トライ", 500),
    ];
    const NOT_A_GENE: &'static str =
        "The hen in hand is no gene: its value is fixed at 0, because a captured hen turns into a chick.";
    const OTHER_READING: &'static str = "These settings look two plies ahead, as section 6.1 of the Dobutsu thesis says; section 6.2 says three, and \
         `dobutsu-ga reproduce table5-3ply` (`table7-3ply`, `table8-3ply`) shows what comes out then.";
    const MATERIAL: usize = 9;
    const GENOMES: &'static [KnownGenome] = &[
        known(
            "material",
            "material",
            "evaluator 1 of the Dobutsu thesis: pieces",
            include_str!("../../experiments/genomes/material.toml"),
        ),
        known(
            "mobility",
            "mobility",
            "evaluator 2 of the Dobutsu thesis: pieces and mobility",
            include_str!("../../experiments/genomes/mobility.toml"),
        ),
        known(
            "full",
            "full",
            "evaluator 3 of the Dobutsu thesis: pieces, mobility, check and try",
            include_str!("../../experiments/genomes/full.toml"),
        ),
        known(
            "table5",
            "paper",
            "what the Dobutsu thesis evolved for both sides",
            include_str!("../../experiments/genomes/table5.toml"),
        ),
        known(
            "table7",
            "paper",
            "what the Dobutsu thesis evolved for the first player",
            include_str!("../../experiments/genomes/table7.toml"),
        ),
        known(
            "table8",
            "paper",
            "what the Dobutsu thesis evolved for the second player",
            include_str!("../../experiments/genomes/table8.toml"),
        ),
        known(
            "robust",
            "known",
            "champion of our robust runs, piece values only",
            include_str!("../../experiments/genomes/robust.toml"),
        ),
        known(
            "robust-full",
            "known",
            "champion of our robust runs, all weights",
            include_str!("../../experiments/genomes/robust-full.toml"),
        ),
        known(
            "oracle",
            "known",
            "evolved against the solved game",
            include_str!("../../experiments/genomes/oracle.toml"),
        ),
        known(
            "fitted",
            "known",
            "weights fitted to the solved game",
            include_str!("../../experiments/genomes/fitted.toml"),
        ),
        known(
            "quiet",
            "known",
            "piece values fitted to the solved game where captures are over: those of strong",
            include_str!("../../experiments/genomes/quiet.toml"),
        ),
    ];
    const STRONG: &'static str = "quiet";
    const LEAD: f64 = 60.0;
    const DEPTH: u32 = 2;
    const DEEPEST_PATIENT: u32 = 8;
    const TUNER_OPENING: usize = 0;
    // Games with features take longer, and differ more: fewer will do.
    const ROBUST_GAMES: [usize; 2] = [200, 20];

    type Values = [i32; 12];
    type Readings = Readings;
    type Evaluator = DobutsuEvaluator;

    const ZERO: [i32; 12] = [0; 12];

    fn evaluator(genome: &Genome) -> DobutsuEvaluator {
        DobutsuEvaluator::new(*genome)
    }
}

impl Genome {
    /// Nothing is worth anything.
    pub const ZERO: Genome = whole([0; 12]);

    /// The paper's untrained values: pieces only (its Table 4).
    pub const BASE: Genome = whole([4, 5, 5, 50, 8, 1, 3, 3, 100, 0, 0, 0]);

    /// The untrained values with 1 for each square of mobility (evaluator 2).
    pub const MOBILITY: Genome = whole([4, 5, 5, 50, 8, 1, 3, 3, 100, 1, 0, 0]);

    /// The untrained values with mobility, 500 for check and 500 for a try (evaluator 3).
    pub const FULL: Genome = whole([4, 5, 5, 50, 8, 1, 3, 3, 100, 1, 500, 500]);

    /// The value of a gene in thousandths.
    pub const fn get(&self, gene: Gene) -> i32 {
        self.array()[gene as usize]
    }

    /// The genome with one gene changed, in thousandths.
    pub fn with(self, gene: Gene, thousandths: i32) -> Result<Genome, super::GenomeError> {
        self.with_value(gene as usize, thousandths)
    }

    /// The value of a piece on the board.
    pub const fn board(&self, kind: Kind) -> i32 {
        self.array()[Gene::BoardChick as usize + kind as usize]
    }

    /// The value of a piece in hand.
    pub const fn hand(&self, piece: HandPiece) -> i32 {
        self.array()[Gene::HandChick as usize + piece as usize]
    }
}

/// A genome of whole points.
const fn whole(points: [u16; 12]) -> Genome {
    let mut values = [0; 12];
    let mut i = 0;
    while i < 12 {
        assert!(points[i] <= 10_000);
        values[i] = points[i] as i32 * POINT;
        i += 1;
    }
    Genome::of(values, Readings::DEFAULT)
}

variants! {
    /// What "squares own pieces can move to" counts.
    pub enum MobilityReading, "mobility reading" {
        /// Empty squares that each piece, on the board or a kind in hand, can go to. Closest to the paper's tables.
        Empty = "empty", "";
        /// Legal steps: squares not held by own pieces, counted for each piece on the board.
        Moves = "moves", "";
        /// Every attacked square, own pieces' squares too, counted for each piece on the board.
        Attacks = "attacks", "";
        /// Squares that some piece on the board can move to, each counted once.
        Squares = "squares", "";
        /// Legal moves: steps, and drops of each kind in hand.
        Drops = "drops", "";
        /// Steps, and drops of each piece in hand, so that two of a kind count twice.
        Held = "held", "";
        /// As `empty`, without the drops.
        Free = "free", "";
        /// Attacked squares, each counted once.
        Covered = "covered", "";
        /// As `moves`, without the lion's.
        WithoutLion = "without-lion", "";
        /// As `attacks`, and drops of each kind in hand.
        AttacksDrops = "attacks-drops", "";
        /// As `attacks`, and drops of each piece in hand.
        AttacksHeld = "attacks-held", "";
        /// As `squares`, and the empty squares if there is anything in hand.
        SquaresDrops = "squares-drops", "";
    }
}

variants! {
    /// What giving check and being in check mean at a leaf.
    pub enum CheckReading, "check reading" {
        /// An attack by the side to move, which can catch the lion next. Closest to the paper's tables.
        Next = "next", "";
        /// Any attack on a lion, whoever is to move.
        Attack = "attack", "";
        /// The attack that the last move leaves standing: a check in the usual sense.
        Given = "given", "";
    }
}

variants! {
    /// What a try that is possible next move means at a leaf.
    pub enum TryReading, "try reading" {
        /// The lion has a square on the far rank to step onto, whoever is to move. Closest to the paper's tables.
        Reach = "reach", "";
        /// As `reach`, and the square is not attacked.
        Safe = "safe", "";
        /// As `reach`, but only for the side to move.
        Next = "next", "";
        /// As `reach`, but not for a lion that is already there.
        Outside = "outside", "";
        /// As `safe`, but only for the side to move.
        SafeNext = "safe-next", "";
        /// As `reach`, but only for the side that has just moved.
        Given = "given", "";
        /// The lion is there.
        There = "there", "";
        /// The lion is there, or as `reach`.
        ThereOrReach = "there-or-reach", "";
    }
}

variants! {
    /// For whom a feature counts.
    pub enum CountedFor, "side reading" {
        /// For the own side, and against it for the other, as the paper says.
        Both = "both", "";
        /// Only what the own side has.
        Own = "own", "";
        /// Only what the other side has.
        Enemy = "enemy", "";
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
}

impl ReadingSet for Readings {
    const NAMES: &'static [(&'static str, &'static [&'static str])] = &[
        ("mobility", &MobilityReading::NAMES),
        ("mobility-for", &CountedFor::NAMES),
        ("check", &CheckReading::NAMES),
        ("check-for", &CountedFor::NAMES),
        ("try", &TryReading::NAMES),
        ("try-for", &CountedFor::NAMES),
    ];

    fn set(&mut self, name: &str, text: &str) -> Result<bool, UnknownVariant> {
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

    fn named(&self) -> Vec<(&'static str, &'static str)> {
        let chosen = [
            self.mobility.name(),
            self.mobility_for.name(),
            self.check.name(),
            self.check_for.name(),
            self.try_.name(),
            self.try_for.name(),
        ];
        Self::NAMES.iter().map(|(name, _)| *name).zip(chosen).collect()
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

    /// The weights.
    pub fn genome(&self) -> &Genome {
        &self.genome
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

    fn best_between(&self, position: &Position, quick: i32, _: i32, _: i32) -> Option<i32> {
        self.best_after(position, quick, position.turn())
    }

    fn least_gain(&self) -> Option<i32> {
        self.material_only.then_some(self.least_gain)
    }
}
