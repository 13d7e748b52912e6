//! A board that a person can read in a terminal.

use super::{Bitboard, Lie, Move, Passages, Position, Square, Wall};
use crate::game::{BoardView, BySide, HeldView, MoveView, PieceView, Shown, Side, WallView};
use crate::games::board9::SIZE;

crate::variants! {
    /// How the board is drawn.
    pub enum Style, "style" {
        /// Plain letters and signs.
        Letters = "letters", "";
        /// Lines for the walls.
        Lines = "lines", "";
    }
}

impl Style {
    /// A wall that lies across, one that stands upright, and an empty square.
    const fn signs(self) -> (char, char, char) {
        match self {
            Style::Letters => ('=', '|', '.'),
            Style::Lines => ('━', '┃', '·'),
        }
    }
}

/// How wide a square and the gap after it are.
const PITCH: usize = 4;

impl Shown for Position {
    type Style = Style;

    const SIDES: BySide<&'static str> = BySide { first: "W, goes up", second: "B, goes down" };

    /// The board with its walls: `e3h` lies above e3 and f3, `e3v` right of e3 and e4.
    ///
    /// ```
    /// use dobutsu_ga::game::{Game, Shown, Usual};
    /// use dobutsu_ga::games::quoridor::{Position, Style};
    /// let position = Position::parse("e4 e9 9 10 h:e3 v:- b", Usual::Usual)?;
    /// let diagram = position.diagram(Style::Letters);
    /// let lines: Vec<&str> = diagram.lines().map(str::trim_end).collect();
    /// assert_eq!(lines[11..14], [
    ///     " 4  .   .   .   .   W   .   .   .   .  4",
    ///     "                   =======",
    ///     " 3  .   .   .   .   .   .   .   .   .  3",
    /// ]);
    /// # Ok::<(), dobutsu_ga::games::quoridor::TextError>(())
    /// ```
    fn diagram(&self, style: Style) -> String {
        let (across, upright, empty) = style.signs();
        // Square (file, rank) is drawn at row 2 (8 − rank), column PITCH file + 1; what lies between them is walls.
        let mut grid = vec![vec![' '; PITCH * SIZE - 1]; 2 * SIZE - 1];
        let row = |square: Square| 2 * (SIZE - 1 - square.rank());
        let column = |square: Square| PITCH * square.file() + 1;
        for square in Square::ALL {
            grid[row(square)][column(square)] = match square {
                square if square == self.pawns.first => 'W',
                square if square == self.pawns.second => 'B',
                _ => empty,
            };
        }
        for wall in self.walls.iter() {
            let (row, column) = (row(wall.corner()), column(wall.corner()));
            match wall.lie() {
                Lie::Across => grid[row - 1][column - 1..column + 6].fill(across),
                Lie::Upright => (row - 2..=row).for_each(|row| grid[row][column + 2] = upright),
            }
        }
        let files = "    a   b   c   d   e   f   g   h   i\n";
        let mut text = files.to_string();
        for (number, line) in grid.iter().enumerate() {
            let line: String = line.iter().collect();
            let mut line = match number % 2 {
                0 => format!(" {} {line} {}", SIZE - number / 2, SIZE - number / 2),
                _ => format!("   {line}"),
            };
            match number {
                0 => line += &format!("    second player has {}", walls_left(self.left.second)),
                16 => line += &format!("    first player has {}", walls_left(self.left.first)),
                _ => {}
            }
            text += line.trim_end();
            text.push('\n');
        }
        text + files
    }

    fn board(&self) -> BoardView {
        let mut squares = vec![None; SIZE * SIZE];
        let mut ways = BySide::default();
        for side in Side::BOTH {
            squares[self.pawns[side].index_from_top()] = Some(PieceView { side, kind: "pawn" });
            let shortest = Passages::new(&self.walls).shortest(self.pawns[side], Bitboard::goal(side));
            ways[side] = shortest.map(Square::index_from_top).collect();
        }
        let hand = |side: Side| vec![HeldView { kind: "wall", count: self.left[side].into() }];
        BoardView {
            columns: SIZE,
            squares,
            hands: BySide { first: hand(Side::First), second: hand(Side::Second) },
            check: false,
            walls: self.walls.iter().map(WallView::from).collect(),
            ways: Some(ways),
        }
    }

    fn view_move(&self, m: Move) -> MoveView {
        match m {
            Move::Step(to) => MoveView {
                piece: "pawn",
                from: Some(self.pawns[self.turn].index_from_top()),
                to: to.index_from_top(),
                ..MoveView::default()
            },
            Move::Place(wall) => MoveView {
                piece: "wall",
                to: wall.corner().index_from_top(),
                held: Some("wall"),
                wall: Some(wall.into()),
                ..MoveView::default()
            },
        }
    }
}

impl From<Wall> for WallView {
    fn from(wall: Wall) -> WallView {
        WallView { corner: wall.corner().index_from_top(), upright: wall.lie() == Lie::Upright }
    }
}

fn walls_left(count: u8) -> String {
    match count {
        1 => "1 wall".to_string(),
        count => format!("{count} walls"),
    }
}
