//! Runs as the page handles them: taken up again, measured meanwhile, and their files looked at and kept.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::common::server::{Server, error_of, follow};
use crate::common::{command, fails};
use dobutsu_ga::experiment::{CurveResult, CurveWork, FiveNumbers, built_in_settings, run_curve};
use dobutsu_ga::games::dobutsu;
use serde_json::{Value, json};

pub(crate) fn run(server: &Server, id: &str) -> Value {
    serde_json::from_str(&server.get(&format!("/api/runs/{id}")).1).unwrap()
}

pub(crate) fn start(server: &Server, wanted: &Value) -> String {
    let (status, started) = server.post("/api/runs", wanted);
    assert_eq!(status, 201, "{started}");
    started["id"].as_str().unwrap().to_string()
}

/// The files of a folder, without the lock.
fn kept(folder: impl AsRef<Path>) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut files = crate::common::contents(folder);
    files.remove(".lock");
    files
}

#[test]
fn a_stopped_run_is_taken_up_and_comes_out_the_same() {
    let server = Server::start("resume");
    let id = start(&server, &json!({ "preset": "robust", "seed": 2, "generations": 4 }));
    let path = format!("/api/runs/{id}");
    server.refuses(&path, &json!({}), 409, "is going on");
    assert_eq!(server.own("DELETE", &path).0, 202);
    // It may have been quicker than we are.
    if follow(&server, &id).1 == "stopped" {
        let more = "Content-Type: application/json\r\n";
        assert_eq!(server.ask("POST", &path, more, "{}").0, 403, "only the page may do that");
        server.refuses(&path, &json!({ "more": 1 }), 422, "unknown field 'more'");
        server.refuses(&path, &json!({ "language": "fr" }), 422, "choose en or ja");
        let (status, answer) = server.post(&path, &json!({}));
        assert_eq!((status, &answer["id"]), (201, &json!(id)), "{answer}");
        let (_, end) = follow(&server, &id);
        assert_eq!(end, "finished");
    }
    assert_eq!(run(&server, &id)["resume"], Value::Null);
    server.refuses(&path, &json!({}), 409, "is over");
    assert_eq!(server.post(&path, &json!({})).1["code"], "run_over");
    server.refuses("/api/runs/nobody", &json!({}), 404, "no run 'nobody'");
    let out = server.scratch.path("same");
    crate::common::prints(&["--preset", "robust", "--seed", "2", "--generations", "4", "--out", &out]);
    crate::common::assert_same(
        &kept(server.results(&id)),
        &kept(&out),
        "a run that was stopped and one that was not",
    );
}

#[test]
fn a_run_of_the_command_line_is_taken_up() {
    let server = Server::start("resume-foreign");
    let folder = server.results("mine");
    let args =
        ["--seed", "5", "--generations", "1500", "--checkpoint-every", "10", "--threads", "1", "--out"];
    let mut child = command(&[&args[..], &[&folder.display().to_string()]].concat())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while !std::fs::read_to_string(folder.join("generations.csv")).is_ok_and(|text| text.lines().count() > 20)
    {
        std::thread::sleep(Duration::from_millis(5));
    }
    server.refuses("/api/runs/mine", &json!({}), 409, "another process is working there");
    assert_eq!(server.post("/api/runs/mine", &json!({})).1["code"], "folder_in_use");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(run(&server, "mine")["state"], "stopped");
    assert_eq!(server.post("/api/runs/mine", &json!({})).0, 201);
    assert_eq!(follow(&server, "mine"), (1500, "finished".to_string()));
}

#[test]
fn what_is_no_run_is_not_taken_up() {
    let server = Server::start("resume-bad");
    let folder = server.results("odd");
    std::fs::create_dir_all(&folder).unwrap();
    for (run_toml, status) in [
        ("experiment = \"odd\"\n", 404),
        ("command = \"guideline\"\n", 404),
        ("nonsense", 404),
        ("game = \"chess\"\n", 404),
    ] {
        std::fs::write(folder.join("run.toml"), run_toml).unwrap();
        let (got, answer) = server.post("/api/runs/odd", &json!({}));
        assert_eq!(got, status, "{run_toml}: {answer}");
        assert!(answer["error"].is_string(), "{answer}");
    }
    // Of another version, and with a checkpoint that is none.
    let id = start(&server, &json!({ "seed": 1, "generations": 1 }));
    follow(&server, &id);
    let path = server.results(&id).join("run.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("version = \"", "version = \"9.", 1)).unwrap();
    server.refuses(&format!("/api/runs/{id}"), &json!({}), 409, "was begun by version 9.");
    std::fs::write(&path, text).unwrap();
    std::fs::write(server.results(&id).join("checkpoint.json"), "nonsense").unwrap();
    let (status, answer) = server.post(&format!("/api/runs/{id}"), &json!({}));
    assert_eq!(status, 409, "{answer}");
    // Nothing is left behind that would keep the next one from beginning.
    follow(&server, &start(&server, &json!({ "seed": 7, "generations": 1 })));
}

/// What a follower is told until all these events have come.
fn told(server: &Server, id: &str, wanted: &[&str]) -> Vec<(String, Value)> {
    let mut stream = server.connect();
    let host = &server.address;
    write!(stream, "GET /api/runs/{id}/events HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut all: Vec<(String, Value)> = Vec::new();
    let mut name = String::new();
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        if let Some(event) = line.strip_prefix("event: ") {
            name = event.to_string();
        } else if let Some(data) = line.strip_prefix("data: ") {
            let data: Value = serde_json::from_str(data).unwrap();
            all.push((name.clone(), data));
            let has = |name: &&str| all.iter().any(|(told, data)| told == name && !data.is_null());
            if name == "end" || wanted.iter().all(has) {
                return all;
            }
        }
    }
    panic!("the events stopped: {all:?}");
}

#[test]
fn strength_and_the_time_left_are_told_while_a_run_goes_on() {
    let server = Server::start("strength");
    let id = start(&server, &json!({ "preset": "robust", "seed": 1, "generations": 200 }));
    let events = told(&server, &id, &["strength", "left"]);
    let of = |name: &str| {
        events.iter().rev().find(|(told, _)| told == name).map(|(_, data)| data.clone()).unwrap()
    };
    assert!(of("left").as_f64().unwrap() > 0.0);
    let [generation, score, low, high] =
        serde_json::from_value::<[f64; 4]>(of("strength")[0].clone()).unwrap();
    assert!(generation >= 1.0 && low <= score && score <= high && (0.0..=1.0).contains(&score));
    let before = run(&server, &id);
    assert_eq!((&before["state"], &before["strength_games"]), (&json!("running"), &json!(50)));
    assert!(!before["strength"].as_array().unwrap().is_empty());
    assert!(before["left"].as_f64().unwrap() > 0.0);
    // The list tells how far it is, too.
    let list: Value = serde_json::from_str(&server.get("/api/runs").1).unwrap();
    assert!(list["runs"][0]["reached"].as_u64().unwrap() >= 1);
    assert!(list["runs"][0]["left"].as_f64().is_some());
    server.own("DELETE", &format!("/api/runs/{id}"));
    follow(&server, &id);
    let after = run(&server, &id);
    assert_eq!((&after["state"], &after["left"]), (&json!("stopped"), &Value::Null));
    // Nothing of it is in the run's folder.
    assert!(!server.results(&id).join("strength.csv").exists());
    // A run that is over has measured itself.
    let id = start(&server, &json!({ "seed": 1, "generations": 40 }));
    follow(&server, &id);
    let over = run(&server, &id);
    assert_eq!((over["strength"].as_array().unwrap().len(), &over["strength_games"]), (21, &Value::Null));
}

#[test]
fn numbers_that_are_none_are_refused_by_name() {
    let server = Server::start("numbers");
    let wanted = |seed: Value, generations: Value| json!({ "seed": seed, "generations": generations });
    let whole = "it must be a whole number from 1 to 2000";
    for (given, words) in [
        (json!(10.5), format!("generations is 10.5: {whole}")),
        (json!(-3), format!("generations is -3: {whole}")),
        (json!(0), format!("generations is 0: {whole}")),
        (json!("ten"), format!("generations is \"ten\": {whole}")),
        (Value::Null, format!("generations is missing: {whole}")),
        (json!(2001), "generations is 2001: a run of the page has at most 2000".to_string()),
        (json!(1e300), "generations is 1e+300".to_string()),
    ] {
        server.refuses("/api/runs", &wanted(json!(1), given), 422, &words);
    }
    server.refuses(
        "/api/runs",
        &wanted(json!(0.5), json!(5)),
        422,
        "seed is 0.5: it must be a whole number from 0",
    );
    server.refuses("/api/runs", &json!({ "generations": 5 }), 422, "seed is missing");
    let preset = json!({ "seed": 1, "generations": 5, "preset": "best" });
    server.refuses("/api/runs", &preset, 422, "there is no preset 'best': choose paper or robust");
    let robust = json!({ "seed": 1, "generations": 10.5, "preset": "robust" });
    server.refuses("/api/runs", &robust, 422, "from 1 to 200");
    for body in ["{", "\u{0}", "[1", "{\"seed\":1e999}"] {
        let more = format!("Content-Type: application/json\r\nX-Dobutsu-Token: {}\r\n", server.token);
        let (_, text) = server.ask("POST", "/api/runs", &more, body);
        let sentence = error_of(&text);
        // Nothing of the parser's own.
        for word in ["line 1", "column", "deserialize", "Failed", "expected"] {
            assert!(!sentence.contains(word), "{sentence}");
        }
    }
}

/// What the page draws is what the figures' experiments have measured, in every generation.
#[test]
fn the_warm_up_is_the_run_of_the_experiments() {
    let server = Server::start("curve");
    for (elite, name) in [(1, "figure2"), (2, "figure3")] {
        let work: CurveWork = built_in_settings::<dobutsu::Position, _>(name, "curve");
        assert_eq!(work.elite, elite);
        let work = CurveWork { seeds: "7..7".parse().unwrap(), ..work };
        for CurveResult { mutation, errors } in run_curve(&work) {
            let percent = 100.0 * mutation;
            let (status, text) = server.get(&format!("/api/curve?seed=7&elite={elite}&mutation={percent}"));
            let answer: Value = serde_json::from_str(&text).unwrap();
            assert_eq!((status, &answer["generations"]), (200, &json!(errors.len())));
            let best = answer["best"].as_array().unwrap();
            assert!(best.iter().all(|best| best["genes"].as_array().unwrap().len() == 20));
            assert!(best.windows(2).all(|pair| pair[0]["genes"] != pair[1]["genes"]));
            for (generation, FiveNumbers(numbers)) in (1_u64..).zip(&errors) {
                let of = |best: &&Value| best["generation"].as_u64().unwrap() <= generation;
                let error = best.iter().rfind(of).unwrap()["error"].as_f64().unwrap();
                assert_eq!(*numbers, [error; 5], "{name}, {percent} %, generation {generation}");
            }
        }
    }
}

#[test]
fn a_warm_up_that_is_none_is_refused_by_name() {
    let server = Server::start("curve-bad");
    for (query, sentence) in [
        ("", "elite is missing: it must be a whole number from 1 to 2"),
        ("?seed=1&mutation=1&elite=3", "elite is 3: it must be a whole number from 1 to 2"),
        ("?seed=1&mutation=1&elite=0", "elite is 0: it must be a whole number from 1 to 2"),
        ("?seed=1&elite=1&mutation=101", "mutation is 101: it must be a whole number from 0 to 100"),
        ("?seed=1&elite=1&mutation=1.5", "mutation is \"1.5\": it must be a whole number from 0 to 100"),
        ("?elite=1&mutation=1", "seed is missing: it must be a whole number from 0 to 9223372036854775807"),
        ("?seed=-1&elite=1&mutation=1", "seed is \"-1\": it must be a whole number from 0"),
        ("?seed=1&seed=2&elite=1&mutation=1", "the address is not understood"),
    ] {
        let (status, text) = server.get(&format!("/api/curve{query}"));
        assert!((400..500).contains(&status), "{query}: {status}");
        assert!(error_of(&text).starts_with(sentence), "{query}: {text}");
    }
}

#[test]
fn a_run_of_kyoto_is_started_followed_and_played() {
    let server = Server::start("kyoto-run");
    let (status, started) =
        server.post("/api/runs", &json!({ "game": "kyoto", "seed": 2, "generations": 3 }));
    assert_eq!(status, 201, "{started}");
    let id = started["id"].as_str().unwrap();
    assert_eq!(id, "web-kyoto-paper-seed2");
    assert_eq!(follow(&server, id), (3, "finished".to_string()));
    let run: Value = serde_json::from_str(&server.get(&format!("/api/runs/{id}")).1).unwrap();
    assert_eq!((&run["game"], &run["state"]), (&json!("kyoto"), &json!("finished")));
    let genes = run["genes"].as_array().unwrap().len();
    for language in ["en", "ja"] {
        assert_eq!(run["labels"][language].as_array().unwrap().len(), genes, "{language}");
    }
    assert_eq!(
        (&run["labels"]["en"][0], &run["labels"]["ja"][1]),
        (&json!("pawn on board"), &json!("飛（盤上）"))
    );
    let list: Value = serde_json::from_str(&server.get("/api/runs").1).unwrap();
    assert_eq!((&list["runs"][0]["id"], &list["runs"][0]["game"]), (&json!(id), &json!("kyoto")));
    // Its champion is offered for its game alone, and plays it.
    assert!(server.get("/api/opponents?game=kyoto").1.contains(id));
    assert!(!server.get("/api/opponents").1.contains(id));
    let wanted = json!({ "game": { "game": "kyoto" }, "player": format!("genome={id}:depth=1") });
    server.good("/api/move", &wanted);
    let foreign = json!({ "game": {}, "player": format!("genome={id}:depth=1") });
    let (status, answer) = server.post("/api/move", &foreign);
    assert_eq!(status, 422, "{answer}");
    assert!(answer["error"].as_str().unwrap().contains("kyoto"), "{answer}");
}

/// The best of an experiment's champions is offered with the ending that it was tuned with.
#[test]
fn champions_of_an_experiment_play_as_they_were_tuned() {
    let server = Server::start("exact");
    let from = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/results/table5-exact"));
    let to = server.results("table5-exact");
    std::fs::create_dir_all(&to).unwrap();
    for file in ["run.toml", "runs.csv"] {
        std::fs::copy(from.join(file), to.join(file)).unwrap();
    }
    let offers = server.get("/api/opponents?game=dobutsu").1;
    assert!(offers.contains("genome=table5-exact:terminal=exact"), "{offers}");
}

#[test]
fn a_run_is_started_followed_and_kept() {
    let server = Server::start("run");
    let wanted = json!({ "seed": 3, "side": "first", "generations": 120 });
    let (status, started) = server.post("/api/runs", &wanted);
    assert_eq!(status, 201, "{started}");
    let id = started["id"].as_str().unwrap();
    assert_eq!(id, "web-paper-first-seed3");
    assert_eq!(follow(&server, id), (120, "finished".to_string()));
    let run: Value = serde_json::from_str(&server.get(&format!("/api/runs/{id}")).1).unwrap();
    assert_eq!((&run["state"], run["rows"].as_array().unwrap().len()), (&json!("finished"), 120));
    assert_eq!(run["paper"]["table"], "Table 7");
    assert!(!run["strength"].as_array().unwrap().is_empty());
    // Followed again, a finished run is told at once; its champion can be played.
    assert_eq!(follow(&server, id).0, 120);
    server.good("/api/move", &json!({ "game": {}, "player": format!("genome={id}:depth=2") }));
    let opponents = server.get("/api/opponents").1;
    assert!(opponents.contains(id), "{opponents}");
    // The same files as from the command line, byte for byte.
    let out = server.scratch.path("same");
    crate::common::prints(&["--seed", "3", "--fix-side", "first", "--generations", "120", "--out", &out]);
    let mut ours = crate::common::contents(server.results(id));
    let mut theirs = crate::common::contents(&out);
    ours.remove(".lock");
    theirs.remove(".lock");
    crate::common::assert_same(&ours, &theirs, "the page's run and the command line's");
    // A second one of the same name gets a folder of its own.
    let (_, second) = server.post("/api/runs", &json!({ "seed": 3, "side": "first", "generations": 1 }));
    assert_eq!(second["id"], "web-paper-first-seed3-2");
}

#[test]
fn a_run_is_stopped_and_taken_up_elsewhere() {
    let server = Server::start("stop");
    let wanted = json!({ "preset": "robust", "seed": 1, "generations": 200 });
    let (status, started) = server.post("/api/runs", &wanted);
    assert_eq!(status, 201, "{started}");
    let id = started["id"].as_str().unwrap();
    server.refuses("/api/runs", &wanted, 409, "is going on");
    let folder = server.results(id).display().to_string();
    fails(&["resume", &folder], "another process is working there");
    assert_eq!(server.own("DELETE", &format!("/api/runs/{id}")).0, 202);
    let (_, end) = follow(&server, id);
    assert_eq!(end, "stopped");
    let run: Value = serde_json::from_str(&server.get(&format!("/api/runs/{id}")).1).unwrap();
    assert_eq!(run["resume"], format!("dobutsu-ga resume {folder}"));
    assert_eq!(server.own("DELETE", &format!("/api/runs/{id}")).0, 409);
    assert_eq!(server.own("DELETE", "/api/runs/nobody").0, 404);
}

#[test]
fn a_run_of_the_command_line_is_followed_too() {
    let server = Server::start("foreign");
    let folder = server.results("mine").display().to_string();
    let mut child = command(&["--seed", "5", "--generations", "1500", "--out", &folder, "--threads", "1"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while !server.results("mine").join("checkpoint.json").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(follow(&server, "mine"), (1500, "finished".to_string()));
    assert!(child.wait().unwrap().success());
    let list = server.get("/api/runs").1;
    assert!(list.contains("\"mine\""), "{list}");
    let (status, text) = server.own("DELETE", "/api/runs/mine");
    assert_eq!(status, 409);
    assert!(error_of(&text).contains("not started from this page"));
}

/// The page takes up any kind of run that was killed, to the same bytes, and stops it.
#[test]
fn learners_and_sweeps_are_taken_up() {
    let server = Server::start("learners");
    let network = "learn alphazero --game kyoto --filters 4 --blocks 1 --games 40 --simulations 6 --ply-cap 30 --measure-games 4 \
                   --measure-simulations 4 --opponent random --validation-games 2 --gate-games 4 --cycles 3";
    let sweep = "sweep --seeds 1..200 --generations 30 --validation-games 60";
    let pa = "learn pa --depth 1 --rounds 300 --validation-games 20";
    for (id, args) in [("network", network), ("sweep", sweep), ("pa", pa)] {
        let args: Vec<&str> = args.split_whitespace().collect();
        let [whole, here] = ["whole", id].map(|name| server.results(name).display().to_string());
        assert!(command(&[&args[..], &["--out", &whole]].concat()).output().unwrap().status.success());
        let mut child =
            command(&[&args[..], &["--out", &here]].concat()).stdout(Stdio::null()).spawn().unwrap();
        while !server.results(id).join("run.toml").exists() {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let resumed = || server.post(&format!("/api/runs/{id}"), &json!({}));
        // Stopped once on the way, unless it is over by then.
        assert_eq!(resumed().0, 201, "{id}");
        server.own("DELETE", &format!("/api/runs/{id}"));
        let is_running = || {
            let runs: Value = serde_json::from_str(&server.get("/api/runs").1).unwrap();
            !runs["running"].as_array().unwrap().is_empty()
        };
        while is_running() {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(resumed().0, 201, "{id}");
        while is_running() {
            std::thread::sleep(Duration::from_millis(10));
        }
        crate::common::assert_same(&kept(server.results(id)), &kept(&whole), id);
        std::fs::remove_dir_all(&whole).unwrap();
    }
}
