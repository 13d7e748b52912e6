//! The warm-up of the paper's chapter 2, many seeds at once.

use serde::Serialize;

use super::{CurveWork, FiveNumbers};
use crate::learn::Curve;
use crate::learn::ga::{Chromosome, Crossover, Plan, Probability, State};
use crate::parallel;

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
        let runs: Vec<Vec<f64>> = parallel::map(&seeds, |_, seed| one_run(work, *mutation, *seed));
        let errors = (0..work.generations as usize)
            .filter_map(|generation| FiveNumbers::of(runs.iter().map(|run| run[generation])))
            .collect();
        CurveResult { mutation: *mutation, errors }
    };
    work.mutations.iter().map(result).collect()
}

/// The best candidate's error in each generation.
fn one_run(work: &CurveWork, mutation: f64, seed: u64) -> Vec<f64> {
    best_candidates(work, mutation, seed).map(|genes| error(&genes)).collect()
}

/// The best candidate of some generations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CurveBest {
    /// The first of them; the first of a run is 1.
    pub generation: u32,
    /// The sum of its absolute errors.
    pub error: f64,
    /// Its values at t = 0.1, 0.2 … 2.0.
    pub genes: Vec<f64>,
}

/// One run as a picture needs it: the best candidate each time that it changes. The elite lives on, so most generations keep theirs.
pub fn curve_bests(work: &CurveWork, mutation: f64, seed: u64) -> Vec<CurveBest> {
    let mut candidates: Vec<(u32, Chromosome)> = (1..).zip(best_candidates(work, mutation, seed)).collect();
    candidates.dedup_by(|(_, later), (_, earlier)| later == earlier);
    let best = |(generation, genes): (u32, Chromosome)| CurveBest {
        generation,
        error: error(&genes),
        genes: genes.into_iter().map(|gene| f64::from(gene) / 1000.0).collect(),
    };
    candidates.into_iter().map(best).collect()
}

fn error(genes: &[i32]) -> f64 {
    Curve::error(genes) as f64 / 1000.0
}

/// The best candidate of each generation.
fn best_candidates(work: &CurveWork, mutation: f64, seed: u64) -> impl Iterator<Item = Chromosome> {
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
    std::iter::from_fn(move || {
        let generation = (!state.is_finished(&plan)).then(|| state.step(&plan, &Curve))?;
        generation.ranked.into_iter().next().map(|best| best.genes)
    })
}
