//! Which moves are legal, and how many there are.

use std::ops::{BitAnd, BitOr};
use std::sync::LazyLock;

use super::{Bitboard, FenError, HandPiece, Kind, Move, Position, Rules, Square};
use crate::game::{Game, Outcome, Side, Symmetric, Symmetry, Usual};

/// What the safety of the own king leaves open. Under [`Rules::Capture`] that is everything.
struct Limits {
    /// Where the king may go.
    king: Bitboard,
    /// Where every other piece may go or be dropped: anywhere, or where it ends the check.
    others: Bitboard,
    /// The own pieces that shield the king: each must stay on its line with it.
    pinned: Bitboard,
}

/// What the other side's pieces do to a king.
struct Threats {
    checkers: Bitboard,
    pinned: Bitboard,
}

impl Position {
    /// Whether the rules allow this move here.
    pub fn is_legal(&self, m: Move) -> bool {
        let us = self.turn();
        !self.is_over()
            && match m {
                Move::Step { from, to } => {
                    self.piece_at(from).is_some_and(|(side, kind)| {
                        side == us && kind.targets(us, from, self.occupied()).meets(to.bit())
                    }) && !self.pieces(us).meets(to.bit())
                }
                Move::Drop { piece, to, .. } => {
                    self.hand(us).holds(piece) && !self.occupied().meets(to.bit())
                }
            }
            && (self.rules() == Rules::Capture || !self.with_move(m).in_check())
    }

    /// For each of the eight directions and the two jumps of a knight, the squares that these pieces of one side attack
    /// that way if `occupied` squares stop what slides. A square attacked from several sides is in several sets.
    #[inline]
    fn reach(&self, side: Side, squares: Bitboard, occupied: Bitboard) -> [Bitboard; 10] {
        let pieces = self.pieces_on(squares);
        let orthogonal = pieces.golds | pieces.kings;
        let ahead = orthogonal | pieces.pawns | pieces.silvers;
        let diagonal = pieces.silvers | pieces.kings;
        let slant_ahead = diagonal | pieces.golds;
        let slides_ahead = pieces.rooks | pieces.lances;
        let (rooks, bishops) = (pieces.rooks, pieces.bishops);
        let jumps = pieces.knights.ahead(side).ahead(side);
        let ((up, slides_up), (down, slides_down)) =
            by_direction(side, (ahead, slides_ahead), (orthogonal, rooks));
        let (slant_up, slant_down) = by_direction(side, slant_ahead, diagonal);
        let empty = !occupied;
        [
            jumps.left(),
            jumps.right(),
            advance(Bitboard::up, up, slides_up, empty),
            advance(Bitboard::down, down, slides_down, empty),
            advance(Bitboard::left, orthogonal, rooks, empty),
            advance(Bitboard::right, orthogonal, rooks, empty),
            advance(|squares| squares.up().left(), slant_up, bishops, empty),
            advance(|squares| squares.up().right(), slant_up, bishops, empty),
            advance(|squares| squares.down().left(), slant_down, bishops, empty),
            advance(|squares| squares.down().right(), slant_down, bishops, empty),
        ]
    }

    /// Who checks the king of the side to move, and what shields it.
    fn threats(&self, king: Square) -> Threats {
        let us = self.turn();
        let own = self.pieces(us);
        let occupied = self.occupied();
        let theirs = self.pieces_on(occupied - own);
        // A piece reaches the king exactly if the same piece of the king's side, put there, would reach it.
        let seen_by = |kind: Kind| kind.lines(us, king);
        let mut threats = Threats {
            checkers: seen_by(Kind::Pawn) & theirs.pawns
                | seen_by(Kind::Silver) & theirs.silvers
                | seen_by(Kind::Knight) & theirs.knights
                | seen_by(Kind::Gold) & theirs.golds,
            pinned: Bitboard::EMPTY,
        };
        let sliders = seen_by(Kind::Rook) & theirs.rooks
            | seen_by(Kind::Bishop) & theirs.bishops
            | seen_by(Kind::Lance) & theirs.lances;
        for slider in sliders {
            let shields = king.between(slider) & occupied;
            if shields.is_empty() {
                threats.checkers |= slider.bit();
            } else if shields.single().is_some() {
                threats.pinned |= shields & own;
            }
        }
        threats
    }

    fn limits(&self, king: Square) -> Limits {
        if self.rules() == Rules::Capture {
            return Limits { king: Bitboard::FULL, others: Bitboard::FULL, pinned: Bitboard::EMPTY };
        }
        let Threats { checkers, pinned } = self.threats(king);
        let them = !self.turn();
        // The king does not shield the squares behind it: it will be gone from where it stands.
        let attacked = self.reach(them, self.pieces(them), self.occupied() - king.bit());
        let others = match checkers.single() {
            _ if checkers.is_empty() => Bitboard::FULL,
            Some(checker) => checkers | king.between(checker),
            None => Bitboard::EMPTY,
        };
        Limits { king: !union(attacked), others, pinned }
    }

    /// Whether the side to move, whose king is on the board, has a legal move.
    pub(super) fn has_move(&self) -> bool {
        let us = self.turn();
        let Some(king) = self.king(us) else { return false };
        // Nearly always one of the cheap answers will do. There is always an empty square to drop on.
        match self.rules() {
            Rules::Capture => {
                let room = Kind::King.lines(us, king) - self.pieces(us);
                !self.hand(us).is_empty() || !room.is_empty() || self.count_open_moves() > 0
            }
            Rules::Legal => {
                let Threats { checkers, pinned } = self.threats(king);
                let free = self.pieces(us) - king.bit() - pinned;
                checkers.is_empty() && (!self.hand(us).is_empty() || self.can_advance(us, free))
                    || self.count_open_moves() > 0
            }
        }
    }

    /// Whether a piece on these squares can take one step forward.
    fn can_advance(&self, side: Side, squares: Bitboard) -> bool {
        // Every piece can go forward but these two.
        let advancing = squares - self.kind(Kind::Bishop) - self.kind(Kind::Knight);
        !(advancing.ahead(side) - self.pieces(side)).is_empty()
    }

    /// The number of legal moves if the game is not over.
    fn count_open_moves(&self) -> usize {
        let us = self.turn();
        let Some(king) = self.king(us) else { return 0 };
        let own = self.pieces(us);
        let occupied = self.occupied();
        let limits = self.limits(king);
        let reach = self.reach(us, own - king.bit() - limits.pinned, occupied);
        let steps = count(reach, limits.others - own);
        let king_steps = ((Kind::King.lines(us, king) & limits.king) - own).len();
        let shield_steps: usize = limits
            .pinned
            .map(|from| (self.targets_from(from, occupied) & king.ray(from) & limits.others) - own)
            .map(Bitboard::len)
            .sum();
        let drops = 2 * self.hand(us).kinds_held() * (limits.others - occupied).len();
        steps + king_steps + shield_steps + drops
    }

    /// The squares that the piece on a square attacks.
    fn targets_from(&self, from: Square, occupied: Bitboard) -> Bitboard {
        self.piece_at(from).map_or(Bitboard::EMPTY, |(side, kind)| kind.targets(side, from, occupied))
    }
}

/// What goes up and what goes down the board, given what goes forward and what goes back.
#[inline]
fn by_direction<T>(side: Side, forward: T, back: T) -> (T, T) {
    match side {
        Side::First => (forward, back),
        Side::Second => (back, forward),
    }
}

/// The squares that some pieces attack in one direction: the next one, or all up to the first that is not empty. The sets
/// may be of both sides side by side.
#[inline]
pub(super) fn advance<S: Copy + BitAnd<Output = S> + BitOr<Output = S>>(
    step: impl Fn(S) -> S,
    steppers: S,
    sliders: S,
    empty: S,
) -> S {
    let mut front = step(sliders);
    let mut reached = step(steppers) | front;
    for _ in 0..3 {
        front = step(front & empty);
        reached = reached | front;
    }
    reached
}

#[inline]
fn union(sets: [Bitboard; 10]) -> Bitboard {
    let mut all = Bitboard::EMPTY;
    for set in sets {
        all |= set;
    }
    all
}

/// How many allowed squares the sets have together, a square in two sets counted twice.
#[inline]
fn count(sets: [Bitboard; 10], allowed: Bitboard) -> usize {
    let mut count = 0;
    for pair in sets.chunks_exact(2) {
        // Two sets make one number, whose bits are counted in one go.
        let bits = ((pair[0] & allowed).bits() as u64) << 32 | (pair[1] & allowed).bits() as u64;
        count += bits.count_ones() as usize;
    }
    count
}

impl Game for Position {
    const NAME: &'static str = "kyoto";
    const TITLE: &'static str = "Kyoto Shogi (5x5, pieces turn over with every move)";
    const NOTATIONS: &'static [&'static str] = &["UCI", "CSA", "USI"];

    type Rules = Rules;
    type Array = Usual;
    type Move = Move;
    /// A position has no history and is small, so it is its own key.
    type Key = Position;
    type ParseError = FenError;

    fn repetitions(_: Rules) -> Option<usize> {
        Some(4)
    }

    fn start(rules: Rules) -> Position {
        static STARTS: LazyLock<[Position; 2]> = LazyLock::new(|| {
            Rules::ALL.map(|rules| {
                Position::parse(super::notation::START, rules).expect("the start is a legal position")
            })
        });
        STARTS[rules as usize]
    }

    fn rules(&self) -> Rules {
        self.rules()
    }

    /// By the legal rules, who was in check at every turn of the repeated stretch has won: perpetual check loses.
    fn repeated(since: &[Position]) -> Outcome {
        let always_in_check = |side: Side| {
            let mut turns = since.iter().skip(1).filter(|position| position.turn() == side);
            turns.all(Position::in_check)
        };
        let legal = since.iter().any(|position| position.rules() == Rules::Legal);
        match Side::BOTH.map(|side| legal && since.len() > 1 && always_in_check(side)) {
            [true, false] => Outcome::Win(Side::First),
            [false, true] => Outcome::Win(Side::Second),
            _ => Outcome::Draw,
        }
    }

    fn is_calm(&self) -> bool {
        let safe = |side: Side| self.king(side).is_some_and(|king| !self.attacks(!side, king));
        !self.is_over() && Side::BOTH.into_iter().all(safe)
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
        let us = self.turn();
        let Some(king) = self.king(us).filter(|_| !self.is_over()) else { return };
        let own = self.pieces(us);
        let occupied = self.occupied();
        let limits = self.limits(king);
        for kind in Kind::ALL {
            for from in self.kind(kind) & own {
                let mut targets = kind.targets(us, from, occupied) - own;
                targets = targets & if kind == Kind::King { limits.king } else { limits.others };
                if limits.pinned.meets(from.bit()) {
                    targets = targets & king.ray(from);
                }
                for to in targets {
                    buffer.push(Move::Step { from, to });
                }
            }
        }
        let hand = self.hand(us);
        for piece in HandPiece::ALL {
            if !hand.holds(piece) {
                continue;
            }
            for promoted in [false, true] {
                for to in limits.others - occupied {
                    buffer.push(Move::Drop { piece, promoted, to });
                }
            }
        }
    }

    fn is_legal(&self, m: Move) -> bool {
        self.is_legal(m)
    }

    fn play(&self, m: Move) -> Position {
        self.play(m)
    }

    fn key(&self) -> Position {
        *self
    }

    fn parse(text: &str, rules: Rules) -> Result<Position, FenError> {
        super::notation::parse(text, rules)
    }

    fn is_capture(&self, m: Move) -> bool {
        matches!(m, Move::Step { to, .. } if self.occupied().meets(to.bit()))
    }

    fn move_texts(&self, m: Move) -> Vec<String> {
        self.texts(m)
    }

    fn own_move_may_lose(&self) -> bool {
        false
    }

    fn next_move_wins(&self) -> Option<bool> {
        let us = self.turn();
        let catches = self.king(!us).is_some_and(|king| self.attacks(us, king));
        if self.rules() == Rules::Capture && catches {
            return Some(true);
        }
        (!self.may_end_without_catch()).then_some(false)
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
