//! What a position and its moves are worth, and who says so: the table if there is one, else the strong search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value as Data, json};

use super::App;
use crate::eval::Genome;
use crate::games::{Game, Outcome, Referee, Side, legal_moves};
use crate::lab::Lab;
use crate::players::worth_of_moves;
use crate::search::{Limit, Order, Strong, Value};
use crate::solve::{Solution, Solutions, Solved};

/// Each round looks two plies further than the one before, so that all end with the same side to move, and takes about this
/// many times as long.
const GROWTH: u32 = 15;
/// A round is abandoned after this multiple of the time planned for all rounds.
const PATIENCE: u32 = 2;
/// Deep enough for anybody.
const DEEPEST: u32 = 16;
/// Perfect play that goes on for longer is not shown to its end.
const LONGEST_LINE: usize = 200;

/// Who says what moves are worth.
pub(super) enum Judge<G> {
    /// The solved game: exact.
    Solution(Arc<dyn Solution<G>>),
    /// A search that begins no round that would probably end after this time, and gives one up that does: an estimate.
    Search(Duration, Arc<AtomicBool>),
}

/// What the moves of a position are worth for who makes them.
pub(super) struct Judged<M> {
    /// The best first; equal ones in the game's order.
    pub(super) moves: Vec<(M, Value)>,
    /// How many plies the search looked ahead; nothing if it is exact.
    pub(super) depth: Option<u32>,
    /// The best play of both sides, as far as it is known.
    pub(super) line: Vec<M>,
}

impl<G: Lab> Judge<G> {
    /// The table of these rules if there is one, else a search of so long a move, which ends when `stop` is set.
    pub(super) fn new(app: &App, rules: G::Rules, time: Duration, stop: Arc<AtomicBool>) -> Judge<G> {
        app.solutions::<G>().get(rules).map_or(Judge::Search(time, stop), Judge::Solution)
    }

    /// Whether the request was cancelled.
    pub(super) fn is_stopped(&self) -> bool {
        matches!(self, Judge::Search(_, stop) if stop.load(Ordering::Relaxed))
    }

    pub(super) fn is_exact(&self) -> bool {
        matches!(self, Judge::Solution(_))
    }

    /// Judges the present position of a game that goes on.
    pub(super) fn judge(&self, game: &Referee<G>) -> Judged<G::Move> {
        let mut judged = match self {
            Judge::Solution(solution) => {
                Judged { moves: exact(game, &**solution), depth: None, line: perfect_line(game, &**solution) }
            }
            Judge::Search(time, stop) => search(game, *time, stop),
        };
        // The sort keeps the order of equal moves.
        judged.moves.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
        judged
    }

    /// How likely a side of this value is to win, a draw counting half: by the solved game sure, by a search a guess.
    pub(super) fn chance(&self, value: Value) -> f64 {
        match (value.decided_in(), value > Value::DRAW) {
            (Some(_), true) => 1.0,
            (Some(_), false) => 0.0,
            (None, _) => {
                let leads = value.thousandths() as f64 / 1000.0 / G::LEAD;
                1.0 / (1.0 + 3_f64.powf(-leads))
            }
        }
    }

    /// A value in the words of the page.
    pub(super) fn told(&self, value: Value) -> Data {
        let (result, points) = match (value.decided_in(), value > Value::DRAW) {
            (Some(_), true) => ("win", None),
            (Some(_), false) => ("loss", None),
            (None, _) if self.is_exact() => ("draw", None),
            (None, _) => ("points", Some(value.thousandths() as f64 / 1000.0)),
        };
        json!({ "result": result, "plies": value.decided_in(), "points": points })
    }

    /// Who says it.
    pub(super) fn source(&self) -> &'static str {
        if self.is_exact() { "table" } else { "search" }
    }
}

impl<M: Copy + PartialEq> Judged<M> {
    /// What the position is worth for the side to move.
    pub(super) fn value(&self) -> Value {
        self.moves.first().map_or(Value::DRAW, |(_, value)| *value)
    }

    /// What this move is worth.
    pub(super) fn of(&self, wanted: M) -> Value {
        self.moves.iter().find(|(m, _)| *m == wanted).map_or(Value::DRAW, |(_, value)| *value)
    }
}

/// How likely the first player is to win if that is the chance of the side to move.
pub(super) fn of_first(chance: f64, turn: Side) -> f64 {
    if turn == Side::First { chance } else { 1.0 - chance }
}

fn exact<G: Lab>(game: &Referee<G>, solution: &dyn Solution<G>) -> Vec<(G::Move, Value)> {
    let value = |worth: Solved| match worth {
        Solved::Win(plies) => Value::win_in(plies.into()),
        Solved::Draw => Value::DRAW,
        Solved::Loss(plies) => Value::loss_in(plies.into()),
    };
    worth_of_moves(game, solution).into_iter().map(|(m, worth)| (m, value(worth))).collect()
}

/// How perfect play goes on, the first of several best moves each time; a draw goes on until a position comes again.
fn perfect_line<G: Lab>(game: &Referee<G>, solution: &dyn Solution<G>) -> Vec<G::Move> {
    let mut game = game.clone();
    let mut line = Vec::new();
    while game.verdict().is_none()
        && line.len() < LONGEST_LINE
        && (line.is_empty() || game.occurrences() == 1)
    {
        let worths = worth_of_moves(&game, solution);
        let Some(best) = worths.iter().map(|(_, worth)| *worth).max() else { break };
        let Some((m, _)) = worths.into_iter().find(|(_, worth)| *worth == best) else { break };
        game.play(m);
        line.push(m);
    }
    line
}

/// If this move ends the game, what it is worth then: only history knows of repetitions.
fn ending<G: Game>(game: &Referee<G>, m: G::Move) -> Option<Value> {
    let mut after = game.clone();
    after.play(m);
    after.verdict().map(|verdict| match verdict.outcome {
        Outcome::Win(side) if side == game.position().side_to_move() => Value::win_in(1),
        Outcome::Win(_) => Value::loss_in(1),
        Outcome::Draw => Value::DRAW,
    })
}

/// Every legal move and what the strong search thinks of it, all looked at equally deep.
fn search<G: Lab>(game: &Referee<G>, time: Duration, stop: &Arc<AtomicBool>) -> Judged<G::Move> {
    let position = game.position();
    let moves = legal_moves(position);
    let ended: Vec<Option<Value>> = moves.iter().map(|m| ending(game, *m)).collect();
    let genome = Genome::named(G::STRONG).unwrap_or_else(Genome::untrained);
    let mut search = Strong::new(G::evaluator(&genome));
    let begin = Instant::now();
    let order = Order { deadline: Some(begin + PATIENCE * time), stop: stop.clone(), ..Order::default() };
    let mut found = Vec::new();
    let mut reached = 0;
    for depth in (1..=DEEPEST).step_by(2) {
        // The first round is never given up: there is always something to tell.
        let is_over = || reached > 0 && (stop.load(Ordering::Relaxed) || begin.elapsed() >= PATIENCE * time);
        let mut judge = |m: &G::Move, ended: &Option<Value>| {
            if let Some(value) = ended {
                return (*m, *value, vec![*m]);
            }
            match search.search_ordered(&position.play(*m), Limit::Depth(depth), &order, &mut |_| ()) {
                None => (*m, Value::DRAW, vec![*m]),
                Some(report) => {
                    let value = match (report.value.decided_in(), report.value > Value::DRAW) {
                        (Some(plies), true) => Value::loss_in(plies + 1),
                        (Some(plies), false) => Value::win_in(plies + 1),
                        (None, _) => -report.value,
                    };
                    (*m, value, [vec![*m], report.line].concat())
                }
            }
        };
        let mut round = Vec::with_capacity(moves.len());
        for (m, ended) in moves.iter().zip(&ended) {
            if is_over() {
                break;
            }
            round.push(judge(m, ended));
        }
        // All moves are looked at equally deep: what is not whole tells nothing.
        if is_over() {
            break;
        }
        found = round;
        reached = depth + 1;
        let settled = found.iter().all(|(_, value, _)| value.decided_in().is_some());
        if settled || begin.elapsed() * GROWTH > time {
            break;
        }
    }
    // The first of the best, as in the list.
    let best = found.iter().map(|(_, value, _)| *value).max();
    let line = found.iter().find(|(_, value, _)| Some(*value) == best).map(|(_, _, line)| line.clone());
    Judged {
        moves: found.into_iter().map(|(m, value, _)| (m, value)).collect(),
        depth: Some(reached),
        line: line.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::dobutsu::{Position, Rules};

    fn game(moves: &[&str]) -> Referee<Position> {
        let mut game = Referee::new(Position::start(Rules::Paper));
        for text in moves {
            let m = game.position().parse_move(text).unwrap();
            game.try_play(m).unwrap();
        }
        game
    }

    /// A table stands behind this in earnest; here every position is worth the same for who is to move in it.
    struct Always(Solved);

    impl Solution<Position> for Always {
        fn probe(&self, _: &Position) -> Solved {
            self.0
        }

        fn any_position(&self, _: &mut rand_chacha::ChaCha8Rng) -> Position {
            Position::start(Rules::Paper)
        }
    }

    fn by_table(worth: Solved) -> Judge<Position> {
        Judge::Solution(Arc::new(Always(worth)))
    }

    fn text(game: &Referee<Position>, m: crate::games::dobutsu::Move) -> String {
        game.position().move_text(m)
    }

    #[test]
    fn the_table_is_seen_from_the_other_side() {
        let judge = by_table(Solved::Loss(7));
        let judged = judge.judge(&game(&[]));
        assert_eq!(judged.moves.len(), 4);
        assert!(judged.moves.iter().all(|(_, value)| *value == Value::win_in(8)));
        assert_eq!(judge.told(judged.value()), json!({ "result": "win", "plies": 8, "points": null }));
    }

    #[test]
    fn a_catch_comes_first_whatever_the_table_says() {
        let game = game(&["b2b3", "a4a3"]);
        let judge = by_table(Solved::Draw);
        let judged = judge.judge(&game);
        assert_eq!(text(&game, judged.moves[0].0), "b3b4+");
        assert_eq!(judge.told(judged.moves[0].1)["plies"], 1);
        assert_eq!(judge.told(judged.moves[1].1)["result"], "draw");
        assert_eq!(judged.line.len(), 1, "the game is over then");
    }

    #[test]
    fn a_third_repetition_is_a_draw() {
        let game = game(&["c1c2", "a4a3", "c2c1", "a3a4", "c1c2", "a4a3", "c2c1"]);
        let judged = by_table(Solved::Loss(9)).judge(&game);
        let repeats = judged.moves.iter().find(|(m, _)| text(&game, *m) == "a3a4").unwrap();
        assert_eq!(repeats.1, Value::DRAW);
    }

    #[test]
    fn the_search_sees_a_catch_and_its_threat() {
        let judge: Judge<Position> = Judge::Search(Duration::from_secs(1), Arc::default());
        let near = game(&["b2b3", "a4a3"]);
        let judged = judge.judge(&near);
        assert_eq!(text(&near, judged.line[0]), "b3b4+");
        assert_eq!(judged.value(), Value::win_in(1));
        let far = game(&["b2b3"]);
        let judged = judge.judge(&far);
        let row = judged.moves.iter().find(|(m, _)| text(&far, *m) == "a4a3").unwrap();
        assert_eq!(row.1, Value::loss_in(2));
        assert!(judged.depth.is_some_and(|depth| depth >= 2));
    }

    #[test]
    fn chances_grow_with_the_lead() {
        let judge: Judge<Position> = Judge::Search(Duration::ZERO, Arc::default());
        let lead = (Position::LEAD * 1000.0) as i32;
        let chance = |points: i32| judge.chance(Value::points(points));
        assert!((chance(lead) - 0.75).abs() < 1e-9 && (chance(-lead) - 0.25).abs() < 1e-9);
        assert_eq!((judge.chance(Value::win_in(9)), judge.chance(Value::loss_in(9))), (1.0, 0.0));
        assert_eq!(chance(0), 0.5);
        assert_eq!((of_first(0.75, Side::First), of_first(0.75, Side::Second)), (0.75, 0.25));
    }

    use crate::eval::Weighted;
}
