//! What has become of a network: games against others, its own games judged by the solution of the game, and careless moves.

use serde::{Deserialize, Serialize};

use super::self_play::{Opening, Root};
use super::settings::Learnable;
use super::{AlphaZeroSettings, Exploration, PlayedGame, Player, Worker};
use crate::arena::{Tally, opened};
use crate::game::{Blunder, Game, Outcome, Side, Solution, Tactics, legal_moves};
use crate::nets::dual::InferenceNetwork;
use crate::parallel;
use crate::random::stream;

/// A count out of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

    /// As a share; nothing of none.
    pub fn share(&self) -> Option<f64> {
        (self.of > 0).then(|| self.count as f64 / self.of as f64)
    }
}

/// Weak moves of a network in games against others, and among how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Weaknesses {
    /// Its moves.
    pub moves: u64,
    /// Those in which it was in check and could answer.
    pub checks: u64,
    /// Checks that it did not answer.
    pub unanswered: u64,
    /// Moves into check.
    pub into_check: u64,
    /// Moves that give a piece away.
    pub given_away: u64,
}

impl Weaknesses {
    fn count(&mut self, Tactics { answerable_check, weakness }: Tactics) {
        self.moves += 1;
        self.checks += u64::from(answerable_check);
        match weakness {
            Some(Blunder::CheckNotAnswered) => self.unanswered += 1,
            Some(Blunder::IntoCheck) => self.into_check += 1,
            Some(Blunder::PieceGivenAway) => self.given_away += 1,
            None => {}
        }
    }

    fn is_none(&self) -> bool {
        self.moves == 0
    }
}

impl std::ops::Add for Weaknesses {
    type Output = Weaknesses;
    fn add(self, other: Weaknesses) -> Weaknesses {
        Weaknesses {
            moves: self.moves + other.moves,
            checks: self.checks + other.checks,
            unanswered: self.unanswered + other.unanswered,
            into_check: self.into_check + other.into_check,
            given_away: self.given_away + other.given_away,
        }
    }
}

/// What was found out about a network.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Its results against each opponent: wins, draws, losses.
    pub against: Vec<[u64; 3]>,
    /// Moves after which the other side can win at once although another move would have prevented it, of all moves with such a
    /// choice; in games against others.
    pub careless: Share,
    /// The same of the moves that its policy alone would have made.
    #[serde(default)]
    pub policy_careless: Share,
    /// In its own games: moves that keep what a won or drawn position is worth, by the policy alone and by the tree.
    pub policy_keeps: Share,
    /// See above.
    pub tree_keeps: Share,
    /// In its own games: how often the value's sign is that of the truth where that is won or lost, by the network alone and by the
    /// tree.
    pub value_right: Share,
    /// See above.
    pub tree_value_right: Share,
    /// Weak moves in games against others, if they are counted.
    #[serde(default, skip_serializing_if = "Weaknesses::is_none")]
    pub weaknesses: Weaknesses,
}

/// With how many random moves measured games begin.
const OPENING_PLIES: usize = 4;
/// So many games are one piece of work for a thread.
const GROUP: usize = 10;

/// How a network of a cycle fares; by the solution of the game, if there is one, on all threads of the current rayon pool.
pub fn measure<G: Learnable>(
    settings: &AlphaZeroSettings,
    cycle: u32,
    network: &InferenceNetwork,
    solution: Option<&dyn Solution<G>>,
    done: &(dyn Fn() + Sync),
) -> Measured {
    let opponents = settings.opponents::<G>().unwrap_or_default();
    let network = Player::Network(network);
    let mut pairs: Vec<[Player<'_, G>; 2]> =
        opponents.iter().map(|opponent| [network, Player::Other(opponent)]).collect();
    pairs.extend(solution.map(|_| [network, network]));
    let play = |number: usize, players: &[Player<'_, G>; 2]| {
        games(settings, *players, u64::from(cycle) << 8 | number as u64, done)
    };
    let played = parallel::map(&pairs, play);
    let (against, own) = played.split_at(opponents.len());
    let mut measured = Measured::default();
    for games in against {
        let mut tally = Tally::default();
        for game in games {
            let side = if game.first == 0 { Side::First } else { Side::Second };
            tally.add(game.outcome, side);
        }
        measured.against.push([tally.wins, tally.draws, tally.losses]);
        for (position, chosen, root) in games.iter().flat_map(PlayedGame::roots) {
            if let Some(hangs) = hanging(position) {
                measured.careless.add(hangs[usize::from(chosen)]);
                measured.policy_careless.add(hangs[usize::from(root.at_once)]);
            }
            if let (true, Some(judge)) = (settings.weaknesses, G::OFFER.tactics) {
                measured.weaknesses.count(judge(position, legal_moves(position)[usize::from(chosen)]));
            }
        }
    }
    for (position, chosen, root) in own.iter().flatten().flat_map(PlayedGame::roots) {
        if let Some(solution) = solution {
            judge(&mut measured, solution, position, chosen, root);
        }
    }
    measured
}

/// How many games [`measure`] plays.
pub fn measured_games(settings: &AlphaZeroSettings, is_solved: bool) -> u64 {
    u64::from(settings.measure_games) * (settings.opponents.len() as u64 + u64::from(is_solved))
}

/// Games of two players in groups: against others in pairs with sides swapped, against itself each with an opening of its own.
fn games<G: Learnable>(
    settings: &AlphaZeroSettings,
    players: [Player<'_, G>; 2],
    purpose: u64,
    done: &(dyn Fn() + Sync),
) -> Vec<PlayedGame<G>> {
    const MEASURING: u64 = 5 << 48;
    let games = settings.measure_games as usize;
    let conditions = settings.conditions::<G>(OPENING_PLIES);
    let worker = Worker { players, mcts: settings.measuring(), exploration: Exploration::NONE, reuse: false };
    let against_itself = matches!(players, [Player::Network(_), Player::Network(_)]);
    let begin = |game: usize| -> Opening<G> {
        let (opening, first) = if against_itself { (game, 0) } else { (game / 2, game % 2) };
        let opening = opened(&conditions, MEASURING | purpose, opening as u64);
        (opening, first, stream(settings.seed, MEASURING | purpose, game as u64))
    };
    let group = |first: usize| worker.play((first..games.min(first + GROUP)).map(begin).collect(), done).0;
    parallel::map_range(games.div_ceil(GROUP), |number| group(number * GROUP)).into_iter().flatten().collect()
}

impl<G: Learnable> PlayedGame<G> {
    /// Positions in which a network was to move, the number of its move, and what its search said.
    fn roots(&self) -> impl Iterator<Item = (&G, u16, &Root)> {
        let plies = self.positions().iter().zip(&self.plies);
        plies.filter_map(|(position, ply)| ply.root.as_ref().map(|root| (position, ply.chosen, root)))
    }
}

/// For each move whether the other side can win at once after it; nothing if that is so after all moves, or after none.
fn hanging<G: Game>(position: &G) -> Option<Vec<bool>> {
    let hangs: Vec<bool> = legal_moves(position).iter().map(|m| can_win(&position.play(*m))).collect();
    (hangs.contains(&true) && hangs.contains(&false)).then_some(hangs)
}

/// Whether the side to move can win at once.
fn can_win<G: Game>(position: &G) -> bool {
    let side = position.side_to_move();
    position.outcome().is_none()
        && position.next_move_wins().unwrap_or_else(|| {
            legal_moves(position).iter().any(|m| position.play(*m).outcome() == Some(Outcome::Win(side)))
        })
}

fn judge<G: Learnable>(
    measured: &mut Measured,
    solution: &dyn Solution<G>,
    position: &G,
    chosen: u16,
    root: &Root,
) {
    let moves = legal_moves(position);
    let worth = solution.probe(position).sign();
    if moves.len() > 1 && worth >= 0 {
        let keeps =
            |number: u16| solution.probe(&position.play(moves[usize::from(number)])).before().sign() == worth;
        measured.policy_keeps.add(keeps(root.at_once));
        measured.tree_keeps.add(keeps(chosen));
    }
    if worth != 0 {
        measured.value_right.add(root.own_value * worth as f32 > 0.0);
        measured.tree_value_right.add(root.value * worth as f32 > 0.0);
    }
}
