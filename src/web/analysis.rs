//! What each move is worth: by the table if there is one, else by the strong search; or what a network thinks of each.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value as Data;

use super::App;
use super::error::{ApiError, CancelOnDrop, Input, blocking, in_order};
use super::judge::{Judge, Worth, of_first};
use super::opponents::Opponent;
use super::play::GameText;
use crate::search::{Tried, Value};
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

/// What is thought of the moves of a position, and who thinks so.
#[derive(Serialize)]
#[serde(tag = "source", rename_all = "lowercase")]
pub(super) enum Analysis {
    Over(NoWorths),
    Table(Worths),
    Search(Worths),
    Network(Thoughts),
}

/// The game is over: there are no moves.
#[derive(Serialize)]
pub(super) struct NoWorths {
    moves: [MoveWorth; 0],
}

/// What the table or a search says.
#[derive(Serialize)]
pub(super) struct Worths {
    /// How many plies a search looked ahead.
    depth: Option<u32>,
    /// How likely the first player is to win.
    first: f64,
    /// How the game goes on if both play as well as is known.
    line: Vec<String>,
    /// The best first.
    moves: Vec<MoveWorth>,
    value: Worth,
}

/// What a move is worth.
#[derive(Serialize)]
pub(super) struct MoveWorth {
    best: bool,
    text: String,
    #[serde(flatten)]
    worth: Worth,
}

/// What a network says.
#[derive(Serialize)]
pub(super) struct Thoughts {
    /// How likely the first player is to win.
    first: f64,
    /// The best first.
    moves: Vec<Thought>,
    /// What the network thinks of the position at first sight, from -1 to 1.
    own: f64,
    /// How often moves were tried.
    simulations: u32,
    /// What the position is worth after that, from -1 to 1.
    value: f64,
}

/// What a network thinks of a move.
#[derive(Serialize)]
pub(super) struct Thought {
    best: bool,
    /// How likely the policy makes it.
    prior: f64,
    /// Whether its value is known for sure.
    proven: bool,
    /// Which part of all tries it had.
    share: f64,
    text: String,
    /// From -1 to 1; nothing if it was never tried.
    value: Option<f64>,
    visits: u32,
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
    in_order(find(app, request).await?)
}

async fn find(app: Arc<App>, request: AnalysisRequest) -> Result<Analysis, ApiError> {
    let reading = app.clone();
    let cancel = CancelOnDrop::default();
    let gone = cancel.flag();
    let (game, asked) = blocking(move || request.read(&reading, gone)).await?;
    if game.verdict().is_some() {
        return Ok(Analysis::Over(NoWorths { moves: [] }));
    }
    if let Asked::Judge(judge) = &asked
        && judge.is_exact()
    {
        return Ok(by_judge(&*game, judge));
    }
    let permit = app.judging.clone().acquire_owned().await.map_err(ApiError::internal)?;
    blocking(move || {
        let _permit = permit;
        match asked {
            Asked::Network(network) => by_network(&*game, &network),
            Asked::Judge(judge) => Ok(by_judge(&*game, &judge)),
        }
    })
    .await
}

/// Every move with its worth, what that makes of the position, and how the game goes on if both play as well as is known.
fn by_judge(game: &dyn Session, judge: &Judge) -> Analysis {
    let judged = judge.judge(game);
    let (value, turn) = (judged.value(), game.turn());
    let row = |(m, worth): &(String, Value)| MoveWorth {
        best: *worth == value,
        text: m.clone(),
        worth: judge.told(*worth),
    };
    let worths = Worths {
        depth: judged.depth,
        first: of_first(judge.chance(value), turn),
        moves: judged.moves.iter().map(row).collect(),
        value: judge.told(value),
        line: judged.line,
    };
    if judge.is_exact() { Analysis::Table(worths) } else { Analysis::Search(worths) }
}

/// What a network's tree has found: how often each move was tried, what it is worth to who makes it, and what the policy made of it
/// at first.
fn by_network(game: &dyn Session, network: &Opponent) -> Result<Analysis, ApiError> {
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
    let thought = |tried: &Tried<String>| Thought {
        best: tried.m == best,
        prior: rounded(tried.prior),
        proven: tried.proven,
        share: rounded(share(tried)),
        text: tried.m.clone(),
        value: tried.value.map(rounded),
        visits: tried.visits,
    };
    Ok(Analysis::Network(Thoughts {
        first: of_first((1.0 + rounded(tree.value)) / 2.0, game.turn()),
        moves: tried.iter().map(thought).collect(),
        own: rounded(tree.own_value),
        simulations,
        value: rounded(tree.value),
    }))
}

/// With as many digits as anybody looks at.
fn rounded(number: f32) -> f64 {
    (f64::from(number) * 10_000.0).round() / 10_000.0
}
