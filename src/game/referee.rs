//! A game in progress: the position with its history, and the draws that only history can tell.

use serde::{Deserialize, Serialize};

use super::{Ending, Game, MoveError, Outcome, Verdict};

/// Room for this many plies is made at once: most games need no more.
const USUAL_PLIES: usize = 64;

/// Plays one game of any kind from start to end.
///
/// ```
/// use dobutsu_ga::game::{Game, Referee};
/// use dobutsu_ga::games::dobutsu::{Position, Rules};
/// let mut game = Referee::new(Position::start(Rules::Paper));
/// for text in ["c1c2", "a4a3", "c2c1", "a3a4", "c1c2", "a4a3", "c2c1", "a3a4"] {
///     let m = game.position().parse_move(text)?;
///     game.try_play(m)?;
/// }
/// assert_eq!(game.verdict().unwrap().by.to_string(), "repetition");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Referee<G: Game> {
    /// The first is where the game began, the last is now: never empty.
    positions: Vec<G>,
    /// One for each position: comparing them is most of what the repetition rule costs.
    keys: Vec<G::Key>,
    moves: Vec<G::Move>,
    limits: Limits,
}

/// What ends a game that the position does not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// A game is drawn after this many plies.
    pub ply_cap: usize,
    /// Whether the game's rule about repeated positions holds.
    pub repetition: bool,
}

impl Limits {
    /// Those of a game unless asked otherwise.
    pub const fn of<G: Game>() -> Limits {
        Limits { ply_cap: G::PLY_CAP, repetition: true }
    }
}

impl<G: Game> Referee<G> {
    /// A game from this position, drawn after [`Game::PLY_CAP`] plies.
    pub fn new(start: G) -> Self {
        Self::within(start, Limits::of::<G>())
    }

    /// A game from this position, drawn after `ply_cap` plies.
    pub fn with_ply_cap(start: G, ply_cap: usize) -> Self {
        Self::within(start, Limits { ply_cap, ..Limits::of::<G>() })
    }

    /// A game from this position within these limits.
    pub fn within(start: G, limits: Limits) -> Self {
        let mut game = Referee {
            positions: Vec::with_capacity(USUAL_PLIES),
            keys: Vec::with_capacity(USUAL_PLIES),
            moves: Vec::with_capacity(USUAL_PLIES),
            limits,
        };
        game.positions.push(start);
        game.keys.push(start.key());
        game
    }

    /// The position now.
    pub fn position(&self) -> &G {
        self.positions.last().expect("a game has a first position")
    }

    /// Every position so far, the first one included.
    pub fn positions(&self) -> &[G] {
        &self.positions
    }

    /// What ends the game that the position does not decide.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The moves so far.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// How the game ended, or `None` while it goes on.
    pub fn verdict(&self) -> Option<Verdict> {
        let now = self.position();
        if let Some(outcome) = now.outcome() {
            let word = now.decided_by().expect("a decided game says by what");
            return Some(Verdict { outcome, by: Ending::Decided(word) });
        }
        if self.repetitions().is_some_and(|most| self.occurrences() >= most) {
            return Some(Verdict { outcome: G::repeated(self.since_first()), by: Ending::Repetition });
        }
        if self.moves.len() >= self.limits.ply_cap {
            return Some(Verdict { outcome: Outcome::Draw, by: Ending::PlyCap });
        }
        None
    }

    /// After how many occurrences of a position this game is over; `None` if it never is.
    fn repetitions(&self) -> Option<usize> {
        G::repetitions(self.position().rules()).filter(|_| self.limits.repetition)
    }

    /// Whether a position that comes up too often ends this game.
    pub fn counts_repetitions(&self) -> bool {
        self.repetitions().is_some()
    }

    /// The positions from the first occurrence of the present one to now.
    fn since_first(&self) -> &[G] {
        let now = self.keys.last();
        let first = self.keys.iter().position(|key| Some(key) == now).unwrap_or(0);
        &self.positions[first..]
    }

    /// How often the present position has occurred, now included.
    pub fn occurrences(&self) -> usize {
        let now = self.keys.last();
        self.keys.iter().filter(|earlier| Some(*earlier) == now).count()
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// May panic if the game is over or the move is not legal: see [`try_play`](Referee::try_play).
    pub fn play(&mut self, m: G::Move) {
        self.push(m, self.position().play(m));
    }

    fn push(&mut self, m: G::Move, next: G) {
        self.positions.push(next);
        self.keys.push(next.key());
        self.moves.push(m);
    }

    /// Plays a move, or says why it cannot be played and changes nothing.
    pub fn try_play(&mut self, m: G::Move) -> Result<(), RefereeError> {
        if let Some(Verdict { by, .. }) = self.verdict() {
            return Err(RefereeError::GameOver(by));
        }
        self.push(m, self.position().try_play(m)?);
        Ok(())
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<G::Move> {
        let m = self.moves.pop()?;
        self.positions.pop();
        self.keys.pop();
        Some(m)
    }
}

/// Why a move cannot be played in this game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefereeError {
    /// Nothing can be played any more.
    #[error("the game is over ({0}), no move can follow")]
    GameOver(Ending),
    /// The move itself is wrong.
    #[error(transparent)]
    Move(#[from] MoveError),
}
