//! The files of a run that grow by a few lines each generation: `generations.csv` and `population.csv`.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Error, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;

use super::layout::{GENERATIONS, POPULATION};
use crate::experiment::{Extent, GenerationRow};
use crate::files;
use crate::files::FileError;
use crate::game::GeneInfo;
use crate::learn::ga::Generation;

/// The open files of a run.
pub struct RunLog {
    files: [Growing; 2],
    genes: &'static [GeneInfo],
    /// Where there are several islands, it is said on which a candidate lives.
    islands: usize,
}

struct Growing {
    path: PathBuf,
    file: BufWriter<File>,
    length: u64,
    /// Of all that was ever written: what is read back must have the same.
    checksum: Hasher,
}

impl RunLog {
    /// The names of the files.
    pub const NAMES: [&'static str; 2] = [GENERATIONS, POPULATION];

    /// Begins the files of a new run.
    pub fn create(folder: &Path, genes: &'static [GeneInfo], islands: usize) -> Result<RunLog, FileError> {
        let create = |name: &str| Growing::create(folder.join(name));
        let mut log = RunLog { files: [create(GENERATIONS)?, create(POPULATION)?], genes, islands };
        let island = if islands > 1 { &["island"][..] } else { &[] };
        let own = ["generation", "rank", "points", "games"].iter().chain(island).map(|name| name.to_string());
        let header: Vec<String> = own.chain(genes.iter().map(GeneInfo::to_string)).collect();
        log.files[0].append(&line(&GenerationRow::header(genes)))?;
        log.files[1].append(&line(&header))?;
        Ok(log)
    }

    /// Opens the files of an earlier run and cuts off what came after its last checkpoint. What came before must be what was
    /// written then, to the byte.
    pub fn resume(
        folder: &Path,
        genes: &'static [GeneInfo],
        islands: usize,
        extents: &[Extent],
    ) -> Result<RunLog, FileError> {
        let open = |name: &str, i: usize| {
            Growing::open(folder.join(name), extents.get(i).copied().unwrap_or_default())
        };
        Ok(RunLog { files: [open(GENERATIONS, 0)?, open(POPULATION, 1)?], genes, islands })
    }

    /// Writes a generation.
    pub fn append(&mut self, generation: &Generation) -> Result<(), FileError> {
        self.files[0].append(&line(&GenerationRow::new(generation, self.genes).record()))?;
        let mut lines = String::new();
        for ((rank, individual), home) in (1..).zip(&generation.ranked).zip(&generation.homes) {
            let points = |thousandths: i64| format!("{:.3}", thousandths as f64 / 1000.0);
            let mut record = vec![
                generation.number.to_string(),
                rank.to_string(),
                points(individual.points),
                individual.games.to_string(),
            ];
            record.extend((self.islands > 1).then(|| home.to_string()));
            record.extend(individual.genes.iter().map(|value| points(i64::from(*value))));
            lines += &line(&record);
        }
        self.files[1].append(&lines)
    }

    /// Makes sure that all is on the disk; returns how far the files go.
    pub fn sync(&mut self) -> Result<Vec<Extent>, FileError> {
        self.files.iter_mut().map(Growing::sync).collect()
    }

    /// The generations so far, read back from the disk; both files must be what was written.
    pub fn generations(&mut self) -> Result<Vec<GenerationRow>, FileError> {
        let extents = self.sync()?;
        for (growing, extent) in self.files.iter().zip(extents) {
            let read = File::open(&growing.path).and_then(|file| checked(&file, extent));
            read.map_err(|error| FileError::new("read", &growing.path, error))?;
        }
        read_generations(&self.files[0].path, self.genes)
    }
}

impl Growing {
    fn create(path: PathBuf) -> Result<Growing, FileError> {
        // Removed rather than emptied: it may be a link to something else.
        files::remove(&path)?;
        let file = OpenOptions::new().create_new(true).write(true).open(&path);
        let file = file.map_err(|error| FileError::new("write", &path, error))?;
        Ok(Growing { path, file: BufWriter::new(file), length: 0, checksum: Hasher::new() })
    }

    fn open(path: PathBuf, extent: Extent) -> Result<Growing, FileError> {
        let open = || {
            if !path.symlink_metadata()?.is_file() {
                return Err(Error::other("it is not a plain file"));
            }
            let mut file = OpenOptions::new().read(true).write(true).open(&path)?;
            let checksum = checked(&file, extent)?;
            file.set_len(extent.length)?;
            file.seek(SeekFrom::End(0))?;
            Ok((BufWriter::new(file), checksum))
        };
        let (file, checksum) = open().map_err(|error| FileError::new("go on with", &path, error))?;
        Ok(Growing { path, file, length: extent.length, checksum })
    }

    fn append(&mut self, text: &str) -> Result<(), FileError> {
        self.length += text.len() as u64;
        self.checksum.update(text.as_bytes());
        self.file.write_all(text.as_bytes()).map_err(|error| FileError::new("write", &self.path, error))
    }

    fn sync(&mut self) -> Result<Extent, FileError> {
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_data());
        synced.map_err(|error| FileError::new("write", &self.path, error))?;
        Ok(Extent { length: self.length, checksum: self.checksum.clone().finalize() })
    }
}

/// Reads a file as far as it goes by this, and fails if it is not what was written.
fn checked(file: &File, extent: Extent) -> Result<Hasher, Error> {
    let mut reader = BufReader::new(file).take(extent.length);
    let (mut checksum, mut length) = (Hasher::new(), 0);
    let mut part = vec![0; 1 << 16];
    loop {
        match reader.read(&mut part)? {
            0 => break,
            count => {
                checksum.update(&part[..count]);
                length += count as u64;
            }
        }
    }
    let damaged = |what: &str| Err(Error::new(ErrorKind::InvalidData, what.to_string()));
    if length < extent.length {
        return damaged("it is shorter than when the run was saved");
    }
    if checksum.clone().finalize() != extent.checksum {
        return damaged("it was changed after the run was saved");
    }
    Ok(checksum)
}

/// Nothing in these tables needs quoting.
fn line(record: &[String]) -> String {
    record.join(",") + "\n"
}

/// The rows of `generations.csv`.
fn read_generations(path: &Path, genes: &[GeneInfo]) -> Result<Vec<GenerationRow>, FileError> {
    let text = std::fs::read_to_string(path).map_err(|error| FileError::new("read", path, error))?;
    let parse = |(number, line): (usize, &str)| {
        let row = GenerationRow::parse(&line.split(',').collect::<Vec<_>>(), genes);
        let damaged = || Error::new(ErrorKind::InvalidData, format!("line {} is damaged", number + 1));
        row.ok_or_else(|| FileError::new("read", path, damaged()))
    };
    text.lines().enumerate().skip(1).map(parse).collect()
}
