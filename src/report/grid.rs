//! The files of a grid experiment: `table.csv`, `table.md`, and the picture of them.

use std::fmt::Write;

use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBColor};

use super::chart::{self, MARGIN, SMALL, TEXT, TITLE};
use super::layout;
use super::picture::{BLACK, ORANGE, Pen, Picture, Sheet, WHITE, width};
use super::table::{TableError, TableFiles};
use crate::arena::Tally;
use crate::experiment::{Cell, Grid, GridResult, Measure, Prose, Reading};
use crate::players::Playable;

/// Names and contents of the files.
pub fn grid_files<G: Playable>(result: &GridResult<G>, page: &str) -> Vec<(&'static str, Vec<u8>)> {
    vec![(layout::GRID, csv(result)), (layout::TABLE, page.as_bytes().to_vec())]
}

fn csv<G: Playable>(result: &GridResult<G>) -> Vec<u8> {
    let grid = &result.grid;
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = "version,rules,seed,first,second,games,first_wins,second_wins,draws,plies,measure,ours_percent,low,high,\
                  explained_low,explained_high";
    // A table that is not square cannot be read the other way round.
    let readings = result.readings().iter().flat_map(|reading| match reading {
        Reading::ColumnsFirst => ["paper_columns_first", "inside_columns_first"],
        Reading::RowsFirst => ["paper_rows_first", "inside_rows_first"],
    });
    writer.write_record(header.split(',').chain(readings)).expect("writing into memory does not fail");
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
        for reading in result.readings() {
            let paper = result.paper(cell, *reading);
            record.push(paper.map_or(String::new(), |percent| format!("{percent}")));
            record.push(inside(result, cell, *reading).to_string());
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
pub fn grid_markdown<G: Playable>(prose: &Prose, result: &GridResult<G>) -> String {
    let grid = &result.grid;
    let mut text = format!("# {}\n\n{}\n\n", prose.title, prose.question.trim());
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
                (Some(paper), Some(false)) => format!("{ours} ~~{paper}~~"),
                (Some(paper), None) => format!("{ours} ({paper}: reconstruction)"),
                (None, _) => format!("{ours} –"),
            }
        });
    }
    if !grid.reconstructions.is_empty() {
        let _ = writeln!(
            text,
            "\nReconstructions, whose published values are not known: {}. Their cells get no verdict.",
            grid.reconstructions.join(", ")
        );
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
    let _ = writeln!(text, "\n## Analysis\n\n{}", prose.analysis.trim());
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
        Measure::FirstDecided => "First player wins of decided games",
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

const CELL: (f64, f64) = (142.0, 92.0);
const TOP: f64 = MARGIN + TITLE + 74.0;

/// The cells of the table, read back. How many games differ is in no table, and in no picture.
fn read_cells<G: Playable>(grid: &Grid<G>, tables: &TableFiles) -> Result<Vec<Cell>, TableError> {
    let mut number = 0;
    let cells = tables.rows(layout::GRID)?.map(|row| {
        let [wins, losses, draws] = row.numbers(["first_wins", "second_wins", "draws"])?;
        let (first, second) = (number % grid.players.len(), number / grid.players.len());
        number += 1;
        Ok(Cell {
            first,
            second,
            tally: Tally { wins, draws, losses },
            plies: row.number("plies")?,
            distinct: 0,
        })
    })?;
    match cells.len() == grid.players.len() * grid.rows() {
        true => Ok(cells),
        false => Err(TableError::Damaged {
            table: layout::GRID.to_string(),
            why: format!("{} cells, not {} times {}", cells.len(), grid.players.len(), grid.rows()),
        }),
    }
}

/// The table as a heat map, from its rows. Cells in which the paper and we disagree have a frame.
pub fn grid_picture<G: Playable>(
    title: &str,
    grid: &Grid<G>,
    tables: &TableFiles,
) -> Result<Picture, TableError> {
    let result = GridResult { grid: grid.clone(), cells: read_cells(grid, tables)? };
    let games = result.cells.first().map_or(0, |cell| cell.tally.games());
    let legend = [
        format!(
            "{} in percent, 95 % interval, {games} games a cell; paper: as its header reads",
            capital(grid.measure)
        ),
        "framed: paper and ours differ by more than sampling explains".to_string(),
    ];
    let label_width = grid.labels.iter().map(|label| width(label, TEXT)).fold(width(SECOND, TEXT), f64::max);
    let left = MARGIN + label_width + 14.0;
    let (columns, rows) = (grid.players.len() as f64, grid.rows() as f64);
    let wide = (left + columns * CELL.0).max(MARGIN + width(&legend[0], SMALL)) + MARGIN;
    let bottom = TOP + rows * CELL.1;
    Ok(Picture::draw("table", (wide, bottom + 74.0), |sheet| {
        chart::title(sheet, title, wide - 2.0 * MARGIN);
        sheet.text(FIRST, (left + columns * CELL.0 / 2.0, TOP - 42.0), TEXT, BLACK, HPos::Center);
        sheet.text(SECOND, (MARGIN, TOP - 18.0), TEXT, BLACK, HPos::Left);
        for (i, label) in grid.labels.iter().enumerate() {
            let (x, y) = (left + (i as f64 + 0.5) * CELL.0, TOP + (i as f64 + 0.5) * CELL.1);
            sheet.text(label, (x, TOP - 18.0), TEXT, BLACK, HPos::Center);
            if i < grid.rows() {
                sheet.text(label, (left - 14.0, y), TEXT, BLACK, HPos::Right);
            }
        }
        for cell in &result.cells {
            let corner = (left + cell.first as f64 * CELL.0, TOP + cell.second as f64 * CELL.1);
            draw_cell(sheet, &result, cell, corner);
        }
        sheet.text(&legend[0], (MARGIN, bottom + 26.0), SMALL, BLACK, HPos::Left);
        sheet.frame((MARGIN, bottom + 42.0), (MARGIN + 24.0, bottom + 58.0), FRAME);
        sheet.text(&legend[1], (MARGIN + 34.0, bottom + 50.0), SMALL, BLACK, HPos::Left);
    }))
}

const FIRST: &str = "moves first";
const SECOND: &str = "moves second";
const FRAME: Pen = Pen { color: ORANGE, width: 4.0, dashed: false };

fn draw_cell<G: Playable>(sheet: &mut Sheet<'_>, result: &GridResult<G>, cell: &Cell, (x, y): (f64, f64)) {
    let rate = cell.rate(result.grid.measure);
    let opposite = (x + CELL.0 - 3.0, y + CELL.1 - 3.0);
    sheet.rectangle((x, y), opposite, shade(rate.value).mix(1.0));
    let ink = if rate.value > 0.68 { WHITE } else { BLACK };
    let center = x + (CELL.0 - 3.0) / 2.0;
    let percent = |share: f64| (100.0 * share).round();
    sheet.text(&format!("{} %", percent(rate.value)), (center, y + 24.0), 22.0, ink, HPos::Center);
    let interval = format!("{}–{}", percent(rate.low), percent(rate.high));
    sheet.text(&interval, (center, y + 47.0), SMALL, ink, HPos::Center);
    if let Some(paper) = result.paper(cell, Reading::ColumnsFirst) {
        sheet.text(&format!("paper {paper}"), (center, y + 70.0), TEXT, ink, HPos::Center);
    }
    if result.is_explained(cell, Reading::ColumnsFirst) == Some(false) {
        let inset = FRAME.width / 2.0;
        sheet.frame((x + inset, y + inset), (opposite.0 - inset, opposite.1 - inset), FRAME);
    }
}

/// From nearly white to deep blue.
fn shade(share: f64) -> RGBColor {
    let mix = |from: f64, to: f64| (from + (to - from) * share) as u8;
    RGBColor(mix(240.0, 20.0), mix(246.0, 70.0), mix(252.0, 150.0))
}
