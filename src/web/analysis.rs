//! What each move is worth: by the table if there is one, else by the strong search; or what a network thinks of each.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value as Data, json};

use super::App;
use super::error::{ApiError, CancelOnDrop, Input, blocking};
use super::judge::{Judge, of_first};
use super::opponents::Opponent;
use super::play::GameText;
use crate::search::Tried;
use crate::session::Session;

/// Where there is no table, a position is searched for about so long.
const TIME: Duration = Duration::from_millis(150);

/// A game to look into.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnalysisRequest {
    game: GameText,
    /// The network that is asked what it thinks; without one, the table or the search says what is true.
    #[serde(default)]
    player: Option<String>,
}

/// Who is asked.
enum Asked {
    Judge(Judge),
    Network(Opponent),
}

impl AnalysisRequest {
    /// The game, and who is asked about it.
    fn read(&self, app: &App, gone: Arc<AtomicBool>) -> Result<(Box<dyn Session>, Asked), ApiError> {
        let name = self.game.game;
        let game = self.game.replay(app)?;
        let asked = match &self.player {
            Some(player) => Asked::Network(app.opponents().find(name, player, &game.rules())?),
            None => Asked::Judge(Judge::new(app.game(name), &game.rules(), TIME, gone)),
        };
        Ok((game, asked))
    }
}

/// `POST /api/analyse`: every legal move with its worth, the best first.
pub(super) async fn analyse(
    State(app): State<Arc<App>>,
    Input(request): Input<AnalysisRequest>,
) -> Result<Json<Data>, ApiError> {
    let reading = app.clone();
    let cancel = CancelOnDrop::default();
    let gone = cancel.flag();
    let (game, asked) = blocking(move || request.read(&reading, gone)).await?;
    if game.verdict().is_some() {
        return Ok(Json(json!({ "source": "over", "moves": [] })));
    }
    if let Asked::Judge(judge) = &asked
        && judge.is_exact()
    {
        return Ok(Json(by_judge(&*game, judge)));
    }
    let permit = app.judging.clone().acquire_owned().await.map_err(ApiError::internal)?;
    blocking(move || {
        let _permit = permit;
        match asked {
            Asked::Network(network) => by_network(&*game, &network).map(Json),
            Asked::Judge(judge) => Ok(Json(by_judge(&*game, &judge))),
        }
    })
    .await
}

/// Every move with its worth, what that makes of the position, and how the game goes on if both play as well as is known.
fn by_judge(game: &dyn Session, judge: &Judge) -> Data {
    let judged = judge.judge(game);
    let (value, turn) = (judged.value(), game.turn());
    let rows = judged.moves.iter().map(|(m, worth)| {
        let mut row = judge.told(*worth);
        row["text"] = m.as_str().into();
        row["best"] = (*worth == value).into();
        row
    });
    json!({
        "source": judge.source(),
        "depth": judged.depth,
        "moves": rows.collect::<Vec<_>>(),
        "value": judge.told(value),
        "first": of_first(judge.chance(value), turn),
        "line": judged.line,
    })
}

/// What a network's tree has found: how often each move was tried, what it is worth to who makes it, and what the policy made of it
/// at first.
fn by_network(game: &dyn Session, network: &Opponent) -> Result<Data, ApiError> {
    let tree = network.tree(game).ok_or_else(|| {
        ApiError::unusable(
            "only networks that try moves, as 'alphazero' does, can say what they think of each",
        )
    })?;
    let (best, mut tried) = (tree.best, tree.tried);
    let simulations: u32 = tried.iter().map(|tried| tried.visits).sum();
    // Where nothing was tried, the policy decides.
    let share = |tried: &Tried<String>| match simulations {
        0 => tried.prior,
        _ => tried.visits as f32 / simulations as f32,
    };
    let by_share = |a: &Tried<String>, b: &Tried<String>| {
        share(b).total_cmp(&share(a)).then(b.prior.total_cmp(&a.prior))
    };
    tried.sort_by(|a, b| (b.m == best).cmp(&(a.m == best)).then_with(|| by_share(a, b)));
    let rows = tried.iter().map(|tried| {
        json!({
            "text": tried.m,
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
        "value": rounded(tree.value),
        "first": of_first((1.0 + rounded(tree.value)) / 2.0, game.turn()),
        "own": rounded(tree.own_value),
        "moves": rows.collect::<Vec<_>>(),
    }))
}

/// With as many digits as anybody looks at.
fn rounded(number: f32) -> f64 {
    (f64::from(number) * 10_000.0).round() / 10_000.0
}
