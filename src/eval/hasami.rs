//! What a position of Hasami Shogi is worth: the report's four features, which look at the side to move alone, and two that
//! compare both sides.

use super::{Evaluator, GeneInfo, KnownGenome, POINT, Scale, Weighted};
use crate::games::hasami::{Move, PIECES_EACH, Position, Square};
use crate::games::{Game, Side};

/// The named weights of Hasami's evaluator.
pub type Genome = super::Genome<Position>;

/// How many features the report has.
const REPORT: usize = 4;
const FEATURES: usize = 6;

const fn gene(
    section: &'static str,
    key: &'static str,
    english: &'static str,
    japanese: &'static str,
    first: u16,
) -> GeneInfo {
    GeneInfo { section, key, english, japanese, first }
}

const fn known(name: &'static str, help: &'static str, text: &'static str) -> KnownGenome {
    KnownGenome { name, group: "known", help, text }
}

impl Weighted for Position {
    const GENES: &'static [GeneInfo] = &[
        gene("report", "piece", "pieces more than the other", "駒の差", 10),
        gene("report", "centre", "pieces near the middle", "中央", 1),
        gene("report", "freedom", "pieces that can move", "うごける駒", 1),
        gene("report", "mobility", "moves", "手の数", 1),
        gene("strong", "lead-centre", "nearer the middle than the other", "中央の差", 1),
        gene("strong", "lead-mobility", "moves more than the other", "手の数の差", 1),
    ];
    const FULL_WIDTH: bool = false;
    const MATERIAL: usize = REPORT;
    const GENOMES: &'static [KnownGenome] = &[
        known(
            "report",
            "the report's evaluation: pieces, middle, freedom and moves of the side to move",
            include_str!("../../experiments/hasami/genomes/report.toml"),
        ),
        known(
            "pieces",
            "nothing but the number of pieces",
            include_str!("../../experiments/hasami/genomes/pieces.toml"),
        ),
        known(
            "balance",
            "pieces, middle and moves of both sides: the weights of strong",
            include_str!("../../experiments/hasami/genomes/balance.toml"),
        ),
    ];
    const STRONG: &'static str = "balance";
    const LEAD: f64 = 10.0;
    const DEPTH: u32 = 2;
    const DEEPEST_PATIENT: u32 = 4;
    const TUNER_OPENING: usize = 6;
    const ROBUST_GAMES: [usize; 2] = [10, 10];
    const SCALE: Scale = Scale { least: -100, most: 100, mutation: (0, 20), nudge: 100, settled: 1.0 };

    type Values = [i32; FEATURES];
    type Readings = ();
    type Evaluator = HasamiEvaluator;

    const ZERO: [i32; FEATURES] = [0; FEATURES];

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

    fn quick(&self, position: &Position, side: Side) -> i32 {
        seen(position, side, self.pieces(position))
    }

    fn quick_after(&self, position: &Position, _: i32, m: Move, side: Side) -> i32 {
        self.quick(&Game::play(position, m), side)
    }

    fn whole(&self, position: &Position, quick: i32, side: Side) -> i32 {
        quick + seen(position, side, self.places(position))
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
