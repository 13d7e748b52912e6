//! The server among people who mean it harm: on the network, on other sites, and in the results folder.

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::server::{Server, error_of, follow};
use crate::common::{fails, prints};
use serde_json::{Value, json};

/// Connections that have sent half a request and say no more.
fn halves(server: &Server, count: usize) -> Vec<TcpStream> {
    let half = |_| {
        let mut stream = server.connect();
        write!(stream, "GET / HTTP/1.1\r\nHost: {}\r\nX-", server.address).unwrap();
        stream
    };
    (0..count).map(half).collect()
}

/// How long a whole request takes.
fn answered_after(server: &Server) -> Duration {
    let begin = Instant::now();
    let mut stream = server.connect();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    write!(stream, "GET /api/runs HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address)
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    begin.elapsed()
}

/// Whether the server has ended a connection, which it may do with or without a word.
fn is_cut(stream: &mut TcpStream, patience: Duration) -> bool {
    stream.set_read_timeout(Some(patience)).unwrap();
    match stream.read(&mut [0; 1000]) {
        Ok(length) => length == 0,
        Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
    }
}

#[test]
fn half_sent_requests_keep_nobody_out() {
    let server = Server::start("halves");
    let mut silent = halves(&server, 700);
    let took = answered_after(&server);
    assert!(took < Duration::from_secs(2), "{took:?}");
    // Those who came first had to go, long before their time was up.
    assert!(is_cut(&mut silent[0], Duration::from_secs(3)));
    assert!(!is_cut(&mut silent[699], Duration::from_millis(50)));
}

#[cfg(unix)]
#[test]
fn a_system_without_room_for_more_connections_ends_nothing() {
    let server = Server::with("files", &[], Some(64));
    let _silent = halves(&server, 300);
    for _ in 0..3 {
        let took = answered_after(&server);
        assert!(took < Duration::from_secs(2), "{took:?}");
    }
}

#[test]
fn whoever_follows_a_run_stays_connected_among_half_sent_requests() {
    let server = Server::start("crowd");
    let (_, started) =
        server.post("/api/runs", &json!({ "preset": "robust", "seed": 1, "generations": 200 }));
    let id = started["id"].as_str().unwrap();
    std::thread::scope(|scope| {
        let follower = scope.spawn(|| follow(&server, id));
        std::thread::sleep(Duration::from_millis(300));
        let _silent = halves(&server, 600);
        assert_eq!(server.own("DELETE", &format!("/api/runs/{id}")).0, 202);
        assert_eq!(follower.join().unwrap().1, "stopped");
    });
}

/// Clients that follow a run without reading do not lock out others.
#[test]
fn silent_followers_do_not_lock_out_others() {
    let server = Server::start("silent");
    let (_, started) =
        server.post("/api/runs", &json!({ "preset": "robust", "seed": 1, "generations": 200 }));
    let id = started["id"].as_str().unwrap();
    let silent = || {
        let mut stream = server.connect();
        write!(stream, "GET /api/runs/{id}/events HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).unwrap();
        // It has a place; then it reads nothing more.
        let mut begin = [0; 12];
        stream.read_exact(&mut begin).unwrap();
        assert_eq!(&begin, b"HTTP/1.1 200");
        stream
    };
    let mut silent: Vec<TcpStream> = (0..100).map(|_| silent()).collect();
    std::thread::scope(|scope| {
        let follower = scope.spawn(|| follow(&server, id));
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(server.own("DELETE", &format!("/api/runs/{id}")).0, 202);
        assert_eq!(follower.join().unwrap().1, "stopped");
    });
    // The first had to go before they were told how the run ended.
    let ended = |stream: &mut TcpStream| {
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let (mut answer, mut part) = (String::new(), [0; 4096]);
        while let Ok(length @ 1..) = stream.read(&mut part) {
            answer += &String::from_utf8_lossy(&part[..length]);
            if answer.ends_with("0\r\n\r\n") {
                break;
            }
        }
        answer.contains("event: end")
    };
    assert!(!ended(&mut silent[0]) && ended(&mut silent[99]));
}

#[test]
fn nobody_is_waited_for_for_ever() {
    let server = Server::start("slow");
    let (mut head, mut body) = (server.connect(), server.connect());
    write!(head, "GET / HTTP/1.1\r\nHost: {}\r\nX-", server.address).unwrap();
    write!(
        body,
        "POST /api/state HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{{",
        server.address
    )
    .unwrap();
    let begin = Instant::now();
    assert!(is_cut(&mut head, Duration::from_secs(20)));
    let mut answer = String::new();
    let _ = body.read_to_string(&mut answer);
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("not there after 10 s"), "{answer}");
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}

#[test]
fn a_connection_is_used_again() {
    let server = Server::start("again");
    let mut stream = server.connect();
    for _ in 0..3 {
        write!(stream, "GET /icon.svg HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).unwrap();
        let mut answer = String::new();
        while !answer.contains("</svg>") {
            let mut part = [0; 4096];
            let length = stream.read(&mut part).unwrap();
            assert!(length > 0, "closed after {answer}");
            answer += &String::from_utf8_lossy(&part[..length]);
        }
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

/// The status for a request that names this host.
fn as_host(server: &Server, host: &str) -> (u16, String) {
    server.raw(&format!("GET /api/runs HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
}

#[test]
fn a_server_that_lets_others_in_answers_to_no_name_of_another_site() {
    let server = Server::with("bind", &["--bind", "0.0.0.0", "--allow-host", "Lab.example.org"], None);
    for host in ["lab.example.org", "lab.example.org:4010", "192.168.0.7:4010", "[2001:db8::7]", "localhost"]
    {
        assert_eq!(as_host(&server, host).0, 200, "{host}");
    }
    for host in ["rebound.example.net", "rebound.example.net:4010", "10.0.0.1.example.net", ""] {
        let (status, text) = as_host(&server, host);
        assert_eq!(status, 403, "{host}: {text}");
        let name = host.trim_end_matches(":4010");
        let sentence = error_of(&text);
        assert!(sentence.contains(&format!("'{name}'")) && sentence.contains("--allow-host"), "{sentence}");
    }
    let own = Server::with("allow", &["--allow-host", "lab", "--allow-host", "lab2"], None);
    for (host, status) in [("lab:1", 200), ("lab2", 200), ("lab3", 403), ("192.168.0.7", 403)] {
        assert_eq!(as_host(&own, host).0, status, "{host}");
    }
    for bad in ["http://lab", "lab:80", "", "a b", "-x", "lab/", "*.example.org"] {
        fails(&["serve", "--port", "0", &format!("--allow-host={bad}")], "is no host name");
    }
}

#[test]
fn only_the_servers_own_page_changes_anything() {
    let server = Server::start("token");
    let body = json!({ "seed": 1, "generations": 1 }).to_string();
    let json_type = "Content-Type: application/json\r\n";
    let wrong = server.token.chars().rev().collect::<String>();
    for token in ["", "X-Dobutsu-Token: \r\n", &format!("X-Dobutsu-Token: {wrong}\r\n")] {
        for (method, path) in [("POST", "/api/runs"), ("DELETE", "/api/runs/x")] {
            let (status, text) = server.ask(method, path, &format!("{json_type}{token}"), &body);
            assert_eq!(status, 403, "{method} {token}: {text}");
            assert!(error_of(&text).contains("load the page again"), "{text}");
        }
    }
    assert_eq!(fs::read_dir(server.results("")).unwrap().count(), 0);
    // Another server has another token, and a browser that kept the page of the first gets that of the second.
    let other = Server::start("token-other");
    assert_ne!(server.token, other.token);
    let tag = |server: &Server| {
        let mut stream = server.connect();
        write!(stream, "GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let line = answer.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
        format!("If-None-Match: {line}\r\n")
    };
    assert_eq!(server.ask("GET", "/", &tag(&server), "").0, 304);
    let (status, page) = other.ask("GET", "/", &tag(&server), "");
    assert!(status == 200 && page.contains(&other.token), "{status}");
    assert!(other.get("/index.html").1.contains(&other.token));
}

#[test]
fn the_pages_runs_fill_only_so_much() {
    let server = Server::with("space", &["--runs-space", "20"], None);
    let wanted = json!({ "seed": 1, "generations": 1 });
    // What was not started on the page does not count.
    for (name, megabytes) in [("mine", 900), ("web-one", 8), ("web-two", 8)] {
        fs::create_dir(server.results(name)).unwrap();
        fs::File::create(server.results(name).join("big")).unwrap().set_len(megabytes * 1_000_000).unwrap();
    }
    assert_eq!(server.post("/api/runs", &wanted).0, 201);
    follow(&server, "web-paper-seed1");
    fs::File::create(server.results("web-two").join("more")).unwrap().set_len(2_000_000).unwrap();
    server.refuses("/api/runs", &wanted, 507, "fill 19 MB of the 20 MB");
    server.refuses("/api/runs", &wanted, 507, &server.results("web-*").display().to_string());
    fs::remove_dir_all(server.results("web-one")).unwrap();
    assert_eq!(server.post("/api/runs", &wanted).0, 201);
}

/// A finished run of two generations, made by the command line.
fn finished(server: &Server, name: &str) {
    let folder = server.results(name).display().to_string();
    prints(&["--seed", "1", "--generations", "2", "--out", &folder]);
}

fn detail(server: &Server, id: &str) -> Value {
    let (status, text) = server.get(&format!("/api/runs/{id}"));
    assert_eq!(status, 200, "{text}");
    serde_json::from_str(&text).unwrap()
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_read() {
    let server = Server::start("pipes");
    let names = [
        "checkpoint.json",
        ".lock",
        "generations.csv",
        "champion.toml",
        "strength.csv",
        "summary.md",
        "run.toml",
    ];
    for name in names {
        let folder = name.replace('.', "-");
        finished(&server, &format!("of{folder}"));
        let path = server.results(&format!("of{folder}")).join(name);
        // A finished run has no lock any more.
        let _ = fs::remove_file(&path);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        if name == ".lock" {
            // Else nobody asks for the lock.
            fs::remove_file(path.with_file_name("checkpoint.json")).unwrap();
        }
    }
    // A socket, a device and a folder under names that are read.
    finished(&server, "odd");
    fs::remove_file(server.results("odd").join("summary.md")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(server.results("odd").join("summary.md")).unwrap();
    fs::remove_file(server.results("odd").join("strength.csv")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", server.results("odd").join("strength.csv")).unwrap();
    fs::remove_file(server.results("odd").join("champion.toml")).unwrap();
    fs::create_dir(server.results("odd").join("champion.toml")).unwrap();
    for _ in 0..12 {
        let took = answered_after(&server);
        assert!(took < Duration::from_secs(2), "{took:?}");
    }
    assert_eq!(detail(&server, "ofcheckpoint-json")["state"], "stopped");
    assert_eq!(detail(&server, "of-lock")["state"], "stopped");
    assert_eq!(detail(&server, "ofgenerations-csv")["rows"], json!([]));
    assert_eq!(detail(&server, "odd")["markdown"], Value::Null);
    assert_eq!(server.get("/api/opponents").0, 200);
    follow(&server, "ofcheckpoint-json");
}

#[test]
fn what_is_far_too_long_is_not_read() {
    let server = Server::start("long");
    finished(&server, "run");
    let lengthen = |name: &str, length: u64| {
        fs::File::options()
            .write(true)
            .open(server.results("run").join(name))
            .unwrap()
            .set_len(length)
            .unwrap();
    };
    // Nothing on the disk, but endless to read.
    for name in ["generations.csv", "checkpoint.json", "summary.md", "strength.csv"] {
        lengthen(name, 200 << 30);
    }
    let begin = Instant::now();
    let run = detail(&server, "run");
    assert_eq!((&run["state"], &run["markdown"]), (&json!("stopped"), &Value::Null));
    assert_eq!(run["rows"].as_array().unwrap().len(), 2, "what comes before the overlong line is there");
    assert_eq!(follow(&server, "run"), (2, "stopped".to_string()));
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

#[cfg(unix)]
#[test]
fn links_inside_the_results_show_no_run_twice() {
    let server = Server::start("links");
    finished(&server, "run");
    for (target, name) in [(".", "again"), ("run", "a-run"), ("..", "above")] {
        std::os::unix::fs::symlink(target, server.results(name)).unwrap();
    }
    let list: Value = serde_json::from_str(&server.get("/api/runs").1).unwrap();
    let ids: Vec<&Value> = list["runs"].as_array().unwrap().iter().map(|run| &run["id"]).collect();
    assert_eq!(ids, ["run"]);
}

#[test]
fn a_run_that_fails_says_why() {
    let server = Server::start("fail");
    let (_, started) =
        server.post("/api/runs", &json!({ "preset": "robust", "seed": 1, "generations": 200 }));
    let id = started["id"].as_str().unwrap();
    // Where the next checkpoint would be written, there is a folder: as good as a disk that is full.
    let blocked = server.results(id).join(format!(".checkpoint.json.{}.dobutsu-ga-tmp", server.process()));
    while fs::create_dir(&blocked).is_err() {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(follow(&server, id).1, "failed");
    let list: Value = serde_json::from_str(&server.get("/api/runs").1).unwrap();
    for run in [detail(&server, id), list["runs"][0].clone()] {
        assert_eq!(run["state"], "failed");
        let failure = run["failure"].as_str().unwrap();
        assert!(failure.starts_with("cannot write") && failure.contains("checkpoint.json"), "{failure}");
    }
    // Once there is room again it can be taken up, and is then what it is.
    fs::remove_dir(&blocked).unwrap();
    assert!(detail(&server, id)["resume"].as_str().unwrap().starts_with("dobutsu-ga resume "));
    assert_eq!(server.post("/api/runs", &json!({ "seed": 1, "generations": 1 })).0, 201);
}

#[test]
fn bad_requests_harm_nobody() {
    let server = Server::start("bad");
    let json_type = "Content-Type: application/json\r\n";
    for body in ["", "{", "nonsense", "{\"game\":", "\u{0}", "{\"game\":{\"moves\":[1]}}", "[[[[[[[["] {
        let (status, text) = server.ask("POST", "/api/state", json_type, body);
        assert!([400, 422].contains(&status), "{body}: {status}");
        assert!(error_of(&text).contains("not understood"), "{text}");
    }
    assert_eq!(server.ask("POST", "/api/state", "", "{}").0, 415);
    let huge = format!("{{\"game\":{{\"start\":\"{}\"}}}}", "x".repeat(70_000));
    let (status, text) = server.ask("POST", "/api/state", json_type, &huge);
    assert_eq!(status, 413, "{text}");
    error_of(&text);
    for (method, path, status) in [
        ("GET", "/api/nothing", 404),
        ("GET", "/nothing.html", 404),
        ("GET", "/a/b/c", 404),
        ("GET", "/api/state", 405),
        ("DELETE", "/api/opponents", 405),
        ("POST", "/", 405),
        ("GET", "/api/runs/%ff", 400),
        ("GET", "/api/runs/x/events?after=many", 400),
    ] {
        let (got, text) = server.ask(method, path, "", "");
        assert_eq!(got, status, "{method} {path}: {text}");
        error_of(&text);
    }
    server.raw("nonsense\r\n\r\n");
    server.raw("GET / HTTP/9.9\r\n\r\n");
    server.is_well();
}

#[test]
fn pages_of_other_sites_are_kept_out() {
    let server = Server::start("guard");
    let host = &server.address;
    let foreign = server.raw("GET / HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n");
    assert_eq!(foreign.0, 403);
    assert!(error_of(&foreign.1).contains("example.org"));
    let body = "{\"game\":{}}";
    for (origin, status) in [("http://example.org", 403), ("null", 403), (&*format!("http://{host}"), 200)] {
        let more = format!("Content-Type: application/json\r\nOrigin: {origin}\r\n");
        assert_eq!(server.ask("POST", "/api/state", &more, body).0, status, "{origin}");
    }
}

#[test]
fn no_path_leads_outside_the_results() {
    let server = Server::start("paths");
    let secret = server.scratch.0.join("secret");
    std::fs::create_dir_all(&secret).unwrap();
    std::fs::write(secret.join("run.toml"), "experiment = \"secret\"\n").unwrap();
    std::fs::write(secret.join("summary.md"), "# classified\n").unwrap();
    let inside = server.results("inside");
    std::fs::create_dir_all(&inside).unwrap();
    std::fs::write(inside.join("run.toml"), "experiment = \"inside\"\n").unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&secret, server.results("link")).unwrap();
        std::os::unix::fs::symlink(secret.join("summary.md"), inside.join("summary.md")).unwrap();
    }
    let absolute = secret.display().to_string();
    for path in [
        "../secret",
        "%2e%2e/secret",
        "..%2fsecret",
        "%2e%2e%2fsecret",
        "inside/../../secret",
        "inside/..%2f..%2fsecret",
        "link",
        "link/",
        ".",
        "..",
        "",
        "/",
        &absolute,
        &absolute.replace('/', "%2f"),
        "%2f",
        "inside%00",
        "a\\..\\secret",
        ".hidden",
        "inside/run.toml",
        "a/b/c/d/e",
    ] {
        for suffix in ["", "/events"] {
            let (status, text) = server.get(&format!("/api/runs/{path}{suffix}"));
            assert!(!text.contains("classified"), "{path}: {text}");
            assert!([400, 404].contains(&status), "{path}: {status} {text}");
        }
    }
    let (status, text) = server.get("/api/runs/inside");
    assert_eq!(status, 200);
    assert!(!text.contains("classified"), "{text}");
    assert!(!server.get("/api/runs").1.contains("link"));
    for name in [&absolute, "../secret", "link", "inside", "/etc/passwd"] {
        let player = json!({ "game": {}, "player": format!("genome={name}") });
        server.refuses("/api/move", &player, 422, "not among the champions");
        let player = json!({ "game": {}, "player": format!("strong:genome={name}") });
        server.refuses("/api/move", &player, 422, "not among the champions");
    }
}

#[test]
fn somebody_who_leaves_in_the_middle_harms_nobody() {
    let server = Server::start("leave");
    let body = json!({ "game": {}, "player": "strong:time=1s" }).to_string();
    for _ in 0..8 {
        let mut stream = server.connect();
        let (host, length) = (&server.address, body.len());
        write!(stream, "POST /api/move HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
        stream.shutdown(Shutdown::Both).unwrap();
        // And one who stops in the middle of a sentence.
        let mut stream = server.connect();
        write!(stream, "POST /api/state HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{{\"ga").unwrap();
    }
    // Quick players are answered although many are thinking.
    server.good("/api/move", &json!({ "game": {}, "player": "material:depth=2" }));
    server.is_well();
}

/// Searches of closed connections stop and do not delay other clients.
#[test]
fn searches_of_closed_connections_stop() {
    let server = Server::start("gone");
    let kings = json!({ "game": "kyoto", "start": "k4/5/5/5/4K[LSNPlsnp] w 0 1" });
    let ask = |path: &str, body: &Value| {
        let mut stream = server.connect();
        let body = body.to_string();
        let (host, token, length) = (&server.address, &server.token, body.len());
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nX-Dobutsu-Token: {token}\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        stream
    };
    // A search that would take five seconds, and one without a time of its own.
    for player in ["strong:time=5s", "B:depth=3:evaluate=path"] {
        let long = json!({ "game": kings, "player": player });
        let streams: Vec<TcpStream> = (0..8).map(|_| ask("/api/move", &long)).collect();
        std::thread::sleep(Duration::from_millis(300));
        drop(streams);
        #[cfg(target_os = "linux")]
        {
            // Processor time in hundredths of a second.
            let used = || {
                let stat = fs::read_to_string(format!("/proc/{}/stat", server.process())).unwrap();
                let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
                fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
            };
            // Until it is idle; four searches to their end would need several seconds.
            let begin = used();
            loop {
                let before = used();
                std::thread::sleep(Duration::from_millis(300));
                assert!(used() - begin < 200, "{player}: it goes on searching");
                if used() - before <= 2 {
                    break;
                }
            }
        }
    }
    server.good("/api/move", &json!({ "game": { "game": "kyoto" }, "player": "strong:time=50ms" }));
}

/// Moves do not wait for those who look into games.
#[test]
fn reviews_leave_room_for_moves() {
    let server = Server::start("room");
    let game = json!({ "game": "quoridor", "moves": ["e2", "e8", "e3", "e7", "e4", "e6"] });
    std::thread::scope(|scope| {
        for _ in 0..12 {
            scope.spawn(|| server.post("/api/review", &json!({ "game": game })));
        }
        let (status, answer) =
            server.post("/api/move", &json!({ "game": { "game": "kyoto" }, "player": "strong:time=50ms" }));
        assert_eq!(status, 200, "{answer}");
    });
    // A piece at a time, to the end.
    let mut known = 0;
    while known < 6 {
        let review = server.good("/api/review", &json!({ "game": game, "from": known }));
        let plies = review["plies"].as_array().unwrap();
        assert_eq!(plies[0]["ply"], known + 1);
        known += plies.len();
    }
}
