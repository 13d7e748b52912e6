//! Many runs of the tuner: how values, freezing and strength are distributed, and where the paper's single run falls.

use std::fmt::Write;

use super::layout;
use super::run::strength_rows;
use super::table::{TableError, TableFiles};
use crate::arena::{Estimate, PairCounts, Tally, difference_interval, mean_interval, score_interval};
use crate::experiment::{CHICK_EVERY, FiveNumbers, PaperRun, SeedResult, share_below};
use crate::game::{GeneInfo, Side};
use crate::learn::{Fitness, Settings};
use crate::players::GameInfo;

/// All that is known about a sweep.
pub struct SweepReport<'a> {
    /// Its game.
    pub game: GameInfo,
    /// What all runs have in common.
    pub settings: &'a Settings,
    /// One result a seed, in the order of the seeds; with the null, its results come after the others.
    pub results: &'a [SeedResult],
    /// What the paper's run gave.
    pub paper: &'a PaperRun,
    /// What a player as strong as the untrained values would score against them.
    pub par: f64,
    /// Whom else the champions met.
    pub rivals: &'a [String],
}

/// The results of a sweep, by the table of them.
pub fn read_runs(
    game: &GameInfo,
    settings: &Settings,
    tables: &TableFiles,
    name: &str,
) -> Result<Vec<SeedResult>, TableError> {
    let genes: Vec<String> = settings.genes.genes(&game.weights).iter().map(GeneInfo::to_string).collect();
    tables.rows(name)?.map(|row| {
        let side = |side: &str| {
            let columns = ["wins", "draws", "losses"].map(|what| format!("{side}_{what}"));
            row.numbers([&columns[0], &columns[1], &columns[2]])
        };
        let gene = |name: &String| Ok((row.number::<f64>(name)? * 1000.0).round() as i32);
        Ok(SeedResult {
            seed: row.number("seed")?,
            null: settings.fitness != Fitness::Random && row.text("fitness")? == Fitness::Random.to_string(),
            generations: row.number("generations")?,
            genes: genes.iter().map(gene).collect::<Result<_, _>>()?,
            frozen: genes
                .iter()
                .map(|gene| row.maybe(&format!("frozen.{gene}")))
                .collect::<Result<_, _>>()?,
            strength: [side("first")?, side("second")?],
            // Neither is in pictures of sweeps.
            chick: Vec::new(),
            rivals: Vec::new(),
        })
    })
}

fn percent(score: Estimate) -> String {
    let Estimate { value, low, high } = score.map(|score| 100.0 * score);
    format!("{value:.1} [{low:.1}, {high:.1}]")
}

/// One quantity over all seeds.
struct Quantity {
    name: String,
    ours: Vec<f64>,
    null: Vec<f64>,
    paper: Option<f64>,
}

impl SweepReport<'_> {
    pub(crate) fn genes(&self) -> &'static [GeneInfo] {
        self.settings.genes.genes(&self.game.weights)
    }

    pub(crate) fn values(&self, null: bool, of: impl Fn(&SeedResult) -> Option<f64>) -> Vec<f64> {
        self.results.iter().filter(|result| result.null == null).filter_map(of).collect()
    }

    fn quantity(
        &self,
        name: String,
        paper: Option<f64>,
        of: impl Fn(&SeedResult) -> Option<f64>,
    ) -> Quantity {
        Quantity { name, ours: self.values(false, &of), null: self.values(true, &of), paper }
    }

    fn gene_quantities(&self) -> Vec<Quantity> {
        let quantity = |(i, gene): (usize, &GeneInfo)| {
            let paper = self.paper.gene(i);
            self.quantity(gene.to_string(), paper, |result| Some(f64::from(result.genes[i]) / 1000.0))
        };
        self.genes().iter().enumerate().map(quantity).collect()
    }

    fn freeze_quantities(&self) -> Vec<Quantity> {
        if !self.settings.freezes() {
            return Vec::new();
        }
        let quantity = |(i, gene): (usize, &GeneInfo)| {
            let paper = self.paper.frozen_at(i).map(f64::from);
            self.quantity(format!("{gene} frozen at"), paper, |result| {
                Some(result.frozen[i].map_or(f64::INFINITY, f64::from))
            })
        };
        let mut all: Vec<Quantity> = self.genes().iter().enumerate().map(quantity).collect();
        let last = self.paper.frozen.iter().max().map(|last| f64::from(*last));
        all.push(self.quantity("all frozen at".to_string(), last, |result| {
            let last = |frozen: &Option<u32>| frozen.map_or(f64::INFINITY, f64::from);
            result.frozen.iter().map(last).reduce(f64::max)
        }));
        all
    }

    fn strength_quantities(&self) -> Vec<Quantity> {
        let mut all = Vec::new();
        for side in Side::BOTH {
            let percent = |count: fn(&Tally) -> u64| {
                move |result: &SeedResult| {
                    let tally = result.tallies()[side];
                    (tally.games() > 0).then(|| 100.0 * count(&tally) as f64 / tally.games() as f64)
                }
            };
            if self.settings.fix_side.is_some_and(|fixed| fixed != side) {
                continue;
            }
            let paper = self.paper.strength(side);
            let wins = paper.map(|strength| f64::from(strength.wins));
            let draws = paper.map(|strength| f64::from(strength.draws));
            all.push(self.quantity(format!("wins % moving {side}"), wins, percent(|tally| tally.wins)));
            all.push(self.quantity(format!("draws % moving {side}"), draws, percent(|tally| tally.draws)));
        }
        all.push(self.quantity("score %".to_string(), self.paper_score(), |result| {
            Some(100.0 * result.score().value)
        }));
        all
    }

    /// The paper's wins and half its draws, over the sides that it played.
    pub(crate) fn paper_score(&self) -> Option<f64> {
        let sides: Vec<f64> = Side::BOTH
            .into_iter()
            .filter_map(|side| self.paper.strength(side))
            .map(|strength| f64::from(strength.wins) + f64::from(strength.draws) / 2.0)
            .collect();
        (!sides.is_empty()).then(|| sides.iter().sum::<f64>() / sides.len() as f64)
    }

    /// The names of all tables and of the summary.
    pub const NAMES: [&'static str; 3] = [layout::RUNS, layout::DISTRIBUTION, layout::SUMMARY];

    /// The names of all pictures that there can be.
    pub const PICTURES: [&'static str; 3] =
        [layout::GENES_PICTURE, layout::STRENGTH_PICTURE, layout::FREEZE_PICTURE];

    /// Names and contents of the tables.
    pub fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        vec![
            (layout::RUNS, self.runs().into_bytes()),
            (layout::DISTRIBUTION, self.distribution().into_bytes()),
        ]
    }

    fn runs(&self) -> String {
        let genes: Vec<String> = self.genes().iter().map(GeneInfo::to_string).collect();
        let frozen: Vec<String> = self.genes().iter().map(|gene| format!("frozen.{gene}")).collect();
        let mut text = format!(
            "seed,fitness,generations,{},{},first_wins,first_draws,first_losses,second_wins,second_draws,second_losses,score,low,high{}\n",
            genes.join(","),
            frozen.join(","),
            self.rivals
                .iter()
                .map(|name| format!(",{name}_wins,{name}_draws,{name}_losses"))
                .collect::<String>()
        );
        for result in self.results {
            let fitness = if result.null { Fitness::Random } else { self.settings.fitness };
            let _ = write!(text, "{},{fitness},{}", result.seed, result.generations);
            for value in &result.genes {
                let _ = write!(text, ",{:.3}", f64::from(*value) / 1000.0);
            }
            for frozen in &result.frozen {
                let _ =
                    write!(text, ",{}", frozen.map_or(String::new(), |generation| generation.to_string()));
            }
            for count in result.strength.iter().flatten() {
                let _ = write!(text, ",{count}");
            }
            let score = result.score();
            let _ = write!(text, ",{:.4},{:.4},{:.4}", score.value, score.low, score.high);
            for count in result.rivals.iter().flatten() {
                let _ = write!(text, ",{count}");
            }
            text.push('\n');
        }
        text
    }

    fn all_quantities(&self) -> Vec<Quantity> {
        let mut all = self.gene_quantities();
        all.extend(self.freeze_quantities());
        all.extend(self.strength_quantities());
        all
    }

    /// Whole numbers where they are large, a decimal where they are small, three where all are.
    fn short(&self, value: f64) -> String {
        if value.is_infinite() {
            "never".to_string()
        } else if self.game.weights.scale.least < 0 && value.abs() < 5.0 {
            format!("{value:.3}")
        } else if value < 20.0 {
            format!("{value:.1}")
        } else {
            format!("{value:.0}")
        }
    }

    /// With so many decimals, or with three where weights are small.
    fn decimals(&self, value: f64, usual: usize) -> String {
        let decimals = if self.game.weights.scale.least < 0 { 3 } else { usual };
        format!("{value:.decimals$}")
    }

    fn distribution(&self) -> String {
        let mut text = String::from(
            "quantity,runs,min,q1,median,q3,max,paper,share_of_runs_below_paper,null_runs,null_min,null_q1,null_median,null_q3,null_max\n",
        );
        let numbers = |values: &[f64]| match FiveNumbers::of(values.iter().copied()) {
            Some(numbers) => {
                let cell = |value: f64| {
                    if value.is_finite() { self.decimals(value, 2) } else { "never".to_string() }
                };
                numbers.0.map(cell).join(",")
            }
            None => ",,,,".to_string(),
        };
        for quantity in self.all_quantities() {
            let paper = quantity.paper.map_or(String::new(), |paper| self.decimals(paper, 1));
            let below = quantity
                .paper
                .map_or(String::new(), |paper| format!("{:.3}", share_below(&quantity.ours, paper)));
            let Quantity { name, ours, null, .. } = &quantity;
            let _ = writeln!(
                text,
                "{name},{},{},{paper},{below},{},{}",
                ours.len(),
                numbers(ours),
                null.len(),
                numbers(null)
            );
        }
        text
    }

    /// The tables of a summary.
    pub fn markdown(&self) -> String {
        let runs = self.values(false, |_| Some(0.0)).len();
        let nulls = self.results.len() - runs;
        let mut text = format!("{runs} runs, seeds {}", self.seeds());
        if nulls > 0 {
            let _ = write!(text, "; beside them {nulls} runs with coin tosses instead of games (*null*)");
        }
        let published = !self.paper.is_none();
        text += match published {
            true => {
                ". Median [quartiles] over the seeds; *below* is the share of our runs below the paper's value.\n\n\
                 | | paper | below | ours | null |\n|---|---|---|---|---|\n"
            }
            false => ". Median [quartiles] over the seeds.\n\n| | ours | null |\n|---|---|---|\n",
        };
        for quantity in self.all_quantities() {
            let paper =
                quantity.paper.map_or("–".to_string(), |paper| match self.game.weights.scale.least < 0 {
                    true => self.short(paper),
                    false => format!("{paper:.0}"),
                });
            let below = quantity.paper.map_or("–".to_string(), |paper| {
                format!("{:.0} %", 100.0 * share_below(&quantity.ours, paper))
            });
            let cell = |values: &[f64]| match FiveNumbers::of(values.iter().copied()) {
                Some(FiveNumbers([_, low, middle, high, _])) => {
                    format!("{} [{}, {}]", self.short(middle), self.short(low), self.short(high))
                }
                None => "–".to_string(),
            };
            let paper = if published { format!(" {paper} | {below} |") } else { String::new() };
            let (ours, null) = (cell(&quantity.ours), cell(&quantity.null));
            let _ = writeln!(text, "| {} |{paper} {ours} | {null} |", quantity.name);
        }
        let _ = writeln!(text, "\n{}", self.verdict(false));
        if nulls > 0 {
            let _ = writeln!(text, "{}", self.verdict(true));
        }
        if let Some(sentence) = self.frozen_by_then() {
            let _ = writeln!(text, "{sentence}");
        }
        let tallies: Vec<_> =
            self.results.iter().filter(|result| !result.null).map(SeedResult::tallies).collect();
        // What holds of the method has its runs as the unit: games of one champion are more alike than games of several.
        let _ = writeln!(
            text,
            "\nThese champions against the untrained values, {}:\n",
            match tallies.len() {
                1 => "of one seed (95 % intervals over its games)".to_string(),
                seeds => format!("mean over {seeds} seeds (95 % intervals, Student's t over the seeds)"),
            }
        );
        text += &strength_rows(&tallies, self.paper, self.par);
        text += &self.against_null();
        text + &self.against_rivals()
    }

    /// Whether games select better than coin tosses do: seeds are the unit. Without this, champions that beat untrained values may
    /// owe it to drift alone.
    fn against_null(&self) -> String {
        let scores = |null: bool| self.values(null, |result| Some(result.score().value));
        let (ours, null) = (scores(false), scores(true));
        let (Some(mean), Some(difference)) = (mean_interval(&null), difference_interval(&ours, &null)) else {
            return String::new();
        };
        let fitness = self.settings.fitness;
        let verdict = match difference {
            Estimate { low, .. } if low > 0.0 => format!("the {fitness} selects stronger values than chance"),
            Estimate { high, .. } if high < 0.0 => format!("the {fitness} selects weaker values than chance"),
            _ => "no difference seen".to_string(),
        };
        format!(
            "The champions of coin tosses score {:.3} [{:.3}, {:.3}]. Difference of the means: **{:+.3} [{:+.3}, {:+.3}]** (Welch's interval \
             over the seeds): {verdict}.\n",
            mean.value, mean.low, mean.high, difference.value, difference.low, difference.high
        )
    }

    /// The champions against each rival: seeds are the unit.
    fn against_rivals(&self) -> String {
        if self.rivals.is_empty() {
            return String::new();
        }
        let games = 2 * self.settings.validation_games;
        let mut text = format!(
            "\nThe same champions in {games} fresh games a seed against each of these genomes, score in percent: mean over the \
             seeds [95 % interval, Student's t over the seeds], the worst and the best seed, and how many seeds are clearly \
             stronger or weaker (95 % intervals over their own games).\n\n\
             | against | champions | worst, best | stronger, weaker | null champions |\n|---|---|---|---|---|\n"
        );
        for (i, name) in self.rivals.iter().enumerate() {
            let scores = |null: bool| -> Vec<Estimate> {
                let of = |result: &SeedResult| {
                    let [wins, draws, losses] = result.rivals[i];
                    score_interval(&Tally { wins, draws, losses }, &PairCounts::default())
                };
                self.results.iter().filter(|result| result.null == null).map(of).collect()
            };
            let (ours, null) = (scores(false), scores(true));
            let values = |scores: &[Estimate]| scores.iter().map(|score| score.value).collect::<Vec<f64>>();
            let mean = |scores: &[Estimate]| match (mean_interval(&values(scores)), scores) {
                (Some(mean), _) => percent(mean.map(|score| score.clamp(0.0, 1.0))),
                (None, [only, ..]) => percent(*only),
                (None, []) => "–".to_string(),
            };
            let (low, high) = (values(&ours), values(&ours));
            let worst = 100.0 * low.into_iter().fold(1.0, f64::min);
            let best = 100.0 * high.into_iter().fold(0.0, f64::max);
            let stronger = ours.iter().filter(|score| score.low > 0.5).count();
            let weaker = ours.iter().filter(|score| score.high < 0.5).count();
            let _ = writeln!(
                text,
                "| {name} | {} | {worst:.1}, {best:.1} | {stronger}, {weaker} of {} | {} |",
                mean(&ours),
                ours.len(),
                mean(&null)
            );
        }
        text
    }

    /// How many runs had frozen all genes when the paper's had.
    fn frozen_by_then(&self) -> Option<String> {
        let last = *self.paper.frozen.iter().max().filter(|_| self.settings.freezes())?;
        let count = |null: bool| {
            let runs: Vec<&SeedResult> = self.results.iter().filter(|result| result.null == null).collect();
            let by_then = |result: &&&SeedResult| {
                result.frozen.iter().all(|frozen| frozen.is_some_and(|generation| generation <= last))
            };
            format!("{} of {}", runs.iter().filter(by_then).count(), runs.len())
        };
        let null = match self.results.iter().any(|result| result.null) {
            true => format!("; with coin tosses {}", count(true)),
            false => String::new(),
        };
        Some(format!(
            "All genes were frozen by generation {last}, as in the paper, in {} runs{null}.",
            count(false)
        ))
    }

    fn seeds(&self) -> String {
        let seeds: Vec<u64> = self.results.iter().map(|result| result.seed).collect();
        format!("{} to {}", seeds.iter().min().unwrap_or(&0), seeds.iter().max().unwrap_or(&0))
    }

    /// How many champions are really stronger or weaker.
    fn verdict(&self, null: bool) -> String {
        let results: Vec<&SeedResult> = self.results.iter().filter(|result| result.null == null).collect();
        let stronger = results.iter().filter(|result| result.score().low > self.par).count();
        let weaker = results.iter().filter(|result| result.score().high < self.par).count();
        let scores = FiveNumbers::of(results.iter().map(|result| result.score().value));
        let FiveNumbers([low, _, _, _, high]) = scores.unwrap_or(FiveNumbers([0.5; 5]));
        format!(
            "Of the {} champions {}, {stronger} are clearly stronger than the untrained values, which would score {:.1} %, and {weaker} clearly weaker (95 % intervals); they range from {:.0} to {:.0} %.",
            results.len(),
            if null { "of coin tosses" } else { "of the tournament" },
            100.0 * self.par,
            100.0 * low,
            100.0 * high
        )
    }

    /// One line for an overview: the paper's wins, ours, and whether the paper's run is one of ours.
    pub fn overview(&self) -> Vec<[String; 4]> {
        let mut rows = Vec::new();
        let mut quantities = self.strength_quantities();
        quantities.extend(self.freeze_quantities().pop());
        // Where weights have a sign, they themselves are what was published.
        if self.game.weights.scale.least < 0 {
            quantities = self.gene_quantities();
        }
        for quantity in &quantities {
            let (Some(paper), Some(FiveNumbers([min, low, middle, high, max]))) =
                (quantity.paper, FiveNumbers::of(quantity.ours.iter().copied()))
            else {
                continue;
            };
            let below = share_below(&quantity.ours, paper);
            let verdict = match below {
                below if below <= 0.0 => {
                    format!("below all our runs ({} to {})", self.short(min), self.short(max))
                }
                below if below >= 1.0 => {
                    format!("above all our runs ({} to {})", self.short(min), self.short(max))
                }
                below => format!("within our runs ({:.0} % lie below)", 100.0 * below),
            };
            rows.push([
                quantity.name.clone(),
                if self.game.weights.scale.least < 0 { self.short(paper) } else { format!("{paper:.0}") },
                format!("{} [{}, {}] over seeds", self.short(middle), self.short(low), self.short(high)),
                verdict,
            ]);
        }
        rows
    }

    /// Names and contents of the table of Figure 15: the first gene (the chick on the board) over the generations, all seeds.
    pub fn chick_files(&self) -> Vec<(&'static str, Vec<u8>)> {
        let longest = self.results.iter().map(|result| result.chick.len()).max().unwrap_or(0);
        // A run that has stopped keeps the value with which it stopped.
        let at = |result: &SeedResult, i: usize| {
            let value = result.chick.get(i).or(result.chick.last()).copied().unwrap_or(0);
            f64::from(value) / 1000.0
        };
        let mut text = String::from("generation,min,q1,median,q3,max\n");
        for i in 0..longest {
            let generation = (i as u32 + 1) * CHICK_EVERY;
            if let Some(numbers) = FiveNumbers::of(self.results.iter().map(|result| at(result, i))) {
                let _ =
                    writeln!(text, "{generation},{}", numbers.0.map(|value| format!("{value:.1}")).join(","));
            }
        }
        vec![(layout::CHICK, text.into_bytes())]
    }
}
