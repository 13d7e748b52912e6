//! A network that learns by playing itself, cycle by cycle, and where the game is solved what it could be at best.

use serde::{Deserialize, Serialize};

use super::{Grade, Grader, Source};
use crate::game::{Solution, Solutions};
use crate::learn::alphazero::{AlphaZeroSettings, CycleRow, Learnable, Measured};
use crate::nets::dual::DualNetwork;
use crate::players::{Forfeit, PLAYING, Playable, PlayerSpec, SpecError, dual_player};
use crate::search::MctsSettings;

/// A run of the learner, and what is set beside it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AlphaZeroWork {
    /// The settings, of which only what differs from the preset is given.
    #[serde(default)]
    pub learner: toml::Table,
    /// Where the game is solved: what else is judged by perfect play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<JudgedWork>,
}

/// What is judged by perfect play.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct JudgedWork {
    /// On how many positions of their own games players are graded.
    pub positions: usize,
    /// Who is graded beside the network.
    pub players: Vec<String>,
    /// With how many batches the same network is trained on the solution itself.
    pub ceiling_batches: u64,
}

/// What a network is called that was trained on the solution.
pub const TAUGHT: &str = "trained on the solution";

/// What came out.
pub struct AlphaZeroResult {
    /// By which settings.
    pub settings: AlphaZeroSettings,
    /// Cycle by cycle.
    pub rows: Vec<CycleRow>,
    /// The network that was trained on the solution, as it was measured.
    pub ceiling: Option<Measured>,
    /// Grades of players on positions of their own games.
    pub grades: Vec<(String, Grade)>,
}

impl AlphaZeroWork {
    /// Says what makes no sense, if anything.
    pub fn check<G: Playable>(&self) -> Result<(), String> {
        if let Some(judged @ JudgedWork { positions, .. }) = &self.judged {
            if !G::Solutions::SOLVED {
                return Err(format!("{} is not solved: leave 'judged' out", G::NAME));
            }
            if !(20..=1_000_000).contains(positions) {
                return Err(format!("positions is {positions}: it must be from 20 to 1000000"));
            }
            judged.players::<G>().map_err(|error| error.to_string())?;
        }
        self.settings::<G>().map(|_| ())
    }

    /// The settings of the learner.
    pub fn settings<G: Playable>(&self) -> Result<AlphaZeroSettings, String> {
        AlphaZeroSettings::checked::<G>(&self.learner)
    }
}

/// Why players cannot be graded.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum JudgeError {
    #[error(transparent)]
    Player(#[from] SpecError),
    #[error(transparent)]
    Forfeit(#[from] Forfeit),
}

impl JudgedWork {
    /// Who is graded beside the network.
    pub fn players<G: Playable>(&self) -> Result<Vec<PlayerSpec<G>>, SpecError> {
        self.players.iter().map(|text| text.parse()).collect()
    }

    /// Grades the network, the one that was trained on the solution, and others, each on its own games.
    pub fn grades<G: Learnable>(
        &self,
        solution: &dyn Solution<G>,
        seed: u64,
        networks: &[(&str, &DualNetwork)],
        done: &dyn Fn(),
    ) -> Result<Vec<(String, Grade)>, JudgeError> {
        let grader = Grader { solution, seed, positions: self.positions, seeds: 1 };
        let mut players: Vec<(String, PlayerSpec<G>)> = Vec::new();
        for (name, network) in networks {
            let tree = dual_player(network, PLAYING);
            players.push((format!("{name}, {} simulations", PLAYING.simulations), tree));
            let at_once = dual_player(network, MctsSettings { simulations: 0, ..PLAYING });
            players.push((format!("{name}, policy alone"), at_once));
        }
        players.extend(self.players()?.into_iter().map(|player| (player.to_string(), player)));
        let grade = |(name, player): (String, PlayerSpec<G>)| {
            let grade = grader.grade(&player, Source::OwnGames)?;
            done();
            Ok((name, grade))
        };
        players.into_iter().map(grade).collect()
    }
}
