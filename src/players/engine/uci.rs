//! UCI and USI: the same conversation in two sets of words.

use std::time::{Duration, Instant};

use super::{Allowance, Process, Protocol, Settings, illegal};
use crate::game::{Ending, Game, Referee, Side, Spoken, legal_moves};
use crate::players::{Forfeit, Playable};

/// How many bytes a line may have that a program writes: a long line of play has some thousand.
const LONGEST_LINE: usize = 65_536;

/// The words that differ, and how positions and moves are written.
pub(super) struct Words<G: Game> {
    hello: &'static str,
    ok: &'static str,
    new_game: &'static str,
    fen: &'static str,
    time: &'static str,
    position: fn(&G) -> String,
    text: fn(&G, G::Move) -> String,
}

pub(super) fn uci<G: Spoken>() -> Words<G> {
    let (hello, ok, new_game, fen, time) = ("uci", "uciok", "ucinewgame", "fen", "movetime");
    Words { hello, ok, new_game, fen, time, position: G::fen, text: |position, m| position.move_text(m) }
}

pub(super) fn usi<G: Spoken>() -> Words<G> {
    let (hello, ok, new_game, fen) = ("usi", "usiok", "usinewgame", "sfen");
    let time = "btime 0 wtime 0 byoyomi";
    Words { hello, ok, new_game, fen, time, position: G::sfen, text: |position, m| position.usi(m) }
}

impl<G: Spoken> Words<G> {
    fn go_line(&self, allowance: Allowance) -> String {
        match allowance {
            Allowance::Depth(depth) => format!("go depth {depth}"),
            Allowance::Nodes(nodes) => format!("go nodes {nodes}"),
            Allowance::Time(time) => format!("go {} {}", self.time, time.as_millis().max(1)),
        }
    }

    /// The game so far, for a program that is to move.
    fn position_line(&self, game: &Referee<G>) -> String {
        let (positions, moves) = (game.positions(), game.moves());
        // Who knows only of legal moves cannot follow a game in which a king was left to be taken: for them it begins later.
        let from = positions.iter().rposition(|position| position.catch().is_some()).map_or(0, |ply| ply + 1);
        let start = positions[from];
        let place = match start == G::start(start.rules()) {
            true => "startpos".to_string(),
            false => format!("{} {}", self.fen, (self.position)(&start)),
        };
        let text = |(position, m): (&G, &G::Move)| format!(" {}", (self.text)(position, *m));
        let played: String = positions[from..].iter().zip(&moves[from..]).map(text).collect();
        format!("position {place}{}{played}", if played.is_empty() { "" } else { " moves" })
    }
}

/// Waits until it has done all it was told, whatever else it says.
fn ready(process: &mut Process, timeout: Duration) -> Result<(), Forfeit> {
    process.tell("isready");
    let deadline = Instant::now() + timeout;
    let missing = || format!("time: 'isready' was not answered in {timeout:?}");
    while process.line(deadline, missing)?.trim() != "readyok" {}
    Ok(())
}

impl<G: Playable> Protocol<G> for Words<G> {
    fn longest_line(&self) -> usize {
        LONGEST_LINE
    }

    fn hello(&self, process: &mut Process, settings: &Settings) -> Result<String, Forfeit> {
        process.tell(self.hello);
        let (mut name, mut offered) = (String::new(), Vec::new());
        let deadline = Instant::now() + settings.timeout;
        loop {
            let missing = || format!("'{}' was not answered by '{}'", self.hello, self.ok);
            match process.line(deadline, missing)?.trim() {
                line if line == self.ok => break,
                line => match (line.strip_prefix("id name "), line.strip_prefix("option name ")) {
                    (Some(said), _) => name = said.trim().to_string(),
                    (_, Some(option)) => offered.push(option.to_string()),
                    _ => {}
                },
            }
        }
        let options =
            own_options::<G>(settings, &offered).map_err(|why| Forfeit { by: Ending::Crash, why })?;
        for (name, value) in options {
            process.tell(&format!("setoption name {name} value {value}"));
        }
        ready(process, settings.timeout)?;
        Ok(name)
    }

    fn new_game(&self, process: &mut Process, _: &Settings, _: Side) -> Result<(), Forfeit> {
        process.tell(self.new_game);
        Ok(())
    }

    fn choose(
        &self,
        process: &mut Process,
        settings: &Settings,
        game: &Referee<G>,
    ) -> Result<G::Move, Forfeit> {
        // What it said before, asked or not, is no answer to this.
        ready(process, settings.timeout)?;
        process.tell(&self.position_line(game));
        process.tell(&self.go_line(settings.allowance));
        let patience = settings.patience();
        let deadline = Instant::now() + patience;
        loop {
            let missing = || format!("time: no move after {:.1} s", patience.as_secs_f64());
            let line = process.line(deadline, missing)?;
            if let Some(rest) = line.trim().strip_prefix("bestmove") {
                return read_move(rest.split_whitespace().next().unwrap_or_default(), game.position());
            }
        }
    }

    fn farewell(&self) -> &'static str {
        "quit"
    }

    fn plays_on(&self) -> bool {
        true
    }
}

fn read_move<G: Spoken>(answer: &str, position: &G) -> Result<G::Move, Forfeit> {
    let forfeit = |by, why| Err(Forfeit { by, why });
    match answer {
        "resign" => forfeit(Ending::Resignation, "it resigned".to_string()),
        "(none)" | "none" | "0000" | "" if is_mate(position) => {
            forfeit(Ending::Mate, "whatever it does, its king can be taken".to_string())
        }
        "(none)" | "none" | "0000" | "" => {
            forfeit(Ending::NoMove, format!("it answered no move ('bestmove {answer}') in {position}"))
        }
        text => position.heard_move(text).map_err(|_| illegal(text, position, "")),
    }
}

/// Whether every move leaves the king, or what the game has for one, to be taken.
fn is_mate<G: Spoken>(position: &G) -> bool {
    legal_moves(position).into_iter().all(|m| position.play(m).catch().is_some())
}

/// The options to set in a program that offers these: the variant, and what the user has asked for.
fn own_options<G: Spoken>(settings: &Settings, offered: &[String]) -> Result<Vec<(String, String)>, String> {
    let named = |name: &str| {
        let called = |option: &&String| {
            let option = option.split(" type ").next().unwrap_or_default();
            option.eq_ignore_ascii_case(name)
        };
        offered.iter().find(called)
    };
    let mut told = Vec::new();
    let variant = settings.variant.as_deref().unwrap_or(G::VARIANT);
    match named("UCI_Variant").or_else(|| named("USI_Variant")) {
        Some(option) => {
            let mut known = option.split(" var ").skip(1).map(str::trim);
            if !known.any(|name| name == variant) {
                return Err(format!(
                    "it does not play '{variant}': variant=NAME says what it calls the game"
                ));
            }
            let name = option.split(" type ").next().unwrap_or_default();
            told.push((name.to_string(), variant.to_string()));
        }
        None if settings.variant.is_some() => {
            return Err(format!("it has no option UCI_Variant: leave variant={variant} out"));
        }
        None => {}
    }
    for (name, value) in &settings.options {
        match named(name) {
            Some(_) => told.push((name.clone(), value.clone())),
            None => return Err(format!("it has no option '{name}'")),
        }
    }
    Ok(told)
}
