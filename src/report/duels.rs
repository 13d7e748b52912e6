//! Duels as a table, a list of numbers and a picture.

use std::fmt::Write;

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use super::axis::Axis;
use super::chart::{Figure, Line, MARGIN, SMALL, TEXT, TITLE};
use super::picture::{BLACK, GRAY, Marker, PALE, Pen, Picture, width};
use super::table::{TableError, TableFiles};
use super::weaknesses::{weaknesses_csv, weaknesses_markdown};
use super::{chart, layout, picture};
use crate::arena::{Estimate, rate_interval, same_chance};
use crate::experiment::{DuelPair, DuelResult, DuelsWork, PaperWins, PublishedDuel};
use crate::game::Game;
use crate::players::Playable;

/// Names and contents of the files.
pub fn duels_files<G: Playable>(work: &DuelsWork<G>, results: &[DuelResult]) -> Vec<(&'static str, Vec<u8>)> {
    let mut files = vec![(layout::DUELS, csv(work, results).into_bytes())];
    if work.weaknesses {
        files.push((layout::WEAKNESSES, weaknesses_csv(work, results).into_bytes()));
    }
    files
}

fn csv<G: Playable>(work: &DuelsWork<G>, results: &[DuelResult]) -> String {
    let mut text = String::from(
        "duel,player,against,first_wins,first_draws,first_losses,second_wins,second_draws,second_losses,score,low,high,plies",
    );
    text += if work.curve.is_some() { ",at\n" } else { "\n" };
    for (DuelPair { name, player, against, at, .. }, result) in work.pairs.iter().zip(results) {
        let [f, s] = [result.sides.first, result.sides.second];
        let Estimate { value, low, high } = result.score();
        let _ = write!(
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
        text += &at.map(|at| format!(",{at}")).unwrap_or_default();
        text.push('\n');
    }
    text
}

/// A text as a cell of a table: in quotes if it has a comma in it.
pub(crate) fn csv_field(text: &str) -> String {
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
pub fn duels_markdown<G: Playable>(work: &DuelsWork<G>, results: &[DuelResult]) -> String {
    let capped = work.ply_cap.map(|cap| format!(" A game is a draw after {cap} plies.")).unwrap_or_default();
    let seeds = match work.seeds {
        1 => format!("seed {}", work.seed),
        seeds => {
            let last = work.seed + seeds - 1;
            format!("{} games for each of the seeds {} to {last}", work.games, work.seed)
        }
    };
    let start = match work.opening_plies {
        0 => "from the start".to_string(),
        plies => format!("each pair of games from the same {plies} random moves"),
    };
    let mut text = format!(
        "{} games a duel, sides swapped, {start}, {seeds}.{capped} Score of the player in percent \
         [95 % interval over pairs of games].\n\n| duel | player | against | score | moving first | moving second | draws | verdict |\n|---|---|---|---|---|---|---|---|\n",
        work.games * work.seeds as usize
    );
    work.published.iter().for_each(|duel| text += &published_row(duel));
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
    if work.weaknesses {
        text += &weaknesses_markdown(work, results);
    }
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

/// A published result of players that we do not have: nothing is concluded from it.
fn published_row(duel: &PublishedDuel) -> String {
    let PublishedDuel { name, player, against, .. } = duel;
    let [first, second] = duel.sides();
    let both = first + second;
    let [score, moving_first, moving_second] = [both, first, second].map(|tally| 100.0 * tally.score());
    let draws = 100.0 * both.draws as f64 / both.games() as f64;
    format!(
        "| {name} | {player} | {against} | {score:.1} | {moving_first:.1} | {moving_second:.1} | {draws:.1} | none: not our games |\n"
    )
}

/// What a paper says beside it, and how likely sampling is to explain the difference.
fn published<G: Playable>(work: &DuelsWork<G>, results: &[DuelResult]) -> String {
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
pub(crate) fn likely(chance: f64) -> String {
    match chance {
        chance if chance < 0.0001 => "less than 1 in 10,000".to_string(),
        chance if chance < 0.05 => format!("{:.2} %", 100.0 * chance),
        chance => format!("{:.0} %: sampling explains it", 100.0 * chance),
    }
}

/// Lines for an overview.
pub fn duels_overview<G: Playable>(work: &DuelsWork<G>, results: &[DuelResult]) -> Vec<[String; 4]> {
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

/// The picture of duels: a row each, or a curve for each opponent.
pub fn duels_picture<G: Game>(
    title: &str,
    work: &DuelsWork<G>,
    tables: &TableFiles,
) -> Result<Picture, TableError> {
    match &work.curve {
        Some(what) => scores_curve(title, what, tables),
        None => scores_rows(title, tables),
    }
}

/// The score over what changes from duel to duel, on a logarithmic axis, with a line for each opponent.
fn scores_curve(title: &str, what: &str, tables: &TableFiles) -> Result<Picture, TableError> {
    let rows = tables.rows(layout::DUELS)?.map(|row| {
        let [at, score, low, high] = row.numbers::<f64, 4>(["at", "score", "low", "high"])?;
        Ok((row.text("against")?.to_string(), at, [score, low, high].map(|share| 100.0 * share)))
    })?;
    let x = Axis::logarithmic(what, rows.iter().map(|(_, at, _)| *at));
    let mut opponents: Vec<&str> = Vec::new();
    for (against, _, _) in &rows {
        if !opponents.contains(&against.as_str()) {
            opponents.push(against);
        }
    }
    let mut lines = vec![Line::level("equal strength", GRAY, &x, 50.0)];
    let looks = picture::LINE_COLORS.into_iter().cycle().zip(Marker::ALL);
    for (against, (color, marker)) in opponents.into_iter().zip(looks) {
        let own = || rows.iter().filter(|row| row.0 == against);
        let points = own().map(|(_, at, [score, _, _])| (*at, *score)).collect();
        let bars = own().map(|(_, at, [_, low, high])| (*at, [*low, *high])).collect();
        lines.push(Line::solid(&format!("against {against}"), color, points).marked(marker).with_bars(bars));
    }
    let y = Axis::covering("score in percent, 95 % intervals", [0.0, 100.0]);
    Ok(Figure::single(title, x, y, lines).draw("duels"))
}

/// Scores with their intervals, a row each, from the table of them.
fn scores_rows(title: &str, tables: &TableFiles) -> Result<Picture, TableError> {
    let mut games = Vec::new();
    let rows = tables.rows(layout::DUELS)?.map(|row| {
        let [first, second] = ["first", "second"].map(|side| {
            let columns = ["wins", "draws", "losses"].map(|what| format!("{side}_{what}"));
            row.numbers::<u64, 3>([&columns[0], &columns[1], &columns[2]])
                .map(|counts| counts.iter().sum::<u64>())
        });
        games.push(first? + second?);
        let [value, low, high] = row.numbers(["score", "low", "high"])?;
        Ok((row.text("duel")?.to_string(), Estimate { value, low, high }))
    })?;
    let least = games.iter().min().copied().unwrap_or(0);
    let most = games.iter().max().copied().unwrap_or(0);
    let note =
        if least == most { format!("{most} games each") } else { format!("{least} to {most} games each") };
    Ok(scores_picture("duels", title, &rows, &note))
}

const WIDE: f64 = 720.0;
const ROW: f64 = 36.0;
const TOP: f64 = MARGIN + TITLE + 26.0;

/// Scores with their intervals, a row each, and on how much they rest.
pub(crate) fn scores_picture(name: &str, title: &str, rows: &[(String, Estimate)], note: &str) -> Picture {
    let axis = format!("score in percent, 95 % intervals; {note}");
    let color = |score: Estimate| match verdict(score) {
        "stronger" => picture::GREEN,
        "weaker" => picture::RED,
        _ => picture::BLUE,
    };
    intervals_picture(name, title, rows, (&axis, 100.0), color)
}

/// Shares with their intervals, a row each, along an axis in percent that ends at so many.
pub(crate) fn intervals_picture(
    name: &str,
    title: &str,
    rows: &[(String, Estimate)],
    (axis, most): (&str, f64),
    color: impl Fn(Estimate) -> RGBColor,
) -> Picture {
    let bottom = TOP + ROW * rows.len() as f64;
    let left = rows.iter().map(|(name, _)| width(name, TEXT)).fold(160.0, f64::max) + MARGIN + 14.0;
    let x = |share: f64| left + share / (most / 100.0) * WIDE;
    let wide = left + WIDE + 2.0 * MARGIN;
    Picture::draw(name, (wide, bottom + 66.0), |sheet| {
        chart::title(sheet, title, wide - 2.0 * MARGIN);
        for tenth in 0..=10 {
            let percent = f64::from(tenth) * most / 10.0;
            let at = x(percent / 100.0);
            let pen = if percent == 50.0 {
                Pen { dashed: true, ..Pen::new(GRAY, 1.5) }
            } else {
                Pen::new(PALE, 1.0)
            };
            sheet.line(&[(at, TOP), (at, bottom)], pen);
            sheet.text(&percent.to_string(), (at, bottom + 16.0), SMALL, BLACK, HPos::Center);
        }
        sheet.text(axis, (left + WIDE / 2.0, bottom + 42.0), TEXT, BLACK, HPos::Center);
        for (number, (name, score)) in rows.iter().enumerate() {
            let y = TOP + ROW * (number as f64 + 0.5);
            sheet.text(name, (left - 14.0, y), TEXT, BLACK, HPos::Right);
            let Estimate { value, low, high } = *score;
            let color = color(*score);
            sheet.line(&[(x(low), y), (x(high), y)], Pen::new(color, 2.0));
            for end in [low, high] {
                sheet.line(&[(x(end), y - 4.0), (x(end), y + 4.0)], Pen::new(color, 2.0));
            }
            sheet.marker((x(value), y), Marker::Disc, 5.0, color);
        }
    })
}
