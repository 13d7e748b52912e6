//! A network with two heads as a player: its tree, or its policy alone.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::spec::Options;
use super::{Effort, Extra, Forfeit, Playable, Player, PlayerSpec, Recipe, SpecError};
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
    let mut growing = PLAYING;
    let given: Vec<&str> = ["c", "waiting", "search"].into_iter().filter(|name| options.has(name)).collect();
    if let Some(simulations) = options.number("simulations", 0.0, 1e6, true)? {
        growing.simulations = simulations as u32;
    }
    if let Some(text) = options.take("search") {
        growing.growth = text.parse().map_err(|_| options.wrong("search", Growth::choices()))?;
    }
    if let Some(c) = options.number("c", 0.0, 1000.0, false)? {
        growing.c = c;
    }
    if let Some(waiting) = options.number("waiting", 1.0, 256.0, true)? {
        growing.waiting = waiting as u32;
    }
    match given.first() {
        Some(name) if growing.simulations == 0 => {
            Err(options.wrong(name, "left out: with simulations=0 there is no tree"))
        }
        Some(&"c") if growing.growth == Growth::Gumbel => {
            Err(options.wrong("c", "left out: it has no effect with search=gumbel"))
        }
        _ => Ok(Arc::new(NetworkRecipe::new(&network, growing))),
    }
}

/// A network as a player, without any file; without simulations its policy alone.
pub fn dual_player<G: Playable + Planar>(network: &DualNetwork, growing: Growing) -> PlayerSpec<G> {
    PlayerSpec::extra("net", Arc::new(NetworkRecipe::new(network, growing)))
}

impl NetworkRecipe {
    fn new(network: &DualNetwork, growing: Growing) -> NetworkRecipe {
        let fingerprint = network.fingerprint();
        let at_once = growing.simulations == 0;
        // Nothing is looked at but the policy.
        let growing = Growing {
            simulations: growing.simulations.max(1),
            proofs: growing.proofs && !at_once,
            ..growing
        };
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
        match order.nodes {
            // One is the position itself.
            Some(nodes) => growing.simulations = nodes.saturating_sub(1).clamp(1, u64::from(MOST)) as u32,
            // As with a depth of one's own: whatever time there is, no more than that.
            None if order.endless => {
                // Nobody knows how many simulations there will be: there is no plan for them.
                (growing.simulations, growing.growth) = (MOST, Growth::Puct);
                growing.waiting = growing.waiting.min(MOST_WAITING);
            }
            None => {}
        }
        let mut tree = Tree::new(game, growing);
        let mut thinker = Thinker::new(&self.valuer);
        thinker.round(&mut [&mut tree]);
        if self.at_once {
            return Ok(tree.tried()[tree.at_once()].m);
        }
        let mut clock = order.clock();
        let (mut next_report, mut tries) = (FIRST_REPORT, 0);
        // A slice at a time: simulations that need no network must not keep anybody waiting either.
        while tries < growing.simulations && !clock.has_stopped() {
            tries = (tries + SLICE).min(growing.simulations);
            tree.grow_to(tries);
            while !clock.has_stopped() && thinker.round(&mut [&mut tree]) {
                clock.look(0);
            }
            clock.look(0);
            if thinker.positions >= next_report {
                tell(&report(&tree, thinker.positions));
                next_report *= 2;
            }
            let deep = order.depth.is_some_and(|depth| tree.line().len() as u32 >= depth);
            if deep || tree.is_settled() {
                break;
            }
        }
        tell(&report(&tree, thinker.positions));
        Ok(tree.best())
    }
}

/// So many simulations are made before anybody looks at the clock again, whether they need the network or not.
const SLICE: u32 = 32;
/// So many positions are valued at once at most while a clock runs.
const MOST_WAITING: u32 = 8;
/// However long it is allowed to think, a tree must stay in memory.
const MOST: u32 = 300_000;
/// The first word comes after so many positions.
const FIRST_REPORT: u64 = 16;

fn report<G: Planar>(tree: &Tree<G>, nodes: u64) -> Report<G::Move> {
    let line = tree.line();
    let value = Value::points((tree.value() * 1000.0) as i32);
    Report { best: tree.best(), value, depth: line.len() as u32, nodes, line }
}
