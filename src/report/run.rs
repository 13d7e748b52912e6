//! What a finished run of the tuner leaves beside its growing tables: genome, tables, pictures, a summary.

use std::fmt::Write;

use super::axis::Axis;
use super::chart::{Figure, Line, Panel};
use super::picture::{Marker, Picture};
use super::table::{TableError, TableFiles};
use super::words::Language;
use super::{layout, picture};
use crate::arena::{Estimate, PairCounts, Tally, mean_interval, rate_interval, score_interval};
use crate::experiment::{GenerationRow, PaperRun};
use crate::game::{BySide, GeneInfo, Side};
use crate::learn::{Preset, Settings};
use crate::players::GameInfo;

/// All that is known about a finished run.
pub struct RunReport<'a> {
    /// Its game.
    pub game: GameInfo,
    /// Its settings.
    pub settings: &'a Settings,
    /// Its generations.
    pub rows: &'a [GenerationRow],
    /// The values of the genome it found, in thousandths, and its file.
    pub champion: (Vec<i32>, String),
    /// When each gene was frozen.
    pub frozen: &'a [Option<u32>],
    /// The champion against the untrained values, if that was measured.
    pub validation: Option<BySide<Tally>>,
    /// Winners of some generations against the untrained values.
    pub strength: &'a [(u32, BySide<Tally>)],
    /// What the paper's run gave.
    pub paper: &'a PaperRun,
    /// What a player as strong as the untrained values would score against them.
    pub par: f64,
}

impl RunReport<'_> {
    fn genes(&self) -> &'static [GeneInfo] {
        self.settings.genes.genes(&self.game.weights)
    }

    /// The names of all files that there can be beside pictures.
    pub const NAMES: [&'static str; 4] =
        [layout::CHAMPION, layout::CONVERGENCE, layout::STRENGTH, layout::SUMMARY];

    /// Names and contents of the files.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let files = [
            (layout::CHAMPION, self.champion_file()),
            (layout::CONVERGENCE, self.convergence()),
            (layout::STRENGTH, self.strength_table()),
            (layout::SUMMARY, self.summary()),
        ];
        files.into_iter().map(|(name, text)| (name.to_string(), text.into_bytes())).collect()
    }

    /// The pictures.
    pub fn pictures(&self, language: Language) -> Vec<Picture> {
        let RunReport { game, settings, rows, frozen, strength, paper, par, .. } = *self;
        RunPictures { game, settings, rows, frozen, strength, paper, par, language }.draw()
    }

    fn champion_file(&self) -> String {
        let generation = self.rows.last().map_or(0, |row| row.generation);
        format!(
            "# Champion of a run of {generation} generations with seed {} (see run.toml).\n{}",
            self.settings.seed, self.champion.1
        )
    }

    fn convergence(&self) -> String {
        let mut text = String::from("gene,frozen_at,value,paper_frozen_at,paper_value\n");
        for (i, gene) in self.genes().iter().enumerate() {
            let or_empty = |number: Option<u32>| number.map_or(String::new(), |number| number.to_string());
            let paper_value = self.paper.gene(i).map_or(String::new(), |value| value.to_string());
            let value = f64::from(self.champion.0[i]) / 1000.0;
            let (ours, paper) = (or_empty(self.frozen[i]), or_empty(self.paper.frozen_at(i)));
            let _ = writeln!(text, "{gene},{ours},{value:.3},{paper},{paper_value}");
        }
        text
    }

    fn strength_table(&self) -> String {
        let mut text = String::from(layout::STRENGTH_HEADER);
        for (generation, sides) in self.strength {
            let score = score(sides);
            let BySide { first: f, second: s } = sides;
            let _ = writeln!(
                text,
                "{generation},{},{},{},{},{},{},{:.4},{:.4},{:.4}",
                f.wins, f.draws, f.losses, s.wins, s.draws, s.losses, score.value, score.low, score.high
            );
        }
        text
    }

    /// What came out beside what the paper has.
    pub fn summary(&self) -> String {
        let Settings { seed, preset, fix_side, .. } = self.settings;
        let generations = self.rows.last().map_or(0, |row| row.generation);
        let side = fix_side.map_or(String::new(), |side| format!(", fitness as {side} player only"));
        let mut text = format!(
            "# A run of the tuner\n\n{generations} generations, seed {seed}, preset `{preset:?}`{side}. "
        );
        text += "All settings are in `run.toml`, the genome in `champion.toml`.\n\n";
        let untrained = (self.game.untrained)();
        match self.paper.table.as_str() {
            "" => text += "## Values\n\n",
            table => text += &format!("## Values ({table} of the paper beside ours)\n\n"),
        }
        let published = !self.paper.is_none();
        text += match published {
            true => "| gene | untrained | ours | paper | frozen at | paper |\n|---|---|---|---|---|---|\n",
            false => "| gene | untrained | ours | frozen at |\n|---|---|---|---|\n",
        };
        for (i, gene) in self.genes().iter().enumerate() {
            let dash = |number: Option<u32>| number.map_or("–".to_string(), |number| number.to_string());
            let decimals = if self.game.weights.scale.least < 0 { 3 } else { 1 };
            let points = |value: i32| format!("{:.decimals$}", f64::from(value) / 1000.0);
            let (before, ours) = (points(untrained[i]), points(self.champion.0[i]));
            let paper = self.paper.gene(i).map_or("–".to_string(), |value| value.to_string());
            let frozen = dash(self.frozen[i]);
            let _ = match published {
                true => {
                    let then = dash(self.paper.frozen_at(i));
                    writeln!(text, "| {gene} | {before} | {ours} | {paper} | {frozen} | {then} |")
                }
                false => writeln!(text, "| {gene} | {before} | {ours} | {frozen} |"),
            };
        }
        if !self.game.weights.not_a_gene.is_empty() {
            let _ = writeln!(text, "\n{}", self.game.weights.not_a_gene);
        }
        if *preset == Preset::Paper
            && self.settings.depth == self.game.weights.depth
            && !self.game.weights.other_reading.is_empty()
        {
            let _ = writeln!(text, "\n{}", self.game.weights.other_reading);
        }
        text += "\nOne run of a random process is one draw: `dobutsu-ga sweep` shows how much the values differ from seed to seed.\n";
        if let Some(sides) = &self.validation {
            text += "\n## The champion against the untrained values\n\n";
            text += &strength_rows(&[*sides], self.paper, self.par);
        }
        text
    }
}

/// What the pictures of a run show.
pub struct RunPictures<'a> {
    /// Its game.
    pub game: GameInfo,
    /// Its settings.
    pub settings: &'a Settings,
    /// Its generations.
    pub rows: &'a [GenerationRow],
    /// When each gene was frozen.
    pub frozen: &'a [Option<u32>],
    /// Winners of some generations against the untrained values.
    pub strength: &'a [(u32, BySide<Tally>)],
    /// What the paper's run gave.
    pub paper: &'a PaperRun,
    /// What a player as strong as the untrained values would score against them.
    pub par: f64,
    /// The language of the pictures.
    pub language: Language,
}

impl RunPictures<'_> {
    /// The names of all pictures that there can be.
    pub fn names(game: &GameInfo) -> [&'static str; 3] {
        // Figure 15 of the paper is about the chick on the board: the picture of the first gene is called after it.
        [layout::GENES_PICTURE, game.weights.genes[0].key, layout::STRENGTH_PICTURE]
    }

    /// All pictures.
    pub fn draw(&self) -> Vec<Picture> {
        let [_, first, _] = Self::names(&self.game);
        let genes = self.settings.genes.genes(&self.game.weights);
        let words = self.language.words();
        let panels: Vec<Panel> = genes.iter().enumerate().map(|(i, gene)| self.gene_panel(gene, i)).collect();
        let all = Figure {
            title: words.genes_title.to_string(),
            columns: 3,
            panel: (440.0, 300.0),
            one_legend: true,
            panels,
        };
        let Panel { title, x, y, lines } = self.gene_panel(&genes[0], 0);
        let mut pictures =
            vec![all.draw(layout::GENES_PICTURE), Figure::single(&title, x, y, lines).draw(first)];
        if !self.strength.is_empty() {
            pictures.push(self.strength_picture());
        }
        pictures
    }

    fn gene_panel(&self, gene: &GeneInfo, column: usize) -> Panel {
        let words = self.language.words();
        let last = f64::from(self.rows.last().map_or(1, |row| row.generation));
        // The paper's values mean something beside a run of its own settings; others have another scale.
        let paper = self.paper.gene(column).filter(|_| self.settings.preset == Preset::Paper);
        let values = self.rows.iter().map(|row| row.winner[column]);
        let x = Axis::counting(words.generation, last);
        let y = Axis::covering(words.value, values.chain(paper).chain([0.0]));
        let points = self.rows.iter().map(|row| (f64::from(row.generation), row.winner[column]));
        let mut lines = vec![Line::solid(words.winner, picture::BLUE, points.collect())];
        lines.extend(paper.map(|level| Line::level(words.paper, picture::RED, &x, level)));
        if let Some(generation) = self.frozen[column] {
            let at = self.rows.get(generation as usize - 1).map_or(0.0, |row| row.winner[column]);
            let point = vec![(f64::from(generation), at)];
            lines.push(Line::points(words.frozen, picture::ORANGE, Marker::Disc, point));
        }
        Panel { title: self.language.gene(gene).to_string(), x, y, lines }
    }

    fn strength_picture(&self) -> Picture {
        let words = self.language.words();
        let scores: Vec<(f64, Estimate)> =
            self.strength.iter().map(|(generation, sides)| (f64::from(*generation), score(sides))).collect();
        let games = self.strength.iter().map(|(_, sides)| (sides.first + sides.second).games()).max();
        let title = words.strength_title.replace("{n}", &games.unwrap_or(0).to_string());
        let x = Axis::counting(words.generation, scores.last().map_or(1.0, |(generation, _)| *generation));
        let y = Axis::covering(words.score, [0.0, 1.0]);
        let mut lines = vec![Line::level(words.half, picture::GRAY, &x, 0.5)];
        if self.settings.fix_side.is_some() {
            // One side alone is easier or harder to play: as strong is then not half of the points.
            lines.push(Line::level(words.untrained, picture::ORANGE, &x, self.par));
        }
        let bars = scores.iter().map(|(x, score)| (*x, [score.low, score.high])).collect();
        let points = scores.iter().map(|(x, score)| (*x, score.value)).collect();
        lines.push(Line::solid(words.score, picture::BLUE, points).marked(Marker::Disc).with_bars(bars));
        Figure::single(&title, x, y, lines).draw(layout::STRENGTH_PICTURE)
    }
}

/// When each gene was frozen, by the table of it.
pub fn read_frozen(tables: &TableFiles) -> Result<Vec<Option<u32>>, TableError> {
    tables.rows(layout::CONVERGENCE)?.map(|row| row.maybe("frozen_at"))
}

/// Winners of some generations against the untrained values, by the table of them.
pub fn read_winners(tables: &TableFiles) -> Result<Vec<(u32, BySide<Tally>)>, TableError> {
    tables.rows(layout::STRENGTH)?.map(|row| {
        let side = |side: &str| {
            let count = |what: &str| row.number(&format!("{side}_{what}"));
            Ok(Tally { wins: count("wins")?, draws: count("draws")?, losses: count("losses")? })
        };
        Ok((row.number("generation")?, BySide { first: side("first")?, second: side("second")? }))
    })
}

/// Points per game on all sides that were played.
pub(crate) fn score(sides: &BySide<Tally>) -> Estimate {
    score_interval(&(sides.first + sides.second), &PairCounts::default())
}

/// Wins and draws on each side, in percent with intervals, beside the paper's: those of one champion over its games, or those of
/// several runs, where a run is the unit.
pub(crate) fn strength_rows(runs: &[BySide<Tally>], paper: &PaperRun, par: f64) -> String {
    let mut text = String::from(match paper.is_none() {
        false => "| moving | games | wins % | paper | draws % | paper |\n|---|---|---|---|---|---|\n",
        true => "| moving | games | wins % | draws % |\n|---|---|---|---|\n",
    });
    for side in Side::BOTH {
        let tallies: Vec<Tally> =
            runs.iter().map(|run| run[side]).filter(|tally| tally.games() > 0).collect();
        let Some(all) = tallies.iter().copied().reduce(std::ops::Add::add) else { continue };
        let percent = |count: fn(&Tally) -> u64| {
            let rates: Vec<f64> =
                tallies.iter().map(|tally| count(tally) as f64 / tally.games() as f64).collect();
            let rate = mean_interval(&rates).unwrap_or_else(|| rate_interval(count(&all), all.games()));
            let rate = rate.map(|rate| 100.0 * rate.clamp(0.0, 1.0));
            format!("{:.1} [{:.1}, {:.1}]", rate.value, rate.low, rate.high)
        };
        let (wins, draws) = match paper.strength(side) {
            Some(strength) => (strength.wins.to_string(), strength.draws.to_string()),
            None => ("–".to_string(), "–".to_string()),
        };
        let (ours, drawn) = (percent(|tally| tally.wins), percent(|tally| tally.draws));
        let games = all.games();
        let _ = match paper.is_none() {
            false => writeln!(text, "| {side} | {games} | {ours} | {wins} | {drawn} | {draws} |"),
            true => writeln!(text, "| {side} | {games} | {ours} | {drawn} |"),
        };
    }
    let scores: Vec<f64> = runs.iter().map(|run| score(run).value).collect();
    let (score, over) = match mean_interval(&scores) {
        Some(mean) => (mean.map(|score| score.clamp(0.0, 1.0)), format!(", mean over {} seeds", runs.len())),
        None => (runs.first().map_or(Estimate { value: 0.5, low: 0.0, high: 1.0 }, score), String::new()),
    };
    let _ = writeln!(
        text,
        "\nScore (a draw is half a point{over}): **{:.3} [{:.3}, {:.3}]**; {par:.3} would be as strong as the untrained values.",
        score.value, score.low, score.high
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The thirty champions of results/table5. `scipy.stats.t.interval(.95, 29, x.mean(), scipy.stats.sem(x))` over their scores gives
    /// [0.4677, 0.4989], and over their shares of wins moving first [0.3350, 0.3788].
    #[test]
    fn seeds_are_the_unit_of_many_runs_and_games_of_one() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("results/table5/runs.csv");
        let mut table = csv::Reader::from_path(path).unwrap();
        let header = table.headers().unwrap().clone();
        let at = |name: &str| header.iter().position(|column| column == name).unwrap();
        let (fitness, wins) = (at("fitness"), at("first_wins"));
        let tallies: Vec<BySide<Tally>> = table
            .records()
            .map(Result::unwrap)
            .filter(|row| &row[fitness] == "tournament")
            .map(|row| {
                let tally = |from: usize| {
                    let [wins, draws, losses] = [0, 1, 2].map(|i| row[from + i].parse().unwrap());
                    Tally { wins, draws, losses }
                };
                BySide { first: tally(wins), second: tally(wins + 3) }
            })
            .collect();
        assert_eq!(tallies.len(), 30);
        let paper = PaperRun {
            table: String::new(),
            genes: Vec::new(),
            weights: Vec::new(),
            frozen: Vec::new(),
            first: None,
            second: None,
        };
        let many = strength_rows(&tallies, &paper, 0.5);
        assert!(many.contains("mean over 30 seeds): **0.483 [0.468, 0.499]**"), "{many}");
        assert!(many.contains("| first | 9000 | 35.7 [33.5, 37.9] |"), "{many}");
        let one = strength_rows(&tallies[..1], &paper, 0.5);
        assert!(one.contains("(a draw is half a point): **0.455 [0.419, 0.491]**"), "{one}");
    }
}
