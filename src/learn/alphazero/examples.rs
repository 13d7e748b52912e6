//! What is learned from: games that a network played against itself, kept so that positions can be played up again.

use super::settings::Learnable;
use super::{PlayedGame, ValueLabels};
use crate::game::{Outcome, Side, Symmetry, legal_moves};

/// A game as far as learning needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord<G> {
    /// Where it began.
    pub start: G,
    /// For each ply the number of the move, how likely each move should be, and what the tree said of the position.
    pub plies: Vec<(u16, Vec<f32>, f32)>,
    /// How it ended.
    pub outcome: Outcome,
}

/// A position, and what a network should say of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Example<G> {
    /// The position.
    pub position: G,
    /// How likely each legal move should be, in the game's order.
    pub policy: Vec<f32>,
    /// Who will win, for the side to move.
    pub value: f32,
}

impl<G: Learnable> Example<G> {
    /// The outputs of the legal moves, and how likely each should be; the same left to right if the position is mirrored.
    pub fn targets(&self, mirrored: bool) -> (G, Vec<(u32, f32)>) {
        let position = if mirrored { self.position.transform(Symmetry::Mirror) } else { self.position };
        let moves = legal_moves(&self.position).into_iter().zip(&self.policy);
        let target = |(m, share): (G::Move, &f32)| {
            let m = if mirrored { G::transform_move(m, Symmetry::Mirror) } else { m };
            (position.action(m) as u32, *share)
        };
        (position, moves.map(target).collect())
    }
}

impl<G: Learnable> GameRecord<G> {
    /// Of a game in which networks made all moves.
    pub fn of(game: &PlayedGame<G>) -> GameRecord<G> {
        let start = game.positions()[0];
        let plies = game.plies.iter().map(|ply| match &ply.root {
            Some(root) => (ply.chosen, root.policy.clone(), root.value),
            None => (ply.chosen, Vec::new(), 0.0),
        });
        GameRecord { start, plies: plies.collect(), outcome: game.outcome }
    }

    /// Every position with what a network should say: of the value, this share is what the tree said and the rest the label of the
    /// game's result.
    pub fn examples(&self, value_mix: f32, labels: ValueLabels) -> Vec<Example<G>> {
        let mut position = self.start;
        let mut examples = Vec::with_capacity(self.plies.len());
        for (chosen, policy, said) in &self.plies {
            let won = match self.outcome {
                Outcome::Win(side) if side == position.side_to_move() => 1.0,
                Outcome::Win(_) => -1.0,
                Outcome::Draw => 0.0,
            };
            let value = (1.0 - value_mix) * labels.label(won) + value_mix * said;
            let moves = legal_moves(&position);
            if policy.len() == moves.len() {
                examples.push(Example { position, policy: policy.clone(), value });
            }
            match moves.get(usize::from(*chosen)) {
                Some(m) => position = position.play(*m),
                None => break,
            }
        }
        examples
    }

    fn put(&self, bytes: &mut Vec<u8>) {
        let start = self.start.to_string();
        bytes.extend((start.len() as u16).to_le_bytes());
        bytes.extend(start.as_bytes());
        bytes.push(match self.outcome {
            Outcome::Draw => 0,
            Outcome::Win(Side::First) => 1,
            Outcome::Win(Side::Second) => 2,
        });
        bytes.extend((self.plies.len() as u16).to_le_bytes());
        for (chosen, policy, said) in &self.plies {
            bytes.extend(chosen.to_le_bytes());
            bytes.extend((policy.len() as u16).to_le_bytes());
            policy.iter().for_each(|share| bytes.extend(share.to_le_bytes()));
            bytes.extend(said.to_le_bytes());
        }
    }

    fn take(rules: G::Rules, bytes: &mut &[u8]) -> Option<GameRecord<G>> {
        let length = usize::from(number(bytes)?);
        let start = std::str::from_utf8(bytes.split_off(..length)?).ok()?;
        let start = G::parse(start, rules).ok()?;
        let outcome = match bytes.split_off_first()? {
            0 => Outcome::Draw,
            1 => Outcome::Win(Side::First),
            2 => Outcome::Win(Side::Second),
            _ => return None,
        };
        let plies = (0..number(bytes)?).map(|_| {
            let chosen = number(bytes)?;
            let policy: Option<Vec<f32>> = (0..number(bytes)?).map(|_| real(bytes)).collect();
            Some((chosen, policy?, real(bytes)?))
        });
        Some(GameRecord { start, plies: plies.collect::<Option<_>>()?, outcome })
    }

    /// Games of a run as the content of a file, with a checksum.
    pub fn to_bytes(games: &[GameRecord<G>], run: &str) -> Vec<u8> {
        let mut bytes = (games.len() as u16).to_le_bytes().to_vec();
        games.iter().for_each(|game| game.put(&mut bytes));
        bytes.extend(check(&bytes, run).to_le_bytes());
        bytes
    }

    /// Reads them back; nothing if anything is wrong, or if they are of another run.
    pub fn from_bytes(rules: G::Rules, bytes: &[u8], run: &str) -> Option<Vec<GameRecord<G>>> {
        let (mut content, check) = bytes.split_at_checked(bytes.len().checked_sub(4)?)?;
        if self::check(content, run).to_le_bytes() != check {
            return None;
        }
        let games = (0..number(&mut content)?).map(|_| GameRecord::take(rules, &mut content)).collect();
        if content.is_empty() { games } else { None }
    }
}

/// A number that tells whether anything has changed, the run included.
fn check(bytes: &[u8], run: &str) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(run.as_bytes());
    hasher.update(bytes);
    hasher.finalize()
}

fn number(bytes: &mut &[u8]) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.split_off(..2)?.try_into().ok()?))
}

fn real(bytes: &mut &[u8]) -> Option<f32> {
    Some(f32::from_le_bytes(bytes.split_off(..4)?.try_into().ok()?))
}
