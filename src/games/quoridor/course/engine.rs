//! The engine's side: a player of ours answers a server.

use std::io::{self, BufRead, Write};

use rand_chacha::ChaCha8Rng;

use super::{CourseError, LONGEST_LINE, Line, move_line, read_line, side_line};
use crate::game::{Coordinates, Game, Limits, Referee, Side, Usual};
use crate::games::quoridor::{Move, Position};
use crate::players::{Forfeit, Player, PlayerSpec};
use crate::program::{Line as Read, next_line, skip_line};
use crate::random::stream;
use crate::search::SearchLimits;

/// A player who answers the lines of the course's protocol.
pub struct Engine {
    spec: PlayerSpec<Position>,
    player: Box<dyn Player<Position>>,
    random: ChaCha8Rng,
    seed: u64,
    order: Coordinates,
    side: Option<Side>,
    game: Referee<Position>,
}

impl Engine {
    /// A player that has not been told its side yet. All its chance comes from the seed.
    pub fn new(spec: PlayerSpec<Position>, seed: u64, order: Coordinates) -> Engine {
        let game = new_game(Position::start(Usual::Usual));
        Engine { player: spec.build(), random: stream(seed, 0, 0), spec, seed, order, side: None, game }
    }

    /// Answers until the server ends the game or the input ends. `complain` is told of every line that cannot be answered.
    pub fn serve(
        &mut self,
        mut input: impl BufRead,
        out: &mut dyn Write,
        complain: &mut dyn FnMut(&str),
    ) -> io::Result<()> {
        loop {
            let line = match next_line(&mut input, LONGEST_LINE) {
                Ok(Some(Read::Whole(text))) => read_line(&text, self.side, self.order),
                Ok(Some(Read::TooLong)) => {
                    skip_line(&mut input).map_or(Ok(Line::End), |()| Err(CourseError::TooLong))
                }
                Ok(None) => return Ok(()),
                Err(error) => {
                    complain(&format!("cannot read what the server says: {error}"));
                    return Ok(());
                }
            };
            let answer = match line {
                Ok(Line::Side(side)) => self.begin(side).to_string(),
                Ok(Line::Position(position)) => match self.answer(position) {
                    Ok(m) => move_line(m, self.order),
                    Err(forfeit) => {
                        complain(&format!("the player gives up: {forfeit}"));
                        return Ok(());
                    }
                },
                Ok(Line::End) => return Ok(()),
                Err(error) => {
                    complain(&error.to_string());
                    continue;
                }
            };
            writeln!(out, "{answer}")?;
            out.flush()?;
        }
    }

    /// A game begins, with this side.
    fn begin(&mut self, side: Side) -> &'static str {
        *self = Engine { side: Some(side), ..Engine::new(self.spec.clone(), self.seed, self.order) };
        side_line(side)
    }

    /// The player's move in the position that was told.
    fn answer(&mut self, told: Position) -> Result<Move, Forfeit> {
        follow(&mut self.game, told);
        let m = self.player.choose(&self.game, &mut self.random, &SearchLimits::NONE, &mut |_| ())?;
        self.game.play(m);
        Ok(m)
    }
}

/// No limits: whether a game goes on is the server's to say.
fn new_game(start: Position) -> Referee<Position> {
    Referee::within(start, Limits { ply_cap: usize::MAX, repetition: false })
}

/// Brings a game to the position told. Usually the other side has made one move; the server may also have taken moves back, or
/// put other moves in their place. If nothing of the kind explains the position, the game begins there.
fn follow(game: &mut Referee<Position>, told: Position) {
    let back = game.positions().iter().rposition(|position| *position == told);
    let last = game.moves().len();
    let mut others =
        (0..=last).rev().filter_map(|ply| Some((ply, moves_between(&game.positions()[ply], &told)?)));
    let found = match (others.next(), back) {
        // What goes on from here explains it best.
        (Some((ply, moves)), _) if ply == last => Some((ply, moves)),
        (_, Some(ply)) => Some((ply, Vec::new())),
        (found, None) => found,
    };
    let Some((ply, moves)) = found else {
        *game = new_game(told);
        return;
    };
    while game.moves().len() > ply {
        game.undo();
    }
    moves.into_iter().for_each(|m| game.play(m));
}

/// The moves that lead from one position to another, where no more than two are needed.
fn moves_between(from: &Position, to: &Position) -> Option<Vec<Move>> {
    if from == to {
        return Some(Vec::new());
    }
    let one = steps_towards(from, to);
    if from.turn() != to.turn() {
        return one.into_iter().find(|m| from.play(*m) == *to).map(|m| vec![m]);
    }
    one.into_iter().find_map(|m| {
        let then = from.play(m);
        // If that ended the game, no move follows.
        let last = steps_towards(&then, to).into_iter().find(|last| then.play(*last) == *to)?;
        Some(vec![m, last])
    })
}

/// The only moves that can be the mover's part of a change within two plies: its pawn goes where it is then, or one of the new
/// walls is placed.
fn steps_towards(from: &Position, to: &Position) -> Vec<Move> {
    let step = Move::Step(to.pawn(from.turn()));
    let new = to.walls().iter().filter(|wall| !from.walls().has(*wall)).map(Move::Place);
    std::iter::once(step).chain(new).filter(|m| from.is_legal(*m)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::legal_moves;
    use crate::random::pick;

    fn played(moves: &[&str]) -> Referee<Position> {
        let mut game = new_game(Position::start(Usual::Usual));
        for text in moves {
            let m = game.position().parse_move(text).unwrap();
            game.try_play(m).unwrap();
        }
        game
    }

    /// The history that a game has after it was told where another one is.
    fn followed(ours: &[&str], told: &[&str]) -> Vec<String> {
        let (mut game, told) = (played(ours), *played(told).position());
        follow(&mut game, told);
        assert_eq!(*game.position(), told);
        game.moves().iter().map(Move::to_string).collect()
    }

    #[test]
    fn history_is_found_where_there_is_one() {
        assert_eq!(followed(&[], &[]), [""; 0]);
        assert_eq!(followed(&[], &["e2"]), ["e2"]);
        assert_eq!(followed(&["e2"], &["e2", "e3h"]), ["e2", "e3h"]);
        // Our move was not taken: another one stands in its place.
        assert_eq!(followed(&["e2", "e8", "e3"], &["e2", "e8", "a1h", "e7"]), ["e2", "e8", "a1h", "e7"]);
        assert_eq!(followed(&["e2", "e8", "e3"], &["e2", "e8", "a1h", "c1h"]), ["e2", "e8", "a1h", "c1h"]);
        // The same question again, and moves taken back.
        assert_eq!(followed(&["e2", "e8", "e3"], &["e2", "e8"]), ["e2", "e8"]);
        assert_eq!(followed(&["e2", "e8", "e3", "e7", "e4"], &[]), [""; 0]);
        // Nothing explains it.
        assert_eq!(followed(&["e2"], &["a1h", "a8h", "c1h", "c8h", "e2"]), [""; 0]);
    }

    #[test]
    fn whole_games_are_followed_from_either_side() {
        for side in Side::BOTH {
            let mut random = stream(3, 0, 0);
            let mut game = new_game(Position::start(Usual::Usual));
            let mut known = game.clone();
            while game.verdict().is_none() {
                if game.position().turn() == side {
                    follow(&mut known, *game.position());
                    assert_eq!(known.moves(), game.moves());
                }
                let m = pick(&mut random, &legal_moves(game.position()));
                if game.position().turn() == side {
                    known.play(m);
                }
                game.play(m);
            }
        }
    }
}
