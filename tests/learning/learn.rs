//! `dobutsu-ga learn pa` and the experiments of Quoridor, as a user would type them.

use crate::common::{Scratch, assert_same, contents, fails, prints, refuses};

/// A run that takes a second or two.
fn pa<'a>(folder: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let short =
        ["learn", "pa", "--rounds", "20", "--depth", "1", "--validation-games", "20", "--out", folder];
    [&short[..], more].concat()
}

#[test]
fn weights_are_learned_and_shown() {
    let scratch = Scratch::new("pa");
    let folder = scratch.path("run");
    let printed = prints(&pa(&folder, &[]));
    assert!(
        printed.contains(
            "20 rounds of 4 games, seed 1, C 0.1, step 0.01, starts anywhere, label small, 1 plies"
        )
    );
    assert!(
        printed.contains("Start weights: plain (1, -1, 0, 0, 0). Wall features: overlapping."),
        "{printed}"
    );
    let table = std::fs::read_to_string(scratch.0.join("run/weights.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("round,first_wins,second_wins,draws,examples,right,report.own-way,"));
    assert_eq!(lines[1], "0,0,0,0,0,0,1,-1,0,0,0", "learning begins with plain weights");
    assert_eq!(lines.len(), 22);
    let champion = format!("genome={}/champion.toml", folder);
    let match_ = prints(&["match", "--game", "quoridor", &champion, "plain", "--games", "2"]);
    assert!(match_.contains("2 games"));
    // The same command again finds everything done, and writes the same.
    let before = contents(&folder);
    prints(&pa(&folder, &[]));
    assert_same(&before, &contents(&folder), "again");
}

/// Start weights and the reading are stated wherever a run leaves a trace, and a run never goes on with others.
#[test]
fn start_weights_and_wall_features_are_stated() {
    let scratch = Scratch::new("pa-start");
    let folder = scratch.path("run");
    let chosen = ["--start-weights", "ones", "--wall-features", "bands"];
    let printed = prints(&pa(&folder, &chosen));
    let stated = "Start weights: ones (1, 1, 1, 1, 1). Wall features: bands.";
    assert!(printed.contains(stated), "{printed}");
    let file = |name: &str| std::fs::read_to_string(scratch.0.join("run").join(name)).unwrap();
    assert!(file("summary.md").contains(stated));
    assert_eq!(file("weights.csv").lines().nth(1), Some("0,0,0,0,0,0,1,1,1,1,1"));
    assert!(file("run.toml").contains("start-weights = \"ones\"\nwall-features = \"bands\"\n"));
    let champion = file("champion.toml");
    assert!(champion.contains(stated) && champion.contains("wall-features = \"bands\""), "{champion}");
    // The short name means the same.
    prints(&pa(&folder, &["--start", "ones", "--wall-features", "bands"]));
    for other in [&chosen[..2], &chosen[2..]] {
        fails(&pa(&folder, other), "holds results of other settings");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let scratch = Scratch::new("pa-wrong");
    let folder = scratch.path("run");
    refuses(
        &pa(&folder, &["--game", "kyoto"]),
        "kyoto has none of the report's features: learn pa is for --game quoridor",
    );
    for (option, value, words) in [
        ("--rounds", "0", "rounds is 0: it must be from 1 to 100000"),
        ("--games", "0", "games is 0: it must be from 1 to 10000"),
        ("--c", "-1", "c is -1: it must be from 0 to 1000"),
        ("--step", "NaN", "step is NaN: it must be from 0 to 1"),
    ] {
        let value = format!("{option}={value}");
        let args = ["learn", "pa", &value, "--out", &folder];
        refuses(&args, words);
    }
    refuses(&["learn", "pa", "--starts", "there", "--out", &folder], "it must be anywhere, files or usual");
    refuses(&["learn", "pa", "--label", "big", "--out", &folder], "it must be small or large");
    refuses(&["learn", "pa", "--start-weights", "twos", "--out", &folder], "it must be plain or ones");
    refuses(&["learn", "pa", "--wall-features", "some", "--out", &folder], "it must be overlapping or bands");
    prints(&pa(&folder, &[]));
    fails(&pa(&folder, &["--seed", "2"]), "holds results of other settings");
    std::fs::write(scratch.0.join("run/weights.csv"), "nonsense").unwrap();
    fails(&pa(&folder, &[]), "is damaged or was edited: --force begins anew");
    prints(&pa(&folder, &["--force"]));
}

/// A run goes on only from what it has written itself, whatever was changed.
#[test]
fn a_damaged_learner_is_not_gone_on_from() {
    let scratch = Scratch::new("pa-damaged");
    let folder = scratch.path("run");
    prints(&pa(&folder, &[]));
    let (kept, table) = (scratch.0.join("run/learner.json"), scratch.0.join("run/weights.csv"));
    let whole = std::fs::read_to_string(&kept).unwrap();
    let rows = std::fs::read_to_string(&table).unwrap();
    let last = rows.lines().last().unwrap().rsplit(',').nth(4).unwrap().to_string();
    let changed = last.replacen(['1', '2', '3', '4', '5', '6', '7', '8', '9'], "0", 1);
    for value in [changed.as_str(), "NaN", "inf"] {
        // While it is under way there are no checksums yet.
        std::fs::remove_file(scratch.0.join("run/.checksums")).unwrap();
        std::fs::write(&kept, whole.replace(&last, value)).unwrap();
        fails(
            &pa(&folder, &[]),
            "learner.json' cannot be taken up: it is damaged or was edited (--force begins anew)",
        );
        std::fs::write(&kept, &whole).unwrap();
        prints(&pa(&folder, &[]));
        // Finished, its tables are what was written too.
        std::fs::write(&table, rows.replace(&last, value)).unwrap();
        fails(&pa(&folder, &[]), "weights.csv' is damaged or was edited: --force begins anew");
        refuses(&["redraw", &folder], "weights.csv' is damaged or was edited");
        std::fs::write(&table, &rows).unwrap();
    }
    prints(&["redraw", &folder]);
    // What is no number is never drawn, with checksums or without.
    std::fs::remove_file(scratch.0.join("run/.checksums")).unwrap();
    std::fs::write(&table, rows.replace(&last, "NaN")).unwrap();
    refuses(&["redraw", &folder], "the table 'weights.csv' is damaged or was edited");
}

const DUELS: &str = r#"
game = "quoridor"
title = "Short"
question = "?"
analysis = "!"

[duels]
games = 20
seed = 3
opening-plies = 4

[[duels.pairs]]
name = "steps"
player = "plain:depth=1:book=no"
against = "random"
"#;

const SHORT_PA: &str = r#"
game = "quoridor"
title = "Short"
question = "?"
analysis = "!"

[pa]
seeds = "1..3"
validation-games = 10
opening-plies = 4
rivals = ["report"]

[pa.settings]
rounds = 5
depth = 1
start-weights = "ones"

[pa.tuner]
generations = 2
population = 3
elite = 2
depth = 1

[pa.paper]
table = "figure 9"
weights = [0.886, -0.876, 0.468, 0.262, -0.236]
"#;

#[test]
fn experiments_come_out_twice() {
    let scratch = Scratch::new("quoridor-experiments");
    let out = scratch.path("results");
    for (name, text, words) in [
        ("duels.toml", DUELS, "| steps | `plain:depth=1:book=no` | `random` | 100.0 ["),
        ("short.toml", SHORT_PA, "| report.own-way | 0.886 |"),
    ] {
        let file = scratch.path(name);
        std::fs::write(&file, text).unwrap();
        let first = prints(&["reproduce", &file, "--out", &out, "--threads", "1"]);
        assert!(first.contains(words), "{first}");
        let second = prints(&["reproduce", &file, "--out", &out, "--threads", "3"]);
        assert!(second.contains("came out again, byte for byte"), "{second}");
    }
    let summary = std::fs::read_to_string(scratch.0.join("results/short/summary.md")).unwrap();
    let stated = "Start weights: ones (1, 1, 1, 1, 1). Wall features: overlapping. The untrained values below are those of `plain`.";
    assert!(summary.contains(stated), "{summary}");
    assert!(
        summary.contains("## The tuner, with as many games") && summary.contains("## One against the other")
    );
}

#[test]
fn duels_have_a_cap_a_curve_and_published_rows_where_that_is_asked_for() {
    let scratch = Scratch::new("quoridor-capped-duels");
    let (file, out) = (scratch.path("capped.toml"), scratch.path("results"));
    let published = r#"
[[duels.published]]
name = "elsewhere"
player = "theirs"
against = "another"
first = [0, 1, 29]
second = [0, 2, 28]
"#;
    let text = DUELS
        .replace("opening-plies = 4", "opening-plies = 4\nply-cap = 5\ncurve = \"plies\"")
        .replace("against = \"random\"", "against = \"random\"\nat = 1");
    std::fs::write(&file, text + published).unwrap();
    let said = prints(&["reproduce", &file, "--out", &out]);
    assert!(said.contains("seed 3. A game is a draw after 5 plies. Score of"), "{said}");
    let rows = [
        "| elsewhere | theirs | another | 2.5 | 1.7 | 3.3 | 5.0 | none: not our games |",
        "| steps | `plain:depth=1:book=no` | `random` | 50.0 [45.0, 55.0] | 50.0 | 50.0 | 100.0 | no difference seen |",
    ];
    assert!(said.contains(&rows.join("\n")), "{said}");
    let table = std::fs::read_to_string(scratch.0.join("results/capped/duels.csv")).unwrap();
    assert_eq!(table.lines().count(), 2, "{table}");
    assert!(
        table.starts_with("duel,") && table.lines().all(|line| line.ends_with(",at") || line.ends_with(",1"))
    );
    let picture = std::fs::read_to_string(scratch.0.join("results/capped/duels.svg")).unwrap();
    assert!(picture.contains("against random") && picture.contains("plies"), "a line for each opponent");
}

#[test]
fn experiments_that_make_no_sense_are_refused() {
    let scratch = Scratch::new("quoridor-nonsense");
    let file = scratch.path("wrong.toml");
    for (text, words) in [
        (DUELS.replace("games = 20", "games = 3"), "it needs an even number of games"),
        (DUELS.replace("\"random\"", "\"nobody\""), "there is no player 'nobody'"),
        (DUELS.replace("seed = 3", "seed = 3\nply-cap = 4"), "ply-cap must be more than opening-plies"),
        (DUELS.replace("seed = 3", "seed = 3\ncurve = \"plies\""), "a curve needs a number above 0 ('at')"),
        (SHORT_PA.replace("quoridor", "kyoto"), "'pa' is not one of"),
        (SHORT_PA.replace("\"report\"]", "\"S\"]"), "a rival must be one of the genomes"),
        (SHORT_PA.replace("rounds = 5", "rounds = 0"), "rounds is 0"),
        (SHORT_PA.replace("\"ones\"", "\"twos\""), "there is no choice of start weights 'twos'"),
    ] {
        std::fs::write(&file, text).unwrap();
        refuses(&["reproduce", &file, "--out", &scratch.path("results")], words);
    }
}
