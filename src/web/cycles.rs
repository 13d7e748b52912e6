//! Runs of networks that learn by playing themselves: how far they are, and how their cycles went.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::App;
use super::download::{self, FileInfo};
use super::results::Lines;
use super::runs::{age, thinned};
use crate::games::GameName;
use crate::learn::alphazero::AlphaZeroPreset;
use crate::report::layout;

/// What `run.toml` says made such a run.
const COMMAND: &str = "learn alphazero";
/// A table with more columns is none of ours: each opponent has one.
const MOST_COLUMNS: usize = 200;

/// What a page shows of the settings of such a run.
pub(super) struct LearnerInfo {
    game: GameName,
    learner: Learner,
}

/// As much of the settings as is shown.
#[derive(Deserialize)]
struct Learner {
    preset: AlphaZeroPreset,
    rules: String,
    seed: u64,
    cycles: u32,
}

impl LearnerInfo {
    /// Whether a `run.toml` is that of such a run.
    pub(super) fn is_told_by(run: &toml::Table) -> bool {
        run.get("command").and_then(toml::Value::as_str) == Some(COMMAND)
    }

    /// What it says, if it can be read.
    pub(super) fn of(game: GameName, mut run: toml::Table) -> Option<LearnerInfo> {
        let learner = run.remove("learner")?.try_into().ok()?;
        Some(LearnerInfo { game, learner })
    }
}

/// The table of the cycles so far. What could not be measured is nothing.
#[derive(Debug, Default, PartialEq)]
struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<Option<f64>>>,
}

impl Table {
    fn of(app: &App, folder: &Path) -> Table {
        app.results.file(folder, layout::CYCLES).map(|file| Table::read(Lines::of(file))).unwrap_or_default()
    }

    fn read(mut lines: impl Iterator<Item = String>) -> Table {
        let columns = fields(lines.next().unwrap_or_default().trim_end());
        if columns.len() > MOST_COLUMNS {
            return Table::default();
        }
        let rows = thinned(lines.map_while(|line| numbers(line.trim_end(), columns.len())));
        Table { columns, rows }
    }

    /// The number of the last cycle, which has the first column.
    fn reached(&self) -> u32 {
        self.rows.last().and_then(|row| row[0]).unwrap_or(0.0) as u32
    }
}

/// The cells of a line with so many; nothing if it is not whole.
fn numbers(line: &str, count: usize) -> Option<Vec<Option<f64>>> {
    let number = |cell: &str| cell.parse::<f64>().ok().filter(|number| number.is_finite());
    let cells: Vec<Option<f64>> = line.split(',').take(count + 1).map(number).collect();
    (cells.len() == count && cells[0].is_some()).then_some(cells)
}

/// The fields of a header: who has a comma in the name is quoted.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        let field = fields.last_mut().expect("there is always one");
        match c {
            '"' if quoted && rest.peek() == Some(&'"') => field.extend(rest.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => field.push(c),
        }
    }
    fields
}

/// Whether a run is `running`, `finished` or `stopped`.
fn state(app: &App, folder: &Path, info: &LearnerInfo, table: &Table) -> &'static str {
    match () {
        () if table.reached() >= info.learner.cycles => "finished",
        () if app.results.is_worked_on(folder) => "running",
        () => "stopped",
    }
}

/// A network that learns, as a line of the list.
#[derive(Serialize)]
pub(super) struct LearnerLine {
    /// How many cycles there will be, and how many are done.
    cycles: u32,
    done: u32,
    game: GameName,
    id: String,
    /// In how many seconds it should be over, if that is known.
    left: Option<f64>,
    preset: AlphaZeroPreset,
    rules: String,
    seed: u64,
    /// `running`, `finished` or `stopped`.
    state: &'static str,
}

/// The same with the table of its cycles.
#[derive(Serialize)]
pub(super) struct LearnerDetail {
    #[serde(flatten)]
    line: LearnerLine,
    columns: Vec<String>,
    files: Vec<FileInfo>,
    /// Whether its network can be played against.
    network: bool,
    /// The command that goes on with it, if it was stopped.
    resume: Option<String>,
    rows: Vec<Vec<Option<f64>>>,
}

/// A run as a line of the list.
pub(super) fn summary(app: &App, id: &str, folder: &Path, info: &LearnerInfo) -> LearnerLine {
    about(app, id, folder, info, &Table::of(app, folder))
}

fn about(app: &App, id: &str, folder: &Path, info: &LearnerInfo, table: &Table) -> LearnerLine {
    let state = state(app, folder, info, table);
    let left = match state {
        "running" => {
            app.paces.left(id, table.reached(), info.learner.cycles, age(app, folder, layout::CYCLES))
        }
        _ => {
            app.paces.forget(id);
            None
        }
    };
    LearnerLine {
        cycles: info.learner.cycles,
        done: table.reached(),
        game: info.game,
        id: id.to_string(),
        left,
        preset: info.learner.preset,
        rules: info.learner.rules.clone(),
        seed: info.learner.seed,
        state,
    }
}

/// All about a run.
pub(super) fn detail(app: &App, id: &str, folder: &Path, info: &LearnerInfo) -> LearnerDetail {
    let table = Table::of(app, folder);
    let line = about(app, id, folder, info, &table);
    let command = || format!("dobutsu-ga resume {}", app.results.shown(id));
    LearnerDetail {
        resume: (line.state == "stopped").then(command),
        line,
        columns: table.columns,
        files: download::list(app, folder),
        network: app.results.has_network(id, folder),
        rows: table.rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Table {
        Table::read(text.split_inclusive('\n').map(String::from))
    }

    #[test]
    fn a_table_is_read_as_far_as_it_is_whole() {
        let table = read("cycle,gate,\"score against a:x=1,2\"\n1,,0.5\n2,0.25,nan\n3,0");
        assert_eq!(table.columns, ["cycle", "gate", "score against a:x=1,2"]);
        assert_eq!(table.rows, [[Some(1.0), None, Some(0.5)], [Some(2.0), Some(0.25), None]]);
        assert_eq!(table.reached(), 2);
        assert_eq!(fields("\"say \"\"hm\"\"\",b"), ["say \"hm\"", "b"]);
    }

    #[test]
    fn what_is_no_table_has_no_cycles() {
        for text in ["", "\n", "cycle\n", "cycle,a\n1\n", "a\nb\n", &format!("{}\n1\n", ",".repeat(500))] {
            assert_eq!((read(text).rows.len(), read(text).reached()), (0, 0), "{text:?}");
        }
    }
}
