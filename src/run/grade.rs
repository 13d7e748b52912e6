//! Grades of several players by the solved game.

use super::Watch;
use crate::experiment::{Grader, Source};
use crate::players::{Playable, PlayerSpec};
use crate::report::GradeRow;

/// Each player at each depth, or as it is if it has one of its own. `begin` is told how many samples there will be.
pub fn grade_all<G: Playable>(
    grader: &Grader<G>,
    players: &[PlayerSpec<G>],
    (from, to): (u32, u32),
    begin: &dyn Fn(u64) -> Box<dyn Watch>,
) -> Result<Vec<GradeRow>, String> {
    let at_depths = |player: &PlayerSpec<G>| -> Vec<(Option<u32>, PlayerSpec<G>)> {
        let deeper: Vec<_> =
            (from..=to).filter_map(|depth| Some((Some(depth), player.at_depth(depth)?))).collect();
        if deeper.is_empty() { vec![(None, player.clone())] } else { deeper }
    };
    let work: Vec<_> = players
        .iter()
        .flat_map(|player| at_depths(player).into_iter().map(move |deep| (player, deep)))
        .collect();
    let watch = begin((work.len() * Source::ALL.len()) as u64);
    let grade = |(name, (depth, player)): &(&PlayerSpec<G>, (Option<u32>, PlayerSpec<G>))| {
        let of = |source: &Source| {
            let grade =
                grader.grade(player, *source).map_err(|why| format!("{name} cannot be graded: {why}"))?;
            watch.step();
            Ok((*source, grade))
        };
        let grades = Source::ALL.iter().map(of).collect::<Result<_, String>>()?;
        Ok(GradeRow { name: name.to_string(), depth: *depth, grades })
    };
    work.iter().map(grade).collect()
}
