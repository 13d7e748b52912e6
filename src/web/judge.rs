//! What a position and its moves are worth, and who says so: the table if there is one, else the strong search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::game::{Outcome, Side, Solved};
use crate::search::{SearchLimits, Value};
use crate::session::{Session, TextGame, Worths};

/// Each round looks two plies further than the one before, so that all end with the same side to move, and takes about this
/// many times as long.
const GROWTH: u32 = 15;
/// A round is abandoned after this multiple of the time planned for all rounds.
const PATIENCE: u32 = 2;
/// Deep enough for anybody.
const DEEPEST: u32 = 16;
/// Perfect play that goes on for longer is not shown to its end.
const LONGEST_LINE: usize = 200;

/// Says what moves of a game are worth.
pub(super) struct Judge {
    game: Arc<dyn TextGame>,
    source: Source,
}

/// By what.
enum Source {
    /// The solved game: exact.
    Solution(Worths),
    /// A search that begins no round that would probably end after this time, and gives one up that does: an estimate.
    Search(Duration, Arc<AtomicBool>),
}

/// What the moves of a position are worth for who makes them.
pub(super) struct Judged {
    /// The best first; equal ones in the game's order.
    pub(super) moves: Vec<(String, Value)>,
    /// How many plies the search looked ahead; nothing if it is exact.
    pub(super) depth: Option<u32>,
    /// The best play of both sides, as far as it is known.
    pub(super) line: Vec<String>,
}

impl Judge {
    /// The table of these rules if there is one, else a search of so long a move, which ends when `stop` is set.
    pub(super) fn new(game: Arc<dyn TextGame>, rules: &str, time: Duration, stop: Arc<AtomicBool>) -> Judge {
        match game.solution(rules) {
            Ok(worths) => Judge { game, source: Source::Solution(worths) },
            Err(_) => Judge::by_search(game, time, stop),
        }
    }

    /// The search.
    pub(super) fn by_search(game: Arc<dyn TextGame>, time: Duration, stop: Arc<AtomicBool>) -> Judge {
        Judge { game, source: Source::Search(time, stop) }
    }

    /// Whether the request was cancelled.
    pub(super) fn is_stopped(&self) -> bool {
        matches!(&self.source, Source::Search(_, stop) if stop.load(Ordering::Relaxed))
    }

    pub(super) fn is_exact(&self) -> bool {
        matches!(self.source, Source::Solution(_))
    }

    /// Judges the present position of a game that goes on.
    pub(super) fn judge(&self, game: &dyn Session) -> Judged {
        let mut judged = match &self.source {
            Source::Solution(worths) => {
                Judged { moves: exact(game, worths), depth: None, line: perfect_line(game, worths) }
            }
            Source::Search(time, stop) => search(&*self.game, game, *time, stop),
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
                let leads = value.thousandths() as f64 / 1000.0 / self.game.facts().weights.lead;
                1.0 / (1.0 + 3_f64.powf(-leads))
            }
        }
    }

    /// A value in the words of the page.
    pub(super) fn told(&self, value: Value) -> Worth {
        let (result, points) = match (value.decided_in(), value > Value::DRAW) {
            (Some(_), true) => ("win", None),
            (Some(_), false) => ("loss", None),
            (None, _) if self.is_exact() => ("draw", None),
            (None, _) => ("points", Some(value.thousandths() as f64 / 1000.0)),
        };
        Worth { plies: value.decided_in(), points, result }
    }

    /// Who says it.
    pub(super) fn source(&self) -> &'static str {
        if self.is_exact() { "table" } else { "search" }
    }
}

/// What a position or a move is worth, in the words of the page.
#[derive(Serialize)]
pub(super) struct Worth {
    /// In how many plies the game is won or lost.
    pub(super) plies: Option<u32>,
    /// The estimate of a search that sees no end.
    points: Option<f64>,
    /// `win`, `loss`, `draw` or `points`.
    pub(super) result: &'static str,
}

impl Judged {
    /// What the position is worth for the side to move.
    pub(super) fn value(&self) -> Value {
        self.moves.first().map_or(Value::DRAW, |(_, value)| *value)
    }

    /// What this move is worth.
    pub(super) fn of(&self, wanted: &str) -> Value {
        self.moves.iter().find(|(m, _)| m == wanted).map_or(Value::DRAW, |(_, value)| *value)
    }
}

/// How likely the first player is to win if that is the chance of the side to move.
pub(super) fn of_first(chance: f64, turn: Side) -> f64 {
    if turn == Side::First { chance } else { 1.0 - chance }
}

fn exact(game: &dyn Session, worths: &Worths) -> Vec<(String, Value)> {
    let value = |worth: Solved| match worth {
        Solved::Win(plies) => Value::win_in(plies.into()),
        Solved::Draw => Value::DRAW,
        Solved::Loss(plies) => Value::loss_in(plies.into()),
    };
    worths(game).into_iter().map(|(m, worth)| (m, value(worth))).collect()
}

/// How perfect play goes on, the first of several best moves each time; a draw goes on until a position comes again.
fn perfect_line(game: &dyn Session, worths: &Worths) -> Vec<String> {
    let mut game = game.copy();
    let mut line = Vec::new();
    while game.verdict().is_none()
        && line.len() < LONGEST_LINE
        && (line.is_empty() || game.occurrences() == 1)
    {
        let moves = worths(&*game);
        let Some(best) = moves.iter().map(|(_, worth)| *worth).max() else { break };
        let Some((m, _)) = moves.into_iter().find(|(_, worth)| *worth == best) else { break };
        if game.play(&m).is_err() {
            break;
        }
        line.push(m);
    }
    line
}

/// A legal move, and the game after it.
struct After {
    m: String,
    game: Box<dyn Session>,
    /// If it ends the game, what it is worth then: only history knows of repetitions.
    ended: Option<Value>,
}

impl After {
    fn new(game: &dyn Session, m: String) -> Option<After> {
        let mut after = game.copy();
        after.play(&m).ok()?;
        let ended = after.verdict().map(|verdict| match verdict.outcome {
            Outcome::Win(side) if side == game.turn() => Value::win_in(1),
            Outcome::Win(_) => Value::loss_in(1),
            Outcome::Draw => Value::DRAW,
        });
        Some(After { m, game: after, ended })
    }
}

/// Every legal move and what the strong search thinks of it, all looked at equally deep.
fn search(rules: &dyn TextGame, game: &dyn Session, time: Duration, stop: &Arc<AtomicBool>) -> Judged {
    let moves: Vec<After> = game.moves().into_iter().filter_map(|m| After::new(game, m.text)).collect();
    let mut search = rules.search();
    let begin = Instant::now();
    let limits = SearchLimits {
        deadline: Some(begin + PATIENCE * time),
        stop: Some(stop.clone()),
        ..SearchLimits::NONE
    };
    let mut found = Vec::new();
    let mut reached = 0;
    for depth in (1..=DEEPEST).step_by(2) {
        // The first round is never given up: there is always something to tell.
        let is_over = || reached > 0 && (stop.load(Ordering::Relaxed) || begin.elapsed() >= PATIENCE * time);
        let mut judge = |after: &After| {
            let m = || after.m.clone();
            if let Some(value) = after.ended {
                return (m(), value, vec![m()]);
            }
            let limits = SearchLimits { depth: Some(depth), ..limits.clone() };
            match search(&*after.game, &limits) {
                None => (m(), Value::DRAW, vec![m()]),
                Some(report) => {
                    let value = match (report.value.decided_in(), report.value > Value::DRAW) {
                        (Some(plies), true) => Value::loss_in(plies + 1),
                        (Some(plies), false) => Value::win_in(plies + 1),
                        (None, _) => -report.value,
                    };
                    (m(), value, [vec![m()], report.line].concat())
                }
            }
        };
        let mut round = Vec::with_capacity(moves.len());
        for after in &moves {
            if is_over() {
                break;
            }
            round.push(judge(after));
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
    use crate::game::{Game, Solution, Weighted};
    use crate::games::GameName;
    use crate::games::dobutsu::{Position, Rules};
    use crate::players::worth_of_moves;
    use crate::session::{Start, referee, text_game};

    fn game(moves: &[&str]) -> Box<dyn Session> {
        let mut game = text_game(GameName::Dobutsu, None).session("paper", Start::Usual, None).unwrap();
        moves.iter().for_each(|text| game.play(text).unwrap());
        game
    }

    /// A table stands behind this in earnest; here every position is worth the same for who is to move in it.
    struct Always(Solved);

    impl Solution<Position> for Always {
        fn rules(&self) -> Rules {
            Rules::Paper
        }

        fn probe(&self, _: &Position) -> Solved {
            self.0
        }

        fn any_position(&self, _: &mut rand_chacha::ChaCha8Rng) -> Position {
            Position::start(Rules::Paper)
        }
    }

    fn by_table(worth: Solved) -> Judge {
        let always = move |game: &dyn Session| {
            let game = referee::<Position>(game);
            let text = |m| game.position().move_text(m);
            worth_of_moves(game, &Always(worth)).into_iter().map(|(m, worth)| (text(m), worth)).collect()
        };
        Judge { game: text_game(GameName::Dobutsu, None), source: Source::Solution(Arc::new(always)) }
    }

    fn by_search(time: Duration) -> Judge {
        Judge::by_search(text_game(GameName::Dobutsu, None), time, Arc::default())
    }

    #[test]
    fn the_table_is_seen_from_the_other_side() {
        let judge = by_table(Solved::Loss(7));
        let judged = judge.judge(&*game(&[]));
        assert_eq!(judged.moves.len(), 4);
        assert!(judged.moves.iter().all(|(_, value)| *value == Value::win_in(8)));
        let worth = judge.told(judged.value());
        assert_eq!((worth.result, worth.plies, worth.points), ("win", Some(8), None));
    }

    #[test]
    fn a_catch_comes_first_whatever_the_table_says() {
        let game = game(&["b2b3", "a4a3"]);
        let judge = by_table(Solved::Draw);
        let judged = judge.judge(&*game);
        assert_eq!(judged.moves[0].0, "b3b4+");
        assert_eq!(judge.told(judged.moves[0].1).plies, Some(1));
        assert_eq!(judge.told(judged.moves[1].1).result, "draw");
        assert_eq!(judged.line.len(), 1, "the game is over then");
    }

    #[test]
    fn a_third_repetition_is_a_draw() {
        let game = game(&["c1c2", "a4a3", "c2c1", "a3a4", "c1c2", "a4a3", "c2c1"]);
        let judged = by_table(Solved::Loss(9)).judge(&*game);
        let repeats = judged.moves.iter().find(|(m, _)| *m == "a3a4").unwrap();
        assert_eq!(repeats.1, Value::DRAW);
    }

    #[test]
    fn the_search_sees_a_catch_and_its_threat() {
        let judge = by_search(Duration::from_secs(1));
        let near = game(&["b2b3", "a4a3"]);
        let judged = judge.judge(&*near);
        assert_eq!(judged.line[0], "b3b4+");
        assert_eq!(judged.value(), Value::win_in(1));
        let far = game(&["b2b3"]);
        let judged = judge.judge(&*far);
        let row = judged.moves.iter().find(|(m, _)| *m == "a4a3").unwrap();
        assert_eq!(row.1, Value::loss_in(2));
        assert!(judged.depth.is_some_and(|depth| depth >= 2));
    }

    #[test]
    fn chances_grow_with_the_lead() {
        let judge = by_search(Duration::ZERO);
        let lead = (Position::WEIGHTS.lead * 1000.0) as i32;
        let chance = |points: i32| judge.chance(Value::points(points));
        assert!((chance(lead) - 0.75).abs() < 1e-9 && (chance(-lead) - 0.25).abs() < 1e-9);
        assert_eq!((judge.chance(Value::win_in(9)), judge.chance(Value::loss_in(9))), (1.0, 0.0));
        assert_eq!(chance(0), 0.5);
        assert_eq!((of_first(0.75, Side::First), of_first(0.75, Side::Second)), (0.75, 0.25));
    }
}
