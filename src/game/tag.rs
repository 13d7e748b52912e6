//! Which game a file is about.

use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Game;

/// The game of files that do not say whose they are: they are older than the second game.
pub const UNSAID_GAME: &str = "dobutsu";

/// The name of a game in a file: it can be read only as that game.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct GameTag<G>(PhantomData<fn() -> G>);

impl<G: Game> GameTag<G> {
    /// Whether files leave it out.
    pub fn is_unsaid(&self) -> bool {
        G::NAME == UNSAID_GAME
    }

    /// Whether a file that says this, or nothing, is about this game; else a sentence.
    pub fn check(said: Option<&str>) -> Result<(), OtherGame> {
        OtherGame::check(said, G::NAME)
    }
}

/// A file about another game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is about {said}, not about {wanted}: --game {said} is for it")]
pub struct OtherGame {
    said: String,
    wanted: &'static str,
}

impl OtherGame {
    /// Whether a file that says this, or nothing, is about the wanted game.
    pub fn check(said: Option<&str>, wanted: &'static str) -> Result<(), OtherGame> {
        let said = said.unwrap_or(UNSAID_GAME);
        if said == wanted { Ok(()) } else { Err(OtherGame { said: said.chars().take(40).collect(), wanted }) }
    }
}

impl<G> Default for GameTag<G> {
    fn default() -> GameTag<G> {
        GameTag(PhantomData)
    }
}

impl<G: Game> fmt::Debug for GameTag<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(G::NAME)
    }
}

impl<G: Game> Serialize for GameTag<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(G::NAME)
    }
}

impl<'de, G: Game> Deserialize<'de> for GameTag<G> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameTag<G>, D::Error> {
        let said = String::deserialize(deserializer)?;
        GameTag::<G>::check(Some(&said)).map_err(serde::de::Error::custom)?;
        Ok(GameTag::default())
    }
}
