//! How the pieces stand when a game begins.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::{Position, Rules};
use crate::games::Game;

/// An array of pieces to begin with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Array {
    /// The game's own: each giraffe faces an elephant.
    #[default]
    Official,
    /// As figures 12 and 13 of the paper draw it: each giraffe faces a giraffe.
    Figure12,
}

impl Array {
    /// Every array.
    pub const ALL: [Array; 2] = [Array::Official, Array::Figure12];

    const fn fen(self) -> &'static str {
        match self {
            Array::Official => "gle/1c1/1C1/ELG[-] w 0 1",
            Array::Figure12 => "gle/1c1/1C1/GLE[-] w 0 1",
        }
    }

    /// The position from which a game starts.
    pub fn start(self, rules: Rules) -> Position {
        static STARTS: LazyLock<[[Position; 2]; 2]> = LazyLock::new(|| {
            let start = |array: Array, rules| Position::parse(array.fen(), rules).expect("a legal position");
            Array::ALL.map(|array| Rules::ALL.map(|rules| start(array, rules)))
        });
        STARTS[self as usize][rules as usize]
    }
}

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Array::Official => "official",
            Array::Figure12 => "figure12",
        })
    }
}

impl FromStr for Array {
    type Err = String;
    fn from_str(text: &str) -> Result<Array, String> {
        let named = |array: &Array| array.to_string() == text;
        let unknown = || format!("there is no array '{text}': choose official or figure12");
        Array::ALL.into_iter().find(named).ok_or_else(unknown)
    }
}
