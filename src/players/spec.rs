//! Players named by text: `material:depth=2`, `genome=best.toml:depth=4`, `strong:time=200ms`.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use super::{PathPlayer, PerfectPlayer, Player, RandomPlayer, SearchingPlayer, StrongPlayer};
use crate::eval::{DobutsuEvaluator, Genome, GenomeError, Readings, UnknownReading};
use crate::games::dobutsu::{Position, Rules};
use crate::search::{Limit, Terminal};
use crate::solve::{TableError, Tables};

/// The deepest fixed search that still plays a game in reasonable time.
const DEEPEST: u32 = 10;
/// The deepest round of the strong search that can be asked for.
const DEEPEST_STRONG: u32 = 14;

/// What a name stands for, checked and ready to build players from.
///
/// ```
/// use dobutsu_ga::players::PlayerSpec;
/// let spec: PlayerSpec = "mobility:depth=3".parse()?;
/// assert_eq!(spec.to_string(), "mobility:depth=3");
/// assert!("stockfish".parse::<PlayerSpec>().unwrap_err().to_string().contains("random, material"));
/// # Ok::<(), dobutsu_ga::players::SpecError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlayerSpec {
    text: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Random,
    Searching { evaluator: DobutsuEvaluator, depth: u32, terminal: Terminal },
    Path { evaluator: DobutsuEvaluator, depth: u32, terminal: Terminal },
    Strong { evaluator: DobutsuEvaluator, limit: Limit },
    Perfect(Tables),
}

impl PlayerSpec {
    /// A player with these weights that looks so many plies ahead and knows a won game when it sees one.
    pub fn searching(name: &str, genome: Genome, depth: u32) -> PlayerSpec {
        let evaluator = DobutsuEvaluator::new(genome);
        PlayerSpec {
            text: name.to_string(),
            kind: Kind::Searching { evaluator, depth, terminal: Terminal::Exact },
        }
    }

    /// Makes sure that everything is there for games under these rules: the perfect player needs their solution.
    pub fn check(&self, rules: Rules) -> Result<(), SpecError> {
        match &self.kind {
            Kind::Perfect(tables) => Ok(tables.get(rules).map(|_| ())?),
            _ => Ok(()),
        }
    }

    /// The same player; if it goes by the solution of the game and nobody has said where that is, by the one at this place.
    pub fn with_table(self, place: &Path) -> PlayerSpec {
        match self.kind {
            Kind::Perfect(ref tables) if !tables.is_given() => {
                PlayerSpec { kind: Kind::Perfect(Tables::at(Some(place))), ..self }
            }
            _ => self,
        }
    }

    /// The same player looking this many plies ahead, if it is one that looks ahead and nobody has said how far.
    pub fn at_depth(&self, depth: u32) -> Option<PlayerSpec> {
        let can = matches!(self.kind, Kind::Searching { .. } | Kind::Path { .. });
        let said = self.text.split(':').any(|option| option.starts_with("depth="));
        (can && !said).then(|| format!("{}:depth={depth}", self.text).parse().ok()).flatten()
    }

    /// A player for one game.
    ///
    /// The perfect player panics at its first move if its table is missing, which [`check`](PlayerSpec::check) would have told.
    pub fn build(&self) -> Box<dyn Player<Position>> {
        match self.kind {
            Kind::Perfect(ref tables) => Box::new(PerfectPlayer { tables: tables.clone() }),
            Kind::Random => Box::new(RandomPlayer),
            Kind::Searching { evaluator, depth, terminal } => {
                Box::new(SearchingPlayer::new(evaluator, depth, terminal))
            }
            Kind::Path { evaluator, depth, terminal } => Box::new(PathPlayer { evaluator, depth, terminal }),
            Kind::Strong { evaluator, limit } => Box::new(StrongPlayer::new(evaluator, limit)),
        }
    }
}

impl PlayerSpec {
    /// Reads the text of a player. `genome` finds the genome of a name after `genome=`, which need not be a path.
    pub fn parse_with(
        text: &str,
        genome: &dyn Fn(&str) -> Result<Genome, GenomeError>,
    ) -> Result<PlayerSpec, SpecError> {
        let mut parts = text.split(':');
        let head = parts.next().unwrap_or_default();
        let mut options = Options { player: text, left: Vec::new(), genome };
        for part in parts {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            if options.left.iter().any(|(earlier, _)| *earlier == key) {
                return Err(SpecError::Twice { player: text.to_string(), option: key.to_string() });
            }
            options.left.push((key, value));
        }
        let kind = match head {
            "random" => Kind::Random,
            "material" => options.searching(Genome::BASE)?,
            "mobility" => options.searching(Genome::MOBILITY)?,
            "full" => options.searching(Genome::FULL)?,
            "strong" => options.strong()?,
            "perfect" => Kind::Perfect(Tables::at(options.take("table").map(Path::new))),
            _ => match (head.strip_prefix("genome="), Genome::named(head)) {
                (Some(name), _) => options.searching(genome(name)?)?,
                (None, Some(known)) => options.searching(known)?,
                (None, None) => return Err(SpecError::Name(head.chars().take(40).collect())),
            },
        };
        let takes = match kind {
            Kind::Random => "none",
            Kind::Perfect(_) => "table",
            Kind::Searching { .. } | Kind::Path { .. } => {
                "depth, terminal, evaluate, and the readings mobility, mobility-for, check, check-for, try, try-for"
            }
            Kind::Strong { .. } => {
                "depth or time, genome, and the readings mobility, mobility-for, check, check-for, try, try-for"
            }
        };
        match options.left.first() {
            Some((option, _)) => {
                Err(SpecError::Option { player: text.to_string(), option: option.to_string(), takes })
            }
            None => Ok(PlayerSpec { text: text.to_string(), kind }),
        }
    }

    /// How far it looks ahead, if it does, and whether it then looks at every line.
    pub fn effort(&self) -> Option<(Limit, bool)> {
        match self.kind {
            Kind::Random | Kind::Perfect(_) => None,
            Kind::Searching { depth, .. } => Some((Limit::Depth(depth), false)),
            Kind::Path { depth, .. } => Some((Limit::Depth(depth), true)),
            Kind::Strong { limit, .. } => Some((limit, false)),
        }
    }

    /// Everything that decides how this player plays, whatever the defaults are today.
    pub fn describe(&self) -> String {
        match &self.kind {
            Kind::Random => "any legal move".to_string(),
            Kind::Searching { evaluator, depth, terminal } => {
                format!("depth={depth} terminal={terminal} evaluate=leaf {}", evaluator.describe())
            }
            Kind::Path { evaluator, depth, terminal } => {
                format!("depth={depth} terminal={terminal} evaluate=path {}", evaluator.describe())
            }
            Kind::Strong { evaluator, limit } => format!("{limit:?} {}", evaluator.describe()),
            Kind::Perfect(_) => "shortest win, longest loss".to_string(),
        }
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// Why a text names no player.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum SpecError {
    #[error(
        "there is no player '{0}': choose random, material, mobility, full, {names}, genome=FILE, strong or perfect, then options as in material:depth=2", names = Genome::names().join(", ")
    )]
    Name(String),
    #[error("the player '{player}' has no option '{option}': it takes {takes}")]
    Option { player: String, option: String, takes: &'static str },
    #[error("the option '{option}' of the player '{player}' must be {must}")]
    OptionValue { player: String, option: String, must: String },
    #[error("the player '{player}' gives the option '{option}' twice")]
    Twice { player: String, option: String },
    #[error("the player '{player}' can have a depth or a time, not both")]
    DepthAndTime { player: String },
    #[error(transparent)]
    Genome(#[from] GenomeError),
    #[error(transparent)]
    Reading(#[from] UnknownReading),
    #[error("the player perfect needs the solution of the game: {0}")]
    Table(#[from] TableError),
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<PlayerSpec, SpecError> {
        PlayerSpec::parse_with(text, &|path| Genome::load(Path::new(path)))
    }
}

/// The options that nobody has asked for yet.
struct Options<'a> {
    player: &'a str,
    left: Vec<(&'a str, &'a str)>,
    genome: &'a dyn Fn(&str) -> Result<Genome, GenomeError>,
}

impl<'a> Options<'a> {
    fn take(&mut self, key: &str) -> Option<&'a str> {
        let at = self.left.iter().position(|(option, _)| *option == key)?;
        Some(self.left.swap_remove(at).1)
    }

    fn wrong(&self, option: &str, must: impl fmt::Display) -> SpecError {
        SpecError::OptionValue {
            player: self.player.to_string(),
            option: option.to_string(),
            must: must.to_string(),
        }
    }

    fn searching(&mut self, genome: Genome) -> Result<Kind, SpecError> {
        let depth = self.depth(DEEPEST)?.unwrap_or(2);
        let terminal = match self.take("terminal") {
            Some(text) => text.parse().map_err(|_| self.wrong("terminal", Terminal::CHOICES))?,
            None => Terminal::Paper,
        };
        let evaluator = self.evaluator(genome)?;
        match self.take("evaluate") {
            None | Some("leaf") => Ok(Kind::Searching { evaluator, depth, terminal }),
            Some("path") => Ok(Kind::Path { evaluator, depth, terminal }),
            Some(_) => Err(self.wrong("evaluate", "leaf or path")),
        }
    }

    fn strong(&mut self) -> Result<Kind, SpecError> {
        let genome = match self.take("genome") {
            Some(name) => (self.genome)(name)?,
            None => Genome::MOBILITY,
        };
        let evaluator = self.evaluator(genome)?;
        let depth = self.depth(DEEPEST_STRONG)?;
        let time = self.time()?;
        let limit = match (depth, time) {
            (Some(_), Some(_)) => return Err(SpecError::DepthAndTime { player: self.player.to_string() }),
            (Some(depth), None) => Limit::Depth(depth),
            (None, time) => Limit::Time(time.unwrap_or(Duration::from_millis(200))),
        };
        Ok(Kind::Strong { evaluator, limit })
    }

    fn evaluator(&mut self, mut genome: Genome) -> Result<DobutsuEvaluator, SpecError> {
        for name in Readings::NAMES {
            if let Some(text) = self.take(name) {
                genome.readings.set(name, text)?;
            }
        }
        Ok(DobutsuEvaluator::new(genome))
    }

    fn depth(&mut self, deepest: u32) -> Result<Option<u32>, SpecError> {
        let Some(text) = self.take("depth") else { return Ok(None) };
        match text.parse() {
            Ok(depth) if (1..=deepest).contains(&depth) => Ok(Some(depth)),
            _ => Err(self.wrong("depth", format!("from 1 to {deepest}"))),
        }
    }

    /// `200ms` or `1.5s`.
    fn time(&mut self) -> Result<Option<Duration>, SpecError> {
        let Some(text) = self.take("time") else { return Ok(None) };
        let seconds = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
            (Some(number), _) => number.parse::<f64>().ok().map(|milliseconds| milliseconds / 1000.0),
            (None, Some(number)) => number.parse().ok(),
            (None, None) => None,
        };
        match seconds {
            Some(seconds) if (0.001..=3600.0).contains(&seconds) => {
                Ok(Some(Duration::from_secs_f64(seconds)))
            }
            _ => Err(self.wrong("time", "from 1ms to 3600s, as in 200ms or 1.5s")),
        }
    }
}
