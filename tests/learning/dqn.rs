//! The deep Q-learner, run as a user would, on networks so small that it takes seconds.

use crate::common::{Scratch, assert_same, command, contents, prints, refuses, run};
use dobutsu_ga::game::{Game, Side};
use dobutsu_ga::games::hasami::dqn::{
    Dqn, DqnPreset, DqnSettings, EndReward, Episode, Experience, Plies, Replay, Reward, View,
};
use dobutsu_ga::games::hasami::net::{Outputs, QNetwork, Seen};
use dobutsu_ga::games::hasami::{Position, Rules};
use dobutsu_ga::random::stream;

/// A run that takes a second or two.
const SMALL: [&str; 14] = [
    "learn",
    "dqn",
    "--hidden",
    "12,8",
    "--batch",
    "150",
    "--replay",
    "700",
    "--update-interval",
    "16",
    "--validation-games",
    "2",
    "--epsilon",
    "0.5",
];

fn small<'a>(folder: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    small_of("8", folder, more)
}

fn small_of<'a>(episodes: &'a str, folder: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&SMALL[..], &["--episodes", episodes, "--ply-cap", "300", "--out", folder], more].concat()
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let scratch = Scratch::new("dqn-threads");
    for more in [
        &["--opponent", "random", "--opponent", "self"][..],
        &["--preset", "paper"],
        &["--dropout", "0.3", "--double", "off", "--opponent", "report:depth=1"],
    ] {
        let name = more.join("").replace([':', '='], "");
        let folders = ["1", "2", "4"].map(|threads| {
            let folder = scratch.path(&format!("{name}-{threads}"));
            prints(&small(&folder, &[more, &["--threads", threads]].concat()));
            contents(&folder)
        });
        assert_same(&folders[0], &folders[1], "two threads");
        assert_same(&folders[0], &folders[2], "four threads");
        for name in ["network.safetensors", "learning.png", "learning.svg"] {
            assert!(folders[0].contains_key(name), "{name}");
        }
    }
}

#[test]
fn a_damaged_network_does_not_play() {
    let scratch = Scratch::new("dqn-network");
    let folder = scratch.path("run");
    prints(&small_of("3", &folder, &[]));
    let path = scratch.0.join("run/network.safetensors");
    let player = format!("net={}", path.display());
    let args = ["match", "--game", "hasami", &player, "random", "--games", "2"];
    prints(&args);
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 4;
    bytes[last] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    refuses(&args, "it is damaged or was edited: its checksum is another");
}

#[test]
fn a_network_is_a_player_everywhere() {
    let scratch = Scratch::new("dqn-player");
    let folder = scratch.path("run");
    let summary = prints(&small(&folder, &[]));
    assert!(summary.contains("network v random") && summary.contains("batches learned"), "{summary}");
    let player = format!("net={folder}/network.safetensors");
    let played = prints(&["match", "--game", "hasami", &player, "random", "--games", "4"]);
    assert!(played.contains("against random: 4 games"), "{played}");
    prints(&["tournament", "--game", "hasami", &player, "random", "pieces:depth=1", "--games", "2"]);
    // From the same place a network always plays the same.
    let twice = ["1", "2"].map(|seed| {
        let records = scratch.path(&format!("{seed}.jsonl"));
        let args = ["match", "--game", "hasami", &player, "report:depth=1", "--games", "2", "--seed", seed];
        prints(&[&args[..], &["--records", &records]].concat());
        let moves = |line: &str| line.split("\"moves\"").nth(1).map(String::from);
        std::fs::read_to_string(records).unwrap().lines().map(moves).collect::<Vec<_>>()
    });
    assert_eq!(twice[0], twice[1]);
}

/// The network for play has only the outputs that a move can have, and values moves as the network that learns does, to the bit.
#[test]
fn the_network_for_play_is_small_and_plays_the_same() {
    let settings = DqnSettings::preset(DqnPreset::Paper);
    let learned = QNetwork::random(&settings.hidden, settings.outputs(), &mut stream(4, 4, 4));
    let written = learned.for_play().to_bytes("a test");
    assert!(learned.to_bytes("a test").len() > 7_000_000 && written.len() < 1_000_000, "{}", written.len());
    let for_play = QNetwork::from_bytes(&written).unwrap();
    assert_eq!(for_play.outputs, Outputs::Moves);
    let mut random = stream(5, 5, 5);
    for _ in 0..20 {
        let mut position = Position::start(Rules::Report);
        while position.outcome().is_none() {
            assert_eq!(learned.values(&position), for_play.values(&position), "{position}");
            assert_eq!(learned.best(&position), for_play.best(&position), "{position}");
            position = position.play(position.random_move(&mut random));
        }
    }
    // A network of a sound run has those outputs already.
    assert_eq!(for_play.for_play(), for_play);
}

/// A run with all outputs writes the network for play, and keeps all outputs to go on with.
#[test]
fn a_run_with_all_outputs_writes_a_small_network() {
    let scratch = Scratch::new("dqn-outputs");
    let folder = scratch.path("run");
    prints(&small(&folder, &["--preset", "paper"]));
    let read = |name: &str| std::fs::read(scratch.0.join("run").join(name)).unwrap();
    assert_eq!(QNetwork::from_bytes(&read("network.safetensors")).unwrap().outputs, Outputs::Moves);
    // Four layers of all outputs: the network, its older copy, and what Adam remembers of each.
    assert!(read("learner.safetensors").len() > 4 * 4 * 8 * 14_641);
}

#[test]
fn bad_input_is_a_sentence_and_loses_nothing() {
    let scratch = Scratch::new("dqn-bad");
    let out = scratch.path("no");
    let bad = |more: &[&str], words: &str| {
        refuses(&[&["learn", "dqn", "--out", &out], more].concat(), words);
        assert!(!scratch.0.join("no").exists(), "{more:?}");
    };
    bad(&["--game", "kyoto"], "kyoto has no such network: learn dqn is for --game hasami");
    bad(&["--opponent", "stockfish"], "there is no player 'stockfish'");
    bad(&["--episodes", "0"], "episodes is 0: it must be from 1");
    bad(&["--batch", "300", "--replay", "200"], "a batch of 300 cannot be drawn from a memory of 200");
    bad(&["--epsilon", "2"], "epsilon is 2: it must be from 0 to 1");
    bad(&["--learning-rate", "nan"], "learning-rate is NaN");
    bad(&["--hidden", "0"], "hidden is 0: it must be whole numbers from 1 to 1024");
    bad(&["--reward", "luck=3"], "it must be NAME=NUMBER");
    bad(&["--reward", "capture=inf"], "it must be NAME=NUMBER");
    bad(&["--preset", "best"], "it must be sound or paper");
    bad(&["--double", "maybe"], "it must be on or off");
    bad(&["--opponent", "strong"], "goes by the clock, so that no run would be like another");
    bad(&["--ply-cap", "8", "--opening-plies", "8"], "opening-plies must be less than ply-cap");
    bad(&["--learning-rate=-1"], "learning-rate is -1: it must be from 0 to 1000000");
    bad(&["--hidden", "5000"], "hidden is 5000: it must be whole numbers from 1 to 1024");
    let network = |bytes: &[u8], words: &str| {
        let path = scratch.path("net.safetensors");
        std::fs::write(&path, bytes).unwrap();
        refuses(&["match", "--game", "hasami", &format!("net={path}"), "random", "--games", "2"], words);
    };
    let good = QNetwork::random(&[4], Outputs::Moves, &mut stream(1, 1, 1)).to_bytes("a test");
    network(&good[..good.len() / 2], "it is no whole safetensors file");
    network(b"", "it is no whole safetensors file");
    let mut changed = good.clone();
    *changed.last_mut().unwrap() ^= 1;
    network(&changed, "it is damaged or was edited: its checksum is another");
    refuses(&["match", "--game", "hasami", "net=nowhere", "random"], "there is no such file");
    refuses(&["match", "--game", "quoridor", "net=nowhere", "random"], "there is no player 'net=nowhere'");
}

#[test]
fn a_damaged_checkpoint_is_noticed_and_other_settings_are_not_mixed() {
    let scratch = Scratch::new("dqn-damaged");
    let folder = scratch.path("run");
    prints(&small(&folder, &[]));
    refuses(&small(&folder, &["--seed", "2"]), "holds results of other settings");
    let player = format!("net={folder}/learner.safetensors");
    refuses(
        &["match", "--game", "hasami", &player, "random"],
        "the network is in network.safetensors beside it",
    );
    let path = scratch.0.join("run/learner.safetensors");
    let mut bytes = std::fs::read(&path).unwrap();
    let rows = bytes.windows(8).position(|part| part == b"episode,").unwrap();
    bytes[rows + 60] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    refuses(&small(&folder, &[]), "is damaged or was edited");
    // A weight that is still a number.
    bytes[rows + 60] ^= 1;
    let last = bytes.len() - 4;
    bytes[last] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    refuses(&small(&folder, &[]), "its checksum is another");
    std::fs::write(&path, &bytes[..1000]).unwrap();
    refuses(&small(&folder, &[]), "no whole safetensors file");
    prints(&small(&folder, &["--force"]));
}

#[test]
fn values_that_are_no_numbers_stop_the_run_and_keep_the_last_good_checkpoint() {
    let scratch = Scratch::new("dqn-nan");
    let folder = scratch.path("run");
    let args = small(&folder, &["--learning-rate", "1000000", "--checkpoint-every", "1"]);
    // What is kept is good: taken up, it comes to the same place again.
    let said = [(), ()].map(|()| {
        let output = run(&args);
        let said = String::from_utf8_lossy(&output.stderr).to_string();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("the values were no numbers any more in episode"), "{said}");
        assert!(said.contains("keeps what was learned up to episode"), "{said}");
        said.lines().last().map(String::from)
    });
    assert_eq!(said[0], said[1]);
    assert!(scratch.0.join("run/learner.safetensors").exists());
    assert!(!scratch.0.join("run/network.safetensors").exists());
}

/// The report's rewards on a position that can be worked out by hand.
#[test]
fn rewards_are_the_reports() {
    let reward = Reward::default();
    let of = |text: &str, m: &str| {
        let before = Position::parse(text, Rules::Report).unwrap();
        let m = before.parse_move(m).unwrap();
        reward.of_ply(&before, m, &before.play(m), EndReward::Winner)
    };
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} and {b}");
    // Nothing near anybody.
    near(of("ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP w", "a1a3"), 0.0);
    // c3 is taken between b3 and d3: 5. d3 itself cannot be taken, nobody stands beside it, all are safe.
    near(of("pppppppp1/9/9/9/9/9/1Pp5P/9/PPPPPPP2 w", "i3d3"), 5.0);
    // a5 comes beside b5; the piece on c9 could come to ... nobody can reach the other side of a5: it stands at the edge.
    near(of("ppppppp2/9/9/9/1p7/9/9/9/PPPPPPPP1 w", "a1a5"), 0.001);
    // e5 beside d5, and another can come to f5 from f9: one piece at risk when level, and the one that moved.
    near(of("pppp1pppp/9/9/9/3p5/9/9/9/PPPPPPPPP w", "e1e5"), -1.0 - 2.0);
    // The same for the second player, seen from the other side.
    near(of("ppppppppp/9/9/9/5P3/9/9/9/PPPP1PPPP b", "e9e5"), -3.0);
}

#[test]
fn the_end_is_rewarded_as_it_is_said() {
    let reward = Reward {
        exposed: 0.0,
        contact: 0.0,
        risk_ahead: 0.0,
        risk_level: 0.0,
        risk_behind: 0.0,
        ..Reward::default()
    };
    let before = Position::parse("pppp5/9/9/9/9/9/1Pp5P/9/PPPP5 w", Rules::Five).unwrap();
    let m = before.parse_move("i3d3").unwrap();
    let after = before.play(m);
    assert_eq!(after.left(Side::Second), 4);
    // One taken, the game won with a lead of two.
    for end in EndReward::ALL {
        assert_eq!(reward.of_ply(&before, m, &after, end), 5.0 + 10.0 + 4.0);
    }
    // Who does not take back loses by his own move.
    let before = Position::parse("pppppp3/9/9/9/9/9/9/9/PPPPPPPPP b", Rules::Report).unwrap();
    let m = before.parse_move("a9a8").unwrap();
    let after = before.play(m);
    assert_eq!(reward.of_ply(&before, m, &after, EndReward::Winner), -(10.0 + 6.0));
    assert_eq!(reward.of_ply(&before, m, &after, EndReward::Mover), 10.0 - 6.0);
}

/// What the answer takes, and a game lost by it, count against the learner's ply before it: counted anew from the boards.
#[test]
fn answers_count_against_the_ply_before() {
    let terms = Reward {
        capture: 5.0,
        exposed: 0.0,
        contact: 0.0,
        risk_ahead: 0.0,
        risk_level: 0.0,
        risk_behind: 0.0,
        end: 100.0,
        end_lead: 0.0,
    };
    let settings = DqnSettings { reward: terms, ..DqnSettings::preset(DqnPreset::Sound) };
    let (mut losses, mut wins, mut taken) = (0, 0, 0);
    for number in 0..12 {
        for experience in experiences(&settings, number).0 {
            let Experience { board, next, reward, done, .. } = experience;
            let gained = board.other.len() as f32 - next.other.len() as f32;
            let lost = board.own.len() as f32 - next.own.len() as f32;
            let expected = 5.0 * (gained - lost);
            match (done, reward - expected) {
                (false, rest) => assert_eq!(rest, 0.0),
                (true, rest) => {
                    assert!(rest == 100.0 || rest == -100.0, "{rest}");
                    losses += u32::from(rest < 0.0);
                    wins += u32::from(rest > 0.0);
                }
            }
            taken += u32::from(lost > 0.0);
        }
    }
    assert!(losses > 0 && wins > 0 && taken > 20, "{losses} {wins} {taken}");
}

fn experiences(settings: &DqnSettings, number: u32) -> (Vec<Experience>, f64) {
    let network = QNetwork::random(&[4], settings.outputs(), &mut stream(1, 1, 1));
    let opponent = settings.opponents().unwrap()[0].clone();
    let mut episode = Episode::new(settings, number, opponent.as_ref(), stream(9, 9, u64::from(number)));
    let mut remembered = Vec::new();
    while episode.score().is_none() {
        episode.ply(&network, &mut remembered);
    }
    (remembered, episode.reward)
}

#[test]
fn what_is_remembered_is_what_was_played() {
    let sound = DqnSettings::preset(DqnPreset::Sound);
    for number in 0..6 {
        let (own, reward) = experiences(&sound, number);
        // One after the other: the next board of one is the board of the following, always with the learner to move.
        for pair in own.windows(2) {
            assert_eq!(pair[0].next, pair[1].board);
            assert!(!pair[0].done && pair[0].own_next);
        }
        let last = own.last().unwrap();
        assert!(last.done);
        let sum: f64 = own.iter().map(|e| f64::from(e.reward)).sum();
        assert!((sum - reward).abs() < 1e-3, "{sum} {reward}");
        assert!(own.iter().all(|e| (e.board.own & e.board.other).is_empty()));
        assert!(own.iter().all(|e| e.board.own.meets(e.m.from.bit())), "the learner moves its own pieces");
        for e in &own {
            let mirrored = e.mirrored();
            assert_eq!(mirrored.mirrored(), *e);
            assert_eq!(mirrored.m.from.file(), 8 - e.m.from.file());
            assert_eq!(mirrored.m.to.rank(), e.m.to.rank());
            assert!(mirrored.board.own.meets(mirrored.m.from.bit()));
        }
        // The same game with everybody's plies, as the listing has it.
        let both = DqnSettings { plies: Plies::Both, view: View::Turned, ..sound.clone() };
        let (all, _) = experiences(&both, number);
        assert!(all.len() >= 2 * own.len() - 1 && all.len() <= 2 * own.len() + 1);
        for pair in all.windows(2) {
            assert_eq!(pair[0].next, pair[1].board);
            assert_ne!(pair[0].own_next, pair[1].own_next);
        }
    }
    // Against itself both sides are remembered.
    let itself = DqnSettings { opponents: vec!["self".to_string()], ..sound };
    let (both, _) = experiences(&itself, 0);
    let start = Seen::by(&Position::start(Rules::Report), Side::First);
    assert_eq!(both[0].board, start);
    assert_eq!(both.iter().filter(|e| e.done).count(), 2);
}

#[test]
fn the_memory_forgets_the_oldest_and_reads_back() {
    let (experiences, _) = experiences(&DqnSettings::preset(DqnPreset::Sound), 1);
    let mut replay = Replay::new(10);
    for experience in &experiences {
        replay.push(*experience);
    }
    assert_eq!(replay.len(), 10);
    let kept: Vec<_> = (0..10).map(|i| *replay.get(i)).collect();
    assert!(experiences[experiences.len() - 10..].iter().all(|e| kept.contains(e)));
    let bytes = replay.to_bytes();
    assert_eq!(Replay::from_bytes(&bytes, 10).unwrap(), replay);
    assert!(Replay::from_bytes(&bytes[..bytes.len() - 1], 10).is_none());
    assert!(Replay::from_bytes(&bytes, 9).is_none());
    assert!(500_000 * std::mem::size_of::<Experience>() < 300_000_000);
}

/// What is shown again and again is learned: the error falls, and values come near the rewards.
#[test]
fn a_batch_can_be_learned() {
    let sound = DqnSettings::preset(DqnPreset::Sound);
    let settings = DqnSettings {
        hidden: vec![64, 64],
        discount: 0.0,
        learning_rate: 0.001,
        update_interval: 1_000_000,
        ..sound
    };
    let mut learner = Dqn::new(&settings).unwrap();
    while learner.replay.len() < 1000 {
        learner.episode().unwrap();
    }
    let batch: Vec<Experience> = (0..200).map(|i| *learner.replay.get(5 * i)).collect();
    let before = learner.learn(&batch);
    let after = (0..200).map(|_| learner.learn(&batch)).last().unwrap();
    assert!(after < 0.05 * before, "{before} {after}");
}

const WEAKNESSES: &str = r#"
game = "hasami"
title = "Short"
question = "?"
analysis = "!"

[duels]
games = 4
seed = 3
opening-plies = 4
weaknesses = true

[duels.made-by]
"made/network.safetensors" = "dobutsu-ga learn dqn --episodes 8 --out made"

[[duels.pairs]]
name = "chance"
player = "random-piece"
against = "net=made/network.safetensors"
"#;

/// An experiment says how to make a network that it needs, and counts weak moves with it.
#[test]
fn weak_moves_are_counted_with_a_network_that_is_made_first() {
    let scratch = Scratch::new("dqn-weaknesses");
    std::fs::write(scratch.path("weak.toml"), WEAKNESSES).unwrap();
    let here = |args: &[&str]| {
        let output = command(args).current_dir(&scratch.0).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, _, said) = here(&["reproduce", "weak.toml"]);
    assert_eq!(code, Some(2), "{said}");
    let words = "there is no file 'made/network.safetensors' here: make it with `dobutsu-ga learn dqn --episodes 8 --out made`";
    assert!(said.contains(words), "{said}");
    let network = QNetwork::random(&[4], Outputs::Moves, &mut stream(1, 1, 1)).to_bytes("a test");
    std::fs::create_dir(scratch.0.join("made")).unwrap();
    std::fs::write(scratch.0.join("made/network.safetensors"), network).unwrap();
    let (code, first, said) = here(&["reproduce", "weak.toml", "--threads", "1"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(first.contains("| duel | own moves | en prise | % of moves | idle | % of moves |"), "{first}");
    assert!(first.contains("- idle: the move puts the piece"), "{first}");
    let (_, second, _) = here(&["reproduce", "weak.toml", "--threads", "3"]);
    assert!(second.contains("came out again, byte for byte"), "{second}");
    let table = std::fs::read_to_string(scratch.0.join("results/weak/weaknesses.csv")).unwrap();
    assert!(
        table.starts_with("duel,player,against,weakness,moves,count,rate,low,high\nchance,random-piece,"),
        "{table}"
    );
    for name in ["weaknesses-1.svg", "weaknesses-2.png"] {
        assert!(scratch.0.join("results/weak").join(name).exists(), "{name}");
    }
    // Wherever one is, experiments are listed.
    let (code, list, said) = here(&["reproduce", "--list"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(list.contains("hasami/weaknesses"), "{list}");
    let (_, _, said) = here(&["reproduce", "hasami/table13"]);
    assert!(said.contains("make it with `dobutsu-ga learn dqn --preset paper"), "{said}");
}

#[test]
fn experiments_with_weak_moves_that_make_no_sense_are_refused() {
    let scratch = Scratch::new("dqn-nonsense");
    let file = scratch.path("wrong.toml");
    for (from, to, words) in [
        ("hasami", "kyoto", "no weak moves are known of kyoto"),
        (
            "net=made/network.safetensors",
            "random",
            "made-by names 'made/network.safetensors', which no player is made of",
        ),
        ("\"random-piece\"", "\"nobody\"", "there is no player 'nobody'"),
    ] {
        std::fs::write(&file, WEAKNESSES.replacen(from, to, 1)).unwrap();
        refuses(&["reproduce", &file, "--out", &scratch.path("results")], words);
    }
}

/// A run's deviations from the listing are reported beside its score.
#[test]
fn changes_of_the_listing_are_told() {
    let scratch = Scratch::new("dqn-changed");
    let file = scratch.path("short.toml");
    let text = r#"
game = "hasami"
title = "Short"
question = "?"
analysis = "!"

[dqn]
seeds = "1..2"
validation-games = 2
opening-plies = 4
against = ["random"]

[[dqn.runs]]
name = "sound"
settings = { preset = "sound", episodes = 1, ply-cap = 40, hidden = [4] }

[[dqn.runs]]
name = "the listing, small"
settings = { preset = "paper", episodes = 1, ply-cap = 40, hidden = [4], reward = { capture = 4.0 } }
"#;
    std::fs::write(&file, text).unwrap();
    let told = prints(&["reproduce", &file, "--out", &scratch.path("results")]);
    let (_, changed) = told.split_once("| changed (the listing's value) |").unwrap();
    assert!(!changed.contains("| sound |"), "{changed}");
    for words in [
        "| the listing, small | `",
        "`episodes = 1` (10000)",
        "`hidden = [4]` ([128, 128, 128])",
        "`ply-cap = 40` (2000)",
        "capture = 4",
    ] {
        assert!(changed.contains(words), "{words}: {changed}");
    }
    assert!(!changed.contains("seed =") && !changed.contains("batch"), "{changed}");
}
