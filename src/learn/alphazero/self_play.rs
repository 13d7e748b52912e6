//! Self-play workers: many games at once, whose leaves are evaluated in batches.

use rand_chacha::ChaCha8Rng;

use super::settings::Learnable;
use crate::game::{Outcome, Referee, Side, legal_moves};
use crate::nets::dual::InferenceNetwork;
use crate::players::{self, PlayerSpec};
use crate::search::{BatchedEvaluator, MctsSettings, SearchLimits, Tree, TreePolicy, Tried};

/// How many slots a worker has.
const SLOTS: usize = 32;

/// Who plays one side.
#[derive(Clone, Copy)]
pub enum Player<'a, G: Learnable> {
    /// A network with its search.
    Network(&'a InferenceNetwork),
    /// Any other player.
    Other(&'a PlayerSpec<G>),
}

/// What makes games differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exploration {
    /// Which share of the root's policy is noise, and of what kind; none if there is no noise at all.
    pub noise: Option<(f32, f64)>,
    /// Moves are drawn by how often they were tried, to the power of one over this; the best move at 0.
    pub temperature: f64,
    /// The best move from this ply on.
    pub plies: usize,
}

impl Exploration {
    /// Always the best move.
    pub const NONE: Exploration = Exploration { noise: None, temperature: 0.0, plies: 0 };
}

/// Plays games between two players on one thread.
pub struct Worker<'a, G: Learnable> {
    /// Who plays.
    pub players: [Player<'a, G>; 2],
    /// The search of networks.
    pub mcts: MctsSettings,
    /// How they choose among moves.
    pub exploration: Exploration,
    /// Whether a tree is kept from move to move; both players must be the same network.
    pub reuse: bool,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// The number of the move in the game's order.
    pub chosen: u16,
    /// What the search said of the position, if a network moved.
    pub root: Option<Root>,
}

/// What a search said of its root.
#[derive(Clone, Debug, PartialEq)]
pub struct Root {
    /// How likely each move should be, by the tree.
    pub policy: Vec<f32>,
    /// The move that the network's policy alone would make.
    pub at_once: u16,
    /// What the network's value alone says, for the side to move.
    pub own_value: f32,
    /// What the tree says.
    pub value: f32,
}

/// A finished game.
#[derive(Clone)]
pub struct PlayedGame<G: Learnable> {
    /// The game from its first position.
    pub game: Referee<G>,
    /// Which player moved first.
    pub first: usize,
    /// Its moves, but for those of the opening.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub outcome: Outcome,
}

/// What networks have done for some games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// How many positions they have evaluated.
    pub positions: u64,
    /// In how many batches.
    pub batches: u64,
}

/// A game in progress.
struct Slot<G: Learnable> {
    number: usize,
    game: Referee<G>,
    first: usize,
    random: ChaCha8Rng,
    players: [Option<Box<dyn players::Player<G>>>; 2],
    plies: Vec<Ply>,
    /// The tree of the network that is to move.
    tree: Option<Tree<G>>,
    noisy: bool,
}

impl<G: Learnable> Slot<G> {
    /// Which player is to move.
    fn player(&self) -> usize {
        match self.game.position().side_to_move() {
            Side::First => self.first,
            Side::Second => 1 - self.first,
        }
    }
}

/// How a game begins, which player moves first, and its random stream.
pub type Opening<G> = (Referee<G>, usize, ChaCha8Rng);

impl<G: Learnable> PlayedGame<G> {
    /// The positions after the opening, up to the last.
    pub(super) fn positions(&self) -> &[G] {
        let all = self.game.positions();
        &all[all.len() - 1 - self.plies.len()..]
    }
}

impl<G: Learnable> Worker<'_, G> {
    /// Plays all games on this thread and returns them in the order in which they were begun; `done` is called after each.
    pub fn play(&self, games: Vec<Opening<G>>, done: &(dyn Fn() + Sync)) -> (Vec<PlayedGame<G>>, Evaluated) {
        let mut evaluators = self.players.map(|player| match player {
            Player::Network(network) => Some(BatchedEvaluator::new(network)),
            Player::Other(_) => None,
        });
        // The same network on both sides evaluates the leaves of both in one batch.
        let one = match self.players {
            [Player::Network(a), Player::Network(b)] => std::ptr::eq(a, b),
            _ => false,
        };
        let mut openings = games.into_iter().enumerate();
        let mut slots: Vec<Slot<G>> = Vec::new();
        let mut played: Vec<(usize, PlayedGame<G>)> = Vec::new();
        loop {
            while slots.len() < SLOTS {
                let Some((number, opening)) = openings.next() else { break };
                slots.push(self.begin(number, opening));
            }
            if slots.is_empty() {
                break;
            }
            for (player, evaluator) in evaluators.iter_mut().enumerate() {
                let Some(evaluator) = evaluator.as_mut().filter(|_| !one || player == 0) else { continue };
                let mine = slots.iter_mut().filter(|slot| one || slot.player() == player);
                let mut trees: Vec<&mut Tree<G>> = mine.filter_map(|slot| slot.tree.as_mut()).collect();
                evaluator.round(&mut trees);
            }
            let mut index = 0;
            while index < slots.len() {
                match self.move_on(&mut slots[index]) {
                    Some(outcome) => {
                        let Slot { number, game, first, plies, .. } = slots.remove(index);
                        played.push((number, PlayedGame { game, first, plies, outcome }));
                        done();
                    }
                    None => index += 1,
                }
            }
        }
        played.sort_by_key(|(number, _)| *number);
        let count = |count: fn(&BatchedEvaluator<'_, G>) -> u64| evaluators.iter().flatten().map(count).sum();
        let evaluated = Evaluated {
            positions: count(|evaluator| evaluator.positions),
            batches: count(|evaluator| evaluator.batches),
        };
        (played.into_iter().map(|(_, game)| game).collect(), evaluated)
    }

    fn begin(&self, number: usize, (game, first, random): Opening<G>) -> Slot<G> {
        let players = self.players.map(|player| match player {
            Player::Network(_) => None,
            Player::Other(player) => Some(player.build()),
        });
        Slot { number, game, first, random, players, plies: Vec::new(), tree: None, noisy: false }
    }

    /// Makes all moves that can be made now; the outcome if the game is over.
    fn move_on(&self, slot: &mut Slot<G>) -> Option<Outcome> {
        loop {
            if let Some(verdict) = slot.game.verdict() {
                return Some(verdict.outcome);
            }
            let player = slot.player();
            if let Some(player) = &mut slot.players[player] {
                let m = match player.choose(&slot.game, &mut slot.random, &SearchLimits::NONE, &mut |_| ()) {
                    Ok(m) => m,
                    Err(_) => return Some(Outcome::Win(!slot.game.position().side_to_move())),
                };
                let chosen = number_of(&legal_moves(slot.game.position()), m);
                slot.plies.push(Ply { chosen, root: None });
                slot.game.play(m);
                continue;
            }
            let tree = slot.tree.get_or_insert_with(|| {
                slot.noisy = false;
                Tree::new(&slot.game, self.mcts)
            });
            if !tree.is_evaluated() {
                return None;
            }
            let ply = slot.plies.len();
            if let Some((share, alpha)) = self.exploration.noise.filter(|_| !slot.noisy) {
                tree.add_noise(share, alpha, &mut slot.random);
                slot.noisy = true;
            }
            if !tree.is_done() {
                return None;
            }
            let temperature = if ply < self.exploration.plies { self.exploration.temperature } else { 0.0 };
            let m = match self.mcts.tree_policy {
                // Its noise is in the tree's best move already.
                TreePolicy::Gumbel => tree.best(),
                TreePolicy::Puct => tree.draw(temperature, &mut slot.random),
            };
            slot.plies.push(searched(tree, m));
            slot.game.play(m);
            match self.reuse {
                true => {
                    tree.advance(m);
                    slot.noisy = false;
                }
                false => slot.tree = None,
            }
        }
    }
}

fn number_of<M: PartialEq>(moves: &[M], m: M) -> u16 {
    moves.iter().position(|other| *other == m).unwrap_or(0) as u16
}

fn searched<G: Learnable>(tree: &Tree<G>, m: G::Move) -> Ply {
    let tried: Vec<Tried<G::Move>> = tree.tried();
    let chosen = tried.iter().position(|tried| tried.m == m).unwrap_or(0) as u16;
    let root = Root {
        policy: tree.policy(),
        at_once: tree.at_once() as u16,
        own_value: tree.own_value(),
        value: tree.value(),
    };
    Ply { chosen, root: Some(root) }
}
