//! The registry of players: what the parser reads and checks, errors list, `dobutsu-ga players` explains, and UCI and the page offer.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{Playable, Recipe, SpecError, blunder, engine, method, perfect, random};
use crate::files;
use crate::game::{Genome, Solutions, Variant};
use crate::values::{Values, read_time};

/// A kind of player of a game that can be named.
pub type Entry<G> = PlayerKind<Make<G>>;

/// A kind of player that can be named, with what makes it, or without.
pub struct PlayerKind<M = ()> {
    /// What to type; `NAME=FILE` or `NAME=COMMAND` if something follows.
    pub name: &'static str,
    /// With which others it belongs together: the page has words for each group.
    pub group: &'static str,
    /// What it is, in a line.
    pub help: &'static str,
    /// The options it takes.
    pub options: Vec<PlayerOption>,
    /// Makes it from its options, which are known and in range.
    pub make: M,
}

/// Makes a player from its options.
pub type Make<G> = fn(&Options<'_>) -> Result<Arc<dyn Recipe<G>>, SpecError>;

/// An option of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerOption {
    /// How it is typed, as help shows it: `depth=N`, or `strong:depth=N` where it means something else elsewhere.
    pub form: String,
    /// What it can be.
    pub values: Values,
    /// What it means, with its default.
    pub help: String,
}

impl PlayerOption {
    /// An option.
    pub fn new(form: impl Into<String>, values: Values, help: impl Into<String>) -> PlayerOption {
        PlayerOption { form: form.into(), values, help: help.into() }
    }

    /// One of the values of an enumeration.
    pub fn choice<V: Variant>(form: &str, help: &str) -> PlayerOption {
        PlayerOption::new(form, Values::Choice(V::names()), format!("{help}: {}", V::choices()))
    }

    /// What stands before the equals sign.
    pub fn key(&self) -> &str {
        let last = self.form.rsplit(':').next().unwrap_or(&self.form);
        last.split('=').next().unwrap_or(last)
    }

    /// Whether this is the option of that key; `option.NAME` stands for any name.
    fn has_key(&self, key: &str) -> bool {
        match self.key().strip_suffix("NAME") {
            Some(prefix) => key.strip_prefix(prefix).is_some_and(|name| !name.is_empty()),
            None => self.key() == key,
        }
    }
}

impl<M> PlayerKind<M> {
    /// The same whatever the game.
    pub fn untyped(self) -> PlayerKind {
        let PlayerKind { name, group, help, options, .. } = self;
        PlayerKind { name, group, help, options, make: () }
    }

    /// The option of this key.
    pub fn option(&self, key: &str) -> Option<&PlayerOption> {
        self.options.iter().find(|option| option.has_key(key))
    }

    /// The options as a sentence lists them.
    pub fn takes(&self) -> String {
        let keys: Vec<&str> = self.options.iter().map(PlayerOption::key).collect();
        if keys.is_empty() { "none".to_string() } else { keys.join(", ") }
    }

    /// What follows the name in this text, if the text names a player of this kind; empty where nothing follows.
    pub fn argument<'a>(&self, head: &'a str) -> Option<&'a str> {
        match self.name.strip_suffix("FILE").or_else(|| self.name.strip_suffix("COMMAND")) {
            Some(prefix) => head.strip_prefix(prefix),
            None => (self.name == head).then_some(""),
        }
    }
}

/// Every player of a game, in the order in which lists show them.
pub fn entries<G: Playable>() -> Vec<Entry<G>> {
    let mut entries = vec![random::entry()];
    entries.extend(method::known_genomes());
    entries.extend((G::OFFER.players)());
    entries.push(method::genome_file());
    entries.push(method::strong());
    entries.push(engine::entry());
    if G::Solutions::SOLVED {
        entries.push(perfect::entry());
    }
    entries
}

/// The registry as a help text.
pub fn help<G: Playable>() -> String {
    let entries = entries::<G>();
    let mut text = format!("Players of {}:\n", G::NAME);
    let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    for entry in &entries {
        text += &format!("  {:<width$}  {}\n", entry.name, entry.help);
    }
    text += &format!(
        "Options follow after colons, as in {}:depth=3 or strong:time=200ms:\n",
        G::WEIGHTS.genomes[0].name
    );
    let mut options: Vec<&PlayerOption> = Vec::new();
    // What several kinds of players take is listed last.
    let common: Vec<PlayerOption> = blunder::options().into_iter().chain(method::readings::<G>()).collect();
    for option in entries
        .iter()
        .flat_map(|entry| &entry.options)
        .filter(|option| !common.contains(option))
        .chain(&common)
    {
        if !options.contains(&option) {
            options.push(option);
        }
    }
    let width = options.iter().map(|option| option.form.len()).max().unwrap_or(0);
    for PlayerOption { form, help, .. } in options {
        text += &format!("  {form:<width$}  {help}\n");
    }
    text
}

/// The options of a player, which are known and in range.
pub struct Options<'a> {
    /// The whole text of the player.
    pub text: &'a str,
    /// The name it begins with: `strong`, `genome=best.toml`.
    pub head: &'a str,
    /// What follows the name: a file, a command, or nothing.
    pub argument: &'a str,
    pub(super) given: Vec<(&'a str, &'a str)>,
    pub(super) shelf: &'a dyn Shelf,
}

impl<'a> Options<'a> {
    /// What was given for an option.
    pub fn get(&self, key: &str) -> Option<&'a str> {
        self.given.iter().find(|(given, _)| *given == key).map(|(_, value)| *value)
    }

    /// A number.
    pub fn number<T: std::str::FromStr>(&self, key: &str) -> Option<T> {
        self.get(key)?.parse().ok()
    }

    /// A time.
    pub fn time(&self, key: &str) -> Option<Duration> {
        read_time(self.get(key)?)
    }

    /// A choice; the first where none is given.
    pub fn choice<V: Variant>(&self, key: &str) -> V {
        self.number(key).unwrap_or_default()
    }

    /// `yes` unless it is `no`.
    pub fn yes(&self, key: &str) -> bool {
        self.get(key) != Some("no")
    }

    /// All that were given whose keys begin like this: the rest of the key, and the value; in alphabetical order.
    pub fn with_prefix(&self, prefix: &str) -> Vec<(String, String)> {
        let named =
            |(key, value): &(&str, &str)| Some((key.strip_prefix(prefix)?.to_string(), value.to_string()));
        let mut found: Vec<_> = self.given.iter().filter_map(named).collect();
        found.sort_unstable();
        found
    }

    /// What is wrong with an option.
    pub fn wrong(&self, option: &str, must: impl fmt::Display) -> SpecError {
        SpecError::OptionValue {
            player: self.text.to_string(),
            option: option.to_string(),
            must: must.to_string(),
        }
    }

    /// The genome of a name.
    pub fn genome<G: Playable>(&self, name: &str) -> Result<Genome<G>, SpecError> {
        let text = self.shelf.genome(name);
        Ok(Genome::from_file(name.as_ref(), text)?)
    }

    /// The content of the file that follows the name.
    pub fn file(&self) -> Result<Vec<u8>, SpecError> {
        self.shelf.file(self.argument).map_err(|why| self.file_error(why))
    }

    /// What is wrong with the file or command of this player.
    pub fn file_error(&self, why: String) -> SpecError {
        SpecError::File { player: self.text.to_string(), why }
    }

    /// Why no external engines may be started, if so.
    pub fn programs_forbidden(&self) -> Option<&'static str> {
        self.shelf.programs_forbidden()
    }
}

/// Where players find what they are made of.
pub trait Shelf {
    /// The text of the genome of a name, or why there is none.
    fn genome(&self, name: &str) -> Result<String, String>;

    /// The content of the file of a name, or why there is none.
    fn file(&self, name: &str) -> Result<Vec<u8>, String>;

    /// Why no external engines may be started, if so.
    fn programs_forbidden(&self) -> Option<&'static str> {
        None
    }
}

/// Names are paths.
pub struct OnDisk;

impl Shelf for OnDisk {
    fn genome(&self, name: &str) -> Result<String, String> {
        files::read_text(name.as_ref()).map_err(|error| error.to_string())
    }

    fn file(&self, name: &str) -> Result<Vec<u8>, String> {
        let found = files::read_if_there(name.as_ref()).map_err(|error| error.to_string())?;
        found.ok_or_else(|| "there is no such file".to_string())
    }
}
