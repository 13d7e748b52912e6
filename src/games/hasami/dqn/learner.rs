//! The learner: two networks, what is remembered, and how one batch of it changes the weights.

use std::collections::HashSet;
use std::ops::Range;

use rand_chacha::rand_core::Rng;
use rayon::prelude::*;

use super::{DqnSettings, DropoutAt, Episode, EpisodeRow, Experience, Maximum, Replay};
use crate::games::hasami::net::{INPUTS, QNetwork, Seen, best};
use crate::games::hasami::{Bitboard, Move, Position, targets};
use crate::nets::dense::add;
use crate::nets::{Adam, Dropout, Pass, squared_error};
use crate::players::PlayerSpec;
use crate::random::{below, stream};

/// So many examples are worked on together, on one thread: fixed, so that sums do not depend on the number of threads.
pub const SHARD: usize = 128;

/// What random streams are for.
const WEIGHTS: u64 = 1;
const EPISODES: u64 = 2;
const BATCHES: u64 = 3;
const DROPOUT: u64 = 4;
const TARGET_DROPOUT: u64 = 5;

/// Why learning cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum DqnError {
    #[error(
        "the values were no numbers any more in episode {episode}, at update {update}: a smaller learning rate or smaller rewards may help"
    )]
    NotANumber { episode: u32, update: u64 },
    #[error("{0}")]
    Opponent(String),
}

/// The learner and all that a later continuation needs.
#[derive(Clone, Debug)]
pub struct Dqn {
    /// How it learns.
    pub settings: DqnSettings,
    /// The network.
    pub network: QNetwork,
    /// The target network: an older copy.
    pub target: QNetwork,
    /// The optimiser.
    pub adam: Adam,
    /// The replay buffer.
    pub replay: Replay,
    /// How many plies have been remembered, and how many batches learned.
    pub plies: u64,
    /// See `plies`.
    pub updates: u64,
    /// How the games so far went.
    pub rows: Vec<EpisodeRow>,
    opponents: Vec<Option<PlayerSpec<Position>>>,
    /// Zero between batches, but for the layers before the head.
    gradients: Vec<f32>,
    /// The numbers that can ever have a gradient.
    learning: Vec<Range<usize>>,
}

/// What one shard of a batch gives.
struct ShardResult {
    loss: f64,
    body: Vec<f32>,
    /// For each example the number of its output and the gradient there.
    heads: Vec<(usize, f32)>,
    pass: Pass,
}

impl Dqn {
    /// A learner that knows nothing yet.
    pub fn new(settings: &DqnSettings) -> Result<Dqn, DqnError> {
        let mut random = stream(settings.seed, WEIGHTS, 0);
        let network = QNetwork::random(&settings.hidden, settings.outputs(), &mut random);
        let adam = Adam::new(network.mlp.numbers.len());
        Dqn::with(settings, network.clone(), network, adam, Replay::new(settings.replay))
    }

    /// A learner with these networks and memories.
    pub fn with(
        settings: &DqnSettings,
        network: QNetwork,
        target: QNetwork,
        adam: Adam,
        replay: Replay,
    ) -> Result<Dqn, DqnError> {
        Ok(Dqn {
            settings: settings.clone(),
            gradients: vec![0.0; network.mlp.numbers.len()],
            learning: learning(&network),
            opponents: settings.opponents().map_err(DqnError::Opponent)?,
            network,
            target,
            adam,
            replay,
            plies: 0,
            updates: 0,
            rows: Vec::new(),
        })
    }

    /// Takes this network for its first one; the error says why it does not fit.
    pub fn begin_with(&mut self, network: QNetwork) -> Result<(), String> {
        let (sizes, wanted) = (network.sizes(), self.network.sizes());
        if sizes != wanted {
            return Err(format!("its layers have the sizes {sizes:?}, the settings ask for {wanted:?}"));
        }
        self.target.clone_from(&network);
        self.network = network;
        Ok(())
    }

    /// Whether nothing learned is NaN or infinite: losses alone do not tell, since ReLU hides NaN from them.
    fn is_sane(&self) -> bool {
        self.network.mlp.numbers.iter().all(|number| number.is_finite()) && self.adam.is_finite()
    }

    fn not_a_number(&self) -> DqnError {
        DqnError::NotANumber { episode: self.episodes() + 1, update: self.updates }
    }

    /// How many episodes have been played.
    pub fn episodes(&self) -> u32 {
        self.rows.len() as u32
    }

    /// Whether all have.
    pub fn is_finished(&self) -> bool {
        self.episodes() >= self.settings.episodes
    }

    /// Plays one game and learns meanwhile, on all threads of the current rayon pool.
    pub fn episode(&mut self) -> Result<(), DqnError> {
        let number = self.episodes();
        let stage = self.settings.stage(number);
        let settings = self.settings.clone();
        let random = stream(settings.seed, EPISODES, u64::from(number));
        let mut episode = Episode::new(&settings, number, self.opponents[stage].as_ref(), random);
        let mut remembered = Vec::new();
        let (mut losses, mut updates) = (0.0, 0);
        let score = loop {
            if let Some(score) = episode.score() {
                break score;
            }
            episode.ply(&self.network, &mut remembered);
            for experience in remembered.drain(..) {
                self.replay.push(experience);
                self.plies += 1;
                let due = self.plies.is_multiple_of(settings.update_interval);
                if due && self.replay.len() >= settings.batch {
                    losses += self.update()?;
                    updates += 1;
                }
                if self.plies.is_multiple_of(settings.target_interval) {
                    self.target.clone_from(&self.network);
                }
            }
        };
        if !self.is_sane() {
            return Err(self.not_a_number());
        }
        self.rows.push(EpisodeRow {
            episode: number + 1,
            stage: stage + 1,
            side: episode.learner(),
            epsilon: settings.epsilon_at(number),
            score,
            plies: episode.plies(),
            reward: episode.reward,
            loss: if updates > 0 { losses / f64::from(updates) } else { 0.0 },
        });
        Ok(())
    }

    /// Learns from one batch; returns the mean squared error.
    fn update(&mut self) -> Result<f64, DqnError> {
        let batch = self.draw();
        let loss = self.learn(&batch);
        match loss.is_finite() {
            true => Ok(loss),
            false => Err(self.not_a_number()),
        }
    }

    /// A batch of different experiences.
    fn draw(&self) -> Vec<Experience> {
        let mut random = stream(self.settings.seed, BATCHES, self.updates);
        let mut drawn = HashSet::with_capacity(self.settings.batch);
        let mut batch = Vec::with_capacity(self.settings.batch);
        while batch.len() < self.settings.batch {
            let number = below(&mut random, self.replay.len());
            if drawn.insert(number) {
                let experience = *self.replay.get(number);
                let mirrored = self.settings.mirror && random.next_u32() & 1 == 1;
                batch.push(if mirrored { experience.mirrored() } else { experience });
            }
        }
        batch
    }

    /// One step of Adam for this batch; returns the mean squared error before it.
    pub fn learn(&mut self, batch: &[Experience]) -> f64 {
        let shard = |(number, shard): (usize, &[Experience])| self.shard(number as u64, shard, batch.len());
        let results: Vec<ShardResult> = batch.par_chunks(SHARD).enumerate().map(shard).collect();
        let mut loss = 0.0;
        let head = self.network.mlp.head().clone();
        let (body, of_head) = self.gradients.split_at_mut(head.range().start);
        let bias = head.bias().start - body.len();
        body.fill(0.0);
        for result in &results {
            loss += result.loss;
            add(body, &result.body);
            for ((output, gradient), last) in
                result.heads.iter().zip(result.pass.last().chunks_exact(head.inputs))
            {
                of_head[bias + output] += gradient;
                let row = &mut of_head[output * head.inputs..][..head.inputs];
                row.iter_mut().zip(last).for_each(|(sum, last)| *sum += gradient * last);
            }
        }
        let rate = self.settings.learning_rate_at(self.episodes()) as f32;
        self.adam.step(&mut self.network.mlp.numbers, &self.gradients, &self.learning, rate);
        self.updates += 1;
        // The head is large and few of its rows were touched: the next batch finds them clear.
        for (output, _) in results.iter().flat_map(|result| &result.heads) {
            self.gradients[head.row(*output)].fill(0.0);
            self.gradients[head.bias().start + output] = 0.0;
        }
        loss / batch.len() as f64
    }

    fn shard(&self, number: u64, shard: &[Experience], batch: usize) -> ShardResult {
        let item = self.updates << 16 | number;
        let targets = self.targets(shard, item);
        let dropout = self.settings.dropout();
        let pass = self.through(&self.network, shard.iter().map(|e| e.board), dropout, DROPOUT, item);
        let (head, weights) = (self.network.mlp.head(), &self.network.mlp.numbers);
        let mut back = vec![0.0; pass.last().len()];
        let (mut loss, mut heads) = (0.0, Vec::with_capacity(shard.len()));
        let rows = pass.last().chunks_exact(head.inputs).zip(back.chunks_exact_mut(head.inputs));
        for ((experience, target), (last, back)) in shard.iter().zip(targets).zip(rows) {
            let output = self.network.outputs.number(experience.m);
            let (error, gradient) = squared_error(head.output(weights, output, last), target);
            let gradient = gradient / batch as f32;
            loss += f64::from(error);
            back.iter_mut()
                .zip(&weights[head.row(output)])
                .for_each(|(back, weight)| *back = gradient * weight);
            heads.push((output, gradient));
        }
        ShardResult { loss, body: self.network.mlp.back_from_head(&pass, back), heads, pass }
    }

    /// Boards through all layers of a network but the head.
    fn through(
        &self,
        network: &QNetwork,
        boards: impl Iterator<Item = Seen>,
        dropout: Option<Dropout>,
        purpose: u64,
        item: u64,
    ) -> Pass {
        let mut inputs = Vec::with_capacity(SHARD * INPUTS);
        boards.for_each(|board| board.append(&mut inputs));
        let mut random = stream(self.settings.seed, purpose, item);
        network.mlp.through_body(inputs, dropout.map(|dropout| (dropout, &mut random)))
    }

    /// What the value of each move should be.
    fn targets(&self, shard: &[Experience], item: u64) -> Vec<f32> {
        let everywhere = self.settings.dropout_at == DropoutAt::Everywhere;
        let dropout = self.settings.dropout().filter(|_| everywhere);
        let next = || shard.iter().map(|experience| experience.next);
        let told = self.through(&self.target, next(), dropout, TARGET_DROPOUT, item);
        // Double DQN: the network itself says which move, the target network what it is worth.
        let chosen = self.settings.double.then(|| self.through(&self.network, next(), None, 0, 0));
        let width = self.target.mlp.head().inputs;
        let highest: Vec<f32> = match self.settings.maximum {
            Maximum::Legal => (0..shard.len())
                .map(|row| {
                    let Experience { next, own_next, done, .. } = shard[row];
                    if done {
                        return 0.0;
                    }
                    let moves = next_moves(next, own_next);
                    let told = &told.last()[row * width..][..width];
                    match &chosen {
                        None => moves.map(|m| self.target.value(told, m)).fold(f32::NEG_INFINITY, f32::max),
                        Some(chosen) => {
                            let by = &chosen.last()[row * width..][..width];
                            let values = moves.map(|m| (m, self.network.value(by, m)));
                            best(values).map_or(0.0, |m| self.target.value(told, m))
                        }
                    }
                })
                .collect(),
            Maximum::All => {
                let outputs = self.target.outputs.count();
                let told = self.target.mlp.through_head(told.last());
                let told = told.chunks_exact(outputs);
                match &chosen {
                    None => told.map(largest).collect(),
                    Some(chosen) => {
                        let by = self.network.mlp.through_head(chosen.last());
                        told.zip(by.chunks_exact(outputs)).map(|(told, by)| told[highest(by)]).collect()
                    }
                }
            }
        };
        let discount = self.settings.discount as f32;
        let target = |(experience, highest): (&Experience, f32)| match experience.done {
            true => experience.reward,
            false => experience.reward + discount * highest,
        };
        shard.iter().zip(highest).map(target).collect()
    }
}

/// All layers before the head, and of the head the rows of outputs that a move can have.
fn learning(network: &QNetwork) -> Vec<Range<usize>> {
    let head = network.mlp.head();
    let rows = network.outputs.playable().into_iter().map(|output| head.row(output as usize));
    let biases = network.outputs.playable().into_iter().map(|output| head.bias().start + output as usize);
    let body = 0..head.range().start;
    let mut parts = vec![body];
    for part in rows.chain(biases.map(|bias| bias..bias + 1)) {
        match parts.last_mut().filter(|last| last.end == part.start) {
            Some(last) => last.end = part.end,
            None => parts.push(part),
        }
    }
    parts
}

/// The moves of the side that moves on a remembered board.
fn next_moves(Seen { own, other }: Seen, own_next: bool) -> impl Iterator<Item = Move> {
    let pieces: Bitboard = if own_next { own } else { other };
    pieces.flat_map(move |from| targets(own | other, from).map(move |to| Move { from, to }))
}

/// The largest of some numbers, several at a time.
fn largest(numbers: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut most = [f32::NEG_INFINITY; LANES];
    for part in numbers.chunks(LANES) {
        for (most, number) in most.iter_mut().zip(part) {
            *most = if *number > *most { *number } else { *most };
        }
    }
    most.into_iter().fold(f32::NEG_INFINITY, f32::max)
}

/// The place of the largest number, the first of equals.
fn highest(numbers: &[f32]) -> usize {
    let better = |best: usize, place: usize| if numbers[place] > numbers[best] { place } else { best };
    (0..numbers.len()).fold(0, better)
}
