//! How a network learned: rewards and wins over the games it played.

use std::fmt::Write;

use plotters::style::RGBColor;

use super::{Block, DqnPreset, DqnResult, DqnRun, DqnWork, EpisodeRow, blocks};
use crate::arena::{Estimate, mean_interval};
use crate::game::Side;
use crate::report::axis::Axis;
use crate::report::chart::{Figure, Line, Panel};
use crate::report::duels::{csv_field, scores_picture};
use crate::report::picture::{Marker, Picture};
use crate::report::table::{TableError, TableFiles};
use crate::report::words::Language;
use crate::report::{layout, picture};

/// The first line of `learning.csv`.
pub const LEARNING_HEADER: &str = "episode,stage,side,epsilon,score,plies,reward,loss\n";

/// The table of a run, with all digits, so that it can be read back.
pub fn learning_csv(rows: &[EpisodeRow]) -> String {
    let mut text = LEARNING_HEADER.to_string();
    for EpisodeRow { episode, stage, side, epsilon, score, plies, reward, loss } in rows {
        let _ = writeln!(text, "{episode},{stage},{side},{epsilon},{score},{plies},{reward},{loss}");
    }
    text
}

/// Reads it back; `None` if it is not whole.
pub fn read_learning(text: &str) -> Option<Vec<EpisodeRow>> {
    let rows = text.strip_prefix(LEARNING_HEADER)?;
    let row = |(number, line): (u32, &str)| {
        let &[episode, stage, side, epsilon, score, plies, reward, loss] =
            line.split(',').collect::<Vec<_>>().as_slice()
        else {
            return None;
        };
        let row = EpisodeRow {
            episode: episode.parse().ok()?,
            stage: stage.parse().ok()?,
            side: side.parse::<Side>().ok()?,
            epsilon: epsilon.parse().ok()?,
            score: score.parse().ok()?,
            plies: plies.parse().ok()?,
            reward: reward.parse().ok()?,
            loss: loss.parse().ok()?,
        };
        (row.episode == number).then_some(row)
    };
    (1..).zip(rows.lines()).map(row).collect()
}

/// How many blocks a picture shows.
const BLOCKS: usize = 100;

/// What the picture says: title and axes of both panels, then the names of the lines.
pub(crate) fn learning_words(language: Language) -> [&'static str; 9] {
    let [lately, so_far, by_lot, another] = match language {
        Language::En => ["lately", "so far", "moves by lot", "another opponent"],
        Language::Ja => ["このごろ", "これまで", "乱数の手の割合", "相手がかわる"],
    };
    let [reward_title, x, reward, score_title, score] = match language {
        Language::En => ["Reward a game", "game", "reward", "Score", "points a game"],
        Language::Ja => ["1局の点数", "局", "点数", "勝率", "勝率"],
    };
    [reward_title, x, reward, score_title, score, lately, so_far, by_lot, another]
}

/// Two panels: rewards and wins over the games, as in the report.
pub fn learning_picture(rows: &[EpisodeRow], language: Language) -> Picture {
    let blocks: Vec<Block> = blocks(rows, BLOCKS);
    let line = |value: fn(&Block) -> f64| -> Vec<(f64, f64)> {
        blocks.iter().map(|block| (f64::from(block.episode), value(block))).collect()
    };
    let [reward_title, x, reward, score_title, score, lately, so_far, by_lot, another] =
        learning_words(language);
    let mut scores = vec![
        Line::solid(lately, picture::BLUE, line(|block| block.score)),
        Line::dashed(so_far, picture::GREEN, line(|block| block.so_far)),
        Line::dashed(by_lot, picture::ORANGE, line(|block| block.epsilon)),
    ];
    for pair in rows.windows(2).filter(|pair| pair[0].stage != pair[1].stage) {
        let at = f64::from(pair[0].episode);
        scores.push(Line::solid(another, picture::GRAY, vec![(at, 0.0), (at, 1.0)]).thin());
    }
    two_panels(
        [reward_title, score_title],
        [x, reward, score],
        [vec![Line::solid(lately, picture::BLUE, line(|block| block.reward))], scores],
        rows.len(),
    )
}

/// Rewards at the left, scores at the right.
fn two_panels(
    titles: [&str; 2],
    [x, reward, score]: [&str; 3],
    lines: [Vec<Line>; 2],
    games: usize,
) -> Picture {
    let [rewards, scores] = lines;
    let heights: Vec<f64> = rewards.iter().flat_map(Line::heights).chain([0.0]).collect();
    let axes = [Axis::covering(reward, heights), Axis::covering(score, [0.0, 1.0])];
    let panel = |((title, y), lines): ((&str, Axis), Vec<Line>)| Panel {
        title: title.to_string(),
        x: Axis::counting(x, games as f64),
        y,
        lines,
    };
    let panels = titles.into_iter().zip(axes).zip([rewards, scores]).map(panel).collect();
    Figure { title: String::new(), columns: 2, panel: (600.0, 460.0), one_legend: true, panels }
        .draw(layout::LEARNING_PICTURE)
}

/// Several ways to learn, each with many seeds.
pub struct DqnReport<'a> {
    /// What was done.
    pub work: &'a DqnWork,
    /// What came out, run by run, seed by seed.
    pub results: &'a [DqnResult],
}

/// Points per game of wins, draws and losses on both sides.
fn score(sides: &[[u64; 3]; 2]) -> f64 {
    let count = |place: usize| (sides[0][place] + sides[1][place]) as f64;
    (count(0) + 0.5 * count(1)) / (count(0) + count(1) + count(2))
}

impl DqnReport<'_> {
    fn of_run(&self, run: usize) -> impl Iterator<Item = &DqnResult> {
        self.results.iter().filter(move |result| result.run == run)
    }

    /// The scores of a run against an opponent, seed by seed, without those that failed.
    fn scores(&self, run: usize, against: usize) -> Vec<f64> {
        self.of_run(run).filter_map(|result| result.met.get(against)).map(score).collect()
    }

    /// Names and contents of the tables.
    pub fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        vec![(layout::RUNS, self.runs_csv().into_bytes()), (layout::LEARNING, self.curves_csv().into_bytes())]
    }

    fn runs_csv(&self) -> String {
        let mut text = String::from(
            "run,seed,updates,against,first_wins,first_draws,first_losses,second_wins,second_draws,second_losses,score,failed\n",
        );
        for result in self.results {
            let name = csv_field(&self.work.runs[result.run].name);
            let DqnResult { seed, updates, .. } = result;
            if result.failed.is_some() {
                let _ = writeln!(text, "{name},{seed},{updates},,,,,,,,,yes");
            }
            for (against, sides) in self.work.against.iter().map(|name| csv_field(name)).zip(&result.met) {
                let [[fw, fd, fl], [sw, sd, sl]] = sides;
                let _ = writeln!(
                    text,
                    "{name},{seed},{updates},{against},{fw},{fd},{fl},{sw},{sd},{sl},{:.4},",
                    score(sides)
                );
            }
        }
        text
    }

    fn curves_csv(&self) -> String {
        let mut text = String::from("run,seed,episode,score,reward,loss\n");
        for result in self.results {
            let name = csv_field(&self.work.runs[result.run].name);
            for [episode, score, reward, loss] in &result.curve {
                let _ =
                    writeln!(text, "{name},{},{episode:.0},{score:.4},{reward:.2},{loss:.4e}", result.seed);
            }
        }
        text
    }

    /// The tables of a summary.
    pub fn markdown(&self) -> String {
        let DqnWork { validation_games, opening_plies, .. } = self.work;
        let mut text = format!(
            "Each network plays {validation_games} fresh games against each of the others, sides swapped, each pair of games from the same \
             {opening_plies} random moves. Score in percent: mean over seeds [95 % interval by Student's t over seeds].\n\n| learns | {} | batches | failed |\n|---|{}---|---|\n",
            self.work.against.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" | "),
            "---|".repeat(self.work.against.len()),
        );
        for (run, way) in self.work.runs.iter().enumerate() {
            let cells: Vec<String> =
                (0..self.work.against.len()).map(|against| self.cell(run, against)).collect();
            let seeds = self.of_run(run).count().max(1) as u64;
            let updates = self.of_run(run).map(|result| result.updates).sum::<u64>() / seeds;
            let failed = self.of_run(run).filter(|result| result.failed.is_some()).count();
            let _ =
                writeln!(text, "| {} | {} | {updates} | {failed} of {seeds} |", way.name, cells.join(" | "));
        }
        text + &self.changed_listing()
    }

    /// Which settings of the report's listing the runs that are named after it have changed.
    fn changed_listing(&self) -> String {
        let changed = |run: &DqnRun| {
            let setting =
                |(key, own, listed): &(String, String, String)| format!("`{key} = {own}` ({listed})");
            let settings: Vec<String> = run.settings.changed().iter().map(setting).collect();
            format!("| {} | {} |\n", run.name, settings.join(", "))
        };
        let listings = self.work.runs.iter().filter(|run| run.settings.preset == DqnPreset::Paper);
        let rows: String = listings.map(changed).collect();
        match rows.is_empty() {
            true => rows,
            false => format!(
                "\nRuns with the settings of the listing (`--preset paper`), and what was changed for this experiment:\n\n\
                 | learns | changed (the listing's value) |\n|---|---|\n{rows}"
            ),
        }
    }

    fn cell(&self, run: usize, against: usize) -> String {
        let scores = self.scores(run, against);
        match mean_interval(&scores) {
            Some(mean) => {
                let Estimate { value, low, high } = mean.map(|score| 100.0 * score.clamp(0.0, 1.0));
                format!("{value:.1} [{low:.1}, {high:.1}]")
            }
            None => scores.first().map_or("–".to_string(), |score| format!("{:.1}", 100.0 * score)),
        }
    }

    /// Lines for an overview.
    pub fn overview(&self) -> Vec<[String; 4]> {
        let line = |(run, way): (usize, &DqnRun)| {
            let ours = format!("{} % against {}", self.cell(run, 0), self.work.against[0]);
            [way.name.clone(), "–".to_string(), ours, format!("{} seeds", self.scores(run, 0).len())]
        };
        self.work.runs.iter().enumerate().map(line).collect()
    }
}

/// The pictures of several ways to learn, from the tables of them.
pub(super) fn dqn_pictures(
    title: &str,
    work: &DqnWork,
    tables: &TableFiles,
) -> Result<Vec<Picture>, TableError> {
    let mut pictures = vec![curves_picture(work, tables)?];
    let rows = tables.rows(layout::RUNS)?;
    // More opponents than this are in the table only.
    for (number, opponent) in work.against.iter().enumerate().take(3) {
        let mut scores = Vec::new();
        for way in &work.runs {
            let mut of_way = Vec::new();
            for row in rows.iter() {
                if row.text("run")? == way.name && row.text("against")? == opponent {
                    of_way.push(row.number("score")?);
                }
            }
            if let Some(mean) = mean_interval(&of_way) {
                scores.push((way.name.clone(), mean.map(|score| score.clamp(0.0, 1.0))));
            }
        }
        let title = format!("{title}: against {opponent}");
        let note = format!("means over {} seeds", work.seeds.seeds().count());
        pictures.push(scores_picture(&format!("scores-{}", number + 1), &title, &scores, &note));
    }
    Ok(pictures)
}

/// Means over seeds and a tenth of the games each, of the first three ways to learn: more lines nobody could tell apart.
fn curves_picture(work: &DqnWork, tables: &TableFiles) -> Result<Picture, TableError> {
    let rows = tables.rows(layout::LEARNING)?.map(|row| {
        let place: (&str, u64) = (row.text("run")?, row.number("seed")?);
        Ok(((place.0.to_string(), place.1), row.numbers::<f64, 3>(["episode", "score", "reward"])?))
    })?;
    type Point = ((String, u64), [f64; 3]);
    let seeds: Vec<&[Point]> = rows.chunk_by(|a, b| a.0 == b.0).collect();
    let lines = |column: usize| -> Vec<Line> {
        let line = |(way, color): (&DqnRun, RGBColor)| {
            let of_way: Vec<&[Point]> =
                seeds.iter().copied().filter(|seed| seed[0].0.0 == way.name).collect();
            let longest = of_way.iter().map(|seed| seed.len()).max().unwrap_or(0);
            let size = longest.div_ceil(10).max(1);
            let point = |start: usize| {
                let there: Vec<&Point> =
                    of_way.iter().flat_map(|seed| seed.iter().skip(start).take(size)).collect();
                let mean = there.iter().map(|(_, point)| point[column]).sum::<f64>() / there.len() as f64;
                (there.iter().map(|(_, point)| point[0]).fold(0.0, f64::max), mean)
            };
            let points = (0..longest).step_by(size).map(point).collect();
            Line::solid(&way.name, color, points).marked(Marker::Disc)
        };
        work.runs.iter().zip([picture::BLUE, picture::RED, picture::GREEN]).map(line).collect()
    };
    let last = rows.iter().map(|(_, point)| point[0]).fold(1.0, f64::max);
    Ok(two_panels(
        ["Reward a game, mean over seeds", "Score, mean over seeds"],
        ["game", "reward", "points a game"],
        [lines(2), lines(1)],
        last as usize,
    ))
}
