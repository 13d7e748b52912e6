//! How a game is written down: as one line of JSON.

use serde::{Deserialize, Serialize};

use super::{Conditions, Played};
use crate::games::{Game, GameTag, Limits, Referee, UNSAID_GAME};
use crate::players::{Playable, PlayerSpec};

fn unsaid_game() -> String {
    UNSAID_GAME.to_string()
}

fn is_unsaid(game: &str) -> bool {
    game == UNSAID_GAME
}

fn yes() -> bool {
    true
}

/// A game as one line of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Which game it is.
    #[serde(default = "unsaid_game", skip_serializing_if = "is_unsaid")]
    pub game_name: String,
    /// The number of its pairing.
    pub pairing: usize,
    /// Its number within the pairing.
    pub game: usize,
    /// The seed of the run.
    pub seed: u64,
    /// The name of the player who moved first.
    pub first: String,
    /// The name of the player who moved second.
    pub second: String,
    /// The rules.
    pub rules: String,
    /// Whether the game's rule about repeated positions held.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub repetition: bool,
    /// How many of the moves are a random opening.
    pub opening_plies: usize,
    /// The position in which the game began, as FEN.
    pub start: String,
    /// The moves in UCI form.
    pub moves: Vec<String>,
    /// `first`, `second` or `draw`.
    pub winner: String,
    /// By what it ended.
    pub by: String,
}

impl Record {
    /// The record of a game played under these conditions.
    pub fn new<G: Playable>(
        played: &Played<G>,
        players: &[PlayerSpec<G>],
        conditions: &Conditions<G>,
    ) -> Record {
        let start = conditions.start();
        let mut position = start;
        let moves = played.moves.iter().map(|m| {
            let text = position.move_text(*m);
            position = position.play(*m);
            text
        });
        let scored = &played.scored;
        Record {
            game_name: G::NAME.to_string(),
            pairing: scored.pairing,
            game: scored.game,
            seed: conditions.seed,
            first: players[scored.first].to_string(),
            second: players[scored.second].to_string(),
            rules: conditions.rules.to_string(),
            repetition: conditions.limits.repetition,
            opening_plies: conditions.opening_plies,
            start: start.to_string(),
            moves: moves.collect(),
            winner: scored.verdict.outcome.to_string(),
            by: scored.verdict.by.to_string(),
        }
    }

    /// The game with every move checked by the rules. The record must be one of this game.
    pub fn replay<G: Game>(&self) -> Result<Referee<G>, RecordError> {
        let wrong = |ply: usize, error: &dyn std::fmt::Display| RecordError { ply, error: error.to_string() };
        GameTag::<G>::check(Some(&self.game_name)).map_err(|error| wrong(0, &error))?;
        let rules: G::Rules = self.rules.parse().map_err(|error| wrong(0, &error))?;
        let start = G::parse(&self.start, rules).map_err(|error| wrong(0, &error))?;
        let mut game = Referee::within(start, Limits { ply_cap: usize::MAX, repetition: self.repetition });
        for (ply, text) in (1..).zip(&self.moves) {
            let m = game.position().parse_move(text).map_err(|error| wrong(ply, &error))?;
            game.try_play(m).map_err(|error| wrong(ply, &error))?;
        }
        Ok(game)
    }
}

/// A recorded game that cannot have been played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{error}", if *ply == 0 { String::new() } else { format!("move {ply}: ") })]
pub struct RecordError {
    ply: usize,
    error: String,
}
