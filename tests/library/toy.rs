//! A stranger's game: everything that `docs/adding-a-game.md` promises holds for the example.

#[path = "../../examples/tictactoe.rs"]
pub mod tictactoe;

use dobutsu_ga::game::perft::{perft, perft_parallel};
use dobutsu_ga::game::{Game, Genome, Usual, legal_moves};
use dobutsu_ga::search::{Terminal, alphabeta, minimax};
use tictactoe::{Position, score_against_random, tuned};

/// The numbers are known: 255,168 games, of which 127,872 fill the board before or when they end.
#[test]
fn it_counts() {
    let start = Position::start(Usual::Usual);
    let known = [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872];
    assert_eq!(std::array::from_fn(|i| perft(&start, i as u32 + 1)), known);
    assert_eq!(perft_parallel(&start, 9), known[8]);
}

#[test]
fn it_plays() {
    assert_eq!(Position::start(Usual::Usual).to_string(), ".../.../... x");
    assert!(score_against_random("plain", 400) > 0.8);
    assert!(score_against_random("strong:depth=9", 40) > 0.9);
    assert_eq!(Position::parse("x.o/.x./... o", Usual::Usual).unwrap().to_string(), "x.o/.x./... o");
    let error = Position::parse("xx", Usual::Usual).unwrap_err().to_string();
    assert_eq!(error, "'xx' is no position: write one as in x.o/.x./... o");
}

#[test]
fn faster_searches_agree_with_the_plain_one() {
    let evaluator = <Position as dobutsu_ga::game::Weighted>::evaluator(&Genome::untrained());
    let mut position = Position::start(Usual::Usual);
    while position.outcome().is_none() {
        for depth in 1..=4 {
            let (fast, plain) = (
                alphabeta(&position, depth, &evaluator, Terminal::Exact),
                minimax(&position, depth, &evaluator, Terminal::Exact),
            );
            assert_eq!((fast.value, fast.best), (plain.value, plain.best), "{position}, depth {depth}");
        }
        position = position.play(legal_moves(&position)[0]);
    }
}

#[test]
fn it_tunes_and_its_genomes_are_its_own() {
    let champion = tuned(2);
    assert_eq!(Genome::<Position>::from_toml(&champion.to_toml()), Ok(champion));
    let other = dobutsu_ga::games::dobutsu::eval::Genome::from_toml(&champion.to_toml()).unwrap_err();
    assert_eq!(other.to_string(), "it is about tictactoe, not about dobutsu: --game tictactoe is for it");
}

#[test]
fn it_is_short() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/tictactoe.rs");
    assert!(std::fs::read_to_string(path).unwrap().lines().count() < 300);
}
