//! Populations that evolve apart, and send each other their best now and then.

use rand_chacha::rand_core::Rng;

use super::{Chromosome, Individual, State};
use crate::random::{below, stream};

/// Streams of what happens between islands stand apart from those of games and generations.
const SEEDS: u64 = 1 << 57;
const JOURNEYS: u64 = 1 << 56;

crate::variants! {
    /// From where migrants come.
    pub enum Topology, "topology" {
        /// From the island before; to the first one from the last.
        Ring = "ring", "from the island before";
        /// Each from another island, drawn at random.
        Full = "full", "from islands drawn at random";
    }
}

/// The seed of an island of a run: the first has the run's own.
pub fn island_seed(seed: u64, island: usize) -> u64 {
    match island {
        0 => seed,
        _ => stream(seed, SEEDS, island as u64).next_u64() >> 1,
    }
}

/// Sends the best of each island (`best`, the very best first) to others, where they take the places of the last of the children, which
/// nobody has measured yet. Every island receives `migrants`, whichever way they come.
pub fn migrate(
    islands: &mut [&mut State],
    best: &[Vec<Chromosome>],
    migrants: usize,
    topology: Topology,
    (seed, generation): (u64, u32),
) {
    let count = islands.len();
    for (to, island) in islands.iter_mut().enumerate() {
        let mut others: Vec<usize> = (1..count).map(|ahead| (to + count - ahead) % count).collect();
        let mut random = stream(seed, JOURNEYS | u64::from(generation), to as u64);
        let size = island.population.len();
        for number in 0..migrants {
            let (from, rank) = match topology {
                Topology::Ring => (others[0], number),
                // From as many different islands as there are, then the next best of each.
                Topology::Full => {
                    let drawn = number % others.len();
                    let chosen = drawn + below(&mut random, others.len() - drawn);
                    others.swap(drawn, chosen);
                    (others[drawn], number / others.len())
                }
            };
            let Some(genes) = best[from].get(rank) else { continue };
            island.population[size - migrants + number] = settled(island, genes);
        }
    }
}

/// A newcomer: with the values that are frozen where it arrives, and with everything to prove.
fn settled(island: &State, genes: &[i32]) -> Individual {
    let values = genes.iter().zip(&island.frozen);
    let genes = values.map(|(gene, frozen)| frozen.map_or(*gene, |frozen| frozen.value)).collect();
    Individual { genes, ..Individual::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::ga::Frozen;

    fn island(number: i32) -> State {
        let individual = |i| Individual { genes: vec![100 * number + i, 7], points: 1, games: 1 };
        State {
            generation: 11,
            population: (0..4).map(individual).collect(),
            hall: Vec::new(),
            frozen: vec![None, None],
            watched: Vec::new(),
            winner: None,
        }
    }

    fn moved(topology: Topology, migrants: usize) -> Vec<State> {
        let mut states: Vec<State> = (0..4).map(island).collect();
        states[2].frozen[1] = Some(Frozen { generation: 10, value: 55 });
        let best: Vec<Vec<Chromosome>> =
            (0..4).map(|number| (0..2).map(|rank| vec![1000 * number + rank, 9]).collect()).collect();
        let mut islands: Vec<&mut State> = states.iter_mut().collect();
        migrate(&mut islands, &best, migrants, topology, (5, 10));
        states
    }

    #[test]
    fn on_a_ring_the_best_go_one_island_on() {
        let states = moved(Topology::Ring, 2);
        let last = |state: &State| state.population[2..].iter().map(|one| one.genes[0]).collect::<Vec<_>>();
        let all: Vec<Vec<i32>> = states.iter().map(last).collect();
        assert_eq!(all, [[3000, 3001], [0, 1], [1000, 1001], [2000, 2001]]);
        assert_eq!(states[1].population[0], island(1).population[0], "the others stay");
        assert_eq!(states[2].population[3].genes[1], 55, "what is frozen stays frozen");
        assert_eq!((states[0].population[3].points, states[0].population[3].games), (0, 0));
    }

    #[test]
    fn otherwise_each_comes_from_another_island() {
        for state in moved(Topology::Full, 3) {
            let mut from: Vec<i32> = state.population[1..].iter().map(|one| one.genes[0] / 1000).collect();
            let own = state.population[0].genes[0] / 100;
            assert!(!from.contains(&own));
            from.sort_unstable();
            from.dedup();
            assert_eq!(from.len(), 3);
        }
        assert_eq!(moved(Topology::Full, 2), moved(Topology::Full, 2));
    }

    #[test]
    fn seeds_of_islands_differ_and_the_first_has_the_runs_own() {
        let mut seeds: Vec<u64> = (0..100).map(|island| island_seed(3, island)).collect();
        assert_eq!(seeds[0], 3);
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 100);
        assert!(seeds.iter().all(|seed| *seed <= crate::random::MOST_SEED));
    }
}
