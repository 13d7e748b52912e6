//! Which program made the paper's tables: the tables and the picture of an answer.

use std::fmt::Write;

use plotters::style::RGBColor;

use super::{Counts, Finalist, Forensic, Test, World};
use crate::game::ReadingSet;
use crate::games::dobutsu::Array;
use crate::report::axis::Axis;
use crate::report::chart::{Figure, Line, Panel};
use crate::report::layout;
use crate::report::picture::{BLUE, GRAY, GREEN, Marker, Picture, RED};
use crate::report::table::{TableError, TableFiles};

/// Names and contents of the files.
pub fn forensic_files(forensic: &Forensic) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("worlds.csv", worlds_csv(forensic)),
        ("finalists.csv", finalists_csv(forensic)),
        (layout::FORENSIC_TEST, test_csv(forensic)),
    ]
}

fn percent(count: u32, games: u32) -> f64 {
    100.0 * f64::from(count) / f64::from(games.max(1))
}

/// Wins / losses / draws of the first player.
fn shares(counts: &Counts) -> String {
    let share = |count| percent(count, counts.games());
    format!("{:.0} / {:.0} / {:.0}", share(counts.first), share(counts.second), share(counts.draws))
}

/// Wins / draws of the evolved values.
fn wins_draws(counts: &Counts) -> String {
    format!("{:.0} / {:.0}", percent(counts.first, counts.games()), percent(counts.draws, counts.games()))
}

fn name(world: &World) -> String {
    let lion = if world.lion { "" } else { ", no lion in hand" };
    format!("{}, {}{lion}", world.array, world.terminal)
}

fn readings(finalist: &Finalist) -> String {
    let named = finalist.readings().named();
    let pairs = named.chunks(2).map(|pair| format!("{} {} ({})", pair[0].0, pair[0].1, pair[1].1));
    pairs.collect::<Vec<_>>().join(", ")
}

/// The best finalist of a world.
fn best(forensic: &Forensic, world: usize) -> Option<&(Finalist, bool, f64, f64)> {
    forensic.finalists.iter().find(|(finalist, ..)| finalist.world == world)
}

/// The tables of the summary.
pub fn forensic_markdown(forensic: &Forensic) -> String {
    let mut text = format!(
        "{} combinations were tried. Likelihoods are natural logarithms of the probability of all published numbers of a table, given our games.\n\n",
        forensic.tried
    );
    text += "## Chosen on Tables 1 to 3\n\n";
    text += "By array and ending: the way to read Table 1 that fits best, evaluator 1 against itself (first wins / second wins / draws, %; published 36 / 49 / 15), the readings of the features that fit Tables 2 and 3 best, the likelihoods, and how many different games there are among a hundred of evaluators 1, 2 and 3 against themselves.\n\n";
    text += "| array, ending | Table 1 shows | its likelihood | 1 against 1 | readings | Tables 2 and 3 move first | their likelihood | all | different games |\n|---|---|---:|---|---|---|---:|---:|---|\n";
    let mut order: Vec<usize> = (0..forensic.worlds.len()).collect();
    let all = |world: usize| best(forensic, world).map_or(f64::NEG_INFINITY, |(.., all)| *all);
    order.sort_by(|a, b| all(*b).total_cmp(&all(*a)));
    for world in &order {
        let Some((finalist, rows, likelihood, all)) = best(forensic, *world) else { continue };
        let (way, table1) = forensic.table1[*world];
        let _ = writeln!(
            text,
            "| {}{} | {} | {table1:.1} | {} | {} | {} | {likelihood:.1} | {all:.1} | {} |",
            name(&forensic.worlds[*world]),
            if forensic.worlds[*world].is_default() { " (today's default)" } else { "" },
            way.name(),
            shares(&forensic.plain[*world].ones),
            readings(finalist),
            if *rows { "rows" } else { "columns" },
            finalist.distinct.map(|count| count.to_string()).join(", "),
        );
    }
    text += &chosen_cells(forensic);
    let _ = writeln!(
        text,
        "\n**The null.** With the published cells dealt out by lot (Table 1 by itself, Tables 2 and 3 by pairs), the best of all combinations reaches the likelihood of the real tables ({:.1} by the games of the scan) in {:.1} % of {} deals; median {:.1}.",
        forensic.scan_best,
        100.0 * forensic.null_share(),
        forensic.null.len(),
        median(&forensic.null)
    );
    text += "\n## Tested on Tables 5, 7 and 8\n\nThe paper's evolved values against the untrained ones, wins / draws in %. *Sampling* is how often two samples of one program would differ as much (G-test); *dealt* the share of the 24 ways to deal the four published results out to the four matches that fit at least as well.\n\n";
    text += "| array, ending | plies | Table 5 first | Table 5 second | Table 7 | Table 8 | distance | likelihood | sampling | dealt |\n|---|---:|---|---|---|---|---:|---:|---:|---:|\n";
    let published: Vec<String> =
        forensic.published.test.iter().map(|number| wins_draws(&number.counts)).collect();
    let _ = writeln!(
        text,
        "| *published* | | {} | | {:.1} at best | | |",
        published.join(" | "),
        forensic.perfect_test
    );
    let mut tests: Vec<&Test> = forensic.tests.iter().collect();
    tests.sort_by(|a, b| b.likelihood.total_cmp(&a.likelihood));
    let chosen = forensic.chosen().first().map(|test| test.world);
    for test in tests {
        let cells: Vec<String> = test.counts.iter().map(wins_draws).collect();
        let world = &forensic.worlds[test.world];
        let mark = match (Some(test.world) == chosen, world.is_default() && test.depth == 2) {
            (true, _) => " **(chosen above)**",
            (_, true) => " (today's default)",
            _ => "",
        };
        let _ = writeln!(
            text,
            "| {}{mark} | {} | {} | {:.1} | {:.1} | {} | {:.0} % |",
            name(world),
            test.depth,
            cells.join(" | "),
            test.distance,
            test.likelihood,
            chance(test.chance),
            100.0 * test.permuted
        );
    }
    let verdict = match forensic.is_explained() {
        true => {
            "The array and ending that Tables 1 to 3 choose explain Tables 5, 7 and 8 to within sampling."
        }
        false => {
            "The array and ending that Tables 1 to 3 choose do not explain Tables 5, 7 and 8: sampling is no excuse at either depth."
        }
    };
    let _ = writeln!(text, "\n**Verdict.** {verdict}");
    text + "\n![Published and played, Tables 5, 7 and 8](test.png)\n"
}

fn chance(share: f64) -> String {
    if share < 0.0001 { "< 0.01 %".to_string() } else { format!("{:.2} %", 100.0 * share) }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Tables 2 and 3 under the best combination, beside what was published.
fn chosen_cells(forensic: &Forensic) -> String {
    let Some((finalist, rows, ..)) = forensic.finalists.first() else { return String::new() };
    let mut text = format!(
        "\nThe best of all is *{}* with {}. Its cells, ours and **published**, first player wins / second player wins / draws in %:\n\n| second \\ first | 1 | 2 | 3 |\n|---|---|---|---|\n",
        name(&forensic.worlds[finalist.world]),
        readings(finalist)
    );
    for second in 0..3 {
        let cell = |first: usize| {
            let (row, column) = if *rows { (first, second) } else { (second, first) };
            let published = &forensic.published.tables23[row][column];
            format!("{} **{}**", shares(&finalist.cells[first][second]), shares(published))
        };
        let _ = writeln!(text, "| {} | {} |", second + 1, [0, 1, 2].map(cell).join(" | "));
    }
    text
}

fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header).expect("written into memory");
    rows.for_each(|row| writer.write_record(row).expect("written into memory"));
    writer.into_inner().expect("written into memory")
}

fn world_columns(world: &World) -> Vec<String> {
    vec![world.array.to_string(), world.terminal.to_string(), world.lion.to_string()]
}

fn worlds_csv(forensic: &Forensic) -> Vec<u8> {
    let rows = forensic.worlds.iter().enumerate().map(|(number, world)| {
        let (way, table1) = forensic.table1[number];
        let ones = forensic.plain[number].ones;
        let mut row = world_columns(world);
        row.extend([
            way.name().to_string(),
            format!("{table1:.2}"),
            format!("{:.2}", forensic.scanned[number]),
        ]);
        row.extend([ones.first, ones.second, ones.draws].map(|count| count.to_string()));
        for first in 0..4 {
            for second in 0..4 {
                let Counts { first, second, draws } = forensic.plain[number].table1[first][second];
                row.push(format!("{first}/{second}/{draws}"));
            }
        }
        row
    });
    let mut header: Vec<String> = [
        "array",
        "terminal",
        "lion_in_hand",
        "table1_shows",
        "table1_likelihood",
        "tables23_likelihood_of_scan",
        "ones_first_wins",
        "ones_second_wins",
        "ones_draws",
    ]
    .map(String::from)
    .to_vec();
    for first in 2..=5 {
        header.extend((2..=5).map(|second| format!("depth_{first}_v_{second}")));
    }
    table(&header.iter().map(String::as_str).collect::<Vec<_>>(), rows)
}

fn finalists_csv(forensic: &Forensic) -> Vec<u8> {
    let rows = forensic.finalists.iter().map(|(finalist, rows, likelihood, all)| {
        let mut row = world_columns(&forensic.worlds[finalist.world]);
        row.extend(finalist.readings().named().into_iter().map(|(_, reading)| reading.to_string()));
        row.extend([rows.to_string(), format!("{likelihood:.2}"), format!("{all:.2}")]);
        for counts in finalist.cells.iter().flatten() {
            row.push(format!("{}/{}/{}", counts.first, counts.second, counts.draws));
        }
        row.extend(finalist.distinct.map(|count| count.to_string()));
        row
    });
    let header = "array,terminal,lion_in_hand,mobility,mobility_for,check,check_for,try,try_for,rows_move_first,tables23_likelihood,\
                  all_likelihood,1_v_1,1_v_2,1_v_3,2_v_1,2_v_2,2_v_3,3_v_1,3_v_2,3_v_3,different_of_100_1_v_1,different_of_100_2_v_2,\
                  different_of_100_3_v_3";
    table(&header.split(',').collect::<Vec<_>>(), rows)
}

fn test_csv(forensic: &Forensic) -> Vec<u8> {
    let rows = forensic.tests.iter().flat_map(|test| {
        test.counts.iter().zip(&forensic.published.test).map(move |(ours, number)| {
            let mut row = world_columns(&forensic.worlds[test.world]);
            row.extend([test.depth.to_string(), number.genome.to_string(), number.side.to_string()]);
            for counts in [ours, &number.counts] {
                row.extend([counts.first, counts.draws, counts.second].map(|count| count.to_string()));
            }
            row.extend([format!("{:.2}", test.likelihood), format!("{:.2}", test.distance)]);
            row.extend([format!("{:.6}", test.chance), format!("{:.4}", test.permuted)]);
            row
        })
    });
    let header = "array,terminal,lion_in_hand,depth,genome,side,wins,draws,losses,published_wins,published_draws,published_losses,\
                  likelihood_of_all_four,distance_of_all_four,sampling,dealt";
    table(&header.split(',').collect::<Vec<_>>(), rows)
}

/// Published against played: wins and draws of the four matches, for every array, ending and depth that knows a lost lion. From
/// the table of them.
pub(super) fn forensic_picture(tables: &TableFiles) -> Result<Picture, TableError> {
    const DRAWN: [(&str, u32, RGBColor, Marker); 3] = [
        ("exact", 2, BLUE, Marker::Disc),
        ("exact", 3, RED, Marker::Square),
        ("paper", 2, GREEN, Marker::Triangle),
    ];
    let rows = tables.rows(layout::FORENSIC_TEST)?.map(|row| {
        let of = |columns: [&str; 3]| {
            let [wins, draws, losses]: [u32; 3] = row.numbers(columns)?;
            Ok([wins, draws].map(|count| percent(count, wins + draws + losses)))
        };
        let ours = of(["wins", "draws", "losses"])?;
        let theirs = of(["published_wins", "published_draws", "published_losses"])?;
        let (array, terminal) = (row.text("array")?.to_string(), row.text("terminal")?.to_string());
        let lion = row.text("lion_in_hand")? == "true";
        Ok((array, terminal, lion, row.number::<u32>("depth")?, [(theirs[0], ours[0]), (theirs[1], ours[1])]))
    })?;
    let shown: Vec<_> = rows.into_iter().filter(|(_, _, lion, ..)| *lion).collect();
    let values =
        || shown.iter().flat_map(|(.., points)| points.iter().flat_map(|(x, y)| [*x, *y])).chain([0.0]);
    let panel = |array: Array| {
        let axis = |name: &str| Axis::covering(name, values());
        let (low, high) = axis("").ends();
        let mut lines = vec![Line::dashed("equal", GRAY, vec![(low, low), (high, high)])];
        for (ending, plies, color, marker) in DRAWN {
            let own = shown.iter().filter(|(of, terminal, _, depth, _)| {
                *of == array.to_string() && terminal == ending && *depth == plies
            });
            let name = format!("played with ending '{ending}', {plies} plies");
            lines.push(Line::points(&name, color, marker, own.flat_map(|(.., points)| *points).collect()));
        }
        Panel { title: format!("{array} array"), x: axis("published, %"), y: axis("played, %"), lines }
    };
    let title = "Evolved against untrained values, wins and draws: published, and played under each reading"
        .to_string();
    let panels = Array::ALL.into_iter().map(panel).collect();
    Ok(Figure { title, columns: 2, panel: (560.0, 540.0), one_legend: true, panels }.draw("test"))
}
