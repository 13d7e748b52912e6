//! What a ply is worth at once.

use serde::{Deserialize, Serialize};

use crate::game::{Outcome, Side};
use crate::games::hasami::{Move, Position};

crate::variants! {
    /// Who is rewarded for the end of a game.
    pub enum EndReward, "kind of end reward" {
        /// The winner; the loser pays as much.
        Winner = "winner", "who wins is rewarded, who loses pays";
        /// Whoever moved last, as in the report's listing: also who has just failed to take back and so lost.
        Mover = "mover", "who moves last is rewarded, even if that loses, as in the report's listing";
    }
}

/// The terms of the reward. The defaults are the report's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Reward {
    /// For each piece taken.
    pub capture: f64,
    /// If the piece that moved could be taken by the next move along a line.
    pub exposed: f64,
    /// Else, if a piece of the other side stands beside it.
    pub contact: f64,
    /// For each of the most pieces that one next move could take, when ahead.
    pub risk_ahead: f64,
    /// The same when level.
    pub risk_level: f64,
    /// The same when behind.
    pub risk_behind: f64,
    /// At the end of the game.
    pub end: f64,
    /// At the end, for each piece of the lead.
    pub end_lead: f64,
}

impl Default for Reward {
    fn default() -> Reward {
        Reward {
            capture: 5.0,
            exposed: -1.0,
            contact: 0.001,
            risk_ahead: -1.75,
            risk_level: -2.0,
            risk_behind: -2.25,
            end: 10.0,
            end_lead: 2.0,
        }
    }
}

impl Reward {
    /// The terms by name, as a person types them.
    pub fn terms(&mut self) -> [(&'static str, &mut f64); 8] {
        [
            ("capture", &mut self.capture),
            ("exposed", &mut self.exposed),
            ("contact", &mut self.contact),
            ("risk-ahead", &mut self.risk_ahead),
            ("risk-level", &mut self.risk_level),
            ("risk-behind", &mut self.risk_behind),
            ("end", &mut self.end),
            ("end-lead", &mut self.end_lead),
        ]
    }

    /// What a ply is worth to who made it.
    pub fn of_ply(&self, before: &Position, m: Move, after: &Position, end: EndReward) -> f64 {
        self.of_result(before, after, end) + self.of_place(before.turn(), m, after)
    }

    /// What was taken, and the end of the game.
    pub fn of_result(&self, before: &Position, after: &Position, end: EndReward) -> f64 {
        let mover = before.turn();
        let taken = f64::from(before.left(!mover) - after.left(!mover));
        let lead = f64::from(after.left(mover)) - f64::from(after.left(!mover));
        self.capture * taken
            + match (after.outcome(), end) {
                (None, _) => 0.0,
                (Some(Outcome::Win(winner)), EndReward::Winner) if winner != mover => {
                    -(self.end - self.end_lead * lead)
                }
                _ => self.end + self.end_lead * lead,
            }
    }

    /// How safe the mover's pieces stand now.
    fn of_place(&self, mover: Side, m: Move, after: &Position) -> f64 {
        let reachable = after.reachable(!mover);
        let at_risk = |square| after.at_risk(square, mover, reachable);
        let place = match at_risk(m.to) {
            0 if after.has_neighbour(m.to, mover) => self.contact,
            0 => 0.0,
            _ => self.exposed,
        };
        let most = after.pieces(mover).map(at_risk).max().unwrap_or(0) as f64;
        let each = match after.left(mover).cmp(&after.left(!mover)) {
            std::cmp::Ordering::Greater => self.risk_ahead,
            std::cmp::Ordering::Equal => self.risk_level,
            std::cmp::Ordering::Less => self.risk_behind,
        };
        place + each * most
    }
}
