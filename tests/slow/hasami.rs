//! The plainest possible Hasami Shogi: squares of eleven by eleven with a border, moves tried step by step. Written apart from the
//! library, to be compared with it.

use dobutsu_ga::games::hasami::Rules;

const WIDTH: usize = 11;
const STEPS: [isize; 4] = [-1, 1, -(WIDTH as isize), WIDTH as isize];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Border,
    Empty,
    Piece(bool),
}

#[derive(Clone, Debug)]
pub struct Slow {
    cells: Vec<Cell>,
    first_to_move: bool,
    /// Who led by three after the last move, as the report's program remembers it.
    leader: Option<bool>,
    winner: Option<bool>,
    rules: Rules,
}

impl Slow {
    pub fn new(fen: &str, rules: Rules) -> Slow {
        let mut parts = fen.split(' ');
        let mut cells = vec![Cell::Border; WIDTH];
        for row in parts.next().unwrap().split('/') {
            cells.push(Cell::Border);
            for c in row.chars() {
                match c {
                    'P' => cells.push(Cell::Piece(true)),
                    'p' => cells.push(Cell::Piece(false)),
                    digit => cells.extend(vec![Cell::Empty; digit.to_digit(10).unwrap() as usize]),
                }
            }
            cells.push(Cell::Border);
        }
        cells.extend(vec![Cell::Border; WIDTH]);
        assert_eq!(cells.len(), WIDTH * WIDTH);
        let first_to_move = parts.next() == Some("w");
        let mut slow = Slow { cells, first_to_move, leader: None, winner: None, rules };
        // Whoever has a lead when the text begins has just got it, or has kept it through the other's move.
        let lead = slow.count(true) as i32 - slow.count(false) as i32;
        if lead.abs() >= 3 {
            let leader = lead > 0;
            slow.leader = Some(leader);
            if leader == first_to_move && matches!(rules, Rules::Report | Rules::Lines)
                || rules == Rules::Sudden
            {
                slow.winner = Some(leader);
            }
        }
        for side in [true, false] {
            if slow.count(side) <= 4 {
                slow.winner = Some(!side);
            }
        }
        slow.stuck();
        slow
    }

    fn count(&self, side: bool) -> usize {
        self.cells.iter().filter(|cell| **cell == Cell::Piece(side)).count()
    }

    /// Pairs of cells, from and to.
    pub fn moves(&self) -> Vec<(usize, usize)> {
        if self.winner.is_some() {
            return Vec::new();
        }
        self.all_moves()
    }

    fn all_moves(&self) -> Vec<(usize, usize)> {
        let mut moves = Vec::new();
        for from in (0..self.cells.len()).filter(|cell| self.cells[*cell] == Cell::Piece(self.first_to_move))
        {
            for step in STEPS {
                let mut to = from.wrapping_add_signed(step);
                while self.cells[to] == Cell::Empty {
                    moves.push((from, to));
                    to = to.wrapping_add_signed(step);
                }
            }
        }
        moves
    }

    pub fn play(&self, (from, to): (usize, usize)) -> Slow {
        let mut next = self.clone();
        let own = Cell::Piece(self.first_to_move);
        let other = Cell::Piece(!self.first_to_move);
        next.cells[from] = Cell::Empty;
        next.cells[to] = own;
        for step in STEPS {
            let mut line = Vec::new();
            let mut at = to.wrapping_add_signed(step);
            while next.cells[at] == other {
                line.push(at);
                at = at.wrapping_add_signed(step);
            }
            if next.cells[at] == own {
                for at in line {
                    next.cells[at] = Cell::Empty;
                }
            }
        }
        let mut shut_in = Vec::new();
        for step in STEPS {
            let at = to.wrapping_add_signed(step);
            if next.cells[at] == other {
                shut_in.extend(next.group_without_air(at));
            }
        }
        for at in shut_in {
            next.cells[at] = Cell::Empty;
        }
        next.first_to_move = !self.first_to_move;
        next.judge();
        next
    }

    fn group_without_air(&self, start: usize) -> Vec<usize> {
        let mut group = vec![start];
        let mut seen = 0;
        while seen < group.len() {
            for step in STEPS {
                let at = group[seen].wrapping_add_signed(step);
                if self.cells[at] == Cell::Empty {
                    return Vec::new();
                }
                if self.cells[at] == self.cells[start] && !group.contains(&at) {
                    group.push(at);
                }
            }
            seen += 1;
        }
        if self.rules == Rules::Lines { Vec::new() } else { group }
    }

    fn judge(&mut self) {
        for side in [true, false] {
            if self.count(side) <= 4 {
                self.winner = Some(!side);
                return;
            }
        }
        let lead = self.count(true) as i32 - self.count(false) as i32;
        let leader = (lead.abs() >= 3).then_some(lead > 0);
        self.winner = match self.rules {
            Rules::Five => None,
            Rules::Sudden => leader,
            Rules::Report | Rules::Lines => leader.filter(|leader| self.leader == Some(*leader)),
        };
        self.leader = leader;
        self.stuck();
    }

    fn stuck(&mut self) {
        if self.winner.is_none() && self.all_moves().is_empty() {
            self.winner = Some(!self.first_to_move);
        }
    }

    /// Who has won: the first player, or the second.
    pub fn winner(&self) -> Option<bool> {
        self.winner
    }

    /// As the library writes it, without the mark.
    pub fn text(&self) -> String {
        let mut rows = Vec::new();
        for row in self.cells.chunks(WIDTH).skip(1).take(9) {
            let mut text = String::new();
            let mut empty = 0;
            for cell in &row[1..10] {
                let letter = match cell {
                    Cell::Piece(true) => 'P',
                    Cell::Piece(false) => 'p',
                    _ => {
                        empty += 1;
                        continue;
                    }
                };
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text.push(letter);
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            rows.push(text);
        }
        format!("{} {}", rows.join("/"), if self.first_to_move { "w" } else { "b" })
    }
}

/// `a1a5`, from cells.
pub fn move_text((from, to): (usize, usize)) -> String {
    let square = |cell: usize| {
        let (row, column) = (cell / WIDTH, cell % WIDTH);
        format!("{}{}", (b'a' + column as u8 - 1) as char, 10 - row)
    };
    square(from) + &square(to)
}

pub fn perft(position: &Slow, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => position.moves().into_iter().map(|m| perft(&position.play(m), depth - 1)).sum(),
    }
}
