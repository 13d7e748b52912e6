//! The learner that plays itself, run as a user would, on networks so small that it takes seconds.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::common::{Scratch, assert_same, command, contents, prints, refuses};
use dobutsu_ga::game::{Symmetry, legal_moves};
use dobutsu_ga::games::{dobutsu, kyoto};
use dobutsu_ga::learn::alphazero::{
    AlphaZeroPreset, AlphaZeroSettings, Cycles, Example, GameRecord, Learnable, SelfPlay, ValueLabels,
};
use dobutsu_ga::nets::dual::InferenceNetwork;

/// A run that takes a second or two.
fn tiny<'a>(game: &'a str, folder: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let tiny = [
        "learn",
        "alphazero",
        "--game",
        game,
        "--filters",
        "4",
        "--blocks",
        "1",
        "--cycles",
        "2",
        "--games",
        "130",
        "--simulations",
        "6",
        "--ply-cap",
        "30",
        "--measure-games",
        "4",
        "--measure-simulations",
        "4",
        "--opponent",
        "random",
        "--validation-games",
        "2",
        "--out",
        folder,
    ];
    [&tiny[..], more].concat()
}

fn files(folder: &str) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut files = contents(folder);
    files.remove(".lock");
    files
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let scratch = Scratch::new("alphazero-threads");
    for (game, more) in [
        ("dobutsu", &["--gate-games", "6"][..]),
        ("kyoto", &["--search", "puct", "--reuse", "on", "--waiting", "3", "--temperature-plies", "10"]),
        ("kyoto", &["--preset", "paper", "--epochs", "1", "--gate-games", "4"]),
    ] {
        let name = format!("{game}{}", more.len());
        let folders = ["1", "2", "4"].map(|threads| {
            let folder = scratch.path(&format!("{name}-{threads}"));
            let said = prints(&tiny(game, &folder, &[more, &["--threads", threads]].concat()));
            assert!(said.contains("against random") && said.contains("left en prise"), "{said}");
            files(&folder)
        });
        assert_same(&folders[0], &folders[1], "two threads");
        assert_same(&folders[0], &folders[2], "four threads");
        for name in [
            "network.safetensors",
            "cycles.csv",
            "cycles.png",
            "cycles.svg",
            "summary.md",
            "learner.safetensors",
        ] {
            assert!(folders[0].contains_key(name), "{name}");
        }
    }
}

fn wait_for(mut there: impl FnMut() -> bool) {
    let begun = std::time::Instant::now();
    while !there() {
        assert!(begun.elapsed() < Duration::from_secs(120), "it does what it should");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Whether a run is in this phase of this cycle, by what it has saved.
fn is_in(folder: &Path, cycle: u32, phase: &str) -> bool {
    let bytes = std::fs::read(folder.join("learner.safetensors")).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(20_000)]).to_string();
    text.contains(&format!(r#"\"cycle\":{cycle},\"phase\":{phase}"#))
}

#[test]
fn killed_in_any_phase_it_goes_on_to_the_same_bytes() {
    let scratch = Scratch::new("alphazero-killed");
    let whole = scratch.path("whole");
    let more = ["--epochs", "30", "--gate-games", "40", "--threads", "2"];
    prints(&tiny("dobutsu", &whole, &more));
    let killed = scratch.path("killed");
    let folder = scratch.0.join("killed");
    let args = tiny("dobutsu", &killed, &more);
    let first_group = folder.join("games/00001-0000.games");
    let waits: [&dyn Fn() -> bool; 4] = [
        &|| first_group.exists(),
        &|| is_in(&folder, 1, r#"{\"training\""#),
        &|| is_in(&folder, 1, r#"\"gate\""#),
        &|| is_in(&folder, 2, r#"{\"training\""#),
    ];
    for wait in waits {
        let mut child = command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_for(wait);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!folder.join("summary.md").exists(), "it was killed while it worked");
    }
    prints(&args);
    assert_same(&files(&whole), &files(&killed), "killed and taken up");
    // What a killed process has left among the games goes too, with their folder.
    std::fs::create_dir(folder.join("games")).unwrap();
    std::fs::write(folder.join("games/.00001-0000.games.9.dobutsu-ga-tmp"), "a part").unwrap();
    prints(&args);
    assert!(!folder.join("games").exists());
    // All is done: the same command says so again, and changes nothing.
    let before = contents(&killed);
    prints(&args);
    assert_same(&before, &contents(&killed), "once more");
    // Other settings do not touch it, unless they may.
    let other = tiny("dobutsu", &killed, &["--seed", "2"]);
    refuses(&other, "--force");
    prints(&[&other[..], &["--force"]].concat());
    // A learner that is not whole is not taken up.
    let learner = folder.join("learner.safetensors");
    let mut bytes = std::fs::read(&learner).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&learner, bytes).unwrap();
    refuses(&other, "is damaged or was edited");
}

/// Stopped in the middle of training it has saved weights and what Adam remembers, and goes on from there.
#[cfg(unix)]
#[test]
fn stopped_in_training_it_goes_on_to_the_same_bytes() {
    let scratch = Scratch::new("alphazero-stopped");
    let whole = scratch.path("whole");
    let more = ["--epochs", "60", "--threads", "2"];
    prints(&tiny("dobutsu", &whole, &more));
    let stopped = scratch.path("stopped");
    let folder = scratch.0.join("stopped");
    let args = tiny("dobutsu", &stopped, &more);
    let child = command(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(|| is_in(&folder, 2, r#"{\"training\""#));
    crate::common::signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).to_string();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("Stopped after 1 of 2 cycles. To go on: dobutsu-ga resume"), "{said}");
    assert!(!is_in(&folder, 2, r#"{\"training\":0"#), "some batches were learned");
    prints(&args);
    assert_same(&files(&whole), &files(&stopped), "stopped and taken up");
}

#[test]
fn wrong_settings_are_refused_with_a_sentence() {
    let scratch = Scratch::new("alphazero-wrong");
    let folder = scratch.path("run");
    for (more, words) in [
        (&["--simulations", "0"][..], "simulations is 0: it must be from 1"),
        (&["--filters", "1000"], "filters is 1000: it must be from 1 to 512"),
        (&["--batch", "1"], "batch is 1"),
        (&["--noise", "2"], "noise is 2: it must be from 0 to 1"),
        (&["--rules", "chess"], "there is no rule set 'chess'"),
        (&["--opponent", "nobody"], "there is no player 'nobody'"),
        (&["--opponent", "strong:time=10ms"], "goes by the clock"),
        (&["--opponent", "engine=fairy-stockfish"], "a program of others"),
        (&["--opening-plies", "20", "--ply-cap", "10"], "opening-plies must be less than ply-cap"),
        (&["--search", "best"], "it must be puct or gumbel"),
        (&["--c", "2"], "--c has no effect with --search gumbel"),
        (&["--temperature-plies", "9"], "--temperature-plies has no effect with --search gumbel"),
        (&["--reuse", "on"], "reuse is for puct"),
        (&["--search", "puct", "--candidates", "4"], "--candidates has no effect with --search puct"),
        (
            &["--search", "puct", "--noise", "0", "--noise-alpha", "1"],
            "--noise-alpha has no effect with --noise 0",
        ),
        (&["--gate-games", "10", "--opening-plies", "0"], "all games of the gate would be alike"),
        (
            &["--listing"],
            "the preset 'small' follows no listing: choose the preset paper (--preset paper), or leave",
        ),
        (&["--value-labels", "upside-down"], "it must be winner or inverted"),
        (
            &["--value-labels", "inverted", "--value-mix", "1"],
            "--value-labels has no effect with --value-mix 1",
        ),
        (&["--weaknesses", "on"], "weaknesses are not counted in dobutsu: leave weaknesses out"),
    ] {
        refuses(&[&["learn", "alphazero", "--game", "dobutsu", "--out", &folder][..], more].concat(), words);
    }
    refuses(&["learn", "alphazero", "--game", "quoridor"], "is for --game dobutsu or kyoto");
    assert!(!Path::new(&folder).exists(), "nothing was begun");
}

#[test]
fn a_network_is_a_player_everywhere() {
    let scratch = Scratch::new("alphazero-player");
    let folder = scratch.path("run");
    prints(&tiny("kyoto", &folder, &[]));
    let player = format!("net={folder}/network.safetensors:simulations=8");
    let played = prints(&["match", "--game", "kyoto", &player, "random", "--games", "4"]);
    assert!(played.contains("against random: 4 games"), "{played}");
    for options in ["simulations=0", "search=gumbel:simulations=5", "c=0.5:waiting=4"] {
        let player = format!("net={folder}/network.safetensors:{options}");
        prints(&[
            "tournament",
            "--game",
            "kyoto",
            &player,
            "random",
            "alphazero:simulations=2",
            "--games",
            "2",
        ]);
    }
    for (options, words) in [
        ("simulations=-1", "must be from 0 to 1000000"),
        ("simulations=1.5", "must be from 0 to 1000000"),
        ("search=deep", "must be"),
        ("depth=3", "has no option 'depth'"),
        ("waiting=0", "must be from 1 to 256"),
        ("simulations=0:c=2", "there is no tree"),
        ("search=gumbel:c=2", "no effect with search=gumbel"),
    ] {
        let player = format!("net={folder}/network.safetensors:{options}");
        refuses(&["match", "--game", "kyoto", &player, "random"], words);
    }
    let dobutsu = format!("net={folder}/network.safetensors");
    refuses(&["match", "--game", "dobutsu", &dobutsu, "random"], "it is a network of kyoto, not of dobutsu");
    refuses(&["match", "--game", "kyoto", "net=nowhere", "random"], "there is no such file");
}

/// What a few games of a tiny network teach.
fn taught<G: Learnable>() -> Vec<GameRecord<G>> {
    let settings = AlphaZeroSettings {
        channels: 4,
        blocks: 1,
        games: 6,
        ..AlphaZeroSettings::preset::<G>(AlphaZeroPreset::Small)
    };
    let cycles = Cycles::new::<G>(&settings);
    SelfPlay::new(&settings, 1, &InferenceNetwork::new(&cycles.best)).play::<G>(0, &|| ()).0
}

fn examples_are_sound<G: Learnable>() {
    let games = taught::<G>();
    assert_eq!(games.len(), 6);
    let bytes = GameRecord::to_bytes(&games, "a run");
    let rules = G::Rules::default();
    assert!(GameRecord::from_bytes(rules, &bytes, "a run").unwrap() == games, "games read back");
    assert!(GameRecord::<G>::from_bytes(rules, &bytes, "another run").is_none());
    for cut in [0, 3, bytes.len() / 2, bytes.len() - 1] {
        assert!(GameRecord::<G>::from_bytes(rules, &bytes[..cut], "a run").is_none());
    }
    for game in &games {
        let examples: Vec<Example<G>> = game.examples(0.0, ValueLabels::Winner);
        assert_eq!(examples.len(), game.plies.len());
        for example in &examples {
            let moves = legal_moves(&example.position);
            assert_eq!(example.policy.len(), moves.len());
            assert!((example.policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            let (seen, targets) = example.targets(true);
            assert_eq!(legal_moves(&seen).len(), moves.len(), "the mirrored position has the same moves");
            // Each move has its share, wherever it lies when left and right change places.
            for ((m, share), (action, taught)) in moves.iter().zip(&example.policy).zip(&targets) {
                let mirrored = G::transform_move(*m, Symmetry::Mirror);
                assert!(legal_moves(&seen).contains(&mirrored));
                assert_eq!((seen.action(mirrored) as u32, *share), (*action, *taught));
            }
        }
        // The labels of the paper's listing have the other sign, and what the tree said keeps its own.
        let said = game.examples(1.0, ValueLabels::Inverted);
        assert_eq!(said, game.examples(1.0, ValueLabels::Winner));
        let inverted = game.examples(0.0, ValueLabels::Inverted);
        assert!(inverted.iter().zip(&examples).all(|(a, b)| a.value == -b.value && a.policy == b.policy));
        // Who won last moved last.
        if let Some(last) = examples.last().filter(|last| last.value != 0.0) {
            assert_eq!(last.value, 1.0);
        }
    }
}

#[test]
fn what_is_learned_from_is_what_was_played() {
    examples_are_sound::<dobutsu::Position>();
    examples_are_sound::<kyoto::Position>();
}

fn learner(text: &str) -> Result<AlphaZeroSettings, String> {
    AlphaZeroSettings::checked::<kyoto::Position>(&text.parse().unwrap())
}

#[test]
fn the_preset_paper_is_the_text_and_listing_the_listing() {
    let text = learner("preset = 'paper'").unwrap();
    assert_eq!((text.games, text.epochs, text.cycles), (500, 300.0, 60));
    let listing = learner("preset = 'paper'\nlisting = true").unwrap();
    assert_eq!((listing.games, listing.epochs, listing.cycles), (250, 900.0, 60));
    // What else a table says comes after the listing.
    assert_eq!(learner("preset = 'paper'\nlisting = true\ngames = 7").unwrap().games, 7);
    assert!(learner("preset = 'small'\nlisting = true").unwrap_err().contains("follows no listing"));
    // The learning rate of every cycle: text and listing agree but for a misprint of the text.
    let rates = [0.0, 0.49, 0.5, 0.79, 0.8, 0.99].map(|share| text.rate_at(share));
    assert_eq!(rates, [0.001, 0.001, 0.0005, 0.0005, 0.00025, 0.00025]);
    // Files say what was used, and nothing of what was not.
    let written = |settings: &AlphaZeroSettings| toml::to_string(settings).unwrap();
    let new = ["listing", "value-labels", "weaknesses"];
    assert!(new.iter().all(|key| !written(&text).contains(key)));
    let used =
        learner("preset = 'paper'\nlisting = true\nvalue-labels = 'inverted'\nweaknesses = true").unwrap();
    assert!(new.iter().all(|key| written(&used).contains(key)));
    assert_eq!(learner(&written(&used)).unwrap(), used);
}

#[test]
fn weak_moves_are_counted_where_that_is_asked_for() {
    let scratch = Scratch::new("alphazero-weaknesses");
    let [plain, counted] = ["plain", "counted"].map(|name| scratch.path(name));
    let said = prints(&tiny("kyoto", &plain, &[]));
    assert!(!said.contains("given away"), "{said}");
    let said = prints(&tiny("kyoto", &counted, &["--weaknesses", "on"]));
    assert!(said.contains("| % of checks not answered | % into check | % pieces given away |"), "{said}");
    let [mut plain, mut counted] = [files(&plain), files(&counted)];
    // The checksums of the settings and of one more table.
    assert_ne!(plain.remove(".checksums"), counted.remove(".checksums"));
    let table = String::from_utf8(counted.remove("weaknesses.csv").unwrap()).unwrap();
    let rows: Vec<Vec<u64>> = table
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect())
        .collect();
    assert_eq!(rows.len(), 2, "{table}");
    for row in &rows {
        let &[_, moves, checks, unanswered, into_check, given_away] = row.as_slice() else {
            panic!("{table}")
        };
        assert!(unanswered <= checks && checks <= moves && unanswered + into_check + given_away <= moves);
    }
    assert!(
        rows.iter().map(|row| row[3] + row[4] + row[5]).sum::<u64>() > 0,
        "so small a network plays weakly"
    );
    for ending in ["png", "svg"] {
        assert!(counted.remove(&format!("weaknesses.{ending}")).is_some());
    }
    // Counting changes nothing that is learned.
    for name in ["run.toml", "network.safetensors", "learner.safetensors", "summary.md"] {
        assert!(plain.remove(name).is_some() && counted.remove(name).is_some(), "{name}");
    }
    assert_same(&plain, &counted, "tables and pictures of the cycles");
}

/// An experiment of several arms that takes seconds.
const ARMS: &str = r#"
game = "kyoto"
title = "Labels"
question = "Which?"
analysis = "None."

[alphazero-arms]
seeds = "1..2"
validation-games = 2
opening-plies = 2
against = ["random"]

[alphazero-arms.learner]
cycles = 2
games = 20
filters = 4
blocks = 1
ply-cap = 30
measure-games = 2
measure-simulations = 3
opponents = ["random"]
weaknesses = true
growing = { growth = "puct", simulations = 4 }

[[alphazero-arms.arms]]
name = "winner"

[[alphazero-arms.arms]]
name = "inverted"
settings = { value-labels = "inverted", growing = { c = 1.0 } }
"#;

#[test]
fn arms_are_compared_with_the_same_bytes_on_any_number_of_threads() {
    let scratch = Scratch::new("alphazero-arms");
    let path = scratch.path("labels.toml");
    std::fs::write(&path, ARMS).unwrap();
    let folders = ["1", "3"].map(|threads| {
        let out = scratch.path(threads);
        let said = prints(&["reproduce", &path, "--out", &out, "--threads", threads]);
        assert!(said.contains("| arm | `random` | accepted |"), "{said}");
        contents(format!("{out}/labels"))
    });
    assert_same(&folders[0], &folders[1], "three threads");
    let text = |name: &str| String::from_utf8(folders[0][name].clone()).unwrap();
    let keys = |name: &str| -> Vec<String> {
        let row = |line: &str| line.split(',').take(2).collect::<Vec<_>>().join(",");
        let mut keys: Vec<String> = text(name).lines().skip(1).map(row).collect();
        keys.dedup();
        keys
    };
    for name in ["runs.csv", "cycles.csv", "weaknesses.csv"] {
        assert_eq!(keys(name), ["winner,1", "winner,2", "inverted,1", "inverted,2"], "{name}");
    }
    let run = text("run.toml");
    assert!(
        run.contains("value-labels = \"inverted\"") && run.contains("c = 1.0") && run.contains("c = 1.5")
    );
    for name in ["cycles.png", "weaknesses.svg", "scores-1.png", "summary.md"] {
        assert!(folders[0].contains_key(name), "{name}");
    }
}

#[test]
fn wrong_arms_are_refused_with_a_sentence() {
    let scratch = Scratch::new("alphazero-arms-wrong");
    let path = scratch.path("wrong.toml");
    for (from, to, words) in [
        ("name = \"inverted\"", "name = \"winner\"", "each arm needs a name of its own"),
        ("value-labels = \"inverted\"", "seed = 3", "leave it out of the settings"),
        ("value-labels = \"inverted\"", "weaknesses = false", "must be measured in the same way"),
        ("value-labels = \"inverted\"", "listing = true", "inverted: the preset 'small' follows no listing"),
        ("validation-games = 2", "validation-games = 3", "an even number of games"),
        ("against = [\"random\"]", "against = [\"strong:time=10ms\"]", "goes by the clock"),
    ] {
        std::fs::write(&path, ARMS.replace(from, to)).unwrap();
        refuses(&["reproduce", &path, "--out", &scratch.path("out")], words);
    }
}
