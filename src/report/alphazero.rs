//! How a learner that plays itself went on, cycle by cycle.

use std::fmt::Write;

use plotters::style::RGBColor;

use super::duels::csv_field;
use super::grade::{GradeRow, grade_csv, percent};
use super::layout;
use super::picture::{self, Corner, Line, Panel, png};
use crate::experiment::{AlphaZeroResult, Grade, Source};
use crate::learn::alphazero::{AlphaZeroSettings, CycleRow, Share};

/// The table of a run: a line for each cycle. What could not be measured is empty.
pub fn cycles_csv(settings: &AlphaZeroSettings, rows: &[CycleRow]) -> String {
    let mut text = String::from(
        "cycle,games,plies,first_wins,draws,second_wins,batches,policy_loss,value_loss,gate,replaced,careless,policy_careless,careless_of,policy_keeps,tree_keeps,keeps_of,value_right,tree_value_right,right_of",
    );
    for opponent in &settings.opponents {
        let name = csv_field(&format!("score against {opponent}"));
        let _ = write!(text, ",{name}");
    }
    text.push('\n');
    for row in rows {
        let CycleRow {
            cycle,
            games,
            plies,
            ended: [first, draws, second],
            batches,
            policy_loss,
            value_loss,
            ..
        } = row;
        let gate = row.gate.map(|gate| format!("{gate:.4}")).unwrap_or_default();
        let m = &row.measured;
        let share = |share: &Share| share.share().map(|share| format!("{share:.4}")).unwrap_or_default();
        let _ = write!(
            text,
            "{cycle},{games},{plies},{first},{draws},{second},{batches},{policy_loss:.4},{value_loss:.4},{gate},{},{},{},{},{},{},{},{},{},{}",
            u8::from(row.replaced),
            share(&m.careless),
            share(&m.policy_careless),
            m.careless.of,
            share(&m.policy_keeps),
            share(&m.tree_keeps),
            m.tree_keeps.of,
            share(&m.value_right),
            share(&m.tree_value_right),
            m.value_right.of,
        );
        for number in 0..settings.opponents.len() {
            let _ = write!(text, ",{}", share(&points(row, number)));
        }
        text.push('\n');
    }
    text
}

/// So many cycles are taken together in pictures: a cycle is measured with few games.
const TOGETHER: usize = 5;

/// A share over the cycles, each point of the last few together.
fn lately(rows: &[CycleRow], share: impl Fn(&CycleRow) -> Share) -> Vec<(f64, f64)> {
    let point = |last: usize| {
        let part = rows[..=last].iter().rev().take(TOGETHER).map(&share);
        let sum = part.fold(Share::default(), |sum, next| Share {
            count: sum.count + next.count,
            of: sum.of + next.of,
        });
        Some((f64::from(rows[last].cycle), sum.share()?))
    };
    (0..rows.len()).filter_map(point).collect()
}

/// Half points against an opponent.
fn points(row: &CycleRow, opponent: usize) -> Share {
    row.measured.against.get(opponent).map_or_else(Share::default, |[wins, draws, losses]| Share {
        count: 2 * wins + draws,
        of: 2 * (wins + draws + losses),
    })
}

/// Two panels: losses at the left; at the right strength, and what the solved game says where there is one.
pub fn cycles_picture(settings: &AlphaZeroSettings, rows: &[CycleRow]) -> Vec<u8> {
    let line = |value: &dyn Fn(&CycleRow) -> Option<f64>| -> Vec<(f64, f64)> {
        rows.iter().filter_map(|row| Some((f64::from(row.cycle), value(row)?))).collect()
    };
    let losses = vec![
        Line::solid("moves (cross-entropy)", picture::BLUE, line(&|row| Some(row.policy_loss))),
        Line::solid("value (squared error)", picture::RED, line(&|row| Some(row.value_loss))),
    ];
    let colors = [picture::GREEN, picture::BLUE, picture::ORANGE, picture::PURPLE];
    let mut right: Vec<Line> = settings
        .opponents
        .iter()
        .zip(colors)
        .enumerate()
        .map(|(number, (opponent, color))| {
            let name = format!("score against {opponent}");
            Line::solid(&name, color, lately(rows, |row| points(row, number)))
        })
        .collect();
    let keeps = lately(rows, |row| row.measured.tree_keeps);
    if !keeps.is_empty() {
        right.push(Line::dashed("value kept by tree", picture::RED, keeps));
        right.push(Line::dashed(
            "value kept by policy",
            picture::PURPLE,
            lately(rows, |row| row.measured.policy_keeps),
        ));
    }
    let careless = lately(rows, |row| row.measured.careless);
    right.push(Line::dashed("left en prise", picture::ORANGE, careless));
    let by_policy = lately(rows, |row| row.measured.policy_careless);
    right.push(Line::dashed("left en prise by the policy", picture::GREEN, by_policy));
    let top = losses.iter().flat_map(Line::heights).fold(0.1, f64::max);
    let last = rows.len().max(2) as f64;
    png(1500, 620, |area| {
        let (left, right_area) = area.split_horizontally(750);
        let panel = |title: &str, axis: &'static str, y: std::ops::Range<f64>| Panel {
            title: title.to_string(),
            x: ("cycle", 1.0..last),
            y: (axis, y),
            font: 22.0,
        };
        panel("Losses", "loss", 0.0..1.05 * top).draw(&left, &losses, &[], &[]);
        panel("Strength", "share", 0.0..1.02).draw_with_legend(
            &right_area,
            &right,
            &[],
            &[],
            Corner::LowerRight,
        );
    })
}

/// What an experiment gives.
type Files = Vec<(&'static str, Vec<u8>)>;

/// Files and tables of a run as an experiment.
pub fn alphazero_report(title: &str, result: &AlphaZeroResult, network: Vec<u8>) -> (Files, String) {
    let AlphaZeroResult { settings, rows, ceiling, grades } = result;
    let mut files: Files = vec![
        (layout::NETWORK, network),
        (layout::CYCLES, cycles_csv(settings, rows).into_bytes()),
        (layout::CYCLES_PICTURE, cycles_picture(settings, rows)),
    ];
    let mut text = cycles_markdown(settings, rows);
    if !grades.is_empty() {
        let row = |(name, grade): &(String, Grade)| GradeRow {
            name: name.clone(),
            depth: None,
            grades: vec![(Source::OwnGames, grade.clone())],
        };
        let table: Vec<GradeRow> = grades.iter().map(row).collect();
        files.push((layout::GRADES, grade_csv(&table)));
        files.push((layout::JUDGED_PICTURE, judged_picture(title, result)));
        text += "\nJudged by perfect play, each on positions of its own games (percent, 95 % interval with pairs of games as the unit):\n\n";
        text += "| player | keeps a won or drawn position | perfect move |\n|---|---|---|\n";
        for (name, grade) in grades {
            let _ = writeln!(text, "| {name} | {} | {} |", percent(grade.kept), percent(grade.perfect));
        }
    }
    if let Some(ceiling) = ceiling {
        let _ = writeln!(
            text,
            "\nOver {} positions of its own games the value of the network taught by the solution is right about who wins in {} %.",
            ceiling.value_right.of,
            in_percent(&ceiling.value_right),
        );
    }
    (files, text)
}

fn in_percent(share: &Share) -> String {
    share.share().map_or("-".to_string(), |share| format!("{:.1}", 100.0 * share))
}

/// Some of the cycles, in a table that can be read.
pub fn cycles_markdown(settings: &AlphaZeroSettings, rows: &[CycleRow]) -> String {
    const LINES: usize = 13;
    let AlphaZeroSettings { preset, seed, filters, blocks, growing, .. } = settings;
    let sum = |count: fn(&CycleRow) -> u64| rows.iter().map(count).sum::<u64>();
    let mut text = format!(
        "Preset {preset}, seed {seed}: {filters} filters, {blocks} blocks, {} simulations ({}) a move in self-play. {} cycles, {} games, {} positions, {} batches of {}. Measured with {} simulations in the same way ({}) in {} games after four random moves against each opponent, and where the game is solved against itself.\n\n",
        growing.simulations,
        growing.growth,
        rows.len(),
        sum(|row| row.games),
        sum(|row| row.plies),
        sum(|row| row.batches),
        settings.batch,
        settings.measure_simulations,
        settings.measuring().growth,
        settings.measure_games,
    );
    let judged = rows.iter().any(|row| row.measured.tree_keeps.of > 0);
    let mut header = vec![
        "cycle".to_string(),
        "plies a game".to_string(),
        "loss of moves".to_string(),
        "loss of value".to_string(),
    ];
    header.extend(settings.opponents.iter().map(|opponent| format!("% against {opponent}")));
    header.extend(["% left en prise", "% by the policy alone"].map(String::from));
    if judged {
        header.extend(["% kept, policy", "% kept, tree", "% value right"].map(String::from));
    }
    let _ = writeln!(text, "| {} |\n|{}", header.join(" | "), "---|".repeat(header.len()));
    let step = rows.len().div_ceil(LINES).max(1);
    let chosen = rows.iter().enumerate().filter(|(i, _)| i % step == 0 || i + 1 == rows.len());
    for (_, row) in chosen {
        let m = &row.measured;
        let mut cells = vec![
            row.cycle.to_string(),
            format!("{:.1}", row.plies as f64 / row.games.max(1) as f64),
            format!("{:.3}", row.policy_loss),
            format!("{:.3}", row.value_loss),
        ];
        cells.extend((0..settings.opponents.len()).map(|number| in_percent(&points(row, number))));
        cells.extend([&m.careless, &m.policy_careless].map(in_percent));
        if judged {
            cells.extend([&m.policy_keeps, &m.tree_keeps, &m.value_right].map(in_percent));
        }
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text += "\nLeft en prise: moves after which the other side could win at once, of those moves where another choice would have prevented it (games against the opponents); and the same if the policy alone had chosen.\n";
    text
}

/// What perfect play says of the network over the cycles, between linear evaluators and what the same network can be at best.
fn judged_picture(title: &str, result: &AlphaZeroResult) -> Vec<u8> {
    let rows = &result.rows;
    let last = rows.len().max(2) as f64;
    let line = |share: fn(&CycleRow) -> Share| -> Vec<(f64, f64)> {
        lately(rows, share).into_iter().map(|(cycle, share)| (cycle, 100.0 * share)).collect()
    };
    let level = |share: f64| vec![(1.0, 100.0 * share), (last, 100.0 * share)];
    let mut lines = vec![
        Line::solid("network with its tree", picture::BLUE, line(|row| row.measured.tree_keeps)),
        Line::solid("network, policy alone", picture::GREEN, line(|row| row.measured.policy_keeps)),
        Line::solid("network, value right", picture::PURPLE, line(|row| row.measured.value_right)),
    ];
    // First the network, with its tree and its policy alone; then the one taught by the solution, if there is one; then others.
    let taught =
        [("taught by the solution, tree", picture::BLUE), ("taught by the solution, policy", picture::GREEN)];
    let taught = if result.ceiling.is_some() { &taught[..] } else { &[] };
    let colors = [picture::ORANGE, picture::RED].into_iter().cycle();
    let graded = |(grade, name, color): (&Grade, &str, RGBColor)| {
        let kept = grade.kept.estimate()?.value;
        Some(Line::dashed(name, color, level(kept)))
    };
    let (ceiling, others) = result.grades[2..].split_at(taught.len());
    let ceiling = ceiling.iter().zip(taught).map(|((_, grade), (name, color))| (grade, *name, *color));
    let others = others.iter().zip(colors).map(|((name, grade), color)| (grade, name.as_str(), color));
    lines.extend(ceiling.chain(others).filter_map(graded));
    let low = lines.iter().flat_map(Line::heights).fold(100.0, f64::min);
    png(1200, 760, |area| {
        let panel = Panel {
            title: title.to_string(),
            x: ("cycle (five together)", 1.0..last),
            y: ("percent, judged by perfect play", (low - 3.0).max(0.0)..100.5),
            font: 24.0,
        };
        panel.draw_with_legend(area, &lines, &[], &[], Corner::LowerRight);
    })
}
