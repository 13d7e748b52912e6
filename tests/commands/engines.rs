//! Programs of others as players: scripts that speak UCI well or badly, and our own engine as the opponent.

use std::time::{Duration, Instant};

use crate::common::{Scratch, prints, refuses};

/// A script that says hello and then does this for each `go`.
fn fake(go: &str) -> String {
    fake_with("", go)
}

/// The same with some lines before `uciok`.
fn fake_with(hello: &str, go: &str) -> String {
    format!(
        "while read -r line; do case $line in uci) echo id name Fake 1; {hello} echo uciok;; isready) echo readyok;; go*) {go};; quit) exit 0;; esac; done"
    )
}

fn ours(player: &str) -> String {
    let (options, player) = player.rsplit_once(' ').unwrap_or(("", player));
    format!("engine='{}' engine {options} '{player}'", env!("CARGO_BIN_EXE_dobutsu-ga"))
}

/// The records of a match, line by line, and what it printed.
fn records(scratch: &Scratch, args: &[&str]) -> (Vec<String>, String) {
    let path = scratch.path("games.jsonl");
    let said = prints(&[args, &["--records", &path, "--force"]].concat());
    (std::fs::read_to_string(path).unwrap().lines().map(String::from).collect(), said)
}

/// Whoever fails loses that game, with the reason in the record, and the match goes on.
#[test]
fn who_fails_loses_that_game_and_the_match_goes_on() {
    let scratch = Scratch::new("engines-faults");
    for (program, by, note) in [
        (fake("exit 3"), "crash", "a crash: it ended with exit code 3"),
        (fake("kill -9 $$"), "crash", "a crash: it was ended by signal: 9"),
        (
            fake("echo bestmove a1a9"),
            "illegal move",
            "it answered 'a1a9', which is no legal move in gle/1c1/1C1/ELG[-] w 0 1",
        ),
        (fake("echo bestmove"), "no move", "it answered no move ('bestmove ')"),
        (fake("echo 'bestmove (none)'"), "no move", "it answered no move ('bestmove (none)')"),
        (fake("echo bestmove resign"), "resignation", "it resigned"),
        (fake("head -c 100000 /dev/zero"), "illegal move", "it wrote a line of more than 65536 bytes"),
        (format!("{}:timeout=300ms:depth=1", fake(":")), "time", "time: no move after 0.3 s"),
        (
            format!("{}:timeout=300ms:depth=1", fake("yes info string thinking")),
            "time",
            "time: no move after 0.3 s",
        ),
    ] {
        let engine = format!("engine={program}");
        let (records, said) =
            records(&scratch, &["match", &engine, "material:depth=1", "--games", "2", "--threads", "1"]);
        assert_eq!(records.len(), 2, "{program}");
        assert!(
            records[0].contains(&format!("\"winner\":\"second\",\"by\":\"{by}\",\"note\":\"{note}")),
            "{program}: {}",
            records[0]
        );
        assert!(
            records[1].contains(&format!("\"winner\":\"first\",\"by\":\"{by}\"")),
            "{program}: {}",
            records[1]
        );
        let told = said.contains("by a fault of a program");
        assert_eq!(told, by != "resignation", "{said}");
        assert!(!told || said.contains(note.split(" in gle").next().unwrap()), "{said}");
        // The records stand up to those who check them, in every format.
        let path = scratch.path("games.jsonl");
        prints(&["replay", &path]);
        for format in ["pgn", "uci"] {
            let other = scratch.path(&format!("games.{format}"));
            prints(&["import", &path, "--out", &other, "--force"]);
            prints(&["replay", &other]);
            let back = scratch.path("back.jsonl");
            prints(&["import", &other, "--out", &back, "--force"]);
            let back = std::fs::read_to_string(back).unwrap();
            assert!(back.contains(&format!("\"winner\":\"second\",\"by\":\"{by}\"")), "{format}: {back}");
        }
    }
}

/// What is said too much, too early or again is not taken for an answer.
#[test]
fn chatter_is_not_taken_for_an_answer() {
    let scratch = Scratch::new("engines-chatter");
    let program = ours("material:depth=1");
    let program = program.strip_prefix("engine=").unwrap();
    let plain = records(
        &scratch,
        &["match", &format!("engine={program}"), "random", "--games", "4", "--rules", "official"],
    )
    .0;
    let moves = |records: &[String]| -> Vec<String> {
        records.iter().map(|line| line.split("\"moves\"").nth(1).unwrap().to_string()).collect()
    };
    for chatty in [
        format!("yes hello | head -2000; echo bestmove a1a1; exec {program}"),
        // Every line twice: what was asked before is answered again.
        format!("{program} | while read -r line; do echo \"$line\"; echo \"$line\"; done"),
    ] {
        let chatty = records(
            &scratch,
            &["match", &format!("engine={chatty}"), "random", "--games", "4", "--rules", "official"],
        )
        .0;
        assert_eq!(moves(&chatty), moves(&plain));
    }
}

/// A program that knows only of legal moves is not asked where a lion can be taken, and may say that it is mated.
#[test]
fn rules_of_others_are_reckoned_with() {
    // It would answer nonsense: it is not asked.
    let deaf = format!("engine={}", fake("echo bestmove none"));
    let start = "gle/1C1/3/ELG[C] b 0 1";
    let said = crate::common::run(&["play", &deaf, "--fen", start, "--side", "first", "--rules", "official"]);
    let said = String::from_utf8_lossy(&said.stdout).to_string();
    assert!(said.contains("gives up: it answered no move"), "{said}");
    // The lion of the person can be taken: it is.
    let said = crate::common::run(&[
        "play",
        &deaf,
        "--fen",
        "gle/3/1c1/EL1[CG] b 0 1",
        "--side",
        "first",
        "--rules",
        "official",
    ]);
    let said = String::from_utf8_lossy(&said.stdout).to_string();
    assert!(said.contains("You have lost by catch."), "{said}");
    // Mated, as legal rules have it.
    let mated = "2l/E1C/1L1/3[GGEc] b 0 1";
    let said = crate::common::run(&["play", &deaf, "--fen", mated, "--side", "first", "--rules", "official"]);
    let said = String::from_utf8_lossy(&said.stdout).to_string();
    assert!(said.contains("You have won by mate."), "{said}");
}

#[test]
fn the_game_is_told_from_where_it_can_be_followed() {
    let scratch = Scratch::new("engines-told");
    let log = scratch.path("told.txt");
    // Writes down what it is told.
    let script = format!(
        "tee '{log}' | '{}' engine --rules official 'material:depth=1'",
        env!("CARGO_BIN_EXE_dobutsu-ga")
    );
    prints(&[
        "match",
        &format!("engine={script}:depth=2:variant=dobutsu:option.Seed=3"),
        "random",
        "--games",
        "2",
        "--rules",
        "official",
        "--threads",
        "1",
        "--seed",
        "5",
    ]);
    let told = std::fs::read_to_string(&log).unwrap();
    for line in [
        "uci\n",
        "setoption name UCI_Variant value dobutsu\n",
        "setoption name Seed value 3\n",
        "ucinewgame\n",
        "go depth 2\n",
        "position startpos\n",
        "quit",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert_eq!(told.matches("uci\n").count(), 1, "one process for both games: {told}");
    assert!(told.contains("position startpos moves ") && !told.contains("judged"), "{told}");
}

/// Whether a process is there and not just waiting to be forgotten.
#[cfg(target_os = "linux")]
fn is_alive(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).is_ok_and(|stat| !stat.contains(") Z "))
}

#[test]
#[cfg(target_os = "linux")]
fn nobody_is_left_behind() {
    let scratch = Scratch::new("engines-left");
    let pids = scratch.path("pids");
    for go in ["echo bestmove b2b3", "sleep 1000 & echo $! >> PIDS; sleep 1000", "trap '' TERM; sleep 1000"] {
        let program = format!("echo $$ >> '{pids}'; {}", fake(&go.replace("PIDS", &format!("'{pids}'"))));
        prints(&["match", &format!("engine={program}:depth=1:timeout=300ms"), "random", "--games", "4"]);
    }
    let pids = std::fs::read_to_string(pids).unwrap();
    assert!(pids.lines().count() >= 6, "{pids}");
    for pid in pids.lines() {
        assert!(!is_alive(pid), "{pid} of {pids}");
    }
}

/// Whatever ends a command ends the programs too.
#[test]
#[cfg(target_os = "linux")]
fn a_signal_ends_the_programs() {
    let scratch = Scratch::new("engines-interrupt");
    let pids = scratch.path("pids");
    let program = format!("echo $$ >> '{pids}'; sleep 1000 & echo $! >> '{pids}'; {}", fake("sleep 1000"));
    let engine = format!("engine={program}:depth=1:timeout=600s");
    for signal in ["-INT", "-TERM", "-HUP"] {
        // These tests may themselves run under `nohup`, which the program inherits and obeys.
        if signal == "-HUP" && ignores_hangup() {
            continue;
        }
        for command in [
            &["match", &engine, "random", "--games", "2", "--threads", "2"][..],
            &["play", &engine, "--side", "second"],
        ] {
            let _ = std::fs::remove_file(&pids);
            let mut child = crate::common::command(command)
                .stdin(std::process::Stdio::piped())
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap();
            let begin = Instant::now();
            while !std::fs::read_to_string(&pids).is_ok_and(|text| text.lines().count() > 1) {
                assert!(begin.elapsed() < Duration::from_secs(60), "no program was started");
                std::thread::sleep(Duration::from_millis(20));
            }
            crate::common::signal(&child, signal);
            assert_eq!(child.wait().unwrap().code(), Some(130), "{signal} {command:?}");
            let pids = std::fs::read_to_string(&pids).unwrap();
            // They have been killed; to be gone takes the system a moment.
            let begin = Instant::now();
            while pids.lines().any(is_alive) {
                assert!(begin.elapsed() < Duration::from_secs(60), "{signal} {command:?}: {pids}");
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

#[cfg(target_os = "linux")]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() & 1 != 0
}

/// What `nohup` has asked for holds.
#[test]
#[cfg(target_os = "linux")]
fn the_end_of_a_terminal_ends_nothing_under_nohup() {
    let ours = env!("CARGO_BIN_EXE_dobutsu-ga");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &format!("trap '' HUP; exec '{ours}' play random")]);
    let piped = std::process::Stdio::piped;
    let mut child = shell.stdin(piped()).stdout(piped()).spawn().unwrap();
    let mut said = std::io::BufReader::new(child.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut said, &mut String::new()).unwrap();
    crate::common::signal(&child, "-HUP");
    drop(child.stdin.take());
    std::io::copy(&mut said, &mut std::io::sink()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// The shell that starts a program does not hold its output open.
#[test]
#[cfg(unix)]
fn a_closed_output_is_a_crash() {
    let scratch = Scratch::new("engines-closed");
    let script = scratch.path("engine.sh");
    std::fs::write(&script, fake("exec >&-; sleep 1000")).unwrap();
    let engine = format!("engine=sh {script}:depth=1:timeout=20s");
    let (records, _) = records(&scratch, &["match", &engine, "material:depth=1", "--games", "2"]);
    assert!(
        records[0].contains("\"by\":\"crash\",\"note\":\"a crash: it closed its standard output"),
        "{records:?}"
    );
}

#[test]
fn the_same_games_on_any_number_of_threads() {
    let scratch = Scratch::new("engines-threads");
    let engine = format!("{}:depth=2", ours("--rules official strong"));
    let play = |threads: &str| {
        let args = [
            "match",
            &engine,
            "material:depth=1",
            "--rules",
            "official",
            "--games",
            "8",
            "--opening-plies",
            "4",
            "--threads",
            threads,
        ];
        records(&scratch, &args).0
    };
    assert_eq!(play("1"), play("3"));
}

#[test]
fn programs_play_tournaments_and_are_rated() {
    let engine = format!("{}:depth=1", ours("strong"));
    let said =
        prints(&["tournament", &engine, "random", "material:depth=1", "--rules", "official", "--games", "2"]);
    assert!(said.contains("Joint ratings"), "{said}");
}

#[test]
fn what_is_wrong_is_said_before_any_game() {
    for (engine, words) in [
        ("engine=", "after engine= comes the command that starts it"),
        (
            "engine=x:dpeth=3",
            "has no option 'dpeth': it takes depth, nodes, time, variant, protocol, timeout, coordinates, option.NAME",
        ),
        ("engine=x:depth=0", "must be from 1 to 100"),
        ("engine=x:depth=3:nodes=5", "must be the only one of depth, nodes and time"),
        ("engine=x:nodes=0", "must be from 1 to"),
        ("engine=x:time=5", "must be from 1ms to 3600s"),
        ("engine=x:timeout=5", "must be from 1ms to 3600s"),
        ("engine=x:protocol=xboard", "there is no protocol of an engine 'xboard': choose uci, usi or course"),
        ("engine=x:depth=3:depth=4", "gives the option 'depth' twice"),
        ("engine=no-such-program-anywhere", "the shell does not find the program: is it installed?"),
        ("engine=true", "a crash: it ended with exit code 0"),
        ("engine=exec sleep 1000:timeout=300ms", "'uci' was not answered by 'uciok'"),
    ] {
        refuses(&["match", engine, "random"], words);
    }
    let knows = |variants: &str| {
        let hello = format!("echo option name UCI_Variant type combo default chess {variants};");
        format!("engine={}", fake_with(&hello, "echo bestmove b2b3"))
    };
    refuses(
        &["match", &knows("var chess"), "random"],
        "it does not play 'dobutsu': variant=NAME says what it calls the game",
    );
    refuses(
        &["match", &format!("{}:variant=animals", knows("var dobutsu")), "random"],
        "it does not play 'animals'",
    );
    let plain = format!("engine={}", fake("echo bestmove b2b3"));
    refuses(&["match", &format!("{plain}:variant=dobutsu"), "random"], "it has no option UCI_Variant");
    refuses(&["match", &format!("{plain}:option.Hash=3"), "random"], "it has no option 'Hash'");
    // A learner needs opponents that never change.
    refuses(&["learn", "dqn", "--opponent", &plain], "is a program of others");
    assert!(prints(&["players"]).contains("engine=COMMAND"));
}

/// A page starts no programs, whatever it is asked for.
#[test]
fn the_page_starts_no_programs() {
    let scratch = Scratch::new("engines-web");
    let touched = scratch.path("touched");
    let server = crate::common::server::Server::start("engines");
    let player = format!("engine=touch '{touched}'");
    let (status, answer) =
        server.post("/api/move", &serde_json::json!({ "game": { "game": "dobutsu" }, "player": player }));
    assert_eq!(status, 422, "{answer}");
    assert!(answer.to_string().contains("no programs are started from this page"), "{answer}");
    assert!(!server.get("/api/opponents").1.contains("engine="));
    assert!(!std::path::Path::new(&touched).exists());
}
