//! Everything about Monte Carlo tree search that can be set.

use serde::{Deserialize, Serialize};

crate::variants! {
    /// Which move of a position is tried next.
    pub enum TreePolicy, "way to grow" {
        /// PUCT everywhere: the highest value plus what the prior promises.
        Puct = "puct", "the highest value plus what the policy promises";
        /// Gumbel AlphaZero: candidates by Gumbel noise and sequential halving at the root; below it the improved policy.
        Gumbel = "gumbel", "candidates by Gumbel noise, halved again and again: for few simulations";
    }
}

crate::variants! {
    /// First-play urgency: the value of a move before it is tried.
    pub enum Fpu, "value of what was not tried" {
        /// That of the position itself, by what is known so far.
        Parent = "parent", "the position's own value";
        /// Zero, as in the paper.
        Zero = "zero", "zero, as in the paper";
    }
}

/// How a tree is searched.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct MctsSettings {
    /// Which move is tried next.
    #[serde(rename = "growth")]
    pub tree_policy: TreePolicy,
    /// How often moves of the root are tried.
    pub simulations: u32,
    /// The weight of the prior beside the value (PUCT).
    pub c: f64,
    /// First-play urgency (PUCT).
    #[serde(rename = "unvisited")]
    pub fpu: Fpu,
    /// MCTS-Solver: whether a position is known to be won or lost as soon as its moves show it.
    #[serde(rename = "proofs")]
    pub solver: bool,
    /// How many moves of the root are candidates at first (Gumbel).
    pub candidates: u32,
    /// How many leaves of one tree are evaluated together; each counts as lost until then (virtual loss).
    #[serde(rename = "waiting")]
    pub leaf_batch: u32,
}

impl MctsSettings {
    /// The paper's.
    pub const PAPER: MctsSettings = MctsSettings {
        tree_policy: TreePolicy::Puct,
        simulations: 100,
        c: 1.0,
        fpu: Fpu::Zero,
        solver: false,
        candidates: 16,
        leaf_batch: 1,
    };

    /// What learns and plays well with few simulations.
    pub const SMALL: MctsSettings = MctsSettings {
        tree_policy: TreePolicy::Gumbel,
        simulations: 32,
        c: 1.5,
        fpu: Fpu::Parent,
        solver: true,
        ..MctsSettings::PAPER
    };
}
