//! What can be chosen about a run of the tuner, by name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::game::{GeneInfo, Weights};

crate::variants! {
    /// A set of values for all settings.
    pub enum Preset, "preset" {
        /// What the paper of the game did.
        Paper = "paper", "what the paper of the game did";
        /// What selects by strength rather than by luck.
        Robust = "robust", "selects by strength rather than by luck";
    }
}

crate::variants! {
    /// What a mutated gene becomes.
    pub enum MutationKind, "kind of mutation" {
        /// Anything in the mutation range.
        Uniform = "uniform", "anything in the mutation range";
        /// Mostly something near the old value, now and then anything.
        Step = "step", "mostly something near the old value";
    }
}

crate::variants! {
    /// Whose value the convergence test watches.
    pub enum Watch, "value to watch" {
        /// The generation's winner's.
        Winner = "winner", "the generation's winner";
        /// The mean of the population.
        Mean = "mean", "the mean of the population";
    }
}

crate::variants! {
    /// Which weights evolve.
    pub enum GeneSet, "set of genes" {
        /// The piece values.
        Material = "material", "piece values";
        /// Those and the weights of all features.
        Full = "full", "piece values and the weights of all features";
    }
}

impl GeneSet {
    /// The genes.
    pub fn genes(self, weights: &Weights) -> &'static [GeneInfo] {
        match self {
            GeneSet::Material => &weights.genes[..weights.material],
            GeneSet::Full => weights.genes,
        }
    }
}

crate::variants! {
    /// Which positions of a line the evaluator is asked about.
    pub enum Evaluate, "choice of positions" {
        /// The last one.
        Leaf = "leaf", "the last one";
        /// All of them, added up.
        Path = "path", "all on the path, added up";
    }
}

crate::variants! {
    /// What fitness is.
    pub enum Fitness, "kind of fitness" {
        /// Points in games.
        Tournament = "tournament", "points in games";
        /// Points from coin tosses: what comes out is drift alone.
        Random = "random", "coin tosses, to see what drift does";
        /// Agreement with the solved game, over a fresh sample of all its positions in each generation.
        Oracle = "oracle", "agreement with the solved game";
    }
}

/// A range of points, written `0..500`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PointRange {
    /// The lowest, in whole points.
    pub low: i32,
    /// The highest, in whole points.
    pub high: i32,
}

impl fmt::Display for PointRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.low, self.high)
    }
}

impl From<PointRange> for String {
    fn from(range: PointRange) -> String {
        range.to_string()
    }
}

impl TryFrom<String> for PointRange {
    type Error = String;
    fn try_from(text: String) -> Result<PointRange, String> {
        text.parse()
    }
}

impl FromStr for PointRange {
    type Err = String;
    fn from_str(text: &str) -> Result<PointRange, String> {
        let wrong = || format!("'{text}' is no range of whole points, as in 0..500");
        let (low, high) = text.split_once("..").ok_or_else(wrong)?;
        let (low, high) = (low.parse().map_err(|_| wrong())?, high.parse().map_err(|_| wrong())?);
        if low >= high { Err(wrong()) } else { Ok(PointRange { low, high }) }
    }
}
