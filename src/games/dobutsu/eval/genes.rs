//! The weights of Dobutsu Shogi's evaluator by name, the genomes that come with the program, and how features are read.

use super::DobutsuEvaluator;
use crate::game::{GeneInfo, KnownGenome, POINT, ReadingSet, UnknownVariant, Weighted, Weights};
use crate::games::dobutsu::{HandPiece, Kind, Position};
use crate::variants;

/// A genome of Dobutsu Shogi.
pub type Genome = crate::game::Genome<Position>;

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
        std::fmt::Display::fmt(&Position::WEIGHTS.genes[*self as usize], f)
    }
}

impl Weighted for Position {
    const WEIGHTS: Weights = Weights {
        genes: &[
            GeneInfo::new("board", "chick", "chick on board", "ひよこ（盤上）", 4),
            GeneInfo::new("board", "giraffe", "giraffe on board", "きりん（盤上）", 5),
            GeneInfo::new("board", "elephant", "elephant on board", "ぞう（盤上）", 5),
            GeneInfo::new("board", "lion", "lion on board", "らいおん（盤上）", 50),
            GeneInfo::new("board", "hen", "hen on board", "にわとり（盤上）", 8),
            GeneInfo::new("hand", "chick", "chick in hand", "ひよこ（持駒）", 1),
            GeneInfo::new("hand", "giraffe", "giraffe in hand", "きりん（持駒）", 3),
            GeneInfo::new("hand", "elephant", "elephant in hand", "ぞう（持駒）", 3),
            GeneInfo::new("hand", "lion", "lion in hand", "らいおん（持駒）", 100),
            GeneInfo::new("features", "mobility", "mobility", "利きの数", 1),
            GeneInfo::new("features", "check", "check", "王手", 500),
            GeneInfo::new("features", "try", "try", "トライ", 500),
        ],
        not_a_gene: "The hen in hand is no gene: its value is fixed at 0, because a captured hen turns into a chick.",
        other_reading: "These settings look two plies ahead, as section 6.1 of the Dobutsu thesis says; section 6.2 says three, and \
         `dobutsu-ga reproduce table5-3ply` (`table7-3ply`, `table8-3ply`) shows what comes out then.",
        material: 9,
        genomes: &[
            KnownGenome::new(
                "material",
                "material",
                "evaluator 1 of the Dobutsu thesis: pieces",
                include_str!("../../../../assets/genomes/dobutsu/material.toml"),
            ),
            KnownGenome::new(
                "mobility",
                "mobility",
                "evaluator 2 of the Dobutsu thesis: pieces and mobility",
                include_str!("../../../../assets/genomes/dobutsu/mobility.toml"),
            ),
            KnownGenome::new(
                "full",
                "full",
                "evaluator 3 of the Dobutsu thesis: pieces, mobility, check and try",
                include_str!("../../../../assets/genomes/dobutsu/full.toml"),
            ),
            KnownGenome::new(
                "table5",
                "paper",
                "what the Dobutsu thesis evolved for both sides",
                include_str!("../../../../assets/genomes/dobutsu/table5.toml"),
            ),
            KnownGenome::new(
                "table7",
                "paper",
                "what the Dobutsu thesis evolved for the first player",
                include_str!("../../../../assets/genomes/dobutsu/table7.toml"),
            ),
            KnownGenome::new(
                "table8",
                "paper",
                "what the Dobutsu thesis evolved for the second player",
                include_str!("../../../../assets/genomes/dobutsu/table8.toml"),
            ),
            KnownGenome::new(
                "robust",
                "known",
                "champion of our robust runs, piece values only",
                include_str!("../../../../assets/genomes/dobutsu/robust.toml"),
            ),
            KnownGenome::new(
                "robust-full",
                "known",
                "champion of our robust runs, all weights",
                include_str!("../../../../assets/genomes/dobutsu/robust-full.toml"),
            ),
            KnownGenome::new(
                "oracle",
                "known",
                "evolved against the solved game",
                include_str!("../../../../assets/genomes/dobutsu/oracle.toml"),
            ),
            KnownGenome::new(
                "fitted",
                "known",
                "weights fitted to the solved game",
                include_str!("../../../../assets/genomes/dobutsu/fitted.toml"),
            ),
            KnownGenome::new(
                "quiet",
                "known",
                "piece values fitted to the solved game where captures are over: those of strong",
                include_str!("../../../../assets/genomes/dobutsu/quiet.toml"),
            ),
        ],
        strong: "quiet",
        lead: 60.0,
        depth: 2,
        max_interactive_depth: 8,
        tuner_opening: 0,
        // Games with features take longer, and differ more: fewer will do.
        robust_games: [200, 20],
        ..Weights::DEFAULT
    };

    type Values = [i32; 12];
    type Readings = Readings;
    type Evaluator = DobutsuEvaluator;

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
    pub fn with(self, gene: Gene, thousandths: i32) -> Result<Genome, crate::game::GenomeError> {
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
        /// Any attack on a lion, whichever side is to move.
        Attack = "attack", "";
        /// The attack that the last move leaves standing: a check in the usual sense.
        Given = "given", "";
    }
}

variants! {
    /// What a try that is possible next move means at a leaf.
    pub enum TryReading, "try reading" {
        /// The lion has a square on the far rank to step onto, whichever side is to move. Closest to the paper's tables.
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
    pub(super) fn difference(self, own: i32, enemy: i32) -> i32 {
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
