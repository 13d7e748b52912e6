//! A load test of `dobutsu-ga serve` on this machine: many games at once, then many games one after another, with times,
//! errors and the server's memory. By hand: `cargo build --release && cargo run --release --example web_load`.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// How many play at once, how many games in the first part, and how many until memory is looked at again.
const AT_ONCE: usize = 200;
const FIRST: usize = 200;
const ALL: usize = 10_000;

/// What a player needs to know of an answer: reading all of it would measure ourselves.
#[derive(Deserialize)]
struct Answer {
    #[serde(rename = "move")]
    text: String,
    state: Shown,
}

#[derive(Deserialize)]
struct Shown {
    verdict: Option<IgnoredAny>,
}

/// A connection that is kept.
struct Client {
    stream: BufReader<TcpStream>,
    host: String,
}

impl Client {
    fn new(host: &str) -> Outcome<Client> {
        let stream = TcpStream::connect(host)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        Ok(Client { stream: BufReader::new(stream), host: host.to_string() })
    }

    fn ask(&mut self, method: &str, path: &str, body: &str) -> Outcome<Vec<u8>> {
        let (host, length) = (&self.host, body.len());
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n");
        let request = format!("{head}Content-Length: {length}\r\n\r\n{body}");
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let good = line.contains(" 200 ");
        let mut length = 0;
        loop {
            let mut header = String::new();
            self.stream.read_line(&mut header)?;
            let header = header.trim().to_ascii_lowercase();
            if header.is_empty() {
                break;
            }
            if let Some(value) = header.strip_prefix("content-length: ") {
                length = value.parse()?;
            }
        }
        let mut content = vec![0; length];
        self.stream.read_exact(&mut content)?;
        match good {
            true => Ok(content),
            false => Err(format!("{path}: {line} {}", String::from_utf8_lossy(&content)).into()),
        }
    }

    /// Plays a game to its end; how long each answer took.
    fn game(&mut self, player: &str, seed: u64, times: &mut Vec<Duration>) -> Outcome<()> {
        let mut moves: Vec<String> = Vec::new();
        loop {
            let body = json!({ "game": { "moves": moves }, "player": player, "seed": seed }).to_string();
            let begin = Instant::now();
            let answer = self.ask("POST", "/api/move", &body)?;
            times.push(begin.elapsed());
            let answer: Answer = serde_json::from_slice(&answer)?;
            moves.push(answer.text);
            if answer.state.verdict.is_some() {
                return Ok(());
            }
        }
    }
}

/// So many games by `AT_ONCE` players at a time; the times of all answers, and how many games failed.
fn play(host: &str, games: usize, begin_seed: usize) -> (Vec<Duration>, usize) {
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut times, mut errors) = (Vec::new(), 0);
        let mut client = Client::new(host);
        loop {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= games {
                return (times, errors);
            }
            let played = match &mut client {
                Ok(client) => client.game("material:depth=2", (begin_seed + game) as u64, &mut times),
                Err(error) => Err(error.to_string().into()),
            };
            if let Err(error) = played {
                eprintln!("game {game}: {error}");
                errors += 1;
                client = Client::new(host);
            }
        }
    };
    std::thread::scope(|scope| {
        let players: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(work)).collect();
        let mut all = (Vec::new(), 0);
        for player in players {
            let (times, errors) = player.join().unwrap_or((Vec::new(), 1));
            all.0.extend(times);
            all.1 += errors;
        }
        all
    })
}

fn tell(name: &str, mut times: Vec<Duration>, begin: Instant) {
    times.sort();
    let at = |share: f64| {
        let place = ((times.len() as f64 - 1.0) * share) as usize;
        times.get(place).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    };
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{name}: {} answers in {seconds:.1} s ({:.0}/s), p50 {:.2} ms, p99 {:.2} ms, longest {:.2} ms",
        times.len(),
        times.len() as f64 / seconds,
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

/// The server's resident memory in kilobytes, where the system tells.
fn memory(server: &Child) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{}/status", server.id())).ok()?;
    text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().trim_end_matches(" kB").parse().ok()
}

fn run(server: &mut Child) -> Outcome<()> {
    let mut line = String::new();
    BufReader::new(server.stdout.take().ok_or("no output")?).read_line(&mut line)?;
    let host = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).ok_or("no address")?;
    let mut client = Client::new(host)?;
    let begin = Instant::now();
    let names = [
        "",
        "base.css",
        "board.css",
        "app.js",
        "words.js",
        "words-en.js",
        "words-ja.js",
        "dom.js",
        "pieces.js",
        "menu.js",
    ];
    let mut bytes = 0;
    for name in names {
        bytes += client.ask("GET", &format!("/{name}"), "")?.len();
    }
    println!(
        "first page: {} files, {bytes} bytes, {:.1} ms",
        names.len(),
        begin.elapsed().as_secs_f64() * 1000.0
    );
    let (mut times, begin) = (Vec::new(), Instant::now());
    for seed in 0..20 {
        client.game("mobility:depth=4", seed, &mut times)?;
    }
    tell("moves at depth 4, one player", times, begin);
    println!("memory before: {:?} kB", memory(server));
    let begin = Instant::now();
    let (times, errors) = play(host, FIRST, 0);
    tell(&format!("{FIRST} games at once, {errors} errors"), times, begin);
    println!("memory after {FIRST} games: {:?} kB", memory(server));
    for part in 1..=4 {
        let begin = Instant::now();
        let (times, errors) = play(host, ALL / 4, part * ALL);
        tell(&format!("{} games more, {errors} errors", ALL / 4), times, begin);
        println!("memory after {} games: {:?} kB", FIRST + part * ALL / 4, memory(server));
    }
    Ok(())
}

fn main() -> Outcome<()> {
    let here = std::env::current_exe()?;
    let program = here.parent().and_then(|folder| folder.parent()).ok_or("no folder")?.join("dobutsu-ga");
    let mut server =
        Command::new(&program).args(["serve", "--port", "0"]).stdout(Stdio::piped()).spawn().map_err(
            |error| format!("cannot start {}: {error}; cargo build --release makes it", program.display()),
        )?;
    let done = run(&mut server);
    let _ = server.kill();
    let _ = server.wait();
    done
}
