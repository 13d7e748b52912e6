//! The solution of the game: golden numbers, agreement with independent ways to the same answer, and the table as a file.
//!
//! The game under the paper's rules is solved once, whole, for all tests of this file; it takes about half a minute.

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use crate::common::{Scratch, prints, refuses, run};
use dobutsu_ga::game::{Game, Solution, Solved, legal_moves};
use dobutsu_ga::games::dobutsu::solve::{Table, forward_value};
use dobutsu_ga::games::dobutsu::{Position, Rules};
use dobutsu_ga::players::PlayerSpec;
use dobutsu_ga::random::stream;

static TABLE: LazyLock<Table> = LazyLock::new(|| Table::solve(Rules::Paper, &|_, _| ()).unwrap());

fn position(fen: &str) -> Position {
    Position::parse(fen, Rules::Paper).unwrap()
}

#[test]
fn the_start_is_drawn_under_the_papers_rules() {
    let start = Position::start(Rules::Paper);
    assert_eq!(TABLE.probe(&start), Solved::Draw);
    assert!(TABLE.moves(&start).iter().all(|(_, worth)| *worth == Solved::Draw));
    let counts = TABLE.counts();
    assert_eq!((counts.won, counts.lost, counts.drawn), (66_152_915, 52_348_397, 2_633_356));
    assert_eq!(counts.longest, 109);
}

#[test]
fn plain_positions_have_plain_values() {
    for (fen, value) in [
        ("gle/1C1/1c1/ELG[-] w 0 1", Solved::Win(1)),
        ("g1e/1l1/1c1/ELG[C] b 0 1", Solved::Win(1)),
        ("1L1/2l/3/3[CGEcge] b 0 1", Solved::Loss(0)),
        ("3/L2/2l/3[CGEcge] w 0 1", Solved::Win(1)),
    ] {
        assert_eq!(TABLE.probe(&position(fen)), value, "{fen}");
    }
}

/// The table against a search that knows nothing of it.
#[test]
fn looking_forward_finds_the_same() {
    const PLIES: u8 = 4;
    let mut random = stream(5, 0, 0);
    for _ in 0..1_000 {
        let position = TABLE.any_position(&mut random);
        let found = TABLE.probe(&position);
        let near = found.plies().is_some_and(|plies| plies <= PLIES).then_some(found);
        assert_eq!(forward_value(&position, PLIES), near, "{position}");
    }
}

/// Every entry follows from its moves, in a sample; `solve --verify` looks at all of them.
#[test]
fn entries_follow_from_their_moves() {
    let mut random = stream(6, 0, 0);
    for _ in 0..200_000 {
        let position = TABLE.any_position(&mut random);
        let best = TABLE.moves(&position).first().map(|(_, worth)| *worth);
        assert_eq!(best, Some(TABLE.probe(&position)), "{position}");
    }
}

/// All positions with nothing on the board but the lions, solved again from the values of the positions around them: the
/// plainest retrograde analysis there is.
#[test]
fn bare_lions_come_out_again() {
    let mut slice = HashMap::new();
    let squares: Vec<(usize, usize)> =
        (0..4).flat_map(|row| (0..3).map(move |column| (row, column))).collect();
    for mine in &squares {
        for theirs in squares.iter().filter(|theirs| *theirs != mine) {
            for split in 0..27 {
                let mut rows = [['1'; 3]; 4];
                rows[mine.0][mine.1] = 'L';
                rows[theirs.0][theirs.1] = 'l';
                let board: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
                let held = [("C", "c", split % 3), ("G", "g", split / 3 % 3), ("E", "e", split / 9)];
                let hand: String = held
                    .iter()
                    .map(|(upper, lower, own)| upper.repeat(*own) + &lower.repeat(2 - own))
                    .collect();
                let fen = format!("{}[{hand}] w 0 1", board.join("/"));
                // Lions beyond the far rank have won already.
                if let Ok(position) = Position::parse(&fen, Rules::Paper)
                    && !position.is_over()
                {
                    slice.insert(position.key(), (position, None));
                }
            }
        }
    }
    assert!(slice.len() > 1_000, "{}", slice.len());
    // In the slice the first player is always to move: a position with the second to move is turned round.
    let key = |position: &Position| match position.turn() {
        dobutsu_ga::game::Side::First => position.key(),
        dobutsu_ga::game::Side::Second => position.transform(dobutsu_ga::game::Symmetry::Turn).key(),
    };
    for plies in 0..=200 {
        let mut decided = Vec::new();
        for (own, (position, value)) in &slice {
            if value.is_some() {
                continue;
            }
            let after: Vec<Option<Solved>> = legal_moves(position)
                .into_iter()
                .map(|m| {
                    let next = position.play(m);
                    match slice.get(&key(&next)) {
                        Some((_, inside)) => *inside,
                        None => Some(TABLE.probe(&next)).filter(|worth| *worth != Solved::Draw),
                    }
                })
                .collect();
            let before = |worth: &Option<Solved>| worth.map(Solved::before);
            if after.iter().filter_map(before).max() == Some(Solved::Win(plies)) {
                decided.push((*own, Solved::Win(plies)));
            } else if after.iter().all(|worth| matches!(before(worth), Some(Solved::Loss(n)) if n <= plies)) {
                decided.push((*own, Solved::Loss(plies)));
            }
        }
        for (own, value) in decided {
            slice.entry(own).and_modify(|(_, known)| *known = Some(value));
        }
    }
    for (position, value) in slice.values() {
        assert_eq!(value.unwrap_or(Solved::Draw), TABLE.probe(position), "{position}");
    }
}

#[test]
fn mirror_and_side_do_not_matter() {
    use dobutsu_ga::game::Symmetry;
    let mut random = stream(7, 0, 0);
    for _ in 0..10_000 {
        let position = TABLE.any_position(&mut random);
        for symmetry in [Symmetry::Mirror, Symmetry::Turn] {
            assert_eq!(TABLE.probe(&position), TABLE.probe(&position.transform(symmetry)), "{position}");
        }
    }
}

/// The table as a file: read back, and refused when anything is wrong with it.
#[test]
fn a_table_is_kept_in_a_file() {
    let scratch = Scratch::new("table");
    let (good, bad) = (scratch.path("paper.table"), scratch.path("bad.table"));
    TABLE.save(Path::new(&good)).unwrap();
    let read = Table::open(Some(Path::new(&good)), Rules::Paper).unwrap();
    assert_eq!(read.counts(), TABLE.counts());
    assert!(std::fs::metadata(&good).unwrap().len() <= 260_000_000);

    let bytes = std::fs::read(&good).unwrap();
    let changed = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        bytes
    };
    let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    for (content, sentence) in [
        (
            bytes[..bytes.len() - 1].to_vec(),
            "is damaged (its end is missing): `dobutsu-ga solve --rules paper --force --out",
        ),
        (bytes[..40].to_vec(), "is damaged (its end is missing)"),
        (longer, "is damaged (it is too long)"),
        (changed(100_000_000), "is damaged (its checksum does not fit)"),
        (changed(30), "is damaged (the checksum of its header does not fit)"),
        (changed(8), "has version 0, and this program reads version 1"),
        (b"not a table".to_vec(), "is not a solution table"),
        (Vec::new(), "is not a solution table"),
    ] {
        std::fs::write(&bad, content).unwrap();
        refuses(&["probe", "--table", &bad], sentence);
    }
    refuses(&["probe", "--rules", "official", "--table", &good], "is for paper rules, not for official");
    // What is no table is not overwritten.
    std::fs::write(&bad, "precious").unwrap();
    refuses(&["solve", "--out", &bad], "is there and is no table: --force overwrites it");
    assert_eq!(std::fs::read(&bad).unwrap(), b"precious");
    assert!(prints(&["solve", "--out", &good]).contains("The table is there already"));

    commands_that_use_it(&good, &scratch);
}

fn commands_that_use_it(table: &str, scratch: &Scratch) {
    let text = prints(&["probe", "gle/1C1/1c1/ELG[-] w 0 1", "--table", table]);
    assert!(
        text.contains("Value  win in 1 for the first player") && text.contains("b3b4+  win in 1"),
        "{text}"
    );
    let json = prints(&["probe", "--json", "--table", table]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((json["value"].as_str(), json["moves"].as_array().map(Vec::len)), (Some("draw"), Some(4)));
    refuses(&["probe", "nonsense/", "--table", table], "bad FEN 'nonsense/'");

    let perfect = format!("perfect:table={table}");
    let text = prints(&["match", &perfect, "material", "--games", "20"]);
    assert!(text.contains("0 %") || text.contains("score"), "{text}");
    let folder = scratch.path("grades");
    let grade = [
        "grade",
        &perfect,
        "random",
        "material",
        "--positions",
        "100",
        "--depths",
        "1-2",
        "--table",
        table,
        "--out",
        &folder,
    ];
    let once = prints(&grade);
    let perfect_line = once.lines().find(|line| line.contains("all positions")).unwrap();
    assert!(perfect_line.contains("100.0 ["), "the perfect player never errs: {once}");
    let again = prints(&[&grade[..], &["--threads", "1"]].concat());
    assert!(again.contains("came out again, byte for byte"), "{again}");

    // A table that is named for the measure serves the perfect player too.
    let elsewhere = scratch.path("nothing-here");
    let output =
        crate::common::command(&["grade", "perfect", "--positions", "50", "--seeds", "1", "--table", table])
            .env("DOBUTSU_GA_TABLE", &elsewhere)
            .output()
            .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let drawn = ["match", "random", "random", "--games", "40", "--opening-plies", "4", "--openings", "drawn"];
    let records = scratch.path("drawn.jsonl");
    let output = crate::common::command(&[&drawn[..], &["--records", &records]].concat())
        .env("DOBUTSU_GA_TABLE", table)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for line in std::fs::read_to_string(&records).unwrap().lines() {
        let record = dobutsu_ga::game::record::json::read(line).unwrap();
        assert_eq!(TABLE.probe(&record.replay().positions()[4]), Solved::Draw);
    }
    let output = crate::common::command(&drawn).env("DOBUTSU_GA_TABLE", &elsewhere).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("openings=drawn: there is no solution"));

    // Nobody reads what is printed, and everything is written all the same.
    let (unread, genome) = (scratch.path("unread"), scratch.path("unread.toml"));
    let grade = ["grade", "random", "--positions", "20", "--seeds", "1", "--table", table, "--out", &unread];
    let fit = ["fit", "--positions", "2000", "--table", table, "--out", &genome];
    for args in [&grade[..], &fit] {
        let mut child = crate::common::command(args).stdout(std::process::Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert!(child.wait().unwrap().success(), "{args:?}");
    }
    assert!(Path::new(&unread).join("grade.csv").exists() && Path::new(&genome).exists());

    let genome = scratch.path("fitted.toml");
    let text = prints(&[
        "fit",
        "--positions",
        "5000",
        "--genes",
        "full",
        "--leaf",
        "quiet",
        "--table",
        table,
        "--out",
        &genome,
    ]);
    assert!(text.contains("board.giraffe") && text.contains("tells the winner of"), "{text}");
    assert!(format!("genome={genome}").parse::<PlayerSpec<Position>>().is_ok());
    let at_once =
        prints(&["fit", "--sample", "games", "--positions", "20000", "--genes", "full", "--table", table]);
    assert!(at_once.contains("No result goes against features.check and features.try"), "{at_once}");
    refuses(&["fit", "--table", table, "--out", &genome], "exists already: --force overwrites it");
    refuses(
        &["fit", "--table", table, "--positions", "all", "--sample", "games"],
        "--positions all is for --sample all",
    );

    let out = scratch.path("oracle");
    let tune = ["--fitness", "oracle", "--generations", "3", "--out", &out, "--no-validate"];
    let output = crate::common::command(&tune).env("DOBUTSU_GA_TABLE", table).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    // A learner that began without a solution goes on without it, to the same bytes; one that is judged by it needs it.
    let learn = |folder: &str, cycles: &str, solution: &str| {
        let tiny = "learn alphazero --game dobutsu --rules paper --filters 4 --blocks 1 --games 8 --simulations 2 --ply-cap 20 \
                    --measure-games 2 --measure-simulations 2 --opponent random --validation-games 0";
        let args: Vec<&str> = tiny.split_whitespace().chain(["--cycles", cycles, "--out", folder]).collect();
        let output = crate::common::command(&args).env("DOBUTSU_GA_TABLE", solution).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).to_string())
    };
    let (early, judged) = (scratch.path("early"), scratch.path("judged"));
    let (code, said) = learn(&early, "1", &elsewhere);
    assert!(code == Some(0) && said.contains("There is no solution of the game by paper rules"), "{said}");
    let before = crate::common::contents(&early);
    let (code, said) = learn(&early, "1", table);
    assert_eq!(code, Some(0), "{said}");
    crate::common::assert_same(&crate::common::contents(&early), &before, "solved meanwhile");
    assert_eq!(learn(&judged, "1", table).0, Some(0));
    let (code, said) = learn(&judged, "1", &elsewhere);
    assert!(
        code == Some(2) && said.contains("is no longer there: `dobutsu-ga solve --rules paper`"),
        "{said}"
    );

    let output = crate::common::command(&["probe", "--rules", "official"])
        .env("DOBUTSU_GA_TABLE", table)
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("is for paper rules, not for official"));
}

#[test]
fn without_a_table_it_is_said_how_to_make_one() {
    let scratch = Scratch::new("no-table");
    let nowhere = scratch.path("none.table");
    let how = "`dobutsu-ga solve --rules paper --out";
    refuses(&["probe", "--table", &nowhere], how);
    refuses(&["match", &format!("perfect:table={nowhere}"), "random"], how);
    refuses(&["grade", "material", "--table", &nowhere], how);
    refuses(&["fit", "--table", &nowhere], how);
    for args in [&["match", "perfect", "random"][..], &["--fitness", "oracle"], &["guideline"]] {
        let output = crate::common::command(args)
            .env("DOBUTSU_GA_TABLE", &nowhere)
            .current_dir(&scratch.0)
            .output()
            .unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {complaint}");
        assert!(complaint.contains("`dobutsu-ga solve --rules paper"), "{complaint}");
    }
    assert_eq!(std::fs::read_dir(&scratch.0).unwrap().count(), 0, "nothing is left behind");
    refuses(&["grade", "nobody"], "there is no player 'nobody'");
    refuses(&["grade"], "required");
    assert!(!run(&["solve", "--rules", "house"]).status.success());
}
