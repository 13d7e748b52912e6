//! What a position of Quoridor is worth: the report's five features, and what a stronger player looks at besides.
//!
//! Weights say how bad a feature is, as in the report: own steps to go are bad, the other's are good. Values, as everywhere
//! here, are the better the higher: the sum with its sign turned.

use crate::game::{
    Evaluator, GeneInfo, KnownGenome, POINT, ReadingSet, Scale, Side, UnknownVariant, Weighted, Weights,
};
use crate::games::quoridor::{Bitboard, Position, Walls};
use crate::variants;

/// The named weights of Quoridor's evaluator.
pub type Genome = crate::game::Genome<Position>;

/// How many features the report has.
pub const REPORT: usize = 5;
const FEATURES: usize = 8;

impl Weighted for Position {
    const WEIGHTS: Weights = Weights {
        genes: &[
            GeneInfo::new("report", "own-way", "own shortest way", "自分の距離", 1),
            GeneInfo::new("report", "other-way", "other's shortest way", "相手の距離", 1),
            GeneInfo::new("report", "walls-6", "own walls if at least 6", "自分の壁（6個以上のとき）", 1),
            GeneInfo::new("report", "walls-4", "own walls if at least 4", "自分の壁（4個以上のとき）", 1),
            GeneInfo::new("report", "walls-2", "own walls if at least 2", "自分の壁（2個以上のとき）", 1),
            GeneInfo::new("strong", "walls", "walls more than the other", "壁の差", 1),
            GeneInfo::new("strong", "tempo", "own turn", "手番", 1),
            GeneInfo::new("strong", "race", "wins the race", "競走", 1),
        ],
        full_width: false,
        material: REPORT,
        genomes: &[
            KnownGenome::new(
                "plain",
                "known",
                "the difference of the ways, nothing else: 1, -1, 0, 0, 0",
                include_str!("../../../assets/genomes/quoridor/plain.toml"),
            ),
            KnownGenome::new(
                "report",
                "known",
                "the weights that the report learned",
                include_str!("../../../assets/genomes/quoridor/report.toml"),
            ),
            KnownGenome::new(
                "swift",
                "known",
                "ways, walls, tempo and who wins the race: the weights of strong",
                include_str!("../../../assets/genomes/quoridor/swift.toml"),
            ),
        ],
        strong: "swift",
        lead: 3.0,
        depth: 2,
        max_interactive_depth: 4,
        tuner_opening: 4,
        robust_games: [10, 10],
        scale: Scale { least: -100, most: 100, mutation: (-2, 2), nudge: 100, settled: 0.1 },
        ..Weights::DEFAULT
    };

    type Values = [i32; FEATURES];
    type Readings = Readings;
    type Evaluator = QuoridorEvaluator;

    fn evaluator(genome: &Genome) -> QuoridorEvaluator {
        QuoridorEvaluator { weights: *genome.array(), wall_features: genome.readings.wall_features }
    }
}

variants! {
    /// What the report's three wall features count.
    pub enum WallFeatures, "reading of the wall features" {
        /// "At least 6, 4, 2" as the report has it: with seven walls left all three features are 7.
        Overlapping = "overlapping", "each feature counts from its threshold on: with seven walls left all three are 7";
        /// Never more than one of the features: 6 to 10 walls, 4 or 5, 2 or 3.
        Bands = "bands", "only the highest threshold reached counts: 6 to 10 walls, 4 or 5, 2 or 3";
    }
}

impl WallFeatures {
    /// The three features of a side that has this many walls left.
    fn count(self, walls: i32) -> [i32; 3] {
        let at_least = |threshold: i32| if walls >= threshold { walls } else { 0 };
        match self {
            WallFeatures::Overlapping => [at_least(6), at_least(4), at_least(2)],
            WallFeatures::Bands => match walls {
                6.. => [walls, 0, 0],
                4.. => [0, walls, 0],
                _ => [0, 0, at_least(2)],
            },
        }
    }
}

/// How the report's words for the features are understood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Readings {
    /// What the wall features count.
    pub wall_features: WallFeatures,
}

impl ReadingSet for Readings {
    const NAMES: &'static [(&'static str, &'static [&'static str])] =
        &[("wall-features", &WallFeatures::NAMES)];

    fn set(&mut self, name: &str, text: &str) -> Result<bool, UnknownVariant> {
        match name {
            "wall-features" => self.wall_features = text.parse()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn named(&self) -> Vec<(&'static str, &'static str)> {
        vec![("wall-features", self.wall_features.name())]
    }
}

/// The longest ways there can be, ten walls in each of four features, turn and race: no sum of features leaves an `i32`.
const _: () = assert!((2 * 81 + 4 * 10 + 2) * 100 * POINT < i32::MAX);

/// Values positions by the weights of a [`Genome`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuoridorEvaluator {
    weights: [i32; FEATURES],
    wall_features: WallFeatures,
}

impl QuoridorEvaluator {
    /// The value for `side` of a position in which the ways are so long.
    #[inline]
    pub(crate) fn of_ways(&self, position: &Position, side: Side, own_way: u32, other_way: u32) -> i32 {
        let features = features_of_ways(position, side, own_way, other_way, self.wall_features);
        let mut sum = 0;
        // Half as fast with `zip`, which is not unrolled.
        #[allow(clippy::needless_range_loop)]
        for i in 0..FEATURES {
            sum += self.weights[i] * features[i];
        }
        -sum
    }
}

impl Evaluator<Position> for QuoridorEvaluator {
    fn value(&self, position: &Position, side: Side) -> i32 {
        let [own, other] = ways(position, side);
        self.of_ways(position, side, own, other)
    }

    /// Nearly all walls lie across nobody's way: they are worth the same, and most of the work is not done.
    fn best_reply(&self, position: &Position, _: i32, side: Side, _: (i32, i32)) -> Option<i32> {
        let us = position.turn();
        let places = match position.walls_left(us) {
            0 => Walls::default(),
            _ => position.walls().free(),
        };
        let mut best: Option<i32> = None;
        position.after_each(places, |m, own, other| {
            let (own, other) = if us == side { (own, other) } else { (other, own) };
            let value = self.of_ways(&position.play(m), side, own, other);
            best = Some(match best {
                Some(best) if us == side => best.max(value),
                Some(best) => best.min(value),
                None => value,
            });
        });
        best
    }
}

/// Every feature of a position as `side` sees it, in the order of the genes.
pub fn features(position: &Position, side: Side, wall_features: WallFeatures) -> [i32; FEATURES] {
    let [own, other] = ways(position, side);
    features_of_ways(position, side, own, other, wall_features)
}

#[inline]
fn ways(position: &Position, side: Side) -> [u32; 2] {
    [way(position, side), way(position, !side)]
}

#[inline]
fn way(position: &Position, side: Side) -> u32 {
    let way = position.passages().distance(position.pawn(side), Bitboard::goal(side));
    way.expect("walls leave both sides a way")
}

#[inline]
fn features_of_ways(
    position: &Position,
    side: Side,
    own_way: u32,
    other_way: u32,
    wall_features: WallFeatures,
) -> [i32; FEATURES] {
    let (own_walls, other_walls) =
        (i32::from(position.walls_left(side)), i32::from(position.walls_left(!side)));
    let own_turn = position.turn() == side;
    let [from_6, from_4, from_2] = wall_features.count(own_walls);
    // Who has to hurry and cannot be stopped any more.
    let ahead = if own_turn { own_way <= other_way } else { own_way < other_way };
    let race = match ahead {
        true if other_walls == 0 => 1,
        false if own_walls == 0 => -1,
        _ => 0,
    };
    [
        own_way as i32,
        other_way as i32,
        from_6,
        from_4,
        from_2,
        own_walls - other_walls,
        i32::from(own_turn),
        race,
    ]
}
