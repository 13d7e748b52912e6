//! The one table of players: what the parser knows, errors list, `--help` explains and the page offers.

use super::engine;
use super::spec::DEEPEST_STRONG;
use super::{Manner, Playable, Slips};
use crate::eval::ReadingSet;
use crate::games::or_list;
use crate::solve::Solutions;

/// A kind of player that can be asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What to type.
    pub name: &'static str,
    /// With which others it belongs together: the page has words for each group.
    pub group: &'static str,
    /// What it is, in a line.
    pub help: &'static str,
    /// The options it takes.
    pub options: Vec<&'static str>,
}

impl Entry {
    /// The options as a sentence lists them.
    pub fn takes(&self) -> String {
        if self.options.is_empty() { "none".to_string() } else { self.options.join(", ") }
    }
}

/// Every player of a game, in the order in which lists show them.
pub fn entries<G: Playable>() -> Vec<Entry> {
    let readings = || G::Readings::NAMES.iter().map(|(name, _)| *name);
    let key = |(option, _): (&'static str, String)| option_key(option);
    let searching = || G::Manner::options().into_iter().map(key).chain(readings()).chain(SLIPS).collect();
    let mut entries =
        vec![Entry { name: "random", group: "random", help: "any legal move", options: Vec::new() }];
    for known in G::GENOMES {
        entries.push(Entry { name: known.name, group: known.group, help: known.help, options: searching() });
    }
    for extra in G::EXTRAS {
        let options = extra.options.iter().map(|(option, _)| option_key(option)).collect();
        entries.push(Entry { name: extra.name, group: extra.group, help: extra.help, options });
    }
    entries.push(Entry {
        name: "genome=FILE",
        group: "file",
        help: "the weights of a genome file",
        options: searching(),
    });
    entries.push(Entry {
        name: "strong",
        group: "strong",
        help: "deepens until its time is up",
        options: ["time", "depth", "genome"].into_iter().chain(readings()).chain(SLIPS).collect(),
    });
    entries.push(Entry {
        name: "engine=COMMAND",
        group: "engine",
        help: "a program of others that speaks UCI or USI, as in engine=fairy-stockfish:depth=6",
        options: engine::KEYS.into_iter().chain(["option.NAME"]).collect(),
    });
    if G::Solutions::SOLVED {
        entries.push(Entry {
            name: "perfect",
            group: "perfect",
            help: "plays from the solution that `dobutsu-ga solve` makes",
            options: ["table"].into_iter().chain(SLIPS).collect(),
        });
    }
    entries
}

/// What can be chosen about a player's slips.
const SLIPS: [&str; 2] = ["slips", "sees"];

/// What stands before the equals sign.
fn option_key(option: &'static str) -> &'static str {
    option.split('=').next().unwrap_or(option)
}

/// What the options of players mean, a line each.
fn options<G: Playable>() -> Vec<(String, String)> {
    let line = |option: &str, help: String| (option.to_string(), help);
    let mut lines: Vec<(String, String)> =
        G::Manner::options().into_iter().map(|(option, help)| line(option, help)).collect();
    for (option, help) in G::EXTRAS.iter().flat_map(|extra| extra.options) {
        let line = line(option, help.to_string());
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.push(line("strong:depth=N", format!("instead of a time, to {DEEPEST_STRONG}")));
    lines.push(line("strong:time=200ms", "how long to think about a move".to_string()));
    lines.push(line("strong:genome=FILE", format!("its weights (default {})", G::STRONG)));
    lines.extend(engine::OPTIONS.map(|(option, help)| line(option, help.to_string())));
    if G::Solutions::SOLVED {
        lines.push(line("table=FILE", "where the solution is (perfect)".to_string()));
    }
    let slips =
        "how likely each move is made at a glance, without a thought of the answer: 0 to 1 (default 0)";
    lines.push(line("slips=P", slips.to_string()));
    let sees = format!("how likely a glance is to see each move: 0 to 1 (default {})", Slips::NONE.sees);
    lines.push(line("sees=P", sees));
    for (name, choices) in G::Readings::NAMES {
        lines.push(line(&format!("{name}=READING"), or_list(choices)));
    }
    lines
}

/// The whole table as a help text.
pub fn help<G: Playable>() -> String {
    let mut text = format!("Players of {}:\n", G::NAME);
    let all = entries::<G>();
    let width = all.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    for entry in &all {
        text += &format!("  {:<width$}  {}\n", entry.name, entry.help);
    }
    text +=
        &format!("Options follow after colons, as in {}:depth=3 or strong:time=200ms:\n", G::GENOMES[0].name);
    let options = options::<G>();
    let width = options.iter().map(|(option, _)| option.len()).max().unwrap_or(0);
    for (option, help) in &options {
        text += &format!("  {option:<width$}  {help}\n");
    }
    text
}
