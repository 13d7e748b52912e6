//! A network with two heads as a player: its tree, or its policy alone.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{Effort, Entry, Forfeit, Options, Playable, Player, PlayerOption, PlayerSpec, Recipe, SpecError};
use crate::game::{Referee, Variant};
use crate::nets::Planar;
use crate::nets::dual::{DualNetwork, Heads, InferenceNetwork};
use crate::search::{BatchedEvaluator, MctsSettings, SearchInfo, SearchLimits, Tree, TreePolicy, Value};
use crate::values::Values;

/// A game that comes with a network.
pub trait Networked: Playable + Planar {
    /// The file of its network; docs/alphazero.md says how it was trained.
    const CHAMPION: &'static [u8];
}

/// What such a game has beside the players of every game.
pub fn network_players<G: Networked>() -> Vec<Entry<G>> {
    let champion = Entry::<G> {
        name: "alphazero",
        group: "known",
        help: "a network that learned by playing itself, with a tree of moves",
        options: options(),
        make: |options| recipe(options, G::CHAMPION),
    };
    let file = Entry::<G> {
        name: "net=FILE",
        group: "net",
        help: "the same with the network of a file (of `dobutsu-ga learn alphazero`)",
        options: options(),
        make: |options| recipe(options, &options.file()?),
    };
    vec![champion, file]
}

/// The options of such players.
fn options() -> Vec<PlayerOption> {
    let simulations = "how often a network's tree tries moves; 0 plays its policy alone (default 100)";
    let growth = Values::Choice(TreePolicy::names());
    let waiting = "how many positions of the tree are valued at once, 1 to 256 (default 1)";
    vec![
        PlayerOption::new("simulations=N", Values::Integer(0..=1_000_000), simulations),
        PlayerOption::new("search=WAY", growth, "how the tree grows: puct or gumbel (default puct)"),
        PlayerOption::new(
            "c=X",
            Values::Number(0.0..=1000.0),
            "how much the policy counts beside the values (default 1.5)",
        ),
        PlayerOption::new("waiting=N", Values::Integer(1..=256), waiting),
    ]
}

/// The search of a player unless asked otherwise.
pub const PLAYING: MctsSettings =
    MctsSettings { tree_policy: TreePolicy::Puct, simulations: 100, ..MctsSettings::SMALL };

/// A network that plays.
#[derive(Clone, Debug)]
pub struct NetworkRecipe {
    network: Arc<InferenceNetwork>,
    settings: MctsSettings,
    /// Whether it plays its policy alone.
    at_once: bool,
    fingerprint: String,
}

/// Reads the options of a network player.
fn recipe<G: Playable + Planar>(
    options: &Options<'_>,
    bytes: &[u8],
) -> Result<Arc<dyn Recipe<G>>, SpecError> {
    let shape = G::shape(1, 0, Heads::default());
    let network = DualNetwork::from_bytes(bytes, G::NAME, shape).map_err(|why| options.file_error(why))?;
    let settings = MctsSettings {
        simulations: options.number("simulations").unwrap_or(PLAYING.simulations),
        tree_policy: options.choice("search"),
        c: options.number("c").unwrap_or(PLAYING.c),
        leaf_batch: options.number("waiting").unwrap_or(PLAYING.leaf_batch),
        ..PLAYING
    };
    match ["c", "waiting", "search"].into_iter().find(|name| options.get(name).is_some()) {
        Some(name) if settings.simulations == 0 => {
            Err(options.wrong(name, "left out: with simulations=0 there is no tree"))
        }
        Some("c") if settings.tree_policy == TreePolicy::Gumbel => {
            Err(options.wrong("c", "left out: it has no effect with search=gumbel"))
        }
        _ => Ok(Arc::new(NetworkRecipe::new(&network, settings))),
    }
}

/// A network as a player, without any file; without simulations its policy alone.
pub fn dual_player<G: Playable + Planar>(network: &DualNetwork, settings: MctsSettings) -> PlayerSpec<G> {
    PlayerSpec::new("net", Arc::new(NetworkRecipe::new(network, settings)))
}

impl NetworkRecipe {
    fn new(network: &DualNetwork, settings: MctsSettings) -> NetworkRecipe {
        let fingerprint = network.fingerprint();
        let at_once = settings.simulations == 0;
        let settings = MctsSettings {
            simulations: settings.simulations.max(1),
            solver: settings.solver && !at_once,
            ..settings
        };
        NetworkRecipe { network: Arc::new(InferenceNetwork::new(network)), settings, at_once, fingerprint }
    }
}

impl<G: Playable + Planar> Recipe<G> for NetworkRecipe {
    fn player(&self) -> Box<dyn Player<G>> {
        Box::new(self.clone())
    }

    fn effort(&self) -> Effort {
        Effort::Simulations(if self.at_once { 0 } else { self.settings.simulations })
    }

    fn tree(&self, game: &Referee<G>) -> Option<Tree<G>> {
        Some(self.searched(game))
    }

    fn describe(&self) -> String {
        let NetworkRecipe { settings, fingerprint, .. } = self;
        if self.at_once {
            return format!("the policy of the network {fingerprint}");
        }
        let MctsSettings { tree_policy, simulations, c, fpu, solver, candidates, leaf_batch } = settings;
        let how = match tree_policy {
            TreePolicy::Puct => format!("puct c={c} unvisited={fpu}"),
            TreePolicy::Gumbel => format!("gumbel candidates={candidates}"),
        };
        format!(
            "simulations={simulations} {how} proofs={solver} waiting={leaf_batch} by the network {fingerprint}"
        )
    }
}

impl NetworkRecipe {
    /// The tree after all simulations.
    fn searched<G: Planar>(&self, game: &Referee<G>) -> Tree<G> {
        let mut tree = Tree::new(game, self.settings);
        let mut evaluator = BatchedEvaluator::new(&self.network);
        // The first round evaluates the position itself: the policy alone needs no more.
        while evaluator.round(&mut [&mut tree]) && !self.at_once {}
        tree
    }
}

impl<G: Playable + Planar> Player<G> for NetworkRecipe {
    fn choose(
        &mut self,
        game: &Referee<G>,
        _: &mut ChaCha8Rng,
        limits: &SearchLimits,
        on_info: &mut dyn FnMut(&SearchInfo<G::Move>),
    ) -> Result<G::Move, Forfeit> {
        let mut settings = self.settings;
        match limits.nodes {
            // One is the position itself.
            Some(nodes) => settings.simulations = nodes.saturating_sub(1).clamp(1, u64::from(MOST)) as u32,
            // As with a depth of one's own: whatever time there is, no more than that.
            None if limits.infinite => {
                // Gumbel AlphaZero plans for a number of simulations: here it is unknown.
                (settings.simulations, settings.tree_policy) = (MOST, TreePolicy::Puct);
                settings.leaf_batch = settings.leaf_batch.min(MAX_LEAF_BATCH);
            }
            None => {}
        }
        let mut tree = Tree::new(game, settings);
        let mut evaluator = BatchedEvaluator::new(&self.network);
        evaluator.round(&mut [&mut tree]);
        if self.at_once {
            return Ok(tree.tried()[tree.at_once()].m);
        }
        let mut clock = limits.clock();
        let (mut next_report, mut tries) = (FIRST_REPORT, 0);
        // A slice at a time: simulations that need no network take time too.
        while tries < settings.simulations && !clock.has_stopped() {
            tries = (tries + SLICE).min(settings.simulations);
            tree.grow_to(tries);
            while !clock.has_stopped() && evaluator.round(&mut [&mut tree]) {
                clock.check(0);
            }
            clock.check(0);
            if evaluator.positions >= next_report {
                on_info(&info(&tree, evaluator.positions));
                next_report *= 2;
            }
            let deep = limits.depth.is_some_and(|depth| tree.line().len() as u32 >= depth);
            if deep || tree.is_settled() {
                break;
            }
        }
        on_info(&info(&tree, evaluator.positions));
        Ok(tree.best())
    }
}

/// Simulations after which the clock is checked again, whether they needed the network or not.
const SLICE: u32 = 32;
/// The largest leaf batch while a clock runs.
const MAX_LEAF_BATCH: u32 = 8;
/// However long the search, a tree must fit into memory.
const MOST: u32 = 300_000;
/// The first word comes after so many positions.
const FIRST_REPORT: u64 = 16;

fn info<G: Planar>(tree: &Tree<G>, nodes: u64) -> SearchInfo<G::Move> {
    let line = tree.line();
    let value = Value::points((tree.value() * 1000.0) as i32);
    SearchInfo { best: tree.best(), value, depth: line.len() as u32, nodes, line }
}
