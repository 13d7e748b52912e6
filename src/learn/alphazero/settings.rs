//! Everything about the learner that can be set.

use serde::{Deserialize, Serialize};

use super::Exploration;
use crate::arena::Conditions;
use crate::game::{Limits, Variant};
use crate::learn::{Declared, Setting};
use crate::nets::dual::{Heads, Over, Shape};
use crate::nets::{MAX_BLOCKS, MAX_CHANNELS, Planar};
use crate::players::{GameInfo, Playable, PlayerSpec};
use crate::random::MOST_SEED;
use crate::search::{Fpu, MctsSettings, TreePolicy};
use crate::values::Values;

crate::variants! {
    /// Where settings begin.
    pub enum AlphaZeroPreset, "preset" {
        /// What learns well on two cores.
        Small = "small", "what learns well on two cores";
        /// The sizes and rules in the text of the Kyoto AlphaZero paper.
        Paper = "paper", "the sizes and rules in the text of the Kyoto AlphaZero paper";
    }
}

crate::variants! {
    /// Over what the learning rate falls.
    pub enum RateOver, "span of the learning rate" {
        /// All cycles.
        Run = "run", "over all cycles";
        /// Every cycle anew, as in the paper.
        Cycle = "cycle", "in every cycle anew, as in the paper";
    }
}

crate::variants! {
    /// What the value head learns from the result of a game.
    pub enum ValueLabels, "kind of value labels" {
        /// 1 in positions of the winner, -1 in those of the loser.
        Winner = "winner", "1 for the winner's positions, -1 for the loser's";
        /// The signs of the Kyoto AlphaZero paper's listing, whose `is_first_player` is true at odd depth.
        Inverted = "inverted", "-1 for the winner's positions, as printed in the listing of the Kyoto AlphaZero paper";
    }
}

impl ValueLabels {
    fn is_winner(&self) -> bool {
        *self == ValueLabels::Winner
    }

    /// What the side to move learns of a game that it won (1), drew (0) or lost (-1).
    pub fn label(self, won: f32) -> f32 {
        match self {
            ValueLabels::Winner => won,
            ValueLabels::Inverted => -won,
        }
    }
}

/// Everything that can be set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)] // Explained to users by the options of the same names.
pub struct AlphaZeroSettings {
    pub preset: AlphaZeroPreset,
    // Settings that came later are written only where they are used: files of earlier runs keep their bytes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub listing: bool,
    pub rules: String,
    pub seed: u64,
    pub cycles: u32,
    pub games: u32,
    #[serde(rename = "filters")]
    pub channels: usize,
    pub blocks: usize,
    pub heads: Heads,
    #[serde(rename = "growing")]
    pub mcts: MctsSettings,
    pub noise: f64,
    pub noise_alpha: f64,
    pub temperature: f64,
    pub temperature_plies: usize,
    pub opening_plies: usize,
    pub ply_cap: usize,
    pub repetition: bool,
    pub reuse: bool,
    pub window: u32,
    pub epochs: f64,
    pub batch: usize,
    pub learning_rate: f64,
    pub rate_over: RateOver,
    pub l2: f64,
    pub over: Over,
    pub mirror: bool,
    pub value_mix: f64,
    #[serde(default, skip_serializing_if = "ValueLabels::is_winner")]
    pub value_labels: ValueLabels,
    pub gate_games: u32,
    pub measure_games: u32,
    pub measure_simulations: u32,
    pub opponents: Vec<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub weaknesses: bool,
}

impl Declared for AlphaZeroSettings {
    const PRESETS: &'static [(&'static str, &'static str)] = &[
        ("small", include_str!("../../../experiments/presets/alphazero-small.toml")),
        ("paper", include_str!("../../../experiments/presets/alphazero-paper.toml")),
    ];

    fn declared() -> Vec<Setting> {
        let integer = |low, high| Values::Integer(low..=high);
        let number = |low, high| Values::Number(low..=high);
        let choice = Values::Choice;
        vec![
            Setting::new(
                "preset",
                "NAME",
                choice(AlphaZeroPreset::names()),
                "Settings to start from: small (learns well on two cores) or paper (sizes and rules in the text of the Kyoto AlphaZero paper)",
            ),
            Setting::new(
                "listing",
                "on|off",
                Values::Switch,
                "With --preset paper: 250 games and 900 epochs a cycle, as in the paper's listing, instead of the text's 500 and 300",
            ),
            Setting::new("rules", "RULES", Values::Text, "Rules (see `dobutsu-ga games`)"),
            Setting::new(
                "seed",
                "S",
                integer(0, MOST_SEED as i64),
                "Random seed; the same seed reproduces identical files",
            ),
            Setting::new("cycles", "N", integer(1, 100_000), "Cycles of self-play, training and gate"),
            Setting::new("games", "N", integer(1, 1_000_000), "Self-play games per cycle"),
            Setting::new("filters", "N", integer(1, MAX_CHANNELS as i64), "Convolution channels per layer"),
            Setting::new("blocks", "N", integer(0, MAX_BLOCKS as i64), "Residual blocks"),
            Setting::new(
                "heads",
                "KIND",
                choice(Heads::names()),
                "Input of the policy and value heads: squares or pooled (means over all squares)",
            ),
            Setting::new(
                "growing.growth",
                "WAY",
                choice(TreePolicy::names()),
                "Tree policy: puct or gumbel (sequential halving)",
            )
            .option("search"),
            Setting::new("growing.simulations", "N", integer(1, 1_000_000), "Simulations per move"),
            Setting::new("growing.c", "X", number(0.0, 1000.0), "Exploration constant c_puct (puct)"),
            Setting::new(
                "growing.unvisited",
                "WHAT",
                choice(Fpu::names()),
                "First-play urgency (puct): parent (the position's value) or zero",
            ),
            Setting::new(
                "growing.proofs",
                "on|off",
                Values::Switch,
                "MCTS-Solver: prove wins and losses in the tree",
            ),
            Setting::new("growing.candidates", "N", integer(2, 1000), "Candidate moves of the root (gumbel)"),
            Setting::new(
                "growing.waiting",
                "N",
                integer(1, 256),
                "Leaf batch of one tree; each leaf counts as lost until it is evaluated (virtual loss)",
            ),
            Setting::new("reuse", "on|off", Values::Switch, "Keep the tree for the next move (puct)"),
            Setting::new(
                "noise",
                "SHARE",
                number(0.0, 1.0),
                "Share of Dirichlet noise in the root's prior (puct), or 0 for none; gumbel has noise of its own",
            ),
            Setting::new("noise-alpha", "X", number(0.001, 1000.0), "Concentration of the Dirichlet noise"),
            Setting::new(
                "temperature",
                "X",
                number(0.0, 100.0),
                "Temperature of the move choice by visits (puct); 0 plays the most visited",
            ),
            Setting::new(
                "temperature-plies",
                "N",
                integer(0, 10_000),
                "Plies with that temperature; 0 afterwards (puct)",
            ),
            Setting::new("opening-plies", "N", integer(0, 20), "Random moves at the start of each game"),
            Setting::new("ply-cap", "N", integer(2, 10_000), "Plies after which a game is a draw"),
            Setting::new("repetition", "on|off", Values::Switch, "Repetition rule of the game"),
            Setting::new("window", "N", integer(1, 100_000), "Cycles in the replay window"),
            Setting::new(
                "epochs",
                "X",
                number(0.001, 100_000.0),
                "Epochs per cycle over the positions of its games; less than 1 for a share",
            ),
            Setting::new("batch", "N", integer(2, 8192), "Batch size"),
            Setting::new(
                "learning-rate",
                "R",
                number(0.0, 10.0),
                "Initial Adam learning rate; half of it from the middle of the schedule, a quarter in its last fifth",
            ),
            Setting::new(
                "rate-over",
                "SPAN",
                choice(RateOver::names()),
                "Span of the learning-rate schedule: run (all cycles) or cycle (each cycle)",
            ),
            Setting::new("l2", "X", number(0.0, 1.0), "Weight decay (L2)"),
            Setting::new(
                "over",
                "WHICH",
                choice(Over::names()),
                "Moves of the policy loss: legal moves or all outputs",
            ),
            Setting::new(
                "mirror",
                "on|off",
                Values::Switch,
                "Mirror half of the training positions left to right, chosen at random",
            ),
            Setting::new(
                "value-mix",
                "SHARE",
                number(0.0, 1.0),
                "Share of the search value in the value target, beside the result of the game",
            ),
            Setting::new(
                "value-labels",
                "SIGN",
                choice(ValueLabels::names()),
                "Value label of the winner's positions: winner (1) or inverted (-1, as the paper's listing has it)",
            ),
            Setting::new(
                "gate-games",
                "N",
                integer(0, 1_000_000),
                "Games in which a new network must score more than half to become the best; 0 takes every one",
            ),
            Setting::new(
                "measure-games",
                "N",
                integer(0, 1_000_000),
                "Games against each opponent after every cycle",
            ),
            Setting::new(
                "measure-simulations",
                "N",
                integer(1, 1_000_000),
                "Simulations per move in these games",
            ),
            Setting::new(
                "opponents",
                "PLAYER",
                Values::Texts,
                "Opponent of these games; may be given several times",
            )
            .option("opponent"),
            Setting::new(
                "weaknesses",
                "on|off",
                Values::Switch,
                "Count weak moves in these games, where the game can: checks not answered, moves into check, pieces given away",
            ),
        ]
    }

    fn complete(game: &GameInfo, preset: &mut toml::Table, given: &toml::Table) {
        preset.insert("rules".to_string(), (game.usual_rules)().into());
        let opponents = game.baselines.iter().map(|player| toml::Value::from(*player)).collect();
        preset.insert("opponents".to_string(), toml::Value::Array(opponents));
        if given.get("listing").and_then(toml::Value::as_bool) == Some(true) {
            preset.insert("games".to_string(), 250.into());
            preset.insert("epochs".to_string(), 900.0.into());
        }
    }

    fn is_for(game: &GameInfo) -> bool {
        game.has_network
    }

    fn idle(&self, _: &GameInfo, key: &str) -> Option<String> {
        let gumbel = self.mcts.tree_policy == TreePolicy::Gumbel;
        let with = |holds: bool, other: &str| holds.then(|| other.to_string());
        match key {
            "growing.c" | "growing.unvisited" | "temperature" | "temperature-plies" => {
                with(gumbel, "--search gumbel")
            }
            "noise-alpha" if gumbel => with(true, "--search gumbel"),
            "noise-alpha" => with(self.noise == 0.0, "--noise 0"),
            "growing.candidates" => with(!gumbel, "--search puct"),
            "value-labels" => with(self.value_mix == 1.0, "--value-mix 1"),
            _ => None,
        }
    }

    fn check_together(&self, game: &GameInfo) -> Result<(), String> {
        if self.listing && self.preset != AlphaZeroPreset::Paper {
            return Err(format!(
                "the preset '{}' follows no listing: choose the preset paper (--preset paper), or leave listing out",
                self.preset
            ));
        }
        if self.weaknesses && !game.has_tactics {
            return Err(format!("weaknesses are not counted in {}: leave weaknesses out", game.name));
        }
        (game.check_rules)(&self.rules).map_err(|error| error.to_string())?;
        if self.mcts.tree_policy == TreePolicy::Gumbel && self.reuse {
            return Err("reuse is for puct: gumbel plans its simulations for a new tree".to_string());
        }
        if self.mcts.tree_policy == TreePolicy::Gumbel && self.gate_games > 2 && self.opening_plies == 0 {
            return Err(
                "without opening-plies all games of the gate would be alike: gumbel draws no move at random there"
                    .to_string(),
            );
        }
        if self.opponents.len() > MAX_OPPONENTS {
            return Err(format!("there may be at most {MAX_OPPONENTS} opponents"));
        }
        if self.opening_plies >= self.ply_cap {
            return Err("opening-plies must be less than ply-cap: no game would be played".to_string());
        }
        Ok(())
    }
}

impl AlphaZeroSettings {
    /// Those of a preset for a game.
    pub fn preset<G: Playable>(preset: AlphaZeroPreset) -> AlphaZeroSettings {
        let given = [("preset".to_string(), preset.name().into())].into_iter().collect();
        AlphaZeroSettings::from_table(&GameInfo::of::<G>(), given).expect("presets are in order")
    }

    /// What a table gives beside the preset it names, checked together with the opponents.
    pub fn checked<G: Playable>(table: &toml::Table) -> Result<AlphaZeroSettings, String> {
        let game = GameInfo::of::<G>();
        let settings = AlphaZeroSettings::from_table(&game, table.clone())?;
        settings.check(&game)?;
        settings.opponents::<G>()?;
        Ok(settings)
    }

    /// Whom the network meets after every cycle.
    pub fn opponents<G: Playable>(&self) -> Result<Vec<PlayerSpec<G>>, String> {
        let read = |text: &String| {
            let player: PlayerSpec<G> = text.parse().map_err(|error| format!("{error}"))?;
            player.check_steady(self.rules())?;
            Ok(player)
        };
        self.opponents.iter().map(read).collect()
    }

    /// Everything that decides how the opponents play, whatever the defaults are today; a line each.
    pub fn describe_opponents<G: Playable>(&self) -> String {
        let players = self.opponents::<G>().unwrap_or_default();
        players.iter().map(|player| format!("# {player}: {}\n", player.describe())).collect()
    }

    /// The rules by which it is played.
    pub fn rules<R: crate::game::Variant>(&self) -> R {
        self.rules.parse().unwrap_or_default()
    }

    /// The sizes of the network.
    pub fn shape<G: Planar>(&self) -> Shape {
        G::shape(self.channels, self.blocks, self.heads)
    }

    /// The learning rate of Adam when this share of the span is over: half from the middle on, a quarter in the last fifth. With
    /// 0.001 that is 0.001, 0.0005 and 0.00025, as in the Kyoto AlphaZero paper's listing; the 0.05 of its text is a misprint.
    pub fn rate_at(&self, share: f64) -> f64 {
        match share {
            share if share < 0.5 => self.learning_rate,
            share if share < 0.8 => self.learning_rate / 2.0,
            _ => self.learning_rate / 4.0,
        }
    }

    /// The search where the network is measured.
    pub fn measuring(&self) -> MctsSettings {
        MctsSettings { simulations: self.measure_simulations, ..self.mcts }
    }

    /// What makes games of networks differ.
    pub(super) fn exploration(&self, noisy: bool) -> Exploration {
        Exploration {
            noise: noisy.then_some((self.noise as f32, self.noise_alpha)),
            temperature: self.temperature,
            plies: self.temperature_plies,
        }
    }

    /// The conditions of games with this many random moves at the start.
    pub(super) fn conditions<G: Playable>(&self, opening_plies: usize) -> Conditions<G> {
        let limits = Limits { ply_cap: self.ply_cap, repetition: self.repetition };
        Conditions { opening_plies, limits, ..Conditions::new(self.rules(), self.seed) }
    }
}

/// A picture can tell no more apart.
const MAX_OPPONENTS: usize = 4;

/// A game that can be learned like this.
pub trait Learnable: Playable + Planar {}

impl<G: Playable + Planar> Learnable for G {}
