//! A server of its own for one test, asked as any program would.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::{Scratch, command};

/// A server of its own for one test.
pub struct Server {
    child: Child,
    pub address: String,
    pub scratch: Scratch,
    /// What its page sends with whatever changes something.
    pub token: String,
    _out: BufReader<ChildStdout>,
}

impl Server {
    pub fn start(name: &str) -> Server {
        Server::with(name, &[], None)
    }

    /// With more arguments, and with so many open files at most.
    pub fn with(name: &str, args: &[&str], files: Option<u32>) -> Server {
        let scratch = Scratch::new(&format!("web-{name}"));
        let results = scratch.path("results");
        std::fs::create_dir_all(&results).unwrap();
        let mut all = vec!["serve", "--port", "0", "--results", &results];
        all.extend(args);
        let mut command = match files {
            None => command(&all),
            Some(files) => {
                let mut shell = std::process::Command::new("sh");
                let program = env!("CARGO_BIN_EXE_dobutsu-ga");
                shell.args(["-c", &format!("ulimit -n {files}; exec \"$0\" \"$@\""), program]).args(&all);
                shell
            }
        };
        let mut child = command
            // A table that the user may have is not ours to test with.
            .env("DOBUTSU_GA_TABLE", scratch.path("none.table"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let address = line
            .split("http://")
            .nth(1)
            .and_then(|rest| rest.split('/').next())
            .expect("an address")
            .to_string();
        let mut server = Server { address, child, scratch, token: String::new(), _out: out };
        let (_, page) = server.get("/");
        let token =
            page.split("name=\"dobutsu-token\" content=\"").nth(1).and_then(|rest| rest.split('"').next());
        server.token = token.expect("a token in the page").to_string();
        server
    }

    /// The number of its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    pub fn results(&self, name: &str) -> PathBuf {
        self.scratch.0.join("results").join(name)
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends these bytes as they are; status and body of the answer.
    pub fn raw(&self, request: &str) -> (u16, String) {
        let mut stream = self.connect();
        // A server that refuses early may close before all is sent.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).unwrap();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let (_, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
        (status, body.to_string())
    }

    pub fn ask(&self, method: &str, path: &str, more: &str, body: &str) -> (u16, String) {
        let (host, length) = (&self.address, body.len());
        self.raw(&format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}Content-Length: {length}\r\n\r\n{body}"
        ))
    }

    /// As the page asks for what changes something.
    pub fn own(&self, method: &str, path: &str) -> (u16, String) {
        self.ask(method, path, &format!("X-Dobutsu-Token: {}\r\n", self.token), "")
    }

    pub fn get(&self, path: &str) -> (u16, String) {
        self.ask("GET", path, "", "")
    }

    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let more = format!("Content-Type: application/json\r\nX-Dobutsu-Token: {}\r\n", self.token);
        let (status, text) = self.ask("POST", path, &more, &body.to_string());
        (status, serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    /// The answer to something that is in order.
    pub fn good(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.post(path, body);
        assert_eq!(status, 200, "{path} {body}: {answer}");
        answer
    }

    /// Refused with this status and a sentence with `words` in it.
    pub fn refuses(&self, path: &str, body: &Value, status: u16, words: &str) {
        let (got, answer) = self.post(path, body);
        assert_eq!(got, status, "{path} {body}: {answer}");
        let sentence = answer["error"].as_str().unwrap_or_default();
        assert!(sentence.contains(words), "{path} {body}: {answer}");
    }

    pub fn is_well(&self) {
        self.good("/api/state", &json!({ "game": {} }));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn error_of(body: &str) -> String {
    let value: Value = serde_json::from_str(body).unwrap_or_else(|_| panic!("no JSON: {body}"));
    value["error"].as_str().unwrap_or_else(|| panic!("no sentence: {body}")).to_string()
}

/// The events of a run until it ends: how many generations were told, and how it ended.
pub fn follow(server: &Server, id: &str) -> (u64, String) {
    let mut stream = server.connect();
    let host = &server.address;
    write!(stream, "GET /api/runs/{id}/events HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut generation = 0;
    let mut name = String::new();
    for line in BufReader::new(stream).lines() {
        let line = line.unwrap();
        if let Some(event) = line.strip_prefix("event: ") {
            name = event.to_string();
        } else if let Some(data) = line.strip_prefix("data: ") {
            let data: Value = serde_json::from_str(data).unwrap();
            if name == "end" {
                return (generation, data["state"].as_str().unwrap().to_string());
            }
            // How long it takes, and how strong winners are, is told beside.
            for row in data.as_array().filter(|_| name == "rows").into_iter().flatten() {
                generation += 1;
                assert_eq!(row[0], generation, "no generation is left out");
            }
        }
    }
    panic!("the events stopped without an end after generation {generation}");
}
