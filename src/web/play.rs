//! Games. The server keeps none: a request tells the whole game, and every move of it is checked by the rules.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::App;
use super::error::{ApiError, Input, blocking};
use super::opponents::Opponent;
use crate::games::dobutsu::{HandPiece, Kind, Move, Position, Rules, Square};
use crate::games::{DEFAULT_PLY_CAP, Game, MoveError, Referee, Side, legal_moves};
use crate::random::{MOST_SEED, stream};

/// A game as the page tells it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameText {
    #[serde(default)]
    rules: Rules,
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
    /// The game with every move checked.
    pub(super) fn replay(&self) -> Result<Referee<Position>, ApiError> {
        if self.moves.len() > DEFAULT_PLY_CAP {
            let (count, most) = (self.moves.len(), DEFAULT_PLY_CAP);
            return Err(ApiError::unusable(format!("the game has {count} moves: {most} are the most")));
        }
        let start = match self.start.as_deref() {
            None | Some("") | Some("startpos") => Position::start(self.rules),
            Some(fen) => Position::parse(fen, self.rules)
                .map_err(|error| ApiError::unusable(format!("this FEN cannot be read: {error}")))?,
        };
        let mut game = Referee::new(start);
        for (ply, text) in (1..).zip(&self.moves) {
            let wrong = |error: &dyn std::fmt::Display| ApiError::unusable(format!("move {ply}: {error}"));
            if let Some(verdict) = game.verdict() {
                let by = verdict.by;
                return Err(wrong(&format!("the game is over ({by}), no move can follow")));
            }
            let m = find(game.position(), text).map_err(|error| wrong(&error))?;
            // Legal, and the game is not over: nothing is left to be checked.
            game.play(m);
        }
        Ok(game)
    }
}

/// The legal move of this text. Nearly always it is written as we write it, which is quick to see.
fn find(position: &Position, text: &str) -> Result<Move, MoveError> {
    let usual = legal_moves(position).into_iter().find(|m| position.uci(*m) == text);
    usual.map_or_else(|| position.parse_move(text), Ok)
}

/// `POST /api/state`: what the game looks like now.
pub(super) async fn state(Input(request): Input<GameRequest>) -> Result<Json<StateInfo>, ApiError> {
    blocking(move || Ok(Json(describe(&request.game.replay()?)))).await
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
    let seed = seed.unwrap_or_else(clock);
    let finding = app.clone();
    let quick = blocking(move || {
        let opponent = finding.opponents().find(&player, game.rules)?;
        let game = game.replay()?;
        if let Some(verdict) = game.verdict() {
            return Err(ApiError::conflict(format!("the game is over ({}): nobody can move", verdict.by)));
        }
        Ok(match opponent.is_slow() {
            true => Err((opponent, game)),
            false => Ok(answer(&opponent, game, seed)?),
        })
    });
    match quick.await? {
        Ok(answer) => Ok(Json(answer)),
        Err((opponent, game)) => {
            // Those who may think for long wait for each other, never for the others.
            let permit = app.slow.clone().acquire_owned().await.map_err(ApiError::internal)?;
            blocking(move || {
                // Given back when the search ends, also if the asker has gone by then.
                let _permit = permit;
                answer(&opponent, game, seed).map(Json)
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

fn answer(opponent: &Opponent, mut game: Referee<Position>, seed: u64) -> Result<Answer, ApiError> {
    let m = opponent.choose(&game, &mut stream(seed, 0, game.moves().len() as u64));
    let text = game.position().uci(m);
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
struct MoveInfo {
    text: String,
    paper: String,
    side: Side,
    piece: &'static str,
    from: Option<usize>,
    to: usize,
    drop: bool,
    promotes: bool,
    captures: Option<&'static str>,
}

fn move_info(position: &Position, m: Move) -> MoveInfo {
    let kind_at = |square: Square| position.piece_at(square).map(|(_, kind)| kind);
    let (from, to, kind) = match m {
        Move::Step { from, to } => (Some(from), to, kind_at(from).unwrap_or(Kind::Lion)),
        Move::Drop { piece, to } => (None, to, piece.kind()),
    };
    let mut texts = position.move_texts(m).into_iter();
    let text = texts.next().unwrap_or_default();
    MoveInfo {
        paper: texts.next().unwrap_or_else(|| text.clone()),
        side: position.turn(),
        piece: kind.name(),
        from: from.map(Square::index),
        to: to.index(),
        drop: from.is_none(),
        promotes: text.ends_with('+'),
        captures: kind_at(to).map(Kind::name),
        text,
    }
}

/// All that a page shows of a game.
#[derive(Serialize)]
pub(super) struct StateInfo {
    rules: Rules,
    start: String,
    fen: String,
    turn: Side,
    /// The squares row by row from A1.
    board: [Option<PieceInfo>; 12],
    hands: Hands,
    /// Whether the lion of the side to move is in danger.
    check: bool,
    occurrences: usize,
    /// What can be played now.
    moves: Vec<MoveInfo>,
    /// What has been played.
    history: Vec<MoveInfo>,
    verdict: Option<VerdictInfo>,
}

#[derive(Serialize)]
struct PieceInfo {
    side: Side,
    kind: &'static str,
}

#[derive(Serialize)]
struct Hands {
    first: HandInfo,
    second: HandInfo,
}

/// How many of each are held. The lion is never dropped, but a person wants to see where it went.
#[derive(Serialize)]
struct HandInfo {
    chick: usize,
    giraffe: usize,
    elephant: usize,
    lion: usize,
}

#[derive(Serialize)]
struct VerdictInfo {
    winner: String,
    by: String,
}

fn describe(game: &Referee<Position>) -> StateInfo {
    let position = game.position();
    let verdict = game.verdict();
    let hand = |side: Side| HandInfo {
        chick: position.hand(side).count(HandPiece::Chick),
        giraffe: position.hand(side).count(HandPiece::Giraffe),
        elephant: position.hand(side).count(HandPiece::Elephant),
        lion: usize::from(position.lion(!side).is_none()),
    };
    let legal = if verdict.is_some() { Vec::new() } else { legal_moves(position) };
    let turn = position.turn();
    StateInfo {
        rules: position.rules(),
        start: game.positions()[0].to_string(),
        fen: position.to_string(),
        turn,
        board: Square::ALL.map(|square| {
            position.piece_at(square).map(|(side, kind)| PieceInfo { side, kind: kind.name() })
        }),
        hands: Hands { first: hand(Side::First), second: hand(Side::Second) },
        check: position.lion(turn).is_some_and(|lion| position.attacks(!turn, lion)),
        occurrences: game.occurrences(),
        moves: legal.into_iter().map(|m| move_info(position, m)).collect(),
        history: game.positions().iter().zip(game.moves()).map(|(before, m)| move_info(before, *m)).collect(),
        verdict: verdict
            .map(|verdict| VerdictInfo { winner: verdict.outcome.to_string(), by: verdict.by.to_string() }),
    }
}
