//! Quoridor itself: perft against the data files and against the slow rules, and single facts of the rules.

#[path = "../slow/quoridor.rs"]
mod slow;

use std::collections::BTreeSet;

use crate::perft_files::Case;
use dobutsu_ga::arena::{Conditions, Standings, match_pairing, play_all, round_robin};
use dobutsu_ga::game::perft::perft_parallel;
use dobutsu_ga::game::{Evaluator, Game, Outcome, Referee, Side, Usual, Weighted, legal_moves};
use dobutsu_ga::games::quoridor::eval::{Genome, QuoridorEvaluator, WallFeatures, features};
use dobutsu_ga::games::quoridor::{Bitboard, Position, Proposals, WallChoice, Walls};
use dobutsu_ga::players::PlayerSpec;
use dobutsu_ga::random::stream;
use dobutsu_ga::search::SearchLimits;
use dobutsu_ga::search::{Candidates, Config, Deepening};
use slow::Slow;

fn cases() -> Vec<Case<Usual>> {
    crate::perft_files::cases(include_str!("../perft/quoridor.perft"))
}

#[test]
fn perft_agrees_with_the_data_files() {
    crate::perft_files::agrees_with_the_library::<Position>(cases());
}

#[test]
fn perft_agrees_with_the_slow_rules() {
    crate::perft_files::agrees_with(cases(), |text, _, depth| Slow::new(text).perft(depth));
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

/// Positions of random games, one of each, at all stages.
fn sampled(count: u64) -> Vec<Position> {
    let game = |number: u64| {
        let mut random = stream(17, 0, number);
        let mut position = Position::start(Usual::Usual);
        for _ in 0..number % 60 {
            let next = position.play(position.random_move(&mut random));
            if next.outcome().is_some() {
                break;
            }
            position = next;
        }
        position
    };
    (0..count).map(game).collect()
}

#[test]
fn what_a_move_does_to_the_ways_is_what_the_position_after_it_shows() {
    for position in sampled(200) {
        let us = position.turn();
        let places = match position.walls_left(us) {
            0 => Walls::default(),
            _ => position.walls().free(),
        };
        let mut seen = BTreeSet::new();
        position.after_each(places, |m, own, other| {
            let after = position.play(m);
            assert_eq!((own, other), (after.distance(us), after.distance(!us)), "{m} in {position}");
            seen.insert(m.to_string());
        });
        assert_eq!(seen, texts(&position), "{position}");
    }
}

#[test]
fn shortest_ways_are_ways_and_shortest() {
    for position in sampled(200) {
        for side in Side::BOTH {
            let way = position.way(side);
            assert_eq!(way.length, position.distance(side));
            assert_eq!(way.squares.len() as u32, way.length + 1);
            let shortest = position.passages().shortest(position.pawn(side), Bitboard::goal(side));
            assert!((way.squares - shortest).is_empty() && shortest.meets(Bitboard::goal(side)));
        }
    }
}

#[test]
fn the_best_value_after_a_move_is_that_of_trying_all() {
    for position in sampled(150) {
        let mut bands = Genome::named("report").unwrap();
        bands.readings.wall_features = WallFeatures::Bands;
        for genome in [Genome::named("report").unwrap(), bands, Genome::named("swift").unwrap()] {
            let evaluator = Position::evaluator(&genome);
            for side in Side::BOTH {
                let values =
                    legal_moves(&position).into_iter().map(|m| evaluator.value(&position.play(m), side));
                let best = if side == position.turn() { values.max() } else { values.min() };
                assert_eq!(
                    evaluator.best_reply(&position, 0, side, (-i32::MAX, i32::MAX)),
                    best,
                    "{position}"
                );
            }
        }
    }
}

#[test]
fn wall_features_overlap_unless_bands_are_asked_for() {
    let count = |walls: u32, reading: WallFeatures| {
        // The other walls stand out of everybody's way, in two files beside each other.
        let standing: Vec<String> = ["a", "c"]
            .iter()
            .flat_map(|file| (1..=8).map(move |rank| format!("{file}{rank}")))
            .take(10 - walls as usize)
            .collect();
        let standing = if standing.is_empty() { "-".to_string() } else { standing.join(",") };
        let position = position(&format!("h1 h9 {walls} 10 h:{standing} v:- w"));
        let [_, _, six, four, two, ..] = features(&position, Side::First, reading);
        [six, four, two]
    };
    let expected = [
        (10, [10, 10, 10], [10, 0, 0]),
        (7, [7, 7, 7], [7, 0, 0]),
        (6, [6, 6, 6], [6, 0, 0]),
        (5, [0, 5, 5], [0, 5, 0]),
        (4, [0, 4, 4], [0, 4, 0]),
        (3, [0, 0, 3], [0, 0, 3]),
        (2, [0, 0, 2], [0, 0, 2]),
        (1, [0, 0, 0], [0, 0, 0]),
        (0, [0, 0, 0], [0, 0, 0]),
    ];
    for (walls, overlapping, bands) in expected {
        assert_eq!(count(walls, WallFeatures::Overlapping), overlapping, "{walls} walls");
        assert_eq!(count(walls, WallFeatures::Bands), bands, "{walls} walls");
    }
}

#[test]
fn a_genome_file_says_how_wall_features_are_counted() {
    let report = Genome::named("report").unwrap();
    assert_eq!(
        report.readings.wall_features,
        WallFeatures::Overlapping,
        "no reading in a file is the default"
    );
    let mut bands = report;
    bands.readings.wall_features = WallFeatures::Bands;
    assert!(bands.to_toml().ends_with("\n[readings]\nwall-features = \"bands\"\n"), "{}", bands.to_toml());
    assert_eq!(Genome::from_toml(&bands.to_toml()), Ok(bands));
    let wrong = bands.to_toml().replace("\"bands\"", "\"some\"");
    let error = Genome::from_toml(&wrong).unwrap_err().to_string();
    assert!(error.contains("'some': choose overlapping or bands"), "{error}");
    let wrong = bands.to_toml().replace("wall-features", "walls");
    let error = Genome::from_toml(&wrong).unwrap_err().to_string();
    assert!(error.contains("'readings.walls' is no reading: there are wall-features"), "{error}");
}

/// `plain`, `swift` and the levels made of them do not count own walls: their games are the same under both readings.
#[test]
fn genomes_without_wall_weights_play_the_same_under_both_readings() {
    for name in ["plain", "swift"] {
        let overlapping = Genome::named(name).unwrap();
        let mut bands = overlapping;
        bands.readings.wall_features = WallFeatures::Bands;
        for position in sampled(100) {
            let [a, b] = [overlapping, bands]
                .map(|genome| Position::evaluator(&genome).value(&position, position.turn()));
            assert_eq!(a, b, "{name} in {position}");
        }
    }
}

/// Genomes have three decimals, the report's weights seven or eight: does that change what is better?
#[test]
fn rounding_the_published_weights_does_not_reorder_positions() {
    WallFeatures::ALL.into_iter().for_each(check_rounding);
}

fn check_rounding(reading: WallFeatures) {
    let published = [0.8857026, -0.87554909, 0.46791599, 0.26234566, -0.23649033];
    let exact = |position: &Position, side: Side| -> f64 {
        let features = features(position, side, reading);
        -features.iter().zip(published).map(|(x, weight)| f64::from(*x) * weight).sum::<f64>()
    };
    let mut genome = Genome::named("report").unwrap();
    genome.readings.wall_features = reading;
    let evaluator = Position::evaluator(&genome);
    let (mut pairs, mut other) = (0, 0);
    for position in sampled(120) {
        let after: Vec<Position> = legal_moves(&position).into_iter().map(|m| position.play(m)).collect();
        for (i, a) in after.iter().enumerate() {
            for b in &after[i + 1..] {
                let difference = exact(a, position.turn()) - exact(b, position.turn());
                let rounded = evaluator.value(a, position.turn()) - evaluator.value(b, position.turn());
                pairs += 1;
                other +=
                    u32::from((difference > 1e-9) != (rounded > 0) || (difference < -1e-9) != (rounded < 0));
            }
        }
    }
    assert!(pairs > 100_000 && other == 0, "{other} of {pairs} pairs of moves come in another order");
}

/// Every line to a depth, the plain way.
fn minimax(
    position: &Position,
    depth: u32,
    evaluator: &QuoridorEvaluator,
    beam: &Proposals,
    root: Side,
) -> i64 {
    if let Some(Outcome::Win(side)) = position.outcome() {
        return if side == root {
            1_000_000_000 + i64::from(depth)
        } else {
            -1_000_000_000 - i64::from(depth)
        };
    }
    if depth == 0 {
        return i64::from(evaluator.value(position, root));
    }
    let mut moves = Vec::new();
    beam.list(position, depth, &mut moves);
    let values = moves.into_iter().map(|m| minimax(&position.play(m), depth - 1, evaluator, beam, root));
    if position.turn() == root { values.max().unwrap() } else { values.min().unwrap() }
}

#[test]
fn the_beam_search_finds_what_looking_at_all_its_lines_finds() {
    for (beam, walls) in [(Some(4), WallChoice::Near), (Some(7), WallChoice::All)] {
        let proposals = Proposals { walls, beam, sorted: true };
        let evaluator = Position::evaluator(&Genome::named("report").unwrap());
        for position in sampled(40) {
            let config = Config { table_slots: 0, selective: false, reorder: false, repetitions: false };
            let mut search = Deepening::new(evaluator, proposals, config);
            let found = search.search(&position, &SearchLimits::depth(3), &mut |_| ()).unwrap();
            let root = position.turn();
            let mut moves = Vec::new();
            proposals.list(&position, 3, &mut moves);
            let values: Vec<i64> =
                moves.iter().map(|m| minimax(&position.play(*m), 2, &evaluator, &proposals, root)).collect();
            let best = *values.iter().max().unwrap();
            assert_eq!(
                moves[values.iter().position(|value| *value == best).unwrap()],
                found.best,
                "{position}"
            );
        }
    }
}

#[test]
fn near_walls_are_around_pawns_and_walls() {
    let near = |text: &str| -> BTreeSet<String> {
        position(text).near_walls().iter().map(|wall| wall.to_string()).collect()
    };
    // The four corners of e5 are the crossings d4, e4, d5 and e5; those of a1 only a1 itself.
    let around = near("e5 a2 10 10 h:- v:- w");
    for wall in ["d4h", "c4h", "f5h", "d3v", "e6v", "a1h", "a2h", "b1h", "a1v", "a3v"] {
        assert!(around.contains(wall), "{wall}");
    }
    for wall in ["b4h", "g5h", "d7v", "h8h", "c3v", "c1h"] {
        assert!(!around.contains(wall), "{wall}");
    }
    // Around a wall: its ends and its middle, and not across it.
    let around = near("h8 h2 9 10 h:b5 v:- b");
    for wall in ["d5h", "b4v", "a5v", "c5v", "b6v"] {
        assert!(around.contains(wall), "{wall}");
    }
    assert!(!around.contains("b5v") && !around.contains("c5h"));
}

fn player(text: &str) -> PlayerSpec<Position> {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The moves that a player makes in answer to these of the other.
fn answers(text: &str, moves: &[&str]) -> Vec<String> {
    let mut game = Referee::new(Position::start(Usual::Usual));
    let mut player = player(text).build();
    let mut random = stream(1, 0, 0);
    let mut made = Vec::new();
    for other in moves {
        for own_turn in [false, true] {
            let m = match own_turn {
                false if *other == "-" => continue,
                false => game.position().parse_move(other).unwrap(),
                true => player.choose(&game, &mut random, &SearchLimits::NONE, &mut |_| ()).unwrap(),
            };
            if own_turn {
                made.push(m.to_string());
            }
            game.try_play(m).unwrap();
        }
    }
    made
}

#[test]
fn the_book_steps_three_times_and_closes_the_row_behind() {
    let book = answers("report:depth=1", &["-", "a1h", "c1h", "e1h", "g1h"]);
    assert_eq!(book, ["e2", "e3", "e4", "e3h", "c3h"]);
    // The second player does the same, seen from the other side.
    let book = answers("report:depth=1", &["a1h", "c1h", "e1h", "g1h", "a2h"]);
    assert_eq!(book, ["e8", "e7", "e6", "d6h", "f6h"]);
    // What cannot be played is searched for: a wall stands in the way.
    let without = answers("report:depth=1", &["-", "e2h"]);
    assert_eq!(without[0], "e2");
    assert_ne!(without[1], "e3");
    assert_ne!(answers("plain:depth=1:book=no", &["-", "a8v", "h8v", "a1v"])[3], "e3h");
}

#[test]
fn the_goal_is_taken_at_once() {
    let mut game = Referee::new(position("e8 e2 10 10 h:- v:- w"));
    let mut random = stream(1, 0, 0);
    let m = player("report:depth=3")
        .build()
        .choose(&game, &mut random, &SearchLimits::NONE, &mut |_| ())
        .unwrap();
    assert_eq!(m.to_string(), "e9");
    game.play(m);
    assert!(game.verdict().is_some());
}

#[test]
fn the_same_seed_plays_the_same_games_on_any_number_of_threads() {
    let players = [player("report:depth=2"), player("strong:depth=3"), player("random")];
    let conditions = Conditions { opening_plies: 4, ..Conditions::new(Usual::Usual, 5) };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let games = pool.install(|| play_all(&players, &round_robin(3, 4), &conditions, &|| ()));
        games.into_iter().map(|game| game.moves).collect::<Vec<_>>()
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn the_reports_player_beats_random_moves() {
    let players = [player("report:depth=2"), player("random")];
    let pairings = match_pairing(100);
    let played = play_all(&players, &pairings, &Conditions::new(Usual::Usual, 1), &|| ());
    let scored: Vec<_> = played.iter().map(|game| game.scored).collect();
    assert_eq!(Standings::new(2, &pairings, &scored).total(0).wins, 100);
}

#[test]
fn bad_options_are_sentences() {
    for (text, words) in [
        ("report:beam=0", "the option 'beam' of the player 'report:beam=0' must be from 1 to 1000, or all"),
        ("report:walls=far", "the option 'walls' of the player 'report:walls=far' must be near or all"),
        ("report:book=maybe", "must be yes or no"),
        (
            "report:wall-features=all",
            "there is no reading of the wall features 'all': choose overlapping or bands",
        ),
        ("report:depth=2:time=1s", "can have a depth or a time, not both"),
        (
            "report:terminal=exact",
            "has no option 'terminal': it takes depth, time, beam, walls, sort, book, goal, wall-features",
        ),
        ("material", "there is no player 'material': choose random, plain, report, swift"),
    ] {
        let error = text.parse::<PlayerSpec<Position>>().unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

/// The strong search against the report's, equally deep: these games are always the same.
#[test]
fn the_strong_player_is_stronger() {
    let players = [player("strong:depth=3"), player("report:depth=3:book=no")];
    let pairings = match_pairing(40);
    let conditions = Conditions { opening_plies: 4, ..Conditions::new(Usual::Usual, 7) };
    let played = play_all(&players, &pairings, &conditions, &|| ());
    let scored: Vec<_> = played.iter().map(|game| game.scored).collect();
    let wins = Standings::new(2, &pairings, &scored).total(0).wins;
    assert!(wins >= 32, "{wins} of 40");
}

/// The clock is never asserted here, only that there is always an answer, however short the time.
#[test]
fn there_is_a_legal_move_in_any_time() {
    for position in sampled(60) {
        let game = Referee::new(position);
        for text in ["strong:time=1ms", "report:time=1ms:beam=all:walls=all:book=no"] {
            let m = player(text)
                .build()
                .choose(&game, &mut stream(1, 0, 0), &SearchLimits::NONE, &mut |_| ())
                .unwrap();
            assert!(position.is_legal(m), "{m} in {position}");
        }
    }
}
