//! Positions and moves as text: the FEN and UCI moves of Fairy-Stockfish's variant `kyotoshogi`, the moves of CSA
//! records, and moves like those of USI.
//!
//! One thing goes beyond Fairy-Stockfish, where the king is never actually taken: a captured king is written in the
//! captor's hand (`[K]`).

use std::fmt;

use super::{Hand, HandPiece, Kind, Move, Position, Rules, Square};
use crate::games::{BySide, Side};

pub(super) const START: &str = "p+nks+l/5/5/5/+LSK+NP[-] w 0 1";

/// The order in which Fairy-Stockfish writes what is in hand.
const HAND_ORDER: [HandPiece; 4] = [HandPiece::Knight, HandPiece::Lance, HandPiece::Pawn, HandPiece::Silver];

/// What is wrong with a position written as text. The sentences from `Count` on hold for every way to write one, the
/// others are about FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum FenError {
    #[error("the FEN is empty: the start is {START}")]
    Empty,
    #[error("the FEN has {0} ranks, it needs 5 with a / between two")]
    Ranks(usize),
    #[error("rank {rank} of the FEN (from the top) has {found} squares, it needs 5")]
    Squares { rank: usize, found: usize },
    #[error(
        "'{found}' in rank {rank} of the FEN (from the top) is no piece: use P S N L K +P +S +N +L, and 1 to 5 for empty squares"
    )]
    Piece { found: String, rank: usize },
    #[error(
        "the hand in the FEN has no closing bracket: it needs [-] after the board, or [Ps] with what is held"
    )]
    Bracket,
    #[error(
        "'{0}' cannot be in hand: a hand holds P S N L of the first player and p s n l of the second, or a captured K or k"
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
    #[error("{found} of the piece {piece}, board and hands together: the game has 2")]
    Count { piece: HandPiece, found: usize },
    #[error("{0} kings, board and hands together: the game has 2")]
    Kings(usize),
    #[error("the {0} player has two kings: each has one")]
    TwoKings(Side),
    #[error("the {0} player's king is on the board and in the other player's hand")]
    NotCaught(Side),
    #[error("both kings are in hand: the game ends when one is captured")]
    BothCaught,
    #[error("the {0} player's king was captured, so it must be that player's turn")]
    CatchTurn(Side),
    #[error("the {0} player's king is in hand: by the legal rules no king is ever captured")]
    CaughtByLegalRules(Side),
    #[error(
        "the {0} player's king could be captured at once: by the legal rules it cannot be the other player's turn"
    )]
    Exposed(Side),
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut empty = 0;
        for square in Square::ALL {
            match self.piece_at(square) {
                Some((side, kind)) => {
                    write_empty(f, &mut empty)?;
                    f.write_str(&letter(side, kind))?;
                }
                None => empty += 1,
            }
            if square.column() == 4 {
                write_empty(f, &mut empty)?;
                f.write_str(if square.row() < 4 { "/" } else { "" })?;
            }
        }
        let hands = self.hand_letters(Side::First) + &self.hand_letters(Side::Second);
        let side = if self.turn() == Side::First { 'w' } else { 'b' };
        write!(f, "[{}] {side} 0 1", if hands.is_empty() { "-" } else { &hands })
    }
}

fn write_empty(f: &mut fmt::Formatter<'_>, empty: &mut usize) -> fmt::Result {
    match std::mem::take(empty) {
        0 => Ok(()),
        squares => write!(f, "{squares}"),
    }
}

/// A piece as FEN writes it: capitals for the first player, `+P` for a rook.
pub(super) fn letter(side: Side, kind: Kind) -> String {
    let capital = match kind {
        Kind::Pawn => "P",
        Kind::Rook => "+P",
        Kind::Silver => "S",
        Kind::Bishop => "+S",
        Kind::Knight => "N",
        Kind::Gold => "+N",
        Kind::Lance => "L",
        Kind::Tokin => "+L",
        Kind::King => "K",
    };
    match side {
        Side::First => capital.to_string(),
        Side::Second => capital.to_lowercase(),
    }
}

/// The kind a letter stands for, either case, with a plus before it or not.
fn kind_of(letter: char, promoted: bool) -> Option<Kind> {
    let piece = match letter.to_ascii_uppercase() {
        'P' => HandPiece::Pawn,
        'S' => HandPiece::Silver,
        'N' => HandPiece::Knight,
        'L' => HandPiece::Lance,
        'K' if !promoted => return Some(Kind::King),
        _ => return None,
    };
    Some(piece.kind(promoted))
}

fn side_of(letter: char) -> Side {
    if letter.is_ascii_uppercase() { Side::First } else { Side::Second }
}

/// The code of a piece in CSA records.
pub(super) const fn csa_code(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => "FU",
        Kind::Rook => "HI",
        Kind::Silver => "GI",
        Kind::Bishop => "KA",
        Kind::Knight => "KE",
        Kind::Gold => "KI",
        Kind::Lance => "KY",
        Kind::Tokin => "TO",
        Kind::King => "OU",
    }
}

/// The piece that a code in a CSA record stands for; some write a pawn as `HU`.
pub(super) fn csa_kind(code: &str) -> Option<Kind> {
    match code {
        "HU" => Some(Kind::Pawn),
        code => Kind::ALL.into_iter().find(|kind| csa_code(*kind) == code),
    }
}

impl Position {
    /// What a side holds, as letters; a captured king comes last.
    fn hand_letters(&self, side: Side) -> String {
        let mut letters = String::new();
        for piece in HAND_ORDER {
            letters += &letter(side, piece.kind(false)).repeat(self.hand(side).count(piece));
        }
        if self.king(!side).is_none() {
            letters += &letter(side, Kind::King);
        }
        letters
    }

    /// What the piece that a legal move moves or drops shows afterwards.
    fn kind_after(&self, m: Move) -> Kind {
        match m {
            // A legal step starts from a piece; an illegal one has no text that means anything.
            Move::Step { from, .. } => self.kind_at(from).map_or(Kind::King, Kind::turned_over),
            Move::Drop { piece, promoted, .. } => piece.kind(promoted),
        }
    }

    /// A legal move in the UCI form of Fairy-Stockfish: `b1a2+`, `a1a2-`, `c1c2` for the king, `P@b3`, `+P@b3`. Rank 1
    /// is at the bottom.
    pub fn uci(&self, m: Move) -> String {
        let kind = self.kind_after(m);
        match m {
            Move::Step { from, to } => {
                let turned = match kind {
                    Kind::King => "",
                    kind if kind.is_promoted() => "+",
                    _ => "-",
                };
                format!("{from}{to}{turned}")
            }
            Move::Drop { to, .. } => format!("{}@{to}", letter(Side::First, kind)),
        }
    }

    /// A legal move as in a CSA record: sign of the side, squares, and the face up after the move: `+1514HI`, `-0033KI`.
    pub fn csa(&self, m: Move) -> String {
        let sign = if self.turn() == Side::First { '+' } else { '-' };
        let code = csa_code(self.kind_after(m));
        match m {
            Move::Step { from, to } => format!("{sign}{}{}{code}", from.csa(), to.csa()),
            Move::Drop { to, .. } => format!("{sign}00{}{code}", to.csa()),
        }
    }

    /// A legal move in a form like USI's: `1e1d`, `P*3c`, `+P*3c`. A step needs no mark for turning over.
    pub fn usi(&self, m: Move) -> String {
        match m {
            Move::Step { from, to } => format!("{}{}", from.usi(), to.usi()),
            Move::Drop { to, .. } => format!("{}*{}", letter(Side::First, self.kind_after(m)), to.usi()),
        }
    }

    /// Every way to write a legal move: UCI, CSA, USI, then CSA as others write it (`HU` for a pawn, no sign).
    pub(super) fn texts(&self, m: Move) -> Vec<String> {
        let csa = self.csa(m);
        let mut texts = vec![self.uci(m), csa.clone(), self.usi(m), csa[1..].to_string()];
        if let Some(squares) = csa.strip_suffix(csa_code(Kind::Pawn)) {
            texts.extend([format!("{squares}HU"), format!("{}HU", &squares[1..])]);
        }
        texts
    }
}

/// How often each piece is held, and the kings.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    pieces: [usize; 4],
    kings: usize,
}

/// A position as a reader gathers it piece by piece. Nothing of it is checked before it becomes a [`Position`], so
/// every way to write a position is refused for the same reasons.
#[derive(Clone, Debug, Default)]
pub(super) struct Setup {
    pieces: Vec<(Side, Kind, Square)>,
    held: BySide<Held>,
}

impl Setup {
    /// Puts a piece on a square; the caller sees to it that the square [is free](Setup::is_free).
    pub(super) fn put(&mut self, side: Side, kind: Kind, square: Square) {
        self.pieces.push((side, kind, square));
    }

    /// Whether nothing was put on this square yet.
    pub(super) fn is_free(&self, square: Square) -> bool {
        self.pieces.iter().all(|(.., taken)| *taken != square)
    }

    /// Gives a side a piece in hand, whichever face it shows, or the other side's king.
    pub(super) fn give(&mut self, side: Side, kind: Kind) {
        match kind.piece() {
            Some(piece) => self.held[side].pieces[piece as usize] += 1,
            None => self.held[side].kings += 1,
        }
    }

    /// How often a piece is there, board and hands together.
    pub(super) fn count(&self, piece: HandPiece) -> usize {
        let in_hands = Side::BOTH.map(|side| self.held[side].pieces[piece as usize]);
        self.owners(Some(piece)).count() + in_hands.into_iter().sum::<usize>()
    }

    /// Whose the pieces of one sort on the board are; `None` stands for the kings.
    fn owners(&self, wanted: Option<HandPiece>) -> impl Iterator<Item = Side> {
        self.pieces.iter().filter(move |(_, kind, _)| kind.piece() == wanted).map(|(side, ..)| *side)
    }

    /// The position, if a game could have come to it.
    pub(super) fn position(&self, rules: Rules, turn: Side) -> Result<Position, FenError> {
        self.check_counts()?;
        let hands = BySide { first: hand(&self.held.first), second: hand(&self.held.second) };
        let mut position = Position::blank(rules, turn, hands);
        for (side, kind, square) in &self.pieces {
            position.put(*side, *kind, *square);
        }
        check_kings(&position, &self.held)?;
        Ok(position.settled())
    }

    /// The game has ten pieces, two of each, and none of them ever leaves it.
    fn check_counts(&self) -> Result<(), FenError> {
        let kings = self.owners(None).count() + self.held.first.kings + self.held.second.kings;
        if kings != 2 {
            return Err(FenError::Kings(kings));
        }
        for side in Side::BOTH {
            if self.owners(None).filter(|owner| *owner == side).count() == 2 {
                return Err(FenError::TwoKings(side));
            }
        }
        for piece in HandPiece::ALL {
            let found = self.count(piece);
            if found != 2 {
                return Err(FenError::Count { piece, found });
            }
        }
        Ok(())
    }
}

/// Reads a FEN.
pub(super) fn parse(text: &str, rules: Rules) -> Result<Position, FenError> {
    let mut fields = text.split_whitespace();
    let placement = fields.next().ok_or(FenError::Empty)?;
    let (board, hands) = match placement.split_once('[') {
        Some((board, rest)) => (board, rest.strip_suffix(']').ok_or(FenError::Bracket)?),
        None => (placement, ""),
    };
    let mut setup = Setup::default();
    read_board(board, &mut setup)?;
    read_hands(hands, &mut setup)?;
    let turn = match fields.next() {
        Some("w") => Side::First,
        Some("b") => Side::Second,
        Some(other) => return Err(FenError::Side(shorten(other))),
        None => return Err(FenError::NoSide),
    };
    check_counters(fields)?;
    setup.position(rules, turn)
}

fn read_board(board: &str, setup: &mut Setup) -> Result<(), FenError> {
    let ranks: Vec<&str> = board.split('/').collect();
    if ranks.len() != 5 {
        return Err(FenError::Ranks(ranks.len()));
    }
    for (row, rank) in ranks.into_iter().enumerate() {
        let mut column = 0;
        let mut letters = rank.chars();
        while let Some(mut letter) = letters.next() {
            if let Some(empty @ 1..=5) = letter.to_digit(10) {
                column += empty as usize;
                continue;
            }
            let mut found = letter.to_string();
            let promoted = letter == '+';
            if promoted {
                letter = letters.next().unwrap_or(' ');
                found.push(letter);
            }
            let Some(kind) = kind_of(letter, promoted) else {
                return Err(FenError::Piece { found, rank: row + 1 });
            };
            if let Some(square) = Square::new(column, row) {
                setup.put(side_of(letter), kind, square);
            }
            column += 1;
        }
        if column != 5 {
            return Err(FenError::Squares { rank: row + 1, found: column });
        }
    }
    Ok(())
}

fn read_hands(hands: &str, setup: &mut Setup) -> Result<(), FenError> {
    for letter in hands.chars().filter(|_| hands != "-") {
        let kind = kind_of(letter, false).ok_or(FenError::HandPiece(letter))?;
        setup.give(side_of(letter), kind);
    }
    Ok(())
}

/// What follows the side to move: counters, which a position does not keep.
fn check_counters<'a>(fields: impl Iterator<Item = &'a str>) -> Result<(), FenError> {
    let mut counters = 0;
    for field in fields {
        match field {
            // Fairy-Stockfish prints two empty chess fields (castling, en passant) before the counters.
            "-" if counters == 0 => {}
            number if counters < 2 && number.parse::<u32>().is_ok() => counters += 1,
            other => return Err(FenError::Counter(shorten(other))),
        }
    }
    Ok(())
}

/// Whether a game could have come to where the kings are.
fn check_kings(position: &Position, held: &BySide<Held>) -> Result<(), FenError> {
    if held.first.kings + held.second.kings == 2 {
        return Err(FenError::BothCaught);
    }
    let (us, them) = (position.turn(), !position.turn());
    for side in Side::BOTH.into_iter().filter(|side| held[!*side].kings > 0) {
        if position.king(side).is_some() {
            return Err(FenError::NotCaught(side));
        }
        if position.rules() == Rules::Legal {
            return Err(FenError::CaughtByLegalRules(side));
        }
        if side == them {
            return Err(FenError::CatchTurn(side));
        }
    }
    let exposed = position.king(them).is_some_and(|king| position.attacks(us, king));
    if position.rules() == Rules::Legal && exposed {
        return Err(FenError::Exposed(them));
    }
    Ok(())
}

fn hand(held: &Held) -> Hand {
    let mut hand = Hand::EMPTY;
    for piece in HandPiece::ALL {
        for _ in 0..held.pieces[piece as usize] {
            hand = hand.with(piece).unwrap_or(hand);
        }
    }
    hand
}

/// A user's slip of the keyboard may be long: the sentence about it stays readable.
pub(super) fn shorten(text: &str) -> String {
    text.chars().take(20).collect()
}
