//! What each move of a game gave away: the better move beside the one that was played.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::App;
use super::error::{ApiError, CancelOnDrop, Input, blocking};
use super::judge::{Judge, Worth, of_first};
use super::play::GameText;
use crate::game::Side;
use crate::search::Value;
use crate::session::{MoveInfo, Session};

/// Where there is no table, every position of the game is searched for about so long.
const TIME: Duration = Duration::from_millis(60);
/// Limits for one request: plies searched, and time after which no further ply is begun. The page asks again for the rest.
const MOST_SEARCHED: usize = 50;
const PIECE: Duration = Duration::from_millis(500);
/// So much of a chance to win is a mistake if it is given away, and so much a bad one: half a point, and nearly a whole one.
const MISTAKE: f64 = 0.2;
const BLUNDER: f64 = 0.6;

/// A game to look back at.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReviewRequest {
    game: GameText,
    /// How many moves at the beginning are known already.
    #[serde(default)]
    from: usize,
}

/// What was found.
#[derive(Serialize)]
pub(super) struct Review {
    /// `table` or `search`.
    source: &'static str,
    plies: Vec<Ply>,
}

/// A move that was played.
#[derive(Serialize)]
struct Ply {
    /// The number of the move, from 1.
    ply: usize,
    side: Side,
    /// How likely the first player was to win before it, and is after it.
    before: f64,
    after: f64,
    /// What it was worth to who made it, and what the best one was.
    worth: Worth,
    best: Worth,
    best_move: MoveInfo,
    /// `?` for a mistake, `??` for a bad one, else nothing.
    mark: &'static str,
}

/// `POST /api/review`: the moves of the game judged from the one that is asked for, all of them with a table, else the next ones.
pub(super) async fn review(
    State(app): State<Arc<App>>,
    Input(request): Input<ReviewRequest>,
) -> Result<Json<Review>, ApiError> {
    let reading = app.clone();
    let from = request.from;
    let cancel = CancelOnDrop::default();
    let gone = cancel.flag();
    let (game, judge) = blocking(move || {
        let game = request.game.replay(&reading)?;
        let judge = Judge::new(reading.game(request.game.game), &game.rules(), TIME, gone);
        Ok((game, judge))
    })
    .await?;
    if judge.is_exact() {
        return blocking(move || Ok(Json(judged(&*game, &judge, from)))).await;
    }
    let permit = app.judging.clone().acquire_owned().await.map_err(ApiError::internal)?;
    blocking(move || {
        let _permit = permit;
        Ok(Json(judged(&*game, &judge, from)))
    })
    .await
}

fn judged(game: &dyn Session, judge: &Judge, from: usize) -> Review {
    let most = if judge.is_exact() { usize::MAX } else { MOST_SEARCHED };
    let mut so_far = game.copy();
    while so_far.undo() {}
    let mut plies = Vec::new();
    let begin = Instant::now();
    for (at, m) in game.history().into_iter().enumerate() {
        // Always judge at least one ply, so that repeated requests make progress.
        let is_late = !plies.is_empty() && !judge.is_exact() && begin.elapsed() >= PIECE;
        if plies.len() >= most || is_late || judge.is_stopped() {
            break;
        }
        if at >= from {
            plies.push(ply(&*so_far, judge, &m));
        }
        if so_far.play(&m.text).is_err() {
            break;
        }
    }
    Review { source: judge.source(), plies }
}

/// Judges a move of a game that goes on.
fn ply(game: &dyn Session, judge: &Judge, played: &MoveInfo) -> Ply {
    let side = game.turn();
    let found = judge.judge(game);
    let (best, worth) = (found.value(), found.of(&played.text));
    let chance = |value: Value| judge.chance(value);
    let best_text = found.moves.first().map_or(&played.text, |(m, _)| m);
    let best_move = game.moves().into_iter().find(|m| m.text == *best_text);
    Ply {
        ply: game.plies() + 1,
        side,
        before: of_first(chance(best), side),
        after: of_first(chance(worth), side),
        worth: judge.told(worth),
        best: judge.told(best),
        best_move: MoveInfo { repeats: false, ..best_move.unwrap_or_else(|| played.clone()) },
        mark: match chance(best) - chance(worth) {
            lost if lost >= BLUNDER => "??",
            lost if lost >= MISTAKE => "?",
            _ => "",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameName;
    use crate::session::{Start, text_game};

    #[test]
    fn a_lion_left_to_be_caught_is_a_mistake_and_the_catch_is_not() {
        let dobutsu = text_game(GameName::Dobutsu, None);
        let mut game = dobutsu.session("official", Start::Usual, None).unwrap();
        for text in ["b2b3", "a4a3", "b3b4+"] {
            game.play(text).unwrap();
        }
        // With no time the judge looks two plies ahead, on any machine.
        let judge = Judge::by_search(dobutsu, Duration::ZERO, Arc::default());
        let review = judged(&*game, &judge, 1);
        let told: Vec<(usize, bool)> =
            review.plies.iter().map(|ply| (ply.ply, ply.mark.is_empty())).collect();
        assert_eq!(told, [(2, false), (3, true)]);
        let best = serde_json::to_value(&review.plies[0].best_move).unwrap();
        assert_eq!(best["captures"], "chick", "the chick that threatens the lion is taken");
        assert_eq!(review.plies[1].after, 1.0);
        assert_eq!(review.plies[1].worth.plies, Some(1));
    }
}
