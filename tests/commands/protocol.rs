//! Other programs play with ours: whole commands, as a server or a person would run them.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Scratch, command, prints, refuses};

const ENGINE: [&str; 5] = ["engine", "--protocol", "course", "--game", "quoridor"];

fn engine_args<'a>(player: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&ENGINE[..], &[player], more].concat()
}

/// An engine that is talked to line by line.
struct Session {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Session {
    fn new(player: &str, more: &[&str]) -> Session {
        let mut command = command(&engine_args(player, more));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Session { child, input, output: BufReader::new(output) }
    }

    fn tell(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line
    }

    /// Closes the input; the exit code and what was said on standard error.
    fn end(self) -> (Option<i32>, String) {
        drop(self.input);
        let output = self.child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }
}

/// Everything at once.
fn engine(player: &str, input: &[u8]) -> Output {
    let mut child = command(&engine_args(player, &[]))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

/// What the page shows is what happens, line by line.
#[test]
fn the_session_of_the_docs_is_true() {
    let page = include_str!("../../docs/quoridor-protocol.md");
    for (block, order) in [(1, "file-rank"), (3, "rank-file")] {
        session_is_true(page.split("```").nth(block).unwrap(), &["--coordinates", order]);
    }
}

fn session_is_true(block: &str, more: &[&str]) {
    let mut session = Session::new("plain:depth=1", more);
    let mut complaints = String::new();
    for line in block.lines().filter(|line| !line.is_empty()) {
        match line.split_at(2) {
            ("> ", told) => session.tell(told),
            ("< ", answer) => assert_eq!(session.hear(), format!("{answer}\n")),
            ("! ", complaint) => complaints += &format!("{complaint}\n"),
            _ => panic!("{line}"),
        }
    }
    assert_eq!(session.hear(), "", "nothing follows");
    assert_eq!(session.end(), (Some(0), complaints));
}

/// Whichever number comes first, the games are the same; who swaps them is told.
#[test]
fn the_order_of_coordinates_is_a_matter_of_writing() {
    let scratch = Scratch::new("referee-coordinates");
    let records = ["file-rank", "rank-file"].map(|order| {
        let path = scratch.path(order);
        let engine = |player: &str| our_engine(&format!("{player} --coordinates {order}"));
        let (a, b) = (engine("plain:depth=1"), engine("report:depth=1"));
        let more = ["--coordinates", order, "--games", "2", "--opening-plies", "2", "--records", &path];
        let said = referee(&a, &b, &more);
        assert!(said.contains(", by goal, after ") && !said.contains("lost by"), "{said}");
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().map(|line| line.split("\"moves\"").nth(1).unwrap().to_string()).collect::<Vec<_>>()
    });
    assert_eq!(records[0], records[1]);
    for (order, answer, words) in [
        (
            "file-rank",
            "1 2 5",
            "b5 (it answered '1 2 5') (with --coordinates rank-file that would be e2, a legal move), in e1",
        ),
        (
            "rank-file",
            "1 5 2",
            "b5 (it answered '1 5 2') (with --coordinates file-rank that would be e2, a legal move), in e1",
        ),
        ("rank-file", "1 9 5", "e9 (it answered '1 9 5'), in e1"),
    ] {
        let program = script(&format!("read p; echo {answer}; read p"));
        let said = referee(&program, &script("read p"), &["--coordinates", order]);
        assert!(said.contains(&format!("A has lost by an illegal move: {words}")), "{said}");
    }
    let white = script("read p; [ \"$p\" = '1 5 9 5 10 10 0' ] && echo 2 9 1 1; read p");
    let said = referee(&white, &script("read p"), &["--coordinates", "rank-file"]);
    assert!(said.contains("'9 1 1' is no wall: it needs a rank and a file from 1 to 8"), "{said}");
}

#[test]
fn the_engine_plays_either_side_and_again() {
    let output =
        engine("plain:depth=1", b"2\n5 2 5 9 10 10 0\n1\r\n5 1 5 9 10 10 0\r\n2\n5 1 5 9 9 10 1 5 8 2");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "2\n1 5 8\n1\n1 5 2\n2\n1 5 8\n");
    assert!(output.status.success() && output.stderr.is_empty());
    let silent = engine("plain:depth=1", b"");
    assert!(silent.status.success() && silent.stdout.is_empty() && silent.stderr.is_empty());
}

#[test]
fn an_engine_that_draws_lots_has_a_seed() {
    let play = |seed: &str| {
        let mut child = command(&engine_args("random", &["--seed", seed]));
        let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"1\n5 1 5 9 10 10 0\n5 2 5 8 10 10 0\n").unwrap();
        child.wait_with_output().unwrap().stdout
    };
    assert_eq!(play("7"), play("7"));
    assert_ne!(play("7"), play("8"));
}

/// One sentence for each, nothing on standard output, and the next line is answered.
#[test]
fn bad_lines_get_a_sentence_and_no_answer() {
    let long = "5 ".repeat(100_000);
    let bad: [(&[u8], &str); 18] = [
        (b"", "the line is empty"),
        (b"hello", "'hello' is no whole number"),
        (b"\x1b[2J", "'\\u{1b}' is no whole number"),
        (b"\xff\xfe\x00", "is no whole number"),
        (b"3", "3 is no side"),
        (b"5 1 5 9 10 10", "the position has 6 numbers"),
        (b"5 1 5 9 10 9 1 5 3", "says that 1 walls stand, and 2 numbers follow"),
        (b"99999999999999999999999 1 5 9 10 10 0", "is no whole number"),
        (b"5 1 5 9 10 10 4611686018427387904", "says that 4611686018427387904 walls stand"),
        (b"5 5 5 5 10 10 0", "both pawns stand on e5"),
        (b"5 1 5 10 10 10 0", "'5 10' is no square"),
        (b"5 1 5 9 9 9 2 5 3 1 5 3 2", "the walls e3h and e3v cross or overlap"),
        (b"1 1 5 9 9 9 2 1 1 1 2 1 2", "the first player is shut in"),
        (b"5 1 5 9 11 9 0", "cannot have '11' walls left"),
        (b"5 1 5 9 9 10 0", "0 walls stand and 19 are left"),
        (b"5 2 5 1 10 10 0", "the game is over"),
        (b"5 9 5 8 10 10 0", "the first player has arrived"),
        (long.as_bytes(), "the line is longer than 1000 bytes"),
    ];
    let mut input = b"5 1 5 9 10 10 0\n1\n".to_vec();
    for (line, _) in bad {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    input.extend_from_slice(b"5 1 5 9 10 10 0\n-1\n5 2 5 8 10 10 0\n");
    let output = engine("plain:depth=1", &input);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1\n1 5 2\n");
    assert_eq!(output.status.code(), Some(0));
    let complaints = String::from_utf8(output.stderr).unwrap();
    let complaints: Vec<&str> = complaints.lines().collect();
    assert!(complaints[0].contains("the side comes before the first position"), "{}", complaints[0]);
    assert_eq!(complaints.len(), 1 + bad.len(), "{complaints:#?}");
    for (complaint, (_, words)) in complaints[1..].iter().zip(bad) {
        assert!(complaint.starts_with("error: ") && complaint.contains(words), "{words}: {complaint}");
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    refuses(
        &["engine", "--protocol", "course", "--game", "kyoto", "A"],
        "kyoto has no course protocol: choose --game quoridor",
    );
    refuses(&["engine", "--protocol", "course", "material"], "dobutsu has no course protocol");
    refuses(&engine_args("stockfish", &[]), "there is no player 'stockfish'");
    refuses(
        &["engine", "--protocol", "smoke", "--game", "quoridor", "plain"],
        "there is no protocol 'smoke'",
    );
    refuses(
        &engine_args("plain", &["--coordinates", "column-row"]),
        "there is no order of coordinates 'column-row': choose file-rank or rank-file",
    );
    refuses(
        &["engine", "--game", "quoridor", "plain", "--coordinates", "rank-file"],
        "--coordinates is for --protocol course",
    );
    refuses(&["referee", "true", "true"], "dobutsu has no course protocol");
    let referee = |more: &[&str], words: &str| {
        refuses(&[&["referee", "--game", "quoridor", "true", "true"], more].concat(), words);
    };
    referee(&["--coordinates", "xy"], "there is no order of coordinates 'xy': choose file-rank or rank-file");
    referee(&["--time", "0s"], "the time must be from 1ms to 3600s");
    referee(&["--time", "5"], "the time must be from 1ms to 3600s");
    referee(&["--games", "0"], "the number of games must be from 1 to");
    referee(&["--start", "what"], "bad FEN 'what'");
    referee(&["--start", "e9 e8 10 10 h:- v:- b"], "the game is over in");
    referee(&["--ply-cap", "4", "--opening-plies", "4"], "--opening-plies must be less than --ply-cap");
    referee(&["--records", "games.csa"], "quoridor has no CSA records");
    let help = prints(&["--help"]);
    assert!(help.contains("\n  engine ") && help.contains("\n  referee "), "{help}");
    assert!(prints(&["referee", "--help"]).contains("Examples:"));
    assert!(prints(&["engine", "--help"]).contains("strong:time=4.9s"));
}

/// The shell command of one of our engines.
fn our_engine(player: &str) -> String {
    format!("'{}' {} {player}", env!("CARGO_BIN_EXE_dobutsu-ga"), ENGINE.join(" "))
}

/// What the referee says, in bounded time.
fn referee(a: &str, b: &str, more: &[&str]) -> String {
    let begin = Instant::now();
    let said = prints(&[&["referee", "--game", "quoridor", a, b], more].concat());
    assert!(begin.elapsed() < Duration::from_secs(20), "{a}, {b}: {:?}", begin.elapsed());
    said
}

#[test]
fn engines_play_the_same_games_again() {
    let scratch = Scratch::new("referee-records");
    let (a, b) = (our_engine("plain:depth=1"), our_engine("report:depth=1"));
    let records = ["one.jsonl", "two.jsonl"].map(|name| {
        let path = scratch.path(name);
        let said = referee(&a, &b, &["--games", "4", "--opening-plies", "2", "--records", &path]);
        assert!(said.contains("game 4: ") && said.contains("Slowest moves: A "), "{said}");
        assert!(said.contains("A       both         4 ") && said.contains(", by goal, after "), "{said}");
        std::fs::read_to_string(path).unwrap()
    });
    assert_eq!(records[0], records[1]);
    let lines: Vec<&str> = records[0].lines().collect();
    assert_eq!(lines.len(), 4);
    // Sides are swapped, and two games each begin alike.
    let begin = |line: &str| line.split("\"moves\":[").nth(1).unwrap().chars().take(10).collect::<String>();
    assert_eq!(begin(lines[0]), begin(lines[1]));
    assert_ne!(begin(lines[0]), begin(lines[2]));
    let first = |line: &str, player: &str| line.split("\"second\"").next().unwrap().contains(player);
    assert!(first(lines[0], "plain:depth=1") && first(lines[1], "report:depth=1"));
    assert!(prints(&["replay", &scratch.path("one.jsonl")]).contains("by goal"));
}

/// The engine plays as the player does that it is: history and all.
#[test]
fn the_referee_and_a_match_play_the_same_game() {
    let scratch = Scratch::new("referee-match");
    let moves = |name: &str, args: &[&str]| {
        let path = scratch.path(name);
        prints(&[args, &["--game", "quoridor", "--games", "2", "--records", &path]].concat());
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().map(|line| line.split("\"moves\"").nth(1).unwrap().to_string()).collect::<Vec<_>>()
    };
    let engines = [our_engine("plain:depth=1"), our_engine("report:depth=2")];
    let refereed = moves("refereed.jsonl", &["referee", &engines[0], &engines[1]]);
    assert_eq!(refereed, moves("match.jsonl", &["match", "plain:depth=1", "report:depth=2"]));
}

/// Answers its side, then does this.
fn script(then: &str) -> String {
    format!("read side; echo $side; {then}")
}

#[test]
fn who_breaks_the_protocol_has_lost() {
    let scratch = Scratch::new("referee-faults");
    let start = "in e1 e9 10 10 h:- v:- w.";
    let cases = [
        (script("read p; exec sleep 1000"), "A has lost by time: no answer after 1.", "time"),
        (script("read p; printf '1 5 2'; exec sleep 1000"), "A has lost by time: no answer after 1.", "time"),
        (script("read p; echo 1 5 9"), "an illegal move: e9 (it answered '1 5 9')", "illegal move"),
        (script("read p; echo 2 5 8 3"), "an answer that is no move: '5 8 3' is no wall", "illegal move"),
        (script("read p; echo hello; read p"), "an answer that is no move: 'hello'", "illegal move"),
        (script("read p; echo"), "an answer that is no move: ''", "illegal move"),
        (script("cat /dev/zero"), "the line is longer than 1000 bytes", "illegal move"),
        (script("read p; exit 3"), "a crash: it ended with exit code 3", "illegal action"),
        (script("read p; kill -9 $$"), "a crash: it was ended by signal: 9", "illegal action"),
        (script("exec 1>&-; exec sleep 1000"), "a crash: it closed its standard output", "illegal action"),
        (script("sleep 1000 & exit 4"), "a crash: it ended with exit code 4", "illegal action"),
        ("echo 2; cat".to_string(), "an answer that is not its side: it answered '2'", "illegal action"),
        ("exit 0".to_string(), "a crash: it ended with exit code 0", "illegal action"),
    ];
    for (i, (program, words, by)) in cases.iter().enumerate() {
        let path = scratch.path(&format!("{i}.jsonl"));
        // Who does not run into the clock has all the time that a busy machine may need.
        let waits = words.contains("by time") || words.contains("code 4");
        let more = ["--time", if waits { "1s" } else { "10s" }, "--records", &path];
        let said = referee(program, &our_engine("plain:depth=1"), &more);
        assert!(said.contains("game 1: B has won as the second player after 0 plies. "), "{program}: {said}");
        assert!(said.contains(words) && said.contains(start), "{program}: {said}");
        let record = std::fs::read_to_string(&path).unwrap();
        assert!(record.contains(&format!("\"winner\":\"second\",\"by\":\"{by}\"")), "{program}: {record}");
        // The record stands up to those who check it.
        prints(&["replay", &path]);
    }
}

#[test]
fn the_second_player_can_lose_before_the_first_moves() {
    let scratch = Scratch::new("referee-second");
    let path = scratch.path("games.jsonl");
    let more = ["--time", "1000ms", "--records", &path];
    let said = referee(&our_engine("plain:depth=1"), "exec sleep 1000", &more);
    assert!(
        said.contains("game 1: A has won as the first player after 0 plies. B has lost by time"),
        "{said}"
    );
    let record = std::fs::read_to_string(&path).unwrap();
    assert!(record.contains("\"winner\":\"first\",\"by\":\"illegal action\""), "{record}");
    prints(&["replay", &path]);
}

#[test]
fn what_is_written_too_much_is_the_next_answer() {
    let twice = script("while read p; do echo 1 5 2; echo 1 5 2; done");
    for program in [twice, script("yes 1 5 2")] {
        let said = referee(&program, &our_engine("plain:depth=1"), &[]);
        let words = "A has lost by an illegal move: e2 (it answered '1 5 2'), in e2 e8 10 10 h:- v:- w.";
        assert!(said.contains(words), "{program}: {said}");
    }
}

/// Games that nobody loses by a fault, from positions that are told.
#[test]
fn games_end_by_the_rules() {
    // Steps to and fro between e1 and e2, or between e9 and e8.
    let shuffle = |one: &str, two: &str| {
        script(&format!("while read p; do echo 1 5 {one}; read p; echo 1 5 {two}; done"))
    };
    let (white, black) = (shuffle("2", "1"), shuffle("8", "9"));
    assert!(referee(&white, &black, &[]).contains("game 1: drawn by repetition after 8 plies."));
    assert!(referee(&white, &black, &["--ply-cap", "3"]).contains("game 1: drawn by ply cap after 3 plies."));
    let start = ["--start", "e8 a5 10 10 h:- v:- w"];
    let won = referee(&script("read p; echo [1, 5, 9]; read p"), "cat", &start);
    assert!(won.contains("game 1: A has won as the first player, by goal, after 1 ply."), "{won}");
    // Black is asked first, and told where it is.
    let black = script("read p; [ \"$p\" = '5 2 1 2 9 10 1 4 4 2' ] && echo 1 1 1; read p");
    let won = referee("cat", &black, &["--start", "e2 a2 9 10 h:- v:d4 b"]);
    assert!(won.contains("game 1: B has won as the second player, by goal, after 1 ply."), "{won}");
}

#[test]
fn standard_error_is_passed_on_or_dropped() {
    let loud = script("echo thinking >&2; exit 1");
    for (more, heard) in [(&[][..], true), (&["--quiet"][..], false)] {
        let args = [&["referee", "--game", "quoridor", &loud, "cat"], more].concat();
        let output = command(&args).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr).contains("thinking"), heard);
        assert!(output.status.success());
    }
}

/// Whether a process is there and not just waiting to be forgotten.
#[cfg(target_os = "linux")]
fn is_alive(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).is_ok_and(|stat| !stat.contains(") Z "))
}

/// Writes its number and that of somebody it has started, then hangs.
#[cfg(target_os = "linux")]
fn hanging(path: &str) -> String {
    script(&format!(
        "sleep 1000 & echo $! > {path}.other; echo $$ > {path}; trap '' TERM HUP INT; wait; wait"
    ))
}

#[cfg(target_os = "linux")]
fn assert_gone(path: &str) {
    for name in [path.to_string(), format!("{path}.other")] {
        let pid = std::fs::read_to_string(&name).unwrap();
        assert!(!pid.trim().is_empty(), "{name}");
        // Killed is not gone yet: the system may be busy with others.
        let mut patience = 100;
        while is_alive(&pid) && patience > 0 {
            std::thread::sleep(std::time::Duration::from_millis(100));
            patience -= 1;
        }
        assert!(!is_alive(&pid), "{name}: {pid}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn nobody_is_left_behind() {
    let scratch = Scratch::new("referee-left");
    let pid = scratch.path("pid");
    assert!(referee(&hanging(&pid), "cat", &["--time", "1s"]).contains("A has lost by time"));
    assert_gone(&pid);
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_the_programs_and_keeps_the_games() {
    let scratch = Scratch::new("referee-ctrl-c");
    let (pid, path) = (scratch.path("pid"), scratch.path("games.jsonl"));
    // The first game is lost at once, in the second both hang.
    let program = format!("if [ -e {pid}.begun ]; then {}; fi; > {pid}.begun; exit 1", hanging(&pid));
    let child = command(&["referee", "--game", "quoridor", &program, &script("exec sleep 1000")])
        .args(["--games", "2", "--time", "60s", "--records", &path])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while std::fs::read_to_string(&pid).map_or(true, |text| text.trim().is_empty()) {
        assert!(begin.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(10));
    }
    crate::common::signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stderr).contains("Stopped after 1 of 2 games."));
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 1);
    assert_gone(&pid);
}
