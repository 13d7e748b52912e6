//! The rules of Quoridor written down a second time, as plainly as possible and sharing no code with the library: a grid of 17
//! by 17 cells, every second of them a square and the others gaps for walls, and a search for every wall. Slow, and only here
//! to disagree with the fast one if either is wrong.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slow {
    /// `filled[y][x]`: even rows and columns are squares, from a1; the rest is filled where a wall is.
    filled: [[bool; 17]; 17],
    /// Where the pawns of the first and the second player stand, in cells.
    pawns: [(i32, i32); 2],
    left: [u32; 2],
    /// 0 for the first player, 1 for the second.
    turn: usize,
}

const AROUND: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

impl Slow {
    /// Reads a position that is known to be well formed.
    pub fn new(text: &str) -> Slow {
        let parts: Vec<&str> = text.split(' ').collect();
        let cell = |name: &str| {
            let bytes = name.as_bytes();
            (2 * i32::from(bytes[0] - b'a'), 2 * i32::from(bytes[1] - b'1'))
        };
        let mut slow = Slow {
            filled: [[false; 17]; 17],
            pawns: [cell(parts[0]), cell(parts[1])],
            left: [parts[2].parse().unwrap(), parts[3].parse().unwrap()],
            turn: usize::from(parts[6] == "b"),
        };
        for (part, across) in [(parts[4], true), (parts[5], false)] {
            for name in part[2..].split(',').filter(|name| *name != "-") {
                let (x, y) = cell(name);
                for (x, y) in Self::cells_of_wall(x, y, across) {
                    slow.filled[y][x] = true;
                }
            }
        }
        slow
    }

    fn cells_of_wall(x: i32, y: i32, across: bool) -> [(usize, usize); 3] {
        let (x, y) = (x as usize, y as usize);
        if across {
            [(x, y + 1), (x + 1, y + 1), (x + 2, y + 1)]
        } else {
            [(x + 1, y), (x + 1, y + 1), (x + 1, y + 2)]
        }
    }

    fn name(x: i32, y: i32) -> String {
        format!("{}{}", (b'a' + (x / 2) as u8) as char, y / 2 + 1)
    }

    /// Whether one can go from a square in a direction: inside the board, and no wall between.
    fn open(&self, (x, y): (i32, i32), (dx, dy): (i32, i32)) -> bool {
        let inside = (0..17).contains(&(x + 2 * dx)) && (0..17).contains(&(y + 2 * dy));
        inside && !self.filled[(y + dy) as usize][(x + dx) as usize]
    }

    /// Whether a pawn can still get to its side of the board, as if it were alone.
    fn has_way(&self, player: usize) -> bool {
        let goal = if player == 0 { 16 } else { 0 };
        let mut seen = [[false; 17]; 17];
        let mut mark = |(x, y): (i32, i32)| !std::mem::replace(&mut seen[y as usize][x as usize], true);
        let mut left = vec![self.pawns[player]];
        mark(self.pawns[player]);
        while let Some(here) = left.pop() {
            if here.1 == goal {
                return true;
            }
            for (dx, dy) in AROUND {
                let there = (here.0 + 2 * dx, here.1 + 2 * dy);
                if self.open(here, (dx, dy)) && mark(there) {
                    left.push(there);
                }
            }
        }
        false
    }

    pub fn is_over(&self) -> bool {
        self.pawns[0].1 == 16 || self.pawns[1].1 == 0
    }

    /// Every legal move with the position it leads to.
    pub fn children(&self) -> Vec<(String, Slow)> {
        let mut list = Vec::new();
        if self.is_over() {
            return list;
        }
        for (x, y) in self.steps() {
            let mut next = self.clone();
            next.pawns[self.turn] = (x, y);
            list.push((Self::name(x, y), next.passed()));
        }
        for across in [true, false] {
            for (x, y) in (0..8).flat_map(|y| (0..8).map(move |x| (2 * x, 2 * y))) {
                let cells = Self::cells_of_wall(x, y, across);
                if self.left[self.turn] == 0 || cells.iter().any(|(x, y)| self.filled[*y][*x]) {
                    continue;
                }
                let mut next = self.clone();
                cells.iter().for_each(|(x, y)| next.filled[*y][*x] = true);
                next.left[self.turn] -= 1;
                if next.has_way(0) && next.has_way(1) {
                    list.push((Self::name(x, y) + if across { "h" } else { "v" }, next.passed()));
                }
            }
        }
        list
    }

    fn steps(&self) -> Vec<(i32, i32)> {
        let (own, other) = (self.pawns[self.turn], self.pawns[1 - self.turn]);
        let mut list = Vec::new();
        let go = |(x, y): (i32, i32), (dx, dy): (i32, i32)| (x + 2 * dx, y + 2 * dy);
        for ahead in AROUND.into_iter().filter(|ahead| self.open(own, *ahead)) {
            let there = go(own, ahead);
            if there != other {
                list.push(there);
            } else if self.open(other, ahead) {
                list.push(go(other, ahead));
            } else {
                for aside in [(ahead.1, ahead.0), (-ahead.1, -ahead.0)] {
                    if self.open(other, aside) {
                        list.push(go(other, aside));
                    }
                }
            }
        }
        list
    }

    fn passed(mut self) -> Slow {
        self.turn = 1 - self.turn;
        self
    }

    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self.children().iter().map(|(_, child)| child.perft(depth - 1)).sum(),
        }
    }
}
