//! Kinds of experiments: what a file can ask for, and how it is carried out. [`kinds`] lists those of every game; a game adds its own
//! with [`Lab`].

use std::fmt::Debug;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{Context, Outcome, ReproduceError};
use crate::experiment::{
    CurveWork, DefinitionError, DuelsWork, Grid, Prose, TunerWork, built_in, complete_settings,
};
use crate::game::GameTag;
use crate::players::{GameInfo, Playable};
use crate::report::{Language, Picture, TableError, TableFiles};

/// A game with experiments.
pub trait Lab: Playable {
    /// The kinds of experiments that not every game has.
    fn kinds() -> Vec<Kind<Self>> {
        Vec::new()
    }

    /// The pictures of a command of this game alone, drawn from its tables, if it draws any.
    fn command_pictures(
        command: &str,
        tables: &TableFiles,
        language: Language,
    ) -> Result<Option<Vec<Picture>>, TableError> {
        let _ = (command, tables, language);
        Ok(None)
    }

    /// A network of this game in an earlier version's format, in today's.
    fn convert_network(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let _ = bytes;
        Err(format!("no network of {} is known", Self::NAME))
    }
}

/// A kind of experiment.
pub struct Kind<G: Lab> {
    /// The key under which a file has its settings.
    pub name: &'static str,
    /// Completes what the file says of settings of a learner.
    complete: Complete,
    /// Reads the settings.
    read: Read<G>,
}

type Read<G> = fn(toml::Value) -> Result<Arc<dyn Experiment<G>>, toml::de::Error>;

/// Replaces what a file says of settings of a learner by all of them.
pub type Complete = fn(&GameInfo, &mut toml::Value) -> Result<(), String>;

impl<G: Lab> Kind<G> {
    /// The kind whose settings are a `W`.
    pub fn of<W: Experiment<G> + DeserializeOwned + 'static>(name: &'static str) -> Kind<G> {
        Kind { name, complete: |_, _| Ok(()), read: |settings| Ok(Arc::new(settings.try_into::<W>()?)) }
    }

    /// The same where the file gives only those settings of a learner that differ from its preset.
    pub fn completed(self, complete: Complete) -> Kind<G> {
        Kind { complete, ..self }
    }
}

/// The kinds of experiments of a game.
pub fn kinds<G: Lab>() -> Vec<Kind<G>> {
    let mut kinds = vec![
        Kind::of::<Grid<G>>("grid"),
        Kind::of::<DuelsWork<G>>("duels"),
        Kind::of::<TunerWork>("tuner").completed(|game, work| complete_at(work, "settings", game)),
        Kind::of::<CurveWork>("curve"),
    ];
    kinds.extend(G::kinds());
    kinds
}

/// Completes the settings of the tuner under a key.
pub(crate) fn complete_at(work: &mut toml::Value, key: &str, game: &GameInfo) -> Result<(), String> {
    let Some(work) = work.as_table_mut() else { return Ok(()) };
    complete_settings(game, work.entry(key).or_insert_with(|| toml::Table::new().into()))
}

/// Completes the settings of the tuner of every arm.
pub(crate) fn complete_arms(game: &GameInfo, work: &mut toml::Value) -> Result<(), String> {
    let arms = work.get_mut("arms").and_then(toml::Value::as_array_mut);
    arms.into_iter().flatten().try_for_each(|arm| complete_at(arm, "settings", game))
}

/// The settings of an experiment, and what is done with them.
pub trait Experiment<G: Lab>: Debug + Send + Sync {
    /// Says what makes no sense, if anything.
    fn check(&self) -> Result<(), String>;

    /// Makes sure that all players and solutions are there.
    fn needs(&self) -> Result<(), ReproduceError> {
        Ok(())
    }

    /// Plays or learns on all threads of the current rayon pool.
    fn run(&self, context: &mut Context<'_, G>) -> Result<Outcome, ReproduceError>;

    /// The pictures, drawn from its tables, whether those were just made or are read back. Those of runs of a learner have words in both
    /// languages, all others in English.
    fn pictures(
        &self,
        title: &str,
        tables: &TableFiles,
        language: Language,
    ) -> Result<Vec<Picture>, TableError>;

    /// Everything that decides what comes out, as TOML.
    fn to_toml(&self) -> String;

    /// Comments on it for `run.toml`: what its players are, whatever their names mean tomorrow.
    fn notes(&self) -> String {
        String::new()
    }

    /// What more there is to type to make it again.
    fn options(&self) -> String {
        String::new()
    }

    /// The same with another number of games and seed, if it is a table of games.
    fn with_games(&self, games: Option<usize>, seed: Option<u64>) -> Option<Arc<dyn Experiment<G>>> {
        let _ = (games, seed);
        None
    }
}

/// A question and how it is answered.
#[derive(Clone, Debug)]
pub struct Definition<G: Lab> {
    /// Which game it is about.
    pub game: GameTag<G>,
    /// The name of its folder under `results`.
    pub name: String,
    /// What it says of itself.
    pub prose: Prose,
    /// About how many minutes it takes on two cores, if that is so long that `reproduce all` leaves it out.
    pub minutes: Option<u32>,
    /// What is done.
    pub work: Arc<dyn Experiment<G>>,
}

/// What a file says beside the settings.
#[derive(Deserialize)]
#[serde(bound = "G: Lab")]
struct Head<G: Lab> {
    #[serde(default)]
    game: GameTag<G>,
    #[serde(flatten)]
    prose: Prose,
    #[serde(default)]
    minutes: Option<u32>,
}

const HEAD: [&str; 7] = ["title", "question", "analysis", "asks", "finds", "minutes", "game"];

impl<G: Lab> Definition<G> {
    /// Reads and checks the text of an experiment file.
    pub fn parse(name: &str, text: &str) -> Result<Definition<G>, DefinitionError> {
        let syntax = |error: toml::de::Error| DefinitionError::Syntax {
            name: name.to_string(),
            error: error.message().lines().collect::<Vec<_>>().join(" "),
        };
        let nonsense = |why: String| DefinitionError::Nonsense { name: name.to_string(), why };
        let mut table: toml::Table = text.parse().map_err(syntax)?;
        GameTag::<G>::check(table.get("game").and_then(toml::Value::as_str))
            .map_err(|error| nonsense(error.to_string()))?;
        let kinds = kinds::<G>();
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
        let known = |key: &&String| HEAD.contains(&key.as_str()) || names.contains(&key.as_str());
        if let Some(key) = table.keys().find(|key| !known(key)) {
            let all = [&HEAD, &names[..]].concat().join(", ");
            return Err(nonsense(format!("'{key}' is not one of {all} ({})", G::NAME)));
        }
        let mut found = kinds.iter().filter(|kind| table.contains_key(kind.name));
        let (Some(kind), None) = (found.next(), found.next()) else {
            return Err(nonsense(format!("it needs just one of {}", names.join(", "))));
        };
        let mut settings = table.remove(kind.name).expect("it is in the table");
        let Head { game, prose, minutes } = table.try_into().map_err(syntax)?;
        (kind.complete)(&GameInfo::of::<G>(), &mut settings)
            .map_err(|error| DefinitionError::Syntax { name: name.to_string(), error })?;
        let work = (kind.read)(settings).map_err(syntax)?;
        work.check().map_err(nonsense)?;
        Ok(Definition { game, name: name.to_string(), prose, minutes, work })
    }

    /// An experiment that comes with the game, by its name.
    pub fn find(name: &str) -> Result<Definition<G>, DefinitionError> {
        let (name, text) = built_in::<G>(name)?;
        Definition::parse(&name, text)
    }

    /// Question, tables, analysis.
    pub(super) fn article(&self, tables: &str) -> String {
        let Prose { title, question, analysis, .. } = &self.prose;
        // A new experiment has no analysis yet.
        let heading = if analysis.trim().is_empty() { "" } else { "## Analysis" };
        let parts = [&format!("# {title}"), question.trim(), tables.trim(), heading, analysis.trim()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n") + "\n"
    }

    /// By what the results were made: enough to make them again. `asked` is what was typed.
    pub fn run_toml(&self, asked: &str) -> String {
        format!(
            "# Made by: dobutsu-ga reproduce {asked}{}\n{}version = \"{}\"\n{}experiment = \"{}\"\n{}",
            self.work.options(),
            self.work.notes(),
            env!("CARGO_PKG_VERSION"),
            if self.game.is_unsaid() { String::new() } else { format!("game = \"{}\"\n", G::NAME) },
            self.name,
            self.work.to_toml(),
        )
    }
}
