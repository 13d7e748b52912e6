//! The page that says what the pieces are worth.

use std::fmt::Write as _;

use plotters::style::RGBColor;

use super::{Duel, Guideline};
use crate::arena::Estimate;
use crate::experiment::{FirstMistakes, Source};
use crate::game::{Game, Solution};
use crate::games::dobutsu::Array;
use crate::games::dobutsu::eval::{Gene, Genome};
use crate::games::dobutsu::fit::{FITTED, Known, Weight};
use crate::games::dobutsu::solve::Table;
use crate::report::axis::Axis;
use crate::report::chart::{Figure, Line, Panel};
use crate::report::grade::{GradeRow, grade_csv, grade_picture, percent};
use crate::report::layout;
use crate::report::picture::{BLUE, Picture, RED};
use crate::report::table::{TableError, TableFiles};

/// Every file of the folder. `tables` are the solutions of both rules, for what they say of the start.
pub fn guideline_files(guideline: &Guideline, tables: &[&Table]) -> Vec<(String, Vec<u8>)> {
    let rows = rows(guideline);
    let mut files = vec![
        (layout::GUIDELINE.to_string(), page(guideline, tables).into_bytes()),
        ("weights.csv".to_string(), weights_csv(guideline)),
        ("matches.csv".to_string(), matches_csv(guideline)),
        (layout::GRADE.to_string(), grade_csv(&rows)),
        (layout::MISTAKES.to_string(), mistakes_csv(guideline)),
    ];
    for fit in &guideline.fits {
        let text =
            format!("# Fitted to the solved game; see guideline.md.\n{}", fit.fitted.genome().to_toml());
        files.push((format!("{}.toml", fit.name), text.into_bytes()));
    }
    files
}

fn rows(guideline: &Guideline) -> Vec<GradeRow> {
    let row = |judged: &super::Judged| GradeRow {
        name: judged.player.clone(),
        depth: Some(judged.depth),
        grades: judged.grades.clone(),
    };
    guideline.judged.iter().map(row).collect()
}

/// A picture holds eight lines; the others are in the table.
const SHOWN: [&str; 8] =
    ["untrained", "mobility", "full", "table5", "table7", "table8", "robust-full", "fit-games-full"];

fn range(Estimate { value, low, high }: Estimate, decimals: usize) -> String {
    format!("{value:.decimals$} [{low:.decimals$}, {high:.decimals$}]")
}

/// A weight in this unit with its interval, if it has one.
fn weight_text(weight: Weight, unit: f64) -> String {
    let weight = weight.in_units_of(unit);
    match weight.known {
        Known::Between(low, high) => range(Estimate { value: weight.value, low, high }, 2),
        Known::Unbounded => format!("{:.2} (no limit)", weight.value),
        Known::Nothing => "–".to_string(),
    }
}

fn page(guideline: &Guideline, tables: &[&Table]) -> String {
    let mut text = include_str!("guideline.md").to_string();
    let sections = [
        ("{{start}}", start(tables)),
        (
            "{{pieces}}",
            weights(
                guideline,
                &FITTED[..7],
                ["fit-all", "fit-all-quiet", "fit-games-first", "fit-games-second"],
            ),
        ),
        (
            "{{features}}",
            weights(
                guideline,
                &FITTED,
                ["fit-all-full", "fit-all-quiet-full", "fit-games-first-full", "fit-games-second-full"],
            ),
        ),
        ("{{values}}", values()),
        ("{{matches}}", matches(guideline)),
        ("{{judges}}", judges(guideline)),
        ("{{mistakes}}", mistakes(guideline)),
    ];
    for (mark, section) in sections {
        text = text.replace(mark, section.trim_end());
    }
    text
}

fn start(tables: &[&Table]) -> String {
    let mut text =
        String::from("| rules | array | start | first moves | longest win |\n|---|---|---|---|---:|\n");
    for table in tables {
        for array in Array::ALL {
            let start = array.start(table.rules());
            let mut moves: Vec<String> = table
                .moves(&start)
                .into_iter()
                .map(|(m, worth)| format!("{}: {worth}", start.move_text(m)))
                .collect();
            moves.sort();
            let _ = writeln!(
                text,
                "| {} | {array} | {} | {} | {} plies |",
                table.rules(),
                table.probe(&start),
                moves.join(", "),
                table.counts().longest
            );
        }
    }
    text
}

/// Weights scaled so that a giraffe on the board is worth 5, as in the untrained values.
fn weights(guideline: &Guideline, genes: &[Gene], fits: [&str; 4]) -> String {
    let mut text = String::from(
        "| | any position, at once | any position, quiet | first to move | second to move |\n|---|---:|---:|---:|---:|\n",
    );
    let unit =
        |fit: &str| guideline.weight(fit, Gene::BoardGiraffe).map_or(1.0, |giraffe| giraffe.value / 5.0);
    for gene in genes {
        let cell = |fit: &str| {
            guideline.weight(fit, *gene).map_or("-".to_string(), |weight| weight_text(weight, unit(fit)))
        };
        let cells = fits.map(cell);
        let _ = writeln!(text, "| {gene} | {} |", cells.join(" | "));
    }
    let of = |fit: &str| guideline.fit(fit).map(|column| &column.fitted);
    let tempo =
        fits.map(|fit| of(fit).map_or("-".to_string(), |fitted| weight_text(fitted.tempo, unit(fit))));
    let right =
        fits.map(|fit| of(fit).map_or("-".to_string(), |fitted| format!("{:.1} %", 100.0 * fitted.accuracy)));
    let giraffe = fits.map(|fit| format!("{:.3}", 5.0 * unit(fit)));
    let _ = writeln!(text, "| being to move | {} |", tempo.join(" | "));
    let _ = writeln!(text, "| *winner told* | {} |", right.join(" | "));
    let _ = writeln!(text, "| *log odds of a giraffe* | {} |", giraffe.join(" | "));
    text
}

/// The values of other evaluators, in the same unit.
fn values() -> String {
    let names = ["untrained", "table5", "table7", "table8", "robust", "robust-full", "oracle"];
    let genome = |name: &str| if name == "untrained" { Some(Genome::BASE) } else { Genome::named(name) };
    let genomes: Vec<(&str, Genome)> =
        names.into_iter().filter_map(|name| Some((name, genome(name)?))).collect();
    let mut text = format!(
        "| | {} |\n|---|{}\n",
        genomes.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" | "),
        "---:|".repeat(genomes.len())
    );
    for gene in FITTED {
        let cells: Vec<String> = genomes
            .iter()
            .map(|(_, genome)| {
                format!(
                    "{:.2}",
                    5.0 * f64::from(genome.get(gene)) / f64::from(genome.get(Gene::BoardGiraffe).max(1))
                )
            })
            .collect();
        let _ = writeln!(text, "| {gene} | {} |", cells.join(" | "));
    }
    text
}

fn matches(guideline: &Guideline) -> String {
    let mut kinds: Vec<(usize, u32)> =
        guideline.duels.iter().map(|duel| (duel.opening_plies, duel.depth)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let head = |(plies, depth): &(usize, u32)| match plies {
        0 => format!("from the start, depth {depth}, %"),
        _ => format!("drawn openings, depth {depth}, %"),
    };
    let head: Vec<String> = kinds.iter().map(head).collect();
    let mut text = format!("| player | {} |\n|---|{}\n", head.join(" | "), "---:|".repeat(kinds.len()));
    let mut names: Vec<&str> = guideline.duels.iter().map(|duel| duel.player.as_str()).collect();
    names.dedup();
    for name in names {
        let cell = |(plies, depth): &(usize, u32)| {
            let same =
                |duel: &&Duel| duel.player == name && duel.depth == *depth && duel.opening_plies == *plies;
            let duel = guideline.duels.iter().find(same);
            duel.map_or("-".to_string(), |duel| range(duel.score.map(|score| 100.0 * score), 1))
        };
        let _ = writeln!(text, "| {name} | {} |", kinds.iter().map(cell).collect::<Vec<_>>().join(" | "));
    }
    text
}

fn judges(guideline: &Guideline) -> String {
    let mut text = String::from(
        "| player | own games, depth 2 | random play, depth 2 | all positions, depth 2 | own games, depth 4 | random play, depth 4 | all positions, depth 4 |\n|---|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut names: Vec<&str> = guideline.judged.iter().map(|judged| judged.player.as_str()).collect();
    names.dedup();
    for name in names {
        let cells: Vec<String> = [2, 4]
            .into_iter()
            .flat_map(|depth| {
                let judged =
                    guideline.judged.iter().find(|judged| judged.player == name && judged.depth == depth);
                Source::ALL.map(|source| {
                    let grade = judged.and_then(|judged| judged.grades.iter().find(|(of, _)| *of == source));
                    grade.map_or("-".to_string(), |(_, grade)| percent(grade.kept))
                })
            })
            .collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
    text
}

fn mistakes(guideline: &Guideline) -> String {
    let mut text = String::from(
        "| games of | games | a draw is lost in, % | half of those by ply | a win is thrown away in, % | half of those by ply |\n|---|---:|---:|---:|---:|---:|\n",
    );
    let share =
        |plies: &[usize], games: usize| format!("{:.1}", 100.0 * plies.len() as f64 / games.max(1) as f64);
    let median =
        |plies: &[usize]| FirstMistakes::median(plies).map_or("-".to_string(), |ply| ply.to_string());
    for (title, mistakes) in &guideline.mistakes {
        let FirstMistakes { games, draw_lost, win_thrown } = mistakes;
        let _ = writeln!(
            text,
            "| {title} | {games} | {} | {} | {} | {} |",
            share(draw_lost, *games),
            median(draw_lost),
            share(win_thrown, *games),
            median(win_thrown)
        );
    }
    text
}

fn weights_csv(guideline: &Guideline) -> Vec<u8> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let header = ["fit", "gene", "log_odds", "low", "high", "positions", "log_loss_bits", "accuracy"];
    table.write_record(header).expect("written into memory");
    for column in &guideline.fits {
        let fitted = &column.fitted;
        let weights = fitted.genes.iter().map(Gene::to_string).zip(fitted.weights.iter().copied());
        for (gene, weight) in weights.chain([("to move".to_string(), fitted.tempo)]) {
            let value = format!("{:.4}", weight.value);
            let [low, high] = match weight.known {
                Known::Between(low, high) => [low, high].map(|number| format!("{number:.4}")),
                Known::Unbounded => ["", "no limit"].map(String::from),
                Known::Nothing => ["", ""].map(String::from),
            };
            let rest = [
                fitted.positions.to_string(),
                format!("{:.4}", fitted.loss),
                format!("{:.4}", fitted.accuracy),
            ];
            let [positions, loss, accuracy] = rest;
            table
                .write_record([column.name.clone(), gene, value, low, high, positions, loss, accuracy])
                .expect("written into memory");
        }
    }
    table.into_inner().expect("written into memory")
}

fn matches_csv(guideline: &Guideline) -> Vec<u8> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table
        .write_record(["player", "opening_plies", "depth", "games", "score", "low", "high"])
        .expect("written into memory");
    for duel in &guideline.duels {
        let [score, low, high] =
            [duel.score.value, duel.score.low, duel.score.high].map(|share| format!("{share:.4}"));
        let numbers = [duel.opening_plies, duel.depth as usize, duel.games].map(|number| number.to_string());
        let [plies, depth, games] = numbers;
        let record = [duel.player.clone(), plies, depth, games, score, low, high];
        table.write_record(record).expect("written into memory");
    }
    table.into_inner().expect("written into memory")
}

/// Up to which ply the plot and its table go.
const LAST_PLY: usize = 40;

fn mistakes_csv(guideline: &Guideline) -> Vec<u8> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table
        .write_record(["experiment", "ply", "games", "draw_lost", "win_thrown"])
        .expect("written into memory");
    for (title, mistakes) in &guideline.mistakes {
        for ply in 1..=LAST_PLY {
            let count = |plies: &[usize]| plies.iter().filter(|at| **at == ply).count().to_string();
            let [ply, games] = [ply, mistakes.games].map(|number| number.to_string());
            let record = [title.clone(), ply, games, count(&mistakes.draw_lost), count(&mistakes.win_thrown)];
            table.write_record(record).expect("written into memory");
        }
    }
    table.into_inner().expect("written into memory")
}

/// The pictures of the page, from its tables.
pub fn guideline_pictures(tables: &TableFiles) -> Result<Vec<Picture>, TableError> {
    Ok(vec![grade_picture(tables, Some(&SHOWN))?, mistakes_picture(tables)?])
}

fn mistakes_picture(tables: &TableFiles) -> Result<Picture, TableError> {
    let rows = tables.rows(layout::MISTAKES)?.map(|row| {
        let [ply, games, draw, win]: [f64; 4] = row.numbers(["ply", "games", "draw_lost", "win_thrown"])?;
        Ok((row.text("experiment")?.to_string(), ply, games, [draw, win]))
    })?;
    type Row = (String, f64, f64, [f64; 2]);
    let panel = |(number, what): (usize, &str)| {
        let line = |(part, color): (&[Row], RGBColor)| {
            let mut so_far = 0.0;
            let mut points = vec![(0.0, 0.0)];
            for (_, ply, games, counts) in part {
                so_far += counts[number];
                points.push((*ply, 100.0 * so_far / games.max(1.0)));
            }
            Line::solid(&part[0].0, color, points)
        };
        Panel {
            title: what.to_string(),
            x: Axis::counting("ply", LAST_PLY as f64),
            y: Axis::covering("share of games, %", [0.0, 100.0]),
            lines: rows.chunk_by(|a, b| a.0 == b.0).zip([BLUE, RED]).map(line).collect(),
        }
    };
    let panels = ["a draw was lost", "a win was thrown away"].into_iter().enumerate().map(panel).collect();
    let title = "Games that have gone wrong, by ply (self-play experiments of the paper)".to_string();
    Ok(Figure { title, columns: 2, panel: (560.0, 440.0), one_legend: true, panels }.draw("mistakes"))
}
