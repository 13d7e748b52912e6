//! Players: the texts that name them, the same in every command, and how they choose a move.

mod bench;
mod blunder;
mod engine;
mod info;
mod levels;
mod method;
mod network;
mod perfect;
mod random;
mod recipe;
mod registry;
mod searching;
mod spec;

pub use bench::{Bench, BenchSearch};
pub use blunder::BlunderRate;
pub use info::GameInfo;
pub use levels::{Level, WITHIN, level};
pub use method::{FullWidth, Method, depth_option, depth_or_time, effort_of, selective_player};
pub use network::{Networked, PLAYING, dual_player, network_players};
pub use perfect::worth_of_moves;
pub use random::RandomPlayer;
pub use recipe::{Effort, Recipe};
pub use registry::{Entry, Make, OnDisk, Options, PlayerKind, PlayerOption, Shelf, entries, help};
pub use searching::{DeepeningPlayer, FullWidthPlayer, Ties};
pub use spec::{PlayerSpec, SpecError};

use rand_chacha::ChaCha8Rng;

use crate::game::{
    Ending, Game, Outcome, Referee, Shown, Side, Solutions, Spoken, Tactics, Verdict, Weakness, Weighted,
};
use crate::search::{SearchInfo, SearchLimits};

/// A player in one game.
pub trait Player<G: Game> {
    /// A legal move in a game that is not over, or why there is none: then the game is lost. All chance comes from `random`. What the limits
    /// leave open the player decides itself; players that search call `on_info` as they go on.
    fn choose(
        &mut self,
        game: &Referee<G>,
        random: &mut ChaCha8Rng,
        limits: &SearchLimits,
        on_info: &mut dyn FnMut(&SearchInfo<G::Move>),
    ) -> Result<G::Move, Forfeit>;
}

/// Loss by forfeit (external engines only).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Forfeit {
    /// In a word.
    pub by: Ending,
    /// In a sentence.
    pub why: String,
}

impl Forfeit {
    /// How a game has ended that this side has given up.
    pub fn verdict(&self, side: Side) -> Verdict {
        Verdict { outcome: Outcome::Win(!side), by: self.by }
    }

    /// Whether it did something wrong. To give up a lost game is no fault.
    pub fn is_fault(&self) -> bool {
        self.by.is_fault()
    }
}

/// A game that players can be named for.
pub trait Playable: Weighted + Spoken + Shown {
    /// How players with a genome search.
    type Method: Method<Self>;

    /// Where the solutions of the game are found, or [`Unsolved`](crate::game::Unsolved).
    type Solutions: Solutions<Self>;

    /// What else comes with the game.
    const OFFER: Offer<Self>;
}

/// What comes with a game, as data.
pub struct Offer<G: Playable> {
    /// The players that only this game has.
    pub players: fn() -> Vec<Entry<G>>,
    /// The player `strong`, with limits of its own.
    pub strong: fn(G::Evaluator, SearchLimits) -> Box<dyn Player<G>>,
    /// Opponents from the easiest to the strongest, for the page and for `dobutsu-ga ladder`, which measures them.
    pub levels: &'static [Level],
    /// The rules by which the steps between levels are measured: those that a newcomer learns. The game's first, if none are named.
    pub ladder_rules: Option<G::Rules>,
    /// Whether it has an encoding for networks with two heads: then AlphaZero learns it.
    pub has_network: bool,
    /// Players against which learners are measured.
    pub baselines: &'static [&'static str],
    /// Judges a move by a look one exchange ahead: learners count weak moves by it.
    pub tactics: Option<fn(&G, G::Move) -> Tactics>,
    /// Weak moves that experiments can count.
    pub weaknesses: &'static [Weakness<G>],
    /// What `dobutsu-ga bench` measures.
    pub bench: Bench,
    /// The experiments that come with the program: names and files.
    pub experiments: &'static [(&'static str, &'static str)],
    /// Which of them has the published run of the tuner for this side (or both).
    pub published: &'static [(Option<Side>, &'static str)],
}

impl<G: Playable> Offer<G> {
    /// Nothing special.
    pub const DEFAULT: Offer<G> = Offer {
        players: Vec::new,
        strong: method::exact_player::<G, G::Evaluator>,
        levels: &[],
        ladder_rules: None,
        has_network: false,
        baselines: &["random"],
        tactics: None,
        weaknesses: &[],
        bench: Bench { positions: &[], searches: &[] },
        experiments: &[],
        published: &[],
    };
}
