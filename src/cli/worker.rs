//! What a process does that helps another: pieces of every work that is shared among processes, by kind and game.

use crate::arena::Games;
use crate::crew::{Hand, hand};
use crate::experiment::{Apart, Meeting};
use crate::games::GameName;
use crate::run::{Gating, Playing, Seeds};

/// Who does pieces of a work.
pub(super) fn find(kind: &str, game: &str, work: &[u8]) -> Result<Hand, String> {
    let name: GameName = game.parse().map_err(|error| format!("{error}"))?;
    let unknown = || Err(format!("this program knows no work '{kind}' of the game '{game}'"));
    match (kind, game) {
        ("islands", _) => with_game!(name, G => hand::<Apart<G>>(work)),
        ("meeting", _) => with_game!(name, G => hand::<Meeting<G>>(work)),
        ("seeds", _) => with_game!(name, G => hand::<Seeds<G>>(work)),
        ("games", _) => with_game!(name, G => hand::<Games<G>>(work)),
        ("self-play", _) => with_planar_game!(name, G => hand::<Playing<G>>(work), _ => unknown()),
        ("gate", _) => with_planar_game!(name, G => hand::<Gating<G>>(work), _ => unknown()),
        _ => unknown(),
    }
}
