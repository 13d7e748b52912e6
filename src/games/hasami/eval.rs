//! What a position of Hasami Shogi is worth: the report's four features, which look at the side to move alone, and two that
//! compare both sides.

use crate::game::{Evaluator, Game, GeneInfo, KnownGenome, POINT, Scale, Side, Weighted, Weights};
use crate::games::hasami::{Move, PIECES_EACH, Position, Square};

/// The named weights of Hasami's evaluator.
pub type Genome = crate::game::Genome<Position>;

/// How many features the report has.
const REPORT: usize = 4;
const FEATURES: usize = 6;

impl Weighted for Position {
    const WEIGHTS: Weights = Weights {
        genes: &[
            GeneInfo::new("report", "piece", "pieces more than the other", "駒の差", 10),
            GeneInfo::new("report", "centre", "pieces near the middle", "中央", 1),
            GeneInfo::new("report", "freedom", "pieces that can move", "うごける駒", 1),
            GeneInfo::new("report", "mobility", "moves", "手の数", 1),
            GeneInfo::new("strong", "lead-centre", "nearer the middle than the other", "中央の差", 1),
            GeneInfo::new("strong", "lead-mobility", "moves more than the other", "手の数の差", 1),
        ],
        full_width: false,
        material: REPORT,
        genomes: &[
            KnownGenome::new(
                "report",
                "known",
                "the report's evaluation: pieces, middle, freedom and moves of the side to move",
                include_str!("../../../assets/genomes/hasami/report.toml"),
            ),
            KnownGenome::new(
                "pieces",
                "known",
                "nothing but the number of pieces",
                include_str!("../../../assets/genomes/hasami/pieces.toml"),
            ),
            KnownGenome::new(
                "balance",
                "known",
                "pieces, middle and moves of both sides: the weights of strong",
                include_str!("../../../assets/genomes/hasami/balance.toml"),
            ),
        ],
        strong: "balance",
        lead: 10.0,
        depth: 2,
        max_interactive_depth: 4,
        tuner_opening: 6,
        robust_games: [10, 10],
        scale: Scale { least: -100, most: 100, mutation: (0, 20), nudge: 100, settled: 1.0 },
        ..Weights::DEFAULT
    };

    type Values = [i32; FEATURES];
    type Readings = ();
    type Evaluator = HasamiEvaluator;

    fn evaluator(genome: &Genome) -> HasamiEvaluator {
        HasamiEvaluator(*genome.array())
    }
}

/// Nine pieces with two points for the middle, two for freedom and sixteen squares to go to: no sum leaves an `i32`.
const _: () = assert!(PIECES_EACH as i32 * (1 + 2 + 2 + 16 + 2 + 16) * 100 * POINT < i32::MAX);

/// Values positions by the weights of a [`Genome`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HasamiEvaluator([i32; FEATURES]);

impl HasamiEvaluator {
    /// What pieces are worth, which is quick to tell: for the side to move.
    fn pieces(&self, position: &Position) -> i32 {
        let us = position.turn();
        self.0[0] * (i32::from(position.left(us)) - i32::from(position.left(!us)))
    }

    /// Everything else, for the side to move.
    fn places(&self, position: &Position) -> i32 {
        let [_, centre, freedom, mobility, lead_centre, lead_mobility] = self.0;
        let own = Places::of(position, position.turn());
        let mut sum = (centre + lead_centre) * own.centre
            + freedom * own.freedom
            + (mobility + lead_mobility) * own.mobility;
        if (lead_centre, lead_mobility) != (0, 0) {
            let other = Places::of(position, !position.turn());
            sum -= lead_centre * other.centre + lead_mobility * other.mobility;
        }
        sum
    }
}

fn seen(position: &Position, side: Side, value: i32) -> i32 {
    if position.turn() == side { value } else { -value }
}

impl Evaluator<Position> for HasamiEvaluator {
    fn value(&self, position: &Position, side: Side) -> i32 {
        seen(position, side, self.pieces(position) + self.places(position))
    }

    fn partial(&self, position: &Position, side: Side) -> i32 {
        seen(position, side, self.pieces(position))
    }

    fn partial_after(&self, position: &Position, _: i32, m: Move, side: Side) -> i32 {
        self.partial(&Game::play(position, m), side)
    }

    fn complete(&self, position: &Position, partial: i32, side: Side) -> i32 {
        partial + seen(position, side, self.places(position))
    }
}

/// What counts of where a side's pieces stand.
struct Places {
    /// Two for the middle of the board, one for the eight squares around it.
    centre: i32,
    /// The moves of each piece, but two at most.
    freedom: i32,
    /// All moves.
    mobility: i32,
}

impl Places {
    fn of(position: &Position, side: Side) -> Places {
        let mut places = Places { centre: 0, freedom: 0, mobility: 0 };
        for square in position.pieces(side) {
            let reach = position.reach(square) as i32;
            places.centre += nearness(square);
            places.freedom += reach.min(2);
            places.mobility += reach;
        }
        places
    }
}

fn nearness(square: Square) -> i32 {
    let distance = square.file().abs_diff(4).max(square.rank().abs_diff(4));
    2 - distance.min(2) as i32
}
