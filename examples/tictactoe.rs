//! A whole game for the lab in one file: tic-tac-toe. It plays, tunes and counts with nothing else changed; a game that is to
//! be chosen with `--game` has the same parts in `src/games/` and `src/eval/` and a line in `src/lab.rs`
//! (see docs/adding-a-game.md).
//!
//!     cargo run --release --example tictactoe

use std::fmt;

use dobutsu_ga::arena::{Conditions, Standings, match_pairing, play_all};
use dobutsu_ga::eval::{Evaluator, GeneInfo, Genome, KnownGenome, POINT, Weighted};
use dobutsu_ga::experiment::{Studied, Tuning};
use dobutsu_ga::games::perft::perft;
use dobutsu_ga::games::{
    BoardView, BySide, Game, MoveView, Outcome, PieceView, Shown, Side, Spoken, Symmetry, Usual,
};
use dobutsu_ga::learn::{GeneSet, Preset, Settings};
use dobutsu_ga::players::{LookAhead, Playable, PlayerSpec};
use dobutsu_ga::solve::{Exact, Unsolved};

// --- src/games/tictactoe: what are the rules? ---

/// Squares are numbered from 0, top left, row by row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    marks: [u16; 2],
}

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;

impl Position {
    fn marks(&self, side: Side) -> u16 {
        self.marks[side as usize]
    }

    fn has_line(&self, side: Side) -> bool {
        LINES.iter().any(|line| self.marks(side) & line == *line)
    }

    fn empty(&self) -> u16 {
        FULL & !(self.marks[0] | self.marks[1])
    }

    fn at(&self, square: u8) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.marks(*side) >> square & 1 == 1)
    }
}

/// What a position is written as: `x.o/.x./... o`, the last letter being whose turn it is.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |square| match self.at(square) {
            Some(Side::First) => 'x',
            Some(Side::Second) => 'o',
            None => '.',
        };
        let rows = [0, 3, 6].map(|row| (row..row + 3).map(letter).collect::<String>());
        write!(f, "{} {}", rows.join("/"), if self.side_to_move() == Side::First { 'x' } else { 'o' })
    }
}

/// A text that is no position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPosition(String);

impl std::error::Error for BadPosition {}

impl fmt::Display for BadPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is no position: write one as in x.o/.x./... o", self.0)
    }
}

impl Game for Position {
    const NAME: &'static str = "tictactoe";
    const TITLE: &'static str = "Tic-tac-toe (3x3, three in a row)";
    const NOTATIONS: &'static [&'static str] = &["square"];

    type Rules = Usual;
    type Array = Usual;
    type Move = u8;
    type Key = Position;
    type ParseError = BadPosition;

    fn repetitions(_: Usual) -> Option<usize> {
        None
    }

    fn start(_: Usual) -> Position {
        Position::default()
    }

    fn rules(&self) -> Usual {
        Usual::Usual
    }

    fn side_to_move(&self) -> Side {
        if self.marks[0].count_ones() == self.marks[1].count_ones() { Side::First } else { Side::Second }
    }

    fn outcome(&self) -> Option<Outcome> {
        let won = Side::BOTH.into_iter().find(|side| self.has_line(*side)).map(Outcome::Win);
        won.or((self.empty() == 0).then_some(Outcome::Draw))
    }

    fn decided_by(&self) -> Option<&'static str> {
        self.outcome().map(|outcome| if outcome == Outcome::Draw { "a full board" } else { "three in a row" })
    }

    fn moves(&self, buffer: &mut Vec<u8>) {
        if self.outcome().is_none() {
            buffer.extend((0..9).filter(|square| self.empty() >> square & 1 == 1));
        }
    }

    fn is_legal(&self, m: u8) -> bool {
        m < 9 && self.outcome().is_none() && self.empty() >> m & 1 == 1
    }

    fn play(&self, m: u8) -> Position {
        let mut next = *self;
        next.marks[self.side_to_move() as usize] |= 1 << m;
        next
    }

    fn key(&self) -> Position {
        *self
    }

    /// The players change places on the board only by name, so this game has just its mirror.
    fn transform(&self, symmetry: Symmetry) -> Position {
        let turned = |marks: u16| {
            (0..9)
                .filter(|square| marks >> square & 1 == 1)
                .map(|m| 1 << Self::transform_move(m, symmetry))
                .sum()
        };
        Position { marks: self.marks.map(turned) }
    }

    fn transform_move(m: u8, symmetry: Symmetry) -> u8 {
        match symmetry {
            Symmetry::Mirror => m / 3 * 3 + 2 - m % 3,
            Symmetry::Turn => m,
        }
    }

    fn parse(text: &str, _: Usual) -> Result<Position, BadPosition> {
        let wrong = || BadPosition(text.chars().take(40).collect());
        let squares: Vec<char> = text.chars().filter(|c| !"/ ".contains(*c)).take(9).collect();
        let marks = ['x', 'o']
            .map(|mark| (0..).zip(&squares).filter(|(_, c)| **c == mark).map(|(i, _)| 1 << i).sum());
        let position = Position { marks };
        if position.to_string() == text { Ok(position) } else { Err(wrong()) }
    }

    fn move_texts(&self, m: u8) -> Vec<String> {
        vec![format!("{}{}", char::from(b'a' + m % 3), 3 - m / 3)]
    }
}

impl Shown for Position {
    type Style = Usual;

    const SIDES: BySide<&'static str> = BySide { first: "x", second: "o" };

    fn diagram(&self, _: Usual) -> String {
        let rows = self.to_string();
        (0..).zip(rows[..11].split('/')).map(|(i, row)| format!("  {} {row}\n", 3 - i)).collect::<String>()
            + "    abc\n"
    }

    fn board(&self) -> BoardView {
        let piece = |square| self.at(square).map(|side| PieceView { side, kind: "mark" });
        BoardView { columns: 3, squares: (0..9).map(piece).collect(), ..BoardView::default() }
    }

    fn view_move(&self, m: u8) -> MoveView {
        MoveView { piece: "mark", to: m.into(), ..MoveView::default() }
    }
}

// --- src/eval/tictactoe: what is a position worth? ---

const CORNERS: u16 = 0o505;
const CENTRE: u16 = 0o020;

/// Marks in the centre, in corners and at edges, and lines that only one side can still fill.
#[derive(Clone, Copy, Debug)]
pub struct Marks([i32; 4]);

impl Marks {
    fn own(&self, position: &Position, side: Side) -> i32 {
        let (own, other) = (position.marks(side), position.marks(!side));
        let open = LINES.iter().filter(|line| own & **line != 0 && other & **line == 0).count();
        let counts = [own & CENTRE, own & CORNERS, own & !(CENTRE | CORNERS)].map(u16::count_ones);
        (0..3).map(|i| self.0[i] * counts[i] as i32).sum::<i32>() + self.0[3] * open as i32
    }
}

impl Evaluator<Position> for Marks {
    fn value(&self, position: &Position, side: Side) -> i32 {
        self.own(position, side) - self.own(position, !side)
    }
}

const fn gene(
    section: &'static str,
    key: &'static str,
    english: &'static str,
    japanese: &'static str,
) -> GeneInfo {
    GeneInfo { section, key, english, japanese, first: 10 }
}

impl Weighted for Position {
    const GENES: &'static [GeneInfo] = &[
        gene("board", "centre", "centre", "中央"),
        gene("board", "corner", "corner", "角"),
        gene("board", "edge", "edge", "端"),
        gene("features", "open", "open lines", "列"),
    ];
    const MATERIAL: usize = 3;
    const GENOMES: &'static [KnownGenome] = &[KnownGenome {
        name: "plain",
        group: "known",
        help: "the centre is worth most",
        text: "game = \"tictactoe\"\nboard = { centre = 3, corner = 2, edge = 1 }\nfeatures = { open = 1 }\n",
    }];
    const STRONG: &'static str = "plain";
    const LEAD: f64 = 1.0;
    const DEPTH: u32 = 2;
    const DEEPEST_PATIENT: u32 = 9;
    const TUNER_OPENING: usize = 1;
    const ROBUST_GAMES: [usize; 2] = [20, 20];

    type Values = [i32; 4];
    type Readings = ();
    type Evaluator = Marks;

    const ZERO: [i32; 4] = [0; 4];

    fn evaluator(genome: &Genome<Position>) -> Marks {
        Marks(*genome.array())
    }
}

// --- src/lab.rs: which games are there? ---

impl Spoken for Position {}

impl Exact for Position {
    type Solutions = Unsolved;
}

impl Playable for Position {
    type Manner = LookAhead;
}

impl Studied for Position {
    const EXPERIMENTS: &'static [(&'static str, &'static str)] = &[];
}

/// A share of the games that `player` wins or draws against random moves, counted half.
pub fn score_against_random(player: &str, games: usize) -> f64 {
    let players: Vec<PlayerSpec<Position>> =
        [player, "random"].map(|name| name.parse().expect("a player")).to_vec();
    let pairings = match_pairing(games);
    let played = play_all(&players, &pairings, &Conditions::new(Usual::Usual, 1), &|| ());
    let scored: Vec<_> = played.iter().map(|game| game.scored).collect();
    Standings::new(2, &pairings, &scored).total(0).score()
}

/// A short run of the tuner: its champion.
pub fn tuned(generations: u32) -> Genome<Position> {
    let mut settings = Settings::<Position>::preset(Preset::Robust, GeneSet::Full);
    settings.generations = Some(generations);
    settings.check().expect("settings that make sense");
    let mut tuning = Tuning::new(&settings);
    while !tuning.is_finished() {
        tuning.advance();
    }
    tuning.champion()
}

#[allow(dead_code)] // A test looks into this file too.
fn main() {
    let start = Position::start(Usual::Usual);
    println!("{}", start.diagram(Usual::Usual));
    for depth in 1..=9 {
        println!("perft {depth}: {}", perft(&start, depth));
    }
    println!("\nplain scores {:.2} against random moves", score_against_random("plain", 1000));
    println!("strong scores {:.2}", score_against_random("strong:depth=9", 100));
    let champion = tuned(5);
    println!("\nA champion of five generations ({} thousandths are a point):\n{}", POINT, champion.to_toml());
}
