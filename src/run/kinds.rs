//! The kinds of experiments that general games have, each with its settings, its tables and its pictures.

use std::fmt::Write as _;
use std::sync::Arc;

use super::{
    Context, Experiment, Lab, Outcome, ReproduceError, Seed, SeedsFile, Text, check_oracle, run_seeds,
};
use crate::experiment::{
    ArmsWork, CurveWork, DuelsWork, Grid, GridResult, SeedResult, TunerWork, Tuning, run_curve, run_duels,
    run_grid,
};
use crate::files;
use crate::game::Solutions;
use crate::players::{GameInfo, PlayerSpec};
use crate::report::{
    Language, Picture, SweepReport, TableError, TableFiles, arms_files, arms_markdown, arms_picture,
    chick_picture, curve_files, curve_markdown, curve_overview, curve_picture, duels_files, duels_markdown,
    duels_overview, duels_picture, grid_files, grid_markdown, grid_overview, grid_picture, layout, read_runs,
    weaknesses_pictures,
};

/// Settings as TOML.
pub(crate) fn toml_of(settings: &impl serde::Serialize) -> String {
    toml::to_string(settings).expect("numbers and texts can be written")
}

/// What players are, in comments.
pub(super) fn described<G: Lab>(players: impl IntoIterator<Item = PlayerSpec<G>>) -> String {
    players.into_iter().fold(String::new(), |mut text, player| {
        let _ = writeln!(text, "# {player}: {}", player.describe());
        text
    })
}

impl<G: Lab> Experiment<G> for Grid<G> {
    fn check(&self) -> Result<(), String> {
        Grid::check(self)
    }

    fn needs(&self) -> Result<(), ReproduceError> {
        Ok(self.players()?.iter().try_for_each(|player| player.check(self.rules))?)
    }

    fn run(&self, context: &mut Context<'_, G>) -> Result<Outcome, ReproduceError> {
        let watch = context.watch(self.all_games() as u64, "games");
        let same = context.before.grids.iter().find(|other| other.grid.plays_the_same(self));
        let result = match same {
            Some(other) => GridResult { grid: self.clone(), cells: other.cells.clone() },
            None => run_grid(self, &|| watch.step())?,
        };
        context.before.grids.push(result.clone());
        let page = grid_markdown(&context.definition.prose, &result);
        let (files, overview) = (grid_files(&result, &page), vec![grid_overview(&result)]);
        Ok(Outcome { files, text: Text::Page(page), overview })
    }

    fn pictures(&self, title: &str, tables: &TableFiles, _: Language) -> Result<Vec<Picture>, TableError> {
        Ok(vec![grid_picture(title, self, tables)?])
    }

    fn to_toml(&self) -> String {
        toml_of(self)
    }

    fn notes(&self) -> String {
        described(self.players().into_iter().flatten())
    }

    fn options(&self) -> String {
        format!(" --games {} --seed {}", self.games, self.seed)
    }

    fn with_games(&self, games: Option<usize>, seed: Option<u64>) -> Option<Arc<dyn Experiment<G>>> {
        let (games, seed) = (games.unwrap_or(self.games), seed.unwrap_or(self.seed));
        Some(Arc::new(Grid { games, seed, ..self.clone() }))
    }
}

impl<G: Lab> Experiment<G> for CurveWork {
    fn check(&self) -> Result<(), String> {
        CurveWork::check(self)
    }

    fn run(&self, _: &mut Context<'_, G>) -> Result<Outcome, ReproduceError> {
        let results = run_curve(self);
        Ok(Outcome {
            files: curve_files(&results),
            text: Text::Tables(curve_markdown(self, &results)),
            overview: vec![curve_overview(&results)],
        })
    }

    fn pictures(&self, title: &str, tables: &TableFiles, _: Language) -> Result<Vec<Picture>, TableError> {
        Ok(vec![curve_picture(title, tables)?])
    }

    fn to_toml(&self) -> String {
        toml_of(self)
    }
}

impl<G: Lab> Experiment<G> for DuelsWork<G> {
    fn check(&self) -> Result<(), String> {
        DuelsWork::check(self)
    }

    fn needs(&self) -> Result<(), ReproduceError> {
        Ok(self.players()?.iter().flatten().try_for_each(|player| player.check(self.rules))?)
    }

    fn run(&self, context: &mut Context<'_, G>) -> Result<Outcome, ReproduceError> {
        let watch = context.watch(self.all_games() as u64, "games");
        let results = if context.definition.minutes.is_some() {
            // Minutes must not be lost: games are kept as they are played.
            context.with_store(&toml_of(self), watch, |store| {
                run_duels(self, &|| store.step(), Some(store)).map_err(ReproduceError::from)
            })?
        } else {
            run_duels(self, &|| watch.step(), None)?
        };
        Ok(Outcome {
            files: duels_files(self, &results),
            text: Text::Tables(duels_markdown(self, &results)),
            overview: duels_overview(self, &results),
        })
    }

    fn pictures(&self, title: &str, tables: &TableFiles, _: Language) -> Result<Vec<Picture>, TableError> {
        let mut pictures = vec![duels_picture(title, self, tables)?];
        if self.weaknesses {
            pictures.extend(weaknesses_pictures::<G>(title, tables)?);
        }
        Ok(pictures)
    }

    fn to_toml(&self) -> String {
        toml_of(self)
    }

    fn notes(&self) -> String {
        described(self.players().into_iter().flatten().flatten())
    }
}

impl<G: Lab> Experiment<G> for TunerWork {
    fn check(&self) -> Result<(), String> {
        TunerWork::check::<G>(self)
    }

    fn needs(&self) -> Result<(), ReproduceError> {
        Ok(check_oracle::<G>(&self.settings)?)
    }

    fn run(&self, context: &mut Context<'_, G>) -> Result<Outcome, ReproduceError> {
        let TunerWork { settings, paper, rivals, .. } = self;
        let runs = Seed::all(self.seeds.seeds(), self.null).len();
        let watch = context.watch(runs as u64, "runs");
        let run = |done: &[SeedResult], save: &(dyn Fn(&SeedResult) -> _ + Sync)| {
            run_seeds::<G>(settings, self.seeds.seeds(), self.null, rivals, done, save, &*watch)
        };
        let results = if context.definition.minutes.is_some() {
            // Hours must not be lost: seeds are kept as they are done.
            let (kept, done) = SeedsFile::open(context.folder, &self.identity())?;
            run(&done, &|result| kept.save(result))?
        } else {
            let known = context.before.sweeps.iter().find(|(identity, _)| *identity == self.identity());
            run(known.map_or(&[][..], |(_, results)| results), &|_| Ok(()))?
        };
        context.before.sweeps.push((self.identity(), results.clone()));
        let par = Tuning::<G>::new(settings).par();
        let report =
            SweepReport { game: GameInfo::of::<G>(), settings, results: &results, paper, par, rivals };
        let (files, tables) = if self.is_figure() {
            (report.chick_files(), String::new())
        } else {
            (report.files(), report.markdown())
        };
        if context.definition.minutes.is_some() {
            files::remove(&context.folder.join(SeedsFile::NAME))?;
        }
        Ok(Outcome { files, text: Text::Tables(tables), overview: report.overview() })
    }

    fn pictures(&self, _: &str, tables: &TableFiles, language: Language) -> Result<Vec<Picture>, TableError> {
        let TunerWork { settings, paper, rivals, .. } = self;
        if self.is_figure() {
            return Ok(vec![chick_picture(&G::WEIGHTS.genes[0], paper, tables, language)?]);
        }
        let results = &read_runs(&GameInfo::of::<G>(), settings, tables, layout::RUNS)?;
        // What would be as strong as before is in no picture.
        Ok(SweepReport { game: GameInfo::of::<G>(), settings, results, paper, par: 0.5, rivals }
            .pictures(language))
    }

    fn to_toml(&self) -> String {
        toml_of(self)
    }
}

/// For games that are solved.
impl<G: Lab> Experiment<G> for ArmsWork {
    fn check(&self) -> Result<(), String> {
        ArmsWork::check(self, &GameInfo::of::<G>())
    }

    fn needs(&self) -> Result<(), ReproduceError> {
        Ok(G::Solutions::at(None).get(self.rules::<G>()).map(|_| ())?)
    }

    fn run(&self, context: &mut Context<'_, G>) -> Result<Outcome, ReproduceError> {
        let solution = G::Solutions::at(None).get(self.rules::<G>())?;
        let key = |(arm, seed): &(usize, u64)| format!("arm-{arm}-seed-{seed}");
        let run = |(arm, seed): &(usize, u64)| Ok(ArmsWork::run::<G>(self, *arm, *seed, &*solution));
        let results = context.run_kept(&toml_of(self), &self.all(), key, run)?;
        Ok(Outcome {
            files: arms_files(self, &results),
            text: Text::Tables(arms_markdown(self, &results)),
            overview: Vec::new(),
        })
    }

    fn pictures(&self, title: &str, tables: &TableFiles, _: Language) -> Result<Vec<Picture>, TableError> {
        Ok(vec![arms_picture(title, tables)?])
    }

    fn to_toml(&self) -> String {
        toml_of(self)
    }
}
