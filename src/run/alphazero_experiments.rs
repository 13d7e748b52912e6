//! Experiments with the learner that plays itself.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::alphazero::{SAVE_AFTER, described as made_by};
use super::kinds::{described, toml_of};
use super::{
    AlphaZeroRun, BeginWatch, Context, Experiment, Lab, Monitor, Outcome, ReproduceError, RunError, Text,
    Unwatched, solution, train,
};
use crate::experiment::{AlphaZeroArmResult, AlphaZeroArmsWork, AlphaZeroResult, AlphaZeroWork, TAUGHT};
use crate::files;
use crate::files::FileError;
use crate::game::{Solution, Solutions};
use crate::learn::alphazero::{
    AlphaZeroSettings, Cycles, Learnable, SupervisedBaseline, measure, measured_games,
};
use crate::nets::dual::{DualNetwork, InferenceNetwork, Training};
use crate::nets::{Header, Tensors, load_if_there, processor};
use crate::report::{
    AlphaZeroArmsReport, Language, Picture, TableError, TableFiles, alphazero_arms_pictures,
    alphazero_pictures, alphazero_report,
};

impl<G: Lab + Learnable> Experiment<G> for AlphaZeroWork {
    fn check(&self) -> Result<(), String> {
        AlphaZeroWork::check::<G>(self)
    }

    fn needs(&self) -> Result<(), ReproduceError> {
        let Some(judged) = &self.judged else { return Ok(()) };
        let settings = self.settings::<G>().map_err(|why| ReproduceError::Nonsense { why })?;
        G::Solutions::at(None).get(settings.rules())?;
        let players = judged.players::<G>()?;
        Ok(players.iter().try_for_each(|player| player.check(settings.rules()))?)
    }

    /// Learns; where the work is judged, trains the same network on the solution too, and grades both and others by perfect play.
    fn run(&self, context: &mut Context<'_, G>) -> Result<Outcome, ReproduceError> {
        let (folder, begin) = (&context.progress(), context.begin);
        let settings = self.settings::<G>().map_err(|why| ReproduceError::Nonsense { why })?;
        let Cycles { settings, rows, best, .. } = learned::<G>(&settings, folder, begin)?;
        let network = network_file::<G>(&settings, &best);
        let mut result = AlphaZeroResult { settings, rows, ceiling: None, grades: Vec::new() };
        if let Some(judged) = &self.judged {
            let solution = G::Solutions::at(None).get(result.settings.rules())?;
            let mut networks = vec![("network", &best)];
            let baseline = match judged.ceiling_batches {
                0 => None,
                batches => Some(train_baseline::<G>(&result.settings, batches, &*solution, folder, begin)?),
            };
            if let Some(baseline) = &baseline {
                networks.push((TAUGHT, baseline));
                let settings = AlphaZeroSettings {
                    measure_games: 100,
                    opponents: Vec::new(),
                    ..result.settings.clone()
                };
                let watch = begin("measuring the ceiling", measured_games(&settings, true), "games");
                let network = InferenceNetwork::new(baseline);
                result.ceiling =
                    Some(measure::<G>(&settings, 0, &network, Some(&*solution), &|| watch.step()));
            }
            let players = (2 * networks.len() + judged.players.len()) as u64;
            let watch = begin("grading", players, "players");
            result.grades =
                judged.grades::<G>(&*solution, result.settings.seed, &networks, &|| watch.step())?;
        }
        let (files, tables) = alphazero_report(&result, network);
        std::fs::remove_dir_all(folder).map_err(|error| FileError::new("remove", folder, error))?;
        Ok(Outcome { files, text: Text::Tables(tables), overview: Vec::new() })
    }

    fn pictures(&self, title: &str, tables: &TableFiles, _: Language) -> Result<Vec<Picture>, TableError> {
        alphazero_pictures(title, tables)
    }

    fn to_toml(&self) -> String {
        let settings = self.settings::<G>().expect("an experiment was checked when it was read");
        let learner = toml::Table::try_from(&settings).expect("numbers and texts can be written");
        toml_of(&AlphaZeroWork { learner, ..self.clone() })
    }

    fn notes(&self) -> String {
        let settings = self.settings::<G>().expect("an experiment was checked when it was read");
        let judged = self.judged.iter().flat_map(|judged| judged.players::<G>()).flatten();
        settings.describe_opponents::<G>() + &described(judged) + &processor_line()
    }
}

impl<G: Lab + Learnable> Experiment<G> for AlphaZeroArmsWork {
    fn check(&self) -> Result<(), String> {
        AlphaZeroArmsWork::check::<G>(self)
    }

    fn run(&self, context: &mut Context<'_, G>) -> Result<Outcome, ReproduceError> {
        let key = |(arm, seed): &(usize, u64)| format!("arm-{arm}-seed-{seed}");
        let progress = context.progress();
        let run =
            |item: &(usize, u64)| run_arm::<G>(self, *item, &progress.join(format!("{}-learner", key(item))));
        let results = context.run_kept(&toml_of(&self.resolved::<G>()), &self.all(), key, run)?;
        let settings: Result<Vec<_>, String> =
            (0..self.arms.len()).map(|arm| self.settings::<G>(arm, 0)).collect();
        let settings = settings.map_err(|why| ReproduceError::Nonsense { why })?;
        let report = AlphaZeroArmsReport { work: self, settings: &settings, results: &results };
        let (files, overview) = (report.files(), report.overview());
        Ok(Outcome { files, text: Text::Tables(report.markdown()), overview })
    }

    fn pictures(&self, title: &str, tables: &TableFiles, _: Language) -> Result<Vec<Picture>, TableError> {
        alphazero_arms_pictures(title, self, tables)
    }

    fn to_toml(&self) -> String {
        toml_of(&self.resolved::<G>())
    }

    fn notes(&self) -> String {
        let settings = self.settings::<G>(0, 0).expect("an experiment was checked when it was read");
        let mut text = settings.describe_opponents::<G>();
        for player in self.players::<G>().into_iter().flatten() {
            let line = described([player]);
            // Most are opponents of the measuring games as well.
            if !text.contains(&line) {
                text += &line;
            }
        }
        text + &processor_line()
    }
}

/// What comes out is promised for one kind of processor.
pub(crate) fn processor_line() -> String {
    format!("processor = \"{}\"\n", processor())
}

/// A run of the learner as an experiment, in a folder for what is under way.
fn learned<G: Learnable>(
    settings: &AlphaZeroSettings,
    folder: &Path,
    begin: &BeginWatch<'_>,
) -> Result<Cycles, ReproduceError> {
    let monitor = Monitor { begin, stop: &AtomicBool::new(false) };
    let learn = || {
        files::create_folder(folder)?;
        let mut run = AlphaZeroRun::<G>::open(settings, solution::<G>(settings), folder, None)?;
        train(&mut run, &monitor)?;
        Ok(run.cycles)
    };
    match learn() {
        // What another version or another kind of processor has left there is of no use.
        Err(RunError::Unusable { .. }) => {
            std::fs::remove_dir_all(folder).map_err(|error| FileError::new("remove", folder, error))?;
            Ok(learn()?)
        }
        end => Ok(end?),
    }
}

/// Runs one arm with one seed to its end, and lets its network meet the opponents. What is under way is kept in the folder.
fn run_arm<G: Learnable>(
    work: &AlphaZeroArmsWork,
    (arm, seed): (usize, u64),
    folder: &Path,
) -> Result<AlphaZeroArmResult, ReproduceError> {
    let settings = work.settings::<G>(arm, seed).map_err(|why| ReproduceError::Nonsense { why })?;
    let learned = learned::<G>(&settings, folder, &|_, _, _| Box::new(Unwatched))?;
    let met = work.meet::<G>(&settings, &learned.best)?;
    Ok(AlphaZeroArmResult { arm, seed, rows: learned.rows, met })
}

fn network_file<G: Learnable>(settings: &AlphaZeroSettings, network: &DualNetwork) -> Vec<u8> {
    network.to_bytes(G::NAME, &toml::to_string(settings).expect("settings can be written"))
}

/// The kind of file of a supervised baseline under way.
const BASELINE: &str = "supervised baseline checkpoint";

/// The same network trained on the solution, saved now and then.
fn train_baseline<G: Learnable>(
    settings: &AlphaZeroSettings,
    batches: u64,
    solution: &dyn Solution<G>,
    folder: &Path,
    begin: &BeginWatch<'_>,
) -> Result<DualNetwork, ReproduceError> {
    let path = folder.join("ceiling.safetensors");
    let baseline: SupervisedBaseline<G> = SupervisedBaseline::new(settings, solution, batches);
    let text = format!("{batches} batches\n{}", made_by::<G>(settings, true));
    let taken = |header: &Header<u64>, tensors: &Tensors| {
        if header.made_by != text {
            return Err("it belongs to other settings".to_string());
        }
        Ok((Training::take("", settings.shape::<G>(), tensors)?, header.details))
    };
    // Whatever cannot be read is learned again: it comes out the same.
    let kept = load_if_there(&path, [BASELINE, G::NAME], taken).ok().flatten();
    let (mut training, first) = kept.unwrap_or_else(|| (baseline.training(), 0));
    let watch = begin("learning from the solution", baseline.batches(), "batches");
    watch.resume(first);
    let mut saved = Instant::now();
    for done in first..baseline.batches() {
        baseline.learn(&mut training, done);
        watch.step();
        if saved.elapsed() >= SAVE_AFTER || done + 1 == baseline.batches() {
            let mut tensors = Tensors::default();
            training.put("", &mut tensors);
            files::write(&path, &Header::new(BASELINE, G::NAME, done + 1, &text).to_bytes(&tensors))?;
            saved = Instant::now();
        }
    }
    Ok(training.network)
}
