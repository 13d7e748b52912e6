//! What a person sees of a position: a diagram in a terminal, and a board that a page can draw without knowing the rules.

use serde::Serialize;

use super::{BySide, Game, RecordFormat, Side, Variant};

/// A game that can be shown.
pub trait Shown: Game {
    /// How diagrams are drawn.
    type Style: Variant;

    /// By what the pieces of each side are told apart in a diagram.
    const SIDES: BySide<&'static str> = BySide { first: "first", second: "second" };

    /// The board as text.
    fn diagram(&self, style: Self::Style) -> String {
        let _ = style;
        format!("{self}\n")
    }

    /// The board as a page draws it.
    fn board(&self) -> BoardView {
        BoardView::default()
    }

    /// What a legal move does to that board.
    fn view_move(&self, m: Self::Move) -> MoveView {
        let _ = m;
        MoveView::default()
    }

    /// How records of this game are kept beside our own ways, if it has a usual one: `csa`.
    const RECORD_FORMAT: Option<RecordFormat<Self>> = None;
}

/// What stands where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardView {
    /// How many squares a row has; the first square is top left, as the first player sees it.
    pub columns: usize,
    /// Row by row.
    pub squares: Vec<Option<PieceView>>,
    /// What each side holds in hand, always the same pieces in the same order.
    pub hands: BySide<Vec<HeldView>>,
    /// Whether the side to move could lose its king, or what it has for one, if it did nothing.
    pub check: bool,
    /// The walls that stand, in a game that has walls.
    pub walls: Vec<WallView>,
    /// The squares on each side's shortest ways to its goal, in a game that has such ways.
    pub ways: Option<BySide<Vec<usize>>>,
}

/// A wall, two squares long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WallView {
    /// The square at the lower left of its middle.
    pub corner: usize,
    /// Whether it stands upright, between two columns; else it lies across, between two rows.
    pub upright: bool,
}

/// A piece on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PieceView {
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub kind: &'static str,
}

/// Pieces of a kind in hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HeldView {
    /// What it is.
    pub kind: &'static str,
    /// How many.
    pub count: usize,
}

/// What a move does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MoveView {
    /// What moves, as it stands before; what is dropped, as it stands after.
    pub piece: &'static str,
    /// From which square; `None` for a drop.
    pub from: Option<usize>,
    /// To which square.
    pub to: usize,
    /// Which of the pieces in hand is dropped, if one is.
    pub held: Option<&'static str>,
    /// What it is afterwards, if that is something else.
    pub becomes: Option<&'static str>,
    /// What it captures.
    pub captures: Option<&'static str>,
    /// From which squares, in a game that captures elsewhere than where it goes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<usize>,
    /// Which wall is placed, if one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall: Option<WallView>,
}
