//! Positions and moves as text: the FEN and UCI moves of Fairy-Stockfish's variant `dobutsu`, and the paper's moves.
//!
//! Two things go beyond Fairy-Stockfish, where the lion is never actually taken: a caught lion is written in the
//! captor's hand (`[L]`), and the word `judged` at the end marks the rare position of the official rules in which a
//! lion stands unattacked on the far rank without having won (it was attacked when it arrived).

use std::fmt;

use super::position::{Flags, Status};
use super::{Bitboard, Hand, HandPiece, Kind, Move, Position, Rules, Square};
use crate::game::{BySide, Side};
use crate::games::shogi::{fen_board, from_bad_fen, is_counter, of_side, read_fen, shorten};

const JUDGED: &str = "judged";

/// What is wrong with a position written as FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum FenError {
    #[error("the FEN is empty: the start is gle/1c1/1C1/ELG[-] w 0 1")]
    Empty,
    #[error("the FEN has {0} ranks, it needs 4 with a / between two")]
    Ranks(usize),
    #[error("rank {rank} of the FEN (from the top) has {found} squares, it needs 3")]
    Squares { rank: usize, found: usize },
    #[error(
        "'{found}' in rank {rank} of the FEN (from the top) is no piece: use C G E L +C, or H for a hen, and 1 to 3 for empty squares"
    )]
    Piece { found: String, rank: usize },
    #[error(
        "the hand in the FEN has no closing bracket: it needs [-] after the board, or [Cg] with what is held"
    )]
    Bracket,
    #[error(
        "'{0}' cannot be in hand: a hand holds C G E of the first player and c g e of the second, or a caught L or l"
    )]
    HandPiece(char),
    #[error(
        "the side to move is missing in the FEN: it needs w (first player) or b (second player) after the board"
    )]
    NoSide,
    #[error("'{0}' is no side to move: it needs w (first player) or b (second player)")]
    Side(String),
    #[error(
        "'{0}' at the end of the FEN is not understood: after the side to move there are only two move counters"
    )]
    Counter(String),
    #[error("{found} {kind}s in the FEN, board and hands together: the game has 2{}", if *kind == Kind::Chick { ", hens counted as chicks" } else { "" })]
    Count { kind: Kind, found: usize },
    #[error("the {0} player has two lions in the FEN")]
    TwoLions(Side),
    #[error("the {0} player's lion was caught, so it must be that player's turn")]
    CatchTurn(Side),
    #[error("the {0} player's lion is on the board and in the other player's hand")]
    NotCaught(Side),
    #[error("both lions are in hand in the FEN: the game ends when one is caught")]
    BothCaught,
    #[error(
        "the {side} player's lion on {square} has won by a try, so it must be the other player's turn (or the official rules)"
    )]
    TryTurn { side: Side, square: Square },
    #[error(
        "'judged' needs the official rules and a lion on the far rank, unattacked, of the player whose turn it is not"
    )]
    Judged,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = fen_board(3, 4, |column, row| {
            let (side, kind) = self.piece_at(Square::new(column, row)?)?;
            Some(letter(side, kind))
        });
        let hands = self.hand_letters(Side::First) + &self.hand_letters(Side::Second);
        let side = if self.turn == Side::First { 'w' } else { 'b' };
        write!(f, "{board}[{}] {side} 0 1", if hands.is_empty() { "-" } else { &hands })?;
        if matches!(self.status(), Status::Open | Status::Stuck) && self.looks_won_by_try() {
            write!(f, " {JUDGED}")
        } else {
            Ok(())
        }
    }
}

/// A piece as FEN writes it: capitals for the first player, `+C` for a hen.
pub(super) fn letter(side: Side, kind: Kind) -> String {
    let capital = match kind {
        Kind::Chick => "C",
        Kind::Giraffe => "G",
        Kind::Elephant => "E",
        Kind::Lion => "L",
        Kind::Hen => "+C",
    };
    of_side(side, capital)
}

/// The kind a letter stands for, either case; a hen is written `H` here or with a plus.
fn kind_of(letter: char) -> Option<Kind> {
    match letter.to_ascii_uppercase() {
        'C' => Some(Kind::Chick),
        'G' => Some(Kind::Giraffe),
        'E' => Some(Kind::Elephant),
        'L' => Some(Kind::Lion),
        'H' => Some(Kind::Hen),
        _ => None,
    }
}

impl Position {
    /// What a side holds, as letters; a caught lion comes last.
    fn hand_letters(&self, side: Side) -> String {
        let mut letters = String::new();
        for piece in HandPiece::ALL {
            letters += &letter(side, piece.kind()).repeat(self.hand(side).count(piece));
        }
        if self.lion(!side).is_none() {
            letters += &letter(side, Kind::Lion);
        }
        letters
    }

    /// Whether one would take the position, seen without its history, for one just won by a try.
    fn looks_won_by_try(&self) -> bool {
        self.lion(!self.turn).is_some_and(|square| self.is_winning_try(!self.turn, square))
    }

    /// A legal move in the UCI form of Fairy-Stockfish: `b2b3`, `b3b4+`, `C@a2`. Rank 1 is at the bottom.
    pub fn uci(&self, m: Move) -> String {
        match m {
            Move::Step { from, to } => {
                let promotes = self.piece_at(from).is_some_and(|(side, kind)| {
                    kind == Kind::Chick && Bitboard::far_rank(side).meets(to.bit())
                });
                format!("{}{}{}", from.uci(), to.uci(), if promotes { "+" } else { "" })
            }
            Move::Drop { piece, to } => format!("{}@{}", letter(Side::First, piece.kind()), to.uci()),
        }
    }
}

/// A move as the paper writes it: `B3-B2`, `chick*A3`. Rank 1 is at the top.
pub(super) fn paper(m: Move) -> String {
    match m {
        Move::Step { from, to } => format!("{from}-{to}"),
        Move::Drop { piece, to } => format!("{}*{to}", piece.kind()),
    }
}

/// What has been read so far, before anybody asks whether it makes sense.
struct Draft {
    kinds: [Bitboard; 5],
    first: Bitboard,
    /// How often each kind is held, a caught lion included.
    held: BySide<[usize; 5]>,
}

/// Reads a FEN.
pub(super) fn parse(text: &str, rules: Rules) -> Result<Position, FenError> {
    let kind = |letter: char, promoted: bool, on_board: bool| match (promoted, kind_of(letter)?) {
        (true, Kind::Chick) => Some(Kind::Hen),
        (false, Kind::Hen) if !on_board => None,
        (promoted, kind) => Some(kind).filter(|_| !promoted),
    };
    let fen = read_fen(text, (3, 4), kind)?;
    let mut draft = Draft { kinds: [Bitboard::EMPTY; 5], first: Bitboard::EMPTY, held: BySide::default() };
    for (side, kind, column, row) in fen.pieces {
        if let Some(square) = Square::new(column, row) {
            draft.kinds[kind as usize] |= square.bit();
            draft.first |= square.bit().only_if(side == Side::First);
        }
    }
    for (side, kind) in fen.held {
        draft.held[side][kind as usize] += 1;
    }
    let (mut counters, mut judged) = (0, false);
    for field in fen.rest {
        if field == JUDGED && !judged {
            judged = true;
        } else if judged || !is_counter(field, &mut counters) {
            return Err(FenError::Counter(shorten(field)));
        }
    }
    settle(draft, fen.turn, rules, judged)
}

from_bad_fen!();

/// Checks that what was read is a position of the game.
fn settle(draft: Draft, turn: Side, rules: Rules, judged: bool) -> Result<Position, FenError> {
    let Draft { kinds, first, held } = draft;
    let held_by_both = |kind: Kind| held.first[kind as usize] + held.second[kind as usize];
    for side in Side::BOTH {
        let own = |square: &Square| first.meets(square.bit()) == (side == Side::First);
        if kinds[Kind::Lion as usize].filter(own).count() > 1 {
            return Err(FenError::TwoLions(side));
        }
    }
    for kind in [Kind::Chick, Kind::Giraffe, Kind::Elephant, Kind::Lion] {
        let hens = if kind == Kind::Chick { kinds[Kind::Hen as usize].len() } else { 0 };
        let found = kinds[kind as usize].len() + hens + held_by_both(kind);
        if found != 2 {
            return Err(FenError::Count { kind, found });
        }
    }
    if held_by_both(Kind::Lion) == 2 {
        return Err(FenError::BothCaught);
    }
    let mut position = Position {
        kinds,
        first,
        hands: held.map(|held| Hand::of(|piece: HandPiece| held[piece.kind() as usize])),
        turn,
        flags: Flags::new(rules, Status::Open),
    };
    for side in Side::BOTH {
        if held[!side][Kind::Lion as usize] > 0 && position.lion(side).is_some() {
            return Err(FenError::NotCaught(side));
        }
    }
    let status = judge(&position, &held, judged)?;
    position.flags = Flags::new(rules, status);
    Ok(position)
}

/// Whether the last move, which nobody wrote down, ended the game.
fn judge(position: &Position, held: &BySide<[usize; 5]>, judged: bool) -> Result<Status, FenError> {
    let (us, them) = (position.turn, !position.turn);
    if held[us][Kind::Lion as usize] > 0 {
        return Err(FenError::CatchTurn(them));
    }
    if held[them][Kind::Lion as usize] > 0 {
        return if judged { Err(FenError::Judged) } else { Ok(Status::Catch) };
    }
    if position.rules() == Rules::Paper
        && let Some(square) = position.lion(us)
        && Bitboard::far_rank(us).meets(square.bit())
    {
        return Err(FenError::TryTurn { side: us, square });
    }
    let try_open = position.looks_won_by_try();
    match (try_open, judged) {
        (true, true) if position.rules() == Rules::Paper => Err(FenError::Judged),
        (false, true) => Err(FenError::Judged),
        (true, false) => Ok(Status::Try),
        _ if position.is_stuck() => Ok(Status::Stuck),
        _ => Ok(Status::Open),
    }
}
