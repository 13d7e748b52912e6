//! Where a position comes to rest: the end of the best line of captures.

use crate::game::{Evaluator, legal_moves};
use crate::games::dobutsu::eval::{DobutsuEvaluator, Genome};
use crate::games::dobutsu::{Move, Position};

/// How many captures a quiet search follows.
const CAPTURES: u32 = 6;

/// Where the best line of captures and of standing still ends, judged by the untrained piece values.
pub(super) fn quiet_leaf(position: &Position) -> Position {
    let evaluator = DobutsuEvaluator::new(Genome::BASE);
    let bound = 1_000_000_000;
    quiet(position, &evaluator, -bound, bound, CAPTURES).1
}

fn quiet(
    position: &Position,
    evaluator: &DobutsuEvaluator,
    alpha: i32,
    beta: i32,
    captures: u32,
) -> (i32, Position) {
    let standing = evaluator.value(position, position.turn());
    let mut best = (standing, *position);
    if position.is_over() || captures == 0 || standing >= beta {
        return best;
    }
    let enemies = position.pieces(!position.turn());
    for m in legal_moves(position) {
        // Catching the lion ends the game and tells nothing about pieces.
        let is_capture = matches!(m, Move::Step { to, .. } if enemies.meets(to.bit()) && position.lion(!position.turn()) != Some(to));
        if !is_capture {
            continue;
        }
        let (value, leaf) = quiet(&position.play(m), evaluator, -beta, -alpha.max(best.0), captures - 1);
        if -value > best.0 {
            best = (-value, leaf);
        }
        if best.0 >= beta {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::dobutsu::Rules;
    use crate::random::{pick, stream};

    /// The same question without bounds.
    fn plain(position: &Position, evaluator: &DobutsuEvaluator, captures: u32) -> i32 {
        let standing = evaluator.value(position, position.turn());
        if position.is_over() || captures == 0 {
            return standing;
        }
        let enemy = !position.turn();
        let is_capture = |m: &Move| {
            matches!(m, Move::Step { to, .. }
                if position.pieces(enemy).meets(to.bit()) && position.lion(enemy) != Some(*to))
        };
        let after = |m: Move| -plain(&position.play(m), evaluator, captures - 1);
        legal_moves(position).into_iter().filter(is_capture).map(after).fold(standing, i32::max)
    }

    #[test]
    fn the_leaf_is_worth_what_the_best_captures_are() {
        let evaluator = DobutsuEvaluator::new(Genome::BASE);
        let mut random = stream(1, 0, 0);
        let mut changed = 0;
        for _ in 0..200 {
            let mut position = Position::start(Rules::Paper);
            for _ in 0..30 {
                let moves = legal_moves(&position);
                if position.is_over() || moves.is_empty() {
                    break;
                }
                position = position.play(pick(&mut random, &moves));
                let leaf = quiet_leaf(&position);
                changed += usize::from(leaf != position);
                let worth = evaluator.value(&leaf, position.turn());
                assert_eq!(worth, plain(&position, &evaluator, CAPTURES), "{position}");
            }
        }
        assert!(changed > 500, "{changed} positions with anything to capture");
    }

    #[test]
    fn what_is_defended_is_left_alone() {
        // The chicks stand face to face, and behind the second one is its lion: b3 is lost again for a chick, which is even.
        let start = Position::start(Rules::Paper);
        let even = quiet_leaf(&start);
        let evaluator = DobutsuEvaluator::new(Genome::BASE);
        assert_eq!(evaluator.value(&even, start.turn()), 0);
        // A giraffe takes an undefended elephant.
        let free = Position::parse("1l1/3/e2/G1L[CEcg] w 0 1", Rules::Paper).expect("a position");
        assert_ne!(quiet_leaf(&free), free);
    }
}
