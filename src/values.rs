//! What people set: which values an option or a setting takes, and the sentence about one that is out of range.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use crate::game::or_list;

/// The values that an option or a setting takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// A whole number.
    Integer(RangeInclusive<i64>),
    /// A whole number, or this word.
    IntegerOr(RangeInclusive<i64>, &'static str),
    /// A number.
    Number(RangeInclusive<f64>),
    /// A number with at most three decimals.
    Thousandths(RangeInclusive<f64>),
    /// Two whole numbers, as in `0..500`.
    Range(RangeInclusive<i64>),
    /// From a millisecond to an hour.
    Time,
    /// On or off.
    Switch,
    /// One of these words.
    Choice(Vec<&'static str>),
    /// Whole numbers, as in `128,128`.
    Integers(RangeInclusive<i64>),
    /// Numbers by name, as in `capture=5,exposed=-1`.
    Terms(Vec<&'static str>),
    /// Several texts.
    Texts,
    /// Anything.
    Text,
}

impl Values {
    /// Whether this text is one of them.
    pub fn accept(&self, text: &str) -> bool {
        let integer = |range: &RangeInclusive<i64>| text.parse().is_ok_and(|number| range.contains(&number));
        match self {
            Values::Integer(range) => integer(range),
            Values::IntegerOr(range, word) => text == *word || integer(range),
            Values::Number(range) => text.parse().is_ok_and(|number| range.contains(&number)),
            Values::Time => read_time(text).is_some(),
            Values::Choice(words) => words.contains(&text),
            Values::Text | Values::Texts => true,
            other => other.read(text).is_ok_and(|value| other.holds(&value)),
        }
    }

    /// Reads a text as the kind of value that files hold; the sentence says what it must be. Ranges are left to [`holds`](Values::holds).
    pub fn read(&self, text: &str) -> Result<toml::Value, String> {
        let text = text.trim();
        let value = match self {
            Values::Integer(_) => text.parse().ok().map(toml::Value::Integer),
            Values::Number(_) | Values::Thousandths(_) => text.parse().ok().map(toml::Value::Float),
            Values::Switch => match text {
                "on" | "true" => Some(toml::Value::Boolean(true)),
                "off" | "false" => Some(toml::Value::Boolean(false)),
                _ => None,
            },
            Values::Choice(words) => words.contains(&text).then(|| text.into()),
            Values::Range(_) => read_range(text).map(|_| text.into()),
            Values::Integers(_) => {
                let numbers: Option<Vec<toml::Value>> =
                    text.split(',').map(|part| part.trim().parse().ok().map(toml::Value::Integer)).collect();
                numbers.map(toml::Value::Array)
            }
            Values::Terms(names) => {
                let term = |part: &str| {
                    let (name, number) = part.split_once('=')?;
                    let number = number.parse().ok().filter(|number: &f64| number.is_finite())?;
                    names.contains(&name).then(|| (name.to_string(), toml::Value::Float(number)))
                };
                text.split(',').map(term).collect::<Option<toml::Table>>().map(toml::Value::Table)
            }
            Values::Texts => Some(toml::Value::Array(vec![text.into()])),
            Values::IntegerOr(..) | Values::Time | Values::Text => Some(text.into()),
        };
        value.ok_or_else(|| format!("it must be {self}"))
    }

    /// Whether a value from a file is one of them.
    pub fn holds(&self, value: &toml::Value) -> bool {
        let number = || value.as_float().or_else(|| value.as_integer().map(|number| number as f64));
        match self {
            Values::Integer(range) => value.as_integer().is_some_and(|number| range.contains(&number)),
            Values::Number(range) => number().is_some_and(|number| range.contains(&number)),
            Values::Thousandths(range) => number()
                .is_some_and(|number| range.contains(&number) && crate::game::has_three_decimals(number)),
            Values::Range(range) => value
                .as_str()
                .and_then(read_range)
                .is_some_and(|(low, high)| low < high && range.contains(&low) && range.contains(&high)),
            Values::Integers(range) => value.as_array().is_some_and(|all| {
                let inside =
                    |value: &toml::Value| value.as_integer().is_some_and(|number| range.contains(&number));
                !all.is_empty() && all.iter().all(inside)
            }),
            Values::Terms(_) => value.as_table().is_some_and(|terms| {
                terms.values().all(|term| term.as_float().is_some_and(|number| number.abs() <= 1e6))
            }),
            Values::Switch => value.is_bool(),
            Values::Texts => value.is_array(),
            other => value.as_str().is_some_and(|text| other.accept(text)),
        }
    }
}

/// As a sentence continues after "must be".
impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Integer(range) => write!(f, "from {} to {}", range.start(), range.end()),
            Values::IntegerOr(range, word) => {
                write!(f, "from {} to {}, or {word}", range.start(), range.end())
            }
            Values::Number(range) => write!(f, "from {} to {}", range.start(), range.end()),
            Values::Thousandths(range) => {
                write!(f, "from {} to {} with at most three decimals", range.start(), range.end())
            }
            Values::Range(range) => {
                write!(f, "a range as in 0..500, from {} to {}", range.start(), range.end())
            }
            Values::Time => f.write_str("from 1ms to 3600s, as in 200ms or 1.5s"),
            Values::Switch => f.write_str("on or off"),
            Values::Choice(words) => f.write_str(&or_list(words)),
            Values::Integers(range) => {
                write!(f, "whole numbers from {} to {}, as in 128,128", range.start(), range.end())
            }
            Values::Terms(names) => {
                write!(f, "NAME=NUMBER, from -1000000 to 1000000, with {}", or_list(names))
            }
            Values::Texts | Values::Text => f.write_str("a text"),
        }
    }
}

/// A value as a person types it.
pub fn shown(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Boolean(true) => "on".to_string(),
        toml::Value::Boolean(false) => "off".to_string(),
        toml::Value::Array(all) => all.iter().map(shown).collect::<Vec<_>>().join(","),
        toml::Value::Float(number) => number.to_string(),
        value => value.to_string(),
    }
}

/// Reads a time from a millisecond to an hour, as in `200ms` or `1.5s`.
pub fn read_time(text: &str) -> Option<Duration> {
    let seconds = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(number), _) => number.parse::<f64>().ok()? / 1000.0,
        (None, Some(number)) => number.parse().ok()?,
        (None, None) => return None,
    };
    (0.001..=3600.0).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

fn read_range(text: &str) -> Option<(i64, i64)> {
    let (low, high) = text.split_once("..")?;
    Some((low.parse().ok()?, high.parse().ok()?))
}
