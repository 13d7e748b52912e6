//! The warm-up of the paper's chapter 2, many seeds at once.

use rayon::prelude::*;

use super::{CurveWork, FiveNumbers};
use crate::learn::Curve;
use crate::learn::ga::{Crossover, Plan, Probability, State};

/// How the error went down with one mutation rate.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveResult {
    /// The share of genes that mutate.
    pub mutation: f64,
    /// For each generation, the best candidate's error over all seeds.
    pub errors: Vec<FiveNumbers>,
}

/// Runs every mutation rate with every seed, on all threads.
pub fn run_curve(work: &CurveWork) -> Vec<CurveResult> {
    let result = |mutation: &f64| {
        let seeds: Vec<u64> = work.seeds.seeds().collect();
        let runs: Vec<Vec<f64>> = seeds.par_iter().map(|seed| one_run(work, *mutation, *seed)).collect();
        let errors = (0..work.generations as usize)
            .filter_map(|generation| FiveNumbers::of(runs.iter().map(|run| run[generation])))
            .collect();
        CurveResult { mutation: *mutation, errors }
    };
    work.mutations.iter().map(result).collect()
}

/// The best candidate's error in each generation.
fn one_run(work: &CurveWork, mutation: f64, seed: u64) -> Vec<f64> {
    let plan = Plan {
        seed,
        population: work.population,
        elite: work.elite,
        survivors: work.elite,
        crossover: Crossover::OnePoint,
        mutation: Probability::new(mutation),
        convergence: None,
        hall: 0,
        hall_every: 1,
        doubt: 0,
        generations: work.generations,
    };
    let mut state = State::first(&plan, &Curve, Vec::new());
    let mut errors = Vec::new();
    while !state.is_finished(&plan) {
        let generation = state.step(&plan, &Curve);
        errors.push(Curve::error(&generation.ranked[0].genes) as f64 / 1000.0);
    }
    errors
}
