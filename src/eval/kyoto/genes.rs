//! The weights of Kyoto Shogi's evaluator by name, and the value sets of the Kyoto Shogi report: S and B as its listing has
//! them, A and C reconstructed, since its Table 5 is unreadable in our copy.

use super::KyotoEvaluator;
use crate::eval::{GeneInfo, Genome, KnownGenome, Weighted};
use crate::games::kyoto::Position;

const fn board(key: &'static str, english: &'static str, japanese: &'static str, first: u16) -> GeneInfo {
    GeneInfo { section: "board", key, english, japanese, first }
}

const fn hand(key: &'static str, english: &'static str, japanese: &'static str, first: u16) -> GeneInfo {
    GeneInfo { section: "hand", key, english, japanese, first }
}

const fn set(name: &'static str, help: &'static str, text: &'static str) -> KnownGenome {
    KnownGenome { name, group: "paper", help, text }
}

impl Weighted for Position {
    const GENES: &'static [GeneInfo] = &[
        board("pawn", "pawn on board", "歩（盤上）", 300),
        board("rook", "rook on board", "飛（盤上）", 300),
        board("silver", "silver on board", "銀（盤上）", 300),
        board("bishop", "bishop on board", "角（盤上）", 300),
        board("gold", "gold on board", "金（盤上）", 300),
        board("knight", "knight on board", "桂（盤上）", 300),
        board("tokin", "tokin on board", "と（盤上）", 300),
        board("lance", "lance on board", "香（盤上）", 300),
        hand("pawn", "pawn/rook in hand", "歩・飛（持駒）", 300),
        hand("silver", "silver/bishop in hand", "銀・角（持駒）", 300),
        hand("gold", "gold/knight in hand", "金・桂（持駒）", 300),
        hand("tokin", "tokin/lance in hand", "と・香（持駒）", 300),
        GeneInfo {
            section: "features",
            key: "mobility",
            english: "mobility",
            japanese: "利きの数",
            first: 1,
        },
    ];
    const MATERIAL: usize = 12;
    const GENOMES: &'static [KnownGenome] = &[
        set(
            "S",
            "a value for each face, in hand that of the front face (known: the listing's second set)",
            include_str!("../../../experiments/kyoto/genomes/S.toml"),
        ),
        set(
            "A",
            "one value a piece, both faces and in hand (reconstruction: the mean of the faces in S)",
            include_str!("../../../experiments/kyoto/genomes/A.toml"),
        ),
        set(
            "B",
            "as S on the board, other values in hand (known: the listing's first set)",
            include_str!("../../../experiments/kyoto/genomes/B.toml"),
        ),
        set(
            "C",
            "as S on the board, in hand that of the better face (reconstruction)",
            include_str!("../../../experiments/kyoto/genomes/C.toml"),
        ),
    ];
    /// Up to 0.1 the two were swapped by a misreading of the report.
    const RENAMED: &'static [(&'static str, &'static str)] = &[("A", "S"), ("S", "A")];
    const STRONG: &'static str = "B";
    const LEAD: f64 = 140.0;
    const DEPTH: u32 = 3;
    const DEEPEST_PATIENT: u32 = 5;
    const TUNER_OPENING: usize = 4;
    const ROBUST_GAMES: [usize; 2] = [20, 20];

    type Values = [i32; 13];
    type Readings = ();
    type Evaluator = KyotoEvaluator;

    const ZERO: [i32; 13] = [0; 13];

    fn evaluator(genome: &Genome<Position>) -> KyotoEvaluator {
        KyotoEvaluator::new(*genome.array())
    }
}
