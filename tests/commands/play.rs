//! A game in the terminal, typed as a person would.

use std::fs;
use std::io::{Read, Write};
use std::process::{Output, Stdio};

use crate::common::{Scratch, command, contents, prints, refuses};

/// The command with these lines as its input.
fn typed(args: &[&str], lines: &str) -> Output {
    let mut child = command(&[&["play"], args].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The game may be over before all is typed.
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    child.wait_with_output().unwrap()
}

/// What a good game prints.
fn plays(args: &[&str], lines: &str) -> String {
    let output = typed(args, lines);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaint.is_empty(), "{args:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_game_is_won_and_kept() {
    let scratch = Scratch::new("play-won");
    let file = scratch.path("mine.jsonl");
    // The chick takes the lion at once.
    let game = ["random", "--fen", "1l1/1C1/3/1L1[GGEEC] w 0 1", "--records", &file];
    let said = plays(&game, "b3b4+\n");
    assert!(said.starts_with("You are the first player (capitals, hiragana) against random."), "{said}");
    assert!(said.contains("\nYour turn.\n> ") && said.contains("1. You play b3b4+"), "{said}");
    assert!(said.contains("You have won by catch.\n"), "{said}");
    assert!(
        said.ends_with(&format!("The game is in {file}: `dobutsu-ga replay {file}` shows it.\n")),
        "{said}"
    );
    let line = fs::read_to_string(&file).unwrap();
    assert!(line.contains(r#""first":"person","second":"random""#), "{line}");
    assert!(line.ends_with("\"winner\":\"first\",\"by\":\"catch\"}\n"), "{line}");
    assert!(prints(&["replay", &file]).contains("The first player has won by catch."));
    refuses(&[&["play"], &game[..]].concat(), "exists already: --force overwrites it");
    assert_eq!(fs::read_to_string(&file).unwrap(), line);
    plays(&[&game[..], &["--force"]].concat(), "quit\n");
    assert!(
        fs::read_to_string(&file)
            .unwrap()
            .ends_with("\"moves\":[],\"winner\":\"none\",\"by\":\"unfinished\"}\n")
    );
}

#[test]
fn moves_are_typed_in_any_notation_or_by_number() {
    let scratch = Scratch::new("play-notations");
    let first_move = |text: &str, file: &str| {
        let file = scratch.path(file);
        plays(&["random", "--game", "kyoto", "--records", &file, "--force"], &format!("{text}\nquit\n"));
        fs::read_to_string(&file).unwrap()
    };
    let csa = first_move("e1e2+", "a.csa");
    assert!(csa.contains("N+person\nN-random\n") && csa.contains("\n+\n+1514HI\n-"), "{csa}");
    assert!(csa.ends_with("%CHUDAN\n"), "{csa}");
    for text in ["+1514HI", "1514hi", "1e1d", "  E1E2+  ", "1"] {
        assert_eq!(first_move(text, "a.csa"), csa, "{text}");
    }
    // Where moves are written with digits alone, a number that is a move means that move, and any other its place in the list.
    let hasami = |text: &str| {
        let file = scratch.path("hasami.jsonl");
        plays(&["random", "--game", "hasami", "--records", &file, "--force"], &format!("{text}\nquit\n"));
        fs::read_to_string(&file).unwrap()
    };
    assert!(hasami("9995").contains(r#""moves":["a1a5","#));
    assert_eq!(hasami("4"), hasami("a1a5"));
    let listed = plays(&["random", "--game", "kyoto"], "moves\n");
    assert!(listed.contains("   1  e1e2+   +1514HI 1e1d\n") && listed.contains("\n  12  "), "{listed}");
}

#[test]
fn bad_moves_get_a_sentence_and_the_game_goes_on() {
    let said = plays(&["random"], "b2b9\n0\n99999999999999999999999\n\n\u{1b}[2J\nb2b3\nmoves\n");
    assert!(said.contains("> 'b2b9' is no legal move: `moves` lists them"), "{said}");
    assert!(said.contains("> There is no move 0: `moves` lists 1 to 4.\n"), "{said}");
    assert!(said.contains("> There is no move 99999999999999999999: "), "{said}");
    assert!(said.contains("> Type a move, or `help`.\n"), "{said}");
    assert!(!said.contains('\u{1b}'), "{said}");
    assert!(said.contains("\n2. The opponent plays "), "{said}");
    assert!(said.contains("To see it again: dobutsu-ga show b2b3 "), "{said}");
    assert!(said.ends_with("The game is not saved: --records FILE keeps the next one.\n"), "{said}");
    let long = plays(&["random"], &"x".repeat(100_000));
    assert!(long.contains("is no legal move") && long.len() < 50_000);
}

#[test]
fn moves_are_taken_back_until_it_is_ones_turn() {
    let scratch = Scratch::new("play-undo");
    let file = scratch.path("a.jsonl");
    let kept = |side: &str, lines: &str| {
        let said = plays(&["random", "--side", side, "--records", &file, "--force"], lines);
        let line = fs::read_to_string(&file).unwrap();
        let moves =
            serde_json::from_str::<serde_json::Value>(&line).unwrap()["moves"].as_array().unwrap().len();
        (said, moves)
    };
    assert_eq!(kept("first", "b1a2\nundo\n").1, 0);
    assert_eq!(kept("first", "b1a2\nundo\nc1c2\n").1, 2);
    let (said, moves) = kept("first", "undo\n");
    assert!(moves == 0 && said.contains("There is no move of yours to take back."), "{said}");
    let (said, moves) = kept("second", "undo\nquit\n");
    assert!(moves == 1 && said.contains("There is no move of yours to take back."), "{said}");
    assert!(
        said.starts_with("You are the second player") && said.contains("1. The opponent plays "),
        "{said}"
    );
}

#[test]
fn help_hint_and_board_are_there_for_every_game() {
    for game in ["dobutsu", "kyoto"] {
        let said = plays(&["--game", game], "help\nhint\nboard\nquit\n");
        assert!(said.contains("  undo   take your last move back\n"), "{said}");
        assert!(said.contains("worth") || said.contains("with perfect play a"), "{said}");
        assert_eq!(said.matches("second player holds nothing").count(), 2, "{said}");
    }
    // A win at once is seen, however it is found.
    let said = plays(&["random", "--fen", "1l1/1C1/3/1L1[GGEEC] w 0 1"], "hint\n");
    assert!(said.contains("> b3b4") && said.contains("win in 1"), "{said}");
    assert!(plays(&["--game", "kyoto", "--style", "kanji"], "").contains("玉"));
}

#[test]
fn a_closed_output_ends_the_game_after_the_record_is_written() {
    let scratch = Scratch::new("play-closed");
    let file = scratch.path("a.jsonl");
    let mut child = command(&["play", "random", "--records", &file])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0; 10]).unwrap();
    drop(out);
    let mut input = child.stdin.take().unwrap();
    let _ = input.write_all(b"b1a2\nboard\nboard\n");
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert!(fs::read_to_string(&file).unwrap().contains("\"by\":\"unfinished\""));
    drop(input);
}

#[test]
fn bad_games_are_refused_before_the_first_move() {
    let scratch = Scratch::new("play-bad");
    let file = scratch.path("a.csa");
    refuses(
        &["play", "--game", "chess"],
        "there is no game 'chess': choose dobutsu, kyoto, quoridor or hasami",
    );
    refuses(&["play", "godzilla"], "there is no player 'godzilla'");
    refuses(&["play", "--side", "third"], "choose first or second");
    refuses(&["play", "--fen", "what"], "bad FEN 'what'");
    refuses(&["play", "--fen", "3/1C1/3/1L1[GGEECL] b 0 1"], "begin from another position");
    refuses(&["play", "--style", "oil"], "'oil'");
    refuses(&["play", "--records", &file], "dobutsu has no CSA records: use a name that ends in .jsonl");
    refuses(&["play", "--records", "/no/such/folder/x"], "cannot write '/no/such/folder/x'");
    assert!(contents(&scratch.0).is_empty());
}
