//! How other programs talk about a game: what they call it, and how they write its positions and moves.

use super::{Game, MoveError, legal_moves};

/// A game that other programs may know too. What a game does not say is as in its own notation.
pub trait Spoken: Game {
    /// What they call it: the value of `UCI_Variant`, and of the tag `Variant` in a PGN file.
    const VARIANT: &'static str = Self::NAME;

    /// The rules by which they play it.
    fn common_rules() -> Self::Rules {
        Self::Rules::default()
    }

    /// Whether they take the position for what it is.
    fn is_common(&self) -> bool {
        true
    }

    /// The move that takes the king, or what the game has for one, if the side to move has such a move. Programs that know only
    /// of legal moves never come to such a position, and cannot be asked about it.
    fn catch(&self) -> Option<Self::Move> {
        None
    }

    /// The position as `position fen` takes it.
    fn fen(&self) -> String {
        self.to_string()
    }

    /// The position as `position sfen` takes it.
    fn sfen(&self) -> String {
        self.fen()
    }

    /// Reads what [`sfen`](Spoken::sfen) writes.
    fn parse_sfen(text: &str, rules: Self::Rules) -> Result<Self, Self::ParseError> {
        Self::parse(text, rules)
    }

    /// A legal move as in USI.
    fn usi(&self, m: Self::Move) -> String {
        self.move_text(m)
    }

    /// A legal move as in a PGN file.
    fn san(&self, m: Self::Move) -> String {
        self.move_text(m)
    }

    /// Whether another legal move is written like this one in a PGN file.
    fn is_san_ambiguous(&self, m: Self::Move) -> bool {
        let _ = m;
        false
    }

    /// Whether another program may mean a legal move by a text of its own, where its rules leave a choice that ours do not.
    fn may_be_meant(&self, m: Self::Move, text: &str) -> bool {
        let _ = (m, text);
        false
    }

    /// The legal move that another program means, in whichever notation.
    fn heard_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        let plain = |text: &str| text.trim_end_matches(['+', '#']).to_string();
        let means = |m: &Self::Move| {
            self.usi(*m) == text || plain(&self.san(*m)) == plain(text) || self.may_be_meant(*m, text)
        };
        let found = || legal_moves(self).into_iter().find(means);
        self.parse_move(text).or_else(|error| found().ok_or(error))
    }
}

/// A step of a piece as FIDE's notation for chess and Fairy-Stockfish write it.
pub(super) struct SanStep {
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
    pub(super) fn text(&self) -> String {
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
pub(super) fn sfen_of(fen: &str) -> String {
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

/// No hand holds so many of anything.
const MOST_HELD: usize = 40;

/// The FEN that an SFEN stands for. What is wrong with it shows when that is read.
pub(super) fn fen_of(sfen: &str) -> String {
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
