//! What the games of the shogi family share: hands, and how FEN, SFEN and SAN write them.

use std::fmt::{self, Debug, Write};
use std::marker::PhantomData;

use crate::game::{BySide, Side};

/// A piece that can be held in hand and dropped.
pub trait Held: Copy + 'static {
    /// Every one, in the order of their numbers.
    const PIECES: &'static [Self];

    /// Its number, from 0.
    fn number(self) -> u8;
}

/// How many of each piece a player holds: none to two, as there are two of each in the game.
pub struct Hand<P> {
    /// Two bits a piece.
    bits: u8,
    pieces: PhantomData<fn() -> P>,
}

impl<P: Held> Hand<P> {
    /// Nothing in hand.
    pub const EMPTY: Hand<P> = Hand::from_bits(0);

    /// The hand of these bits, which the caller knows to be one.
    pub(crate) const fn from_bits(bits: u8) -> Hand<P> {
        Hand { bits, pieces: PhantomData }
    }

    /// The bits of the hand, two a piece.
    pub const fn bits(self) -> u8 {
        self.bits
    }

    /// Whether nothing is held.
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// How many of this piece are held.
    #[inline]
    pub fn count(self, piece: P) -> usize {
        (self.bits >> (2 * piece.number()) & 0b11) as usize
    }

    /// Whether at least one of this piece is held.
    #[inline]
    pub fn holds(self, piece: P) -> bool {
        self.count(piece) > 0
    }

    /// The pieces of which at least one is held.
    #[inline]
    pub fn pieces(self) -> impl Iterator<Item = P> {
        P::PIECES.iter().copied().filter(move |piece| self.holds(*piece))
    }

    /// How many different pieces are held.
    pub(crate) const fn kinds_held(self) -> usize {
        ((self.bits | self.bits >> 1) & 0b01_01_01_01).count_ones() as usize
    }

    /// How many pieces are held.
    pub(crate) const fn pieces_held(self) -> usize {
        ((self.bits & 0b01_01_01_01).count_ones() + 2 * (self.bits & 0b10_10_10_10).count_ones()) as usize
    }

    /// The hand with one more of this piece, or `None` if it holds two already.
    pub fn with(self, piece: P) -> Option<Hand<P>> {
        (self.count(piece) < 2).then(|| Hand::from_bits(self.bits + Self::one(piece)))
    }

    /// The hand after a capture; `captured` tells for each piece whether it was the one.
    ///
    /// There are two of each piece in the game, so a legal capture never brings a third.
    #[inline]
    pub(crate) fn with_captured(self, captured: impl Fn(P) -> bool) -> Hand<P> {
        let mut bits = self.bits;
        for piece in P::PIECES {
            bits += (captured(*piece) as u8) << (2 * piece.number());
        }
        Hand::from_bits(bits)
    }

    /// The hand with one less of this piece, or `None` if it holds none.
    #[inline]
    pub fn without(self, piece: P) -> Option<Hand<P>> {
        self.holds(piece).then(|| Hand::from_bits(self.bits - Self::one(piece)))
    }

    #[inline]
    fn one(piece: P) -> u8 {
        1 << (2 * piece.number())
    }

    /// The hand that holds so many of each piece; two of a kind at most.
    pub(crate) fn of(count: impl Fn(P) -> usize) -> Hand<P> {
        let mut hand = Hand::EMPTY;
        for piece in P::PIECES {
            for _ in 0..count(*piece) {
                hand = hand.with(*piece).unwrap_or(hand);
            }
        }
        hand
    }
}

impl<P> Clone for Hand<P> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Hand<P> {}

impl<P> PartialEq for Hand<P> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

impl<P> Eq for Hand<P> {}

impl<P> std::hash::Hash for Hand<P> {
    #[inline]
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.bits.hash(state);
    }
}

impl<P> Default for Hand<P> {
    fn default() -> Self {
        Hand { bits: 0, pieces: PhantomData }
    }
}

impl<P> Debug for Hand<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hand({:#b})", self.bits)
    }
}

/// A board as FEN writes it: row by row from the top, empty squares counted; `letter` is what stands on a square.
pub(crate) fn fen_board(
    columns: usize,
    rows: usize,
    letter: impl Fn(usize, usize) -> Option<String>,
) -> String {
    let mut text = String::new();
    for row in 0..rows {
        let mut empty = 0;
        for column in 0..columns {
            match letter(column, row) {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        let _ = write!(text, "{empty}");
                    }
                    empty = 0;
                    text += &letter;
                }
            }
        }
        if empty > 0 {
            let _ = write!(text, "{empty}");
        }
        text += if row + 1 < rows { "/" } else { "" };
    }
    text
}

/// The letter of a piece: capitals for the first player.
pub(crate) fn of_side(side: Side, capital: &str) -> String {
    if side == Side::First { capital.to_string() } else { capital.to_lowercase() }
}

/// Whose piece a letter stands for.
pub(crate) fn side_of(letter: char) -> Side {
    if letter.is_ascii_uppercase() { Side::First } else { Side::Second }
}

/// What is wrong with the form of a FEN, whatever the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BadFen {
    Empty,
    Ranks(usize),
    Squares { rank: usize, found: usize },
    Piece { found: String, rank: usize },
    Bracket,
    HandPiece(char),
    NoSide,
    Side(String),
}

/// A game's `FenError` says the same in its own letters and sizes.
macro_rules! from_bad_fen {
    () => {
        impl From<crate::games::shogi::BadFen> for FenError {
            fn from(error: crate::games::shogi::BadFen) -> FenError {
                use crate::games::shogi::BadFen;
                match error {
                    BadFen::Empty => FenError::Empty,
                    BadFen::Ranks(ranks) => FenError::Ranks(ranks),
                    BadFen::Squares { rank, found } => FenError::Squares { rank, found },
                    BadFen::Piece { found, rank } => FenError::Piece { found, rank },
                    BadFen::Bracket => FenError::Bracket,
                    BadFen::HandPiece(letter) => FenError::HandPiece(letter),
                    BadFen::NoSide => FenError::NoSide,
                    BadFen::Side(text) => FenError::Side(text),
                }
            }
        }
    };
}
pub(crate) use from_bad_fen;

/// A FEN taken apart. The fields after the side to move are left to the game.
pub(crate) struct Fen<'a, K> {
    /// The pieces on the board: whose, what, column and row.
    pub pieces: Vec<(Side, K, usize, usize)>,
    /// The pieces in hand.
    pub held: Vec<(Side, K)>,
    pub turn: Side,
    pub rest: Vec<&'a str>,
}

/// Reads the form of a FEN; `kind` says what a letter stands for, with a plus before it or not, on the board (`true`) or in hand.
pub(crate) fn read_fen<K>(
    text: &str,
    (columns, rows): (usize, usize),
    kind: impl Fn(char, bool, bool) -> Option<K>,
) -> Result<Fen<'_, K>, BadFen> {
    let mut fields = text.split_whitespace();
    let placement = fields.next().ok_or(BadFen::Empty)?;
    let (board, hands) = match placement.split_once('[') {
        Some((board, rest)) => (board, rest.strip_suffix(']').ok_or(BadFen::Bracket)?),
        None => (placement, ""),
    };
    let ranks: Vec<&str> = board.split('/').collect();
    if ranks.len() != rows {
        return Err(BadFen::Ranks(ranks.len()));
    }
    let mut pieces = Vec::new();
    for (row, rank) in ranks.into_iter().enumerate() {
        let mut column = 0;
        let mut letters = rank.chars();
        while let Some(mut letter) = letters.next() {
            if let Some(empty) = letter.to_digit(10).filter(|empty| (1..=columns as u32).contains(empty)) {
                column += empty as usize;
                continue;
            }
            let mut found = letter.to_string();
            let promoted = letter == '+';
            if promoted {
                letter = letters.next().unwrap_or(' ');
                found.push(letter);
            }
            let kind = kind(letter, promoted, true).ok_or(BadFen::Piece { found, rank: row + 1 })?;
            if column < columns {
                pieces.push((side_of(letter), kind, column, row));
            }
            column += 1;
        }
        if column != columns {
            return Err(BadFen::Squares { rank: row + 1, found: column });
        }
    }
    let mut held = Vec::new();
    for letter in hands.chars().filter(|_| hands != "-") {
        held.push((side_of(letter), kind(letter, false, false).ok_or(BadFen::HandPiece(letter))?));
    }
    let turn = match fields.next() {
        Some("w") => Side::First,
        Some("b") => Side::Second,
        Some(other) => return Err(BadFen::Side(shorten(other))),
        None => return Err(BadFen::NoSide),
    };
    Ok(Fen { pieces, held, turn, rest: fields.collect() })
}

/// Whether a field after the side to move is a counter, of which there are two; `counters` is how many there were. Fairy-Stockfish prints two
/// empty chess fields (castling, en passant) before them.
pub(crate) fn is_counter(field: &str, counters: &mut usize) -> bool {
    let counts = *counters < 2 && field.parse::<u32>().is_ok();
    *counters += usize::from(counts);
    counts || field == "-" && *counters == 0
}

/// A typing error may be long: the sentence about it stays readable.
pub(crate) fn shorten(text: &str) -> String {
    text.chars().take(20).collect()
}

/// The board as text with both hands, as a terminal shows it: `heads` are the lines of files above and below, `square` and `hand` what is drawn.
pub(crate) fn diagram(
    (columns, rows): (usize, usize),
    line: &str,
    heads: [&str; 2],
    square: impl Fn(usize, usize) -> String,
    hands: BySide<String>,
) -> String {
    let mut text = String::from(heads[0]);
    for row in 0..rows {
        text += line;
        let squares: Vec<String> = (0..columns).map(|column| square(column, row)).collect();
        let _ = write!(text, "  {} | {} | {}", row + 1, squares.join(" | "), rows - row);
        if row == 0 {
            text += &format!("    second player holds {}", hands.second);
        } else if row + 1 == rows {
            text += &format!("    first player holds {}", hands.first);
        }
        text.push('\n');
    }
    text + line + heads[1]
}

/// A step of a piece as FIDE's notation for chess and Fairy-Stockfish write it.
pub(crate) struct SanStep {
    /// The letter of the piece.
    pub piece: &'static str,
    /// From where to where, as `a1`.
    pub from: String,
    pub to: String,
    pub captures: bool,
    /// The letter of what it becomes, if that is something else.
    pub becomes: Option<&'static str>,
    /// From where else a piece with that letter could have gone there.
    pub others: Vec<String>,
}

impl SanStep {
    pub(crate) fn text(&self) -> String {
        let SanStep { piece, from, to, captures, becomes, others } = self;
        let (file, rank) = from.split_at(1);
        let shares = |part: &str| others.iter().any(|other| other.contains(part));
        let which = match () {
            () if others.is_empty() => "",
            () if !shares(file) => file,
            () if !shares(rank) => rank,
            () => from,
        };
        let takes = if *captures { "x" } else { "" };
        let becomes = becomes.map_or(String::new(), |letter| format!("={letter}"));
        format!("{piece}{which}{takes}{to}{becomes}")
    }
}

/// SFEN for a FEN with hands in brackets: black begins there, and hands stand apart.
pub(crate) fn sfen_of(fen: &str) -> String {
    let (board, rest) = fen.split_once('[').unwrap_or((fen, "-] w"));
    let (hands, rest) = rest.split_once(']').unwrap_or((rest, " w"));
    let side = if rest.trim_start().starts_with('w') { 'b' } else { 'w' };
    let mut counted = String::new();
    let mut letters = hands.chars().peekable();
    while let Some(letter) = letters.next() {
        let mut count = 1;
        while letters.next_if_eq(&letter).is_some() {
            count += 1;
        }
        if count > 1 {
            counted += &count.to_string();
        }
        counted.push(letter);
    }
    let hands = if counted.is_empty() { "-".to_string() } else { counted };
    format!("{board} {side} {hands} 1")
}

/// More than any hand holds.
const MOST_HELD: usize = 40;

/// The FEN that an SFEN stands for. What is wrong with it shows when that is read.
pub(crate) fn fen_of(sfen: &str) -> String {
    let mut fields = sfen.split_whitespace();
    let board = fields.next().unwrap_or_default();
    let side = match fields.next().unwrap_or_default() {
        "b" => "w",
        "w" => "b",
        other => other,
    };
    let (mut hands, mut count) = (String::new(), 0);
    for letter in fields.next().unwrap_or("-").chars() {
        match letter.to_digit(10) {
            Some(digit) => count = (count * 10 + digit as usize).min(MOST_HELD),
            None => {
                hands += &letter.to_string().repeat(count.max(1));
                count = 0;
            }
        }
    }
    format!("{board}[{hands}] {side} 0 1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sfen_and_fen_say_the_same() {
        for (fen, sfen) in [
            ("gle/1c1/1C1/ELG[-] w 0 1", "gle/1c1/1C1/ELG b - 1"),
            ("gl1/1e1/3/ELG[Cc] b 0 1", "gl1/1e1/3/ELG w Cc 1"),
            ("1l1/3/3/1L1[CCGe] w 0 1", "1l1/3/3/1L1 b 2CGe 1"),
        ] {
            assert_eq!(sfen_of(fen), sfen);
            assert_eq!(fen_of(sfen), fen);
        }
        // Whatever comes, nothing grows without bounds.
        assert!(fen_of("gle/1c1/1C1/ELG b 99999999999999999999C 1").len() < 100);
        assert_eq!(fen_of(""), "[-]  0 1");
    }
}
