//! One game, and all games.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::opening::opened;
use super::{Openings, Pairing};
use crate::game::{BySide, Game, GameRecord, Limits, Outcome, Referee, Side, Verdict};
use crate::parallel;
use crate::players::{Forfeit, Playable, Player, PlayerSpec};
use crate::random::stream;
use crate::search::SearchLimits;

/// Under what conditions games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound = "G: Game")]
pub struct Conditions<G: Game> {
    /// The rules.
    pub rules: G::Rules,
    /// How the pieces stand at first.
    pub array: G::Array,
    /// Where all chance comes from.
    pub seed: u64,
    /// How many random moves begin each game; both games of a pair begin with the same.
    pub opening_plies: usize,
    /// Where those may lead.
    pub openings: Openings,
    /// What ends a game that the position does not decide.
    pub limits: Limits,
}

impl<G: Game> Conditions<G> {
    /// Games by these rules from the game's own start, with nothing special about them.
    pub fn new(rules: G::Rules, seed: u64) -> Conditions<G> {
        let (array, openings, limits) = (G::Array::default(), Openings::default(), Limits::of::<G>());
        Conditions { rules, array, seed, opening_plies: 0, openings, limits }
    }

    /// The position in which games begin.
    pub fn start(&self) -> G {
        G::start_from(self.array, self.rules)
    }
}

/// How a game went: all that standings and ratings need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
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
    /// How many moves it took.
    pub plies: usize,
    /// A number that tells two games apart, nearly always.
    pub fingerprint: u64,
}

/// A finished game, with its moves. It is smaller than its [record](Played::record): a match holds all of its games at once, and
/// names, start and limits are the same in all of them.
#[derive(Clone, Debug)]
pub struct Played<G: Game> {
    /// How it went.
    pub scored: Scored,
    /// The game itself.
    pub moves: Vec<G::Move>,
    /// By what a player lost who had no move to make.
    pub forfeit: Option<Forfeit>,
}

impl<G: Playable> Played<G> {
    /// The whole game, of these players under these conditions.
    pub fn record(&self, players: &[PlayerSpec<G>], conditions: &Conditions<G>) -> GameRecord<G> {
        let Scored { pairing, game, first, second, verdict, .. } = self.scored;
        GameRecord {
            names: BySide { first: players[first].to_string(), second: players[second].to_string() },
            seed: Some(conditions.seed),
            pairing,
            game,
            opening_plies: conditions.opening_plies,
            limits: conditions.limits,
            moves: self.moves.clone(),
            verdict: Some(verdict),
            note: self.forfeit.as_ref().map(|forfeit| forfeit.why.clone()),
            ..GameRecord::new(conditions.start())
        }
    }
}

impl Scored {
    /// The half points of the player who moved first: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points_of_first(&self) -> u32 {
        match self.verdict.outcome {
            Outcome::Win(Side::First) => 2,
            Outcome::Draw => 1,
            Outcome::Win(Side::Second) => 0,
        }
    }

    /// Whether the two are the same opening with sides swapped, in a pairing that swaps them.
    pub fn is_pair_of(&self, other: &Scored) -> bool {
        self.pairing == other.pairing && self.game ^ 1 == other.game
    }
}

/// Plays a game to its end and returns how it ended, and why if somebody gave it up.
pub fn play_one<G: Game>(
    game: &mut Referee<G>,
    first: &mut dyn Player<G>,
    second: &mut dyn Player<G>,
    random: &mut ChaCha8Rng,
) -> (Verdict, Option<Forfeit>) {
    loop {
        if let Some(end) = play_move(game, first, second, random) {
            return end;
        }
    }
}

/// Plays one move, or returns how the game ended.
fn play_move<G: Game>(
    game: &mut Referee<G>,
    first: &mut dyn Player<G>,
    second: &mut dyn Player<G>,
    random: &mut ChaCha8Rng,
) -> Option<(Verdict, Option<Forfeit>)> {
    if let Some(verdict) = game.verdict() {
        return Some((verdict, None));
    }
    let side = game.position().side_to_move();
    let chosen = match side {
        Side::First => first.choose(game, random, &SearchLimits::NONE, &mut |_| ()),
        Side::Second => second.choose(game, random, &SearchLimits::NONE, &mut |_| ()),
    };
    match chosen {
        Ok(m) => {
            game.play(m);
            None
        }
        Err(forfeit) => Some((forfeit.verdict(side), Some(forfeit))),
    }
}

/// Plays every game of every pairing; see [`play_games`].
pub fn play_all<G: Playable>(
    players: &[PlayerSpec<G>],
    pairings: &[Pairing],
    conditions: &Conditions<G>,
    done: &(dyn Fn() + Sync),
) -> Vec<Played<G>> {
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
pub fn play_games<G: Playable>(
    players: &[PlayerSpec<G>],
    pairings: &[Pairing],
    schedule: &[(usize, usize)],
    conditions: &Conditions<G>,
    done: &(dyn Fn() + Sync),
) -> Vec<Played<G>> {
    play_until(&AtomicBool::new(false), players, pairings, schedule, conditions, done)
}

/// The same until `stop` is set: games that are not over by then are given up and left out.
pub fn play_until<G: Playable>(
    stop: &AtomicBool,
    players: &[PlayerSpec<G>],
    pairings: &[Pairing],
    schedule: &[(usize, usize)],
    conditions: &Conditions<G>,
    done: &(dyn Fn() + Sync),
) -> Vec<Played<G>> {
    let play = |_: usize, slot: &(usize, usize)| {
        let played = play_scheduled(stop, players, pairings, conditions, *slot)?;
        done();
        Some(played)
    };
    parallel::map(schedule, play).into_iter().flatten().collect()
}

fn play_scheduled<G: Playable>(
    stop: &AtomicBool,
    players: &[PlayerSpec<G>],
    pairings: &[Pairing],
    conditions: &Conditions<G>,
    (pairing, game): (usize, usize),
) -> Option<Played<G>> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let (first, second) = pairings[pairing].sides(game);
    let opening = if pairings[pairing].swap { game / 2 } else { game };
    let mut referee = opened(conditions, pairing as u64, opening as u64);
    let mut random = stream(conditions.seed, pairing as u64, game as u64);
    let (mut first, mut second) = (players[first].build(), players[second].build());
    while !stop.load(Ordering::Relaxed) {
        if let Some(end) = play_move(&mut referee, &mut *first, &mut *second, &mut random) {
            // An engine that was killed because of the stop has not lost.
            let is_given_up = end.1.is_some() && stop.load(Ordering::Relaxed);
            return (!is_given_up).then(|| played(pairings, (pairing, game), &referee, end));
        }
    }
    None
}

/// A game that is over, with all that is told of it.
pub(super) fn played<G: Game>(
    pairings: &[Pairing],
    (pairing, game): (usize, usize),
    referee: &Referee<G>,
    (verdict, forfeit): (Verdict, Option<Forfeit>),
) -> Played<G> {
    let (first, second) = pairings[pairing].sides(game);
    let mut hasher = DefaultHasher::new();
    referee.moves().hash(&mut hasher);
    let (plies, fingerprint) = (referee.moves().len(), hasher.finish());
    let scored = Scored { pairing, game, first, second, verdict, plies, fingerprint };
    Played { scored, moves: referee.moves().to_vec(), forfeit }
}
