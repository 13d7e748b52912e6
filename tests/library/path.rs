//! Values added up along a path, with the largest weights there are.

use std::fmt;

use dobutsu_ga::game::{Evaluator, Game, Outcome, Side, Usual, Weighted, legal_moves};
use dobutsu_ga::games::dobutsu::eval::{
    CheckReading, CountedFor, DobutsuEvaluator, Gene, Genome, MobilityReading, Readings, TryReading,
};
use dobutsu_ga::games::dobutsu::{FenError, Move, Position, Rules};
use dobutsu_ga::random::{below, pick, stream};
use dobutsu_ga::search::{Terminal, Value, minimax, path_alphabeta, path_minimax};

/// The game with only the first and the last of its moves, so that ten plies are a thousand lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Narrow(Position);

impl fmt::Display for Narrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Game for Narrow {
    type Rules = Rules;
    type Move = Move;
    type Key = u128;
    type ParseError = FenError;
    const NAME: &'static str = "narrow";
    const TITLE: &'static str = "a game for this test";
    const NOTATIONS: &'static [&'static str] = &["UCI"];
    type Array = Usual;

    fn repetitions(_: Self::Rules) -> Option<usize> {
        None
    }

    fn rules(&self) -> Self::Rules {
        self.0.rules()
    }

    fn start(rules: Rules) -> Narrow {
        Narrow(Position::start(rules))
    }
    fn side_to_move(&self) -> Side {
        self.0.turn()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
    fn decided_by(&self) -> Option<&'static str> {
        self.0.decided_by()
    }
    fn moves(&self, buffer: &mut Vec<Move>) {
        let all = legal_moves(&self.0);
        buffer.extend(all.first());
        buffer.extend(all.last());
    }
    fn is_legal(&self, m: Move) -> bool {
        self.0.is_legal(m)
    }
    fn play(&self, m: Move) -> Narrow {
        Narrow(self.0.play(m))
    }
    fn reopened(&self) -> Narrow {
        Narrow(self.0.reopened())
    }
    fn key(&self) -> u128 {
        self.0.key()
    }
    fn parse(text: &str, rules: Rules) -> Result<Narrow, FenError> {
        Position::parse(text, rules).map(Narrow)
    }
    fn move_texts(&self, m: Move) -> Vec<String> {
        self.0.move_texts(m)
    }
}

struct Valued(DobutsuEvaluator);

impl Evaluator<Narrow> for Valued {
    fn value(&self, position: &Narrow, side: Side) -> i32 {
        self.0.value(&position.0, side)
    }
}

/// How a line ends for the root, worst first; the numbers are wide enough for anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    LostAfter(u32),
    Sum(i128),
    WonAfter(std::cmp::Reverse<u32>),
}

fn worth(
    position: &Narrow,
    ply: u32,
    depth: u32,
    root: Side,
    evaluator: &Valued,
    terminal: Terminal,
) -> Worth {
    let position = if terminal == Terminal::Through { &position.reopened() } else { position };
    match (terminal, position.outcome()) {
        (Terminal::Exact, Some(Outcome::Win(winner))) if winner == root => {
            return Worth::WonAfter(std::cmp::Reverse(ply));
        }
        (Terminal::Exact, Some(_)) => return Worth::LostAfter(ply),
        _ => {}
    }
    let here = i128::from(evaluator.value(position, root));
    if ply == depth || position.outcome().is_some() {
        return Worth::Sum(here);
    }
    let children = legal_moves(position)
        .into_iter()
        .map(|m| worth(&position.play(m), ply + 1, depth, root, evaluator, terminal));
    let best = if position.side_to_move() == root { children.max() } else { children.min() };
    match best.unwrap() {
        Worth::Sum(rest) => Worth::Sum(here + rest),
        decided => decided,
    }
}

/// All weights at their largest, with every reading in turn.
fn heaviest() -> impl Iterator<Item = DobutsuEvaluator> {
    let genome =
        Gene::ALL.into_iter().fold(Genome::ZERO, |genome, gene| genome.with(gene, Genome::MAX).unwrap());
    (0..MobilityReading::ALL.len() * 3).map(move |i| {
        let mut genome = genome;
        genome.readings = Readings {
            mobility: MobilityReading::ALL[i / 3],
            mobility_for: CountedFor::ALL[i % 3],
            check: CheckReading::ALL[i % 3],
            check_for: CountedFor::ALL[i / 3 % 3],
            try_: TryReading::ALL[i % TryReading::ALL.len()],
            try_for: CountedFor::ALL[i / 9 % 3],
        };
        DobutsuEvaluator::new(genome)
    })
}

/// Much in hand makes the most mobility; in the last two somebody wins soon.
const POSITIONS: [&str; 5] = [
    "1l1/3/3/1L1[CCGGEE] w 0 1",
    "1l1/3/3/1L1[CCGGEE] b 0 1",
    "gle/1c1/1C1/ELG[-] w 0 1",
    "1l1/1C1/3/1L1[CGGEE] w 0 1",
    "1l1/2c/1L1/3[CGGEE] b 0 1",
];

#[test]
fn the_largest_weights_never_wrap_around_along_a_path() {
    for (i, evaluator) in heaviest().enumerate() {
        for (j, fen) in POSITIONS.iter().enumerate() {
            let position = Narrow::parse(fen, Rules::ALL[i % 2]).unwrap();
            let evaluator = Valued(evaluator);
            for terminal in [Terminal::Paper, Terminal::Exact, Terminal::Through] {
                for depth in [1, 2, 3, 5, if i % 6 == j { 10 } else { 4 }] {
                    let root = position.side_to_move();
                    let worths: Vec<(Move, Worth)> = legal_moves(&position)
                        .into_iter()
                        .map(|m| (m, worth(&position.play(m), 1, depth, root, &evaluator, terminal)))
                        .collect();
                    let best = worths.iter().map(|(_, worth)| *worth).max().unwrap();
                    let moves: Vec<Move> =
                        worths.iter().filter(|(_, worth)| *worth == best).map(|(m, _)| *m).collect();
                    let found = path_minimax(&position, depth, &evaluator, terminal);
                    let quick = path_alphabeta(&position, depth, &evaluator, terminal);
                    let place = format!("{fen}, {terminal}, depth {depth}, {}", evaluator.0.genome());
                    assert_eq!(found.best, moves, "{place}");
                    assert_eq!((quick.value, &quick.best), (found.value, &found.best), "{place}");
                    assert!(quick.leaves <= found.leaves, "{place}");
                    match best {
                        Worth::Sum(sum) => {
                            assert_eq!(i128::from(found.value.thousandths()), sum, "{place}");
                            assert_eq!(found.value.decided_in(), None, "{place}");
                        }
                        Worth::WonAfter(ply) => assert_eq!(found.value, Value::win_in(ply.0), "{place}"),
                        Worth::LostAfter(ply) => assert_eq!(found.value, Value::loss_in(ply), "{place}"),
                    }
                }
            }
        }
    }
}

#[test]
fn the_largest_weights_are_far_from_a_win_at_a_leaf() {
    let mut largest = 0;
    for evaluator in heaviest() {
        for fen in POSITIONS {
            let mut position = Position::parse(fen, Rules::Paper).unwrap();
            // On and on, lions caught or not.
            for ply in 0..30 {
                let value = evaluator.value(&position, Side::First);
                assert_eq!(Value::points(value).decided_in(), None);
                assert!(Value::points(value.abs()) < Value::win_in(1_000_000));
                largest = largest.max(value.abs());
                let moves = legal_moves(&position);
                let Some(m) = moves.get(ply * 7 % moves.len().max(1)) else { break };
                position = position.play(*m).reopened();
            }
        }
    }
    // Sixty drops and five steps, and the pieces: that such values occur is what makes sums along a path so large.
    assert!(largest > 600_000_000, "{largest}");
    let evaluator = heaviest().next().unwrap();
    let start = Position::start(Rules::Paper);
    assert_eq!(minimax(&start, 2, &evaluator, Terminal::Paper).value.decided_in(), None);
}

/// With all moves, and weights that make ties: the fast search must find every one of the best moves.
#[test]
fn alpha_beta_over_paths_finds_the_same_set_of_best_moves() {
    let genomes = ["material", "full"].map(|name| Genome::named(name).unwrap());
    for game in 0..12 {
        let random = &mut stream(11, 0, game);
        let mut position = Position::start(Rules::ALL[game as usize % 2]);
        while position.outcome().is_none() {
            let evaluator = Position::evaluator(&genomes[below(random, 2)]);
            for terminal in [Terminal::Paper, Terminal::Exact, Terminal::Through] {
                for depth in 1..=3 {
                    let slow = path_minimax(&position, depth, &evaluator, terminal);
                    let quick = path_alphabeta(&position, depth, &evaluator, terminal);
                    assert_eq!(
                        (quick.value, quick.best),
                        (slow.value, slow.best),
                        "{position} {terminal} {depth}"
                    );
                }
            }
            position = position.play(pick(random, &legal_moves(&position)));
        }
    }
}
