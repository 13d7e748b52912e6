//! Pairs of players against each other, sides swapped, from random openings: does a change make a player stronger?

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::arena::{Conditions, Estimate, PairCounts, Pairing, Standings, Tally, play_all, score_interval};
use crate::games::{BySide, Game};
use crate::players::{Effort, Forfeit, Playable, PlayerSpec, SpecError};
use crate::search::Limit;

/// A list of duels under the same conditions.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", bound = "G: Game")]
pub struct DuelsWork<G: Game> {
    /// How many games each duel has.
    pub games: usize,
    /// Where all chance comes from.
    pub seed: u64,
    /// By which rules.
    #[serde(default)]
    pub rules: G::Rules,
    /// With how many random moves each pair of games begins.
    pub opening_plies: usize,
    /// Who meets whom.
    pub pairs: Vec<DuelPair>,
}

/// Two players.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DuelPair {
    /// What is asked, in a few words.
    pub name: String,
    /// Whose score is told.
    pub player: String,
    /// Against whom.
    pub against: String,
    /// What a paper says of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paper: Option<PaperWins>,
}

/// How many games a paper's player won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PaperWins {
    /// Moving first.
    pub first: u64,
    /// Moving second.
    pub second: u64,
    /// Of so many on each side.
    pub games: u64,
}

/// How a duel went.
#[derive(Clone, Debug, PartialEq)]
pub struct DuelResult {
    /// The player's results on each side of the board.
    pub sides: BySide<Tally>,
    /// Its pairs of games.
    pub pairs: PairCounts,
    /// Plies a game, on average.
    pub plies: f64,
    /// Whether a clock was in play: then no two runs are alike.
    pub timed: bool,
    /// What the programs of others call themselves that played.
    pub programs: Vec<String>,
    /// How many of the games differ from all others: players that draw few lots play some again and again.
    pub different: usize,
    /// How many games a program has lost by something else than its play.
    pub faults: usize,
}

impl DuelResult {
    /// Both sides together.
    pub fn tally(&self) -> Tally {
        self.sides.first + self.sides.second
    }

    /// The player's score with its interval; pairs of games are the unit.
    pub fn score(&self) -> Estimate {
        score_interval(&self.tally(), &self.pairs)
    }
}

impl<G: Playable> DuelsWork<G> {
    /// The players of each pair, ready to play.
    pub fn players(&self) -> Result<Vec<[PlayerSpec<G>; 2]>, SpecError> {
        self.pairs.iter().map(|pair| Ok([pair.player.parse()?, pair.against.parse()?])).collect()
    }

    /// How many games there are.
    pub fn all_games(&self) -> usize {
        self.games * self.pairs.len()
    }

    /// Says what makes no sense, if anything.
    pub(super) fn check(&self) -> Result<(), String> {
        let even = self.games.is_multiple_of(2) && (2..=1_000_000).contains(&self.games);
        let more_than_all = |paper: &PaperWins| paper.first.max(paper.second) > paper.games;
        if self.pairs.iter().filter_map(|pair| pair.paper.as_ref()).any(more_than_all) {
            return Err("a paper's player cannot have won more games than there were".to_string());
        }
        match even && self.opening_plies <= 20 && !self.pairs.is_empty() {
            true => self.players().map(|_| ()).map_err(|error| error.to_string()),
            false => Err("it needs an even number of games, at most 20 random moves, and a pair".to_string()),
        }
    }
}

/// Plays so many games of two players, sides swapped, on all threads; `done` is told of each game's end.
pub fn run_duel<G: Playable>(
    players: &[PlayerSpec<G>; 2],
    games: usize,
    conditions: &Conditions<G>,
    done: &(dyn Fn() + Sync),
) -> DuelResult {
    let pairings = [Pairing { first: 0, second: 1, games, swap: true }];
    let played = play_all(players, &pairings, conditions, done);
    let scored: Vec<_> = played.iter().map(|game| game.scored).collect();
    let standings = Standings::new(2, &pairings, &scored);
    let plies: usize = scored.iter().map(|game| game.plies).sum();
    let by_clock = |player: &PlayerSpec<G>| matches!(player.effort(), Effort::Search(Limit::Time(_)));
    DuelResult {
        sides: standings.players[0],
        pairs: standings.pairs[0],
        plies: plies as f64 / scored.len() as f64,
        timed: players.iter().any(by_clock),
        different: scored.iter().map(|game| (game.first, game.fingerprint)).collect::<HashSet<_>>().len(),
        programs: players.iter().filter_map(PlayerSpec::program).collect(),
        faults: played.iter().filter(|game| game.forfeit.as_ref().is_some_and(Forfeit::is_fault)).count(),
    }
}

/// Plays all games of all duels on all threads; `done` is told of each game's end.
pub fn run_duels<G: Playable>(
    work: &DuelsWork<G>,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<DuelResult>, SpecError> {
    let conditions =
        Conditions { opening_plies: work.opening_plies, ..Conditions::new(work.rules, work.seed) };
    let duel = |players: [PlayerSpec<G>; 2]| run_duel(&players, work.games, &conditions, done);
    Ok(work.players()?.into_iter().map(duel).collect())
}
