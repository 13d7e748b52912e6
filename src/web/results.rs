//! The results folder, and nothing outside it: every path is made here, from checked parts, and looked at again after all
//! links have been followed. Every file is opened here too, and only if it is one: what is a pipe or a device would keep a
//! thread waiting for ever.

use std::fs::{DirEntry, File};
use std::io::{self, BufRead, BufReader, Read, Take};
use std::path::{Path, PathBuf};

use super::cycles::LearnerInfo;
use super::error::ApiError;
use crate::experiment::PaperRun;
use crate::files;
use crate::game::{GeneInfo, Genome, POINT, Side, UNSAID_GAME};
use crate::games::GameName;
use crate::learn::{Declared, Preset, Settings};
use crate::players::{GameInfo, Playable};
use crate::report::layout;
use crate::report::layout::RUN;
use crate::search::Terminal;
use crate::session::text_game;

/// How many folders deep runs are looked for.
const DEEPEST: usize = 3;
/// At most so many runs are listed.
const MOST: usize = 500;
/// No file that is read as a whole is longer.
const LONGEST_FILE: u64 = 8 << 20;
/// No network is longer: that of the Kyoto Shogi paper has 19 MB.
const LONGEST_NETWORK: u64 = 32 << 20;
/// No more than this is read of a table: some 300,000 generations.
const LONGEST_TABLE: u64 = 64 << 20;
/// A table ends before a line that is longer.
const LONGEST_LINE: u64 = 64 << 10;
/// On the disk, no file takes less.
const LEAST_SPACE: u64 = 4 << 10;

/// What the names of runs started from the page begin with.
pub(super) const OF_THE_PAGE: &str = "web-";

/// The commands that leave a page to read.
const PAGES: [&str; 4] = ["guideline", "grade", "ladder", "learn dqn"];

/// The folder under which all runs are.
pub(super) struct Results {
    root: PathBuf,
}

/// What a run's `run.toml` says that it is.
pub(super) enum Kind {
    /// One run of the tuner.
    Run(Box<RunInfo>),
    /// The same with many seeds.
    Sweep(Box<RunInfo>),
    /// An experiment; its champions score the end of a game like this.
    Experiment { game: GameName, terminal: Terminal },
    /// A page with the answer to another question.
    Page(GameName),
    /// A network that learns by playing itself.
    Learner(LearnerInfo),
}

/// What a page shows of the settings of a run, whichever game it is of.
pub(super) struct RunInfo {
    pub(super) game: GameName,
    /// The text of the settings: checkpoints belong to it.
    pub(super) text: String,
    pub(super) settings: serde_json::Value,
    pub(super) preset: Preset,
    pub(super) seed: u64,
    pub(super) side: Option<Side>,
    pub(super) terminal: Terminal,
    pub(super) last: u32,
    pub(super) genes: &'static [GeneInfo],
    /// The untrained values of these genes, in points.
    pub(super) untrained: Vec<f64>,
    pub(super) paper: PaperRun,
}

impl RunInfo {
    fn of<G: Playable>(game: GameName, settings: &Settings) -> RunInfo {
        let genes = settings.genes.genes(&G::WEIGHTS);
        RunInfo {
            game,
            text: settings.to_toml(),
            settings: serde_json::to_value(settings).unwrap_or_default(),
            preset: settings.preset,
            seed: settings.seed,
            side: settings.fix_side,
            terminal: settings.terminal(),
            last: settings.last_generation(),
            genes,
            untrained: in_points(&Genome::<G>::untrained().values()[..genes.len()]),
            paper: PaperRun::of::<G>(settings.fix_side),
        }
    }

    /// The values of these genes in the text of a genome file, in points.
    pub(super) fn values(&self, text: &str) -> Option<Vec<f64>> {
        let values = text_game(self.game, None).genome(text).ok()?;
        Some(in_points(&values[..self.genes.len()]))
    }
}

fn in_points(values: &[i32]) -> Vec<f64> {
    values.iter().map(|value| f64::from(*value) / f64::from(POINT)).collect()
}

/// A genome that a run has found.
pub(super) struct Champion {
    pub(super) game: GameName,
    /// The folder of its run.
    pub(super) name: String,
    /// The text of its file.
    pub(super) genome: String,
    /// How its run scored the end of a game.
    pub(super) terminal: Terminal,
    /// Its points per game against the untrained values.
    pub(super) score: Option<f64>,
}

impl Results {
    pub(super) fn new(root: &Path) -> Results {
        Results { root: root.to_path_buf() }
    }

    /// What is to be typed for a folder on the command line.
    pub(super) fn shown(&self, id: &str) -> String {
        files::quoted(&self.root.join(id))
    }

    /// Where a new run of this name would be.
    pub(super) fn fresh(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The folder of a run.
    pub(super) fn folder(&self, id: &str) -> Result<PathBuf, ApiError> {
        let shown: String = id.chars().take(100).collect();
        let missing = || {
            ApiError::not_found(format!("there is no run '{shown}' in the results folder"))
                .called("no_run", [shown.clone()])
        };
        let parts: Vec<&str> = id.split('/').collect();
        if parts.len() > DEEPEST || !parts.iter().all(|part| is_plain(part)) {
            return Err(missing());
        }
        let folder = self.root.join(id).canonicalize().map_err(|_| missing())?;
        let inside = self.root.canonicalize().is_ok_and(|root| folder.starts_with(root) && folder.is_dir());
        if inside { Ok(folder) } else { Err(missing()) }
    }

    /// A file of a run, if it is there, is a file, and is not led outside by a link.
    pub(super) fn file(&self, folder: &Path, name: &str) -> Option<File> {
        let path = folder.join(name).canonicalize().ok()?;
        let root = self.root.canonicalize().ok()?;
        (path.starts_with(root) && path.is_file()).then(|| File::open(path).ok())?
    }

    /// The content of a file of a run, unless it is longer than any that we write.
    pub(super) fn bytes(&self, folder: &Path, name: &str) -> Option<Vec<u8>> {
        read_whole(self.file(folder, name)?, LONGEST_FILE)
    }

    /// The text of a file of a run.
    pub(super) fn text(&self, folder: &Path, name: &str) -> Option<String> {
        String::from_utf8(self.bytes(folder, name)?).ok()
    }

    /// How many bytes the runs fill that were started from the page.
    pub(super) fn space(&self) -> u64 {
        let entries = |folder: &Path| folder.read_dir().into_iter().flatten().filter_map(Result::ok);
        let of_the_page = |entry: &DirEntry| entry.file_name().to_string_lossy().starts_with(OF_THE_PAGE);
        // Nothing here follows a link: what it leads to is counted where it is, or is not ours.
        let is_folder = |entry: &DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
        let size = |file: DirEntry| file.metadata().map_or(0, |data| data.len()).max(LEAST_SPACE);
        let runs = entries(&self.root).filter(|entry| of_the_page(entry) && is_folder(entry));
        runs.map(|run| LEAST_SPACE + entries(&run.path()).map(size).sum::<u64>()).sum()
    }

    /// The published numbers beside ours of the overview that `reproduce all` writes. Its list of experiments is what the page lists
    /// anyway.
    pub(super) fn overview(&self) -> Option<String> {
        let text = self.text(&self.root, "README.md")?;
        let (_, published) = text.split_once("\n## ")?;
        let (_heading, rest) = published.split_once('\n')?;
        Some(rest.to_string())
    }

    /// Every folder with a `run.toml`, in the order of their names. What a link leads to is listed under its own name only.
    pub(super) fn ids(&self) -> Vec<String> {
        let mut ids = Vec::new();
        if let Ok(root) = self.root.canonicalize() {
            self.walk(&root, "", DEEPEST, &mut ids);
        }
        ids
    }

    fn walk(&self, root: &Path, above: &str, deep: usize, ids: &mut Vec<String>) {
        let Ok(entries) = root.join(above).read_dir() else { return };
        let name = |entry: io::Result<DirEntry>| entry.ok()?.file_name().into_string().ok();
        let mut names: Vec<String> = entries.take(10 * MOST).filter_map(name).collect();
        names.sort();
        for name in names.into_iter().filter(|name| is_plain(name)) {
            if ids.len() >= MOST {
                return;
            }
            let id = if above.is_empty() { name } else { format!("{above}/{name}") };
            let Ok(folder) = self.folder(&id) else { continue };
            if folder != root.join(&id) {
                continue;
            }
            if self.file(&folder, RUN).is_some() {
                ids.push(id.clone());
            }
            if deep > 1 {
                self.walk(root, &id, deep - 1, ids);
            }
        }
    }

    /// What kind of run a folder holds.
    pub(super) fn kind(&self, folder: &Path) -> Option<Kind> {
        let table: toml::Table = self.text(folder, RUN)?.parse().ok()?;
        let inner = table.get("settings").and_then(toml::Value::as_table).cloned();
        let said = |table: &toml::Table| table.get("game").and_then(toml::Value::as_str).map(String::from);
        let named = said(&table).or_else(|| inner.as_ref().and_then(said));
        let game: GameName = named.as_deref().unwrap_or(UNSAID_GAME).parse().ok()?;
        if table.contains_key("experiment") {
            let settings = inner.as_ref().and_then(|settings| settings.get("terminal")?.as_str());
            let terminal = settings.and_then(|terminal| terminal.parse().ok()).unwrap_or_default();
            return Some(Kind::Experiment { game, terminal });
        }
        if LearnerInfo::is_told_by(&table) {
            return LearnerInfo::of(game, table).map(Kind::Learner);
        }
        if table.get("command").and_then(toml::Value::as_str).is_some_and(|command| PAGES.contains(&command))
        {
            return Some(Kind::Page(game));
        }
        with_game!(game, G => kind_of::<G>(game, table, inner))
    }

    /// What the runs have found, to play against.
    pub(super) fn champions(&self) -> Vec<Champion> {
        self.ids().into_iter().filter_map(|id| self.champion(&id)).collect()
    }

    /// The champion of a run; of many runs, the one that did best against the untrained values.
    pub(super) fn champion(&self, id: &str) -> Option<Champion> {
        // A player's text is cut at colons.
        if id.contains(':') {
            return None;
        }
        let folder = self.folder(id).ok()?;
        let (game, terminal) = match self.kind(&folder)? {
            Kind::Run(info) | Kind::Sweep(info) => (info.game, info.terminal),
            Kind::Experiment { game, terminal } => (game, terminal),
            Kind::Page(_) | Kind::Learner(_) => return None,
        };
        let champion = |genome, score| Champion { game, name: id.to_string(), genome, terminal, score };
        if let Some(text) = self.text(&folder, layout::CHAMPION) {
            return text_game(game, None)
                .genome(&text)
                .is_ok()
                .then(|| champion(text, self.last_score(&folder)));
        }
        let (genome, score) = with_game!(game, G => self.best_of_many::<G>(&folder))?;
        Some(champion(genome, Some(score)))
    }

    /// The runs that have trained a network for a game.
    pub(super) fn networks(&self, game: GameName) -> Vec<String> {
        let trained = |id: &String| {
            let Ok(folder) = self.folder(id) else { return false };
            let said = self.text(&folder, RUN).and_then(|text| text.parse::<toml::Table>().ok());
            let named = said.and_then(|table| table.get("game")?.as_str().map(String::from));
            named.as_deref() == Some(game.name()) && self.has_network(id, &folder)
        };
        self.ids().into_iter().filter(trained).collect()
    }

    /// Whether a run has trained a network that can be played against.
    pub(super) fn has_network(&self, id: &str, folder: &Path) -> bool {
        let is_short = |file: File| file.metadata().is_ok_and(|data| data.len() <= LONGEST_NETWORK);
        // A player's text is cut at colons.
        !id.contains(':') && self.file(folder, layout::NETWORK).is_some_and(is_short)
    }

    /// The file of the network that a run has trained.
    pub(super) fn network(&self, id: &str) -> Option<Vec<u8>> {
        read_whole(self.file(&self.folder(id).ok()?, layout::NETWORK)?, LONGEST_NETWORK)
    }

    /// Whether some process is working in a folder.
    pub(super) fn is_worked_on(&self, folder: &Path) -> bool {
        self.file(folder, files::LOCK).is_some_and(|lock| files::is_locked(&lock))
    }

    /// How the last winner that was measured scored.
    fn last_score(&self, folder: &Path) -> Option<f64> {
        let text = self.text(folder, layout::STRENGTH)?;
        layout::read_strength(&text).last().map(|[_, score, ..]| *score)
    }

    /// The best line of `runs.csv`, coin tosses left out.
    fn best_of_many<G: Playable>(&self, folder: &Path) -> Option<(String, f64)> {
        let mut lines = Lines::of(self.file(folder, layout::RUNS)?);
        let header: Vec<String> = lines.next()?.trim_end().split(',').map(String::from).collect();
        let place = |name: &str| header.iter().position(|column| column == name);
        let (fitness, score) = (place("fitness")?, place("score")?);
        let mut best: Option<(Genome<G>, f64)> = None;
        for line in lines.take(100_000) {
            let cells: Vec<&str> = line.trim_end().split(',').collect();
            let number = |at: usize| cells.get(at)?.parse::<f64>().ok();
            let Some(points) = number(score) else { continue };
            let better = best.as_ref().is_none_or(|(_, so_far)| points > *so_far);
            if cells.get(fitness) == Some(&"random") || !better {
                continue;
            }
            let mut genome = Genome::untrained();
            for (i, gene) in G::WEIGHTS.genes.iter().enumerate() {
                let Some(value) = place(&gene.to_string()).and_then(number) else { continue };
                genome = genome.with_value(i, (value * f64::from(POINT)).round() as i32).ok()?;
            }
            best = Some((genome, points));
        }
        best.map(|(genome, score)| (genome.to_toml(), score))
    }
}

fn kind_of<G: Playable>(game: GameName, table: toml::Table, inner: Option<toml::Table>) -> Option<Kind> {
    let info = |settings: Settings| Box::new(RunInfo::of::<G>(game, &settings));
    match inner {
        Some(inner) => Settings::from_table(&GameInfo::of::<G>(), inner).ok().map(info).map(Kind::Sweep),
        // As it is written there: what is not said must not come from today's presets.
        None => Settings::from_written(table).ok().map(info).map(Kind::Run),
    }
}

/// The lines of a table, each with its end, as far as they can be ours.
pub(super) struct Lines(BufReader<Take<File>>);

impl Lines {
    pub(super) fn of(table: File) -> Lines {
        Lines(BufReader::new(table.take(LONGEST_TABLE)))
    }
}

impl Iterator for Lines {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let mut line = Vec::new();
        let length = (&mut self.0).take(LONGEST_LINE).read_until(b'\n', &mut line).ok()?;
        let whole = length > 0 && (length as u64) < LONGEST_LINE;
        if whole { String::from_utf8(line).ok() } else { None }
    }
}

/// The content of a file that has at most so many bytes.
fn read_whole(file: File, most: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= most).then_some(bytes)
}

/// Whether a part of a path names just a thing in a folder, and none that is hidden.
fn is_plain(part: &str) -> bool {
    let odd = |c: char| c.is_control() || matches!(c, '/' | '\\');
    !part.is_empty() && part.len() <= 100 && !part.starts_with('.') && !part.contains(odd)
}
