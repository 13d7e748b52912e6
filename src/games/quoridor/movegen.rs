//! Which moves are legal.

use rand_chacha::ChaCha8Rng;

use super::ways::Step;
use super::{Bitboard, Move, Passages, Position, TextError, Wall, Walls};
use crate::game::{Game, Outcome, Side, Symmetric, Symmetry, Usual};
use crate::random::below;

impl Position {
    /// Where the pawn of the side to move can go. There is always a square: a way leads to the goal, and if the other pawn stands
    /// on its first square, the way goes on from there, straight or to a side, or that square is the goal; then the other
    /// pawn's own way leads out of it, to a side or back past this pawn.
    pub fn steps(&self) -> Bitboard {
        let passages = self.passages();
        let (own, other) = (self.pawns[self.turn].bit(), self.pawns[!self.turn].bit());
        let mut steps = Bitboard::EMPTY;
        let mut faced = None;
        for step in Step::ALL {
            let there = passages.step(own, step);
            steps |= there;
            if there == other {
                faced = Some(step);
            }
        }
        match faced {
            None => steps,
            Some(step) => (steps - other) | past(passages, other, step),
        }
    }

    /// The walls that the side to move may place.
    pub fn legal_walls(&self) -> Walls {
        if self.left[self.turn] == 0 {
            return Walls::default();
        }
        let free = self.walls.free();
        let mut legal = free;
        for wall in self.suspects(free).iter() {
            if self.shuts_in(wall) {
                legal = legal.without(wall);
            }
        }
        legal
    }

    /// The free places near pawns and walls: those that touch a corner of a pawn's square, or a wall with an end or the middle.
    /// Some of them may shut somebody in.
    pub fn near_walls(&self) -> Walls {
        let corners = |side: Side| {
            let pawn = self.pawns[side].bit();
            // The crossings at its four corners, by the square at their lower left; those on the edge fall away.
            let right = pawn | pawn.south();
            right | (right - Bitboard::FIRST_FILE).west()
        };
        let points = corners(Side::First) | corners(Side::Second) | self.walls.touched();
        Walls::around(points).and(self.walls.free())
    }

    /// Calls `see` with every step, and every wall of these free places that shuts nobody in, and how long the ways of the mover
    /// and of the other are after it.
    pub fn after_each(&self, places: Walls, mut see: impl FnMut(Move, u32, u32)) {
        let us = self.turn();
        let passages = self.passages();
        let (own_goal, other_goal) = (Bitboard::goal(us), Bitboard::goal(!us));
        let (own_way, other_way) = (self.way(us), self.way(!us));
        for to in self.steps() {
            let own =
                passages.distance(to, own_goal).expect("who was not shut in is not shut in a step later");
            see(Move::Step(to), own, other_way.length);
        }
        // A wall that does not lie across a way leaves it as it is, and shuts nobody in.
        let (own_blocked, other_blocked) = (own_way.blocked_by(), other_way.blocked_by());
        for wall in places.iter() {
            let after = passages.with(wall);
            let own = match own_blocked.has(wall) {
                true => after.distance(self.pawn(us), own_goal),
                false => Some(own_way.length),
            };
            let other = match other_blocked.has(wall) {
                true => after.distance(self.pawn(!us), other_goal),
                false => Some(other_way.length),
            };
            if let (Some(own), Some(other)) = (own, other) {
                see(Move::Place(wall), own, other);
            }
        }
    }

    /// Those of these places where a wall might shut somebody in: it closes a ring and lies across a way.
    fn suspects(&self, places: Walls) -> Walls {
        let closing = places.and(self.walls.closing());
        if closing.is_empty() {
            return closing;
        }
        let blocked = |side: Side| self.way(side).blocked_by();
        closing.and(blocked(Side::First).or(blocked(Side::Second)))
    }

    /// Whether a wall here would leave a pawn without any way to its goal.
    fn shuts_in(&self, wall: Wall) -> bool {
        let passages = self.passages().with(wall);
        let shut = |side: Side| passages.distance(self.pawns[side], Bitboard::goal(side)).is_none();
        Side::BOTH.into_iter().any(shut)
    }

    fn may_place(&self, wall: Wall) -> bool {
        self.left[self.turn] > 0
            && self.walls.free().has(wall)
            && !(self.walls.closing().has(wall) && self.shuts_in(wall))
    }

    /// Whether a side could arrive at once if it were its turn.
    fn could_arrive(&self, side: Side) -> bool {
        let asked = Position { turn: side, ..*self };
        asked.steps().meets(Bitboard::goal(side))
    }
}

/// Where a pawn lands that jumps over another: straight on, or to either side if something is behind it.
fn past(passages: Passages, other: Bitboard, step: Step) -> Bitboard {
    let straight = passages.step(other, step);
    if !straight.is_empty() {
        return straight;
    }
    let [one, two] = step.aside();
    passages.step(other, one) | passages.step(other, two)
}

impl Game for Position {
    const NAME: &'static str = "quoridor";
    const TITLE: &'static str = "Quoridor (9x9, pawns and walls)";
    const NOTATIONS: &'static [&'static str] = &["squares"];

    type Rules = Usual;
    type Array = Usual;
    type Move = Move;
    /// A position has no history and is small, so it is its own key.
    type Key = Position;
    type ParseError = TextError;

    /// No rule about repetition is published, and pawns could shuffle for ever.
    fn repetitions(_: Usual) -> Option<usize> {
        Some(3)
    }

    fn start(_: Usual) -> Position {
        super::notation::START
    }

    fn rules(&self) -> Usual {
        Usual::Usual
    }

    fn side_to_move(&self) -> Side {
        self.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn decided_by(&self) -> Option<&'static str> {
        self.outcome().map(|_| "goal")
    }

    /// Steps first, then walls that lie across, then upright ones, each from a1 on.
    fn moves(&self, buffer: &mut Vec<Move>) {
        if self.outcome().is_some() {
            return;
        }
        for to in self.steps() {
            buffer.push(Move::Step(to));
        }
        for wall in self.legal_walls().iter() {
            buffer.push(Move::Place(wall));
        }
    }

    fn count_moves(&self, _: &mut Vec<Move>) -> usize {
        match self.outcome() {
            Some(_) => 0,
            None => self.steps().len() + self.legal_walls().len(),
        }
    }

    fn is_legal(&self, m: Move) -> bool {
        self.outcome().is_none()
            && match m {
                Move::Step(to) => self.steps().meets(to.bit()),
                Move::Place(wall) => self.may_place(wall),
            }
    }

    fn play(&self, m: Move) -> Position {
        self.play(m)
    }

    fn key(&self) -> Position {
        *self
    }

    fn parse(text: &str, _: Usual) -> Result<Position, TextError> {
        super::notation::parse(text)
    }

    fn move_texts(&self, m: Move) -> Vec<String> {
        vec![m.to_string()]
    }

    fn own_move_may_lose(&self) -> bool {
        false
    }

    fn next_move_wins(&self) -> Option<bool> {
        Some(self.could_arrive(self.turn))
    }

    fn is_calm(&self) -> bool {
        self.outcome().is_none() && !Side::BOTH.into_iter().any(|side| self.could_arrive(side))
    }

    /// Draws among the steps and all places of the board, and again if a wall is not legal there: most walls are never asked
    /// about, and nothing is counted.
    fn random_move(&self, random: &mut ChaCha8Rng) -> Move {
        let mut targets = [self.pawns[self.turn]; 8];
        let mut steps = 0;
        for to in self.steps() {
            targets[steps] = to;
            steps += 1;
        }
        let places = if self.left[self.turn] > 0 { 2 * Walls::PLACES } else { 0 };
        loop {
            let wall = match below(random, steps + places) {
                n if n < steps => return Move::Step(targets[n]),
                n => Wall::of_number(n - steps),
            };
            if self.may_place(wall) {
                return Move::Place(wall);
            }
        }
    }
}

impl Symmetric for Position {
    fn transform(&self, symmetry: Symmetry) -> Position {
        self.transform(symmetry)
    }

    fn transform_move(m: Move, symmetry: Symmetry) -> Move {
        m.transform(symmetry)
    }
}
