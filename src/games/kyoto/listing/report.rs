//! The listing's program read in several ways: a table, its rows, and a picture.

use std::fmt::Write;

use super::{ListingCell, ListingPair, ListingWork};
use crate::arena::{Estimate, rate_interval, same_chance};
use crate::report::duels::{likely, scores_picture};
use crate::report::layout;
use crate::report::picture::Picture;
use crate::report::table::{TableError, TableFiles};

/// Below this the difference is not one of sampling.
const EXPLAINED: f64 = 0.05;

/// Wins of the first player, and of how many games: draws are left out, as the listing does.
fn decided(cell: &ListingCell) -> (u64, u64) {
    (cell.tally.wins, cell.tally.wins + cell.tally.losses)
}

fn chance(work: &ListingWork, cell: &ListingCell) -> f64 {
    same_chance((work.pairs[cell.pair].paper, work.paper_games), decided(cell))
}

/// Names and contents of the files.
pub fn listing_files(work: &ListingWork, cells: &[ListingCell]) -> Vec<(&'static str, Vec<u8>)> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header =
        "reading,slips,first,second,games,wins,draws,losses,distinct,share,low,high,paper,paper_games,chance";
    writer.write_record(header.split(',')).expect("writing into memory does not fail");
    for cell in cells {
        let (wins, of) = decided(cell);
        let Estimate { value, low, high } = rate_interval(wins, of);
        let (reading, pair) = (&work.readings[cell.reading], &work.pairs[cell.pair]);
        let record = [
            reading.name.clone(),
            slips(work, cell.reading),
            pair.first.clone(),
            pair.second.clone(),
            cell.tally.games().to_string(),
            cell.tally.wins.to_string(),
            cell.tally.draws.to_string(),
            cell.tally.losses.to_string(),
            cell.distinct.to_string(),
            format!("{value:.4}"),
            format!("{low:.4}"),
            format!("{high:.4}"),
            pair.paper.to_string(),
            work.paper_games.to_string(),
            format!("{:.4}", chance(work, cell)),
        ];
        writer.write_record(record).expect("writing into memory does not fail");
    }
    vec![(layout::LISTING, writer.into_inner().expect("writing into memory does not fail"))]
}

fn slips(work: &ListingWork, reading: usize) -> String {
    work.readings[reading].slips.iter().map(|slip| slip.to_string()).collect::<Vec<_>>().join(" ")
}

/// The readings that explain every published number.
fn explaining<'a>(work: &'a ListingWork, cells: &[ListingCell]) -> Vec<&'a str> {
    let explains = |reading: usize| {
        cells.iter().filter(|cell| cell.reading == reading).all(|cell| chance(work, cell) >= EXPLAINED)
    };
    let names = work.readings.iter().enumerate().filter(|(reading, _)| explains(*reading));
    names.map(|(_, reading)| reading.name.as_str()).collect()
}

/// Readings and pairs as a table, and which readings explain the published numbers.
pub fn listing_markdown(work: &ListingWork, cells: &[ListingCell]) -> String {
    let mut text = format!(
        "{} games a cell, three plies ahead, no repetition rule, a draw after {} plies, seed {}. Wins of the first player in percent of the \
         games that were not drawn [95 % interval]; the published wins are of {} games; how likely samples of one chance differ so much \
         (Fisher's exact test).\n\n\
         | reading | first v second | wins % | draws % | distinct games | published | how likely |\n|---|---|---|---|---|---|---|\n",
        work.games, work.ply_cap, work.seed, work.paper_games
    );
    for cell in cells {
        let ListingPair { first, second, paper } = &work.pairs[cell.pair];
        let (wins, of) = decided(cell);
        let Estimate { value, low, high } = rate_interval(wins, of).map(|rate| 100.0 * rate);
        let draws = 100.0 * cell.tally.draws as f64 / cell.tally.games() as f64;
        let name = &work.readings[cell.reading].name;
        let _ = writeln!(
            text,
            "| {name} | {first} v {second} | {value:.1} [{low:.1}, {high:.1}] | {draws:.1} | {} | {paper} | {} |",
            cell.distinct,
            likely(chance(work, cell))
        );
    }
    text += "\n| reading | slips |\n|---|---|\n";
    for (number, reading) in work.readings.iter().enumerate() {
        let listed = match slips(work, number) {
            none if none.is_empty() => "–".to_string(),
            some => format!("`{}`", some.replace(' ', "`, `")),
        };
        let _ = writeln!(text, "| {} | {listed} |", reading.name);
    }
    let verdict = listing_verdict(work, cells);
    text + &format!("\n{verdict}\n")
}

fn listing_verdict(work: &ListingWork, cells: &[ListingCell]) -> String {
    match explaining(work, cells).join(", ") {
        none if none.is_empty() => {
            "No reading explains all published rows (each more than 5 % likely).".to_string()
        }
        some => format!("Readings that explain all published rows (each more than 5 % likely): {some}."),
    }
}

/// Lines for an overview.
pub fn listing_overview(work: &ListingWork, cells: &[ListingCell]) -> Vec<[String; 4]> {
    let published: Vec<String> =
        work.pairs.iter().map(|pair| format!("{} v {}: {}", pair.first, pair.second, pair.paper)).collect();
    let explained = explaining(work, cells).len();
    let ours = format!("{explained} of {} readings explain all rows", work.readings.len());
    let verdict = if explained > 0 { "explained by slips" } else { "not explained by slips" };
    vec![["first player wins of decided games".to_string(), published.join(", "), ours, verdict.to_string()]]
}

/// Pair by pair: what was published, then each reading.
pub(super) fn listing_picture(title: &str, tables: &TableFiles) -> Result<Picture, TableError> {
    let mut pairs: Vec<(String, Vec<(String, Estimate)>)> = Vec::new();
    tables.rows(layout::LISTING)?.map(|row| {
        let [value, low, high] = row.numbers(["share", "low", "high"])?;
        let [paper, of] = row.numbers(["paper", "paper_games"])?;
        let pair = format!("{} v {}", row.text("first")?, row.text("second")?);
        let cell = (format!("{pair}, {}", row.text("reading")?), Estimate { value, low, high });
        match pairs.iter_mut().find(|(known, _)| *known == pair) {
            Some((_, rows)) => rows.push(cell),
            None => {
                let published = (format!("{pair}, published"), rate_interval(paper, of));
                pairs.push((pair, vec![published, cell]));
            }
        }
        Ok(())
    })?;
    let rows: Vec<(String, Estimate)> = pairs.into_iter().flat_map(|(_, rows)| rows).collect();
    Ok(scores_picture("listing", title, &rows, "the first player's wins of the games that were not drawn"))
}
