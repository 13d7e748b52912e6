//! The course's protocol for Quoridor, as text: lines of whole numbers. `docs/quoridor-protocol.md` explains it.
//!
//! ```
//! use dobutsu_ga::game::{Coordinates, Game, Side, Usual};
//! use dobutsu_ga::games::quoridor::Position;
//! use dobutsu_ga::games::quoridor::course::{Line, move_line, position_line, read_line, read_move};
//! let start = Position::start(Usual::Usual);
//! let order = Coordinates::FileRank;
//! assert_eq!(position_line(&start, order), "5 1 5 9 10 10 0");
//! assert_eq!(read_line("[5, 1, 5, 9, 10, 10, 0]", Some(Side::First), order)?, Line::Position(start));
//! let wall = start.parse_move("e3h")?;
//! assert_eq!(move_line(wall, order), "2 5 3 1");
//! assert_eq!(move_line(wall, Coordinates::RankFile), "2 3 5 1");
//! assert_eq!(read_move("2 5 3 1", order)?, wall);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod engine;

pub use engine::Engine;

use super::{Lie, Move, Position, Square, TextError, Wall};
use crate::game::{Coordinates, CourseText, Game, Outcome, Side, Usual};

/// How many bytes a line may have: many times what a position needs.
pub const LONGEST_LINE: usize = 1_000;

/// The server's side of it.
pub(super) const TEXT: CourseText<Position> = CourseText {
    side: side_line,
    is_side,
    position: position_line,
    read_move: |text, order| read_move(text, order).map_err(|error| error.to_string()),
    end: "-1",
    longest_line: LONGEST_LINE,
};

impl Coordinates {
    /// A square's numbers in this order, or its file and rank by numbers in this order: swapping is its own inverse.
    const fn ordered<T: Copy>(self, a: T, b: T) -> (T, T) {
        match self {
            Coordinates::FileRank => (a, b),
            Coordinates::RankFile => (b, a),
        }
    }

    /// What the two numbers are, in this order.
    const fn words(self) -> &'static str {
        match self {
            Coordinates::FileRank => "a file and a rank",
            Coordinates::RankFile => "a rank and a file",
        }
    }

    /// The line of the start position, as an example.
    const fn example(self) -> &'static str {
        match self {
            Coordinates::FileRank => "5 1 5 9 10 10 0",
            Coordinates::RankFile => "1 5 9 5 10 10 0",
        }
    }
}

/// What a server tells a player in one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// Which side the player has.
    Side(Side),
    /// The position in which it is to move: the game goes on there.
    Position(Position),
    /// The game is over.
    End,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum CourseError {
    #[error("the line is longer than {LONGEST_LINE} bytes: no line of the protocol is")]
    TooLong,
    #[error("the line is empty: it needs the side (1 or 2), a position as in {}, or -1 for the end", .0.example())]
    Empty(Coordinates),
    #[error("'{0}' is no whole number: a line holds whole numbers with blanks or commas between")]
    Number(String),
    #[error("{0} is no side: it needs 1 (moves first) or 2 (moves second); -1 ends the game")]
    Side(i64),
    #[error("the side comes before the first position: send 1 (moves first) or 2 (moves second)")]
    SideFirst,
    #[error(
        "the position has {found} numbers, it needs 7 or more: two for each pawn, the walls each side has left, how many walls stand, and three for each of them, as in {}",
        .order.example()
    )]
    Short { found: usize, order: Coordinates },
    #[error(
        "the position says that {said} walls stand, and {found} numbers follow: it needs three for each wall"
    )]
    WallCount { said: i64, found: usize },
    #[error("'{} {}' is no square: it needs {} from 1 to 9", .numbers[0], .numbers[1], .order.words())]
    Square { numbers: [i64; 2], order: Coordinates },
    #[error(
        "'{} {} {}' is no wall: it needs {} from 1 to 8, then 1 (across) or 2 (upright)",
        .numbers[0], .numbers[1], .numbers[2], .order.words()
    )]
    Wall { numbers: [i64; 3], order: Coordinates },
    #[error(transparent)]
    Position(#[from] TextError),
    #[error("the {0} player has arrived in this position: the game is over, and no move can follow")]
    Over(Side),
    #[error("'{0}' is no move: it needs 1 x y for the pawn, or 2 x y d for a wall")]
    Move(String),
}

/// Reads what a server tells a player who has this side, or who has not been told yet which.
pub fn read_line(text: &str, side: Option<Side>, order: Coordinates) -> Result<Line, CourseError> {
    match (numbers(text)?.as_slice(), side) {
        ([], _) => Err(CourseError::Empty(order)),
        ([-1], _) => Ok(Line::End),
        ([1], _) => Ok(Line::Side(Side::First)),
        ([2], _) => Ok(Line::Side(Side::Second)),
        ([other], _) => Err(CourseError::Side(*other)),
        (_, None) => Err(CourseError::SideFirst),
        (numbers, Some(side)) => Ok(Line::Position(position(numbers, side, order)?)),
    }
}

/// The line that tells a player its side, and the answer to it.
pub const fn side_line(side: Side) -> &'static str {
    match side {
        Side::First => "1",
        Side::Second => "2",
    }
}

/// Whether this is the answer of a player who was told its side.
pub fn is_side(text: &str, side: Side) -> bool {
    read_line(text, None, Coordinates::default()) == Ok(Line::Side(side))
}

/// The line that tells a position to the player to move.
pub fn position_line(position: &Position, order: Coordinates) -> String {
    let [first, second] = Side::BOTH.map(|side| square_text(position.pawn(side), order));
    let left = Side::BOTH.map(|side| position.walls_left(side));
    let walls = position.walls();
    let mut line = format!("{first} {second} {} {} {}", left[0], left[1], walls.len());
    for wall in walls.iter() {
        line += &format!(" {}", wall_text(wall, order));
    }
    line
}

/// The line with which a player moves.
pub fn move_line(m: Move, order: Coordinates) -> String {
    match m {
        Move::Step(to) => format!("1 {}", square_text(to, order)),
        Move::Place(wall) => format!("2 {}", wall_text(wall, order)),
    }
}

/// Reads the line with which a player moves. Whether the move is legal is another question.
pub fn read_move(text: &str, order: Coordinates) -> Result<Move, CourseError> {
    match numbers(text)?.as_slice() {
        [1, x, y] => square([*x, *y], order).map(Move::Step),
        [2, x, y, d] => wall([*x, *y, *d], order).map(Move::Place),
        _ => Err(CourseError::Move(short(text.trim()))),
    }
}

/// The numbers of a line. Python writes lists with brackets and commas: both count as blanks.
fn numbers(text: &str) -> Result<Vec<i64>, CourseError> {
    let blank = |c: char| c.is_whitespace() || "[](),".contains(c);
    let number = |word: &str| word.parse().map_err(|_| CourseError::Number(short(word)));
    text.split(blank).filter(|word| !word.is_empty()).map(number).collect()
}

fn position(numbers: &[i64], turn: Side, order: Coordinates) -> Result<Position, CourseError> {
    let &[first_x, first_y, second_x, second_y, first_left, second_left, said, ref rest @ ..] = numbers
    else {
        return Err(CourseError::Short { found: numbers.len(), order });
    };
    let (first, second) = (square([first_x, first_y], order)?, square([second_x, second_y], order)?);
    let needed = usize::try_from(said).ok().and_then(|walls| walls.checked_mul(3));
    if needed != Some(rest.len()) {
        return Err(CourseError::WallCount { said, found: rest.len() });
    }
    let walls = rest.chunks_exact(3).map(|three| wall([three[0], three[1], three[2]], order));
    let walls: Vec<Wall> = walls.collect::<Result<_, _>>()?;
    // The game's own text knows everything that can be wrong with a position.
    let turn_letter = if turn == Side::First { 'w' } else { 'b' };
    let (across, upright) = (corners(&walls, Lie::Across), corners(&walls, Lie::Upright));
    let text = format!("{first} {second} {first_left} {second_left} h:{across} v:{upright} {turn_letter}");
    let position = Position::parse(&text, Usual::Usual)?;
    match position.outcome() {
        Some(Outcome::Win(side)) => Err(CourseError::Over(side)),
        _ => Ok(position),
    }
}

/// The walls that lie this way, as the game's own text lists them.
fn corners(walls: &[Wall], lie: Lie) -> String {
    let lying = walls.iter().filter(|wall| wall.lie() == lie);
    let corners: Vec<String> = lying.map(|wall| wall.corner().to_string()).collect();
    if corners.is_empty() { "-".to_string() } else { corners.join(",") }
}

fn square(numbers: [i64; 2], order: Coordinates) -> Result<Square, CourseError> {
    let index = |number: i64| usize::try_from(number).ok()?.checked_sub(1);
    let (file, rank) = order.ordered(numbers[0], numbers[1]);
    let square = index(file).zip(index(rank)).and_then(|(file, rank)| Square::new(file, rank));
    square.ok_or(CourseError::Square { numbers, order })
}

fn wall(numbers: [i64; 3], order: Coordinates) -> Result<Wall, CourseError> {
    let [x, y, d] = numbers;
    let lie = Lie::BOTH.into_iter().find(|lie| i64::from(lie_number(*lie)) == d);
    let wall = square([x, y], order).ok().zip(lie).and_then(|(corner, lie)| Wall::new(corner, lie));
    wall.ok_or(CourseError::Wall { numbers, order })
}

const fn lie_number(lie: Lie) -> u8 {
    match lie {
        Lie::Across => 1,
        Lie::Upright => 2,
    }
}

fn square_text(square: Square, order: Coordinates) -> String {
    let (x, y) = order.ordered(square.file() + 1, square.rank() + 1);
    format!("{x} {y}")
}

fn wall_text(wall: Wall, order: Coordinates) -> String {
    format!("{} {}", square_text(wall.corner(), order), lie_number(wall.lie()))
}

/// What was sent may be long: sentences stay readable.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::legal_moves;
    use crate::random::{pick, stream};

    const ORDER: Coordinates = Coordinates::FileRank;

    #[test]
    fn every_move_comes_back() {
        for order in Coordinates::ALL {
            let mut lines: Vec<String> = Move::conceivable().map(|m| move_line(m, order)).collect();
            for (m, line) in Move::conceivable().zip(&lines) {
                assert_eq!(read_move(line, order), Ok(m));
            }
            lines.sort();
            lines.dedup();
            assert_eq!(lines.len(), 81 + 128);
        }
        let wall = Move::Place("a8v".parse().unwrap());
        assert_eq!(read_move("2 1 8 2", Coordinates::FileRank), Ok(wall));
        assert_eq!(read_move("2 8 1 2", Coordinates::RankFile), Ok(wall));
    }

    #[test]
    fn positions_of_random_games_come_back() {
        for game in 0..20 {
            let order = Coordinates::ALL[game as usize % 2];
            let mut random = stream(5, 0, game);
            let mut position = Position::start(Usual::Usual);
            while position.outcome().is_none() {
                let line = position_line(&position, order);
                let read = read_line(&line, Some(position.turn()), order);
                assert_eq!(read, Ok(Line::Position(position)), "{line}");
                position = position.play(pick(&mut random, &legal_moves(&position)));
            }
            let over = read_line(&position_line(&position, order), Some(position.turn()), order);
            assert_eq!(over, Err(CourseError::Over(!position.turn())));
        }
    }

    /// The board of the report's figure 2, which has rows of 17 numbers: a pawn in row 2, column 3 and one in row 9, column 7.
    #[test]
    fn both_orders_of_coordinates_say_the_same() {
        let board = Position::parse("c2 g9 8 9 h:d2 v:f2,d5 w", Usual::Usual).unwrap();
        for (order, line) in [
            (Coordinates::FileRank, "3 2 7 9 8 9 3 4 2 1 6 2 2 4 5 2"),
            (Coordinates::RankFile, "2 3 9 7 8 9 3 2 4 1 2 6 2 5 4 2"),
        ] {
            assert_eq!(position_line(&board, order), line);
            assert_eq!(read_line(line, Some(Side::First), order), Ok(Line::Position(board)));
            let start = Position::start(Usual::Usual);
            assert_eq!(position_line(&start, order), order.example());
            assert_eq!(order.other().other(), order);
        }
        // The same numbers, read in the other order, are another square and another wall.
        assert_eq!(read_move("1 2 5", Coordinates::FileRank), Ok(Move::Step("b5".parse().unwrap())));
        assert_eq!(read_move("1 2 5", Coordinates::RankFile), Ok(Move::Step("e2".parse().unwrap())));
        assert_eq!(read_move("2 4 2 2", Coordinates::RankFile), Ok(Move::Place("b4v".parse().unwrap())));
        for (text, words) in [
            ("", "a position as in 1 5 9 5 10 10 0"),
            (
                "1 5 9 5 10 10",
                "has 6 numbers, it needs 7 or more: two for each pawn, the walls each side has left, how many walls stand, and three for each of them, as in 1 5 9 5 10 10 0",
            ),
            ("1 5 10 5 10 10 0", "'10 5' is no square: it needs a rank and a file from 1 to 9"),
            ("1 5 9 5 10 9 1 3 9 1", "'3 9 1' is no wall: it needs a rank and a file from 1 to 8"),
        ] {
            let error = read_line(text, Some(Side::First), Coordinates::RankFile).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn lists_are_written_in_many_ways() {
        let start = Line::Position(Position::start(Usual::Usual));
        for text in
            ["5 1 5 9 10 10 0", " 5\t1 5 9 10 10 0\r", "[5, 1, 5, 9, 10, 10, 0]", "(5,1),(5,9),10,10,0,[]"]
        {
            assert_eq!(read_line(text, Some(Side::First), ORDER), Ok(start), "{text}");
        }
        assert_eq!(read_line("[-1]", None, ORDER), Ok(Line::End));
        assert_eq!(read_line("2\r", None, ORDER), Ok(Line::Side(Side::Second)));
        assert!(is_side("[1]", Side::First) && !is_side("1", Side::Second) && !is_side("one", Side::First));
        assert_eq!(read_move("[2, 4, 2, 2]", ORDER), Ok(Move::Place("d2v".parse().unwrap())));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, words) in [
            ("", "the line is empty"),
            (" [ ] ", "the line is empty"),
            ("hello", "'hello' is no whole number"),
            ("5 1 5 9 10 10 0x", "'0x' is no whole number"),
            ("99999999999999999999", "'99999999999999999999' is no whole number"),
            ("5.0 1 5 9 10 10 0", "'5.0' is no whole number"),
            ("3", "3 is no side"),
            ("-2", "-2 is no side"),
            ("5 1 5 9 10 1", "has 6 numbers, it needs 7 or more"),
            ("5 1 5 9 10 10 1", "says that 1 walls stand, and 0 numbers follow"),
            ("5 1 5 9 10 9 1 5 3", "says that 1 walls stand, and 2 numbers follow"),
            ("5 1 5 9 10 10 -1", "says that -1 walls stand"),
            ("5 1 5 9 10 10 9223372036854775807", "says that 9223372036854775807 walls stand"),
            ("0 1 5 9 10 10 0", "'0 1' is no square"),
            ("5 1 5 10 10 10 0", "'5 10' is no square"),
            ("5 1 5 9 10 9 1 9 3 1", "'9 3 1' is no wall"),
            ("5 1 5 9 10 9 1 5 3 0", "'5 3 0' is no wall"),
            ("5 5 5 5 10 10 0", "both pawns stand on e5"),
            ("5 1 5 9 11 9 0", "the first player cannot have '11' walls left"),
            ("5 1 5 9 10 -10 0", "the second player cannot have '-10' walls left"),
            ("5 1 5 9 10 9 0", "0 walls stand and 19 are left"),
            ("5 1 5 9 9 9 2 5 3 1 5 3 2", "the walls e3h and e3v cross or overlap"),
            ("5 1 5 9 9 9 2 5 3 1 5 3 1", "the wall e3h is there twice"),
            ("1 1 5 9 9 9 2 1 1 1 2 1 2", "the first player is shut in"),
            ("5 9 5 1 10 10 0", "both pawns have arrived"),
            ("5 9 5 8 10 10 0", "the first player has arrived, so it cannot be that player's turn"),
            ("5 2 5 1 10 10 0", "the second player has arrived in this position: the game is over"),
        ] {
            let error = read_line(text, Some(Side::First), ORDER).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
        assert_eq!(read_line("5 1 5 9 10 10 0", None, ORDER), Err(CourseError::SideFirst));
        for (text, words) in [
            ("", "'' is no move"),
            ("1 5", "'1 5' is no move"),
            ("2 5 3", "'2 5 3' is no move"),
            ("3 5 3 1", "'3 5 3 1' is no move"),
            ("1 5 3 1", "'1 5 3 1' is no move"),
            ("e2", "'e2' is no whole number"),
            ("1 5 0", "'5 0' is no square"),
            ("2 5 9 1", "'5 9 1' is no wall"),
        ] {
            let error = read_move(text, ORDER).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
