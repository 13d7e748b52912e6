//! The protocol of a course, as its server speaks it: a side, positions, and the end. A process plays one game.

use std::time::Instant;

use super::{Process, Protocol, Settings, illegal, short};
use crate::game::{CourseText, Ending, Referee, Side};
use crate::players::{Forfeit, Playable};

impl<G: Playable> Protocol<G> for CourseText<G> {
    fn longest_line(&self) -> usize {
        self.longest_line
    }

    /// The first word of the protocol is the side: before a game there is nothing to say.
    fn hello(&self, _: &mut Process, settings: &Settings) -> Result<String, Forfeit> {
        Ok(settings.command.clone())
    }

    fn new_game(&self, process: &mut Process, settings: &Settings, side: Side) -> Result<(), Forfeit> {
        process.tell((self.side)(side));
        let missing = || format!("time: its side was not answered in {:?}", settings.timeout);
        let answer = process.line(Instant::now() + settings.timeout, missing)?;
        if (self.is_side)(&answer, side) {
            return Ok(());
        }
        let why = format!("an answer that is not its side: it answered '{}'", short(&answer));
        Err(Forfeit { by: Ending::IllegalAction, why })
    }

    fn choose(
        &self,
        process: &mut Process,
        settings: &Settings,
        game: &Referee<G>,
    ) -> Result<G::Move, Forfeit> {
        let (position, order, patience) = (game.position(), settings.coordinates, settings.patience());
        process.tell(&(self.position)(position, order));
        let missing = || format!("time: no move after {:.1} s", patience.as_secs_f64());
        let answer = process.line(Instant::now() + patience, missing)?;
        let legal =
            |order| (self.read_move)(&answer, order).map(|m| Some(m).filter(|m| position.is_legal(*m)));
        match legal(order) {
            Ok(Some(m)) => Ok(m),
            Ok(None) => {
                let other = order.other();
                let swapped = legal(other).ok().flatten().map(|m| position.move_text(m));
                let hint = |m| format!(" (with coordinates={other} that would be {m}, a legal move)");
                Err(illegal(&answer, position, &swapped.map_or(String::new(), hint)))
            }
            Err(error) => {
                let why = format!("an answer that is no move: {error}, in {position}");
                Err(Forfeit { by: Ending::IllegalMove, why })
            }
        }
    }

    fn farewell(&self) -> &'static str {
        self.end
    }

    fn plays_on(&self) -> bool {
        false
    }
}
