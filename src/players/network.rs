//! A network with two heads as a player: its tree, or its policy alone.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::spec::Options;
use super::{Effort, Extra, Forfeit, Playable, Player, PlayerSpec, Recipe, SpecError};
use crate::files::fingerprint;
use crate::games::{Referee, Variant};
use crate::nets::Planar;
use crate::nets::dual::{DualNetwork, Heads, Valuer};
use crate::search::{Growing, Growth, Order, Report, Thinker, Tree, Value};

/// A game that comes with a network.
pub trait Networked: Playable + Planar {
    /// The file of its network; docs/alphazero.md says how it was trained.
    const CHAMPION: &'static [u8];
}

/// What such a game has beside the players of every game.
pub const fn network_players<G: Networked>() -> [Extra<G>; 2] {
    [
        Extra {
            name: "alphazero",
            group: "known",
            help: "a network that learned by playing itself, with a tree of moves",
            options: OPTIONS,
            make: |options, _| recipe(options, G::CHAMPION),
        },
        Extra {
            name: "net=FILE",
            group: "net",
            help: "the same with the network of a file (of `dobutsu-ga learn alphazero`)",
            options: OPTIONS,
            make: |options, file| {
                let bytes = options.file(file.unwrap_or_default())?;
                recipe(options, &bytes)
            },
        },
    ]
}

/// The options of such players.
const OPTIONS: &[(&str, &str)] = &[
    ("simulations=N", "how often a network's tree tries moves; 0 plays its policy alone (default 100)"),
    ("search=WAY", "how the tree grows: puct or gumbel (default puct)"),
    ("c=X", "how much the policy counts beside the values (default 1.5)"),
    ("waiting=N", "how many positions of the tree are valued at once, 1 to 256 (default 1)"),
];

/// How the tree of a player grows unless asked otherwise.
pub const PLAYING: Growing = Growing { growth: Growth::Puct, simulations: 100, ..Growing::SMALL };

/// A network that plays.
#[derive(Clone, Debug)]
pub struct NetworkRecipe {
    valuer: Arc<Valuer>,
    growing: Growing,
    /// Whether it plays its policy alone.
    at_once: bool,
    fingerprint: String,
}

/// Reads the options of a network player.
fn recipe<G: Playable + Planar>(
    options: &mut Options<'_, G>,
    bytes: &[u8],
) -> Result<Arc<dyn Recipe<G>>, SpecError> {
    let shape = G::shape(1, 0, Heads::default());
    let network = DualNetwork::from_bytes(bytes, G::NAME, shape).map_err(|why| options.file_error(why))?;
    let mut recipe = NetworkRecipe::new(&network, PLAYING);
    let mut number = |name: &str, low: f64, high: f64, whole: bool| -> Result<Option<f64>, SpecError> {
        let Some(text) = options.take(name) else { return Ok(None) };
        let read =
            text.parse::<f64>().ok().filter(|n| (low..=high).contains(n) && (!whole || n.fract() == 0.0));
        read.map(Some).ok_or_else(|| options.wrong(name, format!("from {low} to {high}")))
    };
    if let Some(simulations) = number("simulations", 0.0, 1e6, true)? {
        recipe.at_once = simulations == 0.0;
        recipe.growing.simulations = (simulations as u32).max(1);
    }
    if let Some(c) = number("c", 0.0, 1000.0, false)? {
        recipe.growing.c = c;
    }
    if let Some(waiting) = number("waiting", 1.0, 256.0, true)? {
        recipe.growing.waiting = waiting as u32;
    }
    if let Some(text) = options.take("search") {
        recipe.growing.growth = text.parse().map_err(|_| options.wrong("search", Growth::choices()))?;
    }
    Ok(Arc::new(recipe))
}

/// A network as a player, without any file; without simulations its policy alone.
pub fn dual_player<G: Playable + Planar>(network: &DualNetwork, growing: Growing) -> PlayerSpec<G> {
    PlayerSpec::extra("net", Arc::new(NetworkRecipe::new(network, growing)))
}

impl NetworkRecipe {
    fn new(network: &DualNetwork, growing: Growing) -> NetworkRecipe {
        let fingerprint = fingerprint(&network.to_bytes("", ""));
        let at_once = growing.simulations == 0;
        let growing = Growing { simulations: growing.simulations.max(1), ..growing };
        NetworkRecipe { valuer: Arc::new(Valuer::new(network)), growing, at_once, fingerprint }
    }
}

impl<G: Playable + Planar> Recipe<G> for NetworkRecipe {
    fn player(&self) -> Box<dyn Player<G>> {
        Box::new(self.clone())
    }

    fn effort(&self) -> Effort {
        Effort::Simulations(if self.at_once { 0 } else { self.growing.simulations })
    }

    fn tree(&self, game: &Referee<G>) -> Option<Tree<G>> {
        Some(self.grown(game))
    }

    fn describe(&self) -> String {
        let NetworkRecipe { growing, fingerprint, .. } = self;
        if self.at_once {
            return format!("the policy of the network {fingerprint}");
        }
        let Growing { growth, simulations, c, unvisited, proofs, candidates, waiting } = growing;
        let how = match growth {
            Growth::Puct => format!("puct c={c} unvisited={unvisited}"),
            Growth::Gumbel => format!("gumbel candidates={candidates}"),
        };
        format!(
            "simulations={simulations} {how} proofs={proofs} waiting={waiting} by the network {fingerprint}"
        )
    }
}

impl NetworkRecipe {
    /// The tree as far as it is to grow.
    fn grown<G: Planar>(&self, game: &Referee<G>) -> Tree<G> {
        let mut tree = Tree::new(game, self.growing);
        let mut thinker = Thinker::new(&self.valuer);
        // The first round values the position itself: the policy alone needs no more.
        while thinker.round(&mut [&mut tree]) && !self.at_once {}
        tree
    }
}

impl<G: Playable + Planar> Player<G> for NetworkRecipe {
    fn choose(&mut self, game: &Referee<G>, random: &mut ChaCha8Rng) -> Result<G::Move, Forfeit> {
        self.think(game, random, &Order::default(), &mut |_| ())
    }

    fn think(
        &mut self,
        game: &Referee<G>,
        _: &mut ChaCha8Rng,
        order: &Order,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<G::Move, Forfeit> {
        let mut growing = self.growing;
        if order.endless || order.deadline.is_some() || order.nodes.is_some() {
            growing.simulations = order.nodes.map_or(MOST, |nodes| nodes.clamp(1, u64::from(MOST)) as u32);
        }
        let mut tree = Tree::new(game, growing);
        let mut thinker = Thinker::new(&self.valuer);
        thinker.round(&mut [&mut tree]);
        if self.at_once {
            return Ok(tree.tried()[tree.at_once()].m);
        }
        let mut next = FIRST_REPORT;
        let mut clock = order.clock();
        while !clock.has_stopped() && thinker.round(&mut [&mut tree]) {
            if thinker.positions >= next {
                tell(&report(&tree, thinker.positions));
                next *= 2;
            }
            // At least one move has been tried.
            clock.look(0);
        }
        tell(&report(&tree, thinker.positions));
        Ok(tree.best())
    }
}

/// However long it is allowed to think, a tree must stay in memory.
const MOST: u32 = 2_000_000;
/// The first word comes after so many positions.
const FIRST_REPORT: u64 = 16;

fn report<G: Planar>(tree: &Tree<G>, nodes: u64) -> Report<G::Move> {
    let line = tree.line();
    let value = Value::points((tree.value() * 1000.0) as i32);
    Report { best: tree.best(), value, depth: line.len() as u32, nodes, line }
}
