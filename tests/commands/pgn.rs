//! Records that other programs read: PGN, and games as engines are told them.

use crate::common::{Scratch, prints, refuses};
use dobutsu_ga::game::{Spoken, legal_moves};
use dobutsu_ga::games::{dobutsu, kyoto};

/// Random games as Fairy-Stockfish notes them down: `tests/fairy/san.py` made the file.
#[test]
fn moves_are_written_as_fairy_stockfish_writes_them() {
    fn check<G: Spoken>() -> usize {
        let mut compared = 0;
        for line in include_str!("../library/notation/san.txt").lines() {
            let fields: Vec<&str> = line.split(';').collect();
            let [variant, uci, san] = fields[..] else { panic!("{line}") };
            if variant != G::VARIANT {
                continue;
            }
            let mut position = G::start(G::common_rules());
            for (uci, san) in uci.split(' ').zip(san.split(' ')) {
                let m = position.parse_move(uci).unwrap();
                assert_eq!(position.san(m), san, "{position}");
                assert!(
                    position.is_san_ambiguous(m) || position.heard_move(san) == Ok(m),
                    "{position}: {san}"
                );
                assert_eq!(position.heard_move(&position.usi(m)), Ok(m), "{position}: {}", position.usi(m));
                position = position.play(m);
                if position.outcome().is_some() {
                    break;
                }
                assert_eq!(G::parse_sfen(&position.sfen(), position.rules()).ok(), Some(position));
                compared += 1;
            }
        }
        compared
    }
    assert!(check::<dobutsu::Position>() > 500);
    assert!(check::<kyoto::Position>() > 1_000);
}

/// No two moves of a position have a text in common, in whichever notation.
#[test]
fn notations_are_not_mixed_up() {
    fn check<G: Spoken>() {
        for game in 0..20 {
            let mut random = dobutsu_ga::random::stream(9, 0, game);
            let mut position = G::start(G::common_rules());
            for _ in 0..60 {
                if position.outcome().is_some() {
                    break;
                }
                for m in legal_moves(&position) {
                    let san = Some(position.san(m)).filter(|_| !position.is_san_ambiguous(m));
                    for text in [position.move_text(m), position.usi(m)].into_iter().chain(san) {
                        assert_eq!(position.heard_move(&text), Ok(m), "{position}: {text}");
                    }
                }
                position = position.play(position.random_move(&mut random));
            }
        }
    }
    check::<dobutsu::Position>();
    check::<kyoto::Position>();
}

#[test]
fn games_go_there_and_back_in_every_format() {
    let scratch = Scratch::new("pgn-round");
    for (game, players, rules) in [
        ("dobutsu", ["random", "material:depth=1"], "official"),
        ("dobutsu", ["random", "material:depth=1"], "paper"),
        ("kyoto", ["random", "S:depth=1"], "capture"),
        ("kyoto", ["random", "S:depth=1"], "legal"),
        ("quoridor", ["random", "plain:depth=1"], "usual"),
        ("hasami", ["random", "report:depth=1"], "report"),
    ] {
        let first = scratch.path("first.jsonl");
        let [a, b] = players;
        let args = ["match", "--game", game, a, b, "--rules", rules, "--games", "20", "--ply-cap", "60"];
        prints(&[&args[..], &["--records", &first, "--force"]].concat());
        let once = |to: &str, from: &str| {
            let path = scratch.path(to);
            prints(&["import", from, "--out", &path, "--force"]);
            path
        };
        let plain = once("plain.jsonl", &first);
        for format in ["pgn", "uci"] {
            let other = once(&format!("games.{format}"), &first);
            let again = once("again.jsonl", &other);
            let ends = |path: &str| -> Vec<String> {
                let text = std::fs::read_to_string(path).unwrap();
                text.lines()
                    .map(|line| line.split("\"rules\"").nth(1).unwrap().replace("\"opening_plies\":0,", ""))
                    .collect()
            };
            assert_eq!(ends(&again), ends(&plain), "{game} {rules} {format}");
            assert_eq!(
                std::fs::read_to_string(once(&format!("twice.{format}"), &other)).unwrap(),
                std::fs::read_to_string(&other).unwrap(),
                "{game} {rules} {format}"
            );
            assert!(prints(&["replay", &other, "--game", "3"]).starts_with("Game 3: "));
        }
        // What a match writes at once is what comes of its records later.
        let direct = scratch.path("direct.pgn");
        prints(&[&args[..], &["--records", &direct, "--force"]].concat());
        assert_eq!(
            std::fs::read_to_string(direct).unwrap(),
            std::fs::read_to_string(scratch.path("games.pgn")).unwrap()
        );
    }
}

/// The example of the docs, and a game as somebody else might write it.
#[test]
fn files_of_others_are_read() {
    let scratch = Scratch::new("pgn-others");
    let page = include_str!("../../docs/records.md");
    let block = page.split("```\n").nth(1).unwrap();
    let path = scratch.path("docs.pgn");
    std::fs::write(&path, block).unwrap();
    let said = prints(&["replay", &path]);
    assert!(said.contains("The second player has won by catch."), "{said}");
    let line = page.lines().find(|line| line.trim_start().starts_with("position startpos moves")).unwrap();
    let tags = block.split("\n\n").next().unwrap();
    let uci = scratch.path("docs.uci");
    std::fs::write(&uci, format!("{tags}\n\n{}\n", line.trim())).unwrap();
    assert_eq!(prints(&["replay", &uci]), said);
    let other = scratch.path("other.txt");
    let text = "[Event \"?\"]\r\n[White \"Ann\"]\r\n[Black \"Bob \\\"B\\\"\"]\r\n[Variant \"Dobutsu\"]\r\n[Result \"1-0\"]\r\n\r\n\
                1. b2b3 {takes} 1... Exb3!? (1... Lxb3) 2. Eb2 $3 C@a2 ; and so on\r\n3. 1d1c 1-0\r\n";
    std::fs::write(&other, text).unwrap();
    let said = prints(&["replay", &other]);
    assert!(said.starts_with("Game 1: Ann (first) against Bob \"B\" (second), official rules"), "{said}");
    // Of the file it is only known who won, and it was the other side's turn.
    assert!(
        said.contains("5. first player: c1c2 ")
            && said.ends_with("The first player has won by resignation.\n\n"),
        "{said}"
    );
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let scratch = Scratch::new("pgn-wrong");
    let tags = "[Variant \"dobutsu\"]\n[Result \"*\"]\n\n";
    for (text, words) in [
        (format!("{tags}1. Cxb4 *\n"), "line 1: move 1: 'Cxb4' is not a legal move in gle/1c1/1C1/ELG[-] w 0 1"),
        (format!("{tags}1. Cxb3 *\n\n{tags}1. Gc2 Gc2 *\n"), "line 6: move 2: 'Gc2'"),
        ("[Variant \"chess\"]\n\n1. e4 *\n".to_string(), "holds games of 'chess', which is not among ours"),
        ("[Result \"*\"]\n\n1. Cxb3 *\n".to_string(), "does not say which game it is about: --game GAME says it"),
        ("[Variant \"dobutsu\"]\n[FEN \"what\"]\n\n*\n".to_string(), "bad FEN 'what'"),
        ("[Variant \"dobutsu\"]\n[Rules \"odd\"]\n\n*\n".to_string(), "there is no"),
        ("[Variant \"dobutsu\"]\n[Result \"2-0\"]\n\n*\n".to_string(), "'2-0' is no result"),
        ("[Variant \"dobutsu\"]\n[Result \"0-1\"]\n[FEN \"1l1/1C1/1L1/3[GGEEc] w 0 1\"]\n\n1. Cxb4=H 0-1\n".to_string(), "the result is 0-1, its moves end with first by catch"),
        (format!("{tags}1. Cxb3 *\n[Variant \"kyotoshogi\"]\n\n1. Pe2=R *\n"), "this is a game of 'kyotoshogi', not of dobutsu"),
    ] {
        let path = scratch.path("wrong.txt");
        std::fs::write(&path, &text).unwrap();
        refuses(&["import", &path, "--out", &scratch.path("out.jsonl")], words);
        assert!(!std::path::Path::new(&scratch.path("out.jsonl")).exists());
    }
}
