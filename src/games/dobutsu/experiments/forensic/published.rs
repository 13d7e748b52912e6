//! The numbers that the paper published, as counts.

use super::Counts;
use crate::experiment::{Grid, PaperRun, built_in_settings};
use crate::game::Side;
use crate::games::dobutsu::Position;

/// Whose share Table 1 might show, by which axis moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The share of the player who moves first.
    First {
        /// Whether the rows of the table are the players who move first.
        rows: bool,
    },
    /// The share of the player who moves second.
    Second {
        /// See [`Way::First`].
        rows: bool,
    },
    /// The share of the player who looks further ahead.
    Deeper {
        /// See [`Way::First`].
        rows: bool,
    },
}

impl Way {
    /// Every way.
    pub const ALL: [Way; 6] = [
        Way::First { rows: false },
        Way::First { rows: true },
        Way::Second { rows: false },
        Way::Second { rows: true },
        Way::Deeper { rows: false },
        Way::Deeper { rows: true },
    ];

    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Way::First { rows: false } => "first player's wins, columns move first",
            Way::First { rows: true } => "first player's wins, rows move first",
            Way::Second { rows: false } => "second player's wins, columns move first",
            Way::Second { rows: true } => "second player's wins, rows move first",
            Way::Deeper { rows: false } => "deeper player's wins, columns move first",
            Way::Deeper { rows: true } => "deeper player's wins, rows move first",
        }
    }
}

/// What was published of one match of evolved against untrained values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestNumber {
    /// The name of the evolved values.
    pub genome: &'static str,
    /// The side that they played.
    pub side: Side,
    /// Their results: `first` are their wins.
    pub counts: Counts,
}

/// All of it.
#[derive(Clone, Debug)]
pub struct Published {
    /// Table 1: wins of so many games by row and column; none on the diagonal.
    pub table1: Vec<Vec<Option<u32>>>,
    /// How many games each of its cells stands for.
    pub table1_games: u32,
    /// Tables 2 and 3 together, by row and column: wins of the one who moves first, of the other, draws.
    pub tables23: Vec<Vec<Counts>>,
    /// Tables 5, 7 and 8.
    pub test: Vec<TestNumber>,
}

impl Published {
    /// What the experiments that come with the program say that the paper says.
    pub fn new() -> Published {
        let grid = |name: &str| -> Grid<Position> { built_in_settings::<Position, _>(name, "grid") };
        let [one, two, three] = ["table1", "table2", "table3"].map(grid);
        let wins = |percent: &f64| {
            (!percent.is_nan()).then(|| (percent * one.paper_games as f64 / 100.0).round() as u32)
        };
        let counts = |(first, second): (&f64, &f64)| Counts {
            first: *first as u32,
            second: *second as u32,
            draws: 100 - *first as u32 - *second as u32,
        };
        let rows = two.paper.iter().zip(&three.paper);
        Published {
            table1: one.paper.iter().map(|row| row.iter().map(wins).collect()).collect(),
            table1_games: one.paper_games as u32,
            tables23: rows.map(|(two, three)| two.iter().zip(three).map(counts).collect()).collect(),
            test: test(),
        }
    }

    /// How likely Table 1 is, read this way, if the players of these depths (by first, then second) had these results.
    pub fn table1_likelihood(&self, way: Way, ours: &dyn Fn(usize, usize) -> Counts) -> f64 {
        let mut sum = 0.0;
        for (row, cells) in self.table1.iter().enumerate() {
            for (column, wins) in cells.iter().enumerate() {
                let Some(wins) = wins else { continue };
                let (Way::First { rows } | Way::Second { rows } | Way::Deeper { rows }) = way;
                let (first, second) = if rows { (row, column) } else { (column, row) };
                let counts = ours(first, second);
                let counts = match way {
                    Way::First { .. } => counts,
                    Way::Second { .. } => counts.swapped(),
                    Way::Deeper { .. } if first > second => counts,
                    Way::Deeper { .. } => counts.swapped(),
                };
                sum += counts.log_likelihood_of_wins(*wins, self.table1_games);
            }
        }
        sum
    }
}

impl Default for Published {
    fn default() -> Published {
        Published::new()
    }
}

fn test() -> Vec<TestNumber> {
    let of = |genome, fixed, side| {
        let strength = PaperRun::of::<Position>(fixed).strength(side)?;
        let count = |percent: u32| (f64::from(percent) * strength.games as f64 / 100.0).round() as u32;
        let (wins, draws) = (count(strength.wins), count(strength.draws));
        let counts = Counts { first: wins, draws, second: strength.games as u32 - wins - draws };
        Some(TestNumber { genome, side, counts })
    };
    [
        of("table5", None, Side::First),
        of("table5", None, Side::Second),
        of("table7", Some(Side::First), Side::First),
        of("table8", Some(Side::Second), Side::Second),
    ]
    .into_iter()
    .flatten()
    .collect()
}
