//! Records of games: made, imported and replayed, as a user would.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use crate::common::{Scratch, contents, prints, refuses};

const PAPER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/records/paper.csa");

/// The number on the line of a report that begins with these words.
fn count(report: &str, what: &str) -> u64 {
    let line = report.lines().find_map(|line| line.trim_start().strip_prefix(what));
    let line = line.unwrap_or_else(|| panic!("no '{what}' in {report}"));
    line.trim().replace(',', "").parse().unwrap()
}

/// What a CSA file says of its games beside comments.
fn without_comments(path: &str) -> String {
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.starts_with('\'')).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_example_game_of_the_paper_is_replayed() {
    let letters = prints(&["replay", PAPER]);
    assert!(
        letters.starts_with("Game 1: minimax (first) against minimax (second), capture rules\n"),
        "{letters}"
    );
    assert!(letters.contains("\n9. first player: e2d2- (+1424FU, 1d2d)\n"), "{letters}");
    assert!(letters.contains("\n17. first player: d2c4+ (+2432KI, 2d3b)\n"), "{letters}");
    assert!(letters.ends_with("The first player has won by resignation.\n\n"), "{letters}");
    let last = letters.rfind("17. first player").unwrap();
    assert!(letters[last..].contains("first player holds"), "{letters}");
    let kanji = prints(&["replay", PAPER, "--style", "kanji"]);
    for piece in ["玉", "金", "銀", "歩", "飛", "角", "桂", "香", "と"] {
        assert!(kanji.contains(piece), "{piece}: {kanji}");
    }
    assert_eq!(kanji.lines().count(), letters.lines().count());
    assert_eq!(prints(&["replay", PAPER, "--game", "kyoto"]), letters);
    refuses(&["replay", PAPER, "--game", "dobutsu"], "paper.csa' holds games of kyoto, not of dobutsu");
    refuses(&["replay", PAPER, "--game", "2"], "has 1 games: there is no game 2");
}

#[test]
fn the_example_game_goes_to_json_and_back() {
    let scratch = Scratch::new("paper");
    let (json, again, csa) = (scratch.path("a.jsonl"), scratch.path("b.jsonl"), scratch.path("c.csa"));
    let report = prints(&["import", PAPER, "--out", &json]);
    assert_eq!((count(&report, "games"), count(&report, "first player's wins")), (1, 1));
    assert_eq!((count(&report, "positions"), count(&report, "distinct positions")), (17, 17));
    let line = fs::read_to_string(&json).unwrap();
    assert!(
        line.starts_with(r#"{"game_name":"kyoto","pairing":0,"game":0,"seed":0,"first":"minimax""#),
        "{line}"
    );
    assert!(line.ends_with("\"d2c4+\"],\"winner\":\"first\",\"by\":\"resignation\"}\n"), "{line}");
    prints(&["import", &json, "--out", &again]);
    assert_eq!(fs::read_to_string(&again).unwrap(), line);
    prints(&["import", &json, "--out", &csa]);
    assert_eq!(without_comments(&csa), without_comments(PAPER).replace("HU", "FU"));
    let replayed =
        |path: &str| prints(&["replay", path]).lines().skip(1).map(String::from).collect::<Vec<_>>();
    assert_eq!(replayed(&json), replayed(PAPER));
}

/// Every way in which a CSA record can end: `None` for no word at all.
#[test]
fn every_end_of_a_csa_record_survives() {
    let scratch = Scratch::new("ends");
    let (csa, json, back) = (scratch.path("a.csa"), scratch.path("b.jsonl"), scratch.path("c.csa"));
    let sequence = ["+1514HI", "-3132OU", "+1415FU", "-3231OU"];
    let begin = |moves: &[&str]| format!("V2.2\nPI\n+\n{}\n", moves.join("\n"));
    let shuffle = ["+3534OU", "-3132OU", "+3435OU", "-3231OU"];
    let cases = [
        ("%TORYO", "second", "resignation"),
        ("%TIME_UP", "second", "time"),
        ("%ILLEGAL_MOVE", "second", "illegal move"),
        ("%+ILLEGAL_ACTION", "second", "illegal action"),
        ("%-ILLEGAL_ACTION", "first", "illegal action"),
        ("%TSUMI", "second", "mate"),
        ("%KACHI", "first", "declaration"),
        ("%HIKIWAKE", "draw", "declared draw"),
        ("%JISHOGI", "draw", "impasse"),
        ("%SENNICHITE", "draw", "repetition"),
        ("%CHUDAN", "none", "unfinished"),
        ("%FUZUMI", "none", "unfinished"),
        ("", "none", "unfinished"),
    ];
    for (word, winner, by) in cases {
        fs::write(&csa, begin(&sequence) + word + "\n").unwrap();
        prints(&["import", &csa, "--out", &json, "--force"]);
        let line = fs::read_to_string(&json).unwrap();
        assert!(line.ends_with(&format!("\"winner\":\"{winner}\",\"by\":\"{by}\"}}\n")), "{word}: {line}");
        assert_eq!(line.contains("\"repetition\":false"), word == "%SENNICHITE", "{word}: {line}");
        assert!(!prints(&["replay", &json]).is_empty(), "{word}");
        prints(&["import", &json, "--out", &back, "--force"]);
        let word = if winner == "none" { "%CHUDAN" } else { word };
        assert!(fs::read_to_string(&back).unwrap().ends_with(&format!("-3231OU\n{word}\n")), "{word}");
    }
    // A real repetition is one; a game that goes on after it was played without the rule.
    let often: Vec<&str> = shuffle.into_iter().cycle().take(12).collect();
    fs::write(&csa, begin(&often) + "%SENNICHITE\n").unwrap();
    prints(&["import", &csa, "--out", &json, "--force"]);
    let line = fs::read_to_string(&json).unwrap();
    assert!(
        line.ends_with("\"winner\":\"draw\",\"by\":\"repetition\"}\n") && !line.contains("false"),
        "{line}"
    );
    fs::write(&csa, begin(&often) + "+3534OU\n%TORYO\n").unwrap();
    prints(&["import", &csa, "--out", &json, "--force"]);
    let line = fs::read_to_string(&json).unwrap();
    assert!(line.contains("\"repetition\":false") && line.contains("resignation"), "{line}");
    prints(&["replay", &json]);
    // What cannot be is refused: nobody resigns when it is the other side's turn.
    fs::write(&json, line.replace("\"winner\":\"first\"", "\"winner\":\"second\"")).unwrap();
    refuses(
        &["replay", &json],
        "game 1: the record says second by resignation, its moves do not end like that",
    );
}

#[test]
fn records_are_the_same_on_any_number_of_threads() {
    let scratch = Scratch::new("threads");
    for (game, ending, players) in
        [("kyoto", "csa", ["S:depth=1", "random"]), ("dobutsu", "jsonl", ["material", "random"])]
    {
        let mut files = Vec::new();
        for threads in ["1", "2", "8"] {
            let file = scratch.path(&format!("{threads}.{ending}"));
            let set = ["records", players[0], players[1], "--game", game, "--games", "300", "--seed", "5"];
            let report = prints(&[&set[..], &["--threads", threads, "--out", &file]].concat());
            assert_eq!(count(&report, "games"), 300);
            files.push((fs::read(&file).unwrap(), report.split("Written to").nth(1).map(tail)));
        }
        assert!(files[0].0.len() > 10_000);
        assert!(files.iter().all(|file| *file == files[0]), "{game}");
        let other = scratch.path(&format!("other.{ending}"));
        let set = ["records", players[0], players[1], "--game", game, "--games", "300", "--seed", "6"];
        prints(&[&set[..], &["--out", &other]].concat());
        assert_ne!(fs::read(&other).unwrap(), files[0].0);
    }
}

/// A report without its first line, which names the file, and its last, which tells the time.
fn tail(report: &str) -> String {
    let lines: Vec<&str> = report.lines().skip(1).filter(|line| !line.ends_with("games/s")).collect();
    lines.join("\n")
}

#[test]
fn the_counts_of_a_training_set_are_true() {
    let scratch = Scratch::new("counts");
    let file = scratch.path("games.jsonl");
    let report = prints(&["records", "random", "material", "mobility", "--games", "301", "--out", &file]);
    let text = fs::read_to_string(&file).unwrap();
    let games: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.len(), 301);
    let moves: Vec<&Vec<serde_json::Value>> =
        games.iter().map(|game| game["moves"].as_array().unwrap()).collect();
    assert_eq!(moves.iter().collect::<HashSet<_>>().len(), 301, "no game twice");
    assert_eq!(count(&report, "positions"), moves.iter().map(|moves| moves.len() as u64).sum::<u64>());
    let winners = |side: &str| games.iter().filter(|game| game["winner"] == side).count() as u64;
    assert_eq!(count(&report, "first player's wins"), winners("first"));
    assert_eq!(count(&report, "draws"), winners("draw"));
    assert_eq!(count(&report, "second player's wins"), winners("second"));
    assert!(games.iter().all(|game| game["opening_plies"] == 6));
    for pairing in 0..3 {
        assert!(games.iter().filter(|game| game["pairing"] == pairing).count() > 80, "pairing {pairing}");
    }
    let imported = prints(&["import", &file, "--out", &scratch.path("again.jsonl")]);
    for what in ["games", "positions", "distinct positions", "draws"] {
        assert_eq!(count(&imported, what), count(&report, what), "{what}");
    }
    assert_eq!(fs::read_to_string(scratch.path("again.jsonl")).unwrap(), text);
    let distinct = {
        use dobutsu_ga::game::Game;
        use dobutsu_ga::games::dobutsu::{Position, Rules};
        let mut keys = HashSet::new();
        for game in &moves {
            let mut position = Position::start(Rules::Paper);
            for m in game.iter() {
                keys.insert(position.key());
                position = position.play(position.parse_move(m.as_str().unwrap()).unwrap());
            }
        }
        keys.len() as u64
    };
    assert_eq!(count(&report, "distinct positions"), distinct);
}

#[test]
fn duplicates_are_left_out_and_replaced() {
    let scratch = Scratch::new("duplicates");
    let (few, many) = (scratch.path("few.csa"), scratch.path("many.csa"));
    let own = ["records", "S", "S", "--game", "kyoto", "--opening-plies", "0"];
    refuses(&[&own[..], &["--games", "20", "--out", &many]].concat(), "200 games were played and only ");
    assert!(contents(&scratch.0).is_empty(), "nothing is written");
    let report = prints(&[&own[..], &["--games", "2", "--out", &few]].concat());
    assert_eq!(count(&report, "games"), 2);
    let text = fs::read_to_string(&few).unwrap();
    let games: HashSet<&str> = text.split("\n/\n").map(|game| game.split_once("\n+\n").unwrap().1).collect();
    assert_eq!(games.len(), 2);
    // Even chance plays some short game twice.
    let report = prints(&[
        "records",
        "random",
        "--games",
        "3000",
        "--opening-plies",
        "0",
        "--out",
        &many.replace("csa", "jsonl"),
    ]);
    assert!(count(&report, "duplicates left out") > 0, "{report}");
    assert!(count(&report, "distinct positions") < count(&report, "positions"), "{report}");
}

/// What is held in memory does not grow with the games but for eight bytes a position: 100,000 games of two random players
/// of Kyoto Shogi were measured by the largest `VmHWM` that /proc/PID/status told, see docs/records.md. Here 20,000 must
/// stay far below what their moves and texts would take.
#[cfg(target_os = "linux")]
#[test]
fn many_games_stream_to_the_disk() {
    let scratch = Scratch::new("stream");
    let file = scratch.path("games.csa");
    let mut child =
        crate::common::command(&["records", "random", "--game", "kyoto", "--games", "20000", "--out", &file])
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
    let (status, mut most) = (format!("/proc/{}/status", child.id()), 0);
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let peak = text
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
        most = most.max(peak.unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(child.wait().unwrap().success());
    assert!(fs::read_to_string(&file).unwrap().matches("\n%").count() == 20_000);
    assert!((1..80_000).contains(&most), "{most} kB");
}

#[test]
fn bad_records_are_refused_by_line_and_nothing_is_written() {
    let scratch = Scratch::new("bad");
    let (file, out) = (scratch.path("bad.csa"), scratch.path("out.jsonl"));
    let good = fs::read_to_string(PAPER).unwrap();
    let refuse = |text: &str, words: &str| {
        fs::write(&file, text).unwrap();
        refuses(&["import", &file, "--out", &out], words);
        refuses(&["import", &file, "--out", &scratch.path("out.csa")], words);
        assert_eq!(contents(&scratch.0).len(), 1, "only the bad file is there");
    };
    let second = |from: &str, to: &str| format!("{good}/\n{}", good.replacen(from, to, 1));
    refuse(&good.replacen("-4142KE", "-41?2KE", 1), "bad.csa', line 12: '?2' in '-41?2KE' is no square");
    refuse(&good.replacen("-4142KE", "-4142", 1), "line 12: '-4142' is no move: one is like +1514HI");
    refuse(&good.replacen("-4142KE", "-4144KE", 1), "line 12: '-4144KE' is not a legal move in ");
    refuse(&good.replacen("-4142KE", "+4544KA", 1), "line 12: '+4544KA' is a move of the first player, but");
    refuse(&second("+0043GI", "+0043FU"), "line 46: '+0043FU' is not a legal move in ");
    refuse(&good.replacen("%TORYO", "%TORIO", 1), "line 28: '%TORIO' is no end of a game: use %TORYO");
    refuse("hello\n", "line 1: 'hello' is no line of a CSA record");
    refuse("", "there is no game in the file");
    fs::write(&out, "mine").unwrap();
    refuses(&["import", PAPER, "--out", &out], "exists already: --force overwrites it");
    assert_eq!(fs::read_to_string(&out).unwrap(), "mine");
    fs::write(&file, good.replacen("-4142KE", "-4144KE", 1)).unwrap();
    refuses(&["import", &file, "--out", &out, "--force"], "line 12");
    assert_eq!(fs::read_to_string(&out).unwrap(), "mine", "also with --force");
}

#[test]
fn bad_lines_of_json_are_refused_by_game() {
    let scratch = Scratch::new("bad-json");
    let (good, file, out) = (scratch.path("good.jsonl"), scratch.path("bad.jsonl"), scratch.path("out.csa"));
    prints(&["import", PAPER, "--out", &good]);
    let line = fs::read_to_string(&good).unwrap();
    let refuse = |text: &str, words: &str| {
        fs::write(&file, text).unwrap();
        refuses(&["import", &file, "--out", &out], words);
        assert!(!Path::new(&out).exists());
    };
    refuse(
        &format!("{line}{}", line.replace("e1e2+", "e1e3+")),
        "bad.jsonl', game 2: move 1: 'e1e3+' is not a legal move",
    );
    refuse(
        &line.replace("resignation", "boredom"),
        "game 1: the record says first by boredom, its moves do not end",
    );
    refuse(
        &line.replace("kyoto", "chess"),
        "game 1: there is no game 'chess': choose dobutsu, kyoto, quoridor or hasami",
    );
    refuse(&line.replace("capture", "house"), "game 1: there is no rule set 'house'");
    for (text, words) in [(&line[..40], "game 1: EOF while parsing"), ("\n\n", "holds no games")] {
        fs::write(&file, text).unwrap();
        refuses(&["import", &file, "--out", &scratch.path("out.jsonl")], words);
        assert!(!scratch.0.join("out.jsonl").exists());
    }
    let dobutsu = scratch.path("dobutsu.jsonl");
    prints(&["records", "random", "--games", "2", "--out", &dobutsu]);
    refuse(&(line.clone() + &fs::read_to_string(&dobutsu).unwrap()), "game 2: ");
    refuses(
        &["import", &dobutsu, "--out", &out],
        "dobutsu has no CSA records: use a name that ends in .jsonl",
    );
    refuses(&["import", &good, "--rules", "legal", "--out", &out], "--rules legal has no effect");
    refuses(&["import", &good, "--game", "dobutsu", "--out", &out], "holds games of kyoto, not of dobutsu");
    refuses(&["import", &good, "--game", "chess", "--out", &out], "there is no game 'chess'");
    refuses(&["import", &scratch.path("nowhere.csa"), "--out", &out], "cannot read '");
    assert!(!Path::new(&out).exists());
}

#[test]
fn the_format_is_seen_where_the_name_does_not_tell() {
    let scratch = Scratch::new("format");
    let (plain, json, out) = (scratch.path("theirs"), scratch.path("ours.txt"), scratch.path("out.jsonl"));
    fs::copy(PAPER, &plain).unwrap();
    assert_eq!(prints(&["replay", &plain]), prints(&["replay", PAPER]));
    prints(&["import", &plain, "--out", &out]);
    fs::copy(&out, &json).unwrap();
    prints(&["import", &json, "--out", &out, "--force"]);
    assert_eq!(fs::read(&json).unwrap(), fs::read(&out).unwrap());
}

#[test]
fn bad_sets_are_refused_before_the_first_game() {
    let scratch = Scratch::new("bad-sets");
    let out = scratch.path("games.jsonl");
    let refuse = |arguments: &[&str], words: &str| {
        refuses(&[&["records"], arguments, &["--out", &out]].concat(), words);
        assert!(contents(&scratch.0).is_empty(), "{arguments:?}");
    };
    refuse(
        &["random", "--game", "chess"],
        "there is no game 'chess': choose dobutsu, kyoto, quoridor or hasami",
    );
    refuse(&["godzilla"], "there is no player 'godzilla': choose random, material");
    refuse(&["material", "--game", "kyoto"], "there is no player 'material': choose random, S");
    refuse(&["random", "--games", "0"], "the number of games must be from 1 to 1000000");
    refuse(&["random", "--games", "many"], "the number of games must be from 1 to 1000000");
    refuse(&["random", "--opening-plies", "0", "--openings", "calm"], "--openings has no effect without");
    refuse(&["random", "--ply-cap", "6"], "--opening-plies must be less than --ply-cap");
    refuse(&["random", "--rules", "house"], "there is no rule set 'house'");
    refuses(&["records", "random"], "--out");
    refuses(&["records", "--out", &out], "PLAYER");
    let csa = scratch.path("games.csa");
    refuses(
        &["records", "random", "--out", &csa],
        "dobutsu has no CSA records: use a name that ends in .jsonl",
    );
    fs::write(&out, "mine").unwrap();
    refuses(&["records", "random", "--out", &out], "exists already: --force overwrites it");
    assert_eq!(fs::read_to_string(&out).unwrap(), "mine");
    prints(&["records", "random", "--games", "1", "--out", &out, "--force"]);
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 1);
}

/// Interrupts a command that writes games to `file`, as often as there are signals.
#[cfg(unix)]
fn interrupt(args: &[&str], file: &str, signals: &[&str]) -> std::process::Output {
    let piped = std::process::Stdio::piped;
    let child = crate::common::command(args).stdout(piped()).stderr(piped()).spawn().unwrap();
    let folder = Path::new(file).parent().unwrap();
    // A temporary file says that games are about to be played; a moment later some have been.
    while fs::read_dir(folder).unwrap().count() < 2 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(500));
    for signal in signals {
        crate::common::signal(&child, signal);
    }
    child.wait_with_output().unwrap()
}

/// Ctrl-C keeps the games that are over, with the numbers that they make, and leaves no temporary file.
#[test]
#[cfg(unix)]
fn an_interrupted_command_keeps_its_finished_games() {
    let match_of = ["match", "random", "material:depth=1", "--games", "1000000"];
    let tournament = ["tournament", "random", "material:depth=1", "mobility:depth=1", "--games", "200000"];
    let records = ["records", "random", "--games", "1000000"];
    for (args, option, signal) in [
        (&match_of[..], "--records", "-INT"),
        (&tournament[..], "--records", "-TERM"),
        (&records[..], "--out", "-INT"),
    ] {
        let scratch = Scratch::new("interrupted");
        let file = scratch.path("games.jsonl");
        let output = interrupt(&[args, &[option, &file]].concat(), &file, &[signal]);
        let (told, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(130), "{args:?}: {said}");
        let games = fs::read_to_string(&file).unwrap().lines().count();
        assert!(games > 0 && said.contains(&format!("Stopped after {games} of ")), "{args:?}: {said}");
        assert!(told.contains(&format!("{games} games")), "{args:?}: {told}");
        assert_eq!(fs::read_dir(scratch.path("")).unwrap().count(), 1, "{args:?}: something else was left");
        // Every one of them is whole.
        let copy = scratch.path("copy.jsonl");
        prints(&["import", &file, "--out", &copy]);
        assert!(fs::read(&file).unwrap() == fs::read(&copy).unwrap(), "{args:?}");
    }
}

/// A second signal ends the command at once: the games are lost, and no file is left half written.
#[test]
#[cfg(unix)]
fn a_command_that_is_ended_at_once_leaves_nothing() {
    let scratch = Scratch::new("ended");
    let file = scratch.path("games.jsonl");
    let slow = ["match", "strong:time=20s", "random", "--records", &file];
    let output = interrupt(&slow, &file, &["-INT", "-TERM", "-INT"]);
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(fs::read_dir(scratch.path("")).unwrap().count(), 0);
}
