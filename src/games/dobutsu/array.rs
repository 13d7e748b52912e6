//! How the pieces stand when a game begins.

use std::sync::LazyLock;

use super::{Position, Rules};
use crate::game::Game;

crate::variants! {
    /// An array of pieces to begin with.
    pub enum Array, "array" {
        /// Each giraffe faces an elephant.
        Official = "official", "the game's own";
        /// As figures 12 and 13 of the paper draw it: each giraffe faces a giraffe.
        Figure12 = "figure12", "as the paper's figures draw it";
    }
}

impl Array {
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
