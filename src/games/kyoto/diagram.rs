//! A board that a person can read in a terminal.

use super::{HandPiece, Kind, Move, Position, Square, csa, notation};
use crate::game::{BoardView, BySide, HeldView, MoveView, PieceView, RecordFormat, Shown, Side};
use crate::games::shogi::diagram;

crate::variants! {
    /// How the pieces are drawn.
    pub enum Style, "style" {
        /// FEN letters: capitals for the first player.
        Letters = "letters", "";
        /// Kanji, with a `v` before the pieces of the second player, as shogi diagrams in plain text have it.
        Kanji = "kanji", "";
    }
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

impl Shown for Position {
    type Style = Style;

    const SIDES: BySide<&'static str> = BySide { first: "capitals", second: "small letters, v" };

    /// The board with both hands; the files and ranks of shogi above and left, UCI's below and right.
    ///
    /// ```
    /// use dobutsu_ga::game::{Game, Shown};
    /// use dobutsu_ga::games::kyoto::{Position, Rules, Style};
    /// let start = Position::start(Rules::Capture);
    /// assert!(start.diagram(Style::Letters).contains("1 |   p |  +n |   k |   s |  +l | 5"));
    /// assert!(start.diagram(Style::Kanji).contains("5 |  と |  銀 |  玉 |  金 |  歩 | 1"));
    /// ```
    fn diagram(&self, style: Style) -> String {
        let square =
            |column, row| style.square(Square::new(column, row).and_then(|square| self.piece_at(square)));
        let hands = BySide::of(|side| style.hand(self, side));
        let heads = ["       5     4     3     2     1\n", "       a     b     c     d     e\n"];
        diagram((5, 5), "    +-----+-----+-----+-----+-----+\n", heads, square, hands)
    }

    fn board(&self) -> BoardView {
        let piece = |square| self.piece_at(square).map(|(side, kind)| PieceView { side, kind: kind.name() });
        let hand = |side: Side| {
            let held = HandPiece::ALL.map(|piece| (piece.kind(false), self.hand(side).count(piece)));
            // A king is never dropped, but a person wants to see where it went.
            let king = (Kind::King, usize::from(self.king(!side).is_none()));
            let view = |(kind, count): (Kind, usize)| HeldView { kind: kind.name(), count };
            held.into_iter().chain([king]).map(view).collect()
        };
        BoardView {
            columns: 5,
            squares: Square::ALL.into_iter().map(piece).collect(),
            hands: BySide { first: hand(Side::First), second: hand(Side::Second) },
            check: !self.is_over() && self.in_check(),
            walls: Vec::new(),
            ways: None,
        }
    }

    fn view_move(&self, m: Move) -> MoveView {
        let kind_at = |square: Square| self.piece_at(square).map(|(_, kind)| kind);
        let (from, to, kind, held) = match m {
            Move::Step { from, to } => (Some(from), to, kind_at(from).unwrap_or(Kind::King), None),
            Move::Drop { piece, promoted, to } => {
                (None, to, piece.kind(promoted), Some(piece.kind(false).name()))
            }
        };
        let turned = from.is_some().then(|| kind.turned_over());
        MoveView {
            piece: kind.name(),
            from: from.map(Square::index),
            to: to.index(),
            held,
            becomes: turned.filter(|after| *after != kind).map(Kind::name),
            captures: kind_at(to).map(Kind::name),
            ..MoveView::default()
        }
    }

    const RECORD_FORMAT: Option<RecordFormat<Position>> = Some(csa::FORMAT);
}
