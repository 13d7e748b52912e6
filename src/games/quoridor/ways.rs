//! Where the walls let a pawn go, and how far it is to the other side. Pawns do not block ways.

use super::{Bitboard, Lie, Square, Wall, Walls};

/// From which squares a step leads on: all that distances depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passages {
    /// The squares from which one can step up, which are those above which one can step down.
    north: Bitboard,
    /// The squares from which one can step right.
    east: Bitboard,
}

/// A direction in which a pawn can step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    North,
    East,
    South,
    West,
}

impl Step {
    pub(super) const ALL: [Step; 4] = [Step::North, Step::East, Step::South, Step::West];

    /// The two directions at right angles.
    pub(super) const fn aside(self) -> [Step; 2] {
        match self {
            Step::North | Step::South => [Step::East, Step::West],
            Step::East | Step::West => [Step::North, Step::South],
        }
    }
}

impl Passages {
    /// What these walls and the edge leave open.
    pub fn new(walls: &Walls) -> Passages {
        let Walls { across, upright } = *walls;
        Passages {
            north: Bitboard::FULL - (Bitboard::LAST_RANK | across | across.east()),
            east: Bitboard::FULL - (Bitboard::LAST_FILE | upright | upright.north()),
        }
    }

    /// The same with one more wall.
    pub fn with(self, wall: Wall) -> Passages {
        let corner = wall.corner().bit();
        match wall.lie() {
            Lie::Across => Passages { north: self.north - (corner | corner.east()), ..self },
            Lie::Upright => Passages { east: self.east - (corner | corner.north()), ..self },
        }
    }

    /// Where a step in this direction leads from these squares.
    #[inline]
    pub(super) fn step(self, from: Bitboard, step: Step) -> Bitboard {
        match step {
            Step::North => (from & self.north).north(),
            Step::East => (from & self.east).east(),
            Step::South => from.south() & self.north,
            Step::West => from.west() & self.east,
        }
    }

    /// These squares and all that are one step away: whole rows at once.
    #[inline]
    fn spread(self, from: Bitboard) -> Bitboard {
        from | self.step(from, Step::North)
            | self.step(from, Step::East)
            | self.step(from, Step::South)
            | self.step(from, Step::West)
    }

    /// How many steps it takes from a square to the nearest of `goal`; `None` if there is no way.
    ///
    /// ```
    /// use dobutsu_ga::game::Side;
    /// use dobutsu_ga::games::quoridor::{Bitboard, Passages, Walls};
    /// let open = Passages::new(&Walls::default());
    /// assert_eq!(open.distance("e1".parse().unwrap(), Bitboard::goal(Side::First)), Some(8));
    /// ```
    #[inline]
    pub fn distance(self, from: Square, goal: Bitboard) -> Option<u32> {
        let mut reached = from.bit();
        let mut steps = 0;
        while !reached.meets(goal) {
            let further = self.spread(reached);
            if further == reached {
                return None;
            }
            reached = further;
            steps += 1;
        }
        Some(steps)
    }

    /// One of the shortest ways from a square to `goal`, always the same; `None` if there is none.
    pub fn way(self, from: Square, goal: Bitboard) -> Option<Way> {
        // The squares within so many steps of the goal, until the pawn's is among them.
        let mut within = [Bitboard::EMPTY; 82];
        within[0] = goal;
        let mut length = 0;
        while !within[length].meets(from.bit()) {
            within[length + 1] = self.spread(within[length]);
            if within[length + 1] == within[length] {
                return None;
            }
            length += 1;
        }
        let mut way = Way { length: length as u32, ..Way::default() };
        let mut here = from.bit();
        way.squares = here;
        for nearer in within[..length].iter().rev() {
            // Every square on the way has a neighbour that is one step nearer to the goal.
            for step in Step::ALL {
                let there = self.step(here, step) & *nearer;
                if there.is_empty() {
                    continue;
                }
                match step {
                    Step::North => way.north |= here,
                    Step::South => way.north |= there,
                    Step::East => way.east |= here,
                    Step::West => way.east |= there,
                }
                here = there;
                break;
            }
            way.squares |= here;
        }
        Some(way)
    }

    /// The squares on any of the shortest ways from a square to `goal`.
    pub fn shortest(self, from: Square, goal: Bitboard) -> Bitboard {
        let Some(length) = self.distance(from, goal) else { return Bitboard::EMPTY };
        let layers = |start: Bitboard| {
            let mut within = vec![start];
            (0..length).for_each(|i| within.push(self.spread(within[i as usize])));
            within
        };
        let (there, back) = (layers(from.bit()), layers(goal));
        (0..=length as usize).fold(Bitboard::EMPTY, |on, i| on | (there[i] & back[length as usize - i]))
    }
}

/// A way from a pawn to its goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// How many steps.
    pub length: u32,
    /// The squares on it, with both ends.
    pub squares: Bitboard,
    /// The squares from which, or down to which, it steps from rank to rank.
    north: Bitboard,
    /// The squares from which, or left to which, it steps from file to file.
    east: Bitboard,
}

impl Way {
    /// The places where a wall would lie across this way.
    pub fn blocked_by(&self) -> Walls {
        Walls {
            across: (self.north | self.north.west()) & Walls::SLOTS,
            upright: (self.east | self.east.south()) & Walls::SLOTS,
        }
    }
}
