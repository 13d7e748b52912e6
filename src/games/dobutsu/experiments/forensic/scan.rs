//! Plays every combination, chooses on Tables 1 to 3, tests on 5, 7 and 8.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::deal::Tables;
use super::{Counts, ForensicWork, Published, Way, World};
use crate::experiment::{Store, kept};
use crate::files::FileError;
use crate::game::Side;
use crate::games::dobutsu::eval::{
    CheckReading, CountedFor, DobutsuEvaluator, Genome, MobilityReading, Readings, TryReading,
};
use crate::random::stream;

/// How mobility can be read, and for whom it counts.
pub(super) const MOBILITIES: usize = 12 * 3;
/// How check and try can be read, and for whom each counts.
pub(super) const OTHERS: usize = 3 * 3 * 8 * 3;
/// The depth at which Tables 2 and 3 were played.
const DEPTH: u32 = 2;
/// The depths of Table 1.
const DEPTHS: [u32; 4] = [2, 3, 4, 5];
/// The depths at which the evolved values may have been played: the paper's text has both.
pub const TEST_DEPTHS: [u32; 2] = [2, 3];

/// The cells of Tables 2 and 3 that need no check or try, and those that do: first and second player's evaluator.
pub(super) const WITH_MOBILITY: [(usize, usize); 3] = [(2, 1), (1, 2), (2, 2)];
pub(super) const WITH_ALL: [(usize, usize); 5] = [(3, 1), (1, 3), (3, 3), (3, 2), (2, 3)];

/// The readings of these two numbers.
fn readings(mobility: usize, other: usize) -> Readings {
    let (check, try_) = (other / 24, other % 24);
    Readings {
        mobility: MobilityReading::ALL[mobility / 3],
        mobility_for: CountedFor::ALL[mobility % 3],
        check: CheckReading::ALL[check / 3],
        check_for: CountedFor::ALL[check % 3],
        try_: TryReading::ALL[try_ / 3],
        try_for: CountedFor::ALL[try_ % 3],
    }
}

/// How many steps [`run`] tells of.
pub fn steps(work: &ForensicWork) -> usize {
    World::all().len() * (2 + work.mobilities) + 1
}

/// What does not depend on readings of features.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plain {
    /// Table 1 by the first, then the second player's depth.
    pub table1: Vec<Vec<Counts>>,
    /// Evaluator 1 against itself.
    pub ones: Counts,
}

/// All readings of check and try beside one of mobility.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Scanned {
    pub(super) mobility: [Counts; 3],
    pub(super) all: Vec<[Counts; 5]>,
}

/// The evolved values against the untrained ones, in the order of [`Published::test`].
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Tested {
    by_depth: Vec<Vec<Counts>>,
}

/// A combination that was played again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Finalist {
    /// The number of its world.
    pub world: usize,
    mobility: usize,
    other: usize,
    /// By first, then second evaluator.
    pub cells: Vec<Vec<Counts>>,
    /// How many different games there are among a hundred of each evaluator against itself.
    pub distinct: [usize; 3],
}

impl Finalist {
    /// How it reads the features.
    pub fn readings(&self) -> Readings {
        readings(self.mobility, self.other)
    }
}

/// How the evolved values did in one world at one depth.
#[derive(Clone, Debug)]
pub struct Test {
    /// The number of the world.
    pub world: usize,
    /// How far both looked ahead.
    pub depth: u32,
    /// In the order of [`Published::test`]: their wins are `first`.
    pub counts: Vec<Counts>,
    /// The logarithm of the probability of what was published.
    pub likelihood: f64,
    /// Root mean square of the differences of wins and draws, in points.
    pub distance: f64,
    /// How often sampling alone would be as far off (a G-test).
    pub chance: f64,
    /// Of the ways to deal the published numbers out to the matches, the share that fits at least as well.
    pub permuted: f64,
}

/// Everything that came out.
pub struct Forensic {
    /// What was published.
    pub published: Published,
    /// What was tried.
    pub worlds: Vec<World>,
    /// By world.
    pub plain: Vec<Plain>,
    /// By world: the way to read Table 1 that fits best, and its likelihood.
    pub table1: Vec<(Way, f64)>,
    /// By world: the best likelihood of Tables 2 and 3 over all readings, judged by the games of the scan.
    pub scanned: Vec<f64>,
    /// The best combinations, best first, with whether rows move first in Tables 2 and 3, their likelihood there, and with
    /// that of Table 1.
    pub finalists: Vec<(Finalist, bool, f64, f64)>,
    /// The evolved values, by world and depth.
    pub tests: Vec<Test>,
    /// How likely the published test numbers would be for a program that has just these shares.
    pub perfect_test: f64,
    /// The best likelihood of all that was scanned, and the same for each deal of the published numbers.
    pub scan_best: f64,
    /// See `scan_best`.
    pub null: Vec<f64>,
    /// How many combinations were tried.
    pub tried: usize,
}

impl Forensic {
    /// The share of deals of the published numbers that some combination fits as well as the real ones.
    pub fn null_share(&self) -> f64 {
        let as_good = self.null.iter().filter(|other| **other >= self.scan_best).count();
        (as_good + 1) as f64 / (self.null.len() + 1) as f64
    }

    /// The tests of the world that Tables 1 to 3 choose.
    pub fn chosen(&self) -> Vec<&Test> {
        let world = self.finalists.first().map_or(0, |(finalist, ..)| finalist.world);
        self.tests.iter().filter(|test| test.world == world).collect()
    }

    /// The test that comes closest to what was published.
    pub fn closest(&self) -> Option<&Test> {
        self.tests.iter().max_by(|a, b| a.likelihood.total_cmp(&b.likelihood))
    }

    /// Whether the world that Tables 1 to 3 choose explains Tables 5, 7 and 8: sampling must, at one of the depths tried.
    pub fn is_explained(&self) -> bool {
        let tried = TEST_DEPTHS.len() as f64;
        self.chosen().iter().any(|test| test.chance >= 0.05 / tried)
    }
}

/// All of it, on all threads.
pub fn run(work: &ForensicWork, store: &dyn Store) -> Result<Forensic, FileError> {
    let published = Published::new();
    let worlds = World::all();
    let (mut plain, mut scans, mut tests) = (Vec::new(), Vec::new(), Vec::new());
    for (number, world) in worlds.iter().enumerate() {
        plain.push(kept(store, &format!("plain-{number}"), || Ok(play_plain(work, number, world)))?);
        let tested =
            kept(store, &format!("test-{number}"), || Ok(play_test(work, number, world, &published)))?;
        for (depth, counts) in TEST_DEPTHS.into_iter().zip(tested.by_depth) {
            tests.push(judge_test(&published, number, depth, counts));
        }
        let scan = |mobility: usize| {
            kept(store, &format!("scan-{number}-{mobility}"), || Ok(play_scan(work, number, world, mobility)))
        };
        scans.push((0..work.mobilities).map(scan).collect::<Result<Vec<Scanned>, FileError>>()?);
    }
    let table1: Vec<(Way, f64)> = plain.iter().map(|plain| best_way(&published, plain)).collect();
    let tables = Tables::new(&published, &plain, &scans);
    let identity = tables.deal(None);
    let scanned = (0..worlds.len()).map(|world| tables.best(world, &identity).1).collect();
    let entrants = tables.entrants(&identity, work.finalists);
    let finalists =
        kept(store, "finalists", || Ok(play_finalists(work, &worlds, &plain, &scans, &entrants)))?;
    let mut finalists: Vec<(Finalist, bool, f64, f64)> = finalists
        .into_iter()
        .map(|finalist| {
            let (rows, likelihood) = judge_cells(&published, &finalist.cells);
            let both = likelihood + table1[finalist.world].1;
            (finalist, rows, likelihood, both)
        })
        .collect();
    finalists.sort_by(|a, b| b.3.total_cmp(&a.3));
    let deals: Vec<u32> = (0..work.permutations).collect();
    let null = deals
        .par_iter()
        .map(|deal| tables.best_of_all(&tables.deal(Some(&mut stream(work.seed, 7, u64::from(*deal))))))
        .collect();
    Ok(Forensic {
        scan_best: tables.best_of_all(&identity),
        perfect_test: published.test.iter().map(|number| perfect(&number.counts)).sum(),
        tried: worlds.len() * work.mobilities * OTHERS * 2 * Way::ALL.len(),
        published,
        worlds,
        plain,
        table1,
        scanned,
        finalists,
        tests,
        null,
    })
}

/// Streams of random numbers: one for each pair of players.
fn group(world: usize, mobility: usize, other: usize, cell: usize) -> u64 {
    (((world * (MOBILITIES + 1) + mobility) * (OTHERS + 1) + other) * 64 + cell) as u64
}

fn play_plain(work: &ForensicWork, number: usize, world: &World) -> Plain {
    let pieces = world.evaluator(1, Readings::DEFAULT);
    let play = |first: u32, second: u32, cell: usize| {
        let group = group(number, MOBILITIES, 0, cell);
        world.play_many([(pieces, first), (pieces, second)], work.table1_games, work.seed, group)
    };
    let row = |(i, first): (usize, &u32)| {
        DEPTHS.iter().enumerate().map(|(j, second)| play(*first, *second, 4 * i + j)).collect()
    };
    Plain { table1: DEPTHS.iter().enumerate().map(row).collect(), ones: play(DEPTH, DEPTH, 16) }
}

fn play_test(work: &ForensicWork, number: usize, world: &World, published: &Published) -> Tested {
    let untrained = world.evaluator(1, Readings::DEFAULT);
    let play = |depth: u32, cell: usize, genome: &str, side: Side| {
        let evolved = DobutsuEvaluator::new(Genome::named(genome).unwrap_or(Genome::BASE));
        let (evolved, untrained) = ((evolved, depth), (untrained, depth));
        let group = group(number, MOBILITIES, 1, cell);
        match side {
            Side::First => world.play_many([evolved, untrained], work.test_games, work.seed, group),
            Side::Second => {
                world.play_many([untrained, evolved], work.test_games, work.seed, group).swapped()
            }
        }
    };
    let at = |depth: u32| {
        let numbers = published.test.iter().enumerate();
        numbers.map(|(i, test)| play(depth, 8 * depth as usize + i, test.genome, test.side)).collect()
    };
    Tested { by_depth: TEST_DEPTHS.map(at).to_vec() }
}

fn judge_test(published: &Published, world: usize, depth: u32, counts: Vec<Counts>) -> Test {
    let fit = |order: &[usize]| -> f64 {
        counts.iter().zip(order).map(|(ours, i)| ours.log_likelihood(&published.test[*i].counts)).sum()
    };
    let natural: Vec<usize> = (0..counts.len()).collect();
    let likelihood = fit(&natural);
    let orders = permutations(&natural);
    let as_good = orders.iter().filter(|order| fit(order) >= likelihood).count();
    let percent = |counts: &Counts| {
        [counts.first, counts.draws].map(|count| 100.0 * f64::from(count) / f64::from(counts.games()))
    };
    let squares = counts.iter().zip(&published.test).flat_map(|(ours, test)| {
        let (ours, theirs) = (percent(ours), percent(&test.counts));
        [(ours[0] - theirs[0]).powi(2), (ours[1] - theirs[1]).powi(2)]
    });
    let distance = (squares.sum::<f64>() / (2.0 * counts.len() as f64)).sqrt();
    let chance = g_test(&counts, published);
    Test {
        world,
        depth,
        likelihood,
        distance,
        chance,
        permuted: as_good as f64 / orders.len() as f64,
        counts,
    }
}

/// How often two samples of the same shares differ as much as ours and the published ones: two free shares a match.
fn g_test(counts: &[Counts], published: &Published) -> f64 {
    use statrs::distribution::{ChiSquared, ContinuousCDF};
    let classes = |counts: &Counts| [counts.first, counts.second, counts.draws].map(f64::from);
    let mut g = 0.0;
    for (ours, theirs) in counts.iter().zip(&published.test) {
        let (ours, theirs) = (classes(ours), classes(&theirs.counts));
        let (all, both) = (ours.iter().sum::<f64>(), theirs.iter().sum::<f64>());
        for i in 0..3 {
            let pooled = (ours[i] + theirs[i]) / (all + both);
            let part = |count: f64, games: f64| {
                if count == 0.0 { 0.0 } else { 2.0 * count * (count / (games * pooled)).ln() }
            };
            g += part(ours[i], all) + part(theirs[i], both);
        }
    }
    let degrees = 2.0 * counts.len() as f64;
    ChiSquared::new(degrees).map_or(1.0, |chi| 1.0 - chi.cdf(g))
}

/// The likelihood of a result for a program whose shares are just these.
fn perfect(counts: &Counts) -> f64 {
    const MANY: u32 = 1_000_000;
    let share = |count: u32| (u64::from(count) * u64::from(MANY) / u64::from(counts.games())) as u32;
    let ours =
        Counts { first: share(counts.first), second: share(counts.second), draws: share(counts.draws) };
    ours.log_likelihood(counts)
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    let Some((first, rest)) = items.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for shorter in permutations(rest) {
        for at in 0..=shorter.len() {
            let mut longer = shorter.clone();
            longer.insert(at, *first);
            all.push(longer);
        }
    }
    all
}

fn play_scan(work: &ForensicWork, number: usize, world: &World, mobility: usize) -> Scanned {
    // Without check and try it does not matter how they are read.
    let evaluator =
        |which: usize, other: usize| (world.evaluator(which, readings(mobility, other % OTHERS)), DEPTH);
    let play = |(first, second): (usize, usize), other: usize, cell: usize, games: u32| {
        let players = [evaluator(first, other), evaluator(second, other)];
        world.play(players, 0..games, work.seed, group(number, mobility, other, cell))
    };
    let cells: Vec<Counts> = WITH_MOBILITY
        .par_iter()
        .enumerate()
        .map(|(cell, pair)| play(*pair, OTHERS, cell, work.mobility_games))
        .collect();
    let all = (0..OTHERS)
        .into_par_iter()
        .map(|other| {
            let mut counts = [Counts::default(); 5];
            for (cell, pair) in WITH_ALL.into_iter().enumerate() {
                counts[cell] = play(pair, other, cell, work.scan_games);
            }
            counts
        })
        .collect();
    Scanned { mobility: [cells[0], cells[1], cells[2]], all }
}

/// Those that did best play again: fresh games, many more.
fn play_finalists(
    work: &ForensicWork,
    worlds: &[World],
    plain: &[Plain],
    scans: &[Vec<Scanned>],
    entrants: &[(usize, usize, usize)],
) -> Vec<Finalist> {
    let play = |(number, mobility, other): &(usize, usize, usize)| {
        let world = &worlds[*number];
        let evaluator = |which: usize| (world.evaluator(which, readings(*mobility, *other)), DEPTH);
        let mut cells = vec![vec![Counts::default(); 3]; 3];
        cells[0][0] = plain[*number].ones;
        for (cell, (first, second)) in WITH_MOBILITY.into_iter().enumerate() {
            cells[first - 1][second - 1] = scans[*number][*mobility].mobility[cell];
        }
        for (cell, (first, second)) in WITH_ALL.into_iter().enumerate() {
            let players = [evaluator(first), evaluator(second)];
            let group = group(*number, *mobility, *other, 32 + cell);
            cells[first - 1][second - 1] = world.play_many(players, work.final_games, work.seed, group);
        }
        let distinct = [1, 2, 3].map(|which| {
            let group = group(*number, *mobility, *other, 48 + which);
            world.distinct([evaluator(which), evaluator(which)], work.seed, group)
        });
        Finalist { world: *number, mobility: *mobility, other: *other, cells, distinct }
    };
    entrants.par_iter().map(play).collect()
}

pub(super) fn best_way(published: &Published, plain: &Plain) -> (Way, f64) {
    let fit =
        |way: Way| (way, published.table1_likelihood(way, &|first, second| plain.table1[first][second]));
    let all = Way::ALL.map(fit);
    all.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or(all[0])
}

/// Whether rows move first in Tables 2 and 3, whichever fits better, and how well it fits.
fn judge_cells(published: &Published, cells: &[Vec<Counts>]) -> (bool, f64) {
    let fit = |rows: bool| -> f64 {
        let cell = |i: usize| {
            let (first, second) = (i / 3, i % 3);
            let (row, column) = if rows { (first, second) } else { (second, first) };
            cells[first][second].log_likelihood(&published.tables23[row][column])
        };
        (0..9).map(cell).sum()
    };
    let (columns, rows) = (fit(false), fit(true));
    if rows > columns { (true, rows) } else { (false, columns) }
}
