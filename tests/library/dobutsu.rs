//! Dobutsu Shogi itself: perft against the data files and against the slow rules, and single facts of the rules.

#[path = "../slow/dobutsu.rs"]
mod slow;

use std::collections::BTreeSet;

use crate::perft_files::Case;
use dobutsu_ga::game::perft::{divide, perft, perft_parallel};
use dobutsu_ga::game::{Game, Outcome, Referee, Side, legal_moves};
use dobutsu_ga::games::dobutsu::{Position, Rules};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use slow::Slow;

fn cases() -> Vec<Case<Rules>> {
    crate::perft_files::cases(include_str!("../perft/dobutsu.perft"))
}

#[test]
fn perft_agrees_with_the_data_files() {
    crate::perft_files::agrees_with_the_library::<Position>(cases());
}

#[test]
fn perft_agrees_with_the_slow_rules() {
    crate::perft_files::agrees_with(cases(), |fen, rules, depth| {
        Slow::new(fen, rules == Rules::Official).perft(depth)
    });
}

#[test]
fn every_way_to_count_gives_the_same() {
    for rules in Rules::ALL {
        let start = Position::start(rules);
        for depth in 0..6 {
            assert_eq!(perft_parallel(&start, depth), perft(&start, depth));
        }
        assert_eq!(divide(&start, 5).iter().map(|(_, count)| count).sum::<u64>(), perft(&start, 5));
    }
}

#[test]
fn both_rules_agree_move_by_move_over_random_games() {
    for seed in 0..400 {
        let rules = Rules::ALL[seed as usize % 2];
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut game = Referee::new(Position::start(rules));
        let mut slow = Slow::new(&game.position().to_string(), rules == Rules::Official);
        loop {
            let position = *game.position();
            assert_eq!(position.outcome().is_some(), slow.over, "{position:?}");
            let fast: BTreeSet<String> =
                legal_moves(&position).into_iter().map(|m| position.move_text(m)).collect();
            let children = slow.children();
            assert_eq!(fast, children.iter().map(|(text, _)| text.clone()).collect(), "{position:?}");
            if game.verdict().is_some() {
                break;
            }
            let (text, next) = children[random.random_range(0..children.len())].clone();
            game.try_play(position.parse_move(&text).unwrap()).unwrap();
            slow = next;
        }
    }
}

fn after(fen: &str, rules: Rules, moves: &[&str]) -> Position {
    let start = Position::parse(fen, rules).unwrap();
    moves.iter().fold(start, |position, text| position.play(position.parse_move(text).unwrap()))
}

const START: &str = "gle/1c1/1C1/ELG[-] w 0 1";
/// The first player's lion on b3 can step onto the far rank; a second player's giraffe guards a4, nothing guards c4.
const TRY: &str = "g2/1L1/l2/3[CCEEG] w 0 1";

#[test]
fn a_guarded_try_wins_by_the_paper_and_not_officially() {
    let paper = after(TRY, Rules::Paper, &["b3b4"]);
    assert_eq!((paper.outcome(), paper.decided_by()), (Some(Outcome::Win(Side::First)), Some("try")));
    assert_eq!(after(TRY, Rules::Official, &["b3b4"]).outcome(), None);
    assert_eq!(after(TRY, Rules::Official, &["b3c4"]).decided_by(), Some("try"));
}

#[test]
fn a_lion_is_judged_only_when_it_arrives() {
    // Guarded on arrival; the giraffe then walks away, and nothing happens to the game or to its text.
    let later = after(TRY, Rules::Official, &["b3b4", "a4a3", "C@c1"]);
    assert_eq!(later.outcome(), None);
    assert!(later.to_string().ends_with(" judged"), "{later}");
    assert_eq!(Position::parse(&later.to_string(), Rules::Official), Ok(later));
    let won = Position::parse(later.to_string().strip_suffix(" judged").unwrap(), Rules::Official).unwrap();
    assert_eq!(won.decided_by(), Some("try"));
    assert_ne!(won.key(), later.key());
}

#[test]
fn a_captured_hen_is_a_chick_again_and_a_chick_dropped_far_stays_one() {
    let position = after("g1l/3/1+c1/ELG[Ce] w 0 1", Rules::Paper, &["b1b2"]);
    assert!(position.to_string().contains("[CCe]"), "{position}");
    let position = after("gl1/3/3/ELG[CCe] w 0 1", Rules::Paper, &["C@c4", "b4b3"]);
    let hindered = legal_moves(&position).into_iter().all(|m| !position.move_text(m).starts_with("c4"));
    assert!(hindered, "a chick on the far rank cannot move");
}

#[test]
fn a_player_without_a_move_has_lost() {
    // The first player's seven pieces block each other and reach none of the empty squares.
    let stuck = after("GE1/LGE/CC1/2l[-] b 0 1", Rules::Official, &["c1c2"]);
    assert_eq!((stuck.outcome(), stuck.decided_by()), (Some(Outcome::Win(Side::Second)), Some("stuck")));
    assert!(legal_moves(&stuck).is_empty());
    assert_eq!(Position::parse(&stuck.to_string(), Rules::Official), Ok(stuck));
    // Stuck in front of a lion that stands on the far rank without having won by that.
    let both = Position::parse("L2/3/cc1/lge[GE] b 0 1 judged", Rules::Official).unwrap();
    assert_eq!(both.decided_by(), Some("stuck"));
    assert_eq!(Position::parse(&both.to_string(), Rules::Official), Ok(both));
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let mut game = Referee::new(Position::start(Rules::Official));
    let shuffle = ["c1c2", "a4a3", "c2c1", "a3a4"];
    for text in shuffle.iter().chain(&shuffle) {
        assert_eq!(game.verdict(), None);
        game.try_play(game.position().parse_move(text).unwrap()).unwrap();
    }
    assert_eq!(game.verdict().unwrap().outcome, Outcome::Draw);
    let error = game.try_play(legal_moves(game.position())[0]).unwrap_err();
    assert_eq!(error.to_string(), "the game is over (repetition), no move can follow");
}

#[test]
fn the_ply_cap_is_a_draw() {
    let mut game = Referee::with_ply_cap(Position::start(Rules::Paper), 1);
    game.play(legal_moves(game.position())[0]);
    assert_eq!(game.verdict().unwrap().by.to_string(), "ply cap");
}

#[test]
fn fairy_stockfish_text_is_understood() {
    let start = Position::start(Rules::Paper);
    for same in [START, "gle/1c1/1C1/ELG[] w - - 0 1", "gle/1c1/1C1/ELG w", " gle/1c1/1C1/ELG[-]  w 3 17 "] {
        assert_eq!(Position::parse(same, Rules::Paper), Ok(start), "{same}");
    }
    let hen = Position::parse("gl1/3/1+c1/ELG[Ce] w 0 1", Rules::Paper).unwrap();
    assert_eq!(Position::parse("gl1/3/1h1/ELG[Ce] w 0 1", Rules::Paper), Ok(hen));
    assert_eq!(start.to_string(), START);
}

/// A possible try counts for whom the reading says. Here only the first player's lion has a square to step onto; it is safe.
#[test]
fn a_possible_try_counts_for_whom_the_reading_says() {
    use dobutsu_ga::game::{Evaluator, ReadingSet};
    use dobutsu_ga::games::dobutsu::eval::{DobutsuEvaluator, Gene, Genome};
    let value = |reading: &str, turn: &str| {
        let position = Position::parse(&format!("3/L1l/3/3[CGEcge] {turn} 0 1"), Rules::Paper).unwrap();
        let mut genome = Genome::ZERO.with(Gene::Try, 1000).unwrap();
        genome.readings.set("try", reading).unwrap();
        DobutsuEvaluator::new(genome).value(&position, Side::First)
    };
    for (reading, to_move, not_to_move) in [
        ("reach", 1000, 1000),
        ("safe", 1000, 1000),
        ("next", 1000, 0),
        ("safe-next", 1000, 0),
        ("given", 0, 1000),
        ("outside", 1000, 1000),
        ("there", 0, 0),
    ] {
        assert_eq!((value(reading, "w"), value(reading, "b")), (to_move, not_to_move), "{reading}");
    }
}
