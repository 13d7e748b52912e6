//! Every game of the lab under every command, as a user would type it.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{Scratch, assert_same, command, contents, prints, refuses};

/// A run of the tuner on Kyoto Shogi that takes a second or two.
const TUNER: [&str; 15] = [
    "--game",
    "kyoto",
    "--preset",
    "robust",
    "--generations",
    "4",
    "--population",
    "6",
    "--elite",
    "3",
    "--survivors",
    "0",
    "--games-per-pair",
    "2",
    "--no-validate",
];

fn tuner<'a>(folder: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&TUNER[..], &["--depth", "2", "--hall", "1", "--out", folder], more].concat()
}

#[test]
fn games_and_players_are_listed() {
    let games = prints(&["games"]);
    for words in [
        "dobutsu: Dobutsu Shogi",
        "kyoto: Kyoto Shogi",
        "capture (who captures the king wins)",
        "kyoto/table6",
    ] {
        assert!(games.contains(words), "{words}: {games}");
    }
    let players = prints(&["players", "--game", "kyoto"]);
    let explains = |line: &str| line.starts_with("  A  ") && line.contains("reconstruction");
    assert!(players.lines().any(explains) && !players.contains("perfect"), "{players}");
    assert!(prints(&["players"]).contains("perfect"));
    // What one list knows, the other texts know too.
    let help = prints(&["match", "--help"]);
    for name in ["oracle", "robust-full", "evaluate=", "perfect"] {
        assert!(help.contains(name), "{name}: {help}");
    }
}

#[test]
fn a_game_is_chosen_once() {
    assert!(prints(&["perft", "--game", "kyoto", "--depth", "4"]).contains("leaves   24027\n"));
    assert!(
        prints(&["perft", "--game", "kyoto", "--rules", "legal", "--depth", "4"])
            .contains("leaves   18268\n")
    );
    let shown = prints(&["show", "--game", "kyoto", "+1514HI", "--style", "kanji"]);
    assert!(shown.contains("v歩 | v金") && shown.contains("飛") && shown.contains("-4142KE"), "{shown}");
    let match_ = prints(&["match", "--game", "kyoto", "B:depth=1", "random", "--games", "20"]);
    assert!(match_.contains("20 games, seed 1, capture rules"), "{match_}");
    let off = prints(&["match", "--game", "kyoto", "A", "A", "--games", "2", "--repetition", "off"]);
    assert!(off.contains("repetition allowed"), "{off}");
    assert!(
        prints(&["tournament", "--game", "kyoto", "random", "S:depth=1", "A:depth=1", "--games", "4"])
            .contains("Joint ratings")
    );
    assert!(prints(&["bench", "--game", "kyoto", "--counts"]).contains("strong, B, depth 4"));
    assert!(prints(&["reproduce", "--list"]).contains("kyoto/robust"));
}

#[test]
fn what_is_wrong_is_said() {
    refuses(
        &["show", "--game", "chess"],
        "there is no game 'chess': choose dobutsu, kyoto, quoridor or hasami",
    );
    refuses(
        &["show", "--game", "kyoto", "--rules", "paper"],
        "there is no rule set 'paper': choose capture or legal",
    );
    refuses(
        &["match", "random", "random", "--rules", "legal"],
        "there is no rule set 'legal': choose paper or official",
    );
    refuses(
        &["match", "--game", "kyoto", "material", "A"],
        "there is no player 'material': choose random, S, A, B, C",
    );
    refuses(&["match", "--game", "kyoto", "perfect", "A"], "there is no player 'perfect'");
    refuses(&["match", "--game", "kyoto", "A", "B", "--array", "figure12"], "kyoto has one array only");
    refuses(&["reproduce", "kyoto/table9"], "there is no experiment 'kyoto/table9': choose table1");
    for (fen, words) in [
        (
            "p+nks+l/5/ppppp/pp3/+LSK+NP[-] w 0 1",
            "9 of the piece pawn/rook, board and hands together: the game has 2",
        ),
        ("p+nks+l/2K2/5/5/+LSK+NP[-] w 0 1", "3 kings, board and hands together: the game has 2"),
        ("p+nks+l/5/5/5/+LSK+N1[-] w 0 1", "1 of the piece pawn/rook"),
    ] {
        refuses(&["show", "--game", "kyoto", fen], words);
    }
    for solved in [&["solve"][..], &["probe"], &["grade", "B"], &["fit"], &["guideline"]] {
        let words = format!("kyoto is not solved: {} needs a solved game (dobutsu)", solved[0]);
        refuses(&[solved, &["--game", "kyoto"]].concat(), &words);
    }
    let scratch = Scratch::new("oracle");
    let out = scratch.path("run");
    refuses(&["--game", "kyoto", "--fitness", "oracle", "--out", &out], "kyoto is not solved");
    refuses(
        &["match", "--game", "kyoto", "A", "B", "--opening-plies", "2", "--openings", "drawn"],
        "kyoto is not solved",
    );
    assert!(!scratch.0.join("run").exists());
}

#[test]
fn genomes_and_runs_know_their_game() {
    let scratch = Scratch::new("genomes");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/genomes");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    let kyoto = root.join("kyoto/B.toml").display().to_string();
    let dobutsu = root.join("dobutsu/table5.toml").display().to_string();
    refuses(
        &["match", &format!("genome={kyoto}"), "material"],
        "it is about kyoto, not about dobutsu: --game kyoto is for it",
    );
    refuses(
        &["match", "--game", "kyoto", &format!("genome={dobutsu}"), "A"],
        "it is about dobutsu, not about kyoto",
    );
    let short = scratch.path("short.toml");
    std::fs::write(&short, read("kyoto/B.toml").replace("rook = 200\n", "")).unwrap();
    refuses(
        &["match", "--game", "kyoto", &format!("genome={short}"), "A"],
        "board.rook is missing: a genome has a value for each of [board] pawn rook silver",
    );
    // What was called A up to 0.1 is S: an old copy says so instead of playing under the wrong name.
    let old = scratch.path("A.toml");
    std::fs::write(&old, read("kyoto/S.toml")).unwrap();
    refuses(
        &["match", "--game", "kyoto", &format!("genome={old}"), "B"],
        "it holds the values of set S, which was called A up to version 0.1: rename the file to S.toml",
    );
    assert!(
        prints(&["match", "--game", "kyoto", &format!("genome={kyoto}"), "B", "--games", "2"])
            .contains("2 games")
    );

    let folder = scratch.path("run");
    prints(&tuner(&folder, &[]));
    let text = std::fs::read_to_string(scratch.0.join("run/run.toml")).unwrap();
    assert!(text.contains("game = \"kyoto\"") && text.contains("opening-plies = 4"), "{text}");
    let champion = format!("genome={folder}/champion.toml");
    assert!(
        prints(&["match", "--game", "kyoto", &champion, "S:depth=1", "--games", "2"]).contains("2 games")
    );
    assert!(prints(&["resume", &folder]).contains("is complete"));
    // The settings of a run are those of its game.
    let config = format!("{folder}/run.toml");
    let other = scratch.path("other");
    refuses(
        &["--game", "dobutsu", "--config", &config, "--out", &other],
        "it is about kyoto, not about dobutsu",
    );
    let again = scratch.path("again");
    prints(&["--config", &config, "--no-validate", "--out", &again]);
    assert_same(&contents(folder), &contents(again), "the same settings from a file");
}

#[test]
fn kyoto_runs_are_the_same_on_any_number_of_threads_and_after_a_kill() {
    let scratch = Scratch::new("kyoto-threads");
    let folders = ["1", "2", "8"].map(|threads| {
        let folder = scratch.path(threads);
        prints(&tuner(&folder, &["--threads", threads]));
        contents(folder)
    });
    assert_same(&folders[0], &folders[1], "two threads");
    assert_same(&folders[0], &folders[2], "eight threads");
    let killed = scratch.path("killed");
    for milliseconds in [30, 120] {
        if scratch.0.join("killed/champion.toml").exists() {
            break;
        }
        let args = if scratch.0.join("killed/run.toml").exists() {
            vec!["resume", &killed, "--no-validate", "--checkpoint-every", "1"]
        } else {
            tuner(&killed, &["--checkpoint-every", "1"])
        };
        let mut child = command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    prints(&["resume", &killed, "--no-validate"]);
    assert_same(&folders[0], &contents(killed), "killed twice");
}

/// Short runs of the tuner on a game's usual genes and on all: the same on any number of threads. Returns the folder of each.
fn tunes(scratch: &Scratch, game: &str, gene: &str) -> [String; 2] {
    ["material", "full"].map(|genes| {
        let folders = ["1", "3"].map(|threads| {
            let folder = scratch.path(&format!("{genes}-{threads}"));
            let short =
                ["--generations", "3", "--population", "4", "--depth", "1", "--validation-games", "4"];
            let args = [&["--game", game, "--genes", genes], &short[..], &["--threads", threads]].concat();
            prints(&[&args[..], &["--out", &folder]].concat());
            folder
        });
        assert_same(&contents(&folders[0]), &contents(&folders[1]), "threads");
        let champion = std::fs::read_to_string(format!("{}/champion.toml", folders[0])).unwrap();
        assert!(champion.contains(&format!("game = \"{game}\"")) && champion.contains(gene), "{champion}");
        let [first, _] = folders;
        first
    })
}

/// The tuner on signed weights: first the report's five, then all.
#[test]
fn quoridor_is_played_tuned_and_shown() {
    let scratch = Scratch::new("quoridor-tuner");
    for folder in tunes(&scratch, "quoridor", "own-way = ") {
        let population = std::fs::read_to_string(format!("{folder}/population.csv")).unwrap();
        assert!(population.contains(",-0."), "weights of either sign begin");
    }
    assert!(prints(&["perft", "--game", "quoridor", "--depth", "2"]).contains("leaves   16677\n"));
    let shown = prints(&["show", "--game", "quoridor", "e2", "e8", "e3h", "--style", "lines"]);
    assert!(shown.contains("━━━━━━━") && shown.contains("first player has 9 walls"), "{shown}");
    let fen = "e1 e9 9 10 h:e3 v:- b";
    for words in [vec![fen], fen.split(' ').collect()] {
        assert!(
            prints(&[&["show", "--game", "quoridor"], &words[..], &["e8"]].concat()).contains("e1 e8 9 10")
        );
    }
    refuses(&["show", "--game", "quoridor", "e1 e9 11 10 h:- v:- w"], "cannot have '11' walls left");
    refuses(&["show", "--game", "quoridor", "e3h", "e3v"], "move 2: 'e3v' is not a legal move");
    refuses(
        &["--game", "quoridor", "--mutation-range=-200..2", "--out", &scratch.path("no")],
        "from -100 to 100 points",
    );
    assert!(prints(&["bench", "--game", "quoridor", "--counts"]).contains("checksum"));
    assert!(prints(&["players", "--game", "quoridor"]).contains("walls=WHERE"));
}

/// What has no effect is refused, and not stated in `run.toml`.
#[test]
fn a_setting_without_effect_is_refused() {
    let scratch = Scratch::new("no-effect");
    for game in ["quoridor", "hasami"] {
        for (option, value) in [("--terminal", "exact"), ("--evaluate", "path"), ("--terminal", "paper")] {
            let args = ["--game", game, option, value, "--out", &scratch.path("no")];
            refuses(&args, &format!("{option} has no effect with --game {game}"));
        }
        let folder = scratch.path(game);
        let short = ["--generations", "2", "--population", "3", "--depth", "1", "--no-validate"];
        prints(&[&["--game", game, "--out", &folder][..], &short].concat());
        let settings = std::fs::read_to_string(format!("{folder}/run.toml")).unwrap();
        assert!(!settings.contains("terminal") && !settings.contains("evaluate"), "{settings}");
        // What an earlier version has written is still understood.
        let old = scratch.path("old.toml");
        std::fs::write(&old, settings.clone() + "terminal = \"paper\"\nevaluate = \"leaf\"\n").unwrap();
        let again = scratch.path(&format!("{game}-again"));
        prints(&["--config", &old, "--out", &again, "--no-validate"]);
        assert_eq!(std::fs::read_to_string(format!("{again}/run.toml")).unwrap(), settings);
    }
    refuses(
        &["--game", "kyoto", "--terminal", "through", "--out", &scratch.path("no")],
        "terminal is through: it must be paper or exact: kyoto ends for good",
    );
    refuses(&["match", "--game", "kyoto", "S:terminal=through", "random"], "must be paper or exact");
}

/// Hasami under every command that plays, tunes, counts or shows.
#[test]
fn hasami_is_played_tuned_and_shown() {
    let scratch = Scratch::new("hasami-tuner");
    for folder in tunes(&scratch, "hasami", "mobility = ") {
        let player = format!("genome={folder}/champion.toml:depth=1:ties=random");
        let args = ["match", "--game", "hasami", &player, "report:depth=1", "--games", "4"];
        assert!(prints(&args).contains("4 games, seed 1, report rules"));
    }
    assert!(prints(&["perft", "--game", "hasami", "--depth", "3"]).contains("leaves   254219\n"));
    let shown = prints(&["show", "--game", "hasami", "a1a5", "5155", "--style", "signs"]);
    assert!(
        shown.contains("▲") && shown.contains("▽") && shown.contains("second player has taken 0"),
        "{shown}"
    );
    let fen = "pppppp3/9/9/9/9/9/9/9/PPPPPPPPP b !";
    for words in [vec![fen], fen.split(' ').collect()] {
        let shown = prints(&[&["show", "--game", "hasami"], &words[..]].concat());
        assert!(shown.contains("the second player must take back at once"), "{shown}");
    }
    let over = prints(&["show", "--game", "hasami", fen, "a9a8"]);
    assert!(over.contains("The first player has won by lead of three."), "{over}");
    for rules in ["lines", "sudden", "five"] {
        let args = ["match", "--game", "hasami", "--rules", rules, "random", "random-piece", "--games", "2"];
        assert!(prints(&args).contains(&format!("{rules} rules")));
    }
    refuses(&["show", "--game", "hasami", "a1b2"], "move 1: 'a1b2' is not a legal move");
    refuses(&["match", "--game", "hasami", "random", "report:ties=last"], "must be first or random");
    refuses(&["match", "--game", "hasami", "random", "report:terminal=exact"], "it takes depth, ties");
    refuses(
        &["--game", "hasami", "--rules", "official", "--out", &scratch.path("no")],
        "there is no rule set",
    );
    refuses(&["probe", "--game", "hasami"], "hasami is not solved: probe needs a solved game (dobutsu)");
    assert!(prints(&["bench", "--game", "hasami", "--counts"]).contains("checksum"));
    assert!(prints(&["players", "--game", "hasami"]).contains("net=FILE"));
    assert!(prints(&["games"]).contains("five (as report, but only five captured pieces win)"));
}

/// Perpetual check loses by the legal rules, and is a draw where the king may be captured.
#[test]
fn a_check_that_never_ends_loses() {
    use dobutsu_ga::game::{Game, Outcome, Side};
    use dobutsu_ga::games::kyoto::{Position, Rules};
    // The verdict itself: the same four positions in turn, one side in check at each of its turns.
    let checked = Position::parse("k4/P4/5/5/2K2[PSSNNLL] b 0 1", Rules::Legal).unwrap();
    let free = Position::parse("k4/5/P4/5/2K2[PSSNNLL] w 0 1", Rules::Legal).unwrap();
    assert!(checked.in_check() && !free.in_check());
    assert_eq!(Position::repeated(&[checked, free, checked, free, checked]), Outcome::Win(Side::Second));
    let quiet = Position::parse("k4/5/P4/5/2K2[PSSNNLL] b 0 1", Rules::Legal).unwrap();
    assert_eq!(Position::repeated(&[checked, free, quiet, free, checked]), Outcome::Draw);
    let capture = |fen: &str| Position::parse(fen, Rules::Capture).unwrap();
    let (checked, free) = (capture("k4/P4/5/5/2K2[PSSNNLL] b 0 1"), capture("k4/5/P4/5/2K2[PSSNNLL] w 0 1"));
    assert_eq!(Position::repeated(&[checked, free, checked]), Outcome::Draw);
}

const SLOW_DUELS: &str = r#"
title = "Slow duels"
asks = "Are games kept?"
finds = "They are."
question = "Are games kept?"
analysis = "They are."
game = "kyoto"
minutes = 1

[duels]
games = 120
seed = 1
opening-plies = 4

[[duels.pairs]]
name = "one"
player = "B:depth=2"
against = "S:depth=2"

[[duels.pairs]]
name = "two"
player = "B:depth=3"
against = "random"
"#;

/// Duels that take minutes keep their games: killed and taken up they give the same bytes, and do not play all again.
#[test]
fn slow_duels_keep_their_games() {
    let scratch = Scratch::new("slow-duels");
    let file = scratch.path("duels.toml");
    std::fs::write(&file, SLOW_DUELS).unwrap();
    let run = |name: &str, threads: &str| {
        let out = scratch.path(name);
        command(&["reproduce", &file, "--out", &out, "--threads", threads])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    assert!(run("whole", "1").wait().unwrap().success());
    let whole = contents(scratch.0.join("whole/duels"));
    let progress = scratch.0.join("killed/duels/.progress");
    let kept = || std::fs::read_dir(&progress).map_or(0, |entries| entries.count());
    for pieces in [2, 9] {
        let mut child = run("killed", "2");
        let begun = Instant::now();
        while kept() < pieces && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(kept() >= pieces, "killed before it was over, with games kept");
    }
    assert!(run("killed", "2").wait().unwrap().success());
    let _ = std::fs::remove_file(scratch.0.join("killed/duels/.lock"));
    assert_same(&contents(scratch.0.join("killed/duels")), &whole, "killed and taken up");
}
