//! What an evaluator's weights are, for any game: names, bounds, and the genomes that come with the program.

use std::fmt::{self, Debug};
use std::hash::Hash;

use super::{Evaluator, Genome};
use crate::game::{Game, UnknownVariant};

/// A game whose evaluator has weights that a learner may change.
pub trait Weighted: Game {
    /// What the weights are, and what players and the tuner do with them unless told otherwise.
    const WEIGHTS: Weights;

    /// A value for every gene, in thousandths: an array as long as the list of genes.
    type Values: Copy + Default + Eq + Hash + Debug + AsRef<[i32]> + AsMut<[i32]> + Send + Sync;

    /// How the features are understood, where that is open; else `()`.
    type Readings: ReadingSet;

    /// What values positions with these weights.
    type Evaluator: Evaluator<Self> + Clone + Debug + Send;

    /// The evaluator with these weights.
    fn evaluator(genome: &Genome<Self>) -> Self::Evaluator;
}

/// The weights of a game, as data.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// Every weight, the piece values first.
    pub genes: &'static [GeneInfo],
    /// How many of them are piece values, which evolve unless all are asked for.
    pub material: usize,
    /// The genomes that come with the program. The first is the untrained one, which champions are measured against.
    pub genomes: &'static [KnownGenome],
    /// Names that had other values once, each with the genome that has those values now: a file of the old name with the old
    /// values is refused with a sentence that says so.
    pub renamed: &'static [(&'static str, &'static str)],
    /// Which genome the strong player uses unless told otherwise.
    pub strong: &'static str,
    /// The evaluation lead in points, by that genome and a short search, for a 75 % score.
    pub lead: f64,
    /// How many plies a player looks ahead unless told otherwise.
    pub depth: u32,
    /// How many plies a player may look ahead while a person waits: a few seconds' worth.
    pub max_interactive_depth: u32,
    /// Whether players look at all lines to a depth, so that one can choose how they score the end of a game and which positions of a
    /// line they value.
    pub full_width: bool,
    /// Random moves at the start of the tuner's games unless told otherwise: more than none where deterministic players would repeat the
    /// same game.
    pub tuner_opening: usize,
    /// How many games each pair plays in a robust run of piece values, and in one of all weights.
    pub robust_games: [usize; 2],
    /// How large weights are.
    pub scale: Scale,
    /// A sentence about what a reader may miss among the genes; empty if there is nothing.
    pub not_a_gene: &'static str,
    /// A sentence that names the experiment with another reading of how genomes evolve; empty if there is none.
    pub other_reading: &'static str,
}

impl Weights {
    /// Piece values of a small game. What every game must say is empty here.
    pub const DEFAULT: Weights = Weights {
        genes: &[],
        material: 0,
        genomes: &[],
        renamed: &[],
        strong: "",
        lead: 1.0,
        depth: 2,
        max_interactive_depth: 4,
        full_width: true,
        tuner_opening: 0,
        robust_games: [20, 20],
        scale: Scale::PIECES,
        not_a_gene: "",
        other_reading: "",
    };
}

/// How large the weights of a game are, and what counts as a small change. In whole points unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The least that a gene can be: below nought where weights have a sign.
    pub least: i32,
    /// The most that a gene can be. Sums of all features must stay inside an `i32`.
    pub most: i32,
    /// Between what a mutated gene lies unless told otherwise.
    pub mutation: (i32, i32),
    /// How far a small mutation goes at least, in thousandths, so that nought can be left.
    pub nudge: i32,
    /// A gene whose standard deviation over the window is below this many points is settled unless told otherwise.
    pub settled: f64,
}

impl Scale {
    /// Of piece values, which have no sign and are a few hundred points.
    pub const PIECES: Scale =
        Scale { least: 0, most: 10_000, mutation: (0, 500), nudge: 1000, settled: 30.0 };
}

/// One weight.
#[derive(Debug, PartialEq, Eq)]
pub struct GeneInfo {
    /// The section of a genome file.
    pub section: &'static str,
    /// The key in it.
    pub key: &'static str,
    /// What pictures call it, in English.
    pub english: &'static str,
    /// What pictures call it, in Japanese.
    pub japanese: &'static str,
    /// Where evolution begins: the first generation has random shares of so many points.
    pub first: u16,
}

impl GeneInfo {
    /// A weight.
    pub const fn new(
        section: &'static str,
        key: &'static str,
        english: &'static str,
        japanese: &'static str,
        first: u16,
    ) -> GeneInfo {
        GeneInfo { section, key, english, japanese, first }
    }
}

/// As tables and files name it: `board.chick`.
impl fmt::Display for GeneInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{}", self.section, self.key))
    }
}

/// A genome that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct KnownGenome {
    /// The name that a person types.
    pub name: &'static str,
    /// With which others it belongs together: the page has words for each group.
    pub group: &'static str,
    /// What it is, in a line.
    pub help: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

impl KnownGenome {
    /// A genome.
    pub const fn new(
        name: &'static str,
        group: &'static str,
        help: &'static str,
        text: &'static str,
    ) -> KnownGenome {
        KnownGenome { name, group, help, text }
    }
}

/// How the words for an evaluator's features are understood: a few named choices.
pub trait ReadingSet: Copy + Eq + Hash + Debug + Default + Send + Sync {
    /// Their names, and what can be chosen for each.
    const NAMES: &'static [(&'static str, &'static [&'static str])];

    /// Sets the reading of this name; whether there is one of this name.
    fn set(&mut self, name: &str, text: &str) -> Result<bool, UnknownVariant>;

    /// Every reading with its name, in the order of [`NAMES`](ReadingSet::NAMES).
    fn named(&self) -> Vec<(&'static str, &'static str)>;
}

/// Nothing is open.
impl ReadingSet for () {
    const NAMES: &'static [(&'static str, &'static [&'static str])] = &[];

    fn set(&mut self, _: &str, _: &str) -> Result<bool, UnknownVariant> {
        Ok(false)
    }

    fn named(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }
}
