//! What an evaluator's weights are, for any game: names, bounds, and the genomes that come with the program.

use std::fmt::{self, Debug};
use std::hash::Hash;

use super::{Evaluator, Genome};
use crate::games::{Game, UnknownVariant};

/// A game whose evaluator has weights that a learner may change.
pub trait Weighted: Game {
    /// Every weight, the piece values first.
    const GENES: &'static [GeneInfo];

    /// A sentence about what a reader may miss among them; empty if there is nothing.
    const NOT_A_GENE: &'static str = "";

    /// A sentence that names the experiment with another reading of how genomes evolve; empty if there is none.
    const OTHER_READING: &'static str = "";

    /// Whether the tuner's players look at all lines to a depth, so that one can choose how they score the end of a game and
    /// which positions of a line they value.
    const FULL_WIDTH: bool = true;

    /// How many of them are piece values, which evolve unless all are asked for.
    const MATERIAL: usize;

    /// The genomes that come with the program. The first is the untrained one, which champions are measured against.
    const GENOMES: &'static [KnownGenome];

    /// Names that had other values once, each with the genome that has those values now: a file of the old name with the old
    /// values is refused with a sentence that says so.
    const RENAMED: &'static [(&'static str, &'static str)] = &[];

    /// Which of them the strong search uses unless told otherwise.
    const STRONG: &'static str;

    /// Who is so many points ahead by that genome and a short search wins about three of four games.
    const LEAD: f64;

    /// How many plies a player looks ahead unless told otherwise.
    const DEPTH: u32;

    /// How many plies a player may look ahead whom a person waits for: a few seconds' worth.
    const DEEPEST_PATIENT: u32;

    /// With how many random moves games of the tuner begin unless told otherwise: more than none where players that draw no
    /// lots would play the same game again and again.
    const TUNER_OPENING: usize;

    /// How many games each pair plays in a robust run of piece values, and in one of all weights.
    const ROBUST_GAMES: [usize; 2];

    /// How large weights are.
    const SCALE: Scale = Scale::PIECES;

    /// A value for every gene, in thousandths: an array as long as [`GENES`](Weighted::GENES).
    type Values: Copy + Eq + Hash + Debug + AsRef<[i32]> + AsMut<[i32]> + Send + Sync;

    /// How the features are understood, where that is open; else `()`.
    type Readings: ReadingSet;

    /// What values positions with these weights.
    type Evaluator: Evaluator<Self> + Clone + Debug + Send;

    /// No value for anything.
    const ZERO: Self::Values;

    /// The evaluator with these weights.
    fn evaluator(genome: &Genome<Self>) -> Self::Evaluator;
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
