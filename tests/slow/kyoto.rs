//! The rules of Kyoto Shogi written down a second time, as plainly as possible and sharing no code with the library:
//! a grid of letters, moves as text, every pair of squares tried. Slow, and only here to disagree with the fast one if
//! either is wrong.

use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slow {
    /// `grid[0]` is the top rank; capitals belong to the first player, '.' is empty. One letter a face: P pawn, R rook,
    /// S silver, B bishop, N knight, G gold, L lance, T tokin, K king.
    grid: [[char; 5]; 5],
    /// Letters in hand (P, S, N, L and a captured K), capitals the first player's.
    hand: Vec<char>,
    first_to_move: bool,
    /// Whether a king must not be left in danger.
    legal: bool,
}

/// Each piece's two faces, as a letter of the grid and as FEN writes it.
const FACES: [(char, char, &str); 4] =
    [('P', 'R', "+P"), ('S', 'B', "+S"), ('N', 'G', "+N"), ('L', 'T', "+L")];

impl Slow {
    /// Reads a FEN that is known to be well formed.
    pub fn new(fen: &str, legal: bool) -> Slow {
        let (board, rest) = fen.split_once('[').unwrap();
        let (hand, rest) = rest.split_once(']').unwrap();
        let mut board = board.replace('/', "");
        for (_, back, text) in FACES {
            board = board.replace(text, &back.to_string());
            board = board.replace(&text.to_lowercase(), &back.to_lowercase().to_string());
        }
        let mut cells = Vec::new();
        for c in board.chars() {
            match c.to_digit(10) {
                Some(n) => cells.extend(vec!['.'; n as usize]),
                None => cells.push(c),
            }
        }
        let mut grid = [['.'; 5]; 5];
        for (i, c) in cells.into_iter().enumerate() {
            grid[i / 5][i % 5] = c;
        }
        let hand = hand.chars().filter(|c| *c != '-').collect();
        Slow { grid, hand, first_to_move: rest.trim().starts_with('w'), legal }
    }

    fn is_own(&self, c: char) -> bool {
        c != '.' && c.is_uppercase() == self.first_to_move
    }

    /// In the own case: capitals for the first player.
    fn own_case(&self, c: char) -> char {
        if self.first_to_move { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
    }

    fn turn_over(c: char) -> char {
        let other = match c.to_ascii_uppercase() {
            'P' => 'R',
            'R' => 'P',
            'S' => 'B',
            'B' => 'S',
            'N' => 'G',
            'G' => 'N',
            'L' => 'T',
            'T' => 'L',
            king => king,
        };
        if c.is_uppercase() { other } else { other.to_ascii_lowercase() }
    }

    /// Whether the piece on one square reaches another, whatever stands there.
    fn reaches(&self, (x, y): (usize, usize), (to_x, to_y): (usize, usize)) -> bool {
        let c = self.grid[y][x];
        let aside = (to_x as i32 - x as i32).abs();
        // Up the board is forward for capitals.
        let ahead = (y as i32 - to_y as i32) * if c.is_uppercase() { 1 } else { -1 };
        let straight = (aside == 0) != (ahead == 0);
        let slanted = aside != 0 && aside == ahead.abs();
        let near = aside <= 1 && ahead.abs() <= 1;
        match c.to_ascii_uppercase() {
            'P' => aside == 0 && ahead == 1,
            'S' => near && (slanted || (aside == 0 && ahead == 1)),
            'G' | 'T' => near && (straight || (slanted && ahead == 1)),
            'N' => aside == 1 && ahead == 2,
            'K' => near && (straight || slanted),
            'L' => aside == 0 && ahead > 0 && self.clear((x, y), (to_x, to_y)),
            'R' => straight && self.clear((x, y), (to_x, to_y)),
            'B' => slanted && self.clear((x, y), (to_x, to_y)),
            _ => false,
        }
    }

    /// Whether all squares between two on a line are empty.
    fn clear(&self, (x, y): (usize, usize), (to_x, to_y): (usize, usize)) -> bool {
        let (dx, dy) = ((to_x as i32 - x as i32).signum(), (to_y as i32 - y as i32).signum());
        let (mut at_x, mut at_y) = (x as i32 + dx, y as i32 + dy);
        while (at_x, at_y) != (to_x as i32, to_y as i32) {
            if self.grid[at_y as usize][at_x as usize] != '.' {
                return false;
            }
            at_x += dx;
            at_y += dy;
        }
        true
    }

    fn squares() -> impl Iterator<Item = (usize, usize)> {
        (0..25).map(|i| (i % 5, i / 5))
    }

    fn name((x, y): (usize, usize)) -> String {
        format!("{}{}", (b'a' + x as u8) as char, 5 - y)
    }

    /// Every legal move in UCI form with the position it leads to; none if the game is over.
    pub fn children(&self) -> Vec<(String, Slow)> {
        let mut list = Vec::new();
        if self.hand.iter().any(|c| c.eq_ignore_ascii_case(&'k')) {
            return list;
        }
        for from in Self::squares().filter(|(x, y)| self.is_own(self.grid[*y][*x])) {
            for to in Self::squares() {
                if self.reaches(from, to) && !self.is_own(self.grid[to.1][to.0]) {
                    list.push(self.step(from, to));
                }
            }
        }
        let held: BTreeSet<char> = self.hand.iter().copied().filter(|c| self.is_own(*c)).collect();
        for to in Self::squares().filter(|(x, y)| self.grid[*y][*x] == '.') {
            for piece in &held {
                let (front, back, plus) =
                    FACES.into_iter().find(|face| face.0.eq_ignore_ascii_case(piece)).unwrap();
                list.push(self.drop_face(*piece, front, &front.to_string(), to));
                list.push(self.drop_face(*piece, back, plus, to));
            }
        }
        list.retain(|(_, next)| !self.legal || !next.could_take_king());
        list
    }

    /// Whether the side to move could capture the king.
    fn could_take_king(&self) -> bool {
        let king = Self::squares()
            .find(|(x, y)| self.grid[*y][*x].eq_ignore_ascii_case(&'k') && !self.is_own(self.grid[*y][*x]));
        king.is_some_and(|king| {
            Self::squares().any(|from| self.is_own(self.grid[from.1][from.0]) && self.reaches(from, king))
        })
    }

    fn step(&self, from: (usize, usize), to: (usize, usize)) -> (String, Slow) {
        let mut next = self.clone();
        let moved = Self::turn_over(self.grid[from.1][from.0]);
        let mark = match moved.to_ascii_uppercase() {
            'K' => "",
            'R' | 'B' | 'G' | 'T' => "+",
            _ => "-",
        };
        let taken = self.grid[to.1][to.0];
        if taken != '.' {
            let turned = Self::turn_over(taken);
            let plain = if "PSNLK".contains(taken.to_ascii_uppercase()) { taken } else { turned };
            next.hand.push(self.own_case(plain));
        }
        next.grid[from.1][from.0] = '.';
        next.grid[to.1][to.0] = moved;
        (format!("{}{}{mark}", Self::name(from), Self::name(to)), next.pass())
    }

    fn drop_face(&self, piece: char, face: char, text: &str, to: (usize, usize)) -> (String, Slow) {
        let mut next = self.clone();
        next.hand.remove(next.hand.iter().position(|held| *held == piece).unwrap());
        next.grid[to.1][to.0] = self.own_case(face);
        (format!("{text}@{}", Self::name(to)), next.pass())
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
