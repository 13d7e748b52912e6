//! Passive-aggressive learning, as the Quoridor report has it: weights that tell from a position who will win.
//!
//! ```text
//! for each round
//!     play some games against oneself with the weights so far
//!     for each position of those games, as the side to move sees it
//!         if that side won, the weighted sum should be at most -1, else at least 1 (small is good)
//!         as far as it is not, shift the weights towards it
//! ```

#[cfg(feature = "cli")]
pub(crate) mod command;
#[cfg(feature = "pictures")]
mod experiment;
#[cfg(feature = "pictures")]
pub(crate) mod report;
#[cfg(feature = "pictures")]
mod run;

#[cfg(feature = "pictures")]
pub(super) use experiment::complete_tuner;
#[cfg(feature = "pictures")]
pub use experiment::{PaResult, PaWork};
#[cfg(feature = "pictures")]
pub use report::{pa_picture, read_pa_rows};
#[cfg(feature = "pictures")]
pub(crate) use run::COMMAND;
#[cfg(feature = "pictures")]
pub use run::PaTraining;

use serde::{Deserialize, Serialize};

use crate::arena::play_one;
use crate::game::{
    BySide, Game, Genome as AnyGenome, Outcome, POINT, Referee, Side, Usual, Variant, Weighted,
};
use crate::games::quoridor::eval::{Genome, REPORT, WallFeatures, features};
use crate::games::quoridor::{Position, Square};
use crate::learn::{Declared, Setting};
use crate::parallel;
use crate::players::{GameInfo, Method, Playable};
use crate::random::{MOST_SEED, below, stream};
use crate::search::Terminal;
use crate::values::Values;

crate::variants! {
    /// Where the games of a learner begin.
    pub enum Starts, "kind of start" {
        /// The pawns stand on any two squares from which nobody can win at once.
        Anywhere = "anywhere", "both pawns on any squares from which nobody wins at once";
        /// The pawns stand on any files of their own ranks.
        Files = "files", "each pawn on any file of its own rank";
        /// As the game begins.
        Usual = "usual", "as the game begins: without any chance all games of a round are the same";
    }
}

crate::variants! {
    /// What the weighted sum should be where the side to move won.
    pub enum Label, "label" {
        /// Small, since small is good.
        Small = "small", "the winner's sum should be small, since small is good";
        /// Large: the report's words, which label a winner 1, taken literally.
        Large = "large", "the winner's sum should be large: the report's words taken literally";
    }
}

crate::variants! {
    /// The weights before the first round.
    pub enum StartWeights, "choice of start weights" {
        /// Those of the genome `plain`.
        Plain = "plain", "1, -1, 0, 0, 0: the difference of the ways";
        /// What the class of the report's figure 7 begins with where no weights are given.
        Ones = "ones", "1, 1, 1, 1, 1: what the class of the report's figure 7 begins with where no weights are given";
    }
}

impl StartWeights {
    /// The weights.
    pub fn weights(self) -> [f64; REPORT] {
        match self {
            StartWeights::Plain => weights_of(&AnyGenome::untrained()),
            StartWeights::Ones => [1.0; REPORT],
        }
    }
}

/// Everything that can be set. The defaults are the report's, where it says something.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)] // Explained to users by the options of the same names.
pub struct PaSettings {
    pub seed: u64,
    pub rounds: u32,
    pub games: u32,
    pub c: f64,
    pub step: f64,
    pub starts: Starts,
    pub label: Label,
    pub start_weights: StartWeights,
    pub wall_features: WallFeatures,
    pub depth: u32,
}

impl Default for PaSettings {
    fn default() -> PaSettings {
        PaSettings::from_table(&GameInfo::of::<Position>(), toml::Table::new())
            .expect("the preset is in order")
    }
}

impl Declared for PaSettings {
    const PRESETS: &'static [(&'static str, &'static str)] =
        &[("report", include_str!("../../../../experiments/presets/pa.toml"))];

    fn declared() -> Vec<Setting> {
        let integer = |low, high| Values::Integer(low..=high);
        vec![
            Setting::new(
                "seed",
                "S",
                integer(0, MOST_SEED as i64),
                "Random seed; the same seed reproduces identical files",
            ),
            Setting::new("rounds", "N", integer(1, 100_000), "Rounds of games and updates"),
            Setting::new("games", "N", integer(1, 10_000), "Games per round"),
            Setting::new(
                "c",
                "C",
                Values::Number(0.0..=1000.0),
                "Aggressiveness: the most that one example may shift the weights (PA-I's C)",
            ),
            Setting::new("step", "F", Values::Number(0.0..=1.0), "Factor of every shift"),
            Setting::new(
                "starts",
                "KIND",
                Values::Choice(Starts::names()),
                "Start positions: anywhere (both pawns on any squares), files (on any files of their own ranks) or usual",
            ),
            Setting::new(
                "label",
                "LABEL",
                Values::Choice(Label::names()),
                "Target of the winner's weighted sum: small (small is good) or large (the report's words taken literally)",
            ),
            Setting::new(
                "start-weights",
                "WEIGHTS",
                Values::Choice(StartWeights::names()),
                "Weights before the first round: plain (1, -1, 0, 0, 0) or ones (all 1, as the class of the report's figure 7)",
            ).alias("start"),
            Setting::new(
                "wall-features",
                "READING",
                Values::Choice(WallFeatures::names()),
                "Wall features: overlapping (own walls if at least 6, 4, 2, as the report has it) or bands (6 to 10, 4 to 5, 2 to 3)",
            ),
            Setting::new("depth", "N", integer(1, 6), "Search depth of the players in plies"),
        ]
    }

    fn is_for(game: &GameInfo) -> bool {
        game.name == Position::NAME
    }

    fn check_together(&self, _: &GameInfo) -> Result<(), String> {
        Ok(())
    }
}

impl PaSettings {
    /// What the weights begin with and what the wall features count, as every result states it: `plain (1, -1, 0, 0, 0)` and so on.
    pub fn origin(&self) -> String {
        let weights = self.start_weights.weights().map(|weight| weight.to_string()).join(", ");
        format!("Start weights: {} ({weights}). Wall features: {}.", self.start_weights, self.wall_features)
    }
}

/// Where the learner is: all that a later continuation needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaState {
    /// How many rounds are done.
    pub round: u32,
    /// The weights now.
    pub weights: [f64; REPORT],
    /// What the last round was like.
    pub last: RoundCounts,
}

/// What a round was like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundCounts {
    /// Games that the first player won.
    pub first: u32,
    /// Games that the second player won.
    pub second: u32,
    /// Games that nobody won: they teach nothing.
    pub draws: u32,
    /// Positions that taught something.
    pub examples: u32,
    /// Those of them whose side was told rightly before the round's update.
    pub right: u32,
}

/// A position as the side to move saw it, and what the weighted sum should tell: -1 if that side won, else 1.
type Example = ([i32; REPORT], f64);

impl PaState {
    /// The start weights, before any game.
    pub fn new(settings: &PaSettings) -> PaState {
        PaState { round: 0, weights: settings.start_weights.weights(), last: RoundCounts::default() }
    }

    /// The player with the weights so far.
    pub fn genome(&self, settings: &PaSettings) -> Genome {
        genome_of(&self.weights, settings.wall_features)
    }

    /// One more round. Games are played on all threads of the current rayon pool; what is learned does not depend on them.
    pub fn step(&mut self, settings: &PaSettings) {
        self.round += 1;
        let genome = self.genome(settings);
        let game = |game: u32| play(settings, self.round, game, &genome);
        let games: Vec<(Outcome, Vec<Example>)> =
            parallel::map_range(settings.games as usize, |number| game(number as u32));
        self.last = RoundCounts::default();
        for (outcome, examples) in &games {
            match outcome {
                Outcome::Win(Side::First) => self.last.first += 1,
                Outcome::Win(Side::Second) => self.last.second += 1,
                Outcome::Draw => self.last.draws += 1,
            }
            self.last.examples += examples.len() as u32;
            let right = |(x, y): &&Example| y * dot(&self.weights, x) > 0.0;
            self.last.right += examples.iter().filter(right).count() as u32;
        }
        for (x, y) in games.iter().flat_map(|(_, examples)| examples) {
            update(&mut self.weights, x, *y, settings.c, settings.step);
        }
    }
}

/// One update of PA-I, with its step made smaller.
///
/// ```
/// use dobutsu_ga::games::quoridor::pa::update;
/// let mut weights = [1.0, -1.0, 0.0, 0.0, 0.0];
/// // The mover won although its way was two steps longer: the sum is 2 and should be at most -1.
/// update(&mut weights, &[4, 2, 0, 0, 0], -1.0, 0.1, 1.0);
/// assert_eq!(weights, [0.6, -1.2, 0.0, 0.0, 0.0]);
/// ```
pub fn update(weights: &mut [f64; REPORT], x: &[i32; REPORT], y: f64, c: f64, step: f64) {
    let loss = (1.0 - y * dot(weights, x)).max(0.0);
    let square: f64 = x.iter().map(|x| f64::from(x * x)).sum();
    // All features nought: nothing to shift, and nothing to divide by.
    let rate = if square > 0.0 { c.min(loss / square) } else { 0.0 };
    for (weight, x) in weights.iter_mut().zip(x) {
        *weight += step * rate * y * f64::from(*x);
    }
}

fn dot(weights: &[f64; REPORT], x: &[i32; REPORT]) -> f64 {
    weights.iter().zip(x).map(|(weight, x)| weight * f64::from(*x)).sum()
}

/// Plays a game against oneself; every position of it is an example.
fn play(settings: &PaSettings, round: u32, game: u32, genome: &Genome) -> (Outcome, Vec<Example>) {
    let mut random = stream(settings.seed, u64::from(round), u64::from(game));
    let mut referee = Referee::new(start(settings.starts, &mut random));
    let method = <Position as Playable>::Method::plain(settings.depth, Terminal::Exact, false);
    let player = || method.player(Position::evaluator(genome));
    let outcome = play_one(&mut referee, &mut *player(), &mut *player(), &mut random).0.outcome;
    let Outcome::Win(winner) = outcome else { return (outcome, Vec::new()) };
    let before_moves = &referee.positions()[..referee.moves().len()];
    let example = |position: &Position| {
        let all = features(position, position.turn(), settings.wall_features);
        let x: [i32; REPORT] = std::array::from_fn(|i| all[i]);
        (x, if (position.turn() == winner) == (settings.label == Label::Small) { -1.0 } else { 1.0 })
    };
    (outcome, before_moves.iter().map(example).collect())
}

fn start(starts: Starts, random: &mut rand_chacha::ChaCha8Rng) -> Position {
    let usual = Position::start(Usual::Usual);
    let mut square = |squares: &[Square]| squares[below(random, squares.len())];
    loop {
        let (first, second) = match starts {
            Starts::Usual => return usual,
            Starts::Files => (square(&Square::ALL[..9]), square(&Square::ALL[72..])),
            Starts::Anywhere => (square(&Square::ALL), square(&Square::ALL)),
        };
        if let Some(position) = usual.with_pawns(BySide { first, second }).filter(Game::is_calm) {
            return position;
        }
    }
}

/// The genome with these weights, rounded to the thousandths that players count in and within what a gene can be.
fn genome_of(weights: &[f64; REPORT], wall_features: WallFeatures) -> Genome {
    let bounded = |weight: f64| {
        let thousandths = (weight * f64::from(POINT)).round();
        thousandths.clamp(f64::from(Genome::MIN), f64::from(Genome::MAX)) as i32
    };
    let mut start: Genome = AnyGenome::untrained();
    start.readings.wall_features = wall_features;
    weights.iter().enumerate().fold(start, |genome, (gene, weight)| {
        genome.with_value(gene, bounded(*weight)).expect("bounded to what a gene can be")
    })
}

fn weights_of(genome: &Genome) -> [f64; REPORT] {
    std::array::from_fn(|gene| f64::from(genome.values()[gene]) / f64::from(POINT))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned(settings: &PaSettings) -> PaState {
        let mut state = PaState::new(settings);
        while state.round < settings.rounds {
            state.step(settings);
        }
        state
    }

    #[test]
    fn the_same_seed_learns_the_same_on_any_number_of_threads() {
        let settings = PaSettings { rounds: 5, depth: 1, ..PaSettings::default() };
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| learned(&settings))
        };
        assert_eq!(on(1), on(3));
        assert_ne!(on(1).weights, learned(&PaSettings { seed: 2, ..settings }).weights);
    }

    #[test]
    fn an_update_goes_as_far_as_needed_or_allowed() {
        // Told rightly and by enough: nothing happens.
        let mut weights = [1.0, -1.0, 0.0, 0.0, 0.0];
        update(&mut weights, &[2, 5, 0, 0, 0], -1.0, 0.1, 1.0);
        assert_eq!(weights, [1.0, -1.0, 0.0, 0.0, 0.0]);
        // Without a bound the sum is just what it should be.
        update(&mut weights, &[4, 2, 6, 0, 0], -1.0, f64::INFINITY, 1.0);
        assert!((dot(&weights, &[4, 2, 6, 0, 0]) + 1.0).abs() < 1e-12);
    }

    #[test]
    fn start_weights_and_wall_features_change_what_is_learned() {
        let plain = PaSettings { rounds: 2, depth: 1, ..PaSettings::default() };
        assert_eq!(PaState::new(&plain).weights, [1.0, -1.0, 0.0, 0.0, 0.0]);
        let ones = PaSettings { start_weights: StartWeights::Ones, ..plain };
        assert_eq!(PaState::new(&ones).weights, [1.0; REPORT]);
        let bands = PaSettings { wall_features: WallFeatures::Bands, ..plain };
        assert_ne!(learned(&plain).weights, learned(&ones).weights);
        assert_ne!(learned(&plain).weights, learned(&bands).weights);
        let champion = learned(&bands).genome(&bands);
        assert_eq!(champion.readings.wall_features, WallFeatures::Bands);
        assert_eq!(ones.origin(), "Start weights: ones (1, 1, 1, 1, 1). Wall features: overlapping.");
        assert_eq!(bands.origin(), "Start weights: plain (1, -1, 0, 0, 0). Wall features: bands.");
    }

    #[test]
    fn starts_are_what_they_are_called() {
        let mut random = stream(1, 0, 0);
        let mut seen = std::collections::HashSet::new();
        for _ in 0..300 {
            let files = start(Starts::Files, &mut random);
            assert_eq!((files.pawn(Side::First).rank(), files.pawn(Side::Second).rank()), (0, 8));
            let anywhere = start(Starts::Anywhere, &mut random);
            assert!(anywhere.is_calm() && anywhere.walls().is_empty());
            seen.insert(anywhere.pawn(Side::First));
        }
        // Of 72 squares that are not the goal some are refused for being too near to it.
        assert!(seen.len() > 55, "{}", seen.len());
        assert_eq!(start(Starts::Usual, &mut random), Position::start(Usual::Usual));
    }
}
