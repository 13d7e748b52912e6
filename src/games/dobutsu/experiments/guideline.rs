//! What are the pieces worth? Weights fitted to the solved game, and how they do as players and as judges beside the paper's
//! values and our champions.

use rayon::prelude::*;

use crate::arena::{Conditions, Estimate, Openings, Standings, match_pairing, play_all, score_interval};
use crate::experiment::{
    FirstMistakes, Grade, Grader, Grid, Sample, Source, built_in_prose, built_in_settings, first_mistakes,
    game_positions, play_grid,
};
use crate::game::Side;
use crate::games::dobutsu::eval::{Gene, Genome, MobilityReading};
use crate::games::dobutsu::fit::{FITTED, Fitted, Leaf, Weight, fit, fit_games};
use crate::games::dobutsu::solve::Table;
use crate::games::dobutsu::{Position, Rules};
use crate::players::{PlayerSpec, SpecError};
use crate::random::stream;

/// The rules under which everything is measured: the paper's.
const RULES: Rules = Rules::Paper;
/// Where all chance comes from.
const SEED: u64 = 1;
/// How many positions a fit rests on.
const FIT_POSITIONS: usize = 1_000_000;
/// How many positions of each source a player is graded on.
const GRADE_POSITIONS: usize = 1_000;
/// With how many seeds the games are played that positions come from.
const GRADE_SEEDS: usize = 5;
/// At which depth, how many games and after how many random moves (to a drawn position) each player meets the untrained values.
const DUELS: [(u32, usize, usize); 4] = [(2, 10_000, 4), (4, 2_000, 4), (2, 10_000, 0), (4, 2_000, 0)];

/// One fit.
pub struct FitColumn {
    /// The name of its genome file.
    pub name: String,
    /// Which positions.
    pub sample: Sample,
    /// With which side to move; none: sides are alike.
    pub side: Option<Side>,
    /// Where features are counted.
    pub leaf: Leaf,
    /// What came out.
    pub fitted: Fitted,
}

/// A player against the untrained values at equal depth.
pub struct Duel {
    /// How it is called.
    pub player: String,
    /// How far both look ahead.
    pub depth: u32,
    /// How many games.
    pub games: usize,
    /// How many random moves begin each pair of games, to a position that is drawn with perfect play.
    pub opening_plies: usize,
    /// Its score with a 95 % interval.
    pub score: Estimate,
}

/// A player's grade at some depth.
pub struct Judged {
    /// How it is called.
    pub player: String,
    /// How far it looks ahead.
    pub depth: u32,
    /// By source.
    pub grades: Vec<(Source, Grade)>,
}

/// Everything on the page.
pub struct Guideline {
    /// The fits.
    pub fits: Vec<FitColumn>,
    /// The matches.
    pub duels: Vec<Duel>,
    /// The grades.
    pub judged: Vec<Judged>,
    /// For each experiment of the paper that plays games: its title, and where they went wrong.
    pub mistakes: Vec<(String, FirstMistakes)>,
}

/// Answers all of it; `done` is told of each step.
pub fn guideline(table: &Table, done: &(dyn Fn(&str) + Sync)) -> Result<Guideline, SpecError> {
    let fits = fits(table, done);
    let mut players: Vec<(String, Genome)> = vec![("untrained".to_string(), Genome::BASE)];
    let mut moves = Genome::MOBILITY;
    moves.readings.mobility = MobilityReading::Moves;
    players.extend(
        [("mobility", Genome::MOBILITY), ("mobility-moves", moves), ("full", Genome::FULL)]
            .map(|(name, genome)| (name.to_string(), genome)),
    );
    let named = |name: &str| Genome::named(name).map(|genome| (name.to_string(), genome));
    players.extend(
        ["table5", "table7", "table8", "robust", "robust-full", "oracle"].into_iter().filter_map(named),
    );
    players.extend(
        fits.iter().filter(|fit| fit.side.is_none()).map(|fit| (fit.name.clone(), fit.fitted.genome())),
    );
    let mut duels = Vec::new();
    for (name, genome) in &players[1..] {
        for (depth, games, opening_plies) in DUELS {
            duels.push(duel(name, genome, depth, games, opening_plies));
        }
        done(&format!("{name} against the untrained values"));
    }
    let grader = Grader { solution: table, seed: SEED, positions: GRADE_POSITIONS, seeds: GRADE_SEEDS };
    let mut judged = Vec::new();
    for (name, genome) in &players {
        for depth in 1..=6 {
            // The deeper a search, the fewer positions in the same time.
            let grader =
                Grader { positions: if depth > 4 { GRADE_POSITIONS / 5 } else { GRADE_POSITIONS }, ..grader };
            let player = PlayerSpec::searching(name, *genome, depth);
            let graded = |source| grader.grade(&player, source).expect("our own players never fail");
            let grades = Source::ALL.map(|source| (source, graded(source))).to_vec();
            judged.push(Judged { player: name.clone(), depth, grades });
        }
        done(&format!("grades of {name}"));
    }
    let mut mistakes = Vec::new();
    for name in ["table1", "table2"] {
        let title = built_in_prose::<Position>(name).expect("it comes with the program").title;
        let grid: Grid<Position> = built_in_settings::<Position, _>(name, "grid");
        let games = play_grid(&grid, &|| ())?;
        mistakes.push((title, first_mistakes(table, grid.array.start(grid.rules), &games)));
        done(&format!("mistakes in {name}"));
    }
    Ok(Guideline { fits, duels, judged, mistakes })
}

/// Pieces alone and with features; any position there is and positions of games by side; at the position and at quiet leaves.
fn fits(table: &Table, done: &(dyn Fn(&str) + Sync)) -> Vec<FitColumn> {
    let mut random = stream(SEED, 9, 0);
    // Any position there is stands for itself.
    let all: Vec<Vec<Position>> = vec![(0..FIT_POSITIONS).map(|_| table.any_position(&mut random)).collect()];
    let games = |side| game_positions(RULES, SEED, FIT_POSITIONS, side);
    let samples = [
        ("all", Sample::All, None, all),
        ("games", Sample::Games, None, games(None)),
        ("games-first", Sample::Games, Some(Side::First), games(Some(Side::First))),
        ("games-second", Sample::Games, Some(Side::Second), games(Some(Side::Second))),
    ];
    let mut columns = Vec::new();
    for (name, sample, side, positions) in &samples {
        for leaf in [Leaf::Position, Leaf::Quiet] {
            for genes in [FITTED.split_at(7).0, &FITTED] {
                let fitted = match sample {
                    Sample::All => fit(table, positions.par_iter().flatten().copied(), genes, leaf),
                    Sample::Games => fit_games(table, positions, genes, leaf),
                };
                let at = if leaf == Leaf::Quiet { "-quiet" } else { "" };
                let full = if genes.len() > 7 { "-full" } else { "" };
                let name = format!("fit-{name}{at}{full}");
                done(&name);
                columns.push(FitColumn { name, sample: *sample, side: *side, leaf, fitted });
            }
        }
    }
    columns
}

fn duel(name: &str, genome: &Genome, depth: u32, games: usize, opening_plies: usize) -> Duel {
    let players = [
        PlayerSpec::searching(name, *genome, depth),
        PlayerSpec::searching("untrained", Genome::BASE, depth),
    ];
    let pairings = match_pairing(games);
    let conditions = Conditions { opening_plies, openings: Openings::Drawn, ..Conditions::new(RULES, SEED) };
    let played = play_all(&players, &pairings, &conditions, &|| ());
    let played: Vec<_> = played.iter().map(|game| game.scored).collect();
    let standings = Standings::new(2, &pairings, &played);
    let score = score_interval(&standings.total(0), &standings.pairs[0]);
    Duel { player: name.to_string(), depth, games, opening_plies, score }
}

impl Guideline {
    /// The fit of this name.
    pub fn fit(&self, name: &str) -> Option<&FitColumn> {
        self.fits.iter().find(|fit| fit.name == name)
    }

    /// The weight of a gene in a fit.
    pub fn weight(&self, name: &str, gene: Gene) -> Option<Weight> {
        let fitted = &self.fit(name)?.fitted;
        Some(fitted.weights[fitted.genes.iter().position(|known| *known == gene)?])
    }
}
