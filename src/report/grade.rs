//! Grades as CSV, Markdown and a picture.

use std::collections::HashSet;
use std::fmt::Write as _;

use plotters::style::RGBColor;

use super::axis::Axis;
use super::chart::{Figure, Line, Panel};
use super::layout;
use super::picture::{BLUE, GREEN, Marker, ORANGE, PURPLE, Picture, RED};
use super::table::{TableError, TableFiles};
use crate::arena::Estimate;
use crate::experiment::{Grade, Share, Source};
use crate::game::Side;

/// The grades of one player.
pub struct GradeRow {
    /// What the player is called.
    pub name: String,
    /// How far it looks ahead, if that is what the row is about.
    pub depth: Option<u32>,
    /// The grade for each source.
    pub grades: Vec<(Source, Grade)>,
}

/// A share in percent with its interval.
pub fn percent(share: Share) -> String {
    match share.estimate() {
        Some(Estimate { value, low, high }) => {
            format!("{:.1} [{:.1}, {:.1}]", 100.0 * value, 100.0 * low, 100.0 * high)
        }
        None => "-".to_string(),
    }
}

/// One line a player, depth and source.
pub fn grade_csv(rows: &[GradeRow]) -> Vec<u8> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let shares = ["win_kept", "draw_kept", "value_kept", "perfect", "blunder_first", "blunder_second"];
    let mut header: Vec<String> = ["player", "depth", "source", "positions"].map(String::from).to_vec();
    for share in shares {
        header.extend(["", "_of", "_low", "_high"].map(|suffix| format!("{share}{suffix}")));
    }
    header.push("plies_given_away".to_string());
    table.write_record(&header).expect("written into memory");
    for row in rows {
        for (source, grade) in &row.grades {
            let depth = row.depth.map_or(String::new(), |depth| depth.to_string());
            let mut record =
                vec![row.name.clone(), depth, source.name().to_string(), grade.perfect.out_of().to_string()];
            let blunders = Side::BOTH.map(|side| grade.blunders[side]);
            for share in
                [grade.wins_kept, grade.draws_kept, grade.kept, grade.perfect, blunders[0], blunders[1]]
            {
                let cells = match share.estimate() {
                    Some(estimate) => {
                        [estimate.value, estimate.low, estimate.high].map(|value| format!("{value:.4}"))
                    }
                    None => [(); 3].map(|()| String::new()),
                };
                let [value, low, high] = cells;
                record.extend([value, share.out_of().to_string(), low, high]);
            }
            record.push(grade.plies_given_away().map_or(String::new(), |plies| format!("{plies:.3}")));
            table.write_record(&record).expect("written into memory");
        }
    }
    table.into_inner().expect("written into memory")
}

/// A Markdown table for one source.
pub fn grade_table(rows: &[GradeRow], source: Source) -> String {
    let mut text = String::from(
        "| player | depth | value kept, % | win kept, % | draw kept, % | perfect, % | plies given away | blunders, first to move, % | second to move, % |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in rows {
        let Some((_, grade)) = row.grades.iter().find(|(graded, _)| *graded == source) else { continue };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.name,
            row.depth.map_or("-".to_string(), |depth| depth.to_string()),
            percent(grade.kept),
            percent(grade.wins_kept),
            percent(grade.draws_kept),
            percent(grade.perfect),
            grade.plies_given_away().map_or("-".to_string(), |plies| format!("{plies:.2}")),
            percent(grade.blunders[Side::First]),
            percent(grade.blunders[Side::Second]),
        );
    }
    text
}

/// How wide the values of a depth are spread, so that their intervals do not lie on each other.
const SPREAD: f64 = 0.36;

const COLORS: [RGBColor; 8] =
    [BLUE, RED, GREEN, ORANGE, PURPLE, RGBColor(90, 90, 90), RGBColor(0, 160, 180), RGBColor(160, 100, 50)];

/// Whether there is anything to draw: the picture shows what depth does.
pub fn has_depths(rows: &[GradeRow]) -> bool {
    rows.iter().any(|row| row.depth.is_some())
}

/// Accuracy by depth, a line for each of these players (or for all) and a panel for each source, from the table of grades.
pub fn grade_picture(tables: &TableFiles, shown: Option<&[&str]>) -> Result<Picture, TableError> {
    let rows = tables.rows(layout::GRADE)?.map(|row| {
        let kept: [Option<f64>; 3] =
            [row.maybe("value_kept")?, row.maybe("value_kept_low")?, row.maybe("value_kept_high")?];
        Ok((
            row.text("player")?.to_string(),
            row.maybe::<u32>("depth")?,
            row.text("source")?.to_string(),
            kept,
        ))
    })?;
    let is_shown = |name: &str| shown.is_none_or(|shown| shown.contains(&name));
    let rows: Vec<(String, u32, String, [f64; 3])> = rows
        .into_iter()
        .filter(|(name, ..)| is_shown(name))
        .filter_map(|(name, depth, source, kept)| {
            let [Some(value), Some(low), Some(high)] = kept else { return None };
            Some((name, depth?, source, [value, low, high].map(|share| 100.0 * share)))
        })
        .collect();
    let mut names: Vec<&str> = rows.iter().map(|(name, ..)| name.as_str()).collect();
    let mut met = HashSet::new();
    names.retain(|name| met.insert(*name));
    let depths = rows.iter().map(|(_, depth, ..)| *depth);
    let (first, last) = (depths.clone().min().unwrap_or(1), depths.max().unwrap_or(1));
    let panel = |source: Source| {
        let line = |(number, name): (usize, &&str)| {
            let aside = SPREAD * ((number as f64 + 0.5) / names.len() as f64 - 0.5);
            let own = rows.iter().filter(|(of, _, from, _)| of == name && from == source.name());
            let points: Vec<(f64, [f64; 3])> =
                own.map(|(_, depth, _, kept)| (f64::from(*depth) + aside, *kept)).collect();
            let color = COLORS[number % COLORS.len()];
            Line::solid(name, color, points.iter().map(|(x, [value, ..])| (*x, *value)).collect())
                .marked(Marker::ALL[number % Marker::ALL.len()])
                .with_bars(points.iter().map(|(x, [_, low, high])| (*x, [*low, *high])).collect())
        };
        Panel {
            title: source.name().to_string(),
            x: Axis::steps("depth of search, plies", first, last),
            // The same for all panels.
            y: Axis::covering("value kept, %", rows.iter().flat_map(|(.., kept)| *kept).chain([100.0])),
            lines: names.iter().enumerate().map(line).collect(),
        }
    };
    let figure = Figure {
        title: "Moves that keep the value of the position by the solved game (95 % intervals)".to_string(),
        columns: 3,
        panel: (440.0, 480.0),
        one_legend: true,
        panels: Source::ALL.map(panel).into(),
    };
    Ok(figure.draw("grade"))
}
