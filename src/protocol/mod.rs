//! How do other programs play with us? Lines of text on standard input and output. `uci` lets our players answer clients that speak
//! UCI or USI. Programs that play against ours are [players](crate::players).

mod uci;

pub use uci::{UciSetup, serve};

crate::variants! {
    /// The language in which two programs talk.
    pub enum Protocol, "protocol" {
        /// That of chess programs, and of shogi programs: which of the two, the first word says.
        Uci = "uci", "UCI or USI, whichever the client begins with; every game";
        /// That of the course in which the Quoridor report was written.
        Course = "course", "lists of whole numbers; quoridor";
    }
}
