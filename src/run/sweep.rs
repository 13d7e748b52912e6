//! A sweep: the tuner with many seeds, or a share of them.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::{
    Halt, Manifest, Monitor, Options, Resumed, RunDir, RunError, Seed, SeedsFile, Step, Training, run_some,
};
use crate::experiment::{PaperRun, SeedRange, SeedResult, Tuning};
use crate::learn::{Declared, Settings};
use crate::players::{GameInfo, Playable};
use crate::report::{SweepReport, layout};

/// Share `number` of `of`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from 1.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

impl FromStr for Shard {
    type Err = String;
    fn from_str(text: &str) -> Result<Shard, String> {
        let parsed = text
            .split_once('/')
            .and_then(|(number, of)| Some(Shard { number: number.parse().ok()?, of: of.parse().ok()? }));
        match parsed {
            Some(shard) if (1..=shard.of).contains(&shard.number) => Ok(shard),
            _ => Err(format!("'{text}' is no share: 3/10 is the third of ten")),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// Which runs a sweep has.
#[derive(Clone, PartialEq)]
pub struct Sweep {
    /// Of all runs, but for the seed.
    pub settings: Settings,
    /// The seeds.
    pub seeds: SeedRange,
    /// Whether each seed also runs with coin tosses instead of games.
    pub null: bool,
}

impl Sweep {
    /// All runs, or those of a share: every `of`-th, so that long ones are spread evenly.
    pub fn runs(&self, shard: Option<Shard>) -> Vec<Seed> {
        let all = Seed::all(self.seeds.seeds(), self.null);
        let Shard { number, of } = shard.unwrap_or(Shard { number: 1, of: 1 });
        all.into_iter().skip(number - 1).step_by(of).collect()
    }

    /// What `run.toml` says.
    pub fn run_toml(&self, shard: Option<Shard>) -> String {
        let (option, line) = match shard {
            Some(shard) => (format!(" --shard {shard}"), format!("shard = \"{shard}\"\n")),
            None => Default::default(),
        };
        format!(
            "# Made by: dobutsu-ga sweep{option} (all settings below)\nseeds = \"{}\"\nnull = {}\n{line}\n[settings]\n{}",
            String::from(self.seeds.clone()),
            self.null,
            self.settings.to_toml()
        )
    }

    /// What a `run.toml` says: the sweep, and which share of it.
    pub fn of(
        game: &GameInfo,
        folder: &Path,
        manifest: &Manifest,
    ) -> Result<(Sweep, Option<Shard>), RunError> {
        let damaged = |error: &dyn fmt::Display| {
            let path = folder.join(layout::RUN);
            RunError::Input(format!("'{}' is damaged or was edited: {error}", path.display()))
        };
        let text = |key: &str| manifest.table.get(key).and_then(toml::Value::as_str);
        let shard = text("shard").map(str::parse).transpose().map_err(|error: String| damaged(&error))?;
        let seeds = text("seeds").unwrap_or_default().parse().map_err(|error: String| damaged(&error))?;
        let settings = Settings::from_written(manifest.settings()).map_err(|error| damaged(&error))?;
        settings.check(game).map_err(|error| damaged(&error))?;
        let null = manifest.table.get("null").and_then(toml::Value::as_bool).unwrap_or_default();
        Ok((Sweep { settings, seeds, null }, shard))
    }
}

/// A sweep that is open.
pub struct SweepTraining<G: Playable> {
    sweep: Sweep,
    shard: Option<Shard>,
    options: Options,
    dir: RunDir,
    kept: SeedsFile,
    done: Vec<SeedResult>,
    game: std::marker::PhantomData<fn() -> G>,
}

impl<G: Playable> SweepTraining<G> {
    /// Opens its folder and continues with what it holds.
    pub fn open(
        sweep: Sweep,
        shard: Option<Shard>,
        path: &Path,
        force: bool,
        options: Options,
    ) -> Result<SweepTraining<G>, RunError> {
        let (runs, all) = (sweep.runs(shard), sweep.runs(None).len());
        if let (Some(shard), true) = (shard, runs.is_empty()) {
            return Err(RunError::Input(format!(
                "--shard {shard}: there are only {all} runs, so at most {all} shares"
            )));
        }
        let mut dir = RunDir::prepare(path, sweep.run_toml(shard), force)?;
        dir.open()?;
        dir.begin()?;
        let (kept, done) = SeedsFile::open(path, &sweep.settings.to_toml())?;
        Ok(SweepTraining { sweep, shard, options, dir, kept, done, game: std::marker::PhantomData })
    }

    /// Takes up the sweep of a folder.
    pub(super) fn resume(resumed: &Resumed<'_>) -> Result<Box<dyn Training>, RunError> {
        let Resumed { manifest, folder, options, .. } = *resumed;
        let (sweep, shard) = Sweep::of(&GameInfo::of::<G>(), folder, manifest)?;
        Ok(Box::new(SweepTraining::<G>::open(sweep, shard, folder, false, options)?))
    }

    /// Writes the reports of a whole sweep from these results; the summary.
    pub fn finish(&self, results: &[SeedResult]) -> Result<String, RunError> {
        let (settings, dir) = (&self.sweep.settings, &self.dir);
        let paper = PaperRun::of::<G>(settings.fix_side);
        let par = Tuning::<G>::new(settings).par();
        let report =
            SweepReport { game: GameInfo::of::<G>(), settings, results, paper: &paper, par, rivals: &[] };
        let mut files = report.files();
        files.push((SeedsFile::NAME, self.kept.lines(results).into_bytes()));
        let text = format!("# {} runs of the tuner\n\n{}", results.len(), report.markdown());
        files.push((layout::SUMMARY, text.clone().into_bytes()));
        dir.overwrite(&files)?;
        for picture in report.pictures(self.options.language) {
            dir.overwrite(&picture.files(self.options.format))?;
        }
        dir.write_checksums(files.iter().map(|(name, _)| name))?;
        Ok(text)
    }
}

impl<G: Playable> Training for SweepTraining<G> {
    fn unit(&self) -> &'static str {
        "runs"
    }

    fn has_long_steps(&self) -> bool {
        true
    }

    fn done(&self) -> u64 {
        self.done.len().min(self.total() as usize) as u64
    }

    fn total(&self) -> u64 {
        self.sweep.runs(self.shard).len() as u64
    }

    /// All seeds, side by side.
    fn step(&mut self, monitor: &Monitor<'_>) -> Result<Step, RunError> {
        let runs = self.sweep.runs(self.shard);
        let watch = (monitor.begin)("sweep", runs.len() as u64, "runs");
        let save = |result: &SeedResult| -> Result<(), Halt> {
            self.kept.save(result)?;
            if monitor.is_stopped() { Err(Halt::Stopped) } else { Ok(()) }
        };
        match run_some::<G, Halt>(&self.sweep.settings, &runs, &[], &self.done, &save, &*watch) {
            Ok(results) => self.done = results,
            Err(Halt::Stopped) => return Ok(Step::Stopped),
            Err(Halt::File(error)) => return Err(error.into()),
        }
        Ok(Step::Done)
    }

    /// Every seed is saved when it is done.
    fn save(&mut self) -> Result<(), RunError> {
        Ok(())
    }

    fn report(&mut self, _: &Monitor<'_>) -> Result<Option<String>, RunError> {
        let runs = self.sweep.runs(self.shard);
        let result = |seed: &Seed| self.done.iter().find(|result| seed.is_of(result)).cloned();
        let results: Vec<SeedResult> = runs.iter().filter_map(result).collect();
        let Some(shard) = self.shard else { return Ok(Some(self.finish(&results)?)) };
        self.dir.overwrite(&[(SeedsFile::NAME, self.kept.lines(&results).into_bytes())])?;
        Ok(Some(format!(
            "Share {shard}: {} of {} runs. `dobutsu-ga sweep --merge FOLDER…` joins all shares.",
            runs.len(),
            self.sweep.runs(None).len()
        )))
    }
}
