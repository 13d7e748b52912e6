//! Whom one can play against: a list a person understands, and the player that a choice stands for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::{Query, State, rejection::QueryRejection};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::App;
use super::error::{ApiError, queued};
use crate::eval::{Genome, GenomeError};
use crate::games::{Referee, Variant};
use crate::lab::{GameName, Lab};
use crate::players::{Effort, Level, PlayerSpec, Shelf, Slips, entries};
use crate::search::{Limit, Order, Tree};
use crate::solve::Solutions;

/// The longest that a search may take.
const LONGEST: Duration = Duration::from_secs(5);
/// The most often that a network may try moves.
const MOST_SIMULATIONS: u32 = 1_000;
/// No player's text is longer.
const LONGEST_TEXT: usize = 300;

/// The deepest search of a game that looks at every line: one that cuts off what cannot matter takes as long twice as deep.
const fn deepest_whole<G: Lab>() -> u32 {
    G::DEEPEST_PATIENT.div_ceil(2)
}

/// Where opponents come from.
pub(super) struct Opponents<'a> {
    pub(super) app: &'a App,
}

/// One line of the list.
#[derive(Serialize)]
struct Offer {
    /// What `player` must be to play against it, to which `:depth=N`, `:time=T` or `:simulations=N` can be added.
    player: String,
    /// What kind it is: the page has words for each.
    group: &'static str,
    /// What tells it from others of its kind.
    label: String,
    /// What can be chosen about it: `depth`, `time`, `simulations` or nothing.
    takes: Option<&'static str>,
    /// How well it did against the untrained values, from 0 to 1.
    score: Option<f64>,
}

/// Somebody who can move.
pub(super) struct Opponent<G: Lab>(PlayerSpec<G>);

impl Opponents<'_> {
    /// The players of the table that a page can offer, and what runs have found.
    fn offers<G: Lab>(&self, game: GameName) -> Vec<Offer> {
        let mut offers = Vec::new();
        for entry in entries::<G>() {
            // Where both can be chosen, only the strong one is better told by its time.
            let efforts = if entry.group == "strong" { ["time", "depth"] } else { ["depth", "time"] };
            let takes =
                efforts.into_iter().chain(["simulations"]).find(|option| entry.options.contains(option));
            let named = matches!(entry.group, "paper" | "known");
            // With a caught lion valued by the paper's genes they play nonsense: they know that it wins.
            let exact = named && entry.options.contains(&"terminal");
            let offer = Offer {
                player: format!("{}{}", entry.name, if exact { ":terminal=exact" } else { "" }),
                group: entry.group,
                label: if named { entry.name.to_string() } else { String::new() },
                takes,
                score: None,
            };
            match entry.group {
                // On this page genomes are named by what is offered, never by a path.
                "file" => offers.extend(self.champions(game, entry.options.contains(&"terminal"))),
                "net" => offers.extend(self.networks(game, takes)),
                // Whether there is perfect play depends on the rules, and nobody on a page starts programs.
                "perfect" | "engine" => {}
                _ => offers.push(offer),
            }
        }
        offers
    }

    /// What runs have found; `terminal` says whether players of this game take that option.
    fn champions(&self, game: GameName, terminal: bool) -> Vec<Offer> {
        let ending = |champion: &super::results::Champion| match terminal {
            true => format!(":terminal={}", champion.terminal),
            false => String::new(),
        };
        let offer = |champion: super::results::Champion| Offer {
            player: format!("genome={}{}", champion.name, ending(&champion)),
            group: "champion",
            label: champion.name,
            takes: Some("depth"),
            score: champion.score,
        };
        let champions = self.app.results.champions().into_iter();
        champions.filter(|champion| champion.game == game).map(offer).collect()
    }

    /// The networks that runs have trained; `takes` says what can be chosen about those of this game.
    fn networks(&self, game: GameName, takes: Option<&'static str>) -> impl Iterator<Item = Offer> {
        let offer = move |name: String| Offer {
            player: format!("net={name}"),
            group: "net",
            label: name,
            takes,
            score: None,
        };
        self.app.results.networks(game).into_iter().map(offer)
    }

    /// The player of this text. Genomes are named by what is offered, never by a path.
    pub(super) fn find<G: Lab>(&self, text: &str, rules: G::Rules) -> Result<Opponent<G>, ApiError> {
        if text.len() > LONGEST_TEXT {
            return Err(ApiError::unusable(format!(
                "a player's name has at most {LONGEST_TEXT} letters, this one has {}",
                text.len()
            )));
        }
        if text.starts_with("perfect:") && text.split(':').any(|option| option.starts_with("table")) {
            return Err(ApiError::unusable(
                "on this page the perfect player takes no table: it is chosen with --table",
            ));
        }
        let spec = PlayerSpec::<G>::parse_with(text, self).map_err(ApiError::unusable)?;
        let spec = spec.with_solutions(&self.app.solutions::<G>());
        spec.check(rules).map_err(|_| {
            ApiError::unusable(format!(
                "there is no table of perfect play for the {rules} rules: choose another player"
            ))
        })?;
        if G::LEVELS.iter().any(|level| level.player == text) {
            // These are known to answer soon, however deep they look.
            return Ok(Opponent(spec));
        }
        let most = match spec.effort() {
            Effort::EveryLine(depth) if depth > deepest_whole::<G>() => {
                format!("look at every line {} plies ahead", deepest_whole::<G>())
            }
            Effort::Search(Limit::Depth(depth)) if depth > G::DEEPEST_PATIENT => {
                format!("look {} plies ahead", G::DEEPEST_PATIENT)
            }
            Effort::Search(Limit::Time(time)) if time > LONGEST => {
                format!("think for {} s", LONGEST.as_secs())
            }
            Effort::Simulations(count) if count > MOST_SIMULATIONS => {
                format!("try moves {MOST_SIMULATIONS} times")
            }
            _ => return Ok(Opponent(spec)),
        };
        Err(ApiError::unusable(format!("on this page a player can {most} at most: '{text}' asks for more")))
    }
}

/// On this page genomes and networks are named by what is offered, never by a path.
impl<G: Lab> Shelf<G> for Opponents<'_> {
    fn genome(&self, name: &str) -> Result<Genome<G>, GenomeError> {
        let wrong = |error: String| GenomeError::File { path: name.into(), error };
        let champion = self.app.results.champion(name).ok_or_else(|| {
            wrong("it is not among the champions offered in the list of opponents".to_string())
        })?;
        Genome::from_toml(&champion.genome).map_err(|error| wrong(error.to_string()))
    }

    fn file(&self, name: &str) -> Result<Vec<u8>, String> {
        let network = self.app.results.network(name);
        network.ok_or_else(|| "it is not among those offered in the list of opponents".to_string())
    }

    fn programs_forbidden(&self) -> Option<&'static str> {
        Some("no programs are started from this page")
    }
}

impl<G: Lab> Opponent<G> {
    /// Whether a move may take long.
    pub(super) fn is_slow(&self) -> bool {
        match self.0.effort() {
            Effort::None => false,
            Effort::EveryLine(depth) => depth > 2,
            // Half as deep takes no time to speak of.
            Effort::Search(Limit::Depth(depth)) => depth > G::DEEPEST_PATIENT / 2,
            Effort::Search(Limit::Time(_)) => true,
            Effort::Simulations(count) => count > 0,
        }
    }

    /// A move in a game that is not over.
    ///
    /// Players without a time limit get the server's maximum; every search stops when `stop` is set.
    pub(super) fn choose(
        &self,
        game: &Referee<G>,
        random: &mut ChaCha8Rng,
        stop: Arc<AtomicBool>,
    ) -> Result<G::Move, ApiError> {
        let deadline = match self.0.effort() {
            Effort::EveryLine(_) | Effort::Search(Limit::Depth(_)) => Some(Instant::now() + LONGEST),
            _ => None,
        };
        let order = Order { deadline, stop, ..Order::default() };
        self.0.build().think(game, random, &order, &mut |_| ()).map_err(ApiError::internal)
    }

    /// What it thinks of each move in a game that is not over, if it grows a tree of moves.
    pub(super) fn tree(&self, game: &Referee<G>) -> Option<Tree<G>> {
        self.0.tree(game)
    }
}

/// Which game the page asks about.
#[derive(Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    game: GameName,
}

/// `GET /api/opponents`: whom one can play against, and under which rules there is perfect play.
pub(super) async fn list(
    State(app): State<Arc<App>>,
    query: Result<Query<Asked>, QueryRejection>,
) -> Result<Json<Value>, ApiError> {
    let Query(Asked { game }) = query?;
    queued(app.reading.clone(), move || Ok(Json(with_game!(game, G => list_for::<G>(&app, game))))).await
}

fn list_for<G: Lab>(app: &App, game: GameName) -> Value {
    let solutions = app.solutions::<G>();
    let perfect: Vec<G::Rules> =
        G::Rules::VARIANTS.iter().copied().filter(|rules| solutions.is_there(*rules)).collect();
    let games: Vec<Value> =
        GameName::ALL.into_iter().map(|game| with_game!(game, H => offered::<H>(game))).collect();
    json!({
        "game": game,
        "games": games,
        "rules": G::Rules::VARIANTS,
        "levels": levels::<G>(&perfect),
        "opponents": app.opponents().offers::<G>(game),
        "perfect": perfect,
        "deepest": G::DEEPEST_PATIENT,
        "depth": G::DEPTH,
    })
}

/// A step of the ladder.
#[derive(Serialize)]
struct Rung<R> {
    #[serde(flatten)]
    level: &'static Level,
    /// How many plies it looks ahead; nothing if it knows the game.
    depth: Option<u32>,
    /// How likely each of its moves is made at a glance.
    slips: f64,
    /// How likely it is then to see each move that it could make.
    sees: f64,
    /// By which rules it can play here.
    rules: Vec<R>,
}

/// The levels, from the easiest to the strongest; `perfect` are the rules whose solution is there.
fn levels<G: Lab>(perfect: &[G::Rules]) -> Vec<Rung<G::Rules>> {
    let rung = |level: &'static Level| {
        let spec: PlayerSpec<G> = level.player.parse().ok()?;
        let depth = match spec.effort() {
            Effort::Search(Limit::Depth(depth)) => Some(depth),
            _ => None,
        };
        let solved = level.player.starts_with("perfect");
        let rules = if solved { perfect.to_vec() } else { G::Rules::VARIANTS.to_vec() };
        let Slips { chance: slips, sees } = spec.slips();
        Some(Rung { level, depth, slips, sees, rules })
    };
    G::LEVELS.iter().filter_map(rung).collect()
}

/// A game as a list shows it.
fn offered<G: Lab>(game: GameName) -> Value {
    json!({ "name": game, "title": G::TITLE, "rules": G::Rules::VARIANTS })
}
