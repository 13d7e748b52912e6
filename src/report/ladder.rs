//! The ladder of levels as a table and a list of numbers.

use std::fmt::Write;

use super::duels::csv_field;
use crate::arena::Estimate;
use crate::experiment::DuelResult;
use crate::players::{Level, WITHIN};

/// A level against the one below.
pub struct Step<'a> {
    /// The number of the level, from 1 for the lowest.
    pub number: usize,
    /// The upper one.
    pub level: &'a Level,
    /// The lower one.
    pub below: &'a Level,
    /// How the upper one did.
    pub result: DuelResult,
}

impl Step<'_> {
    /// Whether the step is neither a cliff nor flat.
    pub fn holds(&self) -> bool {
        WITHIN.contains(&self.result.score().value)
    }

    /// The score in percent, with its interval.
    pub fn score(&self) -> String {
        let Estimate { value, low, high } = self.result.score().map(|score| 100.0 * score);
        format!("{value:.1} [{low:.1}, {high:.1}]")
    }

    /// The same as a word.
    pub fn verdict(&self) -> &'static str {
        match self.result.score().value {
            score if score < *WITHIN.start() => "flat",
            score if score > *WITHIN.end() => "steep",
            _ => "yes",
        }
    }
}

/// The steps as a file of numbers.
pub fn ladder_csv(steps: &[Step<'_>]) -> String {
    let mut text = String::from(
        "step,level,piece,player,below,against,games,different,wins,draws,losses,score,low,high,holds\n",
    );
    for step in steps {
        let Step { number, level, below, result } = step;
        let (tally, Estimate { value, low, high }) = (result.tally(), result.score());
        let _ = writeln!(
            text,
            "{number},{},{},{},{},{},{},{},{},{},{},{value:.4},{low:.4},{high:.4},{}",
            level.key,
            level.piece,
            csv_field(level.player),
            below.key,
            csv_field(below.player),
            tally.games(),
            result.different,
            tally.wins,
            tally.draws,
            tally.losses,
            step.holds()
        );
    }
    text
}

/// The steps as a table.
pub fn ladder_markdown(about: &str, steps: &[Step<'_>]) -> String {
    let (low, high) = (100.0 * WITHIN.start(), 100.0 * WITHIN.end());
    let mut text = format!(
        "# The ladder\n\nMade by `dobutsu-ga ladder`. Each level against the one below it: {about}. Score in percent [95 % interval over \
         pairs of games].\n\n| step | level | player | against | player | games | different | draws | score | {low:.0} to {high:.0} % |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for step in steps {
        let Step { number, level, below, result } = step;
        let tally = result.tally();
        let _ = writeln!(
            text,
            "| {number} | {level} | `{}` | {below} | `{}` | {} | {} | {} | {} | {} |",
            level.player,
            below.player,
            tally.games(),
            result.different,
            tally.draws,
            step.score(),
            step.verdict()
        );
    }
    text
}
