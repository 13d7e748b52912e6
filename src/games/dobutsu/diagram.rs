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
    /// Kana as in the paper: hiragana for the first player, katakana for the second.
    Kana,
}

impl Style {
    fn piece(self, side: Side, kind: Kind) -> String {
        if self == Style::Letters {
            return notation::letter(side, kind);
        }
        let [hiragana, katakana] = match kind {
            Kind::Chick => ["ひ", "ヒ"],
            Kind::Giraffe => ["き", "キ"],
            Kind::Elephant => ["ぞ", "ゾ"],
            Kind::Lion => ["ら", "ラ"],
            Kind::Hen => ["に", "ニ"],
        };
        if side == Side::First { hiragana } else { katakana }.to_string()
    }

    /// One square, always as wide as two letters (a kana is that wide by itself).
    fn square(self, piece: Option<(Side, Kind)>) -> String {
        match (piece, self) {
            (Some((side, kind)), Style::Letters) => format!("{:>2}", self.piece(side, kind)),
            (Some((side, kind)), Style::Kana) => self.piece(side, kind),
            (None, _) => "  ".to_string(),
        }
    }

    fn hand(self, position: &Position, side: Side) -> String {
        let mut held = Vec::new();
        for piece in HandPiece::ALL {
            let count = position.hand(side).count(piece);
            held.extend(std::iter::repeat_n(self.piece(side, piece.kind()), count));
        }
        if position.lion(!side).is_none() {
            held.push(self.piece(side, Kind::Lion));
        }
        if held.is_empty() { "nothing".to_string() } else { held.join(" ") }
    }
}

/// The board with both hands; the paper's coordinates above and left, UCI's below and right.
///
/// ```
/// use dobutsu_ga::games::{Game, dobutsu::{Position, Rules, Style, diagram}};
/// let start = Position::start(Rules::Paper);
/// assert!(diagram(&start, Style::Letters).contains("1 |  g |  l |  e | 4"));
/// ```
pub fn diagram(position: &Position, style: Style) -> String {
    const LINE: &str = "    +----+----+----+\n";
    let mut text = String::from("       A    B    C\n");
    for row in 0..4 {
        text += LINE;
        let squares = [0, 1, 2].map(|column| {
            let square = Square::new(column, row).expect("on the board");
            style.square(position.piece_at(square))
        });
        let _ = write!(text, "  {} | {} | {}", row + 1, squares.join(" | "), 4 - row);
        match row {
            0 => text += &format!("    second player holds {}", style.hand(position, Side::Second)),
            3 => text += &format!("    first player holds {}", style.hand(position, Side::First)),
            _ => {}
        }
        text.push('\n');
    }
    text + LINE + "       a    b    c\n"
}
