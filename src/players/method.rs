//! Players with the weights of a genome: how they search is their method; and the strong player.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use super::searching::{DeepeningPlayer, FullWidthPlayer, Ties};
use super::{Effort, Entry, Options, Playable, Player, PlayerOption, Recipe, SpecError, blunder};
use crate::game::{Evaluator, Genome, ReadingSet, or_list};
use crate::search::{ByGain, ByValue, Config, Deepening, SearchLimits, Terminal};
use crate::values::Values;

/// The deepest fixed search that still plays a game in reasonable time.
pub(crate) const MAX_DEPTH: u32 = 10;
/// The deepest iteration of the strong player that can be asked for.
const MAX_STRONG_DEPTH: u32 = 14;
/// How long the strong player thinks unless told otherwise.
const STRONG_TIME: Duration = Duration::from_millis(200);

/// How a player with the weights of a genome searches: everything about it but the weights.
pub trait Method<G: Playable>: Clone + Debug + Send + Sync + 'static {
    /// The options it takes.
    fn options() -> Vec<PlayerOption>;

    /// With these options.
    fn read(options: &Options<'_>) -> Result<Self, SpecError>;

    /// Looks `depth` plies ahead and is otherwise as the tuner's settings say.
    fn plain(depth: u32, terminal: Terminal, path: bool) -> Self;

    /// The same, looking `depth` plies ahead.
    fn at_depth(&self, depth: u32) -> Self;

    /// How much work a move is.
    fn effort(&self) -> Effort;

    /// Everything that decides how it searches, whatever the defaults are today.
    fn describe(&self) -> String;

    /// A player for one game.
    fn player(&self, evaluator: G::Evaluator) -> Box<dyn Player<G>>;
}

/// The option for a fixed depth.
pub fn depth_option<G: Playable>() -> PlayerOption {
    let help = format!("plies to look ahead, 1 to {MAX_DEPTH} (default {})", G::WEIGHTS.depth);
    PlayerOption::new("depth=N", Values::Integer(1..=MAX_DEPTH.into()), help)
}

/// Looks at all lines to a fixed depth: minimax by alpha-beta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FullWidth {
    depth: u32,
    terminal: Terminal,
    /// Whether the values of all positions on the way are added up.
    path: bool,
    ties: Ties,
}

impl<G: Playable> Method<G> for FullWidth {
    fn options() -> Vec<PlayerOption> {
        let mut options = vec![depth_option::<G>()];
        if G::WEIGHTS.full_width {
            let modes = Terminal::names(G::GOES_ON);
            let help = format!("how the end of the game is scored: {}", or_list(modes));
            options.push(PlayerOption::new("terminal=MODE", Values::Choice(modes.to_vec()), help));
            let help = "which positions of a line are valued: leaf or path";
            options.push(PlayerOption::new("evaluate=WHERE", Values::Choice(vec!["leaf", "path"]), help));
        } else {
            options.push(PlayerOption::choice::<Ties>("ties=WHICH", "which of equally good moves is played"));
        }
        options
    }

    fn read(options: &Options<'_>) -> Result<FullWidth, SpecError> {
        let depth = options.number("depth").unwrap_or(G::WEIGHTS.depth);
        if G::WEIGHTS.full_width {
            let terminal = options.number("terminal").unwrap_or_default();
            let path = options.get("evaluate") == Some("path");
            Ok(FullWidth { depth, terminal, path, ties: Ties::Random })
        } else {
            Ok(FullWidth { depth, terminal: Terminal::Exact, path: false, ties: options.choice("ties") })
        }
    }

    fn plain(depth: u32, terminal: Terminal, path: bool) -> FullWidth {
        if G::WEIGHTS.full_width {
            FullWidth { depth, terminal, path, ties: Ties::Random }
        } else {
            FullWidth { depth, terminal: Terminal::Exact, path: false, ties: Ties::First }
        }
    }

    fn at_depth(&self, depth: u32) -> FullWidth {
        FullWidth { depth, ..*self }
    }

    fn effort(&self) -> Effort {
        if self.path { Effort::EveryLine(self.depth) } else { Effort::Depth(self.depth) }
    }

    fn describe(&self) -> String {
        let FullWidth { depth, terminal, path, ties } = self;
        if G::WEIGHTS.full_width {
            format!("depth={depth} terminal={terminal} evaluate={}", if *path { "path" } else { "leaf" })
        } else {
            format!("depth={depth} ties={ties}")
        }
    }

    fn player(&self, evaluator: G::Evaluator) -> Box<dyn Player<G>> {
        let FullWidth { depth, terminal, path, ties } = *self;
        let mut player = FullWidthPlayer::new(evaluator, depth, terminal);
        (player.path, player.ties) = (path, ties);
        Box::new(player)
    }
}

/// A player with the weights of a genome.
#[derive(Clone, Debug)]
struct WithGenome<G: Playable> {
    genome: Genome<G>,
    evaluator: G::Evaluator,
    method: G::Method,
    depth_given: bool,
}

impl<G: Playable> Recipe<G> for WithGenome<G> {
    fn player(&self) -> Box<dyn Player<G>> {
        self.method.player(self.evaluator.clone())
    }

    fn describe(&self) -> String {
        format!("{} {}", self.method.describe(), self.genome)
    }

    fn effort(&self) -> Effort {
        self.method.effort()
    }

    fn at_depth(&self, depth: u32) -> Option<Arc<dyn Recipe<G>>> {
        let method = self.method.at_depth(depth);
        (!self.depth_given).then(|| Arc::new(WithGenome { method, depth_given: true, ..self.clone() }) as _)
    }

    fn glance(&self) -> Option<G::Evaluator> {
        Some(self.evaluator.clone())
    }
}

/// A player with these weights that looks `depth` plies ahead and knows a won game when it sees one.
pub(super) fn with_genome<G: Playable>(genome: Genome<G>, depth: u32) -> Arc<dyn Recipe<G>> {
    let method = G::Method::plain(depth, Terminal::Exact, false);
    Arc::new(WithGenome { evaluator: G::evaluator(&genome), genome, method, depth_given: true })
}

fn read_genome<G: Playable>(
    genome: Genome<G>,
    options: &Options<'_>,
) -> Result<Arc<dyn Recipe<G>>, SpecError> {
    let genome = with_readings(genome, options)?;
    let method = G::Method::read(options)?;
    let depth_given = options.get("depth").or(options.get("time")).is_some();
    Ok(Arc::new(WithGenome { evaluator: G::evaluator(&genome), genome, method, depth_given }))
}

/// The genome with its features read as asked.
fn with_readings<G: Playable>(mut genome: Genome<G>, options: &Options<'_>) -> Result<Genome<G>, SpecError> {
    for (name, _) in G::Readings::NAMES {
        if let Some(text) = options.get(name) {
            genome.readings.set(name, text)?;
        }
    }
    Ok(genome)
}

/// The options for how the features of a genome are read.
pub(super) fn readings<G: Playable>() -> Vec<PlayerOption> {
    // What is wrong with one is said by the reading.
    let option = |(name, choices): &(&str, &[&str])| {
        PlayerOption::new(format!("{name}=READING"), Values::Text, or_list(choices))
    };
    G::Readings::NAMES.iter().map(option).collect()
}

fn genome_options<G: Playable>() -> Vec<PlayerOption> {
    [G::Method::options(), readings::<G>(), blunder::options()].concat()
}

/// The genomes that come with the program.
pub(super) fn known_genomes<G: Playable>() -> impl Iterator<Item = Entry<G>> {
    G::WEIGHTS.genomes.iter().map(|known| Entry::<G> {
        name: known.name,
        group: known.group,
        help: known.help,
        options: genome_options::<G>(),
        make: |options| {
            let genome = Genome::named(options.head).ok_or_else(|| SpecError::unknown::<G>(options.head))?;
            read_genome(genome, options)
        },
    })
}

/// A genome file.
pub(super) fn genome_file<G: Playable>() -> Entry<G> {
    Entry {
        name: "genome=FILE",
        group: "file",
        help: "the weights of a genome file",
        options: genome_options::<G>(),
        make: |options| read_genome(options.genome(options.argument)?, options),
    }
}

/// The strong player.
pub(super) fn strong<G: Playable>() -> Entry<G> {
    let depths = Values::Integer(1..=MAX_STRONG_DEPTH.into());
    let own = vec![
        PlayerOption::new("strong:depth=N", depths, format!("instead of a time, to {MAX_STRONG_DEPTH}")),
        PlayerOption::new("strong:time=200ms", Values::Time, "how long to think about a move"),
        PlayerOption::new(
            "strong:genome=FILE",
            Values::Text,
            format!("its weights (default {})", G::WEIGHTS.strong),
        ),
    ];
    Entry {
        name: "strong",
        group: "strong",
        help: "deepens until its time is up",
        options: [own, readings::<G>(), blunder::options()].concat(),
        make: |options| {
            let genome = match options.get("genome") {
                Some(name) => options.genome(name)?,
                None => Genome::named(G::WEIGHTS.strong)
                    .ok_or_else(|| SpecError::unknown::<G>(G::WEIGHTS.strong))?,
            };
            let genome = with_readings(genome, options)?;
            let limits = depth_or_time(options)?.unwrap_or(SearchLimits::time(STRONG_TIME));
            Ok(Arc::new(Strong { genome, limits }))
        },
    }
}

/// A depth or a time, or neither.
pub fn depth_or_time(options: &Options<'_>) -> Result<Option<SearchLimits>, SpecError> {
    match (options.number("depth"), options.time("time")) {
        (Some(_), Some(_)) => Err(SpecError::DepthAndTime { player: options.text.to_string() }),
        (Some(depth), None) => Ok(Some(SearchLimits::depth(depth))),
        (None, time) => Ok(time.map(SearchLimits::time)),
    }
}

#[derive(Clone, Debug)]
struct Strong<G: Playable> {
    genome: Genome<G>,
    limits: SearchLimits,
}

impl<G: Playable> Recipe<G> for Strong<G> {
    fn player(&self) -> Box<dyn Player<G>> {
        (G::OFFER.strong)(G::evaluator(&self.genome), self.limits.clone())
    }

    fn describe(&self) -> String {
        match self.effort() {
            Effort::Time(time) => format!("Time({time:?}) {}", self.genome),
            _ => format!("Depth({}) {}", self.limits.depth.unwrap_or_default(), self.genome),
        }
    }

    fn effort(&self) -> Effort {
        effort_of(&self.limits)
    }

    fn glance(&self) -> Option<G::Evaluator> {
        Some(G::evaluator(&self.genome))
    }
}

/// How much work a search within a player's own limits is.
pub fn effort_of(limits: &SearchLimits) -> Effort {
    match (limits.time, limits.depth) {
        (Some(time), _) => Effort::Time(time),
        (None, Some(depth)) => Effort::Depth(depth),
        (None, None) => Effort::None,
    }
}

/// The strong player of a game that has none of its own: exact values, a table, all moves.
pub(super) fn exact_player<G, E>(evaluator: E, limits: SearchLimits) -> Box<dyn Player<G>>
where
    G: Playable,
    E: Evaluator<G> + Clone + 'static,
{
    let search = Deepening::new(evaluator.clone(), ByValue(evaluator), Config::EXACT);
    Box::new(DeepeningPlayer { search, limits })
}

/// The strong player of the shogi games: late moves less closely, captures beyond the horizon, repetitions by the rules.
pub fn selective_player<G, E>(evaluator: E, limits: SearchLimits) -> Box<dyn Player<G>>
where
    G: Playable,
    E: Evaluator<G> + Clone + 'static,
{
    let config = Config { table_slots: 1 << 19, selective: true, reorder: true, repetitions: true };
    let search = Deepening::new(evaluator.clone(), ByGain(evaluator), config);
    Box::new(DeepeningPlayer { search, limits })
}

/// A player with an evaluator of a library user.
#[derive(Clone, Debug)]
pub(super) struct WithEvaluator<E> {
    pub(super) evaluator: E,
    pub(super) depth: u32,
}

impl<G: Playable, E: Evaluator<G> + Clone + Debug + Send + 'static> Recipe<G> for WithEvaluator<E> {
    fn player(&self) -> Box<dyn Player<G>> {
        Box::new(FullWidthPlayer::new(self.evaluator.clone(), self.depth, Terminal::Exact))
    }

    fn describe(&self) -> String {
        format!("depth={} {:?}", self.depth, self.evaluator)
    }

    fn effort(&self) -> Effort {
        Effort::Depth(self.depth)
    }
}
