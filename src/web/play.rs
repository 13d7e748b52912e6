//! Games. The server keeps none: a request tells the whole game, and every move of it is checked by the rules.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::App;
use super::error::{ApiError, CancelOnDrop, Input, blocking};
use super::opponents::Opponent;
use crate::games::{
    BySide, Ending, Game, HeldView, MoveView, PieceView, Referee, Shown, Side, WallView, legal_moves,
};
use crate::lab::{GameName, Lab};
use crate::random::{MOST_SEED, stream};

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
    pub(super) fn rules<G: Game>(&self) -> Result<G::Rules, ApiError> {
        self.rules.as_deref().map_or(Ok(G::Rules::default()), |text| text.parse().map_err(ApiError::unusable))
    }

    /// The game with every move checked.
    pub(super) fn replay<G: Game>(&self) -> Result<Referee<G>, ApiError> {
        if self.moves.len() > G::PLY_CAP {
            let (count, most) = (self.moves.len(), G::PLY_CAP);
            return Err(ApiError::unusable(format!("the game has {count} moves: {most} are the most"))
                .called("too_long", [count.to_string(), most.to_string()]));
        }
        let rules = self.rules::<G>()?;
        let start = match self.start.as_deref() {
            None | Some("") | Some("startpos") => G::start(rules),
            Some(fen) => G::parse(fen, rules).map_err(|error| {
                ApiError::unusable(format!("this FEN cannot be read: {error}"))
                    .called("fen", [error.to_string()])
            })?,
        };
        let mut game = Referee::new(start);
        for (ply, text) in (1..).zip(&self.moves) {
            let wrong = |error: &dyn std::fmt::Display| ApiError::unusable(format!("move {ply}: {error}"));
            let what = || [ply.to_string(), text.chars().take(40).collect()];
            if let Some(verdict) = game.verdict() {
                let by = verdict.by;
                let over = wrong(&format!("the game is over ({by}), no move can follow"));
                return Err(over.called("move_after_end", what()));
            }
            let m = game.position().parse_move(text).map_err(|error| wrong(&error).called("move", what()))?;
            // Legal, and the game is not over: nothing is left to be checked.
            game.play(m);
        }
        Ok(game)
    }
}

/// `POST /api/state`: what the game looks like now.
pub(super) async fn state(Input(request): Input<GameRequest>) -> Result<Json<StateInfo>, ApiError> {
    let game = request.game;
    blocking(move || Ok(Json(with_game!(game.game, G => describe(&game.replay::<G>()?))))).await
}

/// `POST /api/move`: a player of ours moves.
pub(super) async fn choose(
    State(app): State<Arc<App>>,
    Input(request): Input<MoveRequest>,
) -> Result<Json<Answer>, ApiError> {
    with_game!(request.game.game, G => choose_in::<G>(app, request).await)
}

async fn choose_in<G: Lab>(app: Arc<App>, request: MoveRequest) -> Result<Json<Answer>, ApiError> {
    let MoveRequest { game, player, seed } = request;
    if seed.is_some_and(|seed| seed > MOST_SEED) {
        return Err(ApiError::unusable(format!("the seed must be from 0 to {MOST_SEED}")));
    }
    let seed = seed.unwrap_or_else(clock);
    let finding = app.clone();
    let quick = blocking(move || {
        let opponent = finding.opponents().find::<G>(&player, game.rules::<G>()?)?;
        let game = game.replay::<G>()?;
        if let Some(verdict) = game.verdict() {
            return Err(ApiError::conflict(format!("the game is over ({}): nobody can move", verdict.by)));
        }
        Ok(match opponent.is_slow() {
            true => Err((opponent, game)),
            false => Ok(answer(&opponent, game, seed, Arc::default())?),
        })
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
                answer(&opponent, game, seed, stop).map(Json)
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

fn answer<G: Lab>(
    opponent: &Opponent<G>,
    mut game: Referee<G>,
    seed: u64,
    stop: Arc<AtomicBool>,
) -> Result<Answer, ApiError> {
    let m = opponent.choose(&game, &mut stream(seed, 0, game.moves().len() as u64), stop)?;
    let text = game.position().move_text(m);
    game.try_play(m).map_err(ApiError::internal)?;
    Ok(Answer { r#move: text, state: describe(&game) })
}

/// A number that is another one each time.
fn clock() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as u64)
}

/// A move, with all that a page needs to show it without knowing the rules.
#[derive(Serialize)]
pub(super) struct MoveInfo {
    text: String,
    /// The same in the game's other notations.
    others: Vec<String>,
    side: Side,
    /// Whether it ends the game because a position has come up too often.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    repeats: bool,
    #[serde(flatten)]
    view: MoveView,
}

pub(super) fn move_info<G: Shown>(position: &G, m: G::Move) -> MoveInfo {
    let mut texts = position.move_texts(m);
    texts.truncate(G::NOTATIONS.len());
    MoveInfo {
        text: texts.remove(0),
        others: texts,
        side: position.side_to_move(),
        repeats: false,
        view: position.view_move(m),
    }
}

/// What can be played now, and which of it repeats a position once too often.
fn possible<G: Shown>(game: &Referee<G>) -> Vec<MoveInfo> {
    let mut after = game.clone();
    let info = |m: G::Move| {
        after.play(m);
        let repeats = after.verdict().is_some_and(|verdict| verdict.by == Ending::Repetition);
        after.undo();
        MoveInfo { repeats, ..move_info(game.position(), m) }
    };
    legal_moves(game.position()).into_iter().map(info).collect()
}

/// All that a page shows of a game.
#[derive(Serialize)]
pub(super) struct StateInfo {
    game: &'static str,
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

fn describe<G: Shown>(game: &Referee<G>) -> StateInfo {
    let position = game.position();
    let verdict = game.verdict();
    let board = position.board();
    StateInfo {
        game: G::NAME,
        rules: position.rules().to_string(),
        start: game.positions()[0].to_string(),
        fen: position.to_string(),
        turn: position.side_to_move(),
        columns: board.columns,
        board: board.squares,
        hands: board.hands,
        check: verdict.is_none() && board.check,
        walls: board.walls,
        ways: board.ways,
        occurrences: game.occurrences(),
        repetitions: G::repetitions(position.rules()),
        moves: if verdict.is_some() { Vec::new() } else { possible(game) },
        history: game.positions().iter().zip(game.moves()).map(|(before, m)| move_info(before, *m)).collect(),
        verdict: verdict
            .map(|verdict| VerdictInfo { winner: verdict.outcome.to_string(), by: verdict.by.to_string() }),
    }
}
