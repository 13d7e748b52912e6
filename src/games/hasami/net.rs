//! The report's network for Hasami Shogi: a value for every move, from the board alone.
//!
//! The board goes in as 121 numbers: eleven rows of eleven from the top left, a border of zeros around the nine by nine squares, 1
//! for a piece of the side to move, -1 for one of the other. The side to move always sees itself below.

use std::sync::LazyLock;

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::game::{Game, Side, Symmetry, legal_moves};
use crate::games::hasami::{Bitboard, Move, Position, Square};
use crate::nets::{Header, Mlp, Tensors, format1};

/// The board with its border.
const WIDTH: usize = 11;
/// How many numbers go in.
pub const INPUTS: usize = WIDTH * WIDTH;
/// How many pairs of squares, border included, the report's network has an output for.
const PAIRS: usize = INPUTS * INPUTS;

crate::variants! {
    /// What there is an output for.
    pub enum Outputs, "kind of outputs" {
        /// Every move along a rank or a file: no other can ever be played.
        Moves = "moves", "the 1,296 moves that can be made";
        /// Every pair of squares, those of the border too, as in the report.
        Pairs = "pairs", "all 14,641 pairs of squares of the board with its border, as in the report";
    }
}

impl Outputs {
    /// How many.
    pub fn count(self) -> usize {
        match self {
            Outputs::Moves => MOVES.numbers.len(),
            Outputs::Pairs => PAIRS,
        }
    }

    /// The number of the output of a move, as the side to move sees it.
    pub fn number(self, m: Move) -> usize {
        let pair = cell(m.from) * INPUTS + cell(m.to);
        match self {
            Outputs::Moves => usize::from(MOVES.of_pair[pair]),
            Outputs::Pairs => pair,
        }
    }

    /// The numbers of all outputs that a move can have.
    pub fn playable(self) -> Vec<u32> {
        match self {
            Outputs::Moves => (0..self.count() as u32).collect(),
            Outputs::Pairs => MOVES.numbers.clone(),
        }
    }
}

/// Which of the pairs are moves.
struct Playable {
    /// The pairs, in their order.
    numbers: Vec<u32>,
    /// The place of each pair among those.
    of_pair: Vec<u16>,
}

static MOVES: LazyLock<Playable> = LazyLock::new(|| {
    let along = |m: &Move| m.from != m.to && (m.from.file() == m.to.file() || m.from.rank() == m.to.rank());
    let pair = |m: Move| (cell(m.from) * INPUTS + cell(m.to)) as u32;
    let mut numbers: Vec<u32> = Move::conceivable().filter(along).map(pair).collect();
    numbers.sort_unstable();
    let mut of_pair = vec![u16::MAX; PAIRS];
    for (place, pair) in (0..).zip(&numbers) {
        of_pair[*pair as usize] = place;
    }
    Playable { numbers, of_pair }
});

/// The number of a square on the board with its border.
fn cell(square: Square) -> usize {
    (square.index_from_top() / 9 + 1) * WIDTH + square.index_from_top() % 9 + 1
}

/// A board as one side sees it: itself below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The pieces of that side.
    pub own: Bitboard,
    /// The pieces of the other.
    pub other: Bitboard,
}

impl Seen {
    /// A position as a side sees it, whether it is to move or not.
    pub fn by(position: &Position, side: Side) -> Seen {
        let (own, other) = (position.pieces(side), position.pieces(!side));
        let seen = |set: Bitboard| if side == Side::First { set } else { set.transform(Symmetry::Turn) };
        Seen { own: seen(own), other: seen(other) }
    }

    /// Appends the numbers that go into a network.
    pub fn append(&self, inputs: &mut Vec<f32>) {
        let start = inputs.len();
        inputs.resize(start + INPUTS, 0.0);
        for (set, number) in [(self.own, 1.0), (self.other, -1.0)] {
            for square in set {
                inputs[start + cell(square)] = number;
            }
        }
    }
}

/// A move as a side sees it.
pub fn seen_move(m: Move, side: Side) -> Move {
    if side == Side::First { m } else { m.transform(Symmetry::Turn) }
}

/// A network that has a value for every move.
#[derive(Clone, Debug, PartialEq)]
pub struct QNetwork {
    /// What its outputs are.
    pub outputs: Outputs,
    /// The layers.
    pub mlp: Mlp,
}

/// What a file tells of its network; the sizes of layers are those of the tensors.
#[derive(Serialize, Deserialize)]
struct Kind {
    outputs: Outputs,
}

/// The kind of file.
const KIND: &str = "dqn";

/// What a file of version 1 says of itself.
#[derive(Serialize, Deserialize)]
struct About1 {
    game: String,
    kind: String,
    version: u32,
    outputs: Outputs,
    made_by: String,
}

impl QNetwork {
    /// A network that knows nothing.
    pub fn random(hidden: &[usize], outputs: Outputs, random: &mut ChaCha8Rng) -> QNetwork {
        let mut sizes = vec![INPUTS];
        sizes.extend(hidden);
        sizes.push(outputs.count());
        QNetwork { outputs, mlp: Mlp::random(&sizes, random) }
    }

    /// The same network with the outputs of moves only: it plays the same, and its file is a ninth of the size.
    pub fn for_play(&self) -> QNetwork {
        let (head, playable) = (self.mlp.head(), self.outputs.playable());
        let mut sizes = self.sizes();
        *sizes.last_mut().expect("there is a head") = playable.len();
        let mut mlp = Mlp::zero(&sizes);
        mlp.numbers.clear();
        mlp.numbers.extend_from_slice(&self.mlp.numbers[..head.range().start]);
        let output = |output: &u32| *output as usize;
        mlp.numbers.extend(playable.iter().flat_map(|n| &self.mlp.numbers[head.row(output(n))]));
        mlp.numbers.extend(playable.iter().map(|n| self.mlp.numbers[head.bias()][output(n)]));
        QNetwork { outputs: Outputs::Moves, mlp }
    }

    /// How many numbers go into the network, come out of each hidden layer and come out of it.
    pub fn sizes(&self) -> Vec<usize> {
        [INPUTS].into_iter().chain(self.mlp.layers.iter().map(|layer| layer.outputs)).collect()
    }

    /// The value of every legal move of a position that is not over, in the order in which the game lists them.
    pub fn values(&self, position: &Position) -> Vec<(Move, f32)> {
        let side = position.turn();
        let mut inputs = Vec::with_capacity(INPUTS);
        Seen::by(position, side).append(&mut inputs);
        let pass = self.mlp.through_body(inputs, None);
        let value = |m: Move| self.value(pass.last(), seen_move(m, side));
        legal_moves(position).into_iter().map(|m| (m, value(m))).collect()
    }

    /// The value of a move, as the side to move sees it, from what goes into the head.
    pub fn value(&self, last: &[f32], m: Move) -> f32 {
        self.mlp.head().output(&self.mlp.numbers, self.outputs.number(m), last)
    }

    /// The move with the highest value, the first of equals.
    pub fn best(&self, position: &Position) -> Option<Move> {
        best(self.values(position))
    }

    /// The network that a file holds under names with a prefix.
    pub fn take(prefix: &str, outputs: Outputs, tensors: &Tensors) -> Result<QNetwork, String> {
        let rows = |name: String| {
            let shape = tensors.shape(&format!("{prefix}{name}.bias"));
            let rows = shape.and_then(|shape| shape.first()).copied().filter(|rows| *rows > 0);
            rows.ok_or_else(|| format!("it has no '{prefix}{name}.bias'"))
        };
        let mut sizes = vec![INPUTS];
        while tensors.shape(&format!("{prefix}fc{}.weight", sizes.len())).is_some() {
            sizes.push(rows(format!("fc{}", sizes.len()))?);
        }
        let found = rows("head".to_string())?;
        if found != outputs.count() {
            return Err(format!("it has {found} outputs: {outputs} need {}", outputs.count()));
        }
        sizes.push(found);
        let mut mlp = Mlp::zero(&sizes);
        mlp.numbers = mlp.layout.take(prefix, tensors)?;
        Ok(QNetwork { outputs, mlp })
    }

    fn tensors(&self) -> Tensors {
        let mut tensors = Tensors::default();
        self.mlp.layout.put("", &self.mlp.numbers, &mut tensors);
        tensors
    }

    /// The content of a file; `made_by` says how it came about.
    pub fn to_bytes(&self, made_by: &str) -> Vec<u8> {
        Header::new(KIND, Position::NAME, Kind { outputs: self.outputs }, made_by).to_bytes(&self.tensors())
    }

    /// A short text that tells networks apart.
    pub fn fingerprint(&self, made_by: &str) -> String {
        let [game, kind, made_by] =
            [Position::NAME, "moves valued by dense layers", made_by].map(String::from);
        format1::fingerprint(
            &About1 { game, kind, version: 1, outputs: self.outputs, made_by },
            &self.tensors(),
        )
    }

    /// Reads the content of a file, or says what is wrong with it.
    pub fn from_bytes(bytes: &[u8]) -> Result<QNetwork, String> {
        QNetwork::with_fingerprint(bytes).map(|(network, _)| network)
    }

    /// The same, and the text that tells it apart from others.
    pub fn with_fingerprint(bytes: &[u8]) -> Result<(QNetwork, String), String> {
        Header::read(bytes, KIND, Position::NAME, |header: &Header<Kind>, tensors| {
            let network = QNetwork::whole(header.details.outputs, tensors)?;
            let fingerprint = network.fingerprint(&header.made_by);
            Ok((network, fingerprint))
        })
    }

    /// The network of a file that holds nothing else.
    fn whole(outputs: Outputs, tensors: &Tensors) -> Result<QNetwork, String> {
        let network = QNetwork::take("", outputs, tensors)?;
        tensors.check_count(network.mlp.layout.count())?;
        Ok(network)
    }

    /// The content of a file of version 1 as one of today: only what it says of itself has changed.
    pub fn converted(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let About1 { outputs, made_by, .. } = format1::about(bytes)?;
        Ok(QNetwork::whole(outputs, &format1::tensors(bytes)?)?.to_bytes(&made_by))
    }
}

/// The move with the highest value, the first of equals.
pub fn best(values: impl IntoIterator<Item = (Move, f32)>) -> Option<Move> {
    let better = |best: Option<(Move, f32)>, next: (Move, f32)| match best {
        Some(best) if best.1 >= next.1 => Some(best),
        _ => Some(next),
    };
    values.into_iter().fold(None, better).map(|(m, _)| m)
}
