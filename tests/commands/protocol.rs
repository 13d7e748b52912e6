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

/// The moves of the records in a file, game by game.
fn moves(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| line.split("\"moves\"").nth(1).unwrap().to_string()).collect()
}

/// Whichever number comes first, the games are the same; who swaps them is told.
#[test]
fn the_order_of_coordinates_is_a_matter_of_writing() {
    let scratch = Scratch::new("course-coordinates");
    let records = ["file-rank", "rank-file"].map(|order| {
        let path = scratch.path(order);
        let engine = |player: &str| {
            let command = our_engine_with(player, &format!("--coordinates {order}"));
            course(&command) + &format!(":coordinates={order}")
        };
        let (a, b) = (engine("plain:depth=1"), engine("report:depth=1"));
        let said = matched(&a, &b, &["--opening-plies", "2", "--records", &path]);
        assert!(!said.contains("by a fault of a program"), "{said}");
        moves(&path)
    });
    assert_eq!(records[0], records[1]);
    for (order, answer, words) in [
        ("file-rank", "1 2 5", " (with coordinates=rank-file that would be e2, a legal move)\n"),
        ("rank-file", "1 5 2", " (with coordinates=file-rank that would be e2, a legal move)\n"),
        ("rank-file", "1 9 5", "\n"),
    ] {
        let program = course(&script(&format!("read p; echo {answer}; read p"))) + ":coordinates=" + order;
        let said = matched(&program, "plain:depth=1", &[]);
        let words = format!("it answered '{answer}', which is no legal move in {START}{words}");
        assert!(said.contains(&words), "{said}");
    }
    let white = script("read p; [ \"$p\" = '1 5 9 5 10 10 0' ] && echo 2 9 1 1; read p");
    let said = matched(&(course(&white) + ":coordinates=rank-file:time=1s"), "plain:depth=1", &[]);
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
    for (player, words) in [
        (
            "engine=true:protocol=course:coordinates=xy",
            "there is no order of coordinates 'xy': choose file-rank or rank-file",
        ),
        ("engine=true:coordinates=rank-file", "left out: only protocol=course has an order of coordinates"),
        ("engine=true:protocol=course:time=0s", "must be from 1ms to 3600s"),
        ("engine=true:protocol=course:time=5", "must be from 1ms to 3600s"),
        (
            "engine=true:protocol=course:depth=3",
            "left out: protocol=course takes time, timeout and coordinates",
        ),
        (
            "engine=true:protocol=course:variant=x",
            "left out: protocol=course takes time, timeout and coordinates",
        ),
        (
            "engine=true:protocol=course:option.A=1",
            "left out: protocol=course takes time, timeout and coordinates",
        ),
        // What does not even answer its side is refused before any game.
        ("engine=true:protocol=course", "a crash: it ended with exit code 0"),
        ("engine=no-such-program-anywhere:protocol=course", "the shell does not find the program"),
        ("engine=echo 2; cat:protocol=course", "an answer that is not its side: it answered '2'"),
        ("engine=sleep 1000:protocol=course:timeout=300ms", "time: its side was not answered in 300ms"),
    ] {
        refuses(&["match", "--game", "quoridor", player, "random"], words);
    }
    for game in ["dobutsu", "kyoto", "hasami"] {
        let words = format!("must be uci or usi: {game} has no course protocol");
        refuses(&["match", "--game", game, "engine=true:protocol=course", "random"], &words);
    }
    assert!(prints(&["players", "--game", "quoridor"]).contains("engine=…:coordinates=ORDER"));
    refuses(&["referee", "true", "true"], "'referee'");
    let help = prints(&["--help"]);
    assert!(help.contains("\n  engine ") && !help.contains("\n  referee "), "{help}");
    assert!(prints(&["engine", "--help"]).contains("strong:time=4.9s"));
}

/// The start, as records have it.
const START: &str = "e1 e9 10 10 h:- v:- w";

/// The shell command of one of our engines.
fn our_engine(player: &str) -> String {
    our_engine_with(player, "")
}

fn our_engine_with(player: &str, options: &str) -> String {
    format!("'{}' {} {options} '{player}'", env!("CARGO_BIN_EXE_dobutsu-ga"), ENGINE.join(" "))
}

/// The player that a command of the shell is.
fn course(command: &str) -> String {
    format!("engine={command}:protocol=course")
}

/// What a match of two games says, in bounded time.
fn matched(a: &str, b: &str, more: &[&str]) -> String {
    let begin = Instant::now();
    let said =
        prints(&[&["match", "--game", "quoridor", a, b, "--threads", "1"][..], more, games(more)].concat());
    assert!(begin.elapsed() < Duration::from_secs(30), "{a}, {b}: {:?}", begin.elapsed());
    said
}

/// Two, unless asked otherwise.
fn games(more: &[&str]) -> &'static [&'static str] {
    if more.contains(&"--games") { &[] } else { &["--games", "2"] }
}

#[test]
fn engines_play_the_same_games_again() {
    let scratch = Scratch::new("course-records");
    let (a, b) = (course(&our_engine("plain:depth=1")), course(&our_engine("report:depth=1")));
    let records = ["one.jsonl", "two.jsonl"].map(|name| {
        let path = scratch.path(name);
        let said = matched(&a, &b, &["--games", "4", "--opening-plies", "2", "--records", &path]);
        assert!(said.contains("  both         4 ") && !said.contains("by a fault of a program"), "{said}");
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
fn a_player_and_its_engine_play_the_same_game() {
    let scratch = Scratch::new("course-match");
    let players = ["plain:depth=1", "report:depth=2"];
    let engines = players.map(|player| course(&our_engine(player)));
    let mixed = [players[0], engines[1].as_str()];
    let all = [players, [engines[0].as_str(), engines[1].as_str()], mixed].map(|[a, b]| {
        let path = scratch.path("games.jsonl");
        matched(a, b, &["--records", &path, "--force"]);
        moves(&path)
    });
    assert!(all.iter().all(|moves| *moves == all[0] && moves.len() == 2));
}

/// Answers its side, then does this.
fn script(then: &str) -> String {
    format!("read side; echo $side; {then}")
}

/// Who loses by what is said, and recorded.
#[test]
fn who_breaks_the_protocol_has_lost() {
    let scratch = Scratch::new("course-faults");
    let no_move = "an answer that is no move: ";
    let cases = [
        (script("read p; exec sleep 1000"), "time: no move after 1.0 s".to_string(), "time"),
        (script("read p; printf '1 5 2'; exec sleep 1000"), "time: no move after 1.0 s".to_string(), "time"),
        (
            script("read p; echo 1 5 9"),
            format!("it answered '1 5 9', which is no legal move in {START}"),
            "illegal move",
        ),
        (script("read p; echo 2 5 8 3"), format!("{no_move}'5 8 3' is no wall"), "illegal move"),
        (script("read p; echo hello; read p"), format!("{no_move}'hello'"), "illegal move"),
        (script("read p; echo"), format!("{no_move}''"), "illegal move"),
        (script("cat /dev/zero"), "it wrote a line of more than 1000 bytes".to_string(), "illegal move"),
        (script("read p; exit 3"), "a crash: it ended with exit code 3".to_string(), "crash"),
        (script("read p; kill -9 $$"), "a crash: it was ended by signal: 9".to_string(), "crash"),
        (script("exec 1>&-; exec sleep 1000"), "a crash: it closed its standard output".to_string(), "crash"),
        (script("sleep 1000 & exit 4"), "a crash: it ended with exit code 4".to_string(), "crash"),
    ];
    let check = &|i: usize, program: &str, words: &str, by: &str, time: &str| {
        let path = scratch.path(&format!("{i}.jsonl"));
        let engine = format!("{}:time={time}", course(program));
        let said = matched(&engine, "plain:depth=1", &["--records", &path]);
        assert!(said.contains("2 games were decided by a fault of a program, not by its play:"), "{said}");
        assert!(said.contains(&format!("  {engine}: {words}")), "{program}: {said}");
        let record = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = record.lines().collect();
        let lost = |winner: &str| format!("\"winner\":\"{winner}\",\"by\":\"{by}\",\"note\":\"{words}");
        assert!(lines[0].contains(&format!("\"moves\":[],{}", lost("second"))), "{program}: {record}");
        // As the second player it loses after one ply.
        let other = lost("first").split(" in e1 e9").next().unwrap().to_string();
        assert!(lines[1].contains(&format!("\"moves\":[\"e2\"],{other}")), "{program}: {record}");
        // The record stands up to those who check it.
        prints(&["replay", &path]);
    };
    std::thread::scope(|scope| {
        for (i, (program, words, by)) in cases.iter().enumerate() {
            // Programs that should not run out of time get plenty, for busy machines; those that should, wait in parallel.
            if words.contains("time") || words.contains("code 4") {
                scope.spawn(move || check(i, program, words, by, "1s"));
            } else {
                check(i, program, words, by, "10s");
            }
        }
    });
}

#[test]
fn a_side_that_is_not_answered_loses_the_game() {
    let scratch = Scratch::new("course-second");
    let path = scratch.path("games.jsonl");
    for (program, by, why) in [
        (
            "read side; [ $side = 1 ] && echo 1; exec sleep 1000",
            "time",
            "time: its side was not answered in 1s",
        ),
        ("echo 1; cat", "illegal action", "an answer that is not its side: it answered '1'"),
        (
            "read side; [ $side = 1 ] && echo 1 && read p && exit 7",
            "crash",
            "a crash: it ended with exit code 1",
        ),
    ] {
        let engine = format!("{}:time=1s:timeout=1s", course(program));
        let said = matched("plain:depth=1", &engine, &["--records", &path, "--force"]);
        assert!(said.contains(why), "{said}");
        let record = std::fs::read_to_string(&path).unwrap();
        let line = record.lines().next().unwrap();
        assert!(line.contains(&format!("\"winner\":\"first\",\"by\":\"{by}\",\"note\":\"{why}\"")), "{line}");
        prints(&["replay", &path]);
    }
}

#[test]
fn what_is_written_too_much_is_the_next_answer() {
    let twice = script("while read p; do echo 1 5 2; echo 1 5 2; done");
    for program in [twice, script("yes 1 5 2")] {
        let said = matched(&course(&program), "plain:depth=1", &[]);
        let words = "it answered '1 5 2', which is no legal move in e2 e8 10 10 h:- v:- w";
        assert!(said.contains(words), "{program}: {said}");
    }
}

/// Games that nobody loses by a fault, also from positions that are told.
#[test]
fn games_end_by_the_rules() {
    let scratch = Scratch::new("course-ends");
    // Steps to and fro between e1 and e2, or between e9 and e8.
    let shuffle =
        "[ $side = 1 ] && set 2 1 || set 8 9; while read p; do echo 1 5 $1; read p; echo 1 5 $2; done";
    let shuffler = course(&script(shuffle));
    for (more, by, plies) in [(&[][..], "repetition", 8), (&["--ply-cap", "3"], "ply cap", 3)] {
        let path = scratch.path("drawn.jsonl");
        matched(&shuffler, &shuffler, &[more, &["--records", &path, "--force"]].concat());
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let record: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!((record["winner"].as_str(), record["by"].as_str()), (Some("draw"), Some(by)));
            assert_eq!(record["moves"].as_array().unwrap().len(), plies);
        }
    }
    let play = |program: &str, fen: &str, side: &str| {
        let args = ["play", &course(program), "--game", "quoridor", "--fen", fen, "--side", side];
        String::from_utf8(command(&args).stdin(Stdio::null()).output().unwrap().stdout).unwrap()
    };
    let won = play(&script("read p; echo [1, 5, 9]; read p"), "e8 a5 10 10 h:- v:- w", "second");
    assert!(won.contains("You have lost by goal."), "{won}");
    // Black is asked first, and told where it is.
    let black = script("read p; [ \"$p\" = '5 2 1 2 9 10 1 4 4 2' ] && echo 1 1 1; read p");
    let won = play(&black, "e2 a2 9 10 h:- v:d4 b", "first");
    assert!(won.contains("You have lost by goal."), "{won}");
}

/// The end is told, and there is time for it.
#[test]
fn a_game_ends_with_minus_one() {
    let scratch = Scratch::new("course-end");
    let log = scratch.path("log");
    let program = script(&format!("while read p; do echo $p >> {log}; [ $p = -1 ] && exit; echo 9; done"));
    matched(&course(&program), "plain:depth=1", &[]);
    // Once when it is tried out, and at the end of each game, also of one that it has lost.
    let told = std::fs::read_to_string(&log).unwrap();
    assert_eq!(told.lines().filter(|line| *line == "-1").count(), 3, "{told}");
    assert!(told.starts_with("-1\n5 1 5 9 10 10 0\n-1\n"), "{told}");
}

#[test]
fn standard_error_goes_where_the_command_sends_it() {
    let scratch = Scratch::new("course-errors");
    let log = scratch.path("log");
    let loud = script("echo thinking >&2; read p; exit 1");
    for (program, heard) in [(loud.clone(), false), (format!("exec 2> {log}; {loud}"), true)] {
        let args = ["match", "--game", "quoridor", &course(&program), "random", "--games", "2"];
        let output = command(&args).output().unwrap();
        assert!(output.status.success() && !String::from_utf8_lossy(&output.stderr).contains("thinking"));
        assert_eq!(std::fs::read_to_string(&log).is_ok_and(|text| text.contains("thinking")), heard);
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
    let scratch = Scratch::new("course-left");
    let pid = scratch.path("pid");
    let said = matched(&(course(&hanging(&pid)) + ":time=1s"), "random", &[]);
    assert!(said.contains("time: no move after 1.0 s"), "{said}");
    assert_gone(&pid);
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_the_programs_and_keeps_the_games() {
    let scratch = Scratch::new("course-ctrl-c");
    let (pid, path) = (scratch.path("pid"), scratch.path("games.jsonl"));
    // It is tried out, loses the first game at once, and hangs in the second.
    let hang = hanging(&pid);
    let program = format!(
        "n=$(cat {pid}.n); echo \"$n.\" > {pid}.n; [ \"$n\" = .. ] && {{ {hang}; }}; {}",
        script("exit 1")
    );
    let child = command(&["match", "--game", "quoridor", &(course(&program) + ":time=60s"), "random"])
        .args(["--games", "2", "--threads", "1", "--records", &path])
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
