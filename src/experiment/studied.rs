//! Which experiments come with each game.

use crate::games::Side;
use crate::players::Playable;

/// A game that somebody has written about.
pub trait Studied: Playable {
    /// The experiments that come with the program: names and files.
    const EXPERIMENTS: &'static [(&'static str, &'static str)];

    /// Which of them has the published run of the tuner for this side (or both), if there is one.
    fn published(fixed: Option<Side>) -> Option<&'static str> {
        let _ = fixed;
        None
    }
}
