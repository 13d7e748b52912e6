//! The little linear algebra that estimates need: large symmetric systems with few entries, and small dense matrices.

use std::collections::BTreeSet;

/// A dense matrix, row by row.
pub type Matrix = Vec<Vec<f64>>;

/// Which unknowns of a symmetric system have to do with one another, and in which order they are best eliminated.
///
/// The unknown with the fewest neighbours goes first: whoever met only one opponent leaves nothing behind, so a gauntlet of
/// thousands costs no more than its games. Found once, it serves every matrix with the same entries.
pub struct Elimination {
    /// The unknowns in the order in which they are eliminated.
    order: Vec<usize>,
    /// For each step, the later steps whose unknowns are still tied to the one that goes; rising.
    tied: Vec<Vec<usize>>,
}

impl Elimination {
    /// For `size` unknowns and these pairs of them that share an entry.
    pub fn new(size: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> Elimination {
        let mut neighbours = vec![BTreeSet::new(); size];
        for (a, b) in pairs.into_iter().filter(|(a, b)| a != b) {
            neighbours[a].insert(b);
            neighbours[b].insert(a);
        }
        let mut waiting: BTreeSet<(usize, usize)> =
            neighbours.iter().enumerate().map(|(unknown, tied)| (tied.len(), unknown)).collect();
        let (mut order, mut tied) = (Vec::with_capacity(size), Vec::with_capacity(size));
        while let Some((degree, unknown)) = waiting.pop_first() {
            if degree == waiting.len() {
                // All that remain are tied to each other: any order is as good.
                let rest: Vec<usize> =
                    [unknown].into_iter().chain(waiting.into_iter().map(|(_, other)| other)).collect();
                tied.extend((1..=rest.len()).map(|after| rest[after..].to_vec()));
                order.extend(rest);
                break;
            }
            let around: Vec<usize> = std::mem::take(&mut neighbours[unknown]).into_iter().collect();
            for a in &around {
                waiting.remove(&(neighbours[*a].len(), *a));
                neighbours[*a].remove(&unknown);
                neighbours[*a].extend(around.iter().filter(|b| *b != a));
                waiting.insert((neighbours[*a].len(), *a));
            }
            order.push(unknown);
            tied.push(around);
        }
        let mut step_of = vec![0; size];
        order.iter().enumerate().for_each(|(step, unknown)| step_of[*unknown] = step);
        for later in &mut tied {
            later.iter_mut().for_each(|unknown| *unknown = step_of[*unknown]);
            later.sort_unstable();
        }
        Elimination { order, tied }
    }

    /// The factors of a positive definite matrix: its diagonal, and entries off it, each pair of unknowns given once (entries of
    /// the same pair are added).
    pub fn factor(&self, diagonal: &[f64], entries: &[(usize, usize, f64)]) -> Factors<'_> {
        let mut step_of = vec![0; self.order.len()];
        self.order.iter().enumerate().for_each(|(step, unknown)| step_of[*unknown] = step);
        let mut pivots: Vec<f64> = self.order.iter().map(|unknown| diagonal[*unknown]).collect();
        let mut columns: Vec<Vec<f64>> = self.tied.iter().map(|tied| vec![0.0; tied.len()]).collect();
        for (a, b, value) in entries {
            let (early, late) = (step_of[*a].min(step_of[*b]), step_of[*a].max(step_of[*b]));
            let place = self.tied[early].binary_search(&late).expect("the pair was named");
            columns[early][place] += value;
        }
        for step in 0..columns.len() {
            let (done, rest) = columns.split_at_mut(step + 1);
            let (tied, column) = (&self.tied[step], &mut done[step]);
            for (i, later) in tied.iter().enumerate() {
                let factor = column[i] / pivots[step];
                pivots[*later] -= factor * column[i];
                // Whatever is tied to this step after `later` is tied to `later` by now, in the same order.
                let mut places = self.tied[*later].iter().zip(&mut rest[*later - step - 1]);
                for (row, value) in tied[i + 1..].iter().zip(&column[i + 1..]) {
                    if let Some((_, target)) = places.by_ref().find(|(at, _)| *at == row) {
                        *target -= factor * value;
                    }
                }
            }
            column.iter_mut().for_each(|value| *value /= pivots[step]);
        }
        Factors { elimination: self, pivots, columns }
    }
}

/// A symmetric matrix taken apart, ready to solve for any right side.
pub struct Factors<'a> {
    elimination: &'a Elimination,
    pivots: Vec<f64>,
    columns: Vec<Vec<f64>>,
}

impl Factors<'_> {
    /// The unknowns for this right side.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Elimination { order, tied } = self.elimination;
        let mut values: Vec<f64> = order.iter().map(|unknown| right[*unknown]).collect();
        for step in 0..values.len() {
            let known = values[step];
            for (later, factor) in tied[step].iter().zip(&self.columns[step]) {
                values[*later] -= factor * known;
            }
        }
        values.iter_mut().zip(&self.pivots).for_each(|(value, pivot)| *value /= pivot);
        for step in (0..values.len()).rev() {
            let known: f64 = tied[step]
                .iter()
                .zip(&self.columns[step])
                .map(|(later, factor)| factor * values[*later])
                .sum();
            values[step] -= known;
        }
        let mut solution = vec![0.0; values.len()];
        order.iter().zip(values).for_each(|(unknown, value)| solution[*unknown] = value);
        solution
    }
}

/// The product of two square matrices.
pub fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let size = a.len();
    let cell = |i: usize, j: usize| (0..size).map(|k| a[i][k] * b[k][j]).sum();
    (0..size).map(|i| (0..size).map(|j| cell(i, j)).collect()).collect()
}

/// The inverse of a small matrix that has one: Gauss and Jordan, with pivots.
pub fn inverse(mut matrix: Matrix) -> Matrix {
    let size = matrix.len();
    let mut inverse: Matrix =
        (0..size).map(|i| (0..size).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for column in 0..size {
        let pivot =
            (column..size).max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()));
        let pivot = pivot.unwrap_or(column);
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let scale = matrix[column][column];
        for j in 0..size {
            matrix[column][j] /= scale;
            inverse[column][j] /= scale;
        }
        for row in (0..size).filter(|row| *row != column) {
            let factor = matrix[row][column];
            for j in 0..size {
                matrix[row][j] -= factor * matrix[column][j];
                inverse[row][j] -= factor * inverse[column][j];
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{below, stream};

    #[test]
    fn sparse_factors_solve_what_the_dense_inverse_solves() {
        let mut random = stream(1, 0, 0);
        for ties in [0, 3, 10, 40, 200] {
            let size = 20;
            let mut entries = Vec::new();
            let mut dense = vec![vec![0.0; size]; size];
            for _ in 0..ties {
                let (a, b) = (below(&mut random, size), below(&mut random, size));
                let weight = 1.0 + below(&mut random, 10) as f64;
                if a != b {
                    entries.push((a, b, -weight));
                    dense[a][b] -= weight;
                    dense[b][a] -= weight;
                    dense[a][a] += weight;
                    dense[b][b] += weight;
                }
            }
            (0..size).for_each(|i| dense[i][i] += 0.5);
            let diagonal: Vec<f64> = (0..size).map(|i| dense[i][i]).collect();
            let elimination = Elimination::new(size, entries.iter().map(|(a, b, _)| (*a, *b)));
            let right: Vec<f64> = (0..size).map(|i| (i * i) as f64 - 50.0).collect();
            let solution = elimination.factor(&diagonal, &entries).solve(&right);
            for (row, expected) in inverse(dense).iter().zip(&solution) {
                let found: f64 = row.iter().zip(&right).map(|(a, b)| a * b).sum();
                assert!((found - expected).abs() < 1e-9, "{ties} ties: {found} is not {expected}");
            }
        }
    }

    #[test]
    fn a_star_stays_a_star() {
        let elimination = Elimination::new(1_000, (1..1_000).map(|leaf| (0, leaf)));
        assert_eq!(elimination.tied.iter().map(Vec::len).sum::<usize>(), 999);
    }

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        // The pivot of the first column is not in the first row.
        let matrix = vec![vec![0.0, 2.0, 1.0], vec![4.0, 1.0, 0.0], vec![1.0, 1.0, 3.0]];
        let one = product(&matrix, &inverse(matrix.clone()));
        for (i, row) in one.iter().enumerate() {
            for (j, cell) in row.iter().enumerate() {
                assert!((cell - f64::from(u8::from(i == j))).abs() < 1e-12, "{one:?}");
            }
        }
    }
}
