//! Who meets whom: plain data that says everything about the games to be played before any is.

use serde::{Deserialize, Serialize};

/// Two players, by their number in a list, and how many games they play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// Moves first in the first game.
    pub first: usize,
    /// Moves second in the first game.
    pub second: usize,
    /// How many games.
    pub games: usize,
    /// Whether they change sides after each game; two such games share their opening.
    pub swap: bool,
}

impl Pairing {
    /// Who moves first and who second in game number `game` of this pairing.
    pub fn sides(&self, game: usize) -> (usize, usize) {
        if self.swap && game % 2 == 1 { (self.second, self.first) } else { (self.first, self.second) }
    }
}

/// Player 0 against player 1, changing sides.
pub fn match_pairing(games: usize) -> Vec<Pairing> {
    vec![Pairing { first: 0, second: 1, games, swap: true }]
}

/// Everybody against everybody, changing sides.
pub fn round_robin(players: usize, games: usize) -> Vec<Pairing> {
    let against =
        |first| (first + 1..players).map(move |second| Pairing { first, second, games, swap: true });
    (0..players).flat_map(against).collect()
}

/// Player 0 against each of the others, changing sides.
pub fn gauntlet(players: usize, games: usize) -> Vec<Pairing> {
    (1..players).map(|second| Pairing { first: 0, second, games, swap: true }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_robin_pairs_everybody_once() {
        let pairs: Vec<_> = round_robin(4, 2).iter().map(|p| (p.first, p.second)).collect();
        assert_eq!(pairs, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        assert_eq!(gauntlet(4, 2).iter().map(|p| (p.first, p.second)).collect::<Vec<_>>(), pairs[..3]);
    }

    #[test]
    fn sides_change_only_where_asked() {
        let fixed = Pairing { first: 3, second: 5, games: 2, swap: false };
        assert_eq!([fixed.sides(0), fixed.sides(1)], [(3, 5), (3, 5)]);
        let swapping = Pairing { swap: true, ..fixed };
        assert_eq!([swapping.sides(0), swapping.sides(1), swapping.sides(2)], [(3, 5), (5, 3), (3, 5)]);
    }
}
