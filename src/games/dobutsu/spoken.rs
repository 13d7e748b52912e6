//! How other programs talk about Dobutsu Shogi: as Fairy-Stockfish does.

use super::notation::letter;
use super::{Bitboard, FenError, Kind, Move, Position, Rules, Square};
use crate::game::{Game, Side, Spoken, legal_moves};
use crate::games::shogi::{SanStep, fen_of, sfen_of};

impl Spoken for Position {
    const VARIANT: &'static str = "dobutsu";

    fn common_rules() -> Rules {
        Rules::Official
    }

    /// Others do not know of a lion that stands on the far rank and has not won.
    fn is_common(&self) -> bool {
        let tried = |side| self.lion(side).is_some_and(|lion| Bitboard::far_rank(side).meets(lion.bit()));
        !Side::BOTH.into_iter().any(tried)
    }

    fn catch(&self) -> Option<Move> {
        let lion = self.lion(!self.turn())?;
        legal_moves(self).into_iter().find(|m| matches!(m, Move::Step { to, .. } if *to == lion))
    }

    /// Without the word that others do not know.
    fn fen(&self) -> String {
        self.to_string().trim_end_matches(" judged").to_string()
    }

    fn sfen(&self) -> String {
        sfen_of(&self.fen())
    }

    fn parse_sfen(text: &str, rules: Rules) -> Result<Position, FenError> {
        Position::parse(&fen_of(text), rules)
    }

    fn usi(&self, m: Move) -> String {
        match m {
            Move::Step { from, to } => {
                let promotes = self.uci(m).ends_with('+');
                format!("{}{}{}", usi_square(from), usi_square(to), if promotes { "+" } else { "" })
            }
            Move::Drop { piece, to } => format!("{}*{}", letter(Side::First, piece.kind()), usi_square(to)),
        }
    }

    fn san(&self, m: Move) -> String {
        let Move::Step { from, to } = m else { return self.uci(m) };
        let kind = self.kind_at(from).unwrap_or(Kind::Lion);
        let after = self.play(m);
        let others = legal_moves(self).into_iter().filter_map(|other| match other {
            Move::Step { from: place, to: goal } if goal == to && place != from => Some(place),
            _ => None,
        });
        let alike = others.filter(|place| self.kind_at(*place) == Some(kind));
        SanStep {
            piece: san_letter(kind),
            from: from.uci(),
            to: to.uci(),
            captures: self.piece_at(to).is_some(),
            becomes: after.kind_at(to).filter(|now| *now != kind).map(san_letter),
            others: alike.map(Square::uci).collect(),
        }
        .text()
    }

    /// A version of Fairy-Stockfish lets a chick stay one on the far rank: by our rules it becomes a hen all the same.
    fn may_be_meant(&self, m: Move, text: &str) -> bool {
        let hen = format!("{text}+");
        hen == self.uci(m) || hen == self.usi(m)
    }
}

/// File before rank, counted from the first player's right and from the top: `3a` for the top left square.
fn usi_square(square: Square) -> String {
    format!("{}{}", 3 - square.column(), ['a', 'b', 'c', 'd'][square.row()])
}

fn san_letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Chick => "C",
        Kind::Giraffe => "G",
        Kind::Elephant => "E",
        Kind::Lion => "L",
        Kind::Hen => "H",
    }
}
