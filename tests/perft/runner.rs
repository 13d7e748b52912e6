//! Runs the `.perft` files of any game: against the library, and against whatever else can count.

use std::fmt::Debug;
use std::str::FromStr;

use dobutsu_ga::game::Game;
use dobutsu_ga::game::perft::perft_parallel;

/// Larger counts belong to a benchmark.
const FAST_LIMIT: u64 = 60_000_000;
const SLOW_LIMIT: u64 = 80_000;

pub struct Case<Rules> {
    pub name: String,
    pub rules: Rules,
    pub fen: String,
    /// For 1, 2, … plies.
    pub counts: Vec<u64>,
}

/// Reads the blocks of a `.perft` file: `id`, `rules`, `fen`, then `perft DEPTH COUNT` lines.
pub fn cases<Rules: FromStr<Err: Debug> + Default>(text: &str) -> Vec<Case<Rules>> {
    let mut cases: Vec<Case<Rules>> = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        let Some((word, rest)) = line.split_once(' ').filter(|_| !line.starts_with('#')) else { continue };
        if word == "id" {
            let (name, rules, fen) = (rest.to_string(), Rules::default(), String::new());
            cases.push(Case { name, rules, fen, counts: Vec::new() });
            continue;
        }
        let case = cases.last_mut().expect("a block begins with an id");
        match word {
            "rules" => case.rules = rest.parse().unwrap(),
            "fen" => case.fen = rest.to_string(),
            "perft" => {
                let (depth, count) = rest.split_once(' ').unwrap();
                let expected = (case.counts.len() + 1).to_string();
                assert_eq!(depth, expected, "depths of {} out of order", case.name);
                case.counts.push(count.trim().parse().unwrap());
            }
            other => panic!("'{other}' is not understood"),
        }
    }
    assert!(cases.len() >= 20);
    cases
}

/// The library counts what the file says.
pub fn agrees_with_the_library<G: Game>(cases: Vec<Case<G::Rules>>) {
    for case in cases {
        let position = G::parse(&case.fen, case.rules).unwrap();
        for (depth, expected) in (1..).zip(&case.counts).filter(|(_, count)| **count <= FAST_LIMIT) {
            assert_eq!(perft_parallel(&position, depth), *expected, "{} at depth {depth}", case.name);
        }
    }
}

/// A slow generator counts what the file says.
pub fn agrees_with<Rules: Copy>(cases: Vec<Case<Rules>>, perft: impl Fn(&str, Rules, u32) -> u64) {
    for case in cases {
        for (depth, expected) in (1..).zip(&case.counts).filter(|(_, count)| **count <= SLOW_LIMIT) {
            assert_eq!(perft(&case.fen, case.rules, depth), *expected, "{} at depth {depth}", case.name);
        }
    }
}
