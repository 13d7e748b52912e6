//! Players named by text: `material:depth=2`, `genome=best.toml:depth=4`, `strong:time=200ms`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::blunder::Blundering;
use super::{
    BlunderRate, Effort, OnDisk, Options, Playable, Player, PlayerKind, Recipe, Shelf, engine, entries,
    method,
};
use crate::game::{Evaluator, Genome, GenomeError, Referee, SolutionError, UnknownVariant, or_list};
use crate::search::Tree;

/// A player by its text, checked and ready to play.
///
/// ```
/// use dobutsu_ga::games::dobutsu::Position;
/// use dobutsu_ga::players::PlayerSpec;
/// let spec: PlayerSpec<Position> = "mobility:depth=3".parse()?;
/// assert_eq!(spec.to_string(), "mobility:depth=3");
/// let unknown = "stockfish".parse::<PlayerSpec<Position>>().unwrap_err();
/// assert!(unknown.to_string().contains("random, material"));
/// # Ok::<(), dobutsu_ga::players::SpecError>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String", bound = "G: Playable")]
pub struct PlayerSpec<G: Playable> {
    text: String,
    recipe: Arc<dyn Recipe<G>>,
}

impl<G: Playable> PlayerSpec<G> {
    /// A player of any kind under a name of its own.
    pub fn new(name: &str, recipe: Arc<dyn Recipe<G>>) -> PlayerSpec<G> {
        PlayerSpec { text: name.to_string(), recipe }
    }

    /// A player with these weights that looks `depth` plies ahead and knows a won game when it sees one.
    pub fn searching(name: &str, genome: Genome<G>, depth: u32) -> PlayerSpec<G> {
        PlayerSpec::new(name, method::with_genome(genome, depth))
    }

    /// A player that looks `depth` plies ahead with an evaluator of your own.
    pub fn evaluating<E>(name: &str, evaluator: E, depth: u32) -> PlayerSpec<G>
    where
        E: Evaluator<G> + Clone + fmt::Debug + Send + 'static,
    {
        PlayerSpec::new(name, Arc::new(method::WithEvaluator { evaluator, depth }))
    }

    /// Makes sure that everything is there for games under these rules: the perfect player needs their solution, an external engine must start.
    pub fn check(&self, rules: G::Rules) -> Result<(), SpecError> {
        self.recipe.check(&self.text, rules)
    }

    /// Makes sure that it plays the same games whenever a run is repeated, as learners need it.
    pub fn check_steady(&self, rules: G::Rules) -> Result<(), String> {
        if self.program().is_some() {
            return Err(format!(
                "'{self}' is a program of others, which may fail or change: choose one of our own players"
            ));
        }
        self.check(rules).map_err(|error| error.to_string())?;
        match self.effort() {
            Effort::Time(_) => Err(format!(
                "'{self}' goes by the clock, so that no run would be like another: give it a depth, as in strong:depth=3"
            )),
            _ => Ok(()),
        }
    }

    /// Whether it can be asked for a move in this position, which is not over.
    pub fn knows(&self, position: &G) -> bool {
        self.recipe.knows(position)
    }

    /// Its search tree in a game that goes on, if it grows one.
    pub fn tree(&self, game: &Referee<G>) -> Option<Tree<G>> {
        self.recipe.tree(game)
    }

    /// For an external engine: its name, which is known once it was started.
    pub fn program(&self) -> Option<String> {
        self.recipe.program()
    }

    /// The same player; if it goes by the solution of the game and was not told where that is, by this one.
    pub fn with_solutions(self, solutions: &G::Solutions) -> PlayerSpec<G> {
        let recipe = self.recipe.with_solutions(solutions).unwrap_or(self.recipe);
        PlayerSpec { recipe, ..self }
    }

    /// The same player looking this many plies ahead, if it is one that looks ahead and was not told how far.
    pub fn at_depth(&self, depth: u32) -> Option<PlayerSpec<G>> {
        let recipe = self.recipe.at_depth(depth)?;
        Some(PlayerSpec { text: format!("{}:depth={depth}", self.text), recipe })
    }

    /// A player for one game.
    ///
    /// The perfect player panics at its first move if its table is missing, which [`check`](PlayerSpec::check) would have told.
    pub fn build(&self) -> Box<dyn Player<G>> {
        self.recipe.player()
    }

    /// How often it blunders on purpose.
    pub fn blunders(&self) -> BlunderRate {
        self.recipe.blunders()
    }

    /// How much work a move is.
    pub fn effort(&self) -> Effort {
        self.recipe.effort()
    }

    /// Everything that decides how this player plays, whatever the defaults are today.
    pub fn describe(&self) -> String {
        self.recipe.describe()
    }

    /// Reads the text of a player. The shelf knows what names after `genome=` and the like mean: they need not be paths.
    pub fn parse_with(text: &str, shelf: &dyn Shelf) -> Result<PlayerSpec<G>, SpecError> {
        let (head, parts) = match text.strip_prefix(engine::PREFIX).map(engine::split) {
            Some((command, parts)) => (&text[..engine::PREFIX.len() + command.len()], parts),
            None => {
                let mut parts = text.split(':');
                (parts.next().unwrap_or_default(), parts.collect())
            }
        };
        let entries = entries::<G>();
        let (entry, argument) = entries
            .iter()
            .find_map(|entry| Some((entry, entry.argument(head)?)))
            .ok_or_else(|| SpecError::unknown::<G>(head))?;
        let mut given: Vec<(&str, &str)> = Vec::new();
        for part in parts {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            if given.iter().any(|(earlier, _)| *earlier == key) {
                return Err(SpecError::Twice { player: text.to_string(), option: key.to_string() });
            }
            given.push((key, value));
        }
        check_options(text, entry, &given)?;
        let options = Options { text, head, argument, given, shelf };
        let recipe = (entry.make)(&options)?;
        Ok(PlayerSpec::new(text, Blundering::around(recipe, &options)?))
    }
}

/// Whether every option is one of this kind of player, and in range.
fn check_options<M>(text: &str, entry: &PlayerKind<M>, given: &[(&str, &str)]) -> Result<(), SpecError> {
    for (key, value) in given {
        let (player, option) = (text.to_string(), key.to_string());
        match entry.option(key) {
            None => return Err(SpecError::Option { player, option, takes: entry.takes() }),
            Some(known) if !known.values.accept(value) => {
                return Err(SpecError::OptionValue { player, option, must: known.values.to_string() });
            }
            Some(_) => {}
        }
    }
    Ok(())
}

impl<G: Playable> fmt::Display for PlayerSpec<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// Why a text names no player.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum SpecError {
    #[error("there is no player '{name}': choose {names}, then options as in {example}:depth=2")]
    Name { name: String, names: String, example: &'static str },
    #[error("the player '{player}' has no option '{option}': it takes {takes}")]
    Option { player: String, option: String, takes: String },
    #[error("the option '{option}' of the player '{player}' must be {must}")]
    OptionValue { player: String, option: String, must: String },
    #[error("the player '{player}' gives the option '{option}' twice")]
    Twice { player: String, option: String },
    #[error("the player '{player}' can have a depth or a time, not both")]
    DepthAndTime { player: String },
    #[error("the player '{player}' cannot be had: {why}")]
    File { player: String, why: String },
    #[error("there is no file '{file}' here: make it with `{command}`")]
    NotMade { file: String, command: String },
    #[error(transparent)]
    Genome(#[from] GenomeError),
    #[error(transparent)]
    Reading(#[from] UnknownVariant),
    #[error("the player perfect needs the solution of the game: {0}")]
    Table(#[from] SolutionError),
}

impl SpecError {
    pub(super) fn unknown<G: Playable>(name: &str) -> SpecError {
        let names: Vec<&str> = entries::<G>().iter().map(|entry| entry.name).collect();
        SpecError::Name {
            name: name.chars().take(40).collect(),
            names: or_list(&names),
            example: G::WEIGHTS.genomes[0].name,
        }
    }
}

impl<G: Playable> From<PlayerSpec<G>> for String {
    fn from(spec: PlayerSpec<G>) -> String {
        spec.text
    }
}

impl<G: Playable> TryFrom<String> for PlayerSpec<G> {
    type Error = SpecError;

    fn try_from(text: String) -> Result<PlayerSpec<G>, SpecError> {
        text.parse()
    }
}

impl<G: Playable> FromStr for PlayerSpec<G> {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<PlayerSpec<G>, SpecError> {
        PlayerSpec::parse_with(text, &OnDisk)
    }
}
