//! One run of the tuner: a generation at a time, so that whoever runs it can save, show or stop in between.

use std::convert::Infallible;

use serde::{Deserialize, Serialize};

use super::islands::{Apart, on_island, together};
use crate::arena::Tally;
use crate::crew;
use crate::game::{BySide, GeneInfo, Genome, Outcome, POINT, Side};
use crate::learn::ga::{Chromosome, Generation, Individual, Plan, State, migrate};
use crate::learn::{Fitness, Settings, Tuner};
use crate::parallel;
use crate::players::Playable;
use crate::random::stream;

/// Streams of games after the run stand apart from those of its generations.
const VALIDATION: u64 = 1 << 62;
const CHOOSING: u64 = 1 << 61;
const STRENGTH: u64 = 1 << 60;
const PAR: u64 = 1 << 59;
const RIVALS: u64 = 1 << 58;

/// How many games tell what the untrained values score against themselves on one side.
const PAR_GAMES: u32 = 10_000;

/// How many games each candidate plays when the champion is chosen.
const CHOOSING_GAMES: u32 = 4_000;

/// How many games on each side tell how strong the winner of a generation is.
const STRENGTH_GAMES: u32 = 100;

/// Told how many more games are over; an error stops the rest.
pub type AfterGames<'a, E> = dyn Fn(u64) -> Result<(), E> + Sync + 'a;

/// For callers that neither count games nor stop them.
fn unwatched(_: u64) -> Result<(), Infallible> {
    Ok(())
}

/// What a run has found, measured in fresh games against the untrained values.
pub struct Measured<G: Playable> {
    /// The genome that it has found.
    pub champion: Genome<G>,
    /// How the champion fared, if that was wanted.
    pub validation: Option<BySide<Tally>>,
    /// How the winners of some generations fared.
    pub strength: Vec<(u32, BySide<Tally>)>,
    /// What a player as strong as the untrained values would score.
    pub par: f64,
}

/// A run of the tuner.
pub struct Tuning<G: Playable> {
    settings: Settings,
    plan: Plan,
    tuner: Tuner<G>,
    untrained: Genome<G>,
    /// One population, or one for each island.
    islands: Vec<State>,
}

impl<G: Playable> Tuning<G> {
    /// A run from its beginning.
    pub fn new(settings: &Settings) -> Tuning<G> {
        let first = |number| {
            let settings = on_island(settings, number);
            let tuner = Tuner::<G>::new(&settings);
            let hall = match settings.hall {
                0 => Vec::new(),
                _ => vec![tuner.chromosome(&Genome::untrained())],
            };
            State::first(&settings.plan(), &tuner, hall)
        };
        Tuning::resume(settings, (0..settings.islands).map(first).collect())
    }

    /// A run from where it was left.
    pub fn resume(settings: &Settings, islands: Vec<State>) -> Tuning<G> {
        let (plan, tuner) = (settings.plan(), Tuner::new(settings));
        Tuning { settings: settings.clone(), plan, tuner, untrained: Genome::untrained(), islands }
    }

    /// Where each island is now: all that [`resume`](Tuning::resume) needs.
    pub fn islands(&self) -> &[State] {
        &self.islands
    }

    /// How many generations have been measured.
    pub fn generations(&self) -> u32 {
        self.islands.iter().map(|island| island.generation).max().unwrap_or(1) - 1
    }

    /// For each gene when it was frozen, on all islands.
    pub fn frozen(&self) -> Vec<Option<u32>> {
        let at = |gene: usize| {
            let all = self.islands.iter().map(|island| island.frozen[gene].map(|frozen| frozen.generation));
            all.collect::<Option<Vec<u32>>>().and_then(|all| all.into_iter().max())
        };
        (0..self.genes().len()).map(at).collect()
    }

    /// The genes that evolve.
    pub fn genes(&self) -> &'static [GeneInfo] {
        self.tuner.genes()
    }

    /// What a generation is measured by, in the plural: games, or positions of the solved game.
    pub fn trials(&self) -> &'static str {
        if self.settings.fitness == Fitness::Oracle { "positions" } else { "games" }
    }

    /// The last generation that there can be.
    pub fn last_generation(&self) -> u32 {
        self.plan.generations
    }

    /// Whether the run is over.
    pub fn is_finished(&self) -> bool {
        self.islands.iter().all(|island| island.is_finished(&self.plan))
    }

    /// The next generation, on all threads of the current rayon pool; with several islands, all generations until they have sent each
    /// other their best. An island on which every gene is frozen has no further ones.
    pub fn advance(&mut self) -> Vec<Generation> {
        match &mut self.islands[..] {
            [only] => vec![only.step(&self.plan, &self.tuner)],
            _ => self.advance_islands(),
        }
    }

    fn advance_islands(&mut self) -> Vec<Generation> {
        let (seed, every) = (self.settings.seed, self.settings.migrate_every());
        let first = self.generations() + 1;
        let last = first.next_multiple_of(every).min(self.plan.generations);
        let apart = Apart::<G>::new(&self.settings, last);
        let evolving: Vec<usize> =
            (0..self.islands.len()).filter(|i| !self.islands[*i].is_finished(&self.plan)).collect();
        let items: Vec<(usize, State)> = evolving.iter().map(|i| (*i, self.islands[*i].clone())).collect();
        let mut passed: Vec<(usize, Vec<Generation>)> = Vec::new();
        for (island, (state, generations)) in evolving.into_iter().zip(crew::run_all(&apart, &items)) {
            self.islands[island] = state;
            passed.push((island, generations));
        }
        // After the last generation too: the run may be extended.
        if last.is_multiple_of(every) {
            let mut best: Vec<Vec<Chromosome>> = self
                .islands
                .iter()
                .map(|island| island.winner.iter().map(|one| one.genes.clone()).collect())
                .collect();
            for (island, generations) in &passed {
                let ranked = generations.last().map_or(&[][..], |generation| &generation.ranked);
                best[*island] = ranked.iter().map(|one| one.genes.clone()).collect();
            }
            let mut islands: Vec<&mut State> = self.islands.iter_mut().collect();
            migrate(&mut islands, &best, self.settings.migrants(), self.settings.topology(), (seed, last));
        }
        (first..=last).filter_map(|number| together(number, &passed)).collect()
    }

    /// Who can be the champion, where that is decided by fresh games: survivors, or the winners of several islands.
    fn candidates(&self) -> Vec<Genome<G>> {
        let survivors = |island: &'_ State| island.population[..self.plan.survivors].to_vec();
        let winner = |island: &State| island.winner.as_ref().map(|winner| settled(winner, island));
        let candidates: Vec<Individual> = match (self.plan.survivors, self.islands.len()) {
            (0, 1) => Vec::new(),
            (0, _) => self.islands.iter().filter_map(winner).collect(),
            _ => self.islands.iter().flat_map(survivors).collect(),
        };
        candidates.iter().map(|one| self.tuner.genome(&one.genes)).collect()
    }

    /// How many games [`champion`](Tuning::champion) takes.
    pub fn choosing_games(&self) -> u64 {
        match self.settings.fitness {
            Fitness::Oracle if self.plan.survivors > 0 => 0,
            _ => self.candidates().len() as u64 * u64::from(CHOOSING_GAMES),
        }
    }

    /// How many games [`measure`](Tuning::measure) takes.
    pub fn measuring_games(&self, validate: bool, winners: usize) -> u64 {
        let validation = if validate { self.settings.validation_games } else { 0 };
        let on_a_side =
            self.choosing_games() / 2 + u64::from(validation) + winners as u64 * u64::from(STRENGTH_GAMES);
        match self.settings.fix_side {
            Some(_) => on_a_side + u64::from(PAR_GAMES),
            None => 2 * on_a_side,
        }
    }

    /// Chooses the champion and measures it and these winners of generations in fresh games. `after` is told how many more games are
    /// over; its error stops the rest.
    pub fn measure<E: Send>(
        &self,
        validate: bool,
        winners: &[(u32, Chromosome)],
        after: &AfterGames<'_, E>,
    ) -> Result<Measured<G>, E> {
        let champion = self.choose(after)?;
        let validation = match validate {
            true => {
                Some(self.against_untrained(&champion, self.settings.validation_games, VALIDATION, after)?)
            }
            false => None,
        };
        let strength = |(generation, genes): &(u32, Chromosome)| {
            let group = STRENGTH | u64::from(*generation);
            let sides = self.against_untrained(&self.tuner.genome(genes), STRENGTH_GAMES, group, after)?;
            Ok((*generation, sides))
        };
        let strength = winners.iter().map(strength).collect::<Result<_, E>>()?;
        Ok(Measured { champion, validation, strength, par: self.par_watched(after)? })
    }

    /// The genome that the run has found: the last winner, or if candidates survive, the survivor that does best against
    /// the untrained values in fresh games, as does the winner of the best of several islands; where the solved game decides, the
    /// one that it ranks first.
    pub fn champion(&self) -> Genome<G> {
        let Ok(champion) = self.choose(&unwatched);
        champion
    }

    fn choose<E: Send>(&self, after: &AfterGames<'_, E>) -> Result<Genome<G>, E> {
        let genome = |individual: &Individual| self.tuner.genome(&individual.genes);
        if let (Fitness::Oracle, true) = (self.settings.fitness, self.plan.survivors > 0) {
            // Of several equals the first, here and below, so that there is only one answer.
            let best = self.islands.iter().map(|island| &island.population[0]).rev();
            let share = |one: &&Individual| one.points * i64::from(POINT) / i64::from(one.games.max(1));
            return Ok(best.max_by_key(share).map_or(self.untrained, genome));
        }
        let points = |(i, genome): (usize, &Genome<G>)| {
            let sides = self.against_untrained(genome, CHOOSING_GAMES / 2, CHOOSING | i as u64, after)?;
            let tally = sides.first + sides.second;
            Ok((2 * tally.wins + tally.draws, *genome))
        };
        let candidates: Vec<(u64, Genome<G>)> =
            self.candidates().iter().enumerate().map(points).collect::<Result<_, E>>()?;
        Ok(match candidates.into_iter().rev().max_by_key(|(points, _)| *points) {
            Some((_, genome)) => genome,
            None => {
                let island = &self.islands[0];
                island.winner.as_ref().map_or(self.untrained, |winner| genome(&settled(winner, island)))
            }
        })
    }

    /// What a player as strong as the untrained values would score against them: one half, or with a fixed side what they
    /// score against themselves on that side.
    pub fn par(&self) -> f64 {
        let Ok(par) = self.par_watched(&unwatched);
        par
    }

    fn par_watched<E: Send>(&self, after: &AfterGames<'_, E>) -> Result<f64, E> {
        match self.settings.fix_side {
            None => Ok(0.5),
            Some(side) => Ok(self.against_untrained(&self.untrained, PAR_GAMES, PAR, after)?[side].score()),
        }
    }

    /// The champion against the untrained values, afresh.
    pub fn validate(&self, champion: &Genome<G>) -> BySide<Tally> {
        let games = self.settings.validation_games;
        let Ok(sides) = self.against_untrained(champion, games, VALIDATION, &unwatched);
        sides
    }

    /// The winner of some generation against the untrained values.
    pub fn strength(&self, generation: u32, genes: &[i32], games: u32) -> BySide<Tally> {
        let group = STRENGTH | u64::from(generation);
        let Ok(sides) = self.against_untrained(&self.tuner.genome(genes), games, group, &unwatched);
        sides
    }

    /// The champion against another genome, afresh, both sides together. `number` tells rivals apart.
    pub fn meet(&self, champion: &Genome<G>, rival: &Genome<G>, number: u64) -> Tally {
        let games = self.settings.validation_games;
        let Ok(sides) = self.against(champion, rival, games, RIVALS | number, &unwatched);
        sides.first + sides.second
    }

    fn against_untrained<E: Send>(
        &self,
        genome: &Genome<G>,
        games: u32,
        group: u64,
        after: &AfterGames<'_, E>,
    ) -> Result<BySide<Tally>, E> {
        self.against(genome, &self.untrained, games, group, after)
    }

    /// So many games on each side (or on the fixed side) against another genome.
    fn against<E: Send>(
        &self,
        genome: &Genome<G>,
        other: &Genome<G>,
        games: u32,
        group: u64,
        after: &AfterGames<'_, E>,
    ) -> Result<BySide<Tally>, E> {
        let meeting = Meeting { settings: self.settings.clone(), genomes: [*genome, *other], group };
        let together = (games / PIECES).max(1);
        let sides =
            Side::BOTH.into_iter().filter(|side| self.settings.fix_side.is_none_or(|fixed| fixed == *side));
        let firsts = |side| (0..games).step_by(together as usize).map(move |first| (side, first));
        let items: Vec<(Side, u32, u32)> =
            sides.flat_map(firsts).map(|(side, first)| (side, first, together.min(games - first))).collect();
        let mut sum = BySide::<Tally>::default();
        let done = |_: usize, counts: &[u64; 3]| after(counts.iter().sum());
        let results = crew::run(&meeting, &items, &|| (), &done)?;
        for ((side, ..), [wins, draws, losses]) in items.iter().zip(results) {
            sum[*side] = sum[*side] + Tally { wins, draws, losses };
        }
        Ok(sum)
    }
}

/// Into about so many pieces the games of a meeting are split on each side.
const PIECES: u32 = 64;

/// Games of one genome against another.
#[derive(Serialize, Deserialize)]
#[serde(bound = "G: Playable")]
pub struct Meeting<G: Playable> {
    settings: Settings,
    genomes: [Genome<G>; 2],
    group: u64,
}

impl<G: Playable> crew::Work for Meeting<G> {
    const KIND: &'static str = "meeting";
    const GAME: &'static str = G::NAME;
    /// On which side the first genome plays, the number of the first game, and how many there are.
    type Item = (Side, u32, u32);
    /// Wins, draws and losses of the first genome.
    type Output = [u64; 3];

    fn run(&self, (side, first, count): &(Side, u32, u32), step: &(dyn Fn() + Sync)) -> [u64; 3] {
        let (tuner, [genome, other]) = (Tuner::new(&self.settings), &self.genomes);
        let one = |game: u32| -> Outcome {
            let mut random = stream(self.settings.seed, self.group, u64::from(game) << 1 | *side as u64);
            let opening = (self.group, u64::from(game));
            match side {
                Side::First => tuner.play(genome, other, opening, &mut random),
                Side::Second => tuner.play(other, genome, opening, &mut random),
            }
        };
        let outcomes: Vec<Outcome> = parallel::map_range(*count as usize, |i| one(first + i as u32));
        let mut tally = Tally::default();
        outcomes.into_iter().for_each(|outcome| tally.add(outcome, *side));
        step();
        [tally.wins, tally.draws, tally.losses]
    }
}

/// The winner of an island with the values at which genes were frozen after it had played.
fn settled(winner: &Individual, island: &State) -> Individual {
    let frozen = winner.genes.iter().zip(&island.frozen);
    let genes = frozen.map(|(gene, frozen)| frozen.map_or(*gene, |frozen| frozen.value)).collect();
    Individual { genes, ..*winner }
}

/// One line of `generations.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct GenerationRow {
    /// The generation.
    pub generation: u32,
    /// The winner's points per game.
    pub winner_score: f64,
    /// Points per game of all.
    pub mean_score: f64,
    /// Games played.
    pub games: u64,
    /// Games drawn.
    pub draws: u64,
    /// Which genes are frozen.
    pub frozen: Vec<String>,
    /// The winner's genes, in points.
    pub winner: Vec<f64>,
    /// The mean of the population, in points.
    pub mean: Vec<f64>,
    /// The standard deviation within the population, in points.
    pub spread: Vec<f64>,
}

impl GenerationRow {
    /// What a generation looks like in the table.
    pub fn new(generation: &Generation, genes: &[GeneInfo]) -> GenerationRow {
        let ranked = &generation.ranked;
        let score = |individual: &Individual| {
            individual.points as f64 / f64::from(POINT) / f64::from(individual.games.max(1))
        };
        let column = |gene: usize| ranked.iter().map(move |individual| f64::from(individual.genes[gene]));
        let size = ranked.len() as f64;
        let mean = |gene: usize| column(gene).sum::<f64>() / size;
        let spread = |gene: usize| {
            let mean = mean(gene);
            (column(gene).map(|value| (value - mean).powi(2)).sum::<f64>() / size).sqrt()
        };
        let points = |value: f64| value / f64::from(POINT);
        GenerationRow {
            generation: generation.number,
            winner_score: score(&ranked[0]),
            mean_score: ranked.iter().map(score).sum::<f64>() / size,
            games: generation.trials.games,
            draws: generation.trials.draws,
            frozen: genes
                .iter()
                .zip(&generation.frozen)
                .filter(|(_, frozen)| **frozen)
                .map(|(gene, _)| gene.to_string())
                .collect(),
            winner: ranked[0].genes.iter().map(|value| points(f64::from(*value))).collect(),
            mean: (0..genes.len()).map(|gene| points(mean(gene))).collect(),
            spread: (0..genes.len()).map(|gene| points(spread(gene))).collect(),
        }
    }

    /// The names of the columns.
    pub fn header(genes: &[GeneInfo]) -> Vec<String> {
        let fixed = ["generation", "winner_score", "mean_score", "games", "draws", "frozen"];
        let named = |what: &'static str| genes.iter().map(move |gene| format!("{what}.{gene}"));
        fixed
            .map(String::from)
            .into_iter()
            .chain(named("winner"))
            .chain(named("mean"))
            .chain(named("spread"))
            .collect()
    }

    /// The row as text.
    pub fn record(&self) -> Vec<String> {
        let mut record = vec![
            self.generation.to_string(),
            format!("{:.4}", self.winner_score),
            format!("{:.4}", self.mean_score),
            self.games.to_string(),
            self.draws.to_string(),
            self.frozen.join(" "),
        ];
        let values = self.winner.iter().chain(&self.mean).chain(&self.spread);
        record.extend(values.map(|value| format!("{value:.3}")));
        record
    }

    /// Reads what [`record`](GenerationRow::record) writes; `None` if it is something else.
    pub fn parse(record: &[&str], genes: &[GeneInfo]) -> Option<GenerationRow> {
        let (fixed, values) = record.split_at_checked(6)?;
        let values: Vec<f64> = values.iter().map(|value| value.parse().ok()).collect::<Option<_>>()?;
        let mut columns = values.chunks(genes.len()).map(<[f64]>::to_vec);
        let gene = |name: &str| genes.iter().map(GeneInfo::to_string).find(|gene| gene == name);
        let row = GenerationRow {
            generation: fixed[0].parse().ok()?,
            winner_score: fixed[1].parse().ok()?,
            mean_score: fixed[2].parse().ok()?,
            games: fixed[3].parse().ok()?,
            draws: fixed[4].parse().ok()?,
            frozen: fixed[5].split_whitespace().map(gene).collect::<Option<_>>()?,
            winner: columns.next()?,
            mean: columns.next()?,
            spread: columns.next()?,
        };
        (values.len() == 3 * genes.len()).then_some(row)
    }
}
