//! A board that a person can read in a terminal.

use super::{HandPiece, Kind, Move, Position, Square, notation};
use crate::game::{BoardView, BySide, HeldView, MoveView, PieceView, Shown, Side};
use crate::games::shogi::diagram;

crate::variants! {
    /// How the pieces are drawn.
    pub enum Style, "style" {
        /// FEN letters: capitals for the first player.
        Letters = "letters", "";
        /// Kana: hiragana for the first player, katakana for the second.
        Kana = "kana", "as in the paper";
    }
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

impl Shown for Position {
    type Style = Style;

    const SIDES: BySide<&'static str> =
        BySide { first: "capitals, hiragana", second: "small letters, katakana" };

    /// The board with both hands; the paper's coordinates above and left, UCI's below and right.
    ///
    /// ```
    /// use dobutsu_ga::game::{Game, Shown};
    /// use dobutsu_ga::games::dobutsu::{Position, Rules, Style};
    /// let start = Position::start(Rules::Paper);
    /// assert!(start.diagram(Style::Letters).contains("1 |  g |  l |  e | 4"));
    /// ```
    fn diagram(&self, style: Style) -> String {
        let square =
            |column, row| style.square(Square::new(column, row).and_then(|square| self.piece_at(square)));
        let hands = BySide::of(|side| style.hand(self, side));
        diagram(
            (3, 4),
            "    +----+----+----+\n",
            ["       A    B    C\n", "       a    b    c\n"],
            square,
            hands,
        )
    }

    fn board(&self) -> BoardView {
        let piece = |square| self.piece_at(square).map(|(side, kind)| PieceView { side, kind: kind.name() });
        let hand = |side: Side| {
            let held = HandPiece::ALL.map(|piece| (piece.kind(), self.hand(side).count(piece)));
            // A lion is never dropped, but a person wants to see where it went.
            let lion = (Kind::Lion, usize::from(self.lion(!side).is_none()));
            let view = |(kind, count): (Kind, usize)| HeldView { kind: kind.name(), count };
            held.into_iter().chain([lion]).map(view).collect()
        };
        let turn = self.turn();
        BoardView {
            columns: 3,
            squares: Square::ALL.into_iter().map(piece).collect(),
            hands: BySide { first: hand(Side::First), second: hand(Side::Second) },
            check: self.outcome().is_none() && self.lion(turn).is_some_and(|lion| self.attacks(!turn, lion)),
            walls: Vec::new(),
            ways: None,
        }
    }

    fn view_move(&self, m: Move) -> MoveView {
        let kind_at = |square: Square| self.piece_at(square).map(|(_, kind)| kind);
        let (from, to, kind) = match m {
            Move::Step { from, to } => (Some(from), to, kind_at(from).unwrap_or(Kind::Lion)),
            Move::Drop { piece, to } => (None, to, piece.kind()),
        };
        let after = self.play(m).piece_at(to).map(|(_, kind)| kind);
        MoveView {
            piece: kind.name(),
            from: from.map(Square::index),
            to: to.index(),
            held: from.is_none().then_some(kind.name()),
            becomes: after.filter(|after| *after != kind).map(Kind::name),
            captures: kind_at(to).map(Kind::name),
            ..MoveView::default()
        }
    }
}
