//! Everything about the learner that can be set.

use serde::{Deserialize, Serialize};

use super::{EndReward, Reward};
use crate::game::{Game, Variant};
use crate::games::hasami::net::Outputs;
use crate::games::hasami::{Position, Rules};
use crate::learn::{Declared, Setting, table_of};
use crate::nets::Dropout;
use crate::players::{GameInfo, PlayerSpec};
use crate::random::MOST_SEED;
use crate::values::Values;

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

impl Declared for DqnSettings {
    const PRESETS: &'static [(&'static str, &'static str)] = &[
        ("sound", include_str!("../../../../experiments/presets/dqn-sound.toml")),
        ("paper", include_str!("../../../../experiments/presets/dqn-paper.toml")),
    ];

    fn declared() -> Vec<Setting> {
        let integer = |low, high| Values::Integer(low..=high);
        let number = |high| Values::Number(0.0..=high);
        let choice = Values::Choice;
        vec![
            Setting::new("preset", "NAME", choice(DqnPreset::names()), "Settings to start from: sound (learns well) or paper (the Hasami report's listing as printed)"),
            Setting::new("seed", "S", integer(0, MOST_SEED as i64), "Random seed; the same seed reproduces identical files"),
            Setting::new("episodes", "N", integer(1, 10_000_000), "Training games"),
            Setting::new("opponents", "PLAYER", Values::Texts, "Training opponent: any player of the game, or self; if given several times, the opponents get equal shares of the games, one after the other").option("opponent"),
            Setting::new("replay", "N", integer(1, 10_000_000), "Size of the replay buffer in plies"),
            Setting::new("batch", "N", integer(1, 8192), "Batch size"),
            Setting::new("target-interval", "N", integer(1, 1_000_000_000), "Plies between updates of the target network"),
            Setting::new("update-interval", "N", integer(1, 1_000_000), "Plies between training steps"),
            Setting::new("epsilon", "SHARE", number(1.0), "Exploration rate in the first game: the share of moves drawn at random"),
            Setting::new("epsilon-decay", "F", number(1.0), "Factor of the exploration rate after every game"),
            Setting::new("epsilon-min", "SHARE", number(1.0), "Minimum exploration rate"),
            Setting::new("learning-rate", "R", number(1e6), "Initial Adam learning rate; the text of the Hasami report says 0.01, its listing 0.001"),
            Setting::new("learning-rate-end", "R", number(1e6), "Final Adam learning rate, reached linearly; if only --learning-rate is given, the initial one"),
            Setting::new("discount", "F", number(1.0), "Discount factor"),
            Setting::new("reward", "TERMS", Values::Terms(Reward::default().terms().map(|(name, _)| name).to_vec()), "Reward terms to change, as in capture=5,exposed=-1"),
            Setting::new("end-reward", "WHO", choice(EndReward::names()), "Side that gets the final reward: winner (the loser pays it) or mover (the side that moved last)"),
            Setting::new("sides", "WHICH", choice(Sides::names()), "Sides that the learner plays: both (in turn) or first"),
            Setting::new("plies", "WHOSE", choice(Plies::names()), "Plies in the replay buffer: own (next state is its next turn) or both (next state is the next ply)"),
            Setting::new("maximum", "WHICH", choice(Maximum::names()), "Outputs over which the target takes its maximum: legal moves, or all 14,641"),
            Setting::new("view", "HOW", choice(View::names()), "Boards in the replay buffer: turned (as the learner sees them) or fixed (as the first player sees them)"),
            Setting::new("double", "on|off", Values::Switch, "Double DQN: the network chooses the move of the target, the target network values it"),
            Setting::new("mirror", "on|off", Values::Switch, "Mirror half of the training positions left to right, chosen at random"),
            Setting::new("dropout", "SHARE", number(0.95), "Dropout rate after the second hidden layer, or the only one"),
            Setting::new("dropout-at", "WHERE", choice(DropoutAt::names()), "Passes with dropout: learning (where gradients are computed) or everywhere"),
            Setting::new("hidden", "SIZES", Values::Integers(1..=1024), "Sizes of the hidden layers; the text of the Hasami report describes one of 128"),
            Setting::new("ply-cap", "N", integer(2, 10_000), "Plies after which a game is a draw"),
            Setting::new("opening-plies", "N", integer(0, 20), "Random moves at the start of each game, which are not learned from"),
        ]
    }

    fn is_for(game: &GameInfo) -> bool {
        game.name == Position::NAME
    }

    fn complete(_: &GameInfo, preset: &mut toml::Table, given: &toml::Table) {
        // One rate holds from the first episode to the last.
        if let (Some(rate), None) = (given.get("learning-rate"), given.get("learning-rate-end")) {
            preset.insert("learning-rate-end".to_string(), rate.clone());
        }
    }

    fn check_together(&self, _: &GameInfo) -> Result<(), String> {
        if self.opening_plies >= self.ply_cap {
            return Err("opening-plies must be less than ply-cap: no game would be played".to_string());
        }
        if self.batch > self.replay {
            return Err(format!(
                "a batch of {} cannot be drawn from a memory of {}",
                self.batch, self.replay
            ));
        }
        if self.hidden.len() > 8 {
            return Err("a network has one to eight hidden layers".to_string());
        }
        if self.opponents.is_empty() {
            return Err("an opponent is needed: a player, or self".to_string());
        }
        self.opponents().map(|_| ())
    }
}

/// The game of the learner.
pub(super) fn game() -> GameInfo {
    GameInfo::of::<Position>()
}

impl DqnSettings {
    /// Those of a preset.
    pub fn preset(preset: DqnPreset) -> DqnSettings {
        let given = [("preset".to_string(), preset.name().into())].into_iter().collect();
        DqnSettings::from_table(&game(), given).expect("presets are in order")
    }

    /// What differs from the preset, the seed aside: the name of a setting, its value, and the preset's value.
    pub fn changed(&self) -> Vec<(String, String, String)> {
        let (own, preset) = (table_of(self), table_of(&DqnSettings::preset(self.preset)));
        let text =
            |table: &toml::Table, key: &str| table.get(key).map_or("0".to_string(), ToString::to_string);
        let changed = |key: &&String| key.as_str() != "seed" && own.get(*key) != preset.get(*key);
        own.keys().filter(changed).map(|key| (key.clone(), text(&own, key), text(&preset, key))).collect()
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
