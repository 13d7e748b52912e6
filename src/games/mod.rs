//! Which games are there, and what can each do? The only place that lists them.

pub(crate) mod board9;
pub mod dobutsu;
pub mod hasami;
pub mod kyoto;
pub mod quoridor;
mod shogi;

/// Makes the list of games: [`GameName`], and the one match that turns a name into a type.
macro_rules! lab {
    ($d:tt $($name:ident = $text:literal, $help:literal, $module:ident;)*) => {
        crate::variants! {
            /// A game, by its name.
            pub enum GameName, "game" {
                $(#[doc = $help] $name = $text, $help;)*
            }
        }

        /// Runs a piece of code for the game of a name: inside, everything is of that one type.
        macro_rules! with_game {
            ($d name:expr, $d game:ident => $d body:expr) => {
                match $d name {
                    $($d crate::games::GameName::$name => {
                        type $d game = $d crate::games::$module::Position;
                        $d body
                    })*
                }
            };
        }
    };
}

lab! { $
    Dobutsu = "dobutsu", "animal shogi, 3x4: solved", dobutsu;
    Kyoto = "kyoto", "Kyoto Shogi, 5x5: pieces turn over with every move", kyoto;
    Quoridor = "quoridor", "Quoridor, 9x9: pawns and walls", quoridor;
    Hasami = "hasami", "Hasami Shogi, 9x9: pieces between two others are taken", hasami;
}
