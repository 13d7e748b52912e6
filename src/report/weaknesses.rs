//! Weak moves of the players of duels: a table, a list of numbers and pictures.

use std::fmt::Write;

use super::duels::{csv_field, intervals_picture};
use super::picture::Picture;
use super::table::{TableError, TableFiles};
use super::{layout, picture};
use crate::arena::{ClusterSums, Estimate, cluster_interval};
use crate::experiment::{DuelPair, DuelResult, DuelsWork};
use crate::game::Weakness;
use crate::players::Playable;

/// The counts with all that their intervals need, a line for each duel and weakness.
pub(crate) fn weaknesses_csv<G: Playable>(work: &DuelsWork<G>, results: &[DuelResult]) -> String {
    let mut text = String::from("duel,player,against,weakness,moves,count,rate,low,high\n");
    for (DuelPair { name, player, against, .. }, result) in work.pairs.iter().zip(results) {
        let [name, player, against] = [name, player, against].map(|text| csv_field(text));
        for (Weakness { name: weakness, .. }, sums) in G::OFFER.weaknesses.iter().zip(&result.weaknesses) {
            let ClusterSums { count, of, .. } = sums;
            let _ = write!(text, "{name},{player},{against},{weakness},{of},{count},");
            let _ = match cluster_interval(sums) {
                Some(Estimate { value, low, high }) => writeln!(text, "{value:.5},{low:.5},{high:.5}"),
                None => writeln!(text, ",,"),
            };
        }
    }
    text
}

/// A table of the rates, and what is counted.
pub(crate) fn weaknesses_markdown<G: Playable>(work: &DuelsWork<G>, results: &[DuelResult]) -> String {
    let heads: String =
        G::OFFER.weaknesses.iter().map(|weakness| format!(" {} | % of moves |", weakness.name)).collect();
    let mut text = format!(
        "\nWeak moves of the player among its own moves after the random opening, in percent [95 % interval, clustered by game]:\n\n\
         | duel | own moves |{heads}\n|---|---|{}\n",
        "---|---|".repeat(G::OFFER.weaknesses.len())
    );
    for (DuelPair { name, .. }, result) in work.pairs.iter().zip(results) {
        let moves = result.weaknesses.first().map_or(0, |sums| sums.of);
        let cells: String = result.weaknesses.iter().map(cells).collect();
        let _ = writeln!(text, "| {name} | {moves} |{cells}");
    }
    text.push('\n');
    for Weakness { name, meaning, .. } in G::OFFER.weaknesses {
        let _ = writeln!(text, "- {name}: {meaning}.");
    }
    text
}

/// How many, and the rate with its interval.
fn cells(sums: &ClusterSums) -> String {
    match cluster_interval(sums).map(|rate| rate.map(|share| 100.0 * share)) {
        Some(Estimate { value, low, high }) => {
            format!(" {} | {value:.2} [{low:.2}, {high:.2}] |", sums.count)
        }
        None => " 0 | – |".to_string(),
    }
}

/// A picture for each weakness, from the table of them.
pub fn weaknesses_pictures<G: Playable>(
    title: &str,
    tables: &TableFiles,
) -> Result<Vec<Picture>, TableError> {
    let rows = tables.rows(layout::WEAKNESSES)?;
    let picture = |(number, Weakness { name, .. }): (usize, &Weakness<G>)| {
        let mut rates = Vec::new();
        for row in rows.iter() {
            if row.text("weakness")? == *name && !row.text("rate")?.is_empty() {
                let [value, low, high] = row.numbers(["rate", "low", "high"])?;
                rates.push((row.text("duel")?.to_string(), Estimate { value, low, high }));
            }
        }
        let file = format!("{}-{number}", layout::WEAKNESSES_PICTURE);
        let title = format!("{title}: {name}");
        let highest = rates.iter().map(|(_, rate)| 100.0 * rate.high).fold(0.0, f64::max);
        let most = [5.0, 10.0, 20.0, 50.0].into_iter().find(|most| highest <= *most).unwrap_or(100.0);
        let axis = ("percent of own moves, 95 % intervals", most);
        Ok(intervals_picture(&file, &title, &rates, axis, |_| picture::BLUE))
    };
    (1..).zip(G::OFFER.weaknesses).map(picture).collect()
}
