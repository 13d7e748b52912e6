//! The server as any program would use it: plain HTTP over a socket. (The page itself is tested in a browser: tests/browser.)

use std::io::{Read, Write};
use std::net::TcpListener;

use crate::common::fails;
use crate::common::server::{Server, error_of};
use serde_json::{Value, json};

#[test]
fn the_page_is_there_and_asks_nobody_else() {
    let server = Server::start("page");
    let (status, page) = server.get("/");
    assert_eq!(status, 200);
    assert!(page.contains("<!doctype html>") && page.contains("/app.js"));
    for name in ["app.js", "board.css", "pieces.js", "icon.svg"] {
        assert_eq!(server.get(&format!("/{name}")).0, 200, "{name}");
    }
    let host = &server.address;
    let mut stream = server.connect();
    write!(stream, "GET /app.js HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let head = answer.split("\r\n\r\n").next().unwrap().to_ascii_lowercase();
    assert!(head.contains("content-security-policy: default-src 'none'"), "{head}");
    assert!(head.contains("content-type: text/javascript"), "{head}");
    let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_string();
    let again = server.ask("GET", "/app.js", &format!("If-None-Match: {tag}\r\n"), "");
    assert_eq!(again.0, 304);
}

#[test]
fn a_game_is_told_and_answered_whole() {
    let server = Server::start("game");
    let start = server.good("/api/state", &json!({ "game": {} }));
    assert_eq!(start["moves"].as_array().unwrap().len(), 4);
    assert_eq!((&start["turn"], &start["verdict"]), (&json!("first"), &Value::Null));
    let over = server.good("/api/state", &json!({ "game": { "moves": ["b2b3", "a4a3", "b3b4+"] } }));
    assert_eq!(over["verdict"], json!({ "winner": "first", "by": "catch" }));
    assert_eq!(
        (&over["history"][2]["becomes"], &over["history"][2]["captures"]),
        (&json!("hen"), &json!("lion"))
    );
    assert_eq!(held(&over, "first", "lion"), 1);
    assert_eq!(over["moves"], json!([]));
    let there_and_back = ["c1c2", "a4a3", "c2c1", "a3a4", "c1c2", "a4a3", "c2c1", "a3a4"];
    let drawn = server.good("/api/state", &json!({ "game": { "moves": there_and_back } }));
    assert_eq!(drawn["verdict"], json!({ "winner": "draw", "by": "repetition" }));
    // The same step is a try by the paper's rules and not by the official ones, where the lion can be taken.
    let fen = "g1e/L1l/3/E1G[Cc] w 0 1";
    for (rules, winner) in [("paper", json!("first")), ("official", Value::Null)] {
        let game = json!({ "game": { "rules": rules, "start": fen, "moves": ["a3b4"] } });
        assert_eq!(server.good("/api/state", &game)["verdict"]["winner"], winner, "{rules}");
    }
    let paper = server.good("/api/state", &json!({ "game": { "moves": ["B3-B2", "B1-B2", "chick*B3"] } }));
    assert_eq!(paper["history"][2]["text"], "C@b2");
    assert_eq!(paper["history"][2]["others"], json!(["chick*B3"]));
    assert_eq!((&paper["history"][2]["from"], &paper["history"][2]["held"]), (&Value::Null, &json!("chick")));
    assert_eq!((&paper["game"], &paper["columns"]), (&json!("dobutsu"), &json!(3)));
}

/// How many of a kind a side holds.
fn held(state: &Value, side: &str, kind: &str) -> u64 {
    let hand = state["hands"][side].as_array().unwrap();
    hand.iter().find(|held| held["kind"] == kind).unwrap()["count"].as_u64().unwrap()
}

/// A game of Kyoto Shogi as a request tells it.
fn kyoto(moves: &[&str]) -> Value {
    json!({ "game": { "game": "kyoto", "moves": moves } })
}

/// A first player's win by taking the king.
const KYOTO_CATCH: [&str; 7] = ["e1e2+", "d5e4+", "e2e4-", "b5b4-", "e4e5+", "b4c2+", "e5c5-"];

#[test]
fn kyoto_is_told_and_answered_whole() {
    let server = Server::start("kyoto-game");
    let start = server.good("/api/state", &kyoto(&[]));
    assert_eq!((&start["game"], &start["rules"]), (&json!("kyoto"), &json!("capture")));
    assert_eq!((&start["columns"], start["board"].as_array().unwrap().len()), (&json!(5), 25));
    assert_eq!(start["board"][24], json!({ "side": "first", "kind": "pawn" }));
    assert_eq!(start["board"][0], json!({ "side": "second", "kind": "pawn" }));
    assert_eq!(start["moves"].as_array().unwrap().len(), 12);
    // A step turns over, what it takes goes to hand, and from there it can be dropped with either face.
    let taken = server.good("/api/state", &kyoto(&KYOTO_CATCH[..4]));
    let history = &taken["history"];
    assert_eq!((&history[0]["piece"], &history[0]["becomes"]), (&json!("pawn"), &json!("rook")));
    assert_eq!((&history[0]["from"], &history[0]["to"]), (&json!(24), &json!(19)));
    assert_eq!(history[0]["others"][0], "+1514HI");
    assert_eq!((&history[2]["captures"], &history[2]["becomes"]), (&json!("bishop"), &json!("pawn")));
    assert_eq!((held(&taken, "first", "silver"), held(&taken, "second", "silver")), (1, 0));
    let drops = |face: &str| {
        let moves = taken["moves"].as_array().unwrap().iter();
        let of_face = |m: &&Value| m["from"].is_null() && m["piece"] == face && m["held"] == "silver";
        moves.filter(of_face).count()
    };
    assert_eq!((drops("silver"), drops("bishop"), drops("pawn")), (16, 16, 0));
    let dropped = [&KYOTO_CATCH[..4], &["+S@c3"]].concat();
    assert_eq!(server.good("/api/state", &kyoto(&dropped))["board"][12]["kind"], "bishop");
    let over = server.good("/api/state", &kyoto(&KYOTO_CATCH));
    assert_eq!(over["verdict"], json!({ "winner": "first", "by": "catch" }));
    assert_eq!(over["moves"], json!([]));
    assert_eq!(held(&over, "first", "king"), 1);
}

#[test]
fn the_rules_of_kyoto_differ_about_the_king() {
    let server = Server::start("kyoto-rules");
    let state = |rules: &str, start: &str, moves: &[&str]| {
        let game = json!({ "game": "kyoto", "rules": rules, "start": start, "moves": moves });
        server.good("/api/state", &json!({ "game": game }))
    };
    // A rook looks at the king from afar: by the legal rules it has to be answered.
    let attacked = "2k2/5/5/2+P2/2K2[NNLLPSS] b 0 1";
    let counts =
        ["capture", "legal"].map(|rules| state(rules, attacked, &[])["moves"].as_array().unwrap().len());
    assert!(counts[0] > counts[1], "{counts:?}");
    assert_eq!(state("legal", attacked, &[])["check"], true);
    // A gold dropped under the bare king, with the own king behind it: nothing is left.
    let mate = state("legal", "2k2/5/2K2/5/5[NNLLPPSS] w 0 1", &["+N@c4"]);
    assert_eq!(mate["verdict"], json!({ "winner": "first", "by": "mate" }));
    let open = state("capture", "2k2/5/2K2/5/5[NNLLPPSS] w 0 1", &["+N@c4"]);
    assert_eq!(open["verdict"], Value::Null);
    // Kings that walk to and fro: the fourth time is a draw.
    let around: Vec<&str> = ["c1c2", "c5c4", "c2c1", "c4c5"].repeat(3);
    for rules in ["capture", "legal"] {
        let drawn = state(rules, "2k2/5/5/5/2K2[NNLLPPSS] w 0 1", &around);
        assert_eq!(drawn["verdict"], json!({ "winner": "draw", "by": "repetition" }), "{rules}");
    }
    // Brought about by nothing but checks, it loses by the legal rules.
    let checks: Vec<&str> = ["c3d4+", "c5c4", "d4c3-", "c4c5"].repeat(3);
    for (rules, winner) in [("capture", "draw"), ("legal", "second")] {
        let repeated = state(rules, "2k2/5/2S2/5/2K2[NNLLPPS] w 0 1", &checks);
        assert_eq!(repeated["verdict"], json!({ "winner": winner, "by": "repetition" }), "{rules}");
    }
}

#[test]
fn kyoto_is_played_and_analysed() {
    let server = Server::start("kyoto-move");
    for player in
        ["random", "S", "A:depth=2", "B:terminal=exact", "C:depth=1", "strong:depth=3", "strong:time=20ms"]
    {
        let mut wanted = kyoto(&["e1e2+"]);
        wanted["player"] = json!(player);
        wanted["seed"] = json!(7);
        let answer = server.good("/api/move", &wanted);
        assert_eq!(answer["state"]["history"][1]["text"], answer["move"], "{player}");
        assert_eq!(answer["state"]["game"], "kyoto");
        if !player.contains("time") {
            assert_eq!(server.good("/api/move", &wanted)["move"], answer["move"], "{player}");
        }
    }
    let found = server.good("/api/analyse", &kyoto(&KYOTO_CATCH[..6]));
    assert_eq!((&found["source"], &found["moves"][0]["text"]), (&json!("search"), &json!("e5c5-")));
    assert_eq!((&found["moves"][0]["result"], &found["moves"][0]["plies"]), (&json!("win"), &json!(1)));
    let legal = server.good("/api/state", &kyoto(&KYOTO_CATCH[..6]));
    assert_eq!(found["moves"].as_array().unwrap().len(), legal["moves"].as_array().unwrap().len());
    let over = server.good("/api/analyse", &kyoto(&KYOTO_CATCH));
    assert_eq!(over, json!({ "source": "over", "moves": [] }));
}

#[test]
fn each_game_has_its_own_opponents() {
    let server = Server::start("kyoto-list");
    let list = |query: &str| -> Value {
        let (status, text) = server.get(&format!("/api/opponents{query}"));
        assert_eq!(status, 200, "{text}");
        serde_json::from_str(&text).unwrap()
    };
    let names = |list: &Value| -> Vec<String> {
        let offers = list["opponents"].as_array().unwrap().iter();
        offers.map(|offer| offer["player"].as_str().unwrap().to_string()).collect()
    };
    let (dobutsu, kyoto) = (list(""), list("?game=kyoto"));
    assert_eq!(dobutsu, list("?game=dobutsu"));
    assert_eq!((&dobutsu["game"], &kyoto["game"]), (&json!("dobutsu"), &json!("kyoto")));
    assert_eq!(dobutsu["games"], kyoto["games"]);
    assert_eq!(kyoto["games"][1]["rules"], json!(["capture", "legal"]));
    assert_eq!((&kyoto["rules"], &kyoto["perfect"]), (&json!(["capture", "legal"]), &json!([])));
    assert_eq!(kyoto["depth"], 3);
    for name in
        ["random", "S:terminal=exact", "A:terminal=exact", "B:terminal=exact", "C:terminal=exact", "strong"]
    {
        assert!(names(&kyoto).iter().any(|known| known == name), "{name}");
    }
    assert!(names(&dobutsu).iter().any(|name| name == "material"));
    assert!(!names(&kyoto).iter().any(|name| name.starts_with("material")), "{kyoto}");
    // Every player that is offered can be played: those of Quoridor have no choice about how a game ends.
    let quoridor = list("?game=quoridor");
    assert_eq!(names(&quoridor), ["random", "plain", "report", "swift", "strong"]);
    let takes: Vec<&Value> =
        quoridor["opponents"].as_array().unwrap().iter().map(|offer| &offer["takes"]).collect();
    assert_eq!(takes, [&Value::Null, &json!("depth"), &json!("depth"), &json!("depth"), &json!("time")]);
    for name in names(&quoridor) {
        let player = if name == "strong" { "strong:time=20ms".to_string() } else { name };
        server.good("/api/move", &json!({ "game": { "game": "quoridor" }, "player": player }));
    }
    let hasami = list("?game=hasami");
    assert_eq!(names(&hasami), ["random", "report", "pieces", "balance", "random-piece", "dqn", "strong"]);
    for name in names(&hasami) {
        let player = if name == "strong" { "strong:time=20ms".to_string() } else { name };
        server.good("/api/move", &json!({ "game": { "game": "hasami" }, "player": player }));
    }
    // Every level can be played, but for those that need a table.
    for (game, list) in
        [("dobutsu", &dobutsu), ("kyoto", &kyoto), ("quoridor", &quoridor), ("hasami", &hasami)]
    {
        for level in list["levels"].as_array().unwrap() {
            let wanted = json!({ "game": { "game": game }, "player": level["player"], "seed": 3 });
            match level["rules"] == json!([]) {
                true => server.refuses("/api/move", &wanted, 422, "there is no table of perfect play"),
                false => drop(server.good("/api/move", &wanted)),
            }
            assert_eq!(level["depth"].is_null(), level["rules"] == json!([]), "{level}");
            assert!(level["slips"].is_number() && level["key"].is_string() && level["piece"].is_string());
        }
    }
    assert_eq!(dobutsu["levels"].as_array().unwrap().last().unwrap()["player"], "perfect");
    let table = json!({ "game": {}, "player": "perfect:slips=0.1:table=/etc/passwd" });
    server.refuses("/api/move", &table, 422, "the perfect player takes no table");
    // Networks are named by what is offered, never by a path.
    let network = json!({ "game": { "game": "hasami" }, "player": "net=../../secret" });
    server.refuses("/api/move", &network, 422, "it is not among those offered");
    let (status, text) = server.get("/api/opponents?game=chess");
    assert_eq!(status, 400);
    assert!(error_of(&text).contains("not understood"), "{text}");
}

#[test]
fn games_are_not_mixed_up() {
    let server = Server::start("kyoto-refuse");
    let game = |game: Value| json!({ "game": game });
    server.refuses("/api/state", &game(json!({ "game": "chess" })), 422, "chess");
    server.refuses("/api/state", &game(json!({ "game": 1 })), 422, "not understood");
    server.refuses(
        "/api/state",
        &game(json!({ "game": "kyoto", "rules": "paper" })),
        422,
        "there is no rule set 'paper': choose capture or legal",
    );
    server.refuses(
        "/api/state",
        &game(json!({ "game": "dobutsu", "rules": "legal" })),
        422,
        "there is no rule set 'legal': choose paper or official",
    );
    server.refuses("/api/state", &kyoto(&["b2b3"]), 422, "move 1: 'b2b3' is not a legal move");
    server.refuses("/api/state", &game(json!({ "moves": ["e1e2+"] })), 422, "move 1");
    let dobutsu_start = "gle/1c1/1C1/ELG[-] w 0 1";
    server.refuses("/api/state", &game(json!({ "game": "kyoto", "start": dobutsu_start })), 422, "4 ranks");
    let after = [&KYOTO_CATCH[..], &["a5a4+"]].concat();
    server.refuses("/api/state", &kyoto(&after), 422, "move 8: the game is over (catch)");
    for (told, player, sentence) in [
        ("kyoto", "material", "no player 'material'"),
        ("dobutsu", "B", "no player 'B'"),
        ("kyoto", "perfect", "perfect"),
    ] {
        let wanted = json!({ "game": { "game": told }, "player": player });
        server.refuses("/api/move", &wanted, 422, sentence);
    }
    let mut over = kyoto(&KYOTO_CATCH);
    over["player"] = json!("random");
    server.refuses("/api/move", &over, 409, "the game is over (catch)");
    server.refuses("/api/runs", &json!({ "game": "chess", "seed": 1, "generations": 5 }), 422, "chess");
    server.is_well();
}

#[test]
fn computers_move() {
    let server = Server::start("move");
    for player in [
        "random",
        "material",
        "mobility:depth=3",
        "full",
        "table5:depth=2",
        "table8:terminal=exact",
        "strong:time=20ms",
        "strong:depth=4",
    ] {
        let answer =
            server.good("/api/move", &json!({ "game": { "moves": ["b2b3"] }, "player": player, "seed": 7 }));
        let again =
            server.good("/api/move", &json!({ "game": { "moves": ["b2b3"] }, "player": player, "seed": 7 }));
        assert_eq!(answer["state"]["history"][1]["text"], answer["move"], "{player}");
        if !player.contains("time") {
            assert_eq!(answer["move"], again["move"], "{player}");
        }
    }
    let catch = json!({ "game": { "moves": ["b2b3", "a4a3"] }, "player": "material" });
    assert_eq!(server.good("/api/move", &catch)["move"], "b3b4+");
}

#[test]
fn what_makes_no_sense_is_refused_with_a_sentence() {
    let server = Server::start("refuse");
    let game = |moves: &[&str]| json!({ "game": { "moves": moves } });
    server.refuses("/api/state", &game(&["b2b4"]), 422, "move 1: 'b2b4' is not a legal move");
    server.refuses(
        "/api/state",
        &game(&["b2b3", "a4a3", "b3b4+", "a1a2"]),
        422,
        "move 4: the game is over (catch)",
    );
    server.refuses("/api/state", &json!({ "game": { "start": "nonsense" } }), 422, "FEN");
    server.refuses(
        "/api/state",
        &json!({ "game": { "rules": "chess" } }),
        422,
        "there is no rule set 'chess': choose paper or official",
    );
    server.refuses("/api/state", &json!({ "game": {}, "more": 1 }), 422, "unknown field");
    server.refuses("/api/state", &json!({ "game": { "moves": vec!["b2b3"; 501] } }), 422, "501 moves");
    server.refuses("/api/state", &json!([]), 422, "not understood");
    let player = |player: &str| json!({ "game": {}, "player": player });
    server.refuses("/api/move", &player("stockfish"), 422, "there is no player 'stockfish'");
    server.refuses("/api/move", &player("perfect"), 422, "no table of perfect play");
    server.refuses("/api/move", &player("material:depth=9"), 422, "8 plies");
    server.refuses("/api/move", &player("material:depth=8:evaluate=path"), 422, "every line");
    let kyoto = json!({ "game": { "game": "kyoto" }, "player": "B:depth=4:evaluate=path" });
    server.refuses("/api/move", &kyoto, 422, "look at every line 3 plies ahead");
    server.refuses("/api/move", &player("strong:time=6s"), 422, "5 s");
    server.refuses("/api/move", &player(&"x".repeat(301)), 422, "300 letters");
    let over = json!({ "game": { "moves": ["b2b3", "a4a3", "b3b4+"] }, "player": "random" });
    server.refuses("/api/move", &over, 409, "the game is over (catch)");
    server.refuses("/api/runs", &json!({ "seed": 1, "generations": 2001 }), 422, "at most 2000");
    server.refuses("/api/runs", &json!({ "seed": 1, "generations": 0 }), 422, "generations is 0");
    server.refuses("/api/runs", &json!({ "seed": -1, "generations": 5 }), 422, "seed");
    server.is_well();
}

#[test]
fn many_play_at_once() {
    let server = Server::start("many");
    std::thread::scope(|scope| {
        for seed in 0..24u64 {
            let server = &server;
            scope.spawn(move || {
                let mut moves: Vec<Value> = Vec::new();
                loop {
                    let answer = server.good(
                        "/api/move",
                        &json!({ "game": { "moves": moves }, "player": "material:depth=2", "seed": seed }),
                    );
                    moves.push(answer["move"].clone());
                    if !answer["state"]["verdict"].is_null() {
                        break;
                    }
                }
                assert!(moves.len() >= 3);
            });
        }
    });
}

#[test]
fn a_taken_port_is_a_sentence() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = fails(&["serve", "--port", &port], "is taken: --port N chooses another one");
    assert!(output.stdout.is_empty());
    fails(&["serve", "--port", "0", "--table", "no-such-table"], "`dobutsu-ga solve --rules paper");
}

/// The browser tests are run beside these: here is checked that what they are made of is there.
#[test]
fn the_browser_tests_are_elsewhere() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    for name in ["page.test.js", "kyoto.test.js", "network.test.js"] {
        assert!(text(name).contains("onPage("), "{name}");
    }
    assert!(text("README.md").contains("node --test"));
    println!("skipped: the page in a real browser; .ci/run runs those tests, or see tests/browser/README.md");
}
