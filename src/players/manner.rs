//! How a player with the weights of a genome thinks: everything about it but the weights.

use std::fmt::{self, Debug, Display};

use super::spec::{DEEPEST, Options};
use super::{Effort, PathPlayer, Playable, Player, SearchingPlayer, SpecError};
use crate::search::{Limit, Terminal};

/// A way to think. `Display` says everything that decides how it plays, whatever the defaults are today.
pub trait Manner<G: Playable>: Clone + Debug + Display + Send + Sync + 'static {
    /// The options it takes, as a person types them (`depth=N`), and what they mean.
    fn options() -> Vec<(&'static str, String)>;

    /// Takes its options.
    fn read(options: &mut Options<'_, G>) -> Result<Self, SpecError>;

    /// Looks so many plies ahead and is otherwise as the tuner's settings say.
    fn plain(depth: u32, terminal: Terminal, path: bool) -> Self;

    /// The same, looking so many plies ahead.
    fn at_depth(&self, depth: u32) -> Self;

    /// How hard it thinks.
    fn effort(&self) -> Effort;

    /// A player for one game.
    fn player(&self, evaluator: G::Evaluator) -> Box<dyn Player<G>>;
}

/// Looks at all lines to a fixed depth: the manner of the shogi games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookAhead {
    depth: u32,
    terminal: Terminal,
    /// Whether the values of all positions on the way are added up.
    path: bool,
}

impl Display for LookAhead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LookAhead { depth, terminal, path } = self;
        write!(f, "depth={depth} terminal={terminal} evaluate={}", if *path { "path" } else { "leaf" })
    }
}

impl<G: Playable> Manner<G> for LookAhead {
    fn options() -> Vec<(&'static str, String)> {
        vec![
            ("depth=N", format!("plies to look ahead, 1 to {DEEPEST} (default {})", G::DEPTH)),
            ("terminal=MODE", format!("how the end of the game is scored: {}", Terminal::choices::<G>())),
            ("evaluate=WHERE", "which positions of a line are valued: leaf or path".to_string()),
        ]
    }

    fn read(options: &mut Options<'_, G>) -> Result<LookAhead, SpecError> {
        let depth = options.depth(DEEPEST)?.unwrap_or(G::DEPTH);
        let terminal = match options.take("terminal") {
            None => Terminal::Paper,
            Some(text) => match text.parse() {
                Ok(Terminal::Through) if !G::GOES_ON => None,
                parsed => parsed.ok(),
            }
            .ok_or_else(|| options.wrong("terminal", Terminal::choices::<G>()))?,
        };
        let path = match options.take("evaluate") {
            None | Some("leaf") => false,
            Some("path") => true,
            Some(_) => return Err(options.wrong("evaluate", "leaf or path")),
        };
        Ok(LookAhead { depth, terminal, path })
    }

    fn plain(depth: u32, terminal: Terminal, path: bool) -> LookAhead {
        LookAhead { depth, terminal, path }
    }

    fn at_depth(&self, depth: u32) -> LookAhead {
        LookAhead { depth, ..*self }
    }

    fn effort(&self) -> Effort {
        match self.path {
            true => Effort::EveryLine(self.depth),
            false => Effort::Search(Limit::Depth(self.depth)),
        }
    }

    fn player(&self, evaluator: G::Evaluator) -> Box<dyn Player<G>> {
        let LookAhead { depth, terminal, path } = *self;
        match path {
            true => Box::new(PathPlayer { evaluator, depth, terminal }),
            false => Box::new(SearchingPlayer::new(evaluator, depth, terminal)),
        }
    }
}
