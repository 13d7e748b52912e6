//! Which moves are legal. A player may leave the lion in danger, so a legal move is any step or drop.

use super::{Bitboard, Kind, Move, Position};
use crate::game::{Game, Outcome, Side, Symmetric, Symmetry};

impl Position {
    /// Whether the rules allow this move here.
    pub fn is_legal(&self, m: Move) -> bool {
        let us = self.turn();
        !self.is_over()
            && match m {
                Move::Step { from, to } => {
                    self.piece_at(from)
                        .is_some_and(|(side, kind)| side == us && kind.targets(us, from).meets(to.bit()))
                        && self.piece_at(to).is_none_or(|(side, _)| side != us)
                }
                Move::Drop { piece, to } => self.hand(us).holds(piece) && self.piece_at(to).is_none(),
            }
    }

    /// The pieces of each kind on these squares.
    #[inline]
    fn kinds_of(&self, squares: Bitboard) -> [Bitboard; 5] {
        let [chicks, giraffes, elephants, lions, hens] = self.kinds;
        [chicks & squares, giraffes & squares, elephants & squares, lions & squares, hens & squares]
    }

    /// For each of the eight directions, the squares that a side's pieces attack by one step that way, own pieces
    /// or not. A square attacked from several sides is in several sets.
    #[inline]
    pub fn reach(&self, side: Side) -> [Bitboard; 8] {
        let own = self.pieces(side);
        let [chicks, giraffes, elephants, lions, hens] = self.kinds_of(own);
        let orthogonal = giraffes | lions | hens;
        let diagonal = elephants | lions;
        let (up, down, slant_up, slant_down) = match side {
            Side::First => (orthogonal | chicks, orthogonal, diagonal | hens, diagonal),
            Side::Second => (orthogonal, orthogonal | chicks, diagonal, diagonal | hens),
        };
        [
            up.up(),
            down.down(),
            orthogonal.left(),
            orthogonal.right(),
            slant_up.up().left(),
            slant_up.up().right(),
            slant_down.down().left(),
            slant_down.down().right(),
        ]
    }

    /// The squares that a side's pieces attack, own pieces or not: those where the step promotes a chick apart from all
    /// others.
    pub fn steps(&self, side: Side) -> (Bitboard, Bitboard) {
        let own = self.pieces(side);
        let [chicks, giraffes, elephants, lions, hens] = self.kinds_of(own);
        let orthogonal = giraffes | lions | hens;
        let diagonal = elephants | lions;
        let ahead = |squares: Bitboard| if side == Side::First { squares.up() } else { squares.down() };
        let far = Bitboard::far_rank(side);
        let chick_steps = ahead(chicks);
        let slants = diagonal.up() | diagonal.down() | ahead(hens);
        let steps = orthogonal.up()
            | orthogonal.down()
            | orthogonal.left()
            | orthogonal.right()
            | slants.left()
            | slants.right()
            | (chick_steps - far);
        (steps, chick_steps & far)
    }

    /// The number of legal moves if the game is not over.
    pub(super) fn count_open_moves(&self) -> usize {
        let us = self.turn();
        let own = self.pieces(us);
        // Four sets of sixteen bits make one number, whose bits are counted in one go.
        let pack =
            |sets: &[Bitboard]| sets.iter().fold(0u64, |all, set| all << 16 | (*set - own).bits() as u64);
        let reach = self.reach(us);
        let steps = pack(&reach[..4]).count_ones() + pack(&reach[4..]).count_ones();
        steps as usize + self.hand(us).kinds_held() * (!self.occupied()).len()
    }
}

impl Game for Position {
    const NAME: &'static str = "dobutsu";
    const TITLE: &'static str = "Dobutsu Shogi (animal shogi, 3x4)";
    const NOTATIONS: &'static [&'static str] = &["UCI", "paper"];

    const GOES_ON: bool = true;

    type Rules = super::Rules;
    type Array = super::Array;
    type Move = Move;
    type Key = u128;
    type ParseError = super::FenError;

    fn repetitions(_: super::Rules) -> Option<usize> {
        Some(3)
    }

    fn start(rules: super::Rules) -> Position {
        super::Array::Official.start(rules)
    }

    fn start_from(array: super::Array, rules: super::Rules) -> Position {
        array.start(rules)
    }

    fn rules(&self) -> super::Rules {
        self.rules()
    }

    fn is_calm(&self) -> bool {
        self.is_calm()
    }

    fn move_text(&self, m: Move) -> String {
        self.uci(m)
    }

    fn side_to_move(&self) -> Side {
        self.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn decided_by(&self) -> Option<&'static str> {
        self.decided_by()
    }

    fn moves(&self, buffer: &mut Vec<Move>) {
        if self.is_over() {
            return;
        }
        let us = self.turn();
        let own = self.pieces(us);
        for kind in Kind::ALL {
            for from in self.kind(kind) & own {
                let targets = kind.targets(us, from) - own;
                for to in targets {
                    buffer.push(Move::Step { from, to });
                }
            }
        }
        let empty = !self.occupied();
        for piece in self.hand(us).pieces() {
            for to in empty {
                buffer.push(Move::Drop { piece, to });
            }
        }
    }

    fn is_legal(&self, m: Move) -> bool {
        self.is_legal(m)
    }

    fn play(&self, m: Move) -> Position {
        self.play(m)
    }

    fn own_move_may_lose(&self) -> bool {
        false
    }

    fn next_move_wins(&self) -> Option<bool> {
        self.next_move_wins()
    }

    fn reopened(&self) -> Position {
        self.reopened()
    }

    fn key(&self) -> u128 {
        self.key()
    }

    fn parse(text: &str, rules: super::Rules) -> Result<Position, super::FenError> {
        super::notation::parse(text, rules)
    }

    fn is_capture(&self, m: Move) -> bool {
        matches!(m, Move::Step { to, .. } if self.occupied().meets(to.bit()))
    }

    fn move_texts(&self, m: Move) -> Vec<String> {
        vec![self.uci(m), super::notation::paper(m)]
    }

    fn count_moves(&self, _: &mut Vec<Move>) -> usize {
        if self.is_over() { 0 } else { self.count_open_moves() }
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
