//! The files of a run that grow by a few lines each generation: `generations.csv` and `population.csv`.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Error, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::eval::Gene;
use crate::experiment::GenerationRow;
use crate::files::FileError;
use crate::learn::ga::Generation;

const GENERATIONS: &str = "generations.csv";
const POPULATION: &str = "population.csv";

/// The open files of a run.
pub struct RunLog {
    files: [Growing; 2],
    genes: &'static [Gene],
}

struct Growing {
    path: PathBuf,
    file: BufWriter<File>,
    length: u64,
}

impl RunLog {
    /// Begins the files of a new run.
    pub fn create(folder: &Path, genes: &'static [Gene]) -> Result<RunLog, FileError> {
        let mut log = RunLog::resume(folder, genes, &[0, 0])?;
        let own = ["generation", "rank", "points", "games"].map(String::from);
        let header: Vec<String> = own.into_iter().chain(genes.iter().map(Gene::to_string)).collect();
        log.files[0].append(&line(&GenerationRow::header(genes)))?;
        log.files[1].append(&line(&header))?;
        Ok(log)
    }

    /// Opens the files of an earlier run and cuts off what came after its last checkpoint.
    pub fn resume(folder: &Path, genes: &'static [Gene], lengths: &[u64]) -> Result<RunLog, FileError> {
        let open = |name: &str, length: u64| Growing::open(folder.join(name), length);
        let length = |i: usize| lengths.get(i).copied().unwrap_or(0);
        Ok(RunLog { files: [open(GENERATIONS, length(0))?, open(POPULATION, length(1))?], genes })
    }

    /// Writes a generation.
    pub fn append(&mut self, generation: &Generation) -> Result<(), FileError> {
        self.files[0].append(&line(&GenerationRow::new(generation, self.genes).record()))?;
        let mut lines = String::new();
        for (rank, individual) in (1..).zip(&generation.ranked) {
            let points = |thousandths: i64| format!("{:.3}", thousandths as f64 / 1000.0);
            let mut record = vec![
                generation.number.to_string(),
                rank.to_string(),
                points(individual.points),
                individual.games.to_string(),
            ];
            record.extend(individual.genes.iter().map(|value| points(i64::from(*value))));
            lines += &line(&record);
        }
        self.files[1].append(&lines)
    }

    /// Makes sure that all is on the disk; returns the lengths of the files.
    pub fn sync(&mut self) -> Result<Vec<u64>, FileError> {
        self.files.iter_mut().map(Growing::sync).collect()
    }
}

impl Growing {
    fn open(path: PathBuf, length: u64) -> Result<Growing, FileError> {
        let open = || {
            let mut file = OpenOptions::new().create(true).write(true).truncate(false).open(&path)?;
            if file.metadata()?.len() < length {
                return Err(Error::new(ErrorKind::InvalidData, "it is shorter than when the run was saved"));
            }
            file.set_len(length)?;
            file.seek(SeekFrom::End(0))?;
            Ok(BufWriter::new(file))
        };
        let file = open().map_err(|error| FileError::new("write", &path, error))?;
        Ok(Growing { path, file, length })
    }

    fn append(&mut self, text: &str) -> Result<(), FileError> {
        self.length += text.len() as u64;
        self.file.write_all(text.as_bytes()).map_err(|error| FileError::new("write", &self.path, error))
    }

    fn sync(&mut self) -> Result<u64, FileError> {
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_data());
        synced.map_err(|error| FileError::new("write", &self.path, error))?;
        Ok(self.length)
    }
}

/// Nothing in these tables needs quoting.
fn line(record: &[String]) -> String {
    record.join(",") + "\n"
}

/// The rows of `generations.csv`.
pub fn read_generations(folder: &Path, genes: &[Gene]) -> Result<Vec<GenerationRow>, FileError> {
    let path = folder.join(GENERATIONS);
    let text = std::fs::read_to_string(&path).map_err(|error| FileError::new("read", &path, error))?;
    let parse = |(number, line): (usize, &str)| {
        let row = GenerationRow::parse(&line.split(',').collect::<Vec<_>>(), genes);
        let damaged = || Error::new(ErrorKind::InvalidData, format!("line {} is damaged", number + 1));
        row.ok_or_else(|| FileError::new("read", &path, damaged()))
    };
    text.lines().enumerate().skip(1).map(parse).collect()
}
