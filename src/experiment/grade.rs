//! How good are a player's moves, measured by the solution of the game?

use std::collections::HashSet;

use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::arena::{Conditions, Estimate, Played, match_pairing, play_all, rate_interval};
use crate::games::dobutsu::{Position, Rules};
use crate::games::{BySide, DEFAULT_PLY_CAP, Game, Referee, Side};
use crate::players::PlayerSpec;
use crate::random::{below, stream};
use crate::solve::{Solved, Table};

/// Where the positions come from on which a player is graded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Games that the player plays against itself after four random moves.
    OwnGames,
    /// Games of random moves.
    RandomGames,
    /// All positions there are in which the lion cannot be caught at once, each as likely as any other.
    All,
}

impl Source {
    /// Every source.
    pub const ALL: [Source; 3] = [Source::OwnGames, Source::RandomGames, Source::All];

    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Source::OwnGames => "own games",
            Source::RandomGames => "random play",
            Source::All => "all positions",
        }
    }
}

/// A count out of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// How many.
    pub count: u64,
    /// Out of how many.
    pub of: u64,
}

impl Share {
    fn add(&mut self, counts: bool) {
        self.count += u64::from(counts);
        self.of += 1;
    }

    /// The share with its 95 % interval; none of none is no share.
    pub fn estimate(&self) -> Option<Estimate> {
        (self.of > 0).then(|| rate_interval(self.count, self.of))
    }
}

/// What came out for one player and one source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grade {
    /// Won positions in which the move still wins.
    pub wins_kept: Share,
    /// Drawn positions in which the move still draws.
    pub draws_kept: Share,
    /// Positions in which the move is among the perfect ones: shortest win, draw, longest loss.
    pub perfect: Share,
    /// Plies by which wins became longer or losses shorter, and over how many positions of that kind.
    pub given_away: Share,
    /// Moves that threw away a win or a draw, out of all positions with this side to move.
    pub blunders: BySide<Share>,
}

impl Grade {
    /// Won and drawn positions in which the move keeps what there is.
    pub fn kept(&self) -> Share {
        Share {
            count: self.wins_kept.count + self.draws_kept.count,
            of: self.wins_kept.of + self.draws_kept.of,
        }
    }

    /// Plies given away a move, on average, where there were any to give away.
    pub fn plies_given_away(&self) -> Option<f64> {
        (self.given_away.of > 0).then(|| self.given_away.count as f64 / self.given_away.of as f64)
    }

    fn add(&mut self, side: Side, best: Solved, chosen: Solved) {
        let kept = best.sign() == chosen.sign();
        match best {
            Solved::Win(_) => self.wins_kept.add(kept),
            Solved::Draw => self.draws_kept.add(kept),
            Solved::Loss(_) => {}
        }
        self.perfect.add(best == chosen);
        if let (Some(best), Some(chosen), true) = (best.plies(), chosen.plies(), kept) {
            self.given_away.count += u64::from(best.abs_diff(chosen));
            self.given_away.of += 1;
        }
        self.blunders[side].add(!kept);
    }
}

/// Random moves by both sides.
fn random_player() -> PlayerSpec {
    "random".parse().expect("there is a random player")
}

/// Chooses the positions on which players are graded, and grades them.
pub struct Grader<'a> {
    /// The truth.
    pub table: &'a Table,
    /// Where all chance comes from.
    pub seed: u64,
    /// How many positions from each source.
    pub positions: usize,
}

impl Grader<'_> {
    /// The player's grade on positions from this source. Nothing depends on the number of threads.
    pub fn grade(&self, player: &PlayerSpec, source: Source) -> Grade {
        let judge = |(i, position): (usize, &Position)| {
            let mut random = stream(self.seed, 3 + source as u64, i as u64);
            let m = player.build().choose(&Referee::new(*position), &mut random);
            (position.turn(), self.table.probe(position), self.table.probe(&position.play(m)).before())
        };
        let judged: Vec<_> = self.sample(player, source).par_iter().enumerate().map(judge).collect();
        let mut grade = Grade::default();
        judged.into_iter().for_each(|(side, best, chosen)| grade.add(side, best, chosen));
        grade
    }

    /// Positions with at least two legal moves.
    fn sample(&self, player: &PlayerSpec, source: Source) -> Vec<Position> {
        let mut random = stream(self.seed, 2, source as u64);
        match source {
            Source::OwnGames => self.positions_of_games(player, &mut random),
            Source::RandomGames => self.positions_of_games(&random_player(), &mut random),
            Source::All => std::iter::from_fn(|| Some(self.table.any_position(&mut random)))
                .filter(has_choice)
                .take(self.positions)
                .collect(),
        }
    }

    /// Different positions of games; fewer than wanted if the player plays the same games again and again.
    fn positions_of_games(&self, player: &PlayerSpec, random: &mut ChaCha8Rng) -> Vec<Position> {
        // Some positions of many games rather than all of a few.
        let games = (self.positions / 10).max(2).next_multiple_of(2);
        let (mut positions, mut seen) = (Vec::new(), HashSet::new());
        for round in 0..MOST_ROUNDS {
            let rules = self.table.rules();
            let played = self_play(player, rules, self.seed.wrapping_add(round), games, OPENING_PLIES);
            let own = |game: &Played| positions_of(game, rules).into_iter().skip(OPENING_PLIES);
            let mut met: Vec<Position> = played.iter().flat_map(own).collect();
            met.retain(|position| has_choice(position) && seen.insert(position.key()));
            let wanted = (self.positions - positions.len()).min(met.len());
            for i in 0..wanted {
                let j = i + below(random, met.len() - i);
                met.swap(i, j);
            }
            positions.extend(&met[..wanted]);
            if positions.len() == self.positions {
                break;
            }
        }
        positions
    }
}

/// Games begin with this many random moves: players that never draw lots would play the same game for ever.
const OPENING_PLIES: usize = 4;

/// How often games are played again for positions that have not been met before.
const MOST_ROUNDS: u64 = 5;

fn has_choice(position: &Position) -> bool {
    position.count_moves(&mut Vec::new()) >= 2
}

/// Games of a player against itself.
fn self_play(
    player: &PlayerSpec,
    rules: Rules,
    seed: u64,
    games: usize,
    opening_plies: usize,
) -> Vec<Played> {
    let conditions = Conditions { rules, seed, opening_plies, ply_cap: DEFAULT_PLY_CAP };
    play_all(&[player.clone(), player.clone()], &match_pairing(games), &conditions, &|| ())
}

/// The positions of a game in which somebody was to move.
fn positions_of(game: &Played, rules: Rules) -> Vec<Position> {
    let mut position = Position::start(rules);
    let mut positions = Vec::with_capacity(game.moves.len());
    for m in &game.moves {
        positions.push(position);
        position = position.play(*m);
    }
    positions
}

/// Which positions a fit rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Sample {
    /// Any position there is in which the lion cannot be caught at once.
    All,
    /// Positions of games, half of random moves and half of the untrained values against themselves.
    Games,
}

/// So many positions of games from the start, with this side to move if one is given.
pub fn game_positions(rules: Rules, seed: u64, count: usize, side: Option<Side>) -> Vec<Position> {
    let players = ["random", "material:depth=2"]
        .map(|name| name.parse::<PlayerSpec>().expect("there is such a player"));
    let mut positions = Vec::with_capacity(count);
    for (player, share) in players.iter().zip([count.div_ceil(2), count]) {
        for round in 0.. {
            let played = self_play(player, rules, seed.wrapping_add(round), 1_000, 0);
            let met = played.iter().flat_map(|game| positions_of(game, rules));
            positions.extend(met.filter(|position| side.is_none_or(|side| position.turn() == side)));
            if positions.len() >= share {
                positions.truncate(share);
                break;
            }
        }
    }
    positions
}
