//! How a tree of moves grows: everything about it that can be set.

use serde::{Deserialize, Serialize};

use crate::bounds::within;

crate::variants! {
    /// How the tree grows.
    pub enum Growth, "way to grow" {
        /// The highest value plus what the policy promises, everywhere.
        Puct = "puct", "the highest value plus what the policy promises";
        /// At the root candidates by Gumbel noise, halved again and again; below whatever comes nearest to the improved policy.
        Gumbel = "gumbel", "candidates by Gumbel noise, halved again and again: for few simulations";
    }
}

crate::variants! {
    /// What a move counts as before it is tried.
    pub enum Unvisited, "value of what was not tried" {
        /// As the position itself, by what is known so far.
        Parent = "parent", "the position's own value";
        /// Nought, as in the paper.
        Zero = "zero", "nought, as in the paper";
    }
}

/// How a tree grows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Growing {
    /// By which rule.
    pub growth: Growth,
    /// How often moves of the root are tried.
    pub simulations: u32,
    /// How much the policy counts beside the values (PUCT).
    pub c: f64,
    /// What a move counts as before it is tried (PUCT).
    pub unvisited: Unvisited,
    /// Whether a position is known to be won or lost as soon as its moves show it.
    pub proofs: bool,
    /// How many moves of the root are candidates at first (Gumbel).
    pub candidates: u32,
    /// How many positions of one tree may wait for their value at the same time; each counts as lost meanwhile.
    pub waiting: u32,
}

impl Growing {
    /// The paper's.
    pub const PAPER: Growing = Growing {
        growth: Growth::Puct,
        simulations: 100,
        c: 1.0,
        unvisited: Unvisited::Zero,
        proofs: false,
        candidates: 16,
        waiting: 1,
    };

    /// What learns and plays well with few simulations.
    pub const SMALL: Growing = Growing {
        growth: Growth::Gumbel,
        simulations: 32,
        c: 1.5,
        unvisited: Unvisited::Parent,
        proofs: true,
        ..Growing::PAPER
    };

    /// Says what makes no sense, if anything.
    pub fn check(&self) -> Result<(), String> {
        within("simulations", f64::from(self.simulations), 1.0, 1e6)?;
        within("c", self.c, 0.0, 1000.0)?;
        within("candidates", f64::from(self.candidates), 2.0, 1000.0)?;
        within("waiting", f64::from(self.waiting), 1.0, 256.0)
    }
}
