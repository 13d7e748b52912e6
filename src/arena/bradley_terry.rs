//! Joint ratings of a round robin: one number a player, and one for the advantage of moving first.

use super::{Estimate, Played};

/// Points of the logistic curve per Elo.
const PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;

/// A weak belief that everybody is equal keeps ratings finite when somebody wins all: one standard deviation, in Elo.
const PRIOR_ELO: f64 = 800.0;

/// One player's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The player's number.
    pub player: usize,
    /// Elo above or below the average of the field.
    pub elo: Estimate,
}

/// What a round robin says about its players.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// In the order of the players.
    pub players: Vec<Rating>,
    /// What moving first is worth, in Elo.
    pub first_mover: Estimate,
}

/// The ratings that best explain the games: the first player's expected score is logistic in the rating difference plus
/// the first mover's advantage. A draw is half a win. Intervals are on the careful side where many games are drawn.
pub fn ratings(players: usize, games: &[Played]) -> Ratings {
    // The last parameter is the first mover's advantage.
    let size = players + 1;
    let mut theta = vec![0.0; size];
    let prior = 1.0 / (PRIOR_ELO * PER_ELO).powi(2);
    let mut information = vec![vec![0.0; size]; size];
    for _ in 0..100 {
        let mut gradient: Vec<f64> = theta.iter().map(|value| -prior * value).collect();
        information =
            (0..size).map(|i| (0..size).map(|j| if i == j { prior } else { 0.0 }).collect()).collect();
        for game in games {
            let signs = [(game.first, 1.0), (game.second, -1.0), (players, 1.0)];
            let lead: f64 = signs.iter().map(|(i, sign)| sign * theta[*i]).sum();
            let expected = 1.0 / (1.0 + (-lead).exp());
            let surprise = f64::from(game.half_points_of_first()) / 2.0 - expected;
            for (i, sign) in signs {
                gradient[i] += sign * surprise;
                for (j, other) in signs {
                    information[i][j] += sign * other * expected * (1.0 - expected);
                }
            }
        }
        let step = solve(&information, &gradient);
        for (value, change) in theta.iter_mut().zip(&step) {
            *value += change;
        }
        if step.iter().all(|change| change.abs() < 1e-10) {
            break;
        }
    }
    let mean = theta[..players].iter().sum::<f64>() / players as f64;
    // Each rating is measured against the average of the field, so its variance is that of the difference.
    let estimate = |weights: Vec<f64>, value: f64| {
        let spread = solve(&information, &weights);
        let variance: f64 = weights.iter().zip(&spread).map(|(w, s)| w * s).sum();
        let half_width = 1.959_964 * variance.max(0.0).sqrt();
        Estimate { value, low: value - half_width, high: value + half_width }.map(|x| x / PER_ELO)
    };
    let rating = |player: usize| {
        let weight = |i: usize| match i {
            i if i == players => 0.0,
            i if i == player => 1.0 - 1.0 / players as f64,
            _ => -1.0 / players as f64,
        };
        Rating { player, elo: estimate((0..size).map(weight).collect(), theta[player] - mean) }
    };
    let first_mover_only = (0..size).map(|i| if i == players { 1.0 } else { 0.0 }).collect();
    Ratings {
        players: (0..players).map(rating).collect(),
        first_mover: estimate(first_mover_only, theta[players]),
    }
}

/// Solves a small system of linear equations by elimination; the matrix is positive definite, so no pivot vanishes.
fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let size = right.len();
    let mut rows: Vec<Vec<f64>> =
        matrix.iter().zip(right).map(|(row, value)| row.iter().copied().chain([*value]).collect()).collect();
    for pivot in 0..size {
        let (upper, lower) = rows.split_at_mut(pivot + 1);
        for row in lower {
            let factor = row[pivot] / upper[pivot][pivot];
            row.iter_mut().zip(&upper[pivot]).for_each(|(value, above)| *value -= factor * above);
        }
    }
    let mut solution = vec![0.0; size];
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| rows[row][column] * solution[column]).sum();
        solution[row] = (rows[row][size] - known) / rows[row][row];
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Ending, Outcome, Side, Verdict};

    fn game(first: usize, second: usize, outcome: Outcome) -> Played {
        let verdict = Verdict { outcome, by: Ending::Repetition };
        Played { pairing: 0, game: 0, first, second, verdict, moves: Vec::new() }
    }

    fn many(first: usize, second: usize, wins: usize, losses: usize) -> Vec<Played> {
        let won = std::iter::repeat_n(game(first, second, Outcome::Win(Side::First)), wins);
        won.chain(std::iter::repeat_n(game(first, second, Outcome::Win(Side::Second)), losses)).collect()
    }

    #[test]
    fn two_players_get_the_elo_of_their_score() {
        // 3 : 1 either way round is 190.8 Elo and no first mover's advantage.
        let games = [many(0, 1, 7500, 2500), many(1, 0, 2500, 7500)].concat();
        let ratings = ratings(2, &games);
        let lead = ratings.players[0].elo.value - ratings.players[1].elo.value;
        assert!((lead - 190.8).abs() < 0.5, "{lead}");
        assert!(ratings.first_mover.value.abs() < 0.01);
        assert!(ratings.first_mover.low < 0.0 && ratings.first_mover.high > 0.0);
    }

    #[test]
    fn equal_players_show_the_first_movers_advantage() {
        let games = [many(0, 1, 6000, 4000), many(1, 0, 6000, 4000)].concat();
        let ratings = ratings(2, &games);
        assert!((ratings.first_mover.value - 70.4).abs() < 0.5, "{:?}", ratings.first_mover);
        assert!(ratings.players[0].elo.value.abs() < 0.01);
    }

    #[test]
    fn ratings_stay_finite_when_one_wins_all() {
        let games = [many(0, 1, 20, 0), many(1, 2, 10, 10), many(2, 0, 0, 20)].concat();
        let ratings = ratings(3, &games);
        assert!(ratings.players.iter().all(|rating| rating.elo.value.is_finite()));
        assert!(ratings.players[0].elo.low > ratings.players[1].elo.value);
        let sum: f64 = ratings.players.iter().map(|rating| rating.elo.value).sum();
        assert!(sum.abs() < 1e-6);
    }
}
