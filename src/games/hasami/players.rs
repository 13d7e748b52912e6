//! The players that only Hasami Shogi has: the report's way to draw random moves, and networks.

use std::sync::{Arc, LazyLock};

use rand_chacha::ChaCha8Rng;

use crate::game::{Referee, legal_moves};
use crate::games::hasami::net::QNetwork;
use crate::games::hasami::{Move, Position, Square};
use crate::players::{Entry, Forfeit, Player, PlayerSpec, Recipe};
use crate::random::pick;
use crate::search::{SearchInfo, SearchLimits};

/// What Hasami has beside the players of every game.
pub(super) fn players() -> Vec<Entry<Position>> {
    let entry = |name, group, help, make| Entry { name, group, help, options: Vec::new(), make };
    vec![
        entry(
            "random-piece",
            "random-piece",
            "any piece that can move, then any of its moves: the random player of the Hasami report's Table 13",
            |_| Ok(Arc::new(AnyPiece)),
        ),
        entry(
            "dqn",
            "known",
            "a network that learned by playing: against random, then alpha-beta, then itself",
            |_| Ok(Arc::new(CHAMPION.clone())),
        ),
        entry(
            "net=FILE",
            "net",
            "the move that a network values highest (a file of `dobutsu-ga learn dqn`)",
            |options| Ok(Arc::new(network(&options.file()?).map_err(|why| options.file_error(why))?)),
        ),
    ]
}

/// The network that comes with the program; docs/hasami.md says how it was trained.
static CHAMPION: LazyLock<Net> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../assets/networks/hasami.safetensors");
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
    fn choose(
        &mut self,
        game: &Referee<Position>,
        random: &mut ChaCha8Rng,
        _: &SearchLimits,
        _: &mut dyn FnMut(&SearchInfo<Move>),
    ) -> Result<Move, Forfeit> {
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
    let (network, fingerprint) = QNetwork::with_fingerprint(bytes)?;
    Ok(Net { network: Arc::new(network), fingerprint })
}

/// A network as a player, without any file.
pub fn network_player(network: &QNetwork) -> PlayerSpec<Position> {
    let fingerprint = network.fingerprint("");
    PlayerSpec::new("net", Arc::new(Net { network: Arc::new(network.clone()), fingerprint }))
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
    fn choose(
        &mut self,
        game: &Referee<Position>,
        _: &mut ChaCha8Rng,
        _: &SearchLimits,
        _: &mut dyn FnMut(&SearchInfo<Move>),
    ) -> Result<Move, Forfeit> {
        Ok(self.network.best(game.position()).expect("a game that goes on has a legal move"))
    }
}
