//! Which pictures an experiment has. They are drawn from its tables, whether those were just made or are read back.

use super::alphazero::alphazero_pictures;
use super::alphazero_arms::alphazero_arms_pictures;
use super::arms::arms_picture;
use super::curve::curve_picture;
use super::dqn::dqn_pictures;
use super::duels::duels_picture;
use super::forensic::forensic_picture;
use super::grid::grid_picture;
use super::layout;
use super::listing::listing_picture;
use super::pa::pa_pictures;
use super::picture::Picture;
use super::sweep::{SweepReport, read_runs};
use super::sweep_pictures::chick_picture;
use super::table::{TableError, TableFiles};
use super::weaknesses::weaknesses_pictures;
use super::words::Language;
use crate::experiment::{Definition, TunerWork, Work};
use crate::players::Playable;

/// The pictures of an experiment. Those of runs of a learner have words in both languages, all others in English.
pub fn experiment_pictures<G: Playable>(
    definition: &Definition<G>,
    tables: &TableFiles,
    language: Language,
) -> Result<Vec<Picture>, TableError> {
    let title = &definition.prose.title;
    match &definition.work {
        Work::Grid(grid) => Ok(vec![grid_picture(title, grid, tables)?]),
        Work::Curve(_) => Ok(vec![curve_picture(title, tables)?]),
        Work::Duels(work) => {
            let mut pictures = vec![duels_picture(title, work, tables)?];
            if work.weaknesses {
                pictures.extend(weaknesses_pictures::<G>(title, tables)?);
            }
            Ok(pictures)
        }
        Work::Arms(_) => Ok(vec![arms_picture(title, tables)?]),
        Work::Forensic(_) => Ok(vec![forensic_picture(tables)?]),
        Work::Listing(_) => Ok(vec![listing_picture(title, tables)?]),
        Work::Dqn(work) => dqn_pictures(title, work, tables),
        Work::AlphaZero(_) => alphazero_pictures(title, tables),
        Work::AlphaZeroArms(work) => alphazero_arms_pictures(title, work, tables),
        Work::Pa(work) => pa_pictures(work, tables, language),
        Work::Tuner(work) => tuner_pictures(work, tables, language),
    }
}

fn tuner_pictures<G: Playable>(
    work: &TunerWork<G>,
    tables: &TableFiles,
    language: Language,
) -> Result<Vec<Picture>, TableError> {
    let TunerWork { settings, paper, rivals, .. } = work;
    if work.is_figure() {
        return Ok(vec![chick_picture(&G::WEIGHTS.genes[0], paper, tables, language)?]);
    }
    let results = &read_runs(settings, tables, layout::RUNS)?;
    // What would be as strong as before is in no picture.
    Ok(SweepReport { settings, results, paper, par: 0.5, rivals }.pictures(language))
}
