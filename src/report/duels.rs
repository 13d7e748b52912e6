//! Duels as a table, a list of numbers and a picture.

use std::fmt::Write;

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::picture::{self, DRAWN, png};
use crate::arena::{Estimate, rate_interval, same_chance};
use crate::experiment::{DuelPair, DuelResult, DuelsWork, PaperWins};
use crate::games::Game;

/// Names and contents of the files.
pub fn duels_files<G: Game>(
    title: &str,
    work: &DuelsWork<G>,
    results: &[DuelResult],
) -> Vec<(&'static str, Vec<u8>)> {
    vec![("duels.csv", csv(work, results).into_bytes()), ("duels.png", picture(title, work, results))]
}

fn csv<G: Game>(work: &DuelsWork<G>, results: &[DuelResult]) -> String {
    let mut text = String::from(
        "duel,player,against,first_wins,first_draws,first_losses,second_wins,second_draws,second_losses,score,low,high,plies\n",
    );
    for (DuelPair { name, player, against, .. }, result) in work.pairs.iter().zip(results) {
        let [f, s] = [result.sides.first, result.sides.second];
        let Estimate { value, low, high } = result.score();
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{value:.4},{low:.4},{high:.4},{:.1}",
            csv_field(name),
            csv_field(player),
            csv_field(against),
            f.wins,
            f.draws,
            f.losses,
            s.wins,
            s.draws,
            s.losses,
            result.plies
        );
    }
    text
}

/// A text as a cell of a table: in quotes if it has a comma in it.
pub(super) fn csv_field(text: &str) -> String {
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}

/// What an interval says.
fn verdict(Estimate { low, high, .. }: Estimate) -> &'static str {
    match () {
        () if low > 0.5 => "stronger",
        () if high < 0.5 => "weaker",
        () => "no difference seen",
    }
}

/// The scores as a table.
pub fn duels_markdown<G: Game>(work: &DuelsWork<G>, results: &[DuelResult]) -> String {
    let mut text = format!(
        "{} games a duel, sides swapped, each pair of games from the same {} random moves, seed {}. Score of the player in percent \
         [95 % interval over pairs of games].\n\n| duel | player | against | score | moving first | moving second | draws | verdict |\n|---|---|---|---|---|---|---|---|\n",
        work.games, work.opening_plies, work.seed
    );
    for (DuelPair { name, player, against, .. }, result) in work.pairs.iter().zip(results) {
        let score = result.score();
        let Estimate { value, low, high } = score.map(|score| 100.0 * score);
        let [first, second] = [result.sides.first, result.sides.second].map(|tally| 100.0 * tally.score());
        let draws = 100.0 * result.tally().draws as f64 / result.tally().games() as f64;
        let _ = writeln!(
            text,
            "| {name} | `{player}` | `{against}` | {value:.1} [{low:.1}, {high:.1}] | {first:.1} | {second:.1} | {draws:.1} | {} |",
            verdict(score)
        );
    }
    text += &published(work, results);
    let mut programs: Vec<&str> =
        results.iter().flat_map(|result| &result.programs).map(String::as_str).collect();
    programs.sort_unstable();
    programs.dedup();
    if !programs.is_empty() {
        let _ = writeln!(text, "\nPrograms of others: {}.", programs.join(", "));
    }
    let faults: usize = results.iter().map(|result| result.faults).sum();
    if faults > 0 {
        let _ = writeln!(text, "\nGames that a program lost by a fault, not by its play: {faults}.");
    }
    if results.iter().any(|result| result.timed) {
        text += "\nDuels with a `time` go by the clock of the machine: another run gives other games.\n";
    }
    text
}

/// What a paper says beside it, and how likely sampling is to explain the difference.
fn published<G: Game>(work: &DuelsWork<G>, results: &[DuelResult]) -> String {
    let mut text = String::new();
    for (pair, result) in work.pairs.iter().zip(results) {
        let Some(paper) = pair.paper else { continue };
        for (side, wins, tally) in
            [("first", paper.first, result.sides.first), ("second", paper.second, result.sides.second)]
        {
            let ours = rate_interval(tally.wins, tally.games()).map(|rate| 100.0 * rate);
            let chance = same_chance((wins, paper.games), (tally.wins, tally.games()));
            let _ = writeln!(
                text,
                "| {} | {side} | {wins} of {} | {:.1} [{:.1}, {:.1}] | {} |",
                pair.name,
                paper.games,
                ours.value,
                ours.low,
                ours.high,
                likely(chance)
            );
        }
    }
    match text.is_empty() {
        true => text,
        false => format!(
            "\nWins beside the published ones; how likely samples of one chance differ so much (Fisher's exact test):\n\n\
             | duel | moving | published | ours % [95 % interval] | how likely |\n|---|---|---|---|---|\n{text}"
        ),
    }
}

/// A chance in words that fit a table.
fn likely(chance: f64) -> String {
    match chance {
        chance if chance < 0.0001 => "less than 1 in 10,000".to_string(),
        chance if chance < 0.05 => format!("{:.2} %", 100.0 * chance),
        chance => format!("{:.0} %: sampling explains it", 100.0 * chance),
    }
}

/// Lines for an overview.
pub fn duels_overview<G: Game>(work: &DuelsWork<G>, results: &[DuelResult]) -> Vec<[String; 4]> {
    let line = |(pair, result): (&DuelPair, &DuelResult)| {
        let Estimate { value, low, high } = result.score().map(|score| 100.0 * score);
        let ours = format!("{value:.1} % [{low:.1}, {high:.1}]");
        let paper = pair.paper.map_or("–".to_string(), |PaperWins { first, second, games }| {
            format!("{first} and {second} wins of {games} a side")
        });
        [pair.name.clone(), paper, ours, verdict(result.score()).to_string()]
    };
    work.pairs.iter().zip(results).map(line).collect()
}

const LEFT: i32 = 420;
const WIDTH: i32 = 800;
const ROW: i32 = 46;
const TOP: i32 = 90;

fn picture<G: Game>(title: &str, work: &DuelsWork<G>, results: &[DuelResult]) -> Vec<u8> {
    let scores = results.iter().map(DuelResult::score);
    let rows: Vec<(&str, Estimate)> = work.pairs.iter().map(|pair| pair.name.as_str()).zip(scores).collect();
    scores_picture(title, &rows)
}

/// Scores with their intervals, a row each.
pub(super) fn scores_picture(title: &str, rows: &[(&str, Estimate)]) -> Vec<u8> {
    let bottom = TOP + ROW * rows.len() as i32;
    let x = |share: f64| LEFT + (share * f64::from(WIDTH)) as i32;
    png((LEFT + WIDTH + 60) as u32, (bottom + 80) as u32, |area| {
        picture::title(area, title);
        for percent in (0..=100).step_by(10) {
            let at = x(f64::from(percent) / 100.0);
            let style = if percent == 50 { RGBColor(120, 120, 120) } else { RGBColor(225, 225, 225) };
            let line = PathElement::new(vec![(at, TOP - 10), (at, bottom)], style.stroke_width(1));
            area.draw(&line).expect(DRAWN);
            picture::write(area, &percent.to_string(), (at, bottom + 18), 18.0, &BLACK, HPos::Center);
        }
        let axis = "score in percent, 95 % intervals";
        picture::write(area, axis, (LEFT + WIDTH / 2, bottom + 50), 20.0, &BLACK, HPos::Center);
        for (row, (name, score)) in (0..).zip(rows) {
            let y = TOP + row * ROW + ROW / 2;
            picture::write(area, name, (LEFT - 15, y), 19.0, &BLACK, HPos::Right);
            let Estimate { value, low, high } = *score;
            let color = match verdict(*score) {
                "stronger" => picture::GREEN,
                "weaker" => picture::RED,
                _ => picture::BLUE,
            };
            let bar = PathElement::new(vec![(x(low), y), (x(high), y)], color.stroke_width(3));
            area.draw(&bar).expect(DRAWN);
            area.draw(&Circle::new((x(value), y), 7, color.filled())).expect(DRAWN);
        }
    })
}
