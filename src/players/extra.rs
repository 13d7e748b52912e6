//! Players that only some games have.

use std::fmt::Debug;
use std::sync::Arc;

use super::{Effort, Options, Playable, Player, SpecError};
use crate::eval::{Genome, GenomeError};
use crate::files;
use crate::games::Referee;
use crate::search::Tree;

/// A kind of player that only some games have, as the table of players lists it.
pub struct Extra<G: Playable> {
    /// What to type; `NAME=FILE` if a file follows.
    pub name: &'static str,
    /// With which others it belongs together: the page has words for each group.
    pub group: &'static str,
    /// What it is, in a line.
    pub help: &'static str,
    /// The options it takes, as a person types them, and what they mean.
    pub options: &'static [(&'static str, &'static str)],
    /// Makes it from its options and its file, if it has one.
    pub make: MakeExtra<G>,
}

/// Makes a player from its options and the name of its file.
pub type MakeExtra<G> = fn(&mut Options<'_, G>, Option<&str>) -> Result<Arc<dyn Recipe<G>>, SpecError>;

/// What is needed to build such a player, checked and ready.
pub trait Recipe<G: Playable>: Debug + Send + Sync {
    /// A player for one game.
    fn player(&self) -> Box<dyn Player<G>>;

    /// Everything that decides how it plays, whatever the defaults are today.
    fn describe(&self) -> String;

    /// Makes sure that everything is there, or says what is missing.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// How hard it thinks.
    fn effort(&self) -> Effort {
        Effort::None
    }

    /// Whether it can be asked for a move in this position, which is not over.
    fn knows(&self, position: &G) -> bool {
        let _ = position;
        true
    }

    /// How it looks at a game that goes on, move by move, if it grows a tree.
    fn tree(&self, game: &Referee<G>) -> Option<Tree<G>> {
        let _ = game;
        None
    }

    /// If it is a program of others: what that calls itself, as far as it has said so.
    fn program(&self) -> Option<String> {
        None
    }
}

/// Where players find what they are made of.
pub trait Shelf<G: Playable> {
    /// The genome of a name.
    fn genome(&self, name: &str) -> Result<Genome<G>, GenomeError>;

    /// The content of the file of a name, or why there is none.
    fn file(&self, name: &str) -> Result<Vec<u8>, String>;

    /// Why no programs of others may be started, if so.
    fn programs_forbidden(&self) -> Option<&'static str> {
        None
    }
}

/// Names are paths.
pub struct OnDisk;

impl<G: Playable> Shelf<G> for OnDisk {
    fn genome(&self, name: &str) -> Result<Genome<G>, GenomeError> {
        Genome::load(name.as_ref())
    }

    fn file(&self, name: &str) -> Result<Vec<u8>, String> {
        let found = files::read_if_there(name.as_ref()).map_err(|error| error.to_string())?;
        found.ok_or_else(|| "there is no such file".to_string())
    }
}
