//! One game of the learner, and what it remembers of it.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use super::{DqnSettings, DropoutAt, Experience, Plies, Sides, View};
use crate::arena::{Conditions, opened};
use crate::game::{Limits, Outcome, Referee, Side, legal_moves};
use crate::games::hasami::net::{INPUTS, QNetwork, Seen, best, seen_move};
use crate::games::hasami::{Move, Position, Rules};
use crate::players::{Player, PlayerSpec};
use crate::random::pick;
use crate::search::SearchLimits;

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpisodeRow {
    /// Its number, from 1.
    pub episode: u32,
    /// The number of the opponent, from 1.
    pub stage: usize,
    /// Which side the learner had.
    pub side: Side,
    /// The share of random moves (ε-greedy).
    pub epsilon: f64,
    /// The learner's result: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub score: f64,
    /// How many plies it took.
    pub plies: usize,
    /// All rewards of the learner, less those of the opponent if they are remembered.
    pub reward: f64,
    /// The mean squared error over the updates during the game; 0 before the first.
    pub loss: f64,
}

/// Means over a block of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// The last game of the block.
    pub episode: u32,
    /// Points per game.
    pub score: f64,
    /// Rewards per game.
    pub reward: f64,
    /// Plies per game.
    pub plies: f64,
    /// The mean squared error.
    pub loss: f64,
    /// The share of random moves (ε-greedy).
    pub epsilon: f64,
    /// Points per game since the beginning, as the report draws them.
    pub so_far: f64,
}

/// The games in at most so many blocks of equal length; the last may be shorter.
pub fn blocks(rows: &[EpisodeRow], count: usize) -> Vec<Block> {
    let size = rows.len().div_ceil(count).max(1);
    let mut points = 0.0;
    let block = |part: &[EpisodeRow]| {
        let mean = |value: fn(&EpisodeRow) -> f64| part.iter().map(value).sum::<f64>() / part.len() as f64;
        points += part.iter().map(|row| row.score).sum::<f64>();
        let episode = part.last().map_or(0, |row| row.episode);
        Block {
            episode,
            score: mean(|row| row.score),
            reward: mean(|row| row.reward),
            plies: mean(|row| row.plies as f64),
            loss: mean(|row| row.loss),
            epsilon: mean(|row| row.epsilon),
            so_far: points / f64::from(episode),
        }
    };
    rows.chunks(size).map(block).collect()
}

/// A game that goes on ply by ply, so that the network can learn between plies.
pub struct Episode<'a> {
    settings: &'a DqnSettings,
    game: Referee<Position>,
    /// `None` if the learner plays both sides.
    opponent: Option<Box<dyn Player<Position>>>,
    learner: Side,
    epsilon: f64,
    random: ChaCha8Rng,
    /// For each side, the last ply of a learner there: it is remembered when it is known what came of it.
    waiting: [Option<Waiting>; 2],
    /// The learner's rewards so far.
    pub reward: f64,
}

/// A ply that was just played.
struct Ply {
    before: Position,
    m: Move,
    after: Position,
    over: bool,
}

/// A learner's ply whose answer is not known yet.
#[derive(Clone, Copy)]
struct Waiting {
    board: Seen,
    m: Move,
    reward: f64,
}

impl<'a> Episode<'a> {
    /// A game from its beginning; `None` is the learner itself.
    pub fn new(
        settings: &'a DqnSettings,
        number: u32,
        opponent: Option<&PlayerSpec<Position>>,
        random: ChaCha8Rng,
    ) -> Episode<'a> {
        let learner = match settings.sides {
            Sides::Both if number % 2 == 1 => Side::Second,
            _ => Side::First,
        };
        let conditions = Conditions {
            opening_plies: settings.opening_plies,
            limits: Limits { ply_cap: settings.ply_cap, repetition: true },
            ..Conditions::new(Rules::Report, settings.seed)
        };
        let game = opened(&conditions, 0, u64::from(number));
        Episode {
            settings,
            game,
            opponent: opponent.map(PlayerSpec::build),
            learner,
            epsilon: settings.epsilon_at(number),
            random,
            waiting: [None; 2],
            reward: 0.0,
        }
    }

    /// Which side the learner has.
    pub fn learner(&self) -> Side {
        self.learner
    }

    /// How many plies have been played.
    pub fn plies(&self) -> usize {
        self.game.moves().len()
    }

    /// The learner's result: 1, 0.5 or 0. `None` while the game goes on.
    pub fn score(&self) -> Option<f64> {
        self.game.verdict().map(|verdict| match verdict.outcome {
            Outcome::Draw => 0.5,
            Outcome::Win(side) => f64::from(u8::from(side == self.learner)),
        })
    }

    /// Plays one ply of a game that is not over, and appends what can be remembered now.
    pub fn ply(&mut self, network: &QNetwork, remembered: &mut Vec<Experience>) {
        let before = *self.game.position();
        let side = before.turn();
        let learns = side == self.learner || self.opponent.is_none();
        let m = match (&mut self.opponent, learns) {
            (Some(opponent), false) => opponent
                .choose(&self.game, &mut self.random, &SearchLimits::NONE, &mut |_| ())
                .expect("the settings allow no opponent that can give up"),
            _ => self.choose(network),
        };
        self.game.play(m);
        let ply = Ply { before, m, after: *self.game.position(), over: self.game.verdict().is_some() };
        match self.settings.plies {
            Plies::Both => self.remember_any(&ply, remembered),
            Plies::Own => self.remember_own(&ply, remembered),
        }
    }

    /// The learner's move.
    fn choose(&mut self, network: &QNetwork) -> Move {
        let position = self.game.position();
        let moves = legal_moves(position);
        if (f64::from(self.random.next_u32()) + 0.5) / 4_294_967_296.0 < self.epsilon {
            return pick(&mut self.random, &moves);
        }
        let side = position.turn();
        let mut inputs = Vec::with_capacity(INPUTS);
        Seen::by(position, side).append(&mut inputs);
        let dropout = self.settings.dropout().filter(|_| self.settings.dropout_at == DropoutAt::Everywhere);
        let pass = network.mlp.through_body(inputs, dropout.map(|dropout| (dropout, &mut self.random)));
        let values = moves.into_iter().map(|m| (m, network.value(pass.last(), seen_move(m, side))));
        best(values).expect("a game that goes on has a legal move")
    }

    /// As the report's listing: every ply, until the next one.
    fn remember_any(&mut self, ply: &Ply, remembered: &mut Vec<Experience>) {
        let Ply { before, m, after, over } = ply;
        let reward = self.settings.reward.of_ply(before, *m, after, self.settings.end_reward);
        let reward = if before.turn() == self.learner { reward } else { -reward };
        self.reward += reward;
        let viewer = match self.settings.view {
            View::Turned => self.learner,
            View::Fixed => Side::First,
        };
        remembered.push(Experience {
            board: Seen::by(before, viewer),
            m: seen_move(*m, viewer),
            reward: reward as f32,
            next: Seen::by(after, viewer),
            own_next: after.turn() == viewer,
            done: *over,
        });
    }

    /// A learner's ply, once the answer to it is known: what the answer takes, and a lost game, count against it.
    fn remember_own(&mut self, ply: &Ply, remembered: &mut Vec<Experience>) {
        let Ply { before, m, after, over } = ply;
        let DqnSettings { reward, end_reward, .. } = self.settings;
        let (side, view) = (before.turn(), self.settings.view);
        let viewer = |side: Side| if view == View::Turned { side } else { Side::First };
        if side == self.learner || self.opponent.is_none() {
            let board = Seen::by(before, viewer(side));
            let reward = reward.of_ply(before, *m, after, *end_reward);
            self.waiting[side as usize] = Some(Waiting { board, m: seen_move(*m, viewer(side)), reward });
        }
        let answered = !side;
        if let Some(waiting) = &mut self.waiting[answered as usize] {
            waiting.reward -= reward.of_result(before, after, *end_reward);
        }
        for known in [answered, side].into_iter().filter(|known| *over || *known == answered) {
            let Some(waiting) = self.waiting[known as usize].take() else { continue };
            if known == self.learner {
                self.reward += waiting.reward;
            }
            remembered.push(Experience {
                board: waiting.board,
                m: waiting.m,
                reward: waiting.reward as f32,
                next: Seen::by(after, viewer(known)),
                own_next: after.turn() == viewer(known),
                done: *over,
            });
        }
    }
}
