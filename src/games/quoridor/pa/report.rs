//! Passive-aggressive learning: weights over the rounds of a run, and where many runs end.

use std::fmt::Write;

use super::{PaResult, PaSettings, PaState, PaWork, RoundCounts};
use crate::arena::{Estimate, PairCounts, Tally, elo, mean_interval, score_interval};
use crate::experiment::SeedResult;
use crate::game::{GeneInfo, Genome, Weighted};
use crate::games::quoridor::Position;
use crate::games::quoridor::eval::REPORT;
use crate::learn::Settings;
use crate::players::GameInfo;
use crate::report::axis::Axis;
use crate::report::chart::{Figure, Line};
use crate::report::picture::Picture;
use crate::report::sweep::{SweepReport, read_runs};
use crate::report::table::{TableError, TableFiles};
use crate::report::words::Language;
use crate::report::{layout, picture};

/// The weights that learn.
fn genes() -> &'static [GeneInfo] {
    &Position::WEIGHTS.genes[..REPORT]
}

/// The first line of `weights.csv`.
pub fn pa_header() -> String {
    let names: Vec<String> = genes().iter().map(GeneInfo::to_string).collect();
    format!("round,first_wins,second_wins,draws,examples,right,{}\n", names.join(","))
}

/// A line of `weights.csv`: the weights with all their digits, so that a run can go on from there.
pub fn pa_row(state: &PaState) -> String {
    let RoundCounts { first, second, draws, examples, right } = state.last;
    let weights: Vec<String> = state.weights.iter().map(f64::to_string).collect();
    format!("{},{first},{second},{draws},{examples},{right},{}\n", state.round, weights.join(","))
}

/// Reads `weights.csv` back; `None` if it is not whole or has a number that is none.
pub fn read_pa_rows(text: &str) -> Option<Vec<PaState>> {
    let rows = text.strip_prefix(&pa_header())?;
    let row = |(number, line): (u32, &str)| {
        let cells: Vec<&str> = line.split(',').collect();
        let (counts, weights) = cells.split_at_checked(6)?;
        let counts: Vec<u32> = counts.iter().map(|cell| cell.parse().ok()).collect::<Option<_>>()?;
        let finite = |cell: &&str| cell.parse().ok().filter(|weight: &f64| weight.is_finite());
        let weights: Vec<f64> = weights.iter().map(finite).collect::<Option<_>>()?;
        let &[round, first, second, draws, examples, right] = counts.as_slice() else { return None };
        let weights: [f64; REPORT] = weights.try_into().ok()?;
        let last = RoundCounts { first, second, draws, examples, right };
        (round == number).then_some(PaState { round, weights, last })
    };
    (0..).zip(rows.lines()).map(row).collect()
}

/// What the picture says: title and axes, then what dashed lines are.
pub(crate) fn pa_words(language: Language) -> [&'static str; 4] {
    match language {
        Language::En => ["Weights over the rounds", "round", "weight", "dashed: the report's"],
        Language::Ja => ["重みの推移", "回", "重み", "破線: レポートの値"],
    }
}

/// The weights over the rounds, beside those that the report has.
pub fn pa_picture(states: &[PaState], language: Language) -> Picture {
    let colors = [picture::BLUE, picture::RED, picture::GREEN, picture::ORANGE, picture::PURPLE];
    let published = Genome::<Position>::named("report").map_or([0.0; REPORT], |genome| {
        std::array::from_fn(|gene| f64::from(genome.values()[gene]) / 1000.0)
    });
    let [title, x, y, dashed] = pa_words(language);
    let x = Axis::counting(x, states.last().map_or(1.0, |state| f64::from(state.round)));
    let y = Axis::covering(y, states.iter().flat_map(|state| state.weights).chain(published));
    let mut lines = Vec::new();
    for (gene, color) in colors.into_iter().enumerate() {
        let points = states.iter().map(|state| (f64::from(state.round), state.weights[gene])).collect();
        lines.push(Line::solid(language.gene(&genes()[gene]), color, points));
        lines.push(Line::level("", color, &x, published[gene]));
    }
    Figure::single(&format!("{title} ({dashed})"), x, y, lines).draw(layout::WEIGHTS_PICTURE)
}

/// Where many runs end, from the tables of them; of the tuner's the values alone.
pub(super) fn pa_pictures(
    work: &PaWork,
    tables: &TableFiles,
    language: Language,
) -> Result<Vec<Picture>, TableError> {
    let (game, settings) = (GameInfo::of::<Position>(), work.meeting(0));
    let of = |name: &str| -> Result<Vec<Picture>, TableError> {
        let results = &read_runs(&game, &settings, tables, name)?;
        let report = SweepReport {
            game,
            settings: &settings,
            results,
            paper: &work.paper,
            par: 0.5,
            rivals: &work.rivals,
        };
        Ok(report.pictures(language))
    };
    let mut pictures = of(layout::RUNS)?;
    if tables.has(layout::TUNER_RUNS) {
        let tuner =
            of(layout::TUNER_RUNS)?.into_iter().filter(|picture| picture.name == layout::GENES_PICTURE);
        pictures.extend(tuner.map(|picture| picture.named("tuner-genes")));
    }
    Ok(pictures)
}

/// Where many runs end, and the tuner's beside them.
pub struct PaReport<'a> {
    work: &'a PaWork,
    meeting: Settings,
    learners: Vec<SeedResult>,
    tuners: Vec<SeedResult>,
    duels: Vec<Tally>,
}

impl<'a> PaReport<'a> {
    /// Of all results of a work.
    pub fn new(work: &'a PaWork, results: &[PaResult]) -> PaReport<'a> {
        let tally = |[wins, draws, losses]: [u64; 3]| Tally { wins, draws, losses };
        PaReport {
            work,
            meeting: work.meeting(0),
            learners: results.iter().map(|result| result.learner.clone()).collect(),
            tuners: results.iter().filter_map(|result| result.tuner.clone()).collect(),
            duels: results.iter().filter_map(|result| result.duel).map(tally).collect(),
        }
    }

    fn sweep<'b>(&'b self, results: &'b [SeedResult]) -> SweepReport<'b> {
        let (settings, paper, rivals) = (&self.meeting, &self.work.paper, &self.work.rivals);
        SweepReport { game: GameInfo::of::<Position>(), settings, results, paper, par: 0.5, rivals }
    }

    /// Names and contents of the tables.
    pub fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        let mut files = self.sweep(&self.learners).files();
        let of_tuner = self.sweep(&self.tuners).files().into_iter().filter(|_| !self.tuners.is_empty());
        for (_, bytes) in of_tuner.filter(|(name, _)| *name == layout::RUNS) {
            files.push((layout::TUNER_RUNS, bytes));
        }
        files
    }

    /// The tables of a summary.
    pub fn markdown(&self) -> String {
        let origin = self.work.settings.origin();
        let mut text = format!(
            "## Passive-aggressive learning\n\n{origin} The untrained values below are those of `plain`.\n\n"
        );
        text += &self.sweep(&self.learners).markdown();
        if let Some(settings) = self.work.tuner.as_ref().filter(|_| !self.tuners.is_empty()) {
            let games = self.work.settings.rounds * self.work.settings.games;
            let _ = writeln!(
                text,
                "\n## The tuner, with as many games\n\n{games} games a seed for each learner; the tuner has {} generations of {}.\n",
                settings.last_generation(),
                settings.population
            );
            text += &self.sweep(&self.tuners).markdown();
            text += "\n## One against the other\n\n";
            text += &self.duel();
        }
        text
    }

    /// The learner's champions against the tuner's of the same seeds: seeds are the unit.
    fn duel(&self) -> String {
        let scores: Vec<Estimate> =
            self.duels.iter().map(|tally| score_interval(tally, &PairCounts::default())).collect();
        let values: Vec<f64> = scores.iter().map(|score| score.value).collect();
        let Some(mean) = mean_interval(&values) else { return String::new() };
        let Estimate { value, low, high } = mean.map(|score| 100.0 * score.clamp(0.0, 1.0));
        let learner = scores.iter().filter(|score| score.low > 0.5).count();
        let tuner = scores.iter().filter(|score| score.high < 0.5).count();
        format!(
            "Champions of the same seed in {} fresh games each: the passive-aggressive one scores {value:.1} % [{low:.1}, {high:.1}] \
             (mean over {} seeds, 95 % interval by Student's t). It is clearly stronger with {learner} seeds and clearly weaker with {tuner}.\n",
            2 * self.work.validation_games,
            scores.len()
        )
    }

    /// Lines for an overview.
    pub fn overview(&self) -> Vec<[String; 4]> {
        self.sweep(&self.learners).overview()
    }
}

/// The summary of a run: its weights, and how the champion fared.
pub(super) fn pa_summary(
    settings: &PaSettings,
    states: &[PaState],
    duels: &[(&'static str, Estimate)],
    games: u32,
) -> String {
    let PaSettings { seed, rounds, games: per_round, c, step, starts, label, depth, .. } = settings;
    let mut text = format!(
        "# Passive-aggressive learning\n\n{rounds} rounds of {per_round} games, seed {seed}, C {c}, step {step}, starts {starts}, label {label}, {depth} plies.\n\n{}\n\n\
         | weight | before | learned | report |\n|---|---|---|---|\n",
        settings.origin()
    );
    let published = Genome::<Position>::named("report").unwrap_or_else(Genome::untrained);
    if let (Some(first), Some(last)) = (states.first(), states.last()) {
        for (i, gene) in genes().iter().enumerate() {
            let report = f64::from(published.values()[i]) / 1000.0;
            let GeneInfo { english, .. } = gene;
            let _ = writeln!(
                text,
                "| {gene} ({english}) | {:.3} | {:.6} | {report:.3} |",
                first.weights[i], last.weights[i]
            );
        }
        let examples: u64 = states.iter().map(|state| u64::from(state.last.examples)).sum();
        let _ = writeln!(text, "\n{examples} positions were learned from.");
    }
    let _ = writeln!(
        text,
        "\nThe champion in {games} fresh games each, sides swapped, four random moves at the beginning (95 % intervals):\n"
    );
    text += "| against | score % | Elo |\n|---|---|---|\n";
    for (name, Estimate { value, low, high }) in duels {
        let [elo, elo_low, elo_high] = [*value, *low, *high].map(elo);
        let _ = writeln!(
            text,
            "| {name} | {:.1} [{:.1}, {:.1}] | {elo:+.0} [{elo_low:+.0}, {elo_high:+.0}] |",
            100.0 * value,
            100.0 * low,
            100.0 * high
        );
    }
    text
}
