//! Plays a grid of players against each other and sets the result beside the paper's table.

use std::collections::HashSet;

use super::{Grid, Measure};
use crate::arena::{
    Conditions, Estimate, Pairing, Played, Tally, play_all, predictive_interval, rate_interval,
};
use crate::game::{Game, Limits, Side};
use crate::players::{Playable, SpecError};

/// Which axis of the paper's table holds the player who moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Columns, as the table's header says.
    ColumnsFirst,
    /// Rows, as the caption of Table 1 says.
    RowsFirst,
}

impl Reading {
    /// Both.
    pub const BOTH: [Reading; 2] = [Reading::ColumnsFirst, Reading::RowsFirst];

    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Reading::ColumnsFirst => "columns move first",
            Reading::RowsFirst => "rows move first",
        }
    }
}

/// One cell: a first player, a second player, and how they fared.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The number of the player who moved first.
    pub first: usize,
    /// The number of the player who moved second.
    pub second: usize,
    /// The first player's results.
    pub tally: Tally,
    /// Plies a game, on average.
    pub plies: f64,
    /// How many of the games differ.
    pub distinct: usize,
}

impl Cell {
    /// How many games count for a measure.
    pub fn count(&self, measure: Measure) -> u64 {
        match measure {
            Measure::FirstWins | Measure::FirstDecided => self.tally.wins,
            Measure::SecondWins => self.tally.losses,
        }
    }

    /// Of how many games that is a share.
    pub fn of(&self, measure: Measure) -> u64 {
        match measure {
            Measure::FirstWins | Measure::SecondWins => self.tally.games(),
            Measure::FirstDecided => self.tally.wins + self.tally.losses,
        }
    }

    /// The share that a measure names.
    pub fn rate(&self, measure: Measure) -> Estimate {
        rate_interval(self.count(measure), self.of(measure))
    }
}

/// How well one reading of the paper's table fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Cells of the paper that sampling explains.
    pub inside: usize,
    /// Cells that the paper has.
    pub cells: usize,
    /// Root of the mean squared difference, in percentage points.
    pub distance: f64,
}

/// What a grid experiment gives.
#[derive(Clone, Debug)]
pub struct GridResult<G: Game> {
    /// What was to be played.
    pub grid: Grid<G>,
    /// Row by row: for each second player, every first player.
    pub cells: Vec<Cell>,
}

impl<G: Playable> GridResult<G> {
    /// What the paper says of a cell under a reading, in percent.
    pub fn paper(&self, cell: &Cell, reading: Reading) -> Option<f64> {
        let paper = &self.grid.paper;
        let (row, column) = match reading {
            Reading::ColumnsFirst => (cell.second, cell.first),
            Reading::RowsFirst => (cell.first, cell.second),
        };
        paper.get(row).map(|row| row[column]).filter(|percent| !percent.is_nan())
    }

    /// Between which percentages the paper's value should lie in 95 % of all cases, given ours.
    pub fn explained(&self, cell: &Cell) -> (f64, f64) {
        let grid = &self.grid;
        let (count, of) = (cell.count(grid.measure), cell.of(grid.measure));
        let (low, high) = predictive_interval(count, of, grid.paper_games);
        let percent = |count: u64| 100.0 * count as f64 / grid.paper_games as f64;
        (percent(low), percent(high))
    }

    /// Whether one of the players of a cell is a reconstruction.
    pub fn is_reconstruction(&self, cell: &Cell) -> bool {
        let Grid { players, reconstructions, .. } = &self.grid;
        [cell.first, cell.second].iter().any(|player| reconstructions.contains(&players[*player]))
    }

    /// Whether sampling explains the paper's value of a cell; `None` where the paper has none, or its players are not known.
    pub fn is_explained(&self, cell: &Cell, reading: Reading) -> Option<bool> {
        if self.is_reconstruction(cell) {
            return None;
        }
        let (low, high) = self.explained(cell);
        self.paper(cell, reading).map(|percent| (low..=high).contains(&percent))
    }

    /// How well a reading fits over all cells.
    pub fn fit(&self, reading: Reading) -> Fit {
        let measure = self.grid.measure;
        let mut fit = Fit { inside: 0, cells: 0, distance: 0.0 };
        for cell in &self.cells {
            let (Some(paper), Some(explained)) =
                (self.paper(cell, reading), self.is_explained(cell, reading))
            else {
                continue;
            };
            fit.cells += 1;
            fit.inside += usize::from(explained);
            fit.distance += (100.0 * cell.rate(measure).value - paper).powi(2);
        }
        fit.distance = (fit.distance / fit.cells.max(1) as f64).sqrt();
        fit
    }

    /// The readings that make sense: where only some play second, the table itself says who that is.
    pub fn readings(&self) -> &'static [Reading] {
        if self.grid.seconds.is_some() { &[Reading::ColumnsFirst] } else { &Reading::BOTH }
    }

    /// The reading with the smaller distance.
    pub fn better_reading(&self) -> Reading {
        if let [only] = self.readings() {
            return *only;
        }
        let [columns, rows] = Reading::BOTH.map(|reading| self.fit(reading).distance);
        if rows < columns { Reading::RowsFirst } else { Reading::ColumnsFirst }
    }
}

/// Plays all games of the grid on all threads, cell by cell; `done` is told of each game's end.
pub fn play_grid<G: Playable>(grid: &Grid<G>, done: &(dyn Fn() + Sync)) -> Result<Vec<Played<G>>, SpecError> {
    let players = grid.players()?;
    let size = players.len();
    let pairing = |i: usize| Pairing { first: i % size, second: i / size, games: grid.games, swap: false };
    let pairings: Vec<Pairing> = (0..size * grid.rows()).map(pairing).collect();
    let limits = Limits { ply_cap: grid.ply_cap, repetition: grid.repetition };
    let conditions = Conditions { array: grid.array, limits, ..Conditions::new(grid.rules, grid.seed) };
    Ok(play_all(&players, &pairings, &conditions, done))
}

/// Plays the grid and counts what came out.
pub fn run_grid<G: Playable>(grid: &Grid<G>, done: &(dyn Fn() + Sync)) -> Result<GridResult<G>, SpecError> {
    let cells = play_grid(grid, done)?
        .chunks(grid.games)
        .map(|games| {
            let mut tally = Tally::default();
            games.iter().for_each(|game| tally.add(game.scored.verdict.outcome, Side::First));
            let plies: usize = games.iter().map(|game| game.scored.plies).sum();
            let plies = plies as f64 / games.len() as f64;
            let distinct = games.iter().map(|game| game.scored.fingerprint).collect::<HashSet<_>>().len();
            Cell { first: games[0].scored.first, second: games[0].scored.second, tally, plies, distinct }
        })
        .collect();
    Ok(GridResult { grid: grid.clone(), cells })
}
