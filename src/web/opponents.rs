//! Whom one can play against: a list a person understands, and the player that a choice stands for.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde_json::{Value, json};

use super::App;
use super::analysis::grade;
use super::error::{ApiError, blocking};
use super::results::Results;
use crate::eval::{Genome, GenomeError};
use crate::games::Referee;
use crate::games::dobutsu::{Move, Position, Rules};
use crate::players::PlayerSpec;
use crate::random::pick;
use crate::search::Limit;
use crate::solve::{Solved, Table, Tables};

/// The deepest search that the page may ask for.
const DEEPEST: u32 = 8;
/// The deepest search that looks at every line.
const DEEPEST_WHOLE: u32 = 4;
/// The longest that a search may take.
const LONGEST: Duration = Duration::from_secs(5);
/// Searches up to this depth are quick.
const QUICK: u32 = 4;
/// No player's text is longer.
const LONGEST_TEXT: usize = 300;

/// Where opponents come from.
pub(super) struct Opponents<'a> {
    pub(super) results: &'a Results,
    pub(super) tables: &'a Tables,
}

/// One line of the list.
#[derive(Serialize)]
struct Offer {
    /// What `player` must be to play against it, to which `:depth=N` or `:time=T` can be added.
    player: String,
    /// What kind it is: the page has words for each.
    group: &'static str,
    /// What tells it from others of its kind.
    label: String,
    /// What can be chosen about it: `depth`, `time` or nothing.
    takes: Option<&'static str>,
    /// How well it did against the untrained values, from 0 to 1.
    score: Option<f64>,
}

/// Somebody who can move.
pub(super) enum Opponent {
    Spec(PlayerSpec),
    Perfect(Arc<Table>),
}

impl Opponents<'_> {
    fn offers(&self) -> Vec<Offer> {
        let offer = |player: &str, group, takes| Offer {
            player: player.to_string(),
            group,
            label: String::new(),
            takes,
            score: None,
        };
        let mut offers = vec![
            offer("random", "random", None),
            offer("material", "material", Some("depth")),
            offer("mobility", "mobility", Some("depth")),
            offer("full", "full", Some("depth")),
        ];
        for name in Genome::names() {
            // With a caught lion valued by the paper's genes they play nonsense: they know that it wins.
            let player = format!("{name}:terminal=exact");
            let group = if name.starts_with("table") { "paper" } else { "known" };
            offers.push(Offer { label: name.to_string(), ..offer(&player, group, Some("depth")) });
        }
        for champion in self.results.champions() {
            let player = format!("genome={}:terminal={}", champion.name, champion.terminal);
            offers.push(Offer {
                player,
                group: "champion",
                label: champion.name,
                takes: Some("depth"),
                score: champion.score,
            });
        }
        offers.push(offer("strong", "strong", Some("time")));
        offers
    }

    /// The player of this text. Genomes are named by what is offered, never by a path.
    pub(super) fn find(&self, text: &str, rules: Rules) -> Result<Opponent, ApiError> {
        if text.len() > LONGEST_TEXT {
            return Err(ApiError::unusable(format!(
                "a player's name has at most {LONGEST_TEXT} letters, this one has {}",
                text.len()
            )));
        }
        if text == "perfect" {
            let none = || {
                ApiError::unusable(format!(
                    "there is no table of perfect play for the {rules} rules: choose another player"
                ))
            };
            return self.tables.get(rules).map(Opponent::Perfect).map_err(|_| none());
        }
        if text.starts_with("perfect:") {
            return Err(ApiError::unusable(
                "on this page the perfect player takes no options: its table is chosen with --table",
            ));
        }
        let spec = PlayerSpec::parse_with(text, &|name| self.genome(name)).map_err(ApiError::unusable)?;
        let most = match spec.effort() {
            Some((Limit::Depth(depth), true)) if depth > DEEPEST_WHOLE => {
                format!("look at every line {DEEPEST_WHOLE} plies ahead")
            }
            Some((Limit::Depth(depth), false)) if depth > DEEPEST => format!("look {DEEPEST} plies ahead"),
            Some((Limit::Time(time), _)) if time > LONGEST => format!("think for {} s", LONGEST.as_secs()),
            _ => return Ok(Opponent::Spec(spec)),
        };
        Err(ApiError::unusable(format!("on this page a player can {most} at most: '{text}' asks for more")))
    }

    fn genome(&self, name: &str) -> Result<Genome, GenomeError> {
        self.results.champion(name).map(|champion| champion.genome).ok_or_else(|| GenomeError::File {
            path: name.into(),
            error: "it is not among the champions offered in the list of opponents".to_string(),
        })
    }
}

impl Opponent {
    /// Whether a move may take long.
    pub(super) fn is_slow(&self) -> bool {
        match self {
            Opponent::Perfect(_) => false,
            Opponent::Spec(spec) => match spec.effort() {
                None => false,
                Some((Limit::Depth(depth), whole)) => depth > QUICK || whole && depth > 2,
                Some((Limit::Time(_), _)) => true,
            },
        }
    }

    /// A move in a game that is not over.
    pub(super) fn choose(&self, game: &Referee<Position>, random: &mut ChaCha8Rng) -> Move {
        match self {
            Opponent::Spec(spec) => spec.build().choose(game, random),
            Opponent::Perfect(table) => {
                let graded = grade(game, &|position| table.probe(position));
                let best = graded.iter().map(|(_, worth)| *worth).max().unwrap_or(Solved::Draw);
                let moves: Vec<Move> =
                    graded.into_iter().filter(|(_, worth)| *worth == best).map(|(m, _)| m).collect();
                pick(random, &moves)
            }
        }
    }
}

/// `GET /api/opponents`: whom one can play against, and under which rules there is perfect play.
pub(super) async fn list(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    blocking(move || {
        let perfect: Vec<Rules> =
            Rules::ALL.into_iter().filter(|rules| app.tables.is_there(*rules)).collect();
        Ok(Json(json!({
            "opponents": app.opponents().offers(),
            "perfect": perfect,
            "deepest": DEEPEST,
        })))
    })
    .await
}
