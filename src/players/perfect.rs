//! The player that goes by the solution of the game.

use std::path::Path;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{Entry, Forfeit, Playable, Player, PlayerOption, Recipe, SpecError, blunder};
use crate::game::{Game, Genome, Outcome, Referee, Solution, Solutions, Solved, legal_moves};
use crate::random::pick;
use crate::search::{SearchInfo, SearchLimits, Value};
use crate::values::Values;

pub(super) fn entry<G: Playable>() -> Entry<G> {
    let table = PlayerOption::new("table=FILE", Values::Text, "where the solution is (perfect)");
    Entry {
        name: "perfect",
        group: "perfect",
        help: "plays from the solution that `dobutsu-ga solve` makes",
        options: std::iter::once(table).chain(blunder::options()).collect(),
        make: |options| {
            let table = options.get("table").map(Path::new);
            Ok(Arc::new(Perfect::<G> { solutions: G::Solutions::at(table) }))
        },
    }
}

/// Plays the shortest win, else a draw, else the longest loss; chance decides among equals.
#[derive(Clone, Debug)]
struct Perfect<G: Playable> {
    solutions: G::Solutions,
}

impl<G: Playable> Recipe<G> for Perfect<G> {
    fn player(&self) -> Box<dyn Player<G>> {
        Box::new(self.clone())
    }

    fn describe(&self) -> String {
        "shortest win, longest loss".to_string()
    }

    fn check(&self, _: &str, rules: G::Rules) -> Result<(), SpecError> {
        Ok(self.solutions.get(rules).map(|_| ())?)
    }

    fn with_solutions(&self, solutions: &G::Solutions) -> Option<Arc<dyn Recipe<G>>> {
        (!self.solutions.is_given()).then(|| Arc::new(Perfect::<G> { solutions: solutions.clone() }) as _)
    }

    fn glance(&self) -> Option<G::Evaluator> {
        Genome::named(G::WEIGHTS.strong).map(|genome| G::evaluator(&genome))
    }
}

impl<G: Playable> Player<G> for Perfect<G> {
    fn choose(
        &mut self,
        game: &Referee<G>,
        random: &mut ChaCha8Rng,
        _: &SearchLimits,
        on_info: &mut dyn FnMut(&SearchInfo<G::Move>),
    ) -> Result<G::Move, Forfeit> {
        let solution = self.solutions.get(game.position().rules()).expect("`check` found a solution");
        let worths = worth_of_moves(game, &*solution);
        let worth =
            worths.iter().map(|(_, worth)| *worth).max().expect("a game that goes on has a legal move");
        let moves: Vec<G::Move> =
            worths.iter().filter(|(_, other)| *other == worth).map(|(m, _)| *m).collect();
        let best = pick(random, &moves);
        let value = match worth {
            Solved::Win(plies) => Value::win_in(plies.into()),
            Solved::Draw => Value::DRAW,
            Solved::Loss(plies) => Value::loss_in(plies.into()),
        };
        // It sees to the end of the game.
        let depth = worth.plies().map_or(1, u32::from);
        on_info(&SearchInfo { best, value, depth, nodes: worths.len() as u64, line: vec![best] });
        Ok(best)
    }
}

/// Every legal move and what it is worth by perfect play, for the side that moves. A move that ends the game is worth what it
/// ends in: only history knows of repetitions.
pub fn worth_of_moves<G: Game>(game: &Referee<G>, solution: &dyn Solution<G>) -> Vec<(G::Move, Solved)> {
    let worth = |m: G::Move| {
        let mut after = game.clone();
        after.play(m);
        let worth = match after.verdict().map(|verdict| verdict.outcome) {
            Some(Outcome::Win(side)) if side == game.position().side_to_move() => Solved::Win(1),
            Some(Outcome::Win(_)) => Solved::Loss(1),
            Some(Outcome::Draw) => Solved::Draw,
            // The solution speaks for the side that moves next.
            None => solution.probe(after.position()).before(),
        };
        (m, worth)
    };
    legal_moves(game.position()).into_iter().map(worth).collect()
}
