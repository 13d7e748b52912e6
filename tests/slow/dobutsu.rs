//! The rules of Dobutsu Shogi written down a second time, as plainly as possible and sharing no code with the library:
//! a grid of letters, moves as text. Slow, and only here to disagree with the fast one if either is wrong.

use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slow {
    /// `grid[0]` is the top rank; capitals belong to the first player, `H` is a hen, '.' is empty.
    grid: [[char; 3]; 4],
    /// Letters in hand, capitals the first player's.
    hand: Vec<char>,
    first_to_move: bool,
    official: bool,
    pub over: bool,
}

const ALL_ROUND: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

impl Slow {
    /// Reads a FEN of a game that still goes on and is known to be well formed.
    pub fn new(fen: &str, official: bool) -> Slow {
        let (board, rest) = fen.split_once('[').unwrap();
        let (hand, rest) = rest.split_once(']').unwrap();
        let mut cells = Vec::new();
        for c in board.replace("+C", "H").replace("+c", "h").replace('/', "").chars() {
            match c.to_digit(10) {
                Some(n) => cells.extend(vec!['.'; n as usize]),
                None => cells.push(c),
            }
        }
        let mut grid = [['.'; 3]; 4];
        for (i, c) in cells.into_iter().enumerate() {
            grid[i / 3][i % 3] = c;
        }
        let hand = hand.chars().filter(|c| *c != '-').collect();
        Slow { grid, hand, first_to_move: rest.trim().starts_with('w'), official, over: false }
    }

    fn is_own(&self, c: char) -> bool {
        c != '.' && c.is_uppercase() == self.first_to_move
    }

    fn can_step(c: char, dx: i32, dy: i32) -> bool {
        // dy < 0 is up, which is forward for capitals.
        let ahead = if c.is_uppercase() { -dy } else { dy };
        match c.to_ascii_uppercase() {
            'L' => true,
            'G' => dx == 0 || dy == 0,
            'E' => dx != 0 && dy != 0,
            'C' => dx == 0 && ahead == 1,
            'H' => dx == 0 || ahead >= 0,
            _ => false,
        }
    }

    fn name(x: usize, y: usize) -> String {
        format!("{}{}", (b'a' + x as u8) as char, 4 - y)
    }

    /// Every legal move in UCI form with the position it leads to.
    pub fn children(&self) -> Vec<(String, Slow)> {
        let mut list = Vec::new();
        if self.over {
            return list;
        }
        for y in 0..4usize {
            for x in 0..3usize {
                let c = self.grid[y][x];
                if c == '.' {
                    let kinds: BTreeSet<char> =
                        self.hand.iter().copied().filter(|c| self.is_own(*c)).collect();
                    for kind in kinds {
                        let mut next = self.clone();
                        next.hand.remove(next.hand.iter().position(|h| *h == kind).unwrap());
                        next.grid[y][x] = kind;
                        list.push((
                            format!("{}@{}", kind.to_ascii_uppercase(), Self::name(x, y)),
                            next.pass(),
                        ));
                    }
                }
                for (dx, dy) in ALL_ROUND {
                    let (nx, ny) = (x as i32 + dx, y as i32 + dy);
                    let inside = (0..3).contains(&nx) && (0..4).contains(&ny);
                    if !self.is_own(c) || !Self::can_step(c, dx, dy) || !inside {
                        continue;
                    }
                    let (nx, ny) = (nx as usize, ny as usize);
                    if !self.is_own(self.grid[ny][nx]) {
                        list.push(self.step(x, y, nx, ny));
                    }
                }
            }
        }
        list
    }

    fn step(&self, x: usize, y: usize, nx: usize, ny: usize) -> (String, Slow) {
        let mut next = self.clone();
        let mut moved = self.grid[y][x];
        let goal = if self.first_to_move { 0 } else { 3 };
        let mut text = Self::name(x, y) + &Self::name(nx, ny);
        if moved.eq_ignore_ascii_case(&'c') && ny == goal {
            moved = if self.first_to_move { 'H' } else { 'h' };
            text.push('+');
        }
        let taken = self.grid[ny][nx];
        next.grid[y][x] = '.';
        next.grid[ny][nx] = moved;
        if taken != '.' {
            let plain = if taken.eq_ignore_ascii_case(&'h') { 'c' } else { taken };
            next.hand.push(if self.first_to_move {
                plain.to_ascii_uppercase()
            } else {
                plain.to_ascii_lowercase()
            });
            next.over = taken.eq_ignore_ascii_case(&'l');
        }
        if moved.eq_ignore_ascii_case(&'l') && ny == goal && !next.over {
            // A safe try: no enemy piece next to the lion can step onto it.
            let attacked = ALL_ROUND.iter().any(|(dx, dy)| {
                let (ax, ay) = (nx as i32 - dx, ny as i32 - dy);
                (0..3).contains(&ax) && (0..4).contains(&ay) && {
                    let c = next.grid[ay as usize][ax as usize];
                    c != '.' && !self.is_own(c) && Self::can_step(c, *dx, *dy)
                }
            });
            next.over = !self.official || !attacked;
        }
        (text, next.pass())
    }

    fn pass(mut self) -> Slow {
        self.first_to_move = !self.first_to_move;
        self
    }

    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self.children().iter().map(|(_, child)| child.perft(depth - 1)).sum(),
        }
    }
}
