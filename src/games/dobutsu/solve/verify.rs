//! Is the table right? Every entry against its moves, and single positions solved again by looking forward.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::Table;
use super::retrograde::{BLOCK, UNUSED, Watch};
use crate::game::{Solved, legal_moves};
use crate::games::dobutsu::Position;

/// What is wrong with a table.
#[derive(Clone, Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum Flaw {
    #[error("the table says {found} of '{position}', but by its moves it is {expected}")]
    Value { position: Position, found: Solved, expected: Solved },
    #[error("the table has an entry for '{0}' where its mirror image should have one, or none for it")]
    Unused(Position),
    #[error("the counts in the header of the table are not those of its entries")]
    Counts,
}

/// Every entry must be the best that its moves make of the position. Wins and losses then hold by induction over their
/// distance; and from a draw each side can go on to another draw for ever, while no move wins.
pub(super) fn verify(table: &Table, watch: Watch) -> Result<(), Flaw> {
    let total = table.values.len() as u64;
    let done = AtomicU64::new(0);
    let check = |(block, values): (usize, &[u8])| {
        let mut cursor = table.index.cursor();
        for (i, value) in values.iter().enumerate() {
            let view = cursor.position(block * BLOCK + i);
            let (position, is_other) = (view.to_position(table.rules()), view.folded().1);
            if is_other != (*value == UNUSED) {
                return Err(Flaw::Unused(position));
            }
            if *value != UNUSED {
                let found = table.value(block * BLOCK + i);
                let expected = by_moves(table, &position);
                if found != expected {
                    return Err(Flaw::Value { position, found, expected });
                }
            }
        }
        watch(done.fetch_add(values.len() as u64, Relaxed) + values.len() as u64, total);
        Ok(())
    };
    table.values.par_chunks(BLOCK).enumerate().try_for_each(check)
}

/// What the entries after the moves make of a position.
fn by_moves(table: &Table, position: &Position) -> Solved {
    let after = |m| table.probe(&position.play(m)).before();
    legal_moves(position).into_iter().map(after).max().unwrap_or(Solved::Loss(0))
}

/// Who wins within so many plies, found by playing every move and without any table: a win or loss of the side to move
/// with its distance, or `None` if nobody can force the end so soon.
///
/// ```
/// use dobutsu_ga::game::Game;
/// use dobutsu_ga::games::dobutsu::{Position, Rules};
/// use dobutsu_ga::game::Solved;
/// use dobutsu_ga::games::dobutsu::solve::forward_value;
/// let position = Position::parse("gle/1C1/1c1/ELG[-] w 0 1", Rules::Official)?;
/// assert_eq!(forward_value(&position, 3), Some(Solved::Win(1)));
/// # Ok::<(), dobutsu_ga::games::dobutsu::FenError>(())
/// ```
pub fn forward_value(position: &Position, plies: u8) -> Option<Solved> {
    // Round by round, so that the first answer has the shortest distance.
    (0..=plies).find_map(|plies| {
        let wins = wins_within(position, plies)?;
        Some(if wins { Solved::Win(plies) } else { Solved::Loss(plies) })
    })
}

/// Whether the side to move wins or loses within so many plies, if either.
fn wins_within(position: &Position, plies: u8) -> Option<bool> {
    if position.is_over() {
        return Some(false);
    }
    let plies = plies.checked_sub(1)?;
    let mut loses = true;
    for m in legal_moves(position) {
        match wins_within(&position.play(m), plies) {
            Some(false) => return Some(true),
            Some(true) => {}
            None => loses = false,
        }
    }
    loses.then_some(false)
}
