//! Games between players: the same for every number of threads, and recorded so that they can be played again.

use dobutsu_ga::arena::{
    Conditions, Pairing, Played, Scored, Standings, gauntlet, match_pairing, play_all, round_robin,
};
use dobutsu_ga::game::record::json;
use dobutsu_ga::game::{GameRecord, Outcome, Side, legal_moves};
use dobutsu_ga::games::dobutsu::{Position, Rules};
use dobutsu_ga::players::PlayerSpec;

fn scored(games: &[Played<Position>]) -> Vec<Scored> {
    games.iter().map(|game| game.scored).collect()
}

fn players(names: &[&str]) -> Vec<PlayerSpec<Position>> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

fn conditions(opening_plies: usize) -> Conditions<Position> {
    Conditions { opening_plies, ..Conditions::new(Rules::Paper, 7) }
}

fn on_threads(
    threads: usize,
    players: &[PlayerSpec<Position>],
    pairings: &[Pairing],
    opening_plies: usize,
) -> Vec<Played<Position>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| play_all(players, pairings, &conditions(opening_plies), &|| ()))
}

fn records(games: &[Played<Position>], players: &[PlayerSpec<Position>], opening_plies: usize) -> String {
    let record = |game: &Played<Position>| json::write(&game.record(players, &conditions(opening_plies)));
    games.iter().map(|game| record(game) + "\n").collect()
}

#[test]
fn the_same_bytes_for_every_number_of_threads() {
    let players = players(&["random", "material", "full:depth=1", "strong:depth=3"]);
    let pairings = round_robin(4, 6);
    let one = records(&on_threads(1, &players, &pairings, 3), &players, 3);
    for threads in [2, 8] {
        assert_eq!(records(&on_threads(threads, &players, &pairings, 3), &players, 3), one);
    }
    assert_eq!(one.lines().count(), 36);
}

#[test]
fn another_seed_gives_other_games() {
    let players = players(&["material", "material"]);
    let pairings = match_pairing(4);
    let play = |seed| play_all(&players, &pairings, &Conditions { seed, ..conditions(0) }, &|| ());
    let moves = |games: Vec<Played<Position>>| games.into_iter().map(|game| game.moves).collect::<Vec<_>>();
    assert_ne!(moves(play(1)), moves(play(2)));
    assert_eq!(moves(play(1)), moves(play(1)));
}

#[test]
fn records_replay_to_the_same_end() {
    let players = players(&["random", "material:depth=1"]);
    let games = on_threads(2, &players, &match_pairing(60), 2);
    for game in &games {
        let record = game.record(&players, &conditions(2));
        let line = json::write(&record);
        let read: GameRecord<Position> = json::read(&line).unwrap();
        assert_eq!(json::write(&read), line);
        assert_eq!((read.moves.as_slice(), read.opening_plies), (game.moves.as_slice(), 2));
        let replayed = read.replay();
        assert_eq!(replayed.moves(), game.moves);
        assert_eq!(replayed.verdict(), Some(game.scored.verdict));
    }
    let line = json::write(&games[0].record(&players, &conditions(2)));
    let (before, moves) = line.split_once("\"moves\":[\"").unwrap();
    let forged = format!("{before}\"moves\":[\"a1a1{}", &moves[moves.find('"').unwrap()..]);
    let refused = json::read::<Position>(&forged).unwrap_err();
    assert!(refused.starts_with("move 1: 'a1a1' is not a legal move"), "{refused}");
}

#[test]
fn both_games_of_a_pair_share_their_opening_and_swap_sides() {
    let players = players(&["material", "mobility"]);
    let games = on_threads(2, &players, &gauntlet(2, 20), 4);
    let mut openings = std::collections::HashSet::new();
    for pair in games.chunks(2) {
        assert_eq!(pair[0].moves[..4], pair[1].moves[..4]);
        assert_eq!((pair[0].scored.first, pair[1].scored.first), (0, 1));
        openings.insert(pair[0].moves[..4].to_vec());
    }
    assert!(openings.len() > 5);
}

#[test]
fn standings_count_every_game_once() {
    let players = players(&["random", "material:depth=1", "material"]);
    let pairings = round_robin(3, 10);
    let games = on_threads(2, &players, &pairings, 0);
    let standings = Standings::new(3, &pairings, &scored(&games));
    let total: u64 = (0..3).map(|player| standings.total(player).games()).sum();
    assert_eq!(total, 2 * 30);
    let points: f64 = (0..3).map(|player| standings.total(player).score() * 20.0).sum();
    assert_eq!(points, 30.0);
    for (results, pairs) in standings.pairings.iter().zip(&standings.pairs) {
        let tally = results.first + results.second;
        assert_eq!((tally.games(), pairs.pairs()), (10, 5));
        let half_points: u64 = (0..).zip(pairs.0).map(|(points, count): (u64, u64)| points * count).sum();
        assert_eq!(2 * tally.wins + tally.draws, half_points);
    }
}

/// Games are paired by their numbers, in whatever order they come and wherever a schedule starts.
#[test]
fn pairs_do_not_depend_on_the_order_of_games() {
    let pairings = gauntlet(2, 8);
    let mut games = scored(&on_threads(2, &players(&["random", "random"]), &pairings, 0));
    // The first player wins both games of every other pair and loses both of the rest.
    for game in &mut games {
        let side = if game.first == 0 { Side::First } else { Side::Second };
        game.verdict.outcome = Outcome::Win(if game.game / 2 % 2 == 0 { side } else { !side });
    }
    let pairs = |games: &[Scored]| Standings::new(2, &pairings, games).pairs[0].0;
    assert_eq!(pairs(&games), [2, 0, 0, 0, 2]);
    assert_eq!(pairs(&games[1..]), [2, 0, 0, 0, 1], "the first game has no partner");
    games.swap(1, 6);
    assert_eq!(pairs(&games), [2, 0, 0, 0, 2]);
}

/// What an independent program found over 3,000 to 6,000 games: first player's wins, losses and draws in percent.
#[test]
fn the_papers_players_fare_as_an_independent_program_says() {
    for (first, second, expected) in [
        ("material:depth=2", "material:depth=2", [34.8, 52.1, 13.1]),
        ("material:depth=3", "material:depth=2", [82.0, 10.1, 7.9]),
        ("material:depth=2", "material:depth=3", [12.2, 81.9, 6.0]),
        ("material:depth=2:terminal=exact", "material:depth=2:terminal=exact", [34.7, 52.2, 13.1]),
        ("material:depth=3:terminal=exact", "material:depth=2:terminal=exact", [85.0, 7.6, 7.4]),
        ("material:depth=2:terminal=exact", "material:depth=3:terminal=exact", [9.1, 85.3, 5.6]),
    ] {
        let players = players(&[first, second]);
        let pairing = Pairing { first: 0, second: 1, games: 4000, swap: false };
        let games = on_threads(2, &players, &[pairing], 0);
        let tally = Standings::new(2, &[pairing], &scored(&games)).players[0].first;
        let ours = [tally.wins, tally.losses, tally.draws].map(|count| count as f64 / 40.0);
        for (ours, expected) in ours.into_iter().zip(expected) {
            assert!((ours - expected).abs() < 2.5, "{first} v {second}: {ours} instead of {expected}");
        }
    }
}

#[test]
fn games_start_from_the_array_that_was_asked_for() {
    use dobutsu_ga::games::dobutsu::Array;
    let players = players(&["random", "random"]);
    for (array, fen) in
        [(Array::Official, "gle/1c1/1C1/ELG[-] w 0 1"), (Array::Figure12, "gle/1c1/1C1/GLE[-] w 0 1")]
    {
        let conditions = Conditions { array, ..Conditions::new(Rules::Paper, 3) };
        for game in &play_all(&players, &match_pairing(20), &conditions, &|| ()) {
            let record = game.record(&players, &conditions);
            assert_eq!(record.start.to_string(), fen);
            assert_eq!(record.replay().verdict(), Some(game.scored.verdict));
        }
    }
}

/// Random openings end nothing and leave neither side a win in one move, whoever were to move.
#[test]
fn openings_leave_the_game_open() {
    use dobutsu_ga::game::{Game, Outcome, Symmetry, legal_moves};
    let players = players(&["random", "random"]);
    for rules in [Rules::Paper, Rules::Official] {
        let conditions = Conditions { opening_plies: 4, ..Conditions::new(rules, 11) };
        for game in &play_all(&players, &match_pairing(400), &conditions, &|| ()) {
            let position = game.record(&players, &conditions).replay().positions()[4];
            let wins = |position: &dobutsu_ga::games::dobutsu::Position| {
                let us = position.side_to_move();
                let after = |m| position.play(m);
                legal_moves(position).into_iter().any(|m| {
                    after(m).outcome() == Some(Outcome::Win(us)) && after(m).decided_by() != Some("stuck")
                })
            };
            assert!(!wins(&position), "{position}");
            // The same pieces with the other side to move: the turn is the letter after the hands.
            let text = position.to_string();
            let handed = match text.contains(" w ") {
                true => text.replacen(" w ", " b ", 1),
                false => text.replacen(" b ", " w ", 1),
            };
            let handed = Game::parse(&handed, rules).unwrap();
            assert!(!wins(&handed), "{position}");
            assert!(position.is_calm() && position.transform(Symmetry::Turn).is_calm());
        }
    }
}

/// The Dobutsu thesis says that a position has about ten moves. Counted over all positions of 1,000 games; docs/papers.md cites it.
#[test]
fn positions_of_dobutsu_have_eight_to_nine_moves() {
    let per_position = |player: &str| {
        let players = players(&[player, player]);
        let conditions = Conditions::<Position>::new(Rules::Paper, 1);
        let (mut positions, mut moves) = (0, 0);
        for game in &play_all(&players, &match_pairing(1000), &conditions, &|| ()) {
            let mut position = conditions.start();
            for m in &game.moves {
                positions += 1;
                moves += legal_moves(&position).len();
                position = position.play(*m);
            }
        }
        format!("{player}: {:.1}", moves as f64 / positions as f64)
    };
    let counted = ["random", "material:depth=2", "material:depth=4"].map(per_position);
    assert_eq!(counted, ["random: 8.3", "material:depth=2: 8.2", "material:depth=4: 9.3"]);
}
