//! Our players as engines: the universal chess interface (UCI) and the universal shogi interface (USI), for every game.
//! `docs/engines.md` explains it.

mod command;
mod conversation;
mod options;

use std::io::{BufRead, Write};
use std::sync::mpsc::{Sender, channel};
use std::{io, thread};

use crate::games::GameName;
use crate::program::{Line, next_line, skip_line};
use crate::session::text_game;
use conversation::Conversation;
use options::Options;

/// How many bytes a line may have: the moves of the longest game there is.
const LONGEST_LINE: usize = 1 << 20;

/// With what an engine begins; a client can set all of it.
#[derive(Clone, Debug)]
pub struct UciSetup {
    /// The game.
    pub game: GameName,
    /// The player, as it is named everywhere.
    pub player: String,
    /// The rules, if not those that other programs play by.
    pub rules: Option<String>,
    /// Where the player's chance comes from.
    pub seed: u64,
}

impl UciSetup {
    fn options(&self) -> Options {
        Options::new(&self.player, self.rules.clone(), self.seed)
    }

    /// Says what is wrong with it, if anything.
    pub fn check(&self) -> Result<(), String> {
        self.options().prepare(&*text_game(self.game, None)).map(|_| ())
    }
}

/// What the engine waits for.
enum Event {
    /// The client says something.
    Line(String),
    /// The client will say nothing more.
    End,
    /// The player says something in the search of this number.
    Said(u64, String),
    /// Its last word: that search is over.
    Answered(u64, String),
}

/// Answers a client until it ends.
pub fn serve(setup: &UciSetup, input: impl BufRead + Send + 'static, out: &mut dyn Write) -> io::Result<()> {
    let (events, inbox) = channel();
    let reader = events.clone();
    thread::spawn(move || read_lines(input, &reader));
    Conversation::new(setup.game, setup.options(), events, inbox, out)?.run(out)
}

fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
    loop {
        let event = match next_line(&mut input, LONGEST_LINE) {
            Ok(Some(Line::Whole(line))) => Event::Line(line),
            // Nothing that long makes sense.
            Ok(Some(Line::TooLong)) => match skip_line(&mut input) {
                Ok(()) => Event::Line("?".to_string()),
                Err(_) => Event::End,
            },
            Ok(None) | Err(_) => Event::End,
        };
        let last = matches!(event, Event::End);
        if events.send(event).is_err() || last {
            return;
        }
    }
}
