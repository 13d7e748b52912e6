//! What each move is worth: by the table if there is one, else by the strong search; or what a network thinks of each.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value as Data, json};

use super::App;
use super::error::{ApiError, Input, blocking};
use super::opponents::Opponent;
use super::play::GameText;
use crate::eval::Genome;
use crate::games::{Outcome, Referee, legal_moves};
use crate::lab::Lab;
use crate::players::worth_of_moves;
use crate::search::{Limit, Strong, Tried, Value};
use crate::solve::{Solution, Solutions};

/// The search begins no round that would probably end after this.
const TIME: Duration = Duration::from_millis(150);
/// Each round looks two plies further than the one before, so that all end with the same side to move, and takes about this
/// many times as long.
const GROWTH: u32 = 15;
/// Deep enough for anybody.
const DEEPEST: u32 = 16;

/// A game to look into.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnalysisRequest {
    game: GameText,
    /// The network that is asked what it thinks; without one, the table or the search says what is true.
    #[serde(default)]
    player: Option<String>,
}

/// Who says what moves are worth.
enum Judge<G: Lab> {
    Solution(Arc<dyn Solution<G>>),
    Search,
    Network(Opponent<G>),
}

impl AnalysisRequest {
    /// The game, and who is asked about it.
    fn read<G: Lab>(&self, app: &App) -> Result<(Referee<G>, Judge<G>), ApiError> {
        let game = self.game.replay::<G>()?;
        let rules = game.position().rules();
        let judge = match &self.player {
            Some(player) => Judge::Network(app.opponents().find::<G>(player, rules)?),
            None => app.solutions::<G>().get(rules).map_or(Judge::Search, Judge::Solution),
        };
        Ok((game, judge))
    }
}

/// If this move ends the game, what it is worth then: only history knows of repetitions.
fn ending<G: Lab>(game: &Referee<G>, m: G::Move) -> Option<Value> {
    let mut after = game.clone();
    after.play(m);
    after.verdict().map(|verdict| match verdict.outcome {
        Outcome::Win(side) if side == game.position().side_to_move() => Value::win_in(1),
        Outcome::Win(_) => Value::loss_in(1),
        Outcome::Draw => Value::DRAW,
    })
}

/// Every legal move and what the strong search thinks of it, all looked at equally deep; and how deep.
fn search<G: Lab>(game: &Referee<G>) -> (Vec<(G::Move, Value)>, u32) {
    let position = game.position();
    let moves = legal_moves(position);
    let ended: Vec<Option<Value>> = moves.iter().map(|m| ending(game, *m)).collect();
    let genome = Genome::named(G::STRONG).unwrap_or_else(Genome::untrained);
    let mut search = Strong::new(G::evaluator(&genome));
    let begin = Instant::now();
    let mut found = Vec::new();
    let mut reached = 0;
    for depth in (1..=DEEPEST).step_by(2) {
        let mut value = |m: &G::Move, ended: &Option<Value>| {
            ended.or_else(|| {
                let report = search.search(&position.play(*m), Limit::Depth(depth))?;
                Some(match (report.value.decided_in(), report.value > Value::DRAW) {
                    (Some(plies), true) => Value::loss_in(plies + 1),
                    (Some(plies), false) => Value::win_in(plies + 1),
                    (None, _) => -report.value,
                })
            })
        };
        found =
            moves.iter().zip(&ended).map(|(m, ended)| (*m, value(m, ended).unwrap_or(Value::DRAW))).collect();
        reached = depth + 1;
        let settled = found.iter().all(|(_, value)| value.decided_in().is_some());
        if settled || begin.elapsed() * GROWTH > TIME {
            break;
        }
    }
    (found, reached)
}

/// `POST /api/analyse`: every legal move with its worth, the best first.
pub(super) async fn analyse(
    State(app): State<Arc<App>>,
    Input(request): Input<AnalysisRequest>,
) -> Result<Json<Data>, ApiError> {
    with_game!(request.game.game, G => analyse_in::<G>(app, request).await)
}

async fn analyse_in<G: Lab>(app: Arc<App>, request: AnalysisRequest) -> Result<Json<Data>, ApiError> {
    let reading = app.clone();
    let (game, judge) = blocking(move || request.read::<G>(&reading)).await?;
    if game.verdict().is_some() {
        return Ok(Json(json!({ "source": "over", "moves": [] })));
    }
    if let Judge::Solution(solution) = judge {
        return Ok(Json(by_solution(&game, &*solution)));
    }
    let permit = app.slow.clone().acquire_owned().await.map_err(ApiError::internal)?;
    blocking(move || {
        let _permit = permit;
        match judge {
            Judge::Network(network) => by_network(&game, &network).map(Json),
            _ => Ok(Json(by_search(&game))),
        }
    })
    .await
}

fn by_solution<G: Lab>(game: &Referee<G>, solution: &dyn Solution<G>) -> Data {
    let mut worths = worth_of_moves(game, solution);
    // The sort keeps the order of equal moves.
    worths.sort_by_key(|(_, worth)| std::cmp::Reverse(*worth));
    let best = worths.first().map(|(_, worth)| *worth);
    let rows = worths.iter().map(|(m, worth)| {
        let (result, plies) = (worth.word(), worth.plies());
        let text = game.position().move_text(*m);
        json!({ "text": text, "result": result, "plies": plies, "best": Some(*worth) == best })
    });
    json!({ "source": "table", "moves": rows.collect::<Vec<_>>() })
}

fn by_search<G: Lab>(game: &Referee<G>) -> Data {
    let (mut found, depth) = search(game);
    found.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
    let best = found.first().map(|(_, value)| *value);
    let rows = found.iter().map(|(m, value)| {
        let (result, points) = match (value.decided_in(), *value > Value::DRAW) {
            (Some(_), true) => ("win", None),
            (Some(_), false) => ("loss", None),
            (None, _) => ("points", Some(value.thousandths() as f64 / 1000.0)),
        };
        json!({
            "text": game.position().move_text(*m),
            "result": result,
            "plies": value.decided_in(),
            "points": points,
            "best": Some(*value) == best,
        })
    });
    json!({ "source": "search", "depth": depth, "moves": rows.collect::<Vec<_>>() })
}

/// What a network's tree has found: how often each move was tried, what it is worth to who makes it, and what the policy made of it
/// at first.
fn by_network<G: Lab>(game: &Referee<G>, network: &Opponent<G>) -> Result<Data, ApiError> {
    let tree = network.tree(game).ok_or_else(|| {
        ApiError::unusable(
            "only networks that try moves, as 'alphazero' does, can say what they think of each",
        )
    })?;
    let best = tree.best();
    let mut tried = tree.tried();
    let simulations: u32 = tried.iter().map(|tried| tried.visits).sum();
    // Where nothing was tried, the policy decides.
    let share = |tried: &Tried<G::Move>| match simulations {
        0 => tried.prior,
        _ => tried.visits as f32 / simulations as f32,
    };
    let by_share = |a: &Tried<G::Move>, b: &Tried<G::Move>| {
        share(b).total_cmp(&share(a)).then(b.prior.total_cmp(&a.prior))
    };
    tried.sort_by(|a, b| (b.m == best).cmp(&(a.m == best)).then_with(|| by_share(a, b)));
    let rows = tried.iter().map(|tried| {
        json!({
            "text": game.position().move_text(tried.m),
            "visits": tried.visits,
            "share": rounded(share(tried)),
            "value": tried.value.map(rounded),
            "prior": rounded(tried.prior),
            "proven": tried.proven,
            "best": tried.m == best,
        })
    });
    Ok(json!({
        "source": "network",
        "simulations": simulations,
        "value": rounded(tree.value()),
        "own": rounded(tree.own_value()),
        "moves": rows.collect::<Vec<_>>(),
    }))
}

/// With as many digits as anybody looks at.
fn rounded(number: f32) -> f64 {
    (f64::from(number) * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game;
    use crate::games::dobutsu::{Position, Rules};
    use crate::solve::Solved;

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

    #[test]
    fn the_table_is_seen_from_the_other_side() {
        let worths = worth_of_moves(&game(&[]), &Always(Solved::Loss(7)));
        assert_eq!(worths.len(), 4);
        assert!(worths.iter().all(|(_, worth)| *worth == Solved::Win(8)));
        assert!(Solved::Win(3) > Solved::Win(5) && Solved::Win(99) > Solved::Draw);
        assert!(Solved::Draw > Solved::Loss(80) && Solved::Loss(80) > Solved::Loss(2));
    }

    #[test]
    fn a_catch_comes_first_whatever_the_table_says() {
        let data = by_solution(&game(&["b2b3", "a4a3"]), &Always(Solved::Draw));
        assert_eq!(data["moves"][0]["text"], "b3b4+");
        assert_eq!((&data["moves"][0]["result"], &data["moves"][0]["plies"]), (&json!("win"), &json!(1)));
        assert_eq!(data["moves"][1]["result"], "draw");
    }

    #[test]
    fn a_third_repetition_is_a_draw() {
        let there_and_back = ["c1c2", "a4a3", "c2c1", "a3a4", "c1c2", "a4a3", "c2c1"];
        let worths = worth_of_moves(&game(&there_and_back), &Always(Solved::Loss(9)));
        let repeats = worths.iter().find(|(m, _)| game(&there_and_back).position().uci(*m) == "a3a4");
        assert_eq!(repeats.unwrap().1, Solved::Draw);
    }

    #[test]
    fn the_search_sees_a_catch_and_its_threat() {
        let data = by_search(&game(&["b2b3", "a4a3"]));
        assert_eq!(data["moves"][0]["text"], "b3b4+");
        assert_eq!(data["moves"][0]["plies"], 1);
        let data = by_search(&game(&["b2b3"]));
        let row = data["moves"].as_array().unwrap().iter().find(|row| row["text"] == "a4a3").unwrap();
        assert_eq!((&row["result"], &row["plies"]), (&json!("loss"), &json!(2)));
    }
}
