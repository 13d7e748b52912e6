//! Grades as CSV, Markdown and a picture.

use std::fmt::Write as _;

use plotters::style::RGBColor;

use super::picture::{BLUE, Corner, GREEN, Line, ORANGE, Panel, RED, png, title};
use crate::arena::Estimate;
use crate::experiment::{Grade, Share, Source};
use crate::games::Side;

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

const COLORS: [RGBColor; 8] = [
    BLUE,
    RED,
    GREEN,
    ORANGE,
    RGBColor(110, 60, 160),
    RGBColor(90, 90, 90),
    RGBColor(0, 160, 180),
    RGBColor(160, 100, 50),
];

/// Accuracy by depth, a line for each player and a panel for each source.
pub fn grade_picture(rows: &[GradeRow]) -> Vec<u8> {
    let mut names: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|row| row.depth.is_some()) {
        if !names.contains(&row.name.as_str()) {
            names.push(&row.name);
        }
    }
    let deepest = rows.iter().filter_map(|row| row.depth).max().unwrap_or(1);
    png(1500, 620, |area| {
        title(area, "Moves that keep the value of the position, by depth of search (95 % intervals)");
        let (_, below) = area.split_vertically(60);
        for (panel, source) in below.split_evenly((1, 3)).iter().zip(Source::ALL) {
            let share = |row: &GradeRow| {
                let grade = row.grades.iter().find(|(graded, _)| *graded == source)?;
                Some((f64::from(row.depth?), grade.1.kept.estimate()?.map(|share| 100.0 * share)))
            };
            let of = |name: &str| -> Vec<(f64, Estimate)> {
                rows.iter().filter(|row| row.name == name).filter_map(share).collect()
            };
            let lines: Vec<Line> = names
                .iter()
                .zip(COLORS.iter().cycle())
                .map(|(name, color)| {
                    Line::solid(name, *color, of(name).into_iter().map(|(x, y)| (x, y.value)).collect())
                })
                .collect();
            let intervals: Vec<_> = names.iter().flat_map(|name| of(name)).collect();
            let lowest = intervals.iter().map(|(_, share)| share.low).fold(100.0, f64::min);
            // The legend needs room below the lines, which end near the top.
            let bottom = ((lowest - 30.0) / 10.0).floor().max(0.0) * 10.0;
            Panel {
                title: source.name().to_string(),
                x: ("depth", 0.8..f64::from(deepest) + 0.2),
                y: ("value kept, %", bottom..100.0),
                font: 16.0,
            }
            .draw_with_legend(panel, &lines, &[], &intervals, Corner::LowerRight);
        }
    })
}
