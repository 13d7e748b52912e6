//! What a client says, line by line: UCI and USI together, as the few words that differ never mean two things.

use std::time::Duration;

use crate::game::Side;

/// One line of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Uci,
    Usi,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: String,
    },
    Position {
        place: Place,
        moves: Vec<String>,
    },
    Go(Go),
    Stop,
    Quit,
    /// Nothing that has to be answered.
    Nothing,
    /// Nothing that is known.
    Unknown,
}

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Start,
    Fen(String),
    Sfen(String),
}

/// What `go` allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
    pub white: ClockTime,
    pub black: ClockTime,
    pub moves_to_go: Option<u32>,
    pub byoyomi: Option<Duration>,
    pub infinite: bool,
}

/// What a side has on its clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ClockTime {
    pub left: Option<Duration>,
    pub increment: Duration,
}

/// Reads a line. Nothing that is sent is an error: what makes no sense is unknown, and a number that is none is not there.
pub(super) fn read(line: &str) -> Command {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        [] => Command::Nothing,
        ["uci"] => Command::Uci,
        ["usi"] => Command::Usi,
        ["isready"] => Command::IsReady,
        ["ucinewgame" | "usinewgame"] => Command::NewGame,
        ["setoption", rest @ ..] => set_option(rest),
        ["position", rest @ ..] => position(rest),
        ["go", rest @ ..] => Command::Go(go(rest)),
        ["stop" | "ponderhit"] => Command::Stop,
        ["quit"] => Command::Quit,
        ["debug" | "register" | "gameover", ..] => Command::Nothing,
        _ => Command::Unknown,
    }
}

/// `name A B value C D`: both may have blanks.
fn set_option(words: &[&str]) -> Command {
    let ["name", rest @ ..] = words else { return Command::Unknown };
    let at = rest.iter().position(|word| *word == "value").unwrap_or(rest.len());
    let value = rest.get(at + 1..).unwrap_or_default().join(" ");
    Command::SetOption { name: rest[..at].join(" "), value }
}

fn position(words: &[&str]) -> Command {
    let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let place = match &words[..at] {
        ["startpos"] => Place::Start,
        ["fen", text @ ..] if !text.is_empty() => Place::Fen(text.join(" ")),
        ["sfen", text @ ..] if !text.is_empty() => Place::Sfen(text.join(" ")),
        _ => return Command::Unknown,
    };
    let moves = words.get(at + 1..).unwrap_or_default();
    Command::Position { place, moves: moves.iter().map(|word| word.to_string()).collect() }
}

fn go(words: &[&str]) -> Go {
    let mut go = Go::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if matches!(*word, "infinite" | "ponder") {
            go.infinite = true;
            continue;
        }
        let slot = |number: &str| number.parse::<i64>().ok().map(|number| number.max(0).unsigned_abs());
        // Only words with a number take the next one.
        let known =
            ["depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo", "byoyomi", "mate"];
        let Some(number) = known.contains(word).then(|| words.next()).flatten().and_then(|text| slot(text))
        else {
            continue;
        };
        let time = Duration::from_millis(number);
        match *word {
            "depth" => go.depth = Some(u32::try_from(number).unwrap_or(u32::MAX)),
            "nodes" => go.nodes = Some(number),
            "movetime" => go.time = Some(time),
            "wtime" => go.white.left = Some(time),
            "btime" => go.black.left = Some(time),
            "winc" => go.white.increment = time,
            "binc" => go.black.increment = time,
            "movestogo" => go.moves_to_go = Some(u32::try_from(number).unwrap_or(u32::MAX)),
            "byoyomi" => go.byoyomi = Some(time),
            _ => {}
        }
    }
    go
}

/// The rest of a game is expected to take so many moves.
const MOVES_LEFT: u32 = 30;

/// The answer has to be brought home too: a tenth of the time is kept for that, but no more than this.
const MOST_MARGIN: Duration = Duration::from_millis(10);

/// No search gets more time than this.
const LONGEST: Duration = Duration::from_secs(1_000_000);

impl Go {
    /// How long this side may think about its move, if that is said. `first_is_black` in USI.
    pub(super) fn time_for(&self, side: Side, first_is_black: bool) -> Option<Duration> {
        let clock = if (side == Side::First) == first_is_black { self.black } else { self.white };
        let budget = match (self.time, clock.left, self.byoyomi) {
            (Some(time), ..) => time,
            (None, None, None) => return None,
            (None, left, byoyomi) => {
                let (left, byoyomi) = (left.unwrap_or_default(), byoyomi.unwrap_or_default());
                let moves = self.moves_to_go.unwrap_or(MOVES_LEFT).clamp(1, 1_000);
                let share = left.min(LONGEST) / moves + clock.increment.min(LONGEST) * 3 / 4;
                // However it goes, something is left for the moves to come.
                let most = if moves == 1 { left.min(LONGEST) } else { left.min(LONGEST) / 2 };
                share.min(most) + byoyomi.min(LONGEST)
            }
        };
        let budget = budget.min(LONGEST);
        Some((budget - (budget / 10).min(MOST_MARGIN)).max(Duration::from_millis(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    #[test]
    fn lines_are_understood() {
        assert_eq!(read("  uci \r"), Command::Uci);
        assert_eq!(read("usi"), Command::Usi);
        assert_eq!(read("usinewgame"), Command::NewGame);
        assert_eq!(read(""), Command::Nothing);
        assert_eq!(read("gameover win"), Command::Nothing);
        for unknown in
            ["hello", "position", "position fen", "position moves a1a2", "setoption", "uci now", "\u{fffd}"]
        {
            assert_eq!(read(unknown), Command::Unknown, "{unknown}");
        }
        assert_eq!(
            read("setoption name Skill Level value a b"),
            Command::SetOption { name: "Skill Level".to_string(), value: "a b".to_string() }
        );
        assert_eq!(
            read("setoption name Clear"),
            Command::SetOption { name: "Clear".to_string(), value: String::new() }
        );
        assert_eq!(
            read("position fen a b c moves d e"),
            Command::Position {
                place: Place::Fen("a b c".to_string()),
                moves: vec!["d".to_string(), "e".to_string()]
            }
        );
        assert_eq!(read("position startpos moves"), Command::Position { place: Place::Start, moves: vec![] });
    }

    #[test]
    fn what_is_no_number_is_not_there() {
        let expected = Go { depth: Some(4), time: Some(ms(0)), infinite: true, ..Go::default() };
        assert_eq!(go(&["depth", "4", "nodes", "many", "movetime", "-5", "infinite", "later"]), expected);
        assert_eq!(go(&["depth"]), Go::default());
        assert_eq!(go(&["depth", "99999999999"]).depth, Some(u32::MAX));
    }

    #[test]
    fn clocks_are_shared_out() {
        let time = |line: &str, side, usi| match read(line) {
            Command::Go(go) => go.time_for(side, usi),
            _ => None,
        };
        let (first, second) = (Side::First, Side::Second);
        assert_eq!(time("go depth 3", first, false), None);
        assert_eq!(time("go movetime 1000", second, false), Some(ms(990)));
        assert_eq!(time("go movetime 50", first, false), Some(ms(45)));
        assert_eq!(time("go movetime 0", first, false), Some(ms(1)));
        // White moves first in UCI, black in USI.
        assert_eq!(time("go wtime 60000 btime 3000", first, false), Some(ms(1990)));
        assert_eq!(time("go wtime 60000 btime 3000", second, false), Some(ms(90)));
        assert_eq!(time("go wtime 60000 btime 3000", first, true), Some(ms(90)));
        assert_eq!(time("go btime 0 wtime 0 byoyomi 1000", first, true), Some(ms(990)));
        assert_eq!(time("go wtime 100 btime 100 winc 5000 binc 0", first, false), Some(ms(45)));
        assert_eq!(time("go wtime 900 btime 1 movestogo 1", first, false), Some(ms(890)));
        assert_eq!(time("go wtime 99999999999999999", first, false).map(|time| time > ms(1_000)), Some(true));
    }
}
