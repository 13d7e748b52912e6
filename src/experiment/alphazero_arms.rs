//! Self-play learning with several settings, each with several seeds: what does a difference contribute?

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::{DuelPair, DuelsWork, SeedRange, run_duel};
use crate::arena::{Conditions, Tally};
use crate::game::BySide;
use crate::learn::alphazero::{AlphaZeroSettings, CycleRow, Learnable};
use crate::learn::overlay;
use crate::nets::dual::DualNetwork;
use crate::players::{Playable, PlayerSpec, SpecError, dual_player};

/// Several runs of the self-play learner.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AlphaZeroArmsWork {
    /// With which seeds each arm is run.
    pub seeds: SeedRange,
    /// How many games each network plays afterwards against each opponent.
    pub validation_games: usize,
    /// With how many random moves those begin.
    pub opening_plies: usize,
    /// The opponents of those games.
    pub against: Vec<String>,
    /// The settings that all arms share; what is not given is the preset's.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub learner: toml::Table,
    /// The arms.
    pub arms: Vec<AlphaZeroArm>,
}

/// One way to learn.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AlphaZeroArm {
    /// In a few words.
    pub name: String,
    /// The settings that differ from those of all arms.
    #[serde(default)]
    pub settings: toml::Table,
}

/// How one arm fared with one seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlphaZeroArmResult {
    /// The number of the arm.
    pub arm: usize,
    /// The seed.
    pub seed: u64,
    /// Cycle by cycle.
    pub rows: Vec<CycleRow>,
    /// Against each opponent: wins, draws and losses moving first, then moving second.
    pub met: Vec<[[u64; 3]; 2]>,
}

/// A picture can tell no more apart.
const MAX_ARMS: usize = 5;

impl AlphaZeroArmsWork {
    /// Says what makes no sense, if anything.
    pub fn check<G: Playable>(&self) -> Result<(), String> {
        if !(1..=MAX_ARMS).contains(&self.arms.len()) || self.against.is_empty() {
            return Err(format!("it needs 1 to {MAX_ARMS} arms, and players that the networks meet"));
        }
        if self.arms.iter().map(|arm| &arm.name).collect::<HashSet<_>>().len() < self.arms.len() {
            return Err("each arm needs a name of its own".to_string());
        }
        let first = self.settings::<G>(0, 0)?;
        for (number, arm) in self.arms.iter().enumerate() {
            if [&self.learner, &arm.settings].iter().any(|table| table.contains_key("seed")) {
                return Err(
                    "the seed of each run is one of 'seeds': leave it out of the settings".to_string()
                );
            }
            let settings = self.settings::<G>(number, 0).map_err(|why| format!("{}: {why}", arm.name))?;
            // Their tables stand side by side.
            if (&settings.opponents, settings.weaknesses) != (&first.opponents, first.weaknesses) {
                return Err("all arms must be measured in the same way: opponents and weaknesses".to_string());
            }
            for player in self.players::<G>().map_err(|error| error.to_string())? {
                player.check_steady(settings.rules())?;
            }
        }
        // The same bounds as for duels.
        let pair = |against: &String| DuelPair::new("", "random", against);
        let pairs = self.against.iter().map(pair).collect();
        let (games, opening_plies) = (self.validation_games, self.opening_plies);
        DuelsWork::<G>::new(games, 0, first.rules(), opening_plies, pairs).check()
    }

    /// The players that the networks meet.
    pub fn players<G: Playable>(&self) -> Result<Vec<PlayerSpec<G>>, SpecError> {
        self.against.iter().map(|text| text.parse()).collect()
    }

    /// Every arm with every seed.
    pub fn all(&self) -> Vec<(usize, u64)> {
        let seeds = |arm: usize| self.seeds.seeds().map(move |seed| (arm, seed));
        (0..self.arms.len()).flat_map(seeds).collect()
    }

    /// The settings of an arm with a seed.
    pub fn settings<G: Playable>(&self, arm: usize, seed: u64) -> Result<AlphaZeroSettings, String> {
        let mut table = self.learner.clone();
        overlay(&mut table, self.arms[arm].settings.clone());
        let settings = AlphaZeroSettings::checked::<G>(&table)?;
        Ok(AlphaZeroSettings { seed, ..settings })
    }

    /// The same with every setting of every arm: what was used, whatever the presets are today.
    pub fn resolved<G: Playable>(&self) -> AlphaZeroArmsWork {
        let resolve = |(number, arm): (usize, &AlphaZeroArm)| {
            let settings = self.settings::<G>(number, 0).expect("an experiment was checked when it was read");
            let mut settings = toml::Table::try_from(settings).expect("numbers and texts can be written");
            settings.remove("seed");
            AlphaZeroArm { name: arm.name.clone(), settings }
        };
        let arms = self.arms.iter().enumerate().map(resolve).collect();
        AlphaZeroArmsWork { learner: toml::Table::new(), arms, ..self.clone() }
    }

    /// A network plays each opponent with the search of its own measuring games.
    pub fn meet<G: Learnable>(
        &self,
        settings: &AlphaZeroSettings,
        network: &DualNetwork,
    ) -> Result<Vec<[[u64; 3]; 2]>, SpecError> {
        let network = dual_player::<G>(network, settings.measuring());
        let conditions = Conditions {
            opening_plies: self.opening_plies,
            // Apart from the seeds of learning.
            ..Conditions::new(settings.rules(), settings.seed ^ 1 << 40)
        };
        let meet = |other: PlayerSpec<G>| {
            let players = [network.clone(), other];
            let BySide { first, second } =
                run_duel(&players, self.validation_games, &conditions, &|| ()).sides;
            [first, second].map(|Tally { wins, draws, losses }| [wins, draws, losses])
        };
        Ok(self.players()?.into_iter().map(meet).collect())
    }
}
