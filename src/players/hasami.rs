//! The players of Hasami Shogi: the report's alpha-beta, its way to draw random moves, and networks.

use std::fmt;
use std::sync::{Arc, LazyLock};

use rand_chacha::ChaCha8Rng;

use super::searching::told_choice;
use super::spec::{DEEPEST, Options};
use super::{Effort, Extra, Forfeit, Manner, Player, PlayerSpec, Recipe, SpecError};
use crate::eval::Weighted;
use crate::eval::hasami::HasamiEvaluator;
use crate::files::fingerprint;
use crate::games::hasami::{Move, Position, Square};
use crate::games::{Referee, Variant, legal_moves};
use crate::nets::Tensors;
use crate::nets::hasami::QNetwork;
use crate::random::pick;
use crate::search::{AlphaBeta, Limit, Order, Report, Terminal};

crate::variants! {
    /// Which of equally good moves is played.
    pub enum Ties, "way to choose among equals" {
        /// The first, in board order, as in the report.
        First = "first", "the first in board order, as in the report";
        /// Any.
        Random = "random", "any of them";
    }
}

/// Looks at all lines to a fixed depth and knows a won game when it sees one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstOrAny {
    depth: u32,
    ties: Ties,
}

impl fmt::Display for FirstOrAny {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "depth={} ties={}", self.depth, self.ties)
    }
}

impl Manner<Position> for FirstOrAny {
    fn options() -> Vec<(&'static str, String)> {
        vec![
            ("depth=N", format!("plies to look ahead, 1 to {DEEPEST} (default {})", Position::DEPTH)),
            ("ties=WHICH", format!("which of equally good moves is played: {}", Ties::choices())),
        ]
    }

    fn read(options: &mut Options<'_, Position>) -> Result<FirstOrAny, SpecError> {
        let depth = options.depth(DEEPEST)?.unwrap_or(Position::DEPTH);
        let ties = options.take("ties").map(str::parse).transpose()?.unwrap_or_default();
        Ok(FirstOrAny { depth, ties })
    }

    fn plain(depth: u32, _: Terminal, _: bool) -> FirstOrAny {
        FirstOrAny { depth, ties: Ties::First }
    }

    fn at_depth(&self, depth: u32) -> FirstOrAny {
        FirstOrAny { depth, ..*self }
    }

    fn effort(&self) -> Effort {
        Effort::Search(Limit::Depth(self.depth))
    }

    fn player(&self, evaluator: HasamiEvaluator) -> Box<dyn Player<Position>> {
        let search = AlphaBeta::new(self.depth, Terminal::Exact);
        Box::new(AlphaBetaPlayer { evaluator, search, ties: self.ties })
    }
}

struct AlphaBetaPlayer {
    evaluator: HasamiEvaluator,
    search: AlphaBeta<Position>,
    ties: Ties,
}

impl AlphaBetaPlayer {
    /// One of the best moves that were found.
    fn chosen(&self, random: &mut ChaCha8Rng) -> Move {
        match self.ties {
            Ties::First => self.search.best()[0],
            Ties::Random => pick(random, self.search.best()),
        }
    }
}

impl Player<Position> for AlphaBetaPlayer {
    fn choose(&mut self, game: &Referee<Position>, random: &mut ChaCha8Rng) -> Result<Move, Forfeit> {
        self.search.search(game.position(), &self.evaluator);
        Ok(self.chosen(random))
    }

    fn think(
        &mut self,
        game: &Referee<Position>,
        random: &mut ChaCha8Rng,
        order: &Order,
        tell: &mut dyn FnMut(&Report<Move>),
    ) -> Result<Move, Forfeit> {
        let mut last = None;
        self.search.deepen(game.position(), &self.evaluator, order, &mut |report| {
            tell(report);
            last = Some(report.clone());
        });
        Ok(told_choice(self.chosen(random), last, tell))
    }
}

/// What Hasami has beside the players of every game.
pub const EXTRAS: &[Extra<Position>] = &[
    Extra {
        name: "random-piece",
        group: "random-piece",
        help: "any piece that can move, then any of its moves: the random player of the Hasami report's Table 13",
        options: &[],
        make: |_, _| Ok(Arc::new(AnyPiece)),
    },
    Extra {
        name: "dqn",
        group: "known",
        help: "a network that learned by playing: against random, then alpha-beta, then itself",
        options: &[],
        make: |_, _| Ok(Arc::new(CHAMPION.clone())),
    },
    Extra {
        name: "net=FILE",
        group: "net",
        help: "the move that a network values highest (a file of `dobutsu-ga learn dqn`)",
        options: &[],
        make: |options, file| {
            let bytes = options.file(file.unwrap_or_default())?;
            Ok(Arc::new(network(&bytes).map_err(|why| options.file_error(why))?))
        },
    },
];

/// The network that comes with the program; docs/hasami.md says how it was trained.
static CHAMPION: LazyLock<Net> = LazyLock::new(|| {
    let bytes = include_bytes!("../../results/hasami/champion/network.safetensors");
    network(bytes).expect("the network that comes with the program is in order")
});

/// Draws a piece, and then one of its moves.
#[derive(Clone, Copy, Debug)]
struct AnyPiece;

impl Recipe<Position> for AnyPiece {
    fn player(&self) -> Box<dyn Player<Position>> {
        Box::new(AnyPiece)
    }

    fn describe(&self) -> String {
        "any piece that can move, then any of its moves".to_string()
    }
}

impl Player<Position> for AnyPiece {
    fn choose(&mut self, game: &Referee<Position>, random: &mut ChaCha8Rng) -> Result<Move, Forfeit> {
        let position = game.position();
        let pieces = position.pieces(position.turn());
        let movable: Vec<Square> = pieces.filter(|square| position.reach(*square) > 0).collect();
        let from = pick(random, &movable);
        let moves: Vec<Move> = legal_moves(position).into_iter().filter(|m| m.from == from).collect();
        Ok(pick(random, &moves))
    }
}

/// A network that plays.
#[derive(Clone, Debug)]
struct Net {
    network: Arc<QNetwork>,
    fingerprint: String,
}

fn network(bytes: &[u8]) -> Result<Net, String> {
    let network = Arc::new(QNetwork::from_bytes(bytes)?);
    // Of the file as it was before files had checksums: results name networks by it.
    let fingerprint = fingerprint(&Tensors::from_bytes(bytes)?.verified()?.to_bytes());
    Ok(Net { network, fingerprint })
}

/// A network as a player, without any file.
pub fn network_player(network: &QNetwork) -> PlayerSpec<Position> {
    let fingerprint = network.fingerprint();
    PlayerSpec::extra("net", Arc::new(Net { network: Arc::new(network.clone()), fingerprint }))
}

impl Recipe<Position> for Net {
    fn player(&self) -> Box<dyn Player<Position>> {
        Box::new(self.clone())
    }

    fn describe(&self) -> String {
        format!("highest value by the network {}", self.fingerprint)
    }
}

impl Player<Position> for Net {
    fn choose(&mut self, game: &Referee<Position>, _: &mut ChaCha8Rng) -> Result<Move, Forfeit> {
        Ok(self.network.best(game.position()).expect("a game that goes on has a legal move"))
    }
}
