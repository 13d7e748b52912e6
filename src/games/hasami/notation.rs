//! Positions as text: the board row by row as in FEN, whose turn it is, and `!` if that side is about to lose by a lead of three.
//!
//! `ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP w -` is the start.

use std::fmt;

use super::{Bitboard, PIECES_EACH, Position, Rules, Square};
use crate::game::{BySide, Side};
use crate::games::board9::SIZE;

const START_TEXT: &str = "ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP w -";

/// What is wrong with a position written as text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum FenError {
    #[error(
        "the position has {0} parts, it needs 2 or 3: the board, the side to move and - or !, as in {START_TEXT}"
    )]
    Parts(usize),
    #[error("the board has {0} rows, it needs 9")]
    Rows(usize),
    #[error("row '{0}' does not have 9 squares")]
    Row(String),
    #[error("'{0}' is no piece: P belongs to the first player, p to the second, digits are empty squares")]
    Piece(char),
    #[error("the {side} player has {count} pieces: nobody has more than {PIECES_EACH}")]
    TooMany { side: Side, count: usize },
    #[error("the {0} player has just moved with 4 or fewer pieces: that side had lost before")]
    LostBefore(Side),
    #[error("'{0}' is no side to move: it needs w (first player) or b (second player)")]
    Side(String),
    #[error(
        "the mark is '{0}': it needs ! if the side to move has lost unless it takes back at once, else -"
    )]
    Mark(String),
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..SIZE).rev() {
            let mut empty = 0;
            for file in 0..SIZE {
                let square = Square::ALL[rank * SIZE + file];
                let Some(side) = self.side_on(square) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                f.write_str(if side == Side::First { "P" } else { "p" })?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            f.write_str(if rank > 0 { "/" } else { "" })?;
        }
        let turn = if self.turn() == Side::First { 'w' } else { 'b' };
        write!(f, " {turn} {}", if self.is_lead_pending() { '!' } else { '-' })
    }
}

impl Position {
    /// Whose piece stands on a square.
    pub fn side_on(&self, square: Square) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.pieces(*side).meets(square.bit()))
    }
}

pub(super) fn parse(text: &str, rules: Rules) -> Result<Position, FenError> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let (board, turn, mark) = match *parts.as_slice() {
        [board, turn] => (board, turn, None),
        [board, turn, mark] => (board, turn, Some(mark)),
        _ => return Err(FenError::Parts(parts.len())),
    };
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != SIZE {
        return Err(FenError::Rows(rows.len()));
    }
    let mut pieces = BySide { first: Bitboard::EMPTY, second: Bitboard::EMPTY };
    for (rank, row) in (0..SIZE).rev().zip(&rows) {
        add_row(&mut pieces, rank, row)?;
    }
    let turn = match turn {
        "w" | "W" => Side::First,
        "b" | "B" => Side::Second,
        other => return Err(FenError::Side(short(other))),
    };
    let count = |side: &Side| pieces[*side].len();
    if let Some(side) = Side::BOTH.into_iter().find(|side| count(side) > PIECES_EACH.into()) {
        return Err(FenError::TooMany { side, count: count(&side) });
    }
    let position = Position::of(pieces, turn, rules);
    if count(&!turn) <= 4 {
        return Err(FenError::LostBefore(!turn));
    }
    match mark {
        Some(mark) if mark != if position.is_lead_pending() { "!" } else { "-" } => {
            Err(FenError::Mark(short(mark)))
        }
        _ => Ok(position),
    }
}

fn add_row(pieces: &mut BySide<Bitboard>, rank: usize, row: &str) -> Result<(), FenError> {
    let mut file = 0;
    for c in row.chars() {
        let side = match c {
            'P' => Side::First,
            'p' => Side::Second,
            '1'..='9' => {
                file += c as usize - '0' as usize;
                continue;
            }
            other => return Err(FenError::Piece(other)),
        };
        let square = Square::new(file, rank).ok_or_else(|| FenError::Row(short(row)))?;
        pieces[side] |= square.bit();
        file += 1;
    }
    if file == SIZE { Ok(()) } else { Err(FenError::Row(short(row))) }
}

/// A slip of the keyboard may be long: sentences stay readable.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}
