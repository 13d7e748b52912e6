//! Whole commands, run as a user would.

use crate::common::{Scratch, assert_same, contents, fails, prints, refuses};

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

#[test]
fn bench_counts_are_the_same_everywhere() {
    let counts = prints(&["bench", "--counts"]);
    // Another number means that some search behaves differently: say so in the change log.
    assert!(counts.ends_with(&format!("{:<32} {:>14}\n", "checksum (all nodes)", "1,352,659")), "{counts}");
}

#[test]
fn a_match_is_reported_recorded_and_replayed() {
    let scratch = Scratch::new("match");
    let file = scratch.path("games.jsonl");
    let arguments =
        ["match", "material:depth=2", "random", "--games", "20", "--seed", "3", "--records", &file];
    let report = prints(&arguments);
    for words in
        ["20 games, seed 3, paper rules", "score  ", "Elo  ", "likelihood of superiority", "pairs LL 0"]
    {
        assert!(report.contains(words), "{words}: {report}");
    }
    assert!(report.contains("normalized Elo   not defined: all pairs ended alike"), "{report}");
    refuses(&arguments, "exists already: --force overwrites it");
    let before = std::fs::read(&file).unwrap();
    let with = |more: &[&'static str]| [&arguments[..], more].concat();
    assert_eq!(prints(&with(&["--force", "--threads", "1"])), report);
    assert_eq!(std::fs::read(&file).unwrap(), before);
    let replay = prints(&["replay", &file, "--game", "2"]);
    assert!(replay.starts_with("Game 2: random (first) against material:depth=2 (second)"), "{replay}");
    assert!(replay.contains("The second player has won by"), "{replay}");
    assert!(replay.contains("\n1. first player: ") && replay.contains("\n2. second player: "), "{replay}");
    assert!(prints(&["replay", &file]).contains("Game 20: "));
    refuses(&["replay", &file, "--game", "21"], "has 20 games: there is no game 21");
    let cut = String::from_utf8(before).unwrap().lines().next().unwrap().replacen(
        "\"winner\":\"first\"",
        "\"winner\":\"draw\"",
        1,
    );
    std::fs::write(&file, cut).unwrap();
    refuses(&["replay", &file], "its moves do not end like that");
    std::fs::write(&file, "\n").unwrap();
    refuses(&["replay", &file], "holds no games");
    std::fs::write(&file, "{\"not\": \"a game\"}\n").unwrap();
    refuses(&["replay", &file], "game 1: unknown field `not`");
}

#[test]
fn a_sequential_test_stops_where_it_is_clear() {
    let arguments = ["match", "material", "random", "--games", "5000", "--sprt", "elo0=0,elo1=100"];
    let report = prints(&arguments);
    assert!(report.contains("passed: 100 or more"), "{report}");
    assert!(!report.contains("5000 games"), "{report}");
    assert!(report.contains("the intervals above no 95 % ones"), "{report}");
    assert_eq!(prints(&[&arguments[..], &["--threads", "1"]].concat()), report);
    let equal = prints(&["match", "material", "material", "--games", "100", "--sprt", "elo0=0,elo1=2"]);
    assert!(equal.contains("100 games") && equal.contains("undecided"), "{equal}");
    assert!(!equal.contains("no 95 % ones"), "nothing was stopped: {equal}");
}

#[test]
fn a_tournament_ranks_its_players() {
    let report = prints(&["tournament", "random", "material:depth=1", "material:depth=3", "--games", "20"]);
    let at = |words: &str| report.find(words).unwrap_or_else(|| panic!("no '{words}' in {report}"));
    assert!(
        at("  1  material:depth=3") < at("  2  material:depth=1") && at("  2  material") < at("  3  random")
    );
    assert!(report.contains("Moving first is worth"));
    let gauntlet = prints(&["tournament", "--gauntlet", "random", "material", "mobility", "--games", "2"]);
    assert!(gauntlet.contains("3 players: 4 games"), "{gauntlet}");
}

#[test]
fn bad_matches_are_refused_before_the_first_game() {
    refuses(&["match", "material", "random", "--games", "0"], "the number of games must be from 2");
    refuses(
        &["match", "material", "random", "--games", "7"],
        "the number of games must be even, because sides are swapped: 6 or 8",
    );
    refuses(&["match", "material", "godzilla"], "there is no player 'godzilla': choose random, material");
    refuses(&["match", "material:depth=40", "random"], "must be from 1 to 10");
    refuses(&["match", "material", "random", "--sprt", "elo0=5,elo1=1"], "elo0 must be below elo1");
    refuses(
        &["match", "material", "random", "--opening-plies", "10", "--ply-cap", "5"],
        "no game would be played",
    );
    refuses(
        &["match", "material", "random", "--records", "/no/such/folder/x"],
        "cannot write '/no/such/folder/x'",
    );
    refuses(&["tournament", "random"], "2 values required");
    refuses(
        &["match", "material", "random", "--openings", "calm"],
        "--openings has no effect without --opening-plies",
    );
    refuses(
        &["match", "material", "random", "--opening-plies", "2", "--openings", "wild"],
        "there are no openings 'wild': choose calm, drawn, or far=N",
    );
    refuses(&["match", "material", "random", "--array", "diagonal"], "there is no array 'diagonal'");
    refuses(&["reproduce", "table99"], "there is no experiment 'table99': choose table1, table2, table3");
    refuses(&["reproduce", "table1", "--games", "0"], "0 is not in 1..=1000000");
    refuses(&["reproduce", "nowhere.toml"], "the experiment file 'nowhere.toml' cannot be read");
}

#[test]
fn results_are_written_checked_and_never_overwritten_unasked() {
    let scratch = Scratch::new("reproduce");
    let out = scratch.path("results");
    let arguments = ["reproduce", "table2", "--games", "3", "--out", &out];
    let first = prints(&arguments);
    assert!(first.contains("written to"), "{first}");
    let folder = scratch.0.join("results/table2");
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert!(read("table.png").starts_with(b"\x89PNG") && read("table.svg").starts_with(b"<svg "));
    assert_eq!(String::from_utf8(read("table.csv")).unwrap().lines().count(), 10);
    assert!(String::from_utf8(read("run.toml")).unwrap().contains("games = 3\n"));
    let again = prints(&[&arguments[..], &["--threads", "1"]].concat());
    assert!(again.contains("came out again, byte for byte"), "{again}");
    refuses(&["reproduce", "table2", "--games", "4", "--out", &out], "holds results of other settings");
    std::fs::write(folder.join("table.csv"), "edited").unwrap();
    fails(&arguments, "table.csv' is damaged or was edited: --force begins anew");
    // Results of earlier versions have no checksums: there the work shows it.
    std::fs::remove_file(folder.join(".checksums")).unwrap();
    fails(&arguments, "differs from what came out now");
    assert_eq!(read("table.csv"), b"edited");
    assert!(prints(&[&arguments[..], &["--force"]].concat()).contains("written to"));
    assert_ne!(read("table.csv"), b"edited");
}

#[test]
fn the_committed_results_are_what_the_command_writes() {
    let scratch = Scratch::new("committed");
    let out = scratch.path("results");
    // The others take too long for a test; `dobutsu-ga reproduce all` checks them.
    for name in ["table2", "table3", "figure2", "figure3"] {
        prints(&["reproduce", name, "--out", &out]);
        let committed = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("results").join(name);
        let what = format!("results/{name} is not what `dobutsu-ga reproduce {name}` writes");
        // Checksums guard the files of one machine and are not committed.
        let [mut ours, mut theirs] = [contents(scratch.0.join("results").join(name)), contents(committed)];
        ours.remove(".checksums");
        theirs.remove(".checksums");
        assert_same(&ours, &theirs, &what);
    }
}

#[test]
fn a_bad_experiment_file_is_refused() {
    let scratch = Scratch::new("experiment");
    let (file, out) = (scratch.path("mine.toml"), scratch.path("out"));
    let good = include_str!("../../experiments/table2.toml").replace("games = 10000", "games = 2");
    let refuse = |from: &str, to: &str, words: &str| {
        std::fs::write(&file, good.replacen(from, to, 1)).unwrap();
        refuses(&["reproduce", &file, "--out", &out], words);
        assert!(!std::path::Path::new(&out).exists());
    };
    refuse("title =", "titel = 1\ntitle =", "'titel' is not one of title, question");
    refuse(
        "[grid]",
        "[curve]\n[grid]",
        "it needs just one of grid, duels, tuner, curve, alphazero, alphazero-arms, arms, forensic",
    );
    refuse("games = 2", "games = 9000000000000000000", "games must be from 1 to 1000000");
    refuse("[36, 9, 22]", "[36, 9]", "3 players need 3 labels and 3 rows of 3");
    refuse("[36, 9, 22]", "[36, 9, 220]", "a paper value is no percentage");
    refuse("material:depth=2", "material:depth=99", "must be from 1 to 10");
    refuse("seed = 1", "seed = \"one\"", "is not understood: invalid type");
    std::fs::write(&file, &good).unwrap();
    assert!(prints(&["reproduce", &file, "--out", &out]).contains("written to"));
}

#[test]
fn a_foreign_readme_is_not_overwritten() {
    let scratch = Scratch::new("readme");
    std::fs::write(scratch.path("README.md"), "# My project\n").unwrap();
    refuses(&["reproduce", "all", "--out", &scratch.path("")], "is not an overview of ours");
    assert_eq!(std::fs::read_to_string(scratch.path("README.md")).unwrap(), "# My project\n");
}

#[test]
fn the_experiments_are_listed() {
    let list = prints(&["reproduce", "--list"]);
    let (name, title) = list.split_once(' ').unwrap();
    assert_eq!(name, "table1");
    assert!(title.trim_start().starts_with("Table 1: first player's wins by depth"));
}
