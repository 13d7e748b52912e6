//! A board that a person can read in a terminal.

use super::{Move, PIECES_EACH, Position, Square};
use crate::game::{BoardView, BySide, HeldView, MoveView, PieceView, Shown, Side};
use crate::games::board9::SIZE;

crate::variants! {
    /// How the pieces are drawn.
    pub enum Style, "style" {
        /// FEN letters: capitals for the first player.
        Letters = "letters", "";
        /// Triangles, as in the report.
        Signs = "signs", "";
    }
}

impl Style {
    const fn sign(self, side: Option<Side>) -> char {
        match (self, side) {
            (Style::Letters, Some(Side::First)) => 'P',
            (Style::Letters, Some(Side::Second)) => 'p',
            (Style::Letters, None) => '.',
            (Style::Signs, Some(Side::First)) => '▲',
            (Style::Signs, Some(Side::Second)) => '▽',
            (Style::Signs, None) => '·',
        }
    }
}

impl Shown for Position {
    type Style = Style;

    const SIDES: BySide<&'static str> = BySide { first: "P or ▲, below", second: "p or ▽, above" };

    /// The board; the files and ranks of shogi above and right, letters and numbers below and left.
    ///
    /// ```
    /// use dobutsu_ga::game::{Game, Shown};
    /// use dobutsu_ga::games::hasami::{Position, Rules, Style};
    /// let start = Position::start(Rules::Report);
    /// let diagram = start.diagram(Style::Letters);
    /// let lines: Vec<&str> = diagram.lines().collect();
    /// assert_eq!(lines[0], "    9  8  7  6  5  4  3  2  1");
    /// assert_eq!(lines[9], " 1  P  P  P  P  P  P  P  P  P  9    first player has taken 0");
    /// assert_eq!(lines[10], "    a  b  c  d  e  f  g  h  i");
    /// ```
    fn diagram(&self, style: Style) -> String {
        let mut text = "    9  8  7  6  5  4  3  2  1\n".to_string();
        for rank in (0..SIZE).rev() {
            text += &format!(" {}", rank + 1);
            for file in 0..SIZE {
                let side = self.side_on(Square::ALL[rank * SIZE + file]);
                text += &format!("  {}", style.sign(side));
            }
            text += &format!("  {}", SIZE - rank);
            match rank {
                8 => text += &format!("    second player has taken {}", self.taken(Side::Second)),
                4 if self.is_lead_pending() => {
                    text += &format!("    the {} player must take back at once", self.turn());
                }
                0 => text += &format!("    first player has taken {}", self.taken(Side::First)),
                _ => {}
            }
            text.push('\n');
        }
        text + "    a  b  c  d  e  f  g  h  i\n"
    }

    fn board(&self) -> BoardView {
        let mut squares = vec![None; SIZE * SIZE];
        for square in self.occupied() {
            let piece = |side| PieceView { side, kind: PIECE };
            squares[square.index_from_top()] = self.side_on(square).map(piece);
        }
        let hand = |side: Side| vec![HeldView { kind: PIECE, count: self.taken(side) }];
        BoardView {
            columns: SIZE,
            squares,
            hands: BySide { first: hand(Side::First), second: hand(Side::Second) },
            check: self.is_lead_pending(),
            ..BoardView::default()
        }
    }

    fn view_move(&self, m: Move) -> MoveView {
        let other = !self.turn();
        let taken = self.pieces(other) - self.play(m).pieces(other);
        MoveView {
            piece: PIECE,
            from: Some(m.from.index_from_top()),
            to: m.to.index_from_top(),
            captures: (!taken.is_empty()).then_some(PIECE),
            taken: taken.map(Square::index_from_top).collect(),
            ..MoveView::default()
        }
    }
}

/// There is one kind of piece.
const PIECE: &str = "piece";

impl Position {
    /// How many pieces a side has taken, if both began with nine.
    fn taken(&self, side: Side) -> usize {
        usize::from(PIECES_EACH - self.left(!side))
    }
}
