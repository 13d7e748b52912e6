//! Where games are lost: the first move of each game that threw something away.

use crate::arena::Played;
use crate::game::{Game, Solution};

/// At which ply (from 1) games first went wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstMistakes {
    /// How many games.
    pub games: usize,
    /// The ply of the first move that made a draw a loss, for each game that has one.
    pub draw_lost: Vec<usize>,
    /// The ply of the first move that made a win something less.
    pub win_thrown: Vec<usize>,
}

impl FirstMistakes {
    /// The ply by which half of those games that go wrong have done so.
    pub fn median(plies: &[usize]) -> Option<usize> {
        let mut sorted = plies.to_vec();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied()
    }
}

/// Marks every move of every game from this start with the solution.
pub fn first_mistakes<G: Game>(solution: &dyn Solution<G>, start: G, games: &[Played<G>]) -> FirstMistakes {
    let mut mistakes = FirstMistakes { games: games.len(), ..FirstMistakes::default() };
    for game in games {
        let mut position = start;
        let (mut draw_lost, mut win_thrown) = (None, None);
        for (ply, m) in (1..).zip(&game.moves) {
            let before = solution.probe(&position).sign();
            position = position.play(*m);
            let after = solution.probe(&position).before().sign();
            if before == 0 && after < 0 {
                draw_lost.get_or_insert(ply);
            }
            if before > 0 && after <= 0 {
                win_thrown.get_or_insert(ply);
            }
        }
        mistakes.draw_lost.extend(draw_lost);
        mistakes.win_thrown.extend(win_thrown);
    }
    mistakes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_mistakes_are_made_by_the_median() {
        assert_eq!(FirstMistakes::median(&[9, 1, 3]), Some(3));
        assert_eq!(FirstMistakes::median(&[]), None);
    }
}
