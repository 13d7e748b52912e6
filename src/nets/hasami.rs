//! The report's network for Hasami Shogi: a value for every move, from the board alone.
//!
//! The board goes in as 121 numbers: eleven rows of eleven from the top left, a border of noughts around the nine by nine squares, 1
//! for a piece of the side to move, -1 for one of the other. The side to move always sees itself below.

use std::sync::LazyLock;

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::{Dense, Mlp, Tensors};
use crate::files::fingerprint;
use crate::games::hasami::{Bitboard, Move, Position, Square};
use crate::games::{Game, Side, Symmetry, legal_moves};

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
    /// A position as a side sees it, whoever is to move.
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

/// What a file says of itself.
#[derive(Serialize, Deserialize)]
struct About {
    game: String,
    kind: String,
    version: u32,
    outputs: Outputs,
    /// How it came about.
    made_by: String,
}

const KIND: &str = "moves valued by dense layers";
const VERSION: u32 = 1;

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
        let (head, mut layers) = (self.mlp.head(), self.mlp.body().to_vec());
        let playable = self.outputs.playable();
        layers.push(Dense {
            inputs: head.inputs,
            weights: playable.iter().flat_map(|output| head.row(*output as usize)).copied().collect(),
            bias: playable.iter().map(|output| head.bias[*output as usize]).collect(),
        });
        QNetwork { outputs: Outputs::Moves, mlp: Mlp { layers } }
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
        self.mlp.head().output(self.outputs.number(m), last)
    }

    /// The move with the highest value, the first of equals.
    pub fn best(&self, position: &Position) -> Option<Move> {
        best(self.values(position))
    }

    /// The name of a layer in files.
    fn layer_name(&self, number: usize) -> String {
        if number + 1 == self.mlp.layers.len() { "head".to_string() } else { format!("fc{}", number + 1) }
    }

    /// Adds the layers to what a file will hold, their names after a prefix.
    pub fn put(&self, prefix: &str, tensors: &mut Tensors) {
        for (number, layer) in self.mlp.layers.iter().enumerate() {
            tensors.put_layer(&format!("{prefix}{}", self.layer_name(number)), layer);
        }
    }

    /// The layers that a file holds under names with a prefix.
    pub fn take(prefix: &str, outputs: Outputs, tensors: &Tensors) -> Result<QNetwork, String> {
        let mut layers = Vec::new();
        loop {
            let name = format!("{prefix}fc{}", layers.len() + 1);
            if !tensors.has_layer(&name) {
                break;
            }
            layers.push(tensors.layer(&name)?);
        }
        layers.push(tensors.layer(&format!("{prefix}head"))?);
        let mut inputs = INPUTS;
        for (number, layer) in layers.iter().enumerate() {
            if layer.inputs != inputs {
                let (number, found) = (number + 1, layer.inputs);
                return Err(format!("layer {number} takes {found} numbers where {inputs} come"));
            }
            inputs = layer.outputs();
        }
        match inputs == outputs.count() {
            true => Ok(QNetwork { outputs, mlp: Mlp { layers } }),
            false => Err(format!("it has {inputs} outputs: {outputs} need {}", outputs.count())),
        }
    }

    /// The content of a file; `made_by` says how it came about.
    pub fn to_bytes(&self, made_by: &str) -> Vec<u8> {
        self.tensors(made_by).to_checked_bytes()
    }

    /// A short text that tells networks apart.
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.tensors("").to_bytes())
    }

    fn tensors(&self, made_by: &str) -> Tensors {
        let about = About {
            game: Position::NAME.to_string(),
            kind: KIND.to_string(),
            version: VERSION,
            outputs: self.outputs,
            made_by: made_by.to_string(),
        };
        let about = serde_json::to_string(&about).expect("texts can be written");
        let mut tensors = Tensors::about(about);
        self.put("", &mut tensors);
        tensors
    }

    /// Reads the content of a file, or says what is wrong with it.
    pub fn from_bytes(bytes: &[u8]) -> Result<QNetwork, String> {
        let tensors = Tensors::from_bytes(bytes)?;
        let about: serde_json::Value = serde_json::from_str(&tensors.about)
            .map_err(|_| "it does not say what it is: it was not written by dobutsu-ga".to_string())?;
        if about.get("adam_steps").is_some() {
            return Err("it is what a run needs to go on: the network is in network.safetensors beside it"
                .to_string());
        }
        let said = |key: &str| about.get(key).and_then(serde_json::Value::as_str).unwrap_or("nothing");
        if said("game") != Position::NAME {
            return Err(format!("it is for {}, not for {}", said("game"), Position::NAME));
        }
        if said("kind") != KIND {
            return Err(format!("it is another kind of network ('{}')", said("kind")));
        }
        match about.get("version").and_then(serde_json::Value::as_u64) {
            Some(version) if version == u64::from(VERSION) => {}
            version => {
                let version = version.map_or("none".to_string(), |version| version.to_string());
                return Err(format!("it has version {version} of the format, this program reads {VERSION}"));
            }
        }
        let about: About = serde_json::from_value(about).map_err(|error| error.to_string())?;
        let network = QNetwork::take("", about.outputs, &tensors)?;
        // A layer of another name would be left out silently.
        if tensors.count() != 2 * network.mlp.layers.len() {
            return Err("it holds more than its layers".to_string());
        }
        tensors.verified()?;
        Ok(network)
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
