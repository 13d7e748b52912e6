//! Pictures drawn again from the tables of a folder, without playing.

use std::path::{Path, PathBuf};

use super::{Definition, Lab, Made, Manifest, ManifestError, TunerError, TunerTraining};
use crate::experiment::{GenerationRow, PaperRun, Tuning};
use crate::files::FileError;
use crate::learn::{Declared, Settings};
use crate::players::{GameInfo, Playable};
use crate::report::layout::{self, RUN};
use crate::report::{
    ChecksumError, Language, Picture, RunPictures, SweepReport, TableError, TableFiles, cycles_pictures,
    grade_picture, read_frozen, read_runs, read_winners, verify_checksums,
};

/// Why pictures cannot be drawn again.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum RedrawError {
    #[error("'{}' holds no results: there is no {RUN} in it", .0.display())]
    NoResults(PathBuf),
    #[error("'{}' is damaged or was edited: {why}", path.display())]
    Damaged { path: PathBuf, why: String },
    #[error("'{}' holds results of the experiment '{name}', which is none of the program's own: say --experiment and its file", path.display())]
    OtherExperiment { path: PathBuf, name: String },
    #[error("'{}' holds results of `dobutsu-ga {command}`, which draws no pictures", path.display())]
    NoPictures { path: PathBuf, command: String },
    #[error("the pictures in '{}' cannot be drawn again: {error}", path.display())]
    Table { path: PathBuf, error: TableError },
    #[error("{0}: the command that made it makes it anew with --force")]
    Changed(ChecksumError),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error(transparent)]
    Run(#[from] TunerError),
    #[error(transparent)]
    File(#[from] FileError),
}

/// The pictures of a folder of results of this game, drawn again from its tables. Of an experiment that is none of the program's
/// own, the definition is needed.
pub fn redraw<G: Lab>(
    folder: &Path,
    language: Language,
    own: Option<&Definition<G>>,
) -> Result<Vec<Picture>, RedrawError> {
    let path = folder.join(RUN);
    let manifest = Manifest::read(folder)?.ok_or_else(|| RedrawError::NoResults(folder.to_path_buf()))?;
    verify_checksums(folder).map_err(|error| match error {
        ChecksumError::File(error) => error.into(),
        changed => RedrawError::Changed(changed),
    })?;
    let tables = TableFiles::read(folder)?;
    let wrong = |error: TableError| RedrawError::Table { path: folder.to_path_buf(), error };
    match &manifest.made {
        Made::Experiment(name) => {
            let own = own.filter(|own| own.name == *name).cloned();
            let known = own.or_else(|| Definition::<G>::find(name).ok());
            let (path, name) = (folder.to_path_buf(), name.clone());
            let definition = known.ok_or(RedrawError::OtherExperiment { path, name })?;
            definition.work.pictures(&definition.prose.title, &tables, language).map_err(wrong)
        }
        Made::Learner(command) | Made::Report(command) => {
            let drawn = of_command::<G>(command, &tables, language).map_err(wrong)?;
            let (path, command) = (folder.to_path_buf(), command.clone());
            drawn.ok_or(RedrawError::NoPictures { path, command })
        }
        Made::Sweep => {
            let game = GameInfo::of::<G>();
            let settings = Settings::from_table(&game, manifest.settings())
                .map_err(|why| RedrawError::Damaged { path: path.clone(), why })?;
            let results = &read_runs(&game, &settings, &tables, layout::RUNS).map_err(wrong)?;
            let paper = &PaperRun::of::<G>(settings.fix_side);
            // The break-even score is in no picture.
            Ok(SweepReport { game, settings: &settings, results, paper, par: 0.5, rivals: &[] }
                .pictures(language))
        }
        Made::Tuner => of_run::<G>(&TunerTraining::<G>::settings(folder)?, &tables, language).map_err(wrong),
    }
}

/// The pictures of a command, if it draws any.
fn of_command<G: Lab>(
    command: &str,
    tables: &TableFiles,
    language: Language,
) -> Result<Option<Vec<Picture>>, TableError> {
    match command {
        "grade" => {
            let depths = tables.rows(layout::GRADE)?.map(|row| row.maybe::<u32>("depth"))?;
            let drawn = depths.iter().any(Option::is_some);
            if drawn { grade_picture(tables, None).map(|picture| Some(vec![picture])) } else { Ok(None) }
        }
        "learn alphazero" => cycles_pictures(tables).map(Some),
        _ => G::command_pictures(command, tables, language),
    }
}

/// The pictures of a run of the tuner that is over.
fn of_run<G: Playable>(
    settings: &Settings,
    tables: &TableFiles,
    language: Language,
) -> Result<Vec<Picture>, TableError> {
    let genes = settings.genes.genes(&G::WEIGHTS);
    let damaged = |line: usize| TableError::Damaged {
        table: layout::GENERATIONS.to_string(),
        why: format!("line {line} is no generation"),
    };
    let lines = tables.text(layout::GENERATIONS)?.lines().enumerate().skip(1);
    let row = |(i, line): (usize, &str)| {
        GenerationRow::parse(&line.split(',').collect::<Vec<_>>(), genes).ok_or_else(|| damaged(i + 1))
    };
    let rows: Vec<GenerationRow> = lines.map(row).collect::<Result<_, _>>()?;
    let (frozen, strength) = (read_frozen(tables)?, read_winners(tables)?);
    let (paper, par) = (PaperRun::of::<G>(settings.fix_side), Tuning::<G>::new(settings).par());
    let (frozen, strength) = (&frozen[..], &strength[..]);
    Ok(RunPictures {
        game: GameInfo::of::<G>(),
        settings,
        rows: &rows,
        frozen,
        strength,
        paper: &paper,
        par,
        language,
    }
    .draw())
}
