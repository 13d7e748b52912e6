//! The players of Quoridor: the report's, with every part of it an option, and the strong one.

use rand_chacha::ChaCha8Rng;

use crate::game::{Game, Referee, Side, Symmetry, Weighted};
use crate::games::quoridor::eval::QuoridorEvaluator;
use crate::games::quoridor::{Bitboard, Lie, Move, Position, Proposals, Square, Wall, WallChoice};
use crate::players::{
    DeepeningPlayer, Effort, Forfeit, Method, Options, Player, PlayerOption, SpecError, depth_option,
    depth_or_time, effort_of,
};
use crate::search::{Config, Deepening, SearchInfo, SearchLimits, Terminal};
use crate::values::Values;

/// How many candidates the report looks at.
const BEAM: usize = 18;

/// How the report's player searches.
#[derive(Clone, Debug)]
pub struct ReportMethod {
    limits: SearchLimits,
    proposals: Proposals,
    book: bool,
    goal: bool,
}

impl Method<Position> for ReportMethod {
    fn options() -> Vec<PlayerOption> {
        let yes_or_no = || Values::Choice(vec!["yes", "no"]);
        let beam = format!("how many of the candidates are looked at: a number (default {BEAM}) or all");
        vec![
            depth_option::<Position>(),
            PlayerOption::new(
                "time=4.98s",
                Values::Time,
                "instead of a depth: deepen until the time is up, as the report does",
            ),
            PlayerOption::new("beam=N", Values::IntegerOr(1..=1000, "all"), beam),
            PlayerOption::choice::<WallChoice>("walls=WHERE", "which walls are candidates"),
            PlayerOption::new("sort=no", yes_or_no(), "do not sort candidates by the difference of the ways"),
            PlayerOption::new(
                "book=no",
                yes_or_no(),
                "do not begin with three steps and two walls behind the pawn",
            ),
            PlayerOption::new("goal=no", yes_or_no(), "search even if the goal can be reached at once"),
        ]
    }

    fn read(options: &Options<'_>) -> Result<ReportMethod, SpecError> {
        let limits = depth_or_time(options)?.unwrap_or(SearchLimits::depth(Position::WEIGHTS.depth));
        let beam = if options.get("beam") == Some("all") {
            None
        } else {
            Some(options.number("beam").unwrap_or(BEAM))
        };
        let proposals = Proposals { walls: options.choice("walls"), beam, sorted: options.yes("sort") };
        Ok(ReportMethod { limits, proposals, book: options.yes("book"), goal: options.yes("goal") })
    }

    /// Without the book: games of a learner begin with openings of their own.
    fn plain(depth: u32, _: Terminal, _: bool) -> ReportMethod {
        let proposals = Proposals { walls: WallChoice::Near, beam: Some(BEAM), sorted: true };
        ReportMethod { limits: SearchLimits::depth(depth), proposals, book: false, goal: true }
    }

    fn at_depth(&self, depth: u32) -> ReportMethod {
        ReportMethod { limits: SearchLimits::depth(depth), ..self.clone() }
    }

    fn effort(&self) -> Effort {
        effort_of(&self.limits)
    }

    fn describe(&self) -> String {
        let limit = match self.effort() {
            Effort::Time(time) => format!("time={time:?}"),
            _ => format!("depth={}", self.limits.depth.unwrap_or_default()),
        };
        let Proposals { walls, beam, sorted } = self.proposals;
        let beam = beam.map_or("all".to_string(), |beam| beam.to_string());
        let [sort, book, goal] = [sorted, self.book, self.goal].map(|yes| if yes { "yes" } else { "no" });
        format!("{limit} beam={beam} walls={walls} sort={sort} book={book} goal={goal}")
    }

    fn player(&self, evaluator: QuoridorEvaluator) -> Box<dyn Player<Position>> {
        // To a fixed depth it plays the first of equal candidates; against the clock, the best of an interrupted iteration.
        let reorder = self.limits.time.is_some();
        let config = Config { table_slots: 0, selective: false, reorder, repetitions: false };
        let search = Deepening::new(evaluator, self.proposals, config);
        let player = DeepeningPlayer { search, limits: self.limits.clone() };
        Box::new(ReportPlayer { player, book: self.book, goal: self.goal })
    }
}

/// The report's player: from the book, at once to the goal, or what the search finds.
struct ReportPlayer {
    player: DeepeningPlayer<Position, QuoridorEvaluator, Proposals>,
    book: bool,
    goal: bool,
}

impl ReportPlayer {
    /// The move that needs no search, if there is one.
    fn at_once(&self, game: &Referee<Position>) -> Option<Move> {
        let position = game.position();
        let goal = (position.steps() & Bitboard::goal(position.turn())).next();
        let goal = goal.filter(|_| self.goal).map(Move::Step);
        // Both have moved equally often when it is the first player's turn, the first once more when it is the second's.
        goal.or_else(|| book(position, game.moves().len() / 2).filter(|_| self.book))
    }
}

impl Player<Position> for ReportPlayer {
    fn choose(
        &mut self,
        game: &Referee<Position>,
        random: &mut ChaCha8Rng,
        limits: &SearchLimits,
        on_info: &mut dyn FnMut(&SearchInfo<Move>),
    ) -> Result<Move, Forfeit> {
        match self.at_once(game) {
            Some(m) => Ok(m),
            None => self.player.choose(game, random, limits, on_info),
        }
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

/// The strong player: all walls, a selective search.
pub(super) fn strong(evaluator: QuoridorEvaluator, limits: SearchLimits) -> Box<dyn Player<Position>> {
    let proposals = Proposals { walls: WallChoice::All, beam: None, sorted: true };
    let config = Config { table_slots: 1 << 17, selective: true, reorder: true, repetitions: false };
    Box::new(DeepeningPlayer { search: Deepening::new(evaluator, proposals, config), limits })
}
