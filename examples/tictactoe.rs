//! A whole game for the lab in one file: tic-tac-toe. It plays, tunes and counts with nothing else changed; a game that is to
//! be chosen with `--game` has the same parts in a folder of `src/games/` and a line in `src/games/mod.rs` (see docs/adding-a-game.md).
//!
//!     cargo run --release --example tictactoe

use std::fmt;

use dobutsu_ga::game::{
    Evaluator, Game, GeneInfo, Genome, KnownGenome, Outcome, Shown, Side, Spoken, TextError, Unsolved, Usual,
    Weighted, Weights,
};
use dobutsu_ga::players::{FullWidth, Offer, Playable};
use dobutsu_ga::run::Lab;

// --- rules ---

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

impl Game for Position {
    const NAME: &'static str = "tictactoe";
    const TITLE: &'static str = "Tic-tac-toe (3x3, three in a row)";

    type Rules = Usual;
    type Array = Usual;
    type Move = u8;
    type Key = Position;
    type ParseError = TextError;

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

    fn moves(&self, buffer: &mut Vec<u8>) {
        if self.outcome().is_none() {
            buffer.extend((0..9).filter(|square| self.empty() >> square & 1 == 1));
        }
    }

    fn play(&self, m: u8) -> Position {
        let mut next = *self;
        next.marks[self.side_to_move() as usize] |= 1 << m;
        next
    }

    fn key(&self) -> Position {
        *self
    }

    fn parse(text: &str, _: Usual) -> Result<Position, TextError> {
        let squares: Vec<char> = text.chars().filter(|c| !"/ ".contains(*c)).take(9).collect();
        let marks = ['x', 'o']
            .map(|mark| (0..).zip(&squares).filter(|(_, c)| **c == mark).map(|(i, _)| 1 << i).sum());
        let position = Position { marks };
        let wrong = || TextError(format!("'{text:.40}' is no position: write one as in x.o/.x./... o"));
        (position.to_string() == text).then_some(position).ok_or_else(wrong)
    }

    fn move_texts(&self, m: u8) -> Vec<String> {
        vec![format!("{}{}", char::from(b'a' + m % 3), 3 - m / 3)]
    }
}

impl Shown for Position {
    type Style = Usual;
}

impl Spoken for Position {}

// --- evaluation ---

const CORNERS: u16 = 0o505;
const CENTRE: u16 = 0o020;

const PLAIN: &str = r#"
game = "tictactoe"
board = { centre = 3, corner = 2, edge = 1 }
features = { open = 1 }
"#;

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

impl Weighted for Position {
    const WEIGHTS: Weights = Weights {
        genes: &[
            GeneInfo::new("board", "centre", "centre", "中央", 10),
            GeneInfo::new("board", "corner", "corner", "角", 10),
            GeneInfo::new("board", "edge", "edge", "端", 10),
            GeneInfo::new("features", "open", "open lines", "列", 10),
        ],
        material: 3,
        genomes: &[KnownGenome::new("plain", "known", "the centre is worth most", PLAIN)],
        strong: "plain",
        max_interactive_depth: 9,
        tuner_opening: 1,
        ..Weights::DEFAULT
    };

    type Values = [i32; 4];
    type Readings = ();
    type Evaluator = Marks;

    fn evaluator(genome: &Genome<Position>) -> Marks {
        Marks(*genome.array())
    }
}

// --- what comes with the game ---

impl Playable for Position {
    type Method = FullWidth;
    type Solutions = Unsolved;

    const OFFER: Offer<Self> = Offer::DEFAULT;
}

impl Lab for Position {}

// --- run ---

use dobutsu_ga::arena::{Conditions, Standings, match_pairing, play_all};
use dobutsu_ga::experiment::Tuning;
use dobutsu_ga::game::perft::perft;
use dobutsu_ga::learn::{Declared, GeneSet, Preset, Settings};
use dobutsu_ga::players::GameInfo;
use dobutsu_ga::players::PlayerSpec;

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
    let mut settings = Settings::preset::<Position>(Preset::Robust, GeneSet::Full);
    settings.generations = Some(generations);
    settings.check(&GameInfo::of::<Position>()).expect("settings that make sense");
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
    println!("\nA champion of five generations:\n{}", champion.to_toml());
}
