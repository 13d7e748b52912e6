use dobutsu_ga::game::{Game, Shown, Side, legal_moves};
use dobutsu_ga::games::kyoto::{FenError, HandPiece, Position, Rules, Style};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        for rules in Rules::ALL {
            let _ = Position::parse(&text, rules);
        }
        let _ = Position::start(Rules::Capture).parse_move(&text);
    }

    #[test]
    fn almost_a_fen_is_read_or_refused(text in "[psnlkPSNLK+12345/]{0,30}(\\[[psnlkPSNLK+-]{0,10}\\])? ?[wb-]? ?[0-9]{0,3}") {
        for rules in Rules::ALL {
            if let Ok(position) = Position::parse(&text, rules) {
                prop_assert_eq!(Position::parse(&position.to_string(), rules), Ok(position));
            }
        }
    }

    /// Ten pieces thrown anywhere, so that nearly all of the texts are positions: what is read prints and reads back.
    #[test]
    fn scattered_pieces_are_read_or_refused(
        places in proptest::sample::subsequence((0..25usize).collect::<Vec<_>>(), 2..=10).prop_shuffle(),
        own in any::<u16>(), promoted in any::<u16>(), white in any::<bool>(),
    ) {
        let mut cells = [""; 25].map(String::from);
        let mut hand = String::new();
        for (i, piece) in ["K", "K", "P", "P", "S", "S", "N", "N", "L", "L"].into_iter().enumerate() {
            // One king each; the other pieces belong to anybody.
            let first = match i { 0 => true, 1 => false, _ => own >> i & 1 == 0 };
            let piece = if first { piece.to_string() } else { piece.to_lowercase() };
            match places.get(i) {
                Some(place) if i > 1 && promoted >> i & 1 == 1 => cells[*place] = format!("+{piece}"),
                Some(place) => cells[*place] = piece,
                None => hand += &piece,
            }
        }
        let rank = |row: usize| cells[row * 5..row * 5 + 5].iter().map(|c| if c.is_empty() { "1" } else { c }).collect::<String>();
        let board = [0, 1, 2, 3, 4].map(rank).join("/");
        let fen = format!("{board}[{hand}] {} 0 1", if white { "w" } else { "b" });
        for rules in Rules::ALL {
            match Position::parse(&fen, rules) {
                Ok(position) => prop_assert_eq!(Position::parse(&position.to_string(), rules), Ok(position)),
                Err(FenError::Exposed(_)) if rules == Rules::Legal => {}
                Err(error) => prop_assert!(false, "{} refused: {}", fen, error),
            }
        }
    }
}

#[test]
fn bad_positions_are_refused_for_the_right_reason() {
    for (fen, expected) in [
        ("", FenError::Empty),
        ("p+nks+l/5/5/5 w 0 1", FenError::Ranks(4)),
        ("p+nks+l/5/5/5/5/+LSK+NP[-] w 0 1", FenError::Ranks(6)),
        ("p+nks+l/6/5/5/+LSK+NP[-] w 0 1", FenError::Piece { found: "6".into(), rank: 2 }),
        ("p+nks+l/51/5/5/+LSK+NP[-] w 0 1", FenError::Squares { rank: 2, found: 6 }),
        ("p+nks+l/5/4/5/+LSK+NP[-] w 0 1", FenError::Squares { rank: 3, found: 4 }),
        ("p+nks+l/5/5/5/+LSK+NX[-] w 0 1", FenError::Piece { found: "X".into(), rank: 5 }),
        ("p+nks+l/5/5/5/+LS+K+NP[-] w 0 1", FenError::Piece { found: "+K".into(), rank: 5 }),
        ("p+nks+l/5/5/5/+LSK+N+[-] w 0 1", FenError::Piece { found: "+ ".into(), rank: 5 }),
        ("p+nks+l/5/5/5/+LSK+NP[- w 0 1", FenError::Bracket),
        ("p+nks+l/5/5/5/+LSK+N1[+P] w 0 1", FenError::HandPiece('+')),
        ("p+nks+l/5/5/5/+LSK+N1[G] w 0 1", FenError::HandPiece('G')),
        ("p+nks+l/5/5/5/+LSK+NP[-]", FenError::NoSide),
        ("p+nks+l/5/5/5/+LSK+NP[-] x 0 1", FenError::Side("x".into())),
        ("p+nks+l/5/5/5/+LSK+NP[-] w 0 one", FenError::Counter("one".into())),
        ("p+nks+l/5/5/5/+LSK+NP[-] w 0 1 2", FenError::Counter("2".into())),
        ("p+nks+l/PPPPP/PP3/5/+LSK+NP[-] w 0 1", FenError::Count { piece: HandPiece::Pawn, found: 9 }),
        ("p+nks+l/5/5/5/+LSK+NP[n] w 0 1", FenError::Count { piece: HandPiece::Knight, found: 3 }),
        ("p+nks1/5/5/5/+LSK+NP[-] w 0 1", FenError::Count { piece: HandPiece::Lance, found: 1 }),
        ("p+nks1/5/5/5/1SK+NP[-] w 0 1", FenError::Count { piece: HandPiece::Lance, found: 0 }),
        ("p+nks+l/5/2K2/5/+LSK+NP[-] w 0 1", FenError::Kings(3)),
        ("p+n1s+l/5/5/5/+LSK+NP[-] w 0 1", FenError::Kings(1)),
        ("p+n1s+l/5/2K2/5/+LSK+NP[-] w 0 1", FenError::TwoKings(Side::First)),
        ("p+nks+l/2k2/5/5/+LS1+NP[-] w 0 1", FenError::TwoKings(Side::Second)),
        ("p+n1s+l/5/5/5/+LS1+NP[kK] w 0 1", FenError::BothCaught),
        ("p+n1s+l/5/5/5/+LSK+NP[k] w 0 1", FenError::NotCaught(Side::First)),
        ("p+n1s+l/5/5/5/+LSK+NP[K] w 0 1", FenError::CatchTurn(Side::Second)),
    ] {
        match Position::parse(fen, Rules::Capture) {
            Err(error) => assert_eq!(error, expected, "{fen}"),
            Ok(position) => panic!("{fen} was read as {position:?}"),
        }
    }
}

#[test]
fn the_legal_rules_refuse_a_king_that_is_or_could_be_captured() {
    let refused = |fen| Position::parse(fen, Rules::Legal).unwrap_err();
    let captured = refused("p+n1s+l/5/5/5/+LSK+NP[K] b 0 1");
    assert_eq!(captured, FenError::CaughtByLegalRules(Side::Second));
    assert_eq!(refused("2k2/2P2/5/5/2K2[PSSNNLL] w 0 1"), FenError::Exposed(Side::Second));
    assert_eq!(refused("2k2/2K2/5/5/5[PPSSNNLL] b 0 1"), FenError::Exposed(Side::First));
}

#[test]
fn errors_are_sentences_that_name_the_offender() {
    let said = |fen| Position::parse(fen, Rules::Capture).unwrap_err().to_string();
    assert_eq!(
        said("p+nks+l/PPPPP/PP3/5/+LSK+NP[-] w 0 1"),
        "9 of the piece pawn/rook, board and hands together: the game has 2"
    );
    assert_eq!(said("p+nks+l/5/2K2/5/+LSK+NP[-] w 0 1"), "3 kings, board and hands together: the game has 2");
    assert_eq!(
        "rook".parse::<Rules>().unwrap_err().to_string(),
        "there is no rule set 'rook': choose capture or legal"
    );
}

#[test]
fn a_captured_king_is_in_the_hand_of_its_captor() {
    let caught = Position::parse("p+n1s+l/5/5/5/+LSK+NP[K] b 0 1", Rules::Capture).unwrap();
    assert_eq!(caught.decided_by(), Some("catch"));
    assert_eq!(caught.king(Side::Second), None);
    assert_eq!(caught.to_string(), "p+n1s+l/5/5/5/+LSK+NP[K] b 0 1");
}

#[test]
fn fairy_stockfish_text_is_understood() {
    const START: &str = "p+nks+l/5/5/5/+LSK+NP[-] w 0 1";
    let start = Position::start(Rules::Legal);
    assert_eq!(start.to_string(), START);
    for same in [
        START,
        "p+nks+l/5/5/5/+LSK+NP[] w - - 0 1",
        "p+nks+l/5/5/5/+LSK+NP w",
        "  p+nks+l/5/5/5/+LSK+NP[-]  w 3 17 ",
    ] {
        assert_eq!(Position::parse(same, Rules::Legal), Ok(start), "{same}");
    }
    let mut moves: Vec<String> = legal_moves(&start).into_iter().map(|m| start.move_text(m)).collect();
    moves.sort();
    let expected = "a1a2- a1b2- b1a2+ b1b2+ b1c2+ c1b2 c1c2 c1d2 d1c2- d1d2- d1e2- e1e2+";
    assert_eq!(moves.join(" "), expected);
    // Fairy-Stockfish's order of what is in hand, the first player's first.
    let hands = Position::parse("2k2/5/5/5/2K2[pslnPSLN] w 0 1", Rules::Legal).unwrap();
    assert_eq!(hands.to_string(), "2k2/5/5/5/2K2[NLPSnlps] w 0 1");
}

#[test]
fn a_move_can_be_written_in_every_form() {
    let position = Position::parse("2k2/5/5/4+P/2K2[NLPSnls] w 0 1", Rules::Capture).unwrap();
    for (forms, uci) in [
        (["e2e4-", "+1412FU", "1412FU", "+1412HU", "1412hu", "1d1b"].as_slice(), "e2e4-"),
        (&["c1c2", "+3534OU", "3534OU", "3e3d"], "c1c2"),
        (&["P@b3", "+0043FU", "0043FU", "0043HU", "P*4c", "p*4c"], "P@b3"),
        (&["+P@b3", "+0043HI", "0043HI", "+P*4c"], "+P@b3"),
        (&["+N@b3", "+0043KI", "0043ki", "+N*4c"], "+N@b3"),
    ] {
        for text in forms {
            let m = position.parse_move(text).unwrap();
            assert_eq!(position.move_text(m), uci, "{text}");
        }
    }
    let other_sign = position.parse_move("-3534OU").unwrap_err().to_string();
    assert!(other_sign.starts_with("'-3534OU' is not a legal move in "), "{other_sign}");
}

#[test]
fn a_board_for_the_eye() {
    let position = Position::parse("p1ks+l/1n3/5/4+P/+LSK2[N] b 0 1", Rules::Capture).unwrap();
    let letters = "       5     4     3     2     1
    +-----+-----+-----+-----+-----+
  1 |   p |     |   k |   s |  +l | 5    second player holds nothing
    +-----+-----+-----+-----+-----+
  2 |     |   n |     |     |     | 4
    +-----+-----+-----+-----+-----+
  3 |     |     |     |     |     | 3
    +-----+-----+-----+-----+-----+
  4 |     |     |     |     |  +P | 2
    +-----+-----+-----+-----+-----+
  5 |  +L |   S |   K |     |     | 1    first player holds N
    +-----+-----+-----+-----+-----+
       a     b     c     d     e
";
    assert_eq!(position.diagram(Style::Letters), letters);
    let kanji = position.diagram(Style::Kanji);
    assert!(
        kanji.contains("  1 | v歩 |     | v玉 | v銀 | vと | 5    second player holds nothing\n"),
        "{kanji}"
    );
    assert!(kanji.contains("  5 |  と |  銀 |  玉 |     |     | 1    first player holds 桂\n"), "{kanji}");
}
