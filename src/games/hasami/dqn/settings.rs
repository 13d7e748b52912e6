//! Everything about the learner that can be set.

use serde::{Deserialize, Serialize};

use super::{EndReward, Reward};
use crate::bounds::within;
use crate::game::Game;
use crate::games::hasami::net::Outputs;
use crate::games::hasami::{Position, Rules};
use crate::nets::Dropout;
use crate::players::PlayerSpec;
use crate::random::MOST_SEED;

crate::variants! {
    /// Where settings begin.
    pub enum DqnPreset, "preset" {
        /// What learns.
        Sound = "sound", "what learns";
        /// The Hasami report's listing.
        Paper = "paper", "the Hasami report's listing as printed";
    }
}

crate::variants! {
    /// Which side the learner plays.
    pub enum Sides, "choice of sides" {
        /// First and second in turn.
        Both = "both", "first and second in turn";
        /// Always first.
        First = "first", "always first";
    }
}

crate::variants! {
    /// Which plies are remembered, and what comes after them.
    pub enum Plies, "choice of plies" {
        /// The learner's, until it is its turn again.
        Own = "own", "the learner's, until it is its turn again";
        /// Everybody's, until the next ply; the opponent's reward counts against the learner.
        Both = "both", "everybody's, until the next ply, the opponent's rewards negated";
    }
}

crate::variants! {
    /// Over which outputs the highest value of the next board is taken.
    pub enum Maximum, "kind of maximum" {
        /// Those of legal moves.
        Legal = "legal", "legal moves";
        /// All, whether they can be played or not.
        All = "all", "all outputs, legal or not";
    }
}

crate::variants! {
    /// How boards are remembered.
    pub enum View, "view" {
        /// As the learner sees them, itself below.
        Turned = "turned", "as the learner sees them";
        /// As the first player sees them.
        Fixed = "fixed", "as the first player sees them";
    }
}

crate::variants! {
    /// When numbers are dropped.
    pub enum DropoutAt, "place for dropout" {
        /// Only where gradients are made.
        Learning = "learning", "where gradients are made";
        /// There, in the copy that tells the target, and when moves are chosen.
        Everywhere = "everywhere", "there, in the target and when moves are chosen";
    }
}

/// Everything that can be set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)] // Explained to users by the options of the same names.
pub struct DqnSettings {
    pub preset: DqnPreset,
    pub seed: u64,
    pub episodes: u32,
    pub opponents: Vec<String>,
    pub sides: Sides,
    pub plies: Plies,
    pub maximum: Maximum,
    pub view: View,
    pub double: bool,
    pub mirror: bool,
    pub dropout: f64,
    pub dropout_at: DropoutAt,
    pub hidden: Vec<usize>,
    pub replay: usize,
    pub batch: usize,
    pub update_interval: u64,
    pub target_interval: u64,
    pub epsilon: f64,
    pub epsilon_decay: f64,
    pub epsilon_min: f64,
    pub learning_rate: f64,
    pub learning_rate_end: f64,
    pub discount: f64,
    pub ply_cap: usize,
    #[serde(default, skip_serializing_if = "is_none")]
    pub opening_plies: usize,
    pub end_reward: EndReward,
    pub reward: Reward,
}

/// A game without random moves at its beginning says nothing about them.
fn is_none(plies: &usize) -> bool {
    *plies == 0
}

/// The learner plays against itself.
pub(super) const ITSELF: &str = "self";

impl DqnSettings {
    /// Those of a preset.
    pub fn preset(preset: DqnPreset) -> DqnSettings {
        let paper = DqnSettings {
            preset: DqnPreset::Paper,
            seed: 1,
            episodes: 10_000,
            // The listing trains against an agent with an exploration rate of 1, which draws any legal move. Its class `Random`
            // (`random-piece`) plays in Table 13 only.
            opponents: vec!["random".to_string()],
            sides: Sides::First,
            plies: Plies::Both,
            maximum: Maximum::All,
            view: View::Fixed,
            double: false,
            mirror: false,
            dropout: 0.3,
            dropout_at: DropoutAt::Everywhere,
            hidden: vec![128, 128, 128],
            replay: 500_000,
            batch: 256,
            update_interval: 1,
            target_interval: 500,
            epsilon: 1.0,
            epsilon_decay: 0.9999,
            epsilon_min: 0.01,
            learning_rate: 0.001,
            learning_rate_end: 0.001,
            discount: 0.99,
            ply_cap: Position::PLY_CAP,
            opening_plies: 0,
            end_reward: EndReward::Mover,
            reward: Reward::default(),
        };
        match preset {
            DqnPreset::Paper => paper,
            DqnPreset::Sound => DqnSettings {
                preset,
                episodes: 2_000,
                sides: Sides::Both,
                plies: Plies::Own,
                maximum: Maximum::Legal,
                view: View::Turned,
                double: true,
                mirror: true,
                dropout: 0.0,
                dropout_at: DropoutAt::Learning,
                // With the report's steps, discount and young copies the values grow beyond all bounds: see hasami/learning.
                learning_rate: 0.0001,
                learning_rate_end: 0.00001,
                discount: 0.9,
                update_interval: 4,
                target_interval: 4_000,
                epsilon_decay: 0.996,
                end_reward: EndReward::Winner,
                ..paper
            },
        }
    }

    /// Those of the preset that a table names, and what else it says.
    pub fn from_table(table: toml::Table) -> Result<DqnSettings, String> {
        let preset = match table.get("preset") {
            None => DqnPreset::default(),
            Some(name) => name.as_str().unwrap_or_default().parse().map_err(|error| format!("{error}"))?,
        };
        let mut all =
            toml::Table::try_from(DqnSettings::preset(preset)).expect("numbers and texts can be written");
        // As on the command line: one rate holds from the first episode to the last.
        if let (Some(rate), None) = (table.get("learning-rate"), table.get("learning-rate-end")) {
            all.insert("learning-rate-end".to_string(), rate.clone());
        }
        for (key, value) in table {
            match (all.get_mut(&key).and_then(toml::Value::as_table_mut), value) {
                (Some(terms), toml::Value::Table(more)) => terms.extend(more),
                (_, value) => _ = all.insert(key, value),
            }
        }
        all.try_into().map_err(|error: toml::de::Error| error.message().to_string())
    }

    /// What differs from the preset, the seed aside: the name of a setting, its value, and the preset's value.
    pub fn changed(&self) -> Vec<(String, String, String)> {
        let table = |settings: &DqnSettings| {
            toml::Table::try_from(settings).expect("numbers and texts can be written")
        };
        let (own, preset) = (table(self), table(&DqnSettings::preset(self.preset)));
        let text =
            |table: &toml::Table, key: &str| table.get(key).map_or("0".to_string(), ToString::to_string);
        let changed = |key: &&String| key.as_str() != "seed" && own.get(*key) != preset.get(*key);
        own.keys().filter(changed).map(|key| (key.clone(), text(&own, key), text(&preset, key))).collect()
    }

    /// Says what makes no sense, if anything.
    pub fn check(&self) -> Result<(), String> {
        within("episodes", f64::from(self.episodes), 1.0, 10_000_000.0)?;
        within("dropout", self.dropout, 0.0, 0.95)?;
        within("replay", self.replay as f64, 1.0, 10_000_000.0)?;
        within("batch", self.batch as f64, 1.0, 8192.0)?;
        within("update-interval", self.update_interval as f64, 1.0, 1e6)?;
        within("target-interval", self.target_interval as f64, 1.0, 1e9)?;
        within("epsilon", self.epsilon, 0.0, 1.0)?;
        within("epsilon-decay", self.epsilon_decay, 0.0, 1.0)?;
        within("epsilon-min", self.epsilon_min, 0.0, 1.0)?;
        within("learning-rate", self.learning_rate, 0.0, 1e6)?;
        within("learning-rate-end", self.learning_rate_end, 0.0, 1e6)?;
        within("discount", self.discount, 0.0, 1.0)?;
        within("ply-cap", self.ply_cap as f64, 2.0, 10_000.0)?;
        within("opening-plies", self.opening_plies as f64, 0.0, 20.0)?;
        for (name, term) in self.reward.clone().terms() {
            within(&format!("the reward '{name}'"), *term, -1e6, 1e6)?;
        }
        if self.opening_plies >= self.ply_cap {
            return Err("opening-plies must be less than ply-cap: no game would be played".to_string());
        }
        if self.batch > self.replay {
            return Err(format!(
                "a batch of {} cannot be drawn from a memory of {}",
                self.batch, self.replay
            ));
        }
        if self.hidden.is_empty()
            || self.hidden.len() > 8
            || !self.hidden.iter().all(|n| (1..=1024).contains(n))
        {
            return Err("a network has one to eight hidden layers of 1 to 1024 numbers each".to_string());
        }
        if self.seed > MOST_SEED {
            return Err(format!("seed is {}: it must be at most {MOST_SEED}", self.seed));
        }
        if self.opponents.is_empty() {
            return Err("an opponent is needed: a player, or self".to_string());
        }
        self.opponents().map(|_| ())
    }

    /// Whom the learner plays, stage by stage: `None` is itself.
    pub fn opponents(&self) -> Result<Vec<Option<PlayerSpec<Position>>>, String> {
        let read = |text: &String| match text.as_str() {
            ITSELF => Ok(None),
            text => {
                let player: PlayerSpec<Position> =
                    text.parse().map_err(|error| format!("{error} (or {ITSELF})"))?;
                player.check_steady(Rules::Report)?;
                Ok(Some(player))
            }
        };
        self.opponents.iter().map(read).collect()
    }

    /// Everything that decides how the opponents play, whatever their files and the defaults are today; a line each.
    pub fn describe_opponents(&self) -> String {
        let described = |opponent: Option<PlayerSpec<Position>>| match opponent {
            Some(player) => format!("# {player}: {}\n", player.describe()),
            None => String::new(),
        };
        self.opponents().into_iter().flatten().map(described).collect()
    }

    /// The number of the opponent whom an episode is against: each has an equal share of the episodes.
    pub fn stage(&self, episode: u32) -> usize {
        let stages = self.opponents.len() as u64;
        ((u64::from(episode) * stages / u64::from(self.episodes)) as usize).min(self.opponents.len() - 1)
    }

    /// The share of random moves in an episode (ε-greedy).
    pub fn epsilon_at(&self, episode: u32) -> f64 {
        (self.epsilon * self.epsilon_decay.powf(f64::from(episode))).max(self.epsilon_min)
    }

    /// The learning rate of Adam in an episode: from the first to the last it changes evenly.
    pub fn learning_rate_at(&self, episode: u32) -> f64 {
        let share = f64::from(episode) / f64::from(self.episodes);
        self.learning_rate + (self.learning_rate_end - self.learning_rate) * share
    }

    /// What the network has outputs for.
    pub fn outputs(&self) -> Outputs {
        match self.maximum {
            Maximum::Legal => Outputs::Moves,
            Maximum::All => Outputs::Pairs,
        }
    }

    /// After the second hidden layer, or the only one.
    pub fn dropout(&self) -> Option<Dropout> {
        let layer = 1.min(self.hidden.len() - 1);
        (self.dropout > 0.0).then_some(Dropout { layer, share: self.dropout as f32 })
    }
}
