//! Positions and moves as text: the FEN and UCI moves of Fairy-Stockfish's variant `kyotoshogi`, the moves of CSA
//! records, and moves like those of USI.
//!
//! One thing goes beyond Fairy-Stockfish, where the king is never actually taken: a captured king is written in the
//! captor's hand (`[K]`).

use std::fmt;

use super::{Hand, HandPiece, Kind, Move, Position, Rules, Square};
use crate::game::{BySide, Side};
use crate::games::shogi::{fen_board, from_bad_fen, is_counter, of_side, read_fen, shorten};

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
        let board = fen_board(5, 5, |column, row| {
            let (side, kind) = self.piece_at(Square::new(column, row)?)?;
            Some(letter(side, kind))
        });
        let hands = self.hand_letters(Side::First) + &self.hand_letters(Side::Second);
        let side = if self.turn() == Side::First { 'w' } else { 'b' };
        write!(f, "{board}[{}] {side} 0 1", if hands.is_empty() { "-" } else { &hands })
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
    of_side(side, capital)
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
        let hands = self.held.map(|held| Hand::of(|piece: HandPiece| held.pieces[piece as usize]));
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
    let fen = read_fen(text, (5, 5), |letter, promoted, _| kind_of(letter, promoted))?;
    let mut setup = Setup::default();
    for (side, kind, column, row) in fen.pieces {
        if let Some(square) = Square::new(column, row) {
            setup.put(side, kind, square);
        }
    }
    fen.held.into_iter().for_each(|(side, kind)| setup.give(side, kind));
    let mut counters = 0;
    match fen.rest.into_iter().find(|field| !is_counter(field, &mut counters)) {
        Some(field) => Err(FenError::Counter(shorten(field))),
        None => setup.position(rules, fen.turn),
    }
}

from_bad_fen!();

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
