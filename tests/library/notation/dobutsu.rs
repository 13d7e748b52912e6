use dobutsu_ga::game::{Game, Side};
use dobutsu_ga::games::dobutsu::{FenError, Kind, Position, Rules, Square};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        for rules in Rules::ALL {
            let _ = Position::parse(&text, rules);
        }
        let _ = Position::start(Rules::Paper).parse_move(&text);
    }

    #[test]
    fn almost_a_fen_is_read_or_refused(text in "[cgelhCGELH+123/]{0,20}(\\[[cgelCGEL-]{0,8}\\])? ?[wb-]? ?[0-9]{0,3} ?(judged)?") {
        for rules in Rules::ALL {
            if let Ok(position) = Position::parse(&text, rules) {
                prop_assert_eq!(Position::parse(&position.to_string(), rules), Ok(position));
            }
        }
    }

    /// Eight pieces thrown anywhere, so that many of the texts are positions: what is read prints and reads back.
    #[test]
    fn scattered_pieces_are_read_or_refused(
        places in proptest::sample::subsequence((0..12usize).collect::<Vec<_>>(), 2..=8).prop_shuffle(),
        own in any::<u16>(), hens in any::<u16>(), white in any::<bool>(),
    ) {
        let mut cells = [""; 12].map(String::from);
        let mut hand = String::new();
        for (i, piece) in ["L", "L", "C", "C", "G", "G", "E", "E"].into_iter().enumerate() {
            // One lion each; the other pieces belong to anybody.
            let first = match i { 0 => true, 1 => false, _ => own >> i & 1 == 0 };
            let piece = if first { piece.to_string() } else { piece.to_lowercase() };
            match places.get(i) {
                Some(place) if i < 4 && i > 1 && hens >> i & 1 == 1 => cells[*place] = format!("+{piece}"),
                Some(place) => cells[*place] = piece,
                None => hand += &piece,
            }
        }
        let rank = |row: usize| cells[row * 3..row * 3 + 3].iter().map(|c| if c.is_empty() { "1" } else { c }).collect::<String>();
        let fen = format!("{}/{}/{}/{}[{hand}] {} 0 1", rank(0), rank(1), rank(2), rank(3), if white { "w" } else { "b" });
        match Position::parse(&fen, Rules::Official) {
            Ok(position) => prop_assert_eq!(Position::parse(&position.to_string(), Rules::Official), Ok(position)),
            Err(error) => prop_assert!(false, "{} refused: {}", fen, error),
        }
    }
}

#[test]
fn bad_positions_are_refused_for_the_right_reason() {
    let square = |name: &str| Square::ALL.into_iter().find(|square| square.to_string() == name).unwrap();
    for (fen, expected) in [
        ("", FenError::Empty),
        ("gle/1c1/1C1 w 0 1", FenError::Ranks(3)),
        ("gle/1c1/1C1/ELG/3[-] w 0 1", FenError::Ranks(5)),
        ("gle/1c2/1C1/ELG[-] w 0 1", FenError::Squares { rank: 2, found: 4 }),
        ("gle/1c1/C/ELG[-] w 0 1", FenError::Squares { rank: 3, found: 1 }),
        ("gle/1c1/1X1/ELG[-] w 0 1", FenError::Piece { found: "X".into(), rank: 3 }),
        ("gle/1c1/1C1/EL+G[-] w 0 1", FenError::Piece { found: "+G".into(), rank: 4 }),
        ("gle/1c1/1C1/EL+[-] w 0 1", FenError::Piece { found: "+ ".into(), rank: 4 }),
        ("gle/1c1/1C1/ELG[- w 0 1", FenError::Bracket),
        ("gle/1c1/3/ELG[+C] w 0 1", FenError::HandPiece('+')),
        ("gle/1c1/3/ELG[H] w 0 1", FenError::HandPiece('H')),
        ("gle/1c1/1C1/ELG[-]", FenError::NoSide),
        ("gle/1c1/1C1/ELG[-] x 0 1", FenError::Side("x".into())),
        ("gle/1c1/1C1/ELG[-] w 0 one", FenError::Counter("one".into())),
        ("gle/1c1/1C1/ELG[-] w 0 1 2", FenError::Counter("2".into())),
        ("gle/1c1/1C1/ELL[g] w 0 1", FenError::TwoLions(Side::First)),
        ("gll/1c1/1C1/E1G[e] w 0 1", FenError::TwoLions(Side::Second)),
        ("gle/1c1/1C1/ELG[C] w 0 1", FenError::Count { kind: Kind::Chick, found: 3 }),
        ("gle/1c1/1+C1/ELG[c] w 0 1", FenError::Count { kind: Kind::Chick, found: 3 }),
        ("gle/1c1/GC1/ELG[-] w 0 1", FenError::Count { kind: Kind::Giraffe, found: 3 }),
        ("1le/1c1/1C1/ELG[-] w 0 1", FenError::Count { kind: Kind::Giraffe, found: 1 }),
        ("g1e/1c1/1C1/ELG[-] w 0 1", FenError::Count { kind: Kind::Lion, found: 1 }),
        ("g1e/1c1/1C1/E1G[lL] w 0 1", FenError::BothCaught),
        ("g1e/1c1/1C1/ELG[L] w 0 1", FenError::CatchTurn(Side::Second)),
        ("gLe/1c1/1C1/E1G[l] w 0 1", FenError::NotCaught(Side::First)),
        ("gLe/1l1/1C1/E1G[c] w 0 1", FenError::TryTurn { side: Side::First, square: square("B1") }),
        ("gle/1c1/1C1/ELG[-] w 0 1 judged", FenError::Judged),
    ] {
        match Position::parse(fen, Rules::Paper) {
            Err(error) => assert_eq!(error, expected, "{fen}"),
            Ok(position) => panic!("{fen} was read as {position:?}"),
        }
    }
}

#[test]
fn a_caught_lion_is_in_the_hand_of_its_captor() {
    let caught = Position::parse("g1e/1c1/1C1/ELG[L] b 0 1", Rules::Paper).unwrap();
    assert_eq!(caught.decided_by(), Some("catch"));
    assert_eq!(caught.lion(Side::Second), None);
    assert_eq!(caught.to_string(), "g1e/1c1/1C1/ELG[L] b 0 1");
}

#[test]
fn an_illegal_move_is_explained() {
    let error = Position::start(Rules::Paper).parse_move("b2b4").unwrap_err();
    assert_eq!(
        error.to_string(),
        "'b2b4' is not a legal move in gle/1c1/1C1/ELG[-] w 0 1 (legal: b2b3, c1c2, b1a2, b1c2)"
    );
}
