//! Many games at once, whose networks value positions together.

use rand_chacha::ChaCha8Rng;

use super::settings::Learnable;
use crate::games::{Outcome, Referee, Side, legal_moves};
use crate::nets::dual::Valuer;
use crate::players::{Player, PlayerSpec};
use crate::search::{Growing, Growth, Thinker, Tree, Tried};

/// So many games of a sitting are played at the same time.
const AT_ONCE: usize = 32;

/// Who sits at one side of the boards.
#[derive(Clone, Copy)]
pub enum Seat<'a, G: Learnable> {
    /// A network with its tree.
    Network(&'a Valuer),
    /// Anybody else.
    Player(&'a PlayerSpec<G>),
}

/// How moves are chosen where games should differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exploring {
    /// Which share of the root's policy is noise, and of what kind; none if there is no noise at all.
    pub noise: Option<(f32, f64)>,
    /// By lot as often as tried, to the power of one over this; the best move at 0.
    pub temperature: f64,
    /// The best move from this ply on.
    pub plies: usize,
}

impl Exploring {
    /// Always the best move.
    pub const NOT: Exploring = Exploring { noise: None, temperature: 0.0, plies: 0 };
}

/// Games between two seats, some begun by the one and some by the other.
pub struct Sitting<'a, G: Learnable> {
    /// Who plays.
    pub seats: [Seat<'a, G>; 2],
    /// How the networks' trees grow.
    pub growing: Growing,
    /// How they choose among moves.
    pub exploring: Exploring,
    /// Whether what was found is kept from move to move; the seats must hold the same network.
    pub reuse: bool,
}

/// A move of a game, and what a network thought of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// The number of the move in the game's order.
    pub chosen: u16,
    /// Who chose it; nothing more is known of a player's moves.
    pub thought: Option<Thought>,
}

/// What a network thought of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// How likely each move should be, by the tree.
    pub policy: Vec<f32>,
    /// The move that the network's policy alone would make.
    pub at_once: u16,
    /// What the network's value alone says, for the side to move.
    pub own_value: f32,
    /// What the tree says.
    pub value: f32,
}

/// A game that was played.
#[derive(Clone)]
pub struct Sat<G: Learnable> {
    /// The game from its first position.
    pub game: Referee<G>,
    /// Which seat moved first.
    pub first: usize,
    /// Its moves.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub outcome: Outcome,
}

/// What networks have done for the games of a sitting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Valuations {
    /// How many positions they have valued.
    pub positions: u64,
    /// In how many batches.
    pub batches: u64,
}

/// A game in progress.
struct Table<G: Learnable> {
    number: usize,
    game: Referee<G>,
    first: usize,
    random: ChaCha8Rng,
    players: [Option<Box<dyn Player<G>>>; 2],
    plies: Vec<Ply>,
    /// The tree of the network that is to move.
    tree: Option<Tree<G>>,
    noisy: bool,
}

impl<G: Learnable> Table<G> {
    fn seat(&self) -> usize {
        match self.game.position().side_to_move() {
            Side::First => self.first,
            Side::Second => 1 - self.first,
        }
    }
}

/// The game to be played next: how it begins, which seat moves first, and its chance.
pub type Begun<G> = (Referee<G>, usize, ChaCha8Rng);

impl<G: Learnable> Sitting<'_, G> {
    /// Plays all games on this thread and returns them in the order in which they were begun; `done` is told of each one's end.
    pub fn play(&self, games: Vec<Begun<G>>, done: &(dyn Fn() + Sync)) -> (Vec<Sat<G>>, Valuations) {
        let mut thinkers = self.seats.map(|seat| match seat {
            Seat::Network(valuer) => Some(Thinker::new(valuer)),
            Seat::Player(_) => None,
        });
        // The same network on both sides is asked once.
        let one = match self.seats {
            [Seat::Network(a), Seat::Network(b)] => std::ptr::eq(a, b),
            _ => false,
        };
        let mut waiting = games.into_iter().enumerate();
        let mut tables: Vec<Table<G>> = Vec::new();
        let mut sat: Vec<(usize, Sat<G>)> = Vec::new();
        loop {
            while tables.len() < AT_ONCE {
                let Some((number, begun)) = waiting.next() else { break };
                tables.push(self.sit_down(number, begun));
            }
            if tables.is_empty() {
                break;
            }
            for (seat, thinker) in thinkers.iter_mut().enumerate() {
                let Some(thinker) = thinker.as_mut().filter(|_| !one || seat == 0) else { continue };
                let mine = tables.iter_mut().filter(|table| one || table.seat() == seat);
                let mut trees: Vec<&mut Tree<G>> = mine.filter_map(|table| table.tree.as_mut()).collect();
                thinker.round(&mut trees);
            }
            let mut index = 0;
            while index < tables.len() {
                match self.move_on(&mut tables[index]) {
                    Some(outcome) => {
                        let Table { number, game, first, plies, .. } = tables.remove(index);
                        sat.push((number, Sat { game, first, plies, outcome }));
                        done();
                    }
                    None => index += 1,
                }
            }
        }
        sat.sort_by_key(|(number, _)| *number);
        let count = |count: fn(&Thinker<'_, G>) -> u64| thinkers.iter().flatten().map(count).sum();
        let valuations = Valuations {
            positions: count(|thinker| thinker.positions),
            batches: count(|thinker| thinker.batches),
        };
        (sat.into_iter().map(|(_, sat)| sat).collect(), valuations)
    }

    fn sit_down(&self, number: usize, (game, first, random): Begun<G>) -> Table<G> {
        let players = self.seats.map(|seat| match seat {
            Seat::Network(_) => None,
            Seat::Player(player) => Some(player.build()),
        });
        Table { number, game, first, random, players, plies: Vec::new(), tree: None, noisy: false }
    }

    /// Makes all moves that can be made now; the outcome if the game is over.
    fn move_on(&self, table: &mut Table<G>) -> Option<Outcome> {
        loop {
            if let Some(verdict) = table.game.verdict() {
                return Some(verdict.outcome);
            }
            let seat = table.seat();
            if let Some(player) = &mut table.players[seat] {
                let m = match player.choose(&table.game, &mut table.random) {
                    Ok(m) => m,
                    Err(_) => return Some(Outcome::Win(!table.game.position().side_to_move())),
                };
                let chosen = number_of(&legal_moves(table.game.position()), m);
                table.plies.push(Ply { chosen, thought: None });
                table.game.play(m);
                continue;
            }
            let tree = table.tree.get_or_insert_with(|| {
                table.noisy = false;
                Tree::new(&table.game, self.growing)
            });
            if !tree.is_valued() {
                return None;
            }
            let ply = table.plies.len();
            if let Some((share, alpha)) = self.exploring.noise.filter(|_| !table.noisy) {
                tree.add_noise(share, alpha, &mut table.random);
                table.noisy = true;
            }
            if !tree.is_done() {
                return None;
            }
            let temperature = if ply < self.exploring.plies { self.exploring.temperature } else { 0.0 };
            let m = match self.growing.growth {
                // Its noise is in the tree's best move already.
                Growth::Gumbel => tree.best(),
                Growth::Puct => tree.draw(temperature, &mut table.random),
            };
            table.plies.push(thought(tree, m));
            table.game.play(m);
            match self.reuse {
                true => {
                    tree.advance(m);
                    table.noisy = false;
                }
                false => table.tree = None,
            }
        }
    }
}

fn number_of<M: PartialEq>(moves: &[M], m: M) -> u16 {
    moves.iter().position(|other| *other == m).unwrap_or(0) as u16
}

fn thought<G: Learnable>(tree: &Tree<G>, m: G::Move) -> Ply {
    let tried: Vec<Tried<G::Move>> = tree.tried();
    let chosen = tried.iter().position(|tried| tried.m == m).unwrap_or(0) as u16;
    let thought = Thought {
        policy: tree.policy(),
        at_once: tree.at_once() as u16,
        own_value: tree.own_value(),
        value: tree.value(),
    };
    Ply { chosen, thought: Some(thought) }
}
