//! Every position has a number, and every number a position: no gaps but for mirror images.
//!
//! Positions are counted in the order: where the lions stand, how the chicks lie, the giraffes, the elephants. What the later
//! pieces can do depends on the earlier ones only through the squares that are taken, so three look-ups and two
//! additions make the number:
//!
//! ```text
//! number = chicks[lions][how the chicks lie]                         where this arrangement of chicks begins
//!        + giraffes[lions, squares of chicks][how the giraffes lie]    where that of giraffes begins within it
//!        + elephants[lions, squares of both][how the elephants lie]   and so on
//! ```
//!
//! Left out are positions whose value is plain to see: the player to move can catch the lion (it wins in one ply). That
//! more than halves the table.

use std::collections::HashMap;

use super::lookup::Lookup;
use super::pair::{Numbering, Pair};
use super::view::{View, on};
use crate::game::Side;
use crate::games::dobutsu::{Bitboard, HandPiece, Kind, Rules, Square};

/// Marks an arrangement that cannot be.
const NONE: u32 = u32::MAX;

/// Which positions are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Domain {
    /// Those that go on under these rules and in which the player to move cannot catch the lion.
    Quiet(Rules),
    /// All with two lions on the board.
    All,
}

/// Numbers of positions and back.
pub(super) struct Index {
    chicks: Numbering,
    others: Numbering,
    /// By the squares of the two lions.
    slabs: Vec<Option<u8>>,
    /// By number of the slab.
    lists: Vec<Slab>,
    /// The four tables below, packed, once they are complete.
    lookup: Lookup,
    /// By slab and number of the chicks: where they begin, and which row of `giraffes` goes on.
    chick_starts: Vec<(u32, u32)>,
    /// Rows of where each arrangement of giraffes begins.
    giraffe_starts: Vec<u32>,
    /// By slab and squares taken by chicks and giraffes: which row of `elephants` goes on.
    elephant_rows: Vec<u32>,
    /// Rows of the place of each arrangement of elephants.
    elephants: Vec<u8>,
    /// By number of the elephants: nothing but them.
    elephant_pieces: Vec<View>,
    len: u32,
}

/// All positions with the lions on the same two squares: what is needed to come from a number to the position.
struct Slab {
    lions: (usize, usize),
    /// Where each arrangement of chicks begins, which it is, and which row of giraffes goes on.
    chicks: Vec<(u32, u16, u32)>,
    /// The same for each row of giraffes.
    giraffes: Vec<Vec<(u32, u16, u32)>>,
    /// The arrangements of elephants of each row.
    elephants: Vec<Vec<u16>>,
    /// Where the rows of this slab begin in the tables of all slabs.
    first_rows: (u32, u32),
}

/// The squares on which a piece of the player to move would catch the other lion.
struct Forbidden {
    chick: u16,
    hen: u16,
    giraffe: u16,
    elephant: u16,
}

impl Forbidden {
    fn of(domain: Domain, lion: Square) -> Forbidden {
        // A piece reaches the lion exactly if the same piece of the other side would reach it from the lion's square.
        let from = |kind: Kind| match domain {
            Domain::All => 0,
            Domain::Quiet(_) => kind.targets(Side::Second, lion).bits(),
        };
        Forbidden {
            chick: from(Kind::Chick),
            hen: from(Kind::Hen),
            giraffe: from(Kind::Giraffe),
            elephant: from(Kind::Elephant),
        }
    }
}

impl Index {
    pub(super) fn new(domain: Domain) -> Index {
        let mut index = Index {
            chicks: Numbering::new(true),
            others: Numbering::new(false),
            slabs: vec![None; 12 * 12],
            lists: Vec::new(),
            lookup: Lookup::default(),
            chick_starts: Vec::new(),
            giraffe_starts: Vec::new(),
            elephant_rows: Vec::new(),
            elephants: Vec::new(),
            elephant_pieces: Vec::new(),
            len: 0,
        };
        let elephants = |pair: &Option<Pair>| {
            View::of_pair(Kind::Elephant, HandPiece::Elephant, &pair.unwrap_or_default())
        };
        index.elephant_pieces = index.others.pairs.iter().map(elephants).collect();
        for (mine, theirs) in lion_squares(domain) {
            index.slabs[mine.index() * 12 + theirs.index()] = Some(index.lists.len() as u8);
            index.add_slab(mine, theirs, &Forbidden::of(domain, theirs));
        }
        index.lookup = Lookup::pack(
            &std::mem::take(&mut index.chick_starts),
            &std::mem::take(&mut index.giraffe_starts),
            &std::mem::take(&mut index.elephant_rows),
            &std::mem::take(&mut index.elephants),
        );
        index
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    fn add_slab(&mut self, mine: Square, theirs: Square, forbidden: &Forbidden) {
        let lions = mine.bit().bits() | theirs.bit().bits();
        let first_rows = (
            (self.giraffe_starts.len() / self.others.pairs.len()) as u32,
            (self.elephants.len() / self.others.pairs.len()) as u32,
        );
        let mut slab = Slab {
            lions: (mine.index(), theirs.index()),
            chicks: Vec::new(),
            giraffes: Vec::new(),
            elephants: Vec::new(),
            first_rows,
        };
        let mut rows = HashMap::new();
        let first_chick = self.chick_starts.len();
        let first_taken = self.elephant_rows.len();
        self.chick_starts.resize(first_chick + self.chicks.pairs.len(), (NONE, 0));
        self.elephant_rows.resize(first_taken + (1 << 12), NONE);
        for number in 0..self.chicks.pairs.len() {
            let Some(pair) = self.chicks.pairs[number] else { continue };
            let caught = pair.mine & (pair.hens & forbidden.hen | !pair.hens & forbidden.chick);
            if pair.squares & lions != 0 || caught != 0 {
                continue;
            }
            let (row, count) = *rows
                .entry(pair.squares)
                .or_insert_with(|| self.add_giraffes(&mut slab, lions, pair.squares, first_taken, forbidden));
            self.chick_starts[first_chick + number] = (self.len, row);
            slab.chicks.push((self.len, number as u16, row));
            self.len += count;
        }
        self.lists.push(slab);
    }

    /// The arrangements of giraffes when chicks have taken some squares: their row, and how many positions they make.
    fn add_giraffes(
        &mut self,
        slab: &mut Slab,
        lions: u16,
        taken: u16,
        first_taken: usize,
        forbidden: &Forbidden,
    ) -> (u32, u32) {
        let row = (self.giraffe_starts.len() / self.others.pairs.len()) as u32;
        let first = self.giraffe_starts.len();
        self.giraffe_starts.resize(first + self.others.pairs.len(), NONE);
        let (mut list, mut start) = (Vec::new(), 0);
        for number in 0..self.others.pairs.len() {
            let Some(pair) = self.others.pairs[number] else { continue };
            if pair.squares & (lions | taken) != 0 || pair.mine & forbidden.giraffe != 0 {
                continue;
            }
            let taken = taken | pair.squares;
            let known = &mut self.elephant_rows[first_taken + usize::from(taken)];
            if *known == NONE {
                *known = (self.elephants.len() / self.others.pairs.len()) as u32;
                let fits =
                    |pair: &Pair| pair.squares & (lions | taken) == 0 && pair.mine & forbidden.elephant == 0;
                let mut fitting = Vec::new();
                for (number, pair) in self.others.pairs.iter().enumerate() {
                    let fits = pair.as_ref().is_some_and(fits);
                    self.elephants.push(if fits { fitting.len() as u8 } else { u8::MAX });
                    if fits {
                        fitting.push(number as u16);
                    }
                }
                slab.elephants.push(fitting);
            }
            self.giraffe_starts[first + number] = start;
            list.push((start, number as u16, *known));
            start += slab.elephants[(*known - slab.first_rows.1) as usize].len() as u32;
        }
        slab.giraffes.push(list);
        (row, start)
    }

    /// The number of a folded position that is known to have one.
    #[inline]
    pub(super) fn number(&self, view: &View) -> usize {
        let (mine, theirs) = view.lions();
        let slab = usize::from(self.slabs[mine * 12 + theirs].unwrap_or_default());
        let (chicks, giraffes, elephants) = self.pair_numbers(view);
        let (width, lookup) = (self.others.pairs.len(), &self.lookup);
        let (start, row) = lookup.chicks(slab * self.chicks.pairs.len() + chicks);
        let within = lookup.giraffes(row * width + giraffes);
        let row = lookup.elephant_row(slab << 12 | usize::from(taken(view)));
        start + within + lookup.elephant(row * width + elephants)
    }

    #[inline]
    fn pair_numbers(&self, view: &View) -> (usize, usize, usize) {
        let (hens, giraffes, elephants) =
            (view.kind(Kind::Hen), view.kind(Kind::Giraffe), view.kind(Kind::Elephant));
        let chicks = view.kind(Kind::Chick) | hens;
        (
            self.chicks.number(chicks, view.mine, hens, view.held(HandPiece::Chick)),
            self.others.number(giraffes, view.mine, 0, view.held(HandPiece::Giraffe)),
            self.others.number(elephants, view.mine, 0, view.held(HandPiece::Elephant)),
        )
    }

    /// Goes from number to position, fastest if the numbers rise.
    pub(super) fn cursor(&self) -> Cursor<'_> {
        Cursor {
            index: self,
            slab: 0,
            chicks: 0..0,
            giraffes: 0..0,
            base: View { boards: 0, mine: 0, my_hand: 0, their_hand: 0 },
            row: 0,
        }
    }
}

fn taken(view: &View) -> u16 {
    view.kind(Kind::Chick) | view.kind(Kind::Hen) | view.kind(Kind::Giraffe)
}

/// Where the two lions can stand, folded.
fn lion_squares(domain: Domain) -> impl Iterator<Item = (Square, Square)> {
    let all = || Bitboard::FULL;
    let far = |side, square: Square| Bitboard::far_rank(side).meets(square.bit());
    let stands = move |mine: Square, theirs: Square| match domain {
        Domain::All => mine != theirs,
        Domain::Quiet(rules) => {
            let apart = mine != theirs && !Kind::Lion.targets(Side::First, mine).meets(theirs.bit());
            // Under the paper's rules a lion on the far rank has won.
            apart && (rules == Rules::Official || !far(Side::First, mine) && !far(Side::Second, theirs))
        }
    };
    let folded =
        |mine: Square, theirs: Square| mine.column() == 0 || mine.column() == 1 && theirs.column() <= 1;
    all()
        .flat_map(move |mine| all().map(move |theirs| (mine, theirs)))
        .filter(move |(mine, theirs)| stands(*mine, *theirs) && folded(*mine, *theirs))
}

/// A place in the order of numbers that remembers the arrangement it is in.
pub(super) struct Cursor<'a> {
    index: &'a Index,
    slab: usize,
    /// The numbers with these lions and chicks.
    chicks: std::ops::Range<u32>,
    /// The numbers with these lions, chicks and giraffes.
    giraffes: std::ops::Range<u32>,
    /// Everything but the elephants.
    base: View,
    /// The row of elephants.
    row: usize,
}

impl Cursor<'_> {
    /// The position of a number. Some positions with both lions on the middle column are the mirror image of another one, and
    /// stand for nothing: see [`View::folded`].
    #[inline]
    pub(super) fn position(&mut self, number: usize) -> View {
        let number = number as u32;
        if !self.giraffes.contains(&number) {
            self.seek(number);
        }
        let index = self.index;
        let elephants = index.lists[self.slab].elephants[self.row][(number - self.giraffes.start) as usize];
        self.base.and(&index.elephant_pieces[usize::from(elephants)])
    }

    fn seek(&mut self, number: u32) {
        let index = self.index;
        let end = |slab: usize| index.lists.get(slab + 1).map_or(index.len, |next| next.chicks[0].0);
        self.slab = index.lists.partition_point(|slab| slab.chicks[0].0 <= number) - 1;
        let slab = &index.lists[self.slab];
        let at = slab.chicks.partition_point(|(start, ..)| *start <= number) - 1;
        let (start, chicks, row) = slab.chicks[at];
        self.chicks = start..slab.chicks.get(at + 1).map_or(end(self.slab), |next| next.0);
        let list = &slab.giraffes[(row - slab.first_rows.0) as usize];
        let at = list.partition_point(|(within, ..)| start + within <= number) - 1;
        let (within, giraffes, row) = list[at];
        self.giraffes = start + within..list.get(at + 1).map_or(self.chicks.end, |next| start + next.0);
        self.row = (row - slab.first_rows.1) as usize;
        let (mine, theirs) = slab.lions;
        let lions = View {
            boards: on(Kind::Lion, 1 << mine | 1 << theirs),
            mine: 1 << mine,
            my_hand: 0,
            their_hand: 0,
        };
        let chicks = index.chicks.pairs[usize::from(chicks)].unwrap_or_default();
        let giraffes = index.others.pairs[usize::from(giraffes)].unwrap_or_default();
        let chicks = View::of_pair(Kind::Chick, HandPiece::Chick, &chicks);
        self.base = lions.and(&chicks).and(&View::of_pair(Kind::Giraffe, HandPiece::Giraffe, &giraffes));
    }
}

impl View {
    /// Two pieces and nothing else.
    fn of_pair(kind: Kind, piece: HandPiece, pair: &Pair) -> View {
        let in_hands = 2 - pair.squares.count_ones() as usize;
        View {
            boards: on(kind, pair.squares & !pair.hens) | on(Kind::Hen, pair.hens),
            mine: pair.mine,
            my_hand: (pair.held << (2 * piece as u8)) as u8,
            their_hand: ((in_hands - pair.held) << (2 * piece as u8)) as u8,
        }
    }

    /// The pieces of both, which do not share a square.
    fn and(&self, other: &View) -> View {
        View {
            boards: self.boards | other.boards,
            mine: self.mine | other.mine,
            my_hand: self.my_hand | other.my_hand,
            their_hand: self.their_hand | other.their_hand,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_positions_go_there_and_back() {
        for domain in [Domain::Quiet(Rules::Paper), Domain::Quiet(Rules::Official), Domain::All] {
            let index = Index::new(domain);
            let mut cursor = index.cursor();
            for number in (0..index.len()).step_by(499) {
                let view = cursor.position(number);
                let (folded, is_other) = view.folded();
                // A mirror image of another position has a number, but the other one's number counts.
                assert_eq!(is_other, index.number(&folded) != number, "{view:?}");
                assert_eq!(index.number(&view), number, "{view:?}");
            }
        }
    }

    #[test]
    fn there_are_as_many_numbers_as_positions() {
        // Counted by adding up products of possibilities, square by square.
        assert_eq!(Index::new(Domain::Quiet(Rules::Paper)).len(), 128_656_283);
        assert_eq!(Index::new(Domain::Quiet(Rules::Official)).len(), 259_374_340);
        assert_eq!(Index::new(Domain::All).len(), 855_232_344);
    }
}
