//! The options of commands that start a learner: one for each declared setting, with the defaults of its presets.

use std::marker::PhantomData;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command};

use super::{CliError, input};
use crate::files;
use crate::games::{GameName, info};
use crate::learn::{Declared, Setting, overlay, preset_table, set_at, value_at};
use crate::players::GameInfo;
use crate::values::{Values, shown};

/// What was given on the command line for the settings of a learner.
pub(crate) struct Given<D> {
    /// A TOML file of settings, such as the run.toml of an earlier run.
    config: Option<PathBuf>,
    /// The options, by the keys of files.
    table: toml::Table,
    settings: PhantomData<fn() -> D>,
}

/// The group of all these options.
pub(crate) const GROUP: &str = "settings";

impl<D: Declared> Given<D> {
    /// Whether the setting of this key was given.
    pub(crate) fn has(&self, key: &str) -> bool {
        value_at(&self.table, key).is_some()
    }

    /// What the config file says, and how a complaint about it begins.
    pub(crate) fn config(&self) -> Result<(toml::Table, String), CliError> {
        let Some(path) = &self.config else { return Ok(Default::default()) };
        let from = format!("the config file '{}' cannot be used: ", path.display());
        let text = files::read_text(path).map_err(|error| input(format!("{from}{error}")))?;
        let table: toml::Table =
            text.parse().map_err(|error: toml::de::Error| input(format!("{from}{}", error.message())))?;
        // A sweep and a learner have their settings in a table of its own.
        let inner = ["settings", "learner"].iter().find_map(|key| table.get(*key)?.as_table().cloned());
        Ok((inner.map(|inner| of_game(inner, &table)).unwrap_or(table), from))
    }

    /// The settings: preset, then config file, then options.
    pub(crate) fn settings(&self, game: &GameInfo) -> Result<D, CliError> {
        let (mut table, from) = self.config()?;
        if let (Some(asked), Some(there)) = (self.table.get("preset"), table.get("preset"))
            && asked != there
        {
            let path = self.config.as_ref().map_or(String::new(), |path| path.display().to_string());
            return Err(input(format!(
                "the config file '{path}' has preset = {there}, and --preset asks for another one: leave one of them out"
            )));
        }
        if self.config.is_none() {
            D::begin(game, &mut table);
        }
        overlay(&mut table, self.table.clone());
        let settings = D::from_table(game, table).map_err(|error| input(format!("{from}{error}")))?;
        for Setting { key, option, .. } in D::declared() {
            if let (true, Some(reason)) = (self.has(key), settings.idle(game, key)) {
                return Err(input(format!("--{option} has no effect with {reason}: leave one of them out")));
            }
        }
        settings.check(game).map_err(input)?;
        Ok(settings)
    }
}

/// The game that a file names beside the settings belongs to them.
fn of_game(mut settings: toml::Table, file: &toml::Table) -> toml::Table {
    if let (Some(game), true) = (file.get("game"), file.contains_key("settings")) {
        settings.entry("game").or_insert_with(|| game.clone());
    }
    settings
}

impl<D: Declared> clap::Args for Given<D> {
    fn augment_args(command: Command) -> Command {
        let games: Vec<GameInfo> =
            GameName::ALL.into_iter().map(info).filter(|game| D::is_for(game)).collect();
        let presets = |game: &GameInfo| -> Vec<(&'static str, toml::Table)> {
            let preset = |(name, _): &(&'static str, &str)| {
                let given = [("preset".to_string(), toml::Value::from(*name))].into_iter().collect();
                Some((*name, preset_table::<D>(game, &given).ok()?))
            };
            D::PRESETS.iter().filter_map(preset).collect()
        };
        let presets: Vec<(&'static str, Vec<(&'static str, toml::Table)>)> =
            games.iter().map(|game| (game.name, presets(game))).collect();
        let config = Arg::new("config")
            .long("config")
            .value_name("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help("TOML file of settings, such as the run.toml of an earlier run; options win over it");
        let settings: Vec<Arg> = D::declared().iter().map(|setting| argument(setting, &presets)).collect();
        let ids: Vec<clap::Id> = settings.iter().map(|argument| argument.get_id().clone()).collect();
        let group = ArgGroup::new(GROUP).multiple(true).args(ids).arg("config");
        command.arg(config).args(settings).group(group)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<D: Declared> clap::FromArgMatches for Given<D> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Given<D>, clap::Error> {
        Ok(Given {
            config: matches.get_one::<PathBuf>("config").cloned(),
            table: given(matches, &D::declared()),
            settings: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// What was given for declared settings.
fn given(matches: &ArgMatches, declared: &[Setting]) -> toml::Table {
    let mut table = toml::Table::new();
    for Setting { key, option, values, .. } in declared {
        let Some(all) = matches.get_many::<toml::Value>(option) else { continue };
        let value = match values {
            // An option that may be given several times.
            Values::Texts => {
                let texts = all.filter_map(toml::Value::as_array).flatten();
                Some(toml::Value::Array(texts.cloned().collect()))
            }
            _ => all.cloned().next_back(),
        };
        match value {
            Some(toml::Value::Table(terms)) => {
                for (term, value) in terms {
                    set_at(&mut table, &format!("{key}.{term}"), value);
                }
            }
            Some(value) => set_at(&mut table, key, value),
            None => {}
        }
    }
    table
}

/// The option of a setting; presets are those of every game, the usual game first.
fn argument(setting: &Setting, presets: &[(&'static str, Vec<(&'static str, toml::Table)>)]) -> Arg {
    let Setting { key, option, alias, value_name, values, help } = setting;
    let default = defaults(key, presets).map_or(String::new(), |default| format!(" [{default}]"));
    let values = values.clone();
    let argument = Arg::new(*option).long(*option).value_name(*value_name).help(format!("{help}{default}"));
    let argument = match alias {
        Some(alias) => argument.alias(*alias),
        None => argument,
    };
    let argument = match values {
        Values::Switch => argument.num_args(0..=1).default_missing_value("on"),
        Values::Texts => argument.action(ArgAction::Append),
        _ => argument,
    };
    // Negative numbers are values, not options.
    argument.allow_hyphen_values(true).value_parser(move |text: &str| values.read(text))
}

/// What presets say of a setting: `default: 1`, or `paper: 5, robust: 24`; then the games in which the usual preset says something else.
fn defaults(key: &str, presets: &[(&'static str, Vec<(&'static str, toml::Table)>)]) -> Option<String> {
    let ((_, usual), others) = presets.split_first()?;
    let all: Vec<(&str, String)> =
        usual.iter().filter_map(|(name, table)| Some((*name, shown(value_at(table, key)?)))).collect();
    let (_, first) = all.first()?;
    let mut text =
        if key == "preset" || all.len() == usual.len() && all.iter().all(|(_, value)| value == first) {
            format!("default: {first}")
        } else {
            all.iter().map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>().join(", ")
        };
    for (game, presets) in others {
        match presets.first().and_then(|(_, table)| value_at(table, key)).map(shown) {
            Some(value) if value != *first => text += &format!("; {game}: {value}"),
            _ => {}
        }
    }
    Some(text)
}
