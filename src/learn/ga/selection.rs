//! Who is best, and who becomes a parent.

use rand_chacha::ChaCha8Rng;

use super::Individual;
use crate::random::below;

/// Sorts the population, the best first; equals are put in random order.
pub(super) fn rank(population: &mut [Individual], doubt: u32, random: &mut ChaCha8Rng) {
    for last in (1..population.len()).rev() {
        population.swap(last, below(random, last + 1));
    }
    population.sort_by_key(|individual| std::cmp::Reverse(fitness(individual, doubt)));
}

/// Points per game, exactly comparable; `doubt` games with half a point each are thrown in.
fn fitness(individual: &Individual, doubt: u32) -> i128 {
    let games = i128::from(individual.games) + i128::from(doubt);
    let points = i128::from(individual.points) + 500 * i128::from(doubt);
    points * 1_000_000_000 / games.max(1)
}

/// Two different members of the elite, or the same one twice if there is only one.
pub(super) fn parents<'a>(
    elite: &'a [Individual],
    random: &mut ChaCha8Rng,
) -> (&'a Individual, &'a Individual) {
    let mother = below(random, elite.len());
    let father = match elite.len() {
        1 => mother,
        others => (mother + 1 + below(random, others - 1)) % others,
    };
    (&elite[mother], &elite[father])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    fn individual(name: i32, points: i64, games: u32) -> Individual {
        Individual { genes: vec![name], points, games }
    }

    #[test]
    fn the_best_come_first_and_ties_fall_either_way() {
        let mut firsts = std::collections::HashSet::new();
        for seed in 0..50 {
            let mut population = vec![individual(1, 3000, 8), individual(2, 5000, 8), individual(3, 5000, 8)];
            rank(&mut population, 0, &mut stream(seed, 0, 0));
            assert_eq!(population[2].genes, [1]);
            firsts.insert(population[0].genes[0]);
        }
        assert_eq!(firsts, [2, 3].into());
    }

    #[test]
    fn doubt_prefers_many_good_games_to_a_few_perfect_ones() {
        let mut population = vec![individual(1, 2000, 2), individual(2, 600_000, 1000)];
        rank(&mut population, 0, &mut stream(1, 0, 0));
        assert_eq!(population[0].genes, [1]);
        rank(&mut population, 100, &mut stream(1, 0, 0));
        assert_eq!(population[0].genes, [2]);
    }

    #[test]
    fn parents_differ_where_they_can() {
        let elite = [individual(1, 0, 0), individual(2, 0, 0), individual(3, 0, 0)];
        let mut random = stream(1, 0, 0);
        for _ in 0..100 {
            let (mother, father) = parents(&elite, &mut random);
            assert_ne!(mother, father);
            assert_eq!(parents(&elite[..1], &mut random), (&elite[0], &elite[0]));
        }
    }
}
