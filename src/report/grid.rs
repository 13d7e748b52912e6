//! The files of a grid experiment: `table.csv`, `table.md`, `table.png`.

use std::fmt::Write;

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::picture::{self, png};
use crate::experiment::{Cell, Definition, GridResult, Measure, Reading};
use crate::players::Playable;

/// Names and contents of the files.
pub fn grid_files<G: Playable>(
    definition: &Definition<G>,
    result: &GridResult<G>,
) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("table.csv", csv(result)),
        ("table.md", grid_markdown(definition, result).into_bytes()),
        ("table.png", heat_map(&definition.title, result)),
    ]
}

fn csv<G: Playable>(result: &GridResult<G>) -> Vec<u8> {
    let grid = &result.grid;
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = "version,rules,seed,first,second,games,first_wins,second_wins,draws,plies,measure,ours_percent,low,high,\
                  explained_low,explained_high,paper_columns_first,inside_columns_first,paper_rows_first,inside_rows_first";
    writer.write_record(header.split(',')).expect("writing into memory does not fail");
    for cell in &result.cells {
        let rate = cell.rate(grid.measure).map(|rate| 100.0 * rate);
        let (low, high) = result.explained(cell);
        let mut record = vec![
            env!("CARGO_PKG_VERSION").to_string(),
            grid.rules.to_string(),
            grid.seed.to_string(),
            grid.players[cell.first].clone(),
            grid.players[cell.second].clone(),
            cell.tally.games().to_string(),
            cell.tally.wins.to_string(),
            cell.tally.losses.to_string(),
            cell.tally.draws.to_string(),
            format!("{:.1}", cell.plies),
            grid.measure.name().to_string(),
            format!("{:.1}", rate.value),
            format!("{:.1}", rate.low),
            format!("{:.1}", rate.high),
            format!("{low:.1}"),
            format!("{high:.1}"),
        ];
        for reading in Reading::BOTH {
            let paper = result.paper(cell, reading);
            record.push(paper.map_or(String::new(), |percent| format!("{percent}")));
            record.push(inside(result, cell, reading).to_string());
        }
        writer.write_record(&record).expect("writing into memory does not fail");
    }
    writer.into_inner().expect("writing into memory does not fail")
}

fn inside<G: Playable>(result: &GridResult<G>, cell: &Cell, reading: Reading) -> &'static str {
    match result.is_explained(cell, reading) {
        Some(true) => "yes",
        Some(false) => "no",
        None => "",
    }
}

/// Both readings side by side, and which one fits; also what the command prints.
pub fn grid_markdown<G: Playable>(definition: &Definition<G>, result: &GridResult<G>) -> String {
    let grid = &result.grid;
    let mut text = format!("# {}\n\n{}\n\n", definition.title, definition.question.trim());
    let _ = writeln!(text, "{} games a cell, seed {}, {} rules.\n", grid.games, grid.seed, grid.rules);
    text += "First player wins / second player wins / draws, in percent:\n\n";
    table(&mut text, result, |cell| {
        let percent = |count: u64| 100.0 * count as f64 / cell.tally.games() as f64;
        let Cell { tally, .. } = cell;
        format!("{:.0} / {:.0} / {:.0}", percent(tally.wins), percent(tally.losses), percent(tally.draws))
    });
    if grid.copies {
        text += &copies(result);
    }
    for reading in result.readings().iter().copied() {
        let _ = writeln!(
            text,
            "\n{} in percent, the paper's table read so that {}:",
            capital(grid.measure),
            reading.name()
        );
        text += "ours [95 % interval], **paper** if sampling explains it, ~~paper~~ if not.\n\n";
        table(&mut text, result, |cell| {
            let rate = cell.rate(grid.measure).map(|rate| 100.0 * rate);
            let ours = format!("{:.0} [{:.0}, {:.0}]", rate.value, rate.low, rate.high);
            match (result.paper(cell, reading), result.is_explained(cell, reading)) {
                (Some(paper), Some(true)) => format!("{ours} **{paper}**"),
                (Some(paper), _) => format!("{ours} ~~{paper}~~"),
                (None, _) => format!("{ours} –"),
            }
        });
    }
    text += "\n| reading of the paper's table | cells that sampling explains | distance (points, root mean square) |\n|---|---|---|\n";
    for reading in result.readings().iter().copied() {
        let fit = result.fit(reading);
        let _ =
            writeln!(text, "| {} | {} of {} | {:.1} |", reading.name(), fit.inside, fit.cells, fit.distance);
    }
    if result.readings().len() > 1 {
        let _ = writeln!(text, "\nThe closer reading: **{}**.", result.better_reading().name());
    }
    let _ = writeln!(text, "\n## Analysis\n\n{}", definition.analysis.trim());
    text
}

/// Players that draw few lots play the same games again and again: many games then prove little.
fn copies<G: Playable>(result: &GridResult<G>) -> String {
    let labels = &result.grid.labels;
    let few = result.cells.iter().filter(|cell| cell.distinct as u64 * 10 < cell.tally.games());
    let named = few.map(|cell| {
        format!("{} v {} ({} different games)", labels[cell.first], labels[cell.second], cell.distinct)
    });
    match named.collect::<Vec<_>>() {
        none if none.is_empty() => String::new(),
        some => format!(
            "\nIn some cells most games are copies of others, and the intervals say nothing there: {}.\n",
            some.join(", ")
        ),
    }
}

/// One line for an overview.
pub fn grid_overview<G: Playable>(result: &GridResult<G>) -> [String; 4] {
    let reading = result.better_reading();
    let fit = result.fit(reading);
    let verdict =
        if fit.inside == fit.cells { "explained by sampling" } else { "not all explained by sampling" };
    [
        format!("{} ({})", result.grid.measure.name(), reading.name()),
        format!("{} cells", fit.cells),
        format!("{} of {} cells within sampling, distance {:.0} points", fit.inside, fit.cells, fit.distance),
        verdict.to_string(),
    ]
}

fn capital(measure: Measure) -> &'static str {
    match measure {
        Measure::FirstWins => "First player wins",
        Measure::SecondWins => "Second player wins",
    }
}

fn table<G: Playable>(text: &mut String, result: &GridResult<G>, content: impl Fn(&Cell) -> String) {
    let labels = &result.grid.labels;
    let _ = writeln!(text, "| second \\ first | {} |", labels.join(" | "));
    let _ = writeln!(text, "|{}", "---|".repeat(labels.len() + 1));
    for (row, cells) in result.cells.chunks(labels.len()).enumerate() {
        let contents: Vec<String> = cells.iter().map(&content).collect();
        let _ = writeln!(text, "| {} | {} |", labels[row], contents.join(" | "));
    }
}

const CELL: (i32, i32) = (170, 110);
const LEFT: i32 = 230;
const TOP: i32 = 140;

fn heat_map<G: Playable>(title: &str, result: &GridResult<G>) -> Vec<u8> {
    let grid = &result.grid;
    let (size, rows) = (grid.players.len() as i32, grid.rows() as i32);
    let (width, height) = (LEFT + size * CELL.0 + 40, TOP + rows * CELL.1 + 90);
    png(width as u32, height as u32, |area| {
        let write = |text: &str, at: (i32, i32), size: f64, color: &RGBColor, h: HPos| {
            picture::write(area, text, at, size, color, h);
        };
        write(title, (30, 35), 26.0, &BLACK, HPos::Left);
        let middle = LEFT + size * CELL.0 / 2;
        write("moves first", (middle, 80), 20.0, &BLACK, HPos::Center);
        write("moves second", (30, TOP - 22), 20.0, &BLACK, HPos::Left);
        for (i, label) in (0..).zip(&grid.labels) {
            write(label, (LEFT + i * CELL.0 + CELL.0 / 2, TOP - 22), 20.0, &BLACK, HPos::Center);
            if i < rows {
                write(label, (LEFT - 15, TOP + i * CELL.1 + CELL.1 / 2), 20.0, &BLACK, HPos::Right);
            }
        }
        for cell in &result.cells {
            let rate = cell.rate(grid.measure);
            let (x, y) = (LEFT + cell.first as i32 * CELL.0, TOP + cell.second as i32 * CELL.1);
            let square =
                Rectangle::new([(x, y), (x + CELL.0 - 3, y + CELL.1 - 3)], shade(rate.value).filled());
            area.draw(&square).expect("drawing into memory does not fail");
            let ink = if rate.value > 0.55 { WHITE } else { BLACK };
            let center = x + CELL.0 / 2;
            let percent = |share: f64| (100.0 * share).round();
            write(&format!("{} %", percent(rate.value)), (center, y + 30), 28.0, &ink, HPos::Center);
            let interval = format!("{}–{}", percent(rate.low), percent(rate.high));
            write(&interval, (center, y + 58), 17.0, &ink, HPos::Center);
            if let Some(paper) = result.paper(cell, Reading::ColumnsFirst) {
                write(&format!("paper {paper}"), (center, y + 84), 19.0, &ink, HPos::Center);
            }
        }
        let legend = format!(
            "{} in percent, 95 % interval, {} games a cell; paper: as its header reads",
            capital(grid.measure),
            grid.games
        );
        write(&legend, (30, height - 40), 17.0, &BLACK, HPos::Left);
    })
}

/// From nearly white to deep blue.
fn shade(share: f64) -> RGBColor {
    let mix = |from: f64, to: f64| (from + (to - from) * share) as u8;
    RGBColor(mix(240.0, 20.0), mix(246.0, 70.0), mix(252.0, 150.0))
}
