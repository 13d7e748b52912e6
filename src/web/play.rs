//! Games. The server keeps none: a request tells the whole game, and every move of it is checked by the rules.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::App;
use super::error::{ApiError, CancelOnDrop, Input, blocking};
use super::opponents::Opponent;
use crate::game::{BySide, HeldView, PieceView, Side, WallView};
use crate::games::GameName;
use crate::random::{MOST_SEED, stream};
use crate::session::{MoveInfo, Session, Start, TextGame};

/// A game as the page tells it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameText {
    /// Which game it is.
    #[serde(default)]
    pub(super) game: GameName,
    #[serde(default)]
    rules: Option<String>,
    /// Where it began, as FEN; nothing is the usual start.
    #[serde(default)]
    start: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
}

/// A game, and who is to move in it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveRequest {
    game: GameText,
    player: String,
    /// Where chance comes from; without it, from the clock.
    #[serde(default)]
    seed: Option<u64>,
}

/// A game to look into.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameRequest {
    pub(super) game: GameText,
}

impl GameText {
    /// The rules by which it is played.
    pub(super) fn rules(&self, game: &dyn TextGame) -> Result<&'static str, ApiError> {
        let asked = || self.rules.as_deref().unwrap_or_default().chars().take(40).collect();
        game.rules(self.rules.as_deref())
            .map_err(|error| ApiError::unusable(error).called("rules", [asked()]))
    }

    /// The game with every move checked.
    pub(super) fn replay(&self, app: &App) -> Result<Box<dyn Session>, ApiError> {
        let game = app.game(self.game);
        let most = game.facts().ply_cap;
        if self.moves.len() > most {
            let count = self.moves.len();
            return Err(ApiError::unusable(format!("the game has {count} moves: {most} are the most"))
                .called("too_long", [count.to_string(), most.to_string()]));
        }
        let start = match self.start.as_deref() {
            None | Some("") | Some("startpos") => Start::Usual,
            Some(fen) => Start::Fen(fen),
        };
        let mut session = game.session(self.rules(&*game)?, start, None).map_err(|error| {
            ApiError::unusable(format!("this FEN cannot be read: {error}")).called("fen", [error])
        })?;
        for (ply, text) in (1..).zip(&self.moves) {
            let wrong = |error: &dyn std::fmt::Display| ApiError::unusable(format!("move {ply}: {error}"));
            let what = || [ply.to_string(), text.chars().take(40).collect()];
            if let Some(verdict) = session.verdict() {
                let by = verdict.by;
                let over = wrong(&format!("the game is over ({by}), no move can follow"));
                return Err(over.called("move_after_end", what()));
            }
            session.play(text).map_err(|error| wrong(&error).called("move", what()))?;
        }
        Ok(session)
    }
}

/// `POST /api/state`: what the game looks like now.
pub(super) async fn state(
    State(app): State<Arc<App>>,
    Input(request): Input<GameRequest>,
) -> Result<Json<StateInfo>, ApiError> {
    let game = request.game;
    blocking(move || Ok(Json(describe(game.game, &*game.replay(&app)?)))).await
}

/// `POST /api/move`: a player of ours moves.
pub(super) async fn choose(
    State(app): State<Arc<App>>,
    Input(request): Input<MoveRequest>,
) -> Result<Json<Answer>, ApiError> {
    let MoveRequest { game, player, seed } = request;
    if seed.is_some_and(|seed| seed > MOST_SEED) {
        return Err(ApiError::unusable(format!("the seed must be from 0 to {MOST_SEED}")));
    }
    let (name, seed) = (game.game, seed.unwrap_or_else(clock));
    let finding = app.clone();
    let quick = blocking(move || {
        let rules = game.rules(&*finding.game(name))?;
        let opponent = finding.opponents().find(name, &player, rules)?;
        let game = game.replay(&finding)?;
        if let Some(verdict) = game.verdict() {
            return Err(ApiError::conflict(format!("the game is over ({}): nobody can move", verdict.by)));
        }
        if opponent.is_slow() {
            return Ok(Err((opponent, game)));
        }
        Ok(Ok(answer(name, &opponent, game, seed, Arc::default())?))
    });
    match quick.await? {
        Ok(answer) => Ok(Json(answer)),
        Err((opponent, game)) => {
            // Those who may think for long wait for each other, never for the others.
            let permit = app.slow.clone().acquire_owned().await.map_err(ApiError::internal)?;
            let cancel = CancelOnDrop::default();
            let stop = cancel.flag();
            blocking(move || {
                // Given back when the search ends: soon, if the request was cancelled.
                let _permit = permit;
                answer(name, &opponent, game, seed, stop).map(Json)
            })
            .await
        }
    }
}

/// A move, and what the game looks like after it.
#[derive(Serialize)]
pub(super) struct Answer {
    r#move: String,
    state: StateInfo,
}

fn answer(
    name: GameName,
    opponent: &Opponent,
    mut game: Box<dyn Session>,
    seed: u64,
    stop: Arc<AtomicBool>,
) -> Result<Answer, ApiError> {
    let text = opponent.choose(&*game, &mut stream(seed, 0, game.plies() as u64), stop)?;
    game.play(&text).map_err(ApiError::internal)?;
    Ok(Answer { r#move: text, state: describe(name, &*game) })
}

/// A number that is another one each time.
fn clock() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as u64)
}

/// All that a page shows of a game.
#[derive(Serialize)]
pub(super) struct StateInfo {
    game: GameName,
    rules: String,
    start: String,
    fen: String,
    turn: Side,
    /// How many squares a row has.
    columns: usize,
    /// The squares row by row, from the top left as the first player sees it.
    board: Vec<Option<PieceView>>,
    hands: BySide<Vec<HeldView>>,
    /// Whether the king of the side to move, or what it has for one, is in danger.
    check: bool,
    /// The walls that stand, in a game that has walls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    walls: Vec<WallView>,
    /// The squares on each side's shortest ways, in a game that has such ways.
    #[serde(skip_serializing_if = "Option::is_none")]
    ways: Option<BySide<Vec<usize>>>,
    /// How often the position has come up, and how often ends the game.
    occurrences: usize,
    repetitions: Option<usize>,
    /// What can be played now.
    moves: Vec<MoveInfo>,
    /// What has been played.
    history: Vec<MoveInfo>,
    verdict: Option<VerdictInfo>,
}

#[derive(Serialize)]
struct VerdictInfo {
    winner: String,
    by: String,
}

fn describe(name: GameName, game: &dyn Session) -> StateInfo {
    let verdict = game.verdict();
    let board = game.board();
    StateInfo {
        game: name,
        rules: game.rules(),
        start: game.start(),
        fen: game.fen(),
        turn: game.turn(),
        columns: board.columns,
        board: board.squares,
        hands: board.hands,
        check: verdict.is_none() && board.check,
        walls: board.walls,
        ways: board.ways,
        occurrences: game.occurrences(),
        repetitions: game.repetitions(),
        moves: if verdict.is_some() { Vec::new() } else { game.moves() },
        history: game.history(),
        verdict: verdict
            .map(|verdict| VerdictInfo { winner: verdict.outcome.to_string(), by: verdict.by.to_string() }),
    }
}
