//! How do other programs play with us? Lines of text on standard input and output. `uci` lets our players answer clients that speak
//! UCI or USI. `course` is the protocol of a course on Quoridor: the engine's side lets a player of ours answer, and the referee's
//! side lets two programs play.

pub mod course;
mod engine;
mod referee;
mod uci;

pub use course::Coordinates;
pub use engine::Engine;
pub use referee::{Clock, End, Fault, IllegalMove, RefereeError, Refereed, referee};
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
