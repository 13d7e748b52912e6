//! Things that a person chooses by name: rules, arrays, styles. All are declared alike, by [`variants!`](crate::variants).

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// One of a few named possibilities; the first is the usual one.
pub trait Variant:
    Copy
    + Eq
    + Hash
    + Debug
    + Default
    + Display
    + FromStr<Err = UnknownVariant>
    + Serialize
    + DeserializeOwned
    + Send
    + Sync
    + 'static
{
    /// Every one of them.
    const VARIANTS: &'static [Self];

    /// What it means, in a few words.
    fn help(self) -> &'static str;

    /// The names of all.
    fn names() -> Vec<&'static str>;

    /// All with their meanings, as a help text lists them.
    fn choices() -> String {
        let one = |variant: &Self| match variant.help() {
            "" => variant.to_string(),
            help => format!("{variant} ({help})"),
        };
        or_list(&Self::VARIANTS.iter().map(one).collect::<Vec<_>>())
    }
}

/// A name that means nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} '{text}': choose {choices}")]
pub struct UnknownVariant {
    /// What was to be named.
    pub what: &'static str,
    /// What was typed.
    pub text: String,
    /// What could have been typed.
    pub choices: String,
}

impl UnknownVariant {
    /// For somebody who typed `text` where one of `choices` belongs.
    pub fn new(what: &'static str, text: &str, choices: &[&str]) -> UnknownVariant {
        let text = text.chars().take(40).collect();
        UnknownVariant { what, text, choices: or_list(choices) }
    }
}

/// `a`, `a or b`, `a, b or c`.
pub fn or_list<T: AsRef<str>>(items: &[T]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.split_last() {
        None => "nothing".to_string(),
        Some((last, [])) => last.to_string(),
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
    }
}

/// Whether there is nothing to choose.
pub fn is_only<V: Variant>(_: &V) -> bool {
    V::VARIANTS.len() == 1
}

/// The possibility of a name that was checked before; the usual one where nothing is said.
pub fn chosen<V: Variant>(name: Option<&str>) -> V {
    name.and_then(|name| name.parse().ok()).unwrap_or_default()
}

/// Declares an enumeration whose values have names that a person types and files hold: with `Display`, `FromStr`, serde,
/// `ALL`, and the first one as the default.
///
/// ```
/// dobutsu_ga::variants! {
///     /// How the wind blows.
///     pub enum Wind, "wind" {
///         /// Not at all.
///         Calm = "calm", "none";
///         /// Much.
///         Storm = "storm", "a lot";
///     }
/// }
/// assert_eq!("storm".parse(), Ok(Wind::Storm));
/// assert_eq!("rain".parse::<Wind>().unwrap_err().to_string(), "there is no wind 'rain': choose calm or storm");
/// ```
#[macro_export]
macro_rules! variants {
    ($(#[$doc:meta])* pub enum $name:ident, $what:literal {
        $($(#[$variant_doc:meta])* $variant:ident = $text:literal, $help:literal;)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $name {
            /// Every one.
            pub const ALL: [$name; [$($text),*].len()] = [$($name::$variant),*];

            /// The names of all.
            pub const NAMES: [&'static str; [$($text),*].len()] = [$($text),*];

            /// The name that a person types.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }

        impl $crate::game::Variant for $name {
            const VARIANTS: &'static [$name] = &$name::ALL;

            fn help(self) -> &'static str {
                match self { $($name::$variant => $help,)* }
            }

            fn names() -> Vec<&'static str> {
                $name::NAMES.to_vec()
            }
        }

        impl Default for $name {
            fn default() -> $name {
                $name::ALL[0]
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::game::UnknownVariant;
            fn from_str(text: &str) -> Result<$name, Self::Err> {
                let found = $name::ALL.into_iter().find(|variant| variant.name() == text);
                found.ok_or_else(|| $crate::game::UnknownVariant::new($what, text, &$name::NAMES))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

variants! {
    /// For a game that has nothing to choose here.
    pub enum Usual, "choice" {
        /// The only one.
        Usual = "usual", "";
    }
}
