//! Settings of learners, declared once: the command line, files, the page and checks all read the same list.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::players::GameInfo;
use crate::values::{Values, shown};

/// A setting of a learner.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The key in files; a dot leads into a table, as in `reward.end`.
    pub key: &'static str,
    /// The option on the command line, without its dashes.
    pub option: &'static str,
    /// An earlier name of the option.
    pub alias: Option<&'static str>,
    /// What stands for its value in help.
    pub value_name: &'static str,
    /// The values it takes.
    pub values: Values,
    /// What it is; help adds the defaults.
    pub help: &'static str,
}

impl Setting {
    /// A setting whose option has the name of its key.
    pub fn new(key: &'static str, value_name: &'static str, values: Values, help: &'static str) -> Setting {
        Setting { key, option: key.rsplit('.').next().unwrap_or(key), alias: None, value_name, values, help }
    }

    /// The same with an option of another name.
    pub fn option(self, option: &'static str) -> Setting {
        Setting { option, ..self }
    }

    /// The same with an earlier name that is still understood.
    pub fn alias(self, alias: &'static str) -> Setting {
        Setting { alias: Some(alias), ..self }
    }
}

/// The settings of a learner.
pub trait Declared: Serialize + DeserializeOwned {
    /// The presets, the usual one first: names, and the files in experiments/presets.
    const PRESETS: &'static [(&'static str, &'static str)];

    /// Every setting, in the order in which help lists them.
    fn declared() -> Vec<Setting>;

    /// What a preset says for this game, and beside what else was given.
    fn complete(game: &GameInfo, preset: &mut toml::Table, given: &toml::Table) {
        let _ = (game, preset, given);
    }

    /// Whether there is such a learner for a game.
    fn is_for(game: &GameInfo) -> bool {
        let _ = game;
        true
    }

    /// What the command line says of itself where no file does.
    fn begin(game: &GameInfo, given: &mut toml::Table) {
        let _ = (game, given);
    }

    /// With which other setting this one has no effect, if that is so.
    fn idle(&self, game: &GameInfo, key: &str) -> Option<String> {
        let _ = (game, key);
        None
    }

    /// Says what does not fit together or is wrong for the game, if anything.
    fn check_together(&self, game: &GameInfo) -> Result<(), String>;

    /// What a file or command line gives; everything else is the preset's.
    fn from_table(game: &GameInfo, given: toml::Table) -> Result<Self, String> {
        let mut table = preset_table::<Self>(game, &given)?;
        overlay(&mut table, given);
        Self::from_written(table)
    }

    /// What a run has written: nothing is added.
    fn from_written(table: toml::Table) -> Result<Self, String> {
        table.try_into().map_err(|error: toml::de::Error| error.message().replace('\n', " "))
    }

    /// Says what is out of range, has no effect or does not fit together, if anything.
    fn check(&self, game: &GameInfo) -> Result<(), String> {
        let table = table_of(self);
        check_values(&table, &Self::declared())?;
        self.check_together(game)?;
        let preset = preset_table::<Self>(game, &table)?;
        for Setting { key, .. } in Self::declared() {
            let value = value_at(&table, key);
            if let (Some(value), Some(reason), true) =
                (value, self.idle(game, key), value != value_at(&preset, key))
            {
                return Err(format!(
                    "{key} is {}, which has no effect with {reason}: leave one of them out",
                    shown(value)
                ));
            }
        }
        Ok(())
    }
}

/// Settings as a table.
pub fn table_of(settings: &impl Serialize) -> toml::Table {
    toml::Table::try_from(settings).expect("numbers and texts can be written")
}

/// Settings as text without the one by which a run may be extended: checkpoints belong to all others.
pub fn without_end(settings: &impl Serialize, end: &str) -> String {
    let mut table = table_of(settings);
    table.remove(end);
    toml::to_string(&table).expect("numbers and texts can be written")
}

/// The preset that a table names, for a game.
pub fn preset_table<D: Declared>(game: &GameInfo, given: &toml::Table) -> Result<toml::Table, String> {
    let name = given.get("preset").map_or(D::PRESETS[0].0, |name| name.as_str().unwrap_or_default());
    let (_, text) = D::PRESETS.iter().find(|(known, _)| *known == name).ok_or_else(|| {
        let names: Vec<&str> = D::PRESETS.iter().map(|(name, _)| *name).collect();
        crate::game::UnknownVariant::new("preset", name, &names).to_string()
    })?;
    let mut preset: toml::Table = text.parse().expect("the presets of the program are in order");
    D::complete(game, &mut preset, given);
    Ok(preset)
}

/// Takes over what was given, also within tables.
pub fn overlay(all: &mut toml::Table, given: toml::Table) {
    for (key, value) in given {
        match (all.get_mut(&key).and_then(toml::Value::as_table_mut), value) {
            (Some(known), toml::Value::Table(more)) => known.extend(more),
            (_, value) => _ = all.insert(key, value),
        }
    }
}

/// The value of a key, which may lead into a table.
pub fn value_at<'a>(table: &'a toml::Table, key: &str) -> Option<&'a toml::Value> {
    match key.split_once('.') {
        Some((outer, inner)) => table.get(outer)?.get(inner),
        None => table.get(key),
    }
}

/// Sets the value of a key, which may lead into a table.
pub fn set_at(table: &mut toml::Table, key: &str, value: toml::Value) {
    match key.split_once('.') {
        Some((outer, inner)) => {
            let outer = table.entry(outer).or_insert_with(|| toml::Table::new().into());
            if let Some(outer) = outer.as_table_mut() {
                outer.insert(inner.to_string(), value);
            }
        }
        None => _ = table.insert(key.to_string(), value),
    }
}

fn check_values(table: &toml::Table, declared: &[Setting]) -> Result<(), String> {
    for Setting { key, values, .. } in declared {
        if let Some(value) = value_at(table, key).filter(|value| !values.holds(value)) {
            let name = key.rsplit('.').next().unwrap_or(key);
            return Err(format!("{name} is {}: it must be {values}", shown(value)));
        }
    }
    Ok(())
}

/// The settings that differ between two tables: key, one value, the other; nothing where a table has none.
pub fn differences(one: &toml::Table, other: &toml::Table) -> Vec<(String, String, String)> {
    let text = |value: Option<&toml::Value>| value.map_or("nothing".to_string(), ToString::to_string);
    let mut keys: Vec<&String> = one.keys().chain(other.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut found = Vec::new();
    for key in keys {
        match (one.get(key), other.get(key)) {
            (Some(toml::Value::Table(one)), Some(toml::Value::Table(other))) => {
                let inner = differences(one, other).into_iter();
                found.extend(inner.map(|(inner, a, b)| (format!("{key}.{inner}"), a, b)));
            }
            (a, b) if a != b => found.push((key.clone(), text(a), text(b))),
            _ => {}
        }
    }
    found
}
