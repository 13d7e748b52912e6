//! Our players behind UCI and USI: whole conversations, as a client would have them.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Scratch, command, prints, refuses};

/// An engine that is talked to line by line.
struct Session {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Session {
    fn new(args: &[&str]) -> Session {
        let mut command = command(&[&["engine"], args].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Session { child, input, output: BufReader::new(output) }
    }

    fn tell(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_string()
    }

    /// All lines up to the first that begins like this.
    fn hear_until(&mut self, begin: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.hear();
            assert!(!line.is_empty(), "the engine ended before '{begin}': {lines:?}");
            let last = line.starts_with(begin);
            lines.push(line);
            if last {
                return lines;
            }
        }
    }

    /// What it answers to `go`, as the client asks for it.
    fn best(&mut self, go: &str) -> (String, Vec<String>) {
        self.tell(go);
        let mut lines = self.hear_until("bestmove");
        let best = lines.pop().unwrap();
        (best.split_whitespace().nth(1).unwrap().to_string(), lines)
    }

    /// Whether all that was told is done, and nothing was said about it.
    fn is_silent(&mut self) -> bool {
        self.tell("isready");
        self.hear() == "readyok"
    }

    fn quit(mut self) {
        self.tell("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

/// What is said to lines that are sent all at once.
fn said(args: &[&str], input: &[u8]) -> String {
    let mut command = command(&[&["engine"], args].concat());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// The number after a word of an info line.
fn number(line: &str, word: &str) -> i64 {
    let mut words = line.split_whitespace().skip_while(|other| *other != word);
    words.nth(1).unwrap_or_else(|| panic!("no {word} in {line}")).parse().unwrap()
}

/// What the page shows is what happens, line by line.
#[test]
fn the_session_of_the_docs_is_true() {
    let page = include_str!("../../docs/engines.md");
    let block = page.split("```").nth(1).unwrap();
    let mut session = Session::new(&["material:depth=2"]);
    for line in block.lines().filter(|line| !line.is_empty()) {
        match line.split_at(2) {
            ("> ", told) => session.tell(told),
            // Times differ from run to run.
            ("< ", answer) if answer.contains(" nps ") => {
                let heard = session.hear();
                let (begin, end) = answer.split_once(" nps ").unwrap();
                let (_, line) = end.split_once(" pv ").unwrap();
                assert!(
                    heard.starts_with(begin) && heard.ends_with(&format!(" pv {line}")),
                    "{answer}: {heard}"
                );
            }
            ("< ", answer) => assert_eq!(session.hear(), answer),
            _ => panic!("{line}"),
        }
    }
    assert_eq!(session.hear(), "", "nothing follows");
    assert!(session.child.wait().unwrap().success());
}

#[test]
fn every_game_is_played_in_one_conversation() {
    let mut session = Session::new(&[]);
    session.tell("uci");
    let lines = session.hear_until("uciok");
    assert!(lines[0].starts_with("id name dobutsu-ga"), "{lines:?}");
    let variants = "option name UCI_Variant type combo default dobutsu var dobutsu var kyotoshogi var quoridor var hasami";
    assert!(lines.iter().any(|line| line == variants), "{lines:?}");
    for option in ["Player", "Depth", "Genome", "Network", "Table", "Rules", "Seed"] {
        assert!(
            lines.iter().any(|line| line.starts_with(&format!("option name {option} type "))),
            "{option}: {lines:?}"
        );
    }
    let starts = [
        ("dobutsu", "gle/1c1/1C1/ELG[-] w 0 1", "b2b3"),
        ("kyotoshogi", "p+nks+l/5/5/5/+LSK+NP[] w - - 0 1", "e1e2+"),
        ("quoridor", "e1 e9 10 10 h:- v:- w", "e2"),
        ("hasami", "ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP w -", "a1a5"),
        ("dobutsu", "gle/1c1/1C1/ELG[] w - - 0 1", "b1a2"),
    ];
    for (variant, fen, first) in starts {
        session.tell(&format!("setoption name UCI_Variant value {variant}"));
        session.tell("ucinewgame");
        assert!(session.is_silent(), "{variant}");
        session.tell("position startpos");
        let (from_start, infos) = session.best("go depth 2");
        session.tell("ucinewgame");
        session.tell(&format!("position fen {fen}"));
        assert_eq!(session.best("go depth 2").0, from_start, "{variant}");
        assert!(infos.iter().any(|line| line.starts_with("info depth 2 score ")), "{variant}: {infos:?}");
        let last = infos.last().unwrap();
        assert!(
            number(last, "nodes") > 0 && last.ends_with(&format!(" pv {from_start}"))
                || last.contains(&format!(" pv {from_start} ")),
            "{last}"
        );
        session.tell(&format!("position startpos moves {first}"));
        let (answer, _) = session.best("go movetime 20");
        session.tell(&format!("position startpos moves {first} {answer}"));
        assert_ne!(session.best("go nodes 500").0, "(none)", "{variant}");
    }
    session.quit();
}

#[test]
fn shogi_clients_hear_shogi_moves() {
    let mut session = Session::new(&["--game", "kyoto", "strong:depth=2"]);
    session.tell("usi");
    let lines = session.hear_until("usiok");
    assert!(
        lines.iter().any(|line| line.contains("Rules type combo default legal var capture var legal")),
        "{lines:?}"
    );
    session.tell("setoption name USI_Hash value 256");
    session.tell("usinewgame");
    assert!(session.is_silent());
    // The same position in three ways.
    let mut answers = Vec::new();
    for place in [
        "startpos moves 1e1d+ 5a5b+",
        "sfen p+nks+l/5/5/5/+LSK+NP b - 1 moves 1e1d+ 5a5b+",
        "sfen 1+nks+l/+p4/5/4+P/+LSK+N1 b - 3",
    ] {
        session.tell("usinewgame");
        session.tell(&format!("position {place}"));
        answers.push(session.best("go btime 0 wtime 0 byoyomi 20000").0);
    }
    assert!(
        answers
            .iter()
            .all(|answer| *answer == answers[0] && answer.starts_with(|c: char| c.is_ascii_digit())),
        "{answers:?}"
    );
    // A mate counts plies there, and a lost game is given up.
    session.tell("setoption name UCI_Variant value dobutsu");
    session.tell("position sfen 1l1/1C1/1L1/3 b G2Egc 1");
    let (_, infos) = session.best("go depth 4");
    assert!(infos.last().unwrap().contains(" score mate 1 "), "{infos:?}");
    session.tell("position sfen 3/1L1/3/3 w GELge2c 1");
    assert_eq!(session.best("go depth 1").0, "resign");
    session.quit();
}

/// The same player in the arena and behind the protocol plays the same games.
#[test]
fn the_engine_plays_as_its_player_does() {
    let scratch = Scratch::new("uci-same");
    let path = scratch.path("games.jsonl");
    let moves = |game: &str, a: &str, b: &str| {
        let args = [
            "match",
            "--game",
            game,
            a,
            b,
            "--games",
            "4",
            "--opening-plies",
            "4",
            "--records",
            &path,
            "--force",
        ];
        let rules: &[&str] = if game == "dobutsu" { &["--rules", "official"] } else { &[] };
        prints(&[&args[..], rules].concat());
        let text = std::fs::read_to_string(&path).unwrap();
        let moves = text.lines().map(|line| line.split("\"moves\"").nth(1).unwrap());
        // Which of several pieces catches the lion a program that knows only legal moves is never asked.
        let but_the_catch = |line: &str| match line.ends_with("\"by\":\"catch\"}") {
            true => line.rsplit_once(",\"winner\"").unwrap().0.rsplit_once(',').unwrap().0.to_string(),
            false => line.to_string(),
        };
        moves.map(but_the_catch).collect::<Vec<_>>()
    };
    for (game, player, other) in [
        ("dobutsu", "strong:depth=3", "strong:depth=2"),
        ("quoridor", "report:depth=2", "plain:depth=1"),
        ("quoridor", "strong:depth=2", "plain:depth=1"),
        ("hasami", "report:depth=2", "strong:depth=1"),
        ("dobutsu", "alphazero:simulations=20", "strong:depth=3"),
    ] {
        let ours = moves(game, player, other);
        for protocol in ["uci", "usi"] {
            // `go` must leave the depth to the player.
            let engine = format!(
                "engine='{}' engine --game {game} '{player}':timeout=60s:protocol={protocol}:time=3600s",
                env!("CARGO_BIN_EXE_dobutsu-ga")
            );
            assert_eq!(moves(game, &engine, other), ours, "{game} {player} {protocol}");
        }
    }
}

#[test]
fn stop_is_obeyed_at_once_by_all_who_think() {
    const AT_ONCE: Duration = Duration::from_millis(20);
    for args in [
        &["strong"][..],
        &["full:depth=10"],
        &["material:depth=10:evaluate=path"],
        &["random"],
        &["--game", "kyoto", "strong"],
        &["--game", "kyoto", "B:depth=10"],
        &["--game", "kyoto", "--rules", "capture", "strong"],
        &["--game", "quoridor", "strong"],
        &["--game", "quoridor", "report:depth=10:beam=all:book=no"],
        &["--game", "hasami", "strong"],
        &["--game", "hasami", "report:depth=10"],
        &["--game", "hasami", "dqn"],
        &["alphazero"],
        &["--game", "kyoto", "alphazero:waiting=64"],
    ] {
        let mut session = Session::new(args);
        assert!(session.is_silent());
        let mut wait = || {
            session.tell("go infinite");
            std::thread::sleep(Duration::from_millis(60));
            session.tell("isready");
            session.hear_until("readyok");
            let begin = Instant::now();
            session.tell("stop");
            session.hear_until("bestmove");
            begin.elapsed()
        };
        // The quickest of some, of which two are always heard: the machine may have other things to do.
        let mut quickest = wait().min(wait());
        for _ in 2..8 {
            if quickest >= AT_ONCE {
                quickest = quickest.min(wait());
            }
        }
        assert!(quickest < AT_ONCE, "{args:?}: {quickest:?}");
        session.quit();
    }
}

#[test]
fn a_network_keeps_its_bounds() {
    let mut session = Session::new(&["alphazero"]);
    let (_, infos) = session.best("go nodes 50");
    assert!(number(infos.last().unwrap(), "nodes") <= 50, "{infos:?}");
    let (_, infos) = session.best("go depth 2");
    assert!(number(infos.last().unwrap(), "nodes") <= 101, "{infos:?}");
    let (_, infos) = session.best("go movetime 60000");
    assert!(number(infos.last().unwrap(), "nodes") <= 101, "{infos:?}");
    session.quit();
}

#[test]
fn bounds_are_kept() {
    let mut session = Session::new(&["strong"]);
    let (_, infos) = session.best("go depth 5");
    assert_eq!(number(infos.last().unwrap(), "depth"), 5);
    let (_, infos) = session.best("go nodes 3000");
    assert!(number(infos.last().unwrap(), "nodes") <= 3_100, "{infos:?}");
    let begin = Instant::now();
    session.best("go wtime 3000 btime 3000 winc 10 binc 10");
    assert!(begin.elapsed() < Duration::from_millis(2_000));
    // Nobody answers before stop who was told to go on.
    session.tell("position fen 1l1/1C1/1L1/3[GEEgc] w 0 1");
    session.tell("go infinite");
    std::thread::sleep(Duration::from_millis(50));
    session.tell("isready");
    assert!(session.hear_until("readyok").iter().all(|line| !line.starts_with("bestmove")));
    session.tell("go depth 1");
    assert!(session.hear_until("info string")[0].contains("send stop first"));
    session.tell("stop");
    session.hear_until("bestmove");
    session.tell("stop");
    assert!(session.is_silent());
    // A player with a depth of its own looks no further in whatever time, and less far in less.
    session.tell("setoption name Player value material:depth=2");
    session.tell("position startpos");
    let (_, infos) = session.best("go movetime 60000");
    assert_eq!(number(infos.last().unwrap(), "depth"), 2);
    let (_, infos) = session.best("go depth 4");
    assert_eq!(number(infos.last().unwrap(), "depth"), 4);
    session.quit();
}

#[test]
fn options_are_set_or_refused() {
    let scratch = Scratch::new("uci-options");
    let genome = scratch.path("a.toml");
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/genomes/dobutsu/table5.toml"))
            .unwrap();
    std::fs::write(&genome, text).unwrap();
    let mut session = Session::new(&["--game", "dobutsu", "material"]);
    for (option, complaint) in [
        ("Depth value 3", ""),
        ("depth value 99", "info string Depth must be from 0 to 14"),
        (&format!("Genome value {genome}"), ""),
        ("Genome value nowhere.toml", "info string the genome file 'nowhere.toml' cannot be used"),
        ("Genome value <empty>", ""),
        ("Player value nobody", "info string there is no player 'nobody'"),
        ("Player value random", "info string the option Depth has no effect on the player random"),
        ("Player value strong", ""),
        (
            "Player value engine=true",
            "info string the player 'engine=true:depth=3' cannot be had: programs of others are not started",
        ),
        (
            "Network value a.safetensors",
            "info string the player 'net=a.safetensors' cannot be had: there is no such file",
        ),
        ("Network value", ""),
        ("Table value here", "info string the option Table has no effect"),
        ("Table value", ""),
        ("Rules value paper", ""),
        ("Rules value fair", "info string there is no"),
        ("Seed value 7", ""),
        ("Seed value -1", "info string Seed must be from 0 to"),
        ("Skill Level value 3", "info string there is no option 'Skill Level'"),
        (
            "UCI_Variant value chess",
            "info string there is no variant 'chess': choose dobutsu, kyotoshogi, quoridor or hasami",
        ),
    ] {
        session.tell(&format!("setoption name {option}"));
        session.tell("isready");
        let lines = session.hear_until("readyok");
        match complaint {
            "" => assert_eq!(lines, ["readyok"], "{option}"),
            words => assert!(lines[0].starts_with(words), "{option}: {lines:?}"),
        }
    }
    session.tell("uci");
    let lines = session.hear_until("uciok");
    assert!(
        lines.iter().any(|line| line == "option name Depth type spin default 3 min 0 max 14"),
        "{lines:?}"
    );
    assert!(
        lines.iter().any(|line| line.starts_with("option name Rules type combo default paper")),
        "{lines:?}"
    );
    // Options that only the old game knows do not survive a change of game.
    session.tell(&format!("setoption name Genome value {genome}"));
    session.tell("setoption name UCI_Variant value hasami");
    let complaint = session.hear();
    assert!(complaint.contains("the usual player and rules are taken"), "{complaint}");
    assert_ne!(session.best("go").0, "(none)");
    session.quit();
    let moves = |seed: &str| {
        let lines = "go\nposition startpos moves b2b3 c4b3\ngo\nposition startpos moves c1c2\ngo\n";
        said(&["random", "--seed", seed], lines.as_bytes())
    };
    assert_eq!(moves("3"), moves("3"));
    assert!((4..20).any(|seed| moves("3") != moves(&seed.to_string())));
}

/// Nothing that is sent ends it, and the next sensible line is answered.
#[test]
fn garbage_does_no_harm() {
    let long = [b"position startpos moves ".to_vec(), b"a1a2 ".repeat(500_000)].concat();
    let mut input = b"uci\n".to_vec();
    let lines: [&[u8]; 16] = [
        b"\x00\xff\xfe",
        b"\x1b[2J",
        b"position",
        b"position fen",
        b"position fen what",
        b"position fen gle/1c1/1C1/ELG[CCCCCCCC] w 0 1",
        b"position startpos moves a1a9",
        b"position startpos moves b2b3 b2b3",
        b"position sfen gle/1c1/1C1/ELG b 99999999999999999999999C 1",
        b"go depth many nodes",
        b"go depth 0",
        b"go depth -5 movetime x",
        b"setoption",
        b"setoption name",
        b"stop",
        &long,
    ];
    for line in lines {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    input.extend_from_slice(b"position startpos moves b2b3\ngo depth 2\n");
    let said = said(&["strong:depth=1"], &input);
    assert!(said.contains("uciok\n"));
    assert!(!said.contains('\u{1b}') && !said.contains('\0'), "{said}");
    let last = said.lines().last().unwrap();
    assert!(last.starts_with("bestmove ") && last != "bestmove (none)", "{said}");
    let unknown = |line: &&str| {
        ["info ", "bestmove ", "id ", "option ", "uciok"].iter().all(|begin| !line.starts_with(begin))
    };
    assert_eq!(said.lines().find(unknown), None);
}

#[test]
fn a_position_that_is_not_understood_gets_no_move() {
    let said = said(
        &["strong:depth=1"],
        b"position startpos moves b2b4\ngo\nposition fen 3/1L1/3/3[GELgecc] b 0 1\ngo\n",
    );
    let lines: Vec<&str> = said.lines().collect();
    assert!(
        lines[0].starts_with("info string 'b2b4' is not a legal move in gle/1c1/1C1/ELG[-] w 0 1"),
        "{said}"
    );
    assert_eq!(lines[1..3], ["info string there is no position to move in", "bestmove (none)"]);
    assert_eq!(lines[3..], ["info string the game is over", "bestmove (none)"], "{said}");
}

/// Others may write a move as their rules have it.
#[test]
fn moves_are_understood_as_others_write_them() {
    let input = b"position fen 3/C1l/3/1L1[GGEEc] w 0 1 moves a3a4\ngo\nposition fen 3/C1l/3/1L1[GGEEc] w 0 1 moves 3b3a+\ngo\nposition fen 3/C1l/3/1L1[GGEEc] w 0 1 moves 3b3a\ngo\nposition fen 3/C1l/3/1L1[GGEEc] w 0 1 moves Ca4=H\ngo\n";
    let said = said(&["strong:depth=1"], input);
    assert!(!said.contains("info string"), "{said}");
    assert_eq!(said.lines().filter(|line| line.starts_with("bestmove ")).count(), 4);
}

#[test]
fn what_cannot_be_done_is_said() {
    refuses(&["engine", "nobody"], "there is no player 'nobody'");
    refuses(&["engine", "--game", "chess"], "there is no game 'chess'");
    refuses(&["engine", "--rules", "fair"], "there is no");
    refuses(&["engine", "engine=true"], "programs of others are not started by this one");
    assert!(prints(&["engine", "--help"]).contains("go depth 6"));
}
