//! How a game is written down: as one line of JSON.

use serde::{Deserialize, Serialize};

use super::{Conditions, Played};
use crate::games::{
    BySide, Ending, Game, GameTag, Limits, Outcome, Referee, Side, Told, UNSAID_GAME, Verdict, only_told,
};
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
    /// `first`, `second` or `draw`; `none` if the game was not finished.
    pub winner: String,
    /// By what it ended; `unfinished` if it did not.
    pub by: String,
    /// More about that, in a sentence, where a word says too little.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What the record of a game says that was not finished: the winner, and by what.
const UNFINISHED: (&str, &str) = ("none", "unfinished");

impl Record {
    /// The record of a game played under these conditions.
    pub fn new<G: Playable>(
        played: &Played<G>,
        players: &[PlayerSpec<G>],
        conditions: &Conditions<G>,
    ) -> Record {
        let start = conditions.start();
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
            moves: move_texts(start, &played.moves),
            winner: scored.verdict.outcome.to_string(),
            by: scored.verdict.by.to_string(),
            note: played.forfeit.as_ref().map(|forfeit| forfeit.why.clone()),
        }
    }

    /// The record of a game that came about in another way: number `game` of its file, with this seed.
    pub fn told<G: Game>(told: &Told<G>, game: usize, seed: u64) -> Record {
        let (winner, by) = match told.verdict {
            Some(verdict) => (verdict.outcome.to_string(), verdict.by.to_string()),
            None => (UNFINISHED.0.to_string(), UNFINISHED.1.to_string()),
        };
        Record {
            game_name: G::NAME.to_string(),
            pairing: 0,
            game,
            seed,
            first: told.names.first.clone(),
            second: told.names.second.clone(),
            rules: told.start.rules().to_string(),
            repetition: keeps_repetition_rule(told),
            opening_plies: 0,
            start: told.start.to_string(),
            moves: move_texts(told.start, &told.moves),
            winner,
            by,
            note: None,
        }
    }

    /// The game as it is told, every move checked, and its end too.
    pub fn tell<G: Game>(&self) -> Result<Told<G>, RecordError> {
        let game = self.replay::<G>()?;
        let verdict = self.verdict(&game)?;
        Ok(Told {
            line: 1,
            names: BySide { first: self.first.clone(), second: self.second.clone() },
            comments: Vec::new(),
            start: game.positions()[0],
            moves: game.moves().to_vec(),
            verdict,
        })
    }

    /// How the game ended, if it did: what the record says must be what the moves show, or what they cannot show.
    fn verdict<G: Game>(&self, game: &Referee<G>) -> Result<Option<Verdict>, RecordError> {
        let Record { winner, by, .. } = self;
        let said =
            |verdict: &Verdict| verdict.outcome.to_string() == *winner && verdict.by.to_string() == *by;
        let turn = game.position().side_to_move();
        let outcomes = [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw];
        let draw = |by| Verdict { outcome: Outcome::Draw, by };
        let found = match game.verdict() {
            Some(shown) => Some(shown).filter(said),
            None if (winner.as_str(), by.as_str()) == UNFINISHED => return Ok(None),
            // Where the rule about repetition did not hold, people may have agreed on it.
            None if !self.repetition && said(&draw(Ending::Repetition)) => Some(draw(Ending::Repetition)),
            None if said(&draw(Ending::PlyCap)) => Some(draw(Ending::PlyCap)),
            None => outcomes.into_iter().filter_map(|outcome| only_told(by, outcome, turn)).find(said),
        };
        let error = || format!("the record says {winner} by {by}, its moves do not end like that");
        found.map(Some).ok_or_else(|| RecordError { ply: 0, error: error() })
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

fn move_texts<G: Game>(start: G, moves: &[G::Move]) -> Vec<String> {
    let mut position = start;
    let text = |m: &G::Move| {
        let text = position.move_text(*m);
        position = position.play(*m);
        text
    };
    moves.iter().map(text).collect()
}

/// Whether the game went on and ended as the rule about repeated positions asks.
fn keeps_repetition_rule<G: Game>(told: &Told<G>) -> bool {
    let mut game = Referee::within(told.start, Limits { ply_cap: usize::MAX, repetition: true });
    for m in &told.moves {
        if game.verdict().is_some() {
            return false;
        }
        game.play(*m);
    }
    let by_repetition = |verdict: &Verdict| verdict.by == Ending::Repetition;
    match game.verdict().filter(by_repetition) {
        Some(shown) => told.verdict == Some(shown),
        None => !told.verdict.as_ref().is_some_and(by_repetition),
    }
}

/// A recorded game that cannot have been played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{error}", if *ply == 0 { String::new() } else { format!("move {ply}: ") })]
pub struct RecordError {
    ply: usize,
    error: String,
}
