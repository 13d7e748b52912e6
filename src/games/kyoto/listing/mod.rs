//! The program of the Kyoto Shogi report, played as its listing prints it: do its slips explain Table 6?
//!
//! A plain mailbox program of its own, as the report's is: the rules of [`games::kyoto`](crate::games::kyoto) stay those of the
//! game. Without slips both choose the same moves.

mod report;

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::arena::Tally;
use crate::game::{BySide, Game, Genome, Outcome, POINT, Side};
use crate::games::kyoto::eval::KyotoGene;
use crate::games::kyoto::{HandPiece, Kind, Position, Square};
use crate::parallel;
use crate::random::{pick, stream};
use crate::report::{Language, Picture, TableError, TableFiles};
use crate::run::{self, Context, Experiment, ReproduceError, Text, toml_of};

crate::variants! {
    /// Where the listing differs from the game.
    pub enum Slip, "slip" {
        /// The second player's pawn cannot move.
        SecondPawn = "second-pawn", "the second player's pawn cannot move";
        /// The second player's knight jumps backwards.
        SecondKnight = "second-knight", "the second player's knight jumps backwards";
        /// The test for a knight that can never move again stands in the class of gold, and is wrong for the second player.
        StuckGold = "stuck-gold", "gold counts as stuck where a knight should (second player: everywhere but on the last rank)";
        /// The rows in which a pawn is stuck are not the last ones.
        StuckPawn = "stuck-pawn", "a pawn on the last rank is not stuck, and the second player's is one rank before";
        /// A lance is never stuck.
        StuckLance = "stuck-lance", "a lance on the last rank is not stuck";
        /// Of two equal pieces in hand each is listed, so that equal drops are drawn twice as often.
        HandCopies = "hand-copies", "a drop is drawn once for each equal piece in hand";
        /// `d>0 && s>0`: nothing goes to rank 5 or file 5. This one may be a loss of our copy.
        Edge = "edge", "no piece moves to rank 5 or file 5 (may be a loss of the copy)";
    }
}

/// The listing's program, read in several ways.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ListingWork {
    /// How many games in each cell.
    pub games: usize,
    /// The random seed.
    pub seed: u64,
    /// A game is drawn after this many plies.
    pub ply_cap: usize,
    /// How many games each published number stands for.
    pub paper_games: u64,
    /// Which value sets meet.
    pub pairs: Vec<ListingPair>,
    /// With which slips.
    pub readings: Vec<ListingReading>,
}

/// Two value sets, of which the first moves first.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ListingPair {
    /// Moves first.
    pub first: String,
    /// Moves second.
    pub second: String,
    /// The published wins of the first player.
    pub paper: u64,
}

/// Some of the slips.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ListingReading {
    /// In a few words.
    pub name: String,
    /// Which.
    pub slips: Vec<Slip>,
}

/// How the games of one pair under one reading went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListingCell {
    /// The number of the reading.
    pub reading: usize,
    /// The number of the pair.
    pub pair: usize,
    /// The first player's results.
    pub tally: Tally,
    /// How many of the games differ.
    pub distinct: usize,
}

impl Experiment<Position> for ListingWork {
    fn check(&self) -> Result<(), String> {
        ListingWork::check(self)
    }

    fn run(&self, context: &mut Context<'_, Position>) -> Result<run::Outcome, ReproduceError> {
        let watch = context.watch(self.cells().len() as u64, "cells");
        let cells = ListingWork::run(self, &|| watch.step());
        Ok(run::Outcome {
            files: report::listing_files(self, &cells),
            text: Text::Tables(report::listing_markdown(self, &cells)),
            overview: report::listing_overview(self, &cells),
        })
    }

    fn pictures(&self, title: &str, tables: &TableFiles, _: Language) -> Result<Vec<Picture>, TableError> {
        Ok(vec![report::listing_picture(title, tables)?])
    }

    fn to_toml(&self) -> String {
        toml_of(self)
    }
}

impl ListingWork {
    fn check(&self) -> Result<(), String> {
        let known = |name: &String| Genome::<Position>::named(name).is_some();
        let pairs = self.pairs.iter().all(|pair| known(&pair.first) && known(&pair.second));
        let published = self.pairs.iter().all(|pair| pair.paper <= self.paper_games);
        let sizes = (1..=1_000_000).contains(&self.games) && (1..=10_000).contains(&self.ply_cap);
        let some = !self.pairs.is_empty() && !self.readings.is_empty();
        match sizes && pairs && published && some && (1..=1_000_000).contains(&self.paper_games) {
            true => Ok(()),
            false => Err("it needs readings, pairs of sets that come with the program, 1 to 1000000 games, a ply-cap from 1 to 10000, \
                          and published wins of at most paper-games"
                .to_string()),
        }
    }

    /// All cells, reading by reading.
    pub fn cells(&self) -> Vec<(usize, usize)> {
        (0..self.readings.len())
            .flat_map(|reading| (0..self.pairs.len()).map(move |pair| (reading, pair)))
            .collect()
    }

    /// Plays all games of all cells on all threads; `done` is told of each finished cell.
    pub fn run(&self, done: &(dyn Fn() + Sync)) -> Vec<ListingCell> {
        let cells = self.cells();
        let run = |number: usize, (reading, pair): &(usize, usize)| {
            let cell = self.play(number as u64, *reading, *pair);
            done();
            cell
        };
        parallel::map(&cells, run)
    }

    fn play(&self, number: u64, reading: usize, pair: usize) -> ListingCell {
        let ListingPair { first, second, .. } = &self.pairs[pair];
        let mut program =
            Program::new([first, second].map(|name| name.as_str()), &self.readings[reading].slips);
        let mut tally = Tally::default();
        let mut games = HashSet::new();
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        for game in 0..self.games as u64 {
            let (outcome, boards) = program.play(self.ply_cap, &mut stream(self.seed, number, game));
            tally.add(outcome, Side::First);
            games.insert(hasher.hash_one(boards));
        }
        ListingCell { reading, pair, tally, distinct: games.len() }
    }
}

/// The board of the listing: rows from rank 1 down, as in [`Square`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Board {
    squares: [Option<(Side, Kind)>; 25],
    hands: BySide<[u8; 4]>,
    turn: Side,
}

impl Board {
    fn new(position: &Position) -> Board {
        let hand = |side| HandPiece::ALL.map(|piece| position.hand(side).count(piece) as u8);
        Board {
            squares: std::array::from_fn(|i| {
                Square::from_index(i).and_then(|square| position.piece_at(square))
            }),
            hands: BySide { first: hand(Side::First), second: hand(Side::Second) },
            turn: position.turn(),
        }
    }

    fn has_king(&self, side: Side) -> bool {
        self.squares.contains(&Some((side, Kind::King)))
    }

    fn step(&self, from: usize, to: usize) -> Board {
        let mut next = Board { turn: !self.turn, ..*self };
        if let Some(piece) = self.squares[to].and_then(|(_, kind)| kind.piece()) {
            next.hands[self.turn][piece as usize] += 1;
        }
        next.squares[to] = self.squares[from].map(|(side, kind)| (side, kind.turned_over()));
        next.squares[from] = None;
        next
    }

    fn drop(&self, piece: HandPiece, promoted: bool, to: usize) -> Board {
        let mut next = Board { turn: !self.turn, ..*self };
        next.hands[self.turn][piece as usize] -= 1;
        next.squares[to] = Some((self.turn, piece.kind(promoted)));
        next
    }
}

/// What the steps of a piece are: rows ahead and columns to the right, and whether it goes on.
fn walks(kind: Kind) -> (&'static [(i32, i32)], bool) {
    const GOLD: &[(i32, i32)] = &[(1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, 0)];
    match kind {
        Kind::Pawn => (&[(1, 0)], false),
        Kind::Lance => (&[(1, 0)], true),
        Kind::Knight => (&[(2, -1), (2, 1)], false),
        Kind::Silver => (&[(1, -1), (1, 0), (1, 1), (-1, -1), (-1, 1)], false),
        Kind::Gold | Kind::Tokin => (GOLD, false),
        Kind::Bishop => (&[(1, -1), (1, 1), (-1, -1), (-1, 1)], true),
        Kind::Rook => (&[(1, 0), (0, -1), (0, 1), (-1, 0)], true),
        Kind::King => (&[(1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, -1), (-1, 0), (-1, 1)], false),
    }
}

/// The king's value, on the board and in hand.
const KING: i64 = 99_999 * POINT as i64;

/// Both players, and what they have found out about positions they met.
struct Program {
    slips: Vec<Slip>,
    values: [Vec<i32>; 2],
    /// The boards after the best moves: with few ties the same games come again and again.
    known: HashMap<Board, Vec<Board>>,
}

impl Program {
    fn new(sets: [&str; 2], slips: &[Slip]) -> Program {
        let values = sets.map(|name| {
            Genome::<Position>::named(name).map(|genome| genome.values().to_vec()).unwrap_or_default()
        });
        Program { slips: slips.to_vec(), values, known: HashMap::new() }
    }

    fn has(&self, slip: Slip) -> bool {
        self.slips.contains(&slip)
    }

    /// Plays a game; how it ended, and every board of it.
    fn play(&mut self, ply_cap: usize, random: &mut ChaCha8Rng) -> (Outcome, Vec<Board>) {
        let mut boards = vec![Board::new(&Position::start(Default::default()))];
        loop {
            let board = boards[boards.len() - 1];
            let best = self.best(&board);
            match () {
                () if !board.has_king(board.turn) || best.is_empty() => {
                    return (Outcome::Win(!board.turn), boards);
                }
                () if boards.len() > ply_cap => return (Outcome::Draw, boards),
                () => boards.push(pick(random, &best)),
            }
        }
    }

    /// The boards after all best moves, three plies ahead.
    fn best(&mut self, board: &Board) -> Vec<Board> {
        if let Some(best) = self.known.get(board) {
            return best.clone();
        }
        let best = self.search(board);
        self.known.insert(*board, best.clone());
        best
    }

    fn search(&self, board: &Board) -> Vec<Board> {
        let root = board.turn;
        let mut best = Vec::new();
        let mut value = -i64::MAX;
        for next in self.moves(board) {
            // Just below the best: an equal move is seen as equal.
            let low = if best.is_empty() { -i64::MAX } else { value - 1 };
            let found = -self.value(&next, 2, root, -i64::MAX, -low);
            if found > value {
                value = found;
                best.clear();
            }
            if found == value {
                best.push(next);
            }
        }
        best
    }

    /// Alpha-beta for the side to move; the root player's set values both sides' pieces.
    fn value(&self, board: &Board, depth: u32, root: Side, mut low: i64, high: i64) -> i64 {
        if depth == 0 || !board.has_king(board.turn) {
            return self.static_value(board, root);
        }
        let mut best = -i64::MAX;
        for next in self.moves(board) {
            best = best.max(-self.value(&next, depth - 1, root, -high, -low));
            low = low.max(best);
            if low >= high {
                break;
            }
        }
        best
    }

    /// For the side to move.
    fn static_value(&self, board: &Board, root: Side) -> i64 {
        let values = &self.values[root as usize];
        let weight = |gene: KyotoGene| i64::from(values[gene as usize]);
        let mut sum = 0;
        for (square, piece) in board.squares.iter().enumerate() {
            let Some((side, kind)) = *piece else { continue };
            let moves = self.targets(board, square).len() as i64 * weight(KyotoGene::Mobility);
            let worth = match KyotoGene::board(kind) {
                _ if self.is_stuck(side, kind, square) => 0,
                Some(gene) => weight(gene),
                None => KING,
            };
            sum += if side == board.turn { worth + moves } else { -(worth + moves) };
        }
        for piece in HandPiece::ALL {
            let held = |side: Side| i64::from(board.hands[side][piece as usize]);
            sum += weight(KyotoGene::hand(piece)) * (held(board.turn) - held(!board.turn));
        }
        // A captured king is in the other's hand.
        for side in Side::BOTH.into_iter().filter(|side| !board.has_king(*side)) {
            sum += if side == board.turn { -KING } else { KING };
        }
        sum
    }

    /// Whether the listing takes a piece for one that can never move again.
    fn is_stuck(&self, side: Side, kind: Kind, square: usize) -> bool {
        // As the listing counts rows: the first player's home is 0.
        let row = 4 - square / 5;
        let ahead = if side == Side::First { 4 - row } else { row };
        match kind {
            Kind::Pawn if self.has(Slip::StuckPawn) => side == Side::Second && row == 1,
            Kind::Pawn => ahead == 0,
            Kind::Lance => ahead == 0 && !self.has(Slip::StuckLance),
            Kind::Knight => ahead < 2 && !self.has(Slip::StuckGold),
            Kind::Gold if self.has(Slip::StuckGold) => {
                if side == Side::First {
                    row >= 3
                } else {
                    row >= 1
                }
            }
            _ => false,
        }
    }

    /// Where the piece on a square can go.
    fn targets(&self, board: &Board, from: usize) -> Vec<usize> {
        let Some((side, kind)) = board.squares[from] else { return Vec::new() };
        if side == Side::Second && kind == Kind::Pawn && self.has(Slip::SecondPawn) {
            return Vec::new();
        }
        let backwards = side == Side::Second && kind == Kind::Knight && self.has(Slip::SecondKnight);
        // Rows grow downwards: the first player goes up.
        let ahead = if (side == Side::First) != backwards { -1 } else { 1 };
        let (steps, slides) = walks(kind);
        let mut targets = Vec::new();
        for (forward, aside) in steps {
            for length in 1..=if slides { 4 } else { 1 } {
                let row = (from / 5) as i32 + ahead * forward * length;
                let column = (from % 5) as i32 + aside * length;
                if !(0..5).contains(&row) || !(0..5).contains(&column) {
                    break;
                }
                if self.has(Slip::Edge) && (row == 4 || column == 0) {
                    continue;
                }
                let to = (5 * row + column) as usize;
                match board.squares[to] {
                    Some((owner, _)) if owner == side => break,
                    Some(_) => {
                        targets.push(to);
                        break;
                    }
                    None => targets.push(to),
                }
            }
        }
        targets
    }

    /// The boards after every move of the side to move.
    fn moves(&self, board: &Board) -> Vec<Board> {
        let mut boards = Vec::new();
        for from in 0..25 {
            if board.squares[from].is_some_and(|(side, _)| side == board.turn) {
                boards.extend(self.targets(board, from).into_iter().map(|to| board.step(from, to)));
            }
        }
        for piece in HandPiece::ALL {
            let held = usize::from(board.hands[board.turn][piece as usize]);
            if held == 0 {
                continue;
            }
            let times = if self.has(Slip::HandCopies) { held } else { 1 };
            for to in (0..25).filter(|to| board.squares[*to].is_none()) {
                for promoted in [false, true] {
                    boards.extend(std::iter::repeat_n(board.drop(piece, promoted, to), times));
                }
            }
        }
        boards
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Weighted, legal_moves};
    use crate::search::{Terminal, alphabeta};

    /// Two programs that share nothing but the numbers.
    #[test]
    fn without_slips_it_finds_the_best_moves_of_the_lab() {
        let sets = ["S", "B"];
        let program = Program::new(sets, &[]);
        let evaluators = sets.map(|name| Position::evaluator(&Genome::named(name).unwrap()));
        for game in 0..6 {
            let random = &mut stream(5, 0, game);
            let mut position = Position::start(Default::default());
            while position.outcome().is_none() {
                let found = alphabeta(&position, 3, &evaluators[position.turn() as usize], Terminal::Paper);
                let ours: HashSet<Board> = program.search(&Board::new(&position)).into_iter().collect();
                let theirs = found.best.iter().map(|m| Board::new(&position.play(*m))).collect();
                assert_eq!(ours, theirs, "{position}");
                position = position.play(pick(random, &legal_moves(&position)));
            }
        }
    }

    #[test]
    fn each_slip_does_what_it_says() {
        let with = |slip: Slip, fen: &str, square: &str| {
            let board = Board::new(&Position::parse(fen, Default::default()).unwrap());
            let from = Square::ALL.into_iter().find(|at| at.uci() == square).unwrap().index();
            let [right, wrong] = [&[][..], &[slip][..]].map(|slips| {
                let program = Program::new(["S", "S"], slips);
                let (side, kind) = board.squares[from].unwrap();
                (program.targets(&board, from).len(), program.is_stuck(side, kind, from))
            });
            (right, wrong)
        };
        let start = "p+nks+l/5/5/5/+LSK+NP[-] w 0 1";
        assert_eq!(with(Slip::SecondPawn, start, "a5"), ((1, false), (0, false)));
        let knights = "2k2/1n3/5/1N3/2K2[PPSSLL] b 0 1";
        assert_eq!(with(Slip::SecondKnight, knights, "b4"), ((2, false), (0, false)));
        assert_eq!(with(Slip::SecondKnight, knights, "b2"), ((2, false), (2, false)));
        assert_eq!(with(Slip::StuckGold, start, "b5"), ((3, false), (3, true)));
        assert_eq!(with(Slip::StuckGold, "2k1N/5/5/5/2K2[PPSSNLL] b 0 1", "e5"), ((0, true), (0, false)));
        assert_eq!(with(Slip::StuckPawn, "2k1P/5/5/5/2K2[PSSNNLL] b 0 1", "e5"), ((0, true), (0, false)));
        assert_eq!(with(Slip::StuckPawn, "2k2/5/5/p4/2K2[PSSNNLL] b 0 1", "a2"), ((1, false), (1, true)));
        assert_eq!(with(Slip::StuckLance, "2k1L/5/5/5/2K2[PPSSNNL] b 0 1", "e5"), ((0, true), (0, false)));
        assert_eq!(with(Slip::Edge, start, "c1"), ((3, false), (3, false)));
        assert_eq!(with(Slip::Edge, "2k2/5/5/1K3/5[PPSSNNLL] w 0 1", "b2"), ((8, false), (3, false)));
        let two = Board::new(&Position::parse("2k2/5/5/5/2K2[PPssnnll] w 0 1", Default::default()).unwrap());
        let drops = |slips: &[Slip]| Program::new(["S", "S"], slips).moves(&two).len() - 5;
        assert_eq!((drops(&[]), drops(&[Slip::HandCopies])), (46, 92));
    }
}
