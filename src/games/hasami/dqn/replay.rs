//! The replay buffer: boards as bits, so that half a million plies take some forty megabytes.

use crate::game::Symmetry;
use crate::games::hasami::net::Seen;
use crate::games::hasami::{Bitboard, Move, Square};

/// A ply and what came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Experience {
    /// The board before.
    pub board: Seen,
    /// The move, seen the same way.
    pub m: Move,
    /// What it was worth at once.
    pub reward: f32,
    /// The board after.
    pub next: Seen,
    /// Whether the side whose pieces are `own` moves there, or the other.
    pub own_next: bool,
    /// Whether the game was over.
    pub done: bool,
}

impl Experience {
    /// The same with left and right changed.
    pub fn mirrored(self) -> Experience {
        let seen = |Seen { own, other }: Seen| Seen {
            own: own.transform(Symmetry::Mirror),
            other: other.transform(Symmetry::Mirror),
        };
        Experience {
            board: seen(self.board),
            m: self.m.transform(Symmetry::Mirror),
            next: seen(self.next),
            ..self
        }
    }
}

/// The latest experiences; when it is full, each takes the place of the oldest.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    kept: Vec<Experience>,
    /// Whose place is taken next.
    oldest: usize,
    most: usize,
}

/// How many bytes an experience takes in a file: four sets of squares, two squares, a reward, two signs.
const SIZE: usize = 4 * 16 + 2 + 4 + 2;

impl Replay {
    /// Room for so many.
    pub fn new(most: usize) -> Replay {
        Replay { kept: Vec::new(), oldest: 0, most }
    }

    /// How many are remembered.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// One of them.
    pub fn get(&self, number: usize) -> &Experience {
        &self.kept[number]
    }

    /// Remembers one more.
    pub fn push(&mut self, experience: Experience) {
        if self.kept.len() < self.most {
            self.kept.push(experience);
        } else {
            self.kept[self.oldest] = experience;
            self.oldest = (self.oldest + 1) % self.most;
        }
    }

    /// As a file keeps it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8 + SIZE * self.kept.len());
        bytes.extend((self.oldest as u64).to_le_bytes());
        for experience in &self.kept {
            let Experience { board, m, reward, next, own_next, done } = experience;
            for set in [board.own, board.other, next.own, next.other] {
                bytes.extend(set.bits().to_le_bytes());
            }
            bytes.extend([m.from.index() as u8, m.to.index() as u8]);
            bytes.extend(reward.to_le_bytes());
            bytes.extend([u8::from(*own_next), u8::from(*done)]);
        }
        bytes
    }

    /// Reads it back; `None` if it is not whole.
    pub fn from_bytes(bytes: &[u8], most: usize) -> Option<Replay> {
        let (oldest, rest) = bytes.split_first_chunk::<8>()?;
        let (kept, left) = rest.as_chunks::<SIZE>();
        if !left.is_empty() || kept.len() > most {
            return None;
        }
        let oldest = u64::from_le_bytes(*oldest) as usize;
        let kept: Option<Vec<Experience>> = kept.iter().map(experience).collect();
        Some(Replay { kept: kept?, oldest: oldest % most, most })
    }
}

fn experience(bytes: &[u8; SIZE]) -> Option<Experience> {
    let set = |place: usize| {
        let bytes = bytes[16 * place..].first_chunk::<16>()?;
        Bitboard::from_bits(u128::from_le_bytes(*bytes))
    };
    let square = |byte: u8| Square::ALL.get(usize::from(byte)).copied();
    let rest = &bytes[64..];
    Some(Experience {
        board: Seen { own: set(0)?, other: set(1)? },
        next: Seen { own: set(2)?, other: set(3)? },
        m: Move { from: square(rest[0])?, to: square(rest[1])? },
        reward: f32::from_le_bytes(*rest[2..].first_chunk::<4>()?),
        own_next: rest[6] == 1,
        done: rest[7] == 1,
    })
}
