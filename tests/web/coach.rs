//! What the server says about games beside their state: reviews, lines, warnings, refusals that a page can translate; and how its
//! files are sent.

use std::io::{Read, Write};

use crate::common::server::Server;
use serde_json::{Value, json};

/// A lion is left where a chick catches it.
const CAUGHT: [&str; 3] = ["b2b3", "a4a3", "b3b4+"];

#[test]
fn a_review_judges_each_move_and_names_a_better_one() {
    let server = Server::start("review");
    let review = server.good("/api/review", &json!({ "game": { "rules": "official", "moves": CAUGHT } }));
    assert_eq!(review["source"], "search");
    let plies = review["plies"].as_array().unwrap();
    assert_eq!(plies.len(), 3);
    let careless = &plies[1];
    assert_eq!((&careless["ply"], &careless["side"]), (&json!(2), &json!("second")));
    assert_eq!(careless["worth"], json!({ "result": "loss", "plies": 2, "points": null }));
    assert_eq!((&careless["after"], &careless["best_move"]["captures"]), (&json!(1.0), &json!("chick")));
    assert_eq!((&plies[2]["mark"], &plies[2]["worth"]["plies"]), (&json!(""), &json!(1)));
    // What is known already is not judged again.
    let rest = server.good("/api/review", &json!({ "game": { "moves": CAUGHT }, "from": 2 }));
    assert_eq!(rest["plies"].as_array().unwrap().len(), 1);
    let none = server.good("/api/review", &json!({ "game": { "moves": CAUGHT }, "from": 1_000_000 }));
    assert_eq!(none["plies"], json!([]));
    server.refuses("/api/review", &json!({ "game": { "moves": ["b2b9"] } }), 422, "'b2b9'");
    for game in ["kyoto", "quoridor", "hasami"] {
        let state = server.good("/api/state", &json!({ "game": { "game": game } }));
        let first = state["moves"][0]["text"].as_str().unwrap();
        let review = server.good("/api/review", &json!({ "game": { "game": game, "moves": [first] } }));
        assert_eq!(review["plies"][0]["ply"], 1, "{game}");
    }
}

#[test]
fn an_analysis_says_what_the_position_is_worth_and_how_it_goes_on() {
    let server = Server::start("line");
    let found = server.good("/api/analyse", &json!({ "game": { "moves": &CAUGHT[..2] } }));
    assert_eq!(found["value"], json!({ "result": "win", "plies": 1, "points": null }));
    assert_eq!((&found["first"], &found["line"]), (&json!(1.0), &json!(["b3b4+"])));
    // Seen by the other side it is the same chance of the first player.
    let found = server.good("/api/analyse", &json!({ "game": { "moves": ["b2b3"] } }));
    let (first, line) = (found["first"].as_f64().unwrap(), found["line"].as_array().unwrap());
    assert!((0.0..=1.0).contains(&first) && line.len() >= 2);
    let mut moves = vec![json!("b2b3")];
    moves.extend(line.iter().cloned());
    server.good("/api/state", &json!({ "game": { "moves": moves } }));
}

#[test]
fn moves_that_repeat_once_too_often_are_told() {
    let server = Server::start("repeats");
    let there_and_back = ["c1c2", "a4a3", "c2c1", "a3a4", "c1c2", "a4a3", "c2c1"];
    let state = server.good("/api/state", &json!({ "game": { "moves": there_and_back } }));
    let repeats = |state: &Value| -> Vec<String> {
        let moves = state["moves"].as_array().unwrap().iter();
        moves.filter(|m| m["repeats"] == true).map(|m| m["text"].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(repeats(&state), ["a3a4"]);
    assert_eq!((&state["occurrences"], &state["repetitions"]), (&json!(2), &json!(3)));
    let start = server.good("/api/state", &json!({ "game": {} }));
    assert!(repeats(&start).is_empty());
    let kyoto = server.good("/api/state", &json!({ "game": { "game": "kyoto" } }));
    assert_eq!(kyoto["repetitions"], 4);
}

#[test]
fn refusals_that_people_cause_can_be_said_in_any_language() {
    let server = Server::start("codes");
    let refused = |game: Value| {
        let (status, answer) = server.post("/api/state", &json!({ "game": game }));
        assert_eq!(status, 422, "{answer}");
        (answer["code"].as_str().unwrap().to_string(), answer["with"].clone())
    };
    assert_eq!(refused(json!({ "moves": ["b2b3", "zz"] })), ("move".to_string(), json!(["2", "zz"])));
    let after = [&CAUGHT[..], &["a1a2"]].concat();
    assert_eq!(refused(json!({ "moves": after })), ("move_after_end".to_string(), json!(["4", "a1a2"])));
    assert_eq!(refused(json!({ "start": "x/y w" })).0, "fen");
    assert_eq!(refused(json!({ "moves": vec!["b2b3"; 501] })).0, "too_long");
}

#[test]
fn files_are_packed_for_who_can_unpack_them() {
    let server = Server::start("packed");
    let fetch = |name: &str, more: &str| {
        let mut stream = server.connect();
        let host = &server.address;
        write!(stream, "GET /{name} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        (String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase(), answer[end + 4..].to_vec())
    };
    for name in ["", "app.js", "words-ja.js"] {
        let (head, plain) = fetch(name, "");
        assert!(!head.contains("content-encoding"), "{head}");
        let (head, packed) = fetch(name, "Accept-Encoding: deflate, gzip, br\r\n");
        assert!(head.contains("content-encoding: gzip") && head.contains("vary: accept-encoding"), "{head}");
        assert!(packed.len() < plain.len() && packed[..2] == [0x1f, 0x8b], "{name}");
    }
    for (name, kind) in [("app.webmanifest", "application/manifest+json"), ("icon-180.png", "image/png")] {
        let (head, body) = fetch(name, "");
        assert!(head.starts_with("http/1.1 200") && head.contains(kind), "{head}");
        assert!(!body.is_empty());
    }
}

#[test]
fn analysis_puts_the_best_first() {
    let server = Server::start("analysis");
    let found = server.good("/api/analyse", &json!({ "game": { "moves": ["b2b3", "a4a3"] } }));
    assert_eq!(found["moves"][0]["text"], "b3b4+");
    assert_eq!(found["moves"][0]["result"], "win");
    let over = server.good("/api/analyse", &json!({ "game": { "moves": ["b2b3", "a4a3", "b3b4+"] } }));
    assert_eq!(over, json!({ "source": "over", "moves": [] }));
}

#[test]
fn a_network_says_what_it_thinks() {
    let server = Server::start("network");
    let ask = |game: &str, moves: &[&str], player: &str| {
        let game = json!({ "game": game, "moves": moves });
        server.good("/api/analyse", &json!({ "game": game, "player": player }))
    };
    for (game, legal) in [("dobutsu", 4), ("kyoto", 12)] {
        let found = ask(game, &[], "alphazero:simulations=20");
        assert_eq!((&found["source"], &found["simulations"]), (&json!("network"), &json!(20)));
        let rows = found["moves"].as_array().unwrap();
        assert_eq!(rows.len(), legal, "{game}");
        let sum = |name: &str| rows.iter().map(|row| row[name].as_f64().unwrap()).sum::<f64>();
        assert_eq!(sum("visits"), 20.0);
        for name in ["share", "prior"] {
            assert!((sum(name) - 1.0).abs() < 0.01, "{game} {name}: {found}");
        }
        for row in rows {
            assert_eq!(row["value"].is_null(), row["visits"] == 0, "{row}");
        }
        for value in [&found["value"], &found["own"]] {
            assert!(value.as_f64().unwrap().abs() <= 1.0, "{found}");
        }
        // The best comes first, and is what the network plays.
        let best: Vec<&Value> = rows.iter().filter(|row| row["best"] == true).collect();
        assert_eq!(best, [&rows[0]]);
        let wanted = json!({ "game": { "game": game }, "player": "alphazero:simulations=20" });
        assert_eq!(server.good("/api/move", &wanted)["move"], rows[0]["text"]);
    }
    let won = ask("dobutsu", &["b2b3", "a4a3"], "alphazero");
    assert_eq!((&won["moves"][0]["text"], &won["moves"][0]["proven"]), (&json!("b3b4+"), &json!(true)));
    assert_eq!((&won["moves"][0]["value"], &won["value"]), (&json!(1.0), &json!(1.0)));
    // With nothing tried, the policy alone decides.
    let at_once = ask("dobutsu", &[], "alphazero:simulations=0");
    assert_eq!((&at_once["simulations"], &at_once["moves"][0]["best"]), (&json!(0), &json!(true)));
    assert_eq!(at_once["moves"][0]["share"], at_once["moves"][0]["prior"]);
    let over = ask("dobutsu", &["b2b3", "a4a3", "b3b4+"], "alphazero");
    assert_eq!(over, json!({ "source": "over", "moves": [] }));
}

#[test]
fn only_networks_are_asked_what_they_think() {
    let server = Server::start("no-network");
    let refuses = |game: &str, player: Value, words: &str| {
        let wanted = json!({ "game": { "game": game }, "player": player });
        server.refuses("/api/analyse", &wanted, 422, words);
    };
    refuses("dobutsu", json!("strong"), "only networks that try moves");
    refuses("hasami", json!("dqn"), "only networks that try moves");
    refuses("quoridor", json!("alphazero"), "there is no player 'alphazero'");
    refuses("dobutsu", json!("alphazero:simulations=1001"), "1000 times at most");
    refuses("dobutsu", json!("alphazero:simulations=-1"), "from 0 to");
    refuses("dobutsu", json!("alphazero:depth=3"), "depth");
    refuses("kyoto", json!("net=../../secret"), "it is not among those offered");
    refuses("dobutsu", json!("x".repeat(301)), "300 letters");
    refuses("dobutsu", json!(7), "not understood");
    let move_of = json!({ "game": {}, "player": "alphazero:simulations=1000000" });
    server.refuses("/api/move", &move_of, 422, "1000 times at most");
    server.is_well();
}
