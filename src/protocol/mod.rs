//! How do other programs play with us? Lines of text on standard input and output: one file reads and writes them, the engine's
//! side lets a player of ours answer, and the referee's side lets two programs play.

pub mod course;
mod engine;
mod line;
mod program;
mod referee;

pub use engine::Engine;
pub use program::{Ended, Heard, Program};
pub use referee::{Clock, End, Fault, RefereeError, Refereed, referee};

crate::variants! {
    /// The language in which two programs talk.
    pub enum Protocol, "protocol" {
        /// That of the course in which the Quoridor report was written.
        Course = "course", "lists of whole numbers; quoridor";
    }
}
