//! How good are a player's moves, measured by the solution of the game?

use std::collections::HashSet;

use rand_chacha::ChaCha8Rng;

use crate::arena::{
    Cluster, ClusterSums, Conditions, Estimate, Played, cluster_interval, match_pairing, play_all,
};
use crate::game::{BySide, Game, Referee, Side, Solution, Solved, legal_moves};
use crate::parallel;
use crate::players::{Forfeit, Playable, PlayerSpec};
use crate::random::{below, stream};
use crate::search::SearchLimits;

/// Where the positions come from on which a player is graded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Games that the player plays against itself after four random moves.
    OwnGames,
    /// Games of random moves.
    RandomGames,
    /// All positions that the solution knows, each as likely as any other.
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

/// A count out of so many, over groups of positions that belong together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share(ClusterSums);

impl Share {
    /// What some of the judged moves add up to; the moves of a group stand together.
    fn of(moves: &[JudgedMove], measure: impl Fn(&JudgedMove) -> Option<bool>) -> Share {
        let mut sums = ClusterSums::default();
        for group in moves.chunk_by(|a, b| a.group == b.group) {
            let mut cluster = Cluster::default();
            for counts in group.iter().filter_map(&measure) {
                cluster.count += u64::from(counts);
                cluster.of += 1;
            }
            sums.add(cluster);
        }
        Share(sums)
    }

    /// How many.
    pub fn count(&self) -> u64 {
        self.0.count
    }

    /// Out of how many.
    pub fn out_of(&self) -> u64 {
        self.0.of
    }

    /// The share with its 95 % interval; none of none is no share.
    ///
    /// The unit is the pair of games that a position comes from, because positions of one game are alike; a position of no game is
    /// its own unit.
    pub fn estimate(&self) -> Option<Estimate> {
        cluster_interval(&self.0)
    }
}

/// What a player's move in one position made of it.
#[derive(Clone, Copy)]
struct JudgedMove {
    /// Which positions belong together.
    group: usize,
    side: Side,
    best: Solved,
    chosen: Solved,
}

impl JudgedMove {
    fn kept(&self) -> bool {
        self.best.sign() == self.chosen.sign()
    }

    /// By how many plies a win that stayed one became longer, or a loss shorter.
    fn given_away(&self) -> Option<u64> {
        match (self.best.plies(), self.chosen.plies()) {
            (Some(best), Some(chosen)) if self.kept() => Some(u64::from(best.abs_diff(chosen))),
            _ => None,
        }
    }
}

/// What came out for one player and one source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grade {
    /// Won and drawn positions in which the move keeps what there is.
    pub kept: Share,
    /// Won positions in which the move still wins.
    pub wins_kept: Share,
    /// Drawn positions in which the move still draws.
    pub draws_kept: Share,
    /// Positions in which the move is among the perfect ones: shortest win, draw, longest loss.
    pub perfect: Share,
    /// Plies by which wins became longer or losses shorter.
    pub given_away: u64,
    /// Over how many positions in which a win or a loss stayed one.
    pub kept_a_distance: u64,
    /// Moves that threw away a win or a draw, out of all positions with this side to move.
    pub blunders: BySide<Share>,
}

impl Grade {
    fn new(moves: &[JudgedMove]) -> Grade {
        let kept_of = |sign: i32| Share::of(moves, |m| (m.best.sign() == sign).then(|| m.kept()));
        let blunders = |side: Side| Share::of(moves, |m| (m.side == side).then(|| !m.kept()));
        Grade {
            kept: Share::of(moves, |m| (m.best.sign() >= 0).then(|| m.kept())),
            wins_kept: kept_of(1),
            draws_kept: kept_of(0),
            perfect: Share::of(moves, |m| Some(m.best == m.chosen)),
            given_away: moves.iter().filter_map(JudgedMove::given_away).sum(),
            kept_a_distance: moves.iter().filter_map(JudgedMove::given_away).count() as u64,
            blunders: BySide { first: blunders(Side::First), second: blunders(Side::Second) },
        }
    }

    /// Plies given away a move, on average, where there were any to give away.
    pub fn plies_given_away(&self) -> Option<f64> {
        (self.kept_a_distance > 0).then(|| self.given_away as f64 / self.kept_a_distance as f64)
    }
}

/// Random moves by both sides.
fn random_player<G: Playable>() -> PlayerSpec<G> {
    "random".parse().expect("there is a random player")
}

/// Chooses the positions on which players are graded, and grades them.
pub struct Grader<'a, G: Game> {
    /// The truth.
    pub solution: &'a dyn Solution<G>,
    /// Where all chance comes from.
    pub seed: u64,
    /// How many positions from each source, and from each seed where they come from games.
    pub positions: usize,
    /// How many seeds, from [`seed`](Grader::seed) on, games are played with.
    ///
    /// A seed chooses games and nothing else. So games are the unit of the intervals, of whatever seed they are, and more seeds are
    /// more games: what looks like a lead in the hundred games of one seed may be gone in five hundred.
    pub seeds: usize,
}

/// A position with the number of the group of positions that it belongs to.
type Grouped<G> = (usize, G);

impl<G: Playable> Grader<'_, G> {
    /// The player's grade on positions from this source. Nothing depends on the number of threads.
    ///
    /// Only a program of others can fail: then there is no grade.
    pub fn grade(&self, player: &PlayerSpec<G>, source: Source) -> Result<Grade, Forfeit> {
        let judge = |i: usize, (group, position): &Grouped<G>| {
            let mut random = stream(self.seed, 3 + source as u64, i as u64);
            let worth = |m: G::Move| self.solution.probe(&position.play(m)).before();
            let chosen = match player.build().choose(
                &Referee::new(*position),
                &mut random,
                &SearchLimits::NONE,
                &mut |_| (),
            ) {
                Ok(m) => worth(m),
                Err(forfeit) if forfeit.is_fault() => return Err(forfeit),
                // Who gives up could have done nothing worse.
                Err(_) => legal_moves(position).into_iter().map(worth).min().expect("there is a choice"),
            };
            Ok(JudgedMove {
                group: *group,
                side: position.side_to_move(),
                best: self.solution.probe(position),
                chosen,
            })
        };
        let sample = self.sample(player, source)?;
        let mut moves = parallel::try_map(&sample, judge)?;
        moves.sort_by_key(|judged| judged.group);
        Ok(Grade::new(&moves))
    }

    /// Positions with at least two legal moves that the player can be asked about.
    fn sample(&self, player: &PlayerSpec<G>, source: Source) -> Result<Vec<Grouped<G>>, Forfeit> {
        let mut random = stream(self.seed, 2, source as u64);
        let mut sample = match source {
            Source::OwnGames => self.positions_of_games(player, &mut random)?,
            Source::RandomGames => self.positions_of_games(&random_player(), &mut random)?,
            Source::All => std::iter::from_fn(|| Some(self.solution.any_position(&mut random)))
                .filter(has_choice)
                .take(self.positions)
                .enumerate()
                .collect(),
        };
        sample.retain(|(_, position)| player.knows(position));
        Ok(sample)
    }

    /// Different positions of games; fewer than wanted if the player plays the same games again and again.
    fn positions_of_games(
        &self,
        player: &PlayerSpec<G>,
        random: &mut ChaCha8Rng,
    ) -> Result<Vec<Grouped<G>>, Forfeit> {
        // Some positions of many games rather than all of a few.
        let games = (self.positions / 10).max(2).next_multiple_of(2);
        let (mut positions, mut seen) = (Vec::new(), HashSet::new());
        for round in 0..self.seeds * MOST_ROUNDS {
            let rules = self.solution.rules();
            let seed = self.seed.wrapping_add(round as u64);
            let played = self_play(player, rules, seed, games, OPENING_PLIES);
            if let Some(forfeit) =
                played.iter().filter_map(|game| game.forfeit.as_ref()).find(|f| f.is_fault())
            {
                return Err(forfeit.clone());
            }
            let own = |game: &Played<G>| {
                let group = pair(round * games + game.scored.game);
                positions_of(game, rules)
                    .into_iter()
                    .skip(OPENING_PLIES)
                    .map(move |position| (group, position))
            };
            let mut met: Vec<Grouped<G>> = played.iter().flat_map(own).collect();
            met.retain(|(_, position)| has_choice(position) && seen.insert(position.key()));
            let wanted = (self.seeds * self.positions - positions.len()).min(self.positions).min(met.len());
            for i in 0..wanted {
                let j = i + below(random, met.len() - i);
                met.swap(i, j);
            }
            positions.extend(&met[..wanted]);
            if positions.len() == self.seeds * self.positions {
                break;
            }
        }
        Ok(positions)
    }
}

/// The number of the pair that a game belongs to: both games of a pair begin with the same moves, so they belong together.
const fn pair(game: usize) -> usize {
    game / 2
}

/// Games begin with this many random moves: players that never draw lots would play the same game for ever.
const OPENING_PLIES: usize = 4;

/// How often games are played again, for each seed, for positions that have not been met before.
const MOST_ROUNDS: usize = 5;

fn has_choice<G: Game>(position: &G) -> bool {
    position.count_moves(&mut Vec::new()) >= 2
}

/// Games of a player against itself.
fn self_play<G: Playable>(
    player: &PlayerSpec<G>,
    rules: G::Rules,
    seed: u64,
    games: usize,
    opening_plies: usize,
) -> Vec<Played<G>> {
    let conditions = Conditions { opening_plies, ..Conditions::new(rules, seed) };
    play_all(&[player.clone(), player.clone()], &match_pairing(games), &conditions, &|| ())
}

/// The positions of a game in which somebody was to move.
fn positions_of<G: Game>(game: &Played<G>, rules: G::Rules) -> Vec<G> {
    let mut position = G::start(rules);
    let mut positions = Vec::with_capacity(game.moves.len());
    for m in &game.moves {
        positions.push(position);
        position = position.play(*m);
    }
    positions
}

/// Which positions a fit rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Sample {
    /// Any position that the solution knows.
    All,
    /// Positions of games, half of random moves and half of the untrained values against themselves.
    Games,
}

/// So many positions of games from the start, game by game, with this side to move if one is given.
pub fn game_positions<G: Playable>(
    rules: G::Rules,
    seed: u64,
    count: usize,
    side: Option<Side>,
) -> Vec<Vec<G>> {
    let untrained = format!("{}:depth=2", G::WEIGHTS.genomes[0].name);
    let players =
        ["random", &untrained].map(|name| name.parse::<PlayerSpec<G>>().expect("there is such a player"));
    let (mut games, mut positions) = (Vec::new(), 0);
    for (player, share) in players.iter().zip([count.div_ceil(2), count]) {
        let rounds = (0..).flat_map(|round| self_play(player, rules, seed.wrapping_add(round), 1_000, 0));
        for game in rounds {
            let mut met = positions_of(&game, rules);
            met.retain(|position| side.is_none_or(|side| position.side_to_move() == side));
            met.truncate(share - positions);
            positions += met.len();
            games.push(met);
            if positions == share {
                break;
            }
        }
    }
    games
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::dobutsu::{Position, Rules};

    #[test]
    fn two_games_make_a_pair() {
        assert_eq!([0, 1, 2, 3, 4].map(pair), [0, 0, 1, 1, 2]);
    }

    fn judged(group: usize, side: Side, best: Solved, chosen: Solved) -> JudgedMove {
        JudgedMove { group, side, best, chosen }
    }

    /// Counted by hand.
    #[test]
    fn moves_are_counted_where_they_belong() {
        use Solved::{Draw, Loss, Win};
        let grade = Grade::new(&[
            judged(0, Side::First, Win(3), Win(3)),
            judged(0, Side::Second, Win(3), Win(9)),
            judged(0, Side::First, Win(5), Draw),
            judged(1, Side::Second, Draw, Draw),
            judged(1, Side::First, Draw, Loss(4)),
            judged(2, Side::Second, Loss(8), Loss(4)),
        ]);
        let plain = |share: Share| (share.count(), share.out_of());
        assert_eq!(plain(grade.kept), (3, 5));
        assert_eq!(plain(grade.wins_kept), (2, 3));
        assert_eq!(plain(grade.draws_kept), (1, 2));
        assert_eq!(plain(grade.perfect), (2, 6));
        assert_eq!(plain(grade.blunders.first), (2, 3));
        assert_eq!(plain(grade.blunders.second), (0, 3));
        // 0, 6 and 4 plies over three moves that kept a win or a loss.
        assert_eq!((grade.given_away, grade.kept_a_distance), (10, 3));
        assert_eq!(grade.plies_given_away(), Some(10.0 / 3.0));
        assert_eq!(Grade::default().plies_given_away(), None);
        assert_eq!(Grade::new(&[judged(0, Side::First, Draw, Draw)]).plies_given_away(), None);
    }

    #[test]
    fn groups_make_the_interval_wider() {
        let grade = |positions_of_a_game: usize| {
            let one = |i: usize| {
                let chosen = if (i / 10).is_multiple_of(3) { Solved::Draw } else { Solved::Win(1) };
                judged(i / positions_of_a_game, Side::First, Solved::Win(1), chosen)
            };
            Grade::new(&(0..300).map(one).collect::<Vec<_>>()).kept.estimate().unwrap()
        };
        let width = |estimate: Estimate| estimate.high - estimate.low;
        assert_eq!(grade(1), crate::arena::rate_interval(200, 300));
        // Ten positions that are all alike are one: the root of ten.
        let ratio = width(grade(10)) / width(grade(1));
        assert!((2.9..3.6).contains(&ratio), "{ratio}");
    }

    #[test]
    fn positions_of_games_stay_with_their_games() {
        let games: Vec<Vec<Position>> = game_positions(Rules::Paper, 1, 500, None);
        assert_eq!(games.iter().map(Vec::len).sum::<usize>(), 500);
        let start = Position::start(Rules::Paper);
        assert!(games.len() > 10 && games.iter().all(|game| game[0] == start));
        let second = game_positions(Rules::Paper, 1, 500, Some(Side::Second));
        assert!(second.iter().flatten().all(|position: &Position| position.turn() == Side::Second));
        assert_eq!(second.iter().map(Vec::len).sum::<usize>(), 500);
    }
}
