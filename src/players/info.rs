//! A game as data, for code that is compiled once for all games.

use super::Playable;
use crate::game::{Game, GameTag, Genome, OtherGame, UnknownVariant, Weights, is_only};

/// What code that is compiled once knows of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// Its name.
    pub name: &'static str,
    /// Whether files leave the name out.
    pub is_unsaid: bool,
    /// The weights of its evaluator, and what players and the tuner do with them.
    pub weights: Weights,
    /// The values of the untrained genome, in thousandths.
    pub untrained: fn() -> Vec<i32>,
    /// Whether a finished game can go on with what is left.
    pub goes_on: bool,
    /// Players against which learners are measured.
    pub baselines: &'static [&'static str],
    /// Whether its weak moves can be counted by a look one exchange ahead.
    pub has_tactics: bool,
    /// Whether it has an encoding for networks with two heads.
    pub has_network: bool,
    /// Its usual rules.
    pub usual_rules: fn() -> String,
    /// Its usual array, if it has more than one.
    pub usual_array: fn() -> Option<String>,
    /// Whether there are rules of this name.
    pub check_rules: fn(&str) -> Result<(), UnknownVariant>,
    /// Whether there is an array of this name.
    pub check_array: fn(&str) -> Result<(), UnknownVariant>,
}

impl GameInfo {
    /// What is to be known of this game.
    pub fn of<G: Playable>() -> GameInfo {
        GameInfo {
            name: G::NAME,
            is_unsaid: GameTag::<G>::default().is_unsaid(),
            weights: G::WEIGHTS,
            untrained: || Genome::<G>::untrained().values().to_vec(),
            goes_on: G::GOES_ON,
            has_network: G::OFFER.has_network,
            baselines: G::OFFER.baselines,
            has_tactics: G::OFFER.tactics.is_some(),
            usual_rules: || G::Rules::default().to_string(),
            usual_array: usual_array::<G>,
            check_rules: |text| text.parse::<G::Rules>().map(|_| ()),
            check_array: |text| text.parse::<G::Array>().map(|_| ()),
        }
    }
}

impl GameInfo {
    /// Whether a file that says this, or nothing, is about this game.
    pub fn check_said(&self, said: Option<&str>) -> Result<(), OtherGame> {
        OtherGame::check(said, self.name)
    }
}

fn usual_array<G: Game>() -> Option<String> {
    let usual = G::Array::default();
    (!is_only(&usual)).then(|| usual.to_string())
}
