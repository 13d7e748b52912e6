//! Weak moves of networks over their cycles, as a table and a picture.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::axis::Axis;
use super::chart::{Figure, Line, Panel};
use super::layout;
use super::picture::{self, Marker, Picture};
use super::table::{TableError, TableFiles};
use crate::learn::alphazero::{CycleRow, Share, Weaknesses};

/// The heads of the columns that tables to read have.
pub(crate) const HEADS: [&str; 3] = ["% of checks not answered", "% into check", "% pieces given away"];

/// What they mean, for a summary.
pub(crate) const MEANING: &str = "Weak moves in the same games, where another move would have been better. Checks not answered: the king was in check and can still be captured, of the moves in check that had an answer. Into check: the king was not in check and can be captured now, of all moves. Pieces given away: the move captures nothing, and the other side can capture a piece that cannot be recaptured, of all moves.";

/// The three shares of [`HEADS`].
pub(crate) fn shares(weaknesses: &Weaknesses) -> [Share; 3] {
    let Weaknesses { moves, checks, unanswered, into_check, given_away } = *weaknesses;
    [(unanswered, checks), (into_check, moves), (given_away, moves)].map(|(count, of)| Share { count, of })
}

/// A line for each cycle.
pub(crate) fn csv(rows: &[CycleRow]) -> String {
    let mut text = String::from("cycle,moves,checks,checks_unanswered,into_check,pieces_given_away\n");
    for CycleRow { cycle, measured, .. } in rows {
        let Weaknesses { moves, checks, unanswered, into_check, given_away } = measured.weaknesses;
        let _ = writeln!(text, "{cycle},{moves},{checks},{unanswered},{into_check},{given_away}");
    }
    text
}

/// Counts of a cycle: moves, checks, and the three kinds of weak moves.
type Counts = [f64; 5];

/// One run is measured with few games a cycle: this many cycles are taken together.
const TOGETHER: usize = 5;

/// A panel for each kind. Where there are several arms a line for each, its seeds taken together.
pub(crate) fn picture(tables: &TableFiles) -> Result<Picture, TableError> {
    let rows = tables.rows(layout::WEAKNESSES)?;
    let has_arms = rows.header().iter().any(|name| name == "arm");
    let mut arms: Vec<(String, BTreeMap<u32, Counts>)> = Vec::new();
    for row in rows.iter() {
        let name = if has_arms { row.text("arm")? } else { "" };
        let counts =
            row.numbers(["moves", "checks", "checks_unanswered", "into_check", "pieces_given_away"])?;
        if arms.last().is_none_or(|(last, _)| last != name) {
            arms.push((name.to_string(), BTreeMap::new()));
        }
        let Some((_, cycles)) = arms.last_mut() else { continue };
        let known = cycles.entry(row.number("cycle")?).or_insert([0.0; 5]);
        *known = sum([*known, counts]);
    }
    let together = if has_arms { 1 } else { TOGETHER };
    let last = arms.iter().flat_map(|(_, cycles)| cycles.keys()).max().copied().unwrap_or(1);
    let kinds = [
        ("Checks not answered", "% of checks that had an answer", (2, 1)),
        ("Moves into check", "% of moves", (3, 0)),
        ("Pieces given away", "% of moves", (4, 0)),
    ];
    let panels = kinds.map(|(title, y, (count, of))| {
        let looks = picture::LINE_COLORS.into_iter().zip(Marker::ALL);
        let line = |((name, cycles), (color, marker)): (&(String, BTreeMap<u32, Counts>), _)| {
            Line::solid(name, color, lately(cycles, together, count, of)).marked(marker)
        };
        let lines: Vec<Line> = arms.iter().zip(looks).map(line).collect();
        let x = if has_arms { "cycle" } else { "cycle (five together)" };
        let heights: Vec<f64> = lines.iter().flat_map(Line::heights).chain([0.0]).collect();
        Panel {
            title: title.to_string(),
            x: Axis::counting(x, f64::from(last)),
            y: Axis::covering(y, heights),
            lines,
        }
    });
    let figure = Figure {
        title: String::new(),
        columns: 3,
        panel: (460.0, 380.0),
        one_legend: true,
        panels: panels.into(),
    };
    Ok(figure.draw(layout::WEAKNESSES_PICTURE))
}

fn sum<const N: usize>(counts: [Counts; N]) -> Counts {
    std::array::from_fn(|place| counts.iter().map(|counts| counts[place]).sum())
}

/// One count as a percentage of another, the last few cycles taken together.
fn lately(cycles: &BTreeMap<u32, Counts>, together: usize, count: usize, of: usize) -> Vec<(f64, f64)> {
    let all: Vec<(&u32, &Counts)> = cycles.iter().collect();
    let point = |last: usize| {
        let part = all[..=last].iter().rev().take(together);
        let total = part.fold([0.0; 5], |total, (_, counts)| sum([total, **counts]));
        (total[of] > 0.0).then(|| (f64::from(*all[last].0), 100.0 * total[count] / total[of]))
    };
    (0..all.len()).filter_map(point).collect()
}
