//! Several ways to set up the tuner as a table, a list of numbers and a picture.

use std::fmt::Write;

use super::duels::{csv_field, scores_picture};
use super::layout;
use super::picture::Picture;
use super::table::{TableError, TableFiles};
use crate::arena::{Estimate, mean_interval};
use crate::experiment::{ArmResult, ArmsWork};

/// Names and contents of the files.
pub fn arms_files(work: &ArmsWork, results: &[ArmResult]) -> Vec<(&'static str, Vec<u8>)> {
    let mut text = String::from("arm,seed,generations,games,wins,draws,losses,score,kept,kept_of,keeps\n");
    for result in results {
        let [wins, draws, losses] = result.strength;
        let _ = writeln!(
            text,
            "{},{},{},{},{wins},{draws},{losses},{:.4},{},{},{:.4}",
            csv_field(&work.arms[result.arm].name),
            result.seed,
            result.generations,
            result.games,
            result.score(),
            result.kept,
            result.kept_of,
            result.keeps()
        );
    }
    vec![(layout::ARMS, text.into_bytes())]
}

fn percent(estimate: Option<Estimate>) -> String {
    estimate.map_or("–".to_string(), |estimate| {
        let Estimate { value, low, high } = estimate.map(|share| 100.0 * share);
        format!("{value:.1} [{low:.1}, {high:.1}]")
    })
}

/// What came out, as a table.
pub fn arms_markdown(work: &ArmsWork, results: &[ArmResult]) -> String {
    let mut text = format!(
        "{} seeds each. Every champion plays {} games against the untrained values from openings of {} random moves that are drawn with \
         perfect play, and is judged by perfect play on {} positions of its own games; both look {} plies ahead. Percent, with 95 % \
         intervals over the seeds.\n\n| way | generations | games a run | score against the untrained values | keeps a won or drawn position | best and worst seed, score |\n|---|---|---|---|---|---|\n",
        work.seeds.seeds().count(),
        work.games,
        work.opening_plies,
        work.positions,
        work.arms[0].settings.depth
    );
    for (number, arm) in work.arms.iter().enumerate() {
        let own: Vec<&ArmResult> = results.iter().filter(|result| result.arm == number).collect();
        let count = own.len().max(1) as u64;
        let mean = |total: u64| (total + count / 2) / count;
        let scores: Vec<f64> = own.iter().map(|result| result.score()).collect();
        let keeps: Vec<f64> = own.iter().map(|result| result.keeps()).collect();
        let best = scores.iter().copied().fold(f64::MIN, f64::max);
        let worst = scores.iter().copied().fold(f64::MAX, f64::min);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {:.1}, {:.1} |",
            arm.name,
            mean(own.iter().map(|result| u64::from(result.generations)).sum()),
            mean(own.iter().map(|result| result.games).sum()),
            percent(mean_share(&scores)),
            percent(mean_share(&keeps)),
            100.0 * best,
            100.0 * worst
        );
    }
    text
}

/// The mean of shares and its interval: of few seeds, Student's t reaches beyond what a share can be.
fn mean_share(shares: &[f64]) -> Option<Estimate> {
    let Estimate { value, low, high } = mean_interval(shares)?;
    Some(Estimate { value, low: low.max(0.0), high: high.min(1.0) })
}

/// The scores, from the table of them.
pub fn arms_picture(title: &str, tables: &TableFiles) -> Result<Picture, TableError> {
    let rows = tables.rows(layout::ARMS)?.map(|row| {
        let [score] = row.numbers(["score"])?;
        Ok((row.text("arm")?.to_string(), score))
    })?;
    let mut names: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
    names.dedup();
    let seeds = rows.len() / names.len().max(1);
    let mean = |name: &&str| {
        let scores: Vec<f64> = rows.iter().filter(|(arm, _)| arm == name).map(|(_, score)| *score).collect();
        mean_share(&scores).map(|estimate| (name.to_string(), estimate))
    };
    let means: Vec<(String, Estimate)> = names.iter().filter_map(mean).collect();
    let title = format!("{title}: against the untrained values");
    Ok(scores_picture(layout::STRENGTH_PICTURE, &title, &means, &format!("{seeds} seeds each")))
}

#[cfg(test)]
mod tests {
    use super::mean_share;

    #[test]
    fn an_interval_of_shares_stays_between_0_and_1() {
        let few = mean_share(&[0.4, 0.512]).unwrap();
        assert_eq!((few.low, few.high), (0.0, 1.0));
        let many = mean_share(&[0.5, 0.51, 0.49, 0.5, 0.5, 0.51]).unwrap();
        assert!(0.48 < many.low && many.high < 0.52, "{many:?}");
    }
}
