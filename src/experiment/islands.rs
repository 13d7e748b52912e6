//! Islands of a run that evolve apart until they meet, and what all of them together look like.

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use crate::crew;
use crate::learn::ga::{Generation, Individual, State, Trials, island_seed};
use crate::learn::{Settings, Tuner};
use crate::players::Playable;

/// The settings of one of the islands of a run.
pub(super) fn on_island(settings: &Settings, island: usize) -> Settings {
    Settings { seed: island_seed(settings.seed, island), ..settings.clone() }
}

/// Islands that evolve apart, up to this generation.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Apart<G: Playable> {
    settings: Settings,
    last: u32,
    #[serde(skip)]
    game: PhantomData<fn() -> G>,
}

impl<G: Playable> Apart<G> {
    /// The islands of a run with these settings.
    pub fn new(settings: &Settings, last: u32) -> Apart<G> {
        Apart { settings: settings.clone(), last, game: PhantomData }
    }
}

impl<G: Playable> crew::Work for Apart<G> {
    const KIND: &'static str = "islands";
    const GAME: &'static str = G::NAME;
    type Item = (usize, State);
    type Output = (State, Vec<Generation>);

    fn run(&self, (island, state): &(usize, State), step: &(dyn Fn() + Sync)) -> (State, Vec<Generation>) {
        let settings = on_island(&self.settings, *island);
        let (plan, tuner) = (settings.plan(), Tuner::<G>::new(&settings));
        let (mut state, mut generations) = (state.clone(), Vec::new());
        while state.generation <= self.last && !state.is_finished(&plan) {
            generations.push(state.step(&plan, &tuner));
        }
        step();
        (state, generations)
    }
}

/// A generation of all islands that have one of this number, their candidates ranked by points a game.
pub(super) fn together(number: u32, passed: &[(usize, Vec<Generation>)]) -> Option<Generation> {
    let at = |(island, generations): &'_ (usize, Vec<Generation>)| {
        generations
            .iter()
            .find(|generation| generation.number == number)
            .map(|generation| (*island, generation.clone()))
    };
    let all: Vec<(usize, Generation)> = passed.iter().filter_map(at).collect();
    let mut ranked: Vec<(u32, Individual)> = all
        .iter()
        .flat_map(|(island, generation)| {
            generation.ranked.iter().map(|one| (*island as u32 + 1, one.clone()))
        })
        .collect();
    // Compared without dividing: points of one times games of the other. Equals stay in the order of their islands.
    ranked.sort_by(|(_, a), (_, b)| {
        (b.points * i64::from(a.games.max(1))).cmp(&(a.points * i64::from(b.games.max(1))))
    });
    let trials = all.iter().fold(Trials::default(), |sum, (_, generation)| Trials {
        games: sum.games + generation.trials.games,
        draws: sum.draws + generation.trials.draws,
    });
    let genes = all.first()?.1.frozen.len();
    let frozen = (0..genes).map(|gene| all.iter().all(|(_, generation)| generation.frozen[gene])).collect();
    let (homes, ranked) = ranked.into_iter().unzip();
    Some(Generation { number, ranked, homes, trials, frozen })
}
