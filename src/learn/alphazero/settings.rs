//! Everything about the learner that can be set.

use serde::{Deserialize, Serialize};

use super::Exploration;
use crate::arena::Conditions;
use crate::bounds::within;
use crate::game::Limits;
use crate::nets::dual::{Heads, Over, Shape};
use crate::nets::{MAX_BLOCKS, MAX_CHANNELS, Planar};
use crate::players::{Playable, PlayerSpec};
use crate::random::MOST_SEED;
use crate::search::{MctsSettings, TreePolicy};

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

impl AlphaZeroSettings {
    /// Those of a preset for a game.
    pub fn preset<G: Playable>(preset: AlphaZeroPreset) -> AlphaZeroSettings {
        let paper = AlphaZeroSettings {
            preset: AlphaZeroPreset::Paper,
            listing: false,
            rules: G::Rules::default().to_string(),
            seed: 1,
            cycles: 60,
            games: 500,
            channels: 128,
            blocks: 16,
            heads: Heads::Pooled,
            mcts: MctsSettings::PAPER,
            noise: 0.0,
            noise_alpha: 0.3,
            temperature: 1.0,
            temperature_plies: 10_000,
            opening_plies: 0,
            ply_cap: 800,
            repetition: false,
            reuse: false,
            window: 1,
            epochs: 300.0,
            batch: 128,
            learning_rate: 0.001,
            rate_over: RateOver::Cycle,
            l2: 0.0005,
            over: Over::All,
            mirror: false,
            value_mix: 0.0,
            value_labels: ValueLabels::Winner,
            gate_games: 20,
            measure_games: 10,
            measure_simulations: 100,
            opponents: G::OFFER.baselines.iter().map(|player| player.to_string()).collect(),
            weaknesses: false,
        };
        match preset {
            AlphaZeroPreset::Paper => paper,
            AlphaZeroPreset::Small => AlphaZeroSettings {
                preset,
                cycles: 80,
                games: 256,
                channels: 64,
                blocks: 4,
                heads: Heads::Squares,
                mcts: MctsSettings::SMALL,
                noise: 0.25,
                opening_plies: 6,
                ply_cap: 200,
                repetition: true,
                window: 24,
                epochs: 5.0,
                rate_over: RateOver::Run,
                l2: 0.0001,
                over: Over::Legal,
                mirror: true,
                value_mix: 0.5,
                gate_games: 0,
                ..paper
            },
        }
    }

    /// The same with the numbers of the paper's listing where they differ from its text. [`check`](AlphaZeroSettings::check)
    /// refuses it for a preset that follows no paper.
    pub fn as_listed(self) -> AlphaZeroSettings {
        AlphaZeroSettings { listing: true, games: 250, epochs: 900.0, ..self }
    }

    /// Those of the preset that a table names, and what else it says.
    pub fn from_table<G: Playable>(table: &toml::Table) -> Result<AlphaZeroSettings, String> {
        let preset = match table.get("preset") {
            None => AlphaZeroPreset::default(),
            Some(name) => name.as_str().unwrap_or_default().parse().map_err(|error| format!("{error}"))?,
        };
        let mut settings = AlphaZeroSettings::preset::<G>(preset);
        if table.get("listing").and_then(toml::Value::as_bool) == Some(true) {
            settings = settings.as_listed();
        }
        let mut all = toml::Table::try_from(settings).expect("numbers and texts can be written");
        overlay(&mut all, table);
        let settings: AlphaZeroSettings =
            all.try_into().map_err(|error: toml::de::Error| error.message().to_string())?;
        settings.check::<G>()?;
        Ok(settings)
    }

    /// Says what makes no sense, if anything.
    pub fn check<G: Playable>(&self) -> Result<(), String> {
        if self.listing && self.preset != AlphaZeroPreset::Paper {
            return Err(format!(
                "the preset '{}' follows no listing: choose the preset paper (--preset paper), or leave listing out",
                self.preset
            ));
        }
        if self.weaknesses && G::OFFER.tactics.is_none() {
            return Err(format!("weaknesses are not counted in {}: leave weaknesses out", G::NAME));
        }
        self.rules.parse::<G::Rules>().map_err(|error| error.to_string())?;
        self.mcts.check()?;
        within("cycles", f64::from(self.cycles), 1.0, 100_000.0)?;
        within("games", f64::from(self.games), 1.0, 1e6)?;
        within("filters", self.channels as f64, 1.0, MAX_CHANNELS as f64)?;
        within("blocks", self.blocks as f64, 0.0, MAX_BLOCKS as f64)?;
        within("noise", self.noise, 0.0, 1.0)?;
        within("noise-alpha", self.noise_alpha, 0.001, 1000.0)?;
        within("temperature", self.temperature, 0.0, 100.0)?;
        within("temperature-plies", self.temperature_plies as f64, 0.0, 10_000.0)?;
        within("opening-plies", self.opening_plies as f64, 0.0, 20.0)?;
        within("ply-cap", self.ply_cap as f64, 2.0, 10_000.0)?;
        within("window", f64::from(self.window), 1.0, 100_000.0)?;
        within("epochs", self.epochs, 0.001, 100_000.0)?;
        within("batch", self.batch as f64, 2.0, 8192.0)?;
        within("learning-rate", self.learning_rate, 0.0, 10.0)?;
        within("l2", self.l2, 0.0, 1.0)?;
        within("value-mix", self.value_mix, 0.0, 1.0)?;
        within("gate-games", f64::from(self.gate_games), 0.0, 1e6)?;
        within("measure-games", f64::from(self.measure_games), 0.0, 1e6)?;
        within("measure-simulations", f64::from(self.measure_simulations), 1.0, 1e6)?;
        if self.seed > MOST_SEED {
            return Err(format!("seed is {}: it must be at most {MOST_SEED}", self.seed));
        }
        if self.mcts.tree_policy == TreePolicy::Gumbel && self.reuse {
            return Err("reuse is for puct: gumbel plans its simulations for a new tree".to_string());
        }
        if self.mcts.tree_policy == TreePolicy::Gumbel && self.gate_games > 2 && self.opening_plies == 0 {
            return Err(
                "without opening-plies all games of the gate would be alike: gumbel draws no lots there"
                    .to_string(),
            );
        }
        if self.opponents.len() > MAX_OPPONENTS {
            return Err(format!("there may be at most {MAX_OPPONENTS} opponents"));
        }
        if self.opening_plies >= self.ply_cap {
            return Err("opening-plies must be less than ply-cap: no game would be played".to_string());
        }
        self.opponents::<G>().map(|_| ())
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

    /// How games with so many random moves at first are played.
    pub(super) fn conditions<G: Playable>(&self, opening_plies: usize) -> Conditions<G> {
        let limits = Limits { ply_cap: self.ply_cap, repetition: self.repetition };
        Conditions { opening_plies, limits, ..Conditions::new(self.rules(), self.seed) }
    }
}

/// Takes over what `more` says, key by key, also within tables.
pub fn overlay(all: &mut toml::Table, more: &toml::Table) {
    for (key, value) in more {
        match (all.get_mut(key).and_then(toml::Value::as_table_mut), value) {
            (Some(known), toml::Value::Table(more)) => known.extend(more.clone()),
            (_, value) => _ = all.insert(key.clone(), value.clone()),
        }
    }
}

/// A picture can tell no more apart.
const MAX_OPPONENTS: usize = 4;

/// A game that can be learned like this.
pub trait Learnable: Playable + Planar {}

impl<G: Playable + Planar> Learnable for G {}
