//! The warm-up's error over the generations.

use std::fmt::Write;

use plotters::style::RGBColor;

use super::axis::Axis;
use super::chart::{Figure, Line};
use super::layout;
use super::picture::{self, Picture};
use super::table::{TableError, TableFiles};
use crate::experiment::{CurveResult, CurveWork, FiveNumbers};

/// The least error that is drawn.
const LEAST: f64 = 0.1;

/// Names and contents of the files.
pub fn curve_files(results: &[CurveResult]) -> Vec<(&'static str, Vec<u8>)> {
    vec![(layout::ERRORS, csv(results).into_bytes())]
}

fn csv(results: &[CurveResult]) -> String {
    let mut text = String::from("mutation,generation,min,q1,median,q3,max\n");
    for result in results {
        for (generation, numbers) in (1..).zip(&result.errors) {
            // Every generation at first, where much happens, then every tenth.
            if generation <= 50 || generation % 10 == 0 {
                let numbers = numbers.0.map(|value| format!("{value:.3}")).join(",");
                let _ = writeln!(text, "{},{generation},{numbers}", result.mutation);
            }
        }
    }
    text
}

/// The errors at the end, as a table.
pub fn curve_markdown(work: &CurveWork, results: &[CurveResult]) -> String {
    let seeds = work.seeds.seeds().count();
    let mut text = format!(
        "{seeds} seeds, {} candidates, elite {}, {} generations. Sum of absolute errors of the best candidate at the end, over the seeds:\n\n",
        work.population, work.elite, work.generations
    );
    text += "| mutation | smallest | lower quartile | median | upper quartile | largest |\n|---|---|---|---|---|---|\n";
    for result in results {
        if let Some(FiveNumbers(numbers)) = result.errors.last() {
            let cells = numbers.map(|value| format!("{value:.2}")).join(" | ");
            let _ = writeln!(text, "| {} % | {cells} |", 100.0 * result.mutation);
        }
    }
    text
}

/// One line for an overview.
pub fn curve_overview(results: &[CurveResult]) -> [String; 4] {
    let ends: Vec<(f64, FiveNumbers)> =
        results.iter().filter_map(|result| Some((result.mutation, *result.errors.last()?))).collect();
    let lowest = ends.iter().min_by(|a, b| a.1.median().total_cmp(&b.1.median()));
    let ours: Vec<String> = ends
        .iter()
        .map(|(mutation, numbers)| format!("{} %: {:.2}", 100.0 * mutation, numbers.median()))
        .collect();
    let verdict = match lowest {
        Some((mutation, _)) if (*mutation - 0.01).abs() < 1e-9 => "as in the paper",
        _ => "not as in the paper",
    };
    let what = "error at the end by mutation rate (median)".to_string();
    [what, "1 % lowest".to_string(), ours.join(", "), verdict.to_string()]
}

/// The errors by generation, from the table of them.
pub fn curve_picture(title: &str, tables: &TableFiles) -> Result<Picture, TableError> {
    let rows = tables.rows(layout::ERRORS)?.map(|row| {
        Ok((
            row.number::<f64>("mutation")?,
            row.number::<f64>("generation")?,
            row.numbers(["q1", "median", "q3"])?,
        ))
    })?;
    let x =
        Axis::counting("generation", rows.iter().map(|(_, generation, _)| *generation).fold(1.0, f64::max));
    // What has reached the curve to the last thousandth has no logarithm.
    let values = rows.iter().flat_map(|(.., numbers)| *numbers);
    let y =
        Axis::logarithmic_from(LEAST, "sum of absolute errors: median and quartiles of the seeds", values);
    type Row = (f64, f64, [f64; 3]);
    let line = |(part, color): (&[Row], RGBColor)| {
        let name = format!("mutation {} %", 100.0 * part[0].0);
        let median = part.iter().map(|(_, generation, [_, median, _])| (*generation, *median)).collect();
        let band = part.iter().map(|(_, generation, [low, _, high])| (*generation, [*low, *high])).collect();
        Line::solid(&name, color, median).with_band(band)
    };
    let colors = [picture::BLUE, picture::GREEN, picture::RED, picture::PURPLE].into_iter().cycle();
    let lines = rows.chunk_by(|a, b| a.0 == b.0).zip(colors).map(line).collect();
    Ok(Figure::single(title, x, y, lines).draw("errors"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's curve of 1 % ends lowest: the overview says whether ours does.
    #[test]
    fn the_overview_says_which_rate_ends_lowest() {
        let result = |mutation, end: f64| CurveResult { mutation, errors: vec![FiveNumbers([end; 5])] };
        let verdict = |one: f64, five: f64| curve_overview(&[result(0.01, one), result(0.05, five)]);
        let [_, paper, ours, said] = verdict(1.0, 2.0);
        assert_eq!(
            [paper, ours, said],
            ["1 % lowest", "1 %: 1.00, 5 %: 2.00", "as in the paper"].map(String::from)
        );
        assert_eq!(verdict(2.0, 1.0)[3], "not as in the paper");
    }
}
