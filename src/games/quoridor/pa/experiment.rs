//! Passive-aggressive learning with many seeds, and the tuner beside it with as many games.

use serde::{Deserialize, Serialize};

use super::report::{PaReport, pa_pictures};
use super::{PaSettings, PaState};
use crate::arena::Tally;
use crate::experiment::{PaperRun, SeedRange, SeedResult, Tuning};
use crate::game::{Genome, Weighted};
use crate::games::quoridor::Position;
use crate::games::quoridor::eval::REPORT;
use crate::learn::{Declared, GeneSet, Preset, Settings};
use crate::players::GameInfo;
use crate::report::{Language, Picture, TableError, TableFiles};
use crate::run::{Context, Experiment, Outcome, ReproduceError, Text, complete_at, toml_of};

/// Many runs of the learner.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PaWork {
    /// Which seeds.
    pub seeds: SeedRange,
    /// How many games on each side each champion plays against each of the others.
    pub validation_games: u32,
    /// With how many random moves those begin.
    pub opening_plies: usize,
    /// Whom the champions meet, beside `plain`.
    #[serde(default)]
    pub rivals: Vec<String>,
    /// Everything about the learner but its seed.
    #[serde(default, deserialize_with = "settings")]
    pub settings: PaSettings,
    /// The tuner beside it, with the same seeds: its champions are met too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuner: Option<Settings>,
    /// What the report's single run gave.
    #[serde(default, skip_serializing_if = "PaperRun::is_none")]
    pub paper: PaperRun,
}

fn settings<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<PaSettings, D::Error> {
    let given = toml::Table::deserialize(deserializer)?;
    PaSettings::from_table(&GameInfo::of::<Position>(), given).map_err(serde::de::Error::custom)
}

/// Completes the settings of the tuner, if it is asked for.
pub(in crate::games::quoridor) fn complete_tuner(
    game: &GameInfo,
    work: &mut toml::Value,
) -> Result<(), String> {
    match work.get("tuner") {
        Some(_) => complete_at(work, "tuner", game),
        None => Ok(()),
    }
}

/// How one seed fared: the learner, and the tuner if it ran beside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaResult {
    /// The learner's champion.
    pub learner: SeedResult,
    /// The tuner's.
    pub tuner: Option<SeedResult>,
    /// The learner's wins, draws and losses against the tuner's champion, both sides together.
    pub duel: Option<[u64; 3]>,
}

impl PaWork {
    fn check(&self) -> Result<(), String> {
        self.settings.check(&GameInfo::of::<Position>())?;
        let known = |name: &String| Genome::<Position>::names().any(|known| known == name);
        if !self.rivals.iter().all(known) {
            return Err("a rival must be one of the genomes that come with the program".to_string());
        }
        self.tuner.as_ref().map_or(Ok(()), |settings| settings.check(&GameInfo::of::<Position>()))
    }

    /// The conditions under which champions meet: those of the tuner's players at the learner's depth.
    pub fn meeting(&self, seed: u64) -> Settings {
        let preset = Settings::preset::<Position>(Preset::Robust, GeneSet::Material);
        let (depth, opening_plies) = (self.settings.depth, self.opening_plies);
        Settings { seed, depth, opening_plies, validation_games: self.validation_games, ..preset }
    }

    /// Runs one seed to its end.
    pub fn run(&self, seed: u64) -> PaResult {
        let settings = PaSettings { seed, ..self.settings };
        let mut state = PaState::new(&settings);
        while state.round < settings.rounds {
            state.step(&settings);
        }
        let champion = state.genome(&settings);
        let tuned = self.tuner.as_ref().map(|tuner| {
            let mut tuning = Tuning::new(&Settings { seed, ..tuner.clone() });
            while !tuning.is_finished() {
                tuning.advance();
            }
            (tuning.generations(), tuning.champion())
        });
        let ground = Tuning::new(&self.meeting(seed));
        let result = |generations: u32, champion: &Genome<Position>| {
            let strength = ground.validate(champion);
            let rivals = (0..)
                .zip(&self.rivals)
                .filter_map(|(i, name)| Some(counts(ground.meet(champion, &Genome::named(name)?, i))));
            SeedResult {
                seed,
                null: false,
                generations,
                genes: champion.values()[..Position::WEIGHTS.material].to_vec(),
                frozen: vec![None; REPORT],
                strength: [counts(strength.first), counts(strength.second)],
                chick: Vec::new(),
                rivals: rivals.collect(),
            }
        };
        let duel =
            tuned.as_ref().map(|(_, tuned)| counts(ground.meet(&champion, tuned, self.rivals.len() as u64)));
        PaResult {
            learner: result(settings.rounds, &champion),
            tuner: tuned.map(|(generations, champion)| result(generations, &champion)),
            duel,
        }
    }
}

impl Experiment<Position> for PaWork {
    fn check(&self) -> Result<(), String> {
        PaWork::check(self)
    }

    fn run(&self, context: &mut Context<'_, Position>) -> Result<Outcome, ReproduceError> {
        let seeds: Vec<u64> = self.seeds.seeds().collect();
        let key = |seed: &u64| format!("seed-{seed}");
        let run = |seed: &u64| Ok(PaWork::run(self, *seed));
        let results = context.run_kept(&toml_of(self), &seeds, key, run)?;
        let report = PaReport::new(self, &results);
        let (files, overview) = (report.files(), report.overview());
        Ok(Outcome { files, text: Text::Tables(report.markdown()), overview })
    }

    fn pictures(&self, _: &str, tables: &TableFiles, language: Language) -> Result<Vec<Picture>, TableError> {
        pa_pictures(self, tables, language)
    }

    fn to_toml(&self) -> String {
        toml_of(self)
    }
}

fn counts(tally: Tally) -> [u64; 3] {
    [tally.wins, tally.draws, tally.losses]
}
