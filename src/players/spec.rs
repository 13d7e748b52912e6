//! Players named by text: `material:depth=2`, `genome=best.toml:depth=4`, `strong:time=200ms`.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::engine;
use super::slipping::{Slipping, Slips};
use super::{Entry, Manner, OnDisk, PerfectPlayer, Playable, Player, RandomPlayer, Recipe, Shelf, entries};
use crate::eval::{Genome, GenomeError, ReadingSet};
use crate::games::{Referee, UnknownVariant, or_list};
use crate::search::{Limit, Terminal, Tree};
use crate::solve::{SolutionError, Solutions};

/// The deepest fixed search that still plays a game in reasonable time.
pub(super) const DEEPEST: u32 = 10;
/// The deepest round of the strong search that can be asked for.
pub(super) const DEEPEST_STRONG: u32 = 14;

/// What a name stands for, checked and ready to build players from.
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
    kind: Kind<G>,
    slips: Slips,
}

#[derive(Clone, Debug)]
enum Kind<G: Playable> {
    Random,
    /// The weights of a genome, and whether somebody has said how deep it looks.
    Searching {
        genome: Genome<G>,
        evaluator: G::Evaluator,
        manner: G::Manner,
        depth_said: bool,
    },
    Strong {
        genome: Genome<G>,
        limit: Limit,
    },
    Perfect(G::Solutions),
    /// One that only this game has.
    Extra(Arc<dyn Recipe<G>>),
}

/// How hard a player thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// It does not look ahead.
    None,
    /// It searches up to a limit.
    Search(Limit),
    /// It looks at every line so many plies ahead.
    EveryLine(u32),
    /// It grows a tree by trying moves so often.
    Simulations(u32),
}

impl<G: Playable> PlayerSpec<G> {
    /// A player with these weights that looks so many plies ahead and knows a won game when it sees one.
    pub fn searching(name: &str, genome: Genome<G>, depth: u32) -> PlayerSpec<G> {
        let (evaluator, manner) = (G::evaluator(&genome), G::Manner::plain(depth, Terminal::Exact, false));
        let kind = Kind::Searching { genome, evaluator, manner, depth_said: true };
        PlayerSpec { text: name.to_string(), kind, slips: Slips::NONE }
    }

    /// A player that only this game has, ready made.
    pub fn extra(name: &str, recipe: Arc<dyn Recipe<G>>) -> PlayerSpec<G> {
        PlayerSpec { text: name.to_string(), kind: Kind::Extra(recipe), slips: Slips::NONE }
    }

    /// Makes sure that everything is there for games under these rules: the perfect player needs their solution, and a program of
    /// others must start.
    pub fn check(&self, rules: G::Rules) -> Result<(), SpecError> {
        match &self.kind {
            Kind::Perfect(solutions) => Ok(solutions.get(rules).map(|_| ())?),
            Kind::Extra(recipe) => {
                recipe.check().map_err(|why| SpecError::File { player: self.text.clone(), why })
            }
            _ => Ok(()),
        }
    }

    /// Makes sure that it plays the same games whenever a run is made again, as learners need it.
    pub fn check_steady(&self, rules: G::Rules) -> Result<(), String> {
        if self.program().is_some() {
            return Err(format!(
                "'{self}' is a program of others, which may fail or change: choose one of our own players"
            ));
        }
        self.check(rules).map_err(|error| error.to_string())?;
        match self.effort() {
            Effort::Search(Limit::Time(_)) => Err(format!(
                "'{self}' goes by the clock, so that no run would be like another: give it a depth, as in strong:depth=3"
            )),
            _ => Ok(()),
        }
    }

    /// Whether it can be asked for a move in this position, which is not over.
    pub fn knows(&self, position: &G) -> bool {
        match &self.kind {
            Kind::Extra(recipe) => recipe.knows(position),
            _ => true,
        }
    }

    /// The tree that it grows in a game that goes on, if it grows one.
    pub fn tree(&self, game: &Referee<G>) -> Option<Tree<G>> {
        match &self.kind {
            Kind::Extra(recipe) => recipe.tree(game),
            _ => None,
        }
    }

    /// If it is a program of others: what that calls itself, which is known when it has been started.
    pub fn program(&self) -> Option<String> {
        match &self.kind {
            Kind::Extra(recipe) => recipe.program(),
            _ => None,
        }
    }

    /// The same player; if it goes by the solution of the game and nobody has said where that is, by this one.
    pub fn with_solutions(self, given: &G::Solutions) -> PlayerSpec<G> {
        match self.kind {
            Kind::Perfect(ref solutions) if !solutions.is_given() => {
                PlayerSpec { kind: Kind::Perfect(given.clone()), ..self }
            }
            _ => self,
        }
    }

    /// The same player looking this many plies ahead, if it is one that looks ahead and nobody has said how far.
    pub fn at_depth(&self, depth: u32) -> Option<PlayerSpec<G>> {
        match &self.kind {
            Kind::Searching { genome, evaluator, manner, depth_said: false } => Some(PlayerSpec {
                text: format!("{}:depth={depth}", self.text),
                kind: Kind::Searching {
                    genome: *genome,
                    evaluator: evaluator.clone(),
                    manner: manner.at_depth(depth),
                    depth_said: true,
                },
                slips: self.slips,
            }),
            _ => None,
        }
    }

    /// A player for one game.
    ///
    /// The perfect player panics at its first move if its table is missing, which [`check`](PlayerSpec::check) would have told.
    pub fn build(&self) -> Box<dyn Player<G>> {
        let player = self.build_sure();
        // Who never slips draws no lots about it.
        match self.glancing().filter(|_| self.slips.chance > 0.0) {
            Some(evaluator) => Box::new(Slipping { player, evaluator, slips: self.slips }),
            None => player,
        }
    }

    /// The player without its slips.
    fn build_sure(&self) -> Box<dyn Player<G>> {
        match &self.kind {
            Kind::Perfect(solutions) => Box::new(PerfectPlayer { solutions: solutions.clone() }),
            Kind::Random => Box::new(RandomPlayer),
            Kind::Searching { evaluator, manner, .. } => manner.player(evaluator.clone()),
            Kind::Strong { genome, limit } => G::strong(G::evaluator(genome), *limit),
            Kind::Extra(recipe) => recipe.player(),
        }
    }

    /// By what it values the board at a glance, if it is one that can slip.
    fn glancing(&self) -> Option<G::Evaluator> {
        match &self.kind {
            Kind::Searching { evaluator, .. } => Some(evaluator.clone()),
            Kind::Strong { genome, .. } => Some(G::evaluator(genome)),
            Kind::Perfect(_) => Genome::named(G::STRONG).map(|genome| G::evaluator(&genome)),
            Kind::Random | Kind::Extra(_) => None,
        }
    }

    /// How it slips.
    pub fn slips(&self) -> Slips {
        self.slips
    }

    /// Reads the text of a player. What names after `genome=` and the like mean, the shelf knows: they need not be paths.
    pub fn parse_with(text: &str, shelf: &dyn Shelf<G>) -> Result<PlayerSpec<G>, SpecError> {
        let (head, parts) = match text.strip_prefix(engine::PREFIX).map(engine::split) {
            Some((command, parts)) => (&text[..engine::PREFIX.len() + command.len()], parts),
            None => {
                let mut parts = text.split(':');
                (parts.next().unwrap_or_default(), parts.collect())
            }
        };
        let mut options = Options { player: text, left: Vec::new(), shelf };
        for part in parts {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            if options.left.iter().any(|(earlier, _)| *earlier == key) {
                return Err(SpecError::Twice { player: text.to_string(), option: key.to_string() });
            }
            options.left.push((key, value));
        }
        let file_of = |name: &str| {
            let prefix = name.strip_suffix(FILE).or_else(|| name.strip_suffix(COMMAND));
            prefix.and_then(|prefix| head.strip_prefix(prefix))
        };
        let named = |entry: &&Entry| entry.name == head || file_of(entry.name).is_some();
        let entries = entries::<G>();
        let entry = entries.iter().find(named).ok_or_else(|| SpecError::unknown::<G>(head))?;
        let file = file_of(entry.name);
        let is_program = head.starts_with(engine::PREFIX);
        let known = |key: &str| entry.options.contains(&key) || is_program && engine::knows_option(key);
        if let Some((option, _)) = options.left.iter().find(|(key, _)| !known(key)) {
            let (player, option) = (text.to_string(), option.to_string());
            return Err(SpecError::Option { player, option, takes: entry.takes() });
        }
        if let Some(extra) = G::EXTRAS.iter().find(|extra| extra.name == entry.name) {
            return Ok(PlayerSpec::extra(text, (extra.make)(&mut options, file)?));
        }
        let slips = options.slips()?;
        let kind = match (entry.name, file) {
            (_, Some(command)) if is_program => match shelf.programs_forbidden() {
                Some(why) => return Err(options.file_error(why.to_string())),
                None => Kind::Extra(engine::read(&mut options, command)?),
            },
            ("random", _) => Kind::Random,
            ("strong", _) => options.strong()?,
            ("perfect", _) => Kind::Perfect(G::Solutions::at(options.take("table").map(Path::new))),
            (_, Some(file)) => options.searching(shelf.genome(file)?)?,
            (known, None) => {
                options.searching(Genome::named(known).ok_or_else(|| SpecError::unknown::<G>(known))?)?
            }
        };
        Ok(PlayerSpec { text: text.to_string(), kind, slips })
    }

    /// How hard it thinks.
    pub fn effort(&self) -> Effort {
        match self.kind {
            Kind::Random | Kind::Perfect(_) => Effort::None,
            Kind::Extra(ref recipe) => recipe.effort(),
            Kind::Searching { ref manner, .. } => manner.effort(),
            Kind::Strong { limit, .. } => Effort::Search(limit),
        }
    }

    /// Everything that decides how this player plays, whatever the defaults are today.
    pub fn describe(&self) -> String {
        let sure = match &self.kind {
            Kind::Random => "any legal move".to_string(),
            Kind::Searching { genome, manner, .. } => format!("{manner} {genome}"),
            Kind::Strong { genome, limit } => format!("{limit:?} {genome}"),
            Kind::Perfect(_) => "shortest win, longest loss".to_string(),
            Kind::Extra(recipe) => recipe.describe(),
        };
        if self.slips.chance > 0.0 { format!("{} {sure}", self.slips) } else { sure }
    }
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
    fn unknown<G: Playable>(name: &str) -> SpecError {
        let names: Vec<&str> = entries::<G>().into_iter().map(|entry| entry.name).collect();
        SpecError::Name {
            name: name.chars().take(40).collect(),
            names: or_list(&names),
            example: G::GENOMES[0].name,
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

/// How the name of an entry ends after which a file follows.
const FILE: &str = "FILE";
/// How the name of an entry ends after which a command follows.
const COMMAND: &str = "COMMAND";

/// The options of a player that nobody has asked for yet.
pub struct Options<'a, G: Playable> {
    player: &'a str,
    left: Vec<(&'a str, &'a str)>,
    shelf: &'a dyn Shelf<G>,
}

impl<'a, G: Playable> Options<'a, G> {
    pub(super) fn take(&mut self, key: &str) -> Option<&'a str> {
        let at = self.left.iter().position(|(option, _)| *option == key)?;
        Some(self.left.swap_remove(at).1)
    }

    /// Whether it is given and nobody has asked for it yet.
    pub(super) fn has(&self, key: &str) -> bool {
        self.left.iter().any(|(option, _)| *option == key)
    }

    /// A number within bounds, if it is given.
    pub(super) fn number(
        &mut self,
        key: &str,
        low: f64,
        high: f64,
        whole: bool,
    ) -> Result<Option<f64>, SpecError> {
        let Some(text) = self.take(key) else { return Ok(None) };
        let fits = |number: &f64| (low..=high).contains(number) && (!whole || number.fract() == 0.0);
        let number = text.parse().ok().filter(fits);
        number.map(Some).ok_or_else(|| self.wrong(key, format!("from {low} to {high}")))
    }

    /// All that nobody has asked for yet, in alphabetical order.
    pub(super) fn rest(&mut self) -> Vec<(&'a str, &'a str)> {
        let mut rest = std::mem::take(&mut self.left);
        rest.sort_unstable();
        rest
    }

    pub(super) fn wrong(&self, option: &str, must: impl fmt::Display) -> SpecError {
        SpecError::OptionValue {
            player: self.player.to_string(),
            option: option.to_string(),
            must: must.to_string(),
        }
    }

    /// The content of the file of a name.
    pub(super) fn file(&self, name: &str) -> Result<Vec<u8>, SpecError> {
        self.shelf.file(name).map_err(|why| self.file_error(why))
    }

    /// What is wrong with the file of this player.
    pub(super) fn file_error(&self, why: String) -> SpecError {
        SpecError::File { player: self.player.to_string(), why }
    }

    fn slips(&mut self) -> Result<Slips, SpecError> {
        let chance = self.number("slips", 0.0, 1.0, false)?.unwrap_or(Slips::NONE.chance);
        if chance == 0.0 && self.has("sees") {
            return Err(self.wrong("sees", "left out where slips is 0: who never slips sees all moves"));
        }
        let sees = self.number("sees", 0.0, 1.0, false)?.unwrap_or(Slips::NONE.sees);
        Ok(Slips { chance, sees })
    }

    fn searching(&mut self, genome: Genome<G>) -> Result<Kind<G>, SpecError> {
        let depth_said = self.left.iter().any(|(key, _)| ["depth", "time"].contains(key));
        let manner = G::Manner::read(self)?;
        let genome = self.readings(genome)?;
        Ok(Kind::Searching { evaluator: G::evaluator(&genome), genome, manner, depth_said })
    }

    fn strong(&mut self) -> Result<Kind<G>, SpecError> {
        let genome = match self.take("genome") {
            Some(name) => self.shelf.genome(name)?,
            None => Genome::named(G::STRONG).ok_or_else(|| SpecError::unknown::<G>(G::STRONG))?,
        };
        let genome = self.readings(genome)?;
        let depth = self.depth(DEEPEST_STRONG)?;
        let time = self.time()?;
        let limit = self.limit(depth, time)?.unwrap_or(Limit::Time(Duration::from_millis(200)));
        Ok(Kind::Strong { genome, limit })
    }

    /// A depth or a time, or neither.
    pub(super) fn limit(
        &self,
        depth: Option<u32>,
        time: Option<Duration>,
    ) -> Result<Option<Limit>, SpecError> {
        match (depth, time) {
            (Some(_), Some(_)) => Err(SpecError::DepthAndTime { player: self.player.to_string() }),
            (Some(depth), None) => Ok(Some(Limit::Depth(depth))),
            (None, time) => Ok(time.map(Limit::Time)),
        }
    }

    /// The genome with its features read as asked.
    fn readings(&mut self, mut genome: Genome<G>) -> Result<Genome<G>, SpecError> {
        for (name, _) in G::Readings::NAMES {
            if let Some(text) = self.take(name) {
                genome.readings.set(name, text)?;
            }
        }
        Ok(genome)
    }

    pub(super) fn depth(&mut self, deepest: u32) -> Result<Option<u32>, SpecError> {
        let Some(text) = self.take("depth") else { return Ok(None) };
        match text.parse() {
            Ok(depth) if (1..=deepest).contains(&depth) => Ok(Some(depth)),
            _ => Err(self.wrong("depth", format!("from 1 to {deepest}"))),
        }
    }

    pub(super) fn time(&mut self) -> Result<Option<Duration>, SpecError> {
        let Some(text) = self.take("time") else { return Ok(None) };
        let time =
            read_time(text).ok_or_else(|| self.wrong("time", "from 1ms to 3600s, as in 200ms or 1.5s"));
        time.map(Some)
    }
}

/// Reads a time from a thousandth of a second to an hour, as in `200ms` or `1.5s`.
pub fn read_time(text: &str) -> Option<Duration> {
    let seconds = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(number), _) => number.parse::<f64>().ok()? / 1000.0,
        (None, Some(number)) => number.parse().ok()?,
        (None, None) => return None,
    };
    (0.001..=3600.0).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}
