//! CSA records of Kyoto Shogi: what is written reads back, and what is no record is refused by line and reason.

use std::io::{self, BufRead, BufReader, Read};

use dobutsu_ga::game::{BySide, Ending, Game, GameRecord, Outcome, Side, Verdict, legal_moves};
use dobutsu_ga::games::kyoto::{Position, Rules, read_csa, write_csa};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A first player's win in 17 plies from the paper on minimax players; the pawn is `HU` there.
const PAPER_GAME: &str = "\
V2.2
N+minimax
N-minimax
'from the paper
P1-FU-KI-OU-GI-TO
P2 *  *  *  *  * 
P3 *  *  *  *  * 
P4 *  *  *  *  * 
P5+TO+GI+OU+KI+FU
+
+1514HI
-4142KE
+4544KA
-2122KA
+4422GI
-1122KY
+0043GI
-2223TO
+1424FU
-2322KY
+4334KA
-0033GI
+3443GI
-2224TO
+2524KE
-0023HI
+2432KI
%TORYO
";

type CsaGame = GameRecord<Position>;

fn read(text: impl AsRef<[u8]>) -> Result<Vec<CsaGame>, String> {
    read_csa(Box::new(text.as_ref()), Rules::Capture).collect()
}

fn only(text: impl AsRef<[u8]>) -> CsaGame {
    let mut games = read(text).unwrap();
    assert_eq!(games.len(), 1);
    games.remove(0)
}

/// The game as a file of its own.
fn write(game: &CsaGame) -> String {
    write_csa(game, true)
}

fn by(game: &CsaGame) -> Option<Ending> {
    game.verdict.map(|verdict| verdict.by)
}

fn outcome(game: &CsaGame) -> Option<Outcome> {
    game.verdict.map(|verdict| verdict.outcome)
}

#[test]
fn the_game_in_the_paper_is_read_and_written_as_it_stands() {
    let game = only(PAPER_GAME.replace("FU\n-2322KY", "HU\n-2322KY"));
    assert_eq!((game.line, game.moves.len(), by(&game)), (1, 17, Some(Ending::Resignation)));
    assert_eq!(game.names, BySide { first: "minimax".into(), second: "minimax".into() });
    assert_eq!(game.comments, ["from the paper"]);
    assert_eq!(game.start, Position::start(Rules::Capture));
    assert_eq!(outcome(&game), Some(Outcome::Win(Side::First)));
    assert_eq!(write(&game), PAPER_GAME);
    assert_eq!(only(write(&game)), game);
    // Whatever the second player does, its king is captured.
    let last = game.last_position();
    assert_eq!((last.outcome(), last.turn()), (None, Side::Second));
    for reply in legal_moves(&last) {
        let next = last.play(reply);
        let caught = legal_moves(&next).into_iter().any(|m| next.play(m).decided_by() == Some("catch"));
        assert!(caught, "{next:?}");
    }
}

/// A game of random moves, its end as our records have it.
fn random_game(start: Position, random: &mut ChaCha8Rng) -> CsaGame {
    let mut game = CsaGame::new(start);
    game.names =
        BySide { first: format!("random, {}", random.random::<u8>()), second: "でたらめ ".into() };
    let mut position = start;
    while position.outcome().is_none() && game.moves.len() < 60 {
        let legal = legal_moves(&position);
        game.moves.push(legal[random.random_range(0..legal.len())]);
        position = game.last_position();
    }
    game.verdict = game.replay().verdict();
    game.comments.extend(position.outcome().is_none().then(|| "ply cap, 60".to_string()));
    game
}

/// The ten pieces thrown anywhere, board or hands, with either face up.
fn scattered(rules: Rules, random: &mut ChaCha8Rng) -> Position {
    loop {
        let mut cells = ["1"; 25].map(String::from);
        let mut hand = String::new();
        for piece in ["K", "k", "p", "p", "s", "s", "n", "n", "l", "l"] {
            let king = piece.eq_ignore_ascii_case("k");
            let first = !king && random.random();
            let piece = if first { piece.to_uppercase() } else { piece.to_string() };
            let cell = &mut cells[random.random_range(0..25)];
            match cell.as_str() {
                // A square that is taken stands for the hand; a king there makes a position that is refused below.
                "1" if !king && random.random() => *cell = format!("+{piece}"),
                "1" => *cell = piece,
                _ => hand += &piece,
            }
        }
        let ranks: Vec<String> = cells.chunks(5).map(|rank| rank.concat()).collect();
        let side = if random.random() { "w" } else { "b" };
        if let Ok(position) = Position::parse(&format!("{}[{hand}] {side} 0 1", ranks.join("/")), rules) {
            return position;
        }
    }
}

#[test]
fn random_games_read_back_as_they_were_from_any_start() {
    let mut in_hand = 0;
    for seed in 0..200 {
        let rules = Rules::ALL[seed as usize % 2];
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let usual = random_game(Position::start(rules), &mut random);
        // Nothing but the last position: a captured king, a mate, or both hands full.
        let last = random_game(usual.last_position(), &mut random);
        let scattered = random_game(scattered(rules, &mut random), &mut random);
        in_hand += usize::from(Side::BOTH.into_iter().any(|side| !scattered.start.hand(side).is_empty()));
        let mut games = [usual, last, scattered];
        let [first, second, third] = &mut games;
        let file = write(first) + &write_csa(second, false) + &write_csa(third, false);
        let starts: Vec<usize> =
            file.lines().enumerate().filter(|(_, line)| *line == "/").map(|(i, _)| i + 2).collect();
        (second.line, third.line) = (starts[0], starts[1]);
        let back: Vec<CsaGame> = read_csa(Box::new(file.as_bytes()), rules).map(Result::unwrap).collect();
        assert_eq!(back, games, "{file}");
        assert_eq!(write(&back[0]) + &write_csa(&back[1], false) + &write_csa(&back[2], false), file);
    }
    assert!(in_hand > 100, "only {in_hand} games began with something in hand");
}

#[test]
fn a_captured_king_and_both_hands_are_written() {
    let fen = "2k2/5/5/5/5[kPpSsNnLl] w 0 1";
    let mut game = CsaGame::new(Position::parse(fen, Rules::Capture).unwrap());
    game.verdict = game.replay().verdict();
    let text = write(&game);
    assert!(text.ends_with("P+00FU00GI00KE00KY\nP-00FU00GI00KE00KY00OU\n+\n%TORYO\n"), "{text}");
    assert_eq!(only(text), game);
    assert_eq!(outcome(&game), Some(Outcome::Win(Side::Second)));
}

#[test]
fn what_the_standard_leaves_open_is_understood() {
    let usual = only("V2.2\nPI\n+\n+1514HI\n-4142KE\n%CHUDAN\n");
    for text in [
        // No position, no side to move, no version, several moves a line, times, blanks, blank lines.
        "+1514HI\n-4142KE\n%CHUDAN\n",
        "+\n+1514HI,T1,-4142KE,T20,%CHUDAN",
        "+\n+1514HI, T1,\n-4142KE ,,\n\n  \n%CHUDAN\nT3\n",
        "\u{feff}$EVENT:Kyoto, 2020\n$START_TIME:2020/01/01\nPI\n+1514HI\nT0.5\n-4142KE\n%CHUDAN \n$END_TIME:x\n",
        // Piece by piece, in any order, the rest in hand (nothing here); blanks at the end of a rank lost.
        "P2 *  *  *  *  *\nP-51FU41KI31OU\nP-21GI11TO00AL\nP+55TO45GI35OU\nP+25KI15HU\n+1514HI\n-4142KE\n%CHUDAN\n",
    ] {
        assert_eq!(only(text), CsaGame { line: only(text).line, ..usual.clone() }, "{text}");
        assert_eq!(only(text.replace('\n', "\r\n")), only(text));
    }
    let second = only("PI\n-\n-5152HI\n");
    assert_eq!((second.start.turn(), second.verdict), (Side::Second, None));
    let rest = only("P1 *  * -OU *  * \nP+35OU00FU\nP-00AL\n-\n");
    assert_eq!(rest.start.to_string(), "2k2/5/5/5/2K2[Pnnllpss] b 0 1");
}

#[test]
fn every_end_is_read_and_tells_who_won() {
    for (word, ending) in [
        ("%TORYO", Ending::Resignation),
        ("%SENNICHITE", Ending::Repetition),
        ("%TIME_UP", Ending::Time),
        ("%ILLEGAL_MOVE", Ending::IllegalMove),
        ("%+ILLEGAL_ACTION", Ending::IllegalAction),
        ("%-ILLEGAL_ACTION", Ending::IllegalAction),
        ("%JISHOGI", Ending::Impasse),
        ("%KACHI", Ending::Declaration),
        ("%HIKIWAKE", Ending::DeclaredDraw),
        ("%TSUMI", Ending::Mate),
    ] {
        let game = only(format!("+1514HI\n{word}\n"));
        assert_eq!(by(&game), Some(ending), "{word}");
        assert!(write(&game).ends_with(&format!("+1514HI\n{word}\n")), "{word}");
        assert_eq!(only(write(&game)).verdict, game.verdict, "{word}");
    }
    // What tells of no end is written as a game that was broken off.
    for word in ["%CHUDAN", "%FUZUMI", "%ERROR", ""] {
        let game = only(format!("+1514HI\n{word}\n"));
        assert!(game.verdict.is_none() && write(&game).ends_with("+1514HI\n%CHUDAN\n"), "{word}");
    }
    let capped = only("'ply cap\n+1514HI\n%CHUDAN\n");
    assert_eq!(capped.verdict, Some(Verdict { outcome: Outcome::Draw, by: Ending::PlyCap }));
    assert!(capped.comments.is_empty() && write(&capped).contains("\n'ply cap\n"));
    let outcome = |word: &str| outcome(&only(format!("+1514HI\n{word}\n")));
    for lost in ["%TORYO", "%TIME_UP", "%ILLEGAL_MOVE", "%TSUMI", "%-ILLEGAL_ACTION"] {
        assert_eq!(outcome(lost), Some(Outcome::Win(Side::First)), "{lost}");
    }
    for won in ["%KACHI", "%+ILLEGAL_ACTION"] {
        assert_eq!(outcome(won), Some(Outcome::Win(Side::Second)), "{won}");
    }
    for draw in ["%SENNICHITE", "%JISHOGI", "%HIKIWAKE"] {
        assert_eq!(outcome(draw), Some(Outcome::Draw), "{draw}");
    }
    for open in ["%CHUDAN", "%FUZUMI", "%ERROR", ""] {
        assert_eq!(outcome(open), None, "{open}");
    }
}

#[test]
fn games_of_one_file_are_told_apart() {
    // Twice by the separator, once more by the version of a file that was put behind; separators too many do no harm.
    let file = format!("/\n{PAPER_GAME}/\n'empty\n/\n+1514HI\n/\nN+Ann\n%TORYO\n{PAPER_GAME}/\n");
    let found: Vec<_> = read(&file).unwrap().iter().map(|game| (game.line, game.moves.len())).collect();
    assert_eq!(found, [(2, 17), (33, 1), (35, 0), (37, 17)]);
    // What comes before an error is given out, nothing after it.
    let broken = format!("{PAPER_GAME}/\n+1514HI\n+\n/\n{PAPER_GAME}");
    let found: Vec<_> =
        read_csa(Box::new(broken.as_bytes()), Rules::Capture).map(|game| game.is_ok()).collect();
    assert_eq!(found, [true, false]);
    let mut found = read_csa(Box::new(&b"%TORYO\nV7\n"[..]), Rules::Capture);
    assert!(found.next().unwrap().is_ok() && found.next().unwrap().is_err() && found.next().is_none());
}

#[test]
fn names_and_comments_cannot_break_a_record() {
    let mut game = CsaGame::new(Position::start(Rules::Capture));
    game.names = BySide { first: "A\n%TORYO\r".into(), second: "字".repeat(9_000) };
    game.comments = vec!["two\nlines".into(), String::new(), "\n".into()];
    let back = only(write(&game));
    assert_eq!(back.names, BySide { first: "A %TORYO ".into(), second: "字".repeat(2_000) });
    assert_eq!(back.comments, ["two", "lines", "", "", ""]);
    assert_eq!((back.moves.len(), back.verdict), (0, None));
}

#[test]
fn only_names_and_comments_may_be_no_utf8() {
    // "先手" in Shift_JIS.
    let game = only(b"N+\x90\xe6\x8e\xe8\n'\x90\xe6, T\n+1514HI\n");
    assert!(game.names.first.contains('\u{fffd}') && game.moves.len() == 1);
    let refused = read(b"PI\n+\n+15\x9014HI\n").unwrap_err().to_string();
    assert_eq!(refused, "line 3: '+15\u{fffd}14HI' is no move: one is like +1514HI, and a drop like -0033KI");
}

const CODES: &str = "FU HI GI KA KE KI KY TO OU";

#[test]
fn errors_are_sentences_with_the_line_and_the_offender() {
    let long = "x".repeat(10_001);
    let cases = [
        (
            "",
            "there is no game in the file: a CSA record has a position, a line + or -, and moves like +1514HI",
        ),
        (
            "V2.2\n'hello\n\n/\n$EVENT:x\n",
            "there is no game in the file: a CSA record has a position, a line + or -, and moves like +1514HI",
        ),
        (
            "PI\nhello\n",
            "line 2: 'hello' is no line of a CSA record: one begins with V, N, $, P, +, -, T, % or ', and is / between two games",
        ),
        ("V3.0\n", "line 1: 'V3.0' is no version that can be read: V2.2 can, and what came before it"),
        (
            "\nName\n",
            "line 2: 'Name' names neither player: it needs N+ (first player) or N- (second player) and the name",
        ),
        ("+\nTx\n", "line 2: 'Tx' is no time: it needs T and seconds, like T12"),
        (
            "+\n\n%MATTA\n",
            "line 3: '%MATTA' is no end of a game: use %TORYO %SENNICHITE %CHUDAN %TIME_UP %ILLEGAL_MOVE %+ILLEGAL_ACTION %-ILLEGAL_ACTION %JISHOGI %KACHI %HIKIWAKE %TSUMI %FUZUMI %ERROR",
        ),
        (
            "+\n%TORYO\n+1514HI\n",
            "line 3: '+1514HI' stands after the end of the game: put a line / between two games",
        ),
        (
            "+\n%TORYO\n%TORYO\n",
            "line 3: '%TORYO' stands after the end of the game: put a line / between two games",
        ),
        (
            "+\nN+Ann\n",
            "line 2: 'N+Ann' stands after the side to move: names and position come before it, and a line / between two games",
        ),
        (
            "+1514HI\n-\n",
            "line 2: '-' stands after the side to move: names and position come before it, and a line / between two games",
        ),
        (
            "P6 *  *  *  *  * \n",
            "line 1: 'P6 *  *  *  *  *' is no part of a position: it needs PI, P1 to P5 for a rank, or P+ or P- and pieces like 00FU",
        ),
        (
            "P+00F\n",
            "line 1: 'P+00F' is no part of a position: it needs PI, P1 to P5 for a rank, or P+ or P- and pieces like 00FU",
        ),
        (
            "PI15FU\n",
            "line 1: PI takes no pieces away in Kyoto Shogi: write the ranks P1 to P5 instead of 'PI15FU'",
        ),
        (
            "P1-FU-KI-OU-GI\n",
            "line 1: rank 1 of the board has 12 characters after P1, it needs 15: three for each square, like '+OU' or ' * '",
        ),
        (
            "P1-FU-KI-OU-GI-TO\nP2 * * * * *\n",
            "line 2: rank 2 of the board has 11 characters after P2, it needs 15: three for each square, like '+OU' or ' * '",
        ),
        (
            "P1-FU-KI-OU-GI-UM\n",
            &format!(
                "line 1: '-UM' in rank 1 of the board is no square: write ' * ', or + or - and one of {CODES}"
            ),
        ),
        (
            "P1-FU-KI*OU-GI-TO\n",
            &format!(
                "line 1: '*OU' in rank 1 of the board is no square: write ' * ', or + or - and one of {CODES}"
            ),
        ),
        ("P+00RY\n", &format!("line 1: 'RY' in 'P+00RY' is no piece: use {CODES}")),
        ("P+16FU\n", "line 1: '16' in 'P+16FU' is no square: files and ranks go from 1 to 5"),
        ("PI\nP+11FU\n", "line 2: square 11 has two pieces: give it only one"),
        (
            "V2.2\nPI\nP+00FU\n+\n",
            "line 2: the position cannot be: 3 of the piece pawn/rook, board and hands together: the game has 2",
        ),
        (
            "V2.2\nP+35OU\nP-00AL\n/\n",
            "line 2: the position cannot be: 1 kings, board and hands together: the game has 2",
        ),
        ("+\n+1514\n", "line 2: '+1514' is no move: one is like +1514HI, and a drop like -0033KI"),
        ("+\n+1514HIHI\n", "line 2: '+1514HIHI' is no move: one is like +1514HI, and a drop like -0033KI"),
        ("+\n+15X4HI\n", "line 2: 'X4' in '+15X4HI' is no square: files and ranks go from 1 to 5"),
        ("+\n+1500HI\n", "line 2: '00' in '+1500HI' is no square: files and ranks go from 1 to 5"),
        ("+\n+1514RY\n", &format!("line 2: 'RY' in '+1514RY' is no piece: use {CODES}")),
        (
            "+\n+1514HI,+1413FU\n",
            "line 2: '+1413FU' is a move of the first player, but it is the second player's turn",
        ),
        (
            "+\n+1514FU\n",
            "line 2: '+1514FU' needs HI at its end: this is what the piece shows when it has been turned over",
        ),
        (
            "P1-OU *  *  *  * \nP2+FU *  *  *  * \nP5 *  *  *  * +OU\nP-00AL\n+\n+5251HI\n-1413FU\n",
            "line 7: '-1413FU' cannot be played in +P4/5/5/5/4K[Knnllpss] b 0 1: the game is over",
        ),
        (&format!("PI\n{long}\n"), "line 2: the line is longer than 10000 bytes: this is no CSA record"),
    ];
    for (text, expected) in cases {
        let said = read(text).expect_err(text).to_string();
        assert_eq!(said, expected, "{text}");
    }
    for text in ["+1513HI", "+1413HI", "+1112KY", "+4535KA", "+0033FU", "+0033OU"] {
        let said = read(format!("PI\n+\n{text}\n")).expect_err(text).to_string();
        let expected =
            format!("line 3: '{text}' is not a legal move in p+nks+l/5/5/5/+LSK+NP[-] w 0 1 (legal: +");
        assert!(said.starts_with(&expected) && said.contains("+1514HI"), "{said}");
    }
}

#[test]
fn the_rules_are_the_callers() {
    // Only the legal rules forbid to leave the king in the rook's line.
    let text = "P1 *  * -OU *  * \nP2 *  * -HI *  * \nP5 *  * +OU *  * \nP+00AL\n+\n+0055FU\n";
    assert_eq!(only(text).moves.len(), 1);
    let refused = read_csa(Box::new(text.as_bytes()), Rules::Legal).next().unwrap().unwrap_err().to_string();
    assert!(refused.starts_with("line 6: '+0055FU' is not a legal move in "), "{refused}");
}

#[test]
fn no_file_fills_the_memory() {
    let game = "'\n".repeat(600_000);
    assert_eq!(
        read(&game).unwrap_err().to_string(),
        "line 500001: the game is longer than 1000000 bytes: put a line / between two games"
    );
    // Endless lines are not read to their end.
    let endless = BufReader::new(io::repeat(b'+'));
    let refused = read_csa(Box::new(endless), Rules::Capture).next().unwrap().unwrap_err();
    assert_eq!(refused.to_string(), "line 1: the line is longer than 10000 bytes: this is no CSA record");
    let longest = format!("'{}\r\n+\n", "x".repeat(9_999));
    assert_eq!(only(longest).comments[0].len(), 9_999);
}

/// Gives one byte at a time, and fails where the data end if told to.
struct Drops<'a>(&'a [u8], bool);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() && self.1 {
            return Err(io::Error::other("the disk is gone"));
        }
        let one = self.0.len().min(1);
        (&self.0[..one]).read(buffer)
    }
}

impl BufRead for Drops<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.0.is_empty() && self.1 {
            true => Err(io::Error::other("the disk is gone")),
            false => Ok(&self.0[..self.0.len().min(1)]),
        }
    }

    fn consume(&mut self, count: usize) {
        self.0 = &self.0[count..];
    }
}

#[test]
fn how_the_bytes_arrive_does_not_matter() {
    let file = format!("{PAPER_GAME}/\r\n{}", PAPER_GAME.replace('\n', "\r\n"));
    let drops = read_csa(Box::new(Drops(file.as_bytes(), false)), Rules::Capture);
    let games: Vec<CsaGame> = drops.map(Result::unwrap).collect();
    assert_eq!(games, read(&file).unwrap());
    assert_eq!((games.len(), &games[0].moves), (2, &games[1].moves));
    let mut broken = read_csa(Box::new(Drops(b"+\n+1514HI\n", true)), Rules::Capture);
    let said = broken.next().unwrap().unwrap_err().to_string();
    assert_eq!(said, "the file cannot be read after line 2: the disk is gone");
    assert!(broken.next().is_none());
}

#[test]
fn a_damaged_file_is_read_or_refused() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut refused = 0;
    for _ in 0..4_000 {
        let mut file = PAPER_GAME.as_bytes().to_vec();
        for _ in 0..random.random_range(1..4) {
            let place = random.random_range(0..file.len());
            match random.random_range(0..3) {
                0 => file[place] = random.random(),
                1 => file.insert(place, b"+-P%VNT',/\n0159\xe5"[random.random_range(0..16)]),
                _ => drop(file.remove(place)),
            }
        }
        match read(&file) {
            Ok(games) => games.iter().for_each(|game| assert_eq!(only(write(game)).moves, game.moves)),
            Err(_) => refused += 1,
        }
    }
    assert!((1_000..4_000).contains(&refused), "{refused} of 4000 were refused");
}
