//! The warm-up's error over the generations.

use std::fmt::Write;

use super::picture::{self, Panel, png};
use crate::experiment::{CurveResult, CurveWork, FiveNumbers};

/// Names and contents of the files.
pub fn curve_files(title: &str, results: &[CurveResult]) -> Vec<(&'static str, Vec<u8>)> {
    vec![("errors.csv", csv(results).into_bytes()), ("errors.png", picture(title, results))]
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

fn picture(title: &str, results: &[CurveResult]) -> Vec<u8> {
    let colors = [picture::BLUE, picture::GREEN, picture::RED];
    let top = results.iter().flat_map(|result| &result.errors).map(FiveNumbers::median).fold(1.0, f64::max);
    let last = results.first().map_or(1, |result| result.errors.len()) as f64;
    png(1200, 700, |area| {
        let panel = Panel {
            title: title.to_string(),
            x: ("generation", 0.0..last),
            y: ("sum of absolute errors (median of the seeds)", 0.0..top),
            font: 24.0,
        };
        let line = |(result, color): (&CurveResult, &plotters::style::RGBColor)| {
            let points = (1..).zip(&result.errors).map(|(x, numbers)| (f64::from(x), numbers.median()));
            picture::Line::solid(&format!("mutation {} %", 100.0 * result.mutation), *color, points.collect())
        };
        let lines: Vec<picture::Line> = results.iter().zip(colors.iter().cycle()).map(line).collect();
        panel.draw(area, &lines, &[], &[]);
    })
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
