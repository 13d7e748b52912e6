//! The weights of Kyoto Shogi's evaluator by name, and the value sets of the Kyoto Shogi report: S and B as its listing has
//! them, A and C reconstructed, since its Table 5 is unreadable in our copy.

use super::KyotoEvaluator;
use crate::game::{GeneInfo, Genome, KnownGenome, Weighted, Weights};
use crate::games::kyoto::Position;

impl Weighted for Position {
    const WEIGHTS: Weights = Weights {
        genes: &[
            GeneInfo::new("board", "pawn", "pawn on board", "歩（盤上）", 300),
            GeneInfo::new("board", "rook", "rook on board", "飛（盤上）", 300),
            GeneInfo::new("board", "silver", "silver on board", "銀（盤上）", 300),
            GeneInfo::new("board", "bishop", "bishop on board", "角（盤上）", 300),
            GeneInfo::new("board", "gold", "gold on board", "金（盤上）", 300),
            GeneInfo::new("board", "knight", "knight on board", "桂（盤上）", 300),
            GeneInfo::new("board", "tokin", "tokin on board", "と（盤上）", 300),
            GeneInfo::new("board", "lance", "lance on board", "香（盤上）", 300),
            GeneInfo::new("hand", "pawn", "pawn/rook in hand", "歩・飛（持駒）", 300),
            GeneInfo::new("hand", "silver", "silver/bishop in hand", "銀・角（持駒）", 300),
            GeneInfo::new("hand", "gold", "gold/knight in hand", "金・桂（持駒）", 300),
            GeneInfo::new("hand", "tokin", "tokin/lance in hand", "と・香（持駒）", 300),
            GeneInfo::new("features", "mobility", "mobility", "利きの数", 1),
        ],
        material: 12,
        genomes: &[
            KnownGenome::new(
                "S",
                "paper",
                "a value for each face, in hand that of the front face (known: the listing's second set)",
                include_str!("../../../../assets/genomes/kyoto/S.toml"),
            ),
            KnownGenome::new(
                "A",
                "paper",
                "one value a piece, both faces and in hand (reconstruction: the mean of the faces in S)",
                include_str!("../../../../assets/genomes/kyoto/A.toml"),
            ),
            KnownGenome::new(
                "B",
                "paper",
                "as S on the board, other values in hand (known: the listing's first set)",
                include_str!("../../../../assets/genomes/kyoto/B.toml"),
            ),
            KnownGenome::new(
                "C",
                "paper",
                "as S on the board, in hand that of the better face (reconstruction)",
                include_str!("../../../../assets/genomes/kyoto/C.toml"),
            ),
        ],
        // Up to 0.1 the two were swapped by a misreading of the report.
        renamed: &[("A", "S"), ("S", "A")],
        strong: "B",
        lead: 140.0,
        depth: 3,
        max_interactive_depth: 5,
        tuner_opening: 4,
        robust_games: [20, 20],
        ..Weights::DEFAULT
    };

    type Values = [i32; 13];
    type Readings = ();
    type Evaluator = KyotoEvaluator;

    fn evaluator(genome: &Genome<Position>) -> KyotoEvaluator {
        KyotoEvaluator::new(*genome.array())
    }
}
