//! Quoridor itself: perft against the data files and against the slow rules, and single facts of the rules.

#[path = "perft/runner.rs"]
mod perft_files;
#[path = "slow/quoridor.rs"]
mod slow;

use std::collections::BTreeSet;

use dobutsu_ga::games::perft::perft_parallel;
use dobutsu_ga::games::quoridor::Position;
use dobutsu_ga::games::{Game, Outcome, Side, Usual, legal_moves};
use dobutsu_ga::random::stream;
use perft_files::Case;
use slow::Slow;

fn cases() -> Vec<Case<Usual>> {
    perft_files::cases(include_str!("perft/quoridor.perft"))
}

#[test]
fn perft_agrees_with_the_data_files() {
    perft_files::agrees_with_the_library::<Position>(cases());
}

#[test]
fn perft_agrees_with_the_slow_rules() {
    perft_files::agrees_with(cases(), |text, _, depth| Slow::new(text).perft(depth));
}

fn position(text: &str) -> Position {
    Position::parse(text, Usual::Usual).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn texts(position: &Position) -> BTreeSet<String> {
    legal_moves(position).into_iter().map(|m| m.to_string()).collect()
}

/// Positions of random games in which at least so many walls stand, the game goes on, and the side to move may place one.
fn walled(walls: usize) -> impl Iterator<Item = Position> {
    let game = |number| {
        let mut random = stream(13, 0, number);
        let mut positions = vec![Position::start(Usual::Usual)];
        while let Some(position) = positions.last().filter(|position| position.outcome().is_none()).copied() {
            positions.push(position.play(position.random_move(&mut random)));
        }
        positions
    };
    let wanted = move |position: &Position| {
        position.walls().len() >= walls
            && position.outcome().is_none()
            && position.walls_left(position.turn()) > 0
    };
    (0..).flat_map(game).filter(wanted)
}

#[test]
fn both_rules_agree_on_positions_with_many_walls() {
    let mut refused = 0;
    for position in walled(10).take(1000) {
        let slow = Slow::new(&position.to_string());
        let children = slow.children();
        assert_eq!(texts(&position), children.iter().map(|(text, _)| text.clone()).collect(), "{position}");
        for (text, child) in children {
            let next = position.play(position.parse_move(&text).unwrap());
            assert_eq!(Slow::new(&next.to_string()), child, "{text} in {position}");
        }
        refused += position.walls().free().len() - position.legal_walls().len();
    }
    assert!(
        refused > 500,
        "only {refused} walls were refused for shutting somebody in: this would test little"
    );
}

#[test]
fn four_plies_from_the_start_are_as_many_as_published() {
    assert_eq!(perft_parallel(&Position::start(Usual::Usual), 4), 247_569_030);
}

fn steps(text: &str) -> Vec<String> {
    texts(&position(text)).into_iter().filter(|text| text.len() == 2).collect()
}

#[test]
fn pawns_jump_straight_or_aside_if_something_is_behind() {
    assert_eq!(steps("e4 e5 10 10 h:- v:- w"), ["d4", "e3", "e6", "f4"]);
    assert_eq!(steps("e4 e5 9 10 h:e5 v:- w"), ["d4", "d5", "e3", "f4", "f5"]);
    assert_eq!(steps("e4 e5 9 9 h:e5 v:d5 w"), ["d4", "e3", "f4", "f5"]);
    assert_eq!(steps("e8 e9 10 10 h:- v:- w"), ["d8", "d9", "e7", "f8", "f9"]);
    assert_eq!(steps("e4 e5 9 10 h:e4 v:- w"), ["d4", "e3", "f4"]);
    assert_eq!(steps("e4 e5 10 10 h:- v:- b"), ["d5", "e3", "e6", "f5"]);
    assert_eq!(steps("b5 a5 10 10 h:- v:- w"), ["a4", "a6", "b4", "b6", "c5"]);
}

#[test]
fn walls_do_not_cross_overlap_or_shut_anybody_in() {
    let legal = texts(&position("e1 e9 9 10 h:e3 v:- b"));
    for wall in ["e3h", "d3h", "f3h", "e3v"] {
        assert!(!legal.contains(wall), "{wall}");
    }
    for wall in ["c3h", "g3h", "e2v", "e4v", "d3v", "f3v"] {
        assert!(legal.contains(wall), "{wall}");
    }
    // Two sides of a box around d1 and e1, and what would close it.
    let corner = texts(&position("e1 e9 9 9 h:d1 v:c1 w"));
    assert!(!corner.contains("e1v") && corner.contains("f1v"));
}

#[test]
fn whoever_arrives_has_won() {
    let before = position("e8 a5 10 10 h:- v:- w");
    let after = before.play(before.parse_move("e9").unwrap());
    assert_eq!((after.outcome(), after.decided_by()), (Some(Outcome::Win(Side::First)), Some("goal")));
    assert!(legal_moves(&after).is_empty());
    assert_eq!(before.next_move_wins(), Some(true));
    assert!(!before.is_calm() && position("e7 a5 10 10 h:- v:- w").is_calm());
}

#[test]
fn random_moves_are_equally_likely() {
    let position = position("e4 e5 9 9 h:e5 v:d5 w");
    let legal = legal_moves(&position);
    let mut counts = vec![0u32; legal.len()];
    let mut random = stream(1, 2, 3);
    for _ in 0..legal.len() * 400 {
        let m = position.random_move(&mut random);
        counts[legal.iter().position(|other| *other == m).expect("a legal move")] += 1;
    }
    // Five standard deviations of a count of 400.
    assert!(counts.iter().all(|count| (300..=500).contains(count)), "{counts:?}");
}

#[test]
fn nonsense_is_a_sentence() {
    for (text, sentence) in [
        (
            "",
            "the position has 0 parts, it needs 7: both pawns, the walls each side has left, the walls that stand and the side to move, as in e1 e9 10 10 h:- v:- w",
        ),
        ("e1 e10 10 10 h:- v:- w", "'e10' is no square: squares are a1 to i9"),
        ("e5 e5 10 10 h:- v:- w", "both pawns stand on e5: each needs a square of its own"),
        (
            "e1 e9 11 9 h:- v:- w",
            "the first player cannot have '11' walls left: it needs a number from 0 to 10",
        ),
        ("e1 e9 9 10 v:e3 h:- w", "'v:e3' needs to begin with h: and list walls as in h:e3,a4 or h:-"),
        (
            "e1 e9 9 10 h:i3 v:- w",
            "'i3' is no place for a wall: walls are named a1 to h8, by the square at their lower left",
        ),
        ("e1 e9 9 9 h:e3,e3 v:- w", "the wall e3h is there twice"),
        ("e1 e9 9 9 h:e3 v:e3 w", "the walls e3h and e3v cross or overlap"),
        ("e1 e9 9 9 h:e3,f3 v:- w", "the walls e3h and f3h cross or overlap"),
        ("e1 e9 10 10 h:e3 v:- w", "1 walls stand and 20 are left: together they must be 20"),
        ("a1 e9 9 9 h:a2 v:b1 w", "the first player is shut in: walls must leave a way to the other side"),
        ("e9 e1 10 10 h:- v:- w", "both pawns have arrived: the game ends when one does"),
        ("e9 e5 10 10 h:- v:- w", "the first player has arrived, so it cannot be that player's turn"),
        ("e1 e9 10 10 h:- v:- x", "'x' is no side to move: it needs w (first player) or b (second player)"),
    ] {
        assert_eq!(Position::parse(text, Usual::Usual).unwrap_err().to_string(), sentence);
    }
}
