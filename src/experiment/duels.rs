//! Pairs of players against each other, sides swapped, from random openings: does a change make a player stronger?

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::arena::{
    Cluster, ClusterSums, Conditions, Estimate, Games, PairCounts, Pairing, Played, Standings, Tally,
    play_all, play_games, schedule, score_interval,
};
use crate::experiment::store;
use crate::experiment::store::Store;
use crate::files::FileError;
use crate::game::{BySide, Game, Side, Weakness};
use crate::parallel;
use crate::players::{Effort, Forfeit, Playable, PlayerSpec, SpecError};
use crate::random::MOST_SEED;

/// A list of duels under the same conditions.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", bound = "G: Game")]
pub struct DuelsWork<G: Game> {
    /// How many games each duel has.
    pub games: usize,
    /// Where all chance comes from.
    pub seed: u64,
    /// Number of consecutive seeds; each plays `games` games.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub seeds: u64,
    /// By which rules.
    #[serde(default)]
    pub rules: G::Rules,
    /// With how many random moves each pair of games begins.
    pub opening_plies: usize,
    /// Whether the weak moves of each pair's player are counted, where the game says what those are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub weaknesses: bool,
    /// The commands that make the files of players, by the file: who has none of them is told how to get it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub made_by: BTreeMap<String, String>,
    /// A game is drawn after this many plies; the game's own number if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply_cap: Option<usize>,
    /// What changes from pair to pair, if the score is drawn as a curve over it: a line for each opponent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curve: Option<String>,
    /// Who meets whom.
    pub pairs: Vec<DuelPair>,
    /// Published results of players that we do not have: rows of the table without a verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<PublishedDuel>,
}

fn one() -> u64 {
    1
}

fn is_one(seeds: &u64) -> bool {
    *seeds == 1
}

/// Two players.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DuelPair {
    /// What is asked, in a few words.
    pub name: String,
    /// The player whose score is reported.
    pub player: String,
    /// Against whom.
    pub against: String,
    /// What a paper says of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paper: Option<PaperWins>,
    /// Where it lies on the axis of a curve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u32>,
}

/// A published result of two players that are not ours.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedDuel {
    /// In a few words.
    pub name: String,
    /// The player whose score is reported.
    pub player: String,
    /// Against whom.
    pub against: String,
    /// Wins, draws and losses moving first.
    pub first: [u64; 3],
    /// The same moving second.
    pub second: [u64; 3],
}

impl PublishedDuel {
    /// The results on each side of the board.
    pub fn sides(&self) -> [Tally; 2] {
        [self.first, self.second].map(|[wins, draws, losses]| Tally { wins, draws, losses })
    }
}

impl DuelPair {
    /// Two players of whom no paper says anything.
    pub fn new(name: &str, player: &str, against: &str) -> DuelPair {
        let [name, player, against] = [name, player, against].map(String::from);
        DuelPair { name, player, against, paper: None, at: None }
    }
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
    /// How many of the player's moves are weak, for each weakness of the game, clustered by game; empty unless they are counted.
    pub weaknesses: Vec<ClusterSums>,
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
    /// Duels with nothing special about them.
    pub fn new(
        games: usize,
        seed: u64,
        rules: G::Rules,
        opening_plies: usize,
        pairs: Vec<DuelPair>,
    ) -> DuelsWork<G> {
        DuelsWork {
            games,
            seed,
            seeds: 1,
            rules,
            opening_plies,
            weaknesses: false,
            made_by: BTreeMap::new(),
            ply_cap: None,
            curve: None,
            pairs,
            published: Vec::new(),
        }
    }

    /// Under what conditions all of them are played, for each seed.
    fn conditions(&self) -> impl Iterator<Item = Conditions<G>> {
        (self.seed..self.seed + self.seeds).map(|seed| self.conditions_of(seed))
    }

    fn conditions_of(&self, seed: u64) -> Conditions<G> {
        let mut conditions = Conditions::new(self.rules, seed);
        conditions.opening_plies = self.opening_plies;
        conditions.limits.ply_cap = self.ply_cap.unwrap_or(G::PLY_CAP);
        conditions
    }

    /// The players of each pair, ready to play.
    pub fn players(&self) -> Result<Vec<[PlayerSpec<G>; 2]>, SpecError> {
        let player = |text: &String| match self.not_made(text) {
            Some((file, command)) => Err(SpecError::NotMade { file: file.clone(), command: command.clone() }),
            None => text.parse(),
        };
        self.pairs.iter().map(|pair| Ok([player(&pair.player)?, player(&pair.against)?])).collect()
    }

    /// The file that a player is made of and the command for it, if there is no such file yet.
    fn not_made(&self, player: &str) -> Option<(&String, &String)> {
        self.made_by.iter().find(|(file, _)| player.contains(file.as_str()) && !Path::new(file).exists())
    }

    /// How many games there are.
    pub fn all_games(&self) -> usize {
        self.games * self.seeds as usize * self.pairs.len()
    }

    /// Says what makes no sense, if anything.
    pub fn check(&self) -> Result<(), String> {
        let even = self.games.is_multiple_of(2) && (2..=1_000_000).contains(&self.games);
        let more_than_all = |paper: &PaperWins| paper.first.max(paper.second) > paper.games;
        if self.pairs.iter().filter_map(|pair| pair.paper.as_ref()).any(more_than_all) {
            return Err("a paper's player cannot have won more games than there were".to_string());
        }
        if !(1..=1000).contains(&self.seeds) || self.seed > MOST_SEED - self.seeds {
            return Err("seeds must be from 1 to 1000".to_string());
        }
        if self.weaknesses && G::OFFER.weaknesses.is_empty() {
            return Err(format!("no weak moves are known of {}: leave weaknesses out", G::NAME));
        }
        if self.ply_cap.is_some_and(|cap| cap <= self.opening_plies || cap > 10_000) {
            return Err("ply-cap must be more than opening-plies and at most 10000".to_string());
        }
        if self.pairs.iter().any(|pair| pair.at.is_some_and(|at| at > 0) != self.curve.is_some()) {
            return Err(
                "a curve needs a number above 0 ('at') in every pair, and 'at' needs a curve".to_string()
            );
        }
        if self.published.iter().flat_map(PublishedDuel::sides).any(|tally| tally.games() == 0) {
            return Err("a published duel needs games on both sides".to_string());
        }
        let players = || self.pairs.iter().flat_map(|pair| [&pair.player, &pair.against]);
        if let Some(file) = self.made_by.keys().find(|file| !players().any(|player| player.contains(*file))) {
            return Err(format!("made-by names '{file}', which no player is made of"));
        }
        if !even || self.opening_plies > 20 || self.pairs.is_empty() {
            return Err("it needs an even number of games, at most 20 random moves, and a pair".to_string());
        }
        // What is not made yet is missed when the games are to be played: an experiment can be listed anywhere.
        let made = players().filter(|player| self.not_made(player).is_none());
        let parsed: Result<Vec<PlayerSpec<G>>, SpecError> = made.map(|player| player.parse()).collect();
        parsed.map(|_| ()).map_err(|error| error.to_string())
    }
}

/// Plays so many games of two players, sides swapped, on all threads; `done` is told of each game's end.
pub fn run_duel<G: Playable>(
    players: &[PlayerSpec<G>; 2],
    games: usize,
    conditions: &Conditions<G>,
    done: &(dyn Fn() + Sync),
) -> DuelResult {
    let pairings = pairing(games);
    result(players, &pairings, &play_all(players, &pairings, conditions, done))
}

/// So many games, sides swapped.
fn pairing(games: usize) -> [Pairing; 1] {
    [Pairing { first: 0, second: 1, games, swap: true }]
}

/// How the games of a duel went.
fn result<G: Playable>(
    players: &[PlayerSpec<G>; 2],
    pairings: &[Pairing],
    played: &[Played<G>],
) -> DuelResult {
    let scored: Vec<_> = played.iter().map(|game| game.scored).collect();
    let standings = Standings::new(2, pairings, &scored);
    let plies: usize = scored.iter().map(|game| game.plies).sum();
    let by_clock = |player: &PlayerSpec<G>| matches!(player.effort(), Effort::Time(_));
    DuelResult {
        sides: standings.players[0],
        pairs: standings.pairs[0],
        plies: plies as f64 / scored.len() as f64,
        timed: players.iter().any(by_clock),
        different: scored.iter().map(|game| (game.first, game.fingerprint)).collect::<HashSet<_>>().len(),
        programs: players.iter().filter_map(PlayerSpec::program).collect(),
        faults: played.iter().filter(|game| game.forfeit.as_ref().is_some_and(Forfeit::is_fault)).count(),
        weaknesses: Vec::new(),
    }
}

/// How many moves of the duel's player are weak, for each weakness of the game. Random moves of the opening are nobody's choice.
fn weak_moves<G: Playable>(conditions: &Conditions<G>, played: &[Played<G>]) -> Vec<ClusterSums> {
    let count = |weakness: &Weakness<G>| {
        let clusters: Vec<Cluster> =
            parallel::map(played, |_, game| weak_moves_of_game(weakness, conditions, game));
        let mut sums = ClusterSums::default();
        clusters.into_iter().for_each(|cluster| sums.add(cluster));
        sums
    };
    G::OFFER.weaknesses.iter().map(count).collect()
}

/// The same of one game: it is the cluster.
fn weak_moves_of_game<G: Playable>(
    weakness: &Weakness<G>,
    conditions: &Conditions<G>,
    game: &Played<G>,
) -> Cluster {
    let side = if game.scored.first == 0 { Side::First } else { Side::Second };
    let (mut position, mut previous) = (conditions.start(), None);
    let mut cluster = Cluster { count: 0, of: 0 };
    for (ply, m) in game.moves.iter().enumerate() {
        if ply >= conditions.opening_plies && position.side_to_move() == side {
            cluster.count += u64::from((weakness.is_one)(&position, *m, previous));
            cluster.of += 1;
            previous = Some(*m);
        }
        position = position.play(*m);
    }
    cluster
}

/// Why duels cannot be carried out.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum DuelsError {
    #[error(transparent)]
    Player(#[from] SpecError),
    #[error(transparent)]
    File(#[from] FileError),
}

/// Number of games in one kept file: a kill loses few games, and a duel does not need thousands of files.
const PIECE: usize = 10;

/// Plays all games of all duels on all threads; `done` is told of each game's end. What the store has is not played again.
pub fn run_duels<G: Playable>(
    work: &DuelsWork<G>,
    done: &(dyn Fn() + Sync),
    store: Option<&dyn Store>,
) -> Result<Vec<DuelResult>, DuelsError> {
    let mut results = Vec::new();
    for (number, players) in work.players()?.into_iter().enumerate() {
        let mut played = Vec::new();
        for conditions in work.conditions() {
            let pairings = pairing(work.games);
            played.extend(match store {
                Some(store) => play_kept(number, &players, &pairings, &conditions, done, store)?,
                None => play_all(&players, &pairings, &conditions, done),
            });
        }
        for player in players.iter().filter(|player| player.program().is_some_and(|name| name.is_empty())) {
            // All its games were kept, so it has not been started: only it knows what it calls itself.
            player.check(work.rules)?;
        }
        let weaknesses =
            if work.weaknesses { weak_moves(&work.conditions_of(work.seed), &played) } else { Vec::new() };
        results.push(DuelResult { weaknesses, ..result(&players, &pairing(played.len()), &played) });
    }
    Ok(results)
}

/// Plays the games of one duel with one seed, as far as they are not kept, and keeps them.
fn play_kept<G: Playable>(
    number: usize,
    players: &[PlayerSpec<G>; 2],
    pairings: &[Pairing],
    conditions: &Conditions<G>,
    done: &(dyn Fn() + Sync),
    store: &dyn Store,
) -> Result<Vec<Played<G>>, FileError> {
    let games = Games::new(players, pairings, conditions);
    let piece = |slots: &[(usize, usize)]| {
        let key = format!("duel-{number}-seed-{}-game-{}", conditions.seed, slots[0].1);
        if let Some(lines) = store::load(store, &key) {
            slots.iter().for_each(|_| done());
            return Ok(games.replay(slots, lines));
        }
        let played = play_games(players, pairings, slots, conditions, done);
        store::save(store, &key, &games.lines(&played))?;
        Ok(played)
    };
    let schedule = schedule(pairings);
    let pieces: Vec<&[(usize, usize)]> = schedule.chunks(PIECE).collect();
    let pieces: Result<Vec<_>, FileError> = parallel::try_map(&pieces, |_, slots| piece(slots));
    Ok(pieces?.into_iter().flatten().collect())
}
