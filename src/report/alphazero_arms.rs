//! Several settings of the self-play learner side by side: tables and pictures.

use std::fmt::Write;

use super::alphazero::cycles_csv;
use super::axis::Axis;
use super::chart::{Figure, Line, Panel};
use super::duels::{csv_field, scores_picture};
use super::layout;
use super::picture::{self, Marker, Picture};
use super::table::{TableError, TableFiles};
use super::tactics;
use crate::arena::{Estimate, mean_interval};
use crate::experiment::{AlphaZeroArm, AlphaZeroArmResult, AlphaZeroArmsWork};
use crate::learn::alphazero::{AlphaZeroSettings, CycleRow, Weaknesses};

/// Several settings, each with several seeds.
pub struct AlphaZeroArmsReport<'a> {
    /// What was done.
    pub work: &'a AlphaZeroArmsWork,
    /// The settings of each arm, with any seed.
    pub settings: &'a [AlphaZeroSettings],
    /// What came out, arm by arm, seed by seed.
    pub results: &'a [AlphaZeroArmResult],
}

/// Points per game of wins, draws and losses on both sides.
fn score(sides: &[[u64; 3]; 2]) -> f64 {
    let count = |place: usize| (sides[0][place] + sides[1][place]) as f64;
    (count(0) + 0.5 * count(1)) / (count(0) + count(1) + count(2))
}

/// A mean over seeds with its interval, in percent; the value alone if there is one seed.
fn percent(shares: &[f64]) -> String {
    match mean_interval(shares) {
        Some(mean) => {
            let Estimate { value, low, high } = mean.map(|share| 100.0 * share.clamp(0.0, 1.0));
            format!("{value:.1} [{low:.1}, {high:.1}]")
        }
        None => shares.first().map_or("–".to_string(), |share| format!("{:.1}", 100.0 * share)),
    }
}

/// Weak moves are told of this many cycles at the end of a run.
const LAST: usize = 5;

impl AlphaZeroArmsReport<'_> {
    fn of_arm(&self, arm: usize) -> impl Iterator<Item = &AlphaZeroArmResult> {
        self.results.iter().filter(move |result| result.arm == arm)
    }

    fn counts_weaknesses(&self) -> bool {
        self.settings.iter().all(|settings| settings.weaknesses)
    }

    /// Names and contents of the tables.
    pub fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        let cycles = self.by_run(cycles_csv);
        let mut files =
            vec![(layout::RUNS, self.runs_csv().into_bytes()), (layout::CYCLES, cycles.into_bytes())];
        if self.counts_weaknesses() {
            files.push((layout::WEAKNESSES, self.by_run(|_, rows| tactics::csv(rows)).into_bytes()));
        }
        files
    }

    fn runs_csv(&self) -> String {
        let mut text = String::from(
            "arm,seed,against,first_wins,first_draws,first_losses,second_wins,second_draws,second_losses,score\n",
        );
        for AlphaZeroArmResult { arm, seed, met, .. } in self.results {
            let name = csv_field(&self.work.arms[*arm].name);
            for (against, sides) in self.work.against.iter().zip(met) {
                let [[fw, fd, fl], [sw, sd, sl]] = sides;
                let against = csv_field(against);
                let score = score(sides);
                let _ = writeln!(text, "{name},{seed},{against},{fw},{fd},{fl},{sw},{sd},{sl},{score:.4}");
            }
        }
        text
    }

    /// The tables of all runs below each other, each line with its arm and seed.
    fn by_run(&self, table: impl Fn(&AlphaZeroSettings, &[CycleRow]) -> String) -> String {
        let mut text = String::new();
        for AlphaZeroArmResult { arm, seed, rows, .. } in self.results {
            let name = csv_field(&self.work.arms[*arm].name);
            let table = table(&self.settings[*arm], rows);
            let mut lines = table.lines();
            let header = lines.next().unwrap_or_default();
            if text.is_empty() {
                let _ = writeln!(text, "arm,seed,{header}");
            }
            lines.for_each(|line| _ = writeln!(text, "{name},{seed},{line}"));
        }
        text
    }

    /// The tables of a summary.
    pub fn markdown(&self) -> String {
        let AlphaZeroArmsWork { validation_games, opening_plies, .. } = self.work;
        let AlphaZeroSettings { cycles, games, channels, blocks, mcts, .. } = &self.settings[0];
        let opponents: Vec<String> = self.work.against.iter().map(|name| format!("`{name}`")).collect();
        let mut text = format!(
            "{} seeds each: {cycles} cycles of {games} games, {channels} channels, {blocks} blocks, {} simulations ({}) a move. \
             Each network then plays {validation_games} games against each opponent with {} simulations a move, sides swapped, each pair of \
             games from the same {opening_plies} random moves. Score in percent: mean over seeds [95 % interval by Student's t over seeds]. \
             Accepted: cycles whose network became the best one.\n\n| arm | {} | accepted |\n|---|{}---|\n",
            self.work.seeds.seeds().count(),
            mcts.simulations,
            mcts.tree_policy,
            self.settings[0].measure_simulations,
            opponents.join(" | "),
            "---|".repeat(opponents.len()),
        );
        for (number, arm) in self.work.arms.iter().enumerate() {
            let cells: Vec<String> = (0..opponents.len()).map(|against| self.cell(number, against)).collect();
            let all: usize = self.of_arm(number).map(|result| result.rows.len()).sum();
            let accepted =
                self.of_arm(number).flat_map(|result| &result.rows).filter(|row| row.replaced).count();
            let _ = writeln!(text, "| {} | {} | {accepted} of {all} |", arm.name, cells.join(" | "));
        }
        text += &self.seeds_markdown(&opponents);
        if self.counts_weaknesses() {
            text += &self.weaknesses_markdown();
        }
        text
    }

    fn cell(&self, arm: usize, against: usize) -> String {
        let scores: Vec<f64> = self.of_arm(arm).map(|result| score(&result.met[against])).collect();
        percent(&scores)
    }

    fn seeds_markdown(&self, opponents: &[String]) -> String {
        let mut text = format!(
            "\nWins-draws-losses of each network:\n\n| arm | seed | {} |\n|---|---|{}\n",
            opponents.join(" | "),
            "---|".repeat(opponents.len())
        );
        for AlphaZeroArmResult { arm, seed, met, .. } in self.results {
            let cell = |[first, second]: &[[u64; 3]; 2]| {
                let [wins, draws, losses] = [0, 1, 2].map(|place| first[place] + second[place]);
                format!("{wins}-{draws}-{losses}")
            };
            let cells: Vec<String> = met.iter().map(cell).collect();
            let _ = writeln!(text, "| {} | {seed} | {} |", self.work.arms[*arm].name, cells.join(" | "));
        }
        text
    }

    fn weaknesses_markdown(&self) -> String {
        let mut text = format!(
            "\nWeak moves in the measuring games of the last {LAST} cycles, in percent: mean over seeds [95 % interval by Student's t over seeds].\n\n| arm | {} |\n|---|---|---|---|\n",
            tactics::HEADS.join(" | ")
        );
        for (number, arm) in self.work.arms.iter().enumerate() {
            let cells = [0, 1, 2].map(|kind| {
                let share = |result: &AlphaZeroArmResult| tactics::shares(&last_cycles(result))[kind].share();
                percent(&self.of_arm(number).filter_map(share).collect::<Vec<f64>>())
            });
            let _ = writeln!(text, "| {} | {} |", arm.name, cells.join(" | "));
        }
        let _ = writeln!(text, "\n{}", tactics::MEANING);
        text
    }

    /// Lines for an overview.
    pub fn overview(&self) -> Vec<[String; 4]> {
        let last = self.work.against.len() - 1;
        let line = |(number, arm): (usize, &AlphaZeroArm)| {
            let ours = format!("{} % against {}", self.cell(number, last), self.work.against[last]);
            [arm.name.clone(), "–".to_string(), ours, format!("{} seeds", self.of_arm(number).count())]
        };
        self.work.arms.iter().enumerate().map(line).collect()
    }
}

/// The weak moves of the last cycles together.
fn last_cycles(result: &AlphaZeroArmResult) -> Weaknesses {
    let part = result.rows.iter().rev().take(LAST).map(|row| row.measured.weaknesses);
    part.fold(Weaknesses::default(), |a, b| a + b)
}

/// The pictures, from the tables.
pub fn alphazero_arms_pictures(
    title: &str,
    work: &AlphaZeroArmsWork,
    tables: &TableFiles,
) -> Result<Vec<Picture>, TableError> {
    let mut pictures = vec![cycles_picture(work, tables)?];
    if tables.has(layout::WEAKNESSES) {
        pictures.push(tactics::picture(tables)?);
    }
    let rows = tables.rows(layout::RUNS)?;
    for (number, opponent) in work.against.iter().enumerate() {
        let mut scores = Vec::new();
        for arm in &work.arms {
            let own = rows.iter().filter_map(|row| {
                let is_own = row.text("arm").ok()? == arm.name && row.text("against").ok()? == opponent;
                is_own.then(|| row.number("score"))
            });
            let own: Vec<f64> = own.collect::<Result<_, _>>()?;
            let mean = mean_interval(&own).map(|mean| mean.map(|share| share.clamp(0.0, 1.0)));
            scores.extend(mean.map(|mean| (arm.name.clone(), mean)));
        }
        let title = format!("{title}: against {opponent}");
        let note = format!("means over {} seeds", work.seeds.seeds().count());
        pictures.push(scores_picture(&format!("scores-{}", number + 1), &title, &scores, &note));
    }
    Ok(pictures)
}

/// The score in the measuring games of each cycle, mean over seeds: a panel for each opponent, a line for each arm.
fn cycles_picture(work: &AlphaZeroArmsWork, tables: &TableFiles) -> Result<Picture, TableError> {
    let rows = tables.rows(layout::CYCLES)?;
    let cycles = rows.map(|row| row.number::<f64>("cycle"))?;
    let last = cycles.iter().copied().fold(1.0, f64::max);
    let columns = rows.header().iter().filter(|name| name.starts_with("score against"));
    let mut panels = Vec::new();
    for column in columns {
        let scores = rows.map(|row| Ok((row.text("arm")?.to_string(), row.maybe::<f64>(column)?)))?;
        let line = |arm: &str| -> Vec<(f64, f64)> {
            let mean = |cycle: u32| {
                let own = scores
                    .iter()
                    .zip(&cycles)
                    .filter(|((name, _), at)| name == arm && **at == f64::from(cycle));
                let own: Vec<f64> = own.filter_map(|((_, score), _)| *score).collect();
                let sum: f64 = own.iter().sum();
                (!own.is_empty()).then(|| (f64::from(cycle), 100.0 * sum / own.len() as f64))
            };
            (1..=last as u32).filter_map(mean).collect()
        };
        let looks = picture::LINE_COLORS.into_iter().zip(Marker::ALL);
        let lines = work.arms.iter().zip(looks);
        panels.push(Panel {
            title: column.replace("score", "Score"),
            x: Axis::counting("cycle", last),
            y: Axis::covering("percent, mean over seeds", [0.0, 100.0]),
            lines: lines
                .map(|(arm, (color, marker))| Line::solid(&arm.name, color, line(&arm.name)).marked(marker))
                .collect(),
        });
    }
    let columns = panels.len().clamp(1, 2);
    let figure = Figure { title: String::new(), columns, panel: (600.0, 440.0), one_legend: true, panels };
    Ok(figure.draw(layout::CYCLES_PICTURE))
}
