//! What the results folder holds, as the page lists, shows and sends it.

use std::io::Write;

use crate::common::server::{Server, error_of, follow};
use crate::runs::{run, start};
use serde_json::{Value, json};

/// The cache of finished runs notices changed folders.
#[test]
fn the_list_follows_its_folders() {
    let server = Server::start("list");
    let list = || -> Value {
        let listed: Value = serde_json::from_str(&server.get("/api/runs").1).unwrap();
        listed["runs"].clone()
    };
    let out = server.results("mine");
    let args =
        |seed: &'static str| ["--generations", "2", "--no-validate", "--force", "--seed", seed, "--out"];
    let folder = out.to_str().unwrap();
    crate::common::prints(&[&args("7")[..], &[folder]].concat());
    let first = list();
    assert_eq!((&first[0]["id"], &first[0]["seed"]), (&json!("mine"), &json!(7)));
    assert_eq!(first[0]["state"], "finished");
    assert_eq!(list(), first);
    let detail = || -> Value { serde_json::from_str(&server.get("/api/runs/mine").1).unwrap() };
    let details = detail();
    assert_eq!(detail(), details);
    crate::common::prints(&[&args("8")[..], &[folder]].concat());
    assert_eq!(list()[0]["seed"], 8);
    assert_ne!(detail()["rows"], details["rows"]);
    // A run that is not finished is looked at each time, whatever its folder says.
    std::fs::remove_file(out.join("checkpoint.json")).unwrap();
    assert_eq!((&list()[0]["state"], &detail()["state"]), (&json!("stopped"), &json!("stopped")));
    std::fs::remove_dir_all(&out).unwrap();
    assert_eq!(list(), json!([]));
}

#[test]
fn files_of_a_run_are_listed_and_sent() {
    let server = Server::start("files");
    let id = start(&server, &json!({ "seed": 1, "generations": 30 }));
    follow(&server, &id);
    let files = run(&server, &id)["files"].clone();
    let names: Vec<&str> =
        files.as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect();
    for name in
        ["generations.csv", "population.csv", "strength.csv", "champion.toml", "genes.png", "summary.md"]
    {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    assert!(!names.iter().any(|name| name.contains("checkpoint") || name.contains("lock")), "{names:?}");
    for name in ["generations.csv", "population.csv", "summary.md"] {
        let (status, text) = server.get(&format!("/api/runs/{id}/files/{name}"));
        let kept = std::fs::read_to_string(server.results(&id).join(name)).unwrap();
        assert_eq!((status, text.len()), (200, kept.len()), "{name}");
        assert_eq!(text, kept, "{name}");
    }
    let mut stream = server.connect();
    let host = &server.address;
    write!(
        stream,
        "GET /api/runs/{id}/files/genes.png HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = Vec::new();
    std::io::Read::read_to_end(&mut stream, &mut answer).unwrap();
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase();
    assert!(head.contains("content-type: image/png") && head.contains("nosniff"), "{head}");
    assert_eq!(answer[end + 4..], std::fs::read(server.results(&id).join("genes.png")).unwrap());
    // One who goes away in the middle harms nobody.
    let mut stream = server.connect();
    write!(stream, "GET /api/runs/{id}/files/population.csv HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    drop(stream);
    server.is_well();
}

#[test]
fn no_other_file_is_sent() {
    let server = Server::start("files-bad");
    let secret = server.scratch.0.join("secret");
    std::fs::create_dir_all(&secret).unwrap();
    let inside = server.results("inside");
    let plain = server.results("plain");
    for folder in [&secret, &inside, &plain] {
        std::fs::create_dir_all(folder.join("deep.csv")).unwrap();
        std::fs::write(folder.join("secret.csv"), "classified").unwrap();
        std::fs::write(folder.join(".secret.csv"), "classified").unwrap();
        std::fs::write(folder.join("secret.json"), "classified").unwrap();
        std::fs::write(folder.join("Secret.csv"), "classified").unwrap();
    }
    std::fs::write(secret.join("run.toml"), "experiment = \"secret\"\n").unwrap();
    std::fs::write(inside.join("run.toml"), "experiment = \"inside\"\n").unwrap();
    std::fs::remove_file(inside.join("secret.csv")).unwrap();
    std::fs::write(inside.join("open.csv"), "a,b\n").unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(secret.join("secret.csv"), inside.join("link.csv")).unwrap();
        assert!(
            std::process::Command::new("mkfifo").arg(inside.join("pipe.csv")).status().unwrap().success()
        );
    }
    assert_eq!(server.get("/api/runs/inside/files/open.csv"), (200, "a,b\n".to_string()));
    let absolute = secret.join("secret.csv").display().to_string();
    for path in [
        "inside/files/",
        "inside/files/.",
        "inside/files/..",
        "inside/files/link.csv",
        "inside/files/pipe.csv",
        "inside/files/deep.csv",
        "inside/files/.secret.csv",
        "inside/files/secret.json",
        "inside/files/Secret.csv",
        "inside/files/../../secret/secret.csv",
        "inside/files/..%2f..%2fsecret%2fsecret.csv",
        "inside/files/%2e%2e/%2e%2e/secret/secret.csv",
        "inside/files/open.csv%00",
        "inside/files/open.csv/",
        "inside/files/files/open.csv",
        "../secret/files/secret.csv",
        "%2e%2e%2fsecret/files/secret.csv",
        // A folder without a run is nobody's to look into.
        "plain/files/secret.csv",
        "/files/open.csv",
        &format!("inside/files/{absolute}"),
        &format!("inside/files/{}", absolute.replace('/', "%2f")),
        &format!("inside/files/{}.csv", "x".repeat(5000)),
    ] {
        let (status, text) = server.get(&format!("/api/runs/{path}"));
        assert!(!text.contains("classified"), "{path}: {text}");
        assert!([400, 404].contains(&status), "{path}: {status} {text}");
        error_of(&text);
    }
    let files = run(&server, "inside")["files"].clone();
    assert_eq!(files, json!([{ "name": "open.csv", "bytes": 4 }, { "name": "run.toml", "bytes": 22 }]));
    server.is_well();
}

#[test]
fn pages_to_read_are_listed_with_their_pictures() {
    let server = Server::start("guideline");
    let folder = server.results("guideline");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("run.toml"), "version = \"0.1.0\"\ncommand = \"guideline\"\n").unwrap();
    std::fs::write(folder.join("guideline.md"), "# What are the pieces worth?\n\nMuch.\n").unwrap();
    std::fs::write(folder.join("grade.png"), "a picture").unwrap();
    let list: Value = serde_json::from_str(&server.get("/api/runs").1).unwrap();
    let page = json!({
        "id": "guideline", "game": "dobutsu", "kind": "experiment", "title": "What are the pieces worth?",
        "picture": "grade.png",
    });
    assert_eq!(list["runs"], json!([page]));
    let page = run(&server, "guideline");
    assert!(page["markdown"].as_str().unwrap().contains("Much."));
    assert_eq!(page["files"].as_array().unwrap().len(), 3);
    server.refuses(
        "/api/move",
        &json!({ "game": {}, "player": "genome=guideline" }),
        422,
        "not among the champions",
    );
}

/// The folder of a learner with so many cycles, of which two are done; it has the network that comes with the program.
fn learner(server: &Server, id: &str, cycles: u32) -> std::path::PathBuf {
    let folder = server.results(id);
    std::fs::create_dir_all(&folder).unwrap();
    let run = format!(
        "version = \"0.1.0\"\ngame = \"dobutsu\"\ncommand = \"learn alphazero\"\n\n\
         [learner]\npreset = \"small\"\nrules = \"paper\"\nseed = 5\ncycles = {cycles}\n"
    );
    std::fs::write(folder.join("run.toml"), run).unwrap();
    let table =
        "cycle,policy_loss,tree_keeps,\"score against strong:depth=6, slow\"\n1,1.9,,0.1\n2,1.8,0.7,\n";
    std::fs::write(folder.join("cycles.csv"), table).unwrap();
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/results/alphazero/network.safetensors");
    std::fs::copy(network, folder.join("network.safetensors")).unwrap();
    folder
}

#[test]
fn the_cycles_of_a_learner_are_listed_and_shown() {
    let server = Server::start("cycles");
    let folder = learner(&server, "stopped", 60);
    learner(&server, "finished", 2);
    let list = || -> Value { serde_json::from_str(&server.get("/api/runs").1).unwrap() };
    let finished = json!({
        "id": "finished", "game": "dobutsu", "kind": "learner", "preset": "small", "rules": "paper", "seed": 5,
        "state": "finished", "done": 2, "cycles": 2, "left": null,
    });
    assert_eq!(list()["runs"][0], finished);
    assert_eq!((&list()["runs"][1]["state"], &list()["runs"][1]["cycles"]), (&json!("stopped"), &json!(60)));
    // Whoever works in a folder has its lock.
    let lock = std::fs::File::create(folder.join(".lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(list()["runs"][1]["state"], "running");
    let run: Value = serde_json::from_str(&server.get("/api/runs/stopped").1).unwrap();
    assert_eq!((&run["kind"], &run["state"]), (&json!("learner"), &json!("running")));
    let columns = json!(["cycle", "policy_loss", "tree_keeps", "score against strong:depth=6, slow"]);
    assert_eq!(run["columns"], columns);
    assert_eq!(run["rows"], json!([[1.0, 1.9, null, 0.1], [2.0, 1.8, 0.7, null]]));
    drop(lock);
    assert_eq!(list()["runs"][1]["state"], "stopped");
    // Its network is offered for its game, plays, and is asked what it thinks.
    assert_eq!(run["network"], true);
    let offers = |game: &str| -> Value {
        let (_, text) = server.get(&format!("/api/opponents?game={game}"));
        serde_json::from_str::<Value>(&text).unwrap()["opponents"].take()
    };
    let offered = |offers: &Value, player: &str| {
        let offers = offers.as_array().unwrap();
        offers.iter().find(|offer| offer["player"] == player).map(|offer| offer["takes"].clone())
    };
    for player in ["alphazero", "net=stopped", "net=finished"] {
        assert_eq!(offered(&offers("dobutsu"), player), Some(json!("simulations")), "{player}");
    }
    assert_eq!(offered(&offers("kyoto"), "alphazero"), Some(json!("simulations")));
    assert_eq!(offered(&offers("kyoto"), "net=stopped"), None);
    let wanted = json!({ "game": {}, "player": "net=stopped:simulations=5" });
    server.good("/api/move", &wanted);
    assert_eq!(server.good("/api/analyse", &wanted)["source"], "network");
    let foreign = json!({ "game": { "game": "kyoto" }, "player": "net=stopped" });
    server.refuses("/api/move", &foreign, 422, "dobutsu");
}

#[test]
fn damaged_runs_of_learners_harm_nobody() {
    let server = Server::start("cycles-bad");
    let folder = learner(&server, "bad", 60);
    for table in ["", "\u{0}", "cycle\n", "nonsense\n1,2,3\n", &format!("{}\n1", ",".repeat(10_000))] {
        std::fs::write(folder.join("cycles.csv"), table).unwrap();
        let run: Value = serde_json::from_str(&server.get("/api/runs/bad").1).unwrap();
        assert_eq!((&run["done"], &run["rows"]), (&json!(0), &json!([])), "{table:?}");
    }
    std::fs::write(folder.join("network.safetensors"), "no network").unwrap();
    server.refuses("/api/move", &json!({ "game": {}, "player": "net=bad" }), 422, "net=bad");
    for settings in ["", "learner = 1\n", "[learner]\nseed = \"x\"\n"] {
        let run = format!("game = \"dobutsu\"\ncommand = \"learn alphazero\"\n{settings}");
        std::fs::write(folder.join("run.toml"), run).unwrap();
        let (status, text) = server.get("/api/runs/bad");
        assert_eq!(status, 404, "{text}");
        assert!(error_of(&text).contains("holds no run that can be read"), "{text}");
    }
    server.is_well();
}
