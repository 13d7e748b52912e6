//! The genetic algorithm, for any problem whose candidates are rows of numbers.

mod convergence;
mod crossover;
mod islands;
mod mutation;
mod selection;

pub use convergence::{Convergence, Frozen};
pub use crossover::Crossover;
pub use islands::{Topology, island_seed, migrate};
pub use mutation::Probability;

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::random::stream;

/// The values of all genes, in thousandths.
pub type Chromosome = Vec<i32>;

/// A candidate and how it has fared so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Individual {
    /// Its genes.
    pub genes: Chromosome,
    /// Points, in thousandths, over all its games.
    pub points: i64,
    /// How many games (or other trials) those come from.
    pub games: u32,
}

/// What is to be solved: what genes can be, and how good they are.
pub trait Problem: Sync {
    /// How many genes a candidate has.
    fn genes(&self) -> usize;

    /// A gene of a candidate of the first generation.
    fn first_gene(&self, gene: usize, random: &mut ChaCha8Rng) -> i32;

    /// What a gene becomes when it mutates.
    fn mutated_gene(&self, gene: usize, old: i32, random: &mut ChaCha8Rng) -> i32;

    /// The nearest value that a gene can have.
    fn bounded(&self, value: i32) -> i32 {
        value
    }

    /// Adds points and games to every candidate; returns how many trials there were and how many were drawn.
    ///
    /// All chance must come from streams of this generation, so that nothing depends on the number of threads.
    fn measure(&self, population: &mut [Individual], hall: &[Chromosome], generation: u32) -> Trials;
}

/// How many trials a generation took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trials {
    /// All of them.
    pub games: u64,
    /// Those that nobody won.
    pub draws: u64,
}

/// How the algorithm goes about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Where all chance comes from.
    pub seed: u64,
    /// How many candidates a generation has.
    pub population: usize,
    /// How many of the best are parents of the next generation.
    pub elite: usize,
    /// How many of the best live on themselves, with the points they have.
    pub survivors: usize,
    /// How two parents make a child.
    pub crossover: Crossover,
    /// How often a gene of a child mutates.
    pub mutation: Probability,
    /// When a gene is settled; `None` if that is not asked.
    pub convergence: Option<Convergence>,
    /// How many former winners are kept as opponents.
    pub hall: usize,
    /// After how many generations another winner enters the hall.
    pub hall_every: u32,
    /// A candidate's score is judged as if it had played this many more games and scored a half in them.
    pub doubt: u32,
    /// The last generation.
    pub generations: u32,
}

/// Where the algorithm is: all that a later continuation needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The next generation to be measured; the first is 1.
    pub generation: u32,
    /// Its candidates.
    pub population: Vec<Individual>,
    /// Former winners to play against.
    pub hall: Vec<Chromosome>,
    /// For each gene, when it was frozen and at what.
    pub frozen: Vec<Option<Frozen>>,
    /// What the convergence test has seen since it last decided.
    pub watched: Vec<Chromosome>,
    /// The best of the last generation that was measured.
    pub winner: Option<Individual>,
}

/// What one generation was like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 1.
    pub number: u32,
    /// Its candidates, the best first.
    pub ranked: Vec<Individual>,
    /// On which island each of them lives, from 1.
    pub homes: Vec<u32>,
    /// Its trials.
    pub trials: Trials,
    /// Which genes are frozen after it.
    pub frozen: Vec<bool>,
}

/// Items of the streams that are not games.
const RANKING: u64 = u64::MAX;
const BREEDING: u64 = u64::MAX - 1;

impl State {
    /// The first generation. `hall` are opponents that stay for ever.
    pub fn first(plan: &Plan, problem: &impl Problem, hall: Vec<Chromosome>) -> State {
        let mut random = stream(plan.seed, 0, BREEDING);
        let individual = |_| Individual {
            genes: (0..problem.genes()).map(|gene| problem.first_gene(gene, &mut random)).collect(),
            ..Individual::default()
        };
        State {
            generation: 1,
            population: (0..plan.population).map(individual).collect(),
            hall,
            frozen: vec![None; problem.genes()],
            watched: Vec::new(),
            winner: None,
        }
    }

    /// Whether there is nothing left to do.
    pub fn is_finished(&self, plan: &Plan) -> bool {
        self.generation > plan.generations || self.frozen.iter().all(Option::is_some)
    }

    /// One round of the paper's figure 14:
    ///
    /// ```text
    /// measure the fitness of every candidate
    /// rank them
    /// freeze the genes that have converged
    /// select the best as parents
    /// cross them
    /// mutate the children
    /// ```
    pub fn step(&mut self, plan: &Plan, problem: &impl Problem) -> Generation {
        let number = self.generation;
        let trials = problem.measure(&mut self.population, &self.hall, number);
        selection::rank(&mut self.population, plan.doubt, &mut stream(plan.seed, u64::from(number), RANKING));
        let ranked = self.population.clone();
        self.winner = ranked.first().cloned();
        self.freeze(plan);
        self.remember_winner(plan);
        self.population = self.next_generation(plan, problem);
        self.generation += 1;
        let frozen = self.frozen.iter().map(Option::is_some).collect();
        Generation { number, homes: vec![1; ranked.len()], ranked, trials, frozen }
    }

    fn freeze(&mut self, plan: &Plan) {
        let Some(convergence) = &plan.convergence else { return };
        self.watched.push(convergence.watch(&self.population));
        if self.watched.len() == convergence.window {
            for gene in convergence.settled(&self.watched) {
                let value = self.watched[convergence.window - 1][gene];
                self.frozen[gene].get_or_insert(Frozen { generation: self.generation, value });
            }
            self.watched.clear();
        }
    }

    /// The first opponent stays; of the others the oldest leaves when the hall is full.
    fn remember_winner(&mut self, plan: &Plan) {
        if plan.hall > 1 && self.generation.is_multiple_of(plan.hall_every) {
            self.hall.push(self.population[0].genes.clone());
            if self.hall.len() > plan.hall {
                self.hall.remove(1);
            }
        }
    }

    fn next_generation(&self, plan: &Plan, problem: &impl Problem) -> Vec<Individual> {
        let mut random = stream(plan.seed, u64::from(self.generation), BREEDING);
        let parents = &self.population[..plan.elite];
        let mut next = self.population[..plan.survivors].to_vec();
        while next.len() < plan.population {
            let (mother, father) = selection::parents(parents, &mut random);
            let mut genes = plan.crossover.cross(&mother.genes, &father.genes, &mut random);
            genes.iter_mut().for_each(|gene| *gene = problem.bounded(*gene));
            mutation::mutate(&mut genes, plan.mutation, problem, &mut random);
            next.push(Individual { genes, ..Individual::default() });
        }
        for individual in &mut next {
            for (gene, frozen) in individual.genes.iter_mut().zip(&self.frozen) {
                *gene = frozen.map_or(*gene, |frozen| frozen.value);
            }
        }
        next
    }
}
