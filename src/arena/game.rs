//! One game, all games, and how a game is written down.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::opening::open;
use super::{Openings, Pairing};
use crate::games::dobutsu::{Array, Position, Rules};
use crate::games::{DEFAULT_PLY_CAP, Game, Outcome, Referee, Side, Verdict};
use crate::players::{Player, PlayerSpec};
use crate::random::stream;
use rand_chacha::ChaCha8Rng;

/// Under what conditions games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// The rules.
    pub rules: Rules,
    /// How the pieces stand at first.
    pub array: Array,
    /// Where all chance comes from.
    pub seed: u64,
    /// How many random moves begin each game; both games of a pair begin with the same.
    pub opening_plies: usize,
    /// Where those may lead.
    pub openings: Openings,
    /// A game is drawn after this many plies.
    pub ply_cap: usize,
}

impl Conditions {
    /// Games by these rules from the game's own start, with nothing special about them.
    pub fn new(rules: Rules, seed: u64) -> Conditions {
        let (array, openings) = (Array::default(), Openings::default());
        Conditions { rules, array, seed, opening_plies: 0, openings, ply_cap: DEFAULT_PLY_CAP }
    }
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played {
    /// The number of its pairing.
    pub pairing: usize,
    /// Its number within the pairing.
    pub game: usize,
    /// Who moved first.
    pub first: usize,
    /// Who moved second.
    pub second: usize,
    /// How it ended.
    pub verdict: Verdict,
    /// The game itself.
    pub moves: Vec<<Position as Game>::Move>,
}

impl Played {
    /// The half points of the player who moved first: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points_of_first(&self) -> u32 {
        match self.verdict.outcome {
            Outcome::Win(Side::First) => 2,
            Outcome::Draw => 1,
            Outcome::Win(Side::Second) => 0,
        }
    }
}

/// Plays a game to its end and returns how it ended.
pub fn play_one<G: Game>(
    game: &mut Referee<G>,
    first: &mut dyn Player<G>,
    second: &mut dyn Player<G>,
    random: &mut ChaCha8Rng,
) -> Verdict {
    loop {
        if let Some(verdict) = game.verdict() {
            return verdict;
        }
        let m = match game.position().side_to_move() {
            Side::First => first.choose(game, random),
            Side::Second => second.choose(game, random),
        };
        game.play(m);
    }
}

/// Plays every game of every pairing; see [`play_games`].
pub fn play_all(
    players: &[PlayerSpec],
    pairings: &[Pairing],
    conditions: &Conditions,
    done: &(dyn Fn() + Sync),
) -> Vec<Played> {
    play_games(players, pairings, &schedule(pairings), conditions, done)
}

/// Every game of every pairing: the number of the pairing and the number of the game within it.
pub fn schedule(pairings: &[Pairing]) -> Vec<(usize, usize)> {
    let games = |(i, pairing): (usize, &Pairing)| (0..pairing.games).map(move |game| (i, game));
    pairings.iter().enumerate().flat_map(games).collect()
}

/// Plays these games of these pairings on all threads of the current rayon pool; `done` is told of each one's end.
///
/// The result, in the order of the schedule, does not depend on the number of threads: each game has its own stream of
/// random numbers.
pub fn play_games(
    players: &[PlayerSpec],
    pairings: &[Pairing],
    schedule: &[(usize, usize)],
    conditions: &Conditions,
    done: &(dyn Fn() + Sync),
) -> Vec<Played> {
    schedule
        .par_iter()
        .with_max_len(1)
        .map(|(pairing, game)| {
            let played = play_scheduled(players, pairings, conditions, *pairing, *game);
            done();
            played
        })
        .collect()
}

fn play_scheduled(
    players: &[PlayerSpec],
    pairings: &[Pairing],
    conditions: &Conditions,
    pairing: usize,
    game: usize,
) -> Played {
    let (first, second) = pairings[pairing].sides(game);
    let opening = if pairings[pairing].swap { game / 2 } else { game };
    let mut referee = open(conditions, pairing as u64, opening as u64).unwrap_or_else(|| {
        Referee::with_ply_cap(conditions.array.start(conditions.rules), conditions.ply_cap)
    });
    let mut random = stream(conditions.seed, pairing as u64, game as u64);
    let verdict =
        play_one(&mut referee, &mut *players[first].build(), &mut *players[second].build(), &mut random);
    Played { pairing, game, first, second, verdict, moves: referee.moves().to_vec() }
}

/// A game as one line of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
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
    pub fn new(played: &Played, players: &[PlayerSpec], conditions: &Conditions) -> Record {
        let start = conditions.array.start(conditions.rules);
        let mut position = start;
        let moves = played.moves.iter().map(|m| {
            let text = position.uci(*m);
            position = position.play(*m);
            text
        });
        Record {
            pairing: played.pairing,
            game: played.game,
            seed: conditions.seed,
            first: players[played.first].to_string(),
            second: players[played.second].to_string(),
            rules: conditions.rules.to_string(),
            opening_plies: conditions.opening_plies,
            start: start.to_string(),
            moves: moves.collect(),
            winner: played.verdict.outcome.to_string(),
            by: played.verdict.by.to_string(),
        }
    }

    /// The game with every move checked by the rules.
    pub fn replay(&self) -> Result<Referee<Position>, RecordError> {
        let wrong = |ply: usize, error: &dyn std::fmt::Display| RecordError { ply, error: error.to_string() };
        let rules: Rules = self.rules.parse().map_err(|error| wrong(0, &error))?;
        let start = Position::parse(&self.start, rules).map_err(|error| wrong(0, &error))?;
        let mut game = Referee::with_ply_cap(start, usize::MAX);
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
