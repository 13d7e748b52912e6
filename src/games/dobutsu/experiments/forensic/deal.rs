//! How well combinations explain the published tables, as they are or dealt out at random.

use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::scan::{OTHERS, Plain, Scanned, WITH_ALL, WITH_MOBILITY, best_way};
use super::{Counts, Published};
use crate::random::below;

/// For every combination, how likely each published cell would be in each place: what all deals of the published numbers need.
pub(super) struct Tables<'a> {
    published: &'a Published,
    plain: &'a [Plain],
    /// By world: evaluator 1 against itself, for each published cell.
    ones: Vec<[f32; 9]>,
    /// By world and mobility, for each cell.
    mobility: Vec<Vec<[[f32; 9]; 3]>>,
    /// By world, then mobility and the other readings in one number.
    all: Vec<Vec<[[f32; 9]; 5]>>,
}

/// Which published cell stands in which place, row by row: of Tables 2 and 3, and of Table 1.
pub(super) struct Deal {
    tables23: [usize; 9],
    table1: Vec<Vec<Option<u32>>>,
}

impl<'a> Tables<'a> {
    pub(super) fn new(published: &'a Published, plain: &'a [Plain], scans: &[Vec<Scanned>]) -> Tables<'a> {
        let flat: Vec<Counts> = published.tables23.iter().flatten().copied().collect();
        let row = |ours: &Counts| {
            let mut likelihoods = [0.0; 9];
            for (place, theirs) in likelihoods.iter_mut().zip(&flat) {
                *place = ours.log_likelihood(theirs) as f32;
            }
            likelihoods
        };
        Tables {
            published,
            plain,
            ones: plain.iter().map(|plain| row(&plain.ones)).collect(),
            mobility: scans
                .iter()
                .map(|world| {
                    world.iter().map(|scanned| scanned.mobility.map(|counts| row(&counts))).collect()
                })
                .collect(),
            all: scans
                .par_iter()
                .map(|world| {
                    let all = world.iter().flat_map(|scanned| &scanned.all);
                    all.map(|cells| cells.map(|counts| row(&counts))).collect()
                })
                .collect(),
        }
    }

    /// The published numbers where they are, or dealt out at random.
    pub(super) fn deal(&self, random: Option<&mut ChaCha8Rng>) -> Deal {
        let mut tables23 = std::array::from_fn(|i| i);
        let mut table1 = self.published.table1.clone();
        if let Some(random) = random {
            for last in (1..9).rev() {
                tables23.swap(last, below(random, last + 1));
            }
            let mut wins: Vec<u32> = table1.iter().flatten().flatten().copied().collect();
            for last in (1..wins.len()).rev() {
                wins.swap(last, below(random, last + 1));
            }
            let mut wins = wins.into_iter();
            for cell in table1.iter_mut().flatten().filter(|cell| cell.is_some()) {
                *cell = wins.next();
            }
        }
        Deal { tables23, table1 }
    }

    /// The likelihood of Tables 2 and 3 for one combination, the better of the two axes.
    fn fit(&self, world: usize, mobility: usize, other: usize, deal: &Deal) -> f32 {
        let of = |rows: bool| {
            let place = |(first, second): (usize, usize)| {
                let (row, column) = if rows { (first - 1, second - 1) } else { (second - 1, first - 1) };
                deal.tables23[3 * row + column]
            };
            let mut sum = self.ones[world][place((1, 1))];
            for (cell, pair) in WITH_MOBILITY.into_iter().enumerate() {
                sum += self.mobility[world][mobility][cell][place(pair)];
            }
            let all = &self.all[world][mobility * OTHERS + other];
            for (cell, pair) in WITH_ALL.into_iter().enumerate() {
                sum += all[cell][place(pair)];
            }
            sum
        };
        of(false).max(of(true))
    }

    /// The combination of a world that fits Tables 2 and 3 best, and how well.
    pub(super) fn best(&self, world: usize, deal: &Deal) -> ((usize, usize), f64) {
        let mut best = ((0, 0), f32::NEG_INFINITY);
        for mobility in 0..self.mobility[world].len() {
            for other in 0..OTHERS {
                let fit = self.fit(world, mobility, other, deal);
                if fit > best.1 {
                    best = ((mobility, other), fit);
                }
            }
        }
        (best.0, f64::from(best.1))
    }

    /// How well the best combination of all worlds explains all three tables.
    pub(super) fn best_of_all(&self, deal: &Deal) -> f64 {
        let dealt = Published { table1: deal.table1.clone(), ..self.published.clone() };
        let world = |number: usize| self.best(number, deal).1 + best_way(&dealt, &self.plain[number]).1;
        (0..self.plain.len()).map(world).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The best combinations of all worlds, and the best of each.
    pub(super) fn entrants(&self, deal: &Deal, count: usize) -> Vec<(usize, usize, usize)> {
        let mut all = Vec::new();
        for world in 0..self.plain.len() {
            let table1 = best_way(self.published, &self.plain[world]).1;
            let ((mobility, other), best) = self.best(world, deal);
            all.push((f64::INFINITY, (world, mobility, other)));
            for (mobility, other) in
                (0..self.mobility[world].len()).flat_map(|m| (0..OTHERS).map(move |o| (m, o)))
            {
                let fit = f64::from(self.fit(world, mobility, other, deal));
                // Far behind the best of its world after the same few games: not worth sorting.
                if fit > best - 60.0 {
                    all.push((fit + table1, (world, mobility, other)));
                }
            }
        }
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut entrants: Vec<(usize, usize, usize)> = Vec::new();
        for (_, entrant) in all {
            if entrants.len() < count + self.plain.len() && !entrants.contains(&entrant) {
                entrants.push(entrant);
            }
        }
        entrants
    }
}
