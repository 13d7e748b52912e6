//! What a client can set, and the player that comes of it.

use std::sync::Arc;

use crate::games::GameName;
use crate::players::{OnDisk, Shelf};
use crate::random::MOST_SEED;
use crate::session::{TextGame, TextSpec, text_game};

/// Everything that can be set.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// The player, as it is named everywhere.
    pub player: String,
    /// How deep it looks; 0 for as deep as its name says.
    pub depth: u32,
    /// A genome file instead of its own weights.
    pub genome: String,
    /// A network instead of it.
    pub network: String,
    /// Where the solution of the game is.
    pub table: String,
    /// By which rules; those that other programs play by, if nobody has said.
    pub rules: Option<String>,
    pub seed: u64,
}

/// What the options make of a game.
pub(super) struct Ready {
    pub rules: &'static str,
    pub spec: Arc<dyn TextSpec>,
    /// The options that have no effect on the player.
    pub idle: Vec<&'static str>,
}

/// The deepest that can be asked for with an option.
const DEEPEST: u32 = 14;

/// What a client may call nothing.
const EMPTY: &str = "<empty>";

/// What setting an option leads to.
pub(super) enum Set {
    /// The player may be another one now.
    Changed,
    /// Another game.
    Game(GameName),
    /// Nothing, and nothing is to be said.
    Ignored,
}

impl Options {
    pub(super) fn new(player: &str, rules: Option<String>, seed: u64) -> Options {
        let (genome, network, table) = Default::default();
        Options { player: player.to_string(), depth: 0, genome, network, table, rules, seed }
    }

    /// Sets one, or says why it stays as it was.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Set, String> {
        let text = || if value == EMPTY { String::new() } else { value.to_string() };
        match name.to_ascii_lowercase().as_str() {
            "uci_variant" | "usi_variant" => return game_called(value).map(Set::Game),
            "player" => self.player = text(),
            "genome" => self.genome = text(),
            "network" => self.network = text(),
            "table" => self.table = text(),
            "rules" => self.rules = Some(text()).filter(|rules| !rules.is_empty()),
            "depth" => match value.parse() {
                Ok(depth @ 0..=DEEPEST) => self.depth = depth,
                _ => return Err(format!("Depth must be from 0 to {DEEPEST}")),
            },
            "seed" => match value.parse() {
                Ok(seed @ 0..=MOST_SEED) => self.seed = seed,
                _ => return Err(format!("Seed must be from 0 to {MOST_SEED}")),
            },
            // Shogi clients send these unasked.
            "usi_hash" | "usi_ponder" | "ponder" | "hash" => return Ok(Set::Ignored),
            _ => return Err(format!("there is no option '{}'", visible(name))),
        }
        Ok(Set::Changed)
    }

    /// The lines that tell a client of all this.
    pub(super) fn lines(&self, game: &dyn TextGame, rules: &str) -> Vec<String> {
        let text = |text: &str| if text.is_empty() { EMPTY.to_string() } else { visible(text) };
        let games = GameName::ALL.map(|game| format!(" var {}", variant_of(game)));
        let facts = game.facts();
        let all_rules: String = facts.rules.names.iter().map(|rules| format!(" var {rules}")).collect();
        vec![
            format!("option name UCI_Variant type combo default {}{}", facts.variant, games.concat()),
            format!("option name Player type string default {}", text(&self.player)),
            format!("option name Depth type spin default {} min 0 max {DEEPEST}", self.depth),
            format!("option name Genome type string default {}", text(&self.genome)),
            format!("option name Network type string default {}", text(&self.network)),
            format!("option name Table type string default {}", text(&self.table)),
            format!("option name Rules type combo default {rules}{all_rules}"),
            format!("option name Seed type spin default {} min 0 max {MOST_SEED}", self.seed),
        ]
    }

    /// The rules, and the player ready to play by them.
    pub(super) fn prepare(&self, game: &dyn TextGame) -> Result<Ready, String> {
        let rules = self.rules.as_deref().unwrap_or(&game.facts().common_rules);
        let rules = game.rules(Some(rules)).map_err(|error| error.to_string())?;
        let (text, idle) = self.player(game);
        let spec = game.player(&text, &Files).map_err(|error| error.to_string())?;
        spec.check(rules).map_err(|error| error.to_string())?;
        Ok(Ready { rules, spec, idle })
    }

    /// The text of the player with the options that a client has set, and those that have no effect on it.
    fn player(&self, game: &dyn TextGame) -> (String, Vec<&'static str>) {
        let players = game.players();
        let mut parts = self.player.split(':').map(String::from);
        let mut head = parts.next().unwrap_or_default();
        let mut options: Vec<String> = parts.collect();
        let takes = |head: &str, option: &str| {
            let player = players.iter().find(|player| player.argument(head).is_some());
            player.is_some_and(|player| player.option(option).is_some())
        };
        let mut idle = Vec::new();
        if !self.network.is_empty() {
            if players.iter().any(|player| player.name == "net=FILE") {
                head = format!("net={}", self.network);
                options.clear();
            } else {
                idle.push("Network");
            }
        }
        if !self.genome.is_empty() {
            if head == "strong" {
                replace(&mut options, &["genome"], "genome", &self.genome);
            } else if takes(&head, "depth") {
                head = format!("genome={}", self.genome);
            } else {
                idle.push("Genome");
            }
        }
        if self.depth > 0 {
            if takes(&head, "depth") {
                replace(&mut options, &["depth", "time"], "depth", &self.depth.to_string());
            } else {
                idle.push("Depth");
            }
        }
        if !self.table.is_empty() {
            if takes(&head, "table") {
                replace(&mut options, &["table"], "table", &self.table);
            } else {
                idle.push("Table");
            }
        }
        options.insert(0, head);
        (options.join(":"), idle)
    }
}

/// Files can be named as everywhere; a program of others behind this one would gain nothing.
struct Files;

impl Shelf for Files {
    fn genome(&self, name: &str) -> Result<String, String> {
        OnDisk.genome(name)
    }

    fn file(&self, name: &str) -> Result<Vec<u8>, String> {
        OnDisk.file(name)
    }

    fn programs_forbidden(&self) -> Option<&'static str> {
        Some("programs of others are not started by this one: let the client do it")
    }
}

/// Puts an option in the place of others.
fn replace(options: &mut Vec<String>, keys: &[&str], key: &str, value: &str) {
    options.retain(|option| !keys.contains(&option.split('=').next().unwrap_or_default()));
    options.push(format!("{key}={value}"));
}

/// What other programs call a game.
fn variant_of(game: GameName) -> &'static str {
    text_game(game, None).facts().variant
}

/// The game that other programs, or we, call so.
fn game_called(name: &str) -> Result<GameName, String> {
    let called = |game: &GameName| game.name() == name || variant_of(*game) == name;
    GameName::ALL.into_iter().find(called).ok_or_else(|| {
        let names = GameName::ALL.map(variant_of);
        format!("there is no variant '{}': choose {}", visible(name), crate::game::or_list(&names))
    })
}

/// A text from elsewhere, short and without anything that a terminal would obey.
pub(super) fn visible(text: &str) -> String {
    text.chars().take(200).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
