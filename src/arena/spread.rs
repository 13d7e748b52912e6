//! Games that are played wherever there is a free thread, in this process or another.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::game::{play_games, play_until, played};
use super::{Conditions, Pairing, Played};
use crate::crew;
use crate::game::{Ending, Referee, legal_moves};
use crate::players::{Forfeit, Playable, PlayerSpec};

/// Players, their pairings and the conditions under which they meet.
#[derive(Serialize, Deserialize)]
#[serde(bound = "G: Playable")]
pub struct Games<G: Playable> {
    players: Vec<PlayerSpec<G>>,
    pairings: Vec<Pairing>,
    conditions: Conditions<G>,
}

/// A game as it travels: each move by its number among the legal ones.
#[derive(Serialize, Deserialize)]
pub struct Line {
    moves: Vec<u16>,
    /// By what it was given up, in a word and in a sentence.
    forfeit: Option<(String, String)>,
}

/// So many games are one piece of work at most: a message takes a while.
const MOST_TOGETHER: usize = 64;
/// Into about so many pieces games are split, so that nobody has to wait long for the last one.
const PIECES: usize = 256;

impl<G: Playable> Games<G> {
    /// Of these players.
    pub fn new(players: &[PlayerSpec<G>], pairings: &[Pairing], conditions: &Conditions<G>) -> Games<G> {
        Games { players: players.to_vec(), pairings: pairings.to_vec(), conditions: *conditions }
    }

    /// Plays these games as [`play_until`] does, wherever there is a free thread. With several processes `stop` has no effect.
    pub fn play(
        &self,
        stop: &AtomicBool,
        schedule: &[(usize, usize)],
        done: &(dyn Fn() + Sync),
    ) -> Vec<Played<G>> {
        match crew::is_many() {
            true => self.spread(schedule, done),
            false => play_until(stop, &self.players, &self.pairings, schedule, &self.conditions, done),
        }
    }

    fn spread(&self, schedule: &[(usize, usize)], done: &(dyn Fn() + Sync)) -> Vec<Played<G>> {
        let together = (schedule.len() / PIECES).clamp(1, MOST_TOGETHER);
        let items: Vec<Vec<(usize, usize)>> = schedule.chunks(together).map(<[_]>::to_vec).collect();
        let lines = crew::run(self, &items, done, &|_, _| Ok::<(), std::convert::Infallible>(()));
        let Ok(lines) = lines;
        self.replay(schedule, lines.into_iter().flatten().collect())
    }

    /// Games as they can be kept or sent elsewhere.
    pub fn lines(&self, played: &[Played<G>]) -> Vec<Line> {
        played.iter().map(|played| self.line(played)).collect()
    }

    /// The games of this part of the schedule, from their lines.
    pub fn replay(&self, schedule: &[(usize, usize)], lines: Vec<Line>) -> Vec<Played<G>> {
        schedule.iter().zip(lines).map(|(slot, line)| self.replay_one(*slot, line)).collect()
    }

    fn line(&self, played: &Played<G>) -> Line {
        let mut position = self.conditions.start();
        let number = |m: &G::Move| {
            let moves = legal_moves(&position);
            position = position.play(*m);
            moves.iter().position(|legal| legal == m).expect("a move that was played") as u16
        };
        let forfeit = played.forfeit.as_ref().map(|Forfeit { by, why }| (by.to_string(), why.clone()));
        Line { moves: played.moves.iter().map(number).collect(), forfeit }
    }

    fn replay_one(&self, slot: (usize, usize), line: Line) -> Played<G> {
        let mut game = Referee::within(self.conditions.start(), self.conditions.limits);
        for number in line.moves {
            game.play(legal_moves(game.position())[usize::from(number)]);
        }
        let turn = game.position().side_to_move();
        let forfeit = line.forfeit.map(|(by, why)| {
            let by = Ending::named(&by).expect("a word that records have");
            Forfeit { by, why }
        });
        let verdict = forfeit.as_ref().map(|forfeit| forfeit.verdict(turn)).or_else(|| game.verdict());
        played(&self.pairings, slot, &game, (verdict.expect("a game that is over"), forfeit))
    }
}

impl<G: Playable> crew::Work for Games<G> {
    const KIND: &'static str = "games";
    const GAME: &'static str = G::NAME;
    type Item = Vec<(usize, usize)>;
    type Output = Vec<Line>;

    fn run(&self, slots: &Vec<(usize, usize)>, step: &(dyn Fn() + Sync)) -> Vec<Line> {
        let Games { players, pairings, conditions } = self;
        self.lines(&play_games(players, pairings, slots, conditions, step))
    }

    fn steps(&self, slots: &Vec<(usize, usize)>) -> u64 {
        slots.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{match_pairing, schedule};
    use crate::games::{hasami, quoridor};

    fn travels<G: Playable>(players: [&str; 2]) {
        let players: Vec<PlayerSpec<G>> =
            players.iter().map(|name| name.parse().expect("a player")).collect();
        let (pairings, conditions) = (match_pairing(6), Conditions::<G>::new(G::Rules::default(), 3));
        let slots = schedule(&pairings);
        let here = play_games(&players, &pairings, &slots, &conditions, &|| ());
        let there = Games::new(&players, &pairings, &conditions).spread(&slots, &|| ());
        for (one, two) in here.iter().zip(&there) {
            assert_eq!((one.scored, &one.moves, &one.forfeit), (two.scored, &two.moves, &two.forfeit));
        }
        assert_eq!(here.len(), there.len());
    }

    #[test]
    fn games_come_back_as_they_were_played() {
        travels::<crate::games::dobutsu::Position>(["random", "material:depth=1"]);
        travels::<crate::games::kyoto::Position>(["random", "S:depth=1"]);
        travels::<quoridor::Position>(["plain:depth=1", "random"]);
        travels::<hasami::Position>(["random", "random"]);
    }
}
