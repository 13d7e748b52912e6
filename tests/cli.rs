//! Whole commands, run as a user would.

use std::process::{Command, Output};

fn dobutsu_ga(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dobutsu-ga")).args(args).output().expect("the program starts")
}

/// What a good command prints.
fn prints(args: &[&str]) -> String {
    let output = dobutsu_ga(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Bad input: exit code 2, nothing on standard output, and a complaint with `words` in it.
fn refuses(args: &[&str], words: &str) {
    let output = dobutsu_ga(args);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {complaint}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert!(complaint.starts_with("error: ") && complaint.contains(words), "{args:?}: {complaint}");
}

#[test]
fn perft_counts() {
    assert!(prints(&["perft", "--depth", "6"]).contains("leaves   70628\n"));
    let official = prints(&["perft", "--depth", "6", "--rules", "official", "--threads", "1", "--divide"]);
    assert!(official.contains("leaves   71677\n") && official.contains("b2b3"), "{official}");
    let fen = prints(&["perft", "--depth", "1", "--fen", "gl1/1e1/3/ELG[Cc] w 0 2"]);
    assert!(fen.contains("leaves   11\n"), "{fen}");
}

#[test]
fn show_draws_the_start() {
    let expected = "       A    B    C
    +----+----+----+
  1 |  g |  l |  e | 4    second player holds nothing
    +----+----+----+
  2 |    |  c |    | 3
    +----+----+----+
  3 |    |  C |    | 2
    +----+----+----+
  4 |  E |  L |  G | 1    first player holds nothing
    +----+----+----+
       a    b    c

FEN    gle/1c1/1C1/ELG[-] w 0 1
Rules  paper

The first player (capitals, hiragana) is to move and has 4 legal moves:
  b2b3   B3-B2
  c1c2   C4-C3
  b1a2   B4-A3
  b1c2   B4-C3
";
    assert_eq!(prints(&["show"]), expected);
    assert_eq!(prints(&["show", "startpos"]), expected);
}

#[test]
fn show_plays_moves_in_either_notation() {
    let uci = prints(&["show", "b2b3", "b4b3", "C@b2"]);
    let paper = prints(&["show", "B3-B2", "B1-B2", "chick*B3"]);
    assert_eq!(uci, paper);
    assert!(uci.contains("second player holds c\n"), "{uci}");
    let quoted = prints(&["show", "gle/1c1/1C1/ELG[-] w 0 1", "b2b3"]);
    assert_eq!(quoted, prints(&["show", "gle/1c1/1C1/ELG[-]", "w", "0", "1", "b2b3"]));
}

#[test]
fn show_tells_how_a_game_ended() {
    let caught = prints(&["show", "b2b3", "a4a3", "b3b4+"]);
    assert!(caught.contains("The first player has won by catch.\n"), "{caught}");
    assert!(caught.contains("first player holds C L\n") && caught.contains(" +C |"), "{caught}");
    let kana = prints(&["show", "--style", "kana", "b2b3", "a4a3", "b3b4+"]);
    assert!(kana.contains("first player holds ひ ら\n") && kana.contains("| に |"), "{kana}");
}

#[test]
fn bad_input_gets_a_sentence() {
    refuses(&["perft", "--depth", "0"], "the depth must be from 1 to 15");
    refuses(&["perft", "--depth", "99999999999"], "the depth must be from 1 to 15");
    refuses(&["perft"], "--depth");
    refuses(
        &["perft", "--depth", "3", "--rules", "house"],
        "there is no rule set 'house': choose paper or official",
    );
    refuses(&["perft", "--depth", "3", "--threads", "0"], "the number of threads must be from 1 to 1024");
    refuses(&["perft", "--depth", "3", "--fen", "what"], "bad FEN 'what': the FEN has 1 ranks, it needs 4");
    refuses(&["show", "gle/1c1/1C1/ELL[g] w 0 1"], "the first player has two lions");
    refuses(&["show", "gle/1c1/1C1/ELG[C] w 0 1"], "3 chicks in the FEN");
    refuses(&["show", "gle/gc1/1C1/ELG[-] w 0 1"], "3 giraffes in the FEN");
    refuses(&["show", "b2b3", "b2b3"], "move 2: 'b2b3' is not a legal move in");
    refuses(
        &["show", "b2b3", "a4a3", "b3b4+", "a3a2"],
        "move 4: 'a3a2' comes after the end. The first player has won",
    );
    refuses(&["dance"], "unrecognized subcommand 'dance'");
}
