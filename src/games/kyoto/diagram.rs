//! A board that a person can read in a terminal.

use std::fmt::Write;

use super::{HandPiece, Kind, Position, Square, notation};
use crate::games::Side;

/// How the pieces are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// FEN letters: capitals for the first player.
    #[default]
    Letters,
    /// Kanji, with a `v` before the pieces of the second player, as shogi diagrams in plain text have it.
    Kanji,
}

impl Style {
    fn piece(self, side: Side, kind: Kind) -> String {
        if self == Style::Letters {
            return notation::letter(side, kind);
        }
        let kanji = match kind {
            Kind::Pawn => "歩",
            Kind::Rook => "飛",
            Kind::Silver => "銀",
            Kind::Bishop => "角",
            Kind::Knight => "桂",
            Kind::Gold => "金",
            Kind::Lance => "香",
            Kind::Tokin => "と",
            Kind::King => "玉",
        };
        if side == Side::First { kanji.to_string() } else { format!("v{kanji}") }
    }

    /// One square, always as wide as three letters (a kanji is as wide as two).
    fn square(self, piece: Option<(Side, Kind)>) -> String {
        match (piece, self) {
            (Some((side, kind)), Style::Letters) => format!("{:>3}", self.piece(side, kind)),
            (Some((side, kind)), Style::Kanji) => format!("{:>2}", self.piece(side, kind)),
            (None, _) => "   ".to_string(),
        }
    }

    /// What a side holds. A piece in hand shows neither face: it is named by the one without a plus.
    fn hand(self, position: &Position, side: Side) -> String {
        let mut held = Vec::new();
        for piece in HandPiece::ALL {
            let count = position.hand(side).count(piece);
            held.extend(std::iter::repeat_n(self.piece(side, piece.kind(false)), count));
        }
        if position.king(!side).is_none() {
            held.push(self.piece(side, Kind::King));
        }
        if held.is_empty() { "nothing".to_string() } else { held.join(" ") }
    }
}

/// The board with both hands; the files and ranks of shogi above and left, UCI's below and right.
///
/// ```
/// use dobutsu_ga::games::{Game, kyoto::{Position, Rules, Style, diagram}};
/// let start = Position::start(Rules::Capture);
/// assert!(diagram(&start, Style::Letters).contains("1 |   p |  +n |   k |   s |  +l | 5"));
/// assert!(diagram(&start, Style::Kanji).contains("5 |  と |  銀 |  玉 |  金 |  歩 | 1"));
/// ```
pub fn diagram(position: &Position, style: Style) -> String {
    const LINE: &str = "    +-----+-----+-----+-----+-----+\n";
    let mut text = String::from("       5     4     3     2     1\n");
    for row in 0..5 {
        text += LINE;
        let squares = [0, 1, 2, 3, 4].map(|column| {
            let square = Square::new(column, row).expect("on the board");
            style.square(position.piece_at(square))
        });
        let _ = write!(text, "  {} | {} | {}", row + 1, squares.join(" | "), 5 - row);
        match row {
            0 => text += &format!("    second player holds {}", style.hand(position, Side::Second)),
            4 => text += &format!("    first player holds {}", style.hand(position, Side::First)),
            _ => {}
        }
        text.push('\n');
    }
    text + LINE + "       a     b     c     d     e\n"
}
