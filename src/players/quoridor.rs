//! The players of Quoridor: the report's, with every part of it an option, and the strong one.

use std::fmt;

use rand_chacha::ChaCha8Rng;

use super::searching::best_of;
use super::spec::{DEEPEST, Options};
use super::{Effort, Forfeit, Manner, Player, SpecError};
use crate::eval::Weighted;
use crate::eval::quoridor::QuoridorEvaluator;
use crate::games::quoridor::{Bitboard, Lie, Move, Position, Square, Wall};
use crate::games::{Game, Referee, Side, Symmetry, Variant};
use crate::search::{Beam, Deep, Limit, Order, Proposals, Report, Terminal, WallChoice};

/// How many candidates the report looks at.
const BEAM: usize = 18;

/// How the report's player thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportManner {
    limit: Limit,
    proposals: Proposals,
    book: bool,
    goal: bool,
}

impl fmt::Display for ReportManner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            Limit::Depth(depth) => write!(f, "depth={depth}")?,
            Limit::Time(time) => write!(f, "time={time:?}")?,
        }
        let Proposals { walls, beam, sorted } = self.proposals;
        let beam = beam.map_or("all".to_string(), |beam| beam.to_string());
        let [sort, book, goal] = [sorted, self.book, self.goal].map(|yes| if yes { "yes" } else { "no" });
        write!(f, " beam={beam} walls={walls} sort={sort} book={book} goal={goal}")
    }
}

impl Manner<Position> for ReportManner {
    fn options() -> Vec<(&'static str, String)> {
        vec![
            ("depth=N", format!("plies to look ahead, 1 to {DEEPEST} (default {})", Position::DEPTH)),
            ("time=4.98s", "instead of a depth: deepen until the time is up, as the report does".to_string()),
            ("beam=N", format!("how many of the candidates are looked at: a number (default {BEAM}) or all")),
            ("walls=WHERE", format!("which walls are candidates: {}", WallChoice::choices())),
            ("sort=no", "do not sort candidates by the difference of the ways".to_string()),
            ("book=no", "do not begin with three steps and two walls behind the pawn".to_string()),
            ("goal=no", "search even if the goal can be reached at once".to_string()),
        ]
    }

    fn read(options: &mut Options<'_, Position>) -> Result<ReportManner, SpecError> {
        let (depth, time) = (options.depth(DEEPEST)?, options.time()?);
        let limit = options.limit(depth, time)?.unwrap_or(Limit::Depth(Position::DEPTH));
        let beam = match options.take("beam") {
            None => Some(BEAM),
            Some("all") => None,
            Some(text) => match text.parse().ok().filter(|beam| (1..=1000).contains(beam)) {
                Some(beam) => Some(beam),
                None => return Err(options.wrong("beam", "from 1 to 1000, or all")),
            },
        };
        let walls = options.take("walls").map(str::parse).transpose()?.unwrap_or_default();
        let sorted = yes(options, "sort")?;
        let (book, goal) = (yes(options, "book")?, yes(options, "goal")?);
        Ok(ReportManner { limit, proposals: Proposals { walls, beam, sorted }, book, goal })
    }

    /// Without the book: games of a learner begin with openings of their own.
    fn plain(depth: u32, _: Terminal, _: bool) -> ReportManner {
        let proposals = Proposals { walls: WallChoice::Near, beam: Some(BEAM), sorted: true };
        ReportManner { limit: Limit::Depth(depth), proposals, book: false, goal: true }
    }

    fn at_depth(&self, depth: u32) -> ReportManner {
        ReportManner { limit: Limit::Depth(depth), ..*self }
    }

    fn effort(&self) -> Effort {
        Effort::Search(self.limit)
    }

    fn player(&self, evaluator: QuoridorEvaluator) -> Box<dyn Player<Position>> {
        Box::new(ReportPlayer { manner: *self, search: Beam::new(evaluator, self.proposals) })
    }
}

fn yes(options: &mut Options<'_, Position>, name: &str) -> Result<bool, SpecError> {
    match options.take(name) {
        None | Some("yes") => Ok(true),
        Some("no") => Ok(false),
        Some(_) => Err(options.wrong(name, "yes or no")),
    }
}

/// The report's player: from the book, at once to the goal, or what the search finds.
struct ReportPlayer {
    manner: ReportManner,
    search: Beam<Position, QuoridorEvaluator, Proposals>,
}

impl ReportPlayer {
    /// The move that needs no search, if there is one.
    fn at_once(&self, game: &Referee<Position>) -> Option<Move> {
        let position = game.position();
        let goal = (position.steps() & Bitboard::goal(position.turn())).next();
        let goal = goal.filter(|_| self.manner.goal).map(Move::Step);
        // Both have moved equally often when it is the first player's turn, the first once more when it is the second's.
        goal.or_else(|| book(position, game.moves().len() / 2).filter(|_| self.manner.book))
    }
}

impl Player<Position> for ReportPlayer {
    fn choose(&mut self, game: &Referee<Position>, _: &mut ChaCha8Rng) -> Result<Move, Forfeit> {
        let (at_once, limit) = (self.at_once(game), self.manner.limit);
        Ok(at_once.unwrap_or_else(|| best_of(self.search.search(game.position(), limit))))
    }

    fn think(
        &mut self,
        game: &Referee<Position>,
        _: &mut ChaCha8Rng,
        order: &Order,
        tell: &mut dyn FnMut(&Report<Move>),
    ) -> Result<Move, Forfeit> {
        let (at_once, limit) = (self.at_once(game), self.manner.limit);
        let searched = || best_of(self.search.search_ordered(game.position(), limit, order, tell));
        Ok(at_once.unwrap_or_else(searched))
    }
}

/// The move of the book for a player who has made so many moves, if it can be played: three steps ahead, then the walls that
/// close the row behind the pawn, first over its own file and the one to its right, then over the two to its left.
fn book(position: &Position, made: usize) -> Option<Move> {
    let pawn = position.pawn(position.turn());
    // As the first player sees it; the second's moves are the same seen from the other side of the board.
    let own = match position.turn() {
        Side::First => pawn,
        Side::Second => pawn.transform(Symmetry::Turn),
    };
    let wall = |file: Option<usize>| {
        let corner = Square::new(file?, own.rank().checked_sub(1)?)?;
        Wall::new(corner, Lie::Across).map(Move::Place)
    };
    let m = match made {
        0..=2 => Square::new(own.file(), own.rank() + 1).map(Move::Step),
        3 => wall(Some(own.file())),
        4 => wall(own.file().checked_sub(2)),
        _ => None,
    }?;
    let m = match position.turn() {
        Side::First => m,
        Side::Second => m.transform(Symmetry::Turn),
    };
    position.is_legal(m).then_some(m)
}

/// Plays what the deep search finds best; keeps its memory through the game.
pub(crate) struct DeepPlayer {
    search: Deep<Position, QuoridorEvaluator, Proposals>,
    limit: Limit,
}

impl DeepPlayer {
    /// A player that searches up to this limit for every move.
    pub(crate) fn new(evaluator: QuoridorEvaluator, limit: Limit) -> DeepPlayer {
        let proposals = Proposals { walls: WallChoice::All, beam: None, sorted: true };
        DeepPlayer { search: Deep::new(evaluator, proposals, 1 << 17), limit }
    }
}

impl Player<Position> for DeepPlayer {
    fn choose(&mut self, game: &Referee<Position>, _: &mut ChaCha8Rng) -> Result<Move, Forfeit> {
        Ok(best_of(self.search.search(game.position(), self.limit)))
    }

    fn think(
        &mut self,
        game: &Referee<Position>,
        _: &mut ChaCha8Rng,
        order: &Order,
        tell: &mut dyn FnMut(&Report<Move>),
    ) -> Result<Move, Forfeit> {
        Ok(best_of(self.search.search_ordered(game.position(), self.limit, order, tell)))
    }
}
