//! Whom one can play against: a list a person understands, and the player that a choice stands for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::App;
use super::error::{ApiError, in_order, queued};
use crate::games::GameName;
use crate::players::{BlunderRate, Effort, Level, OnDisk, Shelf};
use crate::search::SearchLimits;
use crate::session::{Notation, Session, TextGame, TextSpec, TextTree};

/// The longest that a search may take.
const LONGEST: Duration = Duration::from_secs(5);
/// The most often that a network may try moves.
const MOST_SIMULATIONS: u32 = 1_000;
/// No player's text is longer.
const LONGEST_TEXT: usize = 300;

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
pub(super) struct Opponent {
    spec: Arc<dyn TextSpec>,
    /// How deep a player of its game may look.
    deepest: u32,
}

impl Opponents<'_> {
    /// The players of the table that a page can offer, and what runs have found.
    fn offers(&self, game: &dyn TextGame) -> Vec<Offer> {
        let name = game.facts().name;
        let mut offers = Vec::new();
        for entry in game.players() {
            // Where both can be chosen, only the strong one is better told by its time.
            let efforts = if entry.group == "strong" { ["time", "depth"] } else { ["depth", "time"] };
            let takes =
                efforts.into_iter().chain(["simulations"]).find(|option| entry.option(option).is_some());
            let named = matches!(entry.group, "paper" | "known");
            // With a caught lion valued by the paper's genes they play nonsense: they know that it wins.
            let exact = named && entry.option("terminal").is_some();
            let offer = Offer {
                player: format!("{}{}", entry.name, if exact { ":terminal=exact" } else { "" }),
                group: entry.group,
                label: if named { entry.name.to_string() } else { String::new() },
                takes,
                score: None,
            };
            match entry.group {
                // On this page genomes are named by what is offered, never by a path.
                "file" => offers.extend(self.champions(name, entry.option("terminal").is_some())),
                "net" => offers.extend(self.networks(name, takes)),
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
    pub(super) fn find(&self, game: GameName, text: &str, rules: &str) -> Result<Opponent, ApiError> {
        let shown = || -> String { text.chars().take(40).collect() };
        let wrong = |sentence: String| {
            let error = ApiError::unusable(&sentence);
            error.called("player", [shown(), sentence])
        };
        if text.len() > LONGEST_TEXT {
            let length = text.len();
            return Err(wrong(format!(
                "a player's name has at most {LONGEST_TEXT} letters, this one has {length}"
            )));
        }
        if text.starts_with("perfect:") && text.split(':').any(|option| option.starts_with("table")) {
            let sentence = "on this page the perfect player takes no table: it is chosen with --table";
            return Err(wrong(sentence.to_string()));
        }
        let game = self.app.game(game);
        let spec = game.player(text, self).map_err(|error| wrong(error.to_string()))?;
        spec.check(rules).map_err(|_| {
            ApiError::unusable(format!(
                "there is no table of perfect play for the {rules} rules: choose another player"
            ))
            .called("no_table", [rules.to_string()])
        })?;
        let deepest = game.facts().weights.max_interactive_depth;
        // One that cuts off what cannot matter takes as long twice as deep.
        let whole = deepest.div_ceil(2);
        let is_level = game.facts().levels.iter().any(|level| level.player == text);
        let (most, code, limit) = match spec.effort() {
            // These are known to answer soon, however deep they look.
            _ if is_level => return Ok(Opponent { spec, deepest }),
            Effort::EveryLine(depth) if depth > whole => {
                (format!("look at every line {whole} plies ahead"), "player_depth", whole.to_string())
            }
            Effort::Depth(depth) if depth > deepest => {
                (format!("look {deepest} plies ahead"), "player_depth", deepest.to_string())
            }
            Effort::Time(time) if time > LONGEST => {
                let seconds = LONGEST.as_secs();
                (format!("think for {seconds} s"), "player_time", seconds.to_string())
            }
            Effort::Simulations(count) if count > MOST_SIMULATIONS => {
                let most = MOST_SIMULATIONS;
                (format!("try moves {most} times"), "player_simulations", most.to_string())
            }
            _ => return Ok(Opponent { spec, deepest }),
        };
        let sentence = format!("on this page a player can {most} at most: '{text}' asks for more");
        Err(ApiError::unusable(sentence).called(code, [shown(), limit]))
    }
}

/// On this page genomes and networks are named by what is offered, never by a path.
impl Shelf for Opponents<'_> {
    fn genome(&self, name: &str) -> Result<String, String> {
        let champion = self.app.results.champion(name);
        let champion = champion.ok_or("it is not among the champions offered in the list of opponents")?;
        Ok(champion.genome)
    }

    fn file(&self, name: &str) -> Result<Vec<u8>, String> {
        let network = self.app.results.network(name);
        network.ok_or_else(|| "it is not among those offered in the list of opponents".to_string())
    }

    fn programs_forbidden(&self) -> Option<&'static str> {
        Some("no programs are started from this page")
    }
}

impl Opponent {
    /// Whether a move may take long.
    pub(super) fn is_slow(&self) -> bool {
        match self.spec.effort() {
            Effort::None => false,
            Effort::EveryLine(depth) => depth > 2,
            // Half as deep takes no time to speak of.
            Effort::Depth(depth) => depth > self.deepest / 2,
            Effort::Time(_) => true,
            Effort::Simulations(count) => count > 0,
        }
    }

    /// A move in a game that is not over.
    ///
    /// Players without a time limit get the server's maximum; every search stops when `stop` is set.
    pub(super) fn choose(
        &self,
        game: &dyn Session,
        random: &mut ChaCha8Rng,
        stop: Arc<AtomicBool>,
    ) -> Result<String, ApiError> {
        let deadline = match self.spec.effort() {
            Effort::EveryLine(_) | Effort::Depth(_) => Some(Instant::now() + LONGEST),
            _ => None,
        };
        let limits = SearchLimits { deadline, stop: Some(stop), ..SearchLimits::NONE };
        let chosen = self.spec.build().choose(game, random, &limits, Notation::Usual, &mut |_| ());
        chosen.map_err(ApiError::internal)
    }

    /// What it thinks of each move in a game that is not over, if it grows a tree of moves.
    pub(super) fn tree(&self, game: &dyn Session) -> Option<TextTree> {
        self.spec.tree(game)
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
    queued(app.reading.clone(), move || in_order(list_for(&app, &*app.game(game)))).await
}

/// Whom one can play against in a game.
#[derive(Serialize)]
struct Offers {
    /// How deep a player of this game may look, and how deep it looks unless asked otherwise.
    deepest: u32,
    depth: u32,
    game: GameName,
    games: Vec<Offered>,
    /// From the easiest to the strongest.
    levels: Vec<Rung>,
    opponents: Vec<Offer>,
    /// The rules under which there is perfect play here.
    perfect: Vec<&'static str>,
    rules: Vec<&'static str>,
}

/// A game, as a list shows it.
#[derive(Serialize)]
struct Offered {
    name: GameName,
    rules: Vec<&'static str>,
    title: &'static str,
}

fn list_for(app: &App, game: &dyn TextGame) -> Offers {
    let facts = game.facts();
    let rules = &facts.rules.names;
    let perfect: Vec<&str> = rules.iter().copied().filter(|rules| game.is_solved(rules)).collect();
    let offered = |game: &Arc<dyn TextGame>| {
        let facts = game.facts();
        Offered { name: facts.name, rules: facts.rules.names.to_vec(), title: facts.title }
    };
    Offers {
        deepest: facts.weights.max_interactive_depth,
        depth: facts.weights.depth,
        game: facts.name,
        games: app.games.iter().map(offered).collect(),
        levels: levels(game, &perfect),
        opponents: app.opponents().offers(game),
        rules: rules.to_vec(),
        perfect,
    }
}

/// A step of the ladder.
#[derive(Serialize)]
struct Rung {
    #[serde(flatten)]
    level: &'static Level,
    /// How many plies it looks ahead; nothing if it knows the game.
    depth: Option<u32>,
    /// How likely each of its moves is made at a glance.
    slips: f64,
    /// How likely it is then to see each move that it could make.
    sees: f64,
    /// By which rules it can play here.
    rules: Vec<&'static str>,
}

/// The levels, from the easiest to the strongest; `perfect` are the rules whose solution is there.
fn levels(game: &dyn TextGame, perfect: &[&'static str]) -> Vec<Rung> {
    let rung = |level: &'static Level| {
        let spec = game.player(level.player, &OnDisk).ok()?;
        let depth = match spec.effort() {
            Effort::Depth(depth) => Some(depth),
            _ => None,
        };
        let solved = level.player.starts_with("perfect");
        let rules = if solved { perfect } else { &game.facts().rules.names };
        let BlunderRate { rate: slips, visibility: sees } = spec.blunders();
        Some(Rung { level, depth, slips, sees, rules: rules.to_vec() })
    };
    game.facts().levels.iter().filter_map(rung).collect()
}
