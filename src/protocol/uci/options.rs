//! What a client can set, and the player that comes of it.

use crate::eval::{Genome, GenomeError};
use crate::lab::{GameName, Lab};
use crate::players::{OnDisk, PlayerSpec, Shelf, SpecError, entries};
use crate::random::MOST_SEED;

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
    pub(super) fn lines<G: Lab>(&self, rules: G::Rules) -> Vec<String> {
        use crate::games::Variant;
        let text = |text: &str| if text.is_empty() { EMPTY.to_string() } else { visible(text) };
        let games = GameName::ALL.map(|game| with_game!(game, H => format!(" var {}", variant_of::<H>())));
        let all_rules: String = G::Rules::VARIANTS.iter().map(|rules| format!(" var {rules}")).collect();
        vec![
            format!("option name UCI_Variant type combo default {}{}", variant_of::<G>(), games.concat()),
            format!("option name Player type string default {}", text(&self.player)),
            format!("option name Depth type spin default {} min 0 max {DEEPEST}", self.depth),
            format!("option name Genome type string default {}", text(&self.genome)),
            format!("option name Network type string default {}", text(&self.network)),
            format!("option name Table type string default {}", text(&self.table)),
            format!("option name Rules type combo default {rules}{all_rules}"),
            format!("option name Seed type spin default {} min 0 max {MOST_SEED}", self.seed),
        ]
    }

    /// By which rules the game is played.
    pub(super) fn rules<G: Lab>(&self) -> Result<G::Rules, String> {
        let said = self.rules.as_deref().map(str::parse);
        said.unwrap_or_else(|| Ok(G::common_rules())).map_err(|error| error.to_string())
    }

    /// The player, ready to play by these rules; and which options have no effect on it.
    pub(super) fn player<G: Lab>(
        &self,
        rules: G::Rules,
    ) -> Result<(PlayerSpec<G>, Vec<&'static str>), SpecError> {
        let mut parts = self.player.split(':').map(String::from);
        let mut head = parts.next().unwrap_or_default();
        let mut options: Vec<String> = parts.collect();
        let takes = |head: &str, option: &str| {
            let named = |name: &str| match name.split_once('=') {
                Some((prefix, _)) => head.split_once('=').is_some_and(|(own, _)| own == prefix),
                None => name == head,
            };
            let entry = entries::<G>().into_iter().find(|entry| named(entry.name));
            entry.is_some_and(|entry| entry.options.contains(&option))
        };
        let mut idle = Vec::new();
        if !self.network.is_empty() {
            match entries::<G>().iter().any(|entry| entry.name == "net=FILE") {
                true => {
                    head = format!("net={}", self.network);
                    options.clear();
                }
                false => idle.push("Network"),
            }
        }
        if !self.genome.is_empty() {
            match () {
                () if head == "strong" => replace(&mut options, &["genome"], "genome", &self.genome),
                () if takes(&head, "depth") => head = format!("genome={}", self.genome),
                () => idle.push("Genome"),
            }
        }
        if self.depth > 0 {
            match takes(&head, "depth") {
                true => replace(&mut options, &["depth", "time"], "depth", &self.depth.to_string()),
                false => idle.push("Depth"),
            }
        }
        if !self.table.is_empty() {
            match takes(&head, "table") {
                true => replace(&mut options, &["table"], "table", &self.table),
                false => idle.push("Table"),
            }
        }
        options.insert(0, head);
        let spec = PlayerSpec::<G>::parse_with(&options.join(":"), &Files)?;
        spec.check(rules)?;
        Ok((spec, idle))
    }
}

/// Files can be named as everywhere; a program of others behind this one would gain nothing.
struct Files;

impl<G: Lab> Shelf<G> for Files {
    fn genome(&self, name: &str) -> Result<Genome<G>, GenomeError> {
        OnDisk.genome(name)
    }

    fn file(&self, name: &str) -> Result<Vec<u8>, String> {
        Shelf::<G>::file(&OnDisk, name)
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
pub(super) fn variant_of<G: Lab>() -> &'static str {
    G::VARIANT
}

/// The game that other programs, or we, call so.
fn game_called(name: &str) -> Result<GameName, String> {
    let called = |game: &GameName| game.name() == name || with_game!(*game, G => variant_of::<G>()) == name;
    GameName::ALL.into_iter().find(called).ok_or_else(|| {
        let names = GameName::ALL.map(|game| with_game!(game, G => variant_of::<G>()));
        format!("there is no variant '{}': choose {}", visible(name), crate::games::or_list(&names))
    })
}

/// A text from elsewhere, short and without anything that a terminal would obey.
pub(super) fn visible(text: &str) -> String {
    text.chars().take(200).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
