//! The two pieces of one sort: every way they can be on the board and in hands, numbered.

/// How the two pieces of a sort lie, seen by the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pair {
    /// The squares of those on the board.
    pub(super) squares: u16,
    /// Which of the squares are the player's to move.
    pub(super) mine: u16,
    /// Which of the squares hold hens; always none but for chicks.
    pub(super) hens: u16,
    /// How many are in the hand of the player to move; the other hand holds the rest.
    pub(super) held: usize,
}

/// How many squares a board has.
const SQUARES: usize = 12;

/// Numbers for the pairs of one sort: a base for the squares, plus two bits for the owners, plus two bits for hens.
pub(super) struct Numbering {
    /// By squares. No number where there are more than two.
    base: Vec<u16>,
    /// By number.
    pub(super) pairs: Vec<Option<Pair>>,
}

impl Numbering {
    /// For a sort that promotes (chicks) or not (giraffes, elephants).
    pub(super) fn new(promotes: bool) -> Numbering {
        let mut numbering = Numbering { base: vec![0; 1 << SQUARES], pairs: Vec::new() };
        for squares in (0..1u16 << SQUARES).filter(|squares| squares.count_ones() <= 2) {
            numbering.base[usize::from(squares)] = numbering.pairs.len() as u16;
            let owners = if squares == 0 { 5 } else { 4 };
            let hens = if promotes { 1 << squares.count_ones() } else { 1 };
            let (low, high) = (squares & squares.wrapping_neg(), squares & squares.wrapping_sub(1));
            let choose = |bits: usize| (low * (bits & 1) as u16) | (high * (bits >> 1 & 1) as u16);
            for number in 0..owners * hens {
                let (owner, hens) = (number % owners, number / owners);
                // Bit 0 is the owner of the lower piece; the rest is the owner of the higher piece or how many are held.
                let pair = match squares.count_ones() {
                    0 => Pair { held: owner / 2, ..Pair::default() },
                    1 => Pair { squares, mine: choose(owner & 1), hens: choose(hens), held: owner / 2 },
                    _ => Pair { squares, mine: choose(owner), hens: choose(hens), held: 0 },
                };
                let exists = squares != 0 || owner % 2 == 0;
                numbering.pairs.push(exists.then_some(pair));
            }
        }
        numbering
    }

    /// The number of a pair. More than two squares have no meaning here.
    #[inline]
    pub(super) fn number(&self, squares: u16, mine: u16, hens: u16, held: usize) -> usize {
        let low = squares & squares.wrapping_neg();
        let high = squares & !low;
        let is = |set: u16, bit: u16| usize::from(set & bit != 0);
        usize::from(self.base[usize::from(squares & 0xFFF)])
            + is(mine, low)
            + 2 * (is(mine, high) + held)
            + 4 * (is(hens, low) + 2 * is(hens, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_has_its_own_number() {
        for promotes in [false, true] {
            let numbering = Numbering::new(promotes);
            let mut count = 0;
            for (number, pair) in numbering.pairs.iter().enumerate() {
                let Some(pair) = pair else { continue };
                assert_eq!(numbering.number(pair.squares, pair.mine, pair.hens, pair.held), number);
                count += 1;
            }
            // Both in hands: 3 ways. One on the board: 12 squares, either side's, the other in either hand. Two on the board.
            assert_eq!(count, if promotes { 3 + 12 * 8 + 66 * 16 } else { 3 + 12 * 4 + 66 * 4 });
        }
    }
}
