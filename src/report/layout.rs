//! The names of the files in a run's folder, and the columns that others read: whoever writes or reads one, finds it here.

use std::path::Path;

use crate::files::{self, FileError};

/// By what everything else was made.
pub const RUN: &str = "run.toml";
/// Checksums of all of them, when the work is finished.
pub const CHECKSUMS: &str = ".checksums";
/// The generations of a run, a line each.
pub const GENERATIONS: &str = "generations.csv";
/// Every candidate of every generation.
pub const POPULATION: &str = "population.csv";
/// The genome that a run has found.
pub const CHAMPION: &str = "champion.toml";
/// When genes froze, and at what.
pub const CONVERGENCE: &str = "convergence.csv";
/// Winners of some generations against the untrained values.
pub const STRENGTH: &str = "strength.csv";
/// What came out, in words and tables.
pub const SUMMARY: &str = "summary.md";
/// The same of a table of games.
pub const TABLE: &str = "table.md";
/// What the pieces are worth.
pub const GUIDELINE: &str = "guideline.md";
/// Grades of players by perfect play, to read.
pub const GRADE_PAGE: &str = "grade.md";
/// How much stronger each level is than the one below, a line each.
pub const LADDER: &str = "ladder.csv";
/// The runs of a sweep, a line each.
pub const RUNS: &str = "runs.csv";
/// How what they found is distributed.
pub const DISTRIBUTION: &str = "distribution.csv";
/// The chick on the board over the generations of many runs.
pub const CHICK: &str = "chick.csv";
/// The errors of runs that follow a curve.
pub const ERRORS: &str = "errors.csv";
/// The pictures of genes and of strength: the names of pictures are those of their files without the ending.
pub const GENES_PICTURE: &str = "genes";
/// See [`GENES_PICTURE`].
pub const STRENGTH_PICTURE: &str = "strength";
/// When genes froze over many runs.
pub const FREEZE_PICTURE: &str = "freeze";

/// The weights over the rounds of a learner, a line each.
pub const WEIGHTS: &str = "weights.csv";
/// The same as a picture.
pub const WEIGHTS_PICTURE: &str = "weights";
/// Everything that such a learner needs to go on.
pub const WEIGHTS_LEARNER: &str = "learner.json";

/// The network that a run has trained.
pub const NETWORK: &str = "network.safetensors";
/// Everything that a run needs to go on learning.
pub const LEARNER: &str = "learner.safetensors";
/// How a network learned, a line for each game.
pub const LEARNING: &str = "learning.csv";
/// The same as a picture.
pub const LEARNING_PICTURE: &str = "learning";

/// How the cycles of a learner went, a line each.
pub const CYCLES: &str = "cycles.csv";
/// The same as a picture.
pub const CYCLES_PICTURE: &str = "cycles";
/// How many moves are weak: of players in duels, or of a network over its cycles.
pub const WEAKNESSES: &str = "weaknesses.csv";
/// The same as pictures; of several a number follows.
pub const WEAKNESSES_PICTURE: &str = "weaknesses";
/// What perfect play says of a network over its cycles.
pub const JUDGED_PICTURE: &str = "judged";
/// The scores of a table of games.
pub const GRID: &str = "table.csv";
/// The scores of pairs of players.
pub const DUELS: &str = "duels.csv";
/// The games of the listing's program with its slips.
pub const LISTING: &str = "listing.csv";
/// Published and played, of an answer to which program made the paper's tables.
pub const FORENSIC_TEST: &str = "test.csv";
/// How good the moves of players are.
pub const GRADE: &str = "grade.csv";
/// Where games first went wrong.
pub const MISTAKES: &str = "mistakes.csv";
/// The runs of the tuner beside a learner.
pub const TUNER_RUNS: &str = "tuner-runs.csv";

/// Several ways to set up the tuner, a line for each seed.
pub const ARMS: &str = "arms.csv";
/// Grades of players by perfect play.
pub const GRADES: &str = "grades.csv";
/// The folder of the games that a learner plays against itself.
pub const GAMES: &str = "games";
/// Seeds of a sweep that are done, a line each.
pub const SEEDS: &str = "seeds.jsonl";
/// How far a run of the tuner is.
pub const CHECKPOINT: &str = "checkpoint.json";
/// The curve of a learner for other programs, an object a step, with the time it was made.
pub const METRICS: &str = "metrics.jsonl";
/// The hidden folder of an experiment that is under way.
pub const PROGRESS: &str = ".progress";

/// The files of a results folder without their endings. Pictures may have a number, as in `weaknesses-2.png`.
const STEMS: [&str; 40] = [
    "run",
    ".checksums",
    "generations",
    "population",
    "champion",
    "convergence",
    "strength",
    "summary",
    "table",
    "guideline",
    "grade",
    "ladder",
    "runs",
    "distribution",
    "chick",
    "errors",
    "genes",
    "freeze",
    "weights",
    "learner",
    "network",
    "learning",
    "cycles",
    "weaknesses",
    "judged",
    "duels",
    "listing",
    "test",
    "mistakes",
    "tuner-runs",
    "arms",
    "grades",
    "seeds",
    "checkpoint",
    "metrics",
    "scores",
    "worlds",
    "finalists",
    "matches",
    "tuner-genes",
];

/// Whether a file of this name was written by a run or a command.
pub fn is_ours(name: &str) -> bool {
    let (stem, ending) = name.split_once('.').filter(|(stem, _)| !stem.is_empty()).unwrap_or((name, ""));
    let without_number =
        stem.rsplit_once('-').filter(|(_, number)| number.bytes().all(|b| b.is_ascii_digit()));
    let stem = without_number.map_or(stem, |(stem, _)| stem);
    STEMS.contains(&stem)
        && matches!(ending, "" | "toml" | "csv" | "md" | "png" | "svg" | "json" | "jsonl" | "safetensors")
}

/// Removes games of these cycles; their folder too when the run is over, if nothing else is in it.
pub fn remove_games(folder: &Path, of: impl Fn(u32) -> bool, is_over: bool) -> Result<(), FileError> {
    for name in files::entries(folder)? {
        let name = name.to_string_lossy();
        let cycle = name.split_once('-').and_then(|(cycle, _)| cycle.parse::<u32>().ok());
        if name.ends_with(".games") && cycle.is_some_and(&of) {
            files::remove(&folder.join(&*name))?;
        }
    }
    if is_over {
        let _ = std::fs::remove_dir(folder);
    }
    Ok(())
}

/// The columns of [`STRENGTH`].
pub(crate) const STRENGTH_HEADER: &str =
    "generation,first_wins,first_draws,first_losses,second_wins,second_draws,second_losses,score,low,high\n";

/// Generation, score and its interval, of each line of [`STRENGTH`] that is whole.
pub fn read_strength(text: &str) -> Vec<[f64; 4]> {
    let line = |line: &str| {
        let cells: Option<Vec<f64>> = line.split(',').map(|cell| cell.parse().ok()).collect();
        match cells?[..] {
            [generation, _, _, _, _, _, _, score, low, high] => Some([generation, score, low, high]),
            _ => None,
        }
    };
    text.lines().skip(1).filter_map(line).collect()
}
