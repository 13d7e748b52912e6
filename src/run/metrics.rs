//! The curve of a learner for other programs: `metrics.jsonl`, an object a step. The only file of a run that knows the time.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value};

use super::Point;
use crate::files::{self, FileError};
use crate::report::layout::METRICS;

/// The file, open to grow.
pub struct Metrics {
    path: PathBuf,
    /// Only a learner with a curve has such a file.
    file: Option<BufWriter<File>>,
    /// How long the run had worked before, and since when it works now.
    before: Duration,
    begun: Instant,
}

impl Metrics {
    /// Opens the file of a run that has done `done` steps. Later ones are removed: the run repeats them.
    pub fn open(folder: &Path, done: u64) -> Result<Metrics, FileError> {
        let path = folder.join(METRICS);
        let there = files::read_if_there(&path)?.unwrap_or_default();
        let (mut kept, mut before) = (String::new(), Duration::ZERO);
        for line in String::from_utf8_lossy(&there).lines() {
            // A line that was cut off by a kill is not whole.
            let Ok(point) = serde_json::from_str::<Map<String, Value>>(line) else { break };
            if point.get("step").and_then(Value::as_u64).is_none_or(|step| step > done) {
                break;
            }
            let seconds = point.get("seconds").and_then(Value::as_f64).unwrap_or_default();
            before = Duration::try_from_secs_f64(seconds).unwrap_or_default();
            kept += line;
            kept.push('\n');
        }
        if kept.as_bytes() != there {
            files::write(&path, kept.as_bytes())?;
        }
        Ok(Metrics { path, file: None, before, begun: Instant::now() })
    }

    /// Adds points of the curve: step, the time of day in seconds since 1970, seconds of work, and what was measured. A number that is
    /// not finite is left out.
    pub fn append(&mut self, points: &[Point]) -> Result<(), FileError> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seconds = self.before + self.begun.elapsed();
        let rounded = |time: Duration| (time.as_secs_f64() * 1000.0).round() / 1000.0;
        for Point { step, values } in points {
            let mut object = Map::new();
            object.insert("step".to_string(), (*step).into());
            object.insert("wall_time".to_string(), rounded(now).into());
            object.insert("seconds".to_string(), rounded(seconds).into());
            let finite = values.iter().filter(|(_, value)| value.is_finite());
            object.extend(finite.map(|(name, value)| (name.clone(), Value::from(*value))));
            let line = Value::Object(object).to_string() + "\n";
            self.file()?
                .write_all(line.as_bytes())
                .map_err(|error| FileError::new("write", &self.path, error))?;
        }
        Ok(())
    }

    fn file(&mut self) -> Result<&mut BufWriter<File>, FileError> {
        if self.file.is_none() {
            let file = OpenOptions::new().append(true).create(true).open(&self.path);
            self.file =
                Some(BufWriter::new(file.map_err(|error| FileError::new("write", &self.path, error))?));
        }
        Ok(self.file.as_mut().expect("it was opened"))
    }

    /// Hands everything to the disk.
    pub fn sync(&mut self) -> Result<(), FileError> {
        match &mut self.file {
            Some(file) => file.flush().map_err(|error| FileError::new("write", &self.path, error)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_steps_and_half_lines_are_removed() {
        let folder = std::env::temp_dir().join(format!("dobutsu-ga-metrics-{}", std::process::id()));
        files::create_folder(&folder).unwrap();
        let point =
            |step| Point { step, values: vec![("loss".to_string(), 0.5), ("odd".to_string(), f64::NAN)] };
        let mut metrics = Metrics::open(&folder, 0).unwrap();
        metrics.append(&[point(1), point(2), point(3)]).unwrap();
        metrics.sync().unwrap();
        let path = folder.join(METRICS);
        std::fs::write(&path, std::fs::read_to_string(&path).unwrap() + "{\"step\":4,").unwrap();
        Metrics::open(&folder, 2).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<Map<String, Value>> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[1]["step"], 2);
        assert_eq!(lines[1]["loss"], 0.5);
        assert!(!lines[1].contains_key("odd"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
