//! How other programs talk about a game: what they call it, and how they write its positions and moves.

use super::{Game, MoveError, Side, legal_moves};

crate::variants! {
    /// Which of a square's two numbers comes first, in every line of the course's protocol.
    pub enum Coordinates, "order of coordinates" {
        /// File, then rank: `5 1` is e1.
        FileRank = "file-rank", "the file first: 5 1 is e1";
        /// Rank, then file: `1 5` is e1. The order of the report's own lists, as far as it shows any.
        RankFile = "rank-file", "the rank first, as in the Quoridor report's own lists: 1 5 is e1";
    }
}

impl Coordinates {
    /// The other order.
    pub const fn other(self) -> Coordinates {
        match self {
            Coordinates::FileRank => Coordinates::RankFile,
            Coordinates::RankFile => Coordinates::FileRank,
        }
    }
}

/// How a game is told in the lines of whole numbers of a course's protocol, by its server.
pub struct CourseText<G: Game> {
    /// The line that tells a player its side.
    pub side: fn(Side) -> &'static str,
    /// Whether this is the answer of a player that was told its side.
    pub is_side: fn(&str, Side) -> bool,
    /// The line that tells a position to the player to move.
    pub position: fn(&G, Coordinates) -> String,
    /// Reads the line with which a player moves, or says why it is none. Whether the move is legal is another question.
    pub read_move: fn(&str, Coordinates) -> Result<G::Move, String>,
    /// What ends a game.
    pub end: &'static str,
    /// How many bytes a line may have.
    pub longest_line: usize,
}

/// A game that other programs may know too. What a game does not say is as in its own notation.
pub trait Spoken: Game {
    /// What they call it: the value of `UCI_Variant`, and of the tag `Variant` in a PGN file.
    const VARIANT: &'static str = Self::NAME;

    /// How it is told in a course's protocol, if it has one.
    const COURSE: Option<CourseText<Self>> = None;

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
