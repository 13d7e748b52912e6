//! The pictures of many runs: values, strength and freezing over all seeds.

use super::axis::Axis;
use super::boxes::{BoxChart, BoxRow};
use super::chart::{Figure, Line};
use super::picture::Picture;
use super::sweep::SweepReport;
use super::table::{TableError, TableFiles};
use super::words::Language;
use super::{layout, picture};
use crate::arena::Tally;
use crate::experiment::{PaperRun, SeedResult};
use crate::game::{GeneInfo, Side};
use crate::learn::Preset;
use crate::players::GameInfo;

impl SweepReport<'_> {
    /// All pictures.
    pub fn pictures(&self, language: Language) -> Vec<Picture> {
        let mut pictures = vec![self.genes_picture(language), self.strength_picture(language)];
        if self.settings.freezes() {
            pictures.push(self.freeze_picture(language));
        }
        pictures
    }

    /// Whether weights have a sign.
    fn is_signed(&self) -> bool {
        self.game.weights.scale.least < 0
    }

    fn row(&self, label: &str, paper: Option<f64>, of: impl Fn(&SeedResult) -> Option<f64>) -> BoxRow {
        let (ours, null) = (self.values(false, &of), self.values(true, &of));
        BoxRow { label: label.to_string(), ours, null, paper, untrained: None }
    }

    /// How many runs there are, of how many games each where games are shown.
    fn note(&self, language: Language, games: Option<u64>) -> String {
        let words = language.words();
        let runs =
            |null: bool| words.runs.replace("{n}", &self.values(null, |_| Some(0.0)).len().to_string());
        let games = games.map(|games| format!(", {}", words.games_each.replace("{n}", &games.to_string())));
        let null = match self.results.iter().any(|result| result.null) {
            true => format!("; {}: {}", words.coin_tosses, runs(true)),
            false => String::new(),
        };
        format!("{}{}{null}", runs(false), games.unwrap_or_default())
    }

    /// The values; where runs find them in any scale, in that of the untrained ones.
    fn genes_picture(&self, language: Language) -> Picture {
        let words = language.words();
        let any_scale = self.settings.preset == Preset::Robust && self.game.weights.scale.least >= 0;
        let scaled =
            |values: Vec<f64>| if any_scale { in_scale_of_untrained(&self.game, &values) } else { values };
        let points =
            |values: &[i32]| values.iter().map(|value| f64::from(*value) / 1000.0).collect::<Vec<f64>>();
        let of_paper: Option<Vec<f64>> =
            (0..self.game.weights.material).map(|i| self.paper.gene(i)).collect();
        let of_paper = of_paper.map(scaled);
        let untrained = points(&(self.game.untrained)());
        let row = |(i, gene): (usize, &GeneInfo)| {
            let paper = of_paper.as_ref().and_then(|values| values.get(i).copied());
            let row = self.row(language.gene(gene), paper, |result| Some(scaled(points(&result.genes))[i]));
            BoxRow { untrained: any_scale.then(|| untrained[i]), ..row }
        };
        let rows: Vec<BoxRow> = self.genes().iter().enumerate().map(row).collect();
        let values = values_of(&rows);
        let axis = match any_scale {
            true => {
                let but = if self.game.weights.genes.iter().any(is_royal) { words.but_lions } else { "" };
                Axis::logarithmic_from(LEAST, &words.one_scale.replace("{but}", but), values)
            }
            false => Axis::covering(
                if self.is_signed() { words.weight } else { words.value },
                values.into_iter().chain([0.0]),
            ),
        };
        let title = if self.is_signed() { words.weights_title } else { words.values_title };
        let note = self.note(language, None);
        BoxChart { title, axis, level: None, note, rows, words }.draw(layout::GENES_PICTURE)
    }

    fn strength_picture(&self, language: Language) -> Picture {
        let words = language.words();
        let mut rows = Vec::new();
        for side in Side::BOTH {
            if self.settings.fix_side.is_some_and(|fixed| fixed != side) {
                continue;
            }
            let share = |count: fn(&Tally) -> u64| {
                move |result: &SeedResult| {
                    let tally = result.tallies()[side];
                    (tally.games() > 0).then(|| 100.0 * count(&tally) as f64 / tally.games() as f64)
                }
            };
            let named = |text: &str| text.replace("{side}", language.side(side));
            let paper = self.paper.strength(side);
            let (wins, draws) =
                (paper.map(|paper| f64::from(paper.wins)), paper.map(|paper| f64::from(paper.draws)));
            rows.push(self.row(&named(words.wins), wins, share(|tally| tally.wins)));
            rows.push(self.row(&named(words.draws), draws, share(|tally| tally.draws)));
        }
        rows.push(self.row(words.points, self.paper_score(), |result| Some(100.0 * result.score().value)));
        let games = |result: &SeedResult| result.strength.iter().flatten().sum();
        let games: Option<u64> = self.results.iter().map(games).max();
        let axis = Axis::covering(words.percent, values_of(&rows).into_iter().chain([0.0, 50.0]));
        let (level, note) = (Some((50.0, words.half)), self.note(language, games));
        BoxChart { title: words.champions_title, axis, level, note, rows, words }
            .draw(layout::STRENGTH_PICTURE)
    }

    fn freeze_picture(&self, language: Language) -> Picture {
        let words = language.words();
        let at = |frozen: Option<u32>| frozen.map_or(f64::INFINITY, f64::from);
        let row = |(i, gene): (usize, &GeneInfo)| {
            let paper = self.paper.frozen_at(i).map(f64::from);
            self.row(language.gene(gene), paper, |result| Some(at(result.frozen[i])))
        };
        let mut rows: Vec<BoxRow> = self.genes().iter().enumerate().map(row).collect();
        let last = self.paper.frozen.iter().max().map(|last| f64::from(*last));
        let all = |result: &SeedResult| result.frozen.iter().map(|frozen| at(*frozen)).reduce(f64::max);
        rows.push(self.row(words.all_genes, last, all));
        let latest = values_of(&rows).into_iter().filter(|value| value.is_finite()).fold(1.0, f64::max);
        let axis = Axis::counting(words.generation, latest);
        let note = self.note(language, None);
        BoxChart { title: words.freeze_title, axis, level: None, note, rows, words }
            .draw(layout::FREEZE_PICTURE)
    }
}

/// Values below this are drawn as this.
const LEAST: f64 = 0.1;

/// Who loses it has lost: its value is beyond all others and says nothing of them.
fn is_royal(gene: &GeneInfo) -> bool {
    gene.key == "lion"
}

/// Only the proportions of values mean anything. These are those for which the pieces add up to what the untrained do.
fn in_scale_of_untrained(game: &GameInfo, values: &[f64]) -> Vec<f64> {
    let pieces = |values: &[f64]| -> f64 {
        let pieces = values.iter().zip(&game.weights.genes[..game.weights.material]);
        pieces.filter(|(_, gene)| !is_royal(gene)).map(|(value, _)| *value).sum()
    };
    let untrained: Vec<f64> = (game.untrained)().iter().map(|value| f64::from(*value) / 1000.0).collect();
    let sum = pieces(values);
    let factor = if sum > 0.0 { pieces(&untrained) / sum } else { 1.0 };
    values.iter().map(|value| value * factor).collect()
}

/// Everything that an axis must show.
fn values_of(rows: &[BoxRow]) -> Vec<f64> {
    rows.iter()
        .flat_map(|row| row.ours.iter().chain(&row.null).copied().chain(row.paper).chain(row.untrained))
        .collect()
}

/// Figure 15: the first gene (the chick on the board) over the generations of many runs, from the table of it.
pub fn chick_picture(
    gene: &GeneInfo,
    paper: &PaperRun,
    tables: &TableFiles,
    language: Language,
) -> Result<Picture, TableError> {
    let words = language.words();
    let rows = tables.rows(layout::CHICK)?.map(|row| {
        let numbers: [f64; 5] = row.numbers(["min", "q1", "median", "q3", "max"])?;
        Ok((row.number::<f64>("generation")?, numbers))
    })?;
    let x = Axis::counting(words.generation, rows.last().map_or(1.0, |(generation, _)| *generation));
    let values = rows.iter().flat_map(|(_, numbers)| *numbers);
    let y = Axis::covering(words.value, values.chain(paper.gene(0)).chain([0.0]));
    let between = |low: usize, high: usize| {
        rows.iter().map(|(x, numbers)| (*x, [numbers[low], numbers[high]])).collect()
    };
    let median = rows.iter().map(|(x, numbers)| (*x, numbers[2])).collect();
    let [extremes, quartiles, middle] = match language {
        Language::En => ["all seeds", "quartiles", "median over seeds"],
        Language::Ja => ["範囲", "四分位", "中央値"],
    };
    let mut lines = vec![
        Line::band(extremes, picture::GRAY, between(0, 4)),
        Line::band(quartiles, picture::BLUE, between(1, 3)),
        Line::solid(middle, picture::BLUE, median),
    ];
    lines.extend(paper.gene(0).map(|level| Line::level(words.paper, picture::RED, &x, level)));
    Ok(Figure::single(language.gene(gene), x, y, lines).draw("chick"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::dobutsu::Position;

    /// Twice the values are the same values.
    #[test]
    fn values_are_compared_in_one_scale() {
        let game = GameInfo::of::<Position>();
        let untrained: Vec<f64> = (game.untrained)().iter().map(|v| f64::from(*v) / 1000.0).collect();
        assert_eq!(in_scale_of_untrained(&game, &untrained), untrained);
        let twice: Vec<f64> = untrained.iter().map(|value| 2.0 * value).collect();
        assert_eq!(in_scale_of_untrained(&game, &twice), untrained);
        // Whatever a lion is worth, the others keep their scale.
        let mut lions = untrained.clone();
        (lions[3], lions[8]) = (500.0, 0.0);
        assert_eq!(in_scale_of_untrained(&game, &lions)[..3], untrained[..3]);
        assert_eq!(in_scale_of_untrained(&game, &[0.0; 12]), [0.0; 12]);
    }
}
