//! How other programs talk about Kyoto Shogi: as Fairy-Stockfish does.

use super::{FenError, HandPiece, Kind, Move, Position, Rules, Square};
use crate::game::{Game, Spoken, legal_moves};
use crate::games::shogi::{SanStep, fen_of, sfen_of};

impl Spoken for Position {
    const VARIANT: &'static str = "kyotoshogi";

    fn common_rules() -> Rules {
        Rules::Legal
    }

    fn catch(&self) -> Option<Move> {
        let king = self.king(!self.turn())?;
        legal_moves(self).into_iter().find(|m| matches!(m, Move::Step { to, .. } if *to == king))
    }

    fn sfen(&self) -> String {
        sfen_of(&self.fen())
    }

    fn parse_sfen(text: &str, rules: Rules) -> Result<Position, FenError> {
        Position::parse(&fen_of(text), rules)
    }

    /// With a mark for what turning over makes of it, as in UCI.
    fn usi(&self, m: Move) -> String {
        let plain = Position::usi(self, m);
        match (m, self.uci(m).pop()) {
            (Move::Step { .. }, Some(mark @ ('+' | '-'))) => format!("{plain}{mark}"),
            _ => plain,
        }
    }

    /// A tokin and a gold that are dropped are both a `G`.
    fn is_san_ambiguous(&self, m: Move) -> bool {
        let hand = self.hand(self.turn());
        let holds = |piece| hand.count(piece) > 0;
        matches!(m, Move::Drop { piece: HandPiece::Lance | HandPiece::Knight, promoted: true, .. })
            && holds(HandPiece::Lance)
            && holds(HandPiece::Knight)
    }

    fn san(&self, m: Move) -> String {
        let after = self.play(m);
        let mate = || Position::parse(&after.to_string(), Rules::Legal).is_ok_and(|legal| legal.is_over());
        let check = match () {
            () if !after.in_check() => "",
            () if mate() => "#",
            () => "+",
        };
        let text = match m {
            Move::Step { from, to } => self.san_step(from, to, &after),
            Move::Drop { piece, promoted, to } => format!("{}@{to}", san_letter(piece.kind(promoted))),
        };
        text + check
    }
}

impl Position {
    fn san_step(&self, from: Square, to: Square, after: &Position) -> String {
        let letter_at = |position: &Position, square| position.kind_at(square).map_or("K", san_letter);
        let piece = letter_at(self, from);
        let others = legal_moves(self).into_iter().filter_map(|other| match other {
            Move::Step { from: place, to: goal } if goal == to && place != from => Some(place),
            _ => None,
        });
        let alike = others.filter(|place| letter_at(self, *place) == piece);
        SanStep {
            piece,
            from: from.to_string(),
            to: to.to_string(),
            captures: self.piece_at(to).is_some(),
            becomes: Some(letter_at(after, to)).filter(|_| piece != "K"),
            others: alike.map(|place| place.to_string()).collect(),
        }
        .text()
    }
}

/// A tokin moves like a gold, and is called one.
fn san_letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => "P",
        Kind::Rook => "R",
        Kind::Silver => "S",
        Kind::Bishop => "B",
        Kind::Knight => "N",
        Kind::Gold | Kind::Tokin => "G",
        Kind::Lance => "L",
        Kind::King => "K",
    }
}
