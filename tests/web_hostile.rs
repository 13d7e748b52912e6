//! The server among people who mean it harm: on the network and on other sites.

mod common;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use common::fails;
use common::server::{Server, error_of, follow};
use serde_json::json;

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
